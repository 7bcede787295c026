// The machine at a moment: where its tap and its lamp are, how much is seen of what follows; and when parts change.
#include "scenes/layer/machine.h"

#include <algorithm>
#include <any>
#include <string>

#include "figure/choreography.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/steps.h"
#include "scenes/moment.h"

namespace limelight::scenes::layer {

namespace {

// Where the queries' tap is: up on an arc to the inputs, or from there down between them and the queries, over none.
Point flying_tap(const Plan& plan, const Form& form, float way) {
  const bool second = form.queries == QueriesFrom::second;
  const Point from = second ? plan.port(Tap::query) : plan.loose_tap();
  const Point to = second ? plan.second_port() : plan.port(Tap::query);
  const Point straight = mix(from, to, way);
  const float arc = 4 * way * (1 - way);
  // On a phone between the queries and the keys, and straight up, or it would cross the words of the inputs.
  if (plan.phone) return {straight.x + (second ? 60 * arc : 0), straight.y};
  if (!second) return {straight.x, straight.y - 18 * plan.scale * arc};
  const float between = (plan.strip.right() + plan.query.x) / 2, aside = smoothstep(0, 0.16F, way);
  const float lifted = 14 * plan.scale * aside * (1 - smoothstep(0.1F, 0.3F, way));
  return {mix(mix(from.x, between, aside), to.x, smoothstep(0.82F, 1, way)),
          mix(from.y, to.y, std::max(way - 0.1F, 0.F) / 0.9F) - lifted};
}

Machine machine_at(const Drawing& d, Place place) {
  const Form& form = form_at(place);
  const Tensor& A = d.trace.at(form.names.weights);
  const int asking = row_at(place).chosen_row(d.state), row = A.rows() == 1 ? 0 : asking;
  const auto weights = A.values.row(row);
  const int queries = form.names.query == "q" ? sizes(d.state).queries : d.trace.at(form.names.query).rows();
  const Plan plan = plan_of(d, A.columns(), queries);
  const bool many = form.names.weights == kMany.weights;
  return {.form = form,
          .plan = plan,
          .row = row,
          .asking = asking,
          .weights = {weights.begin(), weights.end()},
          .bulb = plan.bulb(asking),
          .answered = std::vector<float>(many ? static_cast<std::size_t>(queries) : 0, 1)};
}

// One query: it asks, its scores are made and share the light, which fans out; values are poured, their mix is told.
Shown asked_at(float t) {
  return {.queries = Phase{0, 0.09F}.along(t),
          .lamp = Phase{0.05F, 0.12F}.share(t),
          .scores = Phase{0.1F, 0.5F}.along(t),
          .shared = Phase{0.5F, 0.66F}.along(t),
          .light = Phase{0.62F, 0.76F}.along(t),
          .streams = Phase{0.72F, 0.85F}.along(t),
          .output = Phase{0.78F, 0.9F}.share(t),
          .told = Phase{kResultTold, 1}.share(t)};
}

constexpr float kDimmed = 0.45F;  // how much is seen of the lamp while nobody asks

// The tap travels, its queries are made, the lamp is lit, and what it finds is poured: all of the query that is there.
void go_over(const Drawing& d, Machine& m) {
  const float t = mix(kDark, 1, d.view.t);
  const bool flies = m.form.queries != QueriesFrom::own;
  if (flies) {
    const float way = smoothstep(kDark, kThere, t);
    m.held = flying_tap(m.plan, m.form, way);
    m.landed = smoothstep(0.6F, 1, way);
  }
  m.loose = m.form.queries == QueriesFrom::inputs;
  m.bulb = mix(machine_at(d, {d.view.place.step - 1, 0}).bulb, m.bulb, smoothstep(kThere, kFilled, t));
  m.shown = {.keys = flies ? 1 : Phase{kDark, kFilled}.along(t),
             .queries = flies ? Phase{kThere, kFilled}.along(t) : 1,
             .lamp = mix(kDimmed, 1, smoothstep(kFilled, kFilled + 0.04F, t)),
             .light = Phase{kFilled, kLit}.along(t),
             .streams = Phase{kLit - 0.03F, kPoured}.along(t),
             .output = Phase{kLit, kPoured + 0.02F}.share(t),
             .told = Phase{kResultTold, 1}.share(t)};
}

// Of a query's turn: the last mix drops, its light goes out, the lamp goes on and is lit, and its own output comes.
constexpr Phase kDrops{0, 0.26F}, kGone{0, 0.12F}, kGoes{0.1F, 0.26F}, kOwns{0.24F, 0.36F}, kPours{0.28F, 0.44F},
    kMakes{0.34F, 0.52F};
constexpr float kItsTurn = 0.19F;

// Each has its light, its streams and its output while the lamp is there.
void visit(const Drawing& d, Machine& m, float t) {
  const int first = m.asking, count = m.plan.query_count;
  const auto [turns, turn, from, to, now] = turn_at(first, count, t);
  const bool there = now >= kItsTurn;
  if (turns < 2) return;
  const float made = kMakes.share(now);
  const float dropped = kDrops.along(now);
  for (int i = 0; i < count; ++i)  // in the order in which they ask
    m.answered[static_cast<std::size_t>((first + i) % count)] = i < turn            ? 1.F
                                                                : i == turn         ? dropped
                                                                : turn + 1 == turns ? made
                                                                                    : 0.F;
  if (dropped < 1) m.drops = from;
  m.row = m.asking = there ? to : from;
  const Matrix& A = d.trace.at(m.form.names.weights).values;
  m.weights = {A.row(m.row).begin(), A.row(m.row).end()};
  m.bulb = mix(m.plan.bulb(from), m.plan.bulb(to), kGoes.share(now));
  const float gone = 1 - kGone.share(now);
  m.shown = {.light = there ? kOwns.share(now) : gone,
             .streams = there ? kPours.share(now) : gone,
             .output = there ? made : gone,
             .told = there ? made : gone};
}

}  // namespace

Turn turn_at(int first, int count, float t) {
  constexpr int kMost = 4;  // queries that are visited; the others' outputs come with the last one's
  const int turns = std::min(count, kMost), turn = std::min(static_cast<int>(t * static_cast<float>(turns)), turns - 1),
            from = (first + turn) % count, to = turn + 1 == turns ? first : (from + 1) % count;
  return {turns, turn, from, to, t * static_cast<float>(turns) - static_cast<float>(turn)};
}

int asking_at(const State& state, const View& view) {
  const Step& step = row_at(view.place).step;
  if (view.t >= 1 || step.id != "queries") return state.query;
  const Turn turn = turn_at(query_row(state), sizes(state).queries, computing(step.motion, view.t));
  return turn.now >= kItsTurn ? turn.to : turn.from;
}

float draw_machine(Drawing& d, float /*y*/, float /*bottom*/) {
  Machine m = machine_at(d, d.view.place);
  m.held = d.view.held;
  if (m.held) {
    m.shown = {.queries = 0, .lamp = kDimmed, .light = 0, .streams = 0, .output = 0, .told = 0};
  } else if (d.view.t < 1) {
    if (m.form.lenses) go_over(d, m);
    if (m.form.names.query == kOneQuery) m.shown = asked_at(d.view.t);
    if (!m.answered.empty()) visit(d, m, d.view.t);
  }
  m.pointed = pointed_at(d, m);
  add_inputs(d, m);
  const float bottom = add_second(d, m);
  add_light(d, m);
  add_queries(d, m);
  add_sides(d, m);
  add_scores(d, m);
  add_streams(d, m);
  const std::size_t first = d.figure.elements.size();
  add_output(d, m);
  for (std::size_t i = first; i < d.figure.elements.size(); ++i) {
    Element& part = d.figure.elements[i];
    if (part.id == "output.box" || (!m.answered.empty() && part.id.starts_with("output.all."))) continue;
    part.opacity *= part.id.starts_with("output.mix") ? m.shown.output : m.shown.told;
  }
  add_captions(d, m);
  add_ways(d, m);
  add_pointed(d, m);
  add_matrix_card(d, m);
  return std::max(bottom, d.bottom());
}

// The query that has asked alone is one of all.
std::string becomes_queries(const std::any& state, const std::string& id) {
  if (id == kOne.output) return std::string(kMany.output);
  const std::optional<figure::Source> at = figure::parse_cell_id(id);
  if (!at || at->tensor != kOne.weights) return id;
  return figure::cell_id({std::string(kMany.weights), query_row(std::any_cast<const State&>(state)), at->column});
}

// The inputs are what the machine leaves; all else goes before what comes is seen.
std::string becomes_shuffle(const std::any& /*state*/, const std::string& id) {
  if (!id.starts_with("X.input.")) return id;
  const std::size_t end = std::min(id.find('.', 8), id.size());
  const std::string name = id.substr(2, end - 2), rest = id.substr(end);
  return name + (rest.empty() ? ".edge" : rest == ".name" || rest == ".words" ? ".word" : ".film" + rest);
}

}  // namespace limelight::scenes::layer
