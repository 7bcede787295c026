// What every scene draws in: its figure so far, what the figure is of, and how much room there is. A scene's Drawing
// adds what only it has.
#pragma once

#include "core/trace.h"
#include "figure/figure.h"
#include "scenes/scene.h"

namespace limelight::scenes {

struct Frame {
  figure::Figure figure;
  const Trace& trace;
  const View& view;
  const figure::Palette& colours;

  [[nodiscard]] float margin() const { return view.compact() ? 16 : 24.F; }
  [[nodiscard]] float inner() const { return figure.width - 2 * margin(); }
  // Too narrow for two things side by side.
  [[nodiscard]] bool narrow() const { return view.width < 640; }
  // As embedded in an article: what an earlier step showed, and what can be left out, is left out.
  [[nodiscard]] bool low() const { return !narrow() && view.height < 480; }
  [[nodiscard]] bool fingers() const { return view.touch || view.compact(); }
  // Of what can be pressed, and of chips, which stand in rows.
  [[nodiscard]] float press_height() const { return fingers() ? 44 : 30; }
  [[nodiscard]] float chip_height() const { return fingers() ? 44 : 26; }
  // Of what is drawn so far.
  [[nodiscard]] float bottom() const;
};

// Empty, as wide as the view, on every scene's ground.
Frame frame_for(const Trace& trace, const View& view);

// What ends at `end` stands a little down where it has room: by a share of what is left above `bottom`.
figure::Figure sunk(const Frame& frame, float end, float bottom, float share);

// A rect whose colour changes from its top to its bottom.
figure::Area area_of(figure::Rect rect, figure::Colour top, figure::Colour bottom);

}  // namespace limelight::scenes
