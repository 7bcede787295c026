// Small captioners with weights as they are before training: what holds of any weights holds of these.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <map>
#include <memory>
#include <string>

#include "learn/caption_training.h"
#include "scenes/caption.h"

namespace limelight::test {

inline learn::captions::Training untrained(learn::captions::Glimpse attention, int grid) {
  learn::captions::Settings settings;
  settings.attention = attention;
  settings.grid = grid;
  settings.features = 6;
  settings.embedding = 5;
  settings.hidden = 8;
  settings.attention_size = 5;
  settings.seed = attention == learn::captions::Glimpse::soft ? 1 : 2;
  Result<learn::captions::Training> made = learn::captions::start_training(settings);
  REQUIRE(made);
  // With small weights all states are nearly alike.
  learn::captions::Weights::each([](const std::string&, Matrix& weight) { weight *= 2; }, made->weights);
  return std::move(*made);
}

struct Captioners {
  std::map<std::string, std::any, std::less<>> resources;
  std::map<std::string, scenes::Picture, std::less<>> pictures;

  Captioners() {
    using namespace scenes::caption;
    using learn::captions::Glimpse;
    for (const Grid grid : {Grid::eight, Grid::three})
      for (const Gaze gaze : {Gaze::soft, Gaze::hard}) {
        const Glimpse attention = gaze == Gaze::soft ? Glimpse::soft : Glimpse::hard;
        resources.emplace(file_of(grid, gaze), Model(std::make_shared<const learn::captions::Training>(
                                                   untrained(attention, grid == Grid::eight ? 8 : 3))));
      }
  }
  [[nodiscard]] scenes::Inputs inputs() const { return {.resources = &resources, .pictures = &pictures}; }
  [[nodiscard]] const learn::captions::Training& model(scenes::caption::Grid grid, scenes::caption::Gaze gaze) const {
    return **inputs().resource<scenes::caption::Model>(scenes::caption::file_of(grid, gaze));
  }
};

}  // namespace limelight::test
