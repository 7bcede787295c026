// What the tests of the corpus share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/french.h"

namespace limelight::learn::french {

// 20,000 sentences of one seed, made once.
const std::vector<Sentence>& corpus();

// The tokens with a space between them.
std::string joined(const std::vector<std::string>& tokens);

}  // namespace limelight::learn::french
