#include "scenes/train/train.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "io/numbers.h"
#include "scenes/train/record.h"

namespace limelight::scenes::train {
namespace {

using Labels = std::vector<std::string>;

Matrix row_of(std::span<const int> tokens) {
  return Eigen::Map<const Eigen::RowVectorXi>(tokens.data(), std::ssize(tokens)).cast<float>();
}

// What is read, with what is to be written where that is known.
learn::Pair pair_of(const State& state, const learn::Task& task) {
  if (!state.input.empty()) {
    std::vector<int> source = *task.read(state.input);  // State::check has read it
    return task.solve ? task.solve(source) : learn::Pair{std::move(source), {}, {}};
  }
  Random random(hash_text("example", static_cast<std::uint64_t>(state.pair)));
  learn::Lengths lengths = task.lengths;
  if (state.task != Subject::dates) {
    lengths.most = std::min(lengths.most, kLongestExample);
    lengths.least = std::max(lengths.least, lengths.most * 7 / 10);
  }
  return *task.draw(random, learn::Part::held_out, lengths);
}

// What a model writes, and which of it is right. Returns how many letters are; −1 where that is not known.
int add_letters(Trace& trace, const learn::Task& task, const learn::Pair& pair, const Written& written,
                const Writing& names) {
  const Labels letters = learn::words_of(task.target, written.words);
  if (!names.written.empty()) trace.add(names.written, row_of(written.words), {"written"}, letters);
  if (pair.target.empty()) return -1;
  int right = 0;
  Matrix marks(1, static_cast<Eigen::Index>(written.words.size()));
  for (std::size_t i = 0; i < written.words.size(); ++i) {
    const int truth = i < pair.target.size() ? pair.target[i] : learn::kStop;
    const bool same = i <= pair.target.size() && written.words[i] == truth;
    marks(0, static_cast<Eigen::Index>(i)) = same ? 1 : 0;
    right += same && i < pair.target.size() ? 1 : 0;
  }
  trace.add(names.right, std::move(marks), {"right"}, letters);
  return right;
}

void add_source(Trace& trace, const learn::Task& task, const learn::Pair& pair) {
  std::vector<int> read = pair.source;
  read.push_back(learn::kStop);
  trace.add("source", row_of(read), {"source"}, learn::words_of(task.source, read));
  if (!pair.target.empty())
    trace.add("target", row_of(pair.target), {"truth"}, learn::words_of(task.target, pair.target));
}

void add_reading(Trace& trace, const State& state, const learn::Task& task, const learn::Pair& pair, Written written) {
  const Labels source = trace.at("source").column_labels;
  const int right = add_letters(trace, task, pair, written, kWritings[0]);
  const Labels target = trace.at(kWritings[0].written).column_labels;
  Eigen::Index numbers = 0;
  learn::Weights::each([&](const std::string&, const Matrix& weight) { numbers += weight.size(); },
                       learn::start_training(settings_of(state))->weights);
  Matrix summary(1, Summary::count);
  summary << static_cast<float>(written.letters()), static_cast<float>(right),
      right < 0 ? -1.F : static_cast<float>(pair.target.size()), static_cast<float>(numbers),
      static_cast<float>(std::log(static_cast<double>(task.target.size())));
  trace.add("summary", std::move(summary), {"now"},
            {"letters written", "right", "letters of the truth", "weights", "loss of guessing"});
  trace.add("probabilities", std::move(written.probabilities), target, task.target.words);
  if (written.weights.size() > 0) {
    trace.add("scores", std::move(written.scores), target, source);
    trace.add("weights", std::move(written.weights), target, source);
    return;
  }
  Labels names;
  for (Eigen::Index i = 0; i < written.context.cols(); ++i) names.push_back("c" + std::to_string(i + 1));
  trace.add("context", std::move(written.context), {"context"}, std::move(names));
}

void add_curve(Trace& trace, std::string_view name, const learn::Progress& curve) {
  if (curve.points.empty()) return;
  Matrix values(2, static_cast<Eigen::Index>(curve.points.size()));
  Labels columns;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    values(0, static_cast<Eigen::Index>(i)) = static_cast<float>(curve.points[i].first);
    values(1, static_cast<Eigen::Index>(i)) = static_cast<float>(curve.points[i].second);
    columns.push_back("batch " + std::to_string(curve.points[i].first));
  }
  trace.add(std::string(name), std::move(values), {"batch", "mean loss"}, std::move(columns));
}

void add_groups(Trace& trace, std::string_view name, const std::vector<learn::LengthGroup>& groups) {
  if (groups.empty()) return;
  Matrix values(ByLength::count, static_cast<Eigen::Index>(groups.size()));
  Labels columns;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const learn::LengthGroup& group = groups[i];
    values.col(static_cast<Eigen::Index>(i)) << static_cast<float>(group.from + group.to) / 2,
        static_cast<float>(group.exact) / static_cast<float>(group.pairs), static_cast<float>(group.pairs);
    columns.push_back(std::to_string(group.from) +
                      (group.to > group.from ? " to " + std::to_string(group.to) : std::string()) + " letters");
  }
  trace.add(std::string(name), std::move(values), {"middle", "share", "pairs"}, std::move(columns));
}

// What is shown of a model: a moment of the record, the training that goes on here, or else the first weights.
struct Shown {
  const Run* run = nullptr;
  const Run* live = nullptr;
  const Written* recorded = nullptr;  // what it wrote then

  static Shown of(const State& state, int model, const Inputs& inputs) {
    const Product* const product = product_of(inputs);
    const Run* const live = product != nullptr ? product->runs[static_cast<std::size_t>(model)].get() : nullptr;
    const int reading = reading_in(state);
    const std::shared_ptr<const Recorded> record = recorded_of(state, model == kWith, inputs);
    if (record == nullptr || reading < 0 || (state.live && live != nullptr)) return {live, live};
    const auto moment = static_cast<std::size_t>(state.moment);
    return {&record->runs[moment], live, &record->written[static_cast<std::size_t>(reading)][moment]};
  }
};

void add_runs(Trace& trace, const State& state, const std::array<Shown, 2>& shown) {
  Matrix rows = Matrix::Zero(2, Column::count);
  rows.col(Column::held_out).setConstant(-1);
  rows.col(Column::look_step).setConstant(-1);
  rows.col(Column::good_step).setConstant(-1);
  rows.col(Column::rate).setConstant(static_cast<float>(state.rate));
  for (std::size_t i = 0; i < 2; ++i) {
    const Run* const run = shown[i].run;
    const float own = shown[i].live == nullptr ? -1.F : static_cast<float>(shown[i].live->record.step);
    rows(static_cast<Eigen::Index>(i), Column::own) = own;
    if (run == nullptr) continue;
    const auto finite = [](double value) { return static_cast<float>(std::isfinite(value) ? value : 0); };
    rows.row(static_cast<Eigen::Index>(i)) << static_cast<float>(run->record.step), static_cast<float>(run->seconds),
        finite(run->record.loss), finite(run->record.first_loss), static_cast<float>(run->record.held_out),
        static_cast<float>(run->look_step), static_cast<float>(run->rate), run->converged ? 1.F : 0.F,
        run->diverged ? 1.F : 0.F, std::isfinite(run->rose_to) ? static_cast<float>(run->rose_to) : -1.F,
        static_cast<float>(run->back_rate), static_cast<float>(run->good_step), static_cast<float>(run->from),
        shown[i].recorded != nullptr ? 1.F : 0.F, own;
    add_curve(trace, kCurves[i].loss, run->loss);
    add_groups(trace, kCurves[i].by_length, run->groups);
  }
  trace.add("run", std::move(rows), {"with attention", "without"},
            {"batches", "seconds", "mean loss", "first loss", "held out, all right", "held out at batch",
             "learning rate", "converged", "diverged", "rose to", "rate of going back", "good at batch",
             "goes on from batch", "recorded", "batch of your own"});
}

// What the record has of this reading at all its moments, to be seen at once; and of the other tasks at this one.
void add_film(Trace& trace, const State& state, const learn::Task& task, const learn::Pair& pair,
              const Recorded& record) {
  const int reading = reading_in(state);
  if (reading < 0) return;
  const std::vector<Written>& all = record.written[static_cast<std::size_t>(reading)];
  Matrix film(static_cast<Eigen::Index>(all.size()), 1);
  Labels words;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Labels letters = learn::words_of(task.target, all[i].words);
    const std::string batch = std::to_string(kMoments[i]), marks = "right_" + batch;
    const int right = add_letters(trace, task, pair, all[i], {.written = {}, .right = marks, .weights = {}});
    film(static_cast<Eigen::Index>(i), 0) = static_cast<float>(right) / static_cast<float>(pair.target.size());
    words.push_back(task.write(std::span(letters).first(static_cast<std::size_t>(all[i].letters()))));
    trace.add("likely_" + batch, all[i].probabilities, letters, task.target.words);
    if (all[i].weights.size() > 0) trace.add("map_" + batch, all[i].weights, letters, trace.at("source").column_labels);
  }
  trace.add("film", std::move(film), std::move(words), {"letters right"});
}

void add_other_tasks(Trace& trace, const State& state, const Inputs& inputs) {
  for (const RecordedRun& run : kRuns) {
    const std::shared_ptr<const Recorded> record = run.attention ? recorded_of(state_of(run), true, inputs) : nullptr;
    if (record == nullptr) continue;
    const learn::Task task = *learn::make_task(settings_of(state_of(run)));
    const learn::Pair pair = pair_of(reading_of(state_of(run), run.shown), task);
    std::vector<int> read = pair.source;
    read.push_back(learn::kStop);
    const Written& written =
        record->written[static_cast<std::size_t>(run.shown)][static_cast<std::size_t>(state.moment)];
    const std::string right = "right_" + std::string(run.name);
    add_letters(trace, task, pair, written, {.written = {}, .right = right, .weights = {}});
    trace.add("task_" + std::string(run.name), written.weights, learn::words_of(task.target, written.words),
              learn::words_of(task.source, read));
  }
}

}  // namespace

State State::example() const {
  using enum Subject;
  static constexpr Subject kTasks[] = {reverse, reverse, dates, sort, copy, copy};  // of the presets
  State state{.preset = preset};
  if (preset != Preset::word) state.input.clear();
  state.task = kTasks[static_cast<int>(preset)], state.attention = preset != Preset::copy_without;
  return state;
}

void State::changed(std::string_view field) {
  if (field == "moment") live = false;
  // A word stays for another task of letters; else it was written for another one.
  if (field == "task" && (task == Subject::dates || !check())) input.clear();
  if (field != "preset") return;
  const State fresh = example();
  task = fresh.task, input = fresh.input, attention = fresh.attention, length = fresh.length, batch = fresh.batch;
}

Result<void> State::check() const {
  if (input.empty()) return {};
  const Result<learn::Task> with = learn::make_task(settings_of(*this));
  if (!with) return std::unexpected(with.error());
  const Result<std::vector<int>> read = with->read(input);
  if (!read) return std::unexpected(read.error());
  if (static_cast<int>(read->size()) > kLongest)
    return fail("The input has " + std::to_string(read->size()) + " characters; at most " + std::to_string(kLongest) +
                " are shown here.");
  return {};
}

std::string_view name_of(Subject subject) { return kSubjects[static_cast<int>(subject)].value; }

learn::Settings settings_of(const State& state) {
  learn::Settings settings;
  settings.task = name_of(state.task), settings.seed = state.seed, settings.steps = kMostSteps;
  settings.batch = state.batch, settings.rate = state.rate, settings.hidden = settings.attention_size = state.hidden;
  settings.attention = state.attention, settings.score = state.score, settings.max_words = state.length;
  if (const auto task = learn::find_task(settings.task); task && state.task == Subject::dates) {
    settings.min_words = (*task)->lengths.least, settings.max_words = (*task)->lengths.most;
  }
  return settings;
}

Written written_by(const learn::Weights& weights, const State& state) {
  const learn::Settings settings = settings_of(state);
  const learn::Task task = *learn::make_task(settings);
  const learn::Pair pair = pair_of(state, task);
  // What it writes beyond is wrong already; a date has ten characters.
  const int most = static_cast<int>(pair.target.empty() ? 10 : pair.target.size()) + 3;
  return write(weights, learn::make_config(settings, task), pair.source, most);
}

Trace compute(const State& state, const Inputs& inputs) {
  const learn::Task task = *learn::make_task(settings_of(state));
  const learn::Pair pair = pair_of(state, task);
  const int own = model_of(state);
  std::array<Shown, 2> shown{};
  for (const int model : {kWith, kWithout}) shown[static_cast<std::size_t>(model)] = Shown::of(state, model, inputs);
  // Nothing where a model is neither recorded nor trained here, but for the one that is looked at.
  const auto reading = [&](int model) -> std::optional<Written> {
    const Shown& one = shown[static_cast<std::size_t>(model)];
    if (one.recorded != nullptr) return *one.recorded;
    if (one.run == nullptr && model != own) return std::nullopt;
    State of = state;
    of.attention = model == kWith;
    return written_by(one.run != nullptr ? one.run->weights : learn::start_training(settings_of(of))->weights, of);
  };
  Trace trace;
  add_source(trace, task, pair);
  add_reading(trace, state, task, pair, *reading(own));
  if (const std::optional<Written> other = reading(1 - own)) {
    add_letters(trace, task, pair, *other, kWritings[1]);
    if (other->weights.size() > 0)
      trace.add(std::string(kWritings[1].weights), other->weights, learn::words_of(task.target, other->words),
                trace.at("source").column_labels);
  }
  add_runs(trace, state, shown);
  if (const std::shared_ptr<const Recorded> record = recorded_of(state, state.attention, inputs)) {
    add_curve(trace, kRecordedLoss, record->runs.back().loss);
    add_film(trace, state, task, pair, *record);
  }
  add_other_tasks(trace, state, inputs);
  return trace;
}

std::span<const Resource* const> needs(const State&, Place) {
  static constexpr const Resource* kNeeded[] = {&kRecord};
  return kNeeded;
}

}  // namespace limelight::scenes::train
