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

}  // namespace

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

}  // namespace limelight::learn::sentences
