// Translate: where does a translator look? A recurrent encoder and decoder with attention: a trained and a constructed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "learn/french.h"
#include "learn/training.h"
#include "scenes/scene.h"

namespace limelight::scenes::translate {

enum class Preset { agreement, visit, minister, committee, composed, constructed, own };
// Where s_0 comes from.
enum class First { encoder, random, zero };
enum class Gaze { soft, hard };

inline constexpr int kMostSteps = 70;            // of output words, the trained model's; [STOP] included
inline constexpr int kMostConstructed = 8;       // the constructed one's
inline constexpr int kUnits = 2;                 // of the constructed example's scoring network
inline constexpr std::size_t kMostBytes = 2048;  // of either text

inline constexpr io::Choice kPresets[] = {
    {"agreement", "agreement"}, {"visit", "5 words"},       {"minister", "10 words"}, {"committee", "25 words"},
    {"composed", "composed"},   {"constructed", "by hand"}, {"own", "your own"}};
inline constexpr io::Choice kFirsts[] = {{"encoder", "encoder"}, {"random", "random"}, {"zero", "zero"}};
inline constexpr io::Choice kGazes[] = {{"soft", "soft"}, {"hard", "hard: one word"}};

inline std::string example_name(Preset preset) { return std::string(kPresets[static_cast<std::size_t>(preset)].label); }

// The sentence that the scene begins with, and its word "zone".
std::shared_ptr<const learn::french::Sentence> first_sentence();
inline constexpr std::string_view kUnsure = "She signed in Paris.";  // whose third output word is not sure at all
inline constexpr int kZone = 4, kWeek = 9;  // and "semaine" of the one of 25 words: both turn round

struct State {
  Preset preset = Preset::agreement;
  std::string text;  // one's own sentence
  int words = 10;    // of a composed sentence
  int draw = 1;      // which of them
  int word = kZone;  // the output word that is looked at, from 0
  First first = First::encoder;
  int seed = 1;  // of a random s_0
  Gaze gaze = Gaze::soft;
  std::string translation;  // what the decoder reads instead of what it wrote; empty: what it wrote
  bool gold = false;
  io::CellEdits weights;  // by output word and source word
  // Of the constructed example; y by output word.
  io::CellEdits h, s, scores, context, W, U, v, y, w, O, b;
  // Follow from the preset, `words` and `draw`: the corpus's sentence, if it made it, and how it is printed.
  std::shared_ptr<const learn::french::Sentence> corpus = first_sentence();
  std::string printed = learn::french::detokenise(corpus->source);

  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;  // its values; what follows from them is not made
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] bool trained() const { return preset != Preset::constructed; }
  [[nodiscard]] bool edited() const;
  // Whether anything makes it translate otherwise than by itself.
  [[nodiscard]] bool steered() const { return edited() || gaze == Gaze::hard || first != First::encoder; }
};

std::span<const std::string> constructed_target();  // of the constructed one; the last is [STOP]

// The English tokens, without [STOP]; of the constructed example its words.
std::vector<std::string> source_tokens(const State& state);
// What the source is in the trace: the trained model reads [STOP] too.
std::vector<std::string> source_labels(const State& state);

// One's own translation as target tokens, [STOP] at its end; empty: none. The constructed example's count from 0, those
// of the model as its vocabulary does. Errors: words that the decoder does not know, by name.
Result<std::vector<int>> read_translation(const State& state);

using Model = std::shared_ptr<const learn::Training>;
inline constexpr std::string_view kAttention = "french-attention.safetensors", kFixed = "french-fixed.safetensors";

// What is looked at; from 0, within what was written.
int word_row(const State& state, const Trace& trace);
// … and while another output word is pointed at, that one.
int word_row(const State& state, const Trace& trace, const View& view);
// While Look is played the lamp swings over this one and the two after it, and back: at a moment from 0 to 3.
int swung(int row, int rows, float moment);
// Whether all of a translation is in the trace, or its model is still to come.
bool is_translated(const Trace& trace);
// The same of the translation without attention.
bool is_squeezed(const Trace& trace);
// The words that the trace's translation has, [STOP] included.
std::vector<std::string> written(const Trace& trace);

// Tensors, S source words, T output words, H and D = 2H numbers (of the constructed example 1 each), A units:
// source [1, S]; then, once there is a model: h [S, D], W [H, A], U [D, A], keys [S, A], v_a [A, 1], s [T + 1, H],
// query [T, A], scores weights [T, S], context [T, D], logits probabilities [T, V], chosen [1, T]; of the word that is
// looked at: sum tanh terms [S, A]. Of the trained model: reset update new [T, H], gold [T, S] where it is known. Where
// something was changed: before [1, T'], the words without it; where nothing was, from_zeros [1, T'], those with zeros
// as s_0. Without attention: through [1, S'], the words of that sentence or of another given one, 1 where what should
// come of a word is missing; expected, what should come of it all; attended, of another one what comes of it with
// attention; fixed_h [S', D], bottleneck [1, D], fixed_s [T'' + 1, H], fixed [1, T'']. Of the constructed example: y
// [1, T], w and b, O. Of both models' records: exact [2, lengths].
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
io::Patch play(const State& state, const Trace& trace, Place place);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, const Trace& trace, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
std::optional<io::Range> room(const State& state, std::string_view field, int row, int column);
std::span<const Resource* const> needs(const State& state, Place place);

}  // namespace limelight::scenes::translate
