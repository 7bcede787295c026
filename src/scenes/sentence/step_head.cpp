// The step One head: the sentence twice, and light from each word above to the words below that it looks at.
#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

Feet feet_of(const Words& words, float y) {
  Feet made{.at = {}, .first = words.slots.first};
  for (int i = words.slots.first; i < words.slots.first + words.slots.count; ++i)
    made.at.push_back(words.slots.column ? Point{y, words.slots.centre(i)} : Point{words.slots.centre(i), y});
  return made;
}

// Where the query's light arrives it glows behind the words, `off` px further on. Returns what these stand in.
Brightness add_flows(Drawing& d, const Feet& from, const Feet& to, std::span<const float> weights, Rect area,
                     float scale, float off) {
  const bool level = d.narrow();
  Light light =
      flows_of(d.trace.at(d.tensor("A")), from, to,
               {.share = static_cast<float>(d.state.share), .query = d.query, .alone = d.state.alone, .scale = scale},
               d.view.theme, level);
  // In the dark so dim that letters stay light on it.
  const float gain = light_gain(light.theme) * (is_dark(light.theme) ? 0.62F : 1), k = level ? 1 : d.scale();
  for (std::size_t j = 0; j < to.at.size(); ++j)
    if (const float w = weights[j + static_cast<std::size_t>(to.first)]; w >= 0.02F)
      light.spots.push_back({Light::Glow::haze,
                             {to.at[j].x + (level ? off : 0), to.at[j].y + (level ? 0 : off)},
                             (26 + (level ? 44 : 40) * w) * k,
                             (level ? 12 + 8 * w : 14 + 18 * w) * k,
                             (0.12F + 0.62F * w) * gain});
  Brightness brightness(light);
  add_part(d, "flows", Role::cell, area, "The light of head " + name_of(d.head), std::move(light));
  return brightness;
}

Panel map_of(const Drawing& d) {
  const Matrix& A = d.trace.at(d.tensor("A")).values;
  const auto told = [](float value) { return fixed(static_cast<double>(value), 2); };
  std::string colours = d.state.normalise == Normalise::row ? "; coloured by row" : "";
  if (d.state.normalise == Normalise::min_max)
    colours = "; coloured from " + told(A.minCoeff()) + " to " + told(A.maxCoeff());
  Panel map{.tensor = d.tensor("A"), .title = "weights of head " + name_of(d.head), .colour = d.colours.ink};
  map.style = PanelStyle::weights, map.emphasis = Emphasis::large, map.normalise = d.state.normalise;
  map.row_labels = false, map.colour_bar = true, map.caption = "rows look, columns are looked at" + colours;
  return zoomed(std::move(map), d.view.zoom);
}

// Of the layer, for models of many. Returns the bottom.
float add_choices(Drawing& d, float y, float left, float width) {
  if (d.layers <= kMostLayersSmall && d.heads <= 12) return y;
  return add_chips(d, {layer_chips(d)}, {left, y}, width, d.chip_height());
}

// The words of a column end where their light begins.
void end_at(Figure& figure, std::size_t first, const Slots& slots, float x) {
  for (int i = slots.first; i < slots.first + slots.count; ++i) {
    const std::string id = word_id(i), asks = "stage.asks." + std::to_string(i);
    const Element* last = figure.find(id + ".hidden");
    if (last == nullptr) last = figure.find(id + ".text");
    const float way = x - last->rect.right();
    for (std::size_t e = first; e < figure.elements.size(); ++e) {
      Element& element = figure.elements[e];
      if (element.id == id) element.rect = {0, element.rect.y, x + 12, element.rect.h};
      if (!element.id.starts_with(id + ".") && element.id != asks) continue;
      element.rect.x += way;
      if (auto* line = std::get_if<Line>(&element.shape))
        for (Point& point : line->points) point.x += way;
    }
  }
}

float draw_columns(Drawing& d, std::span<const float> weights) {
  const int most = 40, count = static_cast<int>(weights.size());
  const auto column = [&](Side side, int of) {
    Words words = words_in(d, side, {.room = {0, 0, d.inner(), 100}, .least = 1000}, weights);
    const auto [begin, end] = window_of(of, d.query, most);
    const float pitch = std::clamp((d.view.height - 190) / static_cast<float>(end - begin), 25.F, 36.F);
    words.slots = {.first = begin, .count = end - begin, .of = of, .begin = 34, .pitch = pitch};
    words.slots.size = std::min(19.F, 0.6F * pitch), words.slots.gain = 4, words.slots.column = true;
    return words;
  };
  const Words from = column(Side::queries, d.trace.at(d.tensor("A")).rows()), to = column(Side::keys, count);
  const float left = std::round(0.31F * d.figure.width), right = std::round(0.6F * d.figure.width);
  add_words(d.figure, "from.title", {12, 8, left, 18}, "looks", {d.colours.query, type::subtitle});
  add_words(d.figure, "to.title", {right, 8, 120, 18}, "is looked at", {d.colours.key, type::subtitle});
  const float bottom = std::max(from.slots.begin + from.slots.pitch * static_cast<float>(from.slots.count),
                                to.slots.begin + to.slots.pitch * static_cast<float>(to.slots.count));
  const Brightness brightness = add_flows(d, feet_of(from, left), feet_of(to, right - 6), weights,
                                          {left, 30, right - left, bottom - 30}, 0.8F, 40);
  const std::size_t first = d.figure.elements.size();
  add_row(d, from, {.query = d.query, .baseline = 14, .shares = left + 50});
  end_at(d.figure, first, from.slots, left - 8);
  const std::string tensor = d.tensor("A");
  Look look{.prefix = "keys.", .weights = weights, .tensor = tensor, .baseline = right, .scale = 0.85F};
  look.shares = d.figure.width - 14, look.light = brightness;
  add_row(d, to, look);
  float y = bottom + 10;
  add_words(d.figure, "small.title", {d.margin(), y, d.inner(), 18}, "all " + io::count_of(d.layers * d.heads, "head"),
            {d.colours.ink, type::title});
  y = add_panels_of_heads(d, {d.margin(), y + 24, d.inner(), 200}) + 14;
  y = add_choices(d, y, d.margin(), d.inner()) + 10;
  return add_panels(d.figure, d.trace, {{map_of(d)}}, {d.margin(), y, d.inner(), d.inner()},
                    {.theme = d.view.theme, .narrow = true, .sink = 0});
}

float add_parted(Drawing& d) {
  const std::vector<float> weights = row_of(d.trace, d.tensor("A"), d.query);
  if (d.narrow()) return draw_columns(d, weights);
  const float k = d.scale(), labels = d.label_scale(), height = std::max(d.view.height, 400.F) - 12;
  const float lower = d.low() ? 0 : 172 * k + (d.layers > kMostLayersSmall ? 10.F : 0.F);
  const float end = height - lower;
  Setting setting{.room = {d.margin() + 20, 0, d.inner() - 40, 0}, .most = std::round(25 * k), .least = 15};
  const Words from = words_in(d, Side::queries, setting, weights), to = words_in(d, Side::keys, setting, weights);
  const bool upright = from.slots.upright || to.slots.upright;
  const float length = upright ? 62 * k : 0;
  const float top = 26 * k + (upright ? length + 6 : 25 * k), below = end - 34 * k - (upright ? 6 : 0);
  const float begins_at = top + 10 * k, ends_at = below - (upright ? length + 4 : 30 * k);
  add_words(d.figure, "from.title", {d.margin(), top - length - 45 * k, 300, 18}, "each word looks",
            d.bold(d.colours.query, 13));
  const Brightness brightness =
      add_flows(d, feet_of(from, begins_at), feet_of(to, ends_at), weights,
                {0, begins_at, d.figure.width, ends_at - begins_at}, 1.25F * k, upright ? length / 2 : 20 * k);
  add_row(d, from, {.query = d.query, .baseline = top, .length = length, .scale = k});
  const std::string tensor = d.tensor("A");
  Look look{.prefix = "keys.", .weights = weights, .tensor = tensor, .baseline = below, .scale = 0.9F * k};
  look.shares = below + 18 * k, look.length = length, look.light = brightness;
  add_row(d, to, look);
  add_words(d.figure, "to.title", {d.margin(), below + 14 * k, 300, 18}, "… and is looked at",
            d.bold(d.colours.key, 13));
  if (d.low()) return below + 34 * k;
  const float map = 176 * k, y = end + 6;
  const Rect heads{d.margin(), y + 26 * labels, d.inner() - map - 110 * labels, height - y - 26 * labels};
  const float said = add_words(d, "small.title", {d.margin(), y}, 200,
                               "all " + io::count_of(d.layers * d.heads, "head"), d.bold(d.colours.ink, 14));
  const float left = d.margin() + said + 24, chosen = add_choices(d, y - 4, left, heads.right() - left) + 6;
  const float lowered = std::max(chosen - heads.y, 0.F);
  const float bottom = add_panels_of_heads(d, {heads.x, heads.y + lowered, heads.w, heads.h - lowered});
  if (d.view.t > 0.7F)  // it comes last
    add_panels(d.figure, d.trace, {{map_of(d)}},
               {d.figure.width - d.margin() - map - 70, y - 4, map + 70, height - y - 4},
               {.theme = d.view.theme, .sink = 0});
  add_outline(d.figure, d.tensor("A"), d.query, -1, d.colours.ink);
  return std::max(bottom, height);
}

// The lamp's light becomes the asking word's, beam by beam, its pools go with their words, that of others comes last.
void follow_lamp(Light& light, const Light& lamp, int query, float t) {
  std::vector<Light::Beam> beams = lamp.beams;
  for (Light::Beam& beam : beams) beam.intensity = 0;
  for (Light::Beam& beam : light.beams) {
    const auto same = beam.row == query ? std::ranges::find(beams, beam.column, &Light::Beam::column) : beams.end();
    if (same == beams.end())
      beam.intensity *= smoothstep(0.6F, 1, t), beams.push_back(beam);
    else
      *same = beam;
  }
  std::vector<Light::Spot> spots = lamp.spots;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    spots[i].intensity = 0;
    if (i / 2 >= lamp.beams.size()) continue;  // the lamp's own
    const Point was = lamp.beams[i / 2].to, is = beams[i / 2].to;
    spots[i].centre = {spots[i].centre.x + is.x - was.x, spots[i].centre.y + is.y - was.y};
  }
  spots.insert(spots.end(), light.spots.begin(), light.spots.end());
  light.beams = std::move(beams), light.spots = std::move(spots);
}

// What stood there of the swap goes, then the sentence parts in two, the upper one first: so it is soon above the
// light.
float timing_parting(const Element& element, float t) {
  const std::string_view id = element.id;
  if (id.starts_with("stage.word.")) return smoothstep(0.12F, 0.46F, t);
  if (id.starts_with("keys.") || id == "flows") return smoothstep(0.2F, 0.72F, t);
  if (id.starts_with(kLampId)) return smoothstep(0.3F, 0.7F, t);
  if (id.ends_with(kOld)) return smoothstep(0, 0.5F, t);
  if (id.starts_with("small.")) return smoothstep(-0.1F, 0.7F, t);
  return smoothstep(0.4F, 1, t);
}

}  // namespace

float draw_head(Drawing& d) {
  constexpr float kBack = 0.3F;  // t, when the word that was swapped is back
  if (d.view.t >= 1 || !d.is_read()) return add_parted(d);
  const float back = turns(d) ? kBack : 0;
  Figure there = moment_of(d, std::max(1 - d.view.t / std::max(back, 1e-6F), 0.F), draw_swap);
  if (d.view.t < back) {
    d.figure = std::move(there);
    return d.figure.height;
  }
  const float t = (d.view.t - back) / (1 - back), bottom = add_parted(d);
  auto& lower = d.figure.elements;
  const auto light = std::ranges::find(lower, "flows", &Element::id);
  if (const Element* lamp = there.find(kLightId); lamp != nullptr && light != lower.end())
    follow_lamp(std::get<Light>(light->shape), std::get<Light>(lamp->shape), d.state.query, t);
  std::vector<Element> keys;
  for (Element& element : there.elements) {
    element.id = element.id == kLightId ? "flows" : becomes_words(d.state, element.id);
    if (const auto* text = std::get_if<Text>(&element.shape); text != nullptr && text->text.empty()) element.id += kOld;
    if (d.narrow() || (!element.id.starts_with("stage.word.") && !element.id.starts_with("stage.share."))) continue;
    keys.push_back(element);
    keys.back().id.replace(0, 5, "keys");
  }
  there.elements.insert(there.elements.end(), keys.begin(), keys.end());
  d.figure = blend(there, d.figure, t, timing_parting);
  std::ranges::stable_partition(lower, [](const Element& one) { return !one.id.starts_with(kLampId); });
  return std::max(bottom, there.height * (1 - t));
}

std::string tell_head(const Told& told) {
  const std::vector<float> row = row_of(told.trace, told.tensor("A"), told.query);
  const int best = brightest(row);
  const bool swapped = told.trace.find(told.tensor("B")) != nullptr;  // in the step before
  const std::string head =
      "head " + name_of(told.head) + (swapped ? ", with " + told.typed(told.state.place) + " again" : "");
  if (!told.shows_result)
    return "Every word asks in a head, not " + told.asking() + " alone. Where does each of them look in " + head +
           "? …";
  const auto seen = told.trace.at("kinds").values.row(told.head.layer * told.heads + told.head.head);
  Eigen::Index kind = 0;
  const float share = seen.head(kinds).maxCoeff(&kind);
  return "In " + head + ", " + told.asking() + " looks most at " + told.word(best, "keys.") + " (" +
         share_of(row[static_cast<std::size_t>(best)]) + "). " +
         (share >= kClear
              ? "Of all words’ light in this head, " + share_of(share) + " is on " + bold(kKinds[kind]) + "."
          : seen(kinds) > 0.8F
              ? "Each word looks at many others at once here."
              : "This head has no fixed place to look at: where its light falls depends on the words.") +
         (best == 0 ? told.rest() : "");
}

void formula_head(Stepped& s) {
  s.made.title = s.is_read ? "the weights of a head" : "weights of your own";
  s.made.lines = {row({large("∑", symbol("j")), indexed("A", "ij"), operation("="), number("1")})};
  s.made.note = "Row i: the word that looks. Column j: the word that is looked at. Each head h has its own.";
  if (!s.is_read) return;
  const Formula scores = fraction(row({coloured(indexed("Q", "h"), s.colours.query),
                                       coloured(script(symbol("K"), symbol("h"), word("T")), s.colours.key)}),
                                  s.root_of_size());
  s.made.lines.insert(s.made.lines.begin(),
                      row({indexed("A", "h"), operation("="), word("softmax"),
                           parenthesised(s.causal ? row({scores, operation("+"), symbol("M")}) : scores)}));
  if (s.causal) s.made.note += " M is −∞ for what comes later, else 0.";
}

}  // namespace limelight::scenes::sentence
