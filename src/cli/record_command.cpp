// limelight record: the trainings that the scene Train shows at once, as a file of what they had come to at its
// moments. It is the scene's own training that is run, so that whoever trains in the page gets the same.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/command.h"
#include "cli/files.h"
#include "io/numbers.h"
#include "io/safetensors.h"
#include "scenes/train/record.h"

namespace limelight::cli {
namespace {

using namespace scenes::train;

constexpr Option kRecordOptions[] = {{"--out", "FILE", "Where the record goes, a .safetensors file."}};

// Points of a curve over a logarithm: each step is this much beyond the one before.
constexpr double kBeyond = 1.06;

using Rows = std::vector<std::vector<float>>;  // one for each moment

// [moments, longest / columns, columns]; shorter rows end with `rest`.
io::Array array_of(Rows rows, Eigen::Index columns, float rest) {
  std::size_t longest = static_cast<std::size_t>(columns);
  for (const std::vector<float>& row : rows) longest = std::max(longest, row.size());
  io::Array made{{std::ssize(rows), static_cast<Eigen::Index>(longest) / columns, columns}, {}};
  for (std::vector<float>& row : rows) {
    row.resize(longest, rest);
    made.data.insert(made.data.end(), row.begin(), row.end());
  }
  return made;
}

io::Array flat(io::Array array) {
  array.shape = {array.shape[0], array.shape[1] * array.shape[2]};
  return array;
}

io::Array array_of(const learn::Progress& curve) {
  io::Array made{{2, 0}, {}};
  std::vector<float> values;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const auto [step, value] = curve.points[i];
    const bool kept = i + 1 == curve.points.size() || made.data.empty() ||
                      std::ranges::find(kMoments, step) != std::end(kMoments) ||
                      static_cast<double>(step) >= kBeyond * static_cast<double>(made.data.back());
    if (!kept) continue;
    made.data.push_back(static_cast<float>(step));
    values.push_back(static_cast<float>(value));
  }
  made.shape[1] = std::ssize(values);
  made.data.insert(made.data.end(), values.begin(), values.end());
  return made;
}

// Rounded, so that the file packs well.
void append(std::vector<float>& row, const Matrix& values, float step) {
  for (const float value : values.reshaped<Eigen::RowMajor>()) row.push_back(std::round(value / step) * step);
}

// What was written of one reading, at each moment.
struct Writings {
  Rows words, seen, probabilities;
  Eigen::Index columns = 1, vocabulary = 1;

  void take(const Written& written, bool attention) {
    words.emplace_back(written.words.begin(), written.words.end());
    const Matrix& look = attention ? written.scores : written.context;
    append(seen.emplace_back(), look, kSeenStep);
    append(probabilities.emplace_back(), written.probabilities, kProbabilityStep);
    columns = look.cols();
    vocabulary = written.probabilities.cols();
  }
};

void record(const RecordedRun& what, io::Safetensors& file) {
  const State state = state_of(what);
  const std::string name(what.name);
  const std::unique_ptr<scenes::Job> work = job(state, {});
  work->refresh(work->snapshot);
  const auto run = [&] {
    return std::any_cast<Product>(work->snapshot.product).runs[what.attention ? kWith : kWithout];
  };
  Rows facts, groups;
  std::vector<Writings> readings(kReadings);
  for (const int moment : kMoments) {
    // The look that belongs to the moment comes after its batch. What converged before goes on all the same.
    while (work->snapshot.done < moment || (moment > 0 && run()->look_step < moment)) work->step(work->snapshot);
    work->refresh(work->snapshot);
    const Run& now = *run();
    facts.push_back({static_cast<float>(now.record.loss), static_cast<float>(now.record.first_loss),
                     static_cast<float>(now.record.held_out), static_cast<float>(now.look_step),
                     static_cast<float>(now.seconds)});
    groups.emplace_back();
    for (const learn::LengthGroup& group : now.groups)
      for (const int number : {group.from, group.to, group.pairs, group.exact})
        groups.back().push_back(static_cast<float>(number));
    for (int i = 0; i < kReadings; ++i)
      readings[static_cast<std::size_t>(i)].take(written_by(now.weights, reading_of(state, i)), what.attention);
    std::fprintf(stderr, "%s: batch %d, loss %s, held out %s right\n", name.c_str(), moment,
                 io::format_short(now.record.loss).c_str(), io::format_short(now.record.held_out).c_str());
  }
  file.tensors[name + ".facts"] = flat(array_of(std::move(facts), RecordedFact::count, 0));
  file.tensors[name + ".groups"] = array_of(std::move(groups), 4, 0);
  file.tensors[name + ".loss"] = array_of(run()->loss);
  file.tensors[name + ".exact"] = array_of(run()->exact);
  for (int i = 0; i < kReadings; ++i) {
    Writings& one = readings[static_cast<std::size_t>(i)];
    const std::string reading = name + "." + std::to_string(i);
    file.tensors[reading + ".words"] = flat(array_of(std::move(one.words), 1, -1));
    file.tensors[reading + (what.attention ? ".scores" : ".context")] = array_of(std::move(one.seen), one.columns, 0);
    file.tensors[reading + ".probabilities"] = array_of(std::move(one.probabilities), one.vocabulary, 0);
  }
}

Outcome run_record(const Arguments& arguments) {
  const std::optional<std::string_view> out = arguments.find("--out");
  if (!out) return bad_usage("--out is missing; it says where the record goes.");
  io::Safetensors file;
  for (const RecordedRun& run : kRuns) record(run, file);
  const Output output{std::string(*out), io::write_safetensors(file, io::Precision::half)};
  if (const Result<void> written = write_files({&output, 1}); !written) return bad_data(written.error());
  return {};
}

}  // namespace

const Command record_command{
    .name = "record",
    .summary = "Records the trainings that the scene Train shows at once.",
    .synopsis = "--out FILE",
    .details = "It takes about two minutes on one core. web/models/train.safetensors was made by it.\n",
    .subject = {},
    .options = kRecordOptions,
    .run = run_record};

}  // namespace limelight::cli
