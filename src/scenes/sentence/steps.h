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

// Once the weights are there.
struct Row {
  Step step;
  float (*draw)(Drawing& d, float y);  // from there; returns where it ends
  std::string (*tell)(const Told& told);
  void (*formula)(Stepped& s);  // while no number is looked at
  // The tensor that the CSV holds, by its letter alone where it is the head's that is looked at; "guess": of the first
  // hidden place, else A.
  std::string_view result;
  WordChips words = WordChips::unless_low;
  bool needs_model = true;  // else weights alone are shown, too
};
const Row& row_at(Place place);

float draw_words(Drawing& d, float y);
float draw_head(Drawing& d, float y);
float draw_heads(Drawing& d, float y);
float draw_pair(Drawing& d, float y);
float draw_layers(Drawing& d, float y);
float draw_swap(Drawing& d, float y);
float draw_off(Drawing& d, float y);
float draw_evidence(Drawing& d, float y);

std::string tell_words(const Told& told);
std::string tell_head(const Told& told);
std::string tell_heads(const Told& told);
std::string tell_pair(const Told& told);
std::string tell_layers(const Told& told);
std::string tell_swap(const Told& told);
std::string tell_off(const Told& told);
std::string tell_evidence(const Told& told);

void formula_words(Stepped& s);
void formula_head(Stepped& s);  // and of what is missing for another one
void formula_pair(Stepped& s);
void formula_layers(Stepped& s);
void formula_swap(Stepped& s);
void formula_off(Stepped& s);
void formula_evidence(Stepped& s);

}  // namespace limelight::scenes::sentence
