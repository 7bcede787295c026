// The step Split: of one word the query, the key and the value, each cut into the heads' parts, and their matrices.
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

// From a head's share of a whole row to its piece.
void add_fall(Drawing& d, const std::string& id, Rect whole, Rect piece, int h) {
  const float share = whole.w / static_cast<float>(d.state.heads), left = whole.x + share * static_cast<float>(h);
  d.figure.add({.id = id,
                .shape = Area{.points = {{left + 1, whole.bottom()},
                                         {left + share - 1, whole.bottom()},
                                         {piece.right(), piece.y},
                                         {piece.x, piece.y}},
                              .fill = d.of(h).faded(0.55F),
                              .fill_to = d.of(h).faded(0.2F)}});
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
  add_name(d, input, "X", d.colours.input, {crossed ? asks + ", " + answers : "numbers of " + asks});
  const std::tuple<std::string, std::string, Colour, Colour> roles[] = {
      {"Q", "query of", d.colours.query, d.colours.query_fill},
      {"K", "key of", d.colours.key, d.colours.key_fill},
      {"V", "value of", d.colours.value, d.colours.value_fill}};
  y += part + 0.13F * pitch;
  for (const auto& [letter, what, ink, fill] : roles) {
    const bool query = letter == "Q";
    const float named = query ? label : 0;  // the heads are, once
    const Rect whole{bars.x, y, bars.w, part};
    const HeadBar bar{.rect = whole.moved(0, std::lerp(0.F, 1.45F * part + named, smoothstep(0, 0.9F, d.view.t))),
                      .label = named,
                      .letter = letter,
                      .row = query ? d.row : key,
                      .tint = fill};
    add_row(d, letter, bar.row, whole, fill, false);
    const std::size_t first = d.figure.elements.size();
    for (int h = 0; h < d.state.heads; ++h)
      add_fall(d, letter + ".fall." + std::to_string(h), whole, bar.segment(h, d.state.heads).inset(4), h);
    add_head_bar(d, bar);
    for (std::size_t i = first; i < d.figure.elements.size() && d.view.t < 1; ++i)
      d.figure.elements[i].clip = Rect{0, whole.bottom() + 2, d.figure.width, 2 * pitch};  // from under the whole row
    const float side = d.narrow() ? 24 : std::min(0.36F * (bars.x - d.margin()), 2 * part);
    Rect name = whole;
    if (!d.narrow()) name.x -= side + 12;
    add_matrix(d, "W_" + letter, {d.narrow() ? 6 : name.x, y + (d.narrow() ? part : 0), side, side}, Dealt::columns);
    if (!d.low() && !d.narrow())
      add_symbol(d, "W_" + letter + ".title", {name.x, y + side + 4}, "W_" + letter, d.colours.muted, 14);
    add_name(d, name, letter, ink, {what, query ? asks : answers});
    y += pitch + (query ? label : 0);
  }
  return bottom;
}

}  // namespace limelight::scenes::heads
