#include <algorithm>

#include "figure/grid.h"
#include "figure/panels.h"
#include "scenes/scale/steps.h"

namespace limelight::scenes::scale {
namespace {

using namespace figure;

constexpr float kGap = 24, kDown = 20;  // between what stands side by side, and below each other

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
  const int across = compact ? 1 : 2, down = kWays / across;
  const float height = compact ? 210 : std::max(160.F, (bottom - y - 20) / 2);
  const Rect all{d.margin(), y, d.inner(), static_cast<float>(down) * (height + kDown) - kDown};
  const std::vector<Rect> areas = grid(all, across, down, {.across = kGap, .down = kDown});
  for (int way = 0; way < kWays; ++way) add_weights(d, way, areas[static_cast<std::size_t>(way)]);
  return all.bottom();
}

float draw_gradient(Drawing& d, float y, float bottom) {
  const int first = d.state.curves == Curves::gradients ? 0 : 2;
  const bool logarithmic = d.state.curves == Curves::gradients;
  y += add_ways_legend(d, {d.margin(), y}, d.inner()) + 8;
  const float height = d.narrow() ? 280 : std::clamp(bottom - y, 200.F, 560.F);
  const std::vector<Rect> areas = beside({d.margin(), y, d.inner(), height}, 2, {kGap, kGap}, d.narrow());
  add_curves(d, first, areas[0], logarithmic);
  add_curves(d, first + 1, areas[1], logarithmic);
  return areas[1].bottom();
}

float draw_class(Drawing& d, float y, float) { return add_class(d, y); }

float draw_glance(Drawing& d, float y, float bottom) {
  const bool compact = d.narrow();
  const float height = compact ? 270 : std::max(170.F, (bottom - y - 20) / 2);
  const int across = compact ? 1 : 2, down = 4 / across;
  const Rect all{d.margin(), y, d.inner(), static_cast<float>(down) * (height + kDown) - kDown};
  const std::vector<Rect> areas = grid(all, across, down, {.across = kGap, .down = kDown});
  add_histogram(d, areas[0]);
  add_curves(d, 2, areas[1], false, true);
  add_weights(d, 0, areas[2]);
  add_weights(d, 1, areas[3]);
  return all.bottom();
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  const float top = view.compact() ? 12 : 16;
  d.figure.height = row_at(view.place).draw(d, top, view.height - 12) + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::scale
