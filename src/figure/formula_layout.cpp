// Setting formulas, after The TeXbook, appendix G, simplified. Lengths named …Em are in em of the size at hand.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "figure/formula.h"
#include "figure/formula_text.h"
#include "io/utf8.h"

namespace limelight::figure {
namespace {

constexpr float kAxisEm = 0.253F;  // height of fraction bars: the middle of the font's minus
constexpr float kRuleEm = 0.05F;
constexpr float kMinRule = 1;  // CSS pixels
constexpr float kScriptScale = 0.7F;
constexpr float kNestedScale = 0.85F;      // a fraction in a fraction
constexpr float kSmallestScale = 0.5F;     // of the formula's size, however deep
constexpr float kLargeScale = 1.35F;       // a sum sign on a line of its own
constexpr float kInlineLargeScale = 1.1F;  // in a fraction
constexpr float kIndentEm = 1.2F;
constexpr float kThinEm = 3.0F / 18;
constexpr float kScriptSpace = 0.3F;  // of the usual space around operators
constexpr float kShrinkTo = 0.6F;     // how far a line without a break is shrunk until it fits

float rule_of(const FormulaStyle& style) { return std::max(kMinRule, kRuleEm * style.size); }

FormulaStyle scaled(FormulaStyle style, float scale) {
  style.size = std::max(style.size * scale, style.smallest);
  return style;
}

FormulaStyle script_style(FormulaStyle style) {
  style.script = true;
  return scaled(style, kScriptScale);
}

// ---- boxes
// -----------------------------------------------------------------------------------------------------------

// Puts a part's origin at (x, y) of a whole, whose height grows with it; the width is the caller's.
void place(SetFormula& whole, SetFormula part, float x, float y) {
  whole.ascent = std::max(whole.ascent, part.ascent - y);
  whole.descent = std::max(whole.descent, part.descent + y);
  for (SetText& run : part.texts) {
    run.baseline = {run.baseline.x + x, run.baseline.y + y};
    whole.texts.push_back(std::move(run));
  }
  for (SetRule& rule : part.rules) {
    rule.rect = rule.rect.moved(x, y);
    whole.rules.push_back(rule);
  }
  for (SetStroke& stroke : part.strokes) {
    for (Point& p : stroke.points) p = {p.x + x, p.y + y};
    whole.strokes.push_back(std::move(stroke));
  }
}

SetFormula empty_box() {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  return {.width = 0, .ascent = kNothing, .descent = kNothing, .texts = {}, .rules = {}, .strokes = {}};
}

SetFormula finished(SetFormula set) {
  if (std::isinf(set.ascent)) set.ascent = set.descent = 0;
  return set;
}

SetFormula set(const Formula& formula, FormulaStyle style);

SetFormula set_fraction(const Formula& over, const Formula& under, const FormulaStyle& style) {
  constexpr float kPadEm = 0.14F;   // the bar beyond the wider of the two
  constexpr float kSideEm = 0.07F;  // beyond the bar
  // Least distances, in em: between ink and bar, and of the two baselines from the formula's.
  struct Shifts {
    float gap, up, down;
  };
  constexpr Shifts kDisplay{0.15F, 0.62F, 0.69F};
  constexpr Shifts kNested{0.09F, 0.4F, 0.35F};
  const Shifts& shifts = style.in_fraction || style.script ? kNested : kDisplay;

  FormulaStyle inner = style;
  inner.in_fraction = true;
  if (style.in_fraction || style.script) inner = scaled(inner, kNestedScale);
  SetFormula top = set(over, inner);
  SetFormula bottom = set(under, inner);
  const float rule = rule_of(style);
  const float axis = kAxisEm * style.size;
  const float gap = shifts.gap * style.size + rule / 2;
  const float up = std::max(shifts.up * style.size, axis + gap + top.descent);
  const float down = std::max(shifts.down * style.size, gap + bottom.ascent - axis);
  const float bar = std::max(top.width, bottom.width) + 2 * kPadEm * style.size;
  const float side = kSideEm * style.size;

  SetFormula whole = empty_box();
  whole.width = bar + 2 * side;
  const float top_x = (whole.width - top.width) / 2;
  const float bottom_x = (whole.width - bottom.width) / 2;
  place(whole, std::move(top), top_x, -up);
  whole.rules.push_back({.rect = {side, -axis - rule / 2, bar, rule}, .colour = style.colour});
  place(whole, std::move(bottom), bottom_x, down);
  return whole;
}

SetFormula set_root(const Formula& inside, const FormulaStyle& style) {
  constexpr float kGapEm = 0.13F;   // between the ink and the line over it
  constexpr float kLeastEm = 0.6F;  // so that √x is not lower than √d by much
  constexpr float kSignEm = 0.62F;  // from the sign's left end to the line
  const float em = style.size;
  const float rule = rule_of(style);
  SetFormula part = set(inside, style);
  const float top = std::max(part.ascent, kLeastEm * em) + kGapEm * em + rule / 2;
  const float bottom = std::max(part.descent, 0.0F) + 0.05F * em;
  const float tick = bottom - std::min(0.45F * (top + bottom), 0.5F * em);

  SetFormula whole = empty_box();
  const float x = kSignEm * em;
  whole.width = x + part.width + 0.12F * em;
  const float line_end = whole.width - 0.04F * em;
  // Drawn as a broad pen would: a light tick, a heavy stroke down, a light one up and over.
  whole.strokes.push_back({{{0.08F * em, tick + 0.07F * em}, {0.2F * em, tick}}, rule, style.colour});
  whole.strokes.push_back({{{0.19F * em, tick}, {0.36F * em, bottom - rule / 2}}, 1.9F * rule, style.colour});
  whole.strokes.push_back({{{0.365F * em, bottom}, {x - 0.04F * em, -top}, {line_end, -top}}, rule, style.colour});
  place(whole, std::move(part), x, 0);
  whole.ascent = std::max(whole.ascent, top + rule / 2);
  whole.descent = std::max(whole.descent, bottom + rule / 2);
  return whole;
}

// One tall parenthesis, `direction` 1 for the left and -1 for the right one; two strokes that meet at the tips and part
// in the middle swell as the printed sign does.
void add_parenthesis(SetFormula& whole, float tip_x, float bulge, float direction, float half,
                     const FormulaStyle& style) {
  constexpr int kPoints = 17;
  const float axis = kAxisEm * style.size;
  const float pen = rule_of(style);
  for (const float depth : {bulge, bulge - 0.8F * pen}) {
    SetStroke stroke{.points = {}, .width = pen, .colour = style.colour};
    for (int i = 0; i < kPoints; ++i) {
      const float u = 2 * static_cast<float>(i) / (kPoints - 1) - 1;
      stroke.points.push_back({tip_x - direction * depth * (1 - u * u), -axis + half * u});
    }
    whole.strokes.push_back(std::move(stroke));
  }
}

SetFormula set_parenthesised(const Formula& inside, const FormulaStyle& style) {
  constexpr float kGlyphUpEm = 0.88F;  // what an ordinary parenthesis can hold: a line with scripts
  constexpr float kGlyphDownEm = 0.42F;
  const float em = style.size;
  SetFormula part = set(inside, style);
  SetFormula whole = empty_box();
  if (part.ascent <= kGlyphUpEm * em && part.descent <= kGlyphDownEm * em) {
    SetFormula open = set_text("(", text::Face::math, em, style);
    SetFormula close = set_text(")", text::Face::math, em, style);
    const float middle = open.width;
    const float end = middle + part.width;
    whole.width = end + close.width;
    place(whole, std::move(open), 0, 0);
    place(whole, std::move(part), middle, 0);
    place(whole, std::move(close), end, 0);
    return whole;
  }
  const float axis = kAxisEm * em;
  const float half = std::max(part.ascent - axis, part.descent + axis) + 0.02F * em;
  const float bulge = 0.12F * em + 0.07F * half;
  const float side = 0.1F * em;  // around the sign
  const float middle = 2 * side + bulge;
  whole.width = 2 * middle + part.width;
  add_parenthesis(whole, side + bulge, bulge, 1, half, style);
  add_parenthesis(whole, whole.width - side - bulge, bulge, -1, half, style);
  place(whole, std::move(part), middle, 0);
  const float pen = rule_of(style) / 2;
  whole.ascent = std::max(whole.ascent, half + axis + pen);
  whole.descent = std::max(whole.descent, half - axis + pen);
  return whole;
}

// Scripts at the right of a base, which is set already. `tuck`: how far the lower one moves in under an italic letter.
SetFormula attach_scripts(SetFormula base, float tuck, const Formula& sub, const Formula& sup,
                          const FormulaStyle& style) {
  constexpr float kDropEm = 0.2F;
  constexpr float kLiftEm = 0.4F;
  constexpr float kBetweenEm = 0.16F;
  const float em = style.size;
  const bool tall = base.ascent > 0.85F * em || base.descent > 0.4F * em;
  const FormulaStyle inner = script_style(style);
  SetFormula low = sub ? set(sub, inner) : SetFormula{};
  SetFormula high = sup ? set(sup, inner) : SetFormula{};
  float drop = std::max(kDropEm * em, low.ascent - 0.36F * em);
  float lift = std::max(kLiftEm * em, high.descent + 0.11F * em);
  if (tall) {
    drop = std::max(drop, base.descent);
    lift = std::max(lift, base.ascent - 0.5F * high.ascent);
  }
  if (sub && sup) {
    const float gap = (lift - high.descent) - (low.ascent - drop);
    drop += std::max(0.0F, kBetweenEm * em - gap);
  }
  SetFormula whole = empty_box();
  const float x = base.width + 0.02F * em;
  whole.width = x;
  place(whole, std::move(base), 0, 0);
  if (sub) {
    whole.width = std::max(whole.width, x - tuck + low.width);
    place(whole, std::move(low), x - tuck, drop);
  }
  if (sup) {
    whole.width = std::max(whole.width, x + high.width);
    place(whole, std::move(high), x, -lift);
  }
  whole.width += 0.03F * em;
  return whole;
}

SetFormula set_script(const Formula& base, const Formula& sub, const Formula& sup, const FormulaStyle& style) {
  const std::vector<Formula> parts = top_level(base);
  const bool letter = !parts.empty() && parts.back()->kind == FormulaKind::symbol && !parts.back()->text.empty();
  const float tuck = letter ? overhang_of(io::decode_utf8(parts.back()->text).back()) * style.size : 0;
  return attach_scripts(set(base, style), tuck, sub, sup, style);
}

bool is_sign(std::string_view text) { return text == "∑" || text == "∏" || text == "∫"; }

SetFormula set_large(const std::string& text, const Formula& below, const Formula& above, const FormulaStyle& style) {
  constexpr float kGapEm = 0.12F;
  const float em = style.size;
  SetFormula sign;
  if (is_sign(text)) {
    // The font's sign stands around the axis; so does the larger one once it is lowered.
    const float size = em * (style.in_fraction || style.script ? kInlineLargeScale : kLargeScale);
    sign = empty_box();
    SetFormula glyph = set_text(text, text::Face::math, size, style);
    sign.width = glyph.width;
    place(sign, std::move(glyph), 0, kAxisEm * (size - em));
    if (style.in_fraction || style.script) return attach_scripts(std::move(sign), 0, below, above, style);
  } else {
    sign = set_serif(text, false, style);  // max, arg max
  }
  const FormulaStyle inner = script_style(style);
  SetFormula low = below ? set(below, inner) : SetFormula{};
  SetFormula high = above ? set(above, inner) : SetFormula{};
  SetFormula whole = empty_box();
  whole.width = std::max({sign.width, low.width, high.width});
  const float drop = sign.descent + kGapEm * em + low.ascent;
  const float lift = sign.ascent + kGapEm * em + high.descent;
  const auto centred = [&whole](const SetFormula& part) { return (whole.width - part.width) / 2; };
  const float low_x = centred(low);
  const float high_x = centred(high);
  const float sign_x = centred(sign);
  place(whole, std::move(sign), sign_x, 0);
  if (below) place(whole, std::move(low), low_x, drop);
  if (above) place(whole, std::move(high), high_x, -lift);
  return whole;
}

// ---- rows
// ------------------------------------------------------------------------------------------------------------

// What decides about space: a script is spaced as its base is.
FormulaKind kind_of(const Formula& formula) {
  if (formula->kind != FormulaKind::script || formula->children.empty()) return formula->kind;
  const std::vector<Formula> base = top_level(formula->children[0]);
  return base.size() == 1 ? kind_of(base[0]) : FormulaKind::row;
}

// Between parts[i - 1] and parts[i], in em.
float space_before(const std::vector<Formula>& parts, std::size_t i, const FormulaStyle& style) {
  using enum FormulaKind;
  const FormulaKind left = kind_of(parts[i - 1]);
  const FormulaKind right = kind_of(parts[i]);
  const float room = style.script ? kScriptSpace : 1;
  if (right == operation && is_binary(parts, i)) return room * operator_of(parts[i]->text).before;
  if (left == operation) return is_binary(parts, i - 1) ? room * operator_of(parts[i - 1]->text).after : 0;
  if (parts[i]->kind == row && parts[i]->text == "()") return left == large ? kThinEm : 0;
  const auto either = [left, right](FormulaKind kind) { return left == kind || right == kind; };
  if (left == number && right == number) return 2 * kThinEm;
  if (either(word)) return left == word && right == word ? 1.5F * kThinEm : kThinEm;
  if (either(large)) return kThinEm;
  if (right == number || (left == number && style.script)) return room * kThinEm;
  return 0.03F;
}

SetFormula set_parts(const std::vector<Formula>& parts, const FormulaStyle& style) {
  SetFormula whole = empty_box();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) whole.width += space_before(parts, i, style) * style.size;
    SetFormula part = set(parts[i], style);
    const float x = whole.width;
    whole.width += part.width;
    place(whole, std::move(part), x, 0);
  }
  return finished(std::move(whole));
}

SetFormula set(const Formula& formula, FormulaStyle style) {
  if (!formula) return {};
  if (formula->colour) style.colour = formula->colour;
  const auto child = [&formula](std::size_t i) {
    return i < formula->children.size() ? formula->children[i] : nullptr;
  };
  switch (formula->kind) {
    case FormulaKind::symbol:
      return set_serif(formula->text, true, style);
    case FormulaKind::word:
    case FormulaKind::operation:
      return set_serif(formula->text, false, style);
    case FormulaKind::number:
      return set_number(formula->text, style);
    case FormulaKind::row: {
      const Formula inside = row(formula->children);
      return formula->text == "()" ? set_parenthesised(inside, style) : set_parts(top_level(inside), style);
    }
    case FormulaKind::fraction:
      return set_fraction(child(0), child(1), style);
    case FormulaKind::root:
      return set_root(child(0), style);
    case FormulaKind::script:
      return set_script(child(0), child(1), child(2), style);
    case FormulaKind::large:
      return set_large(formula->text, child(0), child(1), style);
  }
  return {};
}

// ---- lines
// -----------------------------------------------------------------------------------------------------------

// Where the line that begins with part `first` ends: one past its last part. `extent(i, j)` is the width of [i, j).
template <class Extent>
std::size_t line_end(const std::vector<Formula>& parts, std::size_t first, float width, const Extent& extent) {
  if (extent(first, parts.size()) <= width) return parts.size();
  const auto rank_of = [&parts](std::size_t i) { return is_binary(parts, i) ? operator_of(parts[i]->text).rank : 0; };
  std::size_t first_equals = 0;
  while (first_equals < parts.size() && rank_of(first_equals) != 3) ++first_equals;
  std::size_t best = 0;
  int best_rank = -1;
  for (std::size_t i = first + 1; i < parts.size(); ++i) {
    if (rank_of(i) == 0) continue;
    const int rank = i == first_equals ? 0 : rank_of(i);  // "a =" stays with its explanation if it can
    const bool fits = extent(first, i) <= width;
    if (!fits && best_rank >= 0) break;
    if (rank >= best_rank) {
      best = i;
      best_rank = rank;
    }
    if (!fits) break;
  }
  return best_rank < 0 ? parts.size() : best;
}

}  // namespace

SetFormula set_formula(const Formula& formula, float size) {
  return set(formula, {.size = size, .smallest = size * kSmallestScale});
}

std::vector<SetFormula> set_lines(const Formula& formula, float size, float width) {
  const FormulaStyle style{.size = size, .smallest = size * kSmallestScale};
  const std::vector<Formula> parts = top_level(formula);
  std::vector<float> starts;  // of each part, and the end, were they all on one line
  std::vector<float> ends;
  float x = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) x += space_before(parts, i, style) * size;
    starts.push_back(x);
    x += set(parts[i], style).width;
    ends.push_back(x);
  }
  const auto extent = [&](std::size_t from, std::size_t to) { return ends[to - 1] - starts[from]; };

  std::vector<SetFormula> lines;
  for (std::size_t first = 0; first < parts.size();) {
    const float indent = first == 0 ? 0 : kIndentEm * size;
    const std::size_t end = line_end(parts, first, width - indent, extent);
    const float wide = extent(first, end);
    FormulaStyle fitting = style;
    if (wide > width - indent) fitting = scaled(style, std::max(kShrinkTo, (width - indent) / wide));
    SetFormula line = empty_box();
    line.width = indent;
    for (std::size_t i = first; i < end; ++i) {
      if (i > first) line.width += space_before(parts, i, fitting) * fitting.size;
      SetFormula part = set(parts[i], fitting);
      const float at = line.width;
      line.width += part.width;
      place(line, std::move(part), at, 0);
    }
    lines.push_back(finished(std::move(line)));
    first = end;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

float lines_height(const std::vector<SetFormula>& lines, float size) {
  float height = 0;
  for (const SetFormula& line : lines) height += line.ascent + line.descent;
  return lines.empty() ? 0 : height + kLineGap * size * static_cast<float>(lines.size() - 1);
}

}  // namespace limelight::figure
