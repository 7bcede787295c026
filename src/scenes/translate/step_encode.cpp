// The detail step States: what the encoder keeps of each word, and where the decoder begins.
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// Below the states of one way of reading, or in a column before them: from the first one that is made to the last.
void add_reading(Drawing& d, const Stage& s, const std::vector<Rect>& bars, float begin, float length, bool forwards) {
  const std::string id = forwards ? "read" : "back";
  const Rect &first = forwards ? bars.front() : bars.back(), &last = forwards ? bars.back() : bars.front();
  const float beside = first.x - 5, below = first.bottom() + 14 * s.k;
  Point from{first.centre().x, below}, to{last.centre().x, below};
  if (s.column) from = {beside, first.centre().y}, to = {beside, last.centre().y};
  const float t = std::clamp((d.view.t - begin) / length, 0.F, 1.F);
  d.figure.add({.id = id, .shape = Arrow{from, {mix(from.x, to.x, t), mix(from.y, to.y, t)}, d.colours.value, 2.5F}});
  if (s.column) return;
  add_words(d, id + ".said", {std::min(from.x, to.x), below + 4 * s.k, std::abs(to.x - from.x), 18 * d.label_scale()},
            forwards ? "each state is made of its word and the state before it"
                     : "read from the end: each is made of its word and the state after it",
            {d.colours.muted, {text::Face::regular, 13 * d.label_scale()}, Align::centre});
}

// One state after the other: out of the one before it, sideways, and of its word, which falls in.
void add_coming(Drawing& d, const Stage& s, const std::vector<Rect>& bars, float begin, float length, bool forwards) {
  const std::size_t count = bars.size();
  const float each = 1 / static_cast<float>(count);
  const std::size_t drawn = d.figure.elements.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t j = forwards ? k : count - 1 - k;
    const float at = 0.85F * each * static_cast<float>(k),
                come = smoothstep(at, at + 0.15F + 0.85F * each, (d.view.t - begin) / length);
    if (come >= 1) continue;
    const Rect& own = bars[j];
    const Rect before = k == 0 ? own : bars[forwards ? j - 1 : j + 1];
    const std::string id = "h." + std::to_string(j) + (forwards ? "" : ".rest"), falls = "falls." + std::to_string(j);
    for (Element& element : std::span(d.figure.elements).first(drawn))
      if (element.id == id || element.id == id + ".glass") {
        element.rect = mix(before, own, come);
        element.opacity = come;
      }
    if (come <= 0 || s.column) continue;
    const Point word{own.right() + 4, s.across.words + 4}, in{word.x, own.y}, through{word.x, own.bottom()};
    const std::vector<Point> drop{mix(word, in, smoothstep(0.4F, 1, come)),
                                  mix(word, through, smoothstep(0, 0.6F, come))};
    d.figure.add({.id = falls, .shape = Line{drop, d.colours.input_fill, 3}});
  }
}

}  // namespace

float draw_encode(Drawing& d, float y) {
  const Stage s = stage_of(d, y, d.view.height);
  // Half of a state's numbers are of each way of reading.
  const int half = d.trace.at("h").columns() / 2;
  std::vector<BarRow> rows{{"h", "states h", d.colours.value, true}};
  if (!d.by_hand())
    rows = {{"h", "forwards", d.colours.value, false, half}, {"h", "backwards", d.colours.value, false, half, half}};
  const Rows made = add_bar_rows(d, s, rows, d.view.height - 92);
  for (std::size_t way = 0; way < rows.size(); ++way) {
    const float length = 1 / static_cast<float>(rows.size()), begin = length * static_cast<float>(way);
    add_coming(d, s, made.rects[way], begin, length, way == 0);
    add_reading(d, s, made.rects[way], begin, length, way == 0);
  }
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
  return "Two recurrent networks read " + tokens_of(h.row_labels) + ", one forwards and one backwards; " +
         bold(std::to_string(h.columns()) + " numbers") +
         " for each token know it and its neighbours. The decoder’s first state is " +
         std::string(from[static_cast<int>(told.state.first)]) + ".";
}

}  // namespace limelight::scenes::translate
