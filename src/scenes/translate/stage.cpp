#include "scenes/translate/steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/light.h"
#include "figure/ribbon.h"
#include "figure/vessel.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/parts.h"
#include "scenes/common/word_line.h"

namespace limelight::scenes::translate {
namespace {

std::vector<float> weights_of(const Drawing& d) {
  const auto row = d.trace.at("weights").values.row(d.row);
  return {row.begin(), row.end()};
}

// Above: words, states, scores, shares; below: the decoder's state with its lamp, the context, the translation.
Stage in_rows(const Drawing& d, float y, float bottom, float reserved) {
  Stage s{.k = d.scale()};
  const float k = s.k, left = d.low() ? d.margin() : d.margin() + 84 * d.label_scale();
  const Tensor* weights = d.trace.find("weights");
  s.slots = slots_of(d.sources(),
                     weights != nullptr && d.source == "source"
                         ? weights->values
                         : Matrix::Zero(1, static_cast<Eigen::Index>(d.sources().size())),
                     false, {left, d.figure.width - left - d.margin() - reserved, 6, 21 * k, 5 * k, 0.25F});
  s.reach = std::min(17 * k, 0.42F * s.slots.pitch), s.across.room = s.slots.upright ? 82 * k : 32 * k;
  s.across.words = y + s.across.room;
  const bool few = d.by_hand();
  const float bars = s.across.words + 14 * k, high = (few ? 42 : 92) * k;
  const float wide = std::min((few ? 74 : 26) * k, 0.7F * s.slots.pitch);
  const float halo = bars + high + 8 * k + s.reach;
  s.across.shares = halo + s.reach + 12 * k, s.across.end = s.across.words + 8, s.across.scale = k;
  for (int j = 0; j < s.slots.count; ++j) {
    const float x = s.slots.centre(j);  // as the word
    s.bars.push_back({x - wide / 2, bars, wide, high});
    s.halos.push_back({x, halo});
    s.taps.push_back({x, s.across.shares + 12 * k});
  }
  const float line = std::max(34 * k, 26.F), state = few ? 42 * k : 76 * k;
  s.target = {left, bottom - line, d.figure.width - left - d.margin(), line};
  s.state = {left + 0.1F * d.figure.width, s.target.y - 34 * k - state, few ? 74 * k : 26 * k, state};
  s.context = {std::round(0.5F * d.figure.width), s.target.y - 46 * k - 74 * k, 156 * k, 74 * k};
  s.lamp = {.bulb = {s.state.centre().x, s.state.y - 22 * k}, .scale = 0.72F * k, .hung = Hung::left};
  s.pour = 46 * k, s.right = d.figure.width - 8, s.bottom = bottom;
  return s;
}

// On a phone: the lamp at the left, words below each other, and behind each its state, score and share.
Stage in_column(const Drawing& d, float y, float bottom) {
  constexpr float kBelow = 150, kLeast = 18, kMost = 34;  // px under the words; of a word
  const int count = static_cast<int>(d.sources().size());
  const float pitch = std::clamp((bottom - kBelow - y) / static_cast<float>(count), kLeast, kMost);
  const float width = d.figure.width, end = y + pitch * static_cast<float>(count);
  Stage s{.column = true, .k = 0.8F};
  s.slots = {.count = count,
             .of = count,
             .begin = y,
             .pitch = pitch,
             .size = std::min(19.F, 0.62F * pitch),
             .gain = std::min(4.F, 0.12F * pitch),
             .column = true};
  s.reach = std::min(11.F, 0.42F * pitch);
  const float words = 0.235F * width, bars = 0.52F * width;
  s.across = {.words = words, .shares = width - 14, .end = bars - 6, .room = bars - words - 10};
  const bool few = d.by_hand();
  for (int j = 0; j < count; ++j) {
    const float middle = s.slots.middle(j), high = std::min(few ? 26.F : 15.F, pitch - 5);
    s.bars.push_back({bars, middle - high / 2, 64, high});
    s.halos.push_back({bars + 64 + 16, middle});
    s.taps.push_back({bars + 64 + 16 + s.reach, middle});
  }
  s.target = {d.margin(), end + 100, d.inner(), 30};
  s.state = {d.margin(), end + 50, 96, 22};
  s.context = {0.5F * width, end + 30, 130, 46};
  s.lamp = {.bulb = {38, (y + end) / 2}, .cable_from = 0, .scale = 0.62F, .hung = Hung::left};
  s.pour = 18, s.bottom = s.target.bottom();
  return s;
}

void add_context(Drawing& d, const Stage& s, const Shown& shown) {
  const std::vector<float> weights = weights_of(d);
  const float sum = std::max(s.pour, 1.F);
  float x = s.context.centre().x - sum / 2;
  const float top = s.context.y + 0.34F * s.context.h;  // in the fluid
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const float width = weights[j] * sum;
    const Source weight{"weights", d.row, static_cast<int>(j)};
    const Point to{s.column ? s.context.right() - 16 : x + width / 2, top};
    x += width;
    if (weights[j] < 0.004F) continue;
    add_stream(d, "context.stream." + std::to_string(j), weight, s.taps[j], to, std::max(width, 1.2F), s.column,
               shown.pour);
  }
  const std::string label = "The context of output word " + std::to_string(d.row + 1);
  add_vessel(d, "context", {"context", d.row, d.colours.output, {}, label, true, d.by_hand()}, s.context,
             smoothstep(0.5F, 1, shown.pour));
  const float size = 14 * d.label_scale();
  if (s.column) {
    add_words(d.figure, "context.name", {s.context.x, s.context.y - 20, 80, 16}, called(d, "context", "c"),
              {d.colours.output, type::name});
    return;
  }
  const auto say = [&](const char* id, float y, const std::string& words, TextStyle style) {
    const float left = s.context.right() + 14;
    add_words(d.figure, id, {left, s.context.y + 6 * s.k + y, s.right - left, 20}, words, style);
  };
  say("context.name", 0, called(d, "context", "c"), {d.colours.output, {text::Face::semibold, size}});
  if (d.low() || shown.pour <= 0) return;
  std::string mixture;  // what is much
  for (const int j : largest_of(d.trace.at("weights").values, d.row))
    if (const float w = weights[static_cast<std::size_t>(j)]; mixture.empty() || w >= kTold)
      mixture += (mixture.empty() ? "" : " + ") + share_text(std::span<const float>(weights), j) + " " +
                 quoted(label_of(d.sources(), j));
  say("context.said", 1.5F * size, mixture, {d.colours.muted, {text::Face::regular, 12 * d.label_scale()}});
  if (const int columns = d.trace.at("context").columns(); columns > kFew)
    say("context.shown", 2.8F * size, shown_of(columns),
        {d.colours.muted, {text::Face::regular, 11 * d.label_scale()}});
}

void add_decoder_state(Drawing& d, const Stage& s) {
  const std::string before =
      d.row == 0 ? "before the first word" : "after " + quoted(label_of(written(d.trace), d.row - 1));
  add_bar(d, {"s", d.row, d.colours.query, s.state, "The decoder’s state " + before, s.column, d.by_hand()});
  const float size = 14 * d.label_scale(), wide = 170;
  if (s.column) {
    const Point lamp = s.lamp.bulb;
    add_way(d, "asks.from", {lamp.x, s.state.y - 20}, {lamp.x, lamp.y + 18}, d.colours.query, 1);
    add_words(d.figure, "state.name", {s.state.x, s.state.y - 19, 150, 16}, called(d, "state", "s"),
              {d.colours.query, type::name});
    return;
  }
  const float right = s.state.x - 10, y = s.state.centre().y;
  add_words(d.figure, "state.name", {right - wide, y - size - 2, wide, 20}, called(d, "state", "s"),
            {d.colours.query, {text::Face::semibold, size}, Align::right});
  if (!d.low())
    add_words(d.figure, "state.said", {right - wide, y + 3, wide, 18}, before,
              {d.colours.muted, {text::Face::regular, 12 * d.label_scale()}, Align::right});
}

void add_light(Drawing& d, const Stage& s, const Light& light) {
  const float top = s.taps.front().y, high = s.slots.pitch * static_cast<float>(s.slots.count);
  const Rect area =
      s.column ? Rect{0, s.slots.begin, s.across.words, high} : Rect{0, top, d.figure.width, s.lamp.bulb.y - top};
  const std::string label = "The light of " + label_of(written(d.trace), d.row);
  d.figure.add({.id = std::string(kLightId), .role = Role::cell, .rect = area, .label = label, .shape = light});
  Lamp lamp = s.lamp;
  if (!s.column) {
    const int best = largest_of(d.trace.at("weights").values, d.row).front();
    const Rect& bar = s.bars[static_cast<std::size_t>(best)];
    lamp = aimed(lamp, {bar.centre().x, bar.bottom()});
  }
  add_lamp(d.figure, std::string(kLampId), lamp, d.view.theme);
}

void add_target(Drawing& d, const Stage& s, const Shown& shown) {
  const Rect box = add_word_line(
      d, {written(d.trace), "word", d.row, s.target, 20 * std::max(s.k, 0.9F), shown.word >= 1, shown.later});
  const float y = s.target.y - 2, x = box.centre().x;
  add_way(d, "way.state", {s.state.centre().x, s.state.bottom() + 3}, {x - 5, y}, d.colours.query, 1);
  if (shown.context)
    add_way(d, "way.context", {s.context.centre().x, s.context.bottom() + 1}, {x + 5, y}, d.colours.output,
            smoothstep(0.8F, 1, shown.pour));
  if (!s.column) add_row_name(d, "target.name", {d.margin(), s.target.centre().y}, "target", d.colours.output);
}

}  // namespace

Light light_of(const Drawing& d, const Stage& s, float share, int next, float way) {
  const Matrix& all = d.trace.at("weights").values;
  const std::vector<int> from = largest_of(all, d.row), to = largest_of(all, next);
  std::vector<float> weights;
  std::vector<Rect> bars;
  std::vector<Point> places;
  for (std::size_t i = 0; i < from.size(); ++i) {
    weights.push_back(mix(all(d.row, from[i]), all(next, to[i]), way));
    bars.push_back(mix(s.bars[static_cast<std::size_t>(from[i])], s.bars[static_cast<std::size_t>(to[i])], way));
    places.push_back({s.across.words - 6, bars.back().centre().y});
  }
  Lit lit{.tensor = "weights", .row = d.row, .weights = weights, .theme = d.view.theme};
  if (s.column) lit.places = places, lit.words = s.slots.count;
  Light light = s.column ? figure::light_of(s.lamp, lit)
                         : light_upwards(s.lamp, lit, bars, s.across.words - 0.3F * s.slots.size, share);
  // On a phone the letters are small, and read in less light.
  const float strength = !s.column ? 1 : share * (is_dark(d.view.theme) ? 0.55F : 1);
  for (Light::Beam& beam : light.beams)
    beam.intensity *= strength, beam.column = from[static_cast<std::size_t>(beam.column)];
  for (Light::Spot& spot : light.spots) spot.intensity *= strength;
  return light;
}

Stage stage_of(const Drawing& d, float y, float bottom, float reserved) {
  return d.narrow() ? in_column(d, y, bottom) : in_rows(d, y, bottom, reserved);
}

void add_states(Drawing& d, const Stage& s, const std::string& tensor, float opacity) {
  const std::size_t first = d.figure.elements.size();
  for (std::size_t j = 0; j < s.bars.size(); ++j)
    add_bar(d, {tensor, static_cast<int>(j), d.colours.value, s.bars[j], "The state of " + d.sources()[j], s.column,
                d.by_hand() && tensor == "h"});
  for (std::size_t i = first; i < d.figure.elements.size(); ++i) d.figure.elements[i].opacity = opacity;
}

void add_source_words(Drawing& d, const Stage& s, std::vector<float> weights, const Light& light) {
  const bool told = is_translated(d.trace) && weights_of(d) == weights;
  for (float& weight : weights)  // where all numbers have no room, none is told of nearly none
    if (s.slots.upright && s.slots.pitch < 44 && weight < 0.01F) weight = 0;
  Across across = s.across;
  across.told = told;
  if (s.slots.upright) across.scale = 0;  // small, so that neighbours are told
  LitWords lit{.words = d.sources(), .weights = weights, .tensor = told ? "weights" : "", .row = d.row};
  lit.weight_field = "weights", lit.looked_at = d.view.focus(), lit.theme = d.view.theme;
  lit.light = Brightness(light), lit.ground = stage_ground(d.colours, d.view.height);
  add_lit_words(d.figure, s.slots, lit, across);
  for (int j = 0; j < s.slots.count && told; ++j) {
    const std::string id = "stage.share." + std::to_string(j), share = share_text(std::span<const float>(weights), j);
    const auto found = std::ranges::find(d.figure.elements, id, &Element::id);
    if (auto* text = found == d.figure.elements.end() ? nullptr : std::get_if<Text>(&found->shape))
      text->text = share;                                                       // so that a few add up to all
    else if (s.slots.upright && weights[static_cast<std::size_t>(j)] >= kTold)  // what is much, also where it is close
      add_words(d.figure, id, {s.slots.centre(j) - 30, across.shares - 9, 60, 18}, share,
                {d.colours.amber_text, {text::Face::mono_bold, 13}, Align::centre});
  }
}

void add_halos(Drawing& d, const Stage& s, const Shown& shown) {
  const auto scores = d.trace.at("scores").values.row(d.row);
  float wide = 0;  // of the numbers
  for (const float score : scores)
    wide = std::max(wide, text::measure(text::Face::mono, 12, io::format_fixed(static_cast<double>(score), 2)) + 2);
  const float least = scores.minCoeff(), span = std::max(scores.maxCoeff() - least, 1e-6F);
  for (int j = 0; j < s.slots.count; ++j) {
    const float share = (scores(j) - least) / span, r = (0.22F + 0.78F * share) * s.reach * shown.halos;
    const Source source{"scores", d.row, j};
    const Point at = s.halos[static_cast<std::size_t>(j)];
    const std::string number = io::format_fixed(static_cast<double>(scores(j)), 2);
    const Colour fill = mix(d.colours.surface, d.colours.score_fill, 0.25F + 0.6F * share);
    Element& halo = add_part(d, cell_id(source), Role::cell, Rect{at.x, at.y, 0, 0}.inset(-r),
                             d.sources()[static_cast<std::size_t>(j)] + ": score " + number,
                             Rectangle{fill, d.colours.score_fill, 1.5F, r});
    halo.source = source;
    if (d.by_hand()) halo.edit = Edit{"scores", {}};
    if (!shown.numbers) continue;
    // In place of the shares, or beside the halo.
    const bool below = shown.light <= 0 && !s.column;
    if (s.slots.pitch - (below ? 0 : 2 * s.reach + 6) < wide && !s.column) continue;
    const Point from = below ? Point{at.x - wide / 2, s.across.shares} : Point{at.x + s.reach + 4, at.y};
    add_words(d.figure, cell_id(source) + ".text", {from.x, from.y - 9, wide, 18}, number,
              {d.colours.amber_text, type::number});
  }
}

void add_stream(Drawing& d, const std::string& id, const Source& weight, Point from, Point to, float width, bool level,
                float come) {
  if (come <= 0) return;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool other =
      focus && focus->tensor == weight.tensor && focus->row == weight.row && focus->column != weight.column;
  // As wide on its slope as at its ends; with shorter handles a broad one would fold where it turns.
  const Point first = level ? Point{to.x, from.y} : Point{from.x, mix(from.y, to.y, 0.8F)},
              second = level ? Point{to.x, mix(from.y, to.y, 0.3F)} : Point{to.x, mix(to.y, from.y, 0.8F)};
  std::vector<Ribbon::Stop> stops = poured(other ? 0.22F : width < 3 ? 0.5F : 0.82F, d.view.theme);
  stops[1].at = 0.47F, stops[3].at = 0.57F;  // of a long way little is as pale as the ground
  Ribbon ribbon = along({from, first, second, to, {}, width}, std::move(stops));
  run(ribbon, come);
  const float* share = d.trace.cell(weight.tensor, weight.row, weight.column);
  const std::string label = share == nullptr ? "" : label_of(d.sources(), weight.column) + ": " + share_text(*share);
  const Rect rect{std::min(from.x, to.x) - width / 2, from.y, std::abs(to.x - from.x) + width, to.y - from.y};
  Element& stream = add_part(d, id, share != nullptr ? Role::cell : Role::none, rect, label, std::move(ribbon));
  if (share != nullptr) stream.source = weight;
}

void add_vessel(Drawing& d, const std::string& id, Bar what, Rect glass, float level) {
  what.rect = add_vessel(d.figure, id, glass, level, d.view.theme);
  const std::size_t first = d.figure.elements.size();
  if (level > 0) add_bar(d, what);
  show_since(d.figure, first, level);
}

void add_way(Drawing& d, const std::string& id, Point from, Point to, Colour colour, float come) {
  if (come <= 0) return;
  const float half = (from.y + to.y) / 2;
  d.figure.add(
      {.id = id,
       .shape = Curve{
           from, {from.x, mix(half, to.y, 0.6F)}, {to.x, mix(half, from.y, 0.6F)}, to, colour.faded(come), 2.5F}});
}

Rows add_bar_rows(Drawing& d, const Stage& s, const std::vector<BarRow>& rows, float bottom) {
  const auto count = static_cast<float>(rows.size());
  const float top = s.across.words + 16 * s.k, begin = s.across.end, across = (s.across.shares - begin) / count;
  const float gap = 96 * s.k, room = (bottom - top - gap * (count - 1)) / count;
  Rows made;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto place = static_cast<float>(i);
    const int columns = d.trace.at(rows[i].tensor).columns(),
              told = s.column ? std::min(columns, kShown) : std::min(columns, rows[i].shown);
    const bool few = told <= kFew;
    const float high = std::min(room, (few ? 34 * static_cast<float>(told) : 150) * s.k);
    const float wide = few ? std::min(80 * s.k, 0.8F * s.slots.pitch) : std::min(26 * s.k, 0.7F * s.slots.pitch);
    const float y = i == 0 ? top : made.end + gap;
    made.rects.emplace_back();
    for (int j = 0; j < s.slots.count; ++j) {
      const Rect& bar = s.bars[static_cast<std::size_t>(j)];
      const Rect rect = s.column ? Rect{begin + across * place, bar.y, across - 8, bar.h}
                                 : Rect{s.slots.centre(j) - wide / 2, y, wide, high};
      add_bar(d, {rows[i].tensor, j, rows[i].colour, rect, rows[i].name + " of " + label_of(d.sources(), j), s.column,
                  rows[i].editable, rows[i].first, told});
      made.rects.back().push_back(rect);
      if (j == 0 && !s.column && !d.low())
        add_row_name(d, rows[i].tensor + "." + std::to_string(i) + ".name", {d.margin(), rect.centre().y}, rows[i].name,
                     rows[i].colour,
                     told == columns ? std::string()
                                     : std::to_string(told) + " of " +
                                           std::to_string(rows[i].columns > 0 ? rows[i].columns : columns));
    }
    made.end = s.column ? s.slots.begin + s.slots.pitch * static_cast<float>(s.slots.count) : y + high;
    if (i == 0) made.between = made.end + (s.column ? 52 : gap / 2);
  }
  add_source_words(d, s, std::vector<float>(d.sources().size()), {.theme = d.view.theme});
  return made;
}

std::string called(const Drawing& d, const std::string& name, const char* letter) {
  return row_at(d.view.place).step.detail ? name + " " + letter : name;
}

void add_row_names(Drawing& d, const Stage& s, const Shown& shown) {
  if (s.column || d.low()) return;
  const float x = d.margin();
  add_row_name(d, "source.name", {x, s.across.words - 0.36F * s.slots.size}, "source", d.colours.input);
  const Tensor* h = d.trace.find("h");
  if (h == nullptr) h = d.trace.find("fixed_h");
  if (h != nullptr) {
    const std::string shown_numbers = shown_of(h->columns());
    const float room = s.bars.front().x - x - 6;
    add_row_name(d, "h.name", {x, s.bars.front().centre().y}, called(d, "states", "h"), d.colours.value,
                 text::measure(text::Face::regular, 13.2F, shown_numbers) < room ? shown_numbers : "");
  }
  if (shown.halos > 0) add_row_name(d, "scores.name", {x, s.halos.front().y}, "scores", d.colours.amber_text);
  if (shown.light >= 1)
    add_row_name(d, "weights.name", {x, s.across.shares}, called(d, "light", "a"), d.colours.amber_text);
}

float add_stage(Drawing& d, const Stage& s, const Shown& shown) {
  Light light = shown.light > 0 ? light_of(d, s, shown.light, d.row, 0) : Light{.theme = d.view.theme};
  if (shown.context) add_context(d, s, shown);
  add_light(d, s, light);
  add_states(d, s);
  std::vector<float> weights = weights_of(d);
  for (float& weight : weights) weight *= shown.light;
  add_source_words(d, s, weights, light);
  add_halos(d, s, shown);
  add_decoder_state(d, s);
  add_target(d, s, shown);
  add_row_names(d, s, shown);
  return s.bottom;
}

}  // namespace limelight::scenes::translate
