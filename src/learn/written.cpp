#include "learn/written.h"

namespace limelight::learn {

Written write(const Weights& weights, const Config& config, const std::vector<int>& source, int most) {
  const std::vector<int>* const one = &source;
  const Batch batch = make_batch({&one, 1}, {});
  Tape<float> tape;
  tape.clear(false);
  const ModelOf<Value> model = place<float>(tape, weights, nullptr);
  const Encoded encoded = encode(tape, model, config, batch);
  const Value read = tape.zeros(most, config.embedding);
  const Decoder decoder = start_decoder(tape, model, config, encoded, read);
  Written written;
  written.probabilities.resize(most, config.target_words);
  if (config.attention)
    written.scores = written.weights = Matrix(most, batch.source_steps);
  else
    written.context = tape.value(encoded.context);
  std::vector<int> previous{kStart};
  while (static_cast<int>(written.words.size()) < most && !written.stopped()) {
    const auto t = static_cast<int>(written.words.size());
    copy(tape, gather(tape, model.target_embedding, previous), tape.rows(read, t, 1));
    apply(tape, decoder.from_word, t, 1);
    const Attended attended = decode_step(tape, decoder, t);
    const auto logits = tape.value(read_out(tape, decoder, t, 1));
    Eigen::Index word = 0;
    const float largest = logits.row(0).maxCoeff(&word);
    const auto powers = (logits.row(0).array() - largest).exp();
    written.probabilities.row(t) = powers / powers.sum();
    if (config.attention) {
      written.scores.row(t) = tape.value(attended.scores);
      written.weights.row(t) = tape.value(attended.weights);
    }
    previous[0] = static_cast<int>(word);
    written.words.push_back(previous[0]);
  }
  const auto rows = static_cast<Eigen::Index>(written.words.size());
  for (Matrix* matrix : {&written.probabilities, &written.scores, &written.weights})
    if (matrix->rows() > 0) matrix->conservativeResize(rows, Eigen::NoChange);
  return written;
}

}  // namespace limelight::learn
