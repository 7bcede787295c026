// Translate in words: what its steps share, the question, where its numbers come from. All are the trace's.
#include <algorithm>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/missing.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {

std::string Told::word() const {
  const Source chosen{"chosen", 0, t};
  return pointing(label_of(written(trace), t), cell_id(chosen), MeansA::output);
}

// A sign in quotes, so that it does not end our sentence.
std::string Told::source(int j) const {
  const std::string word = label_of(trace.at("source").column_labels, j);
  const Source weight{"weights", t, j};
  return pointing(word == "." || word == "," ? quoted(word) : word, cell_id(weight), MeansA::word);
}

std::string ordinal(int t) { return "output word " + std::to_string(t + 1); }

std::string gaze(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  const std::vector<int> order = largest_of(weights, told.t);
  const auto share = [&](int j) { return percent(static_cast<double>(weights(told.t, j))); };
  const auto named = [&](int j) { return told.source(j) + " (" + share(j) + ")"; };
  std::vector<std::string> first;  // those whose share is written like the largest
  for (const int j : order)
    if (share(j) == share(order[0])) first.push_back(told.source(j));
  constexpr std::size_t most_named = 4;
  if (first.size() > most_named)
    return "equally at " + std::to_string(first.size()) + " words (" + share(order[0]) + " each)";
  if (first.size() > 1) return "equally at " + io::all_of(first) + " (" + share(order[0]) + " each)";
  std::string text = "most at " + named(order[0]);
  if (order.size() > 1 && weights(told.t, order[1]) >= 0.1F) text += ", then at " + named(order[1]);
  return text;
}

std::string lit_words(const Told& told) {
  constexpr float kLit = 0.1F;
  constexpr std::size_t most = 4;
  const Matrix& weights = told.trace.at("weights").values;
  std::vector<std::string> words;
  for (const int j : largest_of(weights, told.t))
    if (words.empty() || (weights(told.t, j) >= kLit && words.size() < most))
      words.push_back(told.source(j) + " (" + percent(static_cast<double>(weights(told.t, j))) + ")");
  return io::all_of(words);
}

int lost_words(const std::vector<std::string>& was, const std::vector<std::string>& now) {
  return static_cast<int>(std::ranges::count(differing(was, now), true));
}

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

std::string tokens_of(const std::vector<std::string>& labels) {
  const bool stops = labels.back() == "[STOP]";
  const std::size_t count = labels.size() - (stops ? 1 : 0);
  return io::count_of(count, "token") + (stops ? " and [STOP]" : "");
}

bool is_set_by_hand(const Told& told) { return recipes::set_in_row(told.state.weights, told.t); }

std::vector<std::string> expected(const State& state, const Trace& trace) {
  if (const Tensor* right = trace.find("expected"); right != nullptr) return right->column_labels;
  if (state.corpus) {
    std::vector<std::string> words = state.corpus->target;
    words.emplace_back("[STOP]");
    return words;
  }
  if (const Tensor* before = trace.find("before")) return before->column_labels;
  return is_translated(trace) ? written(trace) : std::vector<std::string>{};
}

std::string marked(const std::vector<std::string>& words, const std::vector<bool>& differs) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool joined = i == 0 || words[i] == "." || words[i] == "," || words[i - 1].ends_with('\'');
    if (words[i] != "[STOP]" || differs[i]) text += (joined ? "" : " ") + (differs[i] ? bold(words[i]) : words[i]);
  }
  return text;
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  const Row& step = row_at(view.place);
  if (!waits(step, trace, view))
    return step.shows.tell({{state, trace}, word_row(state, trace, view), view.place.part, view.t >= 0.8F});
  return words_of(view.missing.value_or(Missing{.label = "The trained model"})) + std::string(step.meanwhile);
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
      .correct = changed == 0 ? 0 : 1 + (2 * changed >= count ? 1 : 0),
      .answer = changed == 0
                    ? "**None**: here the first look finds its word from zeros too. With another sentence it may not."
                    : bold(std::to_string(changed) + " of " + std::to_string(count)) +
                          (revealed ? " (the step Long sentences shows both lines)" : "") +
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
  std::string text =
      "Constructed: hidden size 1, numbers chosen by hand so that the decoder finds its words, in the steps "
      "of the article’s figures 3 to 7.";
  if (state.trained())
    text =
        "Trained by us, with cross-entropy, on English and French sentences that a small grammar generated: not real "
        "data. The alignment was learned, never shown.";
  text += " Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), as the article tells it.";
  if (state.trained() && !state.corpus) text += " Your sentence need not be one that the grammar makes.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::translate
