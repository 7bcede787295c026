// The step Switch off: what the answer loses without a head.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "io/numbers.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
// The heads that are off or, until one is, the most needed one go dark, their bars fall, then answers and other bars.
constexpr Phase kGoesDark{0, 0.25F}, kFalls{0.2F, 0.5F}, kAnswers{0.35F, 0.65F}, kOthers{0.65F, 1};

bool is_dark_here(const Drawing& d, const HeadPlace& head) {
  const Tensor* importance = d.trace.find("importance");
  return d.state.off.cells.empty() ? importance != nullptr && importance->values.minCoeff() < kNeedsIt &&
                                         head == needed_in(importance->values)
                                   : has(d.state.off, head);
}

// Of a lamp what the word loses without it, on one scale for all: a bar in a track, down from nothing, and up what it
// gains.
void add_loss(Drawing& d, const Small& lamp, const Tensor& importance, float strip) {
  const auto [layer, head] = lamp.head;
  const float value = importance.values(layer, head), gain = std::max(importance.values.maxCoeff(), 0.F),
              loss = std::max(-importance.values.minCoeff(), 0.F), labels = d.label_scale();
  const Rect track{lamp.panel.x, lamp.panel.bottom() + 5, lamp.panel.w, strip - 16 * labels};
  const float unit = track.h / std::max(loss + gain, 1e-6F), zero = track.y + gain * unit,
              come = (is_dark_here(d, lamp.head) ? kFalls : kOthers).share(d.view.t);
  const std::string id = "importance.", name = name_of(lamp.head);
  add_box(d, id + "track." + name, track, {.fill = d.colours.sunken, .radius = 3});
  add_change(d, {"importance", layer, head}, "Without head " + name, {track.x, zero, track.w, 0}, unit * come,
             std::abs(value) > 0.2F * std::max(loss, gain) && track.w >= 34 && come > 0.9F);
  add_stroke(d, id + "zero." + name, {{track.x, zero}, {track.right(), zero}}, d.colours.muted);
  for (const auto& [end, said] : {std::pair(0.F, std::string("0")), {-loss, points_of(-loss)}, {gain, points_of(gain)}})
    if (head == 0 && !d.narrow() && (said == "0" || std::abs(end) * unit > 14 * labels))
      add_words(d.figure, id + "scale." + name + said, {track.x - 60, zero - end * unit - 8, 54, 16}, said,
                d.muted(11, Align::right));
}

// The light of the head that is cut, as it was: from the hidden word to those that it looked at.
void add_cut(Drawing& d, const HeadPlace& head, Rect area) {
  const Tensor* map = d.trace.find(of_head("G", head.layer, head.head));
  if (map == nullptr || map->columns() != static_cast<int>(d.words().size()) || area.h < 110) return;
  const float labels = d.label_scale();
  const int place = hidden_in(d.trace).front();
  const std::vector<float> weights = row_of(d.trace, map->name, place);
  const auto most = static_cast<std::size_t>(brightest(weights));
  add_words(d, "cut.title", {area.x, area.y}, area.w,
            "layer " + std::to_string(head.layer + 1) + " · head " + std::to_string(head.head + 1) + " looked at " +
                d.words()[most] + ", " + share_of(weights[most]),
            d.bold(d.colours.ink, 13));
  const Rect panel{area.x, area.y + 24 * labels, area.w, std::min(area.h - 24 * labels, 200 * labels)};
  const Feet from = feet_in(panel, Side::queries, map->rows()), to = feet_in(panel, Side::keys, map->columns());
  add_box(d, "cut.panel", panel, {.fill = {0x10, 0x11, 0x17}, .stroke = d.colours.track, .radius = 6});
  Light light =
      flows_of(*map, from, to, {.share = 0.95F, .query = place, .alone = true, .scale = panel.w / 210}, Theme::dark);
  for (Light::Beam& beam : light.beams) beam.intensity *= mix(1, 0.5F, kGoesDark.share(d.view.t));
  add_part(d, "cut.light", Role::none, panel, {}, std::move(light));
  const auto said = [&](const std::string& word, Point at, Colour colour) {
    const float wide = text::measure(text::Face::semibold, 12.5F * labels, word) + 2;
    add_words(d.figure, "cut." + word,
              {std::clamp(at.x - wide / 2, panel.x + 6, panel.right() - wide - 6), at.y, wide, 16}, word,
              d.bold(colour, 12.5F));
  };
  said("hidden word", {from.at[static_cast<std::size_t>(place)].x, panel.y + 2}, palette(Theme::dark).query);
  said(d.words()[most], {to.at[most].x, panel.bottom() - 18}, palette(Theme::dark).amber_text);
}

// Each head as a lamp that is switched off by a press, and under it what the word loses without it. Returns the bottom.
float add_switches(Drawing& d, const std::string& title, Rect area) {
  const Tensor* tensor = d.trace.find("importance");
  const float labels = d.label_scale(), strip = d.heads > 12 ? 24 : (d.narrow() ? 46 : 58) * labels,
              gap = d.heads > 12 ? 3 : 8;
  add_heading(d, "importance.title", {area.x, area.y}, area.w, title, d.colours.ink, "in points");
  append_hint(d.figure, d.narrow() ? "; press one" : "; press one to switch it off");
  const float left = d.narrow() ? 0 : 56 * labels, y = area.y + kTitleHeight;
  const float wide = (area.w - left + gap) / static_cast<float>(d.heads) - gap;
  const float high = std::clamp((area.h - kTitleHeight) / static_cast<float>(d.layers) - strip - 14,
                                d.view.touch ? 44.F : 20.F, std::max(1.25F * wide, 44.F));
  std::vector<Small> lamps;
  for (const HeadPlace& head : d.all_heads())
    lamps.push_back({head,
                     {area.x + left + (wide + gap) * static_cast<float>(head.head),
                      y + (high + strip + 14) * static_cast<float>(head.layer), wide, high}});
  add_small(d, lamps);
  std::erase_if(d.figure.elements, [](const Element& one) { return one.id.starts_with("small.chosen"); });
  for (const Small& lamp : lamps) {
    const auto [layer, head] = lamp.head;
    const std::string name = name_of(lamp.head);
    const bool off = has(d.state.off, lamp.head);
    const float dark = is_dark_here(d, lamp.head) ? kGoesDark.share(d.view.t) : 0;
    Element& part = add_part(d, "off." + name, Role::toggle, lamp.panel,
                             "Head " + name + (off ? " is off: switch it on" : " is on: switch it off"),
                             Rectangle{.fill = Colour{0x10, 0x11, 0x17}.faded(0.94F * dark), .radius = 5});
    if (tensor != nullptr) part.source = Source{"importance", layer, head};
    part.edit = Edit{"off", std::to_string(layer) + "." + std::to_string(head) + (off ? ":" : ":1")};
    if (dark > 0) {
      const auto [x, top, wide_in, high_in] = lamp.panel.inset(-3);
      const float right = x + wide_in, below = top + high_in;
      add_stroke(d, "off.ghost." + name, {{x, top}, {right, top}, {right, below}, {x, below}, {x, top}},
                 d.colours.output.faded(dark), 1.6F, true);
      add_words(d, "off." + name + ".text", lamp.panel, "off",
                {Colour{0xff, 0xd3, 0x6b}.faded(dark), {text::Face::semibold, 12}, Align::centre});
    }
    if (tensor != nullptr) add_loss(d, lamp, *tensor, strip);
    if (head == 0 && !d.narrow())
      add_words(d, "importance.layer." + std::to_string(layer), {area.x, lamp.panel.y, left - 6, high},
                "layer " + std::to_string(layer + 1), d.muted(12.5F));
  }
  return y + (high + strip + 14) * static_cast<float>(d.layers);
}

}  // namespace

float draw_off(Drawing& d) {
  float y = add_sentence(d, 10, d.inner()) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its heads");
  const int place = hidden_in(d.trace).front();
  const bool beside = !d.narrow();
  const float width = d.inner() * (beside ? 0.64F : 1.F), top = y;
  y = add_switches(d, "what " + quoted(d.typed(place)) + " loses without each head",
                   {d.margin(), y, width, d.view.height - y - 20}) +
      8;
  if (!d.state.off.cells.empty())
    y = add_chips(d, {{"off", "", {{"switch all on", "", false, "Switch all heads on"}}, "on"}}, y, d.chip_height()) +
        14;
  // What it says without those that are off or, until one is, without the one that it needs most.
  const float left = beside ? d.margin() + width + 48 : d.margin(), right = d.margin() + d.inner();
  const Tensor* importance = d.trace.find("importance");
  const bool off = !d.state.off.cells.empty(),
             needs = importance != nullptr && importance->values.minCoeff() < kNeedsIt;
  const std::string which = off ? "_without" : needs ? "_needed" : "";
  std::string title = off ? "with heads off" : "all heads on";
  if (needs && !off) title = "without head " + name_of(needed_in(importance->values)) + ", which it needs most";
  const float come = kAnswers.share(d.view.t),
              below = add_guesses(d, which, place, come > 0 ? title : "all heads on",
                                  {left, beside ? top : y, right - left, beside ? 0.5F * (d.view.height - top) : 160},
                                  come);
  std::vector<HeadPlace> dark = d.all_heads();
  std::erase_if(dark, [&](const HeadPlace& head) { return !is_dark_here(d, head); });
  if (beside && dark.size() == 1)
    add_cut(d, dark.front(), {left, below + 18, right - left, d.view.height - below - 38});
  return std::max(y, below);
}

std::string tell_off(const Told& told) {
  const int hidden = told.hidden();
  if (hidden < 0) return "Hide a word, and see what the model says of it without one of its heads.";
  const Tensor* importance = told.trace.find("importance");
  const Tensor* truth = told.trace.find(of_place("truth", hidden));
  if (importance == nullptr || truth == nullptr) return "What does the model say without each of its heads?";
  const float least = importance->values.minCoeff();
  const HeadPlace needed = needed_in(importance->values);
  std::string text = "With all heads the model gives " + told.typed(hidden) + " " + share_of(truth->values(0, 0));
  if (!told.shows_result) return text + ". Now head " + bold(name_of(needed)) + " is switched off …";
  text += least < kNeedsIt ? "; without head " + bold(name_of(needed)) + ", which it needs most, " +
                                 share_of(truth->values(0, 0) + least) + ". "
                           : ". No single head is needed for it. ";
  const std::vector<float> light = row_of(told.trace, of_head("G", needed.layer, needed.head), hidden);
  if (least < kNeedsIt && told.trace.at("model").values(0, 2) > 0 && !light.empty() && brightest(light) == 0)
    text += "Surprisingly, that one looks at " + bold(label_of(told.trace.at("tokens").column_labels, 0)) + " (" +
            share_of(light[0]) + "): **light is not all that a head does**, what its values pass on counts, too. ";
  if (const Tensor* now = told.trace.find(of_place("truth_without", hidden)); now != nullptr)
    text += "**With the heads that are off now it gets " + share_of(now->values(0, 0)) + ".** ";
  return text + std::to_string((importance->values.array().abs() < 0.01F).count()) + " of " +
         std::to_string(importance->values.size()) +
         " heads change it by less than one point: others can stand in for them.";
}

void formula_off(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a head";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), change_without(symbol("h"))})};
  s.made.note = "w is the word that was hidden, p the model’s probability of it. A head that is off gives zeros.";
  const Tensor* importance = s.trace.find("importance");
  const std::vector<int> hidden = hidden_in(s.trace);
  if (importance == nullptr || hidden.empty()) return;
  const auto least = static_cast<double>(importance->values.minCoeff());
  const auto whole = static_cast<double>(s.trace.at(of_place("truth", hidden.front())).values(0, 0));
  const std::string name = name_of(needed_in(importance->values));
  s.made.lines.push_back(row({script(symbol("Δ"), number(name)), operation("="), value_of(whole + least),
                              operation("−"), value_of(whole), operation("≈"), value_of(least)}));
}

}  // namespace limelight::scenes::sentence
