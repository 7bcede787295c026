// The step Hide a word: the sentence in the light of one head, and what the model says stands at the hidden place.
#include <algorithm>

#include "figure/choreography.h"
#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
// What it does not know, in a sentence.
std::string unknown_words(const Told& told) {
  std::string words;
  const Tensor& typed = told.trace.at("typed");
  for (int i = 0; i < typed.columns(); ++i)
    if (typed.values(0, i) == 0) words += (words.empty() ? "" : ", ") + label_of(typed.column_labels, i);
  if (words.empty()) return "";
  return " It does not know " + words + " and reads by letters what it does not know.";
}

// Cards fall over the words that are hidden, the lamp is lit, and what the model says grows.
float timing_hiding(const Element& element, float t) {
  const std::string_view id = element.id;
  const bool card = id.ends_with(".hidden") || id.contains(".dot.");
  const Phase phase = id.starts_with("typed.")                             ? Phase{0.28F, 0.3F}
                      : card                                               ? Phase{0, 0.3F}
                      : id == kLightId                                     ? Phase{0.28F, 0.6F}
                      : id.starts_with("stage.") || id.starts_with("said") ? Phase{0.45F, 0.7F}
                                                                           : Phase{0.5F, 1};
  return phase.share(t);
}

// The picture while nothing is hidden yet, and the lamp is dark.
Figure unhidden(const Drawing& d) {
  Figure made = d.figure;
  float letters = 0;  // px of a word without light
  const std::vector<float> weights = row_of(d.trace, d.tensor("A"), d.query);
  for (Element& element : made.elements) {
    const std::string_view id = element.id;
    auto* const text = std::get_if<Text>(&element.shape);
    if (auto* light = std::get_if<Light>(&element.shape)) {
      for (Light::Beam& beam : light->beams) beam.intensity = 0;
      for (Light::Spot& spot : light->spots) spot.intensity = 0;
    } else if (id.ends_with(".hidden") || id.contains(".dot.")) {
      element.rect.y -= 50 * d.scale(), element.opacity = 0;
    } else if (text != nullptr && id.starts_with("stage.word.")) {
      const auto word = static_cast<std::size_t>(*word_at(id.substr(0, id.rfind('.'))));
      const float size = text->size / (1 + 0.18F * weights[word]);
      if (!d.narrow()) element.rect.y += 0.36F * (text->size - size);  // its letters stand on the line of the others
      text->face = text::Face::display, text->size = size, text->colour = d.colours.faint;
      letters = std::max(letters, size);
    } else if (id.starts_with("stage.share.") || id.starts_with("said") || id.starts_with("guess")) {
      element.opacity = 0;
      if (id.starts_with("guess")) element.rect.y -= 12;  // it comes out of the hidden place
      if (element.source && text == nullptr) element.rect.w = 1.5F;
    }
  }
  for (const int place : hidden_in(d.trace))
    if (const Element* card = d.figure.find(word_id(place) + ".hidden"))
      add_words(made, "typed." + std::to_string(place), card->rect.inset(d.narrow() ? 0.F : -20.F), d.typed(place),
                {d.colours.faint, {text::Face::display, letters}, d.narrow() ? Align::left : Align::centre});
  return made;
}

}  // namespace

float draw_words(Drawing& d) {
  const float height = std::max(d.view.height, 380.F) - 12;
  const float top = add_lamp_stage(d, false) + (d.narrow() ? 4.F : 6.F);
  const bool guesses = d.trace.at("model").values(0, 1) != 0;
  const bool nothing = hidden_in(d.trace).empty() && d.trace.at("model").values(0, 0) == 0;
  const float gap = 48, half = d.narrow() ? d.inner() : (d.inner() - gap) * 0.56F;
  Rect left{d.margin(), top, half, d.narrow() ? 160.F : height - top - 8};
  // Under the hidden place, where what hides words has room at its left.
  const std::vector<int> hidden = hidden_in(d.trace);
  const Element* const card = hidden.size() == 1 ? d.figure.find(word_id(hidden.front()) + ".hidden") : nullptr;
  const bool above = !d.narrow() && card != nullptr, under = above && card->rect.centre().x > 0.5F * d.figure.width;
  if (above) {
    const float k = d.label_scale(), x = card->rect.centre().x;
    left.w = 400 * k, left.x = std::clamp(x - 229 * k, d.margin(), d.margin() + d.inner() - left.w);
    const std::vector<float> lit = row_of(d.trace, d.tensor("A"), d.query);  // its share stands below it, if it has one
    const Element* press = d.state.place == hidden.front() ? d.figure.find("turn.press") : nullptr;
    const float from = press != nullptr                                        ? press->rect.bottom() + 3
                       : lit[static_cast<std::size_t>(hidden.front())] < kTold ? card->rect.bottom() + 4
                                                                               : top - 20;
    if (guesses) add_stroke(d, "said.stem", {{x, from}, {x, top - 2}}, d.colours.output_fill, 1.6F);
  }
  float y = top;
  if (!guesses)
    y = add_note(d, "no_head", "This model has no head that predicts tokens.", {left.x, top}, half);
  else if (nothing)
    y = add_hint(d, "none_hidden",
                 "Nothing is hidden. **Double-click a word**, or choose it and press hide: the model says what could "
                 "stand there.",
                 {left.x, top}, half);
  else
    y = add_all_guesses(d, left);
  const Point right = d.narrow() ? Point{d.margin(), y + 14} : Point{under ? d.margin() : left.right() + gap, top};
  const float width = under ? left.x - gap - right.x : d.margin() + d.inner() - right.x;
  float below = add_hiding(d, right, width);
  const bool in_line = !d.narrow() && d.state.own.empty() && below > right.y;
  const Point own = in_line ? Point{d.figure.elements.back().rect.right() + 24, right.y} : Point{right.x, below + 14};
  if (!d.low()) below = std::max(below, add_own(d, own, right.x + width - own.x, true));
  if (const float room = height - below - 44; !d.narrow() && !d.low() && room > 80) {
    add_words(d, "small.title", {right.x, below + 12, width, 18},
              "the lamp is one of " + io::count_of(d.layers * d.heads, "head"), d.bold(d.colours.ink, 13));
    append_hint(d.figure, ": press another");
    below =
        add_panels_of_heads(d, {right.x, below + 12 + 24 * d.label_scale(), width, room - 24 * (d.label_scale() - 1)});
  }
  if (d.view.t < 1) d.figure = blend(unhidden(d), d.figure, std::max(d.view.t, 1e-3F), timing_hiding);
  return std::max(y, below);
}

std::string tell_words(const Told& told) {
  const int hidden = told.hidden();
  const bool causal = told.trace.at("model").values(0, 0) != 0;
  const Tensor* guess = hidden < 0 ? nullptr : told.trace.find(of_place("guess", hidden));
  const std::string how = hint("Double-click a word to hide it or to show it.");
  if (guess == nullptr)
    return (causal
                ? std::string("This model was trained to say what comes next, from the words before it.")
                : "The model was trained to find hidden words from those around them; nobody told it where to look.") +
           unknown_words(told) + " " + how;
  if (!told.shows_result) return "A word is hidden from the model, which looks at the others to find it …";
  const Matrix& truth = told.trace.at(of_place("truth", hidden)).values;
  std::string text =
      (causal ? "The model is asked for place " + std::to_string(hidden + 1) : std::string("One word is hidden")) +
      ". The model says " + bold(quoted(guess->column_labels[0])) + " (" + share_of(guess->values(0, 0)) + ")";
  if (const std::string& was = label_of(told.trace.at("typed").column_labels, hidden);
      truth(0, 0) >= 0 && guess->column_labels[0] != was)
    text += "; it was " + bold(quoted(was)) + ", which gets " + share_of(truth(0, 0));
  const std::vector<float> weights = row_of(told.trace, told.tensor("A"), told.query);
  const int most = brightest(weights);
  text += ". The lamp is head " + name_of(told.head) + ", one of " + std::to_string(told.layers * told.heads) +
          ": its light is where " + told.asking() + " looks, " + share_of(weights[static_cast<std::size_t>(most)]) +
          " of it at " + told.word(most) + ".";
  return text + unknown_words(told) + " " +
         (told.trace.find("moved") != nullptr
              ? hint("Turn the card “" + label_of(told.trace.at("typed").column_labels, told.state.place) + "”.")
              : how);
}

void formula_words(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  // A causal model says of each place what follows it.
  const Formula place = s.causal ? row({symbol("i"), number("−1")}) : symbol("i");
  const Formula y = coloured(script(symbol("y"), place), s.colours.output), e = indexed("e", "w");
  s.made.title = "what could stand there";
  s.made.lines = {row({symbol("p"), parenthesised(symbol("w")), operation("="), script(word("softmax"), symbol("w")),
                       parenthesised(s.causal ? row({y, operation("·"), e})
                                              : row({y, operation("·"), e, operation("+"), indexed("b", "w")}))})};
  s.made.note = s.causal ? "What the model makes of the token before place i, times the embedding e of each token w."
                         : "What the model makes of place i, times the embedding e of each word w, and its bias b.";
}

}  // namespace limelight::scenes::sentence
