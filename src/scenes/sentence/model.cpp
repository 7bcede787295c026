#include "scenes/sentence/model.h"

namespace limelight::scenes::trained {

const Resource kEncoder{
    .name = "sentence.safetensors",
    .label = "The encoder",
    .read = [](std::span<const std::byte> bytes, std::string_view name) -> Result<std::any> {
      Result<learn::sentences::Training> read = learn::sentences::read_training(bytes, name);
      if (!read) return std::unexpected(read.error());
      return std::any(Encoder(std::make_shared<const learn::sentences::Training>(std::move(*read))));
    }};

}  // namespace limelight::scenes::trained
