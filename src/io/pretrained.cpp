#include "io/pretrained.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "io/json_value.h"
#include "io/numbers.h"
#include "io/safetensors.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

using Eigen::Index;

// --- config.json ---

constexpr int kLargestSize = 100'000'000;  // of any size: shapes of two of them fit 64 bits

struct GeluName {
  std::string_view name;
  Gelu gelu;
};
constexpr GeluName kGelus[] = {
    {"gelu", Gelu::exact}, {"gelu_new", Gelu::tangent}, {"gelu_pytorch_tanh", Gelu::tangent}};

// What a configuration may switch on or off that is computed in one way only.
struct Switch {
  std::string_view name;
  bool needed;
};
constexpr Switch kSwitches[] = {{"scale_attn_weights", true},
                                {"scale_attn_by_inverse_layer_idx", false},
                                {"is_decoder", false},
                                {"add_cross_attention", false}};

class ConfigReader {
 public:
  ConfigReader(const JsonValue& json, std::string_view file) : json_(json), file_(file) {}

  Result<PretrainedConfig> read() {
    PretrainedConfig config;
    if (const Result<void> read = read_family(config.family); !read) return std::unexpected(read.error());
    const bool gpt2 = config.family == Family::gpt2;
    config.layers = read_size(gpt2 ? "n_layer" : "num_hidden_layers");
    config.heads = read_size(gpt2 ? "n_head" : "num_attention_heads");
    config.size = read_size(gpt2 ? "n_embd" : "hidden_size");
    config.inner = read_size(gpt2 ? "n_inner" : "intermediate_size", gpt2 ? 4 * config.size : 0);
    const bool old = gpt2 && find("n_positions") == nullptr && find("n_ctx") != nullptr;
    config.positions = read_size(old ? "n_ctx" : gpt2 ? "n_positions" : "max_position_embeddings");
    config.vocabulary = read_size("vocab_size");
    if (!gpt2) config.segments = read_size("type_vocab_size", 2);
    if (error_) return std::unexpected(*error_);
    if (config.size % config.heads != 0)
      return fail(file_ + " has " + std::to_string(config.heads) + " heads and the size " +
                  std::to_string(config.size) + "; the heads must divide the size.");
    if (const Result<void> read =
            read_epsilon(gpt2 ? "layer_norm_epsilon" : "layer_norm_eps", gpt2 ? 1e-5 : 1e-12, config.epsilon);
        !read)
      return std::unexpected(read.error());
    if (const Result<void> read =
            read_gelu(gpt2 ? "activation_function" : "hidden_act", gpt2 ? "gelu_new" : "gelu", config.gelu);
        !read)
      return std::unexpected(read.error());
    if (const Result<void> checked = check_switches(); !checked) return std::unexpected(checked.error());
    return config;
  }

 private:
  // Nothing where it is null, too.
  const JsonValue* find(std::string_view name) const {
    const JsonValue* value = json_.find(name);
    return value != nullptr && value->kind != JsonValue::Kind::null ? value : nullptr;
  }

  Result<void> read_family(Family& family) const {
    const JsonValue* type = find("model_type");
    // The first checkpoints had none.
    const std::string_view name = type != nullptr                        ? std::string_view(type->text)
                                  : find("n_layer") != nullptr           ? "gpt2"
                                  : find("num_hidden_layers") != nullptr ? "bert"
                                                                         : "";
    if (name != "gpt2" && name != "bert")
      return fail(file_ + " has the model_type " + quote(name) + "; gpt2 or bert is needed.");
    family = name == "gpt2" ? Family::gpt2 : Family::bert;
    return {};
  }

  // `otherwise` where there is none, if that is above 0. The first error is kept.
  int read_size(std::string_view name, int otherwise = 0) {
    if (error_) return 0;
    const JsonValue* value = find(name);
    if (value == nullptr && otherwise > 0) return otherwise;
    const std::string needed = "a whole number from 1 to " + std::to_string(kLargestSize) + " is needed.";
    if (value == nullptr) {
      error_ = Error{file_ + " has no " + std::string(name) + "; " + needed};
      return 0;
    }
    const Result<int> number = parse_integer(value->text);
    if (value->kind == JsonValue::Kind::number && number && *number >= 1 && *number <= kLargestSize) return *number;
    error_ = Error{std::string(name) + " of " + file_ + " is " + quote(value->text) + "; " + needed};
    return 0;
  }

  Result<void> read_epsilon(std::string_view name, double otherwise, double& epsilon) const {
    epsilon = otherwise;
    const JsonValue* value = find(name);
    if (value == nullptr) return {};
    const Result<double> number = parse_number(value->text);
    if (value->kind != JsonValue::Kind::number || !number || *number <= 0 || *number > 1)
      return fail(std::string(name) + " of " + file_ + " is " + quote(value->text) +
                  "; a number above 0 and at most 1 is needed.");
    epsilon = *number;
    return {};
  }

  Result<void> read_gelu(std::string_view name, std::string_view otherwise, Gelu& gelu) const {
    const JsonValue* value = find(name);
    const std::string_view given = value == nullptr ? otherwise : std::string_view(value->text);
    const auto* const found = std::ranges::find(kGelus, given, &GeluName::name);
    if (found == std::end(kGelus))
      return fail(std::string(name) + " of " + file_ + " is " + quote(given) + "; " +
                  one_of(kGelus | std::views::transform(&GeluName::name)) + " is needed.");
    gelu = found->gelu;
    return {};
  }

  Result<void> check_switches() const {
    for (const auto& [name, needed] : kSwitches)
      if (const JsonValue* value = find(name); value != nullptr && value->truth != needed)
        return fail(file_ + " has " + std::string(name) + (needed ? " off; only on" : " on; only off") +
                    " is computed here.");
    if (const JsonValue* value = find("position_embedding_type"); value != nullptr && value->text != "absolute")
      return fail(file_ + " has the position_embedding_type " + quote(value->text) +
                  "; only absolute positions are computed here.");
    return {};
  }

  const JsonValue& json_;
  std::string file_;
  std::optional<Error> error_;
};

// --- model.safetensors ---

// Not computed: buffers that older versions wrote, and heads for other tasks.
bool passed_over(std::string_view name) {
  constexpr std::string_view kEnds[] = {"attn.bias", "attn.masked_bias", "position_ids"};
  constexpr std::string_view kParts[] = {"pooler.", "cls.seq_relationship.", "classifier.", "qa_outputs.", "score."};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); }) ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

// Takes tensors out of a file; after the first error, nothing.
class Loader {
 public:
  Loader(std::span<const std::byte> file, const SafetensorsHeader& header, std::string_view name, Family family,
         Pretrained& result)
      : file_(file), header_(header), name_(name), result_(result) {
    const std::string_view prefix = family == Family::gpt2 ? "transformer." : "bert.";
    if (std::ranges::any_of(header.tensors, [&](const TensorEntry& entry) { return entry.name.starts_with(prefix); }))
      prefix_ = prefix;
  }

  [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }

  MatrixView matrix(const std::string& name, int rows, int cols) {
    return read(name, {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols)});
  }
  MatrixView vector(const std::string& name, int size) { return read(name, {static_cast<std::uint64_t>(size)}); }
  NormView norm(const std::string& name, int size) {
    return {.gain = vector(name + ".weight", size), .bias = vector(name + ".bias", size)};
  }
  // PyTorch's Linear.
  LinearView linear(const std::string& name, int in, int out) {
    return {.weight = matrix(name + ".weight", out, in), .bias = vector(name + ".bias", out), .transposed = true};
  }
  // GPT-2's Conv1D.
  LinearView convolution(const std::string& name, int in, int out) {
    return {.weight = matrix(name + ".weight", in, out), .bias = vector(name + ".bias", out), .transposed = false};
  }

  // What went wrong; also when a tensor is left.
  [[nodiscard]] Result<void> finish() const {
    if (error_) return std::unexpected(*error_);
    for (const TensorEntry& entry : header_.tensors)
      if (!used_.contains(entry.name) && !passed_over(entry.name))
        return fail("The tensor " + quote(entry.name) + " of " + name_ + " belongs to no part of the model that " +
                    "config.json describes; the two must be of the same model.");
    return {};
  }
  [[nodiscard]] bool failed() const { return error_.has_value(); }

 private:
  [[nodiscard]] const TensorEntry* find(const std::string& name) const {
    const std::string prefixed = prefix_ + name;
    for (const std::string& full : {prefixed, name}) {
      if (const TensorEntry* entry = header_.find(full)) return entry;
      // The names of norms in the first checkpoints.
      const std::size_t dot = full.rfind('.');
      if (full.substr(0, dot).ends_with("LayerNorm"))
        if (const TensorEntry* entry =
                header_.find(full.substr(0, dot) + (full.ends_with(".weight") ? ".gamma" : ".beta")))
          return entry;
    }
    return nullptr;
  }

  MatrixView read(const std::string& name, const std::vector<std::uint64_t>& shape) {
    if (error_) return {};
    const TensorEntry* entry = find(name);
    if (entry == nullptr) {
      error_ = Error{name_ + " has no tensor " + quote(prefix_ + name) + "; one of the shape " + shape_text(shape) +
                     " is needed."};
      return {};
    }
    if (entry->shape != shape) {
      error_ = Error{"The tensor " + quote(entry->name) + " of " + name_ + " has the shape " +
                     shape_text(entry->shape) + "; " + shape_text(shape) + " is needed, as config.json says."};
      return {};
    }
    auto copy = std::make_unique<std::vector<float>>();
    const Result<std::span<const float>> numbers = read_tensor(file_, header_, *entry, name_, *copy);
    if (!numbers) {
      error_ = numbers.error();
      return {};
    }
    if (!copy->empty()) result_.converted.push_back(std::move(copy));
    used_.insert(entry->name);
    const auto cols = static_cast<Index>(shape.back());
    return {numbers->data(), shape.size() == 1 ? 1 : static_cast<Index>(shape.front()), cols, cols};
  }

  std::span<const std::byte> file_;
  const SafetensorsHeader& header_;
  std::string name_;
  Pretrained& result_;
  std::string prefix_;
  std::set<std::string_view> used_;  // the header's names
  std::optional<Error> error_;
};

// Columns `part` · size and on, of a matrix that has several parts side by side.
MatrixView columns(const MatrixView& all, int part, int size) {
  if (all.empty()) return {};
  return {all.data + Index{part} * size, all.rows, size, all.stride};
}

LinearView part_of(const LinearView& all, int part, int size) {
  return {columns(all.weight, part, size), columns(all.bias, part, size), false};
}

void load_gpt2(Loader& from, const PretrainedConfig& config, TransformerWeights& weights) {
  const int size = config.size;
  weights.tokens = from.matrix("wte.weight", config.vocabulary, size);
  weights.positions = from.matrix("wpe.weight", config.positions, size);
  for (int layer = 0; layer < config.layers && !from.failed(); ++layer) {
    const std::string name = "h." + std::to_string(layer) + ".";
    TransformerBlock& block = weights.blocks.emplace_back();
    block.attention_norm = from.norm(name + "ln_1", size);
    const LinearView all = from.convolution(name + "attn.c_attn", size, 3 * size);
    block.query = part_of(all, 0, size);
    block.key = part_of(all, 1, size);
    block.value = part_of(all, 2, size);
    block.output = from.convolution(name + "attn.c_proj", size, size);
    block.inner_norm = from.norm(name + "ln_2", size);
    block.inner = from.convolution(name + "mlp.c_fc", size, config.inner);
    block.outer = from.convolution(name + "mlp.c_proj", config.inner, size);
  }
  weights.final_norm = from.norm("ln_f", size);
  weights.decoder =
      from.has("lm_head.weight") ? from.matrix("lm_head.weight", config.vocabulary, size) : weights.tokens;
}

void load_bert(Loader& from, const PretrainedConfig& config, TransformerWeights& weights) {
  const int size = config.size;
  weights.tokens = from.matrix("embeddings.word_embeddings.weight", config.vocabulary, size);
  weights.positions = from.matrix("embeddings.position_embeddings.weight", config.positions, size);
  weights.segments = from.matrix("embeddings.token_type_embeddings.weight", config.segments, size);
  weights.embedding_norm = from.norm("embeddings.LayerNorm", size);
  for (int layer = 0; layer < config.layers && !from.failed(); ++layer) {
    const std::string name = "encoder.layer." + std::to_string(layer) + ".";
    TransformerBlock& block = weights.blocks.emplace_back();
    block.query = from.linear(name + "attention.self.query", size, size);
    block.key = from.linear(name + "attention.self.key", size, size);
    block.value = from.linear(name + "attention.self.value", size, size);
    block.output = from.linear(name + "attention.output.dense", size, size);
    block.attention_norm = from.norm(name + "attention.output.LayerNorm", size);
    block.inner = from.linear(name + "intermediate.dense", size, config.inner);
    block.outer = from.linear(name + "output.dense", config.inner, size);
    block.inner_norm = from.norm(name + "output.LayerNorm", size);
  }
  const std::string head = "cls.predictions.";
  if (!from.has(head + "transform.dense.weight")) return;
  weights.transform = from.linear(head + "transform.dense", size, size);
  weights.transform_norm = from.norm(head + "transform.LayerNorm", size);
  const bool own = from.has(head + "decoder.weight");
  weights.decoder = own ? from.matrix(head + "decoder.weight", config.vocabulary, size) : weights.tokens;
  // The same bias under two names; newer files have one of them, or both.
  for (const char* bias : {"decoder.bias", "bias"})
    if (from.has(head + bias)) weights.decoder_bias = from.vector(head + bias, config.vocabulary);
}

// That read_tensor makes of what cannot be used where it lies.
std::uint64_t converted_bytes(std::span<const std::byte> file, const SafetensorsHeader& header) {
  std::uint64_t bytes = 0;
  for (const TensorEntry& entry : header.tensors)
    if (!passed_over(entry.name) && numbers_in_place(file, header, entry).empty())
      bytes += (entry.end - entry.begin) * (entry.dtype == "F32" ? 1 : 2);
  return bytes;
}

std::string gigabytes(std::uint64_t bytes) { return format_exact(round_to(static_cast<double>(bytes) / 1e9, 0.1)); }

}  // namespace

Result<PretrainedConfig> read_pretrained_config(std::string_view json, std::string_view name) {
  const std::optional<JsonValue> value = read_json(json);
  if (!value || value->kind != JsonValue::Kind::object)
    return fail(std::string(name) + " is not a JSON object; that of a GPT-2 or a BERT is needed.");
  return ConfigReader(*value, name).read();
}

Result<Pretrained> read_pretrained(const PretrainedConfig& config, std::span<const std::byte> file,
                                   std::string_view name) {
  const Result<SafetensorsHeader> header = read_safetensors_header(file, name);
  if (!header) return std::unexpected(header.error());
  const bool gpt2 = config.family == Family::gpt2;
  Pretrained result{.config = config,
                    .options = {.heads = config.heads,
                                .causal = gpt2,
                                .norm_first = gpt2,
                                .gelu = config.gelu,
                                .epsilon = config.epsilon},
                    .weights = {},
                    .converted = {}};
  if (const Result<void> room = check_room(converted_bytes(file, *header), name); !room)
    return std::unexpected(room.error());
  Loader loader(file, *header, name, config.family, result);
  if (gpt2)
    load_gpt2(loader, config, result.weights);
  else
    load_bert(loader, config, result.weights);
  if (const Result<void> loaded = loader.finish(); !loaded) return std::unexpected(loaded.error());
  return result;
}

Result<void> check_holds(std::uint64_t bytes, std::string_view name, std::uint64_t most) {
  if (bytes <= most) return {};
  return fail(std::string(name) + " has " + gigabytes(bytes) + " GB; at most " + gigabytes(most) +
              " GB can be held here.");
}

Result<void> check_room(std::uint64_t bytes, std::string_view name) {
  void* volatile piece = nullptr;  // volatile: what is taken and given back would be left out
  if (bytes <= std::numeric_limits<std::size_t>::max()) piece = std::malloc(static_cast<std::size_t>(bytes));
  std::free(piece);
  if (piece != nullptr || bytes == 0) return {};
  return fail(std::string(name) + " needs " + gigabytes(bytes) + " GB of memory, more than is left here.");
}

}  // namespace limelight::io
