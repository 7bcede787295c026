// Train in words: narration and the question. Every number comes from the trace.
#include "scenes/train/words.h"

#include <numeric>
#include <utility>

namespace limelight::scenes::train {
namespace {

std::string quoted(const std::vector<std::string>& words) { return scenes::quoted(joined(words)); }

std::string batches(int count) { return std::to_string(count) + (count == 1 ? " batch" : " batches"); }

std::string written_now(const Reader& r) {
  const std::string text = r.summary(Summary::letters) > 0 ? bold(quoted(r.written())) : bold("nothing");
  if (!r.known()) return text;
  const int right = static_cast<int>(r.summary(Summary::right)), of = static_cast<int>(r.summary(Summary::of));
  if (right == of && static_cast<int>(r.summary(Summary::letters)) == of) return text + ", every letter right";
  return text + ", " + std::to_string(right) + " of " + std::to_string(of) + " letters right";
}

std::string narrate_task(const Reader& r) {
  const std::string begun =
      r.begun() ? "After " + batches(r.count(Column::step)) + " the model writes " : "Untrained, the model writes ";
  return "To be written: " + std::string(rule_of(r.state.task)) + ". From " + quoted(r.source()) + " " +
         (r.known() ? "that is " + bold(quoted(r.trace.at("target").column_labels)) + ". "
                    : "that is not known here. ") +
         begun + written_now(r) + ". It has " + bold(brief(r.summary(Summary::weights), 6)) +
         " weights to learn, and no rule among them.";
}

std::string aligned_words(const Reader& r) {
  const double aligned = r.summary(Summary::aligned);
  if (aligned < 0) return "";
  return " The largest weight lies where the task says for " + std::to_string(static_cast<int>(aligned)) + " of " +
         std::to_string(static_cast<int>(r.summary(Summary::of))) + " letters; no one told it.";
}

std::string narrate_train(const Reader& r) {
  if (!r.begun())
    return "Before training it writes " + written_now(r) + ". A guess among all letters costs " +
           bold(brief(r.summary(Summary::guess)) + " nats") + ". **Train** shows it batch after batch of " +
           std::to_string(r.state.batch) + " pairs.";
  const int step = r.count(Column::step);
  if (r.diverged())
    return "**The training diverged** after " + batches(step) + ": the loss " +
           (r.run(Column::rose_to) < 0 ? "is " : "rose to ") + r.rose_to(model_of(r.state)) + ", where a guess costs " +
           brief(r.summary(Summary::guess)) + " nats. The learning rate " + brief(r.run(Column::rate)) +
           " was too high. " + bold(r.way_back()) +
           " returns to what was still good; or set a smaller one and **start over**.";
  std::string text = "After " + batches(step) + " the loss is " + bold(brief(r.run(Column::loss))) +
                     " nats a letter. It writes " + written_now(r) + ".";
  if (r.run(Column::held_out) >= 0)
    text += " Of what is held out " + bold(percent(r.run(Column::held_out))) + " was all right at batch " +
            std::to_string(r.count(Column::look_step)) + ".";
  if (r.converged()) return text + " **Converged:** it stopped by itself." + aligned_words(r);
  return text + aligned_words(r);
}

std::string narrate_inside(const Reader& r) {
  const int row = r.row();
  const std::string word = shown(r.written()[static_cast<std::size_t>(row)]);
  const int best = r.likeliest(row, 1).front();
  const std::string sure = percent(r.at("probabilities", row, best));
  std::string text =
      "Output " + std::to_string(row + 1) + " is " + bold("“" + word + "”") + ", with a probability of " + bold(sure);
  if (r.known() && !r.right(row)) text += ", and wrong";
  text += ". ";
  if (!r.state.attention)
    return text + "Without attention there is nothing to look at: the same " +
           std::to_string(r.trace.at("context").columns()) + " numbers stand for the whole source at every letter.";
  const int at = r.looks_at(row);
  return text + "It looks at “" + shown(r.source()[static_cast<std::size_t>(at)]) + "”, place " +
         std::to_string(at + 1) + " of the source, with " + bold(percent(r.at("weights", row, at))) + " of its weight" +
         (r.begun() ? "." : ": at random, since it is not trained.");
}

// The share of one model at its longest lengths.
std::string at_longest(const Reader& r, int model) {
  const Tensor& groups = r.trace.at(kCurves[model].by_length);
  const int last = groups.columns() - 1;
  return bold(percent(static_cast<double>(groups.values(ByLength::share, last)))) + " of sources of " +
         groups.column_labels[static_cast<std::size_t>(last)];
}

std::string narrate_without(const Reader& r) {
  const bool with = r.trace.find(kCurves[kWith].by_length) != nullptr,
             without = r.trace.find(kCurves[kWithout].by_length) != nullptr;
  const std::string size = std::to_string(2 * r.state.hidden);
  if (with && without)
    return "Measured here: with attention " + at_longest(r, kWith) + " are all right after " +
           batches(static_cast<int>(r.run(kWith, Column::step))) + ", without it " + at_longest(r, kWithout) +
           " after " + batches(static_cast<int>(r.run(kWithout, Column::step))) + ". Without, " + size +
           " numbers have to hold every letter of the source.";
  if (with || without)
    return "Measured here, " + std::string(with ? "with attention " : "without attention ") +
           at_longest(r, with ? kWith : kWithout) + " are all right. Switch attention " + (with ? "off" : "on") +
           " and train again: both curves stay.";
  return "Without attention " + bold(size + " numbers") +
         ", always the same, have to hold the whole source, however long "
         "it is. Train with and without, and compare.";
}

}  // namespace

std::vector<int> Reader::likeliest(int place, int most) const {
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
  using Tell = std::string (*)(const Reader&);
  static constexpr Tell tell[] = {narrate_task, narrate_train, narrate_inside, narrate_without};
  return tell[view.place.step - 1]({state, trace});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const Reader r{state, trace};
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
  const int at = r.looks_at(0);
  const std::string now = (r.begun() ? "After " + batches(r.count(Column::step)) : std::string("Untrained")) +
                          ", its largest weight is " + percent(r.at("weights", 0, at)) + ", on “" +
                          shown(r.source()[static_cast<std::size_t>(at)]) + "” at place " + std::to_string(at + 1) +
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
