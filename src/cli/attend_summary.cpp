#include "cli/attend.h"
#include "core/analysis.h"

namespace limelight::cli {
namespace {

void write_list(io::JsonWriter& json, std::string_view name, const Matrix& column) {
  json.key(name).begin_array();
  for (Eigen::Index i = 0; i < column.rows(); ++i) json.value(column(i, 0));
  json.end_array();
}

}  // namespace

AttendSummary::AttendSummary(const AttendRequest& request, const AttendProblem& problem) : problem_(problem) {
  json_.begin_object().member("score", request.score).member("scale", problem.options.scale);
  json_.member("temperature", problem.options.temperature);
  json_.member("queries", problem.queries()).member("keys", problem.keys());
  json_.key("entries").begin_array();
}

void AttendSummary::add(const LayerSteps<float>& steps, const std::vector<int>& blind) {
  const AttentionOptions& options = problem_.options;
  const bool softmax = options.normalizer == Normalizer::softmax;
  const Eigen::Index key_size = steps.K.cols() / problem_.layer.heads;
  for (int h = 0; h < problem_.layer.heads; ++h) {
    const AttentionSteps<float>& head = steps.heads[static_cast<std::size_t>(h)];
    json_.begin_object().member("batch", entries_).member("head", h);
    write_list(json_, "entropy", entropy(head.weights));
    write_list(json_, "effective_keys", effective_keys(head.weights));
    write_list(json_, "largest_weight", largest_weight(head.weights));
    if (softmax)
      write_list(json_, "softmax_jacobian_norm", softmax_jacobian_norm(head.weights, options.temperature));
    else
      json_.key("softmax_jacobian_norm").null();
    if (softmax && options.score == Score::dot) {
      // The keys with their positions; rotating the query as well turns the Jacobian and keeps its norm.
      const Matrix key = head.key.size() > 0 ? head.key : Matrix(steps.K.middleCols(h * key_size, key_size));
      write_list(json_, "query_jacobian_norm",
                 query_jacobian_norm(head.weights, key, options.scale, options.temperature));
    } else {
      json_.key("query_jacobian_norm").null();
    }
    json_.key("fully_masked").begin_array();
    for (const int query : blind) json_.value(query);
    json_.end_array().end_object();
  }
  ++entries_;
}

std::string AttendSummary::take() {
  json_.end_array().end_object();
  return json_.take() + "\n";
}

}  // namespace limelight::cli
