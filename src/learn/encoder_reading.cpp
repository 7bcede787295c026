#include "learn/encoder_reading.h"

#include <algorithm>
#include <numeric>

#include "core/normalize.h"
#include "learn/weights.h"

namespace limelight::learn::sentences {
namespace {

Guess guess_of(int place, const auto& probability, int count) {
  std::vector<int> tokens(static_cast<std::size_t>(probability.size()) - english::kMask - 1);
  std::iota(tokens.begin(), tokens.end(), english::kMask + 1);  // words only
  const auto best = tokens.begin() + std::min<std::ptrdiff_t>(count, std::ssize(tokens));
  std::partial_sort(tokens.begin(), best, tokens.end(), [&](int a, int b) {
    return probability(a) != probability(b) ? probability(a) > probability(b) : a < b;
  });
  Guess guess{.place = place, .words = {}, .probabilities = {}};
  for (auto token = tokens.begin(); token != best; ++token) {
    guess.words.push_back(english::vocabulary().words[static_cast<std::size_t>(*token)]);
    guess.probabilities.push_back(probability(*token));
  }
  return guess;
}

LinearView linear_of(const LinearOf<Matrix>& linear) {
  return {.weight = view_of(linear.weight), .bias = view_of(linear.bias)};
}
NormView norm_of(const LayerNormOf<Matrix>& norm) { return {.gain = view_of(norm.gain), .bias = view_of(norm.bias)}; }

}  // namespace

MatrixView view_of(const Matrix& matrix) {
  return {.data = matrix.data(), .rows = matrix.rows(), .cols = matrix.cols(), .stride = matrix.cols()};
}

Reading read(const Training& model, std::span<const std::string> words, int guesses) {
  Reading reading;
  reading.words.emplace_back(english::vocabulary().words[kStart]);
  std::vector<Word> tokens;
  std::vector<int> masked;
  for (const std::string& word : words) {
    tokens.push_back(word_of(word));
    reading.words.push_back(word);
    if (tokens.back().token < 0) reading.unknown.push_back(word);
    if (tokens.back().token == english::kMask) masked.push_back(static_cast<int>(tokens.size()));
  }
  Batch batch;
  batch.add(model.config, tokens);
  Tape<float> tape;
  tape.clear(false);
  const ModelOf<Value> placed = place_on<ModelOf, float>(tape, model.weights, nullptr);
  const Encoded encoded = encode(tape, placed, model.config, batch);
  if (!masked.empty()) {
    const Matrix probabilities =
        normalize<float>(Normalizer::softmax, tape.value(read_out(tape, placed, encoded, masked)));
    for (std::size_t i = 0; i < masked.size(); ++i)
      reading.guesses.push_back(guess_of(masked[i], probabilities.row(static_cast<Eigen::Index>(i)), guesses));
  }
  const auto length = static_cast<Eigen::Index>(reading.words.size());
  reading.weights.shape = {model.config.layers, model.config.heads, length, length};
  for (const TransformerLayer& layer : encoded.layers)
    for (const Value head : layer.heads) {
      const Matrix weights = attention_weights(tape, head, 0);
      reading.weights.data.insert(reading.weights.data.end(), weights.data(), weights.data() + weights.size());
    }
  return reading;
}

TransformerWeights as_transformer(const Training& model) {
  const Weights& from = model.weights;
  TransformerWeights made;
  made.positions = view_of(from.position_embedding);
  for (int i = 0; i < model.config.layers; ++i) {
    const TransformerLayerOf<Matrix>& layer = from.layers[i];
    made.blocks.push_back({.query = linear_of(layer.query),
                           .key = linear_of(layer.key),
                           .value = linear_of(layer.value),
                           .output = linear_of(layer.output),
                           .attention_norm = norm_of(layer.attention_norm),
                           .inner = linear_of(layer.hidden),
                           .outer = linear_of(layer.result),
                           .inner_norm = norm_of(layer.hidden_norm)});
  }
  made.final_norm = norm_of(from.norm);
  made.decoder = view_of(from.word_embedding);
  made.decoder_bias = view_of(from.output_bias);
  return made;
}

}  // namespace limelight::learn::sentences
