// The pictures on the opening's doors, whose weights are kept beside the scenes that they are of.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "app/doors.h"
#include "scenes/scene.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::app;

TEST_CASE("doors: the translation shows the alignment that its scene begins with") {
  const scenes::SceneDef& translate = *scenes::find("translate");
  const Trace alignment = translate.compute(translate.initial(), {});
  const Matrix& weights = alignment.at("weights").values;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) CHECK(std::abs(weights(i, j) - kDoorAlignment[i][j]) < 1e-3F);
}

TEST_CASE("doors: the picture shows where the trained captioner looks") {
  const scenes::SceneDef& caption = *scenes::find("caption");
  const std::any state = caption.initial();
  std::map<std::string, std::any, std::less<>> resources;
  for (const scenes::Resource* const one : caption.needs(state, {.step = 4})) {
    Result<std::any> read = one->read(test::model_bytes(one->name), one->name);
    REQUIRE(read);
    resources.emplace(one->name, std::move(*read));
  }
  const Trace trace = caption.compute(state, {.resources = &resources});
  const auto row = trace.at("weights").values.row(kDoorWord);
  float told = 0;
  for (const DoorCell& cell : kDoorLight) {
    CHECK(std::abs(row(cell.row * kDoorCells + cell.column) - cell.weight) < 1e-3F);
    told += cell.weight;
  }
  CHECK(told > 0.95F);
  const Matrix& at = trace.at("at").values;
  for (int thing = 0; thing < 2; ++thing) {
    CHECK(at(thing, 0) == kDoorThings[thing].centre.x);
    CHECK(at(thing, 1) == kDoorThings[thing].centre.y);
  }
}
