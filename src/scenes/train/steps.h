// A row for each step of Train: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/common/recipe.h"
#include "scenes/common/rows.h"
#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const State& state, const figure::Palette& colours);

struct Row {
  Step step;
  Shows<Draw, Tell, Formulate*> shows;
  std::string_view remark{};  // of the code
};
const Row& row_at(Place place);

Draw draw_train, draw_tasks, draw_without, draw_inside;
Tell tell_train, tell_tasks, tell_without, tell_inside;
Formulate formula_train, formula_inside;

// What of the tensors is computed from others that are there.
recipes::Recipes recipes_of(const State& state);

// The moment of the record that the film has come to, as a place in kMoments: it lingers where one mistake is seen to
// be corrected.
float film_at(const State& state, float t);
// How far that has come: up to 1 the error goes back, up to 2 the light grows that it met; 0: it is not shown.
float corrects_at(const State& state, float t);
inline constexpr float kCompared = 0.4F;  // of it: what is written is compared; then the error goes back
inline constexpr float kTurns = 0.3F;     // before a moment of the film it is the one that is told
// While Train's film plays, from its beginning, t = 0, to the moment that is looked at.
bool plays_film(const State& state, const Trace& trace, const View& view);

}  // namespace limelight::scenes::train
