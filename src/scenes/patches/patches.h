// Patches: self-attention among the patches of a picture, on colour and edges that are computed, not learned.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenes/patches/features.h"
#include "scenes/scene.h"

namespace limelight::scenes::patches {

enum class Preset { alike, stripes, checks, gradient, landscape, photo, own };
enum class Grid { four, eight, sixteen };
enum class Compare { dot, distance };
enum class Look { soft, hard, top };

inline constexpr io::Choice kPresets[] = {{"alike", "alike"},   {"stripes", "stripes"}, {"checks", "checks"},
                                          {"gradient", "fade"}, {"landscape", "sea"},   {"photo", "your picture"},
                                          {"own", "text"}};
inline constexpr io::Choice kGrids[] = {{"4", "4×4"}, {"8", "8×8"}, {"16", "16×16"}};
inline constexpr io::Choice kCompares[] = {{"dot", "q·k"}, {"distance", "distance"}};
inline constexpr io::Choice kLooks[] = {{"soft", "soft"}, {"hard", "hard"}, {"top", "top-k"}};

inline constexpr int kParts = 5;                 // the heaviest patches, that are shown one by one
inline constexpr int kMostKept = 15;             // of top-k
inline constexpr std::size_t kMostBytes = 1024;  // of a picture's words
inline constexpr int kComputedSide = 128;        // pixels of the gradient and the landscape
inline constexpr PictureField kPicture{.name = "own", .side = 128};

struct State {
  Preset preset = Preset::alike;
  std::string text;   // objects of a picture of one's own, in the words of learn/pictures.h
  std::string own;    // the name of a picture of the reader's own; empty: none was given
  std::string given;  // while another example is shown: that name, to come back to
  Grid grid = Grid::eight;
  int query = 18;  // the patch that looks, row by row from 0
  Compare compare = Compare::dot;
  Look look = Look::soft;
  double temperature = 1;
  int k = 4;
  bool itself = true;  // whether a patch may look at itself
  double colour = 1, edges = 1, place = 0;

  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] int patches() const { return 4 << static_cast<int>(grid); }  // along a side
  [[nodiscard]] Shares shares() const { return {.colour = colour, .edges = edges, .place = place}; }
  [[nodiscard]] std::string_view words() const;  // of the example's picture; empty when it has none
  // A picture of the reader's own is to be shown.
  [[nodiscard]] bool is_photo() const { return preset == Preset::photo; }
};

// [P, P] of X [P, 14]: q·k / √14 (Vaswani et al. 2017, eq. 1), or −‖q − k‖² / (2 √14), which is the same but for what
// depends on the query alone, and minus half the key's squared length: softmax of it are the weights of non-local means
// (Buades et al. 2005).
Matrix scores_of(ConstMatrixRef X, Compare compare);
// The patch that is looked from, from 0.
int query_of(const State& state);
// Whether there is a picture to compute from, and how it is cut.
bool has_picture(const Trace& trace);
Cut cut_of(const State& state, const Trace& trace);

inline constexpr std::array<std::string_view, 3> kLookMaps = {"a_soft", "a_hard", "a_top"};

// Tensors, P = L² patches: sizes [1, 3]; and, once there is a picture: picture and rebuilt [side², 3], features [P,
// 14], index [L, L], standard [2, 14], X [P, 14], scores and weights [P, P], patch [pixels of a patch, 3], and of the
// query's row s, a and kLookMaps [L, L]; effective [1, 3], the keys that each look counts; parts [n · pixels of a
// patch, 3], the n ≤ kParts heaviest patches side by side, their shares [1, n] and the result that is mixed from all,
// [pixels of a patch, 3]; difference [1, 1].
Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, const Trace& trace, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);

}  // namespace limelight::scenes::patches
