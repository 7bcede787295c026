// The steps Look and Write: what is lit up to write a word, how that comes about, how the word appears.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "figure/callout.h"
#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// Of the movement how long each takes: scores, light, pouring, the word.
Shown shown_at(float t) {
  const auto between = [t](float from, float to) { return smoothstep(from, to, t); };
  return {between(0, 0.17F), between(0.17F, 0.42F), between(0.4F, 0.83F), t < 0.85F ? 0.F : 1.F, false, true, false};
}

float strip(Drawing& d, const std::string& id, const Source& row, Rect rect, const std::string& title, Colour colour,
            const std::string& note) {
  return add_strip(d, Strip{.id = id, .row = row, .title = title, .colour = colour, .note = note, .editable = true},
                   rect);
}

// The likeliest words that are something, and all others in one line. Returns the bottom.
float add_next(Drawing& d, Point at, float width) {
  const auto all = d.trace.at("probabilities").values.row(d.row);
  const int told = std::clamp(static_cast<int>((all.array() >= 0.0005F).count()), 1, 5);
  const std::vector<int> order = largest_of(all, 0);
  float rest = 1;
  for (int i = 0; i < told; ++i) rest -= all(order[static_cast<std::size_t>(i)]);
  add_likeliest(d, d.row, label_of(written(d.trace), d.row), at, width);
  std::erase_if(d.figure.elements, [told](const Element& element) {
    const bool bar = element.id.starts_with("likeliest.") && std::isdigit(element.id[10]) != 0;
    return element.id == "likeliest.title.note" || (bar && element.id[10] - '0' >= told);
  });
  const Rect line{at.x, at.y + 26 * static_cast<float>(told + 1), width, 20};
  add_words(d, "likeliest.rest", line, "all others together: " + share_text(std::max(rest, 0.F)), {d.colours.muted});
  return line.bottom();
}

// Of the example by hand: all that makes the next state, and a score of it for each word.
float add_numbers(Drawing& d, Rect left, Rect right) {
  const std::string before = d.row == 0 ? "[START]" : written(d.trace)[static_cast<std::size_t>(d.row - 1)];
  add_heading(d, "y.title", {left.x, left.y}, left.w, "y", d.colours.input, "what “" + before + "” adds");
  const Rect added{left.x + 2, left.y + 24, 74, 34};
  add_bar(d, {"y", 0, d.colours.input, added, "What the word before adds", true, true, d.row, 1});
  float y = added.bottom() + 2;
  y = strip(d, "w", {"w", 0, 0}, {left.x, y + 8, left.w, 0}, "w", d.colours.ink, "of state and context");
  y = strip(d, "s#2", {"s", d.row + 1, 0}, {left.x, y + 8, left.w, 0}, "s′", d.colours.query, "tanh(w · (s, c) + y)");
  float other = strip(d, "O", {"O", 0, 0}, right, "O", d.colours.ink, "times s′, for each word");
  other = strip(d, "b", {"b", 0, 0}, {right.x, other + 8, right.w, 0}, "b", d.colours.ink, "added");
  return std::max(y, add_next(d, {right.x, other + 10}, right.w));
}

}  // namespace

float draw_context(Drawing& d, float y) {
  const Stage stage = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  Drawing next{frame_for(d.trace, d.view), d.state, d.row};
  const int row = word_row(d.state, d.trace), rows = d.trace.at("weights").rows();
  const float moment = 3 * d.view.t;
  if (d.view.t < 1) d.row = swung(row, rows, moment), next.row = swung(row, rows, moment + 1);
  y = add_stage(d, stage, {});
  if (d.row != next.row) {
    add_stage(next, stage, {});
    const float way = smoothstep(0.35F, 0.65F, moment - std::floor(moment));
    const Rect written = (way < 0.5F ? d : next).figure.find("target.box")->rect;  // never between two words
    d.figure = blend(d.figure, next.figure, way);
    for (Element& element : d.figure.elements) {
      if (element.id == "target.box") element.rect = written;
      if (element.id == kLightId) element.shape = light_of(d, stage, 1, next.row, way);
      // What is told of the light goes and comes with it.
      if (element.id.starts_with("stage.share.") || element.id.ends_with(".said"))
        element.opacity *= smoothstep(0, 0.7F, std::abs(1 - 2 * way));
    }
    const auto box = std::ranges::find(d.figure.elements, "target.box", &Element::id),
               words = std::ranges::find_if(
                   d.figure.elements, [](const Element& element) { return element.id.starts_with("target.word."); });
    if (words < box) std::rotate(words, box, std::next(box));  // it goes on behind the words
    d.row = row;
  }
  return d.narrow() ? add_steps_through(d, y + 8) : y;
}

std::string tell_context(const Told& told) {
  const bool set = is_set_by_hand(told), hard = told.state.gaze == Gaze::hard;
  const int size = told.trace.at("h").columns();
  return "To write " + told.word() + ", the translator " + (set ? "is made to light up " : "lights up ") +
         lit_words(told) + (hard ? " and nothing else" : "") + ". A **state**, " + numbers(size) +
         (size > kShown ? " of which " + std::to_string(kShown) + " are drawn" : "") +
         ", keeps what was read up to a word: what is lit runs down into " +
         pointing("the context", cell_id({"context", told.t, 0}), MeansA::output) + ", and the word appears. " +
         hint("Point at another word.") + change_of(told);
}

float draw_next(Drawing& d, float y) {
  const bool narrow = d.narrow();
  const float wide = std::clamp(0.2F * d.figure.width, 190.F, 270.F);
  Stage stage = stage_of(d, y, d.view.height - (narrow ? 66.F : 14.F), d.by_hand() ? wide + 20 : 0);
  const Shown shown = shown_at(d.view.t);
  Rect card{d.figure.width - d.margin() - wide, y, wide, 0};
  stage.right = card.x - 8;
  y = add_stage(d, stage, shown);
  if (narrow) y = add_steps_through(d, y + 8) + 14;
  const std::size_t first = d.figure.elements.size();
  if (d.by_hand()) {
    const Rect left = narrow
                          ? Rect{d.margin(), y, d.inner(), 0}
                          : Rect{d.margin(), stage.taps.front().y + 2, stage.context.x - stage.state.right() - 60, 0};
    y = add_numbers(d, left, narrow ? Rect{d.margin(), y + 210, d.inner(), 0} : card);
  } else if (narrow) {
    y = add_next(d, {d.margin(), y}, d.inner());
  } else if (!d.low()) {
    Drawing tried{frame_for(d.trace, d.view), d.state, d.row};
    card.h = add_next(tried, {card.x + 12, 10}, card.w - 16) + 10;
    card.y = stage.context.bottom() - card.h;
    add_callout(d.figure, "next.card", card, std::nullopt, d.view.theme);
    add_next(d, {card.x + 12, card.y + 10}, card.w - 16);
  }
  if (!d.by_hand() && d.state.text != kUnsure && d.view.t >= 1)
    y = add_chips(d, {{"text", "", {{"one where it hesitates", std::string(kUnsure)}}}},
                  narrow ? y + 8 : stage.target.y - 40, d.chip_height());
  show_since(d.figure, first, smoothstep(0.83F, 1, d.view.t));
  return y;
}

std::string tell_next(const Told& told) {
  const double share = told.at("chosen", 0, told.t);
  std::string text = "Each source word gets a score, the scores become one light, and what is lit is mixed.";
  if (!told.shows_result) return text;
  text += " From this, from its " + pointing("state", cell_id({"s", told.t, 0}), MeansA::query) +
          " and from the word before, the decoder finds " + told.word() + " " + bold(io::format_percent(share)) +
          " likely";
  const Matrix& all = told.trace.at("probabilities").values;
  const std::string likeliest = label_of(told.trace.at("probabilities").column_labels, largest_of(all, told.t).front());
  const Tensor& vocabulary = told.trace.at("probabilities");
  const int next = largest_of(all, told.t)[1];
  if (likeliest == label_of(written(told.trace), told.t))
    text += "; else it would have written " + bold(label_of(vocabulary.column_labels, next)) + " (" +
            percent(static_cast<double>(all(told.t, next))) + ")";
  else
    text += "; it would have written " + bold(likeliest) + ", but reads your word";
  return text + "." + change_of(told);
}

}  // namespace limelight::scenes::translate
