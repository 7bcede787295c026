// The seventh step: softmax shares one lamp's light out. A bar for each score, a ribbon from it, as wide at its end as
// its share of one strip of light; below it the map of all rows.
#include <algorithm>
#include <cmath>
#include <span>

#include "figure/callout.h"
#include "figure/choreography.h"
#include "figure/descent.h"
#include "figure/formula.h"
#include "figure/marks.h"
#include "figure/part_label.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe_brief.h"
#include "scenes/common/text.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/score_bars.h"
#include "scenes/spotlight/steps.h"
#include "scenes/spotlight/weight_map.h"

namespace limelight::scenes::spotlight {

Sharing wide_sharing(const Drawing& d, const Slots& slots, std::size_t rows) {
  const float k = stage_scale(d);
  Sharing at{.slots = slots, .scale = k};
  const float words = (slots.upright ? 104 : 54) * k, number = (slots.upright ? 8 : 16) * k + 22 * label_scale(d);
  // Below the words: bars with their numbers, ribbons, the strip, what is said below it.
  const float used = words + number + (84 + 66 + 32 + 38) * k + 14 + map_caption(d);
  const float row_h =
      std::clamp((d.height() - used) / static_cast<float>(rows), 3.F, (rows < 6 ? 40 : 26) * std::max(k, 1.F));
  const float map_h = row_h * static_cast<float>(rows), spare = std::max(d.height() - used - map_h, 0.F);
  at.baseline = words + 0.1F * spare;
  at.room = 84 * k;
  at.bars = at.baseline + number + 0.05F * spare;
  at.bars_h = 84 * k + 0.35F * spare;
  at.strip = {slots.begin, at.bars + at.bars_h + 66 * k + 0.3F * spare, slots.pitch * static_cast<float>(slots.count),
              32 * k};
  at.map = {slots.begin, at.strip.bottom() + 38 * k + 0.1F * spare, at.strip.w, map_h};
  return at;
}

Sharing narrow_sharing(const Drawing& d) {
  constexpr float kWords = 50, kNumbers = 44, kStrip = 44, kBeside = 60, kBars = 0.6F;  // px; of what is left
  const float width = d.figure.width;
  Sharing at{.slots = column_slots(d.keys, 0.47F * d.height(), 0.2F * width), .baseline = kWords, .room = 0.2F * width};
  at.bars = kWords + at.room + kNumbers;
  at.strip = {at.slots.begin, width - kBeside - kStrip, at.slots.pitch * static_cast<float>(at.slots.count), kStrip};
  at.bars_h = kBars * (at.strip.y - at.bars);
  return at;
}

void add_words_over(Drawing& d, const Sharing& at, const std::vector<float>& light) {
  const float end = at.slots.column ? at.bars : at.baseline + 12 * at.scale;  // bars are pressed themselves
  add_glowing_words(d, at.slots, light,
                    {.words = at.baseline, .end = end, .room = at.room, .scale = at.scale, .told = false});
}

namespace {

constexpr float kMostPower = 20;             // of e that is written out
constexpr Colour kBright{0xff, 0xf3, 0xc0};  // the strip's upper edge

// Of its parts the last divides what the ones before have computed.
bool divides(const Drawing& d) { return d.view.place.part > 0; }
std::string_view shared_of(const Drawing& d) { return divides(d) ? kExponentials : kScaled; }

void add_score(Drawing& d, const Sharing& at, const SlotBars& scores, int word, bool told) {
  const Rect bar = scores.bar(word);
  const float value = scores.values[static_cast<std::size_t>(word)], k = label_scale(d);
  const std::string tensor(shared_of(d)), id = tensor + ".bar." + std::to_string(word),
                                          written = bar_text(value, tensor);
  const Source source{tensor, d.row, word};
  if (std::isfinite(value))
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = laid(at.slots, bar),
                  .label = d.key(word) + (divides(d) ? ": " : " scores ") + written,
                  .source = source,
                  .shape = Rectangle{.fill = score_colour(d, value), .radius = std::min(3.F, bar.h / 2)}});
  if (!told) return;
  const bool much = value > 0 && value >= 0.5F * scores.high;
  const Type type{much ? text::Face::mono_bold : text::Face::mono, (much ? 14 : 11.5F) * k};
  const float width = text::measure(type.face, type.size, written) + 2;
  add_words(d, id + ".number", scores.beside(bar, {width, 16 * k}, false, 2 * k, d.figure.width), written,
            {much ? d.colours.ink : d.colours.muted, type, Align::centre});
}

// As many scores are written as have room, the largest and the one that is looked at before others.
void add_scores(Drawing& d, const Sharing& at, const SlotBars& scores) {
  const float zero = scores.y_of(0);
  d.figure.add({.id = "scaled.zero",
                .shape = Line{.points = {{at.strip.x, zero}, {at.strip.right(), zero}}, .colour = d.colours.track}});
  lay(at.slots, std::span(d.figure.elements).last(1));
  const int best = largest_first(d.trace.at(shared_of(d)).values, d.row).front();
  const float room = text::measure(text::Face::mono, 11.5F * label_scale(d), "−0.00") + 4;
  const int every = std::max(static_cast<int>(std::ceil(room / at.slots.pitch)), 1);
  for (int j = at.slots.first; j < at.slots.first + at.slots.count; ++j)
    add_score(d, at, scores, j, every == 1 || at.slots.column || j == best);
}

// As much as the largest, or nearly so.
bool is_much(const std::vector<float>& weights, float weight) {
  return weight >= std::min(kTold, 0.75F * *std::ranges::max_element(weights));
}

// The word whose score or share is looked at; −1: none.
int looked_at_word(const Drawing& d) {
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  const bool one = cell && cell->row == d.row && (cell->tensor == kWeights || cell->tensor == shared_of(d));
  return one ? cell->column : -1;
}

// How a part of the strip says whose it is and how much.
PartLabel label_of_part(const Drawing& d, const Sharing& at, int word, float weight, bool much) {
  const float k = std::clamp(at.scale, 0.8F, 1.2F);
  const Rect part = laid(at.slots, {0, 0, weight * at.strip.w - 1, at.strip.h});
  return part_label({part.w, part.h}, d.key(word), share_text(weight), much, k);
}

// From a bar down to its part of the strip, and that part with its word and its share, where they have room.
void add_share(Drawing& d, const Sharing& at, const SlotBars& scores, int word, float from, float weight, bool much,
               const ShareLight& shared) {
  const Rect bar = scores.bar(word);
  const float width = weight * at.strip.w, least = std::max(width, 1.F), begin = from + (width - least) / 2;
  const bool looked_at = word == looked_at_word(d);
  const Colour lamp = much ? d.colours.lamp : d.colours.amber, pale = mix(lamp, {255, 255, 255}, 0.1F);
  const float seen = looked_at ? 1 : much ? 0.95F : 0.55F;
  const Source source{std::string(kWeights), d.row, word};
  const std::string& name = d.key(word);
  const std::string share = io::format_percent(weight), number = std::to_string(word);
  const std::size_t ribbon = d.figure.elements.size();
  if (divides(d)) d.figure.add(summed(d, bar, {begin, at.strip.y, least, 0}, word, 1 - shared.name));
  const std::size_t light = d.figure.elements.size();
  // From below the lowest bar on, so that no bar stands in another word's light.
  const float foot = scores.top + scores.height + 1;
  const Colour first = pale.faded(much ? 0.55F : 0.2F);
  // Where bars below 0 stand beside it, narrow down to there, or it looked like one.
  const float neck_w = (foot > bar.bottom() + 2 ? 0.4F : 1) * bar.w;
  const Rect neck{bar.centre().x - neck_w / 2, foot, neck_w, 0};
  d.figure.add(
      falling("weights.ribbon." + number + ".falls", {bar.x, bar.y, bar.w, bar.h + 1}, neck, {{0, first}, {1, first}}));
  Element down =
      falling("weights.ribbon." + number, neck, {begin, at.strip.y, least, 0}, {{0, first}, {1, lamp.faded(seen)}});
  down.role = Role::cell;
  down.label = name + ": " + share;
  down.source = source;
  d.figure.add(std::move(down));
  const float fallen = in_turn(shared.open, word - at.slots.first, at.slots.count), lit = smoothstep(0.8F, 1, fallen);
  for (Element& element : std::span(d.figure.elements).subspan(light)) run(std::get<Ribbon>(element.shape), fallen);
  lay(at.slots, std::span(d.figure.elements).subspan(ribbon));
  const Rect part = laid(at.slots, {from + 0.5F, at.strip.y, std::max(width - 1, 0.5F), at.strip.h});
  const Colour dim = mix(lamp, d.colours.stage_bottom, d.view.theme == stark(d.view.theme) ? 0.15F : 0.35F),
               before = divides(d) ? d.colours.score_fill : d.colours.track;
  d.figure.add({.id = "weights.part." + number,
                .role = Role::cell,
                .rect = part,
                .label = name + " gets " + share,
                .source = source,
                .edit = Edit{"weights", {}},
                .shape = area_of(part, mix(before, much ? kBright : dim, lit), mix(before, much ? lamp : dim, lit))});
  // What the score becomes on its way, where it is broad enough.
  const float value = scores.values[static_cast<std::size_t>(word)], k = label_scale(d);
  const Formula power = row({script(symbol("e"), nullptr, figure::number(fixed(value, 3))), operation("="),
                             figure::number(io::format_short(std::exp(value), 4))});
  const float power_w = set_formula(power, 16 * k).width;
  std::size_t label = d.figure.elements.size();
  if (!divides(d) && !at.slots.column && value < kMostPower && power_w + 40 * k < width &&
      !recipes::set_in_row(d.state.weights, d.row))
    add_formula(d, "weights.power." + number, {from + (width - power_w) / 2, at.strip.y - 26 * k, power_w + 1, 24 * k},
                power, 16 * k, kOnLight);
  show_since(d.figure, label, lit);
  // Of a number that is divided: by what, until its name and its share come.
  label = d.figure.elements.size();
  if (divides(d) && shared.name < 0.5F) {
    const std::string made = bar_text(value, kExponentials);
    const std::string by = fallen > 0 ? " ÷ " + bar_text(d.trace.at(kSum).values(d.row, 0), kSum) : "";
    add_part_number(d.figure, "weights.part." + number, part, {made + by, made}, 12.5F * k, kOnLight);
  }
  show_since(d.figure, label, 1 - smoothstep(0, 0.5F, shared.name));
  label = d.figure.elements.size();
  add_part_label(d.figure, "weights.part." + number, part, label_of_part(d, at, word, weight, much), kOnLight);
  show_since(d.figure, label, divides(d) ? smoothstep(0.5F, 1, shared.name) : shared.name);
}

void add_shares(Drawing& d, const Sharing& at, const SlotBars& scores, const std::vector<float>& weights,
                const ShareLight& shared) {
  float from = at.strip.x;
  for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    if (weight > 0 && at.slots.shows(j)) add_share(d, at, scores, j, from, weight, is_much(weights, weight), shared);
    from += weight * at.strip.w;
  }
}

// Words side by side whose parts of the strip are too small for their names.
struct Faint {
  int first = 0, count = 0;
  float from = 0, width = 0;  // px of the strip
};
std::vector<Faint> faint_of(const Drawing& d, const Sharing& at, const std::vector<float>& weights) {
  std::vector<Faint> all;
  float from = at.strip.x;
  bool before = false;
  for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
    const float weight = weights[static_cast<std::size_t>(j)], width = weight * at.strip.w;
    const bool faint =
        weight > 0 && !is_much(weights, weight) && label_of_part(d, at, j, weight, false).kind == PartLabel::Kind::none;
    if (faint && !before) all.push_back({.first = j, .from = from});
    if (faint) {
      ++all.back().count;
      all.back().width += width;
    }
    before = faint;
    from += width;
  }
  return all;
}

// "2 % each: the, quick, brown", or how much they get together; shorter where there is less room.
std::vector<std::string> told_of(const Drawing& d, const Faint& faint, const std::vector<float>& weights) {
  const auto end = faint.first + faint.count;
  float sum = 0;
  bool equal = true;
  std::string names;
  for (int j = faint.first; j < end; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    sum += weight;
    equal = equal && share_text(weight) == share_text(weights[static_cast<std::size_t>(faint.first)]);
    const bool itself = !d.state.given() && j == d.row;
    names += (j > faint.first ? ", " : "") + (itself ? "itself" : d.key(j));
  }
  const std::string share = share_text(equal ? weights[static_cast<std::size_t>(faint.first)] : sum);
  if (faint.count == 1) return {names + " " + share, share};
  const std::string each = share + (equal ? " each" : " together");
  return {each + ": " + names, each + ": " + std::to_string(faint.count) + " words", each, share};
}

// Below the strip, what has no room in it: each in the middle of its part, and clear of the ones beside it.
void add_faint(Drawing& d, const Sharing& at, const std::vector<float>& weights) {
  constexpr float kLine = 15;  // px
  if (!at.slots.column && at.map.y < at.strip.bottom() + 24) return;
  const Type type{text::Face::regular, 12 * label_scale(d)};
  const std::vector<Faint> all = faint_of(d, at, weights);
  float free = at.strip.x;  // from here on nothing is written
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float middle = all[i].from + all[i].width / 2;
    const float end = i + 1 == all.size() ? at.strip.right() : (middle + all[i + 1].from + all[i + 1].width / 2) / 2;
    for (const std::string& told : told_of(d, all[i], weights)) {
      const float length = text::measure(type.face, type.size, told) + 1, width = at.slots.column ? kLine : length;
      if (at.slots.column && at.strip.bottom() + 6 + length > d.figure.width) continue;
      const float x = std::clamp(middle - width / 2, free, std::max(free, end - width));
      if (x + width > end + 1 || x > middle || x + width < middle) continue;
      const Rect rect = laid(at.slots, {x, at.strip.bottom() + 6, width, at.slots.column ? length : 16});
      add_words(d, "weights.faint." + std::to_string(all[i].first), rect, told, {d.colours.muted, type});
      free = x + width + (at.slots.column ? 0 : 14);
      break;
    }
  }
}

// Whether a card beside or above a word's bar covers no bar and no number of another.
bool is_clear(const Sharing& at, const SlotBars& scores, const Rect& card, int word, float number_h) {
  for (int j = at.slots.first; j < at.slots.first + at.slots.count; ++j) {
    const Rect bar = scores.bar(j).inset(-6);
    const bool beside = bar.x > card.right() || bar.right() < card.x;
    if (j != word && !beside && bar.y - number_h < card.bottom() && bar.bottom() > card.y) return false;
  }
  return true;
}

// Where a card stands, and what it points at.
struct CardPlace {
  Rect card{};
  Point tip{};
};
// Beside a high bar, above a low one, where it covers nothing else.
std::optional<CardPlace> place_of(const Drawing& d, const Sharing& at, const SlotBars& scores, int word, Point size) {
  const float k = label_scale(d), gap = 18 * k, number = 20 * k, left = at.strip.x - 4,
              right = d.figure.width - kCardShadow;
  const Rect bar = scores.bar(word);
  std::vector<CardPlace> places;
  const float y = std::max(at.bars - gap, bar.y - gap);
  if (bar.h >= 32 * k && scores.values[static_cast<std::size_t>(word)] > 0) {
    const float tip = bar.y + 8 * k;
    places.push_back({{bar.right() + gap, y, size.x, size.y}, {bar.right() + 6, tip}});
    places.push_back({{bar.x - gap - size.x, y, size.x, size.y}, {bar.x - 6, tip}});
  } else {
    const Point tip{bar.centre().x, bar.y - number};
    places.push_back({callout_rect(tip, Side::above, size.x, size.y, left, right), tip});
  }
  for (const CardPlace& place : places)
    if (place.card.x >= left && place.card.right() <= right && place.card.y >= at.baseline + 8 * k &&
        place.card.bottom() < at.strip.y && is_clear(at, scores, place.card, word, number))
      return place;
  if (word != looked_at_word(d)) return std::nullopt;
  // Whatever it covers, where it was asked for.
  const Point tip{bar.centre().x, std::max(bar.y - number, size.y + 24)};
  return CardPlace{callout_rect(tip, Side::above, size.x, size.y, left, right), tip};
}

// On a phone below its part of the strip, so that nothing moves under the finger.
CardPlace place_below(const Drawing& d, const Sharing& at, const std::vector<float>& weights, int word, Point size) {
  float y = at.strip.x;
  for (int j = 0; j <= word; ++j) y += weights[static_cast<std::size_t>(j)] * at.strip.w;
  const Point tip{at.strip.y + at.strip.h / 2, y};
  return {callout_rect(tip, Side::below, size.x, size.y, kCardShadow, d.figure.width - kCardShadow), tip};
}

// The words whose share may be explained: the one that is looked at, else those that are lit, the brightest first.
std::vector<int> told_first(const Drawing& d, const Sharing& at, const std::vector<float>& weights) {
  if (const int word = looked_at_word(d); word >= 0 && at.slots.shows(word)) return {word};
  // Another row's has a card in the map; a phone has room for one where it is asked for.
  if (d.view.compact() || map_row_at(d.view.focus()).value_or(d.row) != d.row) return {};
  std::vector<int> words = largest_first(d.trace.at(kWeights).values, d.row);
  std::erase_if(words, [&](int j) { return !is_much(weights, weights[static_cast<std::size_t>(j)]); });
  return words;
}

void add_computed(Drawing& d, const Sharing& at, const SlotBars& scores, const std::vector<float>& weights) {
  const float k = label_scale(d), size = 15 * k, pad = 14 * k;
  const Type small{text::Face::regular, 12 * k};
  // What was set by hand is computed from nothing.
  const std::vector<int> words =
      recipes::set_in_row(d.state.weights, d.row) ? std::vector<int>{} : told_first(d, at, weights);
  for (const int word : words) {
    const Source told{std::string(kWeights), d.row, word};
    const recipes::Share shared =
        recipes::share_in_few({recipes(d.state, d.trace), d.trace, d.colours, told}, d.keys, d.colours.amber_text,
                              divides(d) ? recipes::TakesOff::the_largest : recipes::TakesOff::where_needed,
                              d.view.compact() ? recipes::Others::summed : recipes::Others::told);
    const std::string note = shared.off == 0 ? "" : "each score less the largest, " + io::format_fixed(shared.off, 2);
    const float width =
        std::max({set_formula(shared.powers, size).width, set_formula(shared.numbers, 0.9F * size).width,
                  text::measure(small.face, small.size, note)}) +
        2 * pad + 1;
    const Point extent{width, (note.empty() ? 54 : 71) * k};
    const std::optional<CardPlace> place =
        d.view.compact() ? place_below(d, at, weights, word, extent) : place_of(d, at, scores, word, extent);
    if (!place) continue;
    const Rect& card = place->card;
    const std::string id = "weights.computed." + std::to_string(word);
    add_callout(d.figure, id, card, place->tip, d.view.theme);
    const Rect line{card.x + pad, card.y + 6 * k, card.w - 2 * pad, 24 * k};
    add_formula(d, id + ".powers", line, shared.powers, size, d.colours.ink).source = told;
    add_formula(d, id + ".numbers", {line.x, line.bottom(), line.w, 20 * k}, shared.numbers, 0.9F * size,
                d.colours.ink);
    add_words(d, id + ".note", {line.x, line.bottom() + 20 * k, line.w, 16 * k}, note, {d.colours.muted, small});
    return;
  }
}

// "scores ÷ √6" beside the bars, "one lamp" beside the strip; what it says below only where there is room.
void add_names(Drawing& d, const Sharing& at, const SlotBars& scores, const ShareLight& shared) {
  if (d.view.compact()) return;
  const float k = label_scale(d), right = at.strip.x - 8;
  const std::string scale = scaling(d);
  const std::string temperature = d.state.temperature == 1 ? "" : "÷ " + io::format_short(d.state.temperature);
  add_names_beside(d, "scaled", {right, scores.y_of(0) - 32 * k}, divides(d) ? "exp" : "scores",
                   divides(d) ? "" : scale + (scale.empty() || temperature.empty() ? "" : " ") + temperature, k);
  const bool room = at.strip.h >= 30, named = !divides(d) || shared.name >= 0.5F;
  const std::string sum = named ? "1" : io::format_fixed(d.trace.at(kSum).values(d.row, 0), 2);
  add_names_beside(d, "weights", {right, room ? at.strip.y : at.strip.centre().y - 8 * k},
                   named ? "one lamp" : "together", room ? "Σ = " + sum : "", k);
}

}  // namespace

float draw_softmax(Drawing& d) {
  const bool compact = d.view.compact();
  const float k = stage_scale(d);
  const CellRange shown = shown_of(d);
  const Sharing at = compact ? narrow_sharing(d)
                             : wide_sharing(d, slots_over(d, shown, stage_room(d, 27 * k, 27 * k / 2)),
                                            static_cast<std::size_t>(shown.rows));
  SlotBars scores = score_bars(d, shared_of(d), at.slots);
  scores.top = at.bars;
  scores.height = at.bars_h;
  scores.widest = kWidestBar * at.scale;
  const std::vector<float> weights = weights_of(d);
  const ShareLight shared = share_light(d.view.t);
  std::vector<float> lit = weights;  // as much of it as the strip has
  for (float& light : lit) light *= shared.name;
  add_words_over(d, at, lit);
  add_shares(d, at, scores, weights, shared);
  add_scores(d, at, scores);
  add_names(d, at, scores, shared);
  std::size_t first = d.figure.elements.size();
  add_faint(d, at, weights);
  add_computed(d, at, scores, weights);
  show_since(d.figure, first, shared.name);
  if (!compact && shared.others < 1) {  // until its rows are shared out
    add_matrix(d, shared_of(d), at.map);
    const std::size_t sums = d.figure.elements.size();
    if (divides(d)) add_beside(d, kSum, beside_of(d, at.map), shared_of(d));
    show_since(d.figure, sums, 1 - smoothstep(0, 0.3F, shared.name));
    add_outline(d.figure, shared_of(d), d.row, -1, d.colours.ink);
  }
  first = d.figure.elements.size();
  const float bottom = compact ? add_narrow_map(d, at.strip.right() + 8) : add_weight_map(d, at.map) + 2;
  show_since(d.figure, first, shared.others);
  if (compact || shared.others == 1) return bottom;
  for (Element& element : std::span(d.figure.elements).subspan(first)) {
    if (map_row_at(element.id))
      element.opacity = 1;  // a name: the scores' rows before had it, too
    else if (element.id.starts_with("weights.row"))
      element.opacity = 0;
  }
  // The row that asks changes with its shares, before the others.
  const Element& map = *d.figure.find("weights");
  if (const std::optional<Rect> cell = cell_rect(map, d.row, shown.column)) {
    const auto columns = static_cast<float>(shown.columns);  // one cell after the other
    Element row = row_alone(map, d.row, {at.map.x, cell->y, at.map.w, cell->h});
    row.clip = Rect{row.rect.x, row.rect.y, row.rect.w * std::floor(shared.name * columns) / columns, row.rect.h};
    d.figure.add(std::move(row));
  }
  return bottom;
}

}  // namespace limelight::scenes::spotlight
