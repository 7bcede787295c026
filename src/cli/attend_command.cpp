// limelight attend: attention on matrices from files.
#include <cmath>
#include <limits>

#include "cli/command.h"
#include "cli/files.h"
#include "core/attention.h"
#include "io/npy.h"
#include "io/numbers.h"

namespace limelight::cli {
namespace {

constexpr Option kOptions[] = {
    {"--query", "FILE.npy", "Queries, [T, D]: T of them, D numbers each."},
    {"--key", "FILE.npy", "Keys, [S, D]."},
    {"--value", "FILE.npy", "Values, [S, V]."},
    {"--score", "dot|scaled-dot", "Dot products, or dot products times 1/√D. Default: scaled-dot."},
    {"--scale", "X", "The number that the dot products are multiplied by instead."},
    {"--mask", "none|causal", "causal: query i sees key j when j ≤ i. Default: none."},
    {"--weights", "FILE.npy", "Where the weights go, [T, S]."},
    {"--output", "FILE.npy", "Where the output goes, [T, V]."},
};
constexpr std::string_view kScores[] = {"dot", "scaled-dot"};
constexpr std::string_view kMasks[] = {"none", "causal"};

constexpr std::uint64_t kMostRead = std::uint64_t{1} << 30U;   // bytes of one file
constexpr std::uint64_t kMostTrace = std::uint64_t{1} << 30U;  // bytes of what is computed

Result<std::string_view> read_word(std::string_view option, std::string_view given,
                                   std::span<const std::string_view> words) {
  for (const std::string_view word : words)
    if (word == given) return word;
  return fail(std::string(option) + " is " + io::quote(given) + "; it can be " + io::one_of(words) + "." +
              did_you_mean(given, words));
}

std::string shape(const Matrix& matrix) { return std::to_string(matrix.rows()) + "×" + std::to_string(matrix.cols()); }

struct Input {
  std::string path;
  Matrix values;
};

Result<Input> read_input(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kMostRead);
  if (!bytes) return std::unexpected(bytes.error());
  Result<Matrix> values = io::read_npy(*bytes, path);
  if (!values) return std::unexpected(values.error());
  return Input{std::string(path), std::move(*values)};
}

Result<void> check_shapes(const Input& query, const Input& key, const Input& value) {
  const auto both = [](const Input& a, const Input& b) {
    return a.path + " is " + shape(a.values) + " and " + b.path + " is " + shape(b.values);
  };
  if (query.values.cols() != key.values.cols())
    return fail(both(query, key) + ": queries and keys must have the same number of columns.");
  if (key.values.rows() != value.values.rows())
    return fail(both(key, value) + ": keys and values must have the same number of rows.");
  // Scores, scaled, shifted, exponentials and weights, [T, S] each, and the output, [T, V].
  const double per_query = 5 * static_cast<double>(key.values.rows()) + static_cast<double>(value.values.cols());
  const double bytes = static_cast<double>(query.values.rows()) * per_query * sizeof(float);
  if (bytes > static_cast<double>(kMostTrace))
    return fail(both(query, key) + ": the steps in between would take " + io::format_short(bytes / (1U << 30U)) +
                " GiB, and up to 1 GiB is allowed; give fewer queries at a time.");
  return {};
}

// The options as the command line has them.
struct Request {
  std::string_view score = "scaled-dot";
  std::optional<double> scale;
  Mask mask = Mask::none;
};

Result<Request> read_request(const Arguments& arguments) {
  Request request;
  for (const std::string_view needed : {"--query", "--key", "--value"})
    if (!arguments.find(needed))
      return fail(std::string(needed) + " is missing; attention needs --query, --key and --value.");
  const auto weights = arguments.find("--weights"), output = arguments.find("--output");
  if (!weights && !output) return fail("Nothing is asked for; give --weights FILE.npy, --output FILE.npy or both.");
  if (weights && output && same_file(*weights, *output))
    return fail("--weights and --output name the same file; give each its own.");
  if (const auto given = arguments.find("--score")) {
    const Result<std::string_view> score = read_word("--score", *given, kScores);
    if (!score) return std::unexpected(score.error());
    request.score = *score;
  }
  if (const auto given = arguments.find("--mask")) {
    const Result<std::string_view> mask = read_word("--mask", *given, kMasks);
    if (!mask) return std::unexpected(mask.error());
    request.mask = *mask == "causal" ? Mask::causal : Mask::none;
  }
  if (const auto given = arguments.find("--scale")) {
    const Result<double> scale = io::parse_number(*given);
    if (!scale || !(std::abs(*scale) <= static_cast<double>(std::numeric_limits<float>::max())))
      return fail("--scale is " + io::quote(*given) + "; it must be a finite number, at most 3.4e38 in size.");
    request.scale = *scale;
  }
  return request;
}

Outcome run(const Arguments& arguments) {
  const Result<Request> request = read_request(arguments);
  if (!request) return bad_usage(request.error());
  const Result<Input> query = read_input(*arguments.find("--query"));
  if (!query) return bad_data(query.error());
  const Result<Input> key = read_input(*arguments.find("--key"));
  if (!key) return bad_data(key.error());
  const Result<Input> value = read_input(*arguments.find("--value"));
  if (!value) return bad_data(value.error());
  if (const Result<void> fit = check_shapes(*query, *key, *value); !fit) return bad_data(fit.error());

  const double factor = request->score == "dot" ? 1 : 1 / std::sqrt(static_cast<double>(query->values.cols()));
  const AttentionSteps<float> steps = attend_traced<float>(
      query->values, key->values, value->values, {.scale = request->scale.value_or(factor), .mask = request->mask});
  // Every row sees a key, so that its maximum is finite unless a score was too large.
  if (!steps.scores.allFinite() || !steps.maximum.allFinite() || !steps.weights.allFinite())
    return bad_data("The scores of " + query->path + " and " + key->path +
                    " are too large for float32, which ends at 3.4e38; smaller numbers are needed.");
  if (!steps.output.allFinite())
    return bad_data("The mixed values of " + value->path +
                    " are too large for float32, which ends at 3.4e38; smaller numbers are needed.");

  std::vector<Output> outputs;
  if (const auto path = arguments.find("--weights"))
    outputs.push_back({std::string(*path), io::write_npy(steps.weights)});
  if (const auto path = arguments.find("--output"))
    outputs.push_back({std::string(*path), io::write_npy(steps.output)});
  if (const Result<void> written = write_files(outputs); !written) return bad_data(written.error());
  return {};
}

}  // namespace

const Command attend_command{
    .name = "attend",
    .summary = "Computes attention on matrices from NumPy files.",
    .synopsis = "--query FILE.npy --key FILE.npy --value FILE.npy [--weights FILE.npy] [--output FILE.npy] [OPTION …]",
    .details =
        "weights = softmax(scale · query keyᵀ + mask), output = weights value. At least one of the two is asked for.\n"
        "Reads two-dimensional float32 or float64 .npy in C or Fortran order; computes and writes float32 in C "
        "order.\n",
    .subject = {},
    .options = kOptions,
    .run = run,
};

}  // namespace limelight::cli
