#include "learn/caption_training.h"

#include <algorithm>
#include <cmath>

#include "io/utf8.h"
#include "learn/train_step.h"

namespace limelight::learn::captions {
namespace {

constexpr double kBaselineShare = 0.1;  // of the newest batch in the baseline (Xu et al. 2015, section 4.1)

double sharpness_now(const Training& training) {
  const Settings& settings = training.settings;
  return settings.sharpness * std::min(1.0, 2.0 * training.record.step / std::max(settings.steps, 1));
}

// ln softmax(logits)[target] of each row; 0 where there is no target.
std::vector<double> log_likelihoods(const ConstViewOf<float>& logits, std::span<const int> targets) {
  std::vector<double> likelihoods(targets.size(), 0);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] < 0) continue;
    const auto row = logits.row(static_cast<Eigen::Index>(i));
    const float largest = row.maxCoeff();
    likelihoods[i] = static_cast<double>(row[targets[i]] - largest) -
                     std::log(static_cast<double>((row.array() - largest).exp().sum()));
  }
  return likelihoods;
}

// 1 for the cells of pictures whose contexts are seen, 0 for those of the first ones, which are described without. [B,
// L²]
Matrix seen(const Training& training, int pictures) {
  const int cells = training.config.grid * training.config.grid;
  Matrix mask = Matrix::Ones(pictures, cells);
  mask.topRows(static_cast<Eigen::Index>(std::lround(training.settings.blind * pictures))).setZero();
  return mask;
}

// Draws one place for each picture from the weights of step t.
void draw_places(const Tape<float>& tape, Value weights, int t, Random& random, Scratch& scratch) {
  const auto chances = tape.value(weights);
  const int b = scratch.batch.pictures;
  std::vector<int>& rows = scratch.rows[static_cast<std::size_t>(t)];
  rows.resize(static_cast<std::size_t>(b));
  for (int i = 0; i < b; ++i) {
    const int place = draw_index(random, chances.row(i)), at = t * b + i;
    rows[static_cast<std::size_t>(i)] = place * b + i;
    const bool writes = scratch.batch.target[static_cast<std::size_t>(at)] >= 0;
    scratch.places[static_cast<std::size_t>(at)] = writes ? place : -1;
  }
}

// Rewards less the baseline, which then moves.
void find_advantages(std::span<const double> rewards, Matrix& baseline, Scratch& scratch) {
  const Batch& batch = scratch.batch;
  const auto b = static_cast<std::size_t>(batch.pictures);
  scratch.advantages.assign(rewards.size(), 0);
  for (int t = 0; t < batch.steps; ++t) {
    double sum = 0;
    int words = 0;
    const std::size_t first = static_cast<std::size_t>(t) * b;
    for (std::size_t i = first; i < first + b; ++i)
      if (batch.target[i] >= 0) {
        sum += rewards[i];
        ++words;
      }
    if (words == 0) continue;
    float& mean = baseline(0, std::min(t, kMostWords - 1));
    if (mean == 0) mean = static_cast<float>(sum / words);  // the first there is
    for (std::size_t i = first; i < first + b; ++i)
      if (batch.target[i] >= 0) scratch.advantages[i] = rewards[i] - static_cast<double>(mean);
    mean += static_cast<float>(kBaselineShare * (sum / words - static_cast<double>(mean)));
  }
}

}  // namespace

Result<Config> make_config(const Settings& settings) {
  if (settings.task != kTask)
    return fail("The task is " + io::quote(settings.task) + "; it must be " + std::string(kTask) + ".");
  if (settings.grid != 8 && settings.grid != 3)
    return fail("The grid is " + std::to_string(settings.grid) + "; it must be 8 or 3 cells along a side.");
  return Config{.grid = settings.grid,
                .features = settings.features,
                .embedding = settings.embedding,
                .hidden = settings.hidden,
                .attention_size = settings.attention_size};
}

Result<Training> start_training(const Settings& settings) {
  const Result<Config> config = make_config(settings);
  if (!config) return std::unexpected(config.error());
  auto training = begin_training<Training>(settings, *config);
  training.baseline = Matrix::Zero(1, kMostWords);
  return training;
}

Result<Training> start_training(const Settings& settings, const Training& from) {
  Result<Training> training = start_training(settings);
  if (!training) return training;
  if (training->config != from.config)
    return fail("The model " + settings.from + " has other sizes; what begins as it has the same.");
  training->weights = from.weights;
  return training;
}

std::vector<double> rewards_to_go(std::vector<double> likelihoods, int pictures) {
  const auto b = static_cast<std::size_t>(pictures);
  for (std::size_t i = likelihoods.size(); i-- > b;) likelihoods[i - b] += likelihoods[i];
  return likelihoods;
}

double differentiate(Training& training, std::span<const pictures::Scene> scenes, Random& random, Scratch& scratch) {
  const Settings& settings = training.settings;
  const bool hard = settings.attention == Glimpse::hard;
  clear_gradients(scratch.gradients, training.config);
  scratch.batch = make_batch(training.config, scenes);
  const Batch& batch = scratch.batch;
  scratch.rows.resize(static_cast<std::size_t>(batch.steps));
  scratch.places.assign(batch.target.size(), -1);
  Tape<float>& tape = scratch.tape;
  tape.clear();
  const ModelOf<Value> model = place_on<ModelOf, float>(tape, training.weights, &scratch.gradients);
  const Encoded source = encode(tape, model, training.config, batch);
  const Decoder decoder = start_decoder(tape, model, source, gather(tape, model.word_embedding, batch.previous));
  apply(tape, decoder.from_word, 0, batch.steps * batch.pictures);
  const bool some_blind = !hard && settings.blind > 0;
  const Value mask = some_blind ? tape.constant(seen(training, batch.pictures)) : Value();
  for (int t = 0; t < batch.steps; ++t) {
    const Value weights = look(tape, decoder, t).weights;
    if (hard) {
      draw_places(tape, weights, t, random, scratch);
      choose(tape, decoder, t, scratch.rows[static_cast<std::size_t>(t)]);
    } else {
      see(tape, decoder, t, some_blind ? multiply_entries(tape, weights, mask) : weights);
    }
    advance(tape, decoder, t);
  }
  const Value logits = read_out(tape, decoder, 0, batch.steps);
  const Value words = cross_entropy(tape, logits, batch.target);
  Value loss = words;
  if (hard) {
    const std::vector<double> rewards =
        rewards_to_go(log_likelihoods(tape.value(logits), batch.target), batch.pictures);
    find_advantages(rewards, training.baseline, scratch);
    loss = add(tape, loss,
               choice_loss(tape, decoder.weights, {.places = scratch.places, .advantages = scratch.advantages},
                           settings.reward, settings.entropy));
  }
  if (!hard && settings.sharpness > 0) {
    // Of all words; no place was drawn, and nothing depends on which is named.
    std::ranges::transform(batch.target, scratch.places.begin(), [](int word) { return word >= 0 ? 0 : -1; });
    scratch.advantages.assign(batch.target.size(), 0);
    loss = add(tape, loss,
               choice_loss(tape, decoder.weights, {.places = scratch.places, .advantages = scratch.advantages}, 0,
                           -sharpness_now(training)));
  }
  if (settings.penalty > 0)
    loss =
        add(tape, loss,
            scale(tape, coverage_penalty(tape, decoder.weights, batch.lengths), static_cast<float>(settings.penalty)));
  tape.backward(loss);
  return static_cast<double>(tape.value(words)(0, 0));
}

Result<void> train_step(Training& training, Scratch& scratch) {
  Random random = random_of_batch(training);
  const std::vector<pictures::Scene> scenes =
      draw_batch(training, random, [](Random& from) { return pictures::draw(from, Part::training); });
  const double loss = differentiate(training, scenes, random, scratch);
  double tokens = 0;
  for (const int length : scratch.batch.lengths) tokens += length;
  return finish_step(training, scratch.gradients, {.loss = loss, .tokens = tokens}, pictures::vocabulary().size());
}

}  // namespace limelight::learn::captions
