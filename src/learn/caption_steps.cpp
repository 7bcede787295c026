#include "learn/caption_steps.h"

#include <algorithm>

#include "core/normalize.h"
#include "learn/weights.h"

namespace limelight::learn::captions {
namespace {

// ln softmax(logits)[word] of each row.
Matrix log_likelihoods(const Matrix& logits, int word) {
  const Matrix largest = logits.rowwise().maxCoeff();
  return logits.col(word) - largest - Matrix((logits.colwise() - largest.col(0)).array().exp().rowwise().sum().log());
}

Matrix sigmoid(const Matrix& sum) { return (1 / (1 + (-sum.array()).exp())).matrix(); }

// Captions that are written side by side, with a place for the numbers of each step.
struct Writer {
  Tape<float>& tape;
  const ModelOf<Value>& model;
  int count;
  Value words;  // [T·B, E]
  Decoder decoder;
  std::vector<int> rows;  // of what is chosen

  Writer(Tape<float>& on, const ModelOf<Value>& placed, const Encoded& source, int embedding)
      : tape(on),
        model(placed),
        count(source.pictures),
        words(on.zeros(kMostWords * source.pictures, embedding)),
        decoder(start_decoder(on, placed, source, words)),
        rows(static_cast<std::size_t>(source.pictures)) {}

  Attended look_at(int t, std::span<const int> previous, double temperature) {
    copy(tape, gather(tape, model.word_embedding, previous), tape.rows(words, t * count, count));
    apply(tape, decoder.from_word, t * count, count);
    return look(tape, decoder, t, temperature);
  }
  void choose_each(int t, std::span<const int> places) {
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      rows[at] = places[at] * count + i;
    }
    choose(tape, decoder, t, rows);
  }
  // [B, V]
  Matrix logits_of(int t) {
    advance(tape, decoder, t);
    return tape.value(read_out(tape, decoder, t, 1));
  }
};

void put(Matrix& matrix, int row, const auto& values) {
  if (matrix.rows() <= row) matrix.conservativeResize(row + 1, values.cols());
  matrix.row(row) = values.row(0);
}

// The gates of a step that is done, as gru_step has them.
void put_gates(Writing& made, const Writer& writer, int t) {
  const Matrix x = writer.tape.value(writer.decoder.from_context.y).row(t);
  const Matrix before = writer.tape.value(writer.decoder.from_state.y).row(t);
  const Eigen::Index n = x.cols() / 3;
  const Matrix reset = sigmoid(x.leftCols(n) + before.leftCols(n));
  put(made.reset, t, reset);
  put(made.update, t, sigmoid(x.middleCols(n, n) + before.middleCols(n, n)));
  put(made.fresh, t, Matrix((x.rightCols(n) + reset.cwiseProduct(before.rightCols(n))).array().tanh().matrix()));
}

int likeliest(const auto& row) {
  Eigen::Index best = 0;
  row.maxCoeff(&best);
  return static_cast<int>(best);
}

void append_rows(Matrix& matrix, const Matrix& more) {
  matrix.conservativeResize(matrix.rows() + more.rows(), more.cols());
  matrix.bottomRows(more.rows()) = more;
}

Estimate estimate_of(const Sampled& sampled, bool to_go, bool baseline) {
  const Eigen::Index draws = sampled.likelihoods.rows(), words = sampled.likelihoods.cols();
  Matrix estimates = Matrix::Zero(draws, sampled.score_gradients.front().cols());
  for (Eigen::Index t = 0; t < words; ++t) {
    Matrix reward = to_go ? Matrix(sampled.likelihoods.rightCols(words - t).rowwise().sum())
                          : Matrix(sampled.likelihoods.rowwise().sum());
    if (baseline) {
      const float sum = reward.sum();
      reward = (reward.array() - (sum - reward.array()) / static_cast<float>(draws - 1)).matrix();
    }
    estimates += reward.col(0).asDiagonal() * sampled.score_gradients[static_cast<std::size_t>(t)];
  }
  Estimate made{.to_go = to_go, .baseline = baseline, .mean = estimates.colwise().mean()};
  made.variance =
      static_cast<double>((estimates.rowwise() - made.mean.row(0)).squaredNorm()) / static_cast<double>(draws - 1);
  return made;
}

}  // namespace

std::vector<int> Writing::caption() const { return {words.begin(), words.end() - (stopped() ? 1 : 0)}; }

Seen seen_by(int grid, int cell) {
  int start = 0, field = 1, step = 1;
  for (const Convolution& convolution : convolutions(grid)) {
    start -= convolution.window.padding * step;
    field += (convolution.window.kernel - 1) * step;
    step *= convolution.window.stride;
  }
  const auto cut = [](int pixel) { return std::clamp(pixel, 0, pictures::kSide); };
  const int x = start + cell % grid * step, y = start + cell / grid * step;
  return {.left = cut(x), .top = cut(y), .right = cut(x + field), .bottom = cut(y + field)};
}

Reader::Reader(const Training& model, const Matrix& pixels)
    : model_(model), batch_(make_batch(model.config, std::span(&pixels, 1))) {
  tape_.clear(false);
  placed_ = place_on<ModelOf, float>(tape_, model_.weights, nullptr);
  source_ = encode(tape_, placed_, model_.config, batch_);
  seen_ = tape_.mark();
}

Encoded Reader::repeat(int count) {
  tape_.go_back(seen_);
  const auto repeated = [&](Value one) {
    const auto rows = tape_.value(one);
    Matrix all(rows.rows() * count, rows.cols());
    for (Eigen::Index i = 0; i < all.rows(); ++i) all.row(i) = rows.row(i / count);
    return tape_.constant(all);
  };
  present_.assign(static_cast<std::size_t>(model_.config.grid * model_.config.grid * count), 1);
  return {.pictures = count,
          .present = present_,
          .features = repeated(source_.features),
          .keys = repeated(source_.keys),
          .first_state = repeated(source_.first_state)};
}

Matrix Reader::shown() const {
  const auto own = tape_.value(source_.shown);
  const Matrix& places = model_.weights.position;
  Matrix both(own.rows(), own.cols() + places.cols());
  both << own, places;
  return both;
}

Writing Reader::write(const Steering& steering) {
  tape_.go_back(seen_);
  Writer writer(tape_, placed_, source_, model_.config.embedding);
  Writing made;
  Random random(steering.seed);
  put(made.states, 0, first_state());
  std::vector<int> previous{kStart}, place{-1};
  for (int t = 0; t < kMostWords && !made.stopped(); ++t) {
    const Attended attended = writer.look_at(t, previous, steering.temperature);
    const Matrix weights = tape_.value(attended.weights);
    if (const auto forced = steering.places.find(t); forced != steering.places.end())
      place.front() = forced->second;
    else if (steering.look != Look::soft)
      place.front() = steering.look == Look::drawn ? draw_index(random, weights.row(0)) : likeliest(weights.row(0));
    else
      place.front() = -1;
    place.front() < 0 ? see(tape_, writer.decoder, t, attended.weights) : writer.choose_each(t, place);
    const Matrix logits = writer.logits_of(t);
    previous.front() = likeliest(logits.row(0));
    put(made.query, t, tape_.value(attended.query));
    put(made.scores, t, tape_.value(attended.scores));
    put(made.weights, t, weights);
    put(made.contexts, t, Matrix(tape_.value(writer.decoder.contexts).row(t)));
    put(made.states, t + 1, Matrix(tape_.value(writer.decoder.states).row(t + 1)));
    put(made.logits, t, logits);
    put(made.probabilities, t, normalize<float>(Normalizer::softmax, logits));
    put_gates(made, writer, t);
    made.places.push_back(place.front());
    made.words.push_back(previous.front());
  }
  return made;
}

std::vector<Draw> Reader::draw(int count, Random& random, double temperature) {
  const Encoded source = repeat(count);
  Writer writer(tape_, placed_, source, model_.config.embedding);
  std::vector<Draw> draws(static_cast<std::size_t>(count));
  std::vector<int> previous(draws.size(), kStart), places(draws.size(), 0);
  const auto writes = [](const Draw& draw) { return draw.words.empty() || draw.words.back() != kStop; };
  for (int t = 0; t < kMostWords && std::ranges::any_of(draws, writes); ++t) {
    const Matrix weights = tape_.value(writer.look_at(t, previous, temperature).weights);
    for (std::size_t i = 0; i < draws.size(); ++i)
      places[i] = draw_index(random, weights.row(static_cast<Eigen::Index>(i)));
    writer.choose_each(t, places);
    const Matrix logits = writer.logits_of(t);
    for (std::size_t i = 0; i < draws.size(); ++i) {
      if (!writes(draws[i])) continue;
      previous[i] = likeliest(logits.row(static_cast<Eigen::Index>(i)));
      draws[i].words.push_back(previous[i]);
      draws[i].places.push_back(places[i]);
    }
  }
  return draws;
}

Sampled Reader::sample(std::span<const int> words, int count, Random& random) {
  const Encoded source = repeat(count);
  Writer writer(tape_, placed_, source, model_.config.embedding);
  const Matrix keys = this->keys();
  Sampled sampled{.score_gradients = {}, .likelihoods = Matrix(count, static_cast<Eigen::Index>(words.size()))};
  std::vector<int> previous(static_cast<std::size_t>(count), kStart), places(previous.size());
  for (std::size_t t = 0; t < words.size(); ++t) {
    const auto step = static_cast<int>(t);
    const Attended attended = writer.look_at(step, previous, 1);
    const Matrix weights = tape_.value(attended.weights), query = tape_.value(attended.query);
    Matrix& gradients = sampled.score_gradients.emplace_back(count, keys.cols());
    for (int i = 0; i < count; ++i) {
      const int place = draw_index(random, weights.row(i));
      places[static_cast<std::size_t>(i)] = place;
      const Matrix hidden = (keys.rowwise() + query.row(i)).array().tanh().matrix();
      gradients.row(i) = hidden.row(place) - weights.row(i) * hidden;
    }
    writer.choose_each(step, places);
    sampled.likelihoods.col(static_cast<Eigen::Index>(t)) = log_likelihoods(writer.logits_of(step), words[t]);
    std::ranges::fill(previous, words[t]);
  }
  return sampled;
}

void append(Sampled& sampled, const Sampled& more) {
  sampled.score_gradients.resize(more.score_gradients.size());
  for (std::size_t t = 0; t < more.score_gradients.size(); ++t)
    append_rows(sampled.score_gradients[t], more.score_gradients[t]);
  append_rows(sampled.likelihoods, more.likelihoods);
}

std::vector<Estimate> estimates_of(const Sampled& sampled) {
  std::vector<Estimate> all;
  for (const bool to_go : {false, true})
    for (const bool baseline : {false, true}) all.push_back(estimate_of(sampled, to_go, baseline));
  return all;
}

}  // namespace limelight::learn::captions
