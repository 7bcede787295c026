// Attention as one machine that all forms of the layer share: only the taps differ from one form to the next.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "figure/light.h"
#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

enum class QueriesFrom { own, inputs, second };

// Which tensors of the trace a form's parts are.
struct Form {
  const Attention& names;
  QueriesFrom queries;
  bool lenses;  // whether matrices make keys and values of the inputs
};
// Of the first five steps.
const Form& form_at(Place place);

enum class Tap { query, key, value };

struct Column {
  float x = 0, w = 0;
  [[nodiscard]] float middle() const { return x + w / 2; }
  [[nodiscard]] float right() const { return x + w; }
};
struct Rows {
  float first = 0, pitch = 0;  // the middle of the first; from one to the next
  [[nodiscard]] float at(int i) const { return first + pitch * static_cast<float>(i); }
};

struct Plan {
  bool phone = false;
  float scale = 1;
  [[nodiscard]] float text() const { return std::clamp(scale, 0.8F, 1.25F); }                   // of letters
  [[nodiscard]] float below() const { return std::min(rows.pitch - value_h - 8, 15 * scale); }  // a film, its numbers
  figure::Rect strip{};                                                                         // of the inputs
  float input_w = 0, input_h = 0, input_line = 0;  // of one of them; from a line to the next, on a phone
  Column query{}, key{}, value{};
  Rows rows{}, queries{};  // of keys and values; of queries
  float query_h = 0, key_h = 0, value_h = 0;
  figure::Rect output{}, second{};  // the second sequence, or where it would be
  figure::Rect said{};              // on a phone, beside the output
  // On a phone what is passed on runs down in lanes at the right: px of all, from the edge, of their fall at the end.
  static constexpr float kLanes = 12, kAside = 14, kFall = 24;
  static constexpr float kAll = 180;  // px of all outputs, on a phone
  float level[3] = {};                // where each tap's pipe runs level

  [[nodiscard]] figure::Rect input(int i) const;
  [[nodiscard]] figure::Rect query_card(int i) const;
  [[nodiscard]] figure::Rect key_card(int i) const;
  [[nodiscard]] figure::Rect value_card(int i) const;
  [[nodiscard]] figure::Point bulb(int asking) const;

  [[nodiscard]] const Column& column(Tap tap) const {
    return tap == Tap::query ? query : tap == Tap::key ? key : value;
  }
  [[nodiscard]] const Rows& rows_of(Tap tap) const { return tap == Tap::query ? queries : rows; }
  // A tap on the inputs, its way to the first row, and the matrix on it.
  [[nodiscard]] figure::Point port(Tap tap) const;
  [[nodiscard]] std::vector<figure::Point> way(Tap tap) const;
  [[nodiscard]] figure::Point glass(Tap tap) const;
  // The queries' tap on the second sequence, and on nothing.
  [[nodiscard]] figure::Point second_port() const;
  [[nodiscard]] std::vector<figure::Point> way_from_second() const;
  [[nodiscard]] figure::Point second_glass() const;
  [[nodiscard]] figure::Point loose_tap() const;

  int query_count = 0;
};
// What two forms share stands at one place in both. On a phone a second sequence stands above the output.
Plan plan_of(const Drawing& d, int inputs, int queries);

// By then: nothing is left of the last query, the tap has arrived, queries are made, their light shines, it is poured.
inline constexpr float kDark = 0.1F, kThere = 0.44F, kFilled = 0.62F, kLit = 0.73F, kPoured = 0.84F;

// How much is seen of what follows from a query, from 0 to 1.
struct Shown {
  float keys = 1, queries = 1, lamp = 1, scores = 1, shared = 1, light = 1, streams = 1, output = 1, told = 1;
};

// What is drawn: the form, where its parts stand, and the row of the query that is looked at.
struct Machine {
  const Form& form;
  Plan plan;
  int row;                     // of the weights
  int asking;                  // its query's place
  std::vector<float> weights;  // one for each input
  Brightness light{};
  std::optional<Point> held{};  // where the queries' tap is while it is in a hand or flies
  float landed = 0;             // of a tap that flies: how much its pipe is where it will be
  Shown shown{};
  bool loose = false;             // whether the tap that flies was on nothing before
  Point bulb{};                   // where the lamp hangs
  int pointed = -1;               // the input that the pointer is on, wherever it stands
  std::vector<float> answered{};  // of the queries that asked before and those that will: how much is seen, 0 to 1
  int drops = -1;                 // whose mix is on its way from the large frame to its row, as far as `answered` says
};

std::string size_text(const Tensor& tensor);  // "4×6"
float small_text(const Machine& m);
Source weight_at(const Machine& m, int j);

// "Q ask": a letter of the formula and what it is, its left edge at a point.
void add_caption(Drawing& d, const Machine& m, const std::string& id, const Formula& letter, Colour colour,
                 const std::string& words, Point at, float width);

// A word with its numbers: below it where there is room, else beside it.
struct Card {
  std::string id{};
  Rect rect{};
  std::string words{};
  Rectangle look{};
  Colour ink{};
  bool strong = false;
  CellRange cells{};
  Colour tint{};
  std::string label{};  // of the cells
  std::optional<Edit> edit{};
  std::string said{};  // where it is pointed at
};
void add_card(Drawing& d, const Machine& m, const Card& card);
// Where a press lets another query ask.
void add_choice(Drawing& d, const std::string& id, Rect rect, std::string label, int query);

// How far this input's key and value are on their way, and how much of their numbers is seen there, from 0 to 1.
float way_of_key(const Machine& m, int j);
float changed_key(const Machine& m, int j);
// The same of queries, of which nothing is seen before.
float way_of_query(const Machine& m, int i);
float changed_query(const Machine& m, int i);

// Of what stands for an input as a key, or as a value: green while it is the input itself.
Colour colour_of_side(const Drawing& d, const Machine& m, int j, Colour made);

// How far the stream of an input's value has run.
float run_of_stream(const Machine& m, int j);

// The parts, in the order in which they are drawn; the second sequence returns its bottom.
void add_inputs(Drawing& d, const Machine& m);
void add_light(Drawing& d, Machine& m);  // whose brightness others then know
void add_queries(Drawing& d, const Machine& m);
void add_sides(Drawing& d, const Machine& m);   // keys, values and what each gets
void add_scores(Drawing& d, const Machine& m);  // while they are made, and share the light
void add_captions(Drawing& d, const Machine& m);
// The input that is pointed at, or whose key, value or weight is; −1: none.
int pointed_at(const Drawing& d, const Machine& m);
void add_pointed(Drawing& d, const Machine& m);
float add_second(Drawing& d, const Machine& m);
void add_streams(Drawing& d, const Machine& m);
void add_output(Drawing& d, const Machine& m);
void add_ways(Drawing& d, const Machine& m);
// A matrix that is looked at, with its digits.
void add_matrix_card(Drawing& d, const Machine& m);

}  // namespace limelight::scenes::layer
