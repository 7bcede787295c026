// The step Switch off: what the answer loses without a head, and without several that stand in for each other.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "io/numbers.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
// The pictures come from where All heads has them. Then the heads that are off go dark one after the other, each with
// its bar and its step of the stair, and last come the others' bars.
constexpr float kArrived = 0.3F, kEach = 0.15F;
constexpr Phase kOthers{0.8F, 1};
Phase turn_of(std::ptrdiff_t i) {
  const float from = kArrived + kEach * static_cast<float>(std::min<std::ptrdiff_t>(i, 2));
  return {from, from + kEach};
}

// Those that are off or, until one is, those that are needed most.
std::vector<HeadPlace> dark_in(const Drawing& d) {
  const Tensor* importance = d.trace.find("importance");
  if (d.state.off.cells.empty())
    return importance == nullptr ? std::vector<HeadPlace>() : needed_in(importance->values);
  std::vector<HeadPlace> dark = d.all_heads();
  std::erase_if(dark, [&](const HeadPlace& head) { return !has(d.state.off, head); });
  return dark;
}

// Of a lamp what the word loses without it, on one scale for all: a bar in a track, down from nothing, and up what it
// gains; a dot where nothing is seen of it.
void add_loss(Drawing& d, const Small& lamp, const Tensor& importance, float strip, float come) {
  constexpr float kSeen = 1.5F, kSaid = 3;  // px of a bar
  const auto [layer, head] = lamp.head;
  const float value = importance.values(layer, head), gain = std::max(importance.values.maxCoeff(), 0.F),
              loss = std::max(-importance.values.minCoeff(), 0.F);
  const Rect track{lamp.panel.x, lamp.panel.bottom() + 5, lamp.panel.w, strip - 16 * d.label_scale()};
  const float unit = track.h / std::max(loss + gain, 1e-6F), zero = track.y + gain * unit,
              high = std::abs(value) * unit;
  const std::string id = "importance.", name = name_of(lamp.head);
  const bool seen = high >= kSeen;
  if (seen) {
    add_box(d, id + "track." + name, track, {.fill = d.colours.sunken, .radius = 3});
    add_stroke(d, id + "zero." + name, {{track.x, zero}, {track.right(), zero}}, d.colours.muted);
  } else {
    add_box(d, id + "none." + name, Rect{track.centre().x - 2.5F, zero - 1.5F, 5, 5},
            {.fill = d.colours.muted, .radius = 2.5F});
  }
  add_change(d, {"importance", layer, head}, "Without head " + name, {track.x, zero, track.w, 0},
             seen ? unit * come : 0, high >= kSaid && track.w >= 34 && come > 0.9F);
}

// What is left of the answer as heads go dark: a stair down. Returns the bottom.
float add_stair(Drawing& d, std::span<const HeadPlace> dark, int place, Rect area) {
  const bool off = !d.state.off.cells.empty();
  std::vector<std::pair<std::string, Source>> steps{{"all heads", {of_place("truth", place), 0, 0}}};
  for (int i = 0; i < std::ssize(dark) && !off; ++i)
    steps.push_back({(i == 0 ? "without " : "and ") + name_of(dark[static_cast<std::size_t>(i)]), {"needed", 0, i}});
  if (off) steps.push_back({"with those off", {of_place("truth_without", place), 0, 0}});
  const auto value_of = [&](const Source& of) { return d.trace.at(of.tensor).values(of.row, of.column); };
  float before = 0;
  add_heading(d, "stair.title", {area.x, area.y}, area.w, "what is left of " + quoted(d.typed(place)),
              d.colours.output);
  const float labels = d.label_scale(), gap = 12 * labels, pitch = (area.w + gap) / 4,
              floor = area.bottom() - 20 * labels, unit = floor - area.y - kTitleHeight - 18 * labels;  // of 100 %
  for (const float level : {0.F, 1.F})
    add_stroke(d, level == 0 ? "stair.none" : "stair.all",
               {{area.x, floor - unit * level}, {area.right(), floor - unit * level}}, d.colours.muted.faded(0.4F));
  add_words(d.figure, "stair.all.said", {area.x, floor - unit - 15 * labels, area.w, 14 * labels}, "100 %",
            d.muted(11, Align::right));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [name, of] = steps[i];
    const std::string id = "stair." + std::to_string(i);
    const float come = i == 0 ? 1 : turn_of(static_cast<std::ptrdiff_t>(i) - 1).share(d.view.t), left = value_of(of),
                now = mix(before, left, come), over = unit * (before - now) < 20 * labels ? std::max(before, now) : now,
                x = area.x + pitch * static_cast<float>(i), wide = pitch - gap;
    if (come <= 0) break;
    if (before > left)
      add_box(d, id + ".lost", Rect{x, floor - unit * before, wide, unit * (before - now)},
              {.fill = {0, 0, 0, 0}, .stroke = d.colours.output.faded(0.5F), .radius = 3});
    add_part(d, id, Role::cell, {x, floor - unit * now, wide, std::max(unit * now, 1.F)}, name + ": " + share_of(left),
             Rectangle{.fill = d.colours.output_fill, .radius = 3})
        .source = of;
    add_words(d.figure, id + ".said", {x - 10, floor - unit * over - 18 * labels, wide + 20, 17 * labels},
              share_of(now), {d.colours.output, {text::Face::mono_bold, 13.5F * labels}, Align::centre});
    add_words(d.figure, id + ".name", {x - 6, floor + 3, wide + 12, 16 * labels}, name, d.muted(12, Align::centre));
    before = left;
  }
  return area.bottom();
}

// Each head as a lamp that is switched off by a press, and under it what the word loses without it. Returns the bottom.
float add_switches(Drawing& d, std::span<const HeadPlace> dark, const std::string& title, Rect area) {
  const Tensor* tensor = d.trace.find("importance");
  const float labels = d.label_scale(), strip = d.heads > 12 ? 24 : (d.narrow() ? 46 : 58) * labels,
              gap = d.heads > 12 ? 3 : 8;
  add_heading(d, "importance.title", {area.x, area.y}, area.w, title, d.colours.ink,
              d.narrow() ? "alone" : "alone, in points");
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
    const auto at = std::ranges::find(dark, lamp.head) - dark.begin();
    const Phase turn = at < std::ssize(dark) ? turn_of(at) : kOthers;
    const float gone = at < std::ssize(dark) ? Phase{turn.from, mix(turn.from, turn.to, 0.6F)}.share(d.view.t) : 0;
    Element& part = add_part(d, "off." + name, Role::toggle, lamp.panel,
                             "Head " + name + (off ? " is off: switch it on" : ": switch it off"),
                             Rectangle{.fill = Colour{0x10, 0x11, 0x17}.faded(0.94F * gone), .radius = 5});
    if (tensor != nullptr) part.source = Source{"importance", layer, head};
    part.edit = Edit{"off", std::to_string(layer) + "." + std::to_string(head) + (off ? ":" : ":1")};
    if (gone > 0) {
      add_ring(d.figure, "off.ghost." + name, lamp.panel.inset(-3), d.colours.output.faded(gone), 1.6F);
      add_words(d.figure, "off." + name + ".text", lamp.panel, "off",
                {Colour{0xff, 0xd3, 0x6b}.faded(gone), {text::Face::semibold, 12}, Align::centre});
    }
    if (tensor != nullptr) add_loss(d, lamp, *tensor, strip, turn.share(d.view.t));
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
  const std::vector<HeadPlace> dark = dark_in(d);
  const bool beside = !d.narrow(), off = !d.state.off.cells.empty();
  const float width = d.inner() * (beside ? 0.64F : 1.F), top = y, left = beside ? d.margin() + width + 48 : d.margin(),
              right = d.margin() + d.inner();
  y = add_switches(d, dark, "what " + quoted(d.typed(place)) + " loses without each head",
                   {d.margin(), y, width, d.view.height - y - 20}) +
      8;
  if (off) {
    const ChipGroup on{"off", "", {{"those it needs most", "", false, "Switch off those that it needs most"}}, "on"};
    const float wide = chips_width(on, d.chip_height());
    const float below = add_chips(d, {on}, {beside ? d.margin() + width - wide : d.margin(), beside ? top - 6 : y},
                                  wide + 1, d.chip_height());
    if (!beside) y = below + 14;
  }
  float below = beside ? top : y;
  if (!dark.empty() && (!off || d.trace.find(of_place("truth_without", place)) != nullptr))
    below = add_stair(d, dark, place,
                      {left, below, right - left, beside ? 0.46F * (d.view.height - below) : 200 * d.label_scale()}) +
            18;
  const float come = Phase{kArrived, kOthers.from}.share(d.view.t);
  const std::string which = dark.empty() ? "" : off ? "_without" : "_needed";
  below = add_guesses(d, which, place, dark.empty() || come <= 0 ? "all heads on" : "what the model says then",
                      {left, below, right - left, beside ? d.view.height - below - 12 : 160}, come);
  if (d.view.t >= kArrived) return std::max(y, below);
  Figure from = d.figure;
  const Figure there = moment_of(d, 1, draw_heads);
  for (Element& element : from.elements)
    if (const Element* was = there.find(element.id); was != nullptr && element.id.starts_with("small."))
      element = *was;
    else if (!element.id.starts_with("stage."))
      element.opacity = 0;
  d.figure = blend(from, d.figure, d.view.t / kArrived, [](const Element& element, float t) {
    return element.id.starts_with("small.") ? smoothstep(0, 0.75F, t) : smoothstep(0.7F, 1, t);
  });
  return std::max(y, below);
}

std::string tell_off(const Told& told) {
  const int hidden = told.hidden();
  if (hidden < 0) return "Hide a word, and see what the model says of it without one of its heads.";
  const Tensor* importance = told.trace.find("importance");
  const Tensor* truth = told.trace.find(of_place("truth", hidden));
  if (importance == nullptr || truth == nullptr) return "What does the model say without each of its heads?";
  const Tensor *now = told.trace.find(of_place("truth_without", hidden)), *left = told.trace.find("needed");
  const auto points = [](float loss) { return fixed(100 * static_cast<double>(loss), 1); };
  const std::string few = std::to_string((importance->values.array().abs() < 0.01F).count()) + " of " +
                          std::to_string(importance->values.size()) +
                          " heads, each by itself, change it by less than one point: others stand in for them.";
  const float whole = truth->values(0, 0);
  if (now != nullptr)
    return "With the heads that are off now " + told.typed(hidden) + " gets " + bold(share_of(now->values(0, 0))) +
           "; with all heads it gets " + share_of(whole) + ". " + few;
  const std::string all = "With all heads the model gives " + told.typed(hidden) + " " + share_of(whole) + ". ";
  if (left == nullptr) return all + "No single head is needed for it. " + few;
  if (!told.shows_result) return all + "Now those that it needs most are switched off, one after the other …";
  std::string names, alone;
  float sum = 0;
  const std::vector<HeadPlace> needed = needed_in(importance->values);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const float loss = -importance->values(needed[i].layer, needed[i].head);
    names += (i == 0 ? "" : ", ") + pointing(name_of(needed[i]), "off." + name_of(needed[i]), MeansA::word);
    alone += (i == 0 ? "" : " + ") + points(loss), sum += loss;
  }
  const float last = left->values(0, left->columns() - 1), lost = whole - last;
  if (needed.size() == 1)
    return all + "Without " + names + ", which it needs most, it gets " + share_of(last) + ". " + few;
  return "Without head " + name_of(needed[0]) + " alone " + told.typed(hidden) + " falls from " + share_of(whole) +
         " to " + share_of(left->values(0, 0)) + ", without " + names + " to " + bold(share_of(last)) +
         ". Together they cost " + points(lost) + " points, each alone " + alone + ": " +
         (lost > 1.25F * sum  ? "**each stands in for the others**."
          : lost < 0.8F * sum ? "**what one does needs the others**."
                              : "that is about their sum.");
}

void formula_off(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a head";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), change_without(symbol("h"))})};
  s.made.note = "w is the word that was hidden, p the model’s probability of it. A head that is off gives zeros.";
  const Tensor* importance = s.trace.find("importance");
  const std::vector<int> hidden = hidden_in(s.trace);
  if (importance == nullptr || hidden.empty()) return;
  const std::vector<HeadPlace> needed = needed_in(importance->values);
  if (needed.empty()) return;
  const auto least = static_cast<double>(importance->values.minCoeff());
  const auto whole = static_cast<double>(s.trace.at(of_place("truth", hidden.front())).values(0, 0));
  s.made.lines.push_back(
      row({script(symbol("Δ"), number(name_of(needed.front()))), operation("="), value_of(whole + least),
           operation("−"), value_of(whole), operation("≈"), value_of(least)}));
}

}  // namespace limelight::scenes::sentence
