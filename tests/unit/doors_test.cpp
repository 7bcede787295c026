// The pictures on the opening's doors, whose weights are kept beside the scenes that they are of.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <span>

#include "app/doors.h"
#include "scenes/scene.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::app;

namespace {

using Resources = std::map<std::string, std::any, std::less<>>;

Resources read_all(std::span<const scenes::Resource* const> needed) {
  Resources resources;
  for (const scenes::Resource* const one : needed) {
    Result<std::any> read = one->read(test::model_bytes(one->name), one->name);
    REQUIRE(read);
    resources.emplace(one->name, std::move(*read));
  }
  return resources;
}

}  // namespace

TEST_CASE("doors: the translation shows where the order turns round in what its scene begins with") {
  const scenes::SceneDef& translate = *scenes::find("translate");
  const std::any state = translate.initial();
  const Resources resources = read_all(translate.needs(state, {.step = 1}));
  const Trace trace = translate.compute(state, {.resources = &resources});
  const Tensor& weights = trace.at("weights");
  for (int i = 0; i < 3; ++i) {
    CHECK(weights.row_labels[static_cast<std::size_t>(kDoorFirstOutput + i)] ==
          kDoorOutput[static_cast<std::size_t>(i)]);
    CHECK(weights.column_labels[static_cast<std::size_t>(kDoorFirstSource + i)] ==
          kDoorSource[static_cast<std::size_t>(i)]);
    for (int j = 0; j < 3; ++j)
      CHECK(std::abs(weights.values(kDoorFirstOutput + i, kDoorFirstSource + j) - kDoorAlignment[i][j]) < 1e-3F);
  }
}

TEST_CASE("doors: the picture shows where the trained captioner looks") {
  const scenes::SceneDef& caption = *scenes::find("caption");
  const std::any state = caption.initial();
  const Resources resources = read_all(caption.needs(state, {.step = 4}));
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
