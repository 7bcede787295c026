#include "app/app.h"

#include <algorithm>
#include <utility>

#include "app/computed.h"
#include "app/hidden.h"

namespace limelight::app {
namespace {

constexpr double kNoticeSeconds = 7;

}  // namespace

App make_app() {
  App app;
  app.scene = scenes::all().front();
  app.state = app.scene->initial();
  show(app, compute(app, *app.scene, app.state));
  return app;
}

void notify(App& app, std::string text, bool good) {
  app.notice = {app.notice.serial + 1, std::move(text), good, app.now + kNoticeSeconds};
  app.changed = true;
}

void dismiss_error(App& app) {
  if (app.notice.good || app.notice.text.empty()) return;
  app.notice.text.clear();
  app.changed = true;
}

bool report(App& app, const Result<void>& result) {
  if (!result) notify(app, result.error().message);
  return result.has_value();
}

scenes::View view_of(const App& app, float width, float height) {
  return {.width = width,
          .height = height,
          .place = app.place,
          .t = app.t,
          .hovered = hovered_in_view(app),
          .held = app.held,
          .asking = asking_in_view(app),
          .pinned = app.pinned,
          .theme = app.theme(),
          .zoom = app.zoom,
          .touch = app.touch,
          .working = app.job && !app.job->snapshot.finished()
                         ? static_cast<float>(app.job->snapshot.done) /
                               static_cast<float>(std::max(app.job->snapshot.total, 1))
                         : -1,
          .rests = !app.works(),
          .missing = missing(app, app.state),
          .asks = app.guess < 0 && !hides(app, "question")};
}

}  // namespace limelight::app
