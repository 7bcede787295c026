// The list of Heads' parameters.
#include <algorithm>

#include "scenes/common/add_field.h"
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {
namespace {

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
  add_field(field, "text", "Your own sentence",
            {.placeholder = "your own sentence …", .implied = state.sentence(), .place = top}, state.text,
            "Any words, up to 16; each becomes an embedding by its spelling.");
  add_field(field, "other", "The second sentence",
            {.placeholder = "the second sentence …", .implied = state.other_sentence(), .place = figure}, state.other,
            "Its words are the keys and values of cross-attention, up to 16.");
  add_field(field, "trained", "trained", {}, state.trained,
            "A layer of an encoder that learned English sentences, its 8 heads and 96 numbers.");
  add_field(field, "layer", "layer", {.range = {1, trained::kLayers}, .shown = state.trained}, state.layer,
            "What enters a later layer has been through the ones before it.");
  add_field(field, "attention", "attention", {.choices = kKinds, .place = figure, .shown = !state.trained},
            state.attention, "Self: keys and values from the same sentence. Cross: from a second one.");
  add_field(field, "heads", "heads", {.range = {1, kMostHeads}, .place = figure, .shown = !state.trained}, state.heads,
            "Each head gets size d ÷ heads numbers, so the head count has to divide the size.");
  add_field(field, "d_model", "size d",
            {.range = {1, 24}, .steps = io::all_but("mask", "without"), .shown = !state.trained}, state.d_model,
            "Numbers in each word’s embedding, d_model; the heads share them.");
  add_field(field, "seed", "seed",
            {.range = {1, 9999}, .steps = io::all_but("mask", "without"), .shown = !state.trained}, state.seed,
            "Another seed draws other matrices, and other random heads.");
}

void head_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  for (std::size_t h = 0; h < kMostHeads; ++h)
    add_field(field, kOfHeads[h].pattern, kOfHeads[h].pattern_label,
              {.choices = kPatterns, .place = figure, .shown = has_own_weights(state, h) && !state.trained},
              state.patterns[h]);
  add_field(field, "alike", "all heads alike", {.steps = io::only("split"), .shown = state.heads > 1}, state.alike,
            "All heads have the weights of head 1.");
  add_field(field, "mixing", "matrix W_O", {.choices = kMixings, .place = figure, .shown = !state.trained},
            state.mixing);
  field(io::Field{.name = "mask", .label = "mask", .choices = kMasks, .place = figure}, state.mask);
  add_field(field, "length", "words kept",
            {.range = {0, kMostWords},
             .steps = io::only("weights", "outputs", "join", "mask"),
             .shown = state.mask == Masking::padding},
            state.length, "Keys after these are padding, and hidden.");
  add_field(field, "window", "window",
            {.range = {0, kMostWords - 1},
             .steps = io::only("weights", "outputs", "join", "mask"),
             .shown = state.mask == Masking::window},
            state.window, "How far to either side a query sees.");
  field(io::Field{.name = "M", .label = "Cells of the mask", .range = {0, 1}, .place = figure}, state.M);
  for (std::size_t h = 0; h < kMostHeads; ++h)
    add_field(field, kOfHeads[h].weights, kOfHeads[h].weights_label,
              {.range = {0, 1}, .place = figure, .shown = has_own_weights(state, h)}, state.weights[h]);
  for (std::size_t h = 0; h < kMostHeads; ++h)
    add_field(field, kOfHeads[h].off, kOfHeads[h].off_label,
              {.place = figure, .shown = static_cast<int>(h) < state.heads}, state.off[h]);
}

void number_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  add_field(field, "colours", "colours", {.choices = kNormalise, .steps = io::only("mask"), .look = true},
            state.normalise, "Which weight is the brightest: 1, or each row’s largest.");
  add_field(field, "head", "Head that is looked at",
            {.range = {0, static_cast<double>(state.heads)}, .place = figure, .look = true}, state.head);
  add_field(field, "query", "Query",
            {.range = {0, static_cast<double>(std::max(sizes(state).queries - 1, 0))}, .place = figure, .look = true},
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
