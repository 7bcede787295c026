#include "scenes/train/record.h"

#include <algorithm>

#include "core/normalize.h"
#include "io/safetensors.h"

namespace limelight::scenes::train {
namespace {

constexpr Eigen::Index kCount = std::size(kMoments);

// One tensor of the file after the other, each [moments, …]; what does not fit is kept as the error.
struct Reader {
  io::Safetensors file;
  std::string_view name;
  Result<void> fine{};

  const io::Array* take(const std::string& tensor, Eigen::Index first, std::size_t dimensions) {
    const auto found = file.tensors.find(tensor);
    if (fine && (found == file.tensors.end() || found->second.shape.size() != dimensions ||
                 found->second.shape[0] != first || found->second.data.empty()))
      fine = fail(std::string(name) + " has no tensor " + tensor + " as a record of trainings has it.");
    return fine ? &found->second : nullptr;
  }
};

// Row `row` of the first dimension as a matrix.
Matrix slice(const io::Array& array, Eigen::Index row) {
  const Eigen::Index columns = array.shape.back(), size = std::ssize(array.data) / array.shape[0];
  return Eigen::Map<const Matrix>(array.data.data() + row * size, size / columns, columns);
}

learn::Progress curve_up_to(const io::Array& array, int step) {
  const Matrix values = Eigen::Map<const Matrix>(array.data.data(), 2, array.shape[1]);
  learn::Progress curve;
  for (Eigen::Index i = 0; i < values.cols() && values(0, i) <= static_cast<float>(step); ++i)
    curve.points.emplace_back(static_cast<int>(values(0, i)), static_cast<double>(values(1, i)));
  return curve;
}

void read_runs(Reader& from, const std::string& name, Recorded& made) {
  const io::Array* const facts = from.take(name + ".facts", kCount, 2);
  const io::Array* const groups = from.take(name + ".groups", kCount, 3);
  const io::Array* const loss = from.take(name + ".loss", 2, 2);
  const io::Array* const exact = from.take(name + ".exact", 2, 2);
  if (from.fine && (facts->shape[1] != RecordedFact::count || groups->shape[2] != 4))
    from.fine = fail(std::string(from.name) + " has other numbers in " + name + ".facts or " + name + ".groups.");
  if (!from.fine) return;
  for (Eigen::Index i = 0; i < kCount; ++i) {
    const Matrix fact = slice(*facts, i), group = slice(*groups, i);
    const auto at = [&](int column) { return static_cast<double>(fact(0, column)); };
    Run run;
    run.loss = curve_up_to(*loss, kMoments[i]), run.exact = curve_up_to(*exact, kMoments[i]);
    run.record.step = kMoments[i], run.record.loss = at(RecordedFact::loss);
    run.record.first_loss = at(RecordedFact::first_loss), run.record.held_out = at(RecordedFact::held_out);
    run.look_step = static_cast<int>(at(RecordedFact::look_step)), run.seconds = at(RecordedFact::seconds);
    run.rate = State{}.rate;
    if (!run.loss.points.empty() && run.loss.points.back().first < kMoments[i])
      run.loss.points.emplace_back(kMoments[i], run.record.loss);
    for (Eigen::Index row = 0; row < group.rows(); ++row)
      if (group(row, 2) > 0)
        run.groups.push_back({static_cast<int>(group(row, 0)), static_cast<int>(group(row, 1)),
                              static_cast<int>(group(row, 2)), static_cast<int>(group(row, 3))});
    made.runs.push_back(std::move(run));
  }
}

void read_written(Reader& from, const std::string& name, bool attention, std::vector<Written>& made) {
  const io::Array* const words = from.take(name + ".words", kCount, 2);
  const io::Array* const probabilities = from.take(name + ".probabilities", kCount, 3);
  const io::Array* const seen = from.take(name + (attention ? ".scores" : ".context"), kCount, 3);
  if (!from.fine) return;
  for (Eigen::Index i = 0; i < kCount; ++i) {
    Written written;
    const Matrix all = slice(*words, i);
    const Matrix chances = slice(*probabilities, i), look = slice(*seen, i);
    for (Eigen::Index t = 0; t < all.cols() && all(0, t) >= 0; ++t)
      written.words.push_back(static_cast<int>(all(0, t)));
    const auto rows = static_cast<Eigen::Index>(written.words.size());
    if (rows == 0 || all.maxCoeff() >= static_cast<float>(chances.cols()) || chances.rows() < rows ||
        (attention && look.rows() < rows)) {
      from.fine = fail(std::string(from.name) + " has too few rows, or foreign words, in " + name + ".");
      return;
    }
    written.probabilities = chances.topRows(rows);
    if (attention) {
      written.scores = look.topRows(rows);
      written.weights = normalize<float>(Normalizer::softmax, written.scores);  // they are not in the file
    } else {
      written.context = look;
    }
    made.push_back(std::move(written));
  }
}

Result<std::any> read_record(std::span<const std::byte> bytes, std::string_view name) {
  Result<io::Safetensors> file = io::read_safetensors(bytes, name);
  if (!file) return std::unexpected(file.error());
  Reader from{std::move(*file), name};
  auto made = std::make_shared<std::vector<Recorded>>();
  for (const RecordedRun& run : kRuns) {
    Recorded& one = made->emplace_back();
    read_runs(from, std::string(run.name), one);
    one.written.resize(kReadings);
    for (int i = 0; i < kReadings; ++i)
      read_written(from, std::string(run.name) + "." + std::to_string(i), run.attention,
                   one.written[static_cast<std::size_t>(i)]);
  }
  if (!from.fine) return std::unexpected(from.fine.error());
  return std::any(Record(std::move(made)));
}

}  // namespace

const Resource kRecord{.name = "train.safetensors", .label = "The record of a training", .read = read_record};

State state_of(const RecordedRun& run) {
  State state;
  state.task = run.task, state.attention = run.attention;
  return state;
}

State reading_of(State state, int reading) {
  if (state.task == Subject::dates) {
    state.input.clear();
    state.pair = reading + 1;
  } else {
    state.input = reading == 0 ? State{}.input : "";
    state.pair = std::max(reading, 1);
  }
  return state;
}

int reading_in(const State& state) {
  for (int i = 0; i < kReadings; ++i)
    if (const State one = reading_of(state, i);
        one.input == state.input && (one.pair == state.pair || !state.input.empty()))
      return i;
  return -1;
}

std::shared_ptr<const Recorded> recorded_of(const State& state, bool attention, const Inputs& inputs) {
  const Record* const record = inputs.resource<Record>(kRecord.name);
  if (record == nullptr) return nullptr;
  for (std::size_t i = 0; i < std::size(kRuns); ++i) {
    State one = state_of(kRuns[i]);
    if (one.task != state.task || one.attention != attention) continue;
    one.rate = state.rate;
    State asked = state;
    asked.attention = attention;
    if (settings_of(one) == settings_of(asked)) return {*record, &(**record)[i]};
  }
  return nullptr;
}

}  // namespace limelight::scenes::train
