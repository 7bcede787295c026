// Every scene, example and step as a reader has it: with the trained models of web/models, and what its job finds in a
// moment.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>

#include "app/app.h"
#include "unit/fonts.h"
#include "unit/models.h"
#include "unit/swept.h"

namespace limelight::test {

inline void bring_resources(app::App& app) {
  for (const std::string& name : std::exchange(app.wish_resources, {})) {
    REQUIRE(app::resource_came(app, name, model_bytes(name)));
  }
}

inline void each_step(const std::function<void(app::App&)>& visit) {
  for (const scenes::SceneDef* scene : swept()) {
    const std::vector<io::FieldInfo> fields = scene->fields(scene->initial());  // the first is the example
    for (const io::Choice& preset : fields.front().field.choices) {
      app::App app = app::make_app();
      for (const scenes::Step& step : scene->steps()) {
        CAPTURE(scene->id);
        CAPTURE(step.id);
        REQUIRE(app::open_link(app, "scene=" + std::string(scene->id) + "&preset=" + std::string(preset.value) +
                                        "&step=" + std::string(step.id)));
        bring_resources(app);
        for (int slice = 0; slice < 200 && (slice == 0 || app.works()); ++slice) app::advance(app, slice, 20);
        visit(app);
      }
    }
  }
}

}  // namespace limelight::test
