// Spotlight: how does one word look at the others? Scaled dot-product attention in eight steps, and all of it at a
// glance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/attention.h"
#include "core/matrix.h"
#include "scenes/common/recipe.h"
#include "scenes/common/trained_attention.h"
#include "scenes/scene.h"

namespace limelight::scenes::spotlight {

enum class Preset { fox, coffee, day1, cat, apple, own };
enum class Rule { identity, random };
enum class Scale { off, root, own };
enum class Masking { none, causal };

inline constexpr int kMostWords = 64;
inline constexpr std::size_t kMostBytes = 4096;  // of a sentence; half as many letters at least

inline constexpr std::string_view kBorrows = "trained";  // the field that needs functions of other scenes
// What a sentence of the reader's own begins with: the head that follows a pronoun to what it stands for, as “it” to
// the animal with 99 % in “The animal didn't cross the street because it was too tired”, and to the street if it is too
// wide. No other head tells these two apart.
inline constexpr int kOwnLayer = 3, kOwnHead = 2;
inline constexpr io::Choice kByHand[] = {{"off", "by hand"}, {"on", "trained"}};
inline constexpr io::Choice kBySpelling[] = {{"off", "by spelling"}, {"on", "trained"}};
inline constexpr io::Choice kTooLong[] = {{"off", "by spelling"}, {"on", "trained (too long)"}};

inline constexpr io::Choice kPresets[] = {{"fox", "fox"},     {"coffee", "she likes coffee"},
                                          {"day1", "day 1"},  {"cat", "cat"},
                                          {"apple", "apple"}, {"own", "your own"}};
inline constexpr io::Choice kRules[] = {{"identity", "identity-like"}, {"random", "random"}};
inline constexpr io::Choice kScales[] = {{"off", "off"}, {"root", "1/√d"}, {"own", "own"}};
inline constexpr io::Choice kMasks[] = {{"none", "none"}, {"causal", "causal"}};
inline constexpr io::Choice kColours[] = {{"auto", "auto"}, {"zero-one", "0–1"}, {"row", "row"}, {"min-max", "all"}};
inline constexpr io::Choice kMaps[] = {{"viridis", "viridis"}, {"cividis", "cividis"}, {"grey", "grey"}};

// What the map's brightest colour is: 1, each row's largest weight or the largest of all, or as suits the sentence.
enum class Colours : std::uint8_t { suited, zero_one, row, min_max };

struct State {
  Preset preset = Preset::fox;
  std::string text;
  int d = 4;
  Rule rule = Rule::identity;
  int seed = 1;
  bool trained = false;     // X and the matrices are those of the encoder (scenes/common/trained_attention.h)
  int layer = 1, head = 2;  // of it, from 1; this one looks at the next word
  Scale scale = Scale::root;
  double factor = 1;
  Masking mask = Masking::none;
  double temperature = 1;
  Colours colours = Colours::suited;
  figure::ColourMap map = figure::ColourMap::viridis;
  double threshold = 0.05;
  int query = 4;
  io::CellEdits X, W_q, W_k, W_v, Q, K, V, weights;
  double asked = 0;           // 0: the question is open
  std::string edited_text{};  // no parameter: the sentence to whose words the edits and the query belong
  bool read_trained = false;  // no parameter: whether these words are as the encoder reads them

  void fields(io::FieldVisitor& field);

  [[nodiscard]] State example() const;
  // A link without `trained` shows what it did before sentences of one's own began with it: the rule.
  [[nodiscard]] State linked() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  // True when the embeddings and matrices come from a rule, not from an article.
  [[nodiscard]] bool by_rule() const { return !trained && spelled(); }
  [[nodiscard]] bool spelled() const {
    return preset == Preset::cat || preset == Preset::apple || preset == Preset::own;
  }
  // True when the features have names.
  [[nodiscard]] bool named() const { return preset == Preset::fox && !trained; }
  // True when Q, K and V are given and nothing comes before them.
  [[nodiscard]] bool given() const { return preset == Preset::day1; }
  [[nodiscard]] bool edited() const;
  [[nodiscard]] std::string_view sentence() const;  // the example's own; empty when it has none
  [[nodiscard]] double last_query() const;          // the largest number of a query token
};

// The words of the rows of Q, and of the rows of K and V.
std::vector<std::string> query_words(const State& state);
std::vector<std::string> key_words(const State& state);
// The colours that the map has. compact: on a phone.
figure::Normalise normalise_of(const State& state, bool compact);
// What the question asks about: half, as far as the slider goes.
double half_temperature(double temperature);
// What the scores are multiplied by, without the temperature.
double scale_factor(const State& state, int key_size);
// The query token that is looked at, inside the sentence.
int query_row(const State& state);
// The same, or the word that the pointer is on, which asks as long as it is there.
int looked_at(const State& state, const View& view);

// The key whose number in this tensor is the query's largest.
int best_key(const Trace& trace, std::string_view tensor, int row);
// A weight has what those set by hand in its row leave of 1; the last one has to be exactly that.
std::optional<io::Range> room(const State& state, std::string_view field, int row, int column);

// The columns of one row of a matrix, by their values, the largest first; equal ones from left to right.
std::vector<int> largest_first(const Matrix& values, int row);

// What a figure without numbers waits for.
inline constexpr std::string_view kAwaited = "The encoder";

// The scores' scale, temperature and mask.
AttentionOptions options_of(const State& state, int key_size);

// The tensors of the trace. X and the W are not there where Q, K and V are given.
inline constexpr std::string_view kX = "X", kW_q = "W_q", kW_k = "W_k", kW_v = "W_v", kQ = "Q", kK = "K", kV = "V",
                                  kScores = "scores", kScaled = "scaled", kMaximum = "maximum", kShifted = "shifted",
                                  kExponentials = "exponentials", kSum = "sum", kWeights = "weights",
                                  kOutput = "output";
inline constexpr std::string_view kLow = "weights_low", kHigh = "weights_high";  // once the job is done

// None while the trained encoder is needed and has not come.
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
figure::Figure opening(const State& state, const Trace& trace, const View& view, const OpeningStage& stage);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
// Day 1 begins with Q, K and V.
int first_step(const State& state);
// What a sentence of the reader's own begins with.
io::Patch begins();
// Who asks in the sentence, where the reader has not chosen one of its words.
io::Patch suited(const State& before, const State& now, const Inputs& inputs);
// A number in the row of a query makes that token the query.
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
// What each tensor is; the trace has numbers.
recipes::Recipes recipes(const State& state, const Trace& trace);
code::Equations equations(const State& state, const Trace& trace, Place place);
std::span<const Resource* const> needs(const State& state, Place place);
// Other seeds: how far chance alone moves each weight. Null unless the matrices are random.
std::string_view job_label(const State& state);
std::unique_ptr<Job> job(const State& state);

}  // namespace limelight::scenes::spotlight
