// The map of Spotlight's steps: the block diagram of Vaswani et al. 2017, figure 2, lying on its side.
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/place.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

struct Block {
  std::string name;
  std::string_view label;
  std::string_view step;  // its id
  Colour ink;
};

std::vector<Block> blocks(const Drawing& d) {
  const Palette& c = d.colours;
  const std::string scale = d.state.scale == Scale::off    ? "no scale"
                            : d.state.scale == Scale::root ? "÷ √d"
                                                           : "× " + io::format_short(d.state.factor);
  const bool masked = d.state.mask == Masking::causal;
  return {{"X", "The embeddings", "x", c.input},
          {"W", "Linear: the three matrices", "w", c.ink},
          {"Q K V", "Queries, keys and values", "qkv", c.ink},
          {"Q Kᵀ", "MatMul: the scores", "scores", c.ink},
          {scale, "Scale", "scale", d.state.scale == Scale::off ? c.faint : c.ink},
          {masked ? "mask" : "no mask", masked ? "Mask" : "Mask, none is set", "scale", masked ? c.ink : c.faint},
          {"softmax", "SoftMax: the weights", "softmax", c.ink},
          {"× V", "MatMul: the values, mixed", "output", c.value},
          {"Y", "The output", "output", c.output}};
}

float map_text(const Drawing& d) { return d.inner() < 640 ? 11 : 12; }

// Blocks are equally wide where there is room, else as wide as their names need.
std::vector<Rect> block_rects(const Drawing& d, const std::vector<Block>& list, float y) {
  const float gap = d.inner() < 640 ? 11 : 18;
  const float air = d.inner() - gap * static_cast<float>(list.size() - 1);
  const float equal = air / static_cast<float>(list.size());
  std::vector<float> widths;
  float sum = 0;
  bool even = true;
  for (const Block& block : list) {
    widths.push_back(text::measure(text::Face::semibold, map_text(d), block.name));
    sum += widths.back();
    even = even && widths.back() + 8 <= equal;
  }
  std::vector<Rect> rects;
  float x = d.margin();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const float width = even ? equal : widths[i] + (air - sum) / static_cast<float>(list.size());
    rects.push_back({x, y, width, 30});
    x += width + gap;
  }
  return rects;
}

void add_map_arrow(Drawing& d, const std::string& id, Rect from, Rect to) {
  d.figure.add({.id = id,
                .shape = Arrow{.from = {from.right() + 1, from.centre().y},
                               .to = {to.x - 1, to.centre().y},
                               .colour = d.colours.faint,
                               .width = 1}});
}

// V goes around the scores to the second product.
void add_value_way(Drawing& d, Rect from, Rect to) {
  const float width = row_at(d.view.place).step.id == "output" ? 2.5F : 1.5F;
  const float below = to.bottom() + 14;
  const std::vector<Point> way{{from.centre().x, from.bottom() + 1},
                               {from.centre().x, below},
                               {to.centre().x, below},
                               {to.centre().x, to.bottom() + 2}};
  const Point name{from.centre().x + 8, below + 1};
  d.figure.add({.id = "map.value", .shape = Line{.points = way, .colour = d.colours.value, .width = width}});
  d.figure.add({.id = "map.value.name",
                .rect = {name.x, name.y, 20, 14},
                .shape = Text{.text = "V", .face = text::Face::semibold, .size = 11, .colour = d.colours.value}});
}

}  // namespace

void add_map(Drawing& d, float y) {
  const std::vector<Block> list = blocks(d);
  const std::vector<Rect> rects = block_rects(d, list, y);
  const std::string_view step = row_at(d.view.place).step.id;
  const std::size_t from = d.figure.elements.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Block& block = list[i];
    const bool off = block.ink == d.colours.faint;
    const bool here = block.step == step;
    const bool active = here && !off;
    const std::string id = "map." + std::to_string(i);
    Rectangle shape{.fill = d.colours.sunken, .radius = 6};
    if (active) shape.fill = d.colours.accent;
    if (here && off) {  // a part of the step, but it does nothing
      shape.stroke = d.colours.accent;
      shape.stroke_width = 1.5F;
    }
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = rects[i],
                  .label = std::string(block.label) + ": go to step " + std::to_string(number_of(steps(), block.step)),
                  .edit = Edit{"step", std::string(block.step)},
                  .shape = shape});
    const Colour ink = here && off ? d.colours.accent : block.ink;
    d.figure.add({.id = id + ".name",
                  .rect = rects[i],
                  .shape = Text{.text = block.name,
                                .face = active ? text::Face::semibold : text::Face::regular,
                                .size = map_text(d),
                                .colour = active ? d.colours.on_accent : ink,
                                .align = Align::centre}});
    if (i + 1 < list.size()) add_map_arrow(d, id + ".arrow", rects[i], rects[i + 1]);
  }
  add_value_way(d, rects[2], rects[7]);
  mark_furniture(d.figure, from);
}

}  // namespace limelight::scenes::spotlight
