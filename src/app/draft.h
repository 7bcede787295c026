// What is to be shown instead, while a patch is being read: taken over only when all of it is good.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/computed.h"

namespace limelight::app {

struct Draft {
  const scenes::SceneDef* scene;
  std::any state;
  scenes::Place place;
  scenes::Zoom zoom;
  std::string pinned;
  int guess;
  io::Patch revealed;
  Settings settings;
  std::shared_ptr<const Compared> compared{};
  const std::map<const scenes::SceneDef*, Left>* left = nullptr;  // how other scenes were left, where they go on so
  std::optional<Computed> computed{};                             // of the new state, when that is another one
  float t = 1;                                                    // within the step
  std::optional<std::shared_ptr<scenes::Job>> job{};              // where it is not the one that there is for the state
};

Draft draft_of(const App& app);
// As a link begins: it says all that is otherwise than in its scene's example.
Draft blank(const App& app);
// Goes to another scene: as it was left where that is known, else to its beginning.
void enter(Draft& draft, const scenes::SceneDef* scene);
Result<void> read_patch(Draft& draft, const io::Patch& patch);
// Reads it and computes what follows. The whole patch or nothing.
Result<void> apply(const App& app, Draft& draft, const io::Patch& patch);

bool same_state(const App& app, const scenes::SceneDef& scene, const std::any& state,
                io::Counted counted = io::Counted::all);
// The job of the draft's scene, if what it has made holds for the draft.
std::shared_ptr<scenes::Job> job_for(const App& app, const Draft& draft);
// Computes the draft's numbers, where they differ from those that are shown.
void compute_other(const App& app, Draft& draft);

std::string write_zoom(const scenes::Zoom& zoom);

}  // namespace limelight::app
