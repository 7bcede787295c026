// The step Through the layers: the light of one word of the last layer runs down through all layers to the words.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
constexpr float kFaintest = 0.004F;  // flows below it are not drawn
// Moments of the motion: the last layer's heads leave their pictures, their light is between the words, lies side by
// side, and is one light; that has come down to the words.
constexpr float kLeave = 0.06F, kBetween = 0.24F, kBeside = 0.33F, kOne = 0.41F, kFallen = 0.84F;
constexpr std::string_view kLit = ".lit";  // behind the id of a picture that light is still to leave

// Of many layers, or tokens: as maps.
float draw_strips(Drawing& d, float y) {
  const std::string word = label_of(d.trace.at(d.tensor("A")).row_labels, d.query);
  const auto strip = [&](const std::string& tensor, const std::string& title, const std::string& caption) {
    Panel made{.tensor = tensor, .title = title, .colour = d.colours.ink, .caption = caption};
    made.style = PanelStyle::weights, made.emphasis = Emphasis::large, made.normalise = d.state.normalise;
    made.column_labels = made.stretched = true, made.colour_bar = !d.narrow();
    return zoomed(std::move(made), d.view.zoom);
  };
  std::vector<PanelRow> rows{{strip("raw", "each layer by itself", "the mean over its heads, of " + quoted(word))}};
  if (d.trace.find("rollout") != nullptr)
    rows.push_back({strip("rollout", "rollout", "from that layer down to the words, half of each step kept")});
  return add_panels(
      d.figure, d.trace, rows, {d.margin(), y, d.inner(), std::max(d.view.height - y - 20, 260.F)},
      {.theme = d.view.theme, .token_field = "query", .chosen_row = d.query, .narrow = d.narrow(), .sink = 0});
}

// A query's light at each word, level by level from the last layer down; `raw`: what each layer by itself gives it.
std::vector<std::vector<float>> descent_of(const Trace& trace, int query, bool raw) {
  const int layers = trace.at("raw").rows();
  Eigen::RowVectorXf now = Eigen::RowVectorXf::Zero(trace.at("raw").columns());
  now[query] = 1;
  std::vector<std::vector<float>> all{{now.begin(), now.end()}};
  for (int layer = layers; layer > 0; --layer) {
    const Matrix& mean = trace.at("mean_" + std::to_string(layer)).values;
    const Eigen::RowVectorXf mixed = now * mean;
    now = raw ? Eigen::RowVectorXf(mean.row(query)) : Eigen::RowVectorXf(0.5F * (now + mixed));
    all.emplace_back(now.begin(), now.end());
  }
  return all;
}

struct Level {
  std::vector<float> light;  // of each word
  Phase comes{};             // when the level comes out of the one above it, and the light that runs down to it
  float out = 1;             // how far it has come
  Words words;
  float top = 0, bottom = 0, baseline = 0, rest = 0;  // rest: its top at the end, where its frame stands from early on
};

// The light of each level, from the last layer down to the words.
std::vector<Level> levels_of(const Drawing& d) {
  std::vector<Level> levels(static_cast<std::size_t>(d.layers) + 1);
  std::vector<std::vector<float>> light = descent_of(d.trace, d.query, d.state.raw);
  for (int level = 0; level <= d.layers; ++level) {
    Level& one = levels[static_cast<std::size_t>(level)];
    one.light = std::move(light[static_cast<std::size_t>(level)]);
    const float each = (kFallen - kOne) / static_cast<float>(std::max(d.layers - 1, 1)),
                begins = kOne + each * static_cast<float>(level - 2);
    one.comes = level < 2 ? Phase{0, kOne} : Phase{begins, begins + each};
    const auto [from, to] = one.comes;
    for (float& part : one.light)
      part *= level == 0 ? smoothstep(kLeave, kBetween, d.view.t) : smoothstep(mix(from, to, 0.75F), to, d.view.t);
    // The first words come when the heads' light is over them, the others with what falls on them.
    if (level > 0)
      one.out = level == 1 ? smoothstep(kBetween - 0.03F, mix(kBetween, kBeside, 0.6F), d.view.t)
                           : smoothstep(from, mix(from, to, 0.45F), d.view.t);
  }
  return levels;
}

// How bright light is that flows, before toning.
float glare(const Drawing& d, float flow) {
  return (0.05F + 1.9F * std::sqrt(flow) * std::min(1.F, 5 * flow + 0.3F)) * (is_dark(d.view.theme) ? 1.6F : 3.4F);
}

// What each head of the last layer gives each word, with a thread in the head's colour: it comes from its small
// picture, shrinks to its part of the mean beside the others', and is one light with them.
void add_fans(Drawing& d, const Figure& there, const Level& above, const Level& below, float k) {
  const float t = d.view.t, beside = smoothstep(kBetween, kBeside, t), one = smoothstep(kBeside, kOne, t),
              whole = 44 * k, shown = smoothstep(0, kLeave, t) * (1 - smoothstep(0.3F, 1, one));  // px of a weight of 1
  const std::vector<float> mean = row_of(d.trace, "mean_" + std::to_string(d.layers), d.query);
  std::vector<float> used(mean.size());  // of the mean, by the heads before
  Light light{.tensor = {}, .theme = d.view.theme};
  const std::size_t lit = d.figure.elements.size();
  d.figure.add({.id = "fans", .rect = {0, 0, d.figure.width, there.height}});
  for (int head = 0; head < d.heads; ++head) {
    const HeadPlace place{d.layers - 1, head};
    const Element* tile = there.find("small." + name_of(place));
    if (tile == nullptr) continue;
    const float comes =
        smoothstep(kLeave + 0.05F * static_cast<float>(head) / static_cast<float>(d.heads), kBetween, t);
    const Feet from = feet_in(tile->rect, Side::queries, std::ssize(d.words())),
               to = feet_in(tile->rect, Side::keys, std::ssize(mean));
    const std::vector<float> weights = row_of(d.trace, of_head("G", place.layer, head), d.query);
    const Slots& slots = below.words.slots;
    for (int j = slots.first; j < slots.first + slots.count; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const float weight = weights[at], part = weight / static_cast<float>(d.heads),
                  aside = beside * whole * (used[at] + (part - mean[at]) / 2);
      used[at] += part;
      if (weight < 0.02F) continue;
      const Point a = mix(from.at[static_cast<std::size_t>(d.query)],
                          {above.words.slots.centre(d.query) + aside, above.bottom}, comes),
                  e = mix(to.at[at], {slots.centre(j) + aside, below.rest}, comes);
      const float half = mix(mix(1 + 3 * weight, 1 + 0.28F * whole * weight, comes), whole * part / 2, beside),
                  level = (a.y + e.y) / 2;
      const Curve thread{a, {a.x, level}, {e.x, level}, e, head_colour(head, d.view.theme), 1.2F};
      light.beams.push_back({a, thread.control_from, thread.control_to, e, half, half,
                             shown * glare(d, mix(weight, std::sqrt(part), beside)), head, j});
      if (weight > 0.08F)
        d.figure.add(
            {.id = "fan." + std::to_string(head) + "." + std::to_string(j), .shape = thread, .opacity = shown});
    }
    if (place != d.head || d.narrow()) continue;
    const int most = brightest(weights);
    const float weight = weights[static_cast<std::size_t>(most)], count = static_cast<float>(d.heads);
    add_words(d.figure, "fan.share", {slots.centre(most) - 110, below.rest + below.bottom - below.top + 6, 220, 18},
              share_text(weight) + " ÷ " + std::to_string(d.heads) + " = " + share_text(weight / count),
              {d.colours.amber_text, {text::Face::mono_bold, 13 * d.label_scale()}, Align::centre});
    d.figure.elements.back().opacity = smoothstep(0, 0.4F, beside) * (1 - smoothstep(0.6F, 1, one));
  }
  d.figure.elements[lit].shape = std::move(light);
}

void add_flows(Drawing& d, Light& light, const std::vector<Level>& levels, float k) {
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    const Level &above = levels[l], &below = levels[l + 1];
    // The first is there at once, when the heads' light is one.
    const float t = d.view.t,
                come = l == 0 ? 1 : Phase{mix(below.comes.from, below.comes.to, 0.35F), below.comes.to}.along(t);
    const float bright = l == 0 ? smoothstep(kBeside, kOne, t) : 1;
    if (std::min(come, bright) < 0.02F) break;
    const Matrix& mean = d.trace.at("mean_" + std::to_string(d.layers - static_cast<int>(l))).values;
    const Slots &from = above.words.slots, &to = below.words.slots;
    const float begin = above.bottom - 2, end = below.top + 2, half = (begin + end) / 2;
    for (int i = from.first; i < from.first + from.count; ++i)
      for (int j = to.first; j < to.first + to.count; ++j) {
        const float part = d.state.raw ? (i == d.query ? 1.F : 0.F) : above.light[static_cast<std::size_t>(i)];
        const float weight = d.state.raw ? mean(i, j) : (mean(i, j) + (i == j ? 1.F : 0.F)) / 2;
        const float flow = part * weight;
        if (flow < kFaintest) continue;
        // As much of its way as the light has come.
        const Point a{from.centre(i), begin}, b{a.x, half}, c{to.centre(j), half}, e{c.x, end};
        const Point ab = mix(a, b, come), bc = mix(b, c, come), abc = mix(ab, bc, come);
        const Point to_here = mix(abc, mix(bc, mix(c, e, come), come), come);
        const float wide = (1.6F + 17 * flow) * k;
        light.beams.push_back({a, ab, abc, to_here, wide, wide, glare(d, flow) * bright, i, j});
      }
  }
  const bool dark = is_dark(d.view.theme);
  const float most = dark ? 0.36F : 1.1F, gain = dark ? 1.5F : 2.4F;  // that words are read in
  for (const Level& level : levels) {
    const Slots& slots = level.words.slots;
    for (int i = slots.first; i < slots.first + slots.count; ++i) {
      const float part = level.light[static_cast<std::size_t>(i)];
      if (part < 0.01F) continue;
      const Point centre{slots.centre(i), slots.upright ? level.bottom - 20 : (level.top + level.bottom) / 2};
      const float word = text::measure(text::Face::display_bold, slots.size, d.words()[static_cast<std::size_t>(i)]),
                  wide = slots.upright ? (17 + 60 * part) * k : word / 2 + (8 + 30 * part) * k,
                  bright = std::min((dark ? 0.05F : 0.02F) + (dark ? 2.2F : 3.6F) * part, most) * gain;
      light.spots.push_back({Light::Glow::haze, centre, wide, (13 + 8 * part) * k, bright});
    }
  }
}

// How opaque the white is that lies behind a level.
std::uint8_t veil(const Drawing& d) { return is_dark(d.view.theme) ? 16 : 84; }

// What arrives at the words, in bars.
void add_arrivals(Drawing& d, const Level& words, float top, float bottom, float k) {
  const float labels = d.label_scale();
  const float most = *std::ranges::max_element(words.light), room = bottom - top - 18 * labels;
  const Slots& slots = words.words.slots;
  const std::string tensor = d.state.raw ? "raw" : "rollout";
  const int row = d.state.raw ? 0 : d.layers - 1;
  float pitch = slots.pitch;
  for (int i = slots.first + 1; i < slots.first + slots.count; ++i)
    pitch = std::min(pitch, slots.centre(i) - slots.centre(i - 1));
  for (int i = slots.first; i < slots.first + slots.count; ++i) {
    const float part = words.light[static_cast<std::size_t>(i)],
                high = std::max(room * part / std::max(most, 1e-6F), 1.F);
    const float wide = std::clamp(0.62F * pitch, 4.F, 24 * k), x = slots.centre(i);
    Element& bar = add_part(d, cell_id({tensor, row, i}), Role::cell, {x - wide / 2, bottom - high, wide, high},
                            d.words()[static_cast<std::size_t>(i)] + ": " + share_text(part) + " of the light",
                            Rectangle{.fill = d.colours.amber, .radius = 3});
    if (d.query == d.state.query) bar.source = Source{tensor, row, i};
    const auto stands = [&](int j) { return !slots.shows(j) || part >= words.light[static_cast<std::size_t>(j)]; };
    const bool fits = pitch > 42;  // else the tallest that stand out are told
    if (fits ||
        (stands(i - 1) && stands(i + 1) && std::ranges::count_if(words.light, [&](float of) { return of > part; }) < 4))
      add_words(d.figure, "arrives." + std::to_string(i), {x - 30, bottom - high - 17 * labels, 60, 16},
                share_text(part),
                {d.colours.amber_text,
                 {part >= 0.1F ? text::Face::mono_bold : text::Face::mono, (fits ? 12.F : 10.5F) * labels},
                 Align::centre});
  }
  add_stroke(d, "arrives.floor", {{d.margin(), bottom}, {d.margin() + d.inner(), bottom}}, d.colours.track);
}

// A level's words, its name, and on the way down to the next one what that makes.
void add_level(Drawing& d, std::span<const Level> levels, int l, float left, const Look& look) {
  const Level& level = levels[static_cast<std::size_t>(l)];
  const std::size_t first = d.figure.elements.size();
  const std::string id = "level." + std::to_string(l) + ".";
  const Rect frame{d.margin() - 8, level.rest, d.inner() + 16, level.bottom - level.top};
  add_box(d, id + "band", frame, {.fill = {255, 255, 255, veil(d)}, .radius = 8});
  const bool words = l == d.layers, narrow = d.narrow();
  const std::string name = words ? "input" : "layer " + std::to_string(d.layers - l);
  add_words(d.figure, id + "name",
            narrow ? Rect{frame.right() - 68, frame.y + 2, 62, 16} : Rect{d.margin(), frame.y, left, frame.h}, name,
            d.bold(words ? d.colours.input : d.colours.muted, 12.5F, narrow ? Align::right : Align::left));
  if (l > 0) show_since(d.figure, first, smoothstep(0, 0.07F, d.view.t - (l == 1 ? 0.1F : 0.19F)));
  const std::size_t row = d.figure.elements.size();
  if (level.out > 0) add_row(d, level.words, look);
  if (l > 0) show_since(d.figure, row, l == 1 ? smoothstep(0.5F, 1, level.out) : smoothstep(0.35F, 0.7F, level.out));
  if (words || narrow) return;
  const std::size_t note = d.figure.elements.size();
  add_note(d, id + "mean", "mean of its " + io::count_of(d.heads, "head"), {d.margin(), level.bottom + 10}, left,
           11.5F * d.label_scale());
  show_since(d.figure, note, smoothstep(0.7F, 1, levels[static_cast<std::size_t>(l) + 1].out));
}

// All of the picture, with what comes from the heads as they stood in `there`.
float add_levels(Drawing& d, const Figure& there) {
  const float k = d.scale(), labels = d.label_scale(), height = std::max(d.view.height, 420.F) - 14;
  std::vector<Level> levels = levels_of(d);
  const float left = d.narrow() ? 0 : 74 * labels, foot = (d.narrow() ? 122.F : 104 * k);
  const Setting setting{
      .room = {d.margin() + left, 0, d.inner() - left - 12, 0}, .most = std::round(23 * k), .least = 15};
  // As wide as if all were lit, so that none moves when another one asks.
  const std::vector<float> all_lit(d.words().size(), 0.2F);
  for (Level& level : levels) level.words = words_in(d, Side::queries, setting, all_lit);
  const bool upright = levels.front().words.slots.upright;
  const float length = d.narrow() ? 56 : 60 * k, band = upright ? length + 8 : 42 * k;
  const float pitch = std::max((height - foot - band - 10) / static_cast<float>(d.layers), band + 34);
  float top = 10 - pitch;
  for (Level& level : levels) {
    level.rest = 10 + pitch * static_cast<float>(&level - levels.data());
    level.top = top += pitch * level.out;
    level.bottom = top + band;
    level.baseline = upright ? level.bottom - 4 : top + band / 2 + 8 * k;
  }
  const float end = 10 + pitch * static_cast<float>(d.layers) + band;  // of the last one at rest
  Light light{.tensor = {}, .theme = d.view.theme};
  add_flows(d, light, levels, k);
  const Brightness brightness(light);
  add_part(d, "flows", Role::none, {0, 0, d.figure.width, end},
           "The light of " + d.words()[static_cast<std::size_t>(d.query)] + ", layer by layer", std::move(light));
  if (d.view.t < kOne) add_fans(d, there, levels[0], levels[1], k);
  for (int l = d.layers; l >= 0; --l) {  // each comes from below the one above it
    const Level& level = levels[static_cast<std::size_t>(l)];
    const std::string prefix = l == 0 ? "stage." : "level." + std::to_string(l) + ".";
    Look look{.prefix = prefix, .weights = level.light, .baseline = level.baseline, .length = length, .scale = k};
    look.query = l == 0 ? d.query : -1, look.light = brightness, look.veil = veil(d) / 255.F, look.heavier = 1.7F;
    add_level(d, levels, l, left, look);
  }
  const float bottom = end + foot - (d.narrow() ? 44 : 26 * labels);
  if (!d.narrow())
    add_note(d, "arrives.title", d.state.raw ? "of layer 1" : "light that arrives", {d.margin(), bottom - 36 * labels},
             left, 12 * labels);
  const std::size_t arrived = d.figure.elements.size();
  add_arrivals(d, levels.back(), end + (d.narrow() ? 16.F : 4.F), bottom, k);
  show_since(d.figure, arrived, smoothstep(kFallen, 1, d.view.t));
  return add_note(
      d, "layers.note",
      d.state.raw
          ? "Each layer by itself: the mean of its heads."
          : "A layer adds what its heads gather to what was there: half of its light is counted as gathered, half "
            "as staying in place. Staying alone leaves " +
                fixed(100 / std::pow(2.0, d.layers), 1) + " %.",
      {d.margin() + left, bottom + 4}, d.inner() - left, 12.5F * labels);
}

// The other layers' pictures go at once, those of the last one when its light has left them.
float timing_heads_leave(const Element& element, float t) {
  const std::string_view id = element.id;
  if (id.starts_with("stage.word.") || id.starts_with("level.0.")) return smoothstep(0, 0.16F, t);
  if (id.ends_with(kOld)) return smoothstep(0, 0.25F, t);
  if (id.ends_with(kLit)) return smoothstep(0.13F, 0.4F, t);
  return id.starts_with("arrives.title") || id.starts_with("layers.note") ? smoothstep(kOne, 0.7F, t) : 1;
}

}  // namespace

float draw_layers(Drawing& d) {
  const bool flows = d.trace.find("mean_1") != nullptr;
  const auto drawn = [&](const Figure& there) {
    return flows ? add_levels(d, there) : draw_strips(d, add_sentence(d, 12, d.inner()));
  };
  if (d.view.t >= 1) return drawn({});
  Figure there = moment_of(d, 1, draw_heads);
  const float bottom = drawn(there);
  for (Element& element : there.elements)
    element.id = element.id.starts_with("small." + std::to_string(d.layers) + ".") ? element.id + std::string(kLit)
                                                                                   : becomes_words(d.state, element.id);
  d.figure = blend(there, d.figure, d.view.t, timing_heads_leave);
  return bottom;
}

std::string tell_layers(const Told& told) {
  const Tensor* rollout = told.trace.find("rollout");
  if (rollout == nullptr) return "The mean over the heads of each layer.";
  const bool flows = told.trace.find("mean_1") != nullptr;
  if (told.state.raw) return "Each layer by itself: where the mean of its heads looks from " + told.asking() + ".";
  const int last = rollout->rows() - 1;
  const std::vector<float> arrives =
      flows ? descent_of(told.trace, told.query, false).back() : row_of(told.trace, "rollout", last);
  const auto at = [&](int i) {
    const std::string word = label_of(rollout->column_labels, i);
    return pointing(word.size() == 1 ? quoted(word) : word, cell_id({"rollout", last, i}), MeansA::weight);
  };
  const float own = arrives[static_cast<std::size_t>(told.query)];
  const std::vector<float> one = row_of(told.trace, told.tensor("A"), told.query);
  std::vector<float> others = one;
  others[static_cast<std::size_t>(told.query)] = 0;
  const int most = brightest(others);
  const auto share = [&](const std::vector<float>& row) { return share_of(row[static_cast<std::size_t>(most)]); };
  const std::string mean =
      "Here a layer’s light is the **mean** of its " + io::count_of(told.heads, "head") + ". Followed down ";
  if (!told.shows_result) return mean + "to the words, where does that of " + told.asking() + " end? …";
  return mean + io::count_of(last + 1, "layer") + ", that of " + told.asking() + " ends " + share_of(own) + " on " +
         pointing("its own place", cell_id({"rollout", last, told.query}), MeansA::weight) + " and " + share(arrives) +
         " on " + at(most) + ", which head " + name_of(told.head) + " alone gives " + share(one) +
         ": **one head is never the whole way**.";
}

void formula_layers(Stepped& s) {
  if (s.trace.find("rollout") == nullptr) return formula_head(s);
  const Formula mean = script(symbol("Â"), symbol("l"));
  s.made.title = "through the layers";
  s.made.lines = {
      row({mean, operation("="), fraction(number("1"), number("2")),
           parenthesised(row({symbol("I"), operation("+"), fraction(number("1"), number(std::to_string(s.heads))),
                              large("∑", symbol("h")), indexed("A", "lh")}))}),
      row({indexed("R", "l"), operation("="), mean, script(symbol("Â"), row({symbol("l"), number("−1")})), word(" … "),
           script(symbol("Â"), number("1"))})};
  s.made.note = "Attention rollout (Abnar & Zuidema 2020): half of each layer is what a word keeps of its own.";
}

}  // namespace limelight::scenes::sentence
