#include "learn/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace limelight::learn {
namespace {

constexpr int kTogether = 64;  // pairs that are decoded in one batch

struct Links {
  double gold = 0, found = 0, common = 0, common_by_chance = 0;
};

void count_links(const Pair& pair, const Decoded& decoded, Links& links) {
  const auto sources = static_cast<Eigen::Index>(pair.source.size());
  links.gold += static_cast<double>(pair.alignment.size());
  links.found += static_cast<double>(pair.target.size());
  links.common_by_chance += static_cast<double>(pair.alignment.size()) / static_cast<double>(sources);
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    Eigen::Index largest = 0;
    decoded.weights.row(static_cast<Eigen::Index>(t)).head(sources).maxCoeff(&largest);
    if (std::ranges::find(pair.alignment, std::pair(static_cast<int>(t), static_cast<int>(largest))) !=
        pair.alignment.end())
      ++links.common;
  }
}

int count_right(const Pair& pair, const Decoded& decoded) {
  int right = 0;
  for (std::size_t t = 0; t < pair.target.size(); ++t)
    if (t < decoded.target.size() && decoded.target[t] == pair.target[t]) ++right;
  return right + (decoded.stopped && decoded.target.size() == pair.target.size() ? 1 : 0);
}

}  // namespace

Result<Evaluation> evaluate(const Training& model, const EvaluationOptions& options) {
  Random random(hash_text("held out", static_cast<std::uint64_t>(options.seed)));
  const Lengths lengths = options.lengths.value_or(model.task.lengths);
  std::vector<Pair> pairs;
  for (int i = 0; i < options.count; ++i) {
    std::optional<Pair> pair = model.task.draw(random, Part::held_out, lengths);
    if (!pair) return std::unexpected(no_pairs(model.task.name, "held-out", lengths));
    pairs.push_back(std::move(*pair));
  }
  Evaluation evaluation;
  std::map<int, LengthScore> by_length;
  Links links;
  double loss = 0;
  Tape<float> tape;
  for (std::size_t first = 0; first < pairs.size(); first += kTogether) {
    const std::span<const Pair> some =
        std::span(pairs).subspan(first, std::min<std::size_t>(kTogether, pairs.size() - first));
    std::vector<const std::vector<int>*> sources, targets;
    for (const Pair& pair : some) {
      sources.push_back(&pair.source);
      targets.push_back(&pair.target);
    }
    const Batch batch = make_batch(sources, targets);
    tape.clear(false);
    const auto tokens = std::ranges::count_if(batch.target, [](int token) { return token >= 0; });
    const Value mean = batch_loss(tape, place<float>(tape, model.weights, nullptr), model.config, batch);
    loss += static_cast<double>(tape.value(mean)(0, 0)) * static_cast<double>(tokens);
    // No longer than the longest of the batch: what goes on is wrong already.
    const std::vector<Decoded> all = decode(tape, model.weights, model.config, batch, batch.target_steps);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const Pair& pair = some[i];
      const bool exact = all[i].stopped && all[i].target == pair.target;
      const int length = model.task.count(pair.source);
      LengthScore& score = by_length[length];
      score.length = length;
      ++score.count;
      score.exact += exact ? 1 : 0;
      evaluation.exact += exact ? 1 : 0;
      evaluation.tokens += static_cast<int>(pair.target.size()) + 1;
      evaluation.right += count_right(pair, all[i]);
      if (exact && model.config.attention) count_links(pair, all[i], links);
    }
  }
  evaluation.count = static_cast<int>(pairs.size());
  evaluation.loss = loss / std::max(evaluation.tokens, 1);
  for (const auto& [length, score] : by_length) evaluation.by_length.push_back(score);
  if (links.gold > 0) {
    evaluation.alignment_error = 1 - 2 * links.common / (links.found + links.gold);
    evaluation.uniform_alignment_error = 1 - 2 * links.common_by_chance / (links.found + links.gold);
  }
  return evaluation;
}

Decoded infer(const Training& model, const std::vector<int>& source) {
  const std::vector<int>* const one = &source;
  // Twice the longest there is in training, or of the source: a model that does not stop by then will not.
  const int most = 2 * std::max(static_cast<int>(source.size()), model.task.lengths.most) + 10;
  Tape<float> tape;
  return decode(tape, model.weights, model.config, make_batch({&one, 1}, {}), most)[0];
}

}  // namespace limelight::learn
