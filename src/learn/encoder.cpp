#include "learn/encoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "learn/weights.h"

namespace limelight::learn::sentences {
namespace {

constexpr double kEmbeddingDeviation = 0.1;
constexpr std::size_t kFewestLetters = 2, kMostLetters = 4;

template <class M>
TransformerLayerOf<M> make_layer(int d, int f) {
  const auto norm = [&] { return LayerNormOf<M>{M::Zero(1, d), M::Zero(1, d)}; };
  const auto linear = [](int in, int out) { return LinearOf<M>{M::Zero(in, out), M::Zero(1, out)}; };
  return {.attention_norm = norm(),
          .query = linear(d, d),
          .key = linear(d, d),
          .value = linear(d, d),
          .output = linear(d, d),
          .hidden_norm = norm(),
          .hidden = linear(d, f),
          .result = linear(f, d)};
}

}  // namespace

template <class Scalar>
WeightsOf<Scalar> make_weights(const Config& config) {
  using M = MatrixOf<Scalar>;
  const int d = config.size, words = english::vocabulary().size();
  WeightsOf<Scalar> weights{.word_embedding = M::Zero(words, d),
                            .letter_embedding = M::Zero(config.letters, d),
                            .position_embedding = M::Zero(kMostTokens, d),
                            .layers = {},
                            .norm = {M::Zero(1, d), M::Zero(1, d)},
                            .output_bias = M::Zero(1, words)};
  for (int i = 0; i < config.layers; ++i) weights.layers[i] = make_layer<M>(d, config.hidden);
  return weights;
}

Weights draw_weights(const Config& config, Random& random) {
  Weights weights = make_weights<float>(config);
  draw_each(weights, random, [](const std::string&) { return 1.0; });
  Weights::each(
      [](const std::string& name, Matrix& weight) {
        if (name.ends_with("embedding")) weight *= static_cast<float>(kEmbeddingDeviation);
        if (name.ends_with("gain")) weight.setOnes();
      },
      weights);
  return weights;
}

std::vector<int> letter_rows(std::string_view word, int letters) {
  const std::string whole = "<" + std::string(word) + ">";
  std::vector<int> rows;
  for (std::size_t length = kFewestLetters; length <= kMostLetters; ++length)
    for (std::size_t first = 0; first + length <= whole.size(); ++first)
      rows.push_back(static_cast<int>(hash_text(std::string_view(whole).substr(first, length)) %
                                      static_cast<std::uint64_t>(letters)));
  return rows;
}

Word word_of(const std::string& word) {
  if (const std::optional<int> token = english::find(word)) return {.token = *token};
  return {.letters = word};
}

void Batch::clear() {
  lengths.clear();
  tokens.clear();
  positions.clear();
  spelled = 0;
}

int Batch::add(const Config& config, std::span<const Word> words) {
  assert(words.size() < static_cast<std::size_t>(kMostTokens));
  const auto first = static_cast<int>(tokens.size());
  const int length = static_cast<int>(words.size()) + 1;
  lengths.push_back(length);
  for (int i = 0; i < length; ++i) positions.push_back(i);
  tokens.push_back(kStart);
  for (const Word& word : words) {
    if (word.token >= 0) {
      tokens.push_back(word.token);
      continue;
    }
    if (letters.rows() <= spelled || letters.cols() != config.letters) {
      Matrix more = Matrix::Zero(std::max<Eigen::Index>(2 * spelled, 8), config.letters);
      if (spelled > 0) more.topRows(spelled) = letters.topRows(spelled);
      letters = std::move(more);
    }
    auto row = letters.row(spelled);
    row.setZero();
    const std::vector<int> parts = letter_rows(word.letters, config.letters);
    for (const int part : parts) row(part) += 1 / std::sqrt(static_cast<float>(parts.size()));
    tokens.push_back(english::vocabulary().size() + spelled++);
  }
  return first;
}

template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch) {
  Encoded encoded;
  Value table = model.word_embedding;
  if (batch.spelled > 0) {
    const int words = tape.node(table).rows;
    table = tape.zeros(words + batch.spelled, config.size);
    copy(tape, model.word_embedding, tape.rows(table, 0, words));
    const Value counts = tape.constant(batch.letters.topRows(batch.spelled).template cast<Scalar>());
    copy(tape, product(tape, counts, model.letter_embedding), tape.rows(table, words, batch.spelled));
  }
  encoded.embedded = gather(tape, table, batch.tokens);
  encoded.placed = add(tape, encoded.embedded, gather(tape, model.position_embedding, batch.positions));
  Value x = encoded.placed;
  for (int i = 0; i < config.layers; ++i) {
    encoded.layers.push_back(run_layer(tape, model.layers[i], config.heads, x, batch.lengths));
    x = encoded.layers.back().result;
  }
  encoded.result = layer_norm(tape, x, model.norm.gain, model.norm.bias);
  return encoded;
}

template <class Scalar>
Value read_out(Tape<Scalar>& tape, const ModelOf<Value>& model, const Encoded& encoded, std::span<const int> rows) {
  const Value asked = gather(tape, encoded.result, rows);
  return add_row(tape, product(tape, asked, model.word_embedding, {.transpose_b = true}), model.output_bias);
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                 \
  template WeightsOf<Scalar> make_weights<Scalar>(const Config&);                                     \
  template Encoded encode<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Config&, const Batch&); \
  template Value read_out<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Encoded&, std::span<const int>);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn::sentences
