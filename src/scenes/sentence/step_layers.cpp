// The step Through the layers: the light of one word of the last layer runs down through all layers to the words.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

constexpr float kFaintest = 0.004F;  // flows below it are not drawn
constexpr float kFallen = 0.7F;      // t, when the light has come down to the words

// Of many layers, or tokens: as maps.
float draw_strips(Drawing& d, float y) {
  const std::string word = label_of(d.trace.at(d.tensor("A")).row_labels, d.query);
  const auto strip = [&](const std::string& tensor, const std::string& title, const std::string& caption) {
    Panel made{.tensor = tensor,
               .title = title,
               .colour = d.colours.ink,
               .style = PanelStyle::weights,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .colour_bar = !d.narrow(),
               .caption = caption,
               .stretched = true,
               .normalise = d.state.normalise};
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
  float lit = 1;             // how far the light that runs down has come here
  Words words;
  float top = 0, bottom = 0, baseline = 0;
};

// The light of each level, from the last layer down to the words.
std::vector<Level> levels_of(const Drawing& d) {
  std::vector<Level> levels(static_cast<std::size_t>(d.layers) + 1);
  std::vector<std::vector<float>> light = descent_of(d.trace, d.query, d.state.raw);
  for (int level = 0; level <= d.layers; ++level) {
    Level& one = levels[static_cast<std::size_t>(level)];
    one.light = std::move(light[static_cast<std::size_t>(level)]);
    const float each = kFallen / static_cast<float>(d.layers), begins = each * (static_cast<float>(level) - 0.3F);
    one.lit = level == 0 ? 1 : smoothstep(begins, begins + 0.3F * each, d.view.t);
    for (float& part : one.light) part *= one.lit;
  }
  return levels;
}

void add_flows(Drawing& d, Light& light, const std::vector<Level>& levels, float k) {
  const float gain = is_dark(d.view.theme) ? 1.5F : 2.4F;
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    const Level &above = levels[l], &below = levels[l + 1];
    const float come = std::min(d.view.t / kFallen * static_cast<float>(d.layers) - static_cast<float>(l), 1.F);
    if (come < 0.02F) break;
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
        light.beams.push_back({.from = a,
                               .control_from = ab,
                               .control_to = abc,
                               .to = mix(abc, mix(bc, mix(c, e, come), come), come),
                               .half_from = (1.4F + 15 * flow) * k,
                               .half_to = (1.4F + 15 * flow) * k,
                               .intensity = (0.1F + 1.9F * std::sqrt(flow) * std::min(1.F, 4 * flow + 0.25F)) * gain,
                               .row = i,
                               .column = j});
      }
  }
  const float most = is_dark(d.view.theme) ? 0.42F : 1.1F;  // that words are read in
  for (const Level& level : levels)
    for (int i = level.words.slots.first; i < level.words.slots.first + level.words.slots.count; ++i) {
      const float part = level.light[static_cast<std::size_t>(i)];
      if (part < 0.01F) continue;
      light.spots.push_back({.glow = Light::Glow::haze,
                             .centre = {level.words.slots.centre(i),
                                        level.words.slots.upright ? level.bottom - 20 : (level.top + level.bottom) / 2},
                             .radius_x = (17 + 34 * part) * k,
                             .radius_y = (13 + 8 * part) * k,
                             .intensity = std::min(0.05F + 2.2F * part, most) * gain});
    }
}

// How opaque the white is that lies behind a level.
std::uint8_t veil(const Drawing& d) { return is_dark(d.view.theme) ? 16 : 84; }

// What arrives at the words, in bars.
float add_arrivals(Drawing& d, const Level& words, float top, float bottom, float k) {
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
  return bottom;
}

}  // namespace

float draw_layers(Drawing& d) {
  if (d.trace.find("mean_1") == nullptr) return draw_strips(d, add_sentence(d, 12, d.inner()));
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
  for (std::size_t l = 0; l < levels.size(); ++l) {
    Level& level = levels[l];
    level.top = 10 + pitch * static_cast<float>(l);
    level.bottom = level.top + band;
    level.baseline = upright ? level.bottom - 4 : level.top + band / 2 + 8 * k;
    add_box(d, "level." + std::to_string(l) + ".band", {d.margin() - 8, level.top, d.inner() + 16, band},
            {.fill = {255, 255, 255, veil(d)}, .radius = 8});
  }
  Light light{.tensor = {}, .theme = d.view.theme};
  add_flows(d, light, levels, k);
  const Brightness brightness(light);
  add_part(d, "flows", Role::none, {0, 0, d.figure.width, levels.back().bottom},
           "The light of " + d.words()[static_cast<std::size_t>(d.query)] + ", layer by layer", std::move(light));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Level& level = levels[l];
    const std::string prefix = l == 0 ? "stage." : "level." + std::to_string(l) + ".";
    add_row(d, level.words,
            {.prefix = prefix,
             .weights = level.light,
             .tensor = "",
             .query = l == 0 ? d.query : -1,
             .baseline = level.baseline,
             .length = length,
             .scale = k,
             .light = brightness,
             .veil = veil(d) / 255.F});
    const bool words = l + 1 == levels.size();
    const std::string name = words ? "input" : "layer " + std::to_string(d.layers - static_cast<int>(l));
    const Rect at =
        d.narrow() ? Rect{d.margin() + d.inner() - 60, level.top + 2, 62, 16} : Rect{d.margin(), level.top, left, band};
    add_words(d.figure, "level." + std::to_string(l) + ".name", at, name,
              d.bold(words ? d.colours.input : d.colours.muted, 12.5F, d.narrow() ? Align::right : Align::left));
  }
  const float bottom = levels.back().bottom + foot - (d.narrow() ? 44 : 26 * labels);
  if (!d.narrow())
    add_note(d, "arrives.title", d.state.raw ? "of layer 1" : "light that arrives", {d.margin(), bottom - 36 * labels},
             left, 12 * labels);
  const std::size_t arrived = d.figure.elements.size();
  add_arrivals(d, levels.back(), levels.back().bottom + (d.narrow() ? 16.F : 4.F), bottom, k);
  show_since(d.figure, arrived, smoothstep(kFallen, 1, d.view.t));
  return add_note(d, "layers.note",
                  d.state.raw ? "Each layer by itself: the mean of its heads."
                              : "Half of each layer’s light goes straight down, half through the mean of its heads.",
                  {d.margin() + left, bottom + 4}, d.inner() - left, 12.5F * labels);
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
    return pointing(label_of(rollout->column_labels, i), cell_id({"rollout", last, i}), MeansA::weight);
  };
  const float own = arrives[static_cast<std::size_t>(told.query)];
  const std::vector<float> one = row_of(told.trace, told.tensor("A"), told.query);
  std::vector<float> others = one;
  others[static_cast<std::size_t>(told.query)] = 0;
  const int most = brightest(others);
  const auto share = [&](const std::vector<float>& row) { return share_of(row[static_cast<std::size_t>(most)]); };
  const std::string alone = "Head " + name_of(told.head) + " alone looks at " + at(most) + " with " + share(one) +
                            "; but a layer mixes all its heads. ";
  if (!told.shows_result) return alone;
  return alone + "Down at the words, the light of " + told.asking() + " is " + share_of(own) + " on " +
         pointing("its own place", cell_id({"rollout", last, told.query}), MeansA::weight) + " and " + share(arrives) +
         " on " + at(most) + ": **many glances, one mixture**.";
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
