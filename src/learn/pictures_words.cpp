// What is said of a scene, and scenes as text.
#include <algorithm>
#include <optional>
#include <ranges>
#include <span>

#include "core/sort.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "learn/pictures.h"

namespace limelight::learn::pictures {
namespace {

constexpr std::string_view kShapeNames[kShapes] = {"circle", "square", "triangle", "star", "cross"};
constexpr std::string_view kPlurals[kShapes] = {"circles", "squares", "triangles", "stars", "crosses"};
constexpr std::string_view kColourNames[kColours] = {"red", "green", "blue", "yellow", "purple", "orange"};
constexpr std::string_view kSizeNames[kSizes] = {"small", "medium", "big"};
constexpr std::string_view kTextureNames[kTextures] = {"plain", "stripes", "checks", "grain"};
constexpr std::string_view kCounts[kMostObjects + 1] = {"a", "two", "three", "an"};
constexpr std::string_view kJoints[] = {"left", "of", "above", "and", ","};

// Tokens, in the vocabulary's order; a medium size is not said.
constexpr int kFirstCount = kFirstWord, kAn = kFirstCount + kMostObjects, kSmall = kAn + 1, kBig = kSmall + 1,
              kFirstColour = kBig + 1, kFirstShape = kFirstColour + kColours, kFirstPlural = kFirstShape + kShapes,
              kLeft = kFirstPlural + kShapes, kOf = kLeft + 1, kAbove = kOf + 1, kAnd = kAbove + 1, kComma = kAnd + 1;

// How far an order must be from changing, in pixels.
constexpr int kMargin = 6;

struct Range {
  int low, high;
};

// Objects that are alike.
struct Kind {
  std::vector<int> objects;
  const Object* first;

  [[nodiscard]] Range range(const Scene& scene, int Object::* along) const {
    const auto places = objects | std::views::transform([&](int i) { return scene.objects[std::size_t(i)].*along; });
    return {std::ranges::min(places), std::ranges::max(places)};
  }
};

bool alike(const Object& a, const Object& b) { return a.shape == b.shape && a.colour == b.colour && a.size == b.size; }

std::vector<Kind> kinds_of(const Scene& scene) {
  std::vector<Kind> kinds;
  for (int i = 0; i < static_cast<int>(scene.objects.size()); ++i) {
    const Object& object = scene.objects[static_cast<std::size_t>(i)];
    const auto known = std::ranges::find_if(kinds, [&](const Kind& kind) { return alike(*kind.first, object); });
    if (known == kinds.end())
      kinds.push_back({{i}, &object});
    else
      known->objects.push_back(i);
  }
  return kinds;
}

// From all of the one to all of the other; below 0 where they are mixed.
int gap(Range a, Range b) { return std::max(b.low - a.high, a.low - b.high); }

struct Gaps {
  int across, down;
};
Gaps gaps(const Scene& scene, const Kind& a, const Kind& b) {
  return {gap(a.range(scene, &Object::x), b.range(scene, &Object::x)),
          gap(a.range(scene, &Object::y), b.range(scene, &Object::y))};
}

void say(const Kind& kind, Caption& caption) {
  const int count = static_cast<int>(kind.objects.size());
  std::vector<int> words = {kFirstCount + count - 1};
  if (kind.first->size != Size::medium) words.push_back(kind.first->size == Size::small ? kSmall : kBig);
  words.push_back(kFirstColour + static_cast<int>(kind.first->colour));
  words.push_back((count > 1 ? kFirstPlural : kFirstShape) + static_cast<int>(kind.first->shape));
  if (count == 1 && vocabulary().words[static_cast<std::size_t>(words[1])].starts_with('o')) words[0] = kAn;
  caption.words.insert(caption.words.end(), words.begin(), words.end());
  caption.objects.insert(caption.objects.end(), words.size(), kind.objects);
}

void join(std::initializer_list<int> words, Caption& caption) {
  caption.words.insert(caption.words.end(), words);
  caption.objects.insert(caption.objects.end(), words.size(), {});
}

void say_two(const Scene& scene, Kind a, Kind b, Caption& caption) {
  const auto [across, down] = gaps(scene, a, b);
  const bool beside = across >= down;
  if (const int largest = std::max(across, down); largest <= 0) {
    if (a.objects.size() < b.objects.size()) std::swap(a, b);
    say(a, caption);
    join({kAnd}, caption);
  } else {
    const auto along = beside ? &Object::x : &Object::y;
    if (a.range(scene, along).low > b.range(scene, along).low) std::swap(a, b);
    say(a, caption);
    beside ? join({kLeft, kOf}, caption) : join({kAbove}, caption);
  }
  say(b, caption);
}

template <std::size_t count>
std::optional<int> find(const std::string_view (&names)[count], std::string_view word) {
  const auto* const found = std::ranges::find(names, word);
  return found == std::end(names) ? std::nullopt : std::optional(static_cast<int>(found - std::begin(names)));
}

Error not_a_part(const std::string& part) {
  return {
      io::quote(part) +
      " is neither an object, as in \"small red circle 20 30\", nor a background, as in \"stripes 40\". A size is " +
      io::one_of(kSizeNames) + ", a colour " + io::one_of(kColourNames) + ", a shape " + io::one_of(kShapeNames) +
      ", a background " + io::one_of(kTextureNames) + "."};
}

// A whole number from 0 to most.
std::optional<int> read_place(std::string_view word, int most) {
  const Result<int> number = io::parse_integer(word);
  return number && *number >= 0 && *number <= most ? std::optional(*number) : std::nullopt;
}

Result<Object> read_object(const std::string& part, std::span<const std::string> words) {
  Object object;
  if (const auto size = find(kSizeNames, words.front())) {
    object.size = static_cast<Size>(*size);
    words = words.subspan(1);
  }
  if (words.size() != 4) return std::unexpected(not_a_part(part));
  const auto colour = find(kColourNames, words[0]), shape = find(kShapeNames, words[1]);
  if (!colour || !shape) return std::unexpected(not_a_part(part));
  const auto x = read_place(words[2], kSide), y = read_place(words[3], kSide);
  if (!x || !y)
    return fail(io::quote(part) + " has no centre inside of the picture; both numbers are whole, from 0 to " +
                std::to_string(kSide) + ".");
  object.colour = static_cast<Colour>(*colour);
  object.shape = static_cast<Shape>(*shape);
  object.x = *x;
  object.y = *y;
  return object;
}

}  // namespace

std::string_view name(Shape shape) { return kShapeNames[static_cast<int>(shape)]; }
std::string_view name(Colour colour) { return kColourNames[static_cast<int>(colour)]; }
std::string_view name(Size size) { return kSizeNames[static_cast<int>(size)]; }
std::string_view name(Texture texture) { return kTextureNames[static_cast<int>(texture)]; }

const Vocabulary& vocabulary() {
  static const Vocabulary all = [] {
    std::vector<std::string> words(std::begin(kCounts), std::end(kCounts));
    words.insert(words.end(), {"small", "big"});
    words.insert(words.end(), std::begin(kColourNames), std::end(kColourNames));
    words.insert(words.end(), std::begin(kShapeNames), std::end(kShapeNames));
    words.insert(words.end(), std::begin(kPlurals), std::end(kPlurals));
    words.insert(words.end(), std::begin(kJoints), std::end(kJoints));
    return Vocabulary::of(words);
  }();
  return all;
}

bool is_visual(int word) { return word >= kSmall && word < kLeft; }

Caption caption(const Scene& scene) {
  Caption caption;
  std::vector<Kind> kinds = kinds_of(scene);
  if (kinds.size() == 2) {
    say_two(scene, kinds[0], kinds[1], caption);
    return caption;
  }
  // Not stable_sort: libstdc++ 12's is deprecated inside.
  heap_sort(kinds, {}, [](const Kind& kind) { return std::pair(kind.first->x, kind.first); });
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i > 0) join({i + 1 < kinds.size() ? kComma : kAnd}, caption);
    say(kinds[i], caption);
  }
  return caption;
}

bool is_clear(const Scene& scene) {
  const std::vector<Kind> kinds = kinds_of(scene);
  if (kinds.size() == 2) {
    const auto [across, down] = gaps(scene, kinds[0], kinds[1]);
    if (std::max(across, down) <= -kMargin) return true;
    return std::max(across, down) >= kMargin && std::abs(across - down) >= kMargin;
  }
  for (const Kind& a : kinds)
    for (const Kind& b : kinds)
      if (&a != &b && std::abs(a.first->x - b.first->x) < kMargin) return false;
  return true;
}

std::string text_of(const std::vector<int>& words) {
  std::string text;
  for (const int word : words)
    text += (text.empty() || word == kComma ? "" : " ") + vocabulary().words[std::size_t(word)];
  return text;
}

std::string write(const Scene& scene) {
  std::string text;
  for (const Object& object : scene.objects)
    text += std::string(name(object.size)) + " " + std::string(name(object.colour)) + " " +
            std::string(name(object.shape)) + " " + std::to_string(object.x) + " " + std::to_string(object.y) + "; ";
  return text + std::string(name(scene.background.texture)) + " " + std::to_string(scene.background.shade);
}

Result<Scene> read(std::string_view text) {
  Scene scene;
  for (const auto between : std::views::split(text, ';')) {
    const std::string part = io::normalise_spaces(std::string_view(between));
    if (part.empty()) continue;
    std::vector<std::string> words;
    for (const auto word : std::views::split(part, ' ')) words.emplace_back(std::string_view(word));
    if (const auto texture = find(kTextureNames, words.front()); texture && words.size() <= 2) {
      const auto shade = words.size() == 2 ? read_place(words[1], 100) : Background().shade;
      if (!shade) return fail(io::quote(part) + " has no shade of grey; it is a whole number from 0 to 100.");
      scene.background = {static_cast<Texture>(*texture), *shade};
      continue;
    }
    const Result<Object> object = read_object(part, words);
    if (!object) return std::unexpected(object.error());
    if (scene.objects.size() == kMostObjects)
      return fail("The scene has more than " + std::to_string(kMostObjects) + " objects; leave " + io::quote(part) +
                  " out.");
    scene.objects.push_back(*object);
  }
  return scene;
}

}  // namespace limelight::learn::pictures
