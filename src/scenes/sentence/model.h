// The encoder that was trained on generated English (learn/encoder.h), as scenes have it.
#pragma once

#include <memory>

#include "learn/encoder_training.h"
#include "scenes/scene.h"

namespace limelight::scenes::trained {

// In a namespace of their own, so that tools/split.mjs tells that they belong to other scenes than the first.
using Encoder = std::shared_ptr<const learn::sentences::Training>;

// Its value is a Encoder.
extern const Resource kEncoder;

}  // namespace limelight::scenes::trained
