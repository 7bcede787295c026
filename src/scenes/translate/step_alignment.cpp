// The step Map: the light of all output words at once, and the place where the order of the words turns round.
#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "figure/panels.h"
#include "scenes/common/crossing.h"
#include "scenes/common/parts.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// Output words one after the other, and the source words that they look at most.
struct Run {
  int from = 0, count = 0;      // output words
  int source = 0, sources = 0;  // the leftmost source word, and how many there are up to the rightmost
  bool turns = false;           // each looks at a word before that of the one before it
};

int looks_at(const Matrix& weights, int row) { return largest_of(weights, row).front(); }

Run run_of(const Matrix& weights, int from, int count, bool turns) {
  int first = looks_at(weights, from), last = first;
  for (int t = from; t < from + count; ++t)
    first = std::min(first, looks_at(weights, t)), last = std::max(last, looks_at(weights, t));
  return {.from = from, .count = count, .source = first, .sources = last - first + 1, .turns = turns};
}

// The longest that turns round; where none does, the words around the one that is looked at.
Run shown_run(const Matrix& weights, int chosen) {
  const int rows = static_cast<int>(weights.rows());
  constexpr int kMost = 6, kFar = 8;  // words in the picture
  Run best{};
  for (int from = 0; from < rows; ++from) {
    int to = from + 1;
    while (to < rows && looks_at(weights, to) < looks_at(weights, to - 1)) ++to;
    const int count = std::min(to - from, kMost);
    const Run run = run_of(weights, from, count, true);
    if (count >= 2 && count > best.count && run.sources <= kFar) best = run;
  }
  if (best.count > 0) return best;
  const int count = std::min(3, rows), from = std::clamp(chosen - 1, 0, rows - count);
  Run around = run_of(weights, from, count, false);
  around.sources = std::min(around.sources, kFar);
  return around;
}

// A line through the source words that are looked at most, from output word to output word, over cells without digits.
void add_path(Drawing& d) {
  const auto map = std::ranges::find(d.figure.elements, "weights", &Element::id);
  auto* cells = map == d.figure.elements.end() ? nullptr : std::get_if<Heatmap>(&map->shape);
  if (cells == nullptr) return;
  cells->told_from = 2;  // more than any weight
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<Point> points;
  float r = 4;
  for (int t = 0; t < weights.rows(); ++t)
    if (const std::optional<Rect> cell = cell_rect(*map, t, looks_at(weights, t))) {
      points.push_back(cell->centre());
      r = std::min(r, 0.22F * cell->h);
    }
  if (points.size() < 2 || r < 1.5F) return;
  const Colour white{255, 255, 255}, black{20, 16, 28};
  Line way{.points = {points.front()}, .colour = black, .width = 5};
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    for (const float t : {0.125F, 0.25F, 0.375F, 0.5F, 0.625F, 0.75F, 0.875F, 1.F})
      way.points.push_back(
          {mix(points[i].x, points[i + 1].x, smoothstep(0, 1, t)), mix(points[i].y, points[i + 1].y, t)});
  const std::size_t first = d.figure.elements.size();
  d.figure.add({.id = "path.rim", .shape = way});
  way.colour = white, way.width = 2.5F;
  d.figure.add({.id = "path", .shape = std::move(way)});
  for (std::size_t i = 0; i < points.size(); ++i)
    add_box(d, "path." + std::to_string(i), Rect{points[i].x, points[i].y, 0, 0}.inset(-r),
            {.fill = white, .stroke = black, .stroke_width = 1.2F, .radius = r});
  // As far down as the words are written by now.
  if (d.view.t >= 1) return;
  const float reach = mix(points.front().y - r - 1, points.back().y + r + 1, d.view.t);
  for (Element& element : std::span(d.figure.elements).subspan(first)) element.clip = Rect{0, 0, d.figure.width, reach};
  const auto grown = std::ranges::find(d.figure.elements, "weights", &Element::id);
  const float high = points[1].y - points[0].y, at = d.view.t * static_cast<float>(weights.rows() - 1);
  grown->clip = Rect{0, 0, d.figure.width, reach + high / 2};
  Light light{.tensor = "weights", .theme = d.view.theme};  // that falls from the words into the rows that come
  for (int t = static_cast<int>(at); t < std::min(static_cast<int>(at) + 2, static_cast<int>(weights.rows())); ++t)
    for (int j = 0; j < weights.cols(); ++j)
      if (const std::optional<Rect> cell = cell_rect(*grown, t, j); cell && weights(t, j) > 0.02F) {
        const Point to = cell->centre(), from{to.x, grown->rect.y - 4};
        const float w = weights(t, j),
                    come = (1 - std::abs(at - static_cast<float>(t))) * (1 - smoothstep(0.9F, 0.98F, d.view.t));
        light.beams.push_back(
            straight({from, {}, {}, to, 4, 3 + 0.45F * cell->w * std::sqrt(w), 2 * w * come, t, j, {}}));
      }
  d.figure.add({.id = std::string(kLightId), .shape = std::move(light)});
}

// Of the words of a run, how many the line has come to, as a share.
float passed(const Drawing& d, const Run& run) {
  const float at = d.view.t * static_cast<float>(d.trace.at("weights").rows() - 1) - static_cast<float>(run.from);
  return smoothstep(-1, static_cast<float>(run.count - 1), at);
}

void add_frame(Drawing& d, const Run& run) {
  const Element* map = d.figure.find("weights");
  if (map == nullptr || !run.turns) return;
  const std::optional<Rect> one = cell_rect(*map, run.from, run.source),
                            last = cell_rect(*map, run.from + run.count - 1, run.source + run.sources - 1);
  if (!one || !last) return;
  const std::size_t first = d.figure.elements.size();
  add_ring(d.figure, "weights.turn", Rect{one->x, one->y, last->right() - one->x, last->bottom() - one->y}.inset(-3),
           d.colours.lamp, 2.5F);
  show_since(d.figure, first, passed(d, run));
}

Crossing crossing_of(const Run& run) {
  const char* title = run.turns ? "The order turns round" : "Here the order stays";
  return {"weights", run.from, run.count, run.source, run.sources, title, "word"};
}

void add_gold(Drawing& d) {
  const Tensor* gold = d.trace.find("gold");
  if (!d.state.gold || gold == nullptr) return;
  for (int t = 0; t < gold->rows(); ++t)
    for (int j = 0; j < gold->columns(); ++j)
      if (gold->values(t, j) != 0) add_outline(d.figure, "weights", t, j, d.colours.value);
}

// One's own translation, there to be typed. Returns the bottom.
float add_translation_input(Drawing& d, float y) {
  return add_text_input(
      d,
      {"translation", d.view.compact() ? "it reads" : "the decoder reads", "Your own translation", d.state.translation,
       d.view.compact() ? "what it wrote; type your own" : "what it wrote; type a translation of your own",
       d.colours.ink},
      {d.margin(), y, d.inner(), d.view.compact() ? 44.F : 30.F});
}

}  // namespace

float draw_alignment(Drawing& d, float y) {
  const bool beside = !d.narrow() && d.figure.width >= 700;
  const float input = d.view.compact() ? 52 : 40, bottom = d.view.height - 12 - input;
  const float right = beside ? std::clamp(d.inner() * 0.36F, 250.F, 470 * std::max(d.scale(), 1.F)) : 0, start = y;
  const Matrix& weights = d.trace.at("weights").values;
  const Run run = shown_run(weights, d.row);
  Panel map{"weights", "light", d.colours.ink, {}, PanelStyle::weights, Emphasis::medium};
  map.column_labels = map.editable = map.tokens = true, map.colour_bar = !d.narrow();
  map.caption = std::to_string(weights.rows()) + " output words down, " + std::to_string(weights.cols()) +
                " source words across; each row is one light";
  if (d.narrow()) map.caption = "a row: the light of one output word";
  if (d.state.gold && d.trace.find("gold") != nullptr) map.caption = "outlined in blue: words that belong together";
  if (d.view.zoom.tensor == "weights" && d.view.zoom.rows > 0)
    map.window = CellRange{"weights", d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  const Rect area{d.margin(), y, d.inner() - right - (beside ? 28 : 0),
                  std::max(bottom - y, d.narrow() ? 900.F : 280.F)};
  y = add_panels(d.figure, d.trace, {{map}}, area,
                 {.theme = d.view.theme, .token_field = "word", .chosen_row = d.row, .narrow = d.narrow(), .sink = 0});
  add_path(d);
  add_gold(d);
  add_frame(d, run);
  add_outline(d.figure, "weights", d.row, -1, d.colours.output);
  const float end = y + 16, k = std::max(d.scale(), 1.F);
  const Rect panel = beside ? Rect{d.figure.width - d.margin() - right, start + 8, right,
                                   std::clamp(bottom - start - 74 * k, 200.F, 560 * k)}
                            : Rect{d.margin(), end, d.inner(), std::clamp(0.42F * d.view.height, 200.F, 250.F)};
  const std::size_t first = d.figure.elements.size();
  const float below = add_crossing(d, crossing_of(run), panel);
  y = beside ? y : below;
  if (beside && below + 60 < bottom)
    y = std::max(y, add_note(d, "turn.note",
                             run.turns ? "A straight diagonal would be word by word. Where the line **runs back**, the "
                                         "order differs."
                                       : "The line falls straight: **word by word**.",
                             {panel.x, below + 14}, panel.w));
  show_since(d.figure, first, passed(d, run));
  return add_translation_input(d, std::max(y + 10, beside ? bottom + 4 : 0));
}

std::string tell_alignment(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  const std::vector<std::string> words = written(told.trace);
  const Run run = shown_run(weights, told.t);
  std::string text;
  if (!told.state.translation.empty()) {
    const Tensor& all = told.trace.at("probabilities");
    int others = 0;
    for (std::size_t t = 0; t < words.size(); ++t)
      others += label_of(all.column_labels, largest_of(all.values, static_cast<int>(t)).front()) != words[t] ? 1 : 0;
    text = "The decoder reads your translation, of " + tokens_of(words) + "; by itself it would have written " +
           (others == 0 ? "the same."
                        : "another at " + bold(std::to_string(others) + (others == 1 ? " place" : " places")) + ".");
  } else if (run.turns) {
    std::string back, there;
    for (int t = run.from; t < run.from + run.count; ++t) back += (back.empty() ? "" : " ") + label_of(words, t);
    for (int j = run.source; j < run.source + run.sources; ++j)
      there += (there.empty() ? "" : " ") + label_of(told.trace.at("source").column_labels, j);
    text = "The light runs down the diagonal, then turns back: the translation says " + bold(back) +
           " where the source says " + bold(there) + ".";
  } else {
    text = "The light runs down word by word: " + bold(label_of(words, told.t)) + " looks " + gaze(told) + ".";
  }
  if (told.state.translation.empty() && words.back() != "[STOP]")
    text += " It never writes [STOP] and is cut off after " + tokens_of(words) + ".";
  if (const std::string change = change_of(told); !change.empty()) return text + change;
  if (!told.state.trained()) return text + " These weights are constructed; those of a trained model nobody set.";
  text += " Nobody told it where to look.";
  if (told.state.gold && told.trace.find("gold") == nullptr)
    text += told.state.corpus ? " It wrote other words than the corpus, so there are no gold links to compare with."
                              : " Gold links exist only for sentences that the corpus made.";
  return text;
}

}  // namespace limelight::scenes::translate
