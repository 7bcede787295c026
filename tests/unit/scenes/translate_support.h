// A small model of the corpus with weights as they are before training: what holds of any weights holds of these.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <map>
#include <memory>
#include <string>

#include "learn/training.h"
#include "scenes/translate/translate.h"

namespace limelight::test {

inline learn::Training untrained(bool attention, const std::string& task = "french") {
  learn::Settings settings;
  settings.task = task;
  settings.embedding = 6;
  settings.hidden = 8;
  settings.attention_size = 5;
  settings.attention = attention;
  if (task == "french") settings.min_words = 3, settings.max_words = 30;
  Result<learn::Training> made = learn::start_training(settings);
  REQUIRE(made);
  // With small weights all states are nearly alike.
  learn::Weights::each([](const std::string&, Matrix& weight) { weight *= 3; }, made->weights);
  return std::move(*made);
}

struct Models {
  std::map<std::string, std::any, std::less<>> resources;

  Models() {
    using scenes::translate::Model;
    resources.emplace(scenes::translate::kAttention, Model(std::make_shared<const learn::Training>(untrained(true))));
    resources.emplace(scenes::translate::kFixed, Model(std::make_shared<const learn::Training>(untrained(false))));
  }
  [[nodiscard]] scenes::Inputs inputs() const { return {.resources = &resources}; }
  [[nodiscard]] const learn::Training& attention() const {
    return **inputs().resource<scenes::translate::Model>(scenes::translate::kAttention);
  }
  [[nodiscard]] const learn::Training& fixed() const {
    return **inputs().resource<scenes::translate::Model>(scenes::translate::kFixed);
  }
};

}  // namespace limelight::test
