#include "scenes/spotlight/score_bars.h"

#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/marks.h"
#include "figure/part_label.h"
#include "figure/power_curve.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"
#include "scenes/spotlight/weight_map.h"

namespace limelight::scenes::spotlight {
namespace {

std::vector<float> row_of(const Drawing& d, std::string_view tensor) {
  const auto row = d.trace.at(tensor).values.row(d.row);
  return {row.begin(), row.end()};
}

struct BarChange {
  const BarsSaid& said;
  std::string_view before{}, after{};  // tensors; before may be empty
  std::string_view beside{};           // a tensor with one number for each query, to the right of them; empty: none
  bool adds_up = false;                // the full bars lie end to end as well
  bool takes_off = false;              // the same from each bar: 0 moves there, and all bars end where they did
};

BarChange change_to(const Drawing& d, std::string_view tensor, const BarsSaid& said) {
  const recipes::Recipe recipe = recipes(d.state, d.trace).of(tensor);
  if (recipe.operation == recipes::Operation::total)
    return {.said = said, .after = recipe.left(), .beside = tensor, .adds_up = true};
  const bool takes_off = recipe.operation == recipes::Operation::difference;
  return {.said = said,
          .before = recipe.left(),
          .after = tensor,
          .beside = takes_off ? recipe.right() : std::string_view(),
          .takes_off = takes_off};
}

// Where all stands; CSS pixels.
struct ChangePlan {
  Sharing stage;                     // as in softmax
  SlotBars bars;                     // of the numbers after the change, with room for those before it
  float digits = 0;                  // of the bars' numbers, px; 0: there is room for one of them only
  bool turned = false;               // they are read from bottom to top
  float above = 0, below = 0;        // the room that they take over the bars and under them
  Rect matrix{}, names{}, beside{};  // the latter of its rows, and of one number for each of them
};

constexpr float kAroundCurve = 94;  // px under the bars that their powers, the curve's numbers and a title take
constexpr float kLeastOfBars = 0.6F;
constexpr float kAboveAll = 34;  // px from the bars to the matrix, its title there
constexpr float kEnd = 4;        // px below the matrix

// Each bar has its number: side by side where they have room, else turned.
ChangePlan plan_bars(const Drawing& d, const BarChange& change, const Slots& slots) {
  constexpr float kLevel = 13, kLeast = 9, kTurned = 12, kOfPitch = 0.95F, kOfRow = 0.62F, kAir = 5;
  const float k = label_scale(d);
  ChangePlan at{.stage = {}, .bars = score_bars(d, change.takes_off ? change.before : change.after, slots)};
  std::vector<float> all = row_of(d, change.after);
  bool down = change.takes_off;
  if (!change.before.empty())
    for (const float value : row_of(d, change.before)) all.push_back(value);
  if (d.view.place.part == 0) at.bars.reach(all);
  float widest = 0;  // for letters of 1 px, which are as wide where they are bold
  for (const float value : all) {
    widest = std::max(widest, text::measure(text::Face::mono, 1, bar_text(value, change.after)));
    down = down || value < 0;
  }
  at.digits = std::min(kLevel * k, slots.column ? kOfRow * slots.pitch : (slots.pitch - kAir) / widest);
  at.turned = !slots.column && at.digits < kLeast;
  if (at.turned) at.digits = std::min(kTurned * k, kOfPitch * slots.pitch);
  if (at.digits < kLeast) at.turned = false, at.digits = 0;
  at.above = at.turned || slots.column ? widest * at.digits + 6 : 24 * k;
  // So that a number stands within the outline of the bar before it, also turned.
  constexpr float kCapital = 0.75F, kAround = 6;
  if (!change.before.empty() && !slots.column && d.view.place.part < 2)
    at.bars.narrowest = (at.turned ? kCapital : widest) * at.digits + kAround;
  at.below = down || slots.column ? at.above : 4;
  return at;
}

// All stands where softmax has it, so that a number is as high in one step as in the next.
ChangePlan plan_change(const Drawing& d, const BarChange& change) {
  constexpr float kLeastRow = 13, kMostRow = 26, kSide = 8, kColumn = 38;  // px on a phone
  const bool compact = d.view.compact(), compared = !change.said.undivided.empty();
  const float k = stage_scale(d), rows = static_cast<float>(d.queries.size());
  const Sharing to =
      compact ? narrow_sharing(d) : wide_sharing(d, word_slots(d, stage_room(d, 27 * k, 27 * k / 2)), d.queries.size());
  ChangePlan at = plan_bars(d, change, to.slots);
  at.stage = to;
  at.bars.widest = kWidestBar * to.scale;
  at.bars.top = std::max(to.bars, to.baseline + at.above + 12 * to.scale);
  if (compact && compared) at.stage.strip.h = d.figure.width - kSide - to.strip.y;  // two side by side
  // Exponentials are as high as where they are shared out.
  const float end =
      d.view.place.part > 1 ? to.bars + to.bars_h : (compared ? to.strip.y - 8 * k : to.strip.bottom()) - at.below;
  at.bars.height = end - at.bars.top;
  // But where the curve is that they come from, both have one scale and share the room, if that is enough.
  if (const float both = (to.map.y - at.bars.top - kAroundCurve * label_scale(d)) / 2;
      d.view.place.part == 2 && !compact && both > kLeastOfBars * to.bars_h)
    at.bars.height = both;
  at.matrix = to.map;
  float names = at.matrix.x - 10;
  if (compact) {
    names = widest(d.queries, text::Face::semibold, 13, 84) + 8;
    const float column = change.beside.empty() ? 0 : kColumn;
    const float y = to.strip.right() + kAboveAll, bottom = d.height() - kBelow - kEnd;
    const float width = d.figure.width - 2 * kSide - names - (column > 0 ? column + 6 : 0);
    at.matrix = {kSide + names, y, width, rows * std::clamp((bottom - y) / rows, kLeastRow, kMostRow)};
  }
  at.names = {at.matrix.x - names, at.matrix.y, names - 8, at.matrix.h};
  at.beside = beside_of(d, at.matrix);
  return at;
}

// What is done to a query's scores, as far as it has come, and one of its bars.
struct Changing {
  const ChangePlan& at;
  const BarChange& change;
  float own = 1;     // how far the bars have come
  int word = 0;      // whose bar it is
  float digits = 0;  // px of its numbers; 0: it has none

  [[nodiscard]] std::string id() const { return std::string(change.after) + ".bar." + std::to_string(word); }
};

// A number at the end of a bar.
void add_bar_number(Drawing& d, const Changing& now, const char* part, const Rect& bar, bool over,
                    const std::string& words, Colour colour, Type type) {
  const bool turned = now.at.turned;
  const float k = label_scale(d), length = text::measure(type.face, type.size, words) + 2, air = turned ? 3 : k;
  const Point extent = turned ? Point{type.size, length} : Point{length, 16 * k};
  add_words(d, now.id() + part, now.at.bars.beside(bar, extent, !over, air, d.figure.width), words,
            {colour, type,
             !turned ? Align::centre
             : over  ? Align::left
                     : Align::right,
             turned});
}

void add_masked_bar(Drawing& d, const Changing& now, const Rect& line) {
  if (now.digits > 0)
    add_bar_number(d, now, ".number", line, line.h == 0, "−∞", d.colours.muted, {text::Face::mono, now.digits});
}

void add_full_bar(Drawing& d, const Changing& now, const Rect& bar, float value, const std::string& number) {
  d.figure.add({.id = now.id(),
                .role = Role::cell,
                .rect = laid(now.at.bars.slots, bar),
                .label = d.key(now.word) + ": " + number,
                .source = Source{std::string(now.own < 0.5F ? now.change.before : now.change.after), d.row, now.word},
                .shape = Rectangle{.fill = score_colour(d, value), .radius = std::min(3.F, bar.h / 2)}});
}

void add_own_number(Drawing& d, const Changing& now, const Rect& bar, bool over, const std::string& number,
                    float value) {
  const text::Face face = value < 0 ? text::Face::mono : text::Face::mono_bold;
  add_bar_number(d, now, ".number", bar, over || now.at.bars.slots.column, number, d.colours.ink, {face, now.digits});
}

void add_outline_before(Drawing& d, const Changing& now, const Rect& was, float before) {
  d.figure.add({.id = now.id() + ".was",
                .role = Role::cell,
                .rect = laid(now.at.bars.slots, was),
                .label = d.key(now.word) + " before: " + bar_text(before, now.change.before),
                .source = Source{std::string(now.change.before), d.row, now.word},
                .shape = Rectangle{.fill = d.colours.score_fill.faded(0.04F),
                                   .stroke = d.colours.muted.faded(0.5F),
                                   .stroke_width = 1,
                                   .radius = std::min(3.F, was.h / 2)}});
}

// Where the same is taken from each, 0 comes up to the largest: what is below it then hangs from there down to where
// the bar ended, whose outline stays.
void add_lowered_bar(Drawing& d, const Changing& now, float zero) {
  const SlotBars& bars = now.at.bars;
  const float before = d.trace.at(now.change.before).values(d.row, now.word);
  if (!std::isfinite(before)) return add_masked_bar(d, now, bars.bar(now.word, bars.low, bars.low));
  const float after = now.own == 1 ? d.trace.at(now.change.after).values(d.row, now.word) : before - zero;
  const std::string number =
      now.own > 0 && now.own < 1 ? io::format_fixed(after, 2) : bar_text(after, now.change.after);
  const Rect was = bars.bar(now.word, before);
  Rect bar = bars.bar(now.word, before, zero);
  add_outline_before(d, now, was, before);
  add_full_bar(d, now, bar, after, number);
  if (now.digits == 0) return;
  // In what is left of the outline, or where that is low below it.
  if (after < 0 && was.bottom() < bar.bottom() + now.at.below) bar.h = std::max(was.bottom(), bar.bottom()) - bar.y;
  add_own_number(d, now, bar, after >= 0, number, after);
}

// e to the power of what was there, below what that is, or beyond it.
void add_power(Drawing& d, const Changing& now, const Rect& is, float before, const std::string& number) {
  constexpr float kLeast = 12, kWide = 2.7F, kLow = 1.7F;  // px of letters; of them the longest is so wide and high
  const Slots& slots = now.at.bars.slots;
  const float k = label_scale(d), size = std::min(19 * k, slots.pitch / (slots.column ? kLow : kWide));
  const std::string told = bar_text(before, now.change.before);
  const Formula power = script(symbol("e"), nullptr, figure::number(told));
  const float width = set_formula(power, size).width;
  if (now.at.digits > 0 && (now.own < 1 || size < kLeast))
    add_bar_number(d, now, ".was.number", is, false, told, d.colours.muted, {text::Face::mono, 0.9F * now.digits});
  if (now.own == 1 && size >= kLeast)
    add_formula(d, now.id() + ".power", now.at.bars.beside(is, {width + 1, 22 * k}, true, 4 * k, d.figure.width), power,
                size, d.colours.ink);
  if (now.own == 1) add_own_number(d, now, is, true, number, now.own);
}

// The curve of the powers, where the bars leave room: above the matrix, or on a phone beside them.
void add_curve(Drawing& d, const ChangePlan& at, float own) {
  constexpr float kPowers = 62, kTop = 16, kOne = 30, kNarrowest = 54;  // px on a phone
  const float k = label_scale(d), below = at.bars.end() + 40 * k, wide = std::min(440 * k, 0.6F * at.stage.strip.w),
              right = at.bars.end() + kPowers;
  const Rect& strip = at.stage.strip;
  Rect box{right, strip.x + kTop, d.figure.width - kOne - right, at.bars.height};
  if (!at.bars.slots.column)
    box = {strip.centre().x - wide / 2, below, wide, std::min(box.h, at.matrix.y - 54 * k - below)};
  const std::vector<float> numbers = row_of(d, kShifted);
  if (box.h >= 30 && box.w >= kNarrowest)
    add_power_curve(d.figure, "exponentials.curve", {box, numbers, own, k, d.view.theme});
}

// A bar as it was, hollow, and in it as it is; what becomes a power of e comes from where it was. What is masked has
// none.
void add_changed_bar(Drawing& d, const Changing& now) {
  const auto& [at, change, own, word, digits] = now;
  const SlotBars& bars = at.bars;
  const float k = label_scale(d), result = bars.values[static_cast<std::size_t>(word)];
  const bool is_power = change.after == kExponentials && !change.before.empty();
  const float before = change.before.empty() ? result : d.trace.at(change.before).values(d.row, word);
  const bool moves = !is_power && std::isfinite(before) && std::isfinite(result) && own < 1;
  const float after = moves ? mix(before, result, own) : result;  // where the bar is, which its number says
  const Rect was = bars.bar(word, is_power ? result : before);
  if (!change.before.empty() && !is_power && std::isfinite(before)) add_outline_before(d, now, was, before);
  const Rect is = bars.bar(word, after);
  if (!std::isfinite(after)) return add_masked_bar(d, now, was);
  // On its way with two decimals, which are never wider than the numbers at both ends.
  const std::string number =
      after == before || after == result ? bar_text(after, change.after) : io::format_fixed(after, 2);
  add_full_bar(d, now, is, after, number);
  if (digits == 0) return;
  if (is_power && std::isfinite(before)) return add_power(d, now, is, before, number);
  // Both, where they have room: the full bar's in the hollow one, or on either side of 0. Else one, clear of both bars.
  const bool column = bars.slots.column;
  const float room = column ? 6 : at.turned ? at.above : 20 * k;
  const bool over = after > 0 || (after == 0 && before <= 0), same_side = (before >= 0) == over;
  const bool apart = std::isfinite(before) && (!same_side || was.h - is.h > room);
  const Rect& clear = apart || is.h >= was.h || !same_side ? is : was;
  // Where one bar alone has numbers, the upper one, which lies over no bar beside it.
  const bool both = at.digits > 0, higher = before >= after;
  if (both || !apart || !higher) add_own_number(d, now, clear, over, number, after);
  if (apart && (both || higher))
    add_bar_number(d, now, ".was.number", was, before >= 0 && !column, bar_text(before, change.before), d.colours.muted,
                   {text::Face::mono, 0.9F * digits});
  // What is done to it, where it has room in what is gone.
  if (change.said.each.empty() || own < 0.5F || std::abs(after) > std::abs(before)) return;
  const auto tip = [&](const Rect& bar, float value) { return (value < 0) != column ? bar.bottom() : bar.y; };
  const float ended = tip(was, before), ends = tip(is, after);
  Rect gone{is.x, std::min(ended, ends), is.w, std::abs(ends - ended)};
  if (same_side && !column) gone = {gone.x, over ? gone.y : gone.y + room, gone.w, gone.h - room};
  const Type type{text::Face::regular, 12 * k};
  const float length = text::measure(type.face, type.size, change.said.each) + 2;
  const Rect free = laid(bars.slots, gone);
  const bool level = length <= free.w;
  if (free.h >= (level ? type.size : length) + (column ? 0 : 6) && free.w >= type.size + 2)
    add_words(d, now.id() + ".each", free, change.said.each, {d.colours.ink, type, Align::centre, !level});
}

void add_changed_bars(Drawing& d, const ChangePlan& at, const BarChange& change) {
  const Slots& slots = at.bars.slots;
  const float own = change.before.empty() ? 1 : figure::change(d.view.t).own,
              end = slots.begin + slots.pitch * static_cast<float>(slots.count);
  // What is 0 now, in the scores before.
  const float zero = change.takes_off ? own * d.trace.at(change.beside).values(d.row, 0) : 0;
  const auto line = [&](const char* id, float value, bool dashed) {
    const float y = at.bars.y_of(value);
    Element level{.id = id,
                  .shape = Line{.points = {{slots.begin, y}, {end, y}},
                                .colour = dashed ? d.colours.muted : d.colours.track,
                                .dashed = dashed}};
    lay(slots, {&level, 1});
    d.figure.add(std::move(level));
  };
  if (change.takes_off) line("scaled.zero.was", 0, false);
  if (change.takes_off && !d.view.compact())
    add_names_beside(d, "scaled", {slots.begin - 8, at.bars.y_of(zero) - 8 * label_scale(d)}, "0", "", label_scale(d));
  line("scaled.zero", zero, change.takes_off);
  const int best = best_key(d.trace, change.after, d.row);
  for (int word = 0; word < static_cast<int>(at.bars.values.size()); ++word) {
    const Changing now{at, change, own, word, at.digits == 0 && word == best ? 12 : at.digits};
    if (change.takes_off)
      add_lowered_bar(d, now, zero);
    else
      add_changed_bar(d, now);
  }
}

// The bars end to end: as wide as they are high, so that all together are the sum.
void add_sum(Drawing& d, const ChangePlan& at, const BarChange& change) {
  const std::vector<float>& values = at.bars.values;
  float all = 0, x = at.stage.strip.x;
  for (const float value : values) all += value;
  if (!(all > 0)) return;
  for (int word = 0; word < static_cast<int>(values.size()); ++word) {
    const float value = values[static_cast<std::size_t>(word)], width = at.stage.strip.w * value / all;
    const std::string id = "weights.part." + std::to_string(word), words = bar_text(value, change.after);
    const Rect way{x, at.stage.strip.y, width, 0},
        part = laid(at.bars.slots, {x + 0.5F, way.y, std::max(width - 1, 0.5F), at.stage.strip.h});
    x += width;
    if (value <= 0) continue;
    d.figure.add(summed(d, at.bars.bar(word), way, word, 1));
    lay(at.bars.slots, std::span(d.figure.elements).last(1));
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = part,
                  .label = d.key(word) + ": " + words,
                  .source = Source{std::string(change.after), d.row, word},
                  .shape = area_of(part, d.colours.score_fill, d.colours.score_fill)});
    add_part_number(d.figure, id, part, {words}, 12.5F * label_scale(d), kOnLight);
  }
  if (!d.view.compact())
    add_names_beside(d, "weights", {at.stage.strip.x - 8, at.stage.strip.centre().y - 15.5F * label_scale(d)},
                     "together", change.said.how, label_scale(d));
}

// What softmax would make of the numbers before, and what it makes of those after: two strips, each of one lamp's
// light.
void add_compared(Drawing& d, const ChangePlan& at, const BarChange& change) {
  const bool column = at.bars.slots.column;
  const float k = label_scale(d), h = at.stage.strip.h / 2 - 1;
  const auto add_strip = [&](const std::string& id, std::string_view tensor, const std::vector<float>& weights,
                             const std::string& when, float y) {
    const bool brief = column || text::measure(text::Face::semibold, 12 * k, "light " + when) > at.stage.strip.x - 10;
    Rect part{at.stage.strip.x, y, 0, h};
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const float width = weights[j] * at.stage.strip.w;
      part.w = std::max(width - 1, 0.5F);
      const Rect lying = laid(at.bars.slots, part);
      const std::string own = share_text(weights, static_cast<int>(j)), share = column ? own : d.keys[j] + "  " + own,
                        part_id = id + std::to_string(j);
      const Type type{text::Face::semibold, 11.5F * k};
      const Colour light = mix(d.colours.lamp, d.colours.stage_bottom, 0.15F * (1 - weights[j]));
      const auto fits = [&](const std::string& words) {
        return text::measure(type.face, type.size, words) + 8 < lying.w && type.size < lying.h;
      };
      d.figure.add({.id = part_id,
                    .role = Role::cell,
                    .rect = lying,
                    .label = d.keys[j] + "  " + own + ", light " + when,
                    .source = Source{std::string(tensor), d.row, static_cast<int>(j)},
                    .shape = area_of(lying, light, light)});
      if (fits(share)) add_words(d, part_id + ".share", lying, share, {kOnLight, type, Align::centre});
      part.x += width;
    }
    add_words(d, id + "name", column ? Rect{y, at.stage.strip.x - 17, h, 16} : Rect{0, y, at.stage.strip.x - 8, h},
              (brief ? "" : "light ") + when,
              {d.colours.ink, {text::Face::semibold, 12 * k}, column ? Align::centre : Align::right});
  };
  add_strip("scaled.undivided.", kScores, change.said.undivided, "before", at.stage.strip.y);
  add_strip("scaled.divided.", kWeights, weights_of(d), "after", at.stage.strip.y + h + 2);
}

void add_all_queries(Drawing& d, const ChangePlan& at, const BarChange& change) {
  const float k = label_scale(d), rows = static_cast<float>(d.queries.size());
  const Change seen = change.before.empty() ? Change{} : figure::change(d.view.t);
  const float others = seen.others;
  const std::string_view most = others > 0.5F ? change.after : change.before;
  // A whole is named beside its strip, where there is room for that.
  const std::string how = change.adds_up && !d.view.compact() ? "" : change.said.how;
  const float how_w = text::measure(text::Face::semibold, 13 * k, how) + 2;
  const Point title{at.matrix.x, at.matrix.y - 16 * k};
  const bool told = most == change.after && !d.view.compact();
  add_matrix_title(d, most, title, at.matrix.w - how_w - 20, told ? change.said.rows : "");
  if (!how.empty())
    add_words(d, std::string(most) + ".how", {at.matrix.right() - how_w - 8, title.y - 9 * k, how_w, 18 * k}, how,
              {d.colours.ink, {text::Face::semibold, 13 * k}, Align::right});
  add_row_names(
      d, change.after,
      {.rect = at.names,
       .align = Align::right,
       .type = {text::Face::regular, std::clamp(0.6F * at.matrix.h / rows, 9.F, 13 * std::max(at.stage.scale, 1.F))}},
      kWeights);  // whose rows they name to the end
  if (others < 1) add_matrix(d, change.before, at.matrix);
  // The query's row as soon as its bars have the new numbers.
  const CellRange own{std::string(change.after), d.row, 0, 1, d.trace.at(change.after).columns()};
  const Rect row = cell_of(at.matrix, static_cast<int>(d.queries.size()), 1, d.row, 0);
  add_arriving(d, change.after, at.matrix, {others, own, seen.own < 1 ? std::nullopt : std::optional(row)});
  add_outline(d.figure, most, d.row, -1, d.colours.ink);
  if (change.beside.empty()) return;
  add_beside(d, change.beside, at.beside, change.after);
}

}  // namespace

std::string bar_text(float value, std::string_view tensor) {
  const double size = std::abs(static_cast<double>(value));
  if (value > 0 && size < 0.0005) return "<0.001";
  return io::format_fixed(static_cast<double>(value), (size > 0 && size < 0.1) || tensor == kExponentials ? 3 : 2);
}

Colour score_colour(const Drawing& d, float score) { return score < 0 ? unlit_score(d.colours) : d.colours.score_fill; }

SlotBars score_bars(const Drawing& d, std::string_view tensor, const Slots& slots) {
  SlotBars bars{.slots = slots, .values = row_of(d, tensor)};
  bars.reach(bars.values);
  return bars;
}

Rect beside_of(const Drawing& d, const Rect& map) {
  return {map.right() + 6, map.y, std::min(58 * label_scale(d), d.figure.width - map.right() - 10), map.h};
}

void add_beside(Drawing& d, std::string_view tensor, const Rect& beside, std::string_view rows) {
  add_matrix_title(d, tensor, {beside.x, beside.y - 16 * label_scale(d)}, 0, "");
  add_matrix(d, tensor, beside);
  // With as many decimals as the rows have, so that one sees what was taken from them.
  if (const Element* all = d.figure.find(rows); tensor == kMaximum && all != nullptr)
    if (const auto* cells = std::get_if<MatrixCells>(&all->shape))
      std::get<MatrixCells>(d.figure.elements.back().shape).decimals = cells->decimals;
  add_outline(d.figure, tensor, d.row, -1, d.colours.ink);
}

Element summed(const Drawing& d, const Rect& bar, const Rect& part, int word, float seen) {
  const auto fill = [&](float share) { return d.colours.score_fill.faded(share * seen); };
  return falling("sum.ribbon." + std::to_string(word), {bar.x, bar.y, bar.w, bar.h + 1}, part,
                 {{0, fill(0.1F)}, {1, fill(0.35F)}});
}

float draw_bar_change(Drawing& d, std::string_view tensor, const BarsSaid& said) {
  const BarChange change = change_to(d, tensor, said);
  const ChangePlan at = plan_change(d, change);
  add_changed_bars(d, at, change);
  if (change.adds_up) add_sum(d, at, change);
  if (tensor == kExponentials) add_curve(d, at, figure::change(d.view.t).own);
  const std::size_t first = d.figure.elements.size();
  if (!said.undivided.empty()) add_compared(d, at, change);
  show_since(d.figure, first, figure::change(d.view.t).others);
  add_all_queries(d, at, change);
  // Without light yet, over what they pass on their way.
  add_words_over(d, at.stage, std::vector<float>(d.keys.size()));
  return at.matrix.bottom() + (d.view.compact() ? kEnd : kEnd / 2);
}

}  // namespace limelight::scenes::spotlight
