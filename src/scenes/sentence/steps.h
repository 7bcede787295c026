// A row for each step of Sentence: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/common/words.h"
#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;
  int layers, heads;
  HeadPlace head;
  int query;
  bool is_read;       // with the model that made the weights
  float t;            // of the step's motion
  bool shows_result;  // whether the figure shows by now what comes out: before that no sentence tells it

  [[nodiscard]] std::string tensor(std::string_view one) const { return of_head(one, head.layer, head.head); }
  [[nodiscard]] const Matrix& weights() const { return trace.at(tensor("A")).values; }
  [[nodiscard]] int hidden() const {
    const std::vector<int> places = hidden_in(trace);
    return places.empty() ? -1 : places.front();
  }
  // A word that is hidden is called so.
  [[nodiscard]] std::string named(int i, const std::string& label) const;
  // Of a place, which the figure has under this name.
  [[nodiscard]] std::string asking() const;
  [[nodiscard]] std::string word(int i, std::string_view prefix = "stage.") const;
  [[nodiscard]] std::string rest(int looking = 1) const;  // why light of so many heads is on the first token
  [[nodiscard]] std::string typed(int i) const { return bold(quoted(label_of(trace.at("typed").column_labels, i))); }
};

Told told_of(const State& state, const Trace& trace, const View& view);

// What a step's formula is made of, and what is said of it.
struct Stepped : Told {
  const Palette& colours;
  bool causal, predicts;
  Inspection& made;

  [[nodiscard]] const Tensor& of(std::string_view one) const { return trace.at(tensor(one)); }
  [[nodiscard]] Formula root_of_size() const { return root(number(std::to_string(of("Q").columns()))); }
};

using Draw = float(Drawing& d);  // returns where it ends
using Tell = std::string(const Told& told);
using Formulate = void(Stepped& s);

// Once the weights are there.
struct Shown {
  Draw* draw;
  Tell* tell;
  Formulate* formula;  // while no number is looked at
  // The tensor that the CSV holds, by its letter alone where it is the head's that is looked at; "guess": of the first
  // hidden place, else A.
  std::string_view result;
  bool needs_model = true;  // else weights alone are shown, too
  bool words_ask = false;   // while they are pointed at
};
struct Row : Shown {
  Step step;
};
const Row& row_at(Place place);
// The word that asks: that of the query, or where words do so the one that is pointed at.
int asking(const State& state, const View& view, int words);

Figure moment_of(const Drawing& d, float t, Draw* draw);  // what it draws at another moment
Draw draw_words, draw_swap, draw_head, draw_heads, draw_layers, draw_pair, draw_off, draw_evidence;
Tell tell_words, tell_swap, tell_head, tell_heads, tell_layers, tell_pair, tell_off, tell_evidence;
// That of one head stands in where something is missing for another one.
Formulate formula_words, formula_swap, formula_head, formula_layers, formula_pair, formula_off, formula_evidence;

// From step to step words stay, and heads' small pictures; what leaves goes from the top down, and what comes follows.
inline constexpr std::string_view kOld = ".old";  // behind the id of what leaves
std::string becomes_words(const std::any& state, const std::string& id);
std::string becomes_keys(const std::any& state, const std::string& id);  // a level's words: names of keys
std::string becomes_heads(const std::any& state, const std::string& id);
float timing_down(const Element& element, float t);
float timing_heads(const Element& element, float t);

Formula indexed(std::string_view letter, std::string_view below);
// p(w without that) − p(w)
Formula change_without(Formula what);

}  // namespace limelight::scenes::sentence
