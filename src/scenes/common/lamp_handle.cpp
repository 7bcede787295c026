#include "scenes/common/lamp_handle.h"

#include <algorithm>
#include <string>

#include "scenes/common/sentence.h"

namespace limelight::scenes {

using namespace figure;

void add_lamp_handle(Figure& figure, const Lamp& lamp, bool held) {
  constexpr float kLampReach = 24;  // px around a lamp, for fingers
  const float reach = std::max(34 * lamp.scale, kLampReach);
  figure.add({.id = std::string(kLampId),
              .role = Role::handle,
              .rect = {lamp.bulb.x - reach, lamp.bulb.y - reach, 2 * reach, 2 * reach},
              .label = "The lamp: drag it along the words",
              .edit = Edit{.field = "query"}});
  for (const float off : {-6.F, 0.F, 6.F}) {
    const float size = 2.4F * lamp.scale;
    const Point at = on_lamp(lamp, {off, -14});
    figure.add({.id = std::string(kLampId) + ".grip." + std::to_string(static_cast<int>(off)),
                .rect = {at.x - size / 2, at.y - size / 2, size, size},
                .shape = Rectangle{.fill = Colour{255, 255, 255, static_cast<std::uint8_t>(held ? 255 : 120)},
                                   .radius = size / 2},
                .furniture = true});
  }
}

}  // namespace limelight::scenes
