// Scale: why are scores divided by √d? Dot products of long random vectors are large, and large scores leave softmax
// one key and no gradient.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/scale/numbers.h"
#include "scenes/scene.h"

namespace limelight::scenes::scale {

enum class Preset { head, coffee, features, wide, long_vectors };
enum class Curves { gradients, weights };

inline constexpr int kMostSize = 4096;
inline constexpr int kMostKeys = 64;

inline constexpr io::Choice kPresets[] = {{"head", "d = 64, one head"},
                                          {"coffee", "d = 4, three words"},
                                          {"features", "d = 512, six tokens"},
                                          {"wide", "entries twice as wide"},
                                          {"long", "d = 4096"}};
inline constexpr io::Choice kCurves[] = {{"gradients", "gradients"}, {"weights", "weights"}};

// The step of the class has sizes of its own and no temperature.
inline constexpr io::Steps kSizes = io::all_but("class");
inline constexpr io::Steps kSoftmax = io::only("softmax", "gradient", "glance");

struct State {
  Preset preset = Preset::head;
  int d = 64;
  int keys = 10;
  double sigma_q = 1;
  double sigma_k = 1;
  double temperature = 1;
  double power = 0.25;
  Curves curves = Curves::gradients;
  int seed = 1;
  int asked = 0;  // the size that the answered question was asked at; 0: it is open

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
    field(io::Field{.name = "d",
                    .label = "size d",
                    .range = {1, kMostSize},
                    .hint = "How many numbers a query and a key have.",
                    .steps = kSizes,
                    .logarithmic = true},
          d);
    field(io::Field{.name = "keys",
                    .label = "keys",
                    .range = {2, kMostKeys},
                    .hint = "How many keys the query meets.",
                    .steps = kSoftmax,
                    .logarithmic = true},
          keys);
    field(io::Field{.name = "sigma_q",
                    .label = "σ of q",
                    .range = {0.1, 10},
                    .hint = "Standard deviation of each entry of a query; dividing by √d takes it to be 1.",
                    .steps = kSizes,
                    .logarithmic = true},
          sigma_q);
    field(io::Field{.name = "sigma_k",
                    .label = "σ of k",
                    .range = {0.1, 10},
                    .hint = "The same of a key.",
                    .steps = kSizes,
                    .logarithmic = true},
          sigma_k);
    field(io::Field{.name = "temperature",
                    .label = "temperature",
                    .range = {0.05, 20},
                    .hint = "Divides every score once more: low sharpens, high flattens.",
                    .steps = kSoftmax,
                    .logarithmic = true},
          temperature);
    field(io::Field{.name = "power",
                    .label = "own: ÷ d^p",
                    .range = {0, 1},
                    .hint = "0 does not divide, 0.5 divides by √d, 1 by d.",
                    .steps = kSoftmax},
          power);
    field(io::Field{.name = "curves",
                    .label = "curves",
                    .choices = kCurves,
                    .hint = "Gradients, or the largest weight and how many keys it leaves.",
                    .steps = io::only("gradient"),
                    .look = true},
          curves);
    field(io::Field{.name = "seed", .label = "seed", .range = {1, 9999}, .hint = "Another seed draws other vectors."},
          seed);
    field(io::Field{.name = "asked",
                    .label = "Size that the answered question was asked at",
                    .range = {0, kMostSize},
                    .place = figure,
                    .shown = false,
                    .look = true},
          asked);
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] double spread() const { return sigma_q * sigma_k; }  // deviation of the product of two entries
  [[nodiscard]] double deviation() const;                            // of q·k: σ_q σ_k √d
};

// What each way divides the scores by: 1, √d, d and d^p.
std::array<double, kWays> divisors(double power, int d);
// "not divided", "÷ √d", "÷ d", "÷ d^0.25".
std::array<std::string, kWays> way_names(const State& state);
// What the question goes to from a size: four times as long, or a quarter of it where that is too long.
int other_size(int d);
// The sizes that the curves are computed at: powers of two and the state's own.
std::vector<int> curve_sizes(const State& state);
// The index of the state's own size among them.
int own_size(const State& state);

// Of each way's three curves.
struct Band {
  enum : int { low, median, high, count };
};
// The tensors of the curves, in this order of measures; [kWays · Band::count, sizes] each.
struct CurveTensor {
  std::string_view tensor;
  int measure;
};
inline constexpr CurveTensor kCurveTensors[] = {{"gradient_score", Measure::gradient_score},
                                                {"gradient_query", Measure::gradient_query},
                                                {"largest", Measure::largest},
                                                {"effective", Measure::effective}};

// Columns of the tensor "spread".
struct Spread {
  enum : int { measured, expected, sampling_error, mean, beyond, pairs, count };
};
// Columns of the tensor "class", whose rows are the class as written and the tokens as rows.
struct ClassColumn {
  enum : int { compared, smallest, largest, equal, effective, output, count };
};

inline constexpr int kBins = 48;    // of the histogram
inline constexpr int kCorner = 48;  // rows and columns of the class's weights that are kept
// Half the width of the histogram's axis.
double half_width(const State& state);

// Tensors: entries running, spread histogram density, scores weights measures, the curves' and trials, M class_weights
// class_output token_weights token_output class.
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);
// Pairs drawn whole, number by number, and more draws for the curves.
std::string_view job_label(const State& state);
std::unique_ptr<Job> job(const State& state);

}  // namespace limelight::scenes::scale
