// The parts of "limelight attend", in the order in which they run: the command line is read into a request, the files
// that it names into a problem, the problem is computed into results, and those are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "core/layer.h"
#include "io/error.h"
#include "io/json.h"
#include "io/npy.h"

namespace limelight::cli {

// --- attend_request.cpp: the command line ---

inline constexpr int kMostHeads = 65536;

// Paths that were not given are empty.
struct AttendRequest {
  std::string_view query, key, value;
  std::string_view score;  // as it was given: "scaled-dot" is Score::dot with a scale of its own
  std::optional<double> scale;
  AttentionOptions options;               // without the scale, and without the parts of the mask that need the inputs
  std::vector<std::vector<int>> lengths;  // each with a count for every batch entry
  std::vector<std::string_view> mask_files;
  std::string_view w_query, w_key, w_general, v, bias;
  std::optional<int> heads;
  bool batch = false;
  bool fused = false;
  std::string_view gradient_output;
  std::string_view weights, output, summary, grad_query, grad_key, grad_value;  // where results go

  [[nodiscard]] bool asks_for_gradients() const { return !gradient_output.empty(); }
};

Result<AttendRequest> read_attend_request(const Arguments& arguments);

// --- attend_problem.cpp: the files ---

// The heads of one batch entry lie side by side in the columns, however the arrays had them.
struct AttendEntry {
  LayerInputs<float> inputs;
  Mask mask;
  Matrix gradient_output;  // empty when no gradient is asked for
};

struct AttendProblem {
  std::vector<AttendEntry> entries;
  LayerWeights<float> layer;  // no projections
  AttentionOptions options;   // without the masks
  int dimensions = 2;         // of the inputs, and so of the output
  bool weights_by_head = false;

  [[nodiscard]] int queries() const { return static_cast<int>(entries.front().inputs.query.rows()); }
  [[nodiscard]] int keys() const { return static_cast<int>(entries.front().inputs.key.rows()); }
};

Result<AttendProblem> load_attend_problem(const AttendRequest& request);

// --- attend_arrays.cpp: between what NumPy has and what the core takes ---

// Of an array of two to four dimensions, one matrix for each batch entry, its heads side by side: [tokens, heads ·
// size].
std::vector<Matrix> split_array(const io::Array& array);
// The inverse, for an array of so many dimensions.
io::Array join_array(const std::vector<Matrix>& entries, int dimensions, int heads);

// --- attend_results.cpp: the mathematics ---

struct AttendResults {
  std::vector<Matrix> weights;  // of each entry, its heads one below the other: [H · T, S]
  std::vector<Matrix> outputs;  // of each entry
  std::vector<Matrix> grad_query, grad_key, grad_value;
  std::string summary;                  // JSON
  std::vector<std::vector<int>> blind;  // of each entry, the queries that see no key
};  // what is not asked for is empty

Result<AttendResults> compute_attend(const AttendRequest& request, const AttendProblem& problem);

// --- attend_summary.cpp: what can be read off the weights ---

// Writes JSON, entry by entry.
class AttendSummary {
 public:
  AttendSummary(const AttendRequest& request, const AttendProblem& problem);
  // steps: of the entry that comes next. blind: the queries that see no key.
  void add(const LayerSteps<float>& steps, const std::vector<int>& blind);
  [[nodiscard]] std::string take();

 private:
  const AttendProblem& problem_;
  int entries_ = 0;
  io::JsonWriter json_;
};

}  // namespace limelight::cli
