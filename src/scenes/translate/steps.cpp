#include "scenes/translate/steps.h"

#include <utility>

#include "figure/order.h"
#include "scenes/common/chips.h"
#include "scenes/common/missing.h"

namespace limelight::scenes::translate {
namespace {

constexpr scenes::Part kParts[] = {
    {"query", "W s"}, {"keys", "U h"}, {"sum", "sum"}, {"tanh", "tanh"}, {"score", "v ·"}};
constexpr std::string_view kPartResults[] = {"query", "keys", "sum", "tanh", "scores"};

// The words that were written become the names of Map's rows.
std::string to_map(const std::any&, const std::string& id) {
  return id.starts_with("target.word.") && id.ends_with(".text") ? "weights.row." + id.substr(12, id.size() - 17) : id;
}

// The first five tell the story; what comes after them is there for who wants to know more.
constexpr Row kRows[] = {
    {.step = step_named("context", "Look",
                        "To write a word, the translator lights up source words and mixes what they know.",
                        {.motion = {.computes_from = 0, .seconds = 5, .at_once = true}}),
     .shows = {draw_context, tell_context, "the context", "context"},
     .equations = {"scores", "weights", "context"}},
    {.step = step_named("next", "Write", "Scores become light, what is lit is mixed, and the next word appears.",
                        {.motion = {.computes_from = 0.15F, .seconds = 3}}),
     .shows = {draw_next, tell_next, "the next word", "chosen"},
     .equations = {"scores", "weights", "context"},
     .formula = formula_next},
    {.step =
         step_named("alignment", "Map", "Where the translator looked for each word, and where the order turns round.",
                    {.motion = {.computes_from = 0.3F, .seconds = 4, .becomes = to_map}}),
     .shows = {draw_alignment, tell_alignment, "the next word", "weights"},
     .equations = {"scores", "weights", "context"},
     .formula = formula_next},
    {.step = step_named("bottleneck", "Bottleneck",
                        "Without the lamp, all that a sentence says has to fit into one context.",
                        {.motion = {.computes_from = 0.2F, .seconds = 7}}),
     .shows = {draw_bottleneck, tell_bottleneck, "without attention", "bottleneck"},
     .formula = formula_bottleneck,
     .models = Models::fixed,
     .drawn_early = true,
     .meanwhile = " The drawing shows what it will have to do."},
    {.step = step_named("long", "Long sentences", "What one context loses grows with the length of the sentence.",
                        {.motion = {.computes_from = 0.2F, .seconds = 4}}),
     .shows = {draw_long, tell_long, "without attention", "exact"},
     .formula = formula_bottleneck,
     .remark = "These shares were measured when the models were trained.",
     .models = Models::both,
     .drawn_early = true},
    {.step = step_named("encode", "States", "The encoder keeps a state for every source word.",
                        {.detail = true, .motion = {.computes_from = 0.08F, .seconds = 8}}),
     .shows = {draw_encode, tell_encode, "the encoder’s states", "h"},
     .formula = formula_encode},
    {.step = step_named("scores", "Scores", "A small network scores each source word against the decoder’s state.",
                        {.detail = true, .parts = kParts, .motion = {.computes_from = 0.1F, .seconds = 7}}),
     .shows = {draw_scores, tell_scores, "alignment scores", "scores"},
     .equations = {"query", "keys", "scores"},
     .part_results = kPartResults},
    {.step = step_named("weights", "Weights", "Softmax turns the scores into weights that sum to 1.",
                        {.detail = true, .motion = {.computes_from = 0.2F, .seconds = 6}}),
     .shows = {draw_weights, tell_weights, "attention weights", "weights"},
     .equations = {"scores", "weights"}},
};
constexpr auto kSteps = steps_of(kRows);

float add_another(Drawing& d, float y) {
  const std::string next = std::to_string(d.state.draw % 9999 + 1);
  const std::string name = "composed, " + std::to_string(d.state.words) + " words";
  return add_chips(d, {{"draw", name, {{"another sentence", next, false, "Compose another sentence"}}}}, y,
                   d.chip_height());
}

}  // namespace

float add_steps_through(Drawing& d, float y) {
  return add_stepper(d, {"word", "output word", written(d.trace), d.row}, {d.margin(), y}, d.inner());
}

std::vector<int> largest_of(const Matrix& values, int row) {
  const auto of = values.row(row);
  return largest_first(std::vector<float>(of.begin(), of.end()));
}

const Row& row_at(Place place) { return kRows[place.step - 1]; }

bool waits(const Row& step, const Trace& trace, const View& view) {
  if (step.models == Models::both) return view.missing.has_value();
  return step.models == Models::fixed ? !is_squeezed(trace) : !is_translated(trace);
}

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State&, const Trace& trace, Place place) {
  const Row& step = row_at(place);
  const bool part = place.part > 0 && !step.part_results.empty();
  const std::string_view wanted =
      part ? step.part_results[static_cast<std::size_t>(place.part - 1)] : step.shows.result;
  return trace.find(wanted) != nullptr ? wanted : "source";
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, word_row(state, trace, view)};
  const Row& step = row_at(view.place);
  if (step.models != Models::attention && is_squeezed(trace)) d.source = "through";
  float y = view.compact() ? 10 : 12;
  if (state.preset == Preset::composed) y = add_another(d, y) + 8;
  const bool waiting = waits(step, trace, view);
  if (waiting) y = add_missing(d, view.missing.value_or(Missing{.label = "The trained model"}), y) + 14;
  if (!waiting || step.drawn_early) y = step.shows.draw(d, y);
  if (const std::optional<Source> focus = parse_cell_id(view.focus());
      focus && trace.cell(focus->tensor, focus->row, focus->column) != nullptr)
    recipes::add_outlines(d.figure, recipes(state, trace), *focus, d.colours);
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::translate
