// The detail step Scores: what the decoder's state asks, what each source word offers, and how both become a score.
#include <algorithm>

#include "figure/lens.h"
#include "io/numbers.h"
#include "scenes/common/parts.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// One vector across, its name before it. Returns its rect.
Rect add_vector(Drawing& d, const Bar& bar, const std::string& name, const std::string& note) {
  const float x = d.narrow() ? d.margin() : std::max(bar.rect.x - 190, d.margin());
  add_heading(d, bar.tensor + ".title", {x, d.narrow() ? bar.rect.y - 24 : bar.rect.centre().y - 11},
              d.narrow() ? d.inner() : bar.rect.x - x, name, bar.colour, note);
  add_bar(d, bar);
  return bar.rect;
}

// What all go through: numbers that can be set, or, of a large matrix, a lens.
void add_learned(Drawing& d, const std::string& tensor, const std::string& name, Point centre) {
  const Tensor& matrix = d.trace.at(tensor);
  const bool vector = matrix.columns() == 1;
  const int rows = std::min(matrix.rows(), kShown), columns = std::min(matrix.columns(), kShown);
  const std::string label = name + ": " + std::to_string(matrix.rows()) + "×" + std::to_string(matrix.columns());
  if (!d.by_hand() && !vector) {
    add_lens(d.figure, {.centre = centre,
                        .radius = 34,
                        .range = {tensor, 0, 0, rows, columns},
                        .tint = d.colours.neutral_fill,
                        .label = label,
                        .theme = d.view.theme});
    add_words(d.figure, tensor + ".title", {centre.x + 46, centre.y - 9, 60, 18}, name, {d.colours.ink, type::title});
    return;
  }
  const float wide = d.by_hand() ? 160 : std::min(300.F, d.figure.width - 60), high = d.by_hand() ? 38 : 24;
  const Rect rect{std::max(centre.x - wide / 2, 42.F), centre.y - high / 2, wide, high};
  add_words(d.figure, tensor + ".title", {rect.x - 30, rect.y, 24, rect.h}, name,
            {d.colours.ink, type::title, Align::right});
  MatrixCells cells{.range = {tensor, 0, 0, rows, columns}, .tint = d.colours.neutral_fill, .theme = d.view.theme};
  cells.text_size = d.by_hand() ? 14.F : 0.F, cells.transposed = vector;
  Element& part = add_part(d, tensor, Role::cell, rect, label, cells);
  if (d.by_hand()) part.edit = Edit{tensor, {}};
}

float draw_query(Drawing& d, float y) {
  const bool narrow = d.narrow();
  const float wide = d.by_hand() ? 160.F : std::min(d.inner() - (narrow ? 0 : 220), 520.F),
              high = d.by_hand() ? 42 : 40;
  const float x = narrow ? d.margin() : (d.figure.width - wide) / 2,
              apart = std::clamp(0.22F * d.view.height, 90.F, 150.F);
  y += narrow ? 34 : std::max(0.14F * d.view.height - 20, 10.F);
  const Rect s = add_vector(d, {"s", d.row, d.colours.query, {x, y, wide, high}, "The state", true, d.by_hand()},
                            "state s", "before this word");
  const Rect q{x, y + 2 * apart, wide, high};
  const Point lens{x + wide / 2, (s.bottom() + q.y) / 2};
  add_way(d, "through.W", {lens.x, s.bottom() + 3}, {lens.x, q.y - 4}, d.colours.query, 1);
  add_learned(d, "W", "W", lens);
  add_vector(d, {"query", d.row, d.colours.query, q, "What it asks", true}, "s W", "what it asks");
  return q.bottom() + 12;
}

// What is compared is above, what becomes of it below, and between them what it goes through.
float draw_part(Drawing& d, float y, int part) {
  if (part == 1) return draw_query(d, y);
  const Stage s = stage_of(d, y, d.view.height);
  const Colour key = d.colours.key, ink = d.colours.ink;
  static constexpr int kAdds = 3, kWeighs = 5;
  const std::vector<BarRow> parts[] = {{{"h", "states h", d.colours.value, d.by_hand()}, {"keys", "offers h U", key}},
                                       {{"keys", "offers h U", key}, {"sum", "s W + h U", ink}},
                                       {{"sum", "s W + h U", ink}, {"tanh", "tanh", ink}},
                                       {{"tanh", "tanh", ink}, {"terms", "times v", ink}}};
  const auto [between, end, rects] =
      add_bar_rows(d, s, parts[part - 2], d.view.height - (part == kWeighs && !s.column ? 76.F : 24.F));
  const Point middle{d.figure.width / 2, between};
  if (part == 2) add_learned(d, "U", "U", middle);
  if (part == kWeighs) add_learned(d, "v_a", "v", middle);
  if (part == kAdds) {
    const float wide = d.by_hand() ? 160 : 300;
    const float x = s.column ? d.margin() : middle.x - wide / 2 + 40;
    add_vector(
        d, {"query", d.row, d.colours.query, {x, middle.y - 14, wide, d.by_hand() ? 34.F : 26.F}, "What it asks", true},
        "s W", "added to each");
  }
  if (part == kWeighs && !s.column) {
    Stage low = s;
    for (Point& at : low.halos) at.y = end + 14 + s.reach;
    low.across.shares = low.halos.front().y + s.reach + 12;
    add_halos(d, low, {.light = 0, .numbers = true});
    if (!d.low())
      add_row_name(d, "scores.name", {d.margin(), low.halos.front().y}, "scores", d.colours.amber_text, "their sum");
  }
  return d.bottom() + 4;
}

}  // namespace

float draw_scores(Drawing& d, float y) {
  if (d.view.place.part > 0) return draw_part(d, y, d.view.place.part);
  const Stage s = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  const auto scores = d.trace.at("scores").values.row(d.row);
  const Point from = s.lamp.bulb;
  for (std::size_t j = 0; j < s.halos.size(); ++j) {
    const float least = scores.minCoeff(),
                share = (scores(static_cast<int>(j)) - least) / std::max(scores.maxCoeff() - least, 1e-6F);
    const Point to = s.column ? Point{s.across.words - 5, s.halos[j].y} : Point{s.halos[j].x, s.taps[j].y},
                half = mix(from, to, 0.5F);
    d.figure.add({.id = "asks." + std::to_string(j),
                  .shape = Curve{from, s.column ? Point{half.x, from.y} : Point{from.x, half.y},
                                 s.column ? Point{half.x, to.y} : Point{to.x, half.y}, to,
                                 d.colours.query.faded(0.2F + 0.5F * share), 1 + 8 * share * share}});
  }
  add_stage(d, s, {.light = 0, .numbers = true, .context = false});
  return d.narrow() ? add_steps_through(d, s.bottom + 8) : s.bottom;
}

std::string tell_scores(const Told& told) {
  const Tensor& scores = told.trace.at("scores");
  const std::vector<int> order = largest_of(scores.values, told.t);
  const int units = told.trace.at("v_a").rows();
  static constexpr std::string_view inside[] = {
      "The decoder’s state before this word goes through a layer W: what it asks, in ",
      "Each source state goes through a layer U: what it offers, in ",
      "Question and offer are added, for each source word, in ", "tanh squashes each sum to between −1 and 1, in ",
      "The vector v sums them up to one score for each source word, of "};
  if (told.part > 0) {
    const std::string text = std::string(inside[told.part - 1]) + bold(numbers(units)) + ".";
    if (told.part == 5)
      return text + " The largest is that of " + told.source(order[0]) + ", " +
             io::format_short(told.at("scores", told.t, order[0])) + ".";
    return text + (told.part == 2 ? " This is done once, for all output words."
                                  : " Here for " + ordinal(told.t) + ", " + told.word() + ".");
  }
  const std::string score = io::format_short(told.at("scores", told.t, order[0]));
  std::vector<std::string> best;
  for (const int source : order)
    if (io::format_short(told.at("scores", told.t, source)) == score) best.push_back(told.source(source));
  return "Before " + ordinal(told.t) + ", " + told.word() +
         ", a small network compares the decoder’s state with each source word: " + io::all_of(best) +
         (best.size() == 1 ? " fits" : " fit") + " best, score " + score + ", " + told.source(order.back()) +
         " least, " + io::format_short(told.at("scores", told.t, order.back())) + ".";
}

}  // namespace limelight::scenes::translate
