// Train in words: narration and the question. Every number comes from the trace.
#include <numeric>
#include <utility>

#include "scenes/train/steps.h"

namespace limelight::scenes::train {
namespace {

std::string quoted(const std::vector<std::string>& words) { return scenes::quoted(joined(words)); }

std::string batches(int count) { return std::to_string(count) + (count == 1 ? " batch" : " batches"); }

std::string written_now(const Told& t) {
  const std::string text = t.summary(Summary::letters) > 0 ? bold(quoted(t.written())) : bold("nothing");
  if (!t.known()) return text;
  const int right = static_cast<int>(t.summary(Summary::right)), of = static_cast<int>(t.summary(Summary::of));
  if (right == of && static_cast<int>(t.summary(Summary::letters)) == of) return text + ", every letter right";
  return text + ", " + std::to_string(right) + " of " + std::to_string(of) + " letters right";
}

std::string aligned_words(const Told& t) {
  const double aligned = t.summary(Summary::aligned);
  if (aligned < 0) return "";
  return " The largest weight lies where the task says for " + std::to_string(static_cast<int>(aligned)) + " of " +
         std::to_string(static_cast<int>(t.summary(Summary::of))) + " letters; no one told it.";
}

// The share of one model at its longest lengths.
std::string at_longest(const Told& t, int model) {
  const Tensor& groups = t.trace.at(kCurves[model].by_length);
  const int last = groups.columns() - 1;
  return bold(percent(static_cast<double>(groups.values(ByLength::share, last)))) + " of sources of " +
         groups.column_labels[static_cast<std::size_t>(last)];
}

}  // namespace

std::string tell_task(const Told& t) {
  const std::string begun =
      t.begun() ? "After " + batches(t.count(Column::step)) + " the model writes " : "Untrained, the model writes ";
  return "To be written: " + std::string(rule_of(t.state.task)) + ". From " + quoted(t.source()) + " " +
         (t.known() ? "that is " + bold(quoted(t.trace.at("target").column_labels)) + ". "
                    : "that is not known here. ") +
         begun + written_now(t) + ". It has " + bold(brief(t.summary(Summary::weights), 6)) +
         " weights to learn, and no rule among them.";
}

std::string tell_train(const Told& t) {
  if (!t.begun())
    return "Before training it writes " + written_now(t) + ". A guess among all letters costs " +
           bold(brief(t.summary(Summary::guess)) + " nats") + ". **Train** shows it batch after batch of " +
           std::to_string(t.state.batch) + " pairs.";
  const int step = t.count(Column::step);
  if (t.diverged())
    return "**The training diverged** after " + batches(step) + ": the loss " +
           (t.run(Column::rose_to) < 0 ? "is " : "rose to ") + t.rose_to(model_of(t.state)) + ", where a guess costs " +
           brief(t.summary(Summary::guess)) + " nats. The learning rate " + brief(t.run(Column::rate)) +
           " was too high. " + bold(t.way_back()) +
           " returns to what was still good; or set a smaller one and **start over**.";
  std::string text = "After " + batches(step) + " the loss is " + bold(brief(t.run(Column::loss))) +
                     " nats a letter. It writes " + written_now(t) + ".";
  if (t.run(Column::held_out) >= 0)
    text += " Of what is held out " + bold(percent(t.run(Column::held_out))) + " was all right at batch " +
            std::to_string(t.count(Column::look_step)) + ".";
  if (t.converged()) return text + " **Converged:** it stopped by itself." + aligned_words(t);
  return text + aligned_words(t);
}

std::string tell_inside(const Told& t) {
  const int row = t.row();
  const std::string word = shown(t.written()[static_cast<std::size_t>(row)]);
  const int best = t.likeliest(row, 1).front();
  const std::string sure = percent(t.at("probabilities", row, best));
  std::string text =
      "Output " + std::to_string(row + 1) + " is " + bold("“" + word + "”") + ", with a probability of " + bold(sure);
  if (t.known() && !t.right(row)) text += ", and wrong";
  text += ". ";
  if (!t.state.attention)
    return text + "Without attention there is nothing to look at: the same " +
           std::to_string(t.trace.at("context").columns()) + " numbers stand for the whole source at every letter.";
  const int at = t.looks_at(row);
  return text + "It looks at “" + shown(t.source()[static_cast<std::size_t>(at)]) + "”, place " +
         std::to_string(at + 1) + " of the source, with " + bold(percent(t.at("weights", row, at))) + " of its weight" +
         (t.begun() ? "." : ": at random, since it is not trained.");
}

std::string tell_without(const Told& t) {
  const bool with = t.trace.find(kCurves[kWith].by_length) != nullptr,
             without = t.trace.find(kCurves[kWithout].by_length) != nullptr;
  const std::string size = std::to_string(2 * t.state.hidden);
  if (with && without)
    return "Measured here: with attention " + at_longest(t, kWith) + " are all right after " +
           batches(static_cast<int>(t.run(kWith, Column::step))) + ", without it " + at_longest(t, kWithout) +
           " after " + batches(static_cast<int>(t.run(kWithout, Column::step))) + ". Without, " + size +
           " numbers have to hold every letter of the source.";
  if (with || without)
    return "Measured here, " + std::string(with ? "with attention " : "without attention ") +
           at_longest(t, with ? kWith : kWithout) + " are all right. Switch attention " + (with ? "off" : "on") +
           " and train again: both curves stay.";
  return "Without attention " + bold(size + " numbers") +
         ", always the same, have to hold the whole source, however long "
         "it is. Train with and without, and compare.";
}

std::vector<int> Told::likeliest(int place, int most) const {
  const Matrix& all = trace.at("probabilities").values;
  std::vector<int> words(static_cast<std::size_t>(all.cols()));
  std::iota(words.begin(), words.end(), 0);
  std::ranges::sort(words, {}, [&](int word) { return std::pair(-all(place, word), word); });
  words.resize(std::min(words.size(), static_cast<std::size_t>(most)));
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    if (word != "[STOP]") text += is_control(word) ? shown(word) : word;
  return text;
}

std::string_view rule_of(Subject subject) {
  static constexpr std::string_view rules[] = {"the letters as they are", "the letters from the last to the first",
                                               "the letters in the order of the alphabet",
                                               "the date as year, month and day"};
  return rules[static_cast<int>(subject)];
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell({state, trace});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const Told t{state, trace};
  if (!state.attention) {
    if (state.task == Subject::dates) return std::nullopt;  // one vector holds them: all come out right
    return Question{"The decoder gets one vector of " + std::to_string(2 * state.hidden) +
                        " numbers, whatever the source. Which sources will it get wrong first?",
                    {"short ones", "long ones", "all alike"},
                    1,
                    "**Long ones:** every letter more has to fit into the same numbers (Sutskever et al. 2014 reversed "
                    "the source to bring its beginning nearer). What is measured here, the curve by length shows."};
  }
  static constexpr int where[] = {0, 2, 3, 1};
  static constexpr std::string_view why[] = {"first letter of the source", "last letter of the source",
                                             "letter that comes first in the alphabet",
                                             "year, which may stand anywhere in the source"};
  const int at = t.looks_at(0);
  const std::string now = (t.begun() ? "After " + batches(t.count(Column::step)) : std::string("Untrained")) +
                          ", its largest weight is " + percent(t.at("weights", 0, at)) + ", on “" +
                          shown(t.source()[static_cast<std::size_t>(at)]) + "” at place " + std::to_string(at + 1) +
                          ".";
  Question question{
      "Nobody tells the model where to look. Once it has learned this task, where will it look while it "
      "writes its first letter?",
      {"the first letter", state.task == Subject::dates ? "where the year stands" : "a letter in the middle",
       "the last letter", "the smallest letter"},
      where[static_cast<int>(state.task)],
      "At the **" + std::string(why[static_cast<int>(state.task)]) +
          "**, since looking there makes the loss small soonest. " + now};
  question.reveal = {{"letter", "1"}};
  return question;
}

}  // namespace limelight::scenes::train
