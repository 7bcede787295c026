// What all of Spotlight's drawings share.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "scenes/common/frame.h"
#include "scenes/spotlight/spotlight.h"

namespace limelight::scenes::spotlight {

using namespace figure;

inline constexpr float kBelow = 12;                  // CSS pixels that a figure keeps below its picture
inline constexpr float kLowest = 280;                // CSS pixels that a drawing takes in any view
inline constexpr Colour kOnLight{0x22, 0x1a, 0x05};  // ink on the lamp's yellow, in both themes

struct Drawing : Frame {
  const State& state;
  std::vector<std::string> queries;
  std::vector<std::string> keys;
  int row;  // the query token

  [[nodiscard]] const std::string& key(int i) const { return keys[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::string& query(int i) const { return queries[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::string& query() const { return query(row); }
  // So low, as on a phone on its side, that nothing could be read: the drawing is higher than the view, which scrolls.
  [[nodiscard]] bool scrolls() const { return view.compact() || view.height < kLowest; }
  [[nodiscard]] float height() const { return std::max(view.height, kLowest); }
};

// What a row of Q, K or V says in the fox example, whose features have names: "a doer (8) and a direction (7)".
enum class Strengths { left_out, told };
std::string fox_words(const Matrix& values, int row, Strengths strengths = Strengths::left_out);

// The numbers of a word as cells, each as green as it is large; thin ones as stripes.
void add_embedding(Drawing& d, int word, Rect rect);

// Words in small letters, as the encoder reads them.
std::vector<std::string> as_read(std::vector<std::string> words);

}  // namespace limelight::scenes::spotlight
