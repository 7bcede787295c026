// Translate in words: narration, the question, where its numbers come from. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/place.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// A word of the source in bold; a sign in quotes, so that it does not end our sentence.
std::string source_name(const std::vector<std::string>& labels, int index) {
  const std::string word = label_of(labels, index);
  return bold(word == "." || word == "," ? "“" + word + "”" : word);
}

std::string ordinal(int t) { return "output word " + std::to_string(t + 1); }

// The columns of a row, the largest first; of equal ones the left one.
std::vector<int> largest(const Matrix& values, int row) {
  std::vector<int> order;
  for (int j = 0; j < values.cols(); ++j) order.push_back(j);
  std::ranges::sort(
      order, [&](int a, int b) { return values(row, a) != values(row, b) ? values(row, a) > values(row, b) : a < b; });
  return order;
}

// "most at Area (72 %), then at Economic (20 %)"; "equally at we and are (31 % each)"
std::string gaze(const Told& told, int t) {
  const Tensor& weights = told.trace.at("weights");
  const std::vector<int> order = largest(weights.values, t);
  const auto share = [&](int j) { return percent(static_cast<double>(weights.values(t, j))); };
  const auto named = [&](int j) { return source_name(weights.column_labels, j) + " (" + share(j) + ")"; };
  std::vector<std::string> first;  // those whose share is written like the largest
  for (const int j : order)
    if (share(j) == share(order[0])) first.push_back(source_name(weights.column_labels, j));
  constexpr std::size_t most_named = 4;
  if (first.size() > most_named)
    return "equally at " + std::to_string(first.size()) + " words (" + share(order[0]) + " each)";
  if (first.size() > 1) return "equally at " + io::all_of(first) + " (" + share(order[0]) + " each)";
  std::string text = "most at " + named(order[0]);
  if (order.size() > 1 && weights.values(t, order[1]) >= 0.1F) text += ", then at " + named(order[1]);
  return text;
}

// How many of the words that were are gone, or not in their order.
int lost_words(const std::vector<std::string>& was, const std::vector<std::string>& now) {
  return static_cast<int>(std::ranges::count(differing(was, now), true));
}

// Where what was set by hand changed the words: "Set by hand, la became le, and 3 words after it changed too."
std::string change_of(const Told& told) {
  const Tensor* before = told.trace.find("before");
  if (before == nullptr) return {};
  const std::vector<std::string>&was = before->column_labels, now = written(told.trace);
  const auto [first_was, first_now] = std::ranges::mismatch(was, now);
  if (first_was == was.end() && first_now == now.end()) return " What was set changes no word.";
  const std::string old_word = first_was == was.end() ? "nothing" : *first_was;
  const std::string new_word = first_now == now.end() ? "nothing" : *first_now;
  const auto place = static_cast<int>(first_now - now.begin());
  std::string text = " By what was set " + ordinal(place) + " was " + bold(old_word) + " and became " + bold(new_word);
  // Of those that stood behind it.
  const std::vector<std::string> rest(first_was == was.end() ? first_was : std::next(first_was), was.end());
  if (const int others = lost_words(rest, {first_now, now.end()}); others > 0)
    text += ", and " + std::to_string(others) + (others == 1 ? " later word is" : " later words are") + " gone";
  return text + ".";
}

std::string numbers(int count) { return io::count_of(count, "number"); }

// What was read or written: "13 tokens and [STOP]".
std::string tokens_of(const std::vector<std::string>& labels) {
  const bool stops = labels.back() == "[STOP]";
  const std::size_t count = labels.size() - (stops ? 1 : 0);
  return io::count_of(count, "token") + (stops ? " and [STOP]" : "");
}

bool set_by_hand(const Told& told) {
  return std::ranges::any_of(told.state.weights.cells, [&](const auto& edit) { return edit.first.first == told.t; });
}

// "It reads your translation, of 7 tokens and [STOP]; at 2 places it would have written another word."
std::string tell_reading(const Told& told, const std::vector<std::string>& words) {
  const Tensor& all = told.trace.at("probabilities");
  int others = 0;
  for (int t = 0; t < all.rows(); ++t) {
    Eigen::Index best = 0;
    all.values.row(t).maxCoeff(&best);
    others += all.column_labels[static_cast<std::size_t>(best)] == words[static_cast<std::size_t>(t)] ? 0 : 1;
  }
  return "The decoder reads your translation, of " + tokens_of(words) + "; by itself it would have written " +
         (others == 0 ? "the same."
                      : "another at " + bold(std::to_string(others) + (others == 1 ? " place" : " places")) + ".");
}

}  // namespace

std::string tell_bottleneck(const Told& told) {
  const Tensor& h = told.trace.at("fixed_h");
  const std::vector<std::string>& wrote = told.trace.at("fixed").column_labels;
  const std::string states = bold(std::to_string(h.rows()) + " states") + " of " + numbers(h.columns());
  if (!told.state.trained())
    return "The encoder made " + states + ", " + std::to_string(h.rows() * h.columns()) +
           " in all. Without attention only " + bold(numbers(h.columns())) + (h.columns() == 1 ? " gets" : " get") +
           " through, whether the sentence has 3 words or 30: the context c = h_" + std::to_string(h.rows()) +
           ". From it alone this decoder writes " + bold(io::all_of(wrote)) + ".";
  return "Read both ways, " + tokens_of(h.row_labels) + " make " + states + ". Without attention only " +
         bold(numbers(h.columns())) + ", half from each end, get through, however long the sentence: the context c. " +
         "From it alone this model writes " + tokens_of(wrote) + ".";
}

std::string tell_encode(const Told& told) {
  const Tensor& h = told.trace.at("h");
  if (!told.state.trained())
    return "For each of its " + std::to_string(h.rows()) +
           " words the encoder keeps a state of hidden size 1, h_1 to h_" + std::to_string(h.rows()) +
           ". The decoder starts from s_0 = " + bold(io::format_short(told.of("s", 0, 0))) + ".";
  static constexpr std::string_view from[] = {"made from the encoder’s state at the first word", "drawn at random",
                                              "all zeros"};
  return "Two recurrent networks read " + tokens_of(h.row_labels) + ", one forwards and one backwards; " +
         bold(std::to_string(h.columns()) + " numbers") +
         " for each token know it and its neighbours. The decoder’s first state is " +
         std::string(from[static_cast<int>(told.state.first)]) + ".";
}

std::string tell_scores(const Told& told) {
  const Tensor& scores = told.trace.at("scores");
  const std::vector<int> order = largest(scores.values, told.t);
  const int units = told.trace.at("v_a").rows();
  static constexpr std::string_view inside[] = {
      "The decoder’s state before this word goes through a layer W: what it asks, in ",
      "Each source state goes through a layer U: what it offers, in ",
      "Question and offer are added, for each source word, in ", "tanh squashes each sum to between −1 and 1, in ",
      "The vector v sums them up to one score for each source word, of "};
  if (told.part > 0) {
    const std::string text = std::string(inside[told.part - 1]) + bold(numbers(units)) + ".";
    if (told.part == 5)
      return text + " The largest is that of " + source_name(scores.column_labels, order[0]) + ", " +
             io::format_short(told.of("scores", told.t, order[0])) + ".";
    return text + (told.part == 2 ? " This is done once, for all output words."
                                  : " Here for " + ordinal(told.t) + ", " + told.word() + ".");
  }
  // Those whose score is written like the largest.
  const std::string score = io::format_short(told.of("scores", told.t, order[0]));
  std::vector<std::string> best;
  for (const int source : order)
    if (io::format_short(told.of("scores", told.t, source)) == score)
      best.push_back(source_name(scores.column_labels, source));
  return "Before " + ordinal(told.t) + ", " + told.word() +
         ", a small network compares the decoder’s state with each source word: " + io::all_of(best) +
         (best.size() == 1 ? " fits" : " fit") + " best, e = " + score + ", " +
         source_name(scores.column_labels, order.back()) + " least, " +
         io::format_short(told.of("scores", told.t, order.back())) + ".";
}

std::string tell_weights(const Told& told) {
  const std::string how = set_by_hand(told) ? "Set by hand, the weights of "
                          : told.state.gaze == Gaze::hard
                              ? "Hard attention gives all to the largest score: the weights of "
                              : "Softmax makes shares of the scores: the weights of ";
  return how + told.word() + " lie " + gaze(told, told.t) + "; all " +
         std::to_string(told.trace.at("weights").columns()) + " sum to 1." + change_of(told);
}

std::string tell_context(const Told& told) {
  const int size = told.trace.at("context").columns();
  if (size == 1)
    return "The context c_" + std::to_string(told.t + 1) + " = " +
           bold(io::format_short(told.of("context", told.t, 0))) + " is the source states’ mixture, " +
           gaze(told, told.t) + ". The next word gets a context of its own.";
  return "The " + bold(numbers(size)) + " of the context for " + told.word() + " are the source states’ mixture, " +
         gaze(told, told.t) + ". No vector has to hold the whole sentence: each word gets a context of its own.";
}

std::string tell_next(const Told& told) {
  const double share = told.of("chosen", 0, told.t);
  std::string text =
      "From the word before, the state before and the context the decoder makes its next state, and finds " +
      told.word() + " " + bold(io::format_percent(share)) + " likely";
  const Matrix& all = told.trace.at("probabilities").values;
  Eigen::Index best = 0;
  all.row(told.t).maxCoeff(&best);
  const std::string likeliest = label_of(told.trace.at("probabilities").column_labels, static_cast<int>(best));
  if (likeliest != label_of(written(told.trace), told.t))
    text += "; it would have written " + bold(likeliest) + ", but reads your word";
  return text + "." + change_of(told);
}

std::string tell_alignment(const Told& told) {
  const std::vector<std::string> words = written(told.trace);
  std::string text = told.word() + " looks " + gaze(told, told.t) + ". ";
  text += !told.state.translation.empty() ? tell_reading(told, words)
          : words.back() == "[STOP]"      ? "The translation has " + tokens_of(words) + "."
                                          : "It never writes [STOP] and is cut off after " + tokens_of(words) + ".";
  if (const std::string change = change_of(told); !change.empty()) return text + change;
  if (!told.state.trained()) return text + " These weights are constructed; those of a trained model nobody set.";
  text += " Nobody told it where to look.";
  if (told.state.gold && told.trace.find("gold") == nullptr)
    text += told.state.corpus ? " It wrote other words than the corpus, so there are no gold links to compare with."
                              : " Gold links exist only for sentences that the corpus made.";
  return text;
}

std::string tell_long(const Told& told) {
  std::string text;
  if (const Tensor* exact = told.trace.find("exact")) {
    const int last = exact->columns() - 1;
    const auto share = [&](int row, int column) { return bold(io::format_percent(told.of("exact", row, column))); };
    const auto at = [&](int column) { return label_of(exact->column_labels, column); };
    text = "Of held-out sentences of " + at(0) + " " + share(0, 0) + " come out right with attention and " +
           share(1, 0) + " through one fixed vector; of " + at(last) + " " + share(0, last) + " and " + share(1, last) +
           ".";
  }
  const Tensor* fixed = told.trace.find("fixed");
  if (fixed == nullptr || !is_translated(told.trace))
    return text.empty()
               ? "Two models are compared here: one with attention, one that has to put all into one fixed vector."
               : text;
  if (!text.empty()) text += " ";
  if (!told.state.translation.empty())
    return text + "Your translation stands where the model’s own would; take it away in step " +
           std::to_string(number_of(steps(), "alignment")) + " to compare both.";
  // As it is when nothing is set.
  const Tensor* before = told.trace.find("before");
  const bool same = fixed->column_labels == (before != nullptr ? before->column_labels : written(told.trace));
  text += same ? "This sentence both translate alike" : "This sentence they translate **differently**";
  if (before == nullptr) return text + ".";
  const int lost = lost_words(before->column_labels, written(told.trace));
  return text + " when nothing is set; as it is set now, attention’s line loses " +
         bold(std::to_string(lost) + " of " + std::to_string(before->column_labels.size()) + " tokens") + ".";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  const Row& step = row_at(view.place);
  if (!waits(step, trace, view)) return step.tell({state, trace, word_row(state, trace), view.place.part});
  if (view.missing) return words_of(*view.missing) + std::string(step.meanwhile);
  return "The trained model is not here yet; the example by hand needs none, and has the same steps.";
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (!is_translated(trace) || !state.translation.empty()) return std::nullopt;
  const bool revealed = state.first == First::zero && state.gaze == Gaze::soft && !state.edited();
  const Tensor* other = trace.find(revealed ? "before" : "from_zeros");
  if (other == nullptr) return std::nullopt;
  const std::vector<std::string>&now = written(trace), &was = other->column_labels;
  const auto count = static_cast<int>(revealed ? was.size() : now.size());
  const int changed = revealed ? lost_words(was, now) : lost_words(now, was);
  const std::string names = state.trained() ? "token" : "word";
  Question question{
      .text =
          "The decoder begins with s_0, which it has from the encoder. If it began with zeros, all source words "
          "still there for attention to look at: how many of its " +
          std::to_string(count) + " " + names + "s would be gone?",
      .options = {"none", "fewer than half", "half or more"},
      .correct = changed == 0          ? 0
                 : 2 * changed < count ? 1
                                       : 2,
      .answer = changed == 0
                    ? "**None**: here the first look finds its word from zeros too. With another sentence it may not."
                    : bold(std::to_string(changed) + " of " + std::to_string(count)) +
                          (revealed ? ", as shown now" : "") +
                          ": attention looks for what the state asks for, and another first state asks for something "
                          "else."};
  question.reveal = {{"s_0", "zero"}};
  if (revealed) {
    question.back = {"s_0", "encoder"};
    question.back_label = "Back to the encoder";
  }
  return question;
}

std::string provenance(const State& state) {
  std::string text = state.trained() ? "Trained by us, with cross-entropy, on English and French sentences that a "
                                       "small grammar generated: not real "
                                       "data. The alignment was learned, never shown."
                                     : "Constructed: hidden size 1, numbers chosen by hand so that the decoder finds "
                                       "its words, in the steps of the "
                                       "article’s figures 3 to 7.";
  text += " Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), as the article tells it.";
  if (state.trained() && !state.corpus) text += " Your sentence need not be one that the grammar makes.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::translate
