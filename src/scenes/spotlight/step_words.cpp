// The first step: the sentence under the lamp, and the numbers that each word is.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "figure/callout.h"
#include "figure/panels.h"
#include "figure/phrases.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr int kMostDigits = 8;   // numbers that a callout writes out
constexpr float kUpright = 118;  // px that upright words may be long, at scale 1

std::string callout_id(int word) { return "callout." + std::to_string(word); }

// The number of an embedding that is pointed at.
std::optional<Source> pointed_number(const Drawing& d) {
  const std::optional<Source> cell = parse_cell_id(d.view.hovered);
  return cell && cell->tensor == "X" && !d.state.given() ? cell : std::nullopt;
}

// The word whose numbers are written out: whose embedding is pointed at, else the one that asks.
int told_word(const Drawing& d) {
  const std::optional<Source> number = pointed_number(d);
  return number ? number->row : d.row;
}

// "action: 0", or "number 5 of 97: 0.12".
std::vector<Phrase> said_of_number(const Drawing& d, const Source& number) {
  const Tensor& X = d.trace.at("X");
  const auto column = static_cast<std::size_t>(number.column);
  const bool named = column < X.column_labels.size();
  const std::string name =
      named ? X.column_labels[column] : "number " + std::to_string(column + 1) + " of " + std::to_string(X.columns());
  const float value = X.values(number.row, number.column);
  return {{name + ": ", d.colours.muted, text::Face::regular},
          {io::format_fixed(value, decimals_for(X.values, 2)), d.colours.input, text::Face::mono_bold}};
}

// What the word is, in words where its numbers have names.
std::vector<std::vector<Phrase>> said_of(const Drawing& d, int word) {
  Palette c = d.colours;
  if (word != d.row) c.query = c.ink;
  const std::string name = text::fit(text::Face::semibold, 12, d.key(word), 160);
  const int count = d.trace.at("X").columns();
  const std::string numbers = io::count_of(count, "number"), point = count > kMostDigits ? "point at one" : "";
  const auto plain = [&](std::string words) { return Phrase{std::move(words), c.muted, text::Face::regular}; };
  if (d.state.trained && word == 0)
    return {{{name, c.query}, plain(" stands before every sentence")}, {plain(numbers)}};
  if (d.state.trained && d.state.layer > 1)
    return {{{name, c.query}, plain(": " + numbers + ", made by " + io::count_of(d.state.layer - 1, "trained layer"))},
            {plain("no single one has a name; " + point)}};
  if (!d.state.named())
    return {{{name, c.query}, plain(": its embedding, " + numbers + (point.empty() ? "" : "; " + point))}};
  return {{{name, c.query}, plain(" is "), {fox_words(d.trace.at("K").values, word), c.input}},
          {plain("looks for "), {fox_words(d.trace.at("Q").values, word), c.query}},
          {plain("passes on "), {fox_words(d.trace.at("V").values, word), c.value}},
          {plain("its embedding, " + numbers)}};
}

// The word's numbers written out, where they are few, and what they say: below `at`, with a pointer to `tip` if there
// is one.
void add_word_callout(Drawing& d, int word, Point at, std::optional<Point> tip, float bottom) {
  const float k = label_scale(d), line_h = 17 * k, pad = 10 * k, size = 13 * k;
  const Tensor& X = d.trace.at("X");
  std::vector<std::vector<Phrase>> lines = said_of(d, word);
  const std::optional<Source> number = pointed_number(d);
  if (number) lines.insert(lines.begin(), said_of_number(d, *number));
  const bool digits = X.columns() <= kMostDigits;
  const int decimals = decimals_for(X.values, 2);
  // With more numbers than are written out, cells are narrow stripes.
  const float most = std::min(560 * k, d.figure.width - 2 * d.margin() - 2 * pad);
  const auto columns = static_cast<float>(X.columns());
  const float cell_w = digits ? (decimals == 0 ? 30 : 42) * k : std::min(5 * k, most / columns), cell_h = 27 * k;
  const float cells = cell_h + 9 * k;
  float height = pad + cells + line_h * static_cast<float>(lines.size()) + pad - 4;
  std::size_t shown = lines.size();
  // Where there is little room below, the last lines go first; they are in the next steps.
  while (shown > 1 && at.y + 9 + height > bottom) {
    --shown;
    height -= line_h;
  }
  if (at.y + 9 + height > bottom) return;
  float width = cell_w * columns;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, phrase_width(lines[i], size));
  const Rect card = callout_rect(at, Side::below, width + 2 * pad, height, d.margin(), d.figure.width - d.margin());
  // A name of its own, so that another word's fades in where it stands.
  const std::string id = callout_id(word);
  add_callout(d.figure, id, card, tip, d.view.theme);
  const Rect numbers{card.centre().x - cell_w * columns / 2, card.y + pad - 2, cell_w * columns, cell_h};
  MatrixCells cells_of = small_cells({"X", word, 0, 1, X.columns()}, cell_w, d.colours.input_fill, d.view.theme);
  cells_of.text_size = digits ? 13.5F * k : 0;
  cells_of.decimals = decimals;
  d.figure.add({.id = id + ".X",
                .role = Role::cell,
                .rect = numbers,
                .label = "Embedding of " + d.key(word),
                .edit = Edit{"X", {}},
                .shape = std::move(cells_of)});
  if (number) {
    const float x = numbers.x + cell_w * static_cast<float>(number->column);
    add_ring(d.figure, id + ".number", Rect{x, numbers.y, cell_w, cell_h}.inset(digits ? 0 : -2), d.colours.ink);
  }
  for (std::size_t i = 0; i < shown; ++i)
    add_phrases(d.figure, id + ".line." + std::to_string(i), lines[i],
                {card.centre().x, card.y + pad + cells + line_h * (static_cast<float>(i) + 0.5F)}, size);
}

// How wide a word's numbers are: `most`, or what leaves `air` beside them.
float cells_width(const Slots& slots, float most, float air) {
  float pitch = slots.pitch;  // the least
  for (int word = slots.first + 1; word < slots.first + slots.count; ++word)
    pitch = std::min(pitch, slots.centre(word) - slots.centre(word - 1));
  return std::min(most, pitch - (slots.upright ? 0.25F * pitch : air));
}

// Under each word its numbers, as large as `one`.
void add_embeddings(Drawing& d, const Slots& slots, Rect one) {
  for (int word = 0; word < slots.count; ++word)
    add_embedding(d, word, {slots.centre(word) - one.w / 2, one.y, one.w, one.h});
}

// On a phone.
float draw_on_phone(Drawing& d) {
  constexpr float kAround = 108;                // px above and below the column with its note
  constexpr float kClosest = 27, kWidest = 72;  // from a word to the next one
  constexpr float kNote = 34;                   // px of the note below
  const auto gaps = static_cast<float>(std::max<std::size_t>(d.keys.size(), 2) - 1);
  const float room = d.view.height - kAround, pitch = std::clamp(room / gaps, kClosest, kWidest);
  std::optional<float> text;
  if (gaps * pitch > room && !d.state.given()) text = add_narrow_text(d, d.view.height - kNote, false, true);
  const float note = text ? *text + 4 : add_lit_column(d, std::max((room - gaps * pitch) / 2, 8.F), pitch) - 12;
  if (d.state.given()) return note + 12;
  const float x = text ? 20.F : column_words(d);  // not under a lamp that stands at the last word
  add_words(d, "stage.note", {x, note, d.figure.width - x - 4, 18},
            text                              ? "tap a word, or drag the lamp"
            : d.figure.find("X.0") == nullptr ? "tap a word"
                                              : "each word is a list of numbers; tap one",
            {.colour = d.colours.faint});
  d.figure.elements.back().furniture = true;
  return note + 20;
}

// More words than stand side by side, as a text under the lamp. False where they have no room for it.
bool draw_text(Drawing& d, const LitStage& stage) {
  const float k = stage.scale, width = d.figure.width, height = d.height(), side = 96 * k;
  const float card = 104 * k;  // of the numbers, written out
  const float top = stage.lamp.bulb.y + 62 * k;
  LitText text{.stage = stage,
               .place = {side, top, width - 2 * side, height - card - top},
               .largest = 38 * k,
               .smallest = 24 * k,
               .air = 58 * k,
               .rests = stage.floor};
  // In one line where it can be read so, as in the last step.
  LitText line = text;
  line.smallest = 20 * k, line.air = 28 * k;
  line.place = {side / 2, stage.floor - 50 * k, width - side, 50 * k + line.air};
  std::optional<TextEnd> end = add_lit_text(d, line);
  if (!end) end = add_lit_text(d, text);
  text.smallest = 0;
  for (const float air : {28 * k, 0.F}) {  // closer lines, before letters are small
    text.air = air;
    if (!end) end = add_lit_text(d, text);
  }
  if (!end) return false;
  // Below the last line, pointing to its word, and to none of a line above it.
  const Point foot{end->asks.x, end->bottom};
  const bool points = end->lowest && told_word(d) == d.row;
  add_word_callout(d, told_word(d), points ? foot : Point{foot.x, foot.y + 8},
                   points ? std::optional(foot) : std::nullopt, height - 8);
  return true;
}

// In little height: all of the light, and the words' numbers where there is room.
float draw_low(Drawing& d) {
  constexpr float kLeast = 120, kWithCells = 200;
  const float width = d.figure.width, height = std::max(d.view.height, kLeast);
  const float k = std::clamp(width / 1216, 0.5F, 1.F);
  const bool cells = height >= kWithCells;
  LitStage stage{.slots = {}, .lamp = {}, .scale = k, .told = d.view.t >= 0.9F};
  stage.slots = word_slots(d, stage_room(d, 36 * k, 21 * k));
  stage.shares = std::round(height - (cells ? 44 : 14));
  stage.floor = stage.shares - 13 - 5 * k;
  stage.baseline = stage.floor - 30 * k;
  const float asks = d.state.given() ? width / 2 : stage.slots.centre(d.row);
  stage.lamp = {.bulb = {asks, std::round(0.22F * height)}, .cable_from = 0, .scale = 1.15F * k};
  if (stage.slots.upright) {
    stage.baseline = stage.floor - 8 * k;
    stage.room = std::min(kUpright, stage.baseline - stage.lamp.bulb.y - 16);
  }
  add_lit_stage(d, stage);
  if (cells) add_embeddings(d, stage.slots, {0, height - 28, cells_width(stage.slots, stage.slots.pitch, 24 * k), 16});
  return height - 12;
}

}  // namespace

void add_embedding(Drawing& d, int word, Rect rect) {
  const Tensor& X = d.trace.at("X");
  const float cell = rect.w / static_cast<float>(X.columns());
  d.figure.add({.id = "X." + std::to_string(word),
                .role = Role::cell,
                .rect = rect,
                .label = "Embedding of " + d.key(word),
                .edit = Edit{"X", {}},
                .shape = small_cells({"X", word, 0, 1, X.columns()}, cell, d.colours.input_fill, d.view.theme)});
}

float draw_words(Drawing& d) {
  if (d.view.compact()) return draw_on_phone(d);
  if (d.view.height < kLowest) return draw_low(d);
  const float k = stage_scale(d), width = d.figure.width, height = d.height();
  const float spare = std::max(height - 576 * k, 0.F);
  LitStage stage{.slots = {}, .lamp = {}, .scale = k, .told = d.view.t >= 0.9F};
  stage.slots = word_slots(d, stage_room(d, 36 * k, 21 * k));
  stage.floor = std::round(height - 200 * k - 0.3F * spare);
  stage.baseline = stage.floor - 32 * k;
  stage.shares = stage.floor + 24 * k;
  const float asks = d.state.given() ? width / 2 : stage.slots.centre(d.row);
  stage.lamp = {.bulb = {asks, std::round(98 * k + 0.3F * spare)}, .cable_from = 0, .scale = 1.15F * k};
  const auto columns = static_cast<float>(d.trace.at("X").columns());
  // As lines of a text where letters would be small beside each other.
  constexpr float kReadable = 17;
  if ((stage.slots.upright || (stage.slots.size < kReadable * k && !d.state.given())) && draw_text(d, stage))
    return height - 12;
  if (stage.slots.upright) {
    stage.baseline = stage.floor - 10 * k;
    stage.room = std::max(kUpright * k, 0.45F * (stage.baseline - stage.lamp.bulb.y));
  }
  add_lit_stage(d, stage);
  add_lamp_note(d, stage);
  const float cells_w = cells_width(stage.slots, 15.5F * k * columns, 16 * k);
  const float cells_y = stage.floor + 46 * k, cells_h = 22 * k;
  add_embeddings(d, stage.slots, {0, cells_y, cells_w, cells_h});
  if (!d.state.given()) {
    const int word = told_word(d);
    const Rect cells{stage.slots.centre(word) - cells_w / 2, cells_y, cells_w, cells_h};
    add_ring(d.figure, callout_id(word) + ".ring", cells.inset(-3), d.colours.ink);
    const Point tip{cells.centre().x, cells.bottom() + 7};
    add_word_callout(d, word, tip, tip, height - 16);
  }
  // Where the callout lies over it, that says it.
  const std::string said = "each word is a list of numbers";
  const Type label{type::label.face, type::label.size * label_scale(d)};
  const Rect note{stage.slots.centre(0) - cells_w / 2, cells_y + cells_h + 6,
                  text::measure(label.face, label.size, said) + 1, 18};
  const Element* callout = d.figure.find(callout_id(told_word(d)) + ".box");
  if (callout == nullptr || note.right() <= callout->rect.x || callout->rect.right() <= note.x)
    add_words(d, "stage.note", note, said, {.colour = d.colours.faint, .type = label});
  return height - 12;
}

}  // namespace limelight::scenes::spotlight
