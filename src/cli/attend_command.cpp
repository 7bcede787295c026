// limelight attend: attention on matrices from files.
#include <cstdio>

#include "cli/attend.h"
#include "cli/command.h"
#include "cli/files.h"

namespace limelight::cli {
namespace {

constexpr Option kOptions[] = {
    {"--query", "FILE.npy", "Queries, [T, D]: T of them, D numbers each."},
    {"--key", "FILE.npy", "Keys, [S, D]."},
    {"--value", "FILE.npy", "Values, [S, V]."},
    {"--batch", "", "The three are [batch, tokens, size] or [batch, heads, tokens, size]."},
    {"--heads", "H", "Splits the columns into H heads, each scaled by its own size."},
    {"--score", "NAME", "dot, scaled-dot (times 1/√D), cosine, general or additive. Default: scaled-dot."},
    {"--w-general", "FILE.npy", "W of general scores, query W keyᵀ: [query size, key size]."},
    {"--w-query", "FILE.npy", "W_q of additive scores, v · tanh(query W_q + key W_k + b): [query size, hidden]."},
    {"--w-key", "FILE.npy", "W_k of additive scores, [key size, hidden]."},
    {"--v", "FILE.npy", "v of additive scores, [hidden]."},
    {"--bias", "FILE.npy", "b of additive scores, [hidden]. Default: 0."},
    {"--scale", "X", "The number that the scores are multiplied by, instead of 1/√D or 1."},
    {"--temperature", "T", "What the scaled scores are divided by, above 0. Default: 1."},
    {"--positions", "NAME", "none, sinusoidal (added to query and key), rope or alibi. Default: none."},
    {"--mask", "MASK",
     "none, causal (j ≤ i), window:W (|i − j| ≤ W), block:B, lengths:a,b or FILE.npy. Repeatable: all must allow.",
     true},
    {"--normalizer", "NAME", "softmax, hard, gumbel, sparsemax or entmax15. Default: softmax."},
    {"--seed", "N", "Of gumbel; head h of batch entry b has N + b · H + h. Default: 0."},
    {"--fused", "", "Never holds the weights: for long inputs; dot and scaled-dot with softmax."},
    {"--weights", "FILE.npy", "Where the weights go, [T, S]; [H, T, S] with --heads."},
    {"--output", "FILE.npy", "Where the output goes, [T, V]."},
    {"--summary", "FILE.json", "Where entropy and friends of the weights go; - prints them."},
    {"--gradient-output", "FILE.npy", "A loss's gradient with respect to the output, as large as that."},
    {"--grad-query", "FILE.npy", "Where its gradient with respect to the queries goes."},
    {"--grad-key", "FILE.npy", "Where its gradient with respect to the keys goes."},
    {"--grad-value", "FILE.npy", "Where its gradient with respect to the values goes."},
};

// "3", "3 and 5", "0, 1, 2 and 7 more"
std::string list(const std::vector<int>& numbers) {
  constexpr std::size_t kMost = 8;
  const std::size_t shown = numbers.size() > kMost + 1 ? kMost : numbers.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  return shown == numbers.size() ? text : text + " and " + std::to_string(numbers.size() - shown) + " more";
}

// What is as it should be, but may not be what was meant.
std::string notes(const AttendRequest& request, const AttendResults& results) {
  std::string text;
  for (std::size_t b = 0; b < results.blind.size(); ++b) {
    const std::vector<int>& blind = results.blind[b];
    if (blind.empty()) continue;
    text += "note: " + (request.batch ? "in batch entry " + std::to_string(b) + " " : std::string()) +
            (blind.size() == 1 ? "query " + list(blind) + " sees" : "queries " + list(blind) + " see") + " no key; " +
            (blind.size() == 1 ? "its" : "their") + " weights and output are 0. Queries count from 0.\n";
  }
  if (!is_soft(request.options.normalizer) && !(request.grad_query.empty() && request.grad_key.empty()))
    text +=
        "note: hard weights do not change with the scores almost everywhere; the gradients with respect to query and "
        "key are 0.\n";
  return text;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

std::vector<Output> collect_outputs(const AttendRequest& request, const AttendProblem& problem,
                                    const AttendResults& results) {
  std::vector<Output> outputs;
  const int heads = problem.layer.heads;
  const auto add = [&](std::string_view path, const std::vector<Matrix>& entries) {
    if (!path.empty())
      outputs.push_back({std::string(path), io::write_npy(join_array(entries, problem.dimensions, heads))});
  };
  if (!request.weights.empty()) {
    io::Array weights{{}, {}};
    if (request.batch) weights.shape.push_back(static_cast<Eigen::Index>(problem.entries.size()));
    if (problem.weights_by_head) weights.shape.push_back(heads);
    weights.shape.push_back(problem.queries());
    weights.shape.push_back(problem.keys());
    for (const Matrix& entry : results.weights)
      weights.data.insert(weights.data.end(), entry.data(), entry.data() + entry.size());
    outputs.push_back({std::string(request.weights), io::write_npy(weights)});
  }
  add(request.output, results.outputs);
  add(request.grad_query, results.grad_query);
  add(request.grad_key, results.grad_key);
  add(request.grad_value, results.grad_value);
  if (!request.summary.empty() && request.summary != "-")
    outputs.push_back({std::string(request.summary), bytes_of(results.summary)});
  return outputs;
}

Outcome run_attend(const Arguments& arguments) {
  const Result<AttendRequest> request = read_attend_request(arguments);
  if (!request) return bad_usage(request.error());
  const Result<AttendProblem> problem = load_attend_problem(*request);
  if (!problem) return bad_data(problem.error());
  const Result<AttendResults> results = compute_attend(*request, *problem);
  if (!results) return bad_data(results.error());
  const std::string_view printed = request->summary == "-" ? std::string_view(results->summary) : std::string_view();
  if (const Result<void> written = write_files(collect_outputs(*request, *problem, *results), printed); !written)
    return bad_data(written.error());
  std::fputs(notes(*request, *results).c_str(), stderr);
  return {};
}

}  // namespace

const Command attend_command{
    .name = "attend",
    .summary = "Computes attention on matrices from NumPy files.",
    .synopsis = "--query FILE.npy --key FILE.npy --value FILE.npy [--weights FILE.npy] [--output FILE.npy] [OPTION …]",
    .details =
        "weights = normalizer((scale · score(query, key) + alibi) / temperature, masked), output = weights value.\n"
        "Positions and keys count from 0. alibi is −2^(−8h/H) · |i − j| for head h of 1 … H; sinusoidal and rope have\n"
        "base 10000 and interleaved pairs, and count in each head by themselves, at the size of a head. lengths has "
        "the number of keys of each batch entry. A query that sees no "
        "key\n"
        "has weights and output 0, and a note on stderr says so.\n"
        "With --heads or four dimensions the weights are [H, T, S]; with --batch all results begin with the batch.\n"
        "--summary: {\"entries\": [{\"batch\", \"head\", \"entropy\", \"effective_keys\", \"largest_weight\",\n"
        "\"softmax_jacobian_norm\", \"query_jacobian_norm\", \"fully_masked\"}]} with a number for each query; "
        "entropy in nats;\nnull where a norm is not defined (other normalizers than softmax, other scores than dot); "
        "fully_masked lists queries.\n"
        "Reads float32 or float64 .npy in C or Fortran order, masks as bool [T, S], true where attending is allowed;\n"
        "computes and writes float32 in C order.\n",
    .subject = {},
    .options = kOptions,
    .run = run_attend,
};

}  // namespace limelight::cli
