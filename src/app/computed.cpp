#include "app/computed.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/compare.h"

namespace limelight::app {

Computed compute(const App& app, const scenes::SceneDef& scene, const std::any& state, const scenes::JobSnapshot* job) {
  const auto start = std::chrono::steady_clock::now();
  Trace trace = scene.compute(state, inputs_of(app, job));
  return {std::move(trace),
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()};
}

void show(App& app, Computed computed) {
  app.trace = std::move(computed.trace);
  add_compared(app);
  app.compute_ms = computed.ms;
  ++app.revision;
}

bool is_cell(const Trace& trace, std::string_view id) {
  const std::optional<figure::Source> source = figure::parse_cell_id(id);
  return source && trace.cell(source->tensor, source->row, source->column) != nullptr;
}

bool fits(const Trace& trace, const scenes::Zoom& zoom) {
  const Tensor* tensor = trace.find(zoom.tensor);
  return tensor != nullptr && zoom.row + zoom.rows <= tensor->rows() && zoom.column + zoom.columns <= tensor->columns();
}

bool lacks(const App& app, const scenes::SceneDef& scene, const std::any& state, scenes::Place place) {
  return !missing_picture(app, scene, state).empty() || !missing_own(app, scene, state).empty() ||
         std::ranges::any_of(scene.needs(state, place), [&](const scenes::Resource* resource) {
           return app.resources.find(resource->name) == app.resources.end();
         });
}

void drop_stale(App& app) {
  if (lacks(app, *app.scene, app.state, app.place)) return;
  if (!is_cell(app.trace, app.pinned)) app.pinned.clear();
  if (figure::parse_cell_id(app.hovered) && !is_cell(app.trace, app.hovered)) app.hovered.clear();
  if (app.typing && !app.typing->key.empty() && !is_cell(app.trace, app.typing->id)) app.typing.reset();
  if (!fits(app.trace, app.zoom)) app.zoom = {};
}

const scenes::JobSnapshot* made_by(const std::shared_ptr<scenes::Job>& job) { return job ? &job->snapshot : nullptr; }

void compute_again(App& app) {
  if (app.compared) {
    Compared held{.state = app.compared->state, .job = app.compared->job};
    held.trace = compute(app, *app.scene, held.state, held.job ? &*held.job : nullptr).trace;
    app.compared = std::make_shared<Compared>(std::move(held));
  }
  show(app, compute(app, *app.scene, app.state, made_by(app.job)));
  drop_stale(app);
  ++app.view_revision;
  app.changed = true;
}

}  // namespace limelight::app
