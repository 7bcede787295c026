#include <cmath>
#include <span>
#include <utility>

#include "cli/attend.h"
#include "cli/files.h"
#include "io/numbers.h"

namespace limelight::cli {
namespace {

using Eigen::Index;

constexpr std::uint64_t kMostRead = std::uint64_t{1} << 30U;  // bytes of one file
constexpr double kMostSteps = 1U << 30U;                      // bytes of what is computed

std::string shape(std::span<const Index> sizes) {
  std::string text;
  for (const Index size : sizes) text += (text.empty() ? "" : "×") + std::to_string(size);
  return text;
}

struct Input {
  std::string path;
  io::Array array;

  [[nodiscard]] std::string is() const { return path + " is " + shape(array.shape); }
  [[nodiscard]] std::size_t dimensions() const { return array.shape.size(); }
  // Tokens are the last size but one, what the last counts is the token's.
  [[nodiscard]] Index tokens() const { return array.shape[dimensions() - 2]; }
  [[nodiscard]] Index size() const { return array.shape[dimensions() - 1]; }
};

std::string both(const Input& a, const Input& b) { return a.is() + " and " + b.is(); }

Result<Input> read_input(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kMostRead);
  if (!bytes) return std::unexpected(bytes.error());
  Result<io::Array> array = io::read_npy_array(*bytes, path);
  if (!array) return std::unexpected(array.error());
  return Input{std::string(path), std::move(*array)};
}

// The query, key or value: as many dimensions as --batch says.
Result<Input> read_tokens(std::string_view path, bool batch) {
  Result<Input> input = read_input(path);
  if (!input) return input;
  const std::size_t dimensions = input->dimensions();
  if (batch ? dimensions >= 3 : dimensions == 2) return input;
  std::string sizes;
  for (const Index size : input->array.shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return fail(input->path + " has " + io::count_of(dimensions, "dimension") + ", shape (" + sizes +
              (dimensions == 1 ? ",)" : ")") +
              (batch ? "; with --batch three are needed, (batch, tokens, size), or four, (batch, heads, tokens, size)."
                     : "; two are needed: (rows, columns). With --batch it is three or four."));
}

// The inputs, with their shapes as they were in the files.
struct Inputs {
  Input query, key, value;
};

// Dimensions, batches, heads and tokens; not yet the sizes, which the score decides about.
Result<void> check_layout(const Inputs& in, const AttendRequest& request) {
  for (const auto& [a, b] : {std::pair(&in.query, &in.key), std::pair(&in.key, &in.value)}) {
    if (a->dimensions() != b->dimensions())
      return fail(both(*a, *b) + ": they must have the same number of dimensions.");
    if (a->dimensions() > 2 && a->array.shape[0] != b->array.shape[0])
      return fail(both(*a, *b) + ": they must have the same number of batch entries, which is the first size.");
    if (a->dimensions() > 3 && a->array.shape[1] != b->array.shape[1])
      return fail(both(*a, *b) + ": they must have the same number of heads, which is the second size.");
  }
  if (in.key.tokens() != in.value.tokens())
    return fail(both(in.key, in.value) + ": keys and values must have the same number of rows.");
  if (request.heads && in.query.dimensions() == 4)
    return fail(in.query.is() + " and has its heads already, the second size; leave out --heads " +
                std::to_string(*request.heads) + ", or give three dimensions.");
  if (request.heads)
    for (const Input* input : {&in.query, &in.key, &in.value})
      if (input->size() % *request.heads != 0)
        return fail(input->is() + ", and --heads is " + std::to_string(*request.heads) + "; it must divide the " +
                    io::count_of(input->size(), "column") + ".");
  return {};
}

// A learned matrix of the score: `of` is what it multiplies, whose heads have `rows` columns.
Result<Matrix> read_matrix(std::string_view path, const Input& of, Index rows, std::string_view form) {
  const Result<Input> input = read_input(path);
  if (!input) return std::unexpected(input.error());
  if (input->dimensions() != 2 || input->array.shape[0] != rows)
    return fail(input->is() + " and " + of.is() + "; " + std::string(form) + " with " + io::count_of(rows, "row") +
                " is needed.");
  return split_array(input->array).front();
}

// A learned vector: [H], [H, 1] or [1, H], where H is the columns of w_query.
Result<Matrix> read_vector(std::string_view path, std::string_view w_query, Index hidden) {
  const Result<Input> input = read_input(path);
  if (!input) return std::unexpected(input.error());
  const std::vector<Index>& sizes = input->array.shape;
  if (static_cast<Index>(input->array.data.size()) != hidden || sizes.size() > 2 ||
      (sizes.size() == 2 && sizes[0] != 1 && sizes[1] != 1))
    return fail(input->is() + " and " + std::string(w_query) + " has " + io::count_of(hidden, "column") +
                "; a vector of as many numbers is needed: [hidden], [hidden, 1] or [1, hidden].");
  return Matrix(Eigen::Map<const Matrix>(input->array.data.data(), hidden, 1));
}

// The sizes of one head's query and key, and what the score learned for them.
Result<ScoreParameters<float>> read_parameters(const AttendRequest& request, const Inputs& in, Index query_size,
                                               Index key_size) {
  ScoreParameters<float> parameters;
  if (request.options.score == Score::dot || request.options.score == Score::cosine) {
    if (query_size != key_size)
      return fail(both(in.query, in.key) + ": queries and keys must have the same number of columns.");
  } else if (request.options.score == Score::general) {
    Result<Matrix> w = read_matrix(request.w_general, in.query, query_size, "[query size, key size]");
    if (!w) return std::unexpected(w.error());
    if (w->cols() != key_size)
      return fail(std::string(request.w_general) + " is " + std::to_string(w->rows()) + "×" +
                  std::to_string(w->cols()) + " and " + in.key.is() + "; [query size, key size] with " +
                  io::count_of(key_size, "column") + " is needed.");
    parameters.w_general = std::move(*w);
  } else {
    Result<Matrix> w_query = read_matrix(request.w_query, in.query, query_size, "[query size, hidden]");
    if (!w_query) return std::unexpected(w_query.error());
    Result<Matrix> w_key = read_matrix(request.w_key, in.key, key_size, "[key size, hidden]");
    if (!w_key) return std::unexpected(w_key.error());
    const Index hidden = w_query->cols();
    if (w_key->cols() != hidden)
      return fail(std::string(request.w_query) + " has " + io::count_of(hidden, "column") + " and " +
                  std::string(request.w_key) + " has " + std::to_string(w_key->cols()) +
                  "; both must have as many as the hidden layer has numbers.");
    Result<Matrix> v = read_vector(request.v, request.w_query, hidden);
    if (!v) return std::unexpected(v.error());
    if (!request.bias.empty()) {
      const Result<Matrix> bias = read_vector(request.bias, request.w_query, hidden);
      if (!bias) return std::unexpected(bias.error());
      parameters.bias = bias->transpose();
    }
    parameters.w_query = std::move(*w_query);
    parameters.w_key = std::move(*w_key);
    parameters.v = std::move(*v);
  }
  if (request.options.positions == Positions::rotary)
    for (const auto& [input, size] : {std::pair(&in.query, query_size), std::pair(&in.key, key_size)})
      if (size % 2 != 0)
        return fail(input->is() + ", so that a head has " + io::count_of(size, "column") +
                    "; --positions rope turns pairs of columns, an even number.");
  return parameters;
}

// What all entries share, from the command line and from files.
Result<Mask> read_masks(const AttendRequest& request, const Inputs& in) {
  Mask mask = request.options.mask;
  for (const std::string_view path : request.mask_files) {
    const Result<std::vector<std::byte>> bytes = read_file(path, kMostRead);
    if (!bytes) return std::unexpected(bytes.error());
    Result<BoolMatrix> allowed = io::read_npy_mask(*bytes, path);
    if (!allowed) return std::unexpected(allowed.error());
    if (allowed->rows() != in.query.tokens() || allowed->cols() != in.key.tokens())
      return fail(std::string(path) + " is " + std::to_string(allowed->rows()) + "×" + std::to_string(allowed->cols()) +
                  "; a mask is [queries, keys], of " + io::count_of(in.query.tokens(), "query") + " and " +
                  io::count_of(in.key.tokens(), "key") + ".");
    mask = mask & Mask::allowed(std::move(*allowed));
  }
  return mask;
}

Result<void> check_lengths(const AttendRequest& request, const Inputs& in) {
  const std::size_t entries = in.query.dimensions() == 2 ? 1 : static_cast<std::size_t>(in.query.array.shape[0]);
  for (const std::vector<int>& lengths : request.lengths) {
    if (lengths.size() != entries)
      return fail("--mask lengths has " + std::to_string(lengths.size()) +
                  (lengths.size() == 1 ? " number and " : " numbers and ") + in.key.is() +
                  "; one for each batch entry is needed, so " + std::to_string(entries) + ".");
    for (const int length : lengths)
      if (length > in.key.tokens())
        return fail("--mask lengths has " + std::to_string(length) + " and " + in.key.is() + "; at most its " +
                    std::to_string(in.key.tokens()) + " keys can be seen.");
  }
  return {};
}

Result<void> check_room(const AttendRequest& request, const Inputs& in, Index entries, Index heads) {
  const auto tokens = [](const Input& input) { return static_cast<double>(input.tokens()); };
  const double scores = tokens(in.query) * tokens(in.key);
  // Of one entry: scores, scaled, shifted, exponentials and weights, the gradients of two of them. What is kept of all:
  // weights and output.
  const double at_once = request.asks_for_gradients() ? 7 : 5;
  const double kept = request.weights.empty() ? 0 : static_cast<double>(entries);
  const double output = static_cast<double>(entries) * tokens(in.query) * static_cast<double>(in.value.size()) *
                        (in.value.dimensions() == 4 ? static_cast<double>(heads) : 1);
  const double steps = request.fused ? 0 : static_cast<double>(heads) * scores * (at_once + kept);
  constexpr double per_head = 2048;  // bytes, of what is kept besides its numbers
  const double bytes = (steps + output) * sizeof(float) + static_cast<double>(entries * heads) * per_head;
  if (bytes > kMostSteps)
    return fail(
        both(in.query, in.key) + ": the steps in between would take " + io::format_short(bytes / (1U << 30U)) +
        " GiB, and up to 1 GiB is allowed; give fewer queries at a time" +
        (request.fused || request.options.score != Score::dot ? "." : ", or --fused if only the output is needed."));
  return {};
}

// As large as the output.
Result<std::vector<Matrix>> read_gradient(const AttendRequest& request, const Inputs& in) {
  const Result<Input> gradient = read_input(request.gradient_output);
  if (!gradient) return std::unexpected(gradient.error());
  std::vector<Index> expected = in.value.array.shape;
  expected[expected.size() - 2] = in.query.tokens();
  if (gradient->array.shape != expected)
    return fail(gradient->is() + " and the output is " + shape(expected) +
                "; --gradient-output must be as large as the output.");
  return split_array(gradient->array);
}

}  // namespace

Result<AttendProblem> load_attend_problem(const AttendRequest& request) {
  Inputs in;
  for (const auto& [input, path] :
       {std::pair(&in.query, request.query), std::pair(&in.key, request.key), std::pair(&in.value, request.value)}) {
    Result<Input> read = read_tokens(path, request.batch);
    if (!read) return std::unexpected(read.error());
    *input = std::move(*read);
  }
  if (const Result<void> fit = check_layout(in, request); !fit) return std::unexpected(fit.error());

  const bool four = in.query.dimensions() == 4;
  const Index heads = four ? in.query.array.shape[1] : request.heads.value_or(1);
  if (heads > kMostHeads)
    return fail(in.query.is() + ", which makes " + std::to_string(heads) + " heads; up to " +
                std::to_string(kMostHeads) + " are taken.");
  const Index split = four ? 1 : heads;  // 4-D sizes are those of a head
  const Index query_size = in.query.size() / split, key_size = in.key.size() / split;
  Result<ScoreParameters<float>> parameters = read_parameters(request, in, query_size, key_size);
  if (!parameters) return std::unexpected(parameters.error());
  const Result<Mask> mask = read_masks(request, in);
  if (!mask) return std::unexpected(mask.error());
  if (const Result<void> fit = check_lengths(request, in); !fit) return std::unexpected(fit.error());

  std::vector<Matrix> queries = split_array(in.query.array), keys = split_array(in.key.array),
                      values = split_array(in.value.array), gradients(queries.size());
  if (const Result<void> room = check_room(request, in, static_cast<Index>(queries.size()), heads); !room)
    return std::unexpected(room.error());
  if (request.asks_for_gradients()) {
    Result<std::vector<Matrix>> read = read_gradient(request, in);
    if (!read) return std::unexpected(read.error());
    gradients = std::move(*read);
  }

  AttendProblem problem;
  problem.dimensions = static_cast<int>(in.query.dimensions());
  problem.weights_by_head = four || request.heads.has_value();
  problem.layer.heads = problem.layer.key_heads = static_cast<int>(heads);
  problem.layer.attention.score = std::move(*parameters);
  problem.options = request.options;
  problem.options.mask = Mask::none();
  problem.options.scale =
      request.scale.value_or(request.score == "scaled-dot" ? 1 / std::sqrt(static_cast<double>(key_size)) : 1);
  for (std::size_t b = 0; b < queries.size(); ++b) {
    Mask own = *mask;
    for (const std::vector<int>& lengths : request.lengths) own = own & Mask::length(lengths[b]);
    problem.entries.push_back(
        {{std::move(queries[b]), std::move(keys[b]), std::move(values[b])}, std::move(own), std::move(gradients[b])});
  }
  return problem;
}

}  // namespace limelight::cli
