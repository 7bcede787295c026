#include "scenes/cost/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::cost {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "count",
              .name = "Count",
              .caption = "Every token meets every token: twice as many tokens, four times the work.",
              .shows_job = false},
     .draw = draw_count,
     .tell = tell_count,
     .formula = formula_count,
     .result = "growth"},
    {.step = {.id = "time",
              .name = "Time",
              .caption =
                  "On log–log axes a cost that grows as a power of n is a straight line, and its slope the power."},
     .draw = draw_time,
     .tell = tell_time,
     .formula = formula_time,
     .result = "products"},
    {.step = {.id = "memory",
              .name = "Memory",
              .caption = "Keeping all weights takes n² numbers; going over them in tiles does not.",
              .shows_job = false},
     .draw = draw_memory,
     .tell = tell_memory,
     .formula = formula_memory,
     .result = "memory"},
    {.step = {.id = "others",
              .name = "Other functions",
              .caption = "A window or linear attention costs less, and answers something else."},
     .draw = draw_others,
     .tell = tell_others,
     .formula = formula_others,
     .result = "near_window",
     .computes = "near_share",
     .remark = "How far a window's output is from that of softmax over all is found on random inputs, which are not "
               "drawn again here; this is the share of the products that a window takes."},
    {.step = {.id = "simd", .name = "SIMD", .caption = "Better code lowers the curve; it does not change its slope."},
     .draw = draw_simd,
     .tell = tell_simd,
     .formula = formula_simd,
     .result = "instructions"},
    {.step = {.id = "glance", .name = "Glance", .caption = "Time and memory side by side, over the number of tokens."},
     .draw = draw_glance,
     .tell = tell_glance,
     .formula = formula_glance,
     .result = "time",
     .computes = "products",
     .remark = "Times are measured on one machine and cannot be reproduced; these are the products, counted."},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State&, Place place) { return row_at(place).result; }

}  // namespace limelight::scenes::cost
