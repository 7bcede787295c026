// The step Split: of one word the query, the key and the value, each cut into the heads' parts, and the matrices that
// make them.
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

ChipGroup head_counts(const State& state) {
  ChipGroup counts{"heads", "heads", {}};
  for (int heads = 1; heads <= kMostHeads; ++heads)
    if (state.d_model % heads == 0)
      counts.chips.push_back({std::to_string(heads), std::to_string(heads), heads == state.heads, {}});
  return counts;
}

void add_input(Drawing& d, const std::string& name, int row, Rect rect) {
  const Tensor& X = d.trace.at(name);
  add_numbers(d, {.range = {name, row, 0, 1, X.columns()},
                  .rect = rect,
                  .tint = d.colours.input_fill,
                  .most = largest_in(d, name),
                  .label = name + " of " + X.row_labels[static_cast<std::size_t>(row)],
                  .editable = true});
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
  const float pitch = (bottom - y) / 3.7F, label = std::min(22.F, 0.3F * pitch), high = std::min(0.5F * pitch, 62.F);
  const Rect input{bars.x, y, bars.w, 0.55F * pitch - 8};
  add_input(d, "X", d.row, {bars.x, y, crossed ? bars.w / 2 - 8 : bars.w, input.h});
  if (crossed) add_input(d, "Z", key, {bars.x + bars.w / 2 + 8, y, bars.w / 2 - 8, input.h});
  add_name(d, input, "X", d.colours.input, {"numbers of", crossed ? asks + ", " + answers : asks});
  struct Role {
    std::string letter, what;
    Colour ink, fill;
  };
  const Role roles[] = {{"Q", "query of", d.colours.query, d.colours.query_fill},
                        {"K", "key of", d.colours.key, d.colours.key_fill},
                        {"V", "value of", d.colours.value, d.colours.value_fill}};
  y += 0.7F * pitch;
  for (const Role& role : roles) {
    const bool query = role.letter == "Q";
    const HeadBar bar{.rect = {bars.x, y + label, bars.w, high},
                      .label = label,
                      .letter = role.letter,
                      .row = query ? d.row : key,
                      .tint = role.fill};
    add_head_bar(d, bar);
    const float side = d.narrow() ? 24 : std::min(0.42F * (bars.x - d.margin()), pitch - 16);
    Rect name = bar.rect;
    if (!d.narrow()) name.x -= side + 12;
    add_matrix(d, "W_" + role.letter,
               {d.narrow() ? 6 : name.x, name.centre().y - (d.narrow() ? 0 : side / 2), side, side}, Dealt::columns);
    if (!d.low() && !d.narrow())
      add_symbol(d, "W_" + role.letter + ".title", {name.x, name.centre().y - side / 2 - 22}, "W_" + role.letter,
                 d.colours.muted, 14);
    add_name(d, name, role.letter, role.ink, {role.what, query ? asks : answers});
    y += pitch;
  }
  return bottom;
}

}  // namespace limelight::scenes::heads
