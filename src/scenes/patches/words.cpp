// Patches in words: steps, narration and the question. Every number comes from the trace.
#include <algorithm>
#include <numeric>
#include <vector>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/patches/patches.h"

namespace limelight::scenes::patches {
namespace {

constexpr Step kSteps[] = {
    {"cut", "Patches", "A picture is cut into square patches, which look at each other as words do."},
    {"features", "Features", "Each patch is described by its colour, its edges and, if you like, its place."},
    {"scores", "Scores", "The query’s numbers times those of every patch say how well each fits."},
    {"weights", "Weights", "Softmax turns the scores into weights, which say where the patch looks."},
    {"looks", "Soft, hard, top-k", "Look at all patches, at the best one alone, or at the k best."},
    {"output", "Output", "Every patch is replaced by the weighted mean of all patches."},
    {"own", "Your own", "Any picture will do, since nothing is trained."},
};

struct Reader {
  const State& state;
  const Trace& trace;

  [[nodiscard]] int grid() const { return state.patches(); }
  [[nodiscard]] int query() const { return query_of(state); }
  [[nodiscard]] const Matrix& of(const char* tensor) const { return trace.at(tensor).values; }
  [[nodiscard]] double at(const char* tensor, int row, int column) const {
    return static_cast<double>(of(tensor)(row, column));
  }
  [[nodiscard]] std::string place(int patch) const { return place_of(patch, grid()); }
  // The columns of a row of [P, P], the largest first, of equal ones the first.
  [[nodiscard]] std::vector<int> ordered(const char* tensor) const {
    const Matrix& all = of(tensor);
    std::vector<int> order(static_cast<std::size_t>(all.cols()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int p) { return std::pair(-all(query(), p), p); });
    return order;
  }
};

std::string square(int side) { return std::to_string(side) + "×" + std::to_string(side); }

std::string tell_cut(const Reader& r) {
  const int side = static_cast<int>(r.at("sizes", 0, 0)), patch = static_cast<int>(r.at("sizes", 0, 2));
  return "The picture of " + square(side) + " pixels is cut into " + bold(square(r.grid()) + " patches") + " of " +
         square(patch) + " pixels. They stand where a sentence has its words: all " +
         std::to_string(r.grid() * r.grid()) + " can look at each other. The one at " + bold(r.place(r.query())) +
         " is the query.";
}

std::string edge_words(const Reader& r) {
  const int first = kGroups[1].first;
  const auto votes = r.of("features").row(r.query()).segment(first, kOrientations);
  Eigen::Index best = 0;
  const float most = votes.maxCoeff(&best);
  const float largest = r.of("features").middleCols(first, kOrientations).maxCoeff();
  if (most < 1e-5F) return "no edges at all";
  const std::string angle(kFeatureNames[static_cast<std::size_t>(first + static_cast<int>(best))]);
  return (most < largest / 10 ? "hardly any edges" : "edges mostly at " + bold(angle)) + "";
}

std::string tell_features(const Reader& r) {
  return "Nothing here is learned: " + bold(std::to_string(kFeatures) + " numbers") +
         " are computed from each patch’s pixels. This one has a lightness of " +
         bold(fixed(r.at("features", r.query(), 0), 2)) + " and " + edge_words(r) +
         ". Standardised, numbers have mean 0 over the picture’s patches, and a group that differs has its share as "
         "variance.";
}

std::string tell_scores(const Reader& r) {
  constexpr double kRounding = 1e-4;
  const int q = r.query();
  const std::vector<int> order = r.ordered("scores");
  const double best = r.at("scores", q, order[0]), own = r.at("scores", q, q);
  const auto better = std::ranges::count_if(order, [&](int p) { return r.at("scores", q, p) > own + kRounding; });
  const auto equal = std::ranges::count_if(order, [&](int p) { return r.at("scores", q, p) > best - kRounding; });
  std::string text = "Queries and keys are the same " + std::to_string(kFeatures) +
                     " numbers here, and values the pixels. The query fits best with ";
  if (better > 0)
    text += bold(r.place(order[0])) + ": " + bold(fixed(best, 2)) + ". With itself it is " + fixed(own, 2) +
            ", number " + std::to_string(better + 1) + ": a long key makes a product large, however alike the two are";
  else
    text += bold("itself") +
            (equal > 1 ? ", and with " + std::to_string(equal - 1) + (equal == 2 ? " other as well" : " others as well")
                       : "") +
            ": " + bold(fixed(best, 2));
  return text + ". Least with " + r.place(order.back()) + ": " + fixed(r.at("scores", q, order.back()), 2) + ".";
}

std::string how(const State& state) {
  if (state.look == Look::hard) return "the largest score takes all";
  const std::string at = "softmax at temperature " + brief(state.temperature);
  return state.look == Look::top ? at + " over the " + std::to_string(state.k) + " largest scores" : at;
}

std::string gaze(const Reader& r) {
  const std::vector<int> order = r.ordered("weights");
  std::string text;
  int told = 0;
  for (const int p : order) {
    const double weight = r.at("weights", r.query(), p);
    if (told == 3 || weight <= 0) break;
    text +=
        (told++ == 0 ? "" : ", ") + bold(percent(weight)) + " " + (p == r.query() ? std::string("itself") : r.place(p));
  }
  return text;
}

std::string tell_weights(const Reader& r) {
  const double counted = r.at("effective", 0, static_cast<int>(r.state.look));
  const std::string spread = counted < 1.005
                                 ? "That is **all of its weight**"
                                 : "All " + std::to_string(r.grid() * r.grid()) +
                                       " weights sum to 1 and count as much as " + bold(brief(counted)) + " equal ones";
  return "From " + bold(r.place(r.query())) + ", " + how(r.state) + ": " + gaze(r) + ". " + spread +
         ". The picture is as bright as they are.";
}

std::string tell_looks(const Reader& r) {
  return "**Soft** looks at everything a little, here as if at " + bold(brief(r.at("effective", 0, 0))) +
         " patches. **Hard** takes the best alone, and its weights have no gradient. **Top-k** keeps " +
         std::to_string(r.state.k) + " and forgets the rest: " + bold(brief(r.at("effective", 0, 2))) +
         ". A temperature near 0 makes soft hard.";
}

std::string tell_output(const Reader& r) {
  return "Every patch is replaced by the **weighted mean** of all patches, pixel by pixel, with its own row of "
         "weights; the "
         "result is " +
         bold(brief(r.at("difference", 0, 0))) +
         " away from the picture. So non-local means takes noise away (Buades et al. 2005), there for each pixel, from "
         "windows that overlap.";
}

std::string tell_own(const Reader& r) {
  const std::string whose = r.state.is_photo() ? "In **your picture**" : "In this picture";
  return whose + ", " + r.place(r.query()) + " looks here: " + gaze(r) +
         ". Nothing was trained on it, so it knows colours and edges, and **no things**: a face finds skin, not faces.";
}

}  // namespace

std::span<const Step> steps() { return kSteps; }

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (!has_picture(trace))
    return state.own.empty()
               ? "**Your own picture:** drop it on the page, paste it, or choose a file. It stays on your machine."
               : "This link was made with a picture that **is not here**: a link holds none. Give one of your own.";
  using Tell = std::string (*)(const Reader&);
  static constexpr Tell tell[] = {tell_cut,   tell_features, tell_scores, tell_weights,
                                  tell_looks, tell_output,   tell_own};
  return tell[view.place.step - 1]({state, trace});
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
