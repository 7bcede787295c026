#include "scenes/heads/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/normalize.h"
#include "scenes/common/parts.h"
#include "scenes/common/sentence.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::heads {
namespace {

// The head that an id is about: "head.3.box", or a number of one's tensors, or a row of W_O; −1: none.
int head_of(const State& state, std::string_view id) {
  constexpr std::string_view prefix = "head.";
  if (id.starts_with(prefix)) return id[prefix.size()] - '1';
  const std::optional<Source> cell = parse_cell_id(id);
  if (!cell) return -1;
  if (cell->tensor == "W_O") return cell->row / sizes(state).head;
  return read_name(cell->tensor).head;
}

// The head that is pointed at, else the chosen one, from 0; −1: none is.
int pointed_at(const State& state, const View& view) {
  int head = std::min(state.head, state.heads) - 1;
  for (const std::string* id : {&view.pinned, &view.hovered})
    if (const int one = head_of(state, *id); one >= 0 && one < state.heads) head = one;
  return head;
}

}  // namespace

State as_looked_at(const State& state, const View& view) {
  State asked = state;
  asked.head = pointed_at(state, view) + 1;
  if (row_at(view.place).words_ask && !state.crossed())
    asked.query = asking_word(view, state.query, sizes(state).queries);
  return asked;
}

int lit_head(const State& state, const Trace& trace) {
  if (state.head > 0) return chosen_head(state);
  if (const int off = only_off(state); off >= 0) return off;
  int clearest = 0;
  float most = -1;
  const int row = query_row(state);
  for (int h = 0; h < state.heads; ++h) {
    const auto weights = trace.at(of_head("A", h)).values.row(row);
    Eigen::Index best = 0;
    const float weight = weights.maxCoeff(&best), clear = !state.crossed() && best == row ? weight - 0.5F : weight;
    const bool mark = is_mark(key_words(state)[static_cast<std::size_t>(best)]);
    if (const float told = mark ? clear / 2 : clear; told > most) most = told, clearest = h;
  }
  return clearest;
}

Matrix unmasked_weights(const State& state, const Trace& trace, int head) {
  if (pattern_of(state, head) != Pattern::computed) return trace.at(of_head("A", head)).values;
  const Matrix &Q = trace.at(of_head("Q", head)).values, &K = trace.at(of_head("K", head)).values;
  return normalize<float>(Normalizer::softmax, Matrix(Q * K.transpose() / std::sqrt(static_cast<float>(Q.cols()))));
}

int masked_head(const State& state, const Trace& trace) {
  if (state.head > 0) return chosen_head(state);
  int ahead = 0;
  float most = 0;
  for (int h = 0; h < state.heads; ++h) {
    if (pattern_of(state, h) != Pattern::computed) continue;
    const float later = later_share(unmasked_weights(state, trace, h));
    if (later > most) most = later, ahead = h;
  }
  return ahead;
}

std::string habit(const State& state, const Trace& trace, int head) {
  const Pattern pattern = pattern_of(state, head);
  const bool edited = !state.weights[static_cast<std::size_t>(state.alike ? 0 : head)].cells.empty();
  if (pattern != Pattern::computed)
    return std::string(kPatterns[static_cast<int>(pattern)].label) + (edited ? ", edited" : "");
  if (edited) return "edited";
  const Matrix& A = trace.at(of_head("A", head)).values;
  constexpr float kClear = 0.5F;
  const int row = query_row(state);
  Eigen::Index best = 0;
  A.row(row).maxCoeff(&best);
  static constexpr std::pair<int, std::string_view> habits[] = {{1, "next word"}, {-1, "word before"}, {0, "itself"}};
  for (const auto& [distance, name] : habits)
    if (state.trained && A.cols() > 1 && A.diagonal(distance).mean() > kClear)
      return std::string(best == row + distance ? "" : "usually ") + std::string(name);
  if (state.trained && A.col(0).mean() > kClear) return "the start";
  return "→ " + key_words(state)[static_cast<std::size_t>(best)];
}

void add_head_button(Drawing& d, const std::string& id, int head, Rect rect, const std::string& label) {
  add_part(d, id, Role::button, rect, label).edit =
      Edit{.field = "head", .value = std::to_string(d.state.head == head + 1 ? 0 : head + 1)};
}

float add_choices(Drawing& d, std::vector<ChipGroup> groups, float bottom) {
  if (groups.empty()) return bottom;
  Frame tried{.figure = {.width = d.figure.width}, .trace = d.trace, .view = d.view, .colours = d.colours};
  const float height = add_chips(tried, groups, 0, d.press_height());
  add_chips(d, groups, bottom - height, d.press_height());
  return bottom - height - 10;
}

float add_other(Drawing& d, float at) {
  const std::string shown(d.state.preset == Preset::own ? std::string_view(d.state.other) : d.state.other_sentence());
  const float height = d.press_height();
  add_text_input(
      d,
      {.field = "other", .name = "keys, values", .label = "The second sentence", .text = shown, .ink = d.colours.key},
      {d.margin(), d.narrow() ? at : at - height, std::min(d.inner(), 460.F), height});
  return d.narrow() ? at + height + 8 : at - height - 8;
}

ChipGroup patterns_of(const Drawing& d) {
  static constexpr std::string_view kFields[] = {"head_1", "head_2", "head_3", "head_4",
                                                 "head_5", "head_6", "head_7", "head_8"};
  return chips_of(kFields[d.state.alike ? 0 : d.lit], d.state.alike ? "all heads look at" : "the lit head looks at",
                  kPatterns, static_cast<int>(pattern_of(d.state, d.lit)));
}

std::vector<ChipGroup> askers(const Drawing& d) {
  if (!d.state.crossed()) return {};
  ChipGroup group{"query", "who asks", {}};
  const std::vector<std::string> words = query_words(d.state);
  for (int i = 0; i < static_cast<int>(words.size()); ++i)
    group.chips.push_back({words[static_cast<std::size_t>(i)], std::to_string(i), i == d.row, {}});
  return {group};
}

}  // namespace limelight::scenes::heads
