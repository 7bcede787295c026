#include "learn/translation_steps.h"

#include <cmath>
#include <map>
#include <utility>

#include "core/attention.h"
#include "core/normalize.h"

namespace limelight::learn {
namespace {

// Cells of one row that were set by hand.
std::map<int, float> of_row(const io::CellEdits* edits, int row) {
  std::map<int, float> cells;
  if (edits != nullptr)
    for (const auto& [cell, value] : edits->cells)
      if (cell.first == row) cells[cell.second] = value;
  return cells;
}

// On a tape, as training has it.
struct TrainedCell {
  Tape<float>& tape;
  const ModelOf<Value>& model;
  const Config& config;
  const Encoded& source;
  int most;
  Value words{};  // [T, E]
  Decoder decoder{};
  std::vector<int> previous{};

  ViewOf<float> open(Value value) { return tape.value_of(tape.node(value)); }
  Matrix row(Value value, int t) { return tape.value(value).row(t); }

  Matrix first_state() { return tape.value(source.first_state); }
  void begin(const Matrix& s) {
    words = tape.zeros(most, config.embedding);
    decoder = start_decoder(tape, model, config, source, words);
    open(decoder.states).row(0) = s;
    previous.assign(1, kStart);
  }
  Attended attended{};
  Matrix query(int t) {
    attended = attend_step(tape, decoder, t);
    return tape.value(attended.query);
  }
  Matrix scores(int, const Matrix&) { return tape.value(attended.scores); }
  Matrix advance(int t, int token, const Matrix& context) {
    previous.front() = token < 0 ? kStart : token;
    copy(tape, gather(tape, model.target_embedding, previous), tape.rows(words, t, 1));
    apply(tape, decoder.from_word, t, 1);
    open(decoder.contexts).row(t) = context;
    update_step(tape, decoder, t);
    return row(decoder.states, t + 1);
  }
  Matrix read(int t, const Matrix& s, Decoding& made) {
    open(decoder.states).row(t + 1) = s;
    add_gates(t, made);
    return tape.value(read_out(tape, decoder, t, 1));
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

}  // namespace

void put(Matrix& matrix, const Matrix& row) {
  if (row.size() == 0) return;
  matrix.conservativeResize(matrix.rows() + 1, row.cols());
  matrix.bottomRows(1) = row;
}

void set_cells(Matrix& row, const io::CellEdits* edits, int index) {
  for (const auto& [column, value] : of_row(edits, index)) row(0, column) = value;
}

Matrix weigh(const Matrix& scores, const Steering& steering, int t) {
  Matrix weights = steering.hard ? normalize<float>(Normalizer::hard, scores) : softmax_of(scores);
  if (const std::map<int, float> set = of_row(steering.weights, t); !set.empty())
    set_weights(weights, 0, set, static_cast<int>(weights.cols()));
  return weights;
}

Matrix softmax_of(const Matrix& logits) { return normalize<float>(Normalizer::softmax, logits); }

Reader::Reader(const Training& training, const std::vector<std::string>& words) : training_(training) {
  std::vector<int> tokens;
  for (const std::string& word : words) tokens.push_back(training.task.source.find(word).value_or(0));
  const std::vector<int>* const one = &tokens;
  batch_ = make_batch({&one, 1}, {});
  tape_.clear(false);
  model_ = place<float>(tape_, training.weights, nullptr);
  source_ = encode(tape_, model_, training.config, batch_);
}

Matrix Reader::states() { return tape_.value(source_.states); }

Matrix Reader::context() { return tape_.value(source_.context); }

Encoding Reader::encoding() {
  return {.h = states(),
          .W = training_.weights.additive.query_weight,
          .U = training_.weights.additive.key_weight,
          .v = training_.weights.additive.v,
          .keys = tape_.value(source_.keys)};
}

Decoding Reader::decode(const Steering& steering, int most) {
  TrainedCell cell{.tape = tape_, .model = model_, .config = training_.config, .source = source_, .most = most};
  return learn::decode(cell, states(), steering, kStop, most);
}

}  // namespace limelight::learn
