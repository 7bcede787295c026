// Sentence: which word looks at which in a model that learned it? A trained transformer reads what is typed, and every
// head of every layer is there to be looked at, compared, switched off: the encoder of learn/encoder.h, a checkpoint of
// the reader's own, or weights alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/transformer.h"
#include "scenes/common/recipe.h"
#include "scenes/scene.h"
#include "scenes/sentence/model.h"

namespace limelight::scenes::sentence {

enum class Preset { animal, agreement, pronoun, cat, fox, coffee, apple, own };
// What the grid of all heads is sorted by.
enum class Sorting { place, kind, alike };

inline constexpr int kMostLayers = 128, kMostHeads = 256;  // of any model
inline constexpr int kMostTokens = 4096;
inline constexpr std::size_t kMostBytes = 16384;  // of a text

inline constexpr io::Choice kPresets[] = {
    {"animal", "animal"}, {"agreement", "agreement"}, {"pronoun", "pronoun"}, {"cat", "cat"},
    {"fox", "fox"},       {"coffee", "coffee"},       {"apple", "apple"},     {"own", "your own"}};
inline constexpr io::Choice kNormalise[] = {
    {"zero-one", "0 to 1"}, {"row", "row by row"}, {"min-max", "least to most"}};
inline constexpr io::Choice kSortings[] = {
    {"place", "layer and head"}, {"kind", "what they do here"}, {"alike", "who is alike"}};

struct State {
  Preset preset = Preset::animal;
  std::string text;      // what is read instead of the example's sentence
  std::string own;       // the name of a model or of weights of the reader's own; empty: the encoder
  bool weights = false;  // that is the name of weights alone, which read no text
  std::string tokens;    // their names, as io::read_token_line reads them; empty: the file's
  figure::Normalise normalise = figure::Normalise::zero_one;
  io::CellEdits hidden;    // 0.i: token i is replaced by [MASK]
  std::string head;        // that is looked at: "3.2", layer and head, from 1
  double share = 0.9;      // of each row, its largest weights that together reach it are drawn
  bool alone = false;      // only the query's light is drawn
  bool raw = false;        // each layer's weights by themselves
  int query = 0, key = 0;  // the pair that is looked at, from 0
  Sorting sorting = Sorting::place;
  int place = 0;        // of the token that another one takes the place of
  std::string instead;  // that one; empty: none
  io::CellEdits off;    // l.h, from 0: heads that are switched off
  bool tried = false;   // a model of the reader's own is tried without each head and each word, which takes a while

  State();
  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] std::string_view sentence() const;  // the example's own; empty when it has none
  [[nodiscard]] std::string_view read() const { return text.empty() ? sentence() : std::string_view(text); }
};

// Names of tensors that heads have: "A_3.2" is of layer 3, head 2. layer, head: from 0. one: the letter.
std::string of_head(std::string_view one, int layer, int head);
// Of what is said of a place: "guess_7" is of place 6, which counts from 0.
std::string of_place(std::string_view one, int place);
struct HeadTensor {
  std::string_view one;  // empty: it is no such name
  int layer = 0, head = 0;
};
HeadTensor read_name(std::string_view name);

// The head that is looked at, of those that there are.
HeadPlace chosen_head(const State& state, int layers, int heads);

// The share of a head's weight from which on what it looks at is told: a head of a kind.
inline constexpr float kClear = 0.4F;
inline constexpr float kNeedsIt = -0.005F;  // the change of a word's probability without a head that it needs

// Tensors, of T tokens: "tokens" [1, T] whether each is known, "typed" the same before words were hidden, "hidden" [1,
// T]; of every head the map "G_l.h", A in at most kMapSide rows and columns; of those that are looked at "A_l.h" [T,
// S], "Q_l.h" and "K_l.h" [T, d], "S_l.h" the scaled scores, "s_l.h" and "a_l.h" [T, 1] its and A's row of the query,
// "P_l.h" [T, d] the query's numbers times each key's, and with a word swapped "B_l.h" the weights then, "D_l.h" their
// difference, "b_l.h" and "d_l.h" [T, 1] the query's rows of both; "kinds" [heads, Kind], "order" [1, heads];
// "raw" and "rollout" [layers, T] of the query; where they are few, "mean_l" [T, T] of each layer's heads; "guess_i"
// the likeliest tokens at place i, from 1, "truth_i" [1, 2] probability and rank of the one that is there, and
// "guess_swapped_i", "guess_without_i", "guess_needed_i" without the heads that it needs most, and so on; "moved"
// [layers, heads] how far each head's row of the query moves with the swap; "importance" [layers, heads], "erasure"
// [1, T] and "needed" [1, 1 to 3], what is left as those heads go off one after the other. "refused" has a sentence as
// its label, and so has "naming", of weights whose tokens are not named.
inline constexpr int kMapSide = 64, kMostFlowing = 8;  // tokens of a map; layers whose light is drawn
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, const Trace& trace, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
// Of the head that is looked at; none where its model is not there. They hold names of the trace.
recipes::Recipes recipes_of(const State& state, const Trace& trace);
std::unique_ptr<Job> job(const State& state, const Inputs& inputs);
std::span<const Resource* const> needs(const State& state, Place place);
// Whether the job begins by itself: where it takes no longer than a moment, or nothing is seen without it.
bool starts_job(const State& state);
// Of weights alone: a step that shows them, and the colours that do.
io::Patch shown_own(const Own& own, int step);
inline constexpr OwnField kOwn{.name = "own", .shown = shown_own};

}  // namespace limelight::scenes::sentence
