#include "figure/formula_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "io/utf8.h"

namespace limelight::figure {
namespace {

constexpr float kNumberScale = 0.88F;  // monospaced digits look larger than serif ones

// How far the ink of some characters reaches, in em; the rest reach from the baseline to a little above the capitals.
struct Reach {
  std::u32string_view characters;
  float up;
  float down;
};
constexpr float kTallEm = 0.69F;  // b d f h k l, capitals, digits
constexpr std::array kReaches{Reach{U"acemnorsuvwxzıαεικνοπστυωϵ", 0.46F, 0.02F},
                              Reach{U"gpqyγηµμρςχ", 0.47F, 0.22F},
                              Reach{U"jQβζξφψϕ()[]{}|/\\$§¶ƒ@", kTallEm, 0.22F},
                              Reach{U"…._", 0.11F, 0.13F},
                              Reach{U",;", 0.46F, 0.15F},
                              Reach{U"+±×÷=≈<>≤≥", 0.56F, 0.08F},
                              Reach{U"−-·∙⋅–—", 0.34F, -0.15F},
                              Reach{U"∑∏∫", 0.83F, 0.33F}};
constexpr std::array kSlantedReaches{Reach{U"f", kTallEm, 0.22F}, Reach{U"z", 0.46F, 0.09F}};
// Diacritics above capitals, and whatever a foreign script brings.
constexpr Reach kForeign{U"", 0.95F, 0.25F};

Reach reach_of(bool slanted, char32_t c) {
  for (const Reach& reach : kSlantedReaches) {
    if (slanted && reach.characters.contains(c)) return reach;
  }
  for (const Reach& reach : kReaches) {
    if (reach.characters.contains(c)) return reach;
  }
  const bool plain_letter = c < 0xC0 || (c >= 0x391 && c <= 0x3D5) || (c >= 0x2000 && c < 0x2C00);
  return plain_letter ? Reach{U"", kTallEm, 0.02F} : kForeign;
}

// Letters that reach beyond their advance, in em: to the left of their origin, to the right of their end.
struct Lean {
  std::u32string_view characters;
  float left;
  float right;
};
constexpr std::array kSlantedLeans{Lean{U"f", 0.14F, 0.14F}, Lean{U"jȷ", 0.12F, 0},     Lean{U"pρβ", 0.06F, 0},
                                   Lean{U"χ", 0.11F, 0.04F}, Lean{U"ψΨ", 0, 0.09F},     Lean{U"A", 0.04F, 0},
                                   Lean{U"/", 0.06F, 0.1F},  Lean{U"TVWYΥ", 0, 0.075F}, Lean{U"FHIJKMNUXZΣ", 0, 0.045F},
                                   Lean{U"dγπσ", 0, 0.025F}};
constexpr std::array kUprightLeans{Lean{U"f", 0, 0.05F}, Lean{U"j", 0.07F, 0}, Lean{U"∫", 0, 0.18F}};

Lean lean_of(bool slanted, char32_t c) {
  const std::span<const Lean> leans =
      slanted ? std::span<const Lean>(kSlantedLeans) : std::span<const Lean>(kUprightLeans);
  for (const Lean& lean : leans) {
    if (lean.characters.contains(c)) return lean;
  }
  return {U"", 0, 0};
}

bool covers_all(text::Face face, std::string_view utf8) {
  return std::ranges::all_of(io::decode_utf8(utf8), [face](char32_t c) { return text::covers(face, c); });
}

}  // namespace

SetFormula set_text(std::string_view utf8, text::Face face, float size, const FormulaStyle& style) {
  SetFormula set;
  const std::vector<char32_t> characters = io::decode_utf8(utf8);
  if (characters.empty()) return set;
  const bool slanted = face == text::Face::math_italic;
  const bool serif = slanted || face == text::Face::math;
  // The reaches are the serif's; the other faces have taller letters and deeper parentheses.
  const float scale = serif ? size : size * 1.25F;
  float up = -std::numeric_limits<float>::infinity();
  float down = up;
  for (const char32_t c : characters) {
    const Reach reach = reach_of(slanted, c);
    up = std::max(up, reach.up);
    down = std::max(down, reach.down);
  }
  const float left = serif ? lean_of(slanted, characters.front()).left * size : 0;
  const float right = serif ? lean_of(slanted, characters.back()).right * size : 0;
  set.width = left + text::measure(face, size, utf8) + right;
  set.ascent = up == kForeign.up ? up * size : (serif ? up : std::min(up, 0.76F)) * scale;
  set.descent = down * size;
  set.texts.push_back(
      {.text = std::string(utf8), .face = face, .size = size, .baseline = {left, 0}, .colour = style.colour});
  return set;
}

SetFormula set_serif(std::string_view utf8, bool italic, const FormulaStyle& style) {
  if (italic && covers_all(text::Face::math_italic, utf8)) {
    return set_text(utf8, text::Face::math_italic, style.size, style);
  }
  const bool serif = covers_all(text::Face::math, utf8);
  return set_text(utf8, serif ? text::Face::math : text::Face::regular, style.size, style);
}

SetFormula set_number(std::string_view utf8, const FormulaStyle& style) {
  // A number in a script is an index or a power: part of a name, in the name's face.
  if (style.script || !covers_all(text::Face::mono, utf8)) return set_serif(utf8, false, style);
  return set_text(utf8, text::Face::mono, style.size * kNumberScale, style);
}

float overhang_of(char32_t italic) { return lean_of(true, italic).right; }

}  // namespace limelight::figure
