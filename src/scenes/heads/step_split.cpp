// The step Split: of one word the query, the key and the value, each cut into the heads' parts, and their matrices.
#include <span>

#include "figure/choreography.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

ChipGroup head_counts(const State& state) {
  ChipGroup counts{"heads", "heads", {}};
  for (int heads = 1; heads <= kMostHeads; ++heads)
    if (state.d_model % heads == 0)
      counts.chips.push_back({std::to_string(heads), std::to_string(heads), heads == state.heads, {}});
  return counts;
}

void add_row(Drawing& d, const std::string& name, int row, Rect rect, Colour tint, bool editable) {
  const Tensor& tensor = d.trace.at(name);
  add_numbers(d, {.range = {name, row, 0, 1, tensor.columns()},
                  .rect = rect,
                  .tint = tint,
                  .most = largest_in(d, name),
                  .label = name + " of " + tensor.row_labels[static_cast<std::size_t>(row)],
                  .editable = editable});
}

// Between its heads a row is cut, from the left to the right; then one piece after the other falls out of it.
float cut(const Drawing& d, int h) { return in_turn(std::min(d.view.t / 0.4F, 1.F), h, d.state.heads); }
float fallen(const Drawing& d, int h) {
  return in_turn(std::clamp((d.view.t - 0.35F) / 0.65F, 0.F, 1.F), h, d.state.heads);
}

// A row and its pieces, which leave it pale; between both what fell out of where. deep: px that they fall.
void add_pieces(Drawing& d, Rect whole, HeadBar bar, float deep) {
  const std::string letter(bar.letter);
  const int heads = d.state.heads, size = sizes(d.state).head;
  const float share = whole.w / static_cast<float>(heads);
  const std::size_t row = d.figure.elements.size();
  add_row(d, letter, bar.row, whole, bar.tint, false);
  int column = 0;
  for (Element& element : std::span(d.figure.elements).subspan(row))
    if (element.id.contains(".column.")) element.opacity *= 1 - 0.7F * fallen(d, column++ / size);
  for (int h = 0; h < heads; ++h) {
    bar.above[static_cast<std::size_t>(h)] = deep * (1 - fallen(d, h));
    const float left = whole.x + share * static_cast<float>(h);
    const Rect piece = bar.segment(h, heads).inset(4);
    const std::string at = std::to_string(h);
    if (piece.y > whole.bottom())
      add_part(d, letter + ".fall." + at, Role::none, {}, {},
               Area{{{left + 1, whole.bottom()},
                     {left + share - 1, whole.bottom()},
                     {piece.right(), piece.y},
                     {piece.x, piece.y}},
                    d.of(h).faded(0.55F),
                    d.of(h).faded(0.2F)});
    const float top = whole.y - 5, knife = mix(top, whole.bottom() + 5, cut(d, h - 1));
    if (h > 0 && knife > top) add_stroke(d, letter + ".cut." + at, {{left, top}, {left, knife}}, d.colours.ink, 1.8F);
  }
  const std::size_t first = d.figure.elements.size();
  add_head_bar(d, bar);
  for (Element& element : std::span(d.figure.elements).subspan(first))  // "head.3.Q.edge" or "Q_3.column.0"
    element.opacity *= cut(d, element.id[element.id.starts_with("head.") ? 5 : 2] - '1');
}

}  // namespace

float draw_split(Drawing& d, float y, float bottom) {
  if (!d.state.trained)
    bottom = add_choices(
        d, {head_counts(d.state), chips_of("attention", "attention", kKinds, static_cast<int>(d.state.attention))},
        bottom);
  const bool crossed = d.state.crossed();
  if (crossed) (d.narrow() ? y : bottom) = add_other(d, d.narrow() ? y : bottom);
  y = add_sentence(d, y);
  const Rect bars = bars_of(d);
  const std::vector<std::string> words = query_words(d.state), keys = key_words(d.state);
  const int key = std::min(d.row, static_cast<int>(keys.size()) - 1);  // of cross-attention the word at the same place
  const std::string &asks = words[static_cast<std::size_t>(d.row)], &answers = keys[static_cast<std::size_t>(key)];
  const float label = d.low() ? 14 : 22, pitch = (bottom - y - label) / 3.4F, part = std::min(0.29F * pitch, 50.F);
  const Rect input{bars.x, y, crossed ? bars.w / 2 - 8 : bars.w, part};
  add_row(d, "X", d.row, input, d.colours.input_fill, true);
  if (crossed) add_row(d, "Z", key, input.moved(bars.w / 2 + 8, 0), d.colours.input_fill, true);
  add_name(d, input, "X", d.narrow() ? "" : "input", d.colours.input,
           {crossed ? asks + ", " + answers : "numbers of " + asks});
  const std::tuple<std::string, std::string, Colour, Colour> roles[] = {
      {"Q", "query", d.colours.query, d.colours.query_fill},
      {"K", "key", d.colours.key, d.colours.key_fill},
      {"V", "value", d.colours.value, d.colours.value_fill}};
  y += part + 0.13F * pitch;
  for (const auto& [letter, what, ink, fill] : roles) {
    const bool query = letter == "Q";
    const float named = query ? label : 0;  // the heads are, once
    const Rect whole{bars.x, y, bars.w, part};
    const float deep = 1.45F * part + named;
    add_pieces(
        d, whole,
        {.rect = whole.moved(0, deep), .label = named, .letter = letter, .row = query ? d.row : key, .tint = fill},
        deep);
    const float side = d.narrow() ? 24 : std::min(0.36F * (bars.x - d.margin()), 2 * part);
    Rect name = whole;
    if (!d.narrow()) name.x -= side + 12;
    add_matrix(d, "W_" + letter, {d.narrow() ? 6 : name.x, y + (d.narrow() ? part : 0), side, side});
    if (!d.low() && !d.narrow())
      add_symbol(d, "W_" + letter + ".title", {name.x, y + side + 4}, "W_" + letter, d.colours.muted, 14);
    add_name(d, name, letter, d.narrow() ? "" : what, ink, {"of " + (query ? asks : answers)});
    y += pitch + (query ? label : 0);
  }
  return bottom;
}

}  // namespace limelight::scenes::heads
