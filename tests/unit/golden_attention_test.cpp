// The core against tests/golden/attention.json, which says at the top of attention.py what it holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/analysis.h"
#include "core/feature_wise.h"
#include "core/fused.h"
#include "core/layer.h"
#include "core/linear.h"
#include "embedded/golden_attention.h"
#include "unit/core_support.h"
#include "unit/json_reader.h"

using namespace limelight;
using test::Json;

namespace {

const std::vector<Json>& cases() {
  static const Json file = test::JsonReader(embedded::golden_attention).read();
  return file.at("cases").items;
}

// By name; three dimensions are two, the matrices one below the other.
template <class Scalar>
using Tensors = std::map<std::string, MatrixOf<Scalar>>;

template <class Scalar>
Tensors<Scalar> read_tensors(const Json& object) {
  Tensors<Scalar> tensors;
  for (const auto& [name, tensor] : object.members) {
    const std::vector<Json>& shape = tensor.at("shape").items;
    const auto columns = static_cast<Eigen::Index>(shape.back().number);
    const std::vector<Json>& data = tensor.at("data").items;
    MatrixOf<Scalar> matrix(static_cast<Eigen::Index>(data.size()) / columns, columns);
    for (std::size_t i = 0; i < data.size(); ++i) matrix.data()[i] = static_cast<Scalar>(data[i].number);
    tensors[name] = matrix;
  }
  return tensors;
}

double number_or(const Json& options, std::string_view name, double otherwise) {
  const Json* found = options.find(name);
  return found == nullptr ? otherwise : found->number;
}

std::string word_or(const Json& options, std::string_view name, std::string otherwise) {
  const Json* found = options.find(name);
  return found == nullptr ? otherwise : found->text;
}

template <class Scalar>
Mask read_mask(const Json& options, const Tensors<Scalar>& inputs) {
  Mask mask;
  const Json* terms = options.find("mask");
  if (terms == nullptr) return mask;
  for (const Json& term : terms->items) {
    const std::size_t colon = term.text.find(':');
    const std::string name = term.text.substr(0, colon);
    const int number = colon == std::string::npos ? 0 : std::stoi(term.text.substr(colon + 1));
    if (name == "causal") mask = mask & Mask::causal();
    if (name == "window") mask = mask & Mask::window(number);
    if (name == "block") mask = mask & Mask::block(number);
    if (name == "lengths") mask = mask & Mask::length(number);
    if (name == "matrix") mask = mask & Mask::allowed((inputs.at("mask").array() != 0).matrix());
  }
  return mask;
}

template <class Scalar>
struct Call {
  LayerInputs<Scalar> inputs;
  LayerWeights<Scalar> weights;
  AttentionOptions options;
};

template <class Scalar>
Call<Scalar> read_call(const Json& options, Tensors<Scalar>& inputs) {
  static const std::map<std::string, Score> scores = {{"dot", Score::dot},
                                                      {"scaled-dot", Score::dot},
                                                      {"cosine", Score::cosine},
                                                      {"general", Score::general},
                                                      {"additive", Score::additive}};
  static const std::map<std::string, Normalizer> normalizers = {{"softmax", Normalizer::softmax},
                                                                {"hard", Normalizer::hard},
                                                                {"gumbel", Normalizer::gumbel},
                                                                {"sparsemax", Normalizer::sparsemax},
                                                                {"entmax15", Normalizer::entmax15}};
  static const std::map<std::string, Positions> positions = {{"none", Positions::none},
                                                             {"sinusoidal", Positions::sinusoidal},
                                                             {"learned", Positions::learned},
                                                             {"rope", Positions::rotary},
                                                             {"alibi", Positions::linear_bias}};
  Call<Scalar> call{{inputs["query"], inputs["key"], inputs["value"]},
                    {.w_q = inputs["w_q"],
                     .w_k = inputs["w_k"],
                     .w_v = inputs["w_v"],
                     .w_o = inputs["w_o"],
                     .attention = {.score = {.w_general = inputs["w_general"],
                                             .w_query = inputs["w_query"],
                                             .w_key = inputs["w_key"],
                                             .v = inputs["v"],
                                             .bias = inputs["bias"]},
                                   .positions = inputs["position_table"]}},
                    {}};
  call.weights.heads = static_cast<int>(number_or(options, "heads", 1));
  call.weights.key_heads = static_cast<int>(number_or(options, "key_heads", call.weights.heads));
  const std::string score = word_or(options, "score", "scaled-dot");
  const MatrixOf<Scalar>& K = call.weights.w_k.size() > 0 ? call.weights.w_k : call.inputs.key;
  const double head_size = static_cast<double>(K.cols()) / call.weights.key_heads;
  call.options = {.score = scores.at(score),
                  .scale = number_or(options, "scale", score == "scaled-dot" ? 1 / std::sqrt(head_size) : 1),
                  .temperature = number_or(options, "temperature", 1),
                  .mask = read_mask(options, inputs),
                  .normalizer = normalizers.at(word_or(options, "normalizer", "softmax")),
                  .seed = static_cast<std::uint64_t>(number_or(options, "seed", 0)),
                  .positions = positions.at(word_or(options, "positions", "none")),
                  .slope = linear_bias_slope(1, 1)};
  return call;
}

template <class Scalar>
void add_parameter_gradients(Tensors<Scalar>& results, const AttentionParameters<Scalar>& gradients) {
  results["grad_w_general"] = gradients.score.w_general;
  results["grad_w_query"] = gradients.score.w_query;
  results["grad_w_key"] = gradients.score.w_key;
  results["grad_v"] = gradients.score.v;
  results["grad_bias"] = gradients.score.bias;
  results["grad_position_table"] = gradients.positions;
}

template <class Scalar>
Tensors<Scalar> run_layer(const Json& options, Tensors<Scalar>& inputs) {
  const Call<Scalar> call = read_call<Scalar>(options, inputs);
  const LayerSteps<Scalar> steps = multi_head<Scalar>(call.inputs, call.weights, call.options);
  const LayerGradients<Scalar> gradients =
      multi_head_backward<Scalar>(call.inputs, call.weights, call.options, steps, inputs["grad_output"]);
  Tensors<Scalar> results = {{"output", steps.output},
                             {"grad_query", gradients.inputs.query},
                             {"grad_key", gradients.inputs.key},
                             {"grad_value", gradients.inputs.value},
                             {"grad_w_q", gradients.weights.w_q},
                             {"grad_w_k", gradients.weights.w_k},
                             {"grad_w_v", gradients.weights.w_v},
                             {"grad_w_o", gradients.weights.w_o}};
  add_parameter_gradients<Scalar>(results, gradients.weights.attention);
  const Eigen::Index queries = call.inputs.query.rows();
  MatrixOf<Scalar> weights(call.weights.heads * queries, call.inputs.key.rows());
  for (int h = 0; h < call.weights.heads; ++h)
    weights.middleRows(h * queries, queries) = steps.heads[static_cast<std::size_t>(h)].weights;
  results["weights"] = weights;
  return results;
}

template <class Scalar>
Tensors<Scalar> run_attend(const Json& options, Tensors<Scalar>& inputs) {
  if (options.find("heads") != nullptr) return run_layer<Scalar>(options, inputs);
  const Call<Scalar> call = read_call<Scalar>(options, inputs);
  const auto& [query, key, value] = call.inputs;
  const AttentionParameters<Scalar>& parameters = call.weights.attention;
  const AttentionSteps<Scalar> steps = attend_traced<Scalar>(query, key, value, call.options, parameters);
  const AttentionGradients<Scalar> gradients =
      attend_backward<Scalar>(query, key, value, call.options, parameters, steps, inputs["grad_output"]);
  Tensors<Scalar> results = {{"weights", steps.weights},
                             {"output", steps.output},
                             {"grad_query", gradients.query},
                             {"grad_key", gradients.key},
                             {"grad_value", gradients.value}};
  add_parameter_gradients<Scalar>(results, gradients.parameters);
  return results;
}

template <class Scalar>
Tensors<Scalar> run_feature_wise(Tensors<Scalar>& in) {
  const auto forward = feature_wise<Scalar>(in["hidden"], in["encoder_outputs"], in["w"], in["bias"]);
  const auto gradients =
      feature_wise_backward<Scalar>(in["hidden"], in["encoder_outputs"], in["w"], in["bias"], in["grad_weights"]);
  return {{"scores", forward.scores},        {"weights", forward.weights},
          {"grad_hidden", gradients.hidden}, {"grad_encoder_outputs", gradients.encoder_outputs},
          {"grad_w", gradients.w},           {"grad_bias", gradients.bias}};
}

template <class Scalar>
Tensors<Scalar> run_linear(const Json& options, Tensors<Scalar>& in) {
  const bool causal = number_or(options, "causal", 0) != 0;
  const auto gradients = attend_linear_backward<Scalar>(in["query"], in["key"], in["value"], in["grad_output"], causal);
  return {{"output", attend_linear<Scalar>(in["query"], in["key"], in["value"], causal)},
          {"grad_query", gradients.query},
          {"grad_key", gradients.key},
          {"grad_value", gradients.value}};
}

Tensors<float> run_analysis(const Json& options, Tensors<float>& in) {
  const Matrix& weights = in["weights"];
  const double temperature = number_or(options, "temperature", 1);
  Matrix masked = Matrix::Zero(weights.rows(), 1);
  for (const int row : fully_masked_rows(weights)) masked(row, 0) = 1;
  return {
      {"entropy", entropy(weights)},
      {"effective_keys", effective_keys(weights)},
      {"largest_weight", largest_weight(weights)},
      {"fully_masked", masked},
      {"softmax_jacobian_norm", softmax_jacobian_norm(weights, temperature)},
      {"query_jacobian_norm", query_jacobian_norm(weights, in["key"], number_or(options, "scale", 1), temperature)}};
}

Tensors<float> run_rollout(Tensors<float>& in) {
  const Matrix& stacked = in["layers"];
  std::vector<Matrix> layers;
  for (Eigen::Index row = 0; row < stacked.rows(); row += stacked.cols())
    layers.emplace_back(stacked.middleRows(row, stacked.cols()));
  return {{"rollout", rollout(layers)}};
}

// Double: the file's nine digits. Single: each operation rounds at 6e-8, a dozen follow each other, and gradients are
// sums of up to a hundred such terms, some of them larger than the sum.
template <class Scalar>
constexpr double kTolerance = sizeof(Scalar) == sizeof(double) ? 1e-8 : 1e-5;

template <class Scalar>
void compare(const std::string& name, const Tensors<Scalar>& results, const Tensors<double>& expected) {
  for (const auto& [tensor, golden] : expected) {
    const auto found = results.find(tensor);
    CAPTURE(name);
    CAPTURE(tensor);
    REQUIRE(found != results.end());
    REQUIRE(found->second.rows() == golden.rows());
    REQUIRE(found->second.cols() == golden.cols());
    const double size = std::max(1.0, golden.cwiseAbs().maxCoeff());
    CHECK(largest_difference(found->second, golden) <= kTolerance<Scalar> * size);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("golden: attention, layers and linear attention have the reference's numbers and gradients", Scalar,
                   float, double) {
  int compared = 0;
  for (const Json& golden : cases()) {
    const std::string kind = golden.at("kind").text;
    const Json& options = golden.at("options");
    Tensors<Scalar> inputs = read_tensors<Scalar>(golden.at("inputs"));
    Tensors<Scalar> results;
    if (kind == "attend")
      results = run_attend<Scalar>(options, inputs);
    else if (kind == "multi_head")
      results = run_layer<Scalar>(options, inputs);
    else if (kind == "feature_wise")
      results = run_feature_wise<Scalar>(inputs);
    else if (kind == "linear")
      results = run_linear<Scalar>(options, inputs);
    else
      continue;
    ++compared;
    compare<Scalar>(golden.at("name").text, results, read_tensors<double>(golden.at("expected")));
  }
  CHECK(compared >= 70);
}

TEST_CASE("golden: the fused path has the reference's output") {
  int compared = 0;
  for (const Json& golden : cases()) {
    const Json& options = golden.at("options");
    const std::string score = word_or(options, "score", "scaled-dot");
    const std::string positions = word_or(options, "positions", "none");
    if (golden.at("kind").text != "attend" || options.find("heads") != nullptr ||
        options.find("normalizer") != nullptr || !score.ends_with("dot") ||
        (positions != "none" && positions != "alibi"))
      continue;
    ++compared;
    Tensors<float> inputs = read_tensors<float>(golden.at("inputs"));
    const Call<float> call = read_call<float>(options, inputs);
    const Tensors<double> expected = {{"output", read_tensors<double>(golden.at("expected")).at("output")}};
    compare<float>(golden.at("name").text,
                   {{"output", attend_fused(call.inputs.query, call.inputs.key, call.inputs.value, call.options)}},
                   expected);
  }
  CHECK(compared >= 15);
}

TEST_CASE("golden: what is read off weights has the reference's numbers") {
  int compared = 0;
  for (const Json& golden : cases()) {
    const std::string kind = golden.at("kind").text;
    if (kind != "analysis" && kind != "rollout") continue;
    Tensors<float> inputs = read_tensors<float>(golden.at("inputs"));
    ++compared;
    compare<float>(golden.at("name").text,
                   kind == "analysis" ? run_analysis(golden.at("options"), inputs) : run_rollout(inputs),
                   read_tensors<double>(golden.at("expected")));
  }
  CHECK(compared == 3);
}
