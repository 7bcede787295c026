// Train in words: what its steps' narrations share, the question, where it comes from. Every number is the trace's.
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

std::string batches(int count) { return std::to_string(count) + (count == 1 ? " batch" : " batches"); }

std::string of_a_batch(const Told& t) {
  return " With each **batch** of " + io::count_of(t.state.batch, unit_of(t.state.task)) + " its " +
         bold(brief(t.summary(Summary::weights), 6)) + " numbers" + (t.begun() ? "" : ", random at first,") +
         " move a little to make right letters likelier" + (t.state.attention ? ": looking at them helps." : ".");
}

std::string written_now(const Told& t) {
  const std::string text = t.summary(Summary::letters) > 0 ? bold(quoted(joined(t.written()))) : bold("nothing");
  if (!t.known()) return text;
  const int right = static_cast<int>(t.summary(Summary::right)), of = static_cast<int>(t.summary(Summary::of));
  if (right == of && static_cast<int>(t.summary(Summary::letters)) == of) return text + ", every letter right";
  return text + ", " + std::to_string(right) + " of " + std::to_string(of) + " letters right";
}

std::string told_light(const Tensor* weights) {
  if (weights == nullptr) return "";
  const float most = weights->values.rowwise().maxCoeff().mean(), times = most * static_cast<float>(weights->columns());
  return std::string(times < 2.5F ? " Its light is everywhere"
                     : times < 4  ? " Its light gathers"
                                  : " Its light finds letters") +
         ": on average the brightest beam has " + bold(percent(static_cast<double>(most))) + ".";
}

std::vector<int> Told::wrong(int model) const {
  std::vector<int> places;
  const Tensor* right = trace.find(writing(model).right);
  for (int i = 0; right != nullptr && i < right->columns(); ++i)
    if (right->values(0, i) == 0) places.push_back(i);
  return places;
}

// In the record it is the mistake of which the next moment has made most good.
Watched Told::watched() const {
  Watched one;
  const Tensor *target = trace.find("target"), *before = trace.find(likely_at(kLingers));
  if (target == nullptr) return one;
  float most = 0;
  for (int i = 0; before != nullptr && i < std::min(target->columns(), before->rows()); ++i) {
    const int letter = static_cast<int>(target->values(0, i));
    const auto gained =
        static_cast<float>(likely(likely_at(kLingers + 1), i, letter) - at(likely_at(kLingers), i, letter));
    if (!is_mistake(i) || gained <= most) continue;
    most = gained, one.place = i;
  }
  const Tensor& chances = one.place < 0 ? trace.at("probabilities") : *before;
  if (one.place < 0) one.place = std::min(target->columns(), chances.rows()) / 2;
  one.wanted = static_cast<int>(target->values(0, one.place));
  Matrix others = chances.values.row(one.place);
  others(0, one.wanted) = -1;
  one.rival = largest_in(others, 0);
  return one;
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

namespace {

// Of the light of a letter that was wrong where it looks now: what it was.
std::string told_gain(const Told& t, int moment, int place) {
  const Tensor* map = t.trace.find(map_at(moment));
  if (map == nullptr) return "";
  const int at = largest_in(map->values, place);
  const float now = map->values(place, at), before = t.trace.at(map_at(kLingers)).values(place, at);
  if (now <= before) return "";
  return "; its light on the " + quoted(told_letter(label_of(map->column_labels, at))) + " that is read grew from " +
         percent(static_cast<double>(before)) + " to " + bold(percent(static_cast<double>(now)));
}

// Of one mistake: what is wanted, what is written, how it is corrected, and what came of it.
std::string told_mistake(const Told& t, int moment, float corrects) {
  const Watched one = t.watched();
  if (!t.is_mistake(one.place)) return "";
  const std::vector<std::string>& letters = t.trace.at("probabilities").column_labels;
  const auto letter = [&](int token) { return bold(quoted(told_letter(label_of(letters, token)))); };
  const auto likely = [&](int at, int token) { return percent(t.likely(likely_at(at), one.place, token)); };
  const std::string after = "After " + bold(batches(kMoments[moment])), right = letter(one.wanted);
  if (moment > kLingers)
    return after + ", " + std::to_string(kMoments[moment] - kMoments[kLingers]) + " such nudges later: " + right +
           " is " + bold(likely(moment, one.wanted)) + " likely instead of " + likely(kLingers, one.wanted) +
           told_gain(t, moment, one.place) + ". So with every mistake, again and again.";
  if (corrects < kCompared)
    return after + ": the right word is known. Its letter " + std::to_string(one.place + 1) + " is " + right + ": " +
           bold(likely(kLingers, one.wanted)) + " likely for the model, which writes " + letter(one.rival) + " (" +
           likely(kLingers, one.rival) + "). A mistake.";
  return after + ": the mistake goes back through the model, and **every number** in it is nudged a little, so that " +
         right + " becomes likelier. So for all words of a **batch** at once; then again.";
}

}  // namespace

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (plays_film(state, trace, view)) {
    const int moment = static_cast<int>(film_at(state, view.t) + kTurns);
    const std::string& wrote = trace.at("film").row_labels[static_cast<std::size_t>(moment)];
    const std::string task = "The task: " + std::string(rule_of(state.task)) + ". " +
                             (moment == 0 ? "Untrained" : "After " + bold(batches(kMoments[moment]))) + " it writes " +
                             bold(wrote.empty() ? "nothing" : quoted(wrote)) + ".";
    if (state.moment > kLingers && (moment == kLingers || moment == kLingers + 1)) {
      const std::string told = told_mistake({state, trace}, moment, corrects_at(state, view.t));
      if (!told.empty()) return told;
    }
    const Tensor* map = trace.find(map_at(moment));
    if (map != nullptr) return task + told_light(map);
    return task + " " + bold(percent(static_cast<double>(trace.at("film").values(moment, 0)))) +
           " of its letters are right.";
  }
  const std::string told = row_at(view.place).shows.tell({state, trace});
  if (!view.missing || view.missing->refused.empty()) return told;
  return "The record of a training could not be loaded; it can be trained here all the same. " + told;
}

// Of another task than the one that was seen: what it will look at there.
std::optional<Question> ask(const State& state, const Trace&) {
  if (!state.attention) return std::nullopt;
  const bool sorts = state.task == Subject::sort;
  Question question{
      "The task was to write " + std::string(rule_of(state.task)) + ". Let it learn to write " +
          std::string(rule_of(sorts ? Subject::reverse : Subject::sort)) +
          " instead, and nobody tells it where to look. Where will it look while it writes its first letter?",
      {"at the first letter", "at the last letter", "at the smallest letter"},
      sorts ? 1 : 2,
      std::string("At the **") + (sorts ? "last" : "smallest") +
          "** one: that is the letter to be written, and looking there makes the loss fall soonest. Choose the other "
          "task above, and see."};
  question.reveal = {{"letter", "1"}};
  return question;
}

std::string provenance(const State& state) {
  return "Measured in a training that was recorded by the trainer of this page, from seed " +
         std::to_string(State{}.seed) + "; what goes on here is trained in this browser, now, from seed " +
         std::to_string(state.seed) +
         ". Encoder, decoder and additive score: Bahdanau et al. 2015; general and dot: Luong et al. 2015; one fixed "
         "vector: Sutskever et al. 2014, who reversed the source to help it.";
}

}  // namespace limelight::scenes::train
