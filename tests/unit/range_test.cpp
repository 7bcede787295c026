#include "core/range.h"

#include <doctest/doctest.h>

#include "core/fused.h"
#include "unit/core_support.h"

using namespace limelight;

namespace {

Matrix single(float x) { return Matrix::Constant(1, 1, x); }

}  // namespace

TEST_CASE("range: a factor that is no float is told by itself, whatever the scores") {
  for (const AttentionOptions& options :
       {AttentionOptions{.scale = 1e300}, AttentionOptions{.scale = -1e39}, AttentionOptions{.temperature = 1e-300},
        AttentionOptions{.scale = 1e30, .temperature = 1e-30},
        AttentionOptions{.scale = 1e300, .temperature = 1e-300}}) {
    CHECK(!factor_stays_finite(options));
    CHECK(!scores_stay_finite(0, options, 1, 1));
    CHECK(!dot_scores_stay_finite(single(0), single(0), options));
  }
  CHECK(factor_stays_finite({.scale = 1e300, .temperature = 1e300}));
  CHECK(factor_stays_finite({.scale = -3.4e38}));
}

TEST_CASE("range: dot scores beyond float32 are told before they are computed, and the others are let through") {
  Matrix key(2, 1);
  key << 2e19F, 1;
  CHECK(!dot_scores_stay_finite(single(2e19F), key, {}));
  CHECK(!dot_scores_stay_finite(single(-2e19F), key, {}));
  CHECK(dot_scores_stay_finite(single(1e19F), key, {}));
  CHECK(!dot_scores_stay_finite(single(1e19F), key, {.temperature = 0.1}));
  CHECK(!dot_scores_stay_finite(single(1e30F), single(1e-30F), {.scale = 1e10}));  // the scaled query
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const float broken : {infinity, -infinity, nan}) {
    Matrix some(3, 1);
    some << 1, broken, 2;
    CHECK(!dot_scores_stay_finite(some, key, {}));
    CHECK(!dot_scores_stay_finite(key, some, {}));
  }
}

TEST_CASE("range: what is let through comes out of the kernels as the definition has it") {
  // Scores of ±3.2e38: as large as they are let through.
  Matrix key(2, 1), value(2, 1);
  key << 1.6e19F, -1.6e19F;
  value << 1, -1;
  for (const float sign : {1.F, -1.F}) {
    const Matrix query = single(sign * 2e19F);
    REQUIRE(dot_scores_stay_finite(query, key, {}));
    CHECK(attend_fused(query, key, value, {}) == single(sign));
    CHECK(attend_weights(query, key, value, {}).output == single(sign));
    CHECK(attend_traced<float>(query, key, value, {}).output == single(sign));
  }
}

TEST_CASE("range: a linear bias counts") {
  const AttentionOptions steep{.temperature = 1e-36, .positions = Positions::linear_bias};
  CHECK(scores_stay_finite(0, steep, 100, 3));
  CHECK(!scores_stay_finite(0, steep, 3, 1000));
  CHECK(!scores_stay_finite(0, steep, 1000, 3));
}

TEST_CASE("range: steps tell of scores and weights that are not finite") {
  Random random(1);
  const LayerInputs<float> inputs{random_matrix<float>(3, 4, random), random_matrix<float>(5, 4, random),
                                  random_matrix<float>(5, 2, random)};
  const LayerSteps<float> steps = multi_head<float>(inputs, {.heads = 2, .key_heads = 2}, {});
  CHECK(scores_stay_finite(steps, {}));
  CHECK(!scores_stay_finite(steps, {.scale = 3.4e38, .temperature = 0.5}));
  for (MatrixOf<float> AttentionSteps<float>::* part :
       {&AttentionSteps<float>::scores, &AttentionSteps<float>::weights}) {
    LayerSteps<float> broken = steps;
    (broken.heads[1].*part)(1, 2) = std::numeric_limits<float>::quiet_NaN();
    CHECK(!scores_stay_finite(broken, {}));
  }
}

TEST_CASE("range: no score hides what overflows on the way to it") {
  Random random(2);
  const Matrix large = Matrix::Constant(1, 2, 3e38F);
  Matrix crossed(2, 1);
  crossed << 2, -2;  // ∞ − ∞
  const ScoreParameters<float> additive{
      .w_query = crossed, .w_key = crossed, .v = Matrix::Ones(1, 1), .bias = Matrix::Zero(1, 1)};
  for (int keys = 1; keys < 9; ++keys)
    CHECK(!score<float>(Score::additive, large, Matrix::Constant(keys, 2, 1.F), additive).allFinite());
  const ScoreParameters<float> general{.w_general = Matrix::Constant(2, 2, 3)};
  CHECK(!score<float>(Score::general, large, Matrix::Ones(3, 2), general).allFinite());
}
