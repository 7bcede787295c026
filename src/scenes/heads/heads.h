// Heads: why more than one? Multi-head attention from X to the output, under a mask, and with any head switched off.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/mask.h"
#include "core/matrix.h"
#include "scenes/common/recipe.h"
#include "scenes/common/trained_attention.h"
#include "scenes/scene.h"

namespace limelight::scenes::heads {

enum class Preset { agreement, sofa, cat, apple, crossed, own };
enum class Kind { self, cross };
// Where a head's scores come from.
enum class Pattern { computed, previous, same, first, window, random, hand };
enum class Mixing { random, identity };
// At first none; the step Mask shows what a causal one would do.
enum class Masking { shown, none, causal, padding, window };

inline constexpr int kMostHeads = 8;
inline constexpr int kMostWords = 16;            // of either sentence
inline constexpr std::size_t kMostBytes = 2048;  // of either sentence
inline constexpr float kStrong = 4;              // the score of what a constructed pattern looks at; 0 elsewhere
inline constexpr int kReach = 1;                 // of the pattern "nearby", to either side

inline constexpr io::Choice kPresets[] = {
    {"agreement", "cat and dogs"}, {"sofa", "sofa"},   {"cat", "cat"}, {"apple", "apple"},
    {"crossed", "two sentences"},  {"own", "your own"}};
inline constexpr io::Choice kKinds[] = {{"self", "self"}, {"cross", "cross"}};
inline constexpr io::Choice kPatterns[] = {{"computed", "Q Kᵀ"},    {"previous", "previous"}, {"same", "same word"},
                                           {"first", "first word"}, {"window", "nearby"},     {"random", "random"},
                                           {"hand", "by hand"}};
inline constexpr io::Choice kMixings[] = {{"random", "random"}, {"identity", "identity"}};
inline constexpr io::Choice kMasks[] = {
    {"shown", "shown"}, {"none", "none"}, {"causal", "causal"}, {"padding", "padding"}, {"window", "window"}};
inline constexpr io::Choice kNormalise[] = {{"zero-one", "0–1"}, {"row", "row"}};

struct State {
  Preset preset = Preset::agreement;
  std::string text;            // whose words ask
  std::string other;           // whose words are asked in cross-attention
  bool trained = true;         // X and the matrices are those of the encoder (scenes/common/trained_attention.h)
  bool stays_trained = false;  // no parameter: as the reader asked, other examples have trained heads, too
  int layer = 1;               // of it, from 1
  Kind attention = Kind::self;
  int heads = trained::kHeads;
  int d_model = 8;
  int seed = 1;
  std::array<Pattern, kMostHeads> patterns{};
  bool alike = false;  // all heads have the first one's weights
  Mixing mixing = Mixing::random;
  Masking mask = Masking::shown;
  int length = 4;  // of what is no padding
  int window = 1;
  io::CellEdits M;  // the mask's cells that were painted: 0 hides, 1 shows
  std::array<io::CellEdits, kMostHeads> weights{};
  // At first one is without which a right word is guessed wrong, so that Without shows at once what that does.
  std::array<bool, kMostHeads> off{false, false, false, false, true};
  figure::Normalise normalise = figure::Normalise::zero_one;
  int head = 0;  // that is looked at, from 1; 0: all are
  int query = 8;
  io::CellEdits X, Z, W_Q, W_K, W_V, W_O;

  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] bool crossed() const { return attention == Kind::cross; }
  [[nodiscard]] bool edited() const;
  [[nodiscard]] std::string_view sentence() const;  // the example's own; empty when it has none
  [[nodiscard]] std::string_view other_sentence() const;
};

// T queries, S keys, numbers of a word and in each head.
struct Sizes {
  int queries, keys, model, head;
};
Sizes sizes(const State& state);

// The words of the queries' sentence, of the second one, and of the keys.
std::vector<std::string> query_words(const State& state);
std::vector<std::string> other_words(const State& state);
std::vector<std::string> key_words(const State& state);
// The row that is looked at; the head, from 0, the first one where all are.
int query_row(const State& state);
int chosen_head(const State& state);
// The head that alone is switched off, from 0; −1: none is, or several are.
int only_off(const State& state);
bool is_cut(const State& state);  // one of them is

// As the step Mask shows it: with a causal mask, where none was chosen.
State as_masked(State state);
// Which query may look at which key, painted cells included.
BoolMatrix allowed(const State& state);
// How a head's weights come about, "random, edited" say.
Pattern pattern_of(const State& state, int head);
// A mask's own choice for a cell, without what was painted.
bool allowed_unpainted(const State& state, int row, int column);

// Names of tensors that each head has: "A_3" is its third head's. head: from 0. one: the letter.
std::string of_head(std::string_view one, int head);
// The letter and the head (from 0) of such a name; −1 when it has none.
struct HeadTensor {
  std::string_view one;
  int head = -1;
};
HeadTensor read_name(std::string_view name);

// What the other weights of a row that are set by hand leave to one of them.
std::optional<io::Range> room(const State& state, std::string_view field, int row, int column);

inline constexpr std::string_view kAwaited = "The encoder";
inline constexpr std::string_view kFound = "found", kBest = "best", kLooked = "looked";
// The word that is covered for the encoder to guess: the one that asks, but [START].
int covered_word(const State& state);
// Whether it is guessed right with all heads alone.
bool is_loss(const Trace& trace);

// M alone while the trained encoder is needed and has not come. Its layer's X has a 1 behind each word's numbers, which
// meets the biases in the last rows of W_Q, W_K and W_V; b_O is added to C W_O. Tensors: X (Z) W_Q W_K W_V W_O (b_O) Q
// K V M, for each head h Q_h K_h V_h S_h A_h O_h and Y_h, what it adds to the output, then C Y, A_mean O_mean Y_mean,
// Y_now, part size change apart; of the trained encoder, with all heads, with those that are on and without each alone,
// found [1, 2 + heads], how likely the covered word is, best, the likeliest one, its label; and looked [1, T], what the
// head that alone is off gives each word from there.
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Resource* const> needs(const State& state, Place place);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, const Trace& trace, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
recipes::Recipes recipes(const State& state, const Trace& trace);

}  // namespace limelight::scenes::heads
