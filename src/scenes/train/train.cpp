#include "scenes/train/train.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "io/numbers.h"
#include "scenes/train/job.h"
#include "scenes/train/model.h"

namespace limelight::scenes::train {
namespace {

using Labels = std::vector<std::string>;

Labels labels_of(const learn::Vocabulary& vocabulary, std::span<const int> tokens) {
  return learn::words_of(vocabulary, tokens);
}

Matrix row_of(std::span<const int> tokens) {
  Matrix values(1, static_cast<Eigen::Index>(tokens.size()));
  for (std::size_t i = 0; i < tokens.size(); ++i)
    values(0, static_cast<Eigen::Index>(i)) = static_cast<float>(tokens[i]);
  return values;
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

void add_parts(Trace& trace, const learn::Weights& weights) {
  struct Part {
    std::string_view name, prefix;
  };
  static constexpr Part parts[] = {{"embeddings", "source_embedding"},
                                   {"embeddings", "target_embedding"},
                                   {"encoder", "forward."},
                                   {"encoder", "backward."},
                                   {"first state", "first_state."},
                                   {"attention", "additive."},
                                   {"attention", "general."},
                                   {"decoder", "decoder."},
                                   {"output", "output."}};
  static constexpr std::string_view rows[] = {"embeddings", "encoder", "first state", "attention", "decoder", "output"};
  Matrix counts = Matrix::Zero(std::size(rows) + 1, 1);
  learn::Weights::each(
      [&](const std::string& name, const Matrix& weight) {
        const auto* const part = std::ranges::find_if(parts, [&](const Part& p) { return name.starts_with(p.prefix); });
        const auto* const at = std::ranges::find(rows, part->name);
        counts(at - std::begin(rows), 0) += static_cast<float>(weight.size());
      },
      weights);
  counts(std::size(rows), 0) = counts.sum();
  Labels names(std::begin(rows), std::end(rows));
  names.emplace_back("all");
  trace.add("parts", std::move(counts), std::move(names), {"weights"});
}

struct Reading {
  const State& state;
  const learn::Task& task;
  const learn::Pair& pair;
  Written written;
};

// How many letters have their largest weight where the task says; −1 where it does not say.
int aligned(const Reading& r) {
  if (!r.state.attention || r.pair.alignment.empty()) return -1;
  int count = 0;
  for (const auto& [target, source] : r.pair.alignment) {
    if (target >= r.written.letters()) continue;
    Eigen::Index most = 0;
    r.written.weights.row(target).maxCoeff(&most);
    count += most == source ? 1 : 0;
  }
  return count;
}

void add_reading(Trace& trace, Reading r, double weights) {
  const learn::Pair& pair = r.pair;
  Written& written = r.written;
  const Labels target = labels_of(r.task.target, written.words);
  std::vector<int> read = pair.source;
  read.push_back(learn::kStop);
  const Labels source = labels_of(r.task.source, read);
  trace.add("source", row_of(read), {"source"}, source);
  int right = 0;
  const bool known = !pair.target.empty();
  if (known) {
    Matrix marks(1, static_cast<Eigen::Index>(written.words.size()));
    for (std::size_t i = 0; i < written.words.size(); ++i) {
      const int truth = i < pair.target.size() ? pair.target[i] : learn::kStop;
      const bool same = i <= pair.target.size() && written.words[i] == truth;
      marks(0, static_cast<Eigen::Index>(i)) = same ? 1 : 0;
      right += same && i < pair.target.size() ? 1 : 0;
    }
    trace.add("target", row_of(pair.target), {"truth"}, labels_of(r.task.target, pair.target));
    trace.add("right", std::move(marks), {"right"}, target);
  }
  Matrix summary(1, Summary::count);
  summary << static_cast<float>(written.letters()), static_cast<float>(known ? right : -1),
      static_cast<float>(known ? static_cast<int>(pair.target.size()) : -1), static_cast<float>(aligned(r)),
      static_cast<float>(weights), static_cast<float>(std::log(static_cast<double>(r.task.target.size())));
  trace.add("summary", std::move(summary), {"now"},
            {"letters written", "right", "letters of the truth", "aligned", "weights", "loss of guessing"});
  trace.add("probabilities", std::move(written.probabilities), target, r.task.target.words);
  if (r.state.attention) {
    trace.add("scores", std::move(written.scores), target, source);
    trace.add("weights", std::move(written.weights), target, source);
  } else {
    Labels names;
    for (Eigen::Index i = 0; i < written.context.cols(); ++i) names.push_back("c" + std::to_string(i + 1));
    trace.add("context", std::move(written.context), {"context"}, std::move(names));
  }
}

void add_curve(Trace& trace, std::string_view name, const Progress& curve, std::string_view what) {
  if (curve.points.empty()) return;
  Matrix values(2, static_cast<Eigen::Index>(curve.points.size()));
  Labels columns;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    values(0, static_cast<Eigen::Index>(i)) = static_cast<float>(curve.points[i].first);
    values(1, static_cast<Eigen::Index>(i)) = static_cast<float>(curve.points[i].second);
    columns.push_back("batch " + std::to_string(curve.points[i].first));
  }
  trace.add(std::string(name), std::move(values), {"batch", std::string(what)}, std::move(columns));
}

void add_groups(Trace& trace, std::string_view name, const std::vector<Group>& groups) {
  if (groups.empty()) return;
  Matrix values(ByLength::count, static_cast<Eigen::Index>(groups.size()));
  Labels columns;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    values.col(static_cast<Eigen::Index>(i)) << static_cast<float>(group.from), static_cast<float>(group.to),
        static_cast<float>(group.pairs), static_cast<float>(group.exact),
        static_cast<float>(static_cast<double>(group.exact) / group.pairs);
    columns.push_back(std::to_string(group.from) +
                      (group.to > group.from ? " to " + std::to_string(group.to) : std::string()) + " letters");
  }
  trace.add(std::string(name), std::move(values), {"shortest", "longest", "pairs", "all right", "share"},
            std::move(columns));
}

void add_runs(Trace& trace, const State& state, const Product* product) {
  Matrix rows = Matrix::Zero(2, Column::count);
  rows.col(Column::held_out).setConstant(-1);
  rows.col(Column::look_step).setConstant(-1);
  rows.col(Column::good_step).setConstant(-1);
  rows.col(Column::rate).setConstant(static_cast<float>(state.rate));
  for (std::size_t i = 0; i < 2 && product != nullptr; ++i) {
    const std::shared_ptr<const Run>& run = product->runs[i];
    if (!run) continue;
    const auto finite = [](double value) { return static_cast<float>(std::isfinite(value) ? value : 0); };
    rows.row(static_cast<Eigen::Index>(i)) << static_cast<float>(run->record.step), static_cast<float>(run->seconds),
        finite(run->record.loss), finite(run->record.first_loss), static_cast<float>(run->record.held_out),
        static_cast<float>(run->look_step), static_cast<float>(run->rate), run->converged ? 1.F : 0.F,
        run->diverged ? 1.F : 0.F, std::isfinite(run->rose_to) ? static_cast<float>(run->rose_to) : -1.F,
        static_cast<float>(run->back_rate), static_cast<float>(run->good_step);
    add_curve(trace, kCurves[i].loss, run->loss, "mean loss");
    add_curve(trace, kCurves[i].exact, run->exact, "held out, all right");
    add_groups(trace, kCurves[i].by_length, run->groups);
  }
  trace.add("run", std::move(rows), {"with attention", "without"},
            {"batches", "seconds", "mean loss", "first loss", "held out, all right", "held out at batch",
             "learning rate", "converged", "diverged", "rose to", "rate of going back", "good at batch"});
}

}  // namespace

State State::example() const {
  State state;
  state.preset = preset;
  switch (preset) {
    case Preset::reverse:
      break;
    case Preset::dates:
      state.task = Subject::dates;
      break;
    case Preset::sort:
      state.task = Subject::sort;
      break;
    case Preset::copy_without:
      state.attention = false;
      [[fallthrough]];
    case Preset::copy_with:
      state.task = Subject::copy;
      state.length = 30;
      state.batch = 16;
  }
  return state;
}

void State::changed(std::string_view field) {
  if (field == "task") input.clear();  // it was written for another one
  if (field != "preset") return;
  const State fresh = example();
  task = fresh.task;
  input.clear();
  attention = fresh.attention;
  length = fresh.length;
  batch = fresh.batch;
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
  settings.task = name_of(state.task);
  settings.seed = state.seed;
  settings.steps = kMostSteps;
  settings.batch = state.batch;
  settings.rate = state.rate;
  settings.hidden = settings.attention_size = state.hidden;
  settings.attention = state.attention;
  settings.score = state.score;
  settings.max_words = state.length;
  if (const Result<const learn::TaskDef*> task = learn::find_task(settings.task);
      task && state.task == Subject::dates) {
    settings.min_words = (*task)->lengths.least;
    settings.max_words = (*task)->lengths.most;
  }
  return settings;
}

Trace compute(const State& state, const Inputs& inputs) {
  const learn::Settings settings = settings_of(state);
  const Product* const product = product_of(inputs);
  const Run* const run = product != nullptr ? product->runs[static_cast<std::size_t>(model_of(state))].get() : nullptr;
  const learn::Task task = *learn::make_task(settings);
  const learn::Config config = learn::make_config(settings, task);
  const learn::Weights fresh = run != nullptr ? learn::Weights{} : learn::start_training(settings)->weights;
  const learn::Weights& weights = run != nullptr ? run->weights : fresh;
  const learn::Pair pair = pair_of(state, task);
  // What it writes beyond is wrong already; a date has ten characters.
  const int most = static_cast<int>(pair.target.empty() ? 10 : pair.target.size()) + 3;
  Trace trace;
  add_parts(trace, weights);
  add_reading(trace, {state, task, pair, write(weights, config, pair.source, most)},
              static_cast<double>(learn::count_weights(weights)));
  add_runs(trace, state, product);
  return trace;
}

std::string provenance(const State& state) {
  return "Trained in this browser, now, from seed " + std::to_string(state.seed) +
         "; before that, drawn at random. Encoder, decoder and additive score: Bahdanau et al. 2015; general and dot: "
         "Luong et al. 2015; one fixed vector: Sutskever et al. 2014, who reversed the source to help it.";
}

}  // namespace limelight::scenes::train
