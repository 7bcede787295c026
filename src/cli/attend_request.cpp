#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/attend.h"
#include "cli/files.h"
#include "io/numbers.h"

namespace limelight::cli {
namespace {

struct Path {
  std::string_view option;
  std::string_view AttendRequest::* path;
};
constexpr Path kInputs[] = {{"--query", &AttendRequest::query},
                            {"--key", &AttendRequest::key},
                            {"--value", &AttendRequest::value},
                            {"--w-general", &AttendRequest::w_general},
                            {"--w-query", &AttendRequest::w_query},
                            {"--w-key", &AttendRequest::w_key},
                            {"--v", &AttendRequest::v},
                            {"--bias", &AttendRequest::bias},
                            {"--gradient-output", &AttendRequest::gradient_output}};
constexpr Path kOutputs[] = {{"--weights", &AttendRequest::weights},   {"--output", &AttendRequest::output},
                             {"--summary", &AttendRequest::summary},   {"--grad-query", &AttendRequest::grad_query},
                             {"--grad-key", &AttendRequest::grad_key}, {"--grad-value", &AttendRequest::grad_value}};
constexpr Path kGradients[] = {{"--grad-query", &AttendRequest::grad_query},
                               {"--grad-key", &AttendRequest::grad_key},
                               {"--grad-value", &AttendRequest::grad_value}};

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};
constexpr Word<Score> kScores[] = {{"dot", Score::dot},
                                   {"scaled-dot", Score::dot},
                                   {"cosine", Score::cosine},
                                   {"general", Score::general},
                                   {"additive", Score::additive}};
constexpr Word<Normalizer> kNormalizers[] = {{"softmax", Normalizer::softmax},
                                             {"hard", Normalizer::hard},
                                             {"gumbel", Normalizer::gumbel},
                                             {"sparsemax", Normalizer::sparsemax},
                                             {"entmax15", Normalizer::entmax15}};
constexpr Word<Positions> kPositions[] = {{"none", Positions::none},
                                          {"sinusoidal", Positions::sinusoidal},
                                          {"rope", Positions::rotary},
                                          {"alibi", Positions::linear_bias}};
constexpr std::string_view kMasks[] = {"none", "causal", "window:W", "block:B", "lengths:a,b", "FILE.npy"};

constexpr double kMostSeed = 9007199254740991;  // 2⁵³ − 1: every whole number up to it is a double, as in JavaScript
constexpr double kMostFloat = std::numeric_limits<float>::max();

// The word that is given, or the first of `otherwise`.
template <class Table>
Result<typename std::ranges::range_value_t<Table>> read_word(const Arguments& arguments, std::string_view option,
                                                             const Table& words, std::string_view otherwise) {
  using Entry = std::ranges::range_value_t<Table>;
  const std::string_view given = arguments.find(option).value_or(otherwise);
  const auto found = std::ranges::find(words, given, &Entry::word);
  if (found != std::ranges::end(words)) return *found;
  const auto names = words | std::views::transform(&Entry::word);
  return fail(std::string(option) + " is " + io::quote(given) + "; it can be " + io::one_of(names) + "." +
              did_you_mean(given, names));
}

// A whole number of at least `least` behind a mask's name.
Result<int> read_mask_number(std::string_view given, std::string_view form, std::string_view text, int least) {
  const Result<int> number = io::parse_integer(text);
  if (number && *number >= least) return *number;
  return fail("--mask is " + io::quote(given) + "; in " + std::string(form) + " stand whole numbers from " +
              std::to_string(least) + ".");
}

Result<void> add_mask(AttendRequest& request, std::string_view given) {
  const std::size_t colon = given.find(':');
  const std::string_view name = given.substr(0, colon);
  const std::string_view number = colon == std::string_view::npos ? std::string_view() : given.substr(colon + 1);
  Mask& mask = request.options.mask;
  if (given == "none") return {};
  if (given == "causal") {
    mask = mask & Mask::causal();
  } else if (given.ends_with(".npy") && given.size() > 4) {
    request.mask_files.push_back(given);
  } else if (name == "window") {
    const Result<int> width = read_mask_number(given, "window:W", number, 0);
    if (!width) return std::unexpected(width.error());
    mask = mask & Mask::window(*width);
  } else if (name == "block") {
    const Result<int> size = read_mask_number(given, "block:B", number, 1);
    if (!size) return std::unexpected(size.error());
    mask = mask & Mask::block(*size);
  } else if (name == "lengths") {
    std::vector<int>& lengths = request.lengths.emplace_back();
    for (std::size_t start = 0; start <= number.size();) {
      const std::size_t end = std::min(number.find(',', start), number.size());
      const Result<int> length = read_mask_number(given, "lengths:a,b", number.substr(start, end - start), 0);
      if (!length) return std::unexpected(length.error());
      lengths.push_back(*length);
      start = end + 1;
    }
  } else {
    return fail("--mask is " + io::quote(given) + "; it can be " + io::one_of(kMasks) + "." +
                did_you_mean(given, kMasks));
  }
  return {};
}

Result<void> read_numbers(const Arguments& arguments, AttendRequest& request) {
  if (const auto given = arguments.find("--scale")) {
    const Result<double> scale = io::parse_number(*given);
    if (!scale || !(std::abs(*scale) <= kMostFloat))
      return fail("--scale is " + io::quote(*given) + "; it must be a finite number, at most 3.4e38 in size.");
    request.scale = *scale;
  }
  if (const auto given = arguments.find("--temperature")) {
    const Result<double> temperature = io::parse_number(*given);
    if (!temperature || !(*temperature > 0) || *temperature > kMostFloat)
      return fail("--temperature is " + io::quote(*given) + "; it must be a number above 0, at most 3.4e38.");
    request.options.temperature = *temperature;
  }
  if (const auto given = arguments.find("--heads")) {
    const Result<int> heads = io::parse_integer(*given);
    if (!heads || *heads < 1 || *heads > kMostHeads)
      return fail("--heads is " + io::quote(*given) + "; it must be a whole number from 1 to " +
                  std::to_string(kMostHeads) + ".");
    request.heads = *heads;
  }
  if (const auto given = arguments.find("--seed")) {
    const Result<double> seed = io::parse_number(*given);
    if (!seed || *seed < 0 || *seed > kMostSeed || std::floor(*seed) != *seed)
      return fail("--seed is " + io::quote(*given) + "; it must be a whole number from 0 to " +
                  io::format_exact(kMostSeed) + ".");
    request.options.seed = static_cast<std::uint64_t>(*seed);
  }
  return {};
}

// Options that only count beside another.
Result<void> check_company(const Arguments& arguments, const AttendRequest& request, std::string_view normalizer) {
  struct Parameter {
    std::string_view option, score;
    bool needed;
  };
  static constexpr Parameter kParameters[] = {{"--w-general", "general", true},
                                              {"--w-query", "additive", true},
                                              {"--w-key", "additive", true},
                                              {"--v", "additive", true},
                                              {"--bias", "additive", false}};
  for (const Parameter& parameter : kParameters) {
    const bool given = arguments.find(parameter.option).has_value();
    const std::string option(parameter.option);
    if (given && request.score != parameter.score)
      return fail(option + " is for --score " + std::string(parameter.score) + "; the score is " +
                  std::string(request.score) + ".");
    if (!given && parameter.needed && request.score == parameter.score)
      return fail("--score " + std::string(parameter.score) + " needs " + option + " FILE.npy.");
  }
  if (arguments.find("--seed") && request.options.normalizer != Normalizer::gumbel)
    return fail("--seed is for --normalizer gumbel; the normalizer is " + std::string(normalizer) + ".");
  for (const Path& gradient : kGradients)
    if (!(request.*gradient.path).empty() && !request.asks_for_gradients())
      return fail(std::string(gradient.option) +
                  " needs --gradient-output FILE.npy, the loss's gradient with respect to the output.");
  if (request.asks_for_gradients() &&
      std::ranges::all_of(kGradients, [&](const Path& gradient) { return (request.*gradient.path).empty(); }))
    return fail("--gradient-output is for --grad-query, --grad-key and --grad-value; give one of them a file.");
  if (!request.fused) return {};
  if (!request.weights.empty()) return fail("--fused keeps no weights; leave out --weights or --fused.");
  if (!request.summary.empty()) return fail("--fused keeps no weights; leave out --summary or --fused.");
  if (request.asks_for_gradients())
    return fail("--fused keeps no weights for the gradients; leave out --gradient-output or --fused.");
  if (request.options.score != Score::dot)
    return fail("--fused is for --score dot and scaled-dot; the score is " + std::string(request.score) + ".");
  if (request.options.normalizer != Normalizer::softmax)
    return fail("--fused is for --normalizer softmax; the normalizer is " + std::string(normalizer) + ".");
  return {};
}

Result<void> check_outputs(const AttendRequest& request) {
  bool some = false;
  for (const Path* a = kOutputs; a != std::end(kOutputs); ++a) {
    const std::string_view path = request.*(a->path);
    if (path.empty()) continue;
    some = true;
    const auto overwrites = [&](std::string_view option, std::string_view input) {
      return std::string(a->option) + " and " + std::string(option) + " name the same file, " + std::string(input) +
             "; no input is overwritten, so give the result its own.";
    };
    for (const Path& input : kInputs)
      if (const std::string_view given = request.*(input.path); !given.empty() && same_file(path, given))
        return fail(overwrites(input.option, given));
    for (const std::string_view given : request.mask_files)
      if (same_file(path, given)) return fail(overwrites("--mask", given));
    for (const Path* b = kOutputs; b != a; ++b)
      if (!(request.*(b->path)).empty() && same_file(path, request.*(b->path)))
        return fail(std::string(b->option) + " and " + std::string(a->option) +
                    " name the same file; give each its own.");
  }
  if (!some)
    return fail("Nothing is asked for; give --weights FILE.npy, --output FILE.npy, --summary FILE.json or gradients.");
  return {};
}

}  // namespace

Result<AttendRequest> read_attend_request(const Arguments& arguments) {
  AttendRequest request;
  for (const std::string_view needed : {"--query", "--key", "--value"})
    if (!arguments.find(needed))
      return fail(std::string(needed) + " is missing; attention needs --query, --key and --value.");
  for (const Path& input : kInputs) request.*input.path = arguments.find(input.option).value_or(std::string_view());
  for (const Path& output : kOutputs) request.*output.path = arguments.find(output.option).value_or(std::string_view());
  request.batch = arguments.find("--batch").has_value();
  request.fused = arguments.find("--fused").has_value();

  const auto score = read_word(arguments, "--score", kScores, "scaled-dot");
  if (!score) return std::unexpected(score.error());
  request.score = score->word;
  request.options.score = score->value;
  const auto normalizer = read_word(arguments, "--normalizer", kNormalizers, "softmax");
  if (!normalizer) return std::unexpected(normalizer.error());
  request.options.normalizer = normalizer->value;
  const auto positions = read_word(arguments, "--positions", kPositions, "none");
  if (!positions) return std::unexpected(positions.error());
  request.options.positions = positions->value;
  for (const std::string_view mask : arguments.all("--mask"))
    if (const Result<void> added = add_mask(request, mask); !added) return std::unexpected(added.error());
  if (const Result<void> apart = check_outputs(request); !apart) return std::unexpected(apart.error());
  if (const Result<void> read = read_numbers(arguments, request); !read) return std::unexpected(read.error());
  if (const Result<void> fit = check_company(arguments, request, normalizer->word); !fit)
    return std::unexpected(fit.error());
  return request;
}

}  // namespace limelight::cli
