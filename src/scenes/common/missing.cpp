#include "scenes/common/missing.h"

#include <algorithm>

#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::scenes {

using namespace figure;

std::string words_of(const Missing& missing) {
  if (!missing.refused.empty()) return missing.label + " could not be loaded. " + missing.refused;
  const auto megabytes = [](double bytes) { return io::format_fixed(bytes / 1e6, 1); };
  if (missing.received <= 0) return missing.label + " is on its way.";
  if (missing.total <= 0) return missing.label + " is on its way: " + megabytes(missing.received) + " MB so far.";
  return missing.label + " is on its way: " + megabytes(missing.received) + " of " + megabytes(missing.total) + " MB.";
}

float add_missing(Frame& frame, const Missing& missing, float top) {
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  const float left = frame.margin(), width = frame.inner();
  constexpr float pad = 14;
  const bool refused = !missing.refused.empty();
  const std::size_t card = figure.elements.size();
  figure.add({.id = "missing.box"});
  float y = top + pad;
  y += add_paragraph(figure, "missing.words", words_of(missing), {left + pad, y}, width - 2 * pad, 13,
                     refused ? colours.warning : colours.ink, colours.ink) +
       10;
  if (refused) {
    const float height = frame.fingers() ? 44 : 32;
    const Rect button{left + pad, y, 110, height};
    figure.add({.id = "missing.again",
                .role = Role::button,
                .rect = button,
                .label = "Try again",
                .edit = Edit{.field = "do", .value = "fetch"},
                .shape = Rectangle{.fill = colours.track, .radius = 6}});
    figure.add({.id = "missing.again.text",
                .rect = button,
                .shape = Text{.text = "Try again",
                              .face = text::Face::semibold,
                              .size = 13,
                              .colour = colours.ink,
                              .align = Align::centre}});
    mark_furniture(figure, figure.elements.size() - 2);
    y += height;
  } else {
    const Rect track{left + pad, y, width - 2 * pad, 6};
    const auto share = static_cast<float>(missing.total > 0 ? std::min(missing.received / missing.total, 1.0) : 0);
    figure.add({.id = "missing.track", .rect = track, .shape = Rectangle{.fill = colours.track, .radius = 3}});
    figure.add({.id = "missing.done",
                .rect = {track.x, track.y, track.w * share, track.h},
                .shape = Rectangle{.fill = colours.accent, .radius = 3}});
    y += 6;
  }
  figure.elements[card].rect = {left, top, width, y + pad - top};
  figure.elements[card].shape = Rectangle{.fill = colours.sunken, .radius = 8};
  return y + pad;
}

}  // namespace limelight::scenes
