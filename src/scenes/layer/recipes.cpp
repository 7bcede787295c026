// What Layer's tensors are: each once, for all that tells where its numbers come from.
#include <algorithm>

#include "scenes/common/recipe.h"

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {
namespace {

using namespace recipes;

Recipe similarity(const State& state, std::string_view query, std::string_view key) {
  Recipe made = product(query, transposed(key));
  if (state.similarity == Similarity::scaled) made.over_root("d", sizes(state).first);
  if (state.similarity == Similarity::cosine)
    made = made_by(Operation::cosine, query, key).says("Only the angle counts, not the lengths: between −1 and 1.");
  if (state.similarity == Similarity::general)
    made =
        made_by(Operation::general, query, key)
            .says("Luong et al. 2015, “general”: W turns the query into the space of the inputs, so sizes may differ.");
  if (state.similarity == Similarity::additive)
    made = made_by(Operation::additive, query, key)
               .says("Bahdanau et al. 2015, the first f_att: a small network, not trained but drawn from the seed.");
  if (made.operation == Operation::general) made.operands = {query, key, kWf};
  if (made.operation == Operation::additive) made.operands = {query, key, kW1, kW2, kVf};
  return made.called("f_att");
}

// Queries or keys as they enter the scores that know positions.
Recipe placed(const State& state, std::string_view rows) {
  if (state.positions == Encoding::sinusoidal)
    return made_by(Operation::sinusoidal, rows).says("With the mark of its place.");
  if (state.positions == Encoding::rotary)
    return made_by(Operation::rotary, rows).says("Turned by the angle of its place.");
  return same(rows);
}

void add_attention(Recipes& r, const Attention& one, const Recipe& scores, Along along = Along::rows) {
  const bool wrong = along == Along::columns;
  r.add(one.scores, scores);
  r.add(one.weights, softmax(one.scores, along)
                         .noted(wrong ? "each column sums to 1: the wrong axis" : "each row sums to 1")
                         .says(wrong ? "The wrong axis: the sum runs over the queries, down the column." : ""));
  r.add(one.output, product(one.weights, one.value));
}

void add_given(Recipes& r) {
  static constexpr std::pair<std::string_view, std::string_view> kSaid[] = {
      {kX, "Of an input."},
      {kQGiven, "Of a query, given from outside."},
      {kQ, "Of a query, given from outside."},
      {kProducts, "A number of the query times that of the input; their sum makes the score."},
      {kZ, "Of the second sequence."},
      {kWQ, "How much a feature of an input counts in its query; in a real model it is learned."},
      {kWK, "How much a feature of an input counts in its key; in a real model it is learned."},
      {kWV, "How much a feature of an input counts in its value; in a real model it is learned."},
      {kWf, "The matrix of the general similarity; in a real model it is learned."},
      {kW1, "Of the additive similarity, for the query; drawn from the seed, not trained."},
      {kW2, "Of the additive similarity, for the input; drawn from the seed, not trained."},
      {kVf, "Of the additive similarity: how much each hidden unit counts; drawn from the seed, not trained."},
      {kOrderLast, "Of each output the number that changes most: the layer comes first, the shuffle last."},
      {kOrderFirst, "Of each output the number that changes most: the shuffle comes first, the layer last."},
      {kPDot, "How alike two places so far apart are marked, wherever they stand."},
  };
  for (const auto& [tensor, said] : kSaid) r.add(tensor, given().says(said));
  for (const std::string_view tensor : {kErrors, kP, kPAdded}) r.add(tensor, given());
}

}  // namespace

recipes::Symbol symbol_of(std::string_view tensor) {
  if (tensor.starts_with("order_"))  // the first numbers of outputs
    return {.tensor = tensor, .letter = "y", .index = "", .cell = "y", .ink = &Palette::output};
  static constexpr std::pair<std::string_view, Colour Palette::*> kColours[] = {
      {kWQ, &Palette::query}, {kWK, &Palette::key},    {kWV, &Palette::value}, {kX, &Palette::input},
      {kQ, &Palette::query},  {"q", &Palette::query},  {kZ, &Palette::query},  {kK, &Palette::key},
      {kV, &Palette::value},  {"Y", &Palette::output}, {"y", &Palette::output}};
  const std::size_t mark = std::min(tensor.find('_'), tensor.size());
  const std::string_view letter = tensor.substr(0, mark);
  recipes::Symbol made{.tensor = tensor,
                       .letter = letter,
                       .index = tensor == kYMovedPos ? "moved pos" : tensor.substr(std::min(mark + 1, tensor.size())),
                       .cell = tensor.ends_with("_sum") ? "" : letter};  // sums are written as sums
  for (const auto& [prefix, colour] : kColours)
    if (tensor.starts_with(prefix)) made.ink = colour;
  return made;
}

recipes::Recipes recipes(const State& state, const Trace& /*trace*/) {
  const int size = sizes(state).key;
  const auto scaled = [size](const Attention& one) {
    return product(one.query, transposed(one.key)).over_root("d", size);
  };
  Recipes r{.symbol_of = symbol_of};
  add_given(r);
  r.add(kOneQuery, row_of(kQ, query_row(state)).noted("one query").says("Of the query, given from outside."));
  add_attention(r, kOne, similarity(state, kOneQuery, kX));
  add_attention(r, kMany, similarity(state, kQ, kX), state.wrong_axis ? Along::columns : Along::rows);
  r.add(kRowSum, total(kMany.weights).says("What this query gives in all."));
  r.add(kColumnSum, total(kMany.weights, Along::columns).says("What this input gets in all."));
  for (const auto& [made, by] : {std::pair{kK, kWK}, {kV, kWV}, {kQSelf, kWQ}}) r.add(made, product(kX, by));
  r.add(kQCross, product(kZ, kWQ));
  for (const Attention* one : {&kKeyed, &kSelf, &kCross}) add_attention(r, *one, scaled(*one));
  r.add(kXNew, reordered(kX, state.order).says("The inputs in their new order."));
  for (const auto& [made, by] : {std::pair{kQNew, kWQ}, {kKNew, kWK}, {kVNew, kWV}}) r.add(made, product(kXNew, by));
  r.add(kYMoved, reordered(kSelf.output, state.order)
                     .says("f first, then s: the outputs of the inputs as written, moved to the new order."));
  add_attention(r, kShuffled, scaled(kShuffled));
  const bool bias = state.positions == Encoding::linear_bias;
  const auto add_placed = [&](const Attention& one, std::string_view queries, std::string_view keys) {
    r.add(one.query, placed(state, queries).noted("queries with positions"));
    r.add(one.key, placed(state, keys).noted("keys with positions"));
    add_attention(
        r, one,
        scaled(one)
            .less_distance(bias ? state.slope : 0)
            .masked(state.causal)
            .noted(state.causal ? "-inf where the mask hides a key" : "")
            .says(bias ? "The linear bias takes the slope times the distance of the two places off the score." : ""));
  };
  add_placed(kPlaced, kQNew, kKNew);
  add_placed(kFirst, kQSelf, kK);
  Recipe marks =
      made_by(Operation::difference, kPlaced.scores, kShuffled.scores).says("What the marks add to the score.");
  marks.turned = true;
  r.add(kMarks, marks);
  r.add(kYMovedPos, reordered(kFirst.output, state.order)
                        .says("f first, then s: with the positions of the order as written, then moved."));
  constexpr std::string_view all = "Over all outputs and all their numbers.";
  r.add(kError, made_by(Operation::largest_gap, kShuffled.output, kYMoved).says(all));
  r.add(kErrorPos, made_by(Operation::largest_gap, kPlaced.output, kYMovedPos).says(all));
  return r;
}

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  code::Equations made = recipes::equations(recipes(state, trace), trace);
  made.add(std::string(kErrors),
           "np.zeros((1, 5))\napart = []\n"
           "for encoding in [\"none\", \"sinusoidal\", \"rotary\", \"linear bias\", \"mask\"]:\n"
           "    settings = ({W_Q}, {W_K}, {W_V}, encoding.replace(\"mask\", \"none\"), " +
               code::number(state.slope) +
               ", encoding == \"mask\")\n    apart.append(np.abs(attend({X_new}, *settings) - attend({X}, *settings)[" +
               code::list_of(state.order.of(sizes(state).inputs)) +
               "]))\nmost = np.argmax(np.max(apart, axis=(0, 1)))\n{errors}[0] = np.max(apart, axis=1)[:, most]",
           "how far a layer of shuffled inputs is from the shuffled one, in the number that changes most");
  return made;
}

}  // namespace limelight::scenes::layer
