#include "figure/formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/sort.h"
#include "figure/order.h"
#include "io/numbers.h"

namespace limelight::figure {
namespace {

Formula node(FormulaKind kind, std::string_view text, std::vector<Formula> children = {}) {
  return std::make_shared<const FormulaNode>(
      FormulaNode{.kind = kind, .text = std::string(text), .colour = {}, .children = std::move(children)});
}

// Spaces as The TeXbook (chapter 18) has them: thick around relations, medium around sums; the dot of a product holds
// its factors closer together.
constexpr float kThick = 5.0F / 18;
constexpr float kMedium = 4.0F / 18;
constexpr float kThin = 3.0F / 18;
constexpr float kTight = 0.1F;
constexpr std::array kOperators{
    Operator{"=", kThick, kThick, 3},   Operator{"≈", kThick, kThick, 3},   Operator{"+", kMedium, kMedium, 2},
    Operator{"−", kMedium, kMedium, 2}, Operator{"±", kMedium, kMedium, 2}, Operator{"×", kMedium, kMedium, 1},
    Operator{"·", kTight, kTight, 1},   Operator{"/", kTight, kTight, 0},   Operator{",", 0, kThin, 0}};
constexpr Operator kRelation{"", kThick, kThick, 0};  // any other: ≤, →, ∈

// ---- in words
// --------------------------------------------------------------------------------------------------------

bool is_parenthesised(const Formula& f) { return f && f->kind == FormulaKind::row && f->text == "()"; }

std::string in_parentheses(std::string text) { return '(' + std::move(text) + ')'; }

// True when it would fall apart beside a "/" or a "·".
bool is_loose(const Formula& formula) {
  return std::ranges::any_of(top_level(formula), [](const Formula& part) {
    return part->kind == FormulaKind::operation || part->kind == FormulaKind::fraction;
  });
}

std::string closed(const Formula& formula) {
  return is_loose(formula) ? in_parentheses(plain(formula)) : plain(formula);
}

std::string plain_script(char mark, const Formula& formula) {
  if (!formula) return {};
  return mark + closed(formula);
}

std::string plain_part(const Formula& part) {
  const auto child = [&part](std::size_t i) { return i < part->children.size() ? part->children[i] : nullptr; };
  switch (part->kind) {
    case FormulaKind::fraction:
      return closed(child(0)) + " / " + closed(child(1));
    case FormulaKind::root: {
      const std::vector<Formula> inside = top_level(child(0));
      const bool one = inside.size() == 1 && !is_loose(child(0)) && !is_parenthesised(inside[0]);
      return "√" + (one ? plain(child(0)) : in_parentheses(plain(child(0))));
    }
    case FormulaKind::script:
      return closed(child(0)) + plain_script('_', child(1)) + plain_script('^', child(2));
    case FormulaKind::large:
      return part->text + plain_script('_', child(0)) + plain_script('^', child(1));
    case FormulaKind::row: {  // in parentheses or unbroken; all others are undone by top_level
      const std::string inside = plain(row(part->children));
      return part->text == "()" ? in_parentheses(inside) : inside;
    }
    case FormulaKind::symbol:
    case FormulaKind::word:
    case FormulaKind::number:
    case FormulaKind::operation:
      return part->text;
  }
  return {};
}

bool is_spaced(float em) { return em > kTight; }

// True when a blank goes between parts[i - 1] and parts[i].
bool plain_blank(const std::vector<Formula>& parts, std::size_t i) {
  const Formula& left = parts[i - 1];
  const Formula& right = parts[i];
  if (right->kind == FormulaKind::operation && is_binary(parts, i)) return is_spaced(operator_of(right->text).before);
  if (left->kind == FormulaKind::operation) return is_binary(parts, i - 1) && is_spaced(operator_of(left->text).after);
  if (is_parenthesised(right)) return left->kind == FormulaKind::large;
  const auto is_any = [](const Formula& f, auto... kinds) { return ((f->kind == kinds) || ...); };
  using enum FormulaKind;
  return is_any(left, word, large, fraction) || is_any(right, word, large, fraction) || is_any(right, number);
}

}  // namespace

Formula symbol(std::string_view name) { return node(FormulaKind::symbol, name); }
Formula word(std::string_view text) { return node(FormulaKind::word, text); }
Formula number(std::string_view text) { return node(FormulaKind::number, text); }
Formula operation(std::string_view sign) { return node(FormulaKind::operation, sign == "-" ? "−" : sign); }
Formula row(std::vector<Formula> parts) { return node(FormulaKind::row, "", std::move(parts)); }
Formula fraction(Formula over, Formula under) {
  return node(FormulaKind::fraction, "", {std::move(over), std::move(under)});
}
Formula root(Formula inside) { return node(FormulaKind::root, "", {std::move(inside)}); }
Formula script(Formula base, Formula sub, Formula sup) {
  return node(FormulaKind::script, "", {std::move(base), std::move(sub), std::move(sup)});
}
Formula large(std::string_view sign, Formula below, Formula above) {
  return node(FormulaKind::large, sign, {std::move(below), std::move(above)});
}
Formula parenthesised(Formula inside) { return node(FormulaKind::row, "()", {std::move(inside)}); }

Formula coloured(Formula inside, Colour colour) {
  if (!inside || inside->colour) return inside;
  FormulaNode copy = *inside;
  copy.colour = colour;
  return std::make_shared<const FormulaNode>(std::move(copy));
}

std::vector<Formula> top_level(const Formula& formula) {
  if (!formula) return {};
  if (formula->kind != FormulaKind::row || !formula->text.empty()) return {formula};
  std::vector<Formula> parts;
  for (const Formula& child : formula->children) {
    for (Formula& part : top_level(formula->colour ? coloured(child, *formula->colour) : child)) {
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

bool is_binary(const std::vector<Formula>& parts, std::size_t index) {
  return parts[index]->kind == FormulaKind::operation &&
         (operator_of(parts[index]->text).rank == 3 || (index > 0 && parts[index - 1]->kind != FormulaKind::operation));
}

const Operator& operator_of(std::string_view sign) {
  const auto found = std::ranges::find(kOperators, sign, &Operator::sign);
  return found == kOperators.end() ? kRelation : *found;
}

Formula sum_of_products(const std::vector<Term>& terms, int decimals, Colour left, Colour right) {
  constexpr std::size_t kMost = 4;
  std::vector<float> sizes;
  for (const Term& term : terms) sizes.push_back(std::abs(term.left * term.right));
  std::vector<int> largest = largest_first(sizes);
  std::erase_if(largest, [&](int i) { return sizes[static_cast<std::size_t>(i)] == 0; });
  if (largest.empty()) return number("0");
  const std::size_t count = largest.size();
  largest.resize(std::min(count, kMost));
  heap_sort(largest);

  const auto written = [](double value, int most) {
    return io::format_fixed(value, value == std::round(value) ? 0 : most);
  };
  // A negative factor stands in parentheses, except at the very beginning.
  const auto factor = [&](float value, Colour colour, bool begins) {
    const std::string text = written(static_cast<double>(value), decimals);
    const Formula plain_number = coloured(number(text), colour);
    return text.starts_with("−") && !begins ? parenthesised(plain_number) : plain_number;
  };
  std::vector<Formula> parts;
  double rest = 0;
  for (int i = 0; i < static_cast<int>(terms.size()); ++i) {
    const Term& term = terms[static_cast<std::size_t>(i)];
    if (std::ranges::find(largest, i) == largest.end()) {
      rest += static_cast<double>(term.left) * static_cast<double>(term.right);
      continue;
    }
    const bool begins = parts.empty();
    if (!begins) parts.push_back(operation("+"));
    parts.push_back(factor(term.left, left, begins));
    parts.push_back(operation("·"));
    parts.push_back(factor(term.right, right, false));
  }
  if (count > kMost) {
    parts.push_back(operation("+"));
    // One part: its "=" is not the formula's. As many digits as keep the sum true.
    parts.push_back(node(
        FormulaKind::row, "{}",
        {number(std::to_string(count - kMost)), word("more"), operation("="), number(written(rest, decimals + 2))}));
  }
  return row(std::move(parts));
}

std::string plain(const Formula& formula) {
  const std::vector<Formula> parts = top_level(formula);
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && plain_blank(parts, i)) text += ' ';
    // A fraction written on one line holds together beside whatever multiplies it.
    const auto multiplies = [&parts](std::size_t j) {
      return parts[j]->kind != FormulaKind::operation || operator_of(parts[j]->text).rank == 1;
    };
    const bool beside = (i > 0 && multiplies(i - 1)) || (i + 1 < parts.size() && multiplies(i + 1));
    const bool apart = beside && parts[i]->kind == FormulaKind::fraction;
    text += apart ? in_parentheses(plain_part(parts[i])) : plain_part(parts[i]);
  }
  return text;
}

}  // namespace limelight::figure
