// The families of transformers that checkpoints are read of.
#pragma once

namespace limelight::io {

enum class Family { gpt2, bert };

}  // namespace limelight::io
