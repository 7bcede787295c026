// Train: a model that begins with random numbers learns where to look. Nobody tells it; only what it writes is marked.
#pragma once

#include <iterator>
#include <string>
#include <string_view>

#include "learn/settings.h"
#include "scenes/common/add_field.h"
#include "scenes/scene.h"

namespace limelight::scenes::train {

enum class Preset { word, reverse, dates, sort, copy_with, copy_without };
enum class Subject { copy, reverse, sort, dates };
enum class Guess { none, first, middle, last, alike };

inline constexpr io::Choice kPresets[] = {{"word", "reverse a word"}, {"reverse", "reverse letters"},
                                          {"dates", "dates"},         {"sort", "sort letters"},
                                          {"copy", "copy letters"},   {"copy_without", "copy, without"}};
inline constexpr io::Choice kSubjects[] = {
    {"copy", "copy"}, {"reverse", "reverse"}, {"sort", "sort"}, {"dates", "dates"}};

inline constexpr io::Choice kGuesses[] = {{"none", "no guess yet"},
                                          {"first", "the first letters"},
                                          {"middle", "the middle"},
                                          {"last", "the last letters"},
                                          {"alike", "all alike"}};

inline constexpr int kLongest = 100;        // letters of a source
inline constexpr int kLongestExample = 40;  // of a held-out one that is shown
inline constexpr int kMostSteps = 5000;

// The batches of the moments of a training that are recorded, and stand on the film.
inline constexpr int kMoments[] = {0, 10, 25, 40, 50, 60, 75, 100, 150, 200, 300, 500, 1000};
inline constexpr int kLastMoment = static_cast<int>(std::size(kMoments)) - 1;
inline constexpr int kLingers = 5;  // of them, whose mistake is seen to be corrected by the next

inline constexpr io::Steps kTraining = io::only("train", "without");

struct State {
  Preset preset = Preset::word;
  Subject task = Subject::reverse;
  std::string input = "elephant";  // held out of each task of letters; empty: a held-out example
  bool attention = true;
  learn::AttentionScore score = learn::AttentionScore::additive;
  int length = 10;
  double rate = 3e-3;
  int hidden = 64;
  int batch = 32;
  int seed = 1;
  int moment = kLastMoment;  // of kMoments, that is looked at, and that a training goes on from, but for the last
  bool live = false;         // the training that goes on here is looked at, once there is one
  Guess expect = Guess::none;
  int pair = 1;
  int letter = 1;

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    add_field(field, "preset", "Example", {.choices = kPresets, .place = top, .keeps_job = true}, preset);
    add_field(field, "task", "task", {.choices = kSubjects}, task, "Another task begins anew.");
    add_field(field, "input", "Your own input", {.placeholder = "your own input …", .place = top, .keeps_job = true},
              input, "What the model reads instead of an example that is held out of its training.");
    add_field(field, "attention", "attention", {.keeps_job = true}, attention,
              "Without, the decoder gets one fixed vector. Each is trained on its own; both are kept.");
    add_field(field, "score", "score",
              {.choices = learn::kAttentionScores, .steps = io::only("inside"), .shown = attention}, score,
              "How a state of the decoder and one of the encoder are compared.");
    add_field(field, "length", "longest",
              {.range = {2, kLongest}, .shown = task != Subject::dates, .logarithmic = true}, length,
              "Letters of the longest source; more take more time.");
    add_field(field, "rate", "learning rate",
              {.range = {1e-4, 100}, .steps = kTraining, .keeps_job = true, .logarithmic = true}, rate,
              "Of Adam. It can be changed on the way; too high a rate diverges.");
    add_field(field, "hidden", "hidden size", {.range = {8, 128}, .logarithmic = true}, hidden,
              "Numbers in a state; another size begins anew.");
    add_field(field, "batch", "batch", {.range = {1, 64}, .steps = kTraining, .logarithmic = true}, batch,
              "Pairs that the model learns from at once.");
    add_field(field, "seed", "seed", {.range = {1, 9999}}, seed,
              "Of the first weights and of all that is drawn; another one begins anew.");
    add_field(field, "moment", "moment of the record", {.range = {0, kLastMoment}, .place = figure, .keeps_job = true},
              moment, "What was recorded of a training after so many batches.");
    add_field(field, "live", "your own run", {.place = figure, .keeps_job = true}, live,
              "The training that goes on here is looked at, not the record.");
    add_field(field, "expect", "your guess",
              {.choices = kGuesses, .place = figure, .steps = io::only("without"), .look = true}, expect,
              "Which letters the model without attention gets wrong.");
    add_field(field, "pair", "unseen word",
              {.range = {1, 50}, .steps = io::all_but("without"), .shown = input.empty(), .keeps_job = true}, pair,
              "Another one that is held out of the training.");
    add_field(field, "letter", "output letter", {.range = {1, 2 * kLongest}, .steps = io::only("inside"), .look = true},
              letter, "Whose weights are looked at.");
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;
};

std::string_view name_of(Subject subject);  // as src/learn has it
learn::Settings settings_of(const State& state);

// Columns of "run", whose rows are the model with attention and the one without. rose_to: −1 where the loss is no
// number. from: the recorded batch that it is first trained up to once more. recorded: 1 where these numbers are the
// record's. own: the batch of the training that goes on here, also where the record is looked at; −1: there is none.
struct Column {
  static constexpr int step = 0, seconds = 1, loss = 2, first_loss = 3, held_out = 4, look_step = 5, rate = 6,
                       converged = 7, diverged = 8, rose_to = 9, back_rate = 10, good_step = 11, from = 12,
                       recorded = 13, own = 14, count = 15;
};
// Columns of "summary", of what is written for the example; of: letters of the truth. −1 where that is not known.
struct Summary {
  enum : int { letters, right, of, weights, guess, count };
};
// Rows of a model's curves and of its table by length.
struct ByLength {
  enum : int { middle, share, pairs, count };  // middle: of the two lengths
};
struct Curves {
  std::string_view loss, by_length;
};
inline constexpr int kWith = 0, kWithout = 1;  // of the models
inline constexpr Curves kCurves[] = {{"loss", "by_length"}, {"loss_without", "by_length_without"}};
inline int model_of(const State& state) { return state.attention ? kWith : kWithout; }

// What the model that is looked at writes, and the other one, with attention or without.
struct Writing {
  std::string_view written, right, weights;
};
inline constexpr Writing kWritings[] = {{"written", "right", "weights"},
                                        {"written_other", "right_other", "weights_other"}};
inline constexpr std::string_view kRecordedLoss = "record_loss";

// Tensors: source [1, S], target where the truth is known; kWritings [1, T]; probabilities [T,
// words]; with attention scores and weights [T, S], without context [1, 2H]; summary; run; of each model that is
// trained or recorded its curve so far: loss [2, points], the step and the value, by_length
// [ByLength::count, groups]. Of the record its whole curve, film [moments, 1], for each of its moments right_BATCH
// [1, T], likely_BATCH [T, words] and map_BATCH [T, S], and of its tasks task_NAME [T, S] at the moment that is looked
// at.
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
std::span<const Resource* const> needs(const State& state, Place place);

}  // namespace limelight::scenes::train
