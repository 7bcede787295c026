// The step Look inside: one output letter, its scores and weights, and what the model takes for likely.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/common/strips.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

std::string letter_at(const Told& t, int row) { return shown(t.written()[static_cast<std::size_t>(row)]); }

// The numbers of the letter that is looked at, a cell for each letter of the source. Returns the bottom.
float add_row(Drawing& d, const std::string& tensor, const std::string& title, Rect area) {
  const Told t = d.told();
  const CellRange range{tensor, t.row(), 0, 1, d.trace.at(tensor).columns()};
  const float pitch = area.w / static_cast<float>(range.columns), size = std::min(12.F, pitch / 3.2F);
  add_subtitle(d, "of." + tensor + ".title", {area.x, area.y}, area.w, title);
  for (int j = 0; j < range.columns; ++j)
    add_letter(d, "of." + tensor + std::to_string(j), {area.x + pitch * static_cast<float>(j), area.y + 18, pitch, 16},
               t.source()[static_cast<std::size_t>(j)], d.colours.input, 13);
  const bool scores = tensor == "scores";
  const float limit = scores ? limit_of(d.trace.at(tensor)) : 1;
  d.figure.add({.id = "of." + tensor,
                .role = Role::cell,
                .rect = {area.x, area.y + 36, area.w, 28},
                .label = title,
                .shape = Heatmap{.range = range,
                                 .map = scores ? ColourMap::diverging : ColourMap::viridis,
                                 .low = scores ? -limit : 0,
                                 .high = limit,
                                 .text_size = size < 11 ? 0 : size,
                                 .decimals = 2,
                                 .theme = d.view.theme}});
  return area.y + 64;
}

}  // namespace

float draw_inside(Drawing& d, float y, float bottom) {
  const Told t = d.told();
  const float m = d.margin(), gap = 28;
  const float wide = d.narrow() ? d.inner() : std::floor(d.inner() * 0.54F);
  const float high = d.narrow() || d.low() ? 210 : std::clamp((bottom - y) * 0.42F, 210.F, 380.F);
  Night night = night_of(d, {m, y, wide, high});
  night.query = t.row();
  night.pick = "letter";
  add_night(d, night);
  float left = add_input(d, {m, y + high + 8, wide, d.press_height()}) + 14;
  const float x = d.narrow() ? m : m + wide + gap, rest = d.narrow() ? wide : d.inner() - wide - gap;
  float right =
      add_likeliest(d, t.row(), t.written()[static_cast<std::size_t>(t.row())], {x, d.narrow() ? left : y}, rest) + 16;
  if (d.narrow()) left = right;
  if (!d.state.attention) {
    add_note(d, "of.note", "The decoder looks nowhere: it gets the same vector at every letter, and its own state.",
             {x, right}, rest);
    const Panel context{
        .tensor = "context", .colour = d.colours.ink, .style = PanelStyle::differences, .stretched = true};
    return add_panels(d.figure, d.trace, {{context}}, {m, left + 30, wide, 90},
                      {.theme = d.view.theme, .narrow = true});
  }
  right = add_row(d, "scores", "scores of output " + std::to_string(t.row() + 1), {x, right, rest, 64}) + 14;
  right = add_row(d, "weights", "softmax of them: its weights", {x, right, rest, 64});
  if (d.narrow()) left = right + 16;
  Panel map{.tensor = "weights",
            .title = "weights of all outputs",
            .colour = d.colours.ink,
            .style = PanelStyle::weights,
            .column_labels = true,
            .colour_bar = true};
  const Zoom& zoom = d.view.zoom;
  if (zoom.tensor == map.tensor && zoom.rows > 0)
    map.window = CellRange{map.tensor, zoom.row, zoom.column, zoom.rows, zoom.columns};
  left = add_panels(d.figure, d.trace, {{map}}, {m, left, wide, std::max(bottom - left, 220.F)},
                    {.theme = d.view.theme, .narrow = d.narrow(), .sink = 0});
  return std::max(left, right);
}

std::string tell_inside(const Told& t) {
  const int row = t.row();
  Eigen::Index best = 0;
  t.trace.at("probabilities").values.row(row).maxCoeff(&best);
  std::string text = "Output " + std::to_string(row + 1) + " is " + bold(quoted(letter_at(t, row))) +
                     ", with a probability of " + bold(percent(t.at("probabilities", row, static_cast<int>(best))));
  if (t.known() && t.at("right", 0, row) == 0) text += ", and wrong";
  text += ". ";
  if (!t.state.attention)
    return text + "Without attention there is nothing to look at: the same " +
           std::to_string(t.trace.at("context").columns()) + " numbers stand for the whole source at every letter.";
  const int at = t.looks_at(row);
  return text + "It looks at " + quoted(shown(t.source()[static_cast<std::size_t>(at)])) + ", place " +
         std::to_string(at + 1) + " of the source, with " + bold(percent(t.at("weights", row, at))) + " of its weight" +
         (t.begun() ? "." : ": at random, since it is not trained.");
}

// "e = v · tanh(s W + h U)", as the score has it.
Formula score_formula(const State& state, const Palette& colours) {
  const Formula s = coloured(script(symbol("s"), word("t−1")), colours.query),
                h = coloured(script(symbol("h"), symbol("j")), colours.key), e = script(symbol("e"), word("tj"));
  if (state.score == learn::AttentionScore::additive)
    return row({e, operation("="), symbol("v"), operation("·"), word("tanh"),
                parenthesised(row({s, symbol("W"), operation("+"), h, symbol("U")}))});
  if (state.score == learn::AttentionScore::general)
    return row({e, operation("="), s, operation("·"), parenthesised(row({h, symbol("U")}))});
  const auto way = [&h](std::string_view arrow) { return script(h, nullptr, word(arrow)); };
  return row({e, operation("="), s, operation("·"), parenthesised(row({way("→"), operation("+"), way("←")}))});
}

Inspection formula_inside(const State& state, const Palette& colours) {
  const Formula context = coloured(script(symbol("c"), symbol("t")), colours.output);
  if (!state.attention)
    return {.title = "c, what the decoder gets",
            .lines = {row({context, operation("="), symbol("c")})},
            .note =
                "Each output letter gets the same vector, so the source has to fit into a fixed number of numbers, "
                "however long it is."};
  const Formula a = script(symbol("a"), word("tj")), h = coloured(script(symbol("h"), symbol("j")), colours.key);
  return {.title = "a, the weights",
          .lines = {score_formula(state, colours),
                    row({a, operation("="), word("softmax"), parenthesised(script(symbol("e"), symbol("t")))}),
                    row({context, operation("="), large("∑", symbol("j")), a, h})},
          .note = "Each output letter gets a mixture of the encoder’s states of its own."};
}

}  // namespace limelight::scenes::train
