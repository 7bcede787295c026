// The numbers in the cells of a matrix: as many digits as all have room for.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "figure/cells.h"
#include "figure/figure.h"
#include "io/numbers.h"

namespace limelight::figure {

inline constexpr text::Face kNumberFace = text::Face::mono;

template <class Visit>
void each_cell(const CellRange& range, const Visit& visit) {
  for (int row = range.row; row < range.row + range.rows; ++row) {
    for (int column = range.column; column < range.column + range.columns; ++column) visit(row, column);
  }
}

// Numbers for cells of one size: all with the same decimals where that is possible, none when most have no room.
class CellNumbers {
 public:
  // bare: they will be written without a zero before the point, which leaves room for a digit.
  CellNumbers(const CellRange& range, const Tensor* tensor, Rect cell, float size, int decimals, bool bare = false)
      : size_(size), room_(cell.w - kPadding), decimals_(decimals), bare_(bare) {
    if (size_ < kSmallest || cell.h < size_ || room_ < text::measure(kNumberFace, size_, kLeftOut)) {
      size_ = 0;
      return;
    }
    while (decimals_ > 1 && !all_fit(range, tensor)) --decimals_;
    int left_out = 0;
    each_cell(range, [&](int row, int column) {
      const std::optional<float> value = value_at(tensor, row, column);
      if (value && format(*value) == kLeftOut) ++left_out;
    });
    if (2 * left_out > range.rows * range.columns) size_ = 0;
  }
  [[nodiscard]] bool none() const { return size_ == 0; }
  [[nodiscard]] std::string format(float value) const {
    if (std::string bound = smaller_than(value); !bound.empty()) return bound;
    for (int decimals = decimals_; decimals >= least_decimals(value); --decimals) {
      if (std::string text = io::format_fixed(value, decimals); fits(text)) return text;
    }
    const bool may_round = least_decimals(value) == 0 || value == std::round(value);
    for (const int significant : {2, 1}) {
      if (std::string text = io::format_short(value, significant); may_round && fits(text)) return text;
    }
    return std::string(kLeftOut);
  }

 private:
  static constexpr std::string_view kLeftOut = "…";
  static constexpr float kPadding = 2;   // both sides together
  static constexpr float kSmallest = 5;  // below, digits are specks

  // 0.4 may lose a decimal, but must not become 0.
  [[nodiscard]] int least_decimals(float value) const { return std::abs(value) < 9.5F ? std::min(1, decimals_) : 0; }
  // "<0.001", or "<.001" or "<0.01" where that has no room, for what is more than nothing but would be written as
  // 0.000; empty otherwise.
  [[nodiscard]] std::string smaller_than(float value) const {
    const auto unit = [](int decimals) { return std::pow(10.F, static_cast<float>(-decimals)); };
    const bool tiny = value > 0 && value < unit(decimals_) / 2;
    for (int decimals = decimals_; tiny && decimals > 0; --decimals) {
      const std::string number = io::format_fixed(unit(decimals), decimals);
      for (const std::string& text : {"<" + number, "<" + number.substr(1)})
        if (fits(text)) return text;
    }
    return {};
  }
  [[nodiscard]] bool fits(std::string_view text) const {
    if (bare_ && text.starts_with("0.")) text.remove_prefix(1);
    return text::measure(kNumberFace, size_, text) <= room_;
  }
  [[nodiscard]] bool all_fit(const CellRange& range, const Tensor* tensor) const {
    bool all = true;
    each_cell(range, [&](int row, int column) {
      const std::optional<float> value = value_at(tensor, row, column);
      all = all && (!value || fits(io::format_fixed(*value, decimals_)));
    });
    return all;
  }

  float size_;
  float room_;
  int decimals_;
  bool bare_;
};

}  // namespace limelight::figure
