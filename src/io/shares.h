// Weights in per cent, for the numbers' face, which has no narrow space.
#pragma once

#include <span>
#include <string>

namespace limelight::io {

std::string share_text(float weight);
// The same of one of a row's: in tenths where whole percents would be seen to sum to another number than they do, and
// rounded so that these do not.
std::string share_text(std::span<const float> row, int index);
// The same in whole percents, or "<1 %", where there is no room for tenths.
std::string whole_share_text(std::span<const float> row, int index);

}  // namespace limelight::io
