#include "scenes/sentence/read.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/likeness.h"
#include "core/normalize.h"
#include "io/distance.h"
#include "io/numbers.h"
#include "learn/encoder_reading.h"
#include "scenes/sentence/sentence.h"

namespace limelight::scenes::sentence {
namespace {

namespace english = learn::english;
using Eigen::Index;

}  // namespace

Reader::Reader(trained::Encoder encoder)
    : encoder_(std::move(encoder)),
      table_(encoder_->weights.word_embedding),
      weights_(learn::sentences::as_transformer(*encoder_)),
      options_{.heads = encoder_->config.heads, .norm_first = true, .gelu = Gelu::tangent},
      mask_(Token{"[MASK]", english::kMask}) {}

Reader::Reader(std::shared_ptr<const OwnModel> model)
    : model_(std::move(model)), weights_(model_->model.weights), options_(model_->model.options) {
  if (!model_->tokenizer || options_.causal) return;
  if (const std::optional<int> id = model_->tokenizer->find("[MASK]")) mask_ = Token{"[MASK]", *id};
}

Result<std::vector<Token>> Reader::tokens(std::string_view text) {
  std::vector<Token> list;
  if (encoder_) {
    const Result<std::vector<std::string>> words = english::read(text);
    if (!words) return std::unexpected(words.error());
    list.push_back({english::vocabulary().words[learn::kStart], learn::kStart});
    for (const std::string& word : *words) list.push_back(*one(list, 0, word));
    return list;
  }
  if (!model_->tokenizer) return numbers(text);
  for (const io::Token& token : model_->tokenizer->encode(text)) list.push_back({token.text, token.id});
  const int least = causal() ? 1 : 3;
  if (static_cast<int>(list.size()) < least) return fail("There is no word to be read; type at least one.");
  const Index most = std::min<Index>(weights_.positions.rows, kMostTokens);
  if (std::ssize(list) > most)
    return fail("The text has " + std::to_string(list.size()) + " tokens; " + model_->label + " reads up to " +
                std::to_string(most) + ", so shorten it.");
  return list;
}

Result<std::vector<Token>> Reader::numbers(std::string_view text) const {
  std::vector<Token> list;
  const std::string asked = "There is no tokenizer beside " + model_->label +
                            ": drop it with the model, or type up to " + std::to_string(weights_.positions.rows) +
                            " token ids from 0 to " + std::to_string(weights_.tokens.rows - 1) + ", as “3, 17, 5”.";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(", ", begin), text.size());
    if (end > begin) {
      const Result<int> id = io::parse_integer(text.substr(begin, end - begin));
      if (!id || *id < 0 || *id >= weights_.tokens.rows) return fail(asked);
      list.push_back({std::to_string(*id), *id});
    }
    begin = end + 1;
  }
  if (list.empty() || std::ssize(list) > std::min<Index>(weights_.positions.rows, kMostTokens)) return fail(asked);
  return list;
}

Result<Token> Reader::one(const std::vector<Token>& tokens, int place, std::string_view word) {
  if (!encoder_ && !model_->tokenizer) {
    const Result<std::vector<Token>> read = numbers(word);
    if (!read) return std::unexpected(read.error());
    if (read->size() == 1) return read->front();
    return fail(io::quote(word) + " is not one token id; one takes the place of one.");
  }
  if (!encoder_) {
    // GPT-2 has the space before a word in its token.
    const bool spaced = causal() && place > 0 && tokens[static_cast<std::size_t>(place)].text.starts_with("·");
    std::vector<io::Token> list = model_->tokenizer->encode((spaced ? " " : "") + std::string(word));
    if (!causal()) std::erase_if(list, [](const io::Token& token) { return token.begin == token.end; });
    if (list.size() == 1) return Token{list.front().text, list.front().id};
    return fail(io::quote(word) + " is " + std::to_string(list.size()) + " tokens of " + model_->label +
                "; one takes the place of one, so choose another word.");
  }
  std::vector<std::string> words;
  if (Result<std::vector<std::string>> read = english::read(word)) words = std::move(*read);
  if (words.size() == 2 && words.back() == ".") words.pop_back();
  if (words.size() != 1) return fail(io::quote(word) + " is not one word; one takes the place of one.");
  const learn::sentences::Word found = learn::sentences::word_of(words.front());
  if (found.token >= 0) return Token{words.front(), found.token};
  const std::vector<int> rows = learn::sentences::letter_rows(found.letters, encoder_->config.letters);
  Matrix embedding = Matrix::Zero(1, table_.cols());
  for (const int row : rows) embedding += encoder_->weights.letter_embedding.row(row);
  embedding /= std::sqrt(static_cast<float>(rows.size()));
  table_.conservativeResize(table_.rows() + 1, Eigen::NoChange);
  table_.bottomRows(1) = embedding;
  return Token{words.front(), static_cast<int>(table_.rows()) - 1, false};
}

std::string Reader::word(int id) const {
  if (encoder_) return english::vocabulary().words[static_cast<std::size_t>(id)];
  return model_->tokenizer ? model_->tokenizer->text(id) : std::to_string(id);
}

Guess Reader::guess(const Matrix& hidden, int row, int place, const Token* truth) const {
  const Matrix p = normalize<float>(Normalizer::softmax, transformer_logits(hidden.row(row), weights_, options_));
  const int begin = encoder_ ? english::kMask + 1 : 0;  // what stands for no word is not offered
  std::vector<int> order(static_cast<std::size_t>(p.cols() - begin));
  std::iota(order.begin(), order.end(), begin);
  const auto best = order.begin() + std::min<std::ptrdiff_t>(kGuesses, std::ssize(order));
  std::partial_sort(order.begin(), best, order.end(),
                    [&](int a, int b) { return p(0, a) != p(0, b) ? p(0, a) > p(0, b) : a < b; });
  Guess made{.place = place, .words = {}, .probabilities = {}, .truth = -1};
  for (auto id = order.begin(); id != best; ++id) {
    made.words.push_back(word(*id));
    made.probabilities.push_back(p(0, *id));
  }
  if (truth != nullptr && truth->id < p.cols()) {
    made.truth = p(0, truth->id);
    made.rank = 1 + static_cast<int>((p.row(0).array() > made.truth).count());
  }
  return made;
}

std::vector<Token> Reader::seen(const Task& task) const {
  std::vector<Token> tokens = task.tokens;
  if (mask_)
    for (const int place : task.hidden) tokens[static_cast<std::size_t>(place)] = *mask_;
  return tokens;
}

TransformerRun Reader::begin(const Task& task) const {
  std::vector<int> ids;
  for (const Token& token : seen(task)) ids.push_back(token.id);
  TransformerWeights weights = weights_;
  if (encoder_) weights.tokens = learn::sentences::view_of(table_);
  TransformerOptions options = options_;
  options.off = task.off;
  return {ids, std::move(weights), std::move(options), true};
}

Reading Reader::finish(const Task& task, TransformerSteps steps) const {
  Reading made{.tokens = seen(task), .blocks = std::move(steps.blocks), .guesses = {}, .finite = steps.finite};
  if (!made.finite || !predicts()) return made;
  for (const int place : task.hidden) {
    const int row = causal() ? place - 1 : place;
    const Token& truth = task.tokens[static_cast<std::size_t>(place)];
    if (row >= 0) made.guesses.push_back(guess(steps.hidden, row, place, truth.known ? &truth : nullptr));
  }
  const int count = static_cast<int>(task.tokens.size());
  if (causal()) made.guesses.push_back(guess(steps.hidden, count - 1, count, nullptr));
  return made;
}

Reading Reader::read(const Task& task) const {
  TransformerRun run = begin(task);
  while (run.step()) {
  }
  return finish(task, std::move(run.steps()));
}

std::vector<HeadPlace> needed_in(const Matrix& importance) {
  constexpr int kMost = 3;
  constexpr float kOfMost = 0.1F;  // what costs less than this part of the largest loss is not told beside it
  const float seen = std::min(kNeedsIt, kOfMost * importance.minCoeff());
  std::vector<HeadPlace> needed;
  Matrix left = importance;
  Index layer = 0, head = 0;
  for (int i = 0; i < kMost && left.minCoeff(&layer, &head) < seen; ++i) {
    needed.push_back({static_cast<int>(layer), static_cast<int>(head)});
    left(layer, head) = 0;
  }
  return needed;
}

void Summary::add_layer(const Stack& stack) {
  const int layer = static_cast<int>(means.size());
  kinds.conservativeResize(stack.layers * stack.heads, sentence::kinds + 1);
  Matrix mean = Matrix::Zero(stack.of(layer, 0).rows(), stack.of(layer, 0).cols());
  for (int head = 0; head < stack.heads; ++head) {
    const Matrix& weights = stack.of(layer, head);
    const std::vector<float> shares = kinds_of(weights, stack.queries, stack.keys);
    for (std::size_t i = 0; i < shares.size(); ++i)
      kinds(layer * stack.heads + head, static_cast<Index>(i)) = shares[i];
    maps.push_back(pooled(weights, kMapSide));
    mean += weights;
  }
  means.push_back(mean / static_cast<float>(stack.heads));
}

void Summary::finish() {
  const auto count = static_cast<Index>(maps.size());
  alike.resize(maps.size());
  std::iota(alike.begin(), alike.end(), 0);
  if (count > kMostCompared) return;
  Matrix distances = Matrix::Zero(count, count);
  for (Index a = 0; a < count; ++a)
    for (Index b = a + 1; b < count; ++b)
      distances(a, b) = distances(b, a) =
          total_variation(maps[static_cast<std::size_t>(a)], maps[static_cast<std::size_t>(b)]);
  alike = cluster(distances);
}

Summary summarise(const Stack& stack) {
  Summary made;
  for (int layer = 0; layer < stack.layers; ++layer) made.add_layer(stack);
  made.finish();
  return made;
}

std::vector<float> kinds_of(const Matrix& weights, const std::vector<std::string>& queries,
                            const std::vector<std::string>& keys) {
  std::vector<double> sums(kinds + 1, 0);
  const Index rows = weights.rows(), columns = weights.cols();
  std::map<std::string, std::vector<Index>> places;  // where each word stands among the keys
  for (Index j = 0; j < columns; ++j) places[io::lower_case(keys[static_cast<std::size_t>(j)])].push_back(j);
  for (Index i = 0; i < rows; ++i) {
    const auto add = [&](int kind, Index j) {
      if (j >= 0 && j < columns) sums[static_cast<std::size_t>(kind)] += static_cast<double>(weights(i, j));
    };
    add(previous, i - 1);
    add(next, i + 1);
    add(itself, i);
    add(first, 0);
    if (const auto found = places.find(io::lower_case(queries[static_cast<std::size_t>(i)])); found != places.end())
      for (const Index j : found->second)
        if (j != i) add(same, j);
    const auto row = weights.row(i).array();
    const double entropy = -static_cast<double>((row > 0).select(row * (row.max(1e-30F)).log(), 0.F).sum());
    sums[kinds] += columns > 1 ? entropy / std::log(static_cast<double>(columns)) : 0;
  }
  std::vector<float> shares;
  for (const double sum : sums) shares.push_back(static_cast<float>(sum / static_cast<double>(rows)));
  return shares;
}

}  // namespace limelight::scenes::sentence
