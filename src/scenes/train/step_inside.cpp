// The step Look inside: one output letter, its scores and weights, and what the model takes for likely.
#include <algorithm>

#include "scenes/common/head_colours.h"
#include "scenes/common/sentence.h"
#include "scenes/common/strips.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

// Of the letter that is looked at, over each letter of the source its score, and below it the light that comes of it.
float add_scores(Drawing& d, Rect area) {
  constexpr float kLetter = 26, kNumber = 16;
  const Told t = d.told();
  const auto row = d.trace.at("scores").values.row(t.row());
  const float pitch = area.w / static_cast<float>(row.size()), most = std::max(row.maxCoeff(), 0.F),
              high = (area.h - 38 - kLetter) / 2 - kNumber, wide = std::min(0.62F * pitch, 40.F),
              unit = high / std::max(most - std::min(row.minCoeff(), 0.F), 1e-6F), above = area.y + 18 + kNumber,
              zero = above + unit * most, letters = above + high;
  add_subtitle(d, "of.scores.title", {area.x, area.y}, area.w, "how well each letter fits: its score");
  add_subtitle(d, "of.weights.title", {area.x, area.bottom() - 18}, area.w, "the light that it gets: its weight");
  add_fill(d, "of.scores", {area.x, zero, area.w, 1}, d.colours.track);
  add_fill(d, "of.weights", {area.x, letters + kLetter, area.w, 1}, d.colours.track);
  for (int j = 0; j < static_cast<int>(row.size()); ++j) {
    const float x = area.x + pitch * (static_cast<float>(j) + 0.5F);
    add_letter(d, "of.scores.letter." + std::to_string(j), {x - pitch / 2, letters, pitch, kLetter},
               t.source()[static_cast<std::size_t>(j)], d.colours.input, 15);
    for (const std::string_view tensor : {"scores", "weights"}) {
      const bool light = tensor == "weights";
      const float value = d.trace.at(tensor).values(t.row(), j), size = (light ? high : unit) * value,
                  top = light ? letters + kLetter : zero - std::max(size, 0.F);
      const Source source{std::string(tensor), t.row(), j};
      const std::string id = cell_id(source), number = light ? percent(static_cast<double>(value)) : fixed(value, 1);
      add_fill(d, "of." + std::string(tensor) + ".bar." + std::to_string(j),
               {x - wide / 2, top, wide, std::max(std::abs(size), 1.F)},
               light       ? d.colours.lamp
               : value < 0 ? unlit_score(d.colours)
                           : d.colours.score_fill,
               std::min(3.F, std::abs(size) / 2));
      if (pitch > 30 && (!light || value >= kTold))
        add_words(d, "of." + id + ".number", {x - pitch / 2, light ? top + size + 1 : top - kNumber, pitch, kNumber},
                  number, {d.colours.muted, type::small_number, Align::centre});
      d.figure.add(
          {.id = id,
           .role = Role::cell,
           .rect = {x - pitch / 2, light ? top : above, pitch, high},
           .label = std::string(tensor) + " of " + shown(t.source()[static_cast<std::size_t>(j)]) + ": " + number,
           .source = source});
    }
  }
  return area.bottom();
}

}  // namespace

float draw_inside(Drawing& d, float y, float bottom) {
  const Told t = d.told();
  const float m = d.margin(), gap = 28;
  const float wide = d.narrow() ? d.inner() : std::floor(d.inner() * 0.54F);
  const float high = d.narrow() || d.low() ? 210 : std::max(bottom - y - d.press_height() - 8, 210.F);
  Night night = night_of(d, {m, y, wide, high});
  night.query = t.row();
  night.pick = "letter";
  add_night(d, night);
  const float left = add_input(d, {m, y + high + 8, wide, d.press_height()});
  const float x = d.narrow() ? m : m + wide + gap, rest = d.narrow() ? wide : d.inner() - wide - gap;
  const float right = add_likeliest(d, t.row(), t.written()[static_cast<std::size_t>(t.row())],
                                    {x, d.narrow() ? left + 14 : y}, rest, "the next letter") +
                      16;
  if (!d.state.attention) return std::max(left, right);
  return std::max(left, add_scores(d, {x, right, rest, std::clamp(bottom - right, 190.F, 400.F)}));
}

std::string tell_inside(const Told& t) {
  const int row = t.row();
  Eigen::Index best = 0;
  t.trace.at("probabilities").values.row(row).maxCoeff(&best);
  std::string text = "Output " + std::to_string(row + 1) + " is " +
                     bold(quoted(shown(t.written()[static_cast<std::size_t>(row)]))) + ", with a probability of " +
                     bold(percent(t.at("probabilities", row, static_cast<int>(best))));
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
