#include "scenes/heads/parts.h"

#include "figure/marks.h"
#include "scenes/common/missing.h"

namespace limelight::scenes::heads {
namespace {

// The heads' outputs move to where they are joined; what is new comes where it is.
float timing_bar(const Element& element, float t) {
  const bool moves = element.id.starts_with("O_") || element.id.starts_with("head.") ||
                     element.id.starts_with("stage.") || element.id.starts_with("C.");
  if (element.id.starts_with("A_")) return smoothstep(0, 0.2F, t);  // before what takes their place
  if (element.id.starts_with("V_")) return smoothstep(0, 0.9F, t);
  return moves ? smoothstep(0, 1, t) : smoothstep(0.5F, 1, t);
}

// The story first; then what it leaves out.
constexpr Row kRows[] = {
    {.step = step_named("one", "One lamp",
                        "One lamp for the work of all heads: what it gives to one word it takes from others.",
                        {.motion = {.computes_from = 0, .seconds = 4, .at_once = true}}),
     .shows = {draw_one, tell_one, "one head", "A_mean"},
     .words_ask = true,
     .equations = {"A_mean", "O_mean", "Y_mean"}},
    {.step = step_named("split", "Split",
                        "Before any lamp is lit, queries, keys and values are cut into heads, a few numbers each.",
                        {.motion = {.computes_from = 0.12F, .seconds = 4}}),
     .shows = {draw_split, tell_split, "split into heads", "Q"},
     .words_ask = true,
     .equations = {"Q", "K", "V"}},
    {.step = step_named("weights", "Lamps",
                        "Each head is a lamp of its own over the same sentence, and looks at other words.",
                        {.motion = {.computes_from = 0.1F, .seconds = 3}}),
     .shows = {draw_weights, tell_weights, "each head’s weights", "A"},
     .has_weights = true,
     .words_ask = true},
    {.step =
         step_named("outputs", "Mix", "Each head mixes the words’ values by its own weights into its own short output.",
                    {.motion = {.timing = timing_bar, .computes_from = 0.25F, .seconds = 4}}),
     .shows = {draw_outputs, tell_outputs, "each head’s output", "C"},
     .has_weights = true,
     .words_ask = true,
     .equations = {"O_1"}},
    {.step = step_named("join", "Join", "What the heads found goes through one matrix into one output for each word.",
                        {.motion = {.timing = timing_bar, .computes_from = 0.22F, .seconds = 5}}),
     .shows = {draw_join, tell_join, "multi-head attention", "Y"},
     .words_ask = true,
     .equations = {"C", "Y"}},
    {.step = step_named("without", "Without", "Switch heads off, and see which words the model no longer finds.",
                        {.motion = {.computes_from = 0.1F, .seconds = 2.5F}}),
     .shows = {draw_without, tell_without, "without a head", "part"},
     .words_ask = true,
     .equations = {"Y_1", "Y_now"}},
    {.step = step_named("mask", "Mask", "A mask hides keys from queries, in all heads alike.",
                        {.detail = true, .motion = {.computes_from = 0.12F, .seconds = 5}}),
     .shows = {draw_mask, tell_mask, "each head’s weights", "M"},
     .has_weights = true},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, const Trace& trace, Place place) {
  if (trace.find("Q") == nullptr) return "M";
  const std::string_view result = row_at(place).shows.result;
  return result == "A" ? std::string_view(trace.at(of_head("A", chosen_head(state))).name) : result;
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  State asked = as_looked_at(state, view);
  Drawing d{frame_for(trace, view), asked, query_row(asked), asked.head - 1};
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + 12;
    return std::move(d.figure);
  }
  d.lit = lit_head(asked, trace), d.covered = covered_word(state);
  asked.head = state.head;  // which a press changes
  const float y = row_at(view.place).shows.draw(d, 8, view.height - 10);
  const std::optional<Source> focus = parse_cell_id(view.focus());
  if (focus && trace.cell(focus->tensor, focus->row, focus->column) != nullptr) {
    recipes::add_outlines(d.figure, recipes(asked, trace), *focus, d.colours);
    const Element* own = d.figure.find(cell_id(*focus));  // a number that stands by itself
    if (own != nullptr && own->role == Role::cell)
      add_ring(d.figure, "outline." + own->id, own->rect.inset(-2), d.colours.ink);
  }
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::heads
