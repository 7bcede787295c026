#include "scenes/common/sentence.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr std::string_view kWordId = "stage.word.";
constexpr float kBetween = 12;   // from a word to the next one on its line
constexpr float kOneLine = 22;   // smaller words stand on two lines
constexpr float kSmallest = 15;  // smaller ones are cut
constexpr float kHeavy = 0.16F;  // a weight from which a word is bold
constexpr float kTold = 0.1F;    // a share from which its number is large

float width_of(const std::string& word, float size) { return text::measure(text::Face::display_bold, size, word); }

// From a word that is as wide to the next one on its line; of the first word and the last one, to the stage's edge.
float room_of(const Slots& slots, int word) {
  const auto from_end = static_cast<float>(std::min(word - slots.first, slots.first + slots.count - 1 - word));
  const float beside = slots.beside + slots.pitch * (from_end + 0.5F) - kBetween;
  return std::min(slots.pitch * (slots.staggered ? 2.F : 1.F) - kBetween / 2, 2 * beside);
}

// Whether all words have room at a size, with as much light as each may get.
bool fits(std::span<const std::string> words, std::span<const float> most, const Slots& slots) {
  const int step = slots.staggered ? 2 : 1;
  const auto size = [&](int word) {
    return slots.size + std::max(slots.gain * most[static_cast<std::size_t>(word)], 1.F);
  };
  const auto half = [&](int word) { return width_of(words[static_cast<std::size_t>(word)], size(word)) / 2; };
  const int last = slots.first + slots.count - 1;
  const float beside = slots.beside + slots.pitch / 2 - kBetween;  // of the first word and the last one
  if (half(slots.first) > beside || half(last) > beside) return false;
  for (int word = slots.first; word + step <= last; ++word)
    if (half(word) + half(word + step) + kBetween > static_cast<float>(step) * slots.pitch) return false;
  return true;
}

}  // namespace

std::string word_id(int word) { return std::string(kWordId) + std::to_string(word); }

std::optional<int> word_at(std::string_view id) {
  if (!id.starts_with(kWordId)) return std::nullopt;
  id.remove_prefix(kWordId.size());
  int word = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), word);
  return error == std::errc() && end == id.data() + id.size() ? std::optional(word) : std::nullopt;
}

Slots slots_of(std::span<const std::string> words, std::span<const float> most, int middle, Room room) {
  const int of = static_cast<int>(words.size());
  Slots slots{
      .count = std::min(of, kMostOnStage), .of = of, .left = room.left, .beside = std::min(room.left, room.right)};
  slots.first = std::clamp(middle - slots.count / 2, 0, of - slots.count);
  slots.pitch = room.width / static_cast<float>(std::max(slots.count, 1));
  for (slots.size = room.size; slots.size >= kSmallest; slots.size -= 1) {
    slots.gain = room.gain * slots.size / room.size;
    slots.staggered = slots.size < kOneLine;
    if (fits(words, most, slots)) return slots;
  }
  slots.size = kSmallest;
  slots.cut = true;
  return slots;
}

Colour ink_of(const LitWords& lit, int word, Rect behind) {
  constexpr float kRead = 4.5F;  // WCAG 2.2, contrast
  const Palette& colours = palette(lit.theme);
  const bool dark = is_dark(lit.theme);
  const float share = std::clamp(2.4F * lit.weights[static_cast<std::size_t>(word)], 0.F, 1.F);
  const Colour cream{0xff, 0xf9, 0xe6}, black{0x12, 0x14, 0x1b};
  const Colour own = mix(colours.faint, dark ? cream : black, std::pow(share, dark ? 0.7F : 0.6F));
  std::vector<Colour> grounds;
  const LightColours light = light_colours(lit.theme);
  for (const float x : {0.1F, 0.5F, 0.9F})
    for (const float y : {0.F, 1.F})
      grounds.push_back(
          figure::lit(lit.ground, sum_at(lit.light, {behind.x + x * behind.w, behind.y + y * behind.h}), light));
  const auto least = [&](Colour ink) {
    float ratio = 21;
    for (const Colour ground : grounds) ratio = std::min(ratio, contrast(ink, ground));
    return ratio;
  };
  const Colour wanted = word == lit.query ? colours.query : own;
  Colour best = wanted;
  for (const Colour ink : {wanted, colours.ink, cream, black}) {
    if (least(ink) >= kRead) return ink;
    if (least(ink) > least(best)) best = ink;
  }
  return best;
}

std::string share_text(float weight) {
  constexpr std::string_view kNarrowSpace = "\u202F", kSpace = "\u00A0";
  std::string text = io::format_percent(weight);
  if (const std::size_t at = text.find(kNarrowSpace); at != std::string::npos)
    text.replace(at, kNarrowSpace.size(), kSpace);
  return text;
}

void add_lit_words(Figure& figure, const Slots& slots, const LitWords& lit, float baseline, float top, float bottom) {
  const Palette& colours = palette(lit.theme);
  for (int word = slots.first; word < slots.first + slots.count; ++word) {
    const float weight = lit.weights[static_cast<std::size_t>(word)];
    const bool asks = word == lit.query;
    const float size = asks ? slots.size + 1 : slots.size + slots.gain * weight;
    const text::Face face = asks || weight >= kHeavy ? text::Face::display_bold : text::Face::display;
    const bool lower = slots.staggered && (word - slots.first) % 2 == 1;
    const float on = baseline + (slots.staggered && !lower ? -slots.line_height() : 0);
    const float room = room_of(slots, word);
    const std::string whole = lit.words[static_cast<std::size_t>(word)];
    const std::string shown = slots.cut ? text::fit(face, size, whole, std::max(room, 8.F)) : whole;
    const float cap = text::metrics(face, size).cap_height;
    const float half = std::max(text::measure(face, size, shown) / 2, 6.F);
    // The rect is the slot, so that the pointer finds a word wherever it moves along the sentence.
    Element element{.id = word_id(word),
                    .role = Role::token,
                    .rect = {slots.centre(word) - slots.pitch / 2, top, slots.pitch, bottom - top},
                    .label = whole + ": " + io::format_percent(weight)};
    if (!lit.field.empty()) element.edit = Edit{std::string(lit.field), std::to_string(word)};
    figure.add(std::move(element));
    figure.add({.id = word_id(word) + ".text",
                .rect = {slots.centre(word) - room / 2, on - cap, room, cap},
                .shape = Text{.text = shown,
                              .face = face,
                              .size = size,
                              .colour = ink_of(lit, word, {slots.centre(word) - half, on - cap, 2 * half, cap}),
                              .align = Align::centre}});
    if (!asks) continue;
    figure.add({.id = "stage.asks",
                .shape = Line{.points = {{slots.centre(word) - half, on + slots.size / 3},
                                         {slots.centre(word) + half, on + slots.size / 3}},
                              .colour = colours.query,
                              .width = 3}});
  }
}

void add_shares(Figure& figure, const Slots& slots, const LitWords& lit, float middle, float scale) {
  const Palette& colours = palette(lit.theme);
  for (int word = slots.first; word < slots.first + slots.count; ++word) {
    const float weight = lit.weights[static_cast<std::size_t>(word)];
    const bool told = weight >= kTold;
    const float most = told ? 19 * scale : 12.5F * std::max(scale, 0.88F);
    const std::string share = share_text(weight);
    const text::Face face = told ? text::Face::mono_bold : text::Face::mono;
    // Where slots are narrow the numbers shrink, and the faint ones are left out.
    const float size = std::min(most, most * (slots.pitch - 4) / std::max(text::measure(face, most, share), 1.F));
    if (size < 9) continue;
    figure.add({.id = "stage.share." + std::to_string(word),
                .role = Role::cell,
                .rect = {slots.centre(word) - slots.pitch / 2, middle - 10, slots.pitch, 20},
                .label = lit.words[static_cast<std::size_t>(word)] + ": " + share,
                .source = Source{std::string(lit.tensor), lit.row, word},
                .shape = Text{.text = share,
                              .face = face,
                              .size = size,
                              .colour = told ? colours.amber_text : colours.faint,
                              .align = Align::centre}});
  }
}

void add_window_ends(Figure& figure, const Slots& slots, const LitWords& lit, float middle) {
  const Palette& colours = palette(lit.theme);
  struct End {
    std::string_view id;
    int from, to;  // the words that are not seen
    bool before;
  };
  const int behind = slots.first + slots.count;
  for (const End& end : {End{"stage.before", 0, slots.first, true}, End{"stage.behind", behind, slots.of, false}}) {
    const int hidden = end.to - end.from;
    if (hidden <= 0) continue;
    float light = 0;
    for (int word = end.from; word < end.to; ++word) light += lit.weights[static_cast<std::size_t>(word)];
    const std::string told = io::count_of(hidden, "word") + ", " + io::format_percent(light);
    const std::string words = end.before ? "‹ " + told : told + " ›";
    const int to =
        end.before ? std::max(slots.first - slots.count / 2, 0) : std::min(behind + slots.count / 2 - 1, slots.of - 1);
    const float width = text::measure(text::Face::regular, 12, words) + 16;
    const float x = end.before ? slots.left : slots.left + slots.pitch * static_cast<float>(slots.count) - width;
    Element button{.id = std::string(end.id),
                   .role = Role::button,
                   .rect = {x, middle - 14, width, 28},
                   .label = (end.before ? "The words before: " : "The words behind: ") + told,
                   .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = 14},
                   .furniture = true};
    if (!lit.field.empty()) button.edit = Edit{std::string(lit.field), std::to_string(to)};
    figure.add(std::move(button));
    add_text(figure, std::string(end.id) + ".text", {x, middle - 14, width, 28}, words,
             {.colour = colours.muted, .align = Align::centre});
    figure.elements.back().furniture = true;
  }
}

}  // namespace limelight::scenes
