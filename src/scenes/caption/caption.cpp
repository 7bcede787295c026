#include "scenes/caption/caption.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis.h"
#include "learn/caption_steps.h"
#include "scenes/caption/paint.h"
#include "scenes/place.h"

namespace limelight::scenes::caption {
namespace {

namespace captions = learn::captions;
namespace pictures = learn::pictures;
using Labels = std::vector<std::string>;

constexpr std::string_view kFiles[2][2] = {
    {"caption-soft.safetensors", "caption-hard.safetensors"},
    {"caption-soft-3.safetensors", "caption-hard-3.safetensors"},
};

void add_objects(Trace& trace, const State& state) {
  const pictures::Scene scene = scene_of(state);
  if (!scene.objects.empty()) {
    Matrix at(static_cast<Eigen::Index>(scene.objects.size()), 2);
    Labels names;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      at.row(static_cast<Eigen::Index>(i)) << static_cast<float>(scene.objects[i].x),
          static_cast<float>(scene.objects[i].y);
      names.push_back(name_of(scene.objects[i]));
    }
    trace.add("at", std::move(at), std::move(names), {"x", "y"});
  }
  if (!state.is_of_the_world()) return;
  const Labels words = labels_of(pictures::caption(scene).words);
  trace.add("truth", Matrix::Ones(1, static_cast<Eigen::Index>(words.size())), {"truth"}, words);
}

// Of each word that was written, its probability.
Matrix chosen_of(const captions::Writing& writing) {
  Matrix row(1, static_cast<Eigen::Index>(writing.words.size()));
  for (Eigen::Index t = 0; t < row.cols(); ++t)
    row(0, t) = writing.probabilities(t, writing.words[static_cast<std::size_t>(t)]);
  return row;
}

Matrix row_of(std::span<const int> numbers) {
  Matrix row(1, static_cast<Eigen::Index>(numbers.size()));
  std::ranges::transform(numbers, row.data(), [](int number) { return static_cast<float>(number); });
  return row;
}

// The cells of the objects that each word speaks of, up to the first word that is not the world's own.
void add_gold(Trace& trace, const State& state, const captions::Writing& writing, const Labels& words,
              const Labels& cells) {
  if (!state.is_of_the_world()) return;
  const pictures::Scene scene = scene_of(state);
  const pictures::Caption caption = pictures::caption(scene);
  const auto belongs = pictures::cells_of(scene, state.side());
  Matrix gold = Matrix::Zero(static_cast<Eigen::Index>(words.size()), static_cast<Eigen::Index>(cells.size()));
  for (std::size_t t = 0; t < std::min(caption.words.size(), writing.words.size()); ++t) {
    if (caption.words[t] != writing.words[t]) break;
    for (const int object : caption.objects[t])
      for (std::size_t cell = 0; cell < cells.size(); ++cell)
        if (belongs[static_cast<std::size_t>(object)][cell] != 0)
          gold(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(cell)) = 1;
  }
  trace.add("gold", std::move(gold), words, cells);
}

// What goes on inside the scores and the context of the word that is looked at.
void add_word(Trace& trace, const captions::Writing& writing, int t, const Labels& cells) {
  const Matrix& v = trace.at("v_a").values;
  const Matrix& features = trace.at("features").values;
  Matrix sum = trace.at("keys").values.rowwise() + writing.query.row(t);
  Matrix squashed = sum.array().tanh().matrix();
  Matrix terms = squashed * v.col(0).asDiagonal();
  const int place = writing.places[static_cast<std::size_t>(t)];
  Matrix weighted = place < 0 ? Matrix(writing.weights.row(t).transpose().asDiagonal() * features)
                              : Matrix(Matrix::Zero(features.rows(), features.cols()));
  if (place >= 0) weighted.row(place) = features.row(place);
  trace.add("sum", std::move(sum), cells);
  trace.add("tanh", std::move(squashed), cells);
  trace.add("terms", std::move(terms), cells);
  trace.add("weighted", std::move(weighted), cells);
}

void add_walk(Trace& trace, const State& state, const captions::Training& model, const captions::Reader& reader,
              const captions::Writing& writing) {
  const Labels cells = cell_labels(state.side()), words = labels_of(writing.words);
  Labels states{"s_0"};
  states.insert(states.end(), words.begin(), words.end());
  Matrix features = reader.features();
  const Eigen::Index feature = std::min<Eigen::Index>(state.feature, features.cols()) - 1;
  trace.add("channel", Matrix(features.col(feature).transpose()), {"feature " + std::to_string(feature + 1)}, cells);
  trace.add("features", std::move(features), cells);
  trace.add("shown", reader.shown(), cells);
  trace.add("keys", reader.keys(), cells);
  trace.add("W", model.weights.additive.query_weight);
  trace.add("U", model.weights.additive.key_weight);
  trace.add("v_a", model.weights.additive.v);
  trace.add("s", writing.states, std::move(states));
  trace.add("query", writing.query, words);
  trace.add("scores", writing.scores, words, cells);
  trace.add("weights", writing.weights, words, cells);
  trace.add("entropy", entropy(writing.weights).transpose(), {"entropy"}, words);
  trace.add("context", writing.contexts, words);
  trace.add("reset", writing.reset, words);
  trace.add("update", writing.update, words);
  trace.add("new", writing.fresh, words);
  trace.add("logits", writing.logits, words, pictures::vocabulary().words);
  trace.add("probabilities", writing.probabilities, words, pictures::vocabulary().words);
  trace.add("chosen", chosen_of(writing), {"probability"}, words);
  if (state.attention == Gaze::hard) trace.add("look", row_of(writing.places), {"cell"}, words);
  add_gold(trace, state, writing, words, cells);
  add_word(trace, writing, std::clamp(state.word, 0, static_cast<int>(words.size()) - 1), cells);
}

void add_side(Trace& trace, const std::string& name, const captions::Writing& writing, int side) {
  const Labels words = labels_of(writing.words);
  trace.add("weights_" + name, writing.weights, words, cell_labels(side));
  trace.add("entropy_" + name, entropy(writing.weights).transpose(), {"entropy"}, words);
  trace.add("chosen_" + name, chosen_of(writing), {"probability"}, words);
  if (name == "hard") trace.add("look_hard", row_of(writing.places), {"cell"}, words);
}

// What was measured when they were trained.
void add_record(Trace& trace, const captions::Training& soft, const captions::Training& hard) {
  if (soft.record.held_out < 0 || hard.record.held_out < 0) return;
  Matrix shares(2, 1);
  shares << static_cast<float>(soft.record.held_out), static_cast<float>(hard.record.held_out);
  trace.add("record", std::move(shares), {"soft", "hard"}, {"held-out captions right"});
}

// ---- draws ----

void add_forced(Trace& trace, const State& state, captions::Reader& reader, const captions::Steering& steering, int t) {
  captions::Steering forced = steering;
  for (int word = 0; word < captions::kMostWords; ++word)
    if (state.scope == Scope::all || word == t) forced.places[word] = state.cell;
  const captions::Writing writing = reader.write(forced);
  trace.add("chosen_forced", chosen_of(writing), {"probability"}, labels_of(writing.words));
}

// ---- the files ----

Result<std::any> read_model(std::span<const std::byte> bytes, std::string_view name, Grid grid, Gaze gaze) {
  Result<captions::Training> read = captions::read_training(bytes, name);
  if (!read) return std::unexpected(read.error());
  const int side = grid == Grid::eight ? 8 : 3;
  if (read->config.grid != side)
    return fail(std::string(name) + " has a grid of " + std::to_string(read->config.grid) + " cells along a side; " +
                std::to_string(side) + " are needed here.");
  const bool hard = read->settings.attention == captions::Glimpse::hard;
  if (hard != (gaze == Gaze::hard))
    return fail(std::string(name) + " was trained with " + (hard ? "hard" : "soft") + " attention; a model with " +
                (hard ? "soft" : "hard") + " attention is needed here.");
  return std::any(Model(std::make_shared<const captions::Training>(std::move(*read))));
}

template <Grid grid, Gaze gaze>
constexpr Resource resource_of(std::string_view label) {
  return {.name = kFiles[static_cast<int>(grid)][static_cast<int>(gaze)],
          .label = label,
          .read = [](std::span<const std::byte> bytes, std::string_view name) {
            return read_model(bytes, name, grid, gaze);
          }};
}
constexpr Resource kSoft = resource_of<Grid::eight, Gaze::soft>("The model with soft attention");
constexpr Resource kHard = resource_of<Grid::eight, Gaze::hard>("The model with hard attention");
constexpr Resource kSoftThree = resource_of<Grid::three, Gaze::soft>("The model with soft attention to 3×3 cells");
constexpr Resource kHardThree = resource_of<Grid::three, Gaze::hard>("The model with hard attention to 3×3 cells");
constexpr std::array<const Resource*, 2> kEightModels = {&kSoft, &kHard};
constexpr std::array<const Resource*, 2> kThreeModels = {&kSoftThree, &kHardThree};

}  // namespace

std::vector<std::string> labels_of(std::span<const int> words) {
  Labels labels;
  for (const int word : words) labels.push_back(pictures::vocabulary().words[static_cast<std::size_t>(word)]);
  return labels;
}

std::vector<std::string> cell_labels(int side) {
  Labels labels;
  for (int cell = 0; cell < side * side; ++cell)
    labels.push_back(std::to_string(cell / side + 1) + "·" + std::to_string(cell % side + 1));
  return labels;
}

Matrix picture_of(const State& state, const Picture* own) {
  const pictures::Scene scene = scene_of(state);
  Matrix picture = pictures::paint(scene);
  if (own != nullptr) {
    const Matrix below = pixels_of(*own);
    const auto owners = pictures::owners(scene);
    for (std::size_t pixel = 0; pixel < owners.size(); ++pixel) {
      const auto at = static_cast<Eigen::Index>(pixel);
      if (owners[pixel] < 0) picture.row(at) = below.row(at);
    }
  }
  paint_over(picture, read_strokes(state.strokes).value_or(std::vector<Stroke>{}));
  return picture;
}

std::string_view file_of(Grid grid, Gaze gaze) { return kFiles[static_cast<int>(grid)][static_cast<int>(gaze)]; }

std::span<const Resource* const> needs(const State& state, Place) {
  return state.grid == Grid::eight ? std::span(kEightModels) : std::span(kThreeModels);
}

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  const Picture* const own = inputs.picture(state.own, pictures::kSide);
  Matrix picture = picture_of(state, own);
  if (!state.own.empty()) trace.add("own", Matrix::Constant(1, 1, own != nullptr ? 1.F : 0.F), {"own"}, {"is there"});
  add_objects(trace, state);
  const Model* const models[] = {inputs.resource<Model>(file_of(state.grid, Gaze::soft)),
                                 inputs.resource<Model>(file_of(state.grid, Gaze::hard))};
  if (models[0] != nullptr && models[1] != nullptr) {
    captions::Reader soft(**models[0], picture), hard(**models[1], picture);
    const captions::Steering softly{.look = captions::Look::soft, .temperature = state.temperature};
    const captions::Steering firmly{.look = captions::Look::likeliest, .temperature = state.temperature};
    const captions::Writing of_soft = soft.write(softly), of_hard = hard.write(firmly);
    const bool walks_soft = state.attention == Gaze::soft;
    add_walk(trace, state, **models[walks_soft ? 0 : 1], walks_soft ? soft : hard, walks_soft ? of_soft : of_hard);
    add_side(trace, "soft", of_soft, state.side());
    add_side(trace, "hard", of_hard, state.side());
    add_record(trace, **models[0], **models[1]);
    // What the job has drawn.
    if (inputs.job != nullptr)
      for (const Tensor& tensor : inputs.job->results.tensors)
        trace.add(tensor.name, tensor.values, tensor.row_labels, tensor.column_labels);
    add_forced(trace, state, walks_soft ? soft : hard, walks_soft ? softly : firmly, word_row(state, trace));
  }
  trace.add("picture", std::move(picture), {}, {"red", "green", "blue"});
  return trace;
}

bool is_captioned(const Trace& trace) { return trace.find("weights") != nullptr; }

int word_row(const State& state, const Trace& trace) {
  const Tensor* weights = trace.find("weights");
  return weights == nullptr ? 0 : std::clamp(state.word, 0, weights->rows() - 1);
}

const std::vector<std::string>& words_in(const Trace& trace, std::string_view tensor) {
  return trace.at(tensor).column_labels;
}

int largest(const Matrix& values, int row) {
  Eigen::Index best = 0;
  values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

io::Patch play(const State& state, const Trace& trace, Place place) {
  if (!is_captioned(trace)) return {};
  return play_words(steps(), place, "words",
                    {word_row(state, trace), trace.at("weights").rows(), state.example().word});
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  static constexpr std::array<std::string_view, 12> rows = {"query", "scores",        "weights",      "context",
                                                            "reset", "update",        "new",          "logits",
                                                            "gold",  "probabilities", "weights_soft", "weights_hard"};
  int word = -1;
  if (std::ranges::find(rows, pinned.tensor) != rows.end()) word = pinned.row;
  if (pinned.tensor == "chosen" || pinned.tensor == "entropy" || pinned.tensor == "look") word = pinned.column;
  if (word < 0 || word == state.word || word >= captions::kMostWords) return {};
  return {{"word", std::to_string(word)}};
}

}  // namespace limelight::scenes::caption
