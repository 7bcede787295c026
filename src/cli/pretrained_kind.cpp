// Checkpoints of others: folders with config.json and model.safetensors of a GPT-2 or BERT.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "cli/files.h"
#include "cli/kind.h"
#include "cli/mapped_file.h"
#include "cli/pretrained_tokens.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/numbers.h"
#include "io/pretrained.h"

namespace limelight::cli {
namespace {

using Eigen::Index;

constexpr std::uint64_t kLargestConfig = std::uint64_t{1} << 20U;
constexpr std::uint64_t kLargestMatrix = std::uint64_t{1} << 30U;  // bytes, of what is computed in one piece
constexpr std::size_t kTop = 5;

// Errors: what is computed would take too much memory. `what` stands before "would take".
Result<void> check_room(std::string_view what, std::initializer_list<std::size_t> shape) {
  double bytes = sizeof(float);
  for (const std::size_t size : shape) bytes *= static_cast<double>(size);
  if (bytes <= static_cast<double>(kLargestMatrix)) return {};
  return fail(std::string(what) + " would take " + io::format_exact(std::round(bytes / (1U << 20U))) +
              " MiB; at most " + std::to_string(kLargestMatrix >> 20U) + " are computed, so give fewer tokens.");
}

Result<void> check_room(const io::PretrainedConfig& config, std::size_t tokens, bool all_weights, bool all_logits) {
  const auto layers = static_cast<std::size_t>(all_weights ? config.layers : 1),
             heads = static_cast<std::size_t>(all_weights ? config.heads : 1),
             vocabulary = static_cast<std::size_t>(config.vocabulary);
  if (Result<void> room = check_room("The attention weights", {layers, heads, tokens, tokens}); !room) return room;
  return check_room("The logits", {all_logits ? tokens : 1, vocabulary});
}

// Errors: two options that name one file, or one that names a file of the model's.
Result<void> check_outputs(const Arguments& arguments, std::span<const std::string> inputs) {
  std::vector<std::pair<std::string, std::string>> taken;
  for (const std::string& input : inputs) taken.emplace_back("the model", input);
  for (const std::string_view option : {"--weights", "--logits"}) {
    const auto path = arguments.find(option);
    if (!path) continue;
    for (const auto& [whose, other] : taken)
      if (same_file(*path, other))
        return fail(std::string(option) + " and " + whose + " name the same file; give the result its own.");
    taken.emplace_back(option, *path);
  }
  return {};
}

// [layers, heads, T, T]
io::Array stack_weights(const TransformerSteps& steps) {
  const std::vector<Matrix>& first = steps.blocks.front().weights;
  const Index tokens = first.front().rows();
  io::Array all{{static_cast<Index>(steps.blocks.size()), static_cast<Index>(first.size()), tokens, tokens}, {}};
  all.data.reserve(steps.blocks.size() * first.size() * static_cast<std::size_t>(tokens * tokens));
  for (const BlockSteps& block : steps.blocks)
    for (const Matrix& weights : block.weights)
      all.data.insert(all.data.end(), weights.data(), weights.data() + weights.size());
  return all;
}

// The likeliest tokens of one row of logits, and their probabilities.
void write_top(io::JsonWriter& json, std::span<const float> logits, const ModelInput& input) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t count = std::min(kTop, order.size());
  const auto logit = [&](int token) { return logits[static_cast<std::size_t>(token)]; };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](int a, int b) { return logit(a) > logit(b) || (logit(a) == logit(b) && a < b); });
  const auto largest = static_cast<double>(logit(order.front()));
  double sum = 0;
  for (const float x : logits) sum += std::exp(static_cast<double>(x) - largest);
  json.key("top").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    json.begin_object().member("token", order[i]);
    if (input.tokenizer) json.member("text", input.tokenizer->text(order[i]));
    json.member("probability", std::exp(static_cast<double>(logit(order[i])) - largest) / sum).end_object();
  }
  json.end_array();
}

// Where something is predicted: of GPT-2 what follows the last token; of BERT each token, of a text each [MASK].
std::vector<Index> predicted(const ModelInput& input, io::Family family) {
  const auto count = static_cast<Index>(input.tokens.size());
  if (family == io::Family::gpt2) return {count - 1};
  const std::optional<int> mask = input.tokenizer ? input.tokenizer->find("[MASK]") : std::nullopt;
  std::vector<Index> positions;
  for (Index i = 0; i < count; ++i)
    if (!input.tokenizer || input.tokens[static_cast<std::size_t>(i)] == mask) positions.push_back(i);
  return positions;
}

// logits: of the last rows of all tokens, or none.
std::string text_of(const io::PretrainedConfig& config, const ModelInput& input, const Matrix& logits) {
  io::JsonWriter json;
  json.begin_object().member("family", config.family == io::Family::gpt2 ? "gpt2" : "bert");
  json.member("layers", config.layers).member("heads", config.heads).key("tokens").begin_array();
  for (const int token : input.tokens) json.value(token);
  json.end_array();
  if (input.tokenizer) {
    json.key("texts").begin_array();
    for (const int token : input.tokens) json.value(input.tokenizer->text(token));
    json.end_array();
  }
  const Index first = static_cast<Index>(input.tokens.size()) - logits.rows();
  json.key("predictions").begin_array();
  if (logits.size() > 0)
    for (const Index position : predicted(input, config.family)) {
      json.begin_object().member("position", static_cast<int>(position));
      write_top(json, {&logits(position - first, 0), static_cast<std::size_t>(logits.cols())}, input);
      json.end_object();
    }
  json.end_array().end_object();
  return json.take() + "\n";
}

Outcome infer_pretrained(const Arguments& arguments) {
  const std::string folder(arguments.subjects.front());
  const std::string files[] = {folder + "/config.json", folder + "/model.safetensors"};
  const auto typed = arguments.find("--tokens"), written_text = arguments.find("--input");
  if (typed.has_value() == written_text.has_value())
    return bad_usage(typed ? "--tokens and --input are both there; the model reads one of them."
                           : "--input is missing; it is what the model reads: --input TEXT, or --tokens IDS.");
  const auto weights = arguments.find("--weights"), logits_path = arguments.find("--logits");
  if (const Result<void> differ = check_outputs(arguments, files); !differ) return bad_usage(differ.error());

  const Result<std::vector<std::byte>> text = read_file(files[0], kLargestConfig);
  if (!text) return bad_data(text.error());
  const Result<io::PretrainedConfig> config =
      io::read_pretrained_config({reinterpret_cast<const char*>(text->data()), text->size()}, files[0]);
  if (!config) return bad_data(config.error());
  const Result<ModelInput> input =
      typed ? read_typed_tokens(*typed, *config) : read_text_tokens(*written_text, folder, *config);
  if (!input) return typed ? bad_usage(input.error()) : bad_data(input.error());
  const std::vector<int>& tokens = input->tokens;
  const bool all_logits = logits_path || config->family == io::Family::bert;
  if (const Result<void> room = check_room(*config, tokens.size(), weights.has_value(), all_logits); !room)
    return bad_usage(room.error());

  const Result<MappedFile> file = MappedFile::open(files[1]);
  if (!file) return bad_data(file.error());
  const Result<io::Pretrained> model = io::read_pretrained(*config, file->bytes(), files[1]);
  if (!model) return bad_data(model.error());
  if (logits_path && model->weights.decoder.empty())
    return bad_data(files[1] + " has no head that predicts tokens; leave out --logits.");

  const TransformerSteps steps = run_transformer(tokens, model->weights, model->options, weights.has_value());
  const std::string overflow =
      "On these tokens the numbers of " + files[1] + " leave single precision; other weights are needed.";
  if (!steps.finite) return bad_data(overflow);
  const Index count = steps.hidden.rows();
  const Index computed = all_logits ? 0 : count - 1;  // the first row of the logits
  Matrix logits;
  if (!model->weights.decoder.empty()) {
    logits = transformer_logits(steps.hidden.bottomRows(count - computed), model->weights, model->options);
    if (!logits.allFinite()) return bad_data(overflow);
  }
  std::vector<Output> outputs;
  if (weights) outputs.push_back({std::string(*weights), io::write_npy(stack_weights(steps))});
  if (logits_path) outputs.push_back({std::string(*logits_path), io::write_npy(logits)});
  if (const Result<void> written = write_files(outputs, text_of(*config, *input, logits)); !written)
    return bad_data(written.error());
  return {};
}

constexpr Option kInferPretrained[] = {
    {"--input"},
    {"--weights"},
    {"--tokens", "IDS", "Of a GPT-2 or BERT: the tokens' numbers, as in 3,17,5."},
    {"--logits", "FILE.npy", "Of a GPT-2 or BERT: where the logits go, [tokens, vocabulary]."},
};

}  // namespace

const Kind pretrained_kind{
    .called = "a GPT-2 or BERT",
    .plural = "folders with a GPT-2 or BERT",
    .refusal = "is not for GPT-2 or BERT, which % is of",
    .infer = {.options = kInferPretrained,
              .details =
                  "MODEL may be a folder with config.json, model.safetensors and the tokenizer of a GPT-2 or BERT: "
                  "{family, layers,\nheads, tokens, texts, predictions: [{position, top: [{token, text, "
                  "probability}]}]}, of GPT-2 what follows the last\ntoken, of BERT each [MASK]; of --tokens each "
                  "token, without texts. Weights are [layers, heads, tokens, tokens].\n",
              .input = "--tokens IDS",
              .run = infer_pretrained},
};

}  // namespace limelight::cli
