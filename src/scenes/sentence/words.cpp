// Sentence in words: narration, the question, where its numbers come from. Every number comes from the trace.
#include <algorithm>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/sentence/runs.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

Told told_of(const State& state, const Trace& trace, const View& view) {
  const int layers = trace.at("raw").rows(), heads = trace.at("kinds").rows() / layers;
  const HeadPlace head = chosen_head(state, layers, heads);
  const int rows = trace.at(of_head("A", head.layer, head.head)).rows();
  return {state,  trace,          layers, heads, head, asking(state, view, rows), trace.find("model") != nullptr,
          view.t, view.t >= 0.75F};
}

int asking(const State& state, const View& view, int words) {
  if (!row_at(view.place).words_ask) return std::min(state.query, words - 1);
  View looking = view;  // at a word of any layer
  if (view.hovered.starts_with("level."))
    looking.hovered.replace(0, std::min(view.hovered.find(".word."), view.hovered.size()), "stage");
  return asking_word(looking, state.query, words);
}

std::string share_of(float share) { return io::format_percent(static_cast<double>(share)); }

std::string Told::named(int i, const std::string& label) const {
  const std::vector<int> places = hidden_in(trace);
  return std::ranges::find(places, i) != places.end() ? "the hidden word" : label;
}

std::string Told::asking() const {
  return pointing(named(query, label_of(trace.at(tensor("A")).row_labels, query)), word_id(query), MeansA::query);
}

std::string Told::word(int i, std::string_view prefix) const {
  const std::string& label = label_of(trace.at(tensor("A")).column_labels, i);
  return pointing(named(i, label.size() == 1 ? quoted(label) : label),
                  std::string(prefix) + word_id(i).substr(std::string_view("stage.").size()), MeansA::word);
}

std::string Told::rest(int looking) const {
  if (!is_read || trace.at("model").values(0, 2) < 1) return "";
  return " " + bold(label_of(trace.at("tokens").column_labels, 0)) + " is no word" +
         (looking > 1 ? ", yet " + std::to_string(looking) + " look there most" : "") +
         ": light often rests there when a head finds nothing to look for.";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (const Tensor* refused = trace.find("refused"); refused != nullptr) return refused->row_labels[0];
  if (trace.find("kinds") == nullptr) {
    if (view.missing) return words_of(*view.missing);
    return state.own.empty() ? "The trained encoder is not here." : "Your own model is not here, or still reads.";
  }
  const Told all = told_of(state, trace, view);
  const std::string told = row_at(view.place).needs_model && !all.is_read
                               ? "Weights of your own: " + io::count_of(all.layers, "layer") + " of " +
                                     io::count_of(all.heads, "head") + "; this step needs the model that made them."
                               : row_at(view.place).tell(all);
  const Tensor* naming = trace.find("naming");
  return naming == nullptr ? told : told + " " + naming->row_labels[0];
}

io::Patch follow(const State&, const figure::Source& pinned) {
  const HeadTensor of = read_name(pinned.tensor);
  if (of.one.empty()) return {};
  io::Patch patch;
  const bool one_row = std::string_view("KPsabd").contains(of.one);
  if (!one_row && !std::string_view("ABDS").contains(of.one)) return {};
  if (!one_row) patch.emplace_back("query", std::to_string(pinned.row));
  patch.emplace_back("key", std::to_string(one_row ? pinned.row : pinned.column));
  return patch;
}

// A control: a word that could be said of both.
std::optional<Question> ask(const State&, const Trace& trace) {
  const Tensor* asked = trace.find("asked");
  if (asked == nullptr || hidden_in(trace) != std::vector<int>{kPronoun}) return std::nullopt;
  const Matrix &typed = trace.at("before").values, &control = asked->values;
  const auto of = [](const Matrix& row, int place) { return share_of(row(0, place)); };
  Question question;
  question.correct = control(0, kStreet) > control(0, kAnimal) ? 1 : 0;
  question.text = "“" + std::string(kControl) +
                  "” can be said of an animal and of a street. Written in place of “tired”, where does "
                  "head 3.2 look from the place of “it”?";
  for (const int place : {kAnimal, kStreet})
    question.options.push_back(label_of(trace.at("typed").column_labels, place));
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
  const Told told = told_of(state, trace, View{.place = place});
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
