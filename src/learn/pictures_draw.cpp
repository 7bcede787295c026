// Scenes at random.
#include <cmath>

#include "learn/pictures.h"

namespace limelight::learn::pictures {
namespace {

constexpr double kAlike = 0.4;           // how often an object is like the one before it
constexpr double kPlain = 0.4;           // how often a background is
constexpr int kPlaces = 20;              // tries to place an object
constexpr int kApart = 8;                // tenths of the radii of circles as large that centres are apart at least
constexpr int kCircle[] = {54, 74, 96};  // those radii, in tenths of pixels

int draw_from(Random& random, int least, int most) { return least + draw_below(random, most - least + 1); }

// From 0.25, 0.40 and 0.35.
int draw_count(Random& random) {
  const double u = random.uniform();
  return u < 0.25 ? 1 : u < 0.65 ? 2 : 3;
}

bool too_near(const Object& a, const Object& b) {
  const int least = kApart * (kCircle[static_cast<int>(a.size)] + kCircle[static_cast<int>(b.size)]) / 10;
  const int dx = 10 * (a.x - b.x), dy = 10 * (a.y - b.y);
  return dx * dx + dy * dy < least * least;
}

bool place(Random& random, Scene& scene, Object object) {
  const int far = reach(object.shape, object.size);
  for (int attempt = 0; attempt < kPlaces; ++attempt) {
    object.x = draw_from(random, far, kSide - far);
    object.y = draw_from(random, far, kSide - far);
    bool free = true;
    for (const Object& other : scene.objects) free = free && !too_near(object, other);
    if (!free) continue;
    scene.objects.push_back(object);
    return true;
  }
  return false;
}

bool draw_objects(Random& random, int count, Scene& scene) {
  for (int i = 0; i < count; ++i) {
    Object object = {.shape = static_cast<Shape>(draw_below(random, kShapes)),
                     .colour = static_cast<Colour>(draw_below(random, kColours)),
                     .size = static_cast<Size>(draw_below(random, kSizes))};
    if (i > 0 && random.uniform() < kAlike) object = scene.objects.back();
    if (!place(random, scene, object)) return false;
  }
  return true;
}

}  // namespace

Part part_of(const Caption& caption) { return learn::part_of(text_of(caption.words)); }

Scene draw(Random& random) {
  const int count = draw_count(random);  // once: else few would have many
  for (;;) {
    Scene scene;
    if (random.uniform() >= kPlain)
      scene.background.texture = static_cast<Texture>(draw_from(random, 1, kTextures - 1));
    scene.background.shade = draw_from(random, kDarkest, kLightest);
    if (draw_objects(random, count, scene) && is_clear(scene)) return scene;
  }
}

Scene draw(Random& random, Part part) {
  for (;;) {
    Scene scene = draw(random);
    if (part_of(caption(scene)) == part) return scene;
  }
}

}  // namespace limelight::learn::pictures
