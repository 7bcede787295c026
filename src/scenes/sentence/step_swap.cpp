// The step Swap a word: a card turns, one head's light swings, and a dot for each head says how far its light moves.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ranges>

#include "scenes/common/strips.h"
#include "scenes/sentence/runs.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
constexpr float kTurned = 0.26F, kSets = 0.2F, kThere = 0.72F;  // moments: of the card; of the light

void add_scale(Drawing& d, Rect lanes) {
  for (const char* const tick : {"0\u00A0% stays", "25\u00A0%", "50\u00A0%", "75\u00A0%", "100\u00A0% moves"}) {
    const float x = lanes.x + lanes.w * std::strtof(tick, nullptr) / 100;
    add_stroke(d, "moved.line." + std::string(tick), {{x, lanes.y}, {x, lanes.bottom()}}, d.colours.track.faded(0.8F));
    if (!d.narrow() || (*tick != '2' && *tick != '7'))
      add_words(d.figure, "moved.tick." + std::string(tick), {x - 60, lanes.bottom() + 3, 120, 16}, tick,
                {d.colours.muted, {text::Face::mono, 11.5F * d.label_scale()}, Align::centre});
  }
}

void add_dot(Drawing& d, const HeadPlace& head, Point at, float side) {
  const std::string name = name_of(head);
  const bool chosen = head == d.head;
  const float size = chosen ? side + 6 : side;
  Element& dot = add_part(
      d, "dot." + name, Role::button, {at.x - size / 2, at.y - size / 2, size, size},
      "Head " + name + ": " + share_of(d.trace.at("moved").values(head.layer, head.head)) + " of its light moves",
      Rectangle{head_colour(head.head, d.view.theme), chosen ? d.colours.ink : d.colours.surface, chosen ? 2.5F : 1.F,
                size / 2});
  dot.source = Source{"moved", head.layer, head.head}, dot.edit = Edit{"head", name};
}

// How far each head's light has moved by now, one head after the other. Returns the bottom.
float add_moves(Drawing& d, Rect area) {
  const Tensor& moved = d.trace.at("moved");
  const float labels = d.label_scale(), label = d.narrow() ? 60 : 112 * labels, after = d.narrow() ? 84 : 96 * labels;
  const float least = d.layers > 6 ? 12 : d.narrow() ? 56 : 28, gap = d.layers > 6 ? 2 : d.narrow() ? 3 : 6 * labels;
  const float ticks = 20, high = std::max((area.h - ticks + gap) / static_cast<float>(d.layers) - gap, least);
  const Rect lanes{area.x + label, area.y, area.w - label - after, (high + gap) * static_cast<float>(d.layers) - gap};
  for (int layer = 0; layer < d.layers; ++layer) {
    const float y = lanes.y + (high + gap) * static_cast<float>(layer);
    add_box(d, "moved.lane." + std::to_string(layer), {lanes.x - 8, y, lanes.w + 16, high},
            {.fill = {255, 255, 255, static_cast<std::uint8_t>(is_dark(d.view.theme) ? 14 : 110)}, .radius = 6});
    add_words(d, "moved.layer." + std::to_string(layer), {area.x, y, label - (d.narrow() ? 4.F : 16.F), high},
              "layer " + std::to_string(layer + 1),
              {d.colours.muted, {text::Face::regular, std::min(12.5F * labels, high)}});
  }
  add_scale(d, lanes);
  const float each = (high - 6) / static_cast<float>(d.heads), side = std::clamp(2 * each, 5.F, 11.F);
  const auto come_of = [&](const HeadPlace& head) {
    const float sets = kSets + 0.02F * static_cast<float>(std::min(head.head, 8));
    return smoothstep(sets, sets + kThere - kSets, d.view.t);
  };
  const auto place_of = [&](const HeadPlace& head, float come) {
    return Point{
        lanes.x + lanes.w * come * moved.values(head.layer, head.head),
        lanes.y + (high + gap) * static_cast<float>(head.layer) + 3 + each * (static_cast<float>(head.head) + 0.5F)};
  };
  std::vector<HeadPlace> order = d.all_heads();
  std::vector<Rect> taken;  // at the end, by dots, and by names: first that of the head that is looked at
  for (const HeadPlace& head : order) {
    const Point at = place_of(head, come_of(head)), end = place_of(head, 1);
    const Colour colour = head_colour(head.head, d.view.theme);
    const float half = 0.4F * side, size = head == d.head ? side + 6 : side;
    d.figure.add({.id = "trail." + name_of(head),
                  .shape = Ribbon{.one = {{lanes.x, at.y - 0.5F}, {at.x, at.y - half}},
                                  .other = {{lanes.x, at.y + 0.5F}, {at.x, at.y + half}},
                                  .stops = {{0, colour.faded(0.08F)}, {1, colour.faded(0.6F)}}}});
    taken.push_back({end.x - size / 2, end.y - size / 2, size, size});
  }
  std::ranges::stable_partition(order, [&](const HeadPlace& head) { return head == d.head; });
  for (const HeadPlace& head : order) {
    const float share = moved.values(head.layer, head.head), come = come_of(head);
    const bool chosen = head == d.head;
    const Type type{chosen ? text::Face::mono_bold : text::Face::mono, 11.5F * labels};
    const auto said = [&](float of) { return name_of(head) + (chosen ? "  " + share_text(of * share) : ""); };
    const Point at = place_of(head, come), end = place_of(head, 1);
    const float wide = text::measure(type.face, type.size, said(1)) + 2, beside = side / 2 + (chosen ? 8.F : 5.F);
    Rect place{end.x + beside, end.y - 8, wide, 16};
    const auto clear = [&] {
      return place.right() < d.figure.width - 4 &&
             std::ranges::none_of(taken, [&](const Rect& other) { return overlap(place.inset(-1), other); });
    };
    if (!chosen && (share <= 0.55F || d.narrow() || !clear())) continue;
    while (!clear() && place.right() < d.figure.width - 8) place.x += 4;
    taken.push_back(place);
    // It goes with its dot.
    place.x = at.x + mix(beside, place.x - end.x, smoothstep(0.5F, 1, come));
    add_words(d.figure, "dot.name." + name_of(head), place, said(come),
              {chosen ? d.colours.ink : d.colours.muted, type});
    d.figure.elements.back().opacity = chosen ? 1 : smoothstep(0.7F, 0.95F, come);
  }
  for (const HeadPlace& head : order | std::views::reverse) add_dot(d, head, place_of(head, come_of(head)), side);
  return lanes.bottom() + ticks;
}

// The word that is turned, and the other one, to be typed. Returns the bottom.
float add_typing(Drawing& d, Rect line) {
  if (d.query >= d.first() && d.query != d.state.place) {
    const ChipGroup group{
        "place", "", {{"replace " + quoted(d.typed(d.query)) + " instead", std::to_string(d.query)}}, "swapping"};
    const float wide = d.narrow() ? line.w : chips_width(group, line.h) + 1;
    const float end = add_chips(d, {group}, {line.right() - wide, line.y}, wide, line.h);
    if (d.narrow())
      line.y = end + 8;
    else
      line.w -= wide + 11;
  }
  if (d.state.place >= static_cast<int>(d.words().size()) || d.state.place < d.first())
    return add_hint(d, "no_place", "Choose a word above and press replace.", {line.x, line.y}, line.w);
  const float width = std::min(line.w, 320.F);
  TextInput input{.field = "instead", .name = "instead of " + quoted(d.typed(d.state.place))};
  input.label = "The word in its place", input.text = d.state.instead, input.hint = "another word …";
  input.ink = d.colours.ink;
  return add_text_input(d, input, {d.narrow() ? line.x : line.right() - width, line.y, width, line.h});
}

float add_picture(Drawing& d, bool swung) {
  const float height = std::max(d.view.height, 380.F) - 12;
  float y = add_lamp_stage(d, swung) + 4;
  const float press = d.chip_height() + (d.fingers() ? 0.F : 2.F);
  add_words(d.figure, "moved.title", {d.margin(), y, d.inner(), d.narrow() ? 22 : press},
            "How far each head’s light moves", d.bold(d.colours.ink, 14));
  if (!d.narrow()) add_typing(d, {d.margin() + d.inner() - 540, y, 540, press});
  y += d.narrow() ? 24 : press + 8;
  if (const Tensor* refused = d.trace.find("swap_refused"); refused != nullptr)
    y = add_note(d, "swap_refused", refused->row_labels[0], {d.margin(), y}, d.inner());
  else if (!turns(d))
    y = add_hint(d, "no_swap", "Type a word to see what changes.", {d.margin(), y}, d.inner());
  else
    y = add_moves(d, {d.margin(), y, d.inner(), d.narrow() ? 60.F : height - y - 6});
  if (d.narrow()) y = add_typing(d, {d.margin(), y + 10, d.inner(), press}) + 16;
  if (!d.narrow() || !turns(d)) return y;
  Panel change{.tensor = d.tensor("d"), .title = "what each word gets more or less", .colour = d.colours.ink};
  change.style = PanelStyle::differences, change.emphasis = Emphasis::large, change.row_labels = false;
  change.column_labels = change.transposed = change.stretched = true;
  return add_panels(d.figure, d.trace, {{zoomed(std::move(change), d.view.zoom)}}, {d.margin(), y, d.inner(), 110},
                    {.theme = d.view.theme, .narrow = true, .aligned = true, .sink = 0});
}

// The card turns first, then the light swings, and last the dots run.
float timing_moment(const Element& element, float t) {
  const std::string_view id = element.id;
  if (id.starts_with("turn.")) return smoothstep(0, kTurned, t);
  // A word is lit, and its share is there, once the light is; where it was they go at once.
  if (id.starts_with("stage.word.") || id.starts_with("stage.share.")) {
    const auto* text = std::get_if<Text>(&element.shape);
    const bool comes = element.source ? element.source->tensor.starts_with("B_")
                                      : text != nullptr && text->face == text::Face::display_bold;
    return comes ? smoothstep(0.5F, 0.84F, t) : smoothstep(0.1F, 0.4F, t);
  }
  if (id.starts_with("ghost.") || id.starts_with("said")) return smoothstep(kThere, 0.9F, t);
  if (id.starts_with("stage.") || id.starts_with("lamp.")) return smoothstep(kSets, kThere, t);
  return smoothstep(0.5F, 0.9F, t);
}

// Words that the light passes over are read in it.
void ink_words(Drawing& d) {
  const Element* light = d.figure.find(kLightId);
  if (light == nullptr) return;
  const LitWords in{.theme = d.view.theme,
                    .light = Brightness(std::get<Light>(light->shape)),
                    .ground = stage_ground(d.colours, std::max(d.view.height, 100.F))};
  for (Element& element : d.figure.elements)
    if (auto* text = std::get_if<Text>(&element.shape); text != nullptr && element.id.starts_with("stage.word."))
      if (const Colour read = readable(in, text->colour, element.rect, true); read != text->colour)
        text->colour = is_dark(d.view.theme) ? mix(text->colour, d.colours.ink, 0.4F) : read;  // else it would seem lit
}

}  // namespace

float draw_swap(Drawing& d) {
  const bool swung = turns(d);
  if (!swung || d.view.t >= 1 || d.view.t <= 0) return add_picture(d, swung && d.view.t > 0);
  Drawing before = d;
  const float bottom = std::max(add_picture(before, false), add_picture(d, true));
  d.figure = blend(before.figure, d.figure, d.view.t, timing_moment);
  ink_words(d);
  // Half-way the card stands on its edge.
  const float open = std::abs(std::cos(3.1415927F * smoothstep(0, kTurned, d.view.t)));
  for (Element& element : d.figure.elements) {
    if (element.id != "turn.face" && element.id != "turn.word") continue;
    const float high = std::max(element.rect.h * open, 3.F);
    element.rect = {element.rect.x, element.rect.centre().y - high / 2, element.rect.w, high};
    if (element.id == "turn.word") element.opacity *= smoothstep(0.3F, 0.9F, open);
  }
  return bottom;
}

std::string tell_swap(const Told& told) {
  if (const Tensor* refused = told.trace.find("swap_refused"); refused != nullptr) return refused->row_labels[0];
  if (told.trace.find("moved") == nullptr)
    return "Type another word for one of the sentence, and see which heads heed it.";
  const std::vector<float> before = row_of(told.trace, told.tensor("A"), told.query),
                           after = row_of(told.trace, told.tensor("B"), told.query);
  const int was = brightest(before), is = brightest(after);
  const auto of = [](const std::vector<float>& row, int i) {
    return " (" + share_of(row[static_cast<std::size_t>(i)]) + ")";
  };
  const bool itself = told.query == told.state.place;
  const std::string other = pointing(told.state.instead, "turn.face", MeansA::word),
                    who = itself ? other : told.asking(), now_at = is == told.state.place ? other : told.word(is);
  const std::string turned =
      "Turn " + (itself ? told.asking() : bold(label_of(told.trace.at("typed").column_labels, told.state.place))) +
      " into " + other + ", and head " + name_of(told.head);
  if (!told.shows_result) return turned + " … where does its light go?";
  const Tensor* guess = told.hidden() < 0 ? nullptr : told.trace.find(of_place("guess", told.hidden()));
  const Tensor* then = told.hidden() < 0 ? nullptr : told.trace.find(of_place("guess_swapped", told.hidden()));
  std::string answer;
  if (guess != nullptr && then != nullptr) {
    const std::string &first = guess->column_labels[0], &now = then->column_labels[0];
    const bool example = told.state.preset == Preset::animal && told.state.text.empty() && is == kStreet &&
                         told.state.place == kTired && told.state.instead == "wide";
    answer = std::string(example ? " Only an animal can be tired, only a street can be wide: the" : " The") +
             " model says " + bold(quoted(now)) +
             (first != now ? " (" + share_of(then->values(0, 0)) + ") now, no longer " + quoted(first) + "."
              : was == is  ? " both times."
              : example    ? " both times, but **what it stands for is another**."
                           : " both times, but looks elsewhere for it.");
  }
  const float moved = told.trace.at("moved").values(told.head.layer, told.head.head);
  if (was == is)
    return turned + " moves " + share_of(moved) + " of its light: " + who + " still looks at " + now_at +
           of(after, is) + ", before" + of(before, was) + "." + answer;
  return turned + " swings its light: " + who + " now looks at " + now_at + of(after, is) + ", no longer at " +
         told.word(was) + of(after, was) + "." + answer;
}

void formula_swap(Stepped& s) {
  s.made.title = "how far a head’s row moves";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), fraction(number("1"), number("2")), large("∑", symbol("j")),
                       word("|"), coloured(script(symbol("A"), symbol("ij"), word("new")), s.colours.key),
                       operation("−"), indexed("A", "ij"), word("|")})};
  s.made.note = "0: the word looks where it looked before. 1: nothing of that is left.";
}

}  // namespace limelight::scenes::sentence
