// The detail step States: what the encoder keeps of each word, and where the decoder begins.
#include <algorithm>
#include <cmath>

#include "scenes/common/parts.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// One way of reading: its bars in the order in which they come, and how far it is, in stops.
struct Way {
  std::string id{};
  std::vector<Rect> bars{};
  float stops = 0;
  bool forwards = true;
  [[nodiscard]] int stop() const { return std::min(static_cast<int>(stops), static_cast<int>(bars.size()) - 1); }
  // At a stop first the bead comes, then its word falls in, and then the state is left there.
  [[nodiscard]] float come(float from, float to) const {
    return smoothstep(from, to, stops - static_cast<float>(stop()));
  }
  [[nodiscard]] Rect bead(float r) const {
    const auto at = static_cast<std::size_t>(stop());
    const Point middle = mix(bars[std::max(at, std::size_t{1}) - 1].centre(), bars[at].centre(), come(0, 0.4F));
    return {middle.x - r, middle.y - r, 2 * r, 2 * r};
  }
};

// Under the states, or in a column before them, a line as far as the reading has come.
void add_reading(Drawing& d, const Stage& s, const Way& way) {
  const Rect &first = way.bars.front(), &last = way.bars.back(), bead = way.bead(0);
  const float below = first.bottom() + 14 * s.k;
  const Point from = s.column ? Point{first.x - 5, first.centre().y} : Point{first.centre().x, below},
              to = s.column ? Point{from.x, bead.y} : Point{bead.x, below};
  if (way.stop() > 0) d.figure.add({.id = way.id, .shape = Arrow{from, to, d.colours.value, 2.5F}});
  if (s.column) return;
  add_words(
      d, way.id + ".said",
      {std::min(from.x, last.centre().x), below + 4 * s.k, std::abs(last.centre().x - from.x), 18 * d.label_scale()},
      way.forwards ? "each state is made of its word and the state before it"
                   : "read from the end: each is made of its word and the state after it",
      {d.colours.muted, {text::Face::regular, 13 * d.label_scale()}, Align::centre});
}

// The state as a bead, empty at first: it rolls along, takes up each word, and leaves its numbers there.
void add_bead(Drawing& d, const Stage& s, const Way& way) {
  const int count = static_cast<int>(way.bars.size()), stop = way.stop();
  const Rect bead = way.bead(s.column ? 9 : 17 * s.k), own = way.bars[static_cast<std::size_t>(stop)];
  const float left = way.come(0.55F, 1);
  for (int k = stop; k < count; ++k) {
    const std::string id = "h." + std::to_string(way.forwards ? k : count - 1 - k) + (way.forwards ? "" : ".rest");
    for (Element& element : d.figure.elements)
      if (element.id == id || element.id == id + ".glass") {
        element.opacity = k == stop ? left : 0;
        if (k == stop) element.rect = mix(bead, own, left);
      }
  }
  if (stop == count - 1 && left >= 1) return;
  const float word = s.column ? own.x - 40 : s.across.words + 6, fall = way.come(0.2F, 0.6F),
              r = s.column ? 4 : 6 * s.k,
              full = (static_cast<float>(stop) + way.come(0.5F, 0.7F)) / static_cast<float>(count);
  const Point to = bead.centre(), from = s.column ? Point{word, own.centre().y} : Point{own.centre().x, word},
              drop = mix(from, to, fall);
  const float turned = (to.x + to.y) / bead.w * 2 * (way.forwards ? 1 : -1), gone = stop == count - 1 ? 1 - left : 1;
  if (fall > 0 && fall < 1)
    add_box(d, way.id + ".takes", {drop.x - r, drop.y - r, 2 * r, 2 * r}, {.fill = d.colours.input_fill, .radius = r});
  const Rectangle ball{mix(d.colours.surface, d.colours.value_fill, full), d.colours.value, 2.5F, bead.w / 2};
  add_part(d, way.id + ".bead", Role::none, bead, {}, ball).opacity = gone;
  const Point rim{to.x + 0.7F * bead.w / 2 * std::cos(turned), to.y + 0.7F * bead.w / 2 * std::sin(turned)};
  add_stroke(d, way.id + ".turn", {mix(to, rim, 0.4F), rim}, d.colours.value, 2.5F).opacity = gone;
}

}  // namespace

float draw_encode(Drawing& d, float y) {
  const Stage s = stage_of(d, y, d.view.height);
  // Half of a state's numbers are of each way of reading.
  const int half = d.trace.at("h").columns() / 2;
  std::vector<BarRow> rows{{"h", "states h", d.colours.value, true}};
  if (!d.by_hand())
    rows = {{"h", "forwards", d.colours.value, false, half, 0, kFew},
            {"h", "backwards", d.colours.value, false, half, half, kFew}};
  const Rows made = add_bar_rows(d, s, rows, d.view.height - 92);
  constexpr float kRead = 0.92F;  // then the decoder's first state comes
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Way way{i == 0 ? "read" : "back", made.rects[i], 0, i == 0};
    if (!way.forwards) std::ranges::reverse(way.bars);
    const auto share = std::clamp(d.view.t / kRead * static_cast<float>(rows.size()) - static_cast<float>(i), 0.F, 1.F);
    way.stops = share * static_cast<float>(way.bars.size());
    add_bead(d, s, way);
    add_reading(d, s, way);
  }
  const std::size_t begun = d.figure.elements.size();
  const Rect& from = made.rects.back().front();
  const Rect first{s.column ? d.margin() : from.x, made.end + (s.column ? 26.F : 46.F), d.by_hand() ? 74.F : 190.F,
                   d.by_hand() ? 38.F : 24.F};
  if (!d.by_hand() && !s.column && d.state.first == First::encoder)
    d.figure.add(
        {.id = "to.s",
         .shape = Arrow{
             {from.centre().x, from.bottom() + 14 * s.k + 7}, {from.centre().x, first.y - 5}, d.colours.query, 1.6F}});
  add_bar(d, {"s", 0, d.colours.query, first, "The decoder’s first state", true, d.by_hand()});
  const std::string origin = d.state.s.cells.contains({0, 0})  ? "set by hand"
                             : d.state.first == First::encoder ? "from the encoder"
                             : d.state.first == First::random  ? "drawn at random"
                                                               : "zeros";
  add_heading(d, "s.title", {first.right() + 14, first.centre().y - 11}, d.figure.width - first.right() - 22,
              "first state s", d.colours.query, origin);
  show_since(d.figure, begun, smoothstep(kRead, 1, d.view.t));
  return first.bottom() + 12;
}

std::string tell_encode(const Told& told) {
  const Tensor& h = told.trace.at("h");
  if (!told.state.trained())
    return "For each of its " + std::to_string(h.rows()) +
           " words the encoder keeps a state of hidden size 1, h_1 to h_" + std::to_string(h.rows()) +
           ". The decoder starts from s_0 = " + bold(io::format_short(told.at("s", 0, 0))) + ".";
  static constexpr std::string_view from[] = {"made from the encoder’s state at the first word", "drawn at random",
                                              "all zeros"};
  return "Two recurrent networks, which make each state from a word and the state before, read " +
         tokens_of(h.row_labels) + ", one forwards and one backwards; " +
         bold(std::to_string(h.columns()) + " numbers") +
         " for each token know it and its neighbours. The decoder’s first state is " +
         std::string(from[static_cast<int>(told.state.first)]) + ".";
}

}  // namespace limelight::scenes::translate
