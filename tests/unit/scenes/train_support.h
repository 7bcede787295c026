// What the tests of Train have in common.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <string_view>

#include "app/app.h"
#include "scenes/train/record.h"
#include "scenes/train/words.h"
#include "unit/models.h"

namespace limelight::test {

inline double run(const Trace& trace, int column, int model = scenes::train::kWith) {
  return static_cast<double>(trace.at("run").values(model, column));
}
inline double run(const app::App& app, int column, int model = scenes::train::kWith) {
  return run(app.trace, column, model);
}

// The app with the record, at its first step.
inline app::App with_record(const io::Patch& also = {}) {
  app::App app = app::make_app();
  io::Patch patch{{"scene", "train"}};
  patch.insert(patch.end(), also.begin(), also.end());
  REQUIRE(app::change(app, patch));
  REQUIRE(app::resource_came(app, scenes::train::kRecord.name, model_bytes(scenes::train::kRecord.name)));
  return app;
}

inline figure::Figure drawn(const app::App& app, std::string_view step, float width = 1136, float height = 560,
                            float t = 1) {
  scenes::View view{.width = width, .height = height, .t = t};
  while (app.scene->steps()[static_cast<std::size_t>(view.place.step - 1)].id != step) ++view.place.step;
  return app.scene->draw(app.state, app.trace, view);
}

}  // namespace limelight::test
