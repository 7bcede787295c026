// Layer in words: narration, the question, where it comes from. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

using namespace figure;

// Words that mean a part of the machine; bold where the matrices are shown in its place.
std::string points(const State& state, std::string_view words, std::string_view id, MeansA role) {
  return state.numbers ? bold(in_sentence(words)) : pointing(in_sentence(words), id, role);
}

std::string asks(const State& state, const Trace& trace, std::string_view queries, int row, int of_row) {
  return points(state, label_of(trace.at(queries).row_labels, of_row), word_id(row), MeansA::query);
}

std::string share_of(const Trace& trace, std::string_view weights, int row, int column) {
  const auto A = trace.at(weights).values.row(row);
  return share_text({A.data(), static_cast<std::size_t>(A.size())}, column);
}

// "piano cat, 68 %": an input and its weight; without a column the one that gets most.
std::string weight_of(const State& state, const Trace& trace, std::string_view weights, int row, int column = -1) {
  Eigen::Index most = column;
  if (column < 0) trace.at(weights).values.row(row).maxCoeff(&most);
  column = static_cast<int>(most);
  const std::string name = label_of(trace.at(weights).column_labels, column);
  return points(state, name, cell_id({std::string(weights), row, column}), MeansA::weight) + ", " +
         bold(share_of(trace, weights, row, column));
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

// So that nobody learns from it which words belong together.
std::string of_letters(const State& state) {
  return state.by_rule() && state.preset != Preset::phrase ? " Its numbers know letters, not meanings." : "";
}

}  // namespace

// "cat 3, the rest 0": what a row of numbers with names holds.
std::string held(const Tensor& tensor, int row) {
  const std::string said = said_of(tensor, row), name = label_of(tensor.row_labels, row) + ": ";
  if (said.size() <= name.size()) return "all 0";
  return said.substr(name.size()) + ((tensor.values.row(row).array() == 0).any() ? ", the rest 0" : "");
}

Told tell_query(const State& state, const Trace& trace) {
  const std::string query = asks(state, trace, kOneQuery, query_row(state), 0),
                    label(kSimilarities[static_cast<int>(state.similarity)].label);
  const std::string root = state.similarity != Similarity::scaled ? "" : ", ÷ √" + std::to_string(sizes(state).first);
  const bool video = state.preset == Preset::video, sums = trace.find(kProducts) != nullptr;
  return {
      (video ? "Somebody types " + query + ": which videos light up?" : "The query is " + query + ": what lights up?") +
          " Each gets a **score**: " +
          (sums ? "its numbers times the query’s, place by place, added" + root + "." : label + "."),
      " Most light: " + weight_of(state, trace, "a", 0) + ". y mixes what is lit" +
          (video ? " and says what to expect: " + fixed(trace.at("y").values(0, 5), 1) + " laughs." : ".") +
          of_letters(state)};
}

Told tell_queries(const State& state, const Trace& trace) {
  const int row = query_row(state);
  const std::string query = asks(state, trace, "Q", row, row);
  if (state.wrong_axis)
    return {
        "Along the **wrong axis** the queries compete for every input.",
        " What " + query + " gives sums to " + bold(fixed(trace.at("row_sum").values(row, 0))) +
            ", where it should be 1, so its output is no mix of the inputs, and it changes with the other queries."};
  return {"All " + std::to_string(trace.at("Q").rows()) + " queries at once, each with all of its own light: what " +
          query + " gives sums to 1, whatever the others ask."};
}

Told tell_keys(const State& state, const Trace& trace) {
  const int row = query_row(state);
  const std::string query = asks(state, trace, "Q_given", row, row);
  const bool video = state.preset == Preset::video;
  const Sizes size = sizes(state);
  const std::string fewer = size.first == size.key ? ""
                                                   : " A query, too, now has " + std::to_string(size.key) +
                                                         " numbers, not " + std::to_string(size.first) + ".";
  return {points(state, "W_K", cell_id({"W_K", 0, 0}), MeansA::key) + " makes each " + (video ? "video" : "input") +
              "’s **key**, " + (video ? "what its title says, " : "what it is found by, ") +
              points(state, "W_V", cell_id({"W_V", 0, 0}), MeansA::value) + " its **value**, " +
              (video ? "its minutes and laughs." : "what it passes on.") + fewer,
          " " + query + " finds " + weight_of(state, trace, "A_kv", row) + "."};
}

Told tell_self(const State& state, const Trace& trace) {
  const int row = input_row(state);
  const std::string query = asks(state, trace, "X", row, row);
  const Matrix& A = trace.at("A_self").values;
  int other = -1;
  for (int j = 0; j < static_cast<int>(A.cols()); ++j)
    if (j != row && (other < 0 || A(row, j) > A(row, other))) other = j;
  return {"All three taps draw from one sequence: **self-attention**.",
          " " + query + " gives " + bold(share_of(trace, "A_self", row, row)) + " of its light to itself" +
              (other >= 0 && A(row, row) > A(row, other) ? ", whose key is most like its query" : "") +
              (other < 0 ? "." : ", and of the others most to " + weight_of(state, trace, "A_self", row, other) + ".")};
}

Told tell_cross(const State& state, const Trace& trace) {
  const int row = query_row(state);
  const bool same = trace.at(kQGiven).values.isApprox(trace.at(kQCross).values, 1e-5F);
  return {"Only the " + points(state, "purple tap", "tap.query", MeansA::query) +
              " has moved: W_Q makes the queries of a second sequence. This is **cross-attention**.",
          " " + asks(state, trace, "Z", row, row) + " finds " + weight_of(state, trace, "A_cross", row) +
              (same ? ": the same answer as before, now made by W_Q from a second sequence." : ".") +
              of_letters(state)};
}

Told tell_shuffle(const State& state, const Trace& trace) {
  const bool same = static_cast<double>(trace.at(kError).values(0, 0)) < rounding(trace);
  return {moved_words(state) + (state.numbers ? "." : "; the lamp, now at the right, makes each output anew."),
          std::ranges::is_sorted(state.order.of(sizes(state).inputs)) ? ""
          : same
              ? " The outputs do just the same, and **nothing else changes**: attention does not know the order of its "
                "inputs. In a word, it is “permutation equivariant”."
              : " Some outputs are other ones."};
}

Told tell_order(const State& state, const Trace& trace) {
  const double error = static_cast<double>(trace.at(kErrorPos).values(0, 0));
  static constexpr std::string_view how[] = {
      "No place leaves a mark.",
      "Each **place** has a mark, the **sines and cosines** of its hands, added to the query and the key there. Hands "
      "that point alike add to a score; **mixed** is what marks make of words.",
      "Each **place** turns the query and the key there by its hands’ angles: how far two places are apart changes "
      "their score, from the first number to the second.",
      "Now what is **farther away** gets less light: the wedge is what distance takes off a score."};
  std::string done(how[static_cast<int>(state.positions)]);
  if (state.causal) done += " Under the **mask** nobody sees what follows: it is struck out.";
  const int asks = input_row(state);
  const std::vector<int> order = state.order.of(sizes(state).inputs);
  const auto place = std::ranges::find(order, asks) - order.begin();
  const Matrix apart = trace.at(kPlaced.output).values.row(place) - trace.at(kYMovedPos).values.row(place);
  if (place != asks && static_cast<double>(apart.cwiseAbs().maxCoeff()) >= rounding(trace))
    return {done, " " + bold(in_sentence(label_of(trace.at(kX).row_labels, asks))) + " now asks from place " +
                      std::to_string(place + 1) + ", not " + std::to_string(asks + 1) + ": another **output**."};
  if (error >= rounding(trace)) return {done, " The same inputs in another order give **other outputs**."};
  if (state.positions == Encoding::linear_bias && state.order == reversed(sizes(state).inputs))
    return {done, " This order still goes unnoticed: read backwards, all stand as far apart as before."};
  return {done, " This order goes unnoticed: all outputs are what they were."};
}

Told tell_all(const State& state, const Trace& trace) {
  const Matrix& errors = trace.at(kErrors).values;
  const int ways = static_cast<int>(errors.cols()) - 1;  // but for the first, which adds nothing
  int noticed = 0;
  for (int i = 1; i <= ways; ++i) noticed += static_cast<double>(errors(0, i)) >= rounding(trace) ? 1 : 0;
  return {"Five ways to use one machine; from self to cross only the **purple tap** moves. " + moved_words(state) + ".",
          (noticed == 0
               ? " No output changes, whatever is added."
               : " With nothing added no output changes; with " +
                     std::string(noticed == ways ? "each" : std::to_string(noticed)) + " of the other four some do.") +
              " Next, Heads: several such layers side by side."};
}

double rounding(const Trace& trace) {
  constexpr float kLeast = 1e-5F, kRelative = 1e-6F, kMost = 1e-4F;  // 32-bit floats have seven digits
  float scores = 1;
  for (const float score : trace.at(kShuffled.scores).values.reshaped())
    if (std::isfinite(score)) scores = std::max(scores, std::abs(score));
  const float outputs = std::max(trace.at(kShuffled.output).values.cwiseAbs().maxCoeff(), 1.F);
  return static_cast<double>(std::max(kLeast, std::min(kRelative * scores, kMost) * outputs));
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  State shown = in_view(state, view);
  shown.query = asking_at(shown, view);
  const Told told = row_at(view.place).tell(shown, trace);
  return view.t < kResultTold ? told.done : told.done + told.result;
}

std::optional<Question> ask(const State& state, const Trace& /*trace*/) {
  const int count = sizes(state).inputs;
  State backwards = state;
  backwards.order = reversed(count);
  const Trace read = compute(backwards, {});
  const Matrix& errors = read.at("errors").values;
  int unnoticed = 0, correct = 0;
  for (int i = 1; i < errors.cols(); ++i)
    if (static_cast<double>(errors(0, i)) < rounding(read)) ++unnoticed, correct = i - 1;
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
  if (state.order == reversed(count))
    question.back = {"order", io::write_value(swapped(count))}, question.back_label = "Back to swapping two";
  return question;
}

std::string provenance(const State& state) {
  std::string text =
      state.preset == Preset::video
          ? "Numbers made up, not trained, for an article’s image of a video search (query text, titles as keys, "
            "videos as values)."
          : std::string(state.preset == Preset::phrase
                            ? "Numbers made up, not trained: a feature for each meaning, the same in both languages, "
                              "then the spelling; matrices "
                            : "Not trained: embeddings made from the spelling, so letters and not meanings decide; "
                              "matrices ") +
                (state.rule == Rule::identity ? "close to the identity." : "drawn at random from the seed.");
  text +=
      " The build-up is the article’s “Let’s abstract the Attention”; the layer is that of Vaswani et al. 2017, §3.2.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::layer
