#include "scenes/translate/decoder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/attention.h"
#include "core/normalize.h"
#include "core/random.h"
#include "core/score.h"

namespace limelight::scenes::translate {
namespace {

Matrix append_row(Matrix matrix, const Matrix& row) {
  if (row.size() == 0) return matrix;
  matrix.conservativeResize(matrix.rows() + 1, row.cols());
  matrix.bottomRows(1) = row;
  return matrix;
}

void put(Matrix& matrix, const Matrix& row) { matrix = append_row(std::move(matrix), row); }

// Cells of one row that were set by hand.
std::map<int, float> of_row(const io::CellEdits* edits, int row) {
  std::map<int, float> cells;
  if (edits != nullptr)
    for (const auto& [cell, value] : edits->cells)
      if (cell.first == row) cells[cell.second] = value;
  return cells;
}

void set_cells(Matrix& row, const io::CellEdits* edits, int index) {
  for (const auto& [column, value] : of_row(edits, index)) row(0, column) = value;
}

Matrix softmax(const Matrix& row) { return normalize<float>(Normalizer::softmax, row); }

Matrix weigh(const Matrix& scores, const Steering& steering, int t) {
  Matrix weights = steering.gaze == Gaze::hard ? normalize<float>(Normalizer::hard, scores) : softmax(scores);
  if (const std::map<int, float> set = of_row(steering.weights, t); !set.empty())
    set_weights(weights, 0, set, static_cast<int>(weights.cols()));
  return weights;
}

// The loop. A cell has: query(t), scores(t, query), advance(t, previous token, context) → the next state, logits(t).
template <class Cell>
Decoding decode(Cell& cell, const Matrix& h, const Steering& steering, int stop, int most) {
  Decoding made;
  Matrix s = steering.s_0 ? *steering.s_0 : cell.first_state();
  set_cells(s, steering.s, 0);
  cell.begin(s);
  put(made.s, s);
  int previous = -1;  // [START]
  for (int t = 0; t < most; ++t) {
    Matrix query, scores, weights, context;
    if (steering.only) {
      context = *steering.only;
    } else {
      query = cell.query(t);
      scores = cell.scores(t, query);
      set_cells(scores, steering.scores, t);
      weights = weigh(scores, steering, t);
      context = weights * h;
    }
    set_cells(context, steering.context, t);
    s = cell.advance(t, previous, context);
    set_cells(s, steering.s, t + 1);
    const Matrix logits = cell.read(t, s, made);
    const Matrix probabilities = softmax(logits);
    Eigen::Index likeliest = 0;
    probabilities.row(0).maxCoeff(&likeliest);
    const auto place = static_cast<std::size_t>(t);
    previous = place < steering.forced.size() ? steering.forced[place] : static_cast<int>(likeliest);
    put(made.query, query);
    put(made.scores, scores);
    put(made.weights, weights);
    put(made.context, context);
    put(made.s, s);
    put(made.logits, logits);
    put(made.probabilities, probabilities);
    made.tokens.push_back(previous);
    if (previous == stop) break;
  }
  return made;
}

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

// On a tape, as training has it.
struct TrainedCell {
  learn::Tape<float>& tape;
  const learn::ModelOf<learn::Value>& model;
  const learn::Config& config;
  const learn::Encoded& source;
  learn::Value words{};  // [T, E]
  learn::Decoder decoder{};
  std::vector<int> previous{};

  learn::ViewOf<float> open(learn::Value value) { return tape.value_of(tape.node(value)); }
  Matrix row(learn::Value value, int t) { return tape.value(value).row(t); }

  Matrix first_state() { return tape.value(source.first_state); }
  void begin(const Matrix& s) {
    words = tape.zeros(kMostSteps, config.embedding);
    decoder = learn::start_decoder(tape, model, config, source, words);
    open(decoder.states).row(0) = s;
    previous.assign(1, learn::kStart);
  }
  learn::Attended attended{};
  Matrix query(int t) {
    attended = learn::attend_step(tape, decoder, t);
    return tape.value(attended.query);
  }
  Matrix scores(int, const Matrix&) { return tape.value(attended.scores); }
  Matrix advance(int t, int token, const Matrix& context) {
    previous.front() = token < 0 ? learn::kStart : token;
    learn::copy(tape, learn::gather(tape, model.target_embedding, previous), tape.rows(words, t, 1));
    learn::apply(tape, decoder.from_word, t, 1);
    open(decoder.contexts).row(t) = context;
    learn::update_step(tape, decoder, t);
    return row(decoder.states, t + 1);
  }
  Matrix read(int t, const Matrix& s, Decoding& made) {
    open(decoder.states).row(t + 1) = s;
    add_gates(t, made);
    return tape.value(learn::read_out(tape, decoder, t, 1));
  }
  // As gru_step has them.
  void add_gates(int t, Decoding& made) {
    const Matrix x = row(decoder.from_context.y, t), before = row(decoder.from_state.y, t);
    const Eigen::Index n = config.hidden;
    const auto sigmoid = [](const auto& sum) { return Matrix((1 / (1 + (-sum.array()).exp())).matrix()); };
    const Matrix reset = sigmoid(x.leftCols(n) + before.leftCols(n));
    put(made.reset, reset);
    put(made.update, sigmoid(x.middleCols(n, n) + before.middleCols(n, n)));
    put(made.fresh, (x.rightCols(n) + reset.cwiseProduct(before.rightCols(n))).array().tanh().matrix());
  }
};

// The state's sentence, read by a model's encoder.
struct Reading {
  const learn::Config& config;
  learn::Batch batch;
  learn::Tape<float> tape{};
  learn::ModelOf<learn::Value> model{};
  learn::Encoded source{};

  Reading(const learn::Training& training, const State& state) : config(training.config) {
    std::vector<int> tokens;
    for (const std::string& word : source_tokens(state)) tokens.push_back(training.task.source.find(word).value_or(0));
    const std::vector<int>* const one = &tokens;
    batch = learn::make_batch({&one, 1}, {});
    tape.clear(false);
    model = learn::place<float>(tape, training.weights, nullptr);
    source = learn::encode(tape, model, config, batch);
  }
  Matrix value(learn::Value value) { return tape.value(value); }
  Decoding decode_with(const Matrix& h, const Steering& steering) {
    TrainedCell cell{.tape = tape, .model = model, .config = config, .source = source};
    return decode(cell, h, steering, learn::kStop, kMostSteps);
  }
};

Decoding decode_constructed(const Constructed& example, const Steering& steering) {
  const int stop = static_cast<int>(constructed_target().size()) - 1;
  ConstructedCell cell{example};
  return decode(cell, example.h, steering, stop, kMostConstructed);
}

Matrix draw_state(int seed, int hidden) {
  Random random(hash_text("s_0", static_cast<std::uint64_t>(seed)));
  Matrix s(1, hidden);
  for (int i = 0; i < hidden; ++i) s(0, i) = static_cast<float>(std::round(100 * std::tanh(random.normal())) / 100);
  return s;
}

}  // namespace

Steering steering_of(const State& state, int hidden) {
  Steering made = unsteered(state);
  if (state.first == First::zero) made = from_zeros(state, hidden);
  if (state.first == First::random) made.s_0 = draw_state(state.seed, hidden);
  made.gaze = state.gaze;
  made.weights = &state.weights;
  made.scores = &state.scores;
  made.context = &state.context;
  made.s = &state.s;
  return made;
}

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
  state.h.apply(made.h);
  state.W.apply(made.W);
  state.U.apply(made.U);
  state.v.apply(made.v);
  state.w.apply(made.state_weights);
  state.O.apply(made.O);
  state.b.apply(made.b);
  return made;
}

float Constructed::added(int t, int previous) const {
  const auto set = y.cells.find({0, t});
  return set != y.cells.end() ? set->second : words(previous + 1, 0);
}

Translation translate_constructed(const Constructed& example, const State& state) {
  Encoding encoding{.h = example.h, .W = example.W, .U = example.U, .v = example.v, .keys = example.h * example.U};
  Translation made{.encoding = std::move(encoding),
                   .decoding = decode_constructed(example, steering_of(state, 1)),
                   .before = std::nullopt,
                   .from_zeros = std::nullopt};
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
  Reading reading(training, state);
  Encoding encoding{.h = reading.value(reading.source.states),
                    .W = training.weights.additive.query_weight,
                    .U = training.weights.additive.key_weight,
                    .v = training.weights.additive.v,
                    .keys = reading.value(reading.source.keys)};
  const auto decode_with = [&](const Steering& steering) { return reading.decode_with(encoding.h, steering); };
  Translation made{.encoding = {},
                   .decoding = decode_with(steering_of(state, training.config.hidden)),
                   .before = std::nullopt,
                   .from_zeros = std::nullopt};
  if (state.steered())
    made.before = decode_with(unsteered(state));
  else
    made.from_zeros = decode_with(from_zeros(state, training.config.hidden));
  made.encoding = std::move(encoding);
  return made;
}

Bottleneck squeeze_trained(const learn::Training& training, const State& state) {
  Reading reading(training, state);
  Bottleneck made{
      .h = reading.value(reading.source.states), .c = reading.value(reading.source.context), .decoding = {}};
  made.decoding = reading.decode_with(made.h, {.only = made.c});
  return made;
}

}  // namespace limelight::scenes::translate
