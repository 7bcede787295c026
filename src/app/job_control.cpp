#include "app/job_control.h"

#include <algorithm>
#include <string>

#include "app/actions.h"
#include "app/widgets.h"
#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr double kMoment = 0.5;   // seconds of work
constexpr float kProgress = 150;  // px beside the button in a row
constexpr float kColumnButton = 60;

bool is_done(const App& app) { return app.job && app.job->snapshot.finished(); }

// How far it is, in as many of its words as there is room for.
void add_progress(Figure& figure, const App& app, Rect rect) {
  const Palette& colours = palette(app.theme());
  const scenes::JobSnapshot& job = app.job->snapshot;
  const float share = static_cast<float>(job.done) / static_cast<float>(std::max(job.total, 1));
  figure.add({.id = "shell.job.rest",
              .rect = {rect.x, rect.bottom() - 4, rect.w, 4},
              .shape = Rectangle{.fill = colours.track, .radius = 2}});
  figure.add({.id = "shell.job.done",
              .rect = {rect.x, rect.bottom() - 4, rect.w * share, 4},
              .shape = Rectangle{.fill = colours.accent, .radius = 2}});
  const std::string count = std::to_string(job.done) + " of " + std::to_string(job.total);
  const std::string rate =
      job.seconds > 0 ? "  " + io::format_short(job.done / job.seconds, 3) + " " + job.unit + "/s" : "";
  std::string words = count + rate + (rate.empty() ? "" : ", measured");
  for (const std::string& fewer : {count + rate, count})
    if (text::measure(text::Face::regular, 12, words) > rect.w) words = fewer;
  add_label(figure, "shell.job.text", {rect.x, rect.y, rect.w, rect.h - 6},
            {.text = words, .size = 12, .colour = colours.muted});
}

void add_job_button(Figure& figure, const App& app, Rect rect) {
  const std::string label = job_button(app);
  if (!label.empty())
    add_button(figure, app, rect, {.id = "shell.job", .text = label, .edit = {"do", "job"}, .outlined = true});
}

}  // namespace

bool has_job(const App& app) {
  if (app.scene->starts_job(app.state) && (is_done(app) || !app.job || app.job->snapshot.seconds <= kMoment))
    return false;
  return app.job || !job_button(app).empty();
}

float job_width(const App& app) {
  if (!has_job(app)) return 0;
  float button = 0;
  for (const std::string_view words :
       {std::string_view("Go on"), std::string_view("Pause"), app.scene->job_label(app.state)})
    button = std::max(button, text::measure(text::Face::semibold, 13, words) + 28);
  return button + 10 + kProgress;
}

void add_row_job(Figure& figure, const App& app, Rect rect) {
  const float button = rect.w - 10 - kProgress;
  if (!is_done(app)) add_job_button(figure, app, {rect.x, rect.y, button, rect.h});
  if (app.job && !is_done(app)) add_progress(figure, app, {rect.x + button + 10, rect.centre().y - 13, kProgress, 26});
}

float add_column_job(Figure& figure, const App& app, Point corner, float width) {
  if (!has_job(app)) return 0;
  const Palette& colours = palette(app.theme());
  const float height = app.control(app.job ? 30 : 32);
  // Where its button was, nothing can be pressed once it is done.
  if (is_done(app)) return std::max(height + 14, add_job_outcome(figure, app, corner, width));
  if (!app.job) {
    add_job_button(figure, app, {corner.x, corner.y + 4, width, height});
    return height + 12;
  }
  add_job_button(figure, app, {corner.x + width - kColumnButton, corner.y + 4, kColumnButton, height});
  add_progress(figure, app, {corner.x, corner.y + 2, width - kColumnButton - 10, 28});
  if (!app.paused_unseen) return height + 14;
  return height + 22 +
         add_paragraph(figure, "shell.job.unseen", "Paused, since the page was hidden.",
                       {corner.x, corner.y + height + 14}, width, 12, colours.muted, colours.ink);
}

float add_job_outcome(Figure& figure, const App& app, Point corner, float width) {
  if (!has_job(app) || !is_done(app)) return 0;
  const Palette& colours = palette(app.theme());
  const scenes::JobSnapshot& job = app.job->snapshot;
  const std::string count =
      job.outcome.starts_with("**") ? "" : "**" + std::to_string(job.done) + " " + job.unit + " are done.** ";
  return 12 + add_paragraph(figure, "shell.job.done", count + job.outcome, {corner.x, corner.y + 6}, width, 12,
                            colours.muted, colours.ink);
}

}  // namespace limelight::app
