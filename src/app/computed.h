// What follows from a state: its numbers, and what of them can be pointed at.
#pragma once

#include <any>
#include <string_view>

#include "app/app.h"

namespace limelight::app {

struct Computed {
  Trace trace;
  double ms;
};

Computed compute(const App& app, const scenes::SceneDef& scene, const std::any& state,
                 const scenes::JobSnapshot* job = nullptr);
void show(App& app, Computed computed);

bool is_cell(const Trace& trace, std::string_view id);
bool fits(const Trace& trace, const scenes::Zoom& zoom);
// Something that the state is computed from is still to come.
bool lacks(const App& app, const scenes::SceneDef& scene, const std::any& state, scenes::Place place);
// What was pinned, hovered, zoomed into or typed into may no longer exist, unless it is still to come.
void drop_stale(App& app);

// What the job has made so far; null where there is no job.
const scenes::JobSnapshot* made_by(const std::shared_ptr<scenes::Job>& job);

}  // namespace limelight::app
