#include "scenes/common/sentence.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "figure/marks.h"
#include "figure/order.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr std::string_view kWordId = "stage.word.", kLineWordId = "target.word.";
constexpr int kSharesUpright = 5;  // that are written below them
constexpr float kShareRoom = 44;   // px of a percentage below an upright word
// Of a text whose letters have the size 1:
constexpr float kOfText = 0.1F;    // as much larger is the heaviest word
constexpr float kDrop = 0.32F;     // from the letters down to where the word's light falls
constexpr float kAir = 0.22F;      // that a word leaves free of its place
constexpr float kQuietInk = 0.6F;  // of punctuation, where a word's is 1
constexpr Colour kBlack{0x12, 0x14, 0x1b};

// Text of this size needs less contrast (WCAG 2.2).
bool is_large(float size, text::Face face) {
  return size >= 24 || (size >= kBoldLarge && (face == text::Face::display_bold || face == text::Face::mono_bold));
}

// "stage.word.3" is 3 after "stage.word.".
std::optional<int> number_after(std::string_view prefix, std::string_view id) {
  if (!id.starts_with(prefix)) return std::nullopt;
  id.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() ? std::optional(number) : std::nullopt;
}

// The row of a number of this tensor, "weights[3,0]", or of a row's name, "weights.row.3".
std::optional<int> matrix_row_at(std::string_view tensor, std::string_view id) {
  if (!id.starts_with(tensor)) return std::nullopt;
  const std::optional<Source> cell = figure::parse_cell_id(id);
  if (!cell) return number_after(".row.", id.substr(tensor.size()));
  return cell->tensor == tensor ? std::optional(cell->row) : std::nullopt;
}

}  // namespace

float even_share(std::span<const float> weights) {
  const auto seen = std::ranges::count_if(weights, [](float weight) { return weight > 0; });  // not masked
  return 1 / static_cast<float>(std::max<std::ptrdiff_t>(seen, 1));
}

float above_even(std::span<const float> weights, int word) {
  const float even = even_share(weights);
  return std::clamp((weights[static_cast<std::size_t>(word)] - even) / (3 * even), 0.F, 1.F);
}

std::string word_id(int word) { return std::string(kWordId) + std::to_string(word); }

std::optional<int> word_at(std::string_view id) { return number_after(kWordId, id); }

std::optional<int> line_word_at(std::string_view id) { return number_after(kLineWordId, id); }

int asking_word(const View& view, int query, int count) {
  const std::optional<int> word = word_at(view.asking.empty() ? view.hovered : view.asking);
  return word && *word < count ? *word : std::min(query, count - 1);
}

std::optional<int> map_row_at(std::string_view id) { return matrix_row_at("weights", id); }

std::optional<int> row_in(std::span<const std::string_view> tensors, std::string_view id) {
  for (const std::string_view tensor : tensors)
    if (const std::optional<int> row = matrix_row_at(tensor, id)) return row;
  return std::nullopt;
}

bool is_of_words(std::string_view id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool numbers = id.starts_with("X.") && id.size() > 2 && std::ranges::all_of(id.substr(2), is_digit);
  return numbers || id.starts_with("stage.");
}

Colour ink_of(const LitWords& lit, int word, Rect behind, bool large) {
  const Palette& colours = palette(lit.theme);
  if (word == lit.query) return readable(lit, colours.query, behind, false);  // it is what all is about
  const bool dark = is_dark(lit.theme);
  const float weight = lit.weights[static_cast<std::size_t>(word)];
  // Of many words even the brightest has little light.
  const bool many = static_cast<int>(lit.words.size()) > kMostOnStage;
  const float share = std::clamp(many ? above_even(lit.weights, word) : 2.4F * weight, 0.F, 1.F);
  const Colour own = mix(colours.faint, dark ? kCream : kBlack, std::pow(share, dark ? 0.7F : 0.6F));
  const bool quiet = weight < kHeavy && is_mark(lit.words[static_cast<std::size_t>(word)]);
  // A beam to a neighbour that crosses a first or last letter leaves the others their ink: turned white for the one
  // letter a word would seem to be lit itself.
  return readable(lit, quiet ? mix(lit.ground.bottom, own, kQuietInk) : own, behind, large,
                  weight < kTold ? 0.6F : 1.F);
}

namespace {

// How a word is drawn.
struct Drawn {
  std::string text;
  text::Face face;
  float size;
  float width = 0, cap = 0;  // of its letters, as they are read
  Rect letters{};
};

Drawn drawn(const Slots& slots, const LitWords& lit, const Across& across, int word) {
  const float weight = lit.weights[static_cast<std::size_t>(word)];
  const std::string& letters = lit.words[static_cast<std::size_t>(word)];
  const WordSetting set = setting_of(slots, letters, weight, word == lit.query);
  Drawn one{.text = letters, .face = set.face, .size = set.size};
  const float room = slots.column || slots.upright ? across.room : slots.pitch - kBetweenWords / 2;
  if (slots.upright) {  // the heaviest is a third larger, a long one smaller
    one.size = std::min(one.size * (1 + above_even(lit.weights, word) / 3), 0.85F * std::max(slots.pitch, one.size));
    const float width = text::measure(one.face, one.size, one.text);
    one.size = std::clamp(one.size * (room - 1) / std::max(width, 1.F), std::min(kSmallestUpright, one.size), one.size);
  }
  if (slots.is_text()) {  // as much larger as leaves air beside it
    const float most =
        (slots.in_line(word).w - kAir * slots.size) / std::max(text::measure(one.face, 1, one.text), 0.01F);
    one.size = std::min(one.size * (1 + kOfText * above_even(lit.weights, word)), most);
  }
  if (slots.column || slots.upright || slots.cut)
    one.text = text::fit(one.face, one.size, one.text, std::max(room, 8.F));
  one.width = std::max(text::measure(one.face, one.size, one.text), kBetweenWords);
  one.cap = text::metrics(one.face, one.size).cap_height;
  if (slots.upright)
    one.letters = {slots.middle(word) - one.cap / 2, across.words - one.width, one.cap, one.width};
  else if (slots.column)
    one.letters = {across.words, slots.centre(word) - one.cap / 2, one.width, one.cap};
  else if (slots.is_text()) {
    const Point foot = slots.foot(word, 0);
    one.letters = {foot.x - one.width / 2, foot.y - kDrop * slots.size - one.cap, one.width, one.cap};
  } else
    one.letters = {slots.centre(word) - one.width / 2, across.words - one.cap, one.width, one.cap};
  return one;
}

// Below a word that asks; of an upright one, to its right.
Line underline(const Slots& slots, const Drawn& one, Colour colour) {
  const Rect r = one.letters;
  if (slots.upright)
    return {.points = {{r.right() + 4, r.bottom()}, {r.right() + 4, r.y}}, .colour = colour, .width = 2};
  const float under = r.bottom() + slots.size / 3;
  return {.points = {{r.x, under}, {r.right(), under}}, .colour = colour, .width = 3};
}

// The words whose names are written: all, but of upright ones those that have room beside each other, `least` from one
// middle to the next: the one that asks, then the heaviest.
std::vector<bool> named_words(const Slots& slots, const LitWords& lit, float least) {
  const auto first = static_cast<std::size_t>(slots.first), count = static_cast<std::size_t>(slots.count);
  if (!slots.upright || slots.pitch >= least) return std::vector<bool>(count, true);
  std::vector<float> weights(lit.weights.begin(), lit.weights.end());
  if (lit.query >= 0) weights[static_cast<std::size_t>(lit.query)] = 2;
  return largest_apart(std::span(weights).subspan(first, count), static_cast<int>(std::ceil(least / slots.pitch)) - 1);
}

// A word's place in a text, up to as high as fingers need; what belongs to the line above lies over that.
Rect in_text(const Rect& place) {
  constexpr float kTouched = 44;  // px
  const float more = std::max(kTouched - place.h, 0.F);
  return {place.x, place.y - more, place.w, place.h + more};
}

// Where a word is hit: on its letters and a little around them. Below is the way to the numbers.
void add_word(Figure& figure, const Slots& slots, const LitWords& lit, const Across& across, int word) {
  constexpr float kAbove = 8, kTouched = 44;  // px over the letters that are the word's as well; least, for fingers
  const Rect letters = drawn(slots, lit, across, word).letters;
  // As high as the word may become, or at its upper edge pointing at it would make it too small to be pointed at.
  const float highest =
      slots.upright
          ? across.room
          : text::metrics(text::Face::display_bold, slots.size + std::max(slots.gain, kAsks * slots.size)).cap_height;
  const float from = slots.from(word), to = slots.to(word), letters_from = across.words - highest - kAbove;
  const float above = across.from > 0 ? std::min(letters_from, across.from) : letters_from;
  Element element{.id = word_id(word),
                  .role = Role::token,
                  .rect = slots.is_text() ? in_text(slots.in_line(word))
                          : slots.column  ? Rect{letters.x - kAbove, from, across.end - letters.x + kAbove, to - from}
                                          : Rect{from, above, to - from, std::max(across.end - above, kTouched)},
                  .label = lit.words[static_cast<std::size_t>(word)] + ": " +
                           io::format_percent(lit.weights[static_cast<std::size_t>(word)])};
  if (!lit.field.empty()) element.edit = Edit{std::string(lit.field), std::to_string(word)};
  figure.add(std::move(element));
}

void add_letters(Figure& figure, const Slots& slots, const LitWords& lit, const Across& across, int word) {
  const Drawn one = drawn(slots, lit, across, word);
  figure.add({.id = word_id(word) + ".text",
              .rect = one.letters,
              .shape = Text{.text = one.text,
                            .face = one.face,
                            .size = one.size,
                            .colour = ink_of(lit, word, one.letters, is_large(one.size, one.face)),
                            .align = slots.column || slots.upright ? Align::left : Align::centre,
                            .vertical = slots.upright}});
  if (word != lit.query) return;
  const Rect below =
      slots.upright ? one.letters : Rect{one.letters.x, one.letters.bottom(), one.letters.w, slots.size / 3};
  // No line turns on its way from one step to another: the upright one fades.
  figure.add({.id = "stage.asks." + std::to_string(word) + (slots.upright ? ".upright" : ""),
              .shape = underline(slots, one, readable(lit, palette(lit.theme).query, below, true))});
}

// px for a word's percentage; those of a text make room for each other.
float share_room(const Slots& slots) {
  constexpr float kInColumn = 60, kFree = 1000;
  if (slots.column) return kInColumn;
  if (slots.upright) return std::max(slots.pitch, kShareRoom);
  return slots.is_text() ? kFree : slots.pitch;
}

// A percentage as it is written.
struct Share {
  std::string text;
  bool told, amber;  // it is much; it has the colour of light
  text::Face face;
  float size;  // px; below 9 it is left out

  [[nodiscard]] float width() const { return text::measure(face, size, text); }
};

Share share_of(const Slots& slots, const LitWords& lit, const Across& across, int word) {
  constexpr float kNothing = 0.01F;    // less is left out where there is no room for more
  constexpr float kUnderText = 0.66F;  // of the size of a text's letters
  const float weight = lit.weights[static_cast<std::size_t>(word)];
  const bool many = slots.is_text() && slots.count > kMostOnStage, told = weight >= kTold;
  // Of many words an even share is so little that a whole number would not say who gets more.
  const bool fine = many && weight < 0.0995F && weight >= kNothing;
  Share share{.text = slots.upright && slots.pitch < kShareRoom && weight < kNothing ? ""
                      : fine ? io::format_fixed(100 * static_cast<double>(weight), 1) + "\u00A0%"
                             : share_text(weight),
              .told = told,
              .amber = told || (many && above_even(lit.weights, word) > 0),
              .face = told ? text::Face::mono_bold : text::Face::mono,
              .size = told ? 19 * std::max(across.scale, 0.75F) : 12.5F * std::max(across.scale, 0.88F)};
  if (slots.is_text()) share.size = std::min(share.size, std::max(kUnderText * slots.size, 11.F));
  // Where slots are narrow the numbers shrink, and the faint ones are left out.
  share.size = std::min(share.size, share.size * (share_room(slots) - 4) / std::max(share.width(), 1.F));
  return share;
}

// The middle of one below an upright word: no part of it is beyond the row of words.
float under_upright(const Slots& slots, int word) {
  const float half = share_room(slots) / 2, end = slots.begin + slots.pitch * static_cast<float>(slots.count);
  return std::clamp(slots.middle(word), slots.begin + half, std::max(end - half, slots.begin + half));
}

// The words whose percentages have room: of upright ones that stand close the heaviest first, each where it lies over
// none before it.
std::vector<bool> with_share(const Slots& slots, const LitWords& lit, const Across& across) {
  constexpr float kApart = 3;  // px
  std::vector<bool> has(static_cast<std::size_t>(slots.count), !slots.upright || slots.pitch >= kShareRoom);
  if (has.front()) return has;
  std::vector<std::pair<float, float>> taken;  // px, from and to
  const std::span<const float> weights = lit.weights;
  const auto first = static_cast<std::size_t>(slots.first);
  for (const int place : largest_first(weights.subspan(first, has.size()))) {
    const int word = slots.first + place;
    const float half = share_of(slots, lit, across, word).width() / 2 + kApart, at = under_upright(slots, word);
    if (std::ranges::any_of(taken,
                            [&](const auto& other) { return at + half > other.first && at - half < other.second; }))
      continue;
    taken.emplace_back(at - half, at + half);
    has[static_cast<std::size_t>(place)] = true;
  }
  return has;
}

constexpr float kBeside = 1.1F, kEdge = 4;  // between two percentages, of their size: more than before "%"; px to edges

// Of a text, how far each of these words' percentages moves aside, so that none stands over the next one of its line.
std::vector<float> moved_aside(const Slots& slots, const LitWords& lit, const Across& across,
                               const std::vector<int>& words, float width) {
  constexpr int kRounds = 12;
  std::vector<float> aside(words.size()), widths, sizes;
  for (const int word : words) {
    const Share share = share_of(slots, lit, across, word);
    widths.push_back(share.width());
    sizes.push_back(share.size);
  }
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Rect& right = slots.in_line(words[i]);
      const float middle = right.centre().x, half = widths[i] / 2 + kEdge;
      aside[i] = std::clamp(middle + aside[i], half, std::max(half, width - half)) - middle;
      if (i == 0) continue;
      const Rect& left = slots.in_line(words[i - 1]);
      if (left.y != right.y) continue;
      const float apart = middle + aside[i] - left.centre().x - aside[i - 1];
      const float beside = kBeside * std::max(sizes[i - 1], sizes[i]);
      const float lacks = (widths[i - 1] + widths[i]) / 2 + beside - apart;
      if (lacks <= 0) continue;
      aside[i - 1] -= lacks / 2;
      aside[i] += lacks / 2;
    }
  return aside;
}

// The least weight of a text whose percentage is told: the first from which on all stand at their words.
float least_told(const Slots& slots, const LitWords& lit, const Across& across, float width) {
  constexpr float kAside = 8;  // px: further, and a percentage would be taken for its neighbour's
  for (const float least : {0.01F, 0.02F, 0.03F, 0.05F}) {
    std::vector<int> words;
    for (int word = slots.first; word < slots.first + slots.count; ++word)
      if (lit.weights[static_cast<std::size_t>(word)] >= least) words.push_back(word);
    const std::vector<float> aside = moved_aside(slots, lit, across, words, width);
    if (std::ranges::all_of(aside, [](float px) { return std::abs(px) <= kAside; })) return least;
  }
  return kTold;
}

// aside: of a text, px to the right of its word's middle.
void add_share(Figure& figure, const Slots& slots, const LitWords& lit, const Across& across, int word, float aside) {
  const Palette& colours = palette(lit.theme);
  const float weight = lit.weights[static_cast<std::size_t>(word)];
  const Share share = share_of(slots, lit, across, word);
  const bool leads = !lit.tensor.empty();
  if ((!share.told && !leads) || share.size < 9) return;
  const float width = share.width(), room = slots.is_text() ? width + 6 : share_room(slots);
  const float at = slots.upright     ? under_upright(slots, word)
                   : slots.is_text() ? slots.foot(word, 0).x + aside
                   : across.columns  ? slots.middle(word)
                                     : slots.centre(word);
  const float y = slots.is_text() ? slots.foot(word, 0).y + slots.below : across.shares;
  const float half = std::max(12.F, 0.64F * share.size);
  const Rect rect = slots.column ? Rect{across.shares - room, at - half, room, 2 * half}
                                 : Rect{at - room / 2, y - half, room, 2 * half};
  const float left = slots.column ? rect.right() - width : at - width / 2;
  const Rect letters{left, rect.y + 6, width, rect.h - 12};
  Element element{.id = "stage.share." + std::to_string(word),
                  .role = leads ? Role::cell : Role::none,
                  .rect = rect,
                  .label = lit.words[static_cast<std::size_t>(word)] + ": " + share_text(weight),
                  .shape = Text{.text = share.text,
                                .face = share.face,
                                .size = share.size,
                                .colour = readable(lit, share.amber ? colours.amber_text : colours.faint, letters,
                                                   is_large(share.size, share.face)),
                                .align = slots.column ? Align::right : Align::centre}};
  if (leads) element.source = Source{std::string(lit.tensor), lit.row, word};
  if (leads && !lit.weight_field.empty()) element.edit = Edit{.field = std::string(lit.weight_field)};
  const bool outlined = leads && cell_id(*element.source) == lit.looked_at;
  figure.add(std::move(element));
  if (!outlined) return;
  add_ring(figure, "stage.share." + std::to_string(word) + ".ring", Rect{left, rect.y + 2, width, rect.h - 4}.inset(-5),
           colours.ink);
}

}  // namespace

float add_lit_words(Figure& figure, const Slots& slots, const LitWords& lit, const Across& across) {
  for (int word = slots.first; word < slots.first + slots.count; ++word) add_word(figure, slots, lit, across, word);
  const std::vector<bool> named = named_words(slots, lit, slots.size + 1), room = with_share(slots, lit, across);
  // Of words that stand close the heaviest are told, and what gets as much as the last of these.
  const bool close = slots.upright && slots.pitch < kShareRoom;
  const float least = slots.is_text() ? least_told(slots, lit, across, figure.width) : 0;
  const auto is_told = [&](int word) {
    const float weight = lit.weights[static_cast<std::size_t>(word)];
    if (slots.is_text()) return weight >= least;
    const auto heavier = std::ranges::count_if(lit.weights, [&](float other) { return other > weight; });
    return room[static_cast<std::size_t>(word - slots.first)] && (!close || (heavier < kSharesUpright && weight > 0));
  };
  std::vector<int> told;
  for (int word = slots.first; word < slots.first + slots.count; ++word)
    if (across.told && is_told(word)) told.push_back(word);
  const std::vector<float> aside =
      slots.is_text() ? moved_aside(slots, lit, across, told, figure.width) : std::vector<float>(told.size());
  std::size_t next = 0;
  for (int word = slots.first; word < slots.first + slots.count; ++word) {
    if (named[static_cast<std::size_t>(word - slots.first)]) add_letters(figure, slots, lit, across, word);
    if (next == told.size() || told[next] != word) continue;
    add_share(figure, slots, lit, across, word, aside[next++]);
  }
  return least;
}

}  // namespace limelight::scenes
