// Caption: where does a captioner look? A small picture, a grid of features, and a decoder with additive attention that
// writes one word after the other: softly, with all cells, and hard, with one of them. Both were trained.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/caption_training.h"
#include "scenes/scene.h"

namespace limelight::scenes::caption {

enum class Preset { pair, three, twins, astray, empty, painted, own };
enum class Grid { eight, three };
enum class Gaze { soft, hard };
enum class Tool { move, paint };
enum class Scope { word, all };  // which words look at the cell that is forced
// What a brush paints with: the world's six colours, black and white.
enum class Ink { red, green, blue, yellow, purple, orange, black, white };

inline constexpr int kMostFeatures = 96;
inline constexpr int kMostCells = 64;
inline constexpr int kDraws = 100;                // that the job makes
inline constexpr std::size_t kMostBytes = 12288;  // of what is painted

inline constexpr io::Choice kPresets[] = {{"pair", "two things"}, {"three", "three things"}, {"twins", "twins"},
                                          {"astray", "astray"},   {"empty", "empty"},        {"painted", "painted"},
                                          {"own", "your own"}};
inline constexpr io::Choice kGrids[] = {{"8", "8 × 8"}, {"3", "3 × 3"}};
inline constexpr io::Choice kGazes[] = {{"soft", "soft"}, {"hard", "hard"}};
inline constexpr io::Choice kTools[] = {{"move", "move"}, {"paint", "paint"}};
inline constexpr io::Choice kScopes[] = {{"word", "this word"}, {"all", "every word"}};
inline constexpr io::Choice kInks[] = {{"red", "red"},       {"green", "green"},   {"blue", "blue"},
                                       {"yellow", "yellow"}, {"purple", "purple"}, {"orange", "orange"},
                                       {"black", "black"},   {"white", "white"}};

struct State {
  Preset preset = Preset::pair;
  std::string own;      // the name of a picture of the reader's own, that lies below the rest
  std::string objects;  // the picture in words, as learn::pictures reads it
  std::string strokes;  // what was painted over it, as paint.h reads it
  io::CellEdits at;     // of an object the centre that it is moved to, from the left and from the top; then empty
  io::CellEdits brush;  // of a stroke where it goes on, in pixels; then empty
  int object = 0;       // that is chosen
  Tool tool = Tool::move;
  Ink ink = Ink::red;
  int width = 5;  // of the brush, pixels
  Grid grid = Grid::eight;
  Gaze attention = Gaze::soft;
  double temperature = 1;
  int feature = 24;  // one that differs from cell to cell in all four models
  int word = 0;      // that is looked at, from 0
  bool smooth = false;
  bool gold = false;
  int seed = 1;
  int cell = 0;  // that attention is forced to
  Scope scope = Scope::all;

  State();
  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] int side() const { return grid == Grid::eight ? 8 : 3; }  // L
  // Whether the world's own caption is known.
  [[nodiscard]] bool is_of_the_world() const;
};

// The state's objects and background; State::check has read it.
learn::pictures::Scene scene_of(const State& state);
std::string name_of(const learn::pictures::Object& object);  // "small blue square"
// Of all objects; those that are alike are told apart: "left small blue square".
std::vector<std::string> names_of(const learn::pictures::Scene& scene);

std::vector<std::string> labels_of(std::span<const int> words);
std::vector<std::string> cell_labels(int side);
// [64², 3]: the objects over the background or over a picture of the reader's own, and over all what is painted. own:
// null where it is not there.
Matrix picture_of(const State& state, const Picture* own);

using Model = std::shared_ptr<const learn::captions::Training>;
// The files' names by grid and gaze.
std::string_view file_of(Grid grid, Gaze gaze);

// Whether there are captions in the trace, or their models are still to come.
bool is_captioned(const Trace& trace);
// How many captions the job has drawn so far.
int drawn(const Trace& trace);
// What is looked at; from 0, within what was written.
int word_row(const State& state, const Trace& trace);
// Of these tensors' columns: "chosen", "chosen_soft", "chosen_hard", "chosen_forced".
const std::vector<std::string>& words_in(const Trace& trace, std::string_view tensor);
// The row's largest column, the first of equal ones.
int largest(const Matrix& values, int row);

// Tensors, L² cells, T words, D features, H and A as in learn/captioner.h, V words in the vocabulary:
// picture [64², 3]; own [1, 1] where one of the reader's own is asked for: 1 if it is there; at [objects, 2], the
// centres; truth [1, words] of the world's own caption. Then, once the models are there, of the one that is walked
// through: features [L², D], channel [1, L²], shown [L², 16 + D], keys [L², A], W [H, A], U [16 + D, A], v_a [A, 1], s
// [T + 1, H], query [T, A], scores weights [T, L²], entropy [1, T], context [T, D], reset update new [T, H], logits
// probabilities [T, V], chosen [1, T], look [1, T] (hard: the cell), gold [T, L²] where it is known; of the word that
// is looked at sum tanh terms [L², A], weighted [L², D]. Of both models weights_soft entropy_soft chosen_soft,
// weights_hard entropy_hard chosen_hard look_hard, record [2, 1]; chosen_forced [1, T']. Once the job has drawn some
// captions [captions, 1], glimpses [words of the most frequent one, L²], of the
// draws that say that one, variance [4, 3].
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
io::Patch play(const State& state, const Trace& trace, Place place);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, const Trace& trace, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
std::string_view job_label(const State& state);
// Null where the model or the picture is not there.
std::unique_ptr<Job> job(const State& state, const Inputs& inputs);
std::span<const Resource* const> needs(const State& state, Place place);

}  // namespace limelight::scenes::caption
