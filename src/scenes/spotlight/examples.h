// The numbers of Spotlight's examples.
#pragma once

#include <span>
#include <string_view>

#include "core/matrix.h"

namespace limelight::scenes::spotlight {

// The fox example's features in words: what a query with this feature looks for, and what a key with it is.
struct Feature {
  std::string_view name;
  std::string_view phrase;  // "a doer"
};
std::span<const Feature> fox_features();
struct Start {
  Matrix X, W_q, W_k, W_v;
};
Start coffee();
Start fox();

// The article “day 1”: two queries, three keys, given as they are.
struct Given {
  Matrix Q, K, V;
};
Given day1();

}  // namespace limelight::scenes::spotlight
