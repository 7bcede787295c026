#include "scenes/train/steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/sort.h"

namespace limelight::scenes::train {
namespace {

// What a step calls the box of a letter: what is before and behind the letter's number.
std::pair<std::string, std::string> box_in(const State& state, int step) {
  if (step == 4) return {"night.written.", ".box"};
  return {step == 2 ? "right_" + std::string(name_of(state.task)) + "[0," : "right[0,", "]"};
}

// It is the same one as in the step before.
template <int step>
std::string becomes(const std::any& state, const std::string& id) {
  const auto [before, behind] = box_in(state_in<State>(state), step - 1);
  const auto [now, end] = box_in(state_in<State>(state), step);
  if (!id.starts_with(before) || !id.ends_with(behind)) return id;
  return now + id.substr(before.size(), id.size() - before.size() - behind.size()) + end;
}

// The first three tell the story; what comes after them is there for who wants to know more.
constexpr Row kRows[] = {
    {.step = step_named("train", "Train", "Batch by batch it makes fewer mistakes, and finds by itself where to look.",
                        {.motion = {.computes_from = 0, .seconds = 13, .at_once = true}}),
     .shows = {draw_train, tell_train, formula_train, "weights"}},
    {.step = step_named("tasks", "Other tasks",
                        "The same model with another task looks elsewhere: the task makes the pattern.",
                        {.shows_job = false, .motion = {.computes_from = 0.15F, .seconds = 6, .becomes = becomes<2>}}),
     .shows = {draw_tasks, tell_tasks, formula_train, "weights"}},
    {.step = step_named("without", "Without attention",
                        "One fixed list of numbers for the whole source is too little for long ones.",
                        {.motion = {.computes_from = 0.3F, .seconds = 4, .becomes = becomes<3>}}),
     .shows = {draw_without, tell_without, formula_inside, "run"},
     .remark = "These numbers were measured while the models were trained."},
    {.step = step_named(
         "inside", "Look inside",
         "For each letter that it writes: the scores, the weights, and what it takes for likely.",
         {.detail = true, .shows_job = false, .motion = {.computes_from = 0.15F, .seconds = 4, .becomes = becomes<4>}}),
     .shows = {draw_inside, tell_inside, formula_inside, "weights"}},
};
constexpr auto kSteps = steps_of(kRows);

// What the trace was at the state's moment of its film, with as much of another one's light as `share` says, and its
// curve up to `batch`. What is written is the moment's own: letters do not fade into one another.
Trace at_moment(Trace trace, const State& state, int other, float share, float batch) {
  const std::string of = std::to_string(kMoments[state.moment]);
  const auto named = [&trace](std::string_view name) { return std::ranges::find(trace.tensors, name, &Tensor::name); };
  static constexpr std::pair<const char*, const char*> kBlend[] = {{"weights", "map_"}, {"probabilities", "likely_"}};
  for (const auto& [name, then] : {std::pair("written", "right_"), {"right", "right_"}, kBlend[0], kBlend[1]})
    if (const Tensor* one = trace.find(then + of))
      *named(name) = {name, one->values, one->row_labels, one->column_labels};
  for (const auto& [name, then] : kBlend) {
    const Tensor* next = trace.find(then + std::to_string(kMoments[other]));
    if (next == nullptr) continue;
    Matrix& values = named(name)->values;
    const auto rows = std::min(values.rows(), next->values.rows());
    values.topRows(rows) += share * (next->values.topRows(rows) - values.topRows(rows));
  }
  const int model = model_of(state);
  named("run")->values(model, Column::step) = batch;
  const auto curve = named(kCurves[model].loss);
  if (curve == trace.tensors.end()) return trace;
  const Matrix all = curve->values;
  const auto points = (all.row(0).array() <= batch).count();
  curve->values = all.leftCols(std::min(points + 1, all.cols()));
  if (points == 0) {
    trace.tensors.erase(curve);
  } else if (points < all.cols()) {  // on the way to the next point
    const auto from = all.col(points - 1), to = all.col(points);
    curve->values.col(points) = from + (to - from) * ((batch - from(0)) / (to(0) - from(0)));
  }
  return trace;
}

figure::Figure drawn(const State& state, const Trace& trace, const View& view, float corrects = 0) {
  Drawing d{frame_for(trace, view), state, corrects};
  d.figure.height = row_at(view.place).shows.draw(d, 12, view.height - 12) + 12;
  for (figure::Element& element : d.figure.elements)  // light adds up in any order; in this one steps have the same
    if (auto* light = std::get_if<figure::Light>(&element.shape))
      heap_sort(light->beams, {}, [](const figure::Light::Beam& beam) { return std::pair(beam.row, beam.column); });
  return std::move(d.figure);
}

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  const std::string_view result = row_at(place).shows.result;
  return result == "weights" && !state.attention ? "probabilities" : result;
}

figure::Figure draw(const State& state, const Trace& trace, const View& view) {
  if (!plays_film(state, trace, view)) return drawn(state, trace, view);
  const float at = film_at(state, view.t);
  const int before = std::min(static_cast<int>(at), state.moment - 1);
  const float part = at - static_cast<float>(before), way = figure::smoothstep(0.4F, 1, part);
  const int nearer = way < 0.5F ? before : before + 1;
  // Batches are counted as the curves' axis does.
  const auto from = static_cast<float>(kMoments[before] + 1), to = static_cast<float>(kMoments[before + 1] + 1);
  State then = state;
  then.moment = nearer;
  const Trace now =
      at_moment(trace, then, 2 * before + 1 - nearer, way < 0.5F ? way : 1 - way, from * std::pow(to / from, way) - 1);
  return drawn(then, now, view, corrects_at(state, view.t));
}

float film_at(const State& state, float t) {
  const auto last = static_cast<float>(state.moment), lingers = static_cast<float>(kLingers);
  if (last <= lingers) return t * last;
  // Of the time, and of the moments: the mistake, the next moment, which is looked at as well, and all others.
  const std::pair<float, float> kWay[] = {
      {0, 0}, {0.2F, lingers}, {0.55F, lingers + 0.4F}, {0.64F, lingers + 1}, {0.78F, lingers + 1.4F}, {1, last}};
  if (last == lingers + 1) t *= 0.64F;  // it ends there
  const auto* const to =
      std::ranges::find_if(kWay + 1, std::end(kWay) - 1, [t](const auto& one) { return t < one.first; });
  const auto [since, from] = to[-1];
  return std::min(mix(from, to->second, (t - since) / (to->first - since)), last);
}

float corrects_at(const State& state, float t) {
  const float part = film_at(state, t) - static_cast<float>(kLingers);
  return state.moment > kLingers && part > 0 && part < 1.4F ? std::min(part / 0.4F, 0.6F + part) : 0;
}

bool plays_film(const State& state, const Trace& trace, const View& view) {
  return view.t < 1 && state.moment > 0 && row_at(view.place).step.motion.at_once && Told{state, trace}.recorded() &&
         trace.find("film") != nullptr;
}

}  // namespace limelight::scenes::train
