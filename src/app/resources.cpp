// Files that scenes compute from: wished for when a step needs them, kept once they have come.
#include <algorithm>

#include "app/app.h"

namespace limelight::app {
namespace {

using Needs = std::span<const scenes::Resource* const>;

// Of the state, and of what it is compared with.
std::vector<const scenes::Resource*> needs(const App& app, scenes::Place place) {
  const Needs own = app.scene->needs(app.state, place);
  std::vector<const scenes::Resource*> all(own.begin(), own.end());
  if (app.compared)
    for (const scenes::Resource* resource : app.scene->needs(app.compared->state, place))
      if (std::ranges::find(all, resource) == all.end()) all.push_back(resource);
  return all;
}

bool is_there(const App& app, const scenes::Resource& resource) {
  return app.resources.find(resource.name) != app.resources.end();
}

// Whether the scene computes from it, here or at another step.
bool is_for(const App& app, const scenes::Resource& resource) {
  for (int step = 1; step <= static_cast<int>(app.scene->steps().size()); ++step) {
    const std::vector<const scenes::Resource*> needed = needs(app, {step, 0});
    if (std::ranges::find(needed, &resource) != needed.end()) return true;
  }
  return false;
}

Fetch* find_fetch(App& app, std::string_view name) {
  const auto found = std::ranges::find_if(app.fetches, [&](const Fetch& one) { return one.resource->name == name; });
  return found == app.fetches.end() ? nullptr : &*found;
}

void wish(App& app, Fetch& fetch) {
  fetch = {.resource = fetch.resource, .refused = {}};
  app.wish_resources.emplace_back(fetch.resource->name);
  app.changed = true;
}

}  // namespace

bool want_resource(App& app, const scenes::Resource& resource) {
  if (is_there(app, resource)) return true;
  Fetch* fetch = find_fetch(app, resource.name);
  if (fetch == nullptr) fetch = &app.fetches.emplace_back(Fetch{.resource = &resource, .refused = "new"});
  if (!fetch->refused.empty()) wish(app, *fetch);
  return false;
}

void want_resources(App& app, Needs before) {
  for (const scenes::Resource* resource : needs(app, app.place)) {
    const Fetch* fetch = find_fetch(app, resource->name);
    if (fetch == nullptr || std::ranges::find(before, resource) == before.end()) want_resource(app, *resource);
  }
}

std::optional<scenes::Missing> missing(const App& app, const std::any& state) {
  for (const scenes::Resource* resource : app.scene->needs(state, app.place)) {
    if (is_there(app, *resource)) continue;
    const auto found = std::ranges::find(app.fetches, resource, &Fetch::resource);
    scenes::Missing made{.label = std::string(resource->label)};
    if (found == app.fetches.end()) return made;
    made.received = found->received;
    made.total = found->total;
    made.refused = found->refused;
    return made;
  }
  return std::nullopt;
}

void resource_progress(App& app, std::string_view name, double received, double total) {
  Fetch* fetch = find_fetch(app, name);
  if (fetch == nullptr) return;
  fetch->received = received;
  fetch->total = total;
  app.changed = true;
}

Result<void> resource_came(App& app, std::string_view name, std::span<const std::byte> bytes) {
  const Fetch* fetch = find_fetch(app, name);
  if (fetch == nullptr) return {};  // nobody asked for it
  const scenes::Resource& resource = *fetch->resource;
  Result<std::any> read = resource.read(bytes, resource.name);
  if (!read) {
    resource_failed(app, name, read.error().message);
    return std::unexpected(read.error());
  }
  app.resources.insert_or_assign(std::string(name), std::move(*read));
  std::erase_if(app.fetches, [&](const Fetch& one) { return one.resource == &resource; });
  if (is_for(app, resource)) compute_again(app);
  keep_promise(app);
  return {};
}

void resource_failed(App& app, std::string_view name, std::string reason) {
  Fetch* fetch = find_fetch(app, name);
  if (fetch == nullptr) return;
  if (promise_needs(app, *fetch->resource)) break_promise(app, reason);
  fetch->refused = std::move(reason);
  app.changed = true;
}

void fetch_again(App& app) {
  for (Fetch& fetch : app.fetches)
    if (!fetch.refused.empty()) wish(app, fetch);
}

}  // namespace limelight::app
