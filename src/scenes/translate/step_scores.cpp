// The detail step Scores: the decoder's state goes from source word to source word, and each match becomes a score.
#include <algorithm>

#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/parts.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// The state goes from word to word, and is at so many of them; each score has grown when it is past.
float passed(const Drawing& d, int word) {
  const float at = std::clamp((d.view.t - 0.05F) / 0.85F, 0.F, 1.F) * static_cast<float>(d.sources().size());
  return smoothstep(0.2F, 1, at - static_cast<float>(word));
}

// The numbers of the state on their way, below the word that it is compared with.
void add_asking(Drawing& d, const Stage& s) {
  Rect at = s.state;
  for (int j = 0; j < s.slots.count; ++j) {
    const Rect halo = Rect{s.halos[static_cast<std::size_t>(j)].x, s.halos[static_cast<std::size_t>(j)].y, 0, 0};
    const Rect below = s.column ? halo.moved(s.reach + 26, -7) : halo.moved(-7, s.reach + 26 * s.k);
    const float at_word = std::clamp((d.view.t - 0.05F) / 0.85F, 0.F, 1.F) * static_cast<float>(s.slots.count),
                come = smoothstep(0, 0.45F, at_word - static_cast<float>(j) + (j == 0 ? 0 : 0.25F));
    at = mix(at, {below.x, below.y, s.column ? 34.F : 14.F, s.column ? 14.F : 48 * s.k}, come);
  }
  MatrixCells cells = small_cells({"s", d.row, 0, 1, std::min(d.trace.at("s").columns(), kShown)}, 4,
                                  d.colours.query_fill, d.view.theme);
  cells.transposed = !s.column;
  d.figure.add(
      {.id = "asks.state", .rect = at, .shape = std::move(cells), .opacity = 1 - smoothstep(0.9F, 1, d.view.t)});
}

// Of the example by hand: the small network, whose numbers can be set.
void add_network(Drawing& d, Rect rect) {
  const std::pair<const char*, const char*> rows[] = {
      {"W", "times the state: what it asks"}, {"U", "times h: what a word offers"}, {"v_a", "times tanh of their sum"}};
  for (const auto& [tensor, said] : rows) {
    const Tensor& matrix = d.trace.at(tensor);
    add_heading(d, std::string(tensor) + ".title", {rect.x, rect.y}, rect.w, tensor, d.colours.ink, said);
    MatrixCells cells{.range = {tensor, 0, 0, matrix.rows(), matrix.columns()}, .text_size = 13};
    cells.tint = d.colours.neutral_fill, cells.theme = d.view.theme, cells.transposed = matrix.columns() == 1;
    add_part(d, tensor, Role::cell, {rect.x, rect.y + 24, 160, 34}, said, std::move(cells)).edit = Edit{tensor, {}};
    rect.y += 66;
  }
}

// What is compared is above, what becomes of it below; of the first part the state's numbers, and what it asks.
float draw_part(Drawing& d, float y, int part) {
  const Stage s = stage_of(d, y, d.view.height);
  const Colour key = d.colours.key, ink = d.colours.ink;
  const BarRow h{"h", "states h", d.colours.value, d.by_hand()}, keys{"keys", "offers h U", key},
      sum{"sum", "s W + h U", ink}, tanh{"tanh", "tanh", ink}, terms{"terms", "times v", ink};
  const std::vector<BarRow> parts[] = {{h, keys}, {keys, sum}, {sum, tanh}, {tanh, terms}};
  float end = y;
  if (part > 1) end = add_bar_rows(d, s, parts[part - 2], d.view.height - (part == 5 && !s.column ? 76.F : 24.F)).end;
  for (const char* tensor : {"s", "query"}) {
    if (part > 1) break;
    const bool asks = tensor[0] == 'q';
    const Rect rect{s.column ? d.margin() : 0.3F * d.figure.width, end + 0.16F * d.view.height,
                    s.column ? d.inner() : 0.45F * d.figure.width, 42};
    add_heading(d, std::string(tensor) + ".title", {rect.x, rect.y - 28}, rect.w, asks ? "s W" : "state s",
                d.colours.query, asks ? "what it asks" : "before this word");
    add_bar(d, {tensor, d.row, d.colours.query, rect, asks ? "What it asks" : "The state", true, !asks && d.by_hand()});
    end = rect.bottom();
  }
  if (part == 5 && !s.column) {
    Stage low = s;
    for (Point& at : low.halos) at.y = end + 14 + s.reach;
    low.across.shares = low.halos.front().y + s.reach + 12;
    add_halos(d, low, {.light = 0, .numbers = true});
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
    const Colour colour = d.colours.query.faded((0.2F + 0.5F * share) * passed(d, static_cast<int>(j)));
    d.figure.add(
        {.id = "asks." + std::to_string(j),
         .shape = Curve{from, s.column ? Point{half.x, from.y} : Point{from.x, half.y},
                        s.column ? Point{half.x, to.y} : Point{to.x, half.y}, to, colour, 1 + 8 * share * share}});
  }
  add_stage(d, s, {.light = 0, .numbers = true, .context = false});
  for (int j = 0; j < s.slots.count && d.view.t < 1; ++j)
    for (Element& element : d.figure.elements)
      if (const std::string id = cell_id({"scores", d.row, j}); element.id == id)
        element.rect = element.rect.inset((1 - passed(d, j)) * element.rect.w / 2);
      else if (element.id == id + ".text")
        element.opacity = passed(d, j);
  if (d.view.t < 1) add_asking(d, s);
  if (!d.by_hand()) return d.narrow() ? add_steps_through(d, s.bottom + 8) : s.bottom;
  const float wide = d.narrow() ? d.inner() : 0.3F * d.figure.width;
  const float end = d.narrow() ? add_steps_through(d, s.bottom + 8) + 14 : s.bottom;
  add_network(d, {d.figure.width - d.margin() - wide, d.narrow() ? end : s.bottom - 204, wide, 0});
  return std::max(end, d.bottom());
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
         ", a small network compares the decoder’s **state** with each source word, one after the other; the larger a "
         "circle, "
         "the better they match: " +
         io::all_of(best) + (best.size() == 1 ? " fits" : " fit") + " best, score " + score + ", " +
         told.source(order.back()) + " least, " + io::format_short(told.at("scores", told.t, order.back())) + ".";
}

}  // namespace limelight::scenes::translate
