// What Translate's tensors are, each once. What is not made of recipes' operations is told in inspect.cpp.
#include "scenes/common/recipe.h"

#include <algorithm>

#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

recipes::Symbol symbol_of(std::string_view tensor) {
  using recipes::Symbol;
  static constexpr Symbol symbols[] = {
      {"s", "s", "", "s", &Palette::query},       {"h", "h", "", "h", &Palette::value},
      {"fixed_h", "h", "", "h", &Palette::value}, {"bottleneck", "c", "", "c", &Palette::output},
      {"W", "W", "", "w", &Palette::ink},         {"U", "U", "", "u", &Palette::ink},
      {"v_a", "v", "", "v", &Palette::ink},       {"query", "q", "", "q", &Palette::query},
      {"keys", "k", "", "k", &Palette::key},      {"scores", "e", "", "e", &Palette::ink},
      {"weights", "a", "", "a", &Palette::ink},   {"context", "c", "", "c", &Palette::output},
      {"logits", "l", "", "l", &Palette::ink},    {"probabilities", "p", "", "p", &Palette::ink},
      {"before", "p", "", "p", &Palette::ink},    {"from_zeros", "p", "", "p", &Palette::ink},
      {"fixed", "p", "", "p", &Palette::ink},     {"fixed_s", "s", "", "s", &Palette::ink},
      {"gold", "g", "", "g", &Palette::ink}};
  const auto* const found = std::ranges::find(symbols, tensor, &Symbol::tensor);
  if (found != std::end(symbols)) return *found;
  return {.tensor = tensor, .letter = tensor, .index = {}, .cell = tensor};
}

// What is given, and what is said of it.
struct Given {
  std::string_view tensor, note, said, by_hand{};
};
constexpr std::string_view kLearned = "Learned from examples; nothing told it what to look for.",
                           kChosen = "Chosen by hand; in a trained model it is learned.",
                           kHard = "Hard attention: the largest score gets the weight 1, all others 0.";
constexpr Given kGiven[] = {
    {"source", "", "Its place in the sentence; the encoder reads in this order, forwards and backwards."},
    {"before", "", "How likely it was when nothing was set by hand."},
    {"from_zeros", "", "How likely it is when the decoder starts from zeros."},
    {"gold", "", "1 where the corpus links the two words. The model never saw these links."},
    {"reset", "", "r, a gate between 0 and 1: how much of the state before counts for the new one."},
    {"update", "", "z, a gate between 0 and 1: how much of the state before is kept."},
    {"new", "", "n, between −1 and 1: what would take the place of the state before."},
    {"y", "", "What the word before adds to the next state. Constructed."},
    {"words", "", "What each word adds to the state that comes after it. Constructed."},
    {"w", "", "How much the state before and the context count for the next state. Constructed."},
    {"O", "", "How much the state counts for each word. Constructed."},
    {"b", "", "What each word has without any state. Constructed."},
    {"length", "", "Words in the sentence, signs not counted."},
    {"exact", "", "The share of held-out sentences of this length of which every word came out right."},
    {"through", "", "1 where the word that belongs there for it is missing."},
    {"expected", "", "1: a word that belongs there."},
    {"attended", "", "How likely the model with attention found the word that it wrote."},
    {"fixed_s", "", "The state of the decoder without attention: made of the word before, its state before and c."},
    {"fixed", "", "How likely the model without attention found the word that it wrote."},
    {"W", "", kLearned, kChosen},
    {"U", "", kLearned, kChosen},
    {"v_a", "", kLearned, kChosen},
    {"h", "the encoder's states", "Of the encoder’s state at {row}.", "The encoder’s state at {row}, set by hand."},
    {"own_h", "the encoder's states", "Of the encoder’s state at {row}."},
    {"fixed_h", "the encoder's states", "Of the encoder’s state at {row}.",
     "The encoder’s state at {row}, set by hand."},
    {"s", "the decoder's states", ""}};

}  // namespace

recipes::Recipes recipes(const State& state, const Trace& trace) {
  using namespace recipes;
  recipes::Recipes r{.symbol_of = symbol_of};
  const bool trained = state.trained();
  for (const auto& [tensor, note, said, by_hand] : kGiven)
    r.add(tensor, given().noted(note).says(trained || by_hand.empty() ? said : by_hand));
  if (const Tensor* h = trace.find("fixed_h"); h != nullptr)
    r.add("bottleneck", trained ? given().noted("the one vector, from the trained model")
                                : row_of("fixed_h", h->rows() - 1)
                                      .noted("the encoder's last state is all that the decoder gets")
                                      .says("The encoder’s last state, after all words: all that a decoder without "
                                            "attention gets."));
  if (!is_translated(trace)) return r;
  r.add("keys", product("h", "U")
                    .noted("what each source word offers")
                    .says("What {row} offers; the same for every output word."));
  r.add("query", product("s", "W")
                     .of_first(trace.at("query").rows())
                     .noted("what each state asks")
                     .says("What the state before {row} asks."));
  Recipe scores = made_by(Operation::additive, "query", "keys");
  scores.operands[4] = "v_a";
  r.add("scores", scores.called("score").noted("v . tanh(s W + h U)"));
  r.add("weights", (state.gaze == Gaze::hard ? given().says(kHard) : recipes::softmax("scores").by_hand(state.weights))
                       .noted("each row sums to 1"));
  r.add("context", product("weights", "h")
                       .noted("the states, mixed by the weights")
                       .says("The source words’ states, mixed by the weights of {row}."));
  if (trained) r.add("logits", given().noted("a number for each word that could come, from the trained model"));
  r.add("probabilities", recipes::softmax("logits").says("How likely the decoder finds {column} as {row}."));
  return r;
}

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made = recipes::equations(recipes(state, trace), trace);
  made.remark = std::string(row_at(place).remark);
  const Tensor* const weights = trace.find("weights");
  if (weights == nullptr) return made;
  const int words = weights->rows(), sources = weights->columns();
  const auto of = [&](std::string_view name) { return std::ranges::find(made.list, name, &code::Equation::name); };
  of("scores")->numpy += code::set_cells("scores", state.scores, words, sources);
  of("context")->numpy += code::set_cells("context", state.context, words, trace.at("context").columns());
  if (state.gaze == Gaze::hard)
    of("weights")->numpy = "hard({scores})" + code::set_all_by_hand("weights", state.weights, words, sources);
  const auto probabilities = of("probabilities");
  const std::size_t place_of = static_cast<std::size_t>(probabilities - made.list.begin());
  code::Equations more;
  more.add("sum", "{keys} + {query}[[" + std::to_string(word_row(state, trace)) + "]]",
           "of the word that is looked at");
  more.add("tanh", "np.tanh({sum})", "");
  if (!state.trained()) {
    std::string by_hand;
    for (const auto& [cell, value] : state.s.cells)
      if (cell.first > 0 && cell.first <= words)
        by_hand += "\n{next_s}[" + std::to_string(cell.first - 1) + ", " + std::to_string(cell.second) +
                   "] = " + code::number(static_cast<double>(value));
    more.add("next_s", "np.tanh({w}[0, 0] * {s}[:-1] + {w}[0, 1] * {context} + {y}.T)" + by_hand,
             "from state, context and last word the next state");
    more.add("logits", "{next_s} @ {O} + {b}", "a number for each word that could come");
  }
  made.list.insert(made.list.begin() + static_cast<std::ptrdiff_t>(place_of), more.list.begin(), more.list.end());
  std::vector<int> chosen;
  const std::vector<std::string>& vocabulary = trace.at("probabilities").column_labels;
  for (const std::string& word : trace.at("chosen").column_labels)
    chosen.push_back(static_cast<int>(std::ranges::find(vocabulary, word) - vocabulary.begin()));
  made.add("chosen",
           "{probabilities}[np.arange(" + std::to_string(words) + "), " + code::list_of(chosen) + "][None, :]",
           "of the words that were written");
  return made;
}

}  // namespace limelight::scenes::translate
