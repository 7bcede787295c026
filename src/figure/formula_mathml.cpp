// Formulas as MathML Core (https://www.w3.org/TR/mathml-core/).
#include <string>
#include <string_view>

#include "figure/formula.h"
#include "io/utf8.h"

namespace limelight::figure {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ') out += c;  // XML 1.0 has no other control characters
    }
  }
  return out;
}

std::string tag(std::string_view name, std::string_view inside, std::string_view attributes = {}) {
  std::string out = "<";
  out.append(name).append(attributes).append(">").append(inside).append("</").append(name).append(">");
  return out;
}

// A name is italic by default when it is one letter, and upright when it is more; this says otherwise.
std::string identifier(std::string_view text, bool italic) {
  const bool one_letter = io::decode_utf8(text).size() == 1;
  if (one_letter == italic) return tag("mi", escaped(text));
  return tag("mi", escaped(text), italic ? R"( mathvariant="italic")" : R"( mathvariant="normal")");
}

std::string element(const Formula& formula);

std::string row_of(const Formula& formula) {
  constexpr std::string_view kApply = "<mo>\u2061</mo>";  // function application, so that "exp(z)" is read as one
  const std::vector<Formula> parts = top_level(formula);
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool function = parts[i]->kind == FormulaKind::word && i + 1 < parts.size() &&
                          parts[i + 1]->kind == FormulaKind::row && parts[i + 1]->text == "()";
    out += function ? identifier(parts[i]->text, false).append(kApply) : element(parts[i]);
  }
  return out;
}

// Exactly one element, as the children of fractions and scripts must be.
std::string one(const Formula& formula) {
  const std::vector<Formula> parts = top_level(formula);
  return parts.size() == 1 ? element(parts[0]) : tag("mrow", row_of(formula));
}

// A base with what stands below and above it, or at its lower and upper right.
struct Attachment {
  std::string_view low, high, both;
};
constexpr Attachment kScripts{"msub", "msup", "msubsup"};
constexpr Attachment kLimits{"munder", "mover", "munderover"};

std::string attached(const Attachment& names, std::string base, const Formula& low, const Formula& high) {
  if (low && high) return tag(names.both, base + one(low) + one(high));
  if (low) return tag(names.low, base + one(low));
  if (high) return tag(names.high, base + one(high));
  return base;
}

std::string element(const Formula& formula) {
  const auto child = [&formula](std::size_t i) {
    return i < formula->children.size() ? formula->children[i] : nullptr;
  };
  switch (formula->kind) {
    case FormulaKind::symbol:
      return identifier(formula->text, true);
    case FormulaKind::word:
      return tag("mtext", escaped(formula->text));
    case FormulaKind::number:
      return tag("mn", escaped(formula->text));
    case FormulaKind::operation:
      return tag("mo", escaped(formula->text));
    case FormulaKind::row: {
      const std::string inside = row_of(row(formula->children));
      return tag("mrow", formula->text == "()" ? "<mo>(</mo>" + inside + "<mo>)</mo>" : inside);
    }
    case FormulaKind::fraction:
      return tag("mfrac", one(child(0)) + one(child(1)));
    case FormulaKind::root:
      return tag("msqrt", row_of(child(0)));
    case FormulaKind::script:
      return attached(kScripts, one(child(0)), child(1), child(2));
    case FormulaKind::large:
      return attached(kLimits, tag("mo", escaped(formula->text)), child(0), child(1));
  }
  return {};
}

}  // namespace

std::string mathml(const Formula& formula) {
  return tag("math", row_of(formula), R"( xmlns="http://www.w3.org/1998/Math/MathML")");
}

}  // namespace limelight::figure
