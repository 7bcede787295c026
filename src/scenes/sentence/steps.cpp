#include "scenes/sentence/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::sentence {
namespace {

constexpr bool kWithModel = true, kWeightsAlone = false, kWordsAsk = true;

constexpr std::string_view kHeadControls[] = {"alone"};  // the rest may stand behind "more settings"

// The first five tell the story; what comes after them is there for who wants to know more.
constexpr Row kRows[] = {
    {{draw_words, tell_words, formula_words, "guess", kWithModel, kWordsAsk},
     {.id = "words",
      .name = "Hide a word",
      .caption = "The model was trained to find words that are hidden; nothing else was asked of it.",
      .motion = {.computes_from = 0, .seconds = 3.2F}}},
    {{draw_swap, tell_swap, formula_swap, "d", kWithModel},
     {.id = "swap",
      .name = "Swap a word",
      .caption = "One word is another, and some heads look elsewhere.",
      .motion = {.computes_from = 0.15F, .seconds = 3.4F}}},
    {{draw_head, tell_head, formula_head, "A", kWeightsAlone, kWordsAsk},
     {.id = "head",
      .name = "One head",
      .caption = "Each head has learned for itself which words to look at.",
      .controls_first = kHeadControls,
      .motion = {.computes_from = 0, .seconds = 4.6F}}},
    {{draw_heads, tell_heads, formula_head, "kinds", kWeightsAlone},
     {.id = "heads",
      .name = "All heads",
      .caption = "Every head of every layer, at a glance, and what each of them does with these words.",
      .motion = {.timing = timing_heads, .seconds = 2.4F, .becomes = becomes_heads}}},
    {{draw_layers, tell_layers, formula_layers, "rollout", kWeightsAlone, kWordsAsk},
     {.id = "layers",
      .name = "Through the layers",
      .caption = "What a word has looked at, through all layers down to the words.",
      .motion = {.computes_from = 0, .seconds = 5.6F}}},
    {{draw_pair, tell_pair, formula_pair, "P", kWithModel},
     {.id = "pair",
      .name = "Query and key",
      .caption = "A score is a sum of products, and some of the numbers count more than others.",
      .detail = true,
      .motion = {.timing = timing_down, .computes_from = 0.25F, .seconds = 6.5F, .becomes = becomes_keys}}},
    {{draw_off, tell_off, formula_off, "importance", kWithModel},
     {.id = "off",
      .name = "Switch off",
      .caption = "What the answer loses when heads are switched off.",
      .detail = true,
      .motion = {.timing = timing_down, .computes_from = 0.25F, .seconds = 6, .becomes = becomes_words}}},
    {{draw_evidence, tell_evidence, formula_evidence, "attended", kWithModel},
     {.id = "evidence",
      .name = "As evidence",
      .caption = "Whether the words that are looked at are those that count.",
      .detail = true,
      .motion = {.timing = timing_down, .computes_from = 0.25F, .seconds = 6.5F, .becomes = becomes_words}}},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

}  // namespace limelight::scenes::sentence
