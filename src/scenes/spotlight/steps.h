// A row for each step of Spotlight: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/formula.h"
#include "figure/panels.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;
  const View& view;
  std::vector<std::string> queries, keys;  // told apart
  int row;                                 // the query

  [[nodiscard]] const std::string& query() const { return queries[static_cast<std::size_t>(row)]; }
};

// What the steps' formulas are made of.
struct Formulas {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  Formula Q = coloured(symbol("Q"), colours.query), K = coloured(symbol("K"), colours.key),
          V = coloured(symbol("V"), colours.value), X = coloured(symbol("X"), colours.input);
  Formula KT = script(K, nullptr, word("T"));

  [[nodiscard]] Formula W(std::string_view which, Colour colour) const {
    return coloured(script(symbol("W"), word(which)), colour);
  }
  [[nodiscard]] Formula scaled() const;  // Q Kᵀ over √d, plus the mask
};

std::string extent(const Tensor& tensor);  // "3×4"
// Whether a weight of this row was set by hand.
bool weights_set_in(const State& state, int row);

struct Row {
  Step step;
  std::vector<PanelRow> (*panels)(const Drawing& d);
  void (*mark)(Drawing& d) = nullptr;  // what it does for the query, while nothing else is looked at
  std::string (*tell)(const Told& told);
  Inspection (*formula)(const Formulas& f);  // while no number is looked at
  std::string_view result;                   // the tensor that the CSV holds
  std::string_view editable{};               // the numbers that can be changed
  std::string_view signs{};                  // what signs of the formula mean
  bool has_mask = false;                     // in the formula
  bool names_features = false;               // of an example that has names for them
  bool given = false;                        // by an example that has no embeddings: then it shows Q, K and V
};
const Row& row_at(Place place);
inline constexpr std::string_view kWeight = "A weight";

std::vector<PanelRow> panels_words(const Drawing& d);
std::vector<PanelRow> panels_x(const Drawing& d);
std::vector<PanelRow> panels_w(const Drawing& d);
std::vector<PanelRow> panels_qkv(const Drawing& d);
std::vector<PanelRow> panels_scores(const Drawing& d);
std::vector<PanelRow> panels_scale(const Drawing& d);
std::vector<PanelRow> panels_softmax(const Drawing& d);
std::vector<PanelRow> panels_output(const Drawing& d);
std::vector<PanelRow> panels_glance(const Drawing& d);

void mark_qkv(Drawing& d);
void mark_scores(Drawing& d);
void mark_output(Drawing& d);

std::string tell_words(const Told& told);
std::string tell_x(const Told& told);
std::string tell_w(const Told& told);
std::string tell_qkv(const Told& told);
std::string tell_scores(const Told& told);
std::string tell_scale(const Told& told);
std::string tell_softmax(const Told& told);
std::string tell_output(const Told& told);
std::string tell_glance(const Told& told);

Inspection formula_x(const Formulas& f);
Inspection formula_qkv(const Formulas& f);
Inspection formula_scores(const Formulas& f);
Inspection formula_scale(const Formulas& f);
Inspection formula_softmax(const Formulas& f);
Inspection formula_output(const Formulas& f);

}  // namespace limelight::scenes::spotlight
