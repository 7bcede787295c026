// A world of small pictures, and what there is to say about each: one to three objects on a background, given as data,
// so that the pixels, the caption and which object each word speaks of are functions of one scene.
//
// Everything is in whole numbers: the same scene has the same pixels on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/random.h"
#include "io/error.h"
#include "learn/tasks.h"

namespace limelight::learn::pictures {

inline constexpr int kSide = 64;  // pixels
inline constexpr int kPixels = kSide * kSide;
inline constexpr int kMostObjects = 3;
inline constexpr int kDarkest = 15, kLightest = 85;  // backgrounds of drawn scenes

enum class Shape { circle, square, triangle, star, cross };
enum class Colour { red, green, blue, yellow, purple, orange };
enum class Size { small, medium, big };  // of any shape about 90, 170 and 290 pixels
enum class Texture { plain, stripes, checks, grain };
inline constexpr int kShapes = 5, kColours = 6, kSizes = 3, kTextures = 4;

// "circle", "red", "small", "plain" …
std::string_view name(Shape shape);
std::string_view name(Colour colour);
std::string_view name(Size size);
std::string_view name(Texture texture);

struct Object {
  Shape shape = Shape::circle;
  Colour colour = Colour::red;
  Size size = Size::medium;
  int x = 0, y = 0;  // its centre, in pixels from the left and from the top: (32, 32) is where the middle four meet

  bool operator==(const Object&) const = default;
};

struct Background {
  Texture texture = Texture::plain;
  int shade = 50;  // of grey, from 0, black, to 100, white

  bool operator==(const Background&) const = default;
};

struct Scene {
  std::vector<Object> objects;  // later ones cover earlier ones
  Background background = {};

  bool operator==(const Scene&) const = default;
};

// Red, green and blue, from 0 to 255.
std::array<std::uint8_t, 3> rgb_of(Colour colour);

// How far from its centre a shape can reach, in pixels.
int reach(Shape shape, Size size);

// ---- pixels, row by row from the top ----

// Whether the pixel's middle lies inside of the object, covered or not.
bool covers(const Object& object, int x, int y);

// The object that is seen at each pixel; −1: the background.
std::array<std::int8_t, kPixels> owners(const Scene& scene);

// [pixels, 3]: red, green and blue, from 0 to 1.
Matrix paint(const Scene& scene);

// For each object the cells of an L×L grid over the picture that belong to it: [objects, L²] of 0 and 1. A pixel
// belongs to the cell where its middle lies; a cell belongs to an object whose visible pixels are at least a quarter of
// it, or that has more than half of its visible pixels there. A cell may belong to several.
std::vector<std::vector<std::uint8_t>> cells_of(const Scene& scene, int grid);

// ---- words ----

// Each with the objects that it speaks of, by index; relations, "and" and "," speak of none.
struct Caption {
  std::vector<int> words;  // of vocabulary(), without kStart and kStop
  std::vector<std::vector<int>> objects;

  bool operator==(const Caption&) const = default;
};

const Vocabulary& vocabulary();

// Whether the word says a colour, a size or a shape: what has to be looked at.
bool is_visual(int word);

// The canonical one. Objects that are alike are counted: "two small red circles". Of two kinds the farther apart ones
// of left and right, above and below decide: "a star left of a big blue square", "a star above two squares"; the left
// or upper one comes first, and "left of" holds for all of the one and all of the other. Where neither holds: "two red
// squares and a blue star". Three kinds are listed from left to right. None: no words.
Caption caption(const Scene& scene);

// Whether a small move of an object leaves the caption's order and relations as they are: so are all that are trained
// on.
bool is_clear(const Scene& scene);

// "a red circle left of a small blue square"
std::string text_of(const std::vector<int>& words);

// ---- scenes as text: "big red circle 20 30; blue star 44 31; stripes 40" ----

std::string write(const Scene& scene);
// A medium size, or a plain background of shade 50, may be left out. Errors: a part that is neither an object nor a
// background, more than three objects, a centre outside of the picture.
Result<Scene> read(std::string_view text);

// ---- at random ----

// A clear scene of one to three objects that lie whole inside of the picture and cover little of each other. The part
// is decided by the caption's hash: no caption of the held-out part is ever trained on.
Scene draw(Random& random, Part part);
Scene draw(Random& random);  // of either part
Part part_of(const Caption& caption);

}  // namespace limelight::learn::pictures
