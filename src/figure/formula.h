// Formulas with live numbers in them: built as a tree, set in one way for every painter, and written as MathML.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/colour.h"
#include "figure/geometry.h"
#include "text/font.h"

namespace limelight::figure {

struct FormulaNode;
using Formula = std::shared_ptr<const FormulaNode>;

enum class FormulaKind { symbol, word, number, operation, row, fraction, root, script, large };

struct FormulaNode {
  FormulaKind kind = FormulaKind::row;
  std::string text{};  // symbol, word, number, operation, large ("∑"); row: "()" in parentheses, "{}" never broken
  std::optional<Colour> colour{};   // of this node and all below it that have none of their own
  std::vector<Formula> children{};  // row: all; fraction: over, under; root: inside; script: base, sub or null, sup or
                                    // null; large: below or null, above or null
};

Formula symbol(std::string_view name);     // italic, as variables are: a, Q, z
Formula word(std::string_view text);       // upright serif: exp, softmax, or a token
Formula number(std::string_view text);     // monospaced, already formatted
Formula operation(std::string_view sign);  // = + − × · with space around it
Formula row(std::vector<Formula> parts);
Formula fraction(Formula over, Formula under);
Formula root(Formula inside);
Formula script(Formula base, Formula sub, Formula sup = nullptr);
Formula large(std::string_view sign, Formula below = nullptr, Formula above = nullptr);
Formula coloured(Formula inside, Colour colour);
// ( inside ), the parentheses as tall as what they hold.
Formula parenthesised(Formula inside);

// ---- reading a formula, for its layout, its MathML and its words ----

// Its parts from left to right, rows within rows undone and their colours handed down; a formula that is no row is its
// own part.
std::vector<Formula> top_level(const Formula& formula);
// An operation between two parts; "−" before a number is none.
bool is_binary(const std::vector<Formula>& parts, std::size_t index);
// What a binary sign asks of its neighbours; one that is not binary keeps no distance.
struct Operator {
  std::string_view sign;
  float before;  // space, em
  float after;
  int rank;  // where lines are broken: the highest first, never at 0
};
const Operator& operator_of(std::string_view sign);

// ---- building ----

// Σ of products with the numbers in it: "0.33·0.54 + 0.89·0.70 + …", without those that are 0; of more than four the
// largest, in their order, and "+ 60 more = 0.1237" (the sum of the rest).
struct Term {
  float left = 0;
  float right = 0;
};
Formula sum_of_products(const std::vector<Term>& terms, int decimals, Colour left, Colour right);

// A formula set at a size: text runs and rules at offsets from its baseline's start.
struct SetText {
  std::string text{};
  text::Face face = text::Face::math;
  float size = 0;
  Point baseline{};  // start of the run
  std::optional<Colour> colour{};
};
struct SetRule {
  Rect rect{};
  std::optional<Colour> colour{};
};
struct SetStroke {
  std::vector<Point> points{};
  float width = 1;
  std::optional<Colour> colour{};
};
struct SetFormula {
  float width = 0;
  float ascent = 0;
  float descent = 0;
  std::vector<SetText> texts{};
  std::vector<SetRule> rules{};
  std::vector<SetStroke> strokes{};  // polylines: root signs, tall parentheses
};
SetFormula set_formula(const Formula& formula, float size);
// As set_formula, broken at top-level operators into lines no wider than `width`; lines after the first are indented.
std::vector<SetFormula> set_lines(const Formula& formula, float size, float width);
// From the top of the first to the bottom of the last line, as a FormulaBox stacks them: kLineGap em apart.
inline constexpr float kLineGap = 0.5F;
float lines_height(const std::vector<SetFormula>& lines, float size);

// A <math> element, without colours.
std::string mathml(const Formula& formula);
// "a = exp(z) / (…)": for narration, titles and tests.
std::string plain(const Formula& formula);

}  // namespace limelight::figure
