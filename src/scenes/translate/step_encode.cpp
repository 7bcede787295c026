// The detail step States: what the encoder keeps of each word, read forwards and backwards, and where the decoder
// begins.
#include "scenes/translate/stage.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// From state to state, the way it is read.
void add_reading(Drawing& d, const std::vector<Rect>& bars, bool forwards, bool column) {
  for (std::size_t j = 0; j + 1 < bars.size(); ++j) {
    const Rect &one = bars[j], &next = bars[j + 1];
    Point from = column ? Point{one.centre().x, one.bottom() + 1} : Point{one.right() + 5, one.centre().y};
    Point to = column ? Point{next.centre().x, next.y - 1} : Point{next.x - 5, next.centre().y};
    if (!forwards) std::swap(from, to);
    d.figure.add({.id = (forwards ? "read." : "back.") + std::to_string(j),
                  .shape = Arrow{.from = from, .to = to, .colour = d.colours.value, .width = 1.2F}});
  }
}

}  // namespace

float draw_encode(Drawing& d, float y) {
  Stage s = stage_of(d, y, d.view.height - (d.narrow() ? 20.F : 18.F));
  const int columns = d.trace.at("h").columns(), half = columns / 2;
  const bool both = !d.by_hand();
  const float room = s.target.y - s.bars.front().y, high = both ? std::min(0.32F * room, 150.F) : s.bars.front().h;
  for (int way = 0; way < (both ? 2 : 1); ++way) {
    std::vector<Rect> bars = s.bars;
    for (Rect& bar : bars) {
      if (s.column && both)
        bar.x = s.across.end + static_cast<float>(way) * 82, bar.w = 66;
      else if (!s.column)
        bar.y += static_cast<float>(way) * (high + 34 * s.k), bar.h = high;
    }
    for (std::size_t j = 0; j < bars.size(); ++j)
      add_bar(d, {.tensor = "h",
                  .row = static_cast<int>(j),
                  .colour = d.colours.value,
                  .rect = bars[j],
                  .label = "The state of " + d.sources()[j] +
                           (both ? way == 0 ? ", read forwards" : ", read backwards" : ""),
                  .flat = s.column,
                  .editable = d.by_hand(),
                  .first = way * half});
    add_reading(d, bars, way == 0, s.column);
    if (!s.column && !d.low())
      add_row_name(d, way == 0 ? "h.name" : "h.back", {d.margin(), bars.front().centre().y},
                   way == 0 ? "forwards" : "backwards", d.colours.value,
                   both ? std::to_string(std::min(half, kShown)) + " of " + std::to_string(half) : "");
    if (way == 1 || !both) s.bars = bars;
  }
  add_source_words(d, s, std::vector<float>(d.sources().size()), {.theme = d.view.theme});
  if (!s.column && !d.low())
    add_row_name(d, "source.name", {d.margin(), s.across.words - 0.36F * s.slots.size}, "source", d.colours.input);
  const float wide = d.by_hand() ? 74.F : 190.F,
              below = s.column ? s.slots.begin + s.slots.pitch * static_cast<float>(s.slots.count) + 34
                               : s.bars.front().bottom() + 44 * s.k;
  const Rect first{s.column ? d.margin() : s.bars.front().x, below, wide, d.by_hand() ? 38.F : 24.F};
  if (both && !s.column && d.state.first == First::encoder)
    d.figure.add({.id = "to.s",
                  .shape = Arrow{.from = {s.bars.front().centre().x, s.bars.front().bottom() + 5},
                                 .to = {s.bars.front().centre().x, below - 5},
                                 .colour = d.colours.query,
                                 .width = 1.6F}});
  add_bar(d, {.tensor = "s",
              .row = 0,
              .colour = d.colours.query,
              .rect = first,
              .label = "The decoder’s first state",
              .flat = true,
              .editable = d.by_hand()});
  add_words(d.figure, "s.name", {first.right() + 14, first.centre().y - 18, d.figure.width - first.right() - 22, 18},
            "first state s", {d.colours.query, type::title});
  add_words(d.figure, "s.said", {first.right() + 14, first.centre().y + 2, d.figure.width - first.right() - 22, 16},
            d.state.s.cells.contains({0, 0})  ? "set by hand"
            : d.state.first == First::encoder ? "from the encoder"
            : d.state.first == First::random  ? "drawn at random"
                                              : "zeros",
            {d.colours.muted, type::label});
  return first.bottom() + 12;
}

std::string tell_encode(const Told& told) {
  const Tensor& h = told.trace.at("h");
  if (!told.state.trained())
    return "For each of its " + std::to_string(h.rows()) +
           " words the encoder keeps a state of hidden size 1, h_1 to h_" + std::to_string(h.rows()) +
           ". The decoder starts from s_0 = " + bold(io::format_short(told.of("s", 0, 0))) + ".";
  static constexpr std::string_view from[] = {"made from the encoder’s state at the first word", "drawn at random",
                                              "all zeros"};
  return "Two recurrent networks read " + tokens_of(h.row_labels) + ", one forwards and one backwards; " +
         bold(std::to_string(h.columns()) + " numbers") +
         " for each token know it and its neighbours. The decoder’s first state is " +
         std::string(from[static_cast<int>(told.state.first)]) + ".";
}

}  // namespace limelight::scenes::translate
