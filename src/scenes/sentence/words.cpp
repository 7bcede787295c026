// Sentence in words: narration, the question, where its numbers come from. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/sentence/runs.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

Told told_of(const State& state, const Trace& trace) {
  const int layers = trace.at("raw").rows(), heads = trace.at("kinds").rows() / layers;
  const HeadPlace head = chosen_head(state, layers, heads);
  const int rows = trace.at(of_head("A", head.layer, head.head)).rows();
  return {state, trace, layers, heads, head, std::min(state.query, rows - 1)};
}

std::string share_of(float share) { return io::format_percent(static_cast<double>(share)); }

}  // namespace

std::string tell_words(const Told& told) {
  if (told.trace.find("model") == nullptr)
    return "Weights of your own: " + io::count_of(told.layers, "layer") + " of " + io::count_of(told.heads, "head") +
           ".";
  const int hidden = told.hidden();
  std::string text;
  const Tensor* guess = hidden < 0 ? nullptr : told.trace.find(of_place("guess", hidden));
  const bool causal = told.trace.at("model").values(0, 0) != 0;
  if (guess == nullptr && causal) {
    text =
        "This model was trained to say what comes next, from the words before it; the likeliest next tokens are below. "
        "Choose a word and press hide to see what it would have said there.";
  } else if (guess == nullptr) {
    text =
        "Choose a word and press hide, or double-click it. The model has to say what stood there from the words around "
        "it; "
        "that is all it was ever trained to do, and its heads learned where to look on the way.";
  } else {
    const Matrix& truth = told.trace.at(of_place("truth", hidden)).values;
    text = "Place " + std::to_string(hidden + 1) +
           (causal ? " is asked for, from the words before it. The model" : " is hidden. The model") + " finds " +
           bold(quoted(guess->column_labels[0])) + " most likely there, with " + share_of(guess->values(0, 0)) +
           "; it was " + told.typed(hidden);
    if (truth(0, 0) >= 0 && guess->column_labels[0] != label_of(told.trace.at("typed").column_labels, hidden))
      text += ", which gets " + share_of(truth(0, 0));
    text += truth(0, 1) == 1 ? ". To know that, it has to look at the right words."
                             : ". Other words would do as well there.";
    text += " **Double-click a word**, or choose it and press hide, to hide it or to show it.";
  }
  constexpr std::size_t most = 4;
  std::vector<std::string> list;
  const Tensor& typed = told.trace.at("typed");
  for (int i = 0; i < typed.columns(); ++i)
    if (typed.values(0, i) == 0 && std::ranges::find(list, told.typed(i)) == list.end()) list.push_back(told.typed(i));
  std::string unknown;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) unknown += (i == 0 ? "" : ", ") + list[i];
  if (list.size() > most) unknown += " and " + std::to_string(list.size() - most) + " more";
  if (!unknown.empty()) text += " It does not know " + unknown + " and reads by letters what it does not know.";
  return text;
}

std::string tell_head(const Told& told) {
  const Matrix& weights = told.weights();
  Eigen::Index best = 0;
  const float most = weights.row(told.query).maxCoeff(&best);
  const int key = std::min(told.state.key, static_cast<int>(weights.cols()) - 1);
  const Matrix& seen = told.trace.at("kinds").values;
  const Eigen::Index row = told.head.layer * told.heads + told.head.head;
  Eigen::Index kind = 0;
  const float share = seen.row(row).head(5).maxCoeff(&kind);
  const std::string where = share >= kClear
                                ? "Of all its weight " + share_of(share) + " goes to " + bold(kKinds[kind]) + "."
                                : "It has no fixed place: where it looks depends on the words.";
  return "Head " + bold(name_of(told.head)) + ": " + told.asking() + " looks most at " +
         told.word(static_cast<int>(best)) + ", with " + share_of(most) +
         (key == best ? "" : "; " + told.word(key) + " gets " + share_of(weights(told.query, key))) + ". " + where +
         " Arcs show, of each word, the largest weights that together reach " + io::format_percent(told.state.share) +
         ".";
}

std::string tell_heads(const Told& told) {
  int clear = 0;
  const Matrix& seen = told.trace.at("kinds").values;
  for (Eigen::Index h = 0; h < seen.rows(); ++h) clear += seen.row(h).head(5).maxCoeff() >= kClear ? 1 : 0;
  std::string text = bold(std::to_string(clear) + " of " + io::count_of(told.layers * told.heads, "head")) +
                     " put 40 % of their weight or more on one place: the word before or after, the word itself, the "
                     "first token, or the same word elsewhere. ";
  if (told.state.sorting == Sorting::alike)
    text +=
        "Heads that stand next to each other here distribute their weight alike: half the sum of the differences is "
        "small, and they were clustered by it.";
  else if (told.state.sorting == Sorting::kind)
    text += "They are sorted by what they do with these words; the others come last.";
  else
    text += "The others follow something that the place alone does not say: look at them one by one.";
  return text;
}

std::string tell_pair(const Told& told) {
  if (told.trace.find("model") == nullptr) return "Weights alone have no queries and keys.";
  const Tensor& P = told.trace.at(of_head("P", told.head.layer, told.head.head));
  const int key = std::min(told.state.key, P.rows() - 1);
  Eigen::Index most = 0;
  P.values.row(key).cwiseAbs().maxCoeff(&most);
  const float sum = P.values.row(key).sum();
  return "The query of " + told.asking() + " times the key of " + told.word(key) + ", number by number: they sum to " +
         bold(fixed(static_cast<double>(sum), 2)) + ", number " + std::to_string(most + 1) + " of " +
         std::to_string(P.columns()) + " gives the most, " + fixed(static_cast<double>(P.values(key, most)), 2) +
         ". Divided by √" + std::to_string(P.columns()) + " and through the softmax that is a weight of " +
         bold(fixed(static_cast<double>(told.weights()(told.query, key)))) + ".";
}

std::string tell_layers(const Told& told) {
  const Tensor* rollout = told.trace.find("rollout");
  if (rollout == nullptr) return "The mean over the heads of each layer.";
  Eigen::Index best = 0;
  Matrix others = rollout->values.bottomRows(1);
  const float own = others(0, told.query);
  others(0, told.query) = 0;
  const float most = others.row(0).maxCoeff(&best);
  return "A layer’s input is what the layers below have already mixed. **Rollout** multiplies the layers, keeping half "
         "of "
         "each as the word itself: seen through all of them, " +
         told.asking() + " draws " + share_of(own) + " on itself and most of the rest on " +
         told.word(static_cast<int>(best)) + ", " + share_of(most) +
         ". It leaves out what values and the other parts of the layers do.";
}

std::string tell_swap(const Told& told) {
  if (told.trace.find("model") == nullptr) return "Weights alone cannot read another word.";
  const Tensor* moved = told.trace.find("moved");
  if (const Tensor* refused = told.trace.find("swap_refused"); refused != nullptr) return refused->row_labels[0];
  if (moved == nullptr) return "Type another word for one of the sentence, and see which heads heed it.";
  Eigen::Index layer = 0, head = 0;
  const float most = moved->values.maxCoeff(&layer, &head);
  std::string text = "With " + bold(quoted(told.state.instead)) + " for " + told.typed(told.state.place) +
                     ", the weights of " + told.asking() + " move most in head " +
                     bold(name_of({static_cast<int>(layer), static_cast<int>(head)})) + ", by " + share_of(most) + ".";
  const Matrix& before = told.weights();
  const Matrix& after = told.trace.at(of_head("B", told.head.layer, told.head.head)).values;
  Eigen::Index was = 0, is = 0;
  const float from = before.row(told.query).maxCoeff(&was), to = after.row(told.query).maxCoeff(&is);
  text += " In head " + name_of(told.head) + " it looked most at " + told.word(static_cast<int>(was)) + " (" +
          share_of(from) + ")";
  text += is == was
              ? ", and still does (" + share_of(to) + ")."
              : ", and now at " +
                    bold(quoted(label_of(told.trace.at(of_head("B", told.head.layer, told.head.head)).column_labels,
                                         static_cast<int>(is)))) +
                    " (" + share_of(to) + ").";
  return text;
}

std::string tell_off(const Told& told) {
  const int hidden = told.hidden();
  if (told.trace.find("model") == nullptr) return "Weights alone cannot be tried.";
  if (hidden < 0) return "Hide a word, and see what the model says of it without one of its heads.";
  const Tensor* importance = told.trace.find("importance");
  const Tensor* truth = told.trace.find(of_place("truth", hidden));
  if (importance == nullptr || truth == nullptr) return "What does the model say without each of its heads?";
  Eigen::Index layer = 0, head = 0;
  const float least = importance->values.minCoeff(&layer, &head);
  const auto small = (importance->values.array().abs() < 0.01F).count();
  std::string text = "With all heads " + told.typed(hidden) + " gets " + share_of(truth->values(0, 0)) + ". ";
  text += least < -0.005F ? "It needs head " + bold(name_of({static_cast<int>(layer), static_cast<int>(head)})) +
                                " most: without it, " + share_of(truth->values(0, 0) + least) + ". "
                          : "No single head is needed for it. ";
  if (const Tensor* now = told.trace.find(of_place("truth_without", hidden)); now != nullptr)
    text += "**With the heads that are off now it gets " + share_of(now->values(0, 0)) + ".** ";
  text += std::to_string(small) + " of " + std::to_string(importance->values.size()) +
          " heads change it by less than a hundredth. Others can stand in for one that is off, so a small change does "
          "not prove that a head does nothing.";
  return text;
}

std::string tell_evidence(const Told& told) {
  const Tensor* attended = told.trace.find("attended");
  if (attended == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  const Matrix& change = told.trace.at("erasure").values;
  const int hidden = told.hidden();
  Eigen::Index needed = 0, looked = 0;
  change.row(0).cwiseAbs().maxCoeff(&needed);
  Matrix look = attended->values.row(0);
  look(0, hidden) = 0;
  look.row(0).maxCoeff(&looked);
  return "In the last layer the hidden place looks most at " + told.word(static_cast<int>(looked)) +
         "; what changes the answer most when it is hidden, too, is " + told.word(static_cast<int>(needed)) + ", by " +
         fixed(100 * static_cast<double>(change(0, needed)), 1) + " points. " +
         (needed == looked ? "Here the two agree, which they need not. " : "") +
         "**Weights say where values come from, not why the model answers as it does.**";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (const Tensor* refused = trace.find("refused"); refused != nullptr) return refused->row_labels[0];
  if (trace.find("kinds") == nullptr) {
    if (view.missing) return words_of(*view.missing);
    return state.own.empty() ? "The trained encoder is not here." : "Your own model is not here, or still reads.";
  }
  const std::string told = row_at(view.place).tell(told_of(state, trace));
  const Tensor* naming = trace.find("naming");
  return naming == nullptr ? told : told + " " + naming->row_labels[0];
}

io::Patch follow(const State&, const figure::Source& pinned) {
  const HeadTensor of = read_name(pinned.tensor);
  if (of.one.empty()) return {};
  io::Patch patch;
  if (of.one == "A" || of.one == "B" || of.one == "D" || of.one == "S") {
    patch.emplace_back("query", std::to_string(pinned.row));
    patch.emplace_back("key", std::to_string(pinned.column));
  }
  if (of.one == "K" || of.one == "P" || of.one == "s" || of.one == "a" || of.one == "b" || of.one == "d")
    patch.emplace_back("key", std::to_string(pinned.row));
  return patch;
}

// A control: a word that could be said of both.
std::optional<Question> ask(const State&, const Trace& trace) {
  const Tensor* asked = trace.find("asked");
  if (asked == nullptr || hidden_in(trace) != std::vector<int>{kPronoun}) return std::nullopt;
  const Matrix &typed = trace.at("before").values, &control = asked->values;
  const auto of = [](const Matrix& row, int place) { return share_of(row(0, place)); };
  Question question{
      .text = "“" + std::string(kControl) +
              "” can be said of an animal and of a street. Written in place of “tired”, where does "
              "head 3.2 look from the place of “it”?",
      .options = {label_of(trace.at("typed").column_labels, kAnimal),
                  label_of(trace.at("typed").column_labels, kStreet)},
      .correct = control(0, kStreet) > control(0, kAnimal) ? 1 : 0,
      .answer = {},
  };
  question.answer =
      "“animal” gets " + of(control, kAnimal) + " and “street” " + of(control, kStreet) + "; with “tired” it is " +
      of(typed, kAnimal) + " and " + of(typed, kStreet) +
      ". One pair of sentences never shows what a head does: try other words, and words that mean nothing.";
  return question;
}

std::string provenance(const State& state) {
  return state.own.empty()
             ? "Trained: 3 layers of 8 heads on generated English, to find hidden words; nobody told it where to look."
             : "Your own: read from the file that you dropped, here on this machine.";
}

std::string_view principal(const State& state, const Trace& trace, Place place) {
  if (trace.find("kinds") == nullptr) return "tokens";
  const Told told = told_of(state, trace);
  std::string_view result = row_at(place).result;
  if (result == "guess") {
    const Tensor* guess = trace.find(of_place("guess", std::max(told.hidden(), 0)));
    if (guess != nullptr) return guess->name;
    result = "A";
  }
  if (const Tensor* of_it = trace.find(of_head(result, told.head.layer, told.head.head)); of_it != nullptr)
    return of_it->name;
  return trace.find(result) == nullptr ? "kinds" : result;
}

}  // namespace limelight::scenes::sentence
