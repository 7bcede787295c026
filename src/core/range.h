// What stays within single precision, which ends at 3.4e38. The kernels take it for granted: beyond it their
// exponential makes ordinary numbers of what is none.
#pragma once

#include "core/layer.h"

namespace limelight {

// Whether what the scores are multiplied by, scale / temperature, is a float.
bool factor_stays_finite(const AttentionOptions& options);

// Whether scores between −largest and largest stay finite on their way to the normalizer, for so many queries and keys.
// A linear bias counts with the slope 1, than which none is steeper.
bool scores_stay_finite(double largest, const AttentionOptions& options, Eigen::Index queries, Eigen::Index keys);

// The same for all dot scores of query: [T, D] and key: [S, D], positions included, without computing them: no score is
// larger than the product of the lengths (Cauchy and Schwarz). It may say no where a score would just fit.
bool dot_scores_stay_finite(const ConstMatrixRef& query, const ConstMatrixRef& key, const AttentionOptions& options);

// The same for the scores that these steps have, and whether their weights are finite.
bool scores_stay_finite(const LayerSteps<float>& steps, const AttentionOptions& options);

}  // namespace limelight
