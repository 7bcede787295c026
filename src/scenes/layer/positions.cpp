// The step Positions: the mark of each place, the key there, and of what parts their score is made.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// How each encoding enters the layer: what stands above a place's mark and its key, what is between the two, what the
// last column is.
constexpr struct {
  const char *mark, *key, *sign, *before;
} kEnters[] = {{"", "key", "", "in the old order"},
               {"mark of the place", "key", "+", "with marks, old order"},
               {"angle of the place", "key, turned", "→", "with turns, old order"},
               {"distance", "key", "", "with bias, old order"}};
constexpr int kShown = 4;  // numbers of a mark, and of a key, two for each hand

struct ScorePart {
  const char* name;
  Colour fill;
  float by;
};

// All parts of the score of a place; they add up to it. A mark meets the other mark hand by hand, and it meets words;
// where hands turn query and key, what each turn changes.
std::vector<ScorePart> parts_of(const Drawing& d, const Orders& o, int place) {
  const float words = d.trace.at(kShuffled.scores).values(o.place, place),
              marks = d.trace.at(kMarks).values(o.place, place);
  const Colour fast = d.colours.ink, slow = mix(d.colours.muted, d.colours.surface, 0.4F);
  std::vector<ScorePart> parts{{"words", d.colours.score_fill, words}};
  const Tensor* P = d.trace.find(kPAdded);
  if (P == nullptr) return parts;
  const auto product = [&](std::string_view of, std::string_view with, Eigen::Index from, Eigen::Index count) {
    const Matrix &one = d.trace.at(of).values, &other = d.trace.at(with).values;
    const Eigen::Index columns = std::clamp<Eigen::Index>(one.cols() - from, 0, count);
    return one.row(o.place).segment(from, columns).dot(other.row(place).segment(from, columns)) /
           std::sqrt(static_cast<float>(sizes(d.state).key));
  };
  if (d.state.positions == Encoding::linear_bias) {
    parts.push_back({"distance", fast, marks});
  } else if (d.state.positions == Encoding::rotary) {
    const float first = product(kQPos, kKPos, 0, 2) - product(kQNew, kKNew, 0, 2);
    parts.push_back({"fast turn", fast, first}), parts.push_back({"slow turn", slow, marks - first});
  } else {
    const float first = product(kPAdded, kPAdded, 0, 2), others = product(kPAdded, kPAdded, 2, P->columns());
    parts.push_back({"fast hand", fast, first}), parts.push_back({"slow hand", slow, others});
    parts.push_back({"mixed", mix(d.colours.score_fill, d.colours.ink, 0.5F), marks - first - others});
  }
  return parts;
}

// Where all that is told of a place stands, left of its input.
struct Place {
  Rect dials[2]{}, mark{}, sign{}, key{}, score{};
};
Place place_of(const Drawing& d, const Orders& o, int i) {
  constexpr float kKeyed = 230, kStacked = 50;  // px of width for a key as well; of height for more than a line
  const bool narrow = d.narrow(), marked = d.state.positions != Encoding::none,
             wedge = d.state.positions == Encoding::linear_bias;
  const float k = std::min(o.scale, 1.25F), x = o.rows.x, w = o.inputs - x - (narrow ? 8 : 12),
              high = std::min(0.9F * o.pitch(), (narrow ? 66 : 94) * std::max(k, 0.8F)),
              top = o.at(i, 0).centre().y - high / 2;
  Place at;
  const bool stacked = high >= kStacked;
  const float score = stacked ? 0.2F * high : high, dial = std::min(0.38F * high, 36.F);
  at.score = {x, top + high - score, w, score};
  if (!stacked) return at;
  const float y = top + dial + 4, cells = high - dial - score - 9, sign = w >= kKeyed && marked ? 20 * k : 0;
  // A video's keys are whole numbers, which need less room.
  const float whole = d.video() && d.state.positions != Encoding::rotary ? 0.64F : 0.53F,
              share = wedge        ? 0.48F
                      : w < kKeyed ? 1
                                   : whole,
              mark = marked ? share * (w - sign) : 0;
  at.mark = {x, y, mark, cells}, at.sign = {x + mark, y, sign, cells};
  if (w >= kKeyed || !marked) at.key = {x + mark + sign, y, w - mark - sign, cells};
  if (wedge) at.score.x += mark, at.score.w -= mark;  // beside it
  for (int j = 0; j < 2; ++j)
    at.dials[j] = Rect{x + (0.25F + 0.5F * static_cast<float>(j)) * mark, top + dial / 2, 0, 0}.inset(-dial / 2);
  return at;
}

bool has_hands(const Drawing& d) {
  return d.state.positions == Encoding::sinusoidal || d.state.positions == Encoding::rotary;
}

// A dial for each of a mark's hands, over that of the place that asks, lit between where they are alike.
void add_dials(Drawing& d, const std::string& id, const Orders& o, int i, const Rect (&rects)[2]) {
  constexpr float kHalf = 3.1415927F;
  constexpr int kPieces = 16;  // of an arc
  const Matrix& P = d.trace.at(kPAdded).values;
  const int sine = d.state.positions == Encoding::rotary ? 1 : 0;
  for (int j = 0; j + 1 < std::min(kShown, static_cast<int>(P.cols())); j += 2) {
    const Rect& rect = rects[j / 2];
    const Point middle = rect.centre();
    const float reach = 0.42F * rect.h, width = 0.07F * rect.h;
    const std::string number = "." + std::to_string(j);
    const auto turn = [&](int place) { return std::atan2(P(place, j + sine), P(place, j + 1 - sine)); };
    const auto at = [&](float angle) {
      return Point{middle.x + reach * std::sin(angle), middle.y - reach * std::cos(angle)};
    };
    add_box(d, id + ".ground" + number, rect,
            {.fill = d.colours.surface, .stroke = d.colours.muted, .stroke_width = 1.3F, .radius = rect.h / 2});
    const float own = turn(i), between = std::remainder(turn(o.place) - own, 2 * kHalf);
    const Colour fill = std::cos(between) > 0 ? d.colours.score_fill.faded(0.7F) : d.colours.muted.faded(0.3F);
    Area area{.points = {middle}, .fill = fill, .fill_to = fill};
    for (int piece = 0; piece <= kPieces; ++piece)
      area.points.push_back(at(own + between * static_cast<float>(piece) / kPieces));
    d.figure.add({.id = id + ".between" + number, .rect = rect, .shape = std::move(area)});
    add_stroke(d, id + ".asks" + number, {middle, at(turn(o.place))}, d.colours.query_fill, 1.7F * width);
    add_stroke(d, id + number, {middle, at(own)}, d.colours.ink, width);
  }
}

// One bar of all parts: what is taken away to the left of zero, the rest to the right; a stroke where their sum is.
void add_score(Drawing& d, const Orders& o, int place, Rect at, float grown) {
  const bool hidden = masked(d, o, place), turns = d.state.positions == Encoding::rotary;
  const auto told = [](float score) { return io::format_fixed(static_cast<double>(score), 1); };
  float low = 0, high = 1e-3F;
  for (int j = 0; j < o.count(); ++j) {
    float below = 0, above = 0;
    if (masked(d, o, j)) continue;
    for (const ScorePart& part : parts_of(d, o, j)) (part.by < 0 ? below : above) += part.by;
    low = std::min(low, below), high = std::max(high, above);
  }
  const std::string id = "score." + std::to_string(place);
  const float words = d.trace.at(kShuffled.scores).values(o.place, place),
              sum = hidden ? 0 : mix(words, d.trace.at(kPlaced.scores).values(o.place, place), grown);  // so far
  const Type type{text::Face::mono_bold, std::min(d.narrow() ? 11.F : larger(d, 12.5F), 0.9F * at.h)};
  const std::string number = hidden ? "−∞" : turns ? told(words) + " → " + told(sum) : told(sum);
  const float digits = text::measure(type.face, type.size, turns ? "-0.0 → -0.0" : "-00.0"),
              unit = (at.w - digits - 8) / (high - low), bar = std::min(0.8F * at.h, 16.F), y = at.centre().y - bar / 2;
  const auto x = [&](float score) { return at.x + 2 + unit * (score - low); };
  float below = 0, above = 0;
  const std::vector<ScorePart> parts = hidden ? std::vector<ScorePart>() : parts_of(d, o, place);
  for (const ScorePart& part : parts) {
    const bool of_words = &part == &parts.front();
    float& end = part.by < 0 ? below : above;
    const float from = end;
    end += part.by * (of_words ? 1 : grown);
    const Rect rect{x(std::min(from, end)), y, std::max(unit * std::abs(end - from), 0.01F), bar};
    add_part(d, id + "." + part.name, Role::cell, rect,
             std::string(part.name) + " in this score: " + io::format_fixed(static_cast<double>(part.by), 2),
             Rectangle{.fill = part.fill, .stroke = d.colours.surface, .stroke_width = 0.6F, .radius = 1.5F})
        .source = Source{std::string(of_words ? kShuffled.scores : kMarks), o.place, place};
  }
  add_box(d, id + ".zero", {x(0) - 0.5F, at.y, 1, at.h}, {.fill = d.colours.muted});
  if (parts.size() > 1)
    add_box(d, id + ".sum", {x(below + above) - 1, at.y, 2, at.h}, {.fill = d.colours.ink, .radius = 1});
  add_told(d, {std::string(kPlaced.scores), o.place, place}, {at.right() - digits - 2, at.y, digits, at.h}, number,
           {d.colours.ink, type, Align::right}, "The score " + number);
}

void add_row(Drawing& d, const std::string& id, std::string_view tensor, int i, Rect rect, Colour tint,
             const std::string& label) {
  const int columns = std::min(kShown, d.trace.at(tensor).columns());
  const float cell = rect.w / static_cast<float>(columns);
  MatrixCells cells = small_cells({std::string(tensor), i, 0, 1, columns}, std::min(cell, rect.h), tint, d.view.theme);
  cells.decimals = d.video() && tensor == kKNew ? 0 : cell < 38 ? 1 : 2;
  cells.text_size = std::min({larger(d, 11.F), 0.72F * rect.h, (cells.decimals == 0 ? 0.5F : 0.34F) * cell});
  add_part(d, id, Role::cell, rect, label + std::to_string(i + 1), cells);
}

void add_place(Drawing& d, const Orders& o, int i, float come) {
  const std::string id = "P." + std::to_string(i);
  const Place at = place_of(d, o, i);
  const auto& told = kEnters[static_cast<int>(d.state.positions)];
  if (at.key.w > 0)
    add_row(d, "P.key." + std::to_string(i), d.state.positions == Encoding::rotary ? kKPos : kKNew, i, at.key,
            d.colours.key_fill, "The key in place ");
  if (has_hands(d) && at.mark.w > 0)
    add_seen(d, come, [&] {
      add_dials(d, id, o, i, at.dials);
      add_row(d, id + ".cells", kPAdded, i, at.mark, d.colours.muted, "The mark of place ");
      add_words(d, id + ".sign", at.sign, told.sign, {d.colours.ink, larger(d, type::title), Align::centre});
      add_part(d, id, Role::cell,
               Rect{at.dials[0].x, at.dials[0].y, at.dials[1].right() - at.dials[0].x, at.dials[0].h},
               "The mark of place " + std::to_string(i + 1), Rectangle{})
          .source = Source{std::string(kPAdded), i, 0};
    });
  add_score(d, o, i, at.score, o.lit);
  if (!masked(d, o, i)) return;
  const float y = o.at(i, 0).centre().y;
  add_stroke(d, "masked." + std::to_string(i), {{o.rows.x, y}, {o.inputs - 8, y}}, d.colours.ink, 2);
}

// What is taken off: a wedge from the place that asks, as wide at each place as its distance takes off there.
void add_wedge(Drawing& d, const Orders& o, float come) {
  const Matrix& bias = d.trace.at(kPAdded).values;
  const float most = -bias.row(o.place).minCoeff();
  if (most <= 0) return;
  const auto edge = [&](int i) {
    const Place at = place_of(d, o, i);
    return Point{at.mark.x + 4 + std::max(at.mark.w - 38, 8.F) * come * -bias(o.place, i) / most,
                 o.at(i, 0).centre().y};
  };
  const int last = d.state.causal ? o.place : o.count() - 1;
  for (const int end : {0, last}) {
    const Point tip = edge(o.place), far = edge(end);
    const Colour fill = d.colours.muted.faded(0.35F);
    d.figure.add({.id = "P.wedge." + std::to_string(end),
                  .shape = Area{.points = {tip, far, {tip.x, far.y}}, .fill = fill, .fill_to = fill}});
  }
  for (int i = 0; i <= last; ++i) {
    const Point at = edge(i);
    const std::string words = io::format_signed(static_cast<double>(bias(o.place, i)), 1);
    const float size = larger(d, 12.F);
    if (o.pitch() >= 40)
      add_told(d, {std::string(kPAdded), o.place, i}, {at.x + 6, at.y - 0.7F * size, 44, 1.4F * size}, words,
               {d.colours.ink, {text::Face::mono_bold, size}}, "The distance adds " + words + " to this score");
  }
}

// "■ words ■ fast hand … = score", and what stands above mark and key.
void add_legend(Drawing& d, const Orders& o) {
  const Type type = larger(d, type::label);
  const bool brief = d.narrow();
  float x = o.rows.x;
  const float y = o.rows.y - (brief ? 30 : 52);
  for (const ScorePart& part : parts_of(d, o, 0)) {
    const std::string id = std::string("P.legend.") + part.name;
    add_box(d, id, {x, y + 4, 10, 10}, {.fill = part.fill, .radius = 2});
    x += 14 + add_words(d, id + ".words", {x + 14, y}, 120, part.name, {d.colours.ink, type}) + (brief ? 7 : 10);
  }
  add_words(d, "P.legend.sum", {x - 3, y}, 120, "= score", {d.colours.ink, {text::Face::semibold, type.size}});
  if (brief) return;
  const Place at = place_of(d, o, 0);
  const auto& told = kEnters[static_cast<int>(d.state.positions)];
  for (const auto& [id, rect, words] : {std::tuple{"P.said", at.mark, told.mark}, {"P.said.key", at.key, told.key}})
    if (rect.w > 0)
      add_words(d, id, {rect.x, o.rows.y - 30, rect.w, 18}, words,
                fitted({d.colours.muted, type, Align::centre}, words, rect.w));
}

}  // namespace

float draw_order(Drawing& d, float y, float bottom) {
  // Marks come, scores and light change by them, outputs become others; these are compared, and it is told.
  const float t = d.view.t;
  Orders o = laid_out(d,
                      {.before = kFirst,
                       .after = kPlaced,
                       .marked = Phase{0.05F, 0.41F}.along(t),
                       .lit = Phase{0.47F, 0.63F}.along(t),
                       .poured = t < 0.5F ? 1 - Phase{0.39F, 0.47F}.along(t) : Phase{0.6F, 0.72F}.along(t),
                       .made = Phase{0.66F, 0.83F}.along(t),
                       .renamed = Phase{0.62F, 0.78F}.along(t),
                       .compared = Phase{0.83F, 0.92F}.along(t),
                       .left = kShuffled},
                      y, bottom);
  o.crossed = o.compared;
  if (o.renamed >= 0.5F) o.said = kEnters[static_cast<int>(d.state.positions)].before;
  add_picture(d, o);
  if (d.state.positions == Encoding::linear_bias) add_wedge(d, o, o.marked);
  for (int i = 0; i < o.count(); ++i)
    add_seen(d, masked(d, o, i) ? mix(1, 0.35F, o.lit) : 1,
             [&] { add_place(d, o, i, in_turn(o.marked, i, o.count())); });
  add_legend(d, o);
  return add_order_told(d, o, smoothstep(0.92F, 1, t));
}

}  // namespace limelight::scenes::layer
