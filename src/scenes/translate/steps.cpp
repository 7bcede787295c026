#include "scenes/translate/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::translate {
namespace {

// Of the scores.
constexpr Part kParts[] = {{"query", "W s"}, {"keys", "U h"}, {"sum", "sum"}, {"tanh", "tanh"}, {"score", "v ·"}};
constexpr std::string_view kPartResults[] = {"query", "keys", "sum", "tanh", "scores"};

constexpr Row kRows[] = {
    {.step = {.id = "bottleneck",
              .name = "Bottleneck",
              .caption = "Without attention all of a sentence has to pass through one vector."},
     .draw = draw_bottleneck,
     .tell = tell_bottleneck,
     .formula = formula_bottleneck,
     .result = "bottleneck",
     .models = Models::fixed,
     .drawn_early = true,
     .meanwhile = " The drawing shows what it will have to do."},
    {.step = {.id = "encode", .name = "Encode", .caption = "The encoder keeps a state for every source word."},
     .draw = draw_encode,
     .tell = tell_encode,
     .formula = formula_encode,
     .result = "h"},
    {.step = {.id = "scores",
              .name = "Scores",
              .caption = "A small network scores each source word against the decoder’s state.",
              .parts = kParts},
     .draw = draw_scores,
     .tell = tell_scores,
     .formula = formula_scores,
     .result = "scores",
     .part_results = kPartResults,
     .of_word = true},
    {.step = {.id = "weights", .name = "Weights", .caption = "Softmax turns the scores into weights that sum to 1."},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .result = "weights",
     .of_word = true},
    {.step = {.id = "context", .name = "Context", .caption = "The context is the states’ mixture by these weights."},
     .draw = draw_context,
     .tell = tell_context,
     .formula = formula_context,
     .result = "context",
     .of_word = true},
    {.step = {.id = "next",
              .name = "Next word",
              .caption = "From context, state and last word the decoder makes its next state, and a word."},
     .draw = draw_next,
     .tell = tell_next,
     .formula = formula_next,
     .result = "chosen",
     .of_word = true},
    {.step = {.id = "alignment",
              .name = "Alignment",
              .caption = "Word by word the weights show where the translator looked."},
     .draw = draw_alignment,
     .tell = tell_alignment,
     .formula = formula_next,
     .result = "weights",
     .of_word = true},
    {.step = {.id = "long",
              .name = "Long sentences",
              .caption = "What one fixed vector loses grows with the length of the sentence."},
     .draw = draw_long,
     .tell = tell_long,
     .formula = formula_bottleneck,
     .result = "exact",
     .remark = "These shares were measured when the models were trained.",
     .models = Models::both,
     .drawn_early = true},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

bool waits(const Row& step, const Trace& trace, const View& view) {
  if (step.models == Models::both) return view.missing.has_value();
  return step.models == Models::fixed ? !is_squeezed(trace) : !is_translated(trace);
}

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State&, const Trace& trace, Place place) {
  const Row& step = row_at(place);
  const bool part = place.part > 0 && !step.part_results.empty();
  const std::string_view wanted = part ? step.part_results[static_cast<std::size_t>(place.part - 1)] : step.result;
  return trace.find(wanted) != nullptr ? wanted : "source";
}

}  // namespace limelight::scenes::translate
