// The training as a job that lasts: batch by batch, with looks at what is held out in between. The models with and
// without attention are both kept; the state says which of them goes on.
#pragma once

#include <array>
#include <memory>

#include "learn/run.h"
#include "scenes/train/train.h"

namespace limelight::scenes::train {

using learn::Run;

// What the scene computes from; null where that model was not trained.
struct Product {
  std::array<std::shared_ptr<const Run>, 2> runs;
};
const Product* product_of(const Inputs& inputs);

}  // namespace limelight::scenes::train
