// Patches in words: narration and the question. Every number comes from the trace.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/sort.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/patches/steps.h"

namespace limelight::scenes::patches {
namespace {

std::string square(int side) { return std::to_string(side) + "×" + std::to_string(side); }

std::string edge_words(const Told& t) {
  const int first = kGroups[1].first;
  const auto votes = t.of("features").row(t.query()).segment(first, kOrientations);
  Eigen::Index best = 0;
  const float most = votes.maxCoeff(&best);
  const float largest = t.of("features").middleCols(first, kOrientations).maxCoeff();
  if (most < 1e-5F) return "no edges at all";
  const std::string angle(kFeatureNames[static_cast<std::size_t>(first + static_cast<int>(best))]);
  return (most < largest / 10 ? "hardly any edges" : "edges mostly at " + bold(angle)) + "";
}

std::string how(const State& state) {
  if (state.look == Look::hard) return "the largest score takes all";
  const std::string at = "softmax at temperature " + brief(state.temperature);
  return state.look == Look::top ? at + " over the " + std::to_string(state.k) + " largest scores" : at;
}

std::string gaze(const Told& t) {
  const std::vector<int> order = t.ordered("weights");
  std::string text;
  int told = 0;
  for (const int p : order) {
    const double weight = t.at("weights", t.query(), p);
    if (told == 3 || weight <= 0) break;
    text +=
        (told++ == 0 ? "" : ", ") + bold(percent(weight)) + " " + (p == t.query() ? std::string("itself") : t.place(p));
  }
  return text;
}

}  // namespace

std::string Told::place(int patch) const { return place_of(patch, grid()); }

std::vector<int> Told::ordered(const char* tensor) const {
  const Matrix& all = of(tensor);
  std::vector<int> order(static_cast<std::size_t>(all.cols()));
  std::iota(order.begin(), order.end(), 0);
  heap_sort(order, {}, [&](int p) { return std::pair(-all(query(), p), p); });
  return order;
}

std::string tell_cut(const Told& t) {
  const int side = static_cast<int>(t.at("sizes", 0, 0)), patch = static_cast<int>(t.at("sizes", 0, 2));
  return "The picture of " + square(side) + " pixels is cut into " + bold(square(t.grid()) + " patches") + " of " +
         square(patch) + " pixels. They stand where a sentence has its words: all " +
         std::to_string(t.grid() * t.grid()) + " can look at each other. The one at " + bold(t.place(t.query())) +
         " is the query.";
}

std::string tell_features(const Told& t) {
  return "Nothing here is learned: " + bold(std::to_string(kFeatures) + " numbers") +
         " are computed from each patch’s pixels. This one has a lightness of " +
         bold(fixed(t.at("features", t.query(), 0), 2)) + " and " + edge_words(t) +
         ". Standardised, numbers have mean 0 over the picture’s patches, and a group that differs has its share as "
         "variance.";
}

std::string tell_scores(const Told& t) {
  constexpr double kRounding = 1e-4;
  const int q = t.query();
  const std::vector<int> order = t.ordered("scores");
  const double best = t.at("scores", q, order[0]), own = t.at("scores", q, q);
  const auto better = std::ranges::count_if(order, [&](int p) { return t.at("scores", q, p) > own + kRounding; });
  const auto equal = std::ranges::count_if(order, [&](int p) { return t.at("scores", q, p) > best - kRounding; });
  std::string text = "Queries and keys are the same " + std::to_string(kFeatures) +
                     " numbers here, and values the pixels. The query fits best with ";
  if (better > 0)
    text += bold(t.place(order[0])) + ": " + bold(fixed(best, 2)) + ". With itself it is " + fixed(own, 2) +
            ", number " + std::to_string(better + 1) + ": a long key makes a product large, however alike the two are";
  else
    text += bold("itself") +
            (equal > 1 ? ", and with " + std::to_string(equal - 1) + (equal == 2 ? " other as well" : " others as well")
                       : "") +
            ": " + bold(fixed(best, 2));
  return text + ". Least with " + t.place(order.back()) + ": " + fixed(t.at("scores", q, order.back()), 2) + ".";
}

std::string tell_weights(const Told& t) {
  const double counted = t.at("effective", 0, static_cast<int>(t.state.look));
  const std::string spread = counted < 1.005
                                 ? "That is **all of its weight**"
                                 : "All " + std::to_string(t.grid() * t.grid()) +
                                       " weights sum to 1 and count as much as " + bold(brief(counted)) + " equal ones";
  return "From " + bold(t.place(t.query())) + ", " + how(t.state) + ": " + gaze(t) + ". " + spread +
         ". The picture is as bright as they are.";
}

std::string tell_looks(const Told& t) {
  return "**Soft** looks at everything a little, here as if at " + bold(brief(t.at("effective", 0, 0))) +
         " patches. **Hard** takes the best alone, and its weights have no gradient. **Top-k** keeps " +
         std::to_string(t.state.k) + " and forgets the rest: " + bold(brief(t.at("effective", 0, 2))) +
         ". A temperature near 0 makes soft hard.";
}

std::string tell_output(const Told& t) {
  return "Every patch is replaced by the **weighted mean** of all patches, pixel by pixel, with its own row of "
         "weights; the "
         "result is " +
         bold(brief(t.at("difference", 0, 0))) +
         " away from the picture. So non-local means takes noise away (Buades et al. 2005), there for each pixel, from "
         "windows that overlap.";
}

std::string tell_own(const Told& t) {
  const std::string whose = t.state.is_photo() ? "In **your picture**" : "In this picture";
  return whose + ", " + t.place(t.query()) + " looks here: " + gaze(t) +
         ". Nothing was trained on it, so it knows colours and edges, and **no things**: a face finds skin, not faces.";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (!has_picture(trace))
    return state.own.empty()
               ? "**Your own picture:** drop it on the page, paste it, or choose a file. It stays on your machine."
               : "This link was made with a picture that **is not here**: a link holds none. Give one of your own.";
  return row_at(view.place).tell({state, trace});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (!has_picture(trace)) return std::nullopt;
  constexpr float kRounding = 1e-4F;
  const Matrix scores = scores_of(trace.at("X").values, Compare::dot);
  const auto all = static_cast<int>(scores.rows());
  int others = 0;
  for (int p = 0; p < all; ++p) others += scores.row(p).maxCoeff() > scores(p, p) + kRounding ? 1 : 0;
  Question question{
      "Each query is multiplied with every key, its own among them: q·k. Which patches score highest with themselves?",
      {"all of them", "some, not all", "none"},
      others == 0     ? 0
      : others == all ? 2
                      : 1,
      {}};
  question.answer =
      "Here **" + std::to_string(others) + " of " + std::to_string(all) +
      "** patches score higher with another one than with themselves. " +
      (others > 0 ? "q·k grows with the length of k: a patch with a strong version of one’s own colour and edges beats "
                    "one’s own. "
                    "Compared by **distance**, as the figure does now, each is nearest to itself."
                  : "A product grows with the length of the key, and none here is long enough to beat a patch’s own.");
  question.reveal = {{"compare", "distance"}};
  if (state.compare == Compare::distance) {
    question.back = {"compare", "dot"};
    question.back_label = "Products again";
  }
  return question;
}

std::string provenance(const State& state) {
  return std::string(state.is_photo() ? "Your picture, which stays on your machine. " : "") +
         "**Not trained:** colour in Oklab (Ottosson 2020), edges by Sobel’s kernels, counted by orientation as in "
         "Dalal & "
         "Triggs 2005; queries and keys are these numbers, values the pixels. Averaging patches by likeness: non-local "
         "means, Buades et al. 2005.";
}

}  // namespace limelight::scenes::patches
