// Letters and numbers of a formula, each run a box that reaches as far as its ink does.
#pragma once

#include <optional>
#include <string_view>

#include "figure/formula.h"

namespace limelight::figure {

struct FormulaStyle {
  float size;
  float smallest;
  bool script = false;
  bool in_fraction = false;
  std::optional<Colour> colour{};
};

// In the first of the serif faces that has it all, else the sans, which knows the most letters.
SetFormula set_serif(std::string_view utf8, bool italic, const FormulaStyle& style);
SetFormula set_number(std::string_view utf8, const FormulaStyle& style);
SetFormula set_text(std::string_view utf8, text::Face face, float size, const FormulaStyle& style);
// How far an italic letter reaches beyond its advance, in em.
float overhang_of(char32_t italic);

}  // namespace limelight::figure
