// Translate's one figure: source and states, the decoder's state with its lamp, the context, the translation.
#pragma once

#include <vector>

#include "figure/lamp.h"
#include "scenes/common/bars.h"
#include "scenes/common/sentence.h"
#include "scenes/common/strips.h"
#include "scenes/common/text.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int row;                             // of the output word that is looked at
  std::string_view source = "source";  // whose labels are the words that are read

  [[nodiscard]] const std::vector<std::string>& sources() const { return trace.at(source).column_labels; }
  // Of pictures and of labels, which need it less: 1 on a stage of 1208 × 564.
  [[nodiscard]] float scale() const { return std::clamp(std::min(view.width / 1208, view.height / 564), 0.5F, 1.45F); }
  [[nodiscard]] float label_scale() const { return std::clamp(scale(), 1.F, 1.2F); }
  // The example by hand: numbers that can be read and set.
  [[nodiscard]] bool by_hand() const { return !state.trained(); }
};

// For fingers a stepper through the output words. Returns the bottom.
float add_steps_through(Drawing& d, float y);
// The largest first; of equal ones the left one.
std::vector<int> largest_of(const Matrix& values, int row);

// Lengths are CSS pixels. On a phone the source is a column, and what lies below each other here is side by side.
struct Stage {
  bool column = false;
  float k = 1;    // of sizes
  Slots slots{};  // of the source words
  Across across{};
  std::vector<Rect> bars{};    // their states
  std::vector<Point> halos{};  // the middles of their scores
  float reach = 17;            // half a halo's size at most
  std::vector<Point> taps{};   // where each pours from
  Lamp lamp{};
  Rect state{};     // the decoder's
  Rect context{};   // the vessel
  Rect target{};    // the line of the translation
  float pour = 0;   // how wide all that is poured is together
  float right = 0;  // of what is said beside the context
  float bottom = 0;
};
// reserved: px at the right of the source.
Stage stage_of(const Drawing& d, float y, float bottom, float reserved = 0);

// How far each of them has come, from 0 to 1.
struct Shown {
  float halos = 1, light = 1, pour = 1, word = 1;
  bool numbers = false;  // each score is written beside its halo
  bool context = true;   // the vessel, and what is poured
  bool later = true;     // the words after the one that is written
};
// All of it. Returns the bottom.
float add_stage(Drawing& d, const Stage& stage, const Shown& shown);

// As far as it has come; and on its way to that of another output word: the brightest beam goes to the brightest.
Light light_of(const Drawing& d, const Stage& stage, float share, int next, float way);
void add_states(Drawing& d, const Stage& stage, const std::string& tensor = "h", float opacity = 1);
void add_source_words(Drawing& d, const Stage& stage, std::vector<float> weights, const Light& light);
void add_halos(Drawing& d, const Stage& stage, const Shown& shown);
// From a place to a vessel: opaque, from the values' blue to the output's pink, as far as `come` says.
void add_stream(Drawing& d, const std::string& id, const Source& weight, Point from, Point to, float width, bool level,
                float come);
// A vessel with what was poured into it.
void add_vessel(Drawing& d, const std::string& id, Bar what, Rect glass, float level);
// From there into the word below.
void add_way(Drawing& d, const std::string& id, Point from, Point to, Colour colour, float come);

// Bars of a tensor that has a row for each source word, below the words; on a phone beside them.
struct BarRow {
  std::string tensor{}, name{};
  Colour colour{};
  bool editable = false;
  int columns = 0;  // all that it stands for, of which a few are shown; 0: its tensor's
  int first = 0;    // of these
  int shown = kShown;
};
struct Rows {
  float between = 0;  // in the middle of the gap between the first and the second; of columns below them
  float end = 0;
  std::vector<std::vector<Rect>> rects{};  // of each row's bars
};
Rows add_bar_rows(Drawing& d, const Stage& stage, const std::vector<BarRow>& rows, float bottom);
// What its rows are called, at the left.
void add_row_names(Drawing& d, const Stage& stage, const Shown& shown);
// What something is called: in the details with its letter.
std::string called(const Drawing& d, const std::string& name, const char* letter);

}  // namespace limelight::scenes::translate
