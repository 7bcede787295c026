#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "scenes/scale/steps.h"

namespace limelight::scenes::scale {
namespace {

using namespace figure;

constexpr float kGap = 24;

}  // namespace

// The first entries of the two vectors and their products, above their sum.
float draw_product(Drawing& d, float y, float bottom) {
  const int most = std::min(d.narrow() ? 5 : 10, d.state.d);
  const std::string size = "1×" + std::to_string(d.state.d);
  add_heading(d, "entries.title", {d.margin(), y}, d.inner(), "a random query q and key k, " + size + " each",
              d.colours.ink);
  y += kTitleHeight;
  const float cell_w = std::clamp((d.inner() - kRowLabel) / static_cast<float>(most), 40.F, 62.F);
  const float cell_h = d.view.height < 480 && !d.narrow() ? 24 : 30;
  const Matrix& entries = d.trace.at("entries").values;
  const Colour tints[] = {d.colours.query_fill, d.colours.key_fill, d.colours.score_fill};
  for (int row = 0; row < 3; ++row)
    y = add_window(d,
                   {.id = row == 0 ? "entries" : "entries." + std::to_string(row),
                    .range = {"entries", row, 0, 1, most},
                    .tint = tints[row],
                    .largest = entries.row(row).cwiseAbs().maxCoeff(),  // products are of another size
                    .cell_w = cell_w,
                    .cell_h = cell_h,
                    .column_labels = row == 0},
                   {d.margin(), y});
  if (most < d.state.d)
    add_words(d, "entries.more", {d.margin() + kRowLabel, y + 4}, d.inner() - kRowLabel,
              "… and " + std::to_string(d.state.d - most) + " more", {d.colours.muted});
  y += 34;
  add_sum(d, {d.margin(), y, d.inner(), std::max(220.F, bottom - y)});
  return std::max(y + 220, bottom);
}

float draw_spread(Drawing& d, float y, float bottom) {
  const float height = d.narrow() ? 380 : std::clamp(bottom - y, 240.F, 560.F);
  add_histogram(d, {d.margin(), y, d.inner(), height});
  return y + height;
}

// The scores in a row, then each way of dividing them.
float draw_softmax(Drawing& d, float y, float bottom) {
  const bool compact = d.narrow();
  if (compact || d.view.height >= 480) {
    const int most = std::min(compact ? 6 : 10, d.state.keys);
    std::string title = "scores q·k, 1×" + std::to_string(d.state.keys);
    // The one that takes the most weight is among them.
    Eigen::Index best = 0;
    d.trace.at("scores").values.row(0).maxCoeff(&best);
    const int first = std::max(0, static_cast<int>(best) + 1 - most);
    if (most < d.state.keys)
      title += first == 0 ? ", the first " + std::to_string(most)
                          : ", keys " + std::to_string(first + 1) + " to " + std::to_string(first + most);
    add_heading(d, "scores.title", {d.margin(), y}, d.inner(), title, d.colours.ink);
    const float cell_w = std::clamp(d.inner() / static_cast<float>(most), 40.F, 64.F);
    y = add_window(d,
                   {.range = {"scores", 0, first, 1, most},
                    .tint = d.colours.score_fill,
                    .cell_w = cell_w,
                    .cell_h = 28,
                    .decimals = d.state.deviation() >= 100 ? 0 : 1,
                    .row_labels = false,
                    .column_labels = true},
                   {d.margin(), y + kTitleHeight}) +
        20;
  }
  const int across = compact ? 1 : 2;
  const float width = (d.inner() - kGap * static_cast<float>(across - 1)) / static_cast<float>(across);
  const float height = compact ? 210 : std::max(160.F, (bottom - y - 20) / 2);
  for (int way = 0; way < kWays; ++way)
    add_weights(d, way,
                {d.margin() + static_cast<float>(way % across) * (width + kGap),
                 y + static_cast<float>(way / across) * (height + 20), width, height});
  const auto rows = static_cast<float>(kWays / across);
  return y + rows * height + (rows - 1) * 20;
}

float draw_gradient(Drawing& d, float y, float bottom) {
  const int first = d.state.curves == Curves::gradients ? 0 : 2;
  const bool logarithmic = d.state.curves == Curves::gradients;
  y += add_ways_legend(d, {d.margin(), y}, d.inner()) + 8;
  if (d.narrow()) {
    for (const int curve : {first, first + 1}) {
      add_curves(d, curve, {d.margin(), y, d.inner(), 280}, logarithmic);
      y += 280 + kGap;
    }
    return y - kGap;
  }
  const float width = (d.inner() - kGap) / 2, height = std::clamp(bottom - y, 200.F, 560.F);
  add_curves(d, first, {d.margin(), y, width, height}, logarithmic);
  add_curves(d, first + 1, {d.margin() + width + kGap, y, width, height}, logarithmic);
  return y + height;
}

float draw_class(Drawing& d, float y, float) { return add_class(d, y); }

float draw_glance(Drawing& d, float y, float bottom) {
  const bool compact = d.narrow();
  const float width = compact ? d.inner() : (d.inner() - kGap) / 2;
  const float height = compact ? 270 : std::max(170.F, (bottom - y - 20) / 2);
  const auto area = [&](int place) {
    const int column = compact ? 0 : place % 2, row = compact ? place : place / 2;
    return Rect{d.margin() + static_cast<float>(column) * (width + kGap), y + static_cast<float>(row) * (height + 20),
                width, height};
  };
  add_histogram(d, area(0));
  add_curves(d, 2, area(1), false, true);
  add_weights(d, 0, area(2));
  add_weights(d, 1, area(3));
  return area(3).bottom();
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  const float top = view.compact() ? 12 : 16;
  d.figure.height = row_at(view.place).draw(d, top, view.height - 12) + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::scale
