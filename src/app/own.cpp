// Models and weights of the reader's own: named by the state of a scene, kept here.
#include <algorithm>
#include <cstdlib>

#include "app/app.h"
#include "io/numbers.h"

namespace limelight::app {
namespace {

constexpr double kMegabyte = 1e6;          // bytes
constexpr double kLarge = 10 * kMegabyte;  // what is smaller comes too fast to be told about
constexpr double kSecondsOfProgress = 60;  // that a notice of it stays

// The open one if it takes them, else the first that does.
const scenes::SceneDef& scene_for_own(const App& app) {
  if (!app.scene->own.name.empty()) return *app.scene;
  return **std::ranges::find_if(scenes::all(), [](const scenes::SceneDef* scene) { return !scene->own.name.empty(); });
}

std::string value_of(const scenes::SceneDef& scene, const std::any& state, std::string_view field) {
  if (field.empty()) return {};
  for (const io::FieldInfo& info : scene.fields(state))
    if (info.field.name == field) return info.value;
  return {};
}

// What a reader wants to know of it once it is there.
std::string described(const scenes::Own& own) {
  const auto shape = [](int layers, int heads) {
    return io::count_of(layers, "layer") + " of " + io::count_of(heads, "head");
  };
  std::string text = label_of(own) + " is here: ";
  if (const auto* model = std::get_if<std::shared_ptr<const scenes::OwnModel>>(&own)) {
    text += shape((*model)->config.layers, (*model)->config.heads) + ".";
    if (!(*model)->tokenizer) text += " It came without a tokenizer, so its tokens are typed as numbers.";
  } else {
    const scenes::OwnWeights& weights = *std::get<std::shared_ptr<const scenes::OwnWeights>>(own);
    text += shape(weights.layers, weights.heads) + ", " + io::tokens_of(weights) + ".";
  }
  return text + " It stays on this machine.";
}

void show_progress(App& app) {
  Arriving& arriving = *app.arriving;
  if (arriving.total < kLarge) return;
  const std::string text = own_progress(app) + ". Press here to stop it.";
  if (app.notice.text.empty()) {
    notify(app, text, true);
    arriving.notice = app.notice.serial;
  } else if (app.notice.serial == arriving.notice) {
    app.notice.text = text;
  }
  if (app.notice.serial == arriving.notice) app.notice.until = app.now + kSecondsOfProgress;
  app.changed = true;
}

// The notice of it goes with it.
std::shared_ptr<Arriving> take_arriving(App& app) {
  std::shared_ptr<Arriving> arriving = std::exchange(app.arriving, nullptr);
  if (arriving && arriving->notice == app.notice.serial) app.notice.text.clear();
  app.changed = true;
  return arriving;
}

Error stopped() { return {"It was stopped on its way, or another one was given after it."}; }

}  // namespace

scenes::Inputs inputs_of(const App& app, const scenes::JobSnapshot* job) {
  return {.job = job, .resources = &app.resources, .pictures = &app.pictures, .own = &app.own};
}

Result<std::shared_ptr<const Arriving>> own_offered(App& app, std::span<const scenes::own::Offered> offered) {
  Result<scenes::own::Choice> choice = scene_for_own(app).own.choose(offered);
  if (!choice) return std::unexpected(choice.error());
  take_arriving(app);  // its memory, too
  auto arriving = std::make_shared<Arriving>();
  arriving->ticket = ++app.arrivals;
  for (const std::size_t i : choice->files) {
    const auto size = static_cast<std::size_t>(offered[i].size);
    // Not new, which ends the program where memory ends.
    std::shared_ptr<std::byte[]> bytes(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(size, 1))), std::free);
    if (!bytes)
      return fail(offered[i].name + " has " + io::format_fixed(static_cast<double>(size) / kMegabyte, 0) +
                  " MB, more than memory has left here." +
                  (app.own.empty() ? "" : " Let go of what was given before, or load the page again."));
    arriving->total += static_cast<double>(size);
    arriving->files.push_back({offered[i].name, std::move(bytes), size});
  }
  arriving->choice = std::move(*choice);
  app.arriving = arriving;
  show_progress(app);
  return arriving;
}

Result<std::span<std::byte>> own_piece(App& app, int ticket, std::size_t file, std::uint64_t begin,
                                       std::uint64_t size) {
  if (!app.arriving || app.arriving->ticket != ticket) return std::unexpected(stopped());
  if (file >= app.arriving->files.size())
    return fail("There is no file " + std::to_string(file) + " on its way; " +
                std::to_string(app.arriving->files.size()) + " are, counted from 0.");
  const Arriving::File& to = app.arriving->files[file];
  if (begin > to.size || size > to.size - begin)
    return fail(to.name + " has changed while it was read: it has more than its " + std::to_string(to.size) +
                " bytes.");
  app.arriving->received += static_cast<double>(size);
  show_progress(app);
  return std::span(to.bytes.get() + begin, static_cast<std::size_t>(size));
}

Result<std::string> own_arrived(App& app, int ticket) {
  if (!app.arriving || app.arriving->ticket != ticket) return std::unexpected(stopped());
  const std::shared_ptr<Arriving> arriving = take_arriving(app);
  if (arriving->received != arriving->total)
    return fail(arriving->choice.label + " is not complete: " + io::format_exact(arriving->received) + " of its " +
                io::format_exact(arriving->total) + " bytes have come.");
  std::vector<io::NamedFile> files;
  for (const Arriving::File& file : arriving->files) files.push_back({file.name, {file.bytes.get(), file.size}});
  return own_came(app, arriving->choice.label, files, arriving);
}

void own_broken(App& app, int ticket, std::string why) {
  if (!app.arriving || app.arriving->ticket != ticket) return;
  take_arriving(app);
  notify(app, std::move(why));
}

void stop_own(App& app) {
  if (const std::shared_ptr<Arriving> arriving = take_arriving(app))
    notify(app, arriving->choice.label + " was stopped on its way. What was shown stays.", true);
}

std::string own_progress(const App& app) {
  if (!app.arriving) return {};
  const int decimals = app.arriving->total < kLarge ? 1 : 0;
  const auto megabytes = [&](double bytes) { return io::format_fixed(bytes / kMegabyte, decimals); };
  return app.arriving->choice.label + " is on its way: " + megabytes(app.arriving->received) + " of " +
         megabytes(app.arriving->total) + " MB";
}

Result<std::string> own_came(App& app, const std::string& label, std::span<const io::NamedFile> files,
                             std::shared_ptr<const void> kept) {
  const scenes::SceneDef& scene = scene_for_own(app);
  std::string name = scene.own.name_of(files);
  Result<scenes::Own> read = scene.own.read(label, files, std::move(kept));
  if (!read) return std::unexpected(read.error());
  const std::string text = described(*read);
  io::Patch patch = scene.own.shown(*read, &scene == app.scene ? app.place.step : 1);
  const std::size_t kind = read->index();
  const bool wanted = missing_own(app, *app.scene, app.state) == name;
  const bool known = app.own.contains(name);
  app.own.insert_or_assign(name, std::move(*read));
  if (!wanted)
    patch.emplace_back(scene.own.name, name);  // which sets the rest to what it begins with
  else if (!patch.empty() && value_of(scene, app.state, patch[0].first) == patch[0].second)
    patch.clear();  // the link that it is wanted for was made after it had been shown so
  if (&scene != app.scene) patch.insert(patch.begin(), {"scene", std::string(scene.id)});
  if (const Result<void> shown = patch.empty() ? Result<void>() : change(app, patch); !shown) {
    if (!known) app.own.erase(name);
    return std::unexpected(shown.error());
  }
  std::erase_if(app.own, [&](const auto& one) { return one.first != name && one.second.index() == kind; });
  if (wanted) compute_again(app);
  notify(app, text, true);
  return name;
}

void remove_own(App& app) {
  if (app.own.empty()) return;
  std::string labels;
  for (const auto& [name, own] : app.own) labels += (labels.empty() ? "" : " and ") + label_of(own);
  const bool shown = app.own.contains(value_of(*app.scene, app.state, app.scene->own.name)),
             several = app.own.size() > 1;
  app.own.clear();
  if (shown) compute_again(app);
  notify(app, labels + (several ? " are" : " is") + " not here any more.", true);
}

std::string missing_own(const App& app, const scenes::SceneDef& scene, const std::any& state) {
  std::string name = value_of(scene, state, scene.own.name);
  return app.own.contains(name) ? std::string() : name;
}

}  // namespace limelight::app
