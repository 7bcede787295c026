// The job of Caption: many captions of hard attention, whose places are drawn, and what their draws say about the
// gradient that it is trained with.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/random.h"
#include "core/sort.h"
#include "learn/caption_steps.h"
#include "scenes/caption/caption.h"

namespace limelight::scenes::caption {
namespace {

namespace captions = learn::captions;
namespace pictures = learn::pictures;
using Labels = std::vector<std::string>;

constexpr int kTogether = 1;   // that are drawn at a time: short against a frame
constexpr int kRefreshes = 5;  // how often the job shows what it has

// Returns the most frequent one.
std::vector<int> add_captions(Trace& trace, const std::vector<captions::Draw>& draws) {
  std::map<std::vector<int>, int> counts;
  for (const captions::Draw& draw : draws) ++counts[draw.words];
  std::vector<std::pair<int, std::vector<int>>> order;
  for (const auto& [words, count] : counts) order.emplace_back(-count, words);
  heap_sort(order);  // the most frequent first
  Matrix rows(static_cast<Eigen::Index>(order.size()), 1);
  Labels labels;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<int>& words = order[i].second;
    const bool stopped = !words.empty() && words.back() == learn::kStop;
    rows(static_cast<Eigen::Index>(i), 0) = static_cast<float>(-order[i].first);
    labels.push_back(pictures::text_of({words.begin(), words.end() - (stopped ? 1 : 0)}));
  }
  trace.add("captions", std::move(rows), std::move(labels), {"draws"});
  return order.front().second;
}

// Of each word of the most frequent caption, of the draws that say that one the share that looks at a cell.
void add_glimpses(Trace& trace, const State& state, const std::vector<captions::Draw>& draws,
                  const std::vector<int>& words) {
  Matrix shares = Matrix::Zero(static_cast<Eigen::Index>(words.size()), state.side() * state.side());
  float count = 0;
  for (const captions::Draw& draw : draws) {
    if (draw.words != words) continue;
    ++count;
    for (std::size_t t = 0; t < words.size(); ++t) shares(static_cast<Eigen::Index>(t), draw.places[t]) += 1;
  }
  shares /= count;
  trace.add("glimpses", std::move(shares), labels_of(words), cell_labels(state.side()));
}

void add_variance(Trace& trace, const captions::Sampled& sampled) {
  const std::vector<captions::Estimate> estimates = captions::estimates_of(sampled);
  const auto draws = static_cast<double>(sampled.likelihoods.rows());
  Matrix rows(static_cast<Eigen::Index>(estimates.size()), 3);
  Labels labels;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const captions::Estimate& one = estimates[i];
    rows.row(static_cast<Eigen::Index>(i)) << static_cast<float>(one.variance), one.mean.norm(),
        static_cast<float>(std::sqrt(one.variance / draws));
    labels.push_back(std::string(one.to_go ? "reward to go" : "whole reward") + (one.baseline ? ", baseline" : ""));
  }
  trace.add("variance", std::move(rows), std::move(labels), {"variance", "size of the mean", "its standard error"});
}

struct Draws {
  State state;
  Model model;
  captions::Reader reader;
  std::vector<int> words;  // of which the gradient is estimated
  Random places, samples;
  std::vector<captions::Draw> draws{};
  captions::Sampled sampled{};

  Draws(const State& of, Model with, const Picture* own)
      : state(of),
        model(std::move(with)),
        reader(*model, picture_of(state, own)),
        places(hash_text("places", static_cast<std::uint64_t>(state.seed))),
        samples(hash_text("samples", static_cast<std::uint64_t>(state.seed))) {
    // The world's own caption, which training would reward; else the one that it writes.
    if (state.is_of_the_world()) {
      words = pictures::caption(scene_of(state)).words;
      words.push_back(learn::kStop);
    } else {
      words = reader.write({.look = captions::Look::likeliest, .temperature = state.temperature}).words;
    }
  }

  void go_on(JobSnapshot& snapshot) {
    const int count = std::min(kTogether, kDraws - snapshot.done);
    for (captions::Draw& draw : reader.draw(count, places, state.temperature)) draws.push_back(std::move(draw));
    captions::append(sampled, reader.sample(words, count, samples));
    snapshot.done += count;
    if (snapshot.done % (kDraws / kRefreshes) != 0) return;
    ++snapshot.revision;
    snapshot.results = {};
    add_glimpses(snapshot.results, state, draws, add_captions(snapshot.results, draws));
    add_variance(snapshot.results, sampled);
  }
};

}  // namespace

int drawn(const Trace& trace) {
  const Tensor* captions = trace.find("captions");
  return captions == nullptr ? 0 : static_cast<int>(std::lround(captions->values.sum()));
}

std::string_view job_label(const State&) { return "Draw 100 captions"; }

std::unique_ptr<Job> job(const State& state, const Inputs& inputs) {
  const Model* model = inputs.resource<Model>(file_of(state.grid, Gaze::hard));
  const Picture* own = inputs.picture(state.own, pictures::kSide);
  if (model == nullptr || (own == nullptr && !state.own.empty())) return nullptr;
  auto made = std::make_unique<Job>();
  made->snapshot.total = kDraws;
  made->snapshot.unit = "captions";
  made->snapshot.outcome = "The figure shows what they say, where they looked, and what training would have of them.";
  made->step = [draws = std::make_shared<Draws>(state, *model, own)](JobSnapshot& snapshot) { draws->go_on(snapshot); };
  return made;
}

}  // namespace limelight::scenes::caption
