#include "learn/caption_evaluation.h"

#include <algorithm>

#include "core/analysis.h"

namespace limelight::learn::captions {
namespace {

constexpr std::size_t kTogether = 50;  // pictures that are described in one batch

// Of all words: what is summed here is divided at the end.
void count_look(const pictures::Scene& scene, const pictures::Caption& caption, const Decoded& decoded, int grid,
                Evaluation& evaluation) {
  const auto belongs = pictures::cells_of(scene, grid);
  for (std::size_t t = 0; t < std::min(caption.words.size(), decoded.words.size()); ++t) {
    if (decoded.words[t] != caption.words[t]) return;
    if (!pictures::is_visual(caption.words[t])) continue;
    double on = 0;
    int cells = 0;
    for (int cell = 0; cell < grid * grid; ++cell) {
      const bool meant = std::ranges::any_of(caption.objects[t], [&](int object) {
        return belongs[static_cast<std::size_t>(object)][static_cast<std::size_t>(cell)] != 0;
      });
      if (!meant) continue;
      ++cells;
      on += decoded.places.empty() ? static_cast<double>(decoded.weights(static_cast<Eigen::Index>(t), cell))
                                   : (decoded.places[t] == cell ? 1 : 0);
    }
    ++evaluation.seen;
    evaluation.on_object += on;
    evaluation.uniform_on_object += static_cast<double>(cells) / (grid * grid);
  }
}

double penalty_of(const Matrix& weights) {
  const double even = static_cast<double>(weights.rows()) / static_cast<double>(weights.cols());
  return (weights.cast<double>().colwise().sum().array() - even).square().sum();
}

int count_right(const std::vector<int>& words, const Decoded& decoded) {
  int right = decoded.stopped && decoded.words.size() == words.size() ? 1 : 0;
  for (std::size_t t = 0; t < std::min(words.size(), decoded.words.size()); ++t)
    right += decoded.words[t] == words[t] ? 1 : 0;
  return right;
}

}  // namespace

Look look_of(const Training& model) { return model.settings.attention == Glimpse::soft ? Look::soft : Look::likeliest; }

std::vector<pictures::Scene> held_out(int seed, int count) {
  Random random(hash_text("held out", static_cast<std::uint64_t>(seed)));
  std::vector<pictures::Scene> scenes;
  for (int i = 0; i < count; ++i) scenes.push_back(pictures::draw(random, Part::held_out));
  return scenes;
}

Evaluation evaluate(const Training& model, const EvaluationOptions& options) {
  const std::vector<pictures::Scene> scenes = held_out(options.seed, options.count);
  Evaluation evaluation;
  Tape<float> tape;
  double written = 0;
  for (std::size_t first = 0; first < scenes.size(); first += kTogether) {
    const std::span<const pictures::Scene> some =
        std::span(scenes).subspan(first, std::min(kTogether, scenes.size() - first));
    const Batch batch = make_batch(model.config, some);
    const std::vector<Decoded> all = decode(
        tape, model.weights, model.config, batch,
        {.look = options.look, .seed = static_cast<std::uint64_t>(options.seed) + first, .most_steps = kMostWords});
    for (std::size_t i = 0; i < some.size(); ++i) {
      const pictures::Caption caption = pictures::caption(some[i]);
      const int exact = all[i].stopped && all[i].words == caption.words ? 1 : 0;
      Evaluation::Score& score = evaluation.by_objects[some[i].objects.size() - 1];
      ++score.count;
      score.exact += exact;
      evaluation.exact += exact;
      evaluation.tokens += static_cast<int>(caption.words.size()) + 1;
      evaluation.right += count_right(caption.words, all[i]);
      evaluation.entropy += entropy(all[i].weights).cast<double>().sum();
      evaluation.penalty += penalty_of(all[i].weights);
      written += static_cast<double>(all[i].weights.rows());
      count_look(some[i], caption, all[i], model.config.grid, evaluation);
    }
  }
  evaluation.count = static_cast<int>(scenes.size());
  evaluation.on_object /= std::max(evaluation.seen, 1);
  evaluation.uniform_on_object /= std::max(evaluation.seen, 1);
  evaluation.entropy /= std::max(written, 1.0);
  evaluation.penalty /= std::max(evaluation.count, 1);
  return evaluation;
}

}  // namespace limelight::learn::captions
