// What a pointer or an arrow key chooses: a pinned number, a hovered one, a part of a matrix.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/compare.h"
#include "app/computed.h"
#include "app/opened.h"
#include "scenes/common/sentence.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

constexpr double kTooltipSeconds = 0.7;  // of rest: what a mouse only passes over says nothing
constexpr double kNumberSeconds = 1;     // … a number, which the mouse passes over more often

// Whether an element is light of this word, or a number of it.
bool is_light_of(std::string_view word, std::string_view id) {
  const std::optional<int> asking = scenes::word_at(word);
  const std::optional<figure::Source> cell = figure::parse_cell_id(id);
  return asking && (id == scenes::kLightId || (cell && cell->row == *asking));
}

// The word that asks while its row of a matrix is pointed at.
std::optional<int> asking_in_row(const App& app, std::string_view id) {
  return scenes::row_in(scenes::step_at(*app.scene, app.place).rows_ask, id);
}

}  // namespace

std::string hovered_in_view(const App& app) { return std::string(of_both(app.hovered)); }

std::string asking_in_view(const App& app) {
  return is_light_of(app.asking, of_both(app.hovered)) ? app.asking : std::string();
}

void pin(App& app, std::string id) {
  if (!is_cell(app.trace, id)) id.clear();
  if (id == app.pinned) return;
  if (!id.empty()) report(app, change(app, "pin", id));
  const bool was_open = inspector_open(app);
  app.pinned = std::move(id);
  if (inspector_open(app) != was_open) ++app.view_revision;
  app.changed = true;
}

void hover(App& app, std::string id) {
  if (figure::parse_cell_id(id) && !is_cell(app.trace, id)) id.clear();
  if (id == app.hovered) return;
  const std::string_view now = of_both(id), before = of_both(app.hovered);
  const std::string asked = asking_in_view(app);
  app.asking = scenes::word_at(before) ? std::string(before) : asked;
  if (!is_light_of(app.asking, now)) app.asking.clear();
  const bool of_words = scenes::word_at(now) || ((scenes::word_at(before) || !asked.empty()) && app.asking.empty());
  if (of_words || asking_in_row(app, now) != asking_in_row(app, before) ||
      scenes::line_word_at(now) != scenes::line_word_at(before))
    ++app.lamp_revision;
  app.hovered = std::move(id);
  app.tooltip = false;
  app.tooltip_at =
      app.hovered.empty()
          ? std::nullopt
          : std::optional(app.now + (figure::parse_cell_id(app.hovered) ? kNumberSeconds : kTooltipSeconds));
  app.changed = true;
}

void hide_tooltip(App& app) {
  app.tooltip_at.reset();
  if (std::exchange(app.tooltip, false)) app.changed = true;
}

bool move_pin(App& app, int rows, int columns) {
  std::optional<figure::Source> source = figure::parse_cell_id(app.pinned);
  if (!source) return false;
  const Tensor* tensor = app.trace.find(source->tensor);
  if (tensor == nullptr) return false;
  source->row = std::clamp(source->row + rows, 0, tensor->rows() - 1);
  source->column = std::clamp(source->column + columns, 0, tensor->columns() - 1);
  pin(app, figure::cell_id(*source));
  return true;
}

void zoom_by(App& app, const std::string& tensor, float factor, float u, float v) {
  const Tensor* whole = app.trace.find(tensor);
  if (whole == nullptr) return;
  const bool zoomed = app.zoom.tensor == tensor && app.zoom.rows > 0;
  const scenes::Zoom now = zoomed ? app.zoom : scenes::Zoom{tensor, 0, 0, whole->rows(), whole->columns()};
  const auto count = [&](int shown, int all) {
    return std::clamp(static_cast<int>(std::lround(static_cast<float>(shown) * factor)), std::min(4, all), all);
  };
  const auto start = [](int first, int shown, int next, int all, float share) {
    const float centre = static_cast<float>(first) + share * static_cast<float>(shown);
    return std::clamp(static_cast<int>(std::lround(centre - share * static_cast<float>(next))), 0, all - next);
  };
  const int rows = count(now.rows, whole->rows()), columns = count(now.columns, whole->columns());
  app.zoom = {tensor, start(now.row, now.rows, rows, whole->rows(), v),
              start(now.column, now.columns, columns, whole->columns(), u), rows, columns};
  if (rows == whole->rows() && columns == whole->columns()) app.zoom = {};
  app.changed = true;
}

}  // namespace limelight::app
