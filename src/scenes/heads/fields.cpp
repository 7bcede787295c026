// The list of Heads' parameters.
#include <algorithm>

#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {
namespace {

template <class T>
void hinted(io::FieldVisitor& field, io::Field one, std::string_view hint, T& value) {
  one.hint = hint;
  field(one, value);
}

// Fields that each head has.
struct OfHead {
  std::string_view pattern, pattern_label, weights, weights_label, off, off_label;
};
constexpr OfHead kOfHeads[kMostHeads] = {
    {"head_1", "Head 1", "A_1", "Head 1’s weights set by hand", "off_1", "Head 1 switched off"},
    {"head_2", "Head 2", "A_2", "Head 2’s weights set by hand", "off_2", "Head 2 switched off"},
    {"head_3", "Head 3", "A_3", "Head 3’s weights set by hand", "off_3", "Head 3 switched off"},
    {"head_4", "Head 4", "A_4", "Head 4’s weights set by hand", "off_4", "Head 4 switched off"},
    {"head_5", "Head 5", "A_5", "Head 5’s weights set by hand", "off_5", "Head 5 switched off"},
    {"head_6", "Head 6", "A_6", "Head 6’s weights set by hand", "off_6", "Head 6 switched off"},
    {"head_7", "Head 7", "A_7", "Head 7’s weights set by hand", "off_7", "Head 7 switched off"},
    {"head_8", "Head 8", "A_8", "Head 8’s weights set by hand", "off_8", "Head 8 switched off"},
};

// Whether a head is there, and its weights are its own.
bool has_own_weights(const State& state, std::size_t h) {
  return static_cast<int>(h) < (state.alike ? 1 : state.heads);
}

void layer_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, state.preset);
  field(io::Field{.name = "text",
                  .label = "Your own sentence",
                  .hint = "Any words, up to 16; each becomes an embedding by its spelling.",
                  .placeholder = "your own sentence …",
                  .implied = state.sentence(),
                  .place = top},
        state.text);
  field(io::Field{.name = "other",
                  .label = "The second sentence",
                  .hint = "Its words are the keys and values of cross-attention, up to 16.",
                  .placeholder = "the second sentence …",
                  .implied = state.other_sentence(),
                  .place = figure},
        state.other);
  hinted(field, {.name = "trained", .label = "trained"},
         "A layer of an encoder that learned English sentences, its 8 heads and 96 numbers.", state.trained);
  hinted(field, {.name = "layer", .label = "layer", .range = {1, trained::kLayers}, .shown = state.trained},
         "What enters a later layer has been through the ones before it.", state.layer);
  hinted(field,
         {.name = "attention", .label = "attention", .choices = kKinds, .place = figure, .shown = !state.trained},
         "Self: keys and values from the same sentence. Cross: from a second one.", state.attention);
  hinted(field, {.name = "heads", .label = "heads", .range = {1, kMostHeads}, .place = figure, .shown = !state.trained},
         "Each head gets size d ÷ heads numbers, so the head count has to divide the size.", state.heads);
  field(io::Field{.name = "d_model",
                  .label = "size d",
                  .range = {1, 24},
                  .hint = "Numbers in each word’s embedding, d_model; the heads share them.",
                  .steps = io::all_but("mask", "without"),
                  .shown = !state.trained},
        state.d_model);
  field(io::Field{.name = "seed",
                  .label = "seed",
                  .range = {1, 9999},
                  .hint = "Another seed draws other matrices, and other random heads.",
                  .steps = io::all_but("mask", "without"),
                  .shown = !state.trained},
        state.seed);
}

void head_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  for (std::size_t h = 0; h < kMostHeads; ++h)
    field(io::Field{.name = kOfHeads[h].pattern,
                    .label = kOfHeads[h].pattern_label,
                    .choices = kPatterns,
                    .place = figure,
                    .shown = has_own_weights(state, h) && !state.trained},
          state.patterns[h]);
  hinted(field, {.name = "alike", .label = "all heads alike", .steps = io::only("split"), .shown = state.heads > 1},
         "All heads have the weights of head 1.", state.alike);
  field(
      io::Field{.name = "mixing", .label = "matrix W_O", .choices = kMixings, .place = figure, .shown = !state.trained},
      state.mixing);
  field(io::Field{.name = "mask", .label = "mask", .choices = kMasks, .place = figure}, state.mask);
  field(io::Field{.name = "length",
                  .label = "words kept",
                  .range = {0, kMostWords},
                  .hint = "Keys after these are padding, and hidden.",
                  .steps = io::only("weights", "outputs", "join", "mask"),
                  .shown = state.mask == Masking::padding},
        state.length);
  field(io::Field{.name = "window",
                  .label = "window",
                  .range = {0, kMostWords - 1},
                  .hint = "How far to either side a query sees.",
                  .steps = io::only("weights", "outputs", "join", "mask"),
                  .shown = state.mask == Masking::window},
        state.window);
  field(io::Field{.name = "M", .label = "Cells of the mask", .range = {0, 1}, .place = figure}, state.M);
  for (std::size_t h = 0; h < kMostHeads; ++h)
    field(io::Field{.name = kOfHeads[h].weights,
                    .label = kOfHeads[h].weights_label,
                    .range = {0, 1},
                    .place = figure,
                    .shown = has_own_weights(state, h)},
          state.weights[h]);
  for (std::size_t h = 0; h < kMostHeads; ++h)
    field(io::Field{.name = kOfHeads[h].off,
                    .label = kOfHeads[h].off_label,
                    .place = figure,
                    .shown = static_cast<int>(h) < state.heads},
          state.off[h]);
}

void number_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  hinted(field, {.name = "colours", .label = "colours", .choices = kNormalise, .steps = io::only("mask"), .look = true},
         "Which weight is the brightest: 1, or each row’s largest.", state.normalise);
  field(io::Field{.name = "head",
                  .label = "Head that is looked at",
                  .range = {0, static_cast<double>(state.heads)},
                  .place = figure,
                  .look = true},
        state.head);
  field(io::Field{.name = "query",
                  .label = "Query",
                  .range = {0, static_cast<double>(std::max(sizes(state).queries - 1, 0))},
                  .place = figure,
                  .look = true},
        state.query);
  const std::tuple<const char*, const char*, io::CellEdits*> cells[] = {
      {"X", "Cells of X", &state.X},       {"Z", "Cells of Z", &state.Z},       {"W_Q", "Cells of W_Q", &state.W_Q},
      {"W_K", "Cells of W_K", &state.W_K}, {"W_V", "Cells of W_V", &state.W_V}, {"W_O", "Cells of W_O", &state.W_O}};
  for (const auto& [name, label, edits] : cells)
    field(io::Field{.name = name, .label = label, .range = {-1000, 1000}, .place = figure}, *edits);
}

}  // namespace

void State::fields(io::FieldVisitor& field) {
  layer_fields(*this, field);
  head_fields(*this, field);
  number_fields(*this, field);
}

}  // namespace limelight::scenes::heads
