// The eighth step: every word pours in its value, as much as it is lit, and what comes together is the output.
#include <algorithm>
#include <cmath>
#include <span>

#include "figure/callout.h"
#include "figure/choreography.h"
#include "figure/formula.h"
#include "figure/marks.h"
#include "figure/panels.h"
#include "figure/pour.h"
#include "figure/ribbon.h"
#include "figure/value_strip.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe_brief.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/score_bars.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// Where all stands; CSS pixels. All is yet to be laid.
struct Pouring {
  Slots slots;
  float scale = 1;
  float baseline = 0, shares = 0, room = 0;  // as a LitStage has them
  float glass = 0, glass_h = 0;              // the top of the strips
  Rect output{};
  float bottom = 0;  // of all
};

constexpr float kBoxAround = 5;  // px from the output's cells to the line around them

int output_columns(const Drawing& d) { return d.trace.at(kOutput).columns(); }

Pouring wide_pouring(const Drawing& d) {
  const float k = stage_scale(d), spare = std::max(d.height() - 576 * k, 0.F);
  Pouring at{.slots = word_slots(d, stage_room(d, 28 * k, 14 * k)), .scale = k};
  const float top = 0.15F * spare, upright = at.slots.upright ? 44 * k : 0;
  at.room = 96 * k;
  at.baseline = top + (at.slots.upright ? 106 : 62) * k;
  at.shares = at.baseline + (at.slots.upright ? 14 : 26) * k;
  at.glass = at.shares + 16 * k;
  at.glass_h = 112 * k - 0.5F * upright + 0.2F * spare;
  const float cell = std::min(100 * k, 0.62F * d.figure.width / static_cast<float>(output_columns(d)));
  const float width = cell * static_cast<float>(output_columns(d));
  at.output = {(d.figure.width - width) / 2, 356 * k + 0.7F * spare, width, 64 * k};
  at.bottom = d.height() - 12;
  return at;
}

// On a phone it goes to the right, and the words stand where softmax has them.
Pouring narrow_pouring(const Drawing& d) {
  constexpr float kShare = 50, kOutput = 62, kGlass = 0.16F, kLeastCell = 40, kLongest = 260;
  constexpr float kCard = 170, kMore = 66;  // px that the sum has below it; that it may be longer than in softmax
  const Sharing before = narrow_sharing(d);
  Pouring at{.slots = before.slots, .baseline = before.baseline, .room = before.room};
  at.shares = at.baseline + at.room + kShare;
  at.glass = at.shares + 8;
  at.glass_h = kGlass * d.figure.width;
  const float length = std::max(before.strip.w, std::min(kLeastCell * static_cast<float>(output_columns(d)), kLongest));
  const float more = std::clamp(d.height() - before.strip.x - length - kCard, 0.F, kMore);
  at.output = {before.strip.x, d.figure.width - d.margin() - kOutput, length + more, kOutput};
  return at;
}

ValueStrip strip_of(const Drawing& d, const Pouring& at, int word, float weight) {
  const int columns = d.trace.at(kV).columns();
  const float width =
      std::min(96 * at.scale, at.slots.pitch - std::min(0.25F * at.slots.pitch, (at.slots.column ? 4 : 20) * at.scale));
  ValueStrip strip{.glass = {at.slots.middle(word) - width / 2, at.glass, width, at.glass_h},
                   .weight = weight,
                   .value = {std::string(kV), word, 0, 1, columns},
                   .tint = d.colours.value_fill,
                   .label = "Value of " + d.key(word),
                   .theme = d.view.theme};
  if (d.state.given()) strip.edit = Edit{"V", {}};
  return strip;
}

// Which number of the output is explained: the one that is looked at, or else the largest.
int told_column(const Drawing& d) {
  const Tensor& output = d.trace.at(kOutput);
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (focus && focus->tensor == kOutput && focus->row == d.row && focus->column < output.columns())
    return focus->column;
  return largest_first(output.values.cwiseAbs(), d.row).front();
}

// How much of it is seen: of what is looked at all, of all others less, and of what adds next to nothing little. Where
// there are so many that they cross, one number is looked at.
float seen_of(const Drawing& d, const Contribution& part, bool many) {
  constexpr float kNextToNothing = 2.5F;  // px
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool weight = focus && focus->tensor == kWeights && focus->row == d.row;
  const bool value = focus && focus->tensor == kV;
  const bool sum = focus ? focus->tensor == kOutput : many;
  const float as_ever = 0.8F * std::min(part.width / kNextToNothing, 1.F);
  if (!weight && !sum && !value) return as_ever;
  const bool word = sum || part.row == (weight ? focus->column : focus->row);
  const bool column = weight || part.column == (sum ? told_column(d) : focus->column);
  return word && column ? 1 : 0.25F * as_ever;
}

float digits_size(const Drawing& d, Rect cells) {
  const auto columns = static_cast<float>(output_columns(d));
  return cells.h > cells.w ? std::min(0.33F * cells.h / columns, 0.26F * cells.w)
                           : std::min({0.4F * cells.h, 0.26F * cells.w / columns, 22.F});
}

// What has come together by now.
void add_sums(Drawing& d, const Pouring& at, const std::vector<float>& sums) {
  for (int j = 0; j < output_columns(d); ++j)
    add_words(d, "output.so_far." + std::to_string(j), laid(at.slots, cell_of(at.output, 1, output_columns(d), 0, j)),
              io::format_fixed(sums[static_cast<std::size_t>(j)], 2),
              {d.colours.ink, {text::Face::mono, digits_size(d, laid(at.slots, at.output))}, Align::centre});
}

// A word's share of the light, which the step before has in one strip: what presses its value down to it.
void add_share(Drawing& d, const Slots& slots, const ValueStrip& strip, int word, float thick) {
  const Rect top = filled_part(strip), at = laid(slots, {top.x - 3, top.y - thick, top.w + 6, thick});
  d.figure.add({.id = "weights.part." + std::to_string(word),
                .rect = at,
                .shape = area_of(at, d.colours.lamp, d.colours.amber)});
}

// The strips with their scale, and the streams from them.
void add_strips(Drawing& d, const Pouring& at, const std::vector<float>& weights, const WeightedSum& seen) {
  constexpr float kBroad = 8;  // px
  const std::vector<Contribution> parts = contributions(d.trace.at(kV).values, weights, at.output);
  const bool many = std::ssize(parts) > 2 * output_columns(d);  // they cross
  if (seen.fall > 0 && seen.gather < 1) add_sums(d, at, gathered(parts, seen.fall, at.slots.count, output_columns(d)));
  for (const bool broad : {false, true})  // over the thin ones
    for (const Contribution& part : parts) {
      if (seen.fall == 0 || (part.width >= kBroad) != broad) continue;
      const ValueStrip strip = strip_of(d, at, part.row, 1);
      const std::string does = part.adds < 0 ? " takes away " : " adds ";
      add_stream(d.figure,
                 {.id = "output.pour." + std::to_string(part.row) + "." + std::to_string(part.column),
                  .role = Role::cell,
                  .label = d.key(part.row) + does + io::format_short(std::abs(part.adds)),
                  .source = Source{std::string(kWeights), d.row, part.row}},
                 part, strip.value, strip.glass, at.output.y - kBoxAround, seen_of(d, part, many), d.view.theme);
      run(std::get<Ribbon>(d.figure.elements.back().shape), fallen(seen.fall, part.row, at.slots.count));
      lay(at.slots, std::span(d.figure.elements).last(1));
    }
  for (int j = 0; j < at.slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    ValueStrip strip = strip_of(d, at, j, weight);
    const Source source{std::string(kWeights), d.row, j};  // which the glass stands for, where it is not filled
    d.figure.add({.id = "V.glass." + std::to_string(j),
                  .role = Role::cell,
                  .rect = laid(at.slots, strip.glass),
                  .label = d.key(j) + ": " + io::format_percent(weight),
                  .source = source});
    // A whole value comes, and is pressed down to its weight.
    strip.weight = mix(1, weight, seen.fill);
    const std::size_t first = d.figure.elements.size();
    add_value_strip(d.figure, "V." + std::to_string(j), strip);
    lay(at.slots, std::span(d.figure.elements).subspan(first));
    if (seen.fill < 1 && weight > 0) add_share(d, at.slots, strip, j, 5 * (1 - seen.fill));
    if (cell_id(source) == d.view.focus())
      add_ring(d.figure, "V.ring", laid(at.slots, strip.glass).inset(-2), d.colours.ink);
  }
  const float k = label_scale(d);
  if (std::ranges::any_of(parts, [](const Contribution& part) { return part.adds < 0; })) {
    // To the output's right, or on a phone below the strips.
    const Rect at_right{at.output.right() + 16 * k, at.output.y, 190 * k, at.output.h};
    const Rect signs = at.slots.column ? Rect{12, at.output.right() + 10, 190, 18} : at_right;
    if (signs.right() < d.figure.width)
      add_words(d, "output.signs", signs, "grey takes away; notch: below 0",
                {d.colours.muted, {text::Face::regular, 12 * k}});
  }
  if (d.view.compact()) return;
  const float left = strip_of(d, at, 0, 0).glass.x - 8;
  const auto tick = [&](const char* id, float y, const char* words) {
    add_words(d, id, {left - 20, y - 8, 18, 16}, words, {d.colours.faint, {text::Face::mono, 11 * k}, Align::right});
  };
  tick("V.low", at.glass + at.glass_h, "0");
  tick("V.high", at.glass + 3, "1");
  add_matrix_title(d, kV, {std::max(left - 66 * k, 4.F), at.glass + at.glass_h / 2}, 70 * k, "");
}

// "Y of jumped", to the left of a point; on a phone from it to the right.
void add_name(Drawing& d, Point at) {
  const float k = label_scale(d), size = 12.5F * k;
  const bool compact = d.view.compact();
  const std::string of = text::fit(text::Face::semibold, size, "of " + d.query(), 100 * k);
  const float width = text::measure(text::Face::semibold, size, of);
  const float x = compact ? at.x : at.x - width - 22 * k, up = compact ? 2 : 0;
  add_formula(d, "output.title", {x, at.y - up, 18 * k, 18 * k + up}, coloured(symbol("Y"), d.colours.output), 21 * k,
              d.colours.output)
      .label = std::string(role_of(kOutput).name);
  add_words(d, "output.of", {x + 22 * k, at.y, width + 1, 18 * k}, of, {d.colours.query, {text::Face::semibold, size}});
}

void add_sum(Drawing& d, const Pouring& at) {
  const int column = told_column(d);
  const Source told{std::string(kOutput), d.row, column};
  const float k = label_scale(d), pad = 14 * k, size = 15 * k, most = std::min(d.inner(), 640 * k) - 2 * pad;
  const Rect cell = cell_of(at.output, 1, output_columns(d), 0, column);
  const Point tip = at.slots.column ? Point{at.output.y + at.output.h / 2, at.output.right() + 34}
                                    : Point{cell.centre().x, at.output.bottom() + (d.state.named() ? 30 : 12) * k};
  const Tensor& output = d.trace.at(kOutput);
  const std::string index =
      output.column_labels.empty() ? std::to_string(column + 1) : label_of(output.column_labels, column);
  const Formula head = row({coloured(script(symbol("y"), word(index)), d.colours.output), operation("="),
                            large("∑", symbol("i")), script(symbol("a"), symbol("i")),
                            coloured(script(symbol("v"), row({symbol("i"), word(" " + index)})), d.colours.value)});
  const Formula sum =
      recipes::sum_in_few({recipes(d.state, d.trace), d.trace, d.colours, told}, d.keys, d.colours.amber_text);
  const std::vector<SetFormula> lines = set_lines(sum, size, most);
  float width = set_formula(head, size).width;
  for (const SetFormula& line : lines) width = std::max(width, line.width);
  const float sum_h = lines_height(lines, size), head_h = 34 * k, height = head_h + sum_h + 22 * k;
  if (!at.slots.column && tip.y + 9 + height + kCardShadow > at.bottom) return;
  const float margin = d.margin();
  const Rect card = callout_rect(tip, Side::below, width + 2 * pad + 2, height, margin, d.figure.width - margin);
  const std::string id = "output.sum." + std::to_string(column);
  add_callout(d.figure, id, card, tip, d.view.theme);
  const Rect line{card.x + pad, card.y + 8 * k, card.w - 2 * pad, head_h};
  add_formula(d, id + ".head", line, head, size, d.colours.ink);
  add_formula(d, id + ".numbers", {line.x, line.bottom() + 4 * k, line.w, sum_h}, sum, size, d.colours.ink).source =
      told;
}

}  // namespace

void add_output(Drawing& d, Rect cells, float gathered) {
  const float k = label_scale(d);
  const Tensor& output = d.trace.at(kOutput);
  const auto row = output.values.row(d.row);
  const bool down = cells.h > cells.w;
  d.figure.add({.id = "output.box",
                .rect = cells.inset(-kBoxAround),
                .shape = Rectangle{
                    .fill = d.colours.surface, .stroke = d.colours.output_fill, .stroke_width = 2.4F, .radius = 10}});
  const int columns = output.columns();
  const float cell_w = down ? cells.w : cells.w / static_cast<float>(columns);
  d.figure.add({.id = "output",
                .role = Role::cell,
                .rect = cells,
                .label = "Output of " + d.query(),
                .shape = MatrixCells{.range = {std::string(kOutput), d.row, 0, 1, columns},
                                     .radius = 6,
                                     .text_size = gathered < 1 ? 0 : digits_size(d, cells),
                                     .tint = d.colours.output_fill,
                                     .theme = d.view.theme,
                                     .transposed = down},
                .opacity = gathered});
  const float below = cells.bottom() + (d.state.named() && !down ? 30 : 10);
  add_name(d, d.view.compact() ? Point{down ? cells.x - 40 : d.margin(), below}
                               : Point{cells.x - 18 * k, cells.centre().y - 4 * k});
  if (!d.state.named()) return;
  for (int j = 0; j < columns && j < static_cast<int>(output.column_labels.size()); ++j) {
    const bool much = row(j) > 0.3F && gathered > 0.5F;
    const Rect cell = down ? cell_of(cells, columns, 1, j, 0) : cell_of(cells, 1, columns, 0, j);
    // Below a number, in its cell, or below that.
    add_words(d, "output.column." + std::to_string(j),
              down ? Rect{cell.x, cell.bottom() - 17, cell.w, 12} : Rect{cell.x, cell.bottom() + 9 * k, cell.w, 18 * k},
              output.column_labels[static_cast<std::size_t>(j)],
              {down   ? d.colours.ink
               : much ? d.colours.output
                      : d.colours.muted,
               {much ? text::Face::semibold : text::Face::regular, std::min(13 * k, (down ? 0.18F : 0.195F) * cell_w)},
               Align::centre});
  }
}

void mark_output(Drawing& d) {
  if (weighted_sum(d.view.t).gather < 1) return;  // there is nothing to outline yet
  add_outline(d.figure, kOutput, d.row, told_column(d), d.colours.ink);
}

float draw_output(Drawing& d) {
  const Pouring at = d.view.compact() ? narrow_pouring(d) : wide_pouring(d);
  const std::vector<float> weights = weights_of(d);
  add_glowing_words(d, at.slots, weights,
                    {.words = at.baseline,
                     .shares = at.shares,
                     .end = at.slots.column ? at.shares : at.baseline + 12 * at.scale,
                     .room = at.room,
                     .scale = std::max(at.scale, 0.8F)});
  const WeightedSum seen = weighted_sum(d.view.t);
  add_output(d, laid(at.slots, at.output), seen.gather);
  add_strips(d, at, weights, seen);
  const std::size_t first = d.figure.elements.size();
  add_sum(d, at);
  show_since(d.figure, first, seen.gather);
  return std::max(at.bottom, d.bottom());
}

}  // namespace limelight::scenes::spotlight
