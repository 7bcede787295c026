// Limits' state: its examples, what a change brings with it, what is refused.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "scenes/limits/limits.h"

namespace limelight::scenes::limits {
namespace {

// A review, and what is asked about it; an article's idea of sentiment analysis, its numbers made up. A key says how
// much a word is about the staff, about the food, and how much it judges; a value is praise and blame, and each
// word's has taken in some of its neighbours', as in a layer above the first.
Given review() {
  return {Matrix{{2, 0, 1},         // staff?
                 {0, 2, 1},         // food?
                 {0.5F, 0.5F, 2}},  // overall?
          Matrix{{1, 0, 2},         // slow
                 {1.6F, 0, 0.2F},   // staff
                 {0, 0, 0.2F},      // but
                 {0, 0.5F, 1},      // really
                 {0, 1, 2.5F},      // lovely
                 {0, 2, 0.3F}},     // food
          Matrix{{0, 2},            // slow
                 {0, 3},            // staff
                 {0, 1},            // but
                 {1, 0},            // really
                 {2, 0},            // lovely
                 {3, 0}},           // food
          1 / std::sqrt(3.0)};
}

// Drawn in the published example's own order: the hidden state, the encoder outputs, then three more states to ask.
Given sequence(const State& state) {
  Random random(static_cast<std::uint64_t>(state.seed));
  const auto draw = [&](Eigen::Index rows) {
    Matrix matrix(rows, kHidden);
    for (float& entry : matrix.reshaped<Eigen::RowMajor>()) entry = static_cast<float>(random.normal());
    return matrix;
  };
  Matrix Q(kStates, kHidden);
  Q.row(0) = draw(1);
  const Matrix K = draw(kPositions);
  Q.bottomRows(kStates - 1) = draw(kStates - 1);
  return {Q, K, K.leftCols(state.size), 1 / std::sqrt(static_cast<double>(kHidden))};
}

std::vector<std::string> numbered(std::string_view name, int count, int first) {
  std::vector<std::string> labels;
  for (int i = first; i < first + count; ++i) labels.push_back(std::string(name) + std::to_string(i));
  return labels;
}

struct Counts {
  int queries, keys;
};
constexpr Counts kCounts[] = {{3, 6}, {kStates, kPositions}, {2, 3}, {3, 3}};  // by preset
const Counts& counts(const State& state) { return kCounts[static_cast<int>(state.preset)]; }

void row_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, state.preset);
  field(io::Field{.name = "query",
                  .label = "query",
                  .range = {0, state.last_query()},
                  .hint = "Whose row of weights is looked at; queries count from 0.",
                  .place = figure},
        state.query);
  field(io::Field{.name = "key",
                  .label = "key",
                  .range = {-1, state.last_key()},
                  .hint = "The key whose weight or value is changed; −1 is the one with the largest weight.",
                  .place = figure},
        state.key);
  field(io::Field{.name = "temperature",
                  .label = "temperature",
                  .range = kTemperatures,
                  .hint = "Divides the scores: low collapses the weights on one key, high spreads them over all.",
                  .steps = io::all_but("claims"),
                  .logarithmic = true},
        state.temperature);
}

// What a step changes.
void change_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "raise",
                  .label = "raise all",
                  .range = kRaises,
                  .hint = "Is added to every score alike.",
                  .steps = io::only("sum")},
        state.raise);
  field(io::Field{.name = "move",
                  .label = "move",
                  .range = kMoves,
                  .hint = "Takes weight from the chosen key, or gives it more, as far as the output stays the same.",
                  .steps = io::only("weights")},
        state.move);
  field(io::Field{.name = "factor",
                  .label = "value times",
                  .range = kFactors,
                  .hint = "What the value of the chosen key is multiplied by; no weight changes.",
                  .steps = io::only("values")},
        state.factor);
}

// Of what is drawn at random.
void random_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "size",
                  .label = "value size",
                  .range = {1, 16},
                  .hint = "How many of its 128 numbers a position passes on as its value.",
                  .steps = io::only("weights", "values", "axis"),
                  .shown = state.preset == Preset::sequence},
        state.size);
  field(io::Field{.name = "seed",
                  .label = "seed",
                  .range = {1, 9999},
                  .hint = "Another seed draws other random numbers.",
                  .steps = state.preset == Preset::sequence ? io::Steps{} : io::only("claims"),
                  .shown = state.preset == Preset::sequence || state.claim == Claim::square ||
                           state.claim == Claim::identical},
        state.seed);
}

void claim_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "claim",
                  .label = "Claim",
                  .choices = kClaims,
                  .place = figure,
                  .steps = io::only("claims"),
                  .look = true},
        state.claim);
  field(io::Field{.name = "length",
                  .label = "length",
                  .range = kLengths,
                  .hint = "Of the key that points elsewhere.",
                  .steps = io::only("claims"),
                  .shown = state.claim == Claim::angle},
        state.length);
  field(io::Field{.name = "ahead",
                  .label = "ahead by",
                  .range = kAheads,
                  .hint = "How much the best score is larger than the eight others.",
                  .steps = io::only("claims"),
                  .shown = state.claim == Claim::certain},
        state.ahead);
  field(io::Field{.name = "d",
                  .label = "size d",
                  .range = kSizes,
                  .hint = "How many numbers a token has.",
                  .steps = io::only("claims"),
                  .shown = state.claim == Claim::square,
                  .logarithmic = true},
        state.d);
}

void cell_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "E", .label = "Cells of the scores", .range = {-100, 100}, .place = figure}, state.E);
  field(io::Field{.name = "V", .label = "Cells of V", .range = {-1000, 1000}, .place = figure}, state.V);
}

}  // namespace

void State::fields(io::FieldVisitor& field) {
  row_fields(*this, field);
  change_fields(*this, field);
  random_fields(*this, field);
  claim_fields(*this, field);
  cell_fields(*this, field);
}

Given day1() {
  return {Matrix{{1, 0, 1}, {0, 1, 1}}, Matrix{{1, 0, 1}, {1, 1, 0}, {0, 1, 1}}, Matrix{{10, 0}, {0, 10}, {5, 5}}, 1};
}

Matrix coffee_X() { return Matrix{{0.2F, 0.9F, 0.1F, 0.5F}, {0.8F, 0.3F, 0.7F, 0.2F}, {0.4F, 0.6F, 0.3F, 0.9F}}; }

Given coffee() {
  Matrix W = Matrix::Constant(4, 4, 0.1F);
  W.diagonal().setConstant(0.9F);
  const Matrix W_v{
      {0.8F, 0.2F, 0.1F, 0.1F}, {0.2F, 0.8F, 0.2F, 0.1F}, {0.1F, 0.2F, 0.8F, 0.1F}, {0.1F, 0.1F, 0.1F, 0.9F}};
  return {coffee_X() * W, coffee_X() * W, coffee_X() * W_v, 0.5};
}

Given given(const State& state) {
  switch (state.preset) {
    case Preset::review:
      return review();
    case Preset::sequence:
      return sequence(state);
    case Preset::day1:
      return day1();
    case Preset::coffee:
      return coffee();
  }
  return review();
}

State State::example() const {
  State state;
  state.preset = preset;
  constexpr int queries[] = {2, 0, 1, 0};  // by preset
  state.query = queries[static_cast<int>(preset)];
  return state;
}

void State::changed(std::string_view field) {
  if (field == "preset") {
    const State fresh = example();
    query = fresh.query;
    key = fresh.key;
    size = fresh.size;
    E = V = {};
  } else if (field == "query") {
    key = -1;
  } else if (field == "seed" && preset == Preset::sequence) {
    E = V = {};
  } else if (field == "size") {
    V = {};
  }
}

Result<void> State::check() const {
  const Counts& count = counts(*this);
  const int columns = static_cast<int>(value_names(*this).size());
  if (Result<void> inside = E.check("E", count.queries, count.keys); !inside) return inside;
  return V.check("V", count.keys, columns);
}

double State::last_query() const { return counts(*this).queries - 1; }
double State::last_key() const { return counts(*this).keys - 1; }

std::vector<std::string> query_names(const State& state) {
  switch (state.preset) {
    case Preset::review:
      return {"staff?", "food?", "overall?"};
    case Preset::sequence:
      return numbered("state ", kStates, 0);
    case Preset::day1:
      return numbered("query ", 2, 1);
    case Preset::coffee:
      return {"she", "likes", "coffee"};
  }
  return {};
}

std::vector<std::string> key_names(const State& state) {
  switch (state.preset) {
    case Preset::review:
      return {"slow", "staff", "but", "really", "lovely", "food"};
    case Preset::sequence:
      return numbered("", kPositions, 0);
    case Preset::day1:
      return numbered("key ", 3, 1);
    case Preset::coffee:
      return {"she", "likes", "coffee"};
  }
  return {};
}

std::vector<std::string> value_names(const State& state) {
  if (state.preset == Preset::review) return {"praise", "blame"};
  const int columns[] = {2, state.size, 2, 4};  // by preset
  return numbered("", columns[static_cast<int>(state.preset)], 1);
}

std::string said_key(const State& state, int key) {
  const std::string name = "**" + key_names(state)[static_cast<std::size_t>(key)] + "**";
  return state.preset == Preset::sequence ? "position " + name : name;
}

int chosen_key(const State& state, const Trace& trace) {
  if (state.key >= 0) return state.key;
  Eigen::Index best = 0;
  trace.at("a").values.row(0).maxCoeff(&best);
  return static_cast<int>(best);
}

Setting setting_of(const State& state, std::string_view field) {
  const Setting all[] = {{"temperature", state.temperature, kTemperatures, true},
                         {"raise", state.raise, kRaises},
                         {"move", state.move, kMoves},
                         {"factor", state.factor, kFactors},
                         {"length", state.length, kLengths},
                         {"ahead", state.ahead, kAheads},
                         {"d", static_cast<double>(state.d), kSizes, true}};
  return *std::ranges::find(all, field, &Setting::field);
}

}  // namespace limelight::scenes::limits
