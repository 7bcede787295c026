#include "scenes/patches/patches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/analysis.h"
#include "core/normalize.h"
#include "core/score.h"
#include "core/sort.h"
#include "learn/pictures.h"
#include "scenes/common/explain.h"
#include "scenes/patches/landscape.h"

namespace limelight::scenes::patches {
namespace {

using Labels = std::vector<std::string>;

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// Empty when the reader's own picture is not here.
Matrix pixels(const State& state, const Inputs& inputs) {
  if (state.preset == Preset::gradient) return gradient(kComputedSide);
  if (state.preset == Preset::landscape) return landscape(kComputedSide);
  if (state.is_photo()) {
    const Picture* picture = inputs.picture(state.own, kPicture.side);
    return picture == nullptr ? Matrix() : pixels_of(*picture);
  }
  const std::string_view words = state.preset == Preset::own ? std::string_view(state.text) : state.words();
  return learn::pictures::paint(*learn::pictures::read(words));  // State::check has read it
}

// Scores of rows [T, P] as the normalizer takes them: hidden ones and, of top-k, all but the k largest of each row (the
// first of equal ones) are −∞. first: the patch of the first row.
Matrix allowed(const State& state, Look look, ConstMatrixRef scores, int first) {
  Matrix made = scores / static_cast<float>(look == Look::hard ? 1 : state.temperature);
  for (Eigen::Index i = 0; i < made.rows(); ++i) {
    if (!state.itself) made(i, first + i) = kHidden;
    if (look != Look::top) continue;
    std::vector<int> order(static_cast<std::size_t>(made.cols()));
    std::iota(order.begin(), order.end(), 0);
    heap_sort(order, {}, [&](int j) { return std::pair(-made(i, j), j); });
    for (std::size_t at = static_cast<std::size_t>(state.k); at < order.size(); ++at) made(i, order[at]) = kHidden;
  }
  return made;
}

Matrix weigh(const State& state, Look look, ConstMatrixRef scores, int first) {
  return normalize<float>(look == Look::hard ? Normalizer::hard : Normalizer::softmax,
                          allowed(state, look, scores, first));
}

Matrix as_grid(ConstMatrixRef row, int grid) { return row.reshaped<Eigen::RowMajor>(grid, grid); }

Labels numbered(std::string_view name, int count) {
  Labels labels;
  for (int i = 1; i <= count; ++i) labels.push_back(std::string(name) + " " + std::to_string(i));
  return labels;
}

void add_query(Trace& trace, const State& state, ConstMatrixRef pixels, const Cut& cut) {
  const int q = query_of(state);
  const Labels rows = numbered("row", cut.grid), columns = numbered("column", cut.grid);
  Matrix patch(cut.patch() * cut.patch(), 3);
  for (int i = 0; i < patch.rows(); ++i) patch.row(i) = pixels.row(cut.pixel(q, i));
  trace.add("patch", std::move(patch), {}, {"red", "green", "blue"});
  const Matrix scores = trace.at("scores").values.row(q);
  trace.add("s", as_grid(scores, cut.grid), rows, columns);
  trace.add("a", as_grid(trace.at("weights").values.row(q), cut.grid), rows, columns);
  Matrix counted(1, static_cast<Eigen::Index>(kLookMaps.size()));
  for (int look = 0; look < static_cast<int>(kLookMaps.size()); ++look) {
    const Matrix weights = weigh(state, static_cast<Look>(look), scores, q);
    counted(0, look) = effective_keys(weights)(0, 0);
    trace.add(std::string(kLookMaps[static_cast<std::size_t>(look)]), as_grid(weights, cut.grid), rows, columns);
  }
  trace.add("effective", std::move(counted), {"patches"}, {"soft", "hard", "top-k"});
}

// What the query's patch is replaced by, and the patches that it is mixed from most.
void add_mixture(Trace& trace, const State& state, ConstMatrixRef pixels, ConstMatrixRef rebuilt, const Cut& cut) {
  const int q = query_of(state), size = cut.patch() * cut.patch();
  const Matrix& weights = trace.at("weights").values;
  std::vector<int> order(static_cast<std::size_t>(cut.patches()));
  std::iota(order.begin(), order.end(), 0);
  heap_sort(order, {}, [&](int p) { return std::pair(-weights(q, p), p); });
  const int seen = static_cast<int>((weights.row(q).array() > 0).count()), count = std::min(seen, kParts);
  Matrix parts(count * size, 3), shares(1, count), result(size, 3);
  Labels names;
  for (int part = 0; part < count; ++part) {
    const int p = order[static_cast<std::size_t>(part)];
    for (int i = 0; i < size; ++i)
      parts.row((i / cut.patch() * count + part) * cut.patch() + i % cut.patch()) = pixels.row(cut.pixel(p, i));
    shares(0, part) = weights(q, p);
    names.push_back(place_of(p, cut.grid));
  }
  for (int i = 0; i < size; ++i) result.row(i) = rebuilt.row(cut.pixel(q, i));
  const Labels colours{"red", "green", "blue"};
  trace.add("parts", std::move(parts), {}, colours);
  trace.add("shares", std::move(shares), {"weight"}, std::move(names));
  trace.add("result", std::move(result), {}, colours);
}

}  // namespace

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  Matrix picture = pixels(state, inputs);
  const bool there = picture.size() > 0;
  const int side = there ? static_cast<int>(std::lround(std::sqrt(picture.rows()))) : kPicture.side;
  const Cut cut{.side = side, .grid = state.patches()};
  Matrix sizes(1, 3);
  sizes << static_cast<float>(side), static_cast<float>(cut.grid), static_cast<float>(cut.patch());
  trace.add("sizes", std::move(sizes), {"pixels"}, {"side", "patches along it", "side of a patch"});
  if (!there) return trace;
  Labels patches;
  for (int p = 0; p < cut.patches(); ++p) patches.push_back(place_of(p, cut.grid));
  const Labels names(kFeatureNames.begin(), kFeatureNames.end()), colours{"red", "green", "blue"};
  Matrix raw = features(picture, cut);
  Matrix by = standard(raw);
  Matrix X = standardised(raw, by, state.shares());
  Matrix scores = scores_of(X, state.compare);
  Matrix weights = weigh(state, state.look, scores, 0);
  Matrix rebuilt = picture_of(weights * patches_of(picture, cut), cut);
  Matrix difference(1, 1);
  difference << std::sqrt((rebuilt - picture).squaredNorm() / static_cast<float>(picture.size()));
  Matrix index(1, cut.patches());
  for (int p = 0; p < cut.patches(); ++p) index(0, p) = static_cast<float>(p + 1);
  trace.add("index", as_grid(index, cut.grid), numbered("row", cut.grid), numbered("column", cut.grid));
  trace.add("features", std::move(raw), patches, names);
  trace.add("standard", std::move(by), {"mean", "deviation"}, names);
  trace.add("X", std::move(X), patches, names);
  trace.add("scores", std::move(scores), patches, patches);
  trace.add("weights", std::move(weights), patches, patches);
  add_query(trace, state, picture, cut);
  add_mixture(trace, state, picture, rebuilt, cut);
  trace.add("picture", std::move(picture), {}, colours);
  trace.add("rebuilt", std::move(rebuilt), {}, colours);
  trace.add("difference", std::move(difference));
  return trace;
}

Matrix scores_of(ConstMatrixRef X, Compare compare) {
  const float root = std::sqrt(static_cast<float>(X.cols()));
  if (compare == Compare::dot) return score<float>(Score::dot, X, X) / root;
  Matrix made(X.rows(), X.rows());
  for (Eigen::Index q = 0; q < X.rows(); ++q)
    made.row(q) = (X.rowwise() - X.row(q)).rowwise().squaredNorm().transpose() / (-2 * root);
  return made;
}

bool has_picture(const Trace& trace) { return trace.find("picture") != nullptr; }

Cut cut_of(const State& state, const Trace& trace) {
  return {.side = static_cast<int>(trace.at("sizes").values(0, 0)), .grid = state.patches()};
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  const int grid = state.patches();
  int query = -1;
  if (pinned.tensor == "index" || pinned.tensor == "a" || pinned.tensor == "s" ||
      std::ranges::find(kLookMaps, pinned.tensor) != kLookMaps.end())
    query = pinned.row * grid + pinned.column;
  for (const std::string_view tensor : {"scores", "weights", "features", "X"})
    if (pinned.tensor == tensor) query = pinned.row;
  if (query < 0 || query >= grid * grid) return {};
  return {{"query", std::to_string(query)}};
}

}  // namespace limelight::scenes::patches
