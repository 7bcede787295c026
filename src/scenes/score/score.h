// Score: how do two vectors compare? Arrows in the plane, five scores, four ways from scores to weights, and a
// feature-wise module that scores without comparing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "scenes/scene.h"

namespace limelight::scenes::score {

enum class Preset { fox, equal, opposite };
enum class Scorer { dot, scaled, cosine, general, additive };  // a row of `scores` each
enum class Weigher { softmax, entmax15, sparsemax, hard };     // a row of `weights` each

inline constexpr int kKeys = 3;
inline constexpr int kPositions = 10;  // the module's sequence
inline constexpr int kUnits = 128;     // its hidden size
inline constexpr double kReach = 3;    // of an arrow's coordinates, either way

inline constexpr io::Choice kPresets[] = {
    {"fox", "jumped and fox"}, {"equal", "equal lengths"}, {"opposite", "right angles"}};
inline constexpr io::Choice kScorers[] = {
    {"dot", "dot"}, {"scaled", "scaled dot"}, {"cosine", "cosine"}, {"general", "general"}, {"additive", "additive"}};

struct State {
  Preset preset = Preset::fox;
  Scorer scorer = Scorer::scaled;
  double temperature = 1;
  int seed = 1;
  int unit = 0;
  int key = 1;
  io::CellEdits q, K, W, W_q, W_k, v;
  bool doubled = false;  // the question's key, once it is answered

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    constexpr io::Range reach{-kReach, kReach};
    field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
    field(io::Field{.name = "score",
                    .label = "score",
                    .choices = kScorers,
                    .hint = "Which of the five scores becomes weights.",
                    .steps = io::only("scores", "weights", "triangle")},
          scorer);
    field(io::Field{.name = "temperature",
                    .label = "temperature",
                    .range = {0.05, 20},
                    .hint = "Divides the scores: low sharpens, high flattens.",
                    .steps = io::only("weights", "triangle"),
                    .logarithmic = true},
          temperature);
    field(io::Field{.name = "seed",
                    .label = "seed",
                    .range = {1, 9999},
                    .hint = "The module's inputs and weights are drawn at random from it.",
                    .steps = io::only("module", "sums", "context")},
          seed);
    field(io::Field{.name = "unit",
                    .label = "hidden unit",
                    .range = {0, kUnits - 1},
                    .hint = "One of the 128 numbers of a position; the figure shows its weights. Units count from 0.",
                    .steps = io::only("module", "sums", "context")},
          unit);
    field(io::Field{.name = "key", .label = "Key", .range = {0, kKeys - 1}, .place = figure, .look = true}, key);
    field(io::Field{.name = "q", .label = "Cells of q", .range = reach, .place = figure}, q);
    field(io::Field{.name = "K", .label = "Cells of K", .range = reach, .place = figure}, K);
    field(io::Field{.name = "W", .label = "Cells of W", .range = reach, .place = figure}, W);
    field(io::Field{.name = "W_q", .label = "Cells of W_q", .range = reach, .place = figure}, W_q);
    field(io::Field{.name = "W_k", .label = "Cells of W_k", .range = reach, .place = figure}, W_k);
    field(io::Field{.name = "v_a", .label = "Cells of v", .range = reach, .place = figure}, v);
    field(io::Field{.name = "doubled", .label = "The question’s key doubled", .place = figure, .shown = false},
          doubled);
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] bool edited() const;
};

std::string_view query_name(const State& state);
std::vector<std::string> key_names(const State& state);
// The key whose cosine is farthest from 0: the one that the question doubles. −1 when every dot product is 0.
int asked_key(const Trace& trace);
// The column of the row's largest number, the first of equal ones.
int winner(const Matrix& values, int row);
// Whether query and key both have a length, so that there is an angle between them.
bool has_angle(const Trace& trace, int key);

// Tensors: q K W W_q W_k v  qW length lengths angles (NaN where there is none) shadows  scores z weights; of the module
// hidden encoder linear bias projected tanh unit_weights unit sums total context average.
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);

}  // namespace limelight::scenes::score
