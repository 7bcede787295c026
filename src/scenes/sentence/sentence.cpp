#include "scenes/sentence/sentence.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis.h"
#include "core/likeness.h"
#include "core/sort.h"
#include "io/utf8.h"
#include "scenes/sentence/runs.h"

namespace limelight::scenes::sentence {
namespace {

using Labels = std::vector<std::string>;
using Eigen::Index;

constexpr const Resource* kNeeded[] = {&trained::kEncoder};

// Which head stands where in the grid.
Matrix order_of(const State& state, const Summary& summary) {
  const auto count = static_cast<int>(summary.maps.size());
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (state.sorting == Sorting::alike) order = summary.alike;
  if (state.sorting == Sorting::kind)
    heap_sort(order, {}, [&](int h) {
      Index best = 0;
      const float share = summary.kinds.row(h).head(kinds).maxCoeff(&best);
      return std::tuple(share < kClear ? Index{kinds} : best, -share, h);
    });
  Matrix places(1, count);
  for (int i = 0; i < count; ++i) places(0, i) = static_cast<float>(order[static_cast<std::size_t>(i)]);
  return places;
}

void add_stack(Trace& trace, const State& state, const Stack& stack, const Summary& summary) {
  Labels names, layers;
  for (int layer = 0; layer < stack.layers; ++layer) {
    layers.push_back("layer " + std::to_string(layer + 1));
    for (int head = 0; head < stack.heads; ++head) {
      names.push_back(std::to_string(layer + 1) + "." + std::to_string(head + 1));
      trace.add(of_head("G", layer, head), summary.maps[static_cast<std::size_t>(layer * stack.heads + head)]);
    }
  }
  Labels shares(std::begin(kKinds), std::end(kKinds));
  shares.emplace_back("spread");
  trace.add("order", order_of(state, summary));
  trace.add("kinds", summary.kinds, names, std::move(shares));
  const HeadPlace place = chosen_head(state, stack.layers, stack.heads);
  trace.add(of_head("A", place.layer, place.head), stack.of(place.layer, place.head), stack.queries, stack.keys);
  const int query = std::min(state.query, static_cast<int>(stack.queries.size()) - 1);
  Matrix raw(stack.layers, static_cast<Index>(stack.keys.size()));
  for (Index layer = 0; layer < raw.rows(); ++layer)
    raw.row(layer) = summary.means[static_cast<std::size_t>(layer)].row(query);
  trace.add("raw", std::move(raw), layers, stack.keys);
  if (stack.queries.size() != stack.keys.size()) return;
  trace.add("rollout", rollout(summary.means, query), layers, stack.keys);
  if (stack.layers > kMostFlowing || std::ssize(stack.keys) > kMapSide) return;
  for (int layer = 0; layer < stack.layers; ++layer)
    trace.add("mean_" + std::to_string(layer + 1), summary.means[static_cast<std::size_t>(layer)], stack.queries,
              stack.keys);
}

// Q, K and the scores of the head that is looked at.
void add_head(Trace& trace, const State& state, const Runs& runs, const Stack& stack) {
  const HeadPlace place = chosen_head(state, stack.layers, stack.heads);
  const BlockSteps& block = runs.base.blocks[static_cast<std::size_t>(place.layer)];
  const Index size = block.query.cols() / stack.heads;
  const Matrix query = block.query.middleCols(place.head * size, size),
               key = block.key.middleCols(place.head * size, size);
  Matrix scores = query * key.transpose() / std::sqrt(static_cast<float>(size));
  if (runs.causal)
    for (Index i = 0; i < scores.rows(); ++i)
      scores.row(i).tail(scores.cols() - i - 1).setConstant(-std::numeric_limits<float>::infinity());
  const Index row = std::min<Index>(state.query, query.rows() - 1);
  const auto name = [&](const char* one) { return of_head(one, place.layer, place.head); };
  trace.add(name("P"), key.array().rowwise() * query.row(row).array(), stack.queries);
  trace.add(name("q"), query.row(row), {stack.queries[static_cast<std::size_t>(row)]});
  trace.add(name("Q"), query, stack.queries);
  trace.add(name("K"), key, stack.keys);
  const Matrix& weights = stack.of(place.layer, place.head);
  trace.add(name("s"), scores.row(row).transpose(), stack.keys);
  trace.add(name("a"), weights.row(row).transpose(), stack.keys);
  trace.add(name("S"), std::move(scores), stack.queries, stack.keys);
}

void add_swap(Trace& trace, const State& state, const Runs& runs, const Stack& stack) {
  if (!runs.swapped || !runs.swapped->finite) return;
  const Labels words = texts_of(runs.swapped->tokens);
  const HeadPlace place = chosen_head(state, stack.layers, stack.heads);
  const Stack other = stack_of(*runs.swapped, words);
  const Matrix& before = stack.of(place.layer, place.head);
  const Matrix& after = other.of(place.layer, place.head);
  trace.add(of_head("B", place.layer, place.head), after, words, words);
  trace.add(of_head("D", place.layer, place.head), after - before, words, words);
  const int query = std::min(state.query, static_cast<int>(words.size()) - 1);
  trace.add(of_head("b", place.layer, place.head), after.row(query).transpose(), words);
  trace.add(of_head("d", place.layer, place.head), (after.row(query) - before.row(query)).transpose(), words);
  Matrix moved(stack.layers, stack.heads);
  for (int layer = 0; layer < stack.layers; ++layer)
    for (int head = 0; head < stack.heads; ++head)
      moved(layer, head) = total_variation(stack.of(layer, head).row(query), other.of(layer, head).row(query));
  trace.add("moved", std::move(moved), {}, {});
  add_answers(trace, *runs.swapped, "_swapped");
}

void add_runs(Trace& trace, const State& state, const Runs& runs, const Inputs& inputs) {
  const Labels words = texts_of(runs.base.tokens), typed = texts_of(runs.tokens);
  Matrix known(1, std::ssize(words)), hidden = Matrix::Zero(1, std::ssize(words));
  for (Index i = 0; i < known.cols(); ++i) known(0, i) = runs.tokens[static_cast<std::size_t>(i)].known ? 1.F : 0.F;
  for (const int place : runs.hidden) hidden(0, place) = 1;
  trace.add("tokens", known, {}, words);
  trace.add("typed", known, {}, typed);
  trace.add("hidden", std::move(hidden), {}, words);
  Matrix facts(1, 3);
  facts << (runs.causal ? 1.F : 0.F), (runs.predicts ? 1.F : 0.F), static_cast<float>(kFirst);
  trace.add("model", std::move(facts), {}, {"causal", "predicts", "first"});
  if (!runs.base.finite) {
    trace.add("refused", Matrix::Zero(1, 1), {"On this text the model’s numbers leave single precision."});
    return;
  }
  const Stack stack = stack_of(runs.base, words);
  add_stack(trace, state, stack, runs.summary);
  add_head(trace, state, runs, stack);
  add_answers(trace, runs.base, "");
  add_swap(trace, state, runs, stack);
  if (runs.without) add_answers(trace, *runs.without, "_without");
  if (runs.asked && runs.asked->finite) {
    trace.add("before", stack.of(2, 1).row(kPronoun), {"3.2"}, words);
    trace.add("asked", runs.asked->blocks[2].weights[1].row(kPronoun), {"3.2"}, texts_of(runs.asked->tokens));
  }
  if (runs.swapped && !runs.swapped->finite)
    trace.add("swap_refused", Matrix::Zero(1, 1), {"With that word the model’s numbers leave single precision."});
  if (!runs.swap_refused.empty()) trace.add("swap_refused", Matrix::Zero(1, 1), {runs.swap_refused});
  const Tensor* importance = inputs.job == nullptr ? nullptr : inputs.job->results.find("importance");
  if (importance == nullptr) return;
  trace.add("importance", importance->values);
  for (const Tensor& answer : inputs.job->results.tensors)
    if (answer.name.contains("needed")) trace.add(answer.name, answer.values, {}, answer.column_labels);
  // What the first hidden place looks at, and what hiding each other word does.
  const int target = runs.hidden.front(), row = runs.causal ? std::max(target - 1, 0) : target;
  trace.add("attended", runs.summary.means.back().row(row), {"last layer"}, typed);
  trace.add("erasure", inputs.job->results.at("erasure").values, {"change"}, typed);
}

}  // namespace

void add_answers(Trace& trace, const Reading& reading, const std::string& name) {
  for (const Guess& guess : reading.guesses) {
    Matrix p(1, std::ssize(guess.words));
    for (Index i = 0; i < p.cols(); ++i) p(0, i) = guess.probabilities[static_cast<std::size_t>(i)];
    trace.add(of_place("guess" + name, guess.place), std::move(p), {}, guess.words);
    Matrix truth(1, 2);
    truth << guess.truth, static_cast<float>(guess.rank);
    trace.add(of_place("truth" + name, guess.place), std::move(truth), {}, {"probability", "rank"});
  }
}

std::string of_head(std::string_view one, int layer, int head) {
  return std::string(one) + "_" + std::to_string(layer + 1) + "." + std::to_string(head + 1);
}

std::string of_place(std::string_view one, int place) { return std::string(one) + "_" + std::to_string(place + 1); }

HeadTensor read_name(std::string_view name) {
  const std::size_t bar = name.find('_'), dot = name.find('.');
  if (bar != 1 || dot == std::string_view::npos) return {};
  int layer = 0, head = 0;
  const char* end = name.data() + name.size();
  if (std::from_chars(name.data() + 2, end, layer).ptr != name.data() + dot ||
      std::from_chars(name.data() + dot + 1, end, head).ptr != end || layer < 1 || head < 1)
    return {};
  return {name.substr(0, 1), layer - 1, head - 1};
}

HeadPlace chosen_head(const State& state, int layers, int heads) {
  const HeadTensor named = read_name("A_" + state.head);
  return {std::min(named.layer, layers - 1), std::min(named.head, heads - 1)};
}

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  // Until a model has read them, the words alone.
  const auto add_words = [&] {
    Labels words = io::split_words(state.read());
    if (words.empty()) words.emplace_back("…");
    trace.add("tokens", Matrix::Ones(1, std::ssize(words)), {}, words);
  };
  if (const std::shared_ptr<const OwnWeights> own = inputs.own_one<OwnWeights>(state.own)) {
    const auto [names, note] = name_tokens(state, *own);
    trace.add("tokens", Matrix::Ones(1, std::ssize(names.queries)), {}, names.queries);
    trace.add("label", Matrix::Zero(1, 1), {own->label});
    if (!note.empty()) trace.add("naming", Matrix::Zero(1, 1), {note});
    const auto* const summary =
        inputs.job == nullptr ? nullptr : std::any_cast<std::shared_ptr<const Summary>>(&inputs.job->product);
    if (summary != nullptr && *summary != nullptr) add_stack(trace, state, stack_of(*own, names), **summary);
    return trace;
  }
  if (const std::shared_ptr<const OwnModel> own = inputs.own_one<OwnModel>(state.own)) {
    trace.add("label", Matrix::Zero(1, 1), {own->label});
    const auto* const runs =
        inputs.job == nullptr ? nullptr : std::any_cast<std::shared_ptr<const Runs>>(&inputs.job->product);
    if (runs != nullptr && *runs != nullptr) {
      add_runs(trace, state, **runs, inputs);
      return trace;
    }
    add_words();
    if (Result<Work> begun = Work::start(state, Reader(own)); !begun)
      trace.add("refused", Matrix::Zero(1, 1), {begun.error().message});
    return trace;
  }
  if (std::optional<Reader> reader = reader_of(state, inputs)) {
    Result<Work> work = Work::start(state, std::move(*reader));
    if (!work) {
      add_words();
      trace.add("refused", Matrix::Zero(1, 1), {work.error().message});
      return trace;
    }
    while (work->step()) {
    }
    add_runs(trace, state, work->runs(), inputs);
    return trace;
  }
  add_words();
  return trace;
}

std::span<const Resource* const> needs(const State& state, Place) {
  return state.own.empty() ? std::span(kNeeded) : std::span<const Resource* const>();
}

}  // namespace limelight::scenes::sentence
