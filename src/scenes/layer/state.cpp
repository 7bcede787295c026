// Layer's state: its examples, what a change brings with it, what is refused.
#include <algorithm>
#include <tuple>

#include "core/random.h"
#include "io/utf8.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/layer/layer.h"

namespace limelight::scenes::layer {
namespace {

using Labels = std::vector<std::string>;

void sequence_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = io::Place::top}, state.preset);
  io::Field text{.name = "text", .label = "Your own inputs", .placeholder = "your own inputs …"};
  text.hint = "Any words, up to 24; each becomes an embedding by its spelling.";
  text.implied = state.sentence(), text.place = io::Place::top;
  field(text, state.text);
  io::Field other{.name = "other", .label = "The second sequence", .placeholder = "the second sequence …"};
  other.hint = "Its words ask the questions, up to 24.";
  other.implied = state.other_sentence(), other.place = io::Place::figure;
  field(other, state.other);
  io::Field similarity{.name = "similarity", .label = "similarity", .choices = kSimilarities};
  similarity.hint = "How a query is compared with an input.", similarity.steps = io::only("query", "queries");
  field(similarity, state.similarity);
  io::Field axis{.name = "wrong_axis", .label = "wrong axis", .steps = io::only("queries")};
  axis.hint =
      "A common mistake: softmax over the queries, not over the inputs. Then each input's weights sum to 1, and a "
      "query's do not.";
  field(axis, state.wrong_axis);
}

void rule_fields(State& state, io::FieldVisitor& field) {
  using Steps = decltype(io::Field::steps);
  const auto number = [&](std::string_view name, std::string_view label, double least, double most,
                          std::string_view hint, Steps steps, bool shown, int& value) {
    field(io::Field{.name = name, .label = label, .range = {least, most}, .hint = hint, .steps = steps, .shown = shown},
          value);
  };
  const bool shown = state.by_rule();
  number("d_x", "input size", 2, 16, "Numbers in each input.", io::all_but("all"), shown, state.d_x);
  number("d_q", "query size", 2, 16,
         "Numbers in each query and each key; general and additive allow it to differ from the input size.",
         io::all_but("all"), shown, state.d_q);
  number("d_v", "value size", 1, 16, "Numbers in each value, and so in each output.",
         state.numbers ? io::only("keys", "self", "cross", "shuffle", "order") : io::only("keys", "self", "cross"),
         shown, state.d_v);
  io::Field matrices{.name = "matrices", .label = "matrices", .choices = kRules, .shown = shown};
  matrices.hint = "W_Q, W_K, W_V, not trained: nearly the identity, or drawn at random.";
  matrices.steps = io::only("keys", "self", "cross", "shuffle", "order");
  field(matrices, state.rule);
  io::Field numbers{.name = "numbers", .label = "numbers", .steps = io::all_but("all"), .look = true};
  numbers.hint = "The matrices with their digits, in place of the picture.";
  field(numbers, state.numbers);
  number("seed", "seed", 1, 9999, "Another seed draws other random matrices, also those of additive and general.",
         io::all_but("all"), state.draws(), state.seed);
}

void order_fields(State& state, io::FieldVisitor& field) {
  io::Field order{.name = "order", .label = "New order of the inputs", .range = {0, state.last_input()}};
  order.place = io::Place::figure, order.steps = io::only("shuffle", "order", "all");
  field(order, state.order);
  io::Field positions{.name = "positions", .label = "Positional encoding", .choices = kEncodings};
  positions.place = io::Place::figure, positions.steps = io::only("order");
  field(positions, state.positions);
  io::Field causal{.name = "causal", .label = "causal mask", .hint = "Each input sees itself and those before it."};
  causal.place = io::Place::figure, causal.steps = io::only("order");
  field(causal, state.causal);
  const bool bias = state.positions == Encoding::linear_bias,
             hands = state.positions == Encoding::sinusoidal || state.positions == Encoding::rotary;
  io::Field slope{.name = "slope", .label = "linear bias per place", .range = {0.01, 4}, .logarithmic = true};
  slope.hint = "How much each step of distance takes off a score.";
  slope.steps = bias ? io::only("order", "all") : io::only("all");  // which has all encodings
  field(slope, state.slope);
  io::Field features{.name = "features", .label = "features drawn", .range = {2, 64}, .steps = io::only("order")};
  features.hint = "Features of a place’s pattern in the picture; the layer has as many as a query.";
  features.shown = state.numbers && hands;
  field(features, state.features);
}

void look_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  io::Field colours{.name = "colours", .label = "colours", .choices = kNormalise, .shown = state.numbers, .look = true};
  colours.hint = "Which weight is the brightest: 1, or each row's largest.";
  colours.steps = io::all_but("shuffle", "all");  // the shuffle shows no weights
  field(colours, state.normalise);
  field(io::Field{.name = "query", .label = "Query", .range = {0, state.last_query()}, .place = figure, .look = true},
        state.query);
}

void cell_fields(State& state, io::FieldVisitor& field) {
  const std::tuple<std::string_view, std::string_view, io::CellEdits&> all[] = {
      {"X", "Cells of X", state.X},
      {"Z", "Cells of the second sequence", state.Z},
      {"W_Q", "Cells of W_Q", state.W_Q},
      {"W_K", "Cells of W_K", state.W_K},
      {"W_V", "Cells of W_V", state.W_V}};
  for (const auto& [name, label, cells] : all)
    field(io::Field{.name = name, .label = label, .range = {-1000, 1000}, .place = io::Place::figure}, cells);
}

}  // namespace

void State::fields(io::FieldVisitor& field) {
  sequence_fields(*this, field);
  rule_fields(*this, field);
  order_fields(*this, field);
  look_fields(*this, field);
  cell_fields(*this, field);
}

State State::example() const {
  State state;
  state.preset = preset;
  if (preset == Preset::own) {
    state.text = "words that you type ask each other";
    state.other = "another sequence asks";
  }
  if (preset == Preset::phrase) state.query = 3;  // whose word stands elsewhere in the other language
  state.order = swapped(sizes(state).inputs);
  return state;
}

void State::changed(std::string_view field) {
  const auto clear = [this] { X = Z = W_Q = W_K = W_V = {}; };
  if (field == "preset") {
    const State fresh = example();
    std::tie(text, other, query, order) = std::tie(fresh.text, fresh.other, fresh.query, fresh.order);
    if (!by_rule()) std::tie(d_x, d_q, d_v, rule) = std::tie(fresh.d_x, fresh.d_q, fresh.d_v, fresh.rule);
    clear();
  } else if (field == "text" || field == "other") {
    // Typing makes both one's own; the sequence that was not typed stays, if it was made of words.
    if (preset != Preset::own) {
      State fresh;
      fresh.preset = Preset::own;
      fresh = fresh.example();
      const bool inputs = field == "text";
      std::string& kept = inputs ? other : text;
      kept = by_rule() ? std::string(inputs ? other_sentence() : sentence()) : inputs ? fresh.other : fresh.text;
      preset = Preset::own;
    }
    clear();
    query = 0;
    if (order.places.size() != static_cast<std::size_t>(sizes(*this).inputs)) order = swapped(sizes(*this).inputs);
  } else if (field == "d_x" || field == "d_q" || field == "d_v" || field == "matrices" || field == "seed") {
    clear();
  }
}

Result<void> State::check() const {
  if (preset == Preset::own) {
    for (const auto& [what, role, words] : {std::tuple{"The input sequence", "it is what is attended to", &text},
                                            {"The second sequence", "it supplies the queries", &other}})
      if (Result<void> read = check_words(what, role, *words, io::split_words(*words).size(), {kMostWords, kMostBytes});
          !read)
        return read;
  }
  const State plain;
  if (!by_rule() && (d_x != plain.d_x || d_q != plain.d_q || d_v != plain.d_v || rule != plain.rule))
    return fail(
        "The sizes and the rule of the matrices are for words whose numbers come from their spelling "
        "(translation and your own); the video search brings its own numbers.");
  const Sizes size = sizes(*this);
  for (const auto& [name, edits, rows, columns] : {std::tuple{"X", &X, size.inputs, size.input},
                                                   {"Z", &Z, size.queries, std::max(size.input, size.key)},
                                                   {"W_Q", &W_Q, size.input, size.key},
                                                   {"W_K", &W_K, size.input, size.key},
                                                   {"W_V", &W_V, size.input, size.value}})
    if (Result<void> inside = edits->check(name, rows, columns); !inside) return inside;
  return {};
}

std::string_view State::sentence() const { return translates() ? "the European Economic Area" : ""; }
std::string_view State::other_sentence() const { return translates() ? "la zone économique européenne" : ""; }

double State::last_input() const { return std::max(sizes(*this).inputs - 1, 0); }
double State::last_query() const { return std::max({sizes(*this).inputs, sizes(*this).queries, 1}) - 1; }

bool State::edited() const {
  return std::ranges::any_of(std::array{&X, &Z, &W_Q, &W_K, &W_V}, [](auto* edits) { return !edits->cells.empty(); });
}

Labels input_words(const State& state) {
  if (state.preset == Preset::video) return {"piano cat", "piano class", "cat cake", "cup final"};
  return io::split_words(state.preset == Preset::own ? state.text : state.sentence());
}
Labels query_words(const State& state) {
  if (state.preset == Preset::video) return {"funny cat", "learn piano", "bake for cat"};
  return io::split_words(state.preset == Preset::own ? state.other : state.other_sentence());
}

Sizes sizes(const State& state) {
  const auto count = [](const Labels& words) { return static_cast<int>(words.size()); };
  Sizes size{count(input_words(state)), count(query_words(state)), state.d_x, state.d_q, state.d_v, 0};
  if (state.preset == Preset::video) size.key = kVideoTopics, size.value = 2, size.input = size.key + size.value;
  size.first = takes_any_size(state.similarity) ? size.key : size.input;
  return size;
}

int query_row(const State& state) { return std::min(state.query, sizes(state).queries - 1); }
int input_row(const State& state) { return std::min(state.query, sizes(state).inputs - 1); }

State in_view(const State& state, const View& view) {
  State shown = state;
  if (const std::optional<int> word = word_at(view.asking.empty() ? view.hovered : view.asking))
    if (view.place != Place{1, 0}) shown.query = *word;  // of the one query nothing else is computed
  return shown;
}

io::Order swapped(int count) {
  std::vector<int> places = io::Order{}.of(count);
  if (count > 1) std::swap(places[0], places[1]);
  return {count > 1 ? places : std::vector<int>()};
}

io::Order reversed(int count) {
  std::vector<int> places = io::Order{}.of(count);
  std::ranges::reverse(places);
  return {count > 1 ? places : std::vector<int>()};
}

io::Order shuffled(const io::Order& order, int count) {
  if (count < 2) return {};
  std::vector<int> places = order.of(count);
  // Seeded by what is there, so that each shuffle leads to another and a link can be made of it.
  Random random(hash_text(io::write_value(io::Order{places})));
  for (std::size_t i = places.size() - 1; i > 0; --i)
    std::swap(places[i], places[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
  if (places == order.of(count)) std::swap(places[0], places[1]);  // a shuffle moves something
  if (std::ranges::is_sorted(places)) std::ranges::reverse(places);
  return {places};
}

}  // namespace limelight::scenes::layer
