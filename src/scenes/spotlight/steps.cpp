#include "scenes/spotlight/steps.h"

#include "scenes/common/rows.h"
#include "scenes/place.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr Motion kChange{.timing = timing_softmax, .computes_from = 0.25F, .seconds = 1.8F};
constexpr Part kSoftmax[] = {
    {"maximum", "Subtract the maximum", kChange},
    {"exp", "Exponential", {.timing = timing_softmax, .computes_from = 0.25F, .seconds = 1.8F, .becomes = becomes_exp}},
    {"sum", "Row sums", {.timing = timing_softmax}},
    {"divide", "Divide"}};
constexpr std::string_view kSoftmaxControls[] = {"temperature", "scale", "mask"};
constexpr std::string_view kGlanceControls[] = {"temperature", "mask", "trained", "threshold", "colours"};
constexpr std::string_view kOfWords[] = {kX, kQ, kK, kV}, kOfQueries[] = {kQ, kScores}, kOfMap[] = {kWeights};
constexpr std::string_view kSoftmaxResults[] = {kShifted, kExponentials, kSum, kWeights};

// What the steps compute, for the timeline.
Formula operation_qkv() { return row({symbol("X"), symbol("W")}); }
Formula operation_scores() { return row({symbol("Q"), script(symbol("K"), nullptr, word("T"))}); }
Formula operation_scale() { return row({word("÷"), root(symbol("d"))}); }
Formula operation_softmax() { return row({word("Σ"), operation("="), number("1")}); }
Formula operation_output() { return row({symbol("a"), symbol("V")}); }

constexpr Row kRows[] = {
    {.step = {.id = "words",
              .name = "Words",
              .caption = "Each word is a list of numbers, its embedding.",
              .motion = {.computes_from = 0, .seconds = 2}},
     .draw = draw_words,
     .tell = tell_words,
     .formula = formula_x,
     .result = kX,
     .editable = "A cell of X or a weight",
     .names_features = true,
     .given = true},
    {.step = {.id = "x",
              .name = "Vectors X",
              .caption = "Stacked on top of each other, the embeddings are the matrix X.",
              .motion = {.timing = timing_x, .becomes = becomes_x},
              .rows_ask = kOfWords},
     .draw = draw_x,
     .mark = mark_x,
     .tell = tell_x,
     .formula = formula_x,
     .result = kX,
     .editable = "A cell of X",
     .names_features = true,
     .given = true},
    {.step = {.id = "w",
              .name = "Matrices W",
              .caption = "Three matrices turn an embedding into a query, a key and a value.",
              .motion = {.timing = timing_w},
              .rows_ask = kOfWords},
     .draw = draw_w,
     .mark = mark_w,
     .tell = tell_w,
     .formula = formula_qkv,
     .result = kW_q,
     .editable = "A cell of X or W",
     .names_features = true,
     .given = true},
    {.step = {.id = "qkv",
              .name = "Q K V",
              .caption = "X times each of them gives every word its query, its key and its value.",
              .operation = operation_qkv,
              .motion = {.timing = timing_qkv, .computes_from = 0.22F, .seconds = 3},
              .rows_ask = kOfWords},
     .draw = draw_qkv,
     .mark = mark_qkv,
     .tell = tell_qkv,
     .formula = formula_qkv,
     .result = kQ,
     .editable = "A cell of X or W",
     .given = true},
    {.step = {.id = "scores",
              .name = "Scores",
              .caption = "Each query meets each key: their dot product is a score.",
              .operation = operation_scores,
              .motion = {.timing = timing_scores, .computes_from = 0.25F, .seconds = 5},
              .rows_ask = kOfQueries},
     .draw = draw_scores,
     .mark = mark_scores,
     .tell = tell_scores,
     .formula = formula_scores,
     .result = kScores,
     .signs = "ᵀ lays K on its side: its rows become columns. "},
    {.step = {.id = "scale",
              .name = "Scale",
              .caption = "The scores are divided by the square root of the key size.",
              .operation = operation_scale,
              .motion = {.timing = timing_scale, .computes_from = 0.4F, .seconds = 2.2F}},
     .draw = draw_scale,
     .tell = tell_scale,
     .formula = formula_scale,
     .result = kScaled,
     .has_mask = true},
    {.step = {.id = "softmax",
              .name = "Softmax",
              .caption = "Each row of scores becomes weights that sum to 1.",
              .parts = kSoftmax,
              .operation = operation_softmax,
              .controls_first = kSoftmaxControls,
              .motion = {.computes_from = 0.2F, .seconds = 2.2F}},
     .draw = draw_softmax,
     .draw_part = draw_softmax_part,
     .tell = tell_softmax,
     .formula = formula_softmax,
     .result = kWeights,
     .editable = kWeight,
     .signs = "a with the index i j is the weight in row i, column j. "},
    {.step = {.id = "output",
              .name = "Output",
              .caption = "Each word's output is the values, mixed by its weights.",
              .operation = operation_output,
              .motion = {.timing = timing_output, .computes_from = 0.16F, .seconds = 3}},
     .draw = draw_output,
     .mark = mark_output,
     .tell = tell_output,
     .formula = formula_output,
     .result = kOutput,
     .editable = kWeight,
     .has_mask = true},
    {.step = {.id = "glance",
              .name = "Glance",
              .caption = "Who looks at whom, all at once.",
              .controls_first = kGlanceControls,
              .motion = {.timing = timing_glance, .computes_from = 0.2F, .seconds = 3, .becomes = becomes_glance},
              .rows_ask = kOfMap},
     .draw = draw_glance,
     .tell = tell_glance,
     .formula = formula_softmax,
     .result = kWeights,
     .editable = kWeight,
     .has_mask = true},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

int first_step(const State& state) { return state.given() ? number_of(kSteps, "qkv") : 1; }

std::string_view principal(const State& state, Place place) {
  const Row& step = row_at(place);
  if (state.given() && step.given) return kQ;
  return place.part > 0 ? kSoftmaxResults[place.part - 1] : step.result;
}

}  // namespace limelight::scenes::spotlight
