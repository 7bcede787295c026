// The step Look inside: one output letter, its scores and weights, and what the model takes for likely.
#include <algorithm>

#include "scenes/common/head_colours.h"
#include "scenes/common/sentence.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

constexpr float kLetter = 26, kNumber = 16, kHead = 22, kOver = kHead + kNumber;

// Of the letter that is looked at a row of a tensor: over each letter its bar; of light below it.
void add_bars(Drawing& d, const char* name, Rect area, Colour tint) {
  const Tensor& tensor = d.trace.at(name);
  const Matrix row = tensor.values.row(d.told().row());
  const bool light = tensor.name == "weights", share = tensor.name != "scores";
  const float most = share ? 1 : std::max(row.maxCoeff(), 0.F), least = share ? 0 : std::min(row.minCoeff(), 0.F),
              unit = area.h / std::max(most - least, 1e-6F), zero = light ? area.y : area.y + unit * most,
              pitch = area.w / static_cast<float>(row.size()),
              come = smoothstep(share ? light ? 0.35F : 0.65F : 0.05F, share ? light ? 0.7F : 1 : 0.4F, d.view.t),
              wide = std::min(0.62F * pitch, 40.F), room = std::max(pitch, 44.F);
  const std::string of = "of." + tensor.name;
  add_fill(d, of, {area.x, zero, area.w, 1}, d.colours.track);
  for (int j = 0; j < tensor.columns(); ++j) {
    const std::string& letter = tensor.column_labels[static_cast<std::size_t>(j)];
    const float x = area.x + pitch * (static_cast<float>(j) + 0.5F), value = row(0, j), size = come * unit * value,
                top = light ? zero : zero - std::max(size, 0.F), said = light ? top + size + 1 : top - kNumber;
    const Source source{tensor.name, d.told().row(), j};
    const std::string number = share ? percent(static_cast<double>(value)) : fixed(value, 1);
    add_fill(d, of + ".bar." + std::to_string(j), {x - wide / 2, top, wide, std::max(std::abs(size), 1.F)},
             value < 0 ? unlit_score(d.colours) : tint, std::min(3.F, std::abs(size) / 2));
    if (come > 0 && (share ? value >= kTold : pitch > 30))
      add_words(d, of + ".number." + std::to_string(j),
                {std::clamp(x - room / 2, area.x, area.right() - room), said, room, kNumber}, number,
                {d.colours.muted, type::small_number, Align::centre});
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {x - pitch / 2, area.y, pitch, area.h},
                  .label = tensor.name + " of " + shown(letter) + ": " + number,
                  .source = source});
    if (!light && !is_control(letter))
      add_letter(d, of + ".letter." + std::to_string(j), {x - pitch / 2, area.bottom(), pitch, kLetter}, letter,
                 share ? d.colours.ink : d.colours.input, 15);
  }
}

}  // namespace

float draw_inside(Drawing& d, float y, float bottom) {
  const Told t = d.told();
  const float m = d.margin(), gap = 28;
  const float wide = d.narrow() ? d.inner() : std::floor(d.inner() * 0.54F);
  const float high = d.narrow() || d.low() ? 210 : std::max(bottom - y - d.press_height() - 8, 210.F);
  Night night = night_of(d, {m, y, wide, high});
  night.query = t.row(), night.pick = "letter";
  add_night(d, night);
  const float left = add_input(d, {m, y + high + 8, wide, d.press_height()});
  const float x = d.narrow() ? m : m + wide + gap, rest = d.narrow() ? wide : d.inner() - wide - gap;
  float top = d.narrow() ? left + 14 : y;
  const Rect chances{x, top + kOver, rest, 0.26F * high + 12};
  add_heading(d, "of.probabilities.title", {x, top}, rest, "probability", d.colours.output, "of the next letter");
  add_bars(d, "probabilities", chances, d.colours.output);
  top = chances.bottom() + kLetter + 12;
  if (!d.state.attention) return std::max(left, top);
  bottom = d.narrow() ? top + 290 : std::max(bottom, top + 210);
  const Rect scores{x, top + kOver, rest, (bottom - top - kLetter) / 2 - kOver};
  add_heading(d, "of.scores.title", {x, top}, rest, "score", d.colours.ink, "how well each fits what is written");
  add_bars(d, "scores", scores, d.colours.score_fill);
  add_bars(d, "weights", scores.moved(0, scores.h + kLetter), d.colours.lamp);
  add_heading(d, "of.weights.title", {x, bottom - kHead}, rest, "weight", d.colours.amber_text, "its light, of 100 %");
  return std::max(left, bottom);
}

std::string tell_inside(const Told& t) {
  const int row = t.row();
  const int best = largest_in(t.trace.at("probabilities").values, row);
  std::string text = "Output " + std::to_string(row + 1) + " is " +
                     bold(quoted(shown(t.written()[static_cast<std::size_t>(row)]))) + ", with a probability of " +
                     bold(percent(t.at("probabilities", row, best)));
  if (t.known() && t.at("right", 0, row) == 0) text += ", and wrong";
  text += ". ";
  if (!t.state.attention)
    return text + "Without attention there is nothing to look at: the same " +
           std::to_string(t.trace.at("context").columns()) + " numbers stand for the whole source at every letter.";
  const int at = t.looks_at(row);
  return text + "It looks at " + quoted(shown(t.source()[static_cast<std::size_t>(at)])) + ", place " +
         std::to_string(at + 1) + " of the source, with " + bold(percent(t.at("weights", row, at))) + " of its weight" +
         (t.begun() ? ": learned from mistakes alone." : ": at random, since it is not trained.") + kNext;
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
