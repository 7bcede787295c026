#include "learn/model.h"

#include <algorithm>
#include <cassert>

#include "learn/weights.h"

namespace limelight::learn {
namespace {

template <class Scalar>
GruOf<MatrixOf<Scalar>> make_gru(int inputs, int hidden) {
  using M = MatrixOf<Scalar>;
  return {M::Zero(inputs, 3 * hidden), M::Zero(hidden, 3 * hidden), M::Zero(1, 3 * hidden), M::Zero(1, 3 * hidden)};
}

}  // namespace

template <class Scalar>
WeightsOf<Scalar> make_weights(const Config& config) {
  using M = MatrixOf<Scalar>;
  const int e = config.embedding, h = config.hidden;
  const int additive = config.attention && config.score == AttentionScore::additive ? 1 : 0;
  const int general = config.attention && config.score == AttentionScore::general ? 1 : 0;
  const int a = config.attention_size * additive;
  return {.source_embedding = M::Zero(config.source_words, e),
          .target_embedding = M::Zero(config.target_words, e),
          .forward = make_gru<Scalar>(e, h),
          .backward = make_gru<Scalar>(e, h),
          .first_state = {M::Zero(h, h), M::Zero(1, h)},
          .additive = {M::Zero(h * additive, a), M::Zero(2 * h * additive, a), M::Zero(a, additive)},
          .general = M::Zero(2 * h * general, h * general),
          .decoder = make_gru<Scalar>(e + 2 * h, h),
          .output = {M::Zero(3 * h, config.target_words), M::Zero(1, config.target_words)}};
}

Weights draw_weights(const Config& config, Random& random) {
  Weights weights = make_weights<float>(config);
  draw_each(weights, random, [](const std::string&) { return 1.0; });
  return weights;
}

std::size_t count_weights(const Weights& weights) { return count_each(weights); }

Batch make_batch(std::span<const std::vector<int>* const> sources, std::span<const std::vector<int>* const> targets) {
  assert(targets.empty() || targets.size() == sources.size());
  const auto steps_of = [](std::span<const std::vector<int>* const> all) {
    std::size_t longest = 0;
    for (const std::vector<int>* one : all) longest = std::max(longest, one->size());
    return all.empty() ? std::size_t{0} : longest + 1;
  };
  const std::size_t b = sources.size(), s = steps_of(sources), t = steps_of(targets);
  Batch batch{.sequences = static_cast<int>(b),
              .source_steps = static_cast<int>(s),
              .target_steps = static_cast<int>(t),
              .source = std::vector<int>(s * b, kPadding),
              .source_present = std::vector<std::uint8_t>(s * b, 0),
              .previous = std::vector<int>(t * b, kPadding),
              .target = std::vector<int>(t * b, -1)};
  for (std::size_t i = 0; i < b; ++i) {
    const std::vector<int>& source = *sources[i];
    for (std::size_t j = 0; j <= source.size(); ++j) {
      batch.source[j * b + i] = j < source.size() ? source[j] : kStop;
      batch.source_present[j * b + i] = 1;
    }
    if (targets.empty()) continue;
    const std::vector<int>& target = *targets[i];
    for (std::size_t j = 0; j <= target.size(); ++j) {
      batch.previous[j * b + i] = j == 0 ? kStart : target[j - 1];
      batch.target[j * b + i] = j < target.size() ? target[j] : kStop;
    }
  }
  return batch;
}

template <class Scalar>
ModelOf<Value> place(Tape<Scalar>& tape, const WeightsOf<Scalar>& weights, WeightsOf<Scalar>* gradients) {
  return place_on<ModelOf, Scalar>(tape, weights, gradients);
}

template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch) {
  Encoded encoded;
  encoded.steps = {batch.sequences, batch.source_steps, batch.source_present};
  const int b = batch.sequences, h = config.hidden;
  const Value words = gather(tape, model.source_embedding, batch.source);
  encoded.states = run_bidirectional(tape, model.forward, model.backward, words, encoded.steps);
  const Value first = tape.rows(encoded.states, 0, b),
              last = tape.rows(encoded.states, (batch.source_steps - 1) * b, b);
  const Value back_at_first = tape.columns(first, h, h);
  encoded.first_state =
      learn::tanh(tape, linear(tape, back_at_first, model.first_state.weight, model.first_state.bias));
  if (!config.attention)  // the state of a sequence that has ended stays
    encoded.context = concatenate(tape, tape.columns(last, 0, h), back_at_first);
  else if (config.score == AttentionScore::dot)
    encoded.keys = learn::add(tape, tape.columns(encoded.states, 0, h), tape.columns(encoded.states, h, h));
  else
    encoded.keys = linear(tape, encoded.states,
                          config.score == AttentionScore::general ? model.general : model.additive.key_weight, Value());
  return encoded;
}

template <class Scalar>
Decoder start_decoder(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Encoded& source,
                      Value words) {
  const int rows = tape.node(words).rows, b = source.steps.sequences, e = config.embedding, h = config.hidden;
  const bool additive = config.attention && config.score == AttentionScore::additive;
  Decoder decoder{.source = source,
                  .v = additive ? model.additive.v : Value(),
                  .states = tape.zeros(rows + b, h),
                  .contexts = tape.zeros(rows, 2 * h)};
  copy(tape, source.first_state, tape.rows(decoder.states, 0, b));
  const Value before = tape.rows(decoder.states, 0, rows), after = tape.rows(decoder.states, b, rows);
  decoder.from_word = unroll(tape, words, tape.rows(model.decoder.input_weight, 0, e), model.decoder.input_bias);
  decoder.from_context =
      unroll_onto(tape, decoder.contexts, tape.rows(model.decoder.input_weight, e, 2 * h), decoder.from_word.y);
  decoder.from_state = unroll(tape, before, model.decoder.hidden_weight, model.decoder.hidden_bias);
  if (additive) decoder.query = unroll(tape, before, model.additive.query_weight, Value());
  decoder.output_of_state = unroll(tape, after, tape.rows(model.output.weight, 0, h), model.output.bias);
  decoder.output_of_context =
      unroll_onto(tape, decoder.contexts, tape.rows(model.output.weight, h, 2 * h), decoder.output_of_state.y);
  return decoder;
}

template <class Scalar>
Attended attend_step(Tape<Scalar>& tape, const Decoder& decoder, int t) {
  if (!decoder.source.keys) return {};
  const int b = decoder.source.steps.sequences;
  const auto present = decoder.source.steps.present;
  Attended attended;
  attended.query = decoder.v ? apply(tape, decoder.query, t * b, b) : step_of(tape, decoder.states, t, b);
  attended.scores = decoder.v ? additive_scores(tape, attended.query, decoder.source.keys, decoder.v, present)
                              : dot_scores(tape, attended.query, decoder.source.keys, present);
  attended.weights = masked_softmax(tape, attended.scores, present);
  return attended;
}

template <class Scalar>
void update_step(Tape<Scalar>& tape, const Decoder& decoder, int t) {
  const int b = decoder.source.steps.sequences;
  const Value from_input = apply(tape, decoder.from_context, t * b, b);
  const Value from_state = apply(tape, decoder.from_state, t * b, b);
  gru_step(tape, from_input, from_state, step_of(tape, decoder.states, t, b), step_of(tape, decoder.states, t + 1, b));
}

template <class Scalar>
Attended decode_step(Tape<Scalar>& tape, const Decoder& decoder, int t) {
  const Attended attended = attend_step(tape, decoder, t);
  const Value context = step_of(tape, decoder.contexts, t, decoder.source.steps.sequences);
  if (attended.weights)
    weighted_sum(tape, attended.weights, decoder.source.states, context);
  else
    copy(tape, decoder.source.context, context);
  update_step(tape, decoder, t);
  return attended;
}

template <class Scalar>
Value read_out(Tape<Scalar>& tape, const Decoder& decoder, int first_step, int count) {
  const int b = decoder.source.steps.sequences;
  apply(tape, decoder.output_of_state, first_step * b, count * b);
  return apply(tape, decoder.output_of_context, first_step * b, count * b);
}

template <class Scalar>
Value batch_loss(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch) {
  const Encoded source = encode(tape, model, config, batch);
  const Value words = gather(tape, model.target_embedding, batch.previous);
  const Decoder decoder = start_decoder(tape, model, config, source, words);
  apply(tape, decoder.from_word, 0, batch.target_steps * batch.sequences);
  for (int t = 0; t < batch.target_steps; ++t) decode_step(tape, decoder, t);
  return cross_entropy(tape, read_out(tape, decoder, 0, batch.target_steps), batch.target);
}

std::vector<Decoded> decode(Tape<float>& tape, const Weights& weights, const Config& config, const Batch& batch,
                            int most_steps) {
  tape.clear(false);
  const ModelOf<Value> model = place<float>(tape, weights, nullptr);
  const Encoded source = encode(tape, model, config, batch);
  const int b = batch.sequences;
  const Value words = tape.zeros(most_steps * b, config.embedding);
  const Decoder decoder = start_decoder(tape, model, config, source, words);
  std::vector<Decoded> decoded(static_cast<std::size_t>(b));
  std::vector<int> previous(static_cast<std::size_t>(b), kStart);
  std::vector<Value> attended;
  int writing = b;
  for (int t = 0; t < most_steps && writing > 0; ++t) {
    copy(tape, gather(tape, model.target_embedding, previous), step_of(tape, words, t, b));
    apply(tape, decoder.from_word, t * b, b);
    attended.push_back(decode_step(tape, decoder, t).weights);
    const auto logits = tape.value(read_out(tape, decoder, t, 1));
    for (int i = 0; i < b; ++i) {
      Decoded& one = decoded[static_cast<std::size_t>(i)];
      if (one.stopped) continue;
      Eigen::Index word = 0;
      const float largest = logits.row(i).maxCoeff(&word);
      one.probabilities.push_back(1 / (logits.row(i).array() - largest).exp().sum());
      one.stopped = word == kStop;
      if (one.stopped)
        --writing;
      else
        one.target.push_back(static_cast<int>(word));
      previous[static_cast<std::size_t>(i)] = static_cast<int>(word);
    }
  }
  if (!config.attention) return decoded;
  for (int i = 0; i < b; ++i) {
    Decoded& one = decoded[static_cast<std::size_t>(i)];
    int seen = 0;
    for (int j = 0; j < batch.source_steps; ++j) seen += batch.source_present[static_cast<std::size_t>(j * b + i)];
    one.weights.resize(static_cast<Eigen::Index>(one.probabilities.size()), seen);
    for (Eigen::Index t = 0; t < one.weights.rows(); ++t)
      one.weights.row(t) = tape.value(attended[static_cast<std::size_t>(t)]).row(i).leftCols(seen);
  }
  return decoded;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                                 \
  template WeightsOf<Scalar> make_weights<Scalar>(const Config&);                                                     \
  template ModelOf<Value> place<Scalar>(Tape<Scalar>&, const WeightsOf<Scalar>&, WeightsOf<Scalar>*);                 \
  template Encoded encode<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Config&, const Batch&);                 \
  template Decoder start_decoder<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Config&, const Encoded&, Value); \
  template Attended attend_step<Scalar>(Tape<Scalar>&, const Decoder&, int);                                          \
  template void update_step<Scalar>(Tape<Scalar>&, const Decoder&, int);                                              \
  template Attended decode_step<Scalar>(Tape<Scalar>&, const Decoder&, int);                                          \
  template Value read_out<Scalar>(Tape<Scalar>&, const Decoder&, int, int);                                           \
  template Value batch_loss<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Config&, const Batch&);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
