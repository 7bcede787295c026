// A row for each step of Score: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/score/parts.h"

namespace limelight::scenes::score {

// What the narration is told from.
struct Told {
  const State& state;
  const Trace& trace;
  std::vector<std::string> keys;
  std::string query;

  [[nodiscard]] double at(std::string_view tensor, int i, int j) const {
    return static_cast<double>(trace.at(tensor).values(i, j));
  }
  [[nodiscard]] std::string key(int j) const { return bold(keys[static_cast<std::size_t>(j)]); }
  [[nodiscard]] int winner_of(std::string_view tensor, int row) const { return winner(trace.at(tensor).values, row); }
};

struct Row {
  Step step;
  float (*draw)(Drawing& d);  // returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const Palette& colours);  // while no number is looked at
  std::string_view result;                        // the tensor that the CSV holds
};
const Row& row_at(Place place);

float draw_arrows(Drawing& d);
float draw_scores(Drawing& d);
float draw_weights(Drawing& d);
float draw_triangle(Drawing& d);
float draw_module(Drawing& d);
float draw_sums(Drawing& d);
float draw_context(Drawing& d);
float draw_glance(Drawing& d);

std::string tell_arrows(const Told& t);
std::string tell_scores(const Told& t);
std::string tell_weights(const Told& t);
std::string tell_triangle(const Told& t);
std::string tell_module(const Told& t);
std::string tell_sums(const Told& t);
std::string tell_context(const Told& t);
std::string tell_glance(const Told& t);

Inspection formula_arrows(const Palette& colours);
Inspection formula_scores(const Palette& colours);
Inspection formula_weights(const Palette& colours);
Inspection formula_module(const Palette& colours);
Inspection formula_sums(const Palette& colours);
Inspection formula_context(const Palette& colours);

}  // namespace limelight::scenes::score
