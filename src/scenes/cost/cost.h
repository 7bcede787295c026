// Cost: what does attention cost? Time and memory over the number of tokens: counted, and measured on this device.
#pragma once

#include <string>
#include <string_view>

#include "scenes/cost/numbers.h"
#include "scenes/scene.h"

namespace limelight::scenes::cost {

enum class Preset { head, wide, alike, longest };
enum class Length { n128, n256, n512, n1024, n2048, n4096, n8192, n16384 };
enum class UpTo { n1024, n4096, n8192, n16384 };
enum class Kernel { simd, scalar };

inline constexpr int kSizeLow = 8, kSizeHigh = 128;
inline constexpr int kWidestWindow = 4096;

inline constexpr io::Choice kPresets[] = {
    {"head", "one head, d = 64"}, {"wide", "d = 128"}, {"alike", "alike neighbours"}, {"long", "a long text"}};
inline constexpr io::Choice kLengths[] = {{"128", "128"},    {"256", "256"},    {"512", "512"},    {"1024", "1,024"},
                                          {"2048", "2,048"}, {"4096", "4,096"}, {"8192", "8,192"}, {"16384", "16,384"}};
inline constexpr io::Choice kUpTo[] = {{"1024", "1,024"}, {"4096", "4,096"}, {"8192", "8,192"}, {"16384", "16,384"}};
inline constexpr io::Choice kKernels[] = {{"simd", "SIMD"}, {"scalar", "scalar"}};
inline constexpr io::Choice kData[] = {{"random", "random"}, {"alike", "neighbours alike"}};

struct State {
  Preset preset = Preset::head;
  Length length = Length::n4096;
  int d = 64;
  int window = 16;
  UpTo up_to = UpTo::n8192;
  Kernel kernel = Kernel::simd;
  Data data = Data::random;
  int seed = 1;
  int asked = 0;  // the number of tokens that the answered question was asked at; 0: it is open

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
    field(io::Field{.name = "n",
                    .label = "tokens n",
                    .choices = kLengths,
                    .hint = "Where the numbers are read off.",
                    .steps = io::all_but("others"),
                    .look = true},
          length);
    field(io::Field{.name = "d",
                    .label = "size d",
                    .range = {kSizeLow, kSizeHigh},
                    .hint = "How many numbers a query, a key and a value have.",
                    .logarithmic = true},
          d);
    field(io::Field{.name = "window",
                    .label = "window ±w",
                    .range = {1, kWidestWindow},
                    .hint = "How many keys to each side windowed attention sees.",
                    .steps = io::only("time", "others", "glance"),
                    .logarithmic = true},
          window);
    field(io::Field{.name = "up_to",
                    .label = "measure to",
                    .choices = kUpTo,
                    .hint = "The most tokens that are timed: 8,192 take some seconds, 16,384 four times as long.",
                    .steps = io::all_but("count", "memory")},
          up_to);
    field(io::Field{.name = "kernel",
                    .label = "kernel",
                    .choices = kKernels,
                    .hint = "SIMD multiplies several numbers with one instruction; scalar is built without.",
                    .steps = io::only("simd"),
                    .look = true},
          kernel);
    field(io::Field{.name = "data",
                    .label = "inputs",
                    .choices = kData,
                    .hint = "Random, or each token nearly as the one before, as in speech.",
                    .steps = io::only("others")},
          data);
    field(io::Field{.name = "seed",
                    .label = "seed",
                    .range = {1, 9999},
                    .hint = "Another seed draws other inputs.",
                    .steps = io::only("others")},
          seed);
    field(io::Field{.name = "asked",
                    .label = "Tokens that the answered question was asked at",
                    .range = {0, kLongest},
                    .place = figure,
                    .shown = false,
                    .look = true},
          asked);
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] int at() const { return static_cast<int>(length) + 1; }  // the index of n among the sizes
  [[nodiscard]] int n() const { return size_at(at()); }
  [[nodiscard]] int longest() const;  // that is measured
  [[nodiscard]] Shape shape(int index) const { return {.n = size_at(index), .d = d, .window = window}; }
};

std::string_view way_name(int way);
// What the question goes to: twice as many tokens, or half of them where that is too many.
int other_size(int n);

// How far the other functions' outputs are is computed at once over so few tokens.
inline constexpr int kNearTokens = 128;
// The windows that it is computed for: powers of two, the state's own, and all.
std::vector<int> near_windows(const State& state);
// The index among them of the state's own, cut to all.
int own_window(const State& state);

// Columns of the fits.
struct Fit {
  // doubling: what twice as many tokens multiply by, 2ˢ; factor: what the fitted law says at kFitAt tokens
  // spread: of the points around the law, which is no law beyond kNoise
  enum : int { exponent, doubling, factor, from, to, spread, count };
};
inline constexpr int kFitAt = 1024;
// What is measured and over which the ways are compared.
struct Measured {
  std::string_view tensor, fit, line;  // line: what the fitted law says at each size
  double from = kFitFrom;
};
inline constexpr Measured kQuantities[] = {{"products", "products_fit", "products_line"},
                                           {"memory", "memory_fit", "memory_line"},
                                           {"time", "time_fit", "time_line", kFitTimeFrom}};
// Rows of "growth".
struct Growth {
  enum : int { pairs, work, space, count };  // weights, products, bytes of the weights
};

// Tensors, [rows, kSizes] unless said: growth products memory time apart rate ratio instructions, of the first three a
// fit [ways, Fit::count] and a line; near_window near_share [1, windows], near_linear near_linear_share lanes [1, 1].
// time (ms) and apart (from fused, on the same inputs) are 0 where nothing was measured.
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

}  // namespace limelight::scenes::cost
