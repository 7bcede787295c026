// A row for each step of Limits: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/limits/inspect.h"
#include "scenes/limits/parts.h"

namespace limelight::scenes::limits {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;
  [[nodiscard]] double at(std::string_view tensor, int i = 0, int j = 0) const {
    return static_cast<double>(trace.at(tensor).values(i, j));
  }
  [[nodiscard]] std::string key(int j) const { return said_key(state, j); }
  [[nodiscard]] int keys() const { return trace.at("a").columns(); }
};

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const Asked& a);  // while no number is looked at
  std::string_view result;                // the tensor that the CSV holds; empty: the one of the claim
};
const Row& row_at(Place place);

float draw_spread(Drawing& d, float y, float bottom);
float draw_sum(Drawing& d, float y, float bottom);
float draw_weights(Drawing& d, float y, float bottom);
float draw_values(Drawing& d, float y, float bottom);
float draw_axis(Drawing& d, float y, float bottom);
float draw_claims(Drawing& d, float y, float bottom);

std::string tell_spread(const Told& t);
std::string tell_sum(const Told& t);
std::string tell_weights(const Told& t);
std::string tell_values(const Told& t);
std::string tell_axis(const Told& t);
std::string tell_claims(const Told& t);

Inspection formula_spread(const Asked& a);
Inspection formula_sum(const Asked& a);
Inspection formula_weights(const Asked& a);
Inspection formula_values(const Asked& a);
Inspection formula_axis(const Asked& a);
Inspection formula_claims(const Asked& a);

}  // namespace limelight::scenes::limits
