#include "scenes/translate/decoder.h"

#include <cmath>
#include <utility>

#include "core/random.h"
#include "core/score.h"

namespace limelight::scenes::translate {
namespace {

using learn::Steering;

struct ConstructedCell {
  const Constructed& example;
  Matrix state{};

  Matrix first_state() { return example.s_0; }
  void begin(const Matrix& s) { state = s; }
  Matrix query(int) { return state * example.W; }
  Matrix scores(int, const Matrix&) {
    const ScoreParameters<float> parameters{.w_query = example.W, .w_key = example.U, .v = example.v};
    return score<float>(Score::additive, state, example.h, parameters);
  }
  Matrix advance(int t, int previous, const Matrix& context) {
    const float sum = example.state_weights(0, 0) * state(0, 0) + example.state_weights(0, 1) * context(0, 0) +
                      example.added(t, previous);
    return Matrix::Constant(1, 1, std::tanh(sum));
  }
  Matrix read(int, const Matrix& s, Decoding&) {
    state = s;
    return s * example.O + example.b;
  }
};

Decoding decode_constructed(const Constructed& example, const Steering& steering) {
  const int stop = static_cast<int>(constructed_target().size()) - 1;
  ConstructedCell cell{example};
  return learn::decode(cell, example.h, steering, stop, kMostConstructed);
}

Matrix draw_state(int seed, int hidden) {
  Random random(hash_text("s_0", static_cast<std::uint64_t>(seed)));
  Matrix s(1, hidden);
  for (int i = 0; i < hidden; ++i) s(0, i) = static_cast<float>(std::round(100 * std::tanh(random.normal())) / 100);
  return s;
}

// Of the same words, where nothing else was set.
Steering unsteered(const State& state) {
  Steering made;
  made.forced = read_translation(state).value_or(std::vector<int>{});
  return made;
}

Steering from_zeros(const State& state, int hidden) {
  Steering made = unsteered(state);
  made.s_0 = Matrix::Zero(1, hidden);
  return made;
}

Steering steering_of(const State& state, int hidden) {
  Steering made = unsteered(state);
  if (state.first == First::zero) made = from_zeros(state, hidden);
  if (state.first == First::random) made.s_0 = draw_state(state.seed, hidden);
  made.hard = state.gaze == Gaze::hard, made.weights = &state.weights, made.scores = &state.scores;
  made.context = &state.context, made.s = &state.s;
  return made;
}

}  // namespace

Constructed constructed(const State& state) {
  Constructed made{.h = Matrix{{0.1F}, {0.2F}, {0.4F}, {0.6F}},
                   .W = Matrix{{-7, -13}},
                   .U = Matrix{{10, 10}},
                   .v = Matrix{{2}, {-2}},
                   .s_0 = Matrix{{0.15F}},
                   .words = Matrix{{0.2F}, {0.1F}, {0.1F}, {0.3F}, {0}},
                   .y = state.y,
                   .state_weights = Matrix{{0.5F, 1}},
                   .O = Matrix{{80, 120, 150, 170}},
                   .b = Matrix{{-16, -36, -56.25F, -72.25F}}};
  for (const auto& [edits, matrix] : {std::pair(&state.h, &made.h),
                                      {&state.W, &made.W},
                                      {&state.U, &made.U},
                                      {&state.v, &made.v},
                                      {&state.w, &made.state_weights},
                                      {&state.O, &made.O},
                                      {&state.b, &made.b}})
    edits->apply(*matrix);
  return made;
}

float Constructed::added(int t, int previous) const {
  const auto set = y.cells.find({0, t});
  return set != y.cells.end() ? set->second : words(previous + 1, 0);
}

Translation translate_constructed(const Constructed& example, const State& state) {
  Encoding encoding{.h = example.h, .W = example.W, .U = example.U, .v = example.v, .keys = example.h * example.U};
  Translation made{std::move(encoding), decode_constructed(example, steering_of(state, 1)), {}, {}};
  if (state.steered())
    made.before = decode_constructed(constructed({}), unsteered(state));
  else
    made.from_zeros = decode_constructed(example, from_zeros(state, 1));
  return made;
}

Bottleneck squeeze_constructed(const Constructed& example) {
  Matrix c = example.h.bottomRows(1);
  Decoding decoding = decode_constructed(example, {.only = c});
  return {.h = example.h, .c = std::move(c), .decoding = std::move(decoding)};
}

Translation translate_trained(const learn::Training& training, const State& state) {
  learn::Reader reader(training, source_tokens(state));
  const int hidden = training.config.hidden;
  Translation made{reader.encoding(), reader.decode(steering_of(state, hidden), kMostSteps), {}, {}};
  if (state.steered())
    made.before = reader.decode(unsteered(state), kMostSteps);
  else
    made.from_zeros = reader.decode(from_zeros(state, hidden), kMostSteps);
  return made;
}

Bottleneck squeeze_trained(const learn::Training& training, const State& state) {
  learn::Reader reader(training, source_tokens(state));
  Bottleneck made{.h = reader.states(), .c = reader.context(), .decoding = {}};
  made.decoding = reader.decode({.only = made.c}, kMostSteps);
  return made;
}

}  // namespace limelight::scenes::translate
