// Train: a model that begins with random numbers learns, here and now, where to look. Nobody tells it; only what it
// writes is marked.
#pragma once

#include <string>
#include <string_view>

#include "learn/settings.h"
#include "scenes/scene.h"

namespace limelight::scenes::train {

enum class Preset { reverse, dates, sort, copy_with, copy_without };
enum class Subject { copy, reverse, sort, dates };

inline constexpr io::Choice kPresets[] = {{"reverse", "reverse letters"},
                                          {"dates", "dates"},
                                          {"sort", "sort letters"},
                                          {"copy", "copy long, attention"},
                                          {"copy_without", "copy long, without"}};
inline constexpr io::Choice kSubjects[] = {
    {"copy", "copy"}, {"reverse", "reverse"}, {"sort", "sort"}, {"dates", "dates"}};

inline constexpr int kLongest = 100;        // letters of a source
inline constexpr int kLongestExample = 40;  // of a held-out one that is shown
inline constexpr int kMostSteps = 5000;
inline constexpr double kLowestRate = 1e-4;

inline constexpr io::Steps kTraining = io::only("train", "without");

struct State {
  Preset preset = Preset::reverse;
  Subject task = Subject::reverse;
  std::string input;  // the reader's own; empty: a held-out example
  bool attention = true;
  learn::AttentionScore score = learn::AttentionScore::additive;
  int length = 10;
  double rate = 3e-3;
  int hidden = 64;
  int batch = 32;
  int seed = 1;
  int pair = 1;
  int letter = 1;

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top, .keeps_job = true},
          preset);
    field(io::Field{.name = "task", .label = "task", .choices = kSubjects, .hint = "Another task begins anew."}, task);
    field(io::Field{.name = "input",
                    .label = "Your own input",
                    .hint = "What the model reads instead of an example that is held out of its training.",
                    .placeholder = "your own input …",
                    .place = top,
                    .keeps_job = true},
          input);
    field(io::Field{.name = "attention",
                    .label = "attention",
                    .hint = "Without, the decoder gets one fixed vector. Each is trained on its own; both are kept.",
                    .keeps_job = true},
          attention);
    field(io::Field{.name = "score",
                    .label = "score",
                    .choices = learn::kAttentionScores,
                    .hint = "How a state of the decoder and one of the encoder are compared.",
                    .steps = io::all_but("without"),
                    .shown = attention},
          score);
    field(io::Field{.name = "length",
                    .label = "longest",
                    .range = {2, kLongest},
                    .hint = "Letters of the longest source; more take more time.",
                    .shown = task != Subject::dates,
                    .logarithmic = true},
          length);
    field(io::Field{.name = "rate",
                    .label = "learning rate",
                    .range = {kLowestRate, 100},
                    .hint = "Of Adam. It can be changed on the way; too high a rate diverges.",
                    .steps = kTraining,
                    .keeps_job = true,
                    .logarithmic = true},
          rate);
    field(io::Field{.name = "hidden",
                    .label = "hidden size",
                    .range = {8, 128},
                    .hint = "Numbers in a state; another size begins anew.",
                    .logarithmic = true},
          hidden);
    field(io::Field{.name = "batch",
                    .label = "batch",
                    .range = {1, 64},
                    .hint = "Pairs that the model learns from at once.",
                    .steps = kTraining,
                    .logarithmic = true},
          batch);
    field(io::Field{.name = "seed",
                    .label = "seed",
                    .range = {1, 9999},
                    .hint = "Of the first weights and of all that is drawn; another one begins anew."},
          seed);
    field(io::Field{.name = "pair",
                    .label = "held-out pair",
                    .range = {1, 50},
                    .hint = "Another source that training never sees.",
                    .steps = io::all_but("without"),
                    .shown = input.empty(),
                    .keeps_job = true},
          pair);
    field(io::Field{.name = "letter",
                    .label = "output letter",
                    .range = {1, 2 * kLongest},
                    .hint = "Whose weights are looked at.",
                    .steps = io::only("inside"),
                    .look = true},
          letter);
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;
};

std::string_view name_of(Subject subject);  // as src/learn has it
learn::Settings settings_of(const State& state);

// Columns of "run", whose rows are the model with attention and the one without. rose_to: −1 where the loss is no
// number.
struct Column {
  enum : int {
    step,
    seconds,
    loss,
    first_loss,
    held_out,
    look_step,
    rate,
    converged,
    diverged,
    rose_to,
    back_rate,
    good_step,
    count
  };
};
// Columns of "summary", of what is written for the example. aligned: letters whose largest weight lies where the task
// says; of which: how many there are of these. −1 where that is not known.
struct Summary {
  enum : int { letters, right, of, aligned, weights, guess, count };
};
// Rows of a model's curves and of its table by length.
struct ByLength {
  enum : int { from, to, pairs, exact, share, count };
};
struct Curves {
  std::string_view loss, exact, by_length;
};
inline constexpr int kWith = 0, kWithout = 1;  // of the models
inline constexpr Curves kCurves[] = {{"loss", "exact", "by_length"},
                                     {"loss_without", "exact_without", "by_length_without"}};
inline int model_of(const State& state) { return state.attention ? kWith : kWithout; }

// Tensors: parts [parts, 1]; source [1, S], target and right where the truth is known; probabilities [T, words]; with
// attention scores and weights [T, S], without context [1, 2H]; summary; run; and of each model that was trained its
// curves: loss and exact [2, points], the step and the value, by_length [ByLength::count, groups].
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
std::string_view job_label(const State& state);
std::unique_ptr<Job> job(const State& state, const Inputs& inputs);

}  // namespace limelight::scenes::train
