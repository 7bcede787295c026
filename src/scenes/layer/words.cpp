// Layer in words: narration, the question, where it comes from. Every number comes from the trace.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "figure/formula.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

using namespace figure;

std::string in_sentence(std::string_view word) { return io::ellipsize(io::without_directions(word), 24); }

int best_of(const Trace& trace, std::string_view tensor, int row) {
  Eigen::Index best = 0;
  trace.at(tensor).values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

std::string shape_of(const Trace& trace, std::string_view tensor) {
  return std::to_string(trace.at(tensor).rows()) + "×" + std::to_string(trace.at(tensor).columns());
}

std::string similarity_name(Similarity similarity) {
  return std::string(kSimilarities[static_cast<int>(similarity)].label);
}

bool needs_equal_sizes(Similarity similarity) {
  return similarity != Similarity::general && similarity != Similarity::additive;
}

std::string moved_words(const State& state) {
  const std::vector<std::string> words = input_words(state);
  const int count = static_cast<int>(words.size());
  if (count < 2) return "One input alone has no order";
  if (state.order.places.empty()) return "Nothing is moved yet: choose a new order";
  if (state.order == reversed(count)) return "The inputs are **reversed**";
  if (state.order == swapped(count))
    return bold(in_sentence(words[0])) + " and " + bold(in_sentence(words[1])) + " change places";
  return "The inputs stand in a **new order**";
}

}  // namespace

std::string tell_query(const State& state, const Trace& trace) {
  const std::string query = bold(label_of(trace.at("q").row_labels, 0));
  const int best = best_of(trace, "e", 0);
  std::string text = "The query " + query + " is compared with every input by f_att, here " +
                     similarity_name(state.similarity) + ". " + bold(label_of(trace.at("X").row_labels, best)) +
                     " scores highest, " + fixed(trace.at("e").values(0, best)) + "; softmax gives it " +
                     bold(io::format_percent(trace.at("a").values(0, best))) + " of the weight, and y is the mix.";
  const Sizes size = sizes(state);
  if (needs_equal_sizes(state.similarity) && size.key != size.input)
    text += " A product needs equal sizes, so q has D_X = " + std::to_string(size.input) + " numbers here.";
  else if (size.key != size.input)
    text += " D_Q = " + std::to_string(size.key) + " and D_X = " + std::to_string(size.input) + " may differ.";
  return text;
}

std::string tell_queries(const State& state, const Trace& trace) {
  const Matrix& sums = trace.at("row_sum").values;
  const int row = query_row(state);
  const std::string query = bold(label_of(trace.at("Q").row_labels, row));
  if (state.wrong_axis)
    return "Along the **wrong axis** each column sums to 1: the queries compete for every input. The row of " + query +
           " sums to " + bold(fixed(sums(row, 0))) + ", so its output is no mix of the inputs but " +
           (sums(row, 0) > 1 ? "too large" : "too small") + ", and it changes with the other queries.";
  return "All " + std::to_string(trace.at("Q").rows()) + " queries at once: E is " + shape_of(trace, "E") +
         ", a row for each query. Softmax runs **along the inputs**, so each row of A sums to 1: every query " +
         "shares out its own attention. Try the wrong axis.";
}

std::string tell_keys(const State& state, const Trace& trace) {
  const int row = query_row(state);
  const std::string query = bold(label_of(trace.at("Q_given").row_labels, row));
  const int best = best_of(trace, "A_kv", row);
  const std::string found = bold(label_of(trace.at("K").row_labels, best)) + " (" +
                            io::format_percent(trace.at("A_kv").values(row, best)) + ")";
  if (state.preset == Preset::video) {
    const Matrix& Y = trace.at("Y_kv").values;
    return "As in a video search, W_K takes the **titles** as keys and W_V the **videos** as values. " + query +
           " finds " + found + "; where a search shows that video, attention returns a mix: " + fixed(Y(row, 0), 1) +
           " minutes, " + fixed(Y(row, 1), 1) + " laughs.";
  }
  return "W_K makes of each input what it is **found by**, W_V what it **passes on**, " + shape_of(trace, "V") +
         ": sizes of their own. " + query + " finds " + found + ".";
}

std::string tell_self(const State& state, const Trace& trace) {
  const int row = input_row(state);
  const float itself = trace.at("A_self").values(row, row);
  return "W_Q makes the queries **from the inputs**: self-attention. X goes in, " + shape_of(trace, "X") +
         ", and Y comes out, " + shape_of(trace, "Y_self") + ", a row for each input. " +
         bold(label_of(trace.at("X").row_labels, row)) + " gives " + bold(io::format_percent(itself)) +
         " to itself and the rest to the others.";
}

std::string tell_cross(const State& state, const Trace& trace) {
  const int row = query_row(state);
  const int best = best_of(trace, "A_cross", row);
  return "**Cross-attention**: the queries come from a second sequence Z, keys and values still from X. A is " +
         shape_of(trace, "A_cross") + ", and Y has a row for each query. " +
         bold(label_of(trace.at("Z").row_labels, row)) + " looks most at " +
         bold(label_of(trace.at("X").row_labels, best)) + ", " +
         io::format_percent(trace.at("A_cross").values(row, best)) + ".";
}

std::string tell_shuffle(const State& state, const Trace& trace) {
  const double error = static_cast<double>(trace.at("error").values(0, 0));
  return moved_words(state) + ". Shuffling first, f(s(X)), or last, s(f(X)), gives the same rows; they differ by " +
         bold(difference(error)) + ". Self-attention is **permutation equivariant**: it sees a set, not a sequence.";
}

std::string tell_order(const State& state, const Trace& trace) {
  const double error = static_cast<double>(trace.at("error_pos").values(0, 0));
  static constexpr std::string_view how[] = {
      "Without positions", "With **sinusoidal positions** added to queries and keys",
      "With queries and keys **rotated** by their position", "With a **linear bias** against distance"};
  std::string text(how[static_cast<int>(state.positions)]);
  if (state.causal)
    text += state.positions == Encoding::none ? " but with a **causal mask**" : " and a **causal mask**";
  if (error >= kRounding)
    return text + ", the outputs are no longer just shuffled: they differ by up to " + bold(difference(error)) +
           ". Now the layer can tell an order from another.";
  if (state.positions == Encoding::linear_bias && state.order == reversed(sizes(state).inputs))
    return text + ", this order still goes unnoticed, " + difference(error) +
           ": reversing keeps every distance, and the bias knows only distances.";
  return text + ", this order goes unnoticed: the outputs differ by " + bold(difference(error)) + ".";
}

std::string tell_all(const State& state, const Trace& trace) {
  const Matrix& errors = trace.at("errors").values;
  int noticed = 0;
  for (const float error : errors.reshaped()) noticed += static_cast<double>(error) >= kRounding ? 1 : 0;
  return "From the first layer to self-attention only this changed: **where queries, keys and values come from**. " +
         moved_words(state) + ". Self-attention notices with " + bold(std::to_string(noticed)) + " of the " +
         std::to_string(errors.cols()) + " choices.";
}

// "2.4×10⁻⁷", and that it is rounding.
std::string difference(double error) {
  return error == 0 ? "0" : io::format_short(error) + (error < kRounding ? ", which is rounding" : "");
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell(state, trace);
}

std::optional<Question> ask(const State& state, const Trace& /*trace*/) {
  // Answered by doing it.
  const int count = sizes(state).inputs;
  State backwards = state;
  backwards.order = reversed(count);
  const Matrix errors = compute(backwards, {}).at("errors").values;
  int unnoticed = 0;
  int correct = 0;
  for (int i = 1; i < errors.cols(); ++i)
    if (static_cast<double>(errors(0, i)) < kRounding) {
      ++unnoticed;
      correct = i - 1;
    }
  if (unnoticed != 1) return std::nullopt;
  Question question{
      "All of sinusoidal, rotary, linear bias and a causal mask notice when two inputs change places. Which one does "
      "not notice when the whole sequence is read backwards?",
      {"sinusoidal", "rotary", "linear", "causal"},
      correct,
      "Reversed, the outputs of the **" + std::string(kBreakers[correct + 1]) + "** are shuffled along, to " +
          io::format_short(static_cast<double>(errors(0, correct + 1))) +
          ": it knows only how far apart two places are, and reversing keeps every distance. Press et al. 2022 use it "
          "with a causal mask, which tells before from after."};
  question.reveal = {{"order", io::write_value(reversed(count))}};
  if (state.order == reversed(count)) {
    question.back = {"order", io::write_value(swapped(count))};
    question.back_label = "Back to swapping two";
  }
  return question;
}

std::string provenance(const State& state) {
  std::string text =
      state.preset == Preset::video
          ? "Numbers made up, not trained, for an article’s image of a video search (query text, titles as keys, "
            "videos as values)."
          : std::string(
                "Not trained: embeddings made from the spelling, so letters and not meanings decide; matrices ") +
                (state.rule == Rule::identity ? "close to the identity." : "drawn at random from the seed.");
  text +=
      " The build-up is the article’s “Let’s abstract the Attention”; the layer is that of Vaswani et al. 2017, §3.2.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::layer
