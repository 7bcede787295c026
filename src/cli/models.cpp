#include "cli/models.h"

#include "cli/files.h"
#include "cli/learn.h"

namespace limelight::cli {

std::string default_models() { return LIMELIGHT_MODELS; }

Result<std::vector<std::byte>> read_model_file(std::string_view folder, std::string_view name) {
  return read_file(std::string(folder) + "/" + std::string(name), kLargestModel);
}

}  // namespace limelight::cli
