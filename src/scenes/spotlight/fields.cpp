// The list of Spotlight's parameters.
#include "learn/english.h"
#include "scenes/spotlight/spotlight.h"

namespace limelight::scenes::spotlight {
namespace {

void sentence_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, state.preset);
  field(io::Field{.name = "text",
                  .label = "Your own sentence",
                  .hint = "Any words: up to 23 and a full stop for the trained numbers, up to 64 by spelling.",
                  .placeholder = "your own sentence …",
                  .implied = state.sentence(),
                  .place = top},
        state.text);
}

void rule_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "d",
                  .label = "size d",
                  .range = {2, 64},
                  .hint = "Numbers in each word's embedding.",
                  .steps = io::only("x", "w"),
                  .shown = state.by_rule()},
        state.d);
  field(io::Field{.name = "matrices",
                  .label = "matrices",
                  .choices = kRules,
                  .hint = "Not trained: nearly the identity, or drawn at random.",
                  .steps = io::all_but("words", "x"),
                  .shown = state.by_rule()},
        state.rule);
  field(io::Field{.name = "seed",
                  .label = "seed",
                  .range = {1, 9999},
                  .hint = "Another seed draws other random matrices.",
                  .steps = io::all_but("words", "x"),
                  .shown = state.by_rule() && state.rule == Rule::random},
        state.seed);
}

// For the encoder.
bool too_long(const State& state) {
  if (state.preset != Preset::own || state.trained) return false;
  const std::vector<std::string> words = query_words(state);
  const std::size_t full_stop = words.empty() || words.back() == "." ? 0 : 1;  // which it adds
  return words.size() + full_stop > static_cast<std::size_t>(learn::english::kMostWords);
}

void trained_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = kBorrows,
                  .label = "numbers",
                  .choices = too_long(state)   ? std::span(kTooLong)
                             : state.spelled() ? std::span(kBySpelling)
                                               : std::span(kByHand),
                  .hint = "Trained: one head of an encoder that learned English sentences. By spelling: a rule makes "
                          "them from the letters, and nothing is learned.",
                  .shown = !state.given()},
        state.trained);
  field(io::Field{.name = "layer",
                  .label = "layer",
                  .range = {1, trained::kLayers},
                  .hint = "What enters a later layer has been through the ones before it.",
                  .shown = state.trained},
        state.layer);
  field(io::Field{.name = "head", .label = "head", .range = {1, trained::kHeads}, .shown = state.trained}, state.head);
}

void weight_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "scale",
                  .label = "scale",
                  .choices = kScales,
                  .hint = "What the scores are multiplied by before the softmax.",
                  .steps = io::only("scale", "softmax", "output", "glance")},
        state.scale);
  field(io::Field{.name = "factor",
                  .label = "own factor",
                  .range = {0, 10},
                  .steps = io::only("scale", "softmax", "output", "glance"),
                  .shown = state.scale == Scale::own},
        state.factor);
  field(io::Field{.name = "mask",
                  .label = "mask",
                  .choices = kMasks,
                  .hint = "Causal: a word sees itself and the words before it.",
                  .steps = io::only("scale", "softmax", "output", "glance")},
        state.mask);
  field(io::Field{.name = "temperature",
                  .label = "temperature",
                  .range = {0.05, 20},
                  .hint = "Divides the scaled scores: low sharpens, high flattens.",
                  .steps = io::only("scale", "softmax", "output", "glance"),
                  .logarithmic = true},
        state.temperature);
}

void look_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "colours",
                  .label = "colours",
                  .choices = kColours,
                  .hint = "Which weight is the map's brightest: 1, each row's largest, or the largest of all. Auto: 1 "
                          "among few words, each row's largest among many.",
                  .steps = io::only("softmax", "glance"),
                  .look = true},
        state.colours);
  field(
      io::Field{
          .name = "map", .label = "colour map", .choices = kMaps, .steps = io::only("softmax", "glance"), .look = true},
      state.map);
  field(io::Field{.name = "threshold",
                  .label = "arcs above",
                  .range = {0, 1},
                  .hint = "Arcs of smaller weight are not drawn.",
                  .steps = io::only("glance"),
                  .shown = !state.given(),  // whose queries are no words of the sentence
                  .look = true},
        state.threshold);
  field(
      io::Field{
          .name = "query", .label = "Query token", .range = {0, state.last_query()}, .place = figure, .look = true},
      state.query);
}

// What is set in the figure.
void figure_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  constexpr io::Range numbers{-1000, 1000};
  field(io::Field{.name = "X", .label = "Cells of X", .range = numbers, .place = figure}, state.X);
  field(io::Field{.name = "W_q", .label = "Cells of W_Q", .range = numbers, .place = figure}, state.W_q);
  field(io::Field{.name = "W_k", .label = "Cells of W_K", .range = numbers, .place = figure}, state.W_k);
  field(io::Field{.name = "W_v", .label = "Cells of W_V", .range = numbers, .place = figure}, state.W_v);
  field(io::Field{.name = "Q", .label = "Cells of Q", .range = numbers, .place = figure}, state.Q);
  field(io::Field{.name = "K", .label = "Cells of K", .range = numbers, .place = figure}, state.K);
  field(io::Field{.name = "V", .label = "Cells of V", .range = numbers, .place = figure}, state.V);
  field(io::Field{.name = "weights", .label = "Weights set by hand", .range = {0, 1}, .place = figure}, state.weights);
  field(io::Field{.name = "asked",
                  .label = "Temperature that the answered question was asked at",
                  .range = {0, 20},
                  .place = figure,
                  .shown = false,
                  .look = true},
        state.asked);
}

}  // namespace

void State::fields(io::FieldVisitor& field) {
  sentence_fields(*this, field);
  rule_fields(*this, field);
  trained_fields(*this, field);
  weight_fields(*this, field);
  look_fields(*this, field);
  figure_fields(*this, field);
}

}  // namespace limelight::scenes::spotlight
