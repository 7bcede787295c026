#include "learn/captioner.h"

#include <algorithm>
#include <cassert>

#include "learn/weights.h"

namespace limelight::learn::captions {
namespace {

const double kReluGain = std::sqrt(6.0);

Batch batch_of(const Config& config, int pictures) {
  const int cells = config.grid * config.grid;
  Batch batch{.pictures = pictures};
  batch.pixels.resize(static_cast<Eigen::Index>(pictures) * pictures::kPixels, 3);
  for (int i = 0; i < cells * pictures; ++i) batch.cells.push_back(i / pictures);
  batch.present.assign(batch.cells.size(), 1);
  return batch;
}

// The mean of a picture's first channels over each cell, by cell.
template <class Scalar>
Value means_of_cells(Tape<Scalar>& tape, Value x, int grid, int channels) {
  const int side = pictures::kSide / 2, kernel = side / grid, pixels = kernel * kernel;
  const Window window{.side = side, .kernel = kernel, .stride = (side - kernel) / (grid - 1)};
  const MatrixOf<Scalar> mean =
      (MatrixOf<Scalar>::Identity(channels, channels) / static_cast<Scalar>(pixels)).replicate(pixels, 1);
  return linear(tape, unfold(tape, x, window, Layout::by_cell), tape.constant(mean), Value());
}

}  // namespace

std::array<Convolution, kConvolutions> convolutions(int grid) {
  assert(grid == 8 || grid == 3);
  std::array<Convolution, kConvolutions> all = {{{{.side = 64, .kernel = 4, .stride = 2, .padding = 1}, 16},
                                                 {{.side = 32, .kernel = 2, .stride = 2}, 32},
                                                 {{.side = 16, .kernel = 4, .stride = 2, .padding = 1}, 64}}};
  if (grid == 3) all.back() = {{.side = 16, .kernel = 6, .stride = 5}, 32};
  return all;
}

int receptive_field(int grid) {
  int field = 1, step = 1;
  for (const Convolution& convolution : convolutions(grid)) {
    field += (convolution.window.kernel - 1) * step;
    step *= convolution.window.stride;
  }
  return field;
}

template <class Scalar>
WeightsOf<Scalar> make_weights(const Config& config) {
  using M = MatrixOf<Scalar>;
  const int d = config.features, e = config.embedding, h = config.hidden, a = config.attention_size;
  const int words = pictures::vocabulary().size();
  const int cells = config.grid * config.grid;
  WeightsOf<Scalar> weights{
      .convolution = {},
      .content = {},
      .feature = {M::Zero(d, d), M::Zero(1, d)},
      .position = M::Zero(cells, d),
      .summary = {M::Zero(convolutions(config.grid).back().channels, kSummary), M::Zero(1, kSummary)},
      .plan = {M::Zero(cells * kSummary, kPlan), M::Zero(1, kPlan)},
      .first_state = {M::Zero(kPlan, h), M::Zero(1, h)},
      .additive = {M::Zero(h, a), M::Zero(convolutions(config.grid)[0].channels + d, a), M::Zero(a, 1)},
      .word_embedding = M::Zero(words, e),
      .decoder = {M::Zero(e + d, 3 * h), M::Zero(h, 3 * h), M::Zero(1, 3 * h), M::Zero(1, 3 * h)},
      .output = {M::Zero(h + d, words), M::Zero(1, words)}};
  int channels = 3, layer = 0;
  for (const Convolution& convolution : convolutions(config.grid)) {
    const int window = convolution.window.kernel * convolution.window.kernel;
    weights.convolution[layer++] = {M::Zero(window * channels, convolution.channels), M::Zero(1, convolution.channels)};
    channels = convolution.channels;
  }
  weights.content = {M::Zero(channels, d), M::Zero(1, d)};
  return weights;
}

Weights draw_weights(const Config& config, Random& random) {
  Weights weights = make_weights<float>(config);
  draw_each(weights, random, [](const std::string& name) {
    for (const std::string_view before_relu : {"convolution", "content", "feature", "summary", "plan"})
      if (name.starts_with(before_relu)) return kReluGain;
    return name == "position" ? 0.0 : 1.0;
  });
  return weights;
}

Batch make_batch(const Config& config, std::span<const Matrix> pictures) {
  Batch batch = batch_of(config, static_cast<int>(pictures.size()));
  for (std::size_t i = 0; i < pictures.size(); ++i)
    batch.pixels.middleRows(static_cast<Eigen::Index>(i) * pictures::kPixels, pictures::kPixels) = pictures[i];
  return batch;
}

Batch make_batch(const Config& config, std::span<const pictures::Scene> scenes) {
  Batch batch = batch_of(config, static_cast<int>(scenes.size()));
  std::vector<std::vector<int>> captions;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    batch.pixels.middleRows(static_cast<Eigen::Index>(i) * pictures::kPixels, pictures::kPixels) =
        pictures::paint(scenes[i]);
    captions.push_back(pictures::caption(scenes[i]).words);
    batch.lengths.push_back(static_cast<int>(captions.back().size()) + 1);
    batch.steps = std::max(batch.steps, batch.lengths.back());
  }
  const std::size_t b = scenes.size();
  batch.previous.assign(static_cast<std::size_t>(batch.steps) * b, kPadding);
  batch.target.assign(batch.previous.size(), -1);
  for (std::size_t i = 0; i < b; ++i)
    for (std::size_t t = 0; t <= captions[i].size(); ++t) {
      batch.previous[t * b + i] = t == 0 ? kStart : captions[i][t - 1];
      batch.target[t * b + i] = t < captions[i].size() ? captions[i][t] : kStop;
    }
  return batch;
}

template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch) {
  Encoded encoded{.pictures = batch.pictures, .present = batch.present};
  // Around grey.
  Value x = tape.constant((batch.pixels.array() - 0.5F).matrix().template cast<Scalar>());
  int layer = 0;
  for (const Convolution& convolution : convolutions(config.grid)) {
    if (layer == 1) encoded.shown = means_of_cells(tape, x, config.grid, tape.node(x).columns);
    const LinearOf<Value>& weights = model.convolution[layer++];
    x = relu(tape, linear(tape, unfold(tape, x, convolution.window, Layout::by_picture), weights.weight, weights.bias));
  }
  const Value summaries = relu(tape, linear(tape, x, model.summary.weight, model.summary.bias));
  const Value all = unfold(tape, summaries, {.side = config.grid, .kernel = config.grid}, Layout::by_picture);
  const Value plan = relu(tape, linear(tape, all, model.plan.weight, model.plan.bias));
  encoded.first_state = learn::tanh(tape, linear(tape, plan, model.first_state.weight, model.first_state.bias));
  x = unfold(tape, x, {.side = config.grid}, Layout::by_cell);
  x = relu(tape, linear(tape, x, model.content.weight, model.content.bias));
  encoded.features = relu(tape, add(tape, linear(tape, x, model.feature.weight, model.feature.bias),
                                    gather(tape, model.position, batch.cells)));
  const int own = tape.node(encoded.shown).columns;
  const Value places =
      linear(tape, model.position, tape.rows(model.additive.key_weight, own, config.features), Value());
  encoded.keys = add(tape, linear(tape, encoded.shown, tape.rows(model.additive.key_weight, 0, own), Value()),
                     gather(tape, places, batch.cells));
  return encoded;
}

template <class Scalar>
Decoder start_decoder(Tape<Scalar>& tape, const ModelOf<Value>& model, const Encoded& source, Value words) {
  const int rows = tape.node(words).rows, b = source.pictures, e = tape.node(words).columns;
  const int h = tape.node(source.first_state).columns, d = tape.node(source.features).columns;
  Decoder decoder{.source = source,
                  .v = model.additive.v,
                  .weights = tape.zeros(rows, tape.node(source.features).rows / b),
                  .states = tape.zeros(rows + b, h),
                  .contexts = tape.zeros(rows, d)};
  copy(tape, source.first_state, tape.rows(decoder.states, 0, b));
  const Value before = tape.rows(decoder.states, 0, rows), after = tape.rows(decoder.states, b, rows);
  decoder.from_word = unroll(tape, words, tape.rows(model.decoder.input_weight, 0, e), model.decoder.input_bias);
  decoder.from_context =
      unroll_onto(tape, decoder.contexts, tape.rows(model.decoder.input_weight, e, d), decoder.from_word.y);
  decoder.from_state = unroll(tape, before, model.decoder.hidden_weight, model.decoder.hidden_bias);
  decoder.query = unroll(tape, before, model.additive.query_weight, Value());
  decoder.output_of_state = unroll(tape, after, tape.rows(model.output.weight, 0, h), model.output.bias);
  decoder.output_of_context =
      unroll_onto(tape, decoder.contexts, tape.rows(model.output.weight, h, d), decoder.output_of_state.y);
  return decoder;
}

template <class Scalar>
Attended look(Tape<Scalar>& tape, const Decoder& decoder, int t, double temperature) {
  const Encoded& source = decoder.source;
  const int b = source.pictures;
  Attended attended;
  attended.query = apply(tape, decoder.query, t * b, b);
  attended.scores = additive_scores(tape, attended.query, source.keys, decoder.v, source.present);
  if (temperature != 1) attended.scores = scale(tape, attended.scores, static_cast<Scalar>(1 / temperature));
  attended.weights =
      copy(tape, masked_softmax(tape, attended.scores, source.present), step_of(tape, decoder.weights, t, b));
  return attended;
}

template <class Scalar>
void see(Tape<Scalar>& tape, const Decoder& decoder, int t, Value weights) {
  weighted_sum(tape, weights, decoder.source.features, step_of(tape, decoder.contexts, t, decoder.source.pictures));
}

template <class Scalar>
void choose(Tape<Scalar>& tape, const Decoder& decoder, int t, std::span<const int> rows) {
  copy(tape, gather(tape, decoder.source.features, rows), step_of(tape, decoder.contexts, t, decoder.source.pictures));
}

template <class Scalar>
void advance(Tape<Scalar>& tape, const Decoder& decoder, int t) {
  const int b = decoder.source.pictures;
  const Value from_input = apply(tape, decoder.from_context, t * b, b);
  const Value from_state = apply(tape, decoder.from_state, t * b, b);
  gru_step(tape, from_input, from_state, step_of(tape, decoder.states, t, b), step_of(tape, decoder.states, t + 1, b));
}

template <class Scalar>
Value read_out(Tape<Scalar>& tape, const Decoder& decoder, int first_step, int count) {
  const int b = decoder.source.pictures;
  apply(tape, decoder.output_of_state, first_step * b, count * b);
  return apply(tape, decoder.output_of_context, first_step * b, count * b);
}

std::vector<Decoded> decode(Tape<float>& tape, const Weights& weights, const Config& config, const Batch& batch,
                            const DecodeOptions& options) {
  tape.clear(false);
  const ModelOf<Value> model = place_on<ModelOf, float>(tape, weights, nullptr);
  const Encoded source = encode(tape, model, config, batch);
  const int b = batch.pictures;
  const Value words = tape.zeros(options.most_steps * b, config.embedding);
  const Decoder decoder = start_decoder(tape, model, source, words);
  std::vector<Decoded> decoded(static_cast<std::size_t>(b));
  std::vector<int> previous(static_cast<std::size_t>(b), kStart), rows(static_cast<std::size_t>(b));
  Random random(options.seed);
  int writing = b, steps = 0;
  for (int t = 0; t < options.most_steps && writing > 0; ++t, ++steps) {
    copy(tape, gather(tape, model.word_embedding, previous), step_of(tape, words, t, b));
    apply(tape, decoder.from_word, t * b, b);
    const Attended attended = look(tape, decoder, t, options.temperature);
    if (options.look == Look::soft) {
      see(tape, decoder, t, attended.weights);
    } else {
      const auto chances = tape.value(attended.weights);
      for (int i = 0; i < b; ++i) {
        Eigen::Index place = 0;
        if (options.look == Look::drawn)
          place = draw_index(random, chances.row(i));
        else
          chances.row(i).maxCoeff(&place);
        rows[static_cast<std::size_t>(i)] = static_cast<int>(place) * b + i;
        if (Decoded& one = decoded[static_cast<std::size_t>(i)]; !one.stopped)
          one.places.push_back(static_cast<int>(place));
      }
      choose(tape, decoder, t, rows);
    }
    advance(tape, decoder, t);
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
        one.words.push_back(static_cast<int>(word));
      previous[static_cast<std::size_t>(i)] = static_cast<int>(word);
    }
  }
  const auto all = tape.value(decoder.weights);
  for (int i = 0; i < b; ++i) {
    Decoded& one = decoded[static_cast<std::size_t>(i)];
    one.weights.resize(static_cast<Eigen::Index>(one.probabilities.size()), all.cols());
    for (Eigen::Index t = 0; t < one.weights.rows(); ++t) one.weights.row(t) = all.row(t * b + i);
  }
  return decoded;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                  \
  template WeightsOf<Scalar> make_weights<Scalar>(const Config&);                                      \
  template Encoded encode<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Config&, const Batch&);  \
  template Decoder start_decoder<Scalar>(Tape<Scalar>&, const ModelOf<Value>&, const Encoded&, Value); \
  template Attended look<Scalar>(Tape<Scalar>&, const Decoder&, int, double);                          \
  template void see<Scalar>(Tape<Scalar>&, const Decoder&, int, Value);                                \
  template void choose<Scalar>(Tape<Scalar>&, const Decoder&, int, std::span<const int>);              \
  template void advance<Scalar>(Tape<Scalar>&, const Decoder&, int);                                   \
  template Value read_out<Scalar>(Tape<Scalar>&, const Decoder&, int, int);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn::captions
