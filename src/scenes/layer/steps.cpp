#include "scenes/layer/steps.h"

#include "scenes/common/rows.h"
#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "query",
              .name = "One query",
              .caption = "One query is compared with every input; the output is the inputs, mixed.",
              .motion = {.computes_from = 0, .seconds = 8}},
     .draw = draw_machine,
     .matrices = {"q", "X compared e' softmax a'", "Σ·a·x y"},
     .tell = tell_query,
     .title = "one query",
     .defined = {kOne.scores, kOne.weights, kOne.output},
     .result = kOne.output},
    {.step = {.id = "queries",
              .name = "Many",
              .caption = "All queries at once: their scores are one product of matrices.",
              .motion = {.computes_from = 0.25F, .seconds = 6.5F, .becomes = becomes_queries}},
     .draw = draw_machine,
     .matrices = {"Q compared E", "+softmax A row_sum column_sum", "A·X Y"},
     .tell = tell_queries,
     .title = "many queries",
     .defined = {kMany.scores, kMany.weights, kMany.output},
     .result = kMany.weights},
    {.step = {.id = "keys",
              .name = "Keys, values",
              .caption = "Two matrices split an input into what it is found by and what it passes on.",
              .motion = {.computes_from = kDark, .seconds = 4}},
     .draw = draw_machine,
     .matrices = {"X × W_K W_V", "→ K V", "Q_given attends A_kv A·V Y_kv"},
     .tell = tell_keys,
     .title = "keys and values",
     .defined = {kK, kV, kKeyed.output},
     .result = kKeyed.output},
    {.step = {.id = "self",
              .name = "Self",
              .caption = "A third matrix makes the queries from the inputs as well.",
              .motion = {.computes_from = kDark, .seconds = 4}},
     .draw = draw_machine,
     .matrices = {"X × W_Q W_K W_V", "~→ Q_self K V", "attends A_self A·V Y_self"},
     .tell = tell_self,
     .title = "self-attention",
     .defined = {kQSelf, kK, kV, kSelf.output},
     .result = kSelf.output,
     .chosen_row = input_row},
    {.step = {.id = "cross",
              .name = "Cross",
              .caption = "The queries may also come from a second sequence.",
              .motion = {.computes_from = kDark, .seconds = 4}},
     .draw = draw_machine,
     .matrices = {"Z × W_Q = Q_cross", "~K V", "attends A_cross A·V Y_cross"},
     .tell = tell_cross,
     .title = "cross-attention",
     .defined = {kQCross, kK, kV, kCross.output},
     .result = kCross.output},
    {.step = {.id = "shuffle",
              .name = "Shuffle",
              .caption = "The inputs change places, and their outputs with them: attention knows no order.",
              .motion = {.computes_from = 0.2F, .seconds = 6, .becomes = becomes_shuffle}},
     .draw = draw_shuffle,
     .matrices = {"X f Y_self", "X_new f Y_new error Y_moved"},
     .tell = tell_shuffle,
     .result = kShuffled.output},
    {.step = {.id = "order",
              .name = "Positions",
              .caption = "Each place leaves a mark; now another order gives other outputs.",
              .motion = {.computes_from = 0.15F, .seconds = 5}},
     .draw = draw_order,
     .matrices = {"P", "A_pos A·V Y_pos error_pos Y_moved_pos"},
     .tell = tell_order,
     .result = kPlaced.output},
    {.step = {.id = "all",
              .name = "All",
              .caption = "Five ways to use one machine, and what makes the order count.",
              .motion = {.computes_from = 0.2F, .seconds = 4}},
     .draw = draw_all,
     .tell = tell_all,
     .result = kErrors},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

bool is_machine(Place place) { return row_at(place).draw == draw_machine; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& /*state*/, Place place) { return row_at(place).result; }

}  // namespace limelight::scenes::layer
