// A row for each step of Sentence: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;
  int layers, heads;
  HeadPlace head;
  int query;

  [[nodiscard]] const Matrix& weights() const { return trace.at(of_head("A", head.layer, head.head)).values; }
  [[nodiscard]] std::string word(int i) const {
    return bold(quoted(label_of(trace.at(of_head("A", head.layer, head.head)).column_labels, i)));
  }
  [[nodiscard]] std::string asking() const {
    return bold(quoted(label_of(trace.at(of_head("A", head.layer, head.head)).row_labels, query)));
  }
  [[nodiscard]] int hidden() const {
    const std::vector<int> places = hidden_in(trace);
    return places.empty() ? -1 : places.front();
  }
  [[nodiscard]] std::string typed(int i) const { return bold(quoted(label_of(trace.at("typed").column_labels, i))); }
};

// What a step's formula is made of, and what is said of it.
struct Stepped {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  int heads;
  HeadPlace head;
  bool is_read;  // with the model that made the weights
  bool causal, predicts;
  Inspection& made;

  [[nodiscard]] const Tensor& of(std::string_view one) const { return trace.at(of_head(one, head.layer, head.head)); }
  [[nodiscard]] Formula root_of_size() const { return root(number(std::to_string(of("Q").columns()))); }
};

// Whether the sentence stands above as chips. A low figure leaves out what an earlier step showed.
enum class WordChips { always, unless_low, never };

using Draw = float(Drawing& d, float y);  // from there; returns where it ends
using Tell = std::string(const Told& told);
using Formulate = void(Stepped& s);

// Once the weights are there.
struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;  // while no number is looked at
  // The tensor that the CSV holds, by its letter alone where it is the head's that is looked at; "guess": of the first
  // hidden place, else A.
  std::string_view result;
  WordChips words = WordChips::unless_low;
  bool needs_model = true;  // else weights alone are shown, too
};
const Row& row_at(Place place);

Draw draw_words, draw_head, draw_heads, draw_pair, draw_layers, draw_swap, draw_off, draw_evidence;
Tell tell_words, tell_head, tell_heads, tell_pair, tell_layers, tell_swap, tell_off, tell_evidence;
// That of one head stands in where something is missing for another one.
Formulate formula_words, formula_head, formula_pair, formula_layers, formula_swap, formula_off, formula_evidence;

}  // namespace limelight::scenes::sentence
