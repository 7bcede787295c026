#include "scenes/translate/steps.h"

#include <algorithm>
#include <array>
#include <utility>

#include "learn/evaluation.h"
#include "scenes/common/sentence.h"
#include "scenes/place.h"
#include "scenes/translate/decoder.h"

namespace limelight::scenes::translate {
namespace {

using Labels = std::vector<std::string>;

Labels words_of(std::span<const int> tokens, std::span<const std::string> vocabulary) {
  Labels words;
  for (const int token : tokens) words.push_back(vocabulary[static_cast<std::size_t>(token)]);
  return words;
}

// Of each word that was written or forced, its probability.
Matrix chosen(const Decoding& decoding) {
  Matrix row(1, static_cast<Eigen::Index>(decoding.tokens.size()));
  for (Eigen::Index t = 0; t < row.cols(); ++t)
    row(0, t) = decoding.probabilities(t, decoding.tokens[static_cast<std::size_t>(t)]);
  return row;
}

// s_0, and the state after each word.
Labels states_of(const Labels& targets) {
  Labels states{"s_0"};
  states.insert(states.end(), targets.begin(), targets.end());
  return states;
}

// What goes on inside the scores of one output word.
void add_word(Trace& trace, const Translation& made, int t, const Labels& sources) {
  const Encoding& e = made.encoding;
  Matrix sum = e.keys.rowwise() + made.decoding.query.row(t);
  Matrix squashed = sum.array().tanh().matrix();
  Matrix terms = squashed * e.v.col(0).asDiagonal();
  trace.add("sum", std::move(sum), sources);
  trace.add("tanh", std::move(squashed), sources);
  trace.add("terms", std::move(terms), sources);
}

// Links of the corpus, where its translation is the one that is looked at.
void add_gold(Trace& trace, const State& state, const Labels& targets, const Labels& sources) {
  if (!state.corpus || targets.size() != state.corpus->target.size() + 1 ||
      !std::equal(state.corpus->target.begin(), state.corpus->target.end(), targets.begin()))
    return;
  Matrix gold = Matrix::Zero(static_cast<Eigen::Index>(targets.size()), static_cast<Eigen::Index>(sources.size()));
  for (const learn::french::Link& link : state.corpus->alignment) gold(link.target, link.source) = 1;
  trace.add("gold", std::move(gold), targets, sources);
}

void add_translation(Trace& trace, const State& state, Translation made, std::span<const std::string> vocabulary) {
  const Labels sources = source_labels(state);
  Decoding& d = made.decoding;
  const Labels targets = words_of(d.tokens, vocabulary);
  const Labels all(vocabulary.begin(), vocabulary.end());
  const int t = std::clamp(state.word, 0, static_cast<int>(targets.size()) - 1);
  add_word(trace, made, t, sources);
  trace.add("chosen", chosen(d), {"probability"}, targets);
  for (const auto& [name, other] : {std::pair("before", &made.before), std::pair("from_zeros", &made.from_zeros)})
    if (*other) trace.add(name, chosen(**other), {"probability"}, words_of((*other)->tokens, vocabulary));
  add_gold(trace, state, targets, sources);
  trace.add("h", std::move(made.encoding.h), sources);
  trace.add("W", std::move(made.encoding.W));
  trace.add("U", std::move(made.encoding.U));
  trace.add("v_a", std::move(made.encoding.v));
  trace.add("keys", std::move(made.encoding.keys), sources);
  trace.add("s", std::move(d.s), states_of(targets));
  trace.add("query", std::move(d.query), targets);
  trace.add("scores", std::move(d.scores), targets, sources);
  trace.add("weights", std::move(d.weights), targets, sources);
  trace.add("context", std::move(d.context), targets);
  trace.add("logits", std::move(d.logits), targets, all);
  trace.add("probabilities", std::move(d.probabilities), targets, all);
  if (d.reset.size() == 0) return;
  trace.add("reset", std::move(d.reset), targets);
  trace.add("update", std::move(d.update), targets);
  trace.add("new", std::move(d.fresh), targets);
}

void add_bottleneck(Trace& trace, const State& state, Bottleneck made, std::span<const std::string> vocabulary) {
  const Labels targets = words_of(made.decoding.tokens, vocabulary);
  if (trace.find("through") == nullptr)
    trace.add("through", Matrix::Zero(1, made.h.rows()), {"lost"}, source_labels(state));
  trace.add("fixed_h", std::move(made.h), source_labels(state));
  trace.add("bottleneck", std::move(made.c), {"c"});
  trace.add("fixed_s", std::move(made.decoding.s), states_of(targets));
  trace.add("fixed", chosen(made.decoding), {"probability"}, targets);
}

void add_constructed(Trace& trace, const State& state) {
  const Constructed example = constructed(state);
  Translation made = translate_constructed(example, state);
  Labels added{"[START]"};
  added.insert(added.end(), constructed_target().begin(), constructed_target().end());
  Matrix y(1, static_cast<Eigen::Index>(made.decoding.tokens.size()));
  for (Eigen::Index t = 0; t < y.cols(); ++t)
    y(0, t) = example.added(static_cast<int>(t), t == 0 ? -1 : made.decoding.tokens[static_cast<std::size_t>(t - 1)]);
  const Labels targets = words_of(made.decoding.tokens, constructed_target());
  add_translation(trace, state, std::move(made), constructed_target());
  trace.add("y", std::move(y), {"y"}, targets);
  trace.add("words", example.words, added);
  trace.add("w", example.state_weights, {}, {"s", "c"});
  trace.add("O", example.O, {}, {constructed_target().begin(), constructed_target().end()});
  trace.add("b", example.b, {}, {constructed_target().begin(), constructed_target().end()});
  add_bottleneck(trace, state, squeeze_constructed(example), constructed_target());
}

// Without attention: the sentence, or, where all of it gets through, the first of the other given ones that does not.
void add_squeezed(Trace& trace, const State& state, const learn::Training& fixed, const Model* attention) {
  const Labels& vocabulary = fixed.task.target.words;
  State through = state;
  Bottleneck made = squeeze_trained(fixed, through);
  const auto missing = [&] { return differing(expected(through, {}), words_of(made.decoding.tokens, vocabulary)); };
  if (state.corpus && state.preset != Preset::composed && !state.steered() && state.translation.empty())
    for (const Preset next : {Preset::visit, Preset::minister, Preset::committee}) {
      if (std::ranges::count(missing(), true) > 0) break;
      through.preset = next;
      through.changed("preset");
      if (trace.find("own_h") == nullptr) trace.add("own_h", std::move(made.h), source_labels(state));
      made = squeeze_trained(fixed, through);
    }
  if (through.corpus) {
    const std::vector<bool> lost = missing();
    Matrix marks = Matrix::Zero(1, made.h.rows());
    for (const learn::french::Link& link : through.corpus->alignment)
      if (lost[static_cast<std::size_t>(link.target)]) marks(0, link.source) = 1;
    trace.add("through", std::move(marks), {example_name(through.preset)}, source_labels(through));
    const Labels right = expected(through, {});
    trace.add("expected", Matrix::Ones(1, std::ssize(right)), {"truth"}, right);
  }
  if (through.preset != state.preset && attention != nullptr) {
    const Decoding with = translate_trained(**attention, through).decoding;
    trace.add("attended", chosen(with), {"probability"}, words_of(with.tokens, vocabulary));
  }
  add_bottleneck(trace, through, std::move(made), vocabulary);
}

float share_at(const learn::Training& training, int length) {
  for (const learn::LengthScore& score : training.by_length)
    if (score.length == length && score.count > 0)
      return static_cast<float>(score.exact) / static_cast<float>(score.count);
  return -1;
}

void add_curves(Trace& trace, const learn::Training& attention, const learn::Training& fixed) {
  std::vector<int> lengths;
  for (const learn::LengthScore& score : attention.by_length)
    if (share_at(attention, score.length) >= 0 && share_at(fixed, score.length) >= 0) lengths.push_back(score.length);
  if (lengths.empty()) return;
  const auto n = static_cast<Eigen::Index>(lengths.size());
  Matrix exact(2, n), length(1, n);
  Labels names;
  for (Eigen::Index i = 0; i < n; ++i) {
    const int words = lengths[static_cast<std::size_t>(i)];
    length(0, i) = static_cast<float>(words);
    exact(0, i) = share_at(attention, words);
    exact(1, i) = share_at(fixed, words);
    names.push_back(std::to_string(words) + " words");
  }
  trace.add("length", std::move(length), {"words"}, names);
  trace.add("exact", std::move(exact), {"with attention", "without"}, names);
}

Result<std::any> read_model(std::span<const std::byte> bytes, std::string_view name, bool attention) {
  Result<learn::Training> read = learn::read_training(bytes, name);
  if (!read) return std::unexpected(read.error());
  const bool additive = read->config.score == learn::AttentionScore::additive;
  if (read->settings.task != "french" || read->config.attention != attention || (attention && !additive))
    return fail(std::string(name) + " is of the task " + read->settings.task +
                (read->config.attention ? ", with" : ", without") +
                " attention; needed here is one of the task french, " +
                (attention ? "with additive attention." : "without attention."));
  return std::any(Model(std::make_shared<const learn::Training>(std::move(*read))));
}

constexpr Resource kAttentionModel{
    .name = kAttention,
    .label = "The model with attention",
    .read = [](std::span<const std::byte> bytes, std::string_view name) { return read_model(bytes, name, true); }};
constexpr Resource kFixedModel{
    .name = kFixed,
    .label = "The model without attention",
    .read = [](std::span<const std::byte> bytes, std::string_view name) { return read_model(bytes, name, false); }};
constexpr std::array<const Resource*, 2> kModels = {&kAttentionModel, &kFixedModel};

}  // namespace

std::span<const Resource* const> needs(const State& state, Place place) {
  const Models models = row_at(place).models;
  if (models == Models::both) return kModels;
  if (!state.trained()) return {};
  return std::span(kModels).first(models == Models::fixed ? 2 : 1);  // what leads to Bottleneck shows attention
}

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  const Labels sources = source_labels(state);
  const auto count = static_cast<float>(sources.size());
  trace.add("source", Eigen::RowVectorXf::LinSpaced(std::ssize(sources), 1, count), {"place"}, sources);
  const Model* attention = inputs.resource<Model>(kAttention);
  const Model* fixed = inputs.resource<Model>(kFixed);
  if (!state.trained())
    add_constructed(trace, state);
  else if (attention != nullptr)
    add_translation(trace, state, translate_trained(**attention, state), (*attention)->task.target.words);
  if (state.trained() && fixed != nullptr) add_squeezed(trace, state, **fixed, attention);
  if (attention != nullptr && fixed != nullptr) add_curves(trace, **attention, **fixed);
  return trace;
}

int word_row(const State& state, const Trace& trace) {
  const Tensor* weights = trace.find("weights");
  return weights == nullptr ? 0 : std::clamp(state.word, 0, weights->rows() - 1);
}

int word_row(const State& state, const Trace& trace, const View& view) {
  const std::optional<int> pointed_at = line_word_at(view.hovered);
  const Tensor* weights = trace.find("weights");
  const int row = word_row(state, trace);
  if (pointed_at && weights != nullptr && *pointed_at < weights->rows()) return *pointed_at;
  return view.place.step == 1 && weights != nullptr ? swung(row, weights->rows(), 3 * view.t + 0.5F) : row;
}

int swung(int row, int rows, float moment) { return std::min(row + static_cast<int>(moment) % 3, rows - 1); }

bool is_squeezed(const Trace& trace) { return trace.find("bottleneck") != nullptr; }

bool is_translated(const Trace& trace) { return trace.find("weights") != nullptr; }

std::vector<std::string> written(const Trace& trace) { return trace.at("weights").row_labels; }

io::Patch play(const State& state, const Trace& trace, Place place) {
  if (!is_translated(trace)) return {};
  return play_words(steps(), place, "alignment",
                    {word_row(state, trace), trace.at("weights").rows(), state.example().word});
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  static constexpr std::array<std::string_view, 9> rows = {"query",         "scores", "weights", "context", "logits",
                                                           "probabilities", "reset",  "update",  "new"};
  int row = -1;
  if (std::ranges::find(rows, pinned.tensor) != rows.end()) row = pinned.row;
  if (pinned.tensor == "chosen") row = pinned.column;
  if (pinned.tensor == "s") row = pinned.row - 1;
  if (row < 0 || row == state.word || row >= (state.trained() ? kMostSteps : kMostConstructed)) return {};
  return {{"word", std::to_string(row)}};
}

}  // namespace limelight::scenes::translate
