// Checkpoints of others against tests/golden/pretrained.json, which says at the top of pretrained.py what it holds.
#include "io/pretrained.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "embedded/golden_pretrained.h"
#include "embedded/pretrained_bert.h"
#include "embedded/pretrained_bert_bf16.h"
#include "embedded/pretrained_bert_config.h"
#include "embedded/pretrained_gpt2.h"
#include "embedded/pretrained_gpt2_config.h"
#include "io/safetensors.h"
#include "unit/json_reader.h"

using namespace limelight;
using namespace limelight::io;
using test::Json;

namespace {

// · max(1, |x|): single precision over two layers and the head; measured, 4e-7 of attentions and 1.2e-5 of logits.
constexpr double kTolerance = 1e-4;

using Bytes = std::vector<std::byte>;

// Aligned as a mapped file is.
Bytes bytes_of(std::span<const unsigned char> file) {
  const auto bytes = std::as_bytes(file);
  return {bytes.begin(), bytes.end()};
}
std::string text_of(std::span<const unsigned char> file) { return {file.begin(), file.end()}; }

const Json& golden() {
  static const Json file = test::JsonReader(embedded::golden_pretrained).read();
  return file;
}

PretrainedConfig config_of(std::span<const unsigned char> file) {
  Result<PretrainedConfig> config = read_pretrained_config(text_of(file), "config.json");
  REQUIRE(config);
  return *config;
}

// The largest difference · 1 / max(1, |x|).
double difference(std::span<const float> found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = std::abs(static_cast<double>(found[i]) - expected[i]) / std::max(1.0, std::abs(expected[i]));
    if (!(off <= largest)) largest = off;  // a NaN too
  }
  return largest;
}

void check_agrees(const std::string& name, const PretrainedConfig& config, const Bytes& file) {
  CAPTURE(name);
  const Result<Pretrained> model = read_pretrained(config, file, "model.safetensors");
  if (!model) FAIL(model.error().message);
  const Json& expected = golden().at(name);
  std::vector<int> tokens;
  for (const double token : expected.at("tokens").numbers()) tokens.push_back(static_cast<int>(token));
  const TransformerSteps steps = run_transformer(tokens, model->weights, model->options, true);
  REQUIRE(steps.finite);
  std::vector<float> attentions;
  for (const BlockSteps& block : steps.blocks)
    for (const Matrix& weights : block.weights)
      attentions.insert(attentions.end(), weights.data(), weights.data() + weights.size());
  const double attentions_off = difference(attentions, expected.at("attentions").at("data").numbers());
  const Matrix logits = transformer_logits(steps.hidden, model->weights, model->options);
  const double logits_off =
      difference({logits.data(), static_cast<std::size_t>(logits.size())}, expected.at("logits").at("data").numbers());
  CHECK(attentions_off < kTolerance);
  CHECK(logits_off < kTolerance);
}

// The same tensors in F32 under other names; those with an empty name are left out.
template <class Rename>
Bytes renamed(const Bytes& file, const Rename& rename) {
  const Result<SafetensorsHeader> header = read_safetensors_header(file, "x");
  REQUIRE(header);
  Safetensors out;
  for (const TensorEntry& entry : header->tensors) {
    const std::string name = rename(entry.name);
    if (name.empty() || entry.dtype == "I64") continue;
    std::vector<float> copy;
    const auto numbers = read_tensor(file, *header, entry, "x", copy);
    REQUIRE(numbers);
    out.tensors[name] = {{entry.shape.begin(), entry.shape.end()}, {numbers->begin(), numbers->end()}};
  }
  return write_safetensors(out);
}

// It is refused by one sentence that has these words.
template <class T>
void check_refused(const Result<T>& result, std::string_view words) {
  CAPTURE(words);
  REQUIRE(!result);
  CAPTURE(result.error().message);
  CHECK(result.error().message.find(words) != std::string::npos);
  CHECK(result.error().message.ends_with('.'));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The checkpoint of GPT-2 with these bytes of its header replaced by as many others.
Bytes with_header(std::string_view from, std::string_view to) {
  REQUIRE(from.size() == to.size());
  Bytes file = bytes_of(embedded::pretrained_gpt2);
  const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t at = all.find(from);
  REQUIRE(at != std::string_view::npos);
  std::memcpy(file.data() + at, to.data(), to.size());
  return file;
}

Result<Pretrained> read_gpt2(const Bytes& file) {
  return read_pretrained(config_of(embedded::pretrained_gpt2_config), file, "model.safetensors");
}

}  // namespace

TEST_CASE("pretrained: both families agree with NumPy, in every precision") {
  const PretrainedConfig bert = config_of(embedded::pretrained_bert_config);
  check_agrees("gpt2", config_of(embedded::pretrained_gpt2_config), bytes_of(embedded::pretrained_gpt2));
  check_agrees("bert", bert, bytes_of(embedded::pretrained_bert));
  check_agrees("bert_bf16", bert, bytes_of(embedded::pretrained_bert_bf16));
}

TEST_CASE("pretrained: names with a prefix and without are the same model") {
  const Bytes gpt2 = bytes_of(embedded::pretrained_gpt2), bert = bytes_of(embedded::pretrained_bert);
  check_agrees("gpt2", config_of(embedded::pretrained_gpt2_config),
               renamed(gpt2, [](const std::string& name) { return "transformer." + name; }));
  check_agrees("bert", config_of(embedded::pretrained_bert_config), renamed(bert, [](const std::string& name) {
                 return name.starts_with("bert.") ? name.substr(5) : name;
               }));
}

TEST_CASE("pretrained: floats are used where they lie in the file, and copied where that is not aligned") {
  const Bytes file = bytes_of(embedded::pretrained_gpt2);
  const Result<Pretrained> model = read_gpt2(file);
  REQUIRE(model);
  CHECK(model->converted.empty());
  const auto* const begin = reinterpret_cast<const float*>(file.data());
  CHECK(model->weights.tokens.data > begin);
  CHECK(model->weights.tokens.data < begin + file.size() / 4);
  Bytes moved(file.size() + 1);
  std::ranges::copy(file, moved.begin() + 1);
  const Result<Pretrained> copied =
      read_pretrained(config_of(embedded::pretrained_gpt2_config), std::span<const std::byte>(moved).subspan(1), "m");
  REQUIRE(copied);
  CHECK(!copied->converted.empty());
}

TEST_CASE("pretrained: a BERT without a head for masked words has no logits, and a GPT-2 may have its own") {
  const Bytes body = renamed(bytes_of(embedded::pretrained_bert), [](const std::string& name) {
    return name.starts_with("cls.predictions") ? std::string() : name;
  });
  const Result<Pretrained> bert = read_pretrained(config_of(embedded::pretrained_bert_config), body, "m");
  REQUIRE(bert);
  CHECK(bert->weights.decoder.empty());
  // A buffer stands for the head, and is refused for its shape: it is read, and not passed over.
  const Result<Pretrained> gpt2 = read_gpt2(renamed(bytes_of(embedded::pretrained_gpt2), [](const std::string& name) {
    return name.ends_with("masked_bias") ? "lm_head.weight" : name;
  }));
  check_refused(gpt2, "\"lm_head.weight\" of model.safetensors has the shape []; [40, 16] is needed");
}

TEST_CASE("pretrained: of a checkpoint that is not as it should be, the tensor or the file is named") {
  const Bytes whole = bytes_of(embedded::pretrained_gpt2);
  // Truncated and oversized.
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() - 1})
    CHECK(!read_gpt2(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))));
  check_refused(read_gpt2(Bytes(whole.begin(), whole.end() - 4)), "model.safetensors is truncated");
  Bytes longer = whole;
  longer.resize(longer.size() + 12);
  check_refused(read_gpt2(longer), "model.safetensors has 12 bytes after its last tensor");
  // Missing, and one that has no place.
  check_refused(read_gpt2(with_header("h.1.ln_2.bias", "h.1.ln_2.bits")),
                "model.safetensors has no tensor \"h.1.ln_2.bias\"; one of the shape [16] is needed");
  PretrainedConfig shallow = config_of(embedded::pretrained_gpt2_config);
  shallow.layers = 1;
  check_refused(read_pretrained(shallow, whole, "model.safetensors"),
                "The tensor \"h.1.ln_1.weight\" of model.safetensors belongs to no part");
  // Another shape, another type.
  check_refused(read_gpt2(with_header("\"shape\":[16,48]", "\"shape\":[48,16]")),
                "\"h.0.attn.c_attn.weight\" of model.safetensors has the shape [48, 16]; [16, 48] is needed");
  check_refused(read_gpt2(with_header("\"F32\"", "\"I32\"")),
                "\"wte.weight\" of model.safetensors has the dtype \"I32\"; F32, F16 or BF16 is needed");
  // A header that lies.
  check_refused(
      read_gpt2(with_header("\"data_offsets\":[0,2560]", "\"data_offsets\":[0,9560]")),
      "\"wte.weight\" of model.safetensors has the shape [40, 16] and the bytes from 0 to 9560, which do not match");
  check_refused(read_gpt2(with_header("\"data_offsets\":[2560,3328]", "\"data_offsets\":[1560,2328]")), "overlaps");
  check_refused(read_gpt2(with_header("\"data_offsets\":[2560,3328]", "\"data_offsets\":[3560,4328]")), "gap");
  // A NaN.
  Bytes broken = whole;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Result<SafetensorsHeader> header = read_safetensors_header(whole, "m");
  REQUIRE(header);
  const TensorEntry* entry = header->find("h.1.mlp.c_fc.bias");
  REQUIRE(entry != nullptr);
  std::memcpy(broken.data() + header->size + entry->begin + 12, &nan, 4);
  check_refused(read_gpt2(broken),
                "\"h.1.mlp.c_fc.bias\" of model.safetensors has a value that is not a finite number, at 3");
}

TEST_CASE("pretrained: a file that is larger than what can be held is refused before it is read") {
  CHECK(check_holds(500'000'000, "model.safetensors"));
  check_refused(check_holds(3'000'000'000, "model.safetensors", 2'147'483'647),
                "model.safetensors has 3 GB; at most 2.1 GB can be held here");
}

TEST_CASE("pretrained: a configuration that is not as it should be is refused, and the field named") {
  const std::string gpt2 = text_of(embedded::pretrained_gpt2_config), bert = text_of(embedded::pretrained_bert_config);
  const auto read = [](const std::string& text) { return read_pretrained_config(text, "config.json"); };
  check_refused(read(""), "config.json is not a JSON object");
  check_refused(read("[]"), "config.json is not a JSON object");
  check_refused(read("{}"), "model_type");
  check_refused(read(replaced(gpt2, "\"gpt2\"", "\"llama\"")), "the model_type \"llama\"; gpt2 or bert is needed");
  check_refused(read(replaced(gpt2, "\"n_head\": 4", "\"n_head\": 3")), "3 heads and the size 16");
  check_refused(read(replaced(gpt2, "\"n_head\": 4", "\"n_head\": 0")), "n_head of config.json is \"0\"");
  check_refused(read(replaced(gpt2, "\"n_embd\": 16", "\"n_embd\": 1e9")), "n_embd of config.json is \"1e9\"");
  check_refused(read(replaced(gpt2, "\"n_embd\": 16", "\"n_embd\": \"16\"")), "n_embd");
  check_refused(read(replaced(gpt2, "\"vocab_size\"", "\"words\"")), "config.json has no vocab_size");
  check_refused(read(replaced(gpt2, "gelu_new", "silu")), "activation_function of config.json is \"silu\"");
  check_refused(read(replaced(gpt2, "1e-05", "-1")), "layer_norm_epsilon of config.json is \"-1\"");
  check_refused(read(replaced(bert, "{", "{\"position_embedding_type\": \"relative_key\",")), "relative_key");
  check_refused(read(replaced(bert, "{", "{\"is_decoder\": true,")), "is_decoder on");
  check_refused(read(replaced(gpt2, "{", "{\"scale_attn_weights\": false,")), "scale_attn_weights off");

  // What the first checkpoints left out.
  const auto old = read(replaced(replaced(replaced(gpt2, "\"model_type\": \"gpt2\",", ""), "\"n_positions\"", "\"x\""),
                                 "\"activation_function\": \"gelu_new\",", ""));
  REQUIRE(old);
  CHECK(old->family == Family::gpt2);
  CHECK(old->positions == 12);
  CHECK(old->inner == 64);
  CHECK(old->gelu == Gelu::tangent);
  const auto tangent = read(replaced(bert, "\"gelu\"", "\"gelu_new\""));
  REQUIRE(tangent);
  CHECK(tangent->gelu == Gelu::tangent);
  CHECK(read(bert)->gelu == Gelu::exact);
  CHECK(read(bert)->epsilon == 1e-12);
}
