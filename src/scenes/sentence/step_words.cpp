// The step Hide a word: the sentence in the light of one head, and what the model says stands at the hidden place.
#include <algorithm>

#include "io/numbers.h"
#include "scenes/sentence/lamp_stage.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

// What it does not know, in a sentence.
std::string unknown_words(const Told& told) {
  constexpr std::size_t most = 4;
  std::vector<std::string> list;
  const Tensor& typed = told.trace.at("typed");
  for (int i = 0; i < typed.columns(); ++i)
    if (typed.values(0, i) == 0 && std::ranges::find(list, told.typed(i)) == list.end()) list.push_back(told.typed(i));
  if (list.empty()) return "";
  std::string words;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) words += (i == 0 ? "" : ", ") + list[i];
  if (list.size() > most) words += " and " + std::to_string(list.size() - most) + " more";
  return " It does not know " + words + " and reads by letters what it does not know.";
}

}  // namespace

float draw_words(Drawing& d) {
  if (!d.is_read()) return add_without_model(d, 14);
  const float height = std::max(d.view.height, 380.F) - 12;
  const float top = add_lamp_stage(d, false) + (d.narrow() ? 4.F : 6.F);
  const bool guesses = d.trace.at("model").values(0, 1) != 0;
  const bool nothing = hidden_in(d.trace).empty() && d.trace.at("model").values(0, 0) == 0;
  const float gap = 48, half = d.narrow() ? d.inner() : (d.inner() - gap) * 0.56F;
  const Rect left{d.margin(), top, half, d.narrow() ? 160.F : height - top - 8};
  float y = top;
  if (!guesses)
    y = add_note(d, "no_head", "This model has no head that predicts tokens.", {left.x, top}, half);
  else if (nothing)
    y = add_hint(d, "none_hidden",
                 "Nothing is hidden. **Double-click a word**, or choose it and press hide: the model says what could "
                 "stand there.",
                 {left.x, top}, half);
  else
    y = add_all_guesses(d, "", left);
  const Point right = d.narrow() ? Point{d.margin(), y + 14} : Point{left.right() + gap, top};
  const float width = d.narrow() ? half : d.inner() - half - gap;
  const float below = add_hiding(d, right, width);
  return std::max(y, d.low() ? below : add_own(d, {right.x, below + 14}, width, true));
}

std::string tell_words(const Told& told) {
  if (told.trace.find("model") == nullptr)
    return "Weights of your own: " + io::count_of(told.layers, "layer") + " of " + io::count_of(told.heads, "head") +
           ".";
  const int hidden = told.hidden();
  const bool causal = told.trace.at("model").values(0, 0) != 0;
  const Tensor* guess = hidden < 0 ? nullptr : told.trace.find(of_place("guess", hidden));
  const std::string how = hint("Double-click a word to hide it or to show it.");
  if (guess == nullptr)
    return (causal ? std::string("This model was trained to say what comes next, from the words before it.")
                   : "The model was trained to find words that are hidden, from the words around them; nobody told it "
                     "where to look.") +
           unknown_words(told) + " " + how;
  const Matrix& truth = told.trace.at(of_place("truth", hidden)).values;
  std::string text =
      (causal ? "The model is asked for place " + std::to_string(hidden + 1) : std::string("One word is hidden")) +
      ". The model says " + bold(quoted(guess->column_labels[0])) + " (" + share_of(guess->values(0, 0)) + ")";
  if (const std::string& was = label_of(told.trace.at("typed").column_labels, hidden);
      truth(0, 0) >= 0 && guess->column_labels[0] != was)
    text += "; it was " + bold(quoted(was)) + ", which gets " + share_of(truth(0, 0));
  const std::vector<float> weights = row_of(told.trace, told.tensor("A"), told.query);
  const int most = brightest(weights);
  text += ". One of its " + std::to_string(told.layers * told.heads) + " heads, " + name_of(told.head) + " (layer " +
          std::to_string(told.head.layer + 1) + ", head " + std::to_string(told.head.head + 1) + "), lights up where " +
          told.asking() + " looks: at " + told.word(most) + ", " + share_of(weights[static_cast<std::size_t>(most)]) +
          ".";
  const bool turns = told.trace.find("moved") != nullptr;
  return text + unknown_words(told) + " " +
         (turns ? hint("Turn the card “" + label_of(told.trace.at("typed").column_labels, told.state.place) + "”.")
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
