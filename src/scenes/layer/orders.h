// A layer before and after its inputs change places, as two steps show it. From the left: the inputs, the same in their
// new order, the light of the output that is looked at, the outputs, and what these were before. Ways join what has
// changed places, so that those of the inputs and those of the outputs are seen to cross alike.
#pragma once

#include <string_view>
#include <vector>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

struct Orders {
  const Attention &before, &after;  // whose weights and outputs
  const Attention* was = nullptr;   // what the weights were before places left marks
  std::string_view last_said = "what they were before", last_brief = "before";  // of the last column
  // How much has come, from 0 to 1: of the inputs' change of places, of the light, of the outputs, of their comparison.
  float moved = 1, lit = 1, made = 1, compared = 1;

  std::vector<int> order{};  // the input in each place
  int place = 0;             // of the output that is looked at
  bool both = true;          // the inputs stand in both orders
  float scale = 1;
  Rect rows{};                                         // of all places
  float card = 0, most = 0;                            // the width of what stands in a column, and how high it may be
  float ways = 0, marks = 0;                           // px between two orders; between the inputs and their light
  float first = 0, inputs = 0, outputs = 0, last = 0;  // the left edges of the columns

  [[nodiscard]] int count() const { return static_cast<int>(order.size()); }
  [[nodiscard]] float light() const { return inputs + card + marks; }  // where it falls
  // How much is seen of what the outputs were before: it is known from the beginning, but where places leave marks.
  [[nodiscard]] float known() const { return was == nullptr ? moved : compared; }
  [[nodiscard]] Rect at(int row, float x) const;
};
// Its columns between y and bottom, `foot` px above it. With marks where each place leaves one.
Orders laid_out(const Drawing& d, Orders orders, float y, float bottom, float foot, bool with_marks);
void add_picture(Drawing& d, const Orders& orders);
// Words above a column, or above what is between two.
void add_head(Drawing& d, const Orders& orders, const std::string& id, float x, float width, const std::string& words);
// The part of a card that is a picture; its name may stand below.
Rect shown_of(const Drawing& d, Rect card);

}  // namespace limelight::scenes::layer
