#include "core/layer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "unit/attention_support.h"

using namespace limelight;

namespace {

struct Heads {
  int heads, key_heads;
};
constexpr Heads kHeads[] = {{1, 1}, {3, 3}, {4, 2}, {6, 2}, {4, 1}};

// Sizes that all differ: T queries of D_query features, S keys of D_key, values of D_value.
constexpr int kQueries = 4, kKeys = 5, kQuerySize = 5, kKeySize = 3, kValueSize = 7, kHeadSize = 2, kHeadValueSize = 3,
              kOutputSize = 6;

template <class Scalar>
LayerInputs<Scalar> layer_inputs(Random& random) {
  return {random_matrix<Scalar>(kQueries, kQuerySize, random), random_matrix<Scalar>(kKeys, kKeySize, random),
          random_matrix<Scalar>(kKeys, kValueSize, random)};
}

// All of the weights filled, for inputs with these sizes.
template <class Scalar>
LayerWeights<Scalar> layer_weights(Heads heads, int query_size, int key_size, int value_size,
                                   const AttentionOptions& options, Random& random) {
  return {.heads = heads.heads,
          .key_heads = heads.key_heads,
          .w_q = random_matrix<Scalar>(query_size, heads.heads * kHeadSize, random),
          .w_k = random_matrix<Scalar>(key_size, heads.key_heads * kHeadSize, random),
          .w_v = random_matrix<Scalar>(value_size, heads.key_heads * kHeadValueSize, random),
          .w_o = random_matrix<Scalar>(heads.heads * kHeadValueSize, kOutputSize, random),
          .attention = {.score = score_parameters<Scalar>(options.score, kHeadSize, kHeadSize, 3, random),
                        .positions = options.positions == Positions::learned
                                         ? random_matrix<Scalar>(kKeys, kHeadSize, random)
                                         : MatrixOf<Scalar>()}};
}

template <class Scalar>
LayerWeights<Scalar> layer_weights(Heads heads, const AttentionOptions& options, Random& random) {
  return layer_weights<Scalar>(heads, kQuerySize, kKeySize, kValueSize, options, random);
}

// An output is a sum of up to 18 numbers of about 10, each a mean of sums of up to 7 products.
template <class Scalar>
constexpr double kRounding = 400 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());

// Every score, normalizer, kind of positions, and a mask, though not every combination.
std::vector<AttentionOptions> options_list() {
  std::vector<AttentionOptions> list;
  for (const Score kind : kScores)
    for (const Positions positions : kPositions)
      list.push_back({.score = kind, .scale = 0.7, .mask = Mask::causal(), .positions = positions});
  for (const Normalizer normalizer : kNormalizers)
    list.push_back({.temperature = 1.3, .normalizer = normalizer, .seed = 3});
  for (const Mask& mask : masks(kQueries, kKeys)) list.push_back({.scale = 0.7, .mask = mask});
  return list;
}

// x with its rows, or its columns in blocks, in another order.
MatrixOf<double> rows_in(const MatrixOf<double>& x, const std::vector<int>& order) { return x(order, Eigen::all); }
MatrixOf<double> column_blocks_in(const MatrixOf<double>& x, const std::vector<int>& order) {
  const Eigen::Index size = x.cols() / static_cast<Eigen::Index>(order.size());
  MatrixOf<double> out(x.rows(), x.cols());
  for (std::size_t h = 0; h < order.size(); ++h)
    out.middleCols(static_cast<Eigen::Index>(h) * size, size) = x.middleCols(order[h] * size, size);
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("layer: multi-head attention agrees with its definition, however keys are shared", Scalar, float,
                   double) {
  for (const Heads heads : kHeads)
    for (const AttentionOptions& options : options_list()) {
      CAPTURE(heads.heads);
      CAPTURE(heads.key_heads);
      CAPTURE(static_cast<int>(options.score));
      CAPTURE(static_cast<int>(options.normalizer));
      CAPTURE(static_cast<int>(options.positions));
      Random random(131);
      const auto inputs = layer_inputs<Scalar>(random);
      auto weights = layer_weights<Scalar>(heads, options, random);
      const auto steps = multi_head<Scalar>(inputs, weights, options);
      CHECK(steps.output.cols() == kOutputSize);
      CHECK(largest_difference(steps.output, multi_head_naive<Scalar>(inputs, weights, options)) < kRounding<Scalar>);
      weights.w_o.resize(0, 0);
      const auto without = multi_head<Scalar>(inputs, weights, options);
      CHECK(without.output == steps.concatenated);
      CHECK(largest_difference(without.output, multi_head_naive<Scalar>(inputs, weights, options)) < kRounding<Scalar>);
    }
}

TEST_CASE("layer: every step has the shape that its comment states") {
  Random random(137);
  const auto inputs = layer_inputs<float>(random);
  const auto weights = layer_weights<float>({6, 2}, {}, random);
  const auto steps = multi_head<float>(inputs, weights, {});
  const auto has_shape = [](const Matrix& x, int rows, int columns) { return x.rows() == rows && x.cols() == columns; };
  CHECK(has_shape(steps.Q, kQueries, 6 * kHeadSize));
  CHECK(has_shape(steps.K, kKeys, 2 * kHeadSize));
  CHECK(has_shape(steps.V, kKeys, 2 * kHeadValueSize));
  CHECK(has_shape(steps.concatenated, kQueries, 6 * kHeadValueSize));
  CHECK(has_shape(steps.output, kQueries, kOutputSize));
  REQUIRE(steps.heads.size() == 6);
  for (const auto& head : steps.heads) CHECK(has_shape(head.weights, kQueries, kKeys));
}

TEST_CASE("layer: one head without weights is attention itself") {
  for (const AttentionOptions& options : options_list()) {
    auto c = attention_case<double>(kQueries, kKeys, 4, 3, options, 139);
    const LayerWeights<double> weights{.attention = c.parameters};
    if (options.positions == Positions::linear_bias) c.options.slope = 0x1p-8;  // 2^(−8h/H) with h = H = 1
    const auto steps = multi_head<double>({c.query, c.key, c.value}, weights, options);
    CHECK(steps.output == c.traced().output);
    CHECK(steps.heads[0].weights == c.traced().weights);
  }
}

TEST_CASE("layer: heads without weights split the columns") {
  const auto c = attention_case<double>(4, 5, 6, 9, {.scale = 0.5}, 149);
  const auto steps = multi_head<double>({c.query, c.key, c.value}, {.heads = 3, .key_heads = 3}, c.options);
  for (int h = 0; h < 3; ++h) {
    const auto alone = attend_traced<double>(c.query.middleCols(2 * h, 2), c.key.middleCols(2 * h, 2),
                                             c.value.middleCols(3 * h, 3), c.options);
    CHECK(largest_difference(steps.output.middleCols(3 * h, 3), alone.output) < kRounding<double>);
  }
}

TEST_CASE("layer: shared heads of keys and values are ordinary heads whose weights are repeated") {
  for (const Heads heads : kHeads) {
    CAPTURE(heads.heads);
    CAPTURE(heads.key_heads);
    Random random(151);
    const auto inputs = layer_inputs<double>(random);
    const auto grouped = layer_weights<double>(heads, {}, random);
    LayerWeights<double> repeated = grouped;
    repeated.key_heads = heads.heads;
    repeated.w_k.resize(kKeySize, heads.heads * kHeadSize);
    repeated.w_v.resize(kValueSize, heads.heads * kHeadValueSize);
    const int group = heads.heads / heads.key_heads;
    for (int h = 0; h < heads.heads; ++h) {
      repeated.w_k.middleCols(h * kHeadSize, kHeadSize) = grouped.w_k.middleCols(h / group * kHeadSize, kHeadSize);
      repeated.w_v.middleCols(h * kHeadValueSize, kHeadValueSize) =
          grouped.w_v.middleCols(h / group * kHeadValueSize, kHeadValueSize);
    }
    const auto shared_steps = multi_head<double>(inputs, grouped, {});
    const auto repeated_steps = multi_head<double>(inputs, repeated, {});
    CHECK(largest_difference(shared_steps.output, repeated_steps.output) < kRounding<double>);

    // And the gradient of a shared head is the sum over those who share it.
    const MatrixOf<double> ones = MatrixOf<double>::Ones(kQueries, kOutputSize);
    const auto shared = multi_head_backward<double>(inputs, grouped, {}, shared_steps, ones);
    const auto apart = multi_head_backward<double>(inputs, repeated, {}, repeated_steps, ones);
    MatrixOf<double> sum = MatrixOf<double>::Zero(kKeySize, heads.key_heads * kHeadSize);
    for (int h = 0; h < heads.heads; ++h)
      sum.middleCols(h / group * kHeadSize, kHeadSize) += apart.weights.w_k.middleCols(h * kHeadSize, kHeadSize);
    CHECK(largest_difference(shared.weights.w_k, sum) < kRounding<double>);
    CHECK(largest_difference(shared.inputs.key, apart.inputs.key) < kRounding<double>);
  }
}

TEST_CASE("layer: the order of heads is arbitrary, as long as W_o's rows follow it") {
  Random random(157);
  const auto inputs = layer_inputs<double>(random);
  const auto weights = layer_weights<double>({3, 3}, {}, random);
  const std::vector<int> order = {2, 0, 1};
  LayerWeights<double> permuted = weights;
  permuted.w_q = column_blocks_in(weights.w_q, order);
  permuted.w_k = column_blocks_in(weights.w_k, order);
  permuted.w_v = column_blocks_in(weights.w_v, order);
  permuted.w_o = column_blocks_in(weights.w_o.transpose(), order).transpose();
  const auto plain_output = multi_head<double>(inputs, weights, {}).output;
  CHECK(largest_difference(multi_head<double>(inputs, permuted, {}).output, plain_output) < kRounding<double>);
  permuted.w_o = weights.w_o;
  CHECK(largest_difference(multi_head<double>(inputs, permuted, {}).output, plain_output) > 0.1);
}

TEST_CASE("linear bias: every head has a slope of its own, 2^(−8h/H)") {
  Random random(163);
  const auto inputs = layer_inputs<double>(random);
  const auto weights = layer_weights<double>({4, 2}, {}, random);
  const auto plain = multi_head<double>(inputs, weights, {});
  const auto biased = multi_head<double>(inputs, weights, {.positions = Positions::linear_bias});
  for (int h = 0; h < 4; ++h) {
    const auto bias =
        biased.heads[static_cast<std::size_t>(h)].scaled - plain.heads[static_cast<std::size_t>(h)].scaled;
    CHECK(std::abs(bias(0, 4) + 4 * std::pow(2, -8.0 * (h + 1) / 4)) < kRounding<double>);
  }
}

TEST_CASE("gumbel: heads that see the same draw apart") {
  Random random(167);
  const LayerInputs<float> inputs{Matrix::Zero(64, 4), Matrix::Zero(64, 4), random_matrix<float>(64, 4, random)};
  const auto steps =
      multi_head<float>(inputs, {.heads = 2, .key_heads = 2}, {.normalizer = Normalizer::gumbel, .seed = 7});
  CHECK(steps.heads[0].weights != steps.heads[1].weights);
}

TEST_CASE("layer: from one query to self-attention, each layer is the one before with more of it tied or learned") {
  Random random(173);
  const auto X = random_matrix<double>(6, 4, random);
  const auto other = random_matrix<double>(5, 4, random);
  const auto Q = random_matrix<double>(3, 4, random);
  const AttentionOptions options{.scale = 0.5};

  const auto layer = attention_layer<double>(Q, X, options);
  CHECK(layer.output == attend_traced<double>(Q, X, X, options).output);
  for (int i = 0; i < 3; ++i)
    CHECK(largest_difference(single_query<double>(Q.row(i), X, options).output, layer.output.row(i)) <
          kRounding<double>);

  LayerWeights<double> weights = layer_weights<double>({3, 3}, 4, 4, 4, options, random);
  LayerWeights<double> identity;
  identity.w_k = identity.w_v = MatrixOf<double>::Identity(4, 4);
  CHECK(largest_difference(key_value_attention<double>(Q, X, identity, options).output, layer.output) <
        kRounding<double>);
  LayerWeights<double> without_query = weights;
  without_query.w_q.resize(0, 0);
  const MatrixOf<double> projected = X * weights.w_q;
  const auto self = self_attention<double>(X, weights, options);
  CHECK(largest_difference(key_value_attention<double>(projected, X, without_query, options).output, self.output) <
        kRounding<double>);

  CHECK(cross_attention<double>(X, X, weights, options).output == self.output);
  CHECK(multi_head<double>({X, X, X}, weights, options).output == self.output);
  CHECK(cross_attention<double>(X, other, weights, options).output ==
        multi_head<double>({X, other, other}, weights, options).output);
}

TEST_CASE("self-attention: permuting the tokens permutes the output, unless they know where they stand") {
  Random random(179);
  const auto X = random_matrix<double>(5, 4, random);
  const std::vector<int> order = {3, 0, 4, 1, 2};
  for (const Positions positions : kPositions) {
    CAPTURE(static_cast<int>(positions));
    const AttentionOptions options{.positions = positions};
    const auto weights = layer_weights<double>({4, 2}, 4, 4, 4, options, random);
    const MatrixOf<double> permuted = self_attention<double>(rows_in(X, order), weights, options).output;
    const MatrixOf<double> expected = rows_in(self_attention<double>(X, weights, options).output, order);
    if (positions == Positions::none)
      CHECK(largest_difference(permuted, expected) < kRounding<double>);
    else
      CHECK(largest_difference(permuted, expected) > 0.01);
  }
}

TEST_CASE("layer: every gradient agrees with finite differences, however keys are shared") {
  for (const Heads heads : {Heads{3, 3}, Heads{4, 2}, Heads{4, 1}})
    for (const AttentionOptions& options : options_list())
      for (const bool has_projections : {true, false}) {
        if (!has_projections && heads.key_heads != 2) continue;
        CAPTURE(heads.heads);
        CAPTURE(heads.key_heads);
        CAPTURE(static_cast<int>(options.score));
        CAPTURE(static_cast<int>(options.normalizer));
        CAPTURE(static_cast<int>(options.positions));
        CAPTURE(has_projections);
        Random random(181);
        auto inputs = layer_inputs<double>(random);
        auto weights = layer_weights<double>(heads, options, random);
        if (!has_projections) {
          inputs.query = inputs.query * weights.w_q;
          inputs.value = inputs.value * weights.w_v;
          weights.w_q.resize(0, 0);
          weights.w_v.resize(0, 0);
          weights.w_o.resize(0, 0);
        }
        const auto steps = multi_head<double>(inputs, weights, options);
        const auto grad_output = random_matrix<double>(kQueries, static_cast<int>(steps.output.cols()), random);
        const auto supports_of = [](const LayerSteps<double>& of) {
          std::vector<BoolMatrix> supports;
          for (const auto& head : of.heads) supports.emplace_back((head.weights.array() > 0).matrix());
          return supports;
        };
        const auto supports = supports_of(steps);
        bool supports_stay = true;
        const auto loss = [&] {
          const auto moved = multi_head<double>(inputs, weights, options);
          supports_stay = supports_stay && supports_of(moved) == supports;
          return moved.output.cwiseProduct(grad_output).sum();
        };
        const auto grad = multi_head_backward<double>(inputs, weights, options, steps, grad_output);
        // Rounding of the finite differences with losses of about 100, and their truncation.
        constexpr double tolerance = 1e-6;
        using Inputs = LayerInputs<double>;
        for (const auto input : {&Inputs::query, &Inputs::key, &Inputs::value})
          CHECK(largest_difference(grad.inputs.*input, finite_difference(inputs.*input, loss)) < tolerance);
        using Weights = LayerWeights<double>;
        for (const auto weight : {&Weights::w_q, &Weights::w_k, &Weights::w_v, &Weights::w_o})
          CHECK(largest_difference(grad.weights.*weight, finite_difference(weights.*weight, loss)) < tolerance);
        CHECK(largest_difference(grad.weights.attention.positions,
                                 finite_difference(weights.attention.positions, loss)) < tolerance);
        using Parameters = ScoreParameters<double>;
        for (const auto parameter :
             {&Parameters::w_general, &Parameters::w_query, &Parameters::w_key, &Parameters::v, &Parameters::bias})
          CHECK(largest_difference(grad.weights.attention.score.*parameter,
                                   finite_difference(weights.attention.score.*parameter, loss)) < tolerance);
        REQUIRE(supports_stay);
      }
}

TEST_CASE("self-attention: the gradient of its input is the sum of its parts") {
  Random random(191);
  auto X = random_matrix<double>(4, 4, random);
  const auto weights = layer_weights<double>({4, 2}, 4, 4, 4, {}, random);
  const auto grad_output = random_matrix<double>(4, kOutputSize, random);
  const auto loss = [&] { return self_attention<double>(X, weights, {}).output.cwiseProduct(grad_output).sum(); };
  const auto grad =
      multi_head_backward<double>({X, X, X}, weights, {}, self_attention<double>(X, weights, {}), grad_output);
  CHECK(largest_difference(grad.inputs.query + grad.inputs.key + grad.inputs.value, finite_difference(X, loss)) < 1e-7);
}
