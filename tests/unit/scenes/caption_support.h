// Small captioners with weights as they are before training: what holds of any weights holds of these.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "learn/caption_training.h"
#include "scenes/caption/caption.h"

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

// The same, but it has all but the whole of its attention on one cell, and always says one word.
inline learn::captions::Training staring(learn::captions::Glimpse attention, int grid, int cell,
                                         std::string_view word) {
  learn::captions::Training made = untrained(attention, grid);
  learn::captions::Weights& weights = made.weights;
  weights.additive.query_weight.setZero();
  weights.additive.key_weight.setZero();
  weights.additive.v.setZero();
  weights.position.setZero();
  weights.position(cell, 0) = 1;
  // A key ends in the position; e = 20 tanh(5) at the cell and 0 elsewhere.
  weights.additive.key_weight(weights.additive.key_weight.rows() - weights.position.cols(), 0) = 5;
  weights.additive.v(0, 0) = 20;
  weights.output.weight.setZero();
  weights.output.bias.setZero();
  weights.output.bias(0, *learn::pictures::vocabulary().find(word)) = 10;
  return made;
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
  // Both models of the finer grid stare at a cell and say a word.
  void stare(int cell, std::string_view word) {
    using namespace scenes::caption;
    using learn::captions::Glimpse;
    for (const Gaze gaze : {Gaze::soft, Gaze::hard})
      resources[std::string(file_of(Grid::eight, gaze))] = Model(std::make_shared<const learn::captions::Training>(
          staring(gaze == Gaze::soft ? Glimpse::soft : Glimpse::hard, 8, cell, word)));
  }
  [[nodiscard]] scenes::Inputs inputs() const { return {.resources = &resources, .pictures = &pictures}; }
  [[nodiscard]] const learn::captions::Training& model(scenes::caption::Grid grid, scenes::caption::Gaze gaze) const {
    return **inputs().resource<scenes::caption::Model>(scenes::caption::file_of(grid, gaze));
  }
};

}  // namespace limelight::test
