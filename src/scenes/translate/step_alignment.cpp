// The step Map: the light of all output words at once, and the place where the order of the words turns round.
#include <algorithm>

#include "figure/flows.h"
#include "figure/light.h"
#include "figure/panels.h"
#include "scenes/common/sentence.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// Output words one after the other, and the source words that they look at most.
struct Run {
  int from = 0, count = 0;      // output words
  int source = 0, sources = 0;  // the leftmost source word, and how many there are up to the rightmost
  bool turns = false;           // each looks at a word before that of the one before it
};

int looks_at(const Matrix& weights, int row) {
  Eigen::Index best = 0;
  weights.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

Run run_of(const Matrix& weights, int from, int count, bool turns) {
  Run run{.from = from, .count = count, .source = looks_at(weights, from), .turns = turns};
  int last = run.source;
  for (int t = from; t < from + count; ++t) {
    run.source = std::min(run.source, looks_at(weights, t));
    last = std::max(last, looks_at(weights, t));
  }
  run.sources = last - run.source + 1;
  return run;
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

// Numbers stand only in the row that is looked at: the line goes over the others.
void leave_numbers_to_row(Drawing& d) {
  for (Element& element : d.figure.elements)
    if (auto* map = std::get_if<Heatmap>(&element.shape); map != nullptr && element.id == "weights")
      map->told_from = 2, map->told_row = d.row;
}

// A line through the source words that are looked at most, from output word to output word; it leaves out the number
// of the one that is looked at.
void add_path(Drawing& d) {
  const Element* map = d.figure.find("weights");
  if (map == nullptr) return;
  const Matrix& weights = d.trace.at("weights").values;
  const Colour white{255, 255, 255}, black{20, 16, 28};
  std::vector<Element> lines, dots;
  std::optional<Rect> before;
  for (int t = 0; t < weights.rows(); ++t) {
    const std::optional<Rect> cell = cell_rect(*map, t, looks_at(weights, t));
    if (!cell || cell->h < 7) return;
    const float r = std::min(4.F, 0.2F * cell->h);
    const Point at = cell->centre();
    if (before) {
      Point from = before->centre(), to = at;
      const float dx = std::abs(to.x - from.x), dy = std::abs(to.y - from.y);
      const float out = std::min(0.55F * cell->w / std::max(dx, 0.1F), 0.6F * cell->h / std::max(dy, 0.1F));
      if (t == d.row) to = mix(to, from, std::min(out, 1.F));
      if (t - 1 == d.row) from = mix(from, to, std::min(out, 1.F));
      const std::string id = "path." + std::to_string(t);
      lines.push_back({.id = id + ".rim", .shape = Line{.points = {from, to}, .colour = black, .width = 4}});
      lines.push_back({.id = id, .shape = Line{.points = {from, to}, .colour = white, .width = 2}});
    }
    before = cell;
    if (t != d.row)
      dots.push_back({.id = "path.at." + std::to_string(t),
                      .rect = {at.x - r, at.y - r, 2 * r, 2 * r},
                      .shape = Rectangle{.fill = white, .stroke = black, .stroke_width = 1.2F, .radius = r}});
  }
  for (Element& line : lines) d.figure.add(std::move(line));
  for (Element& dot : dots) d.figure.add(std::move(dot));
}

// Around the cells of words that turn round.
void add_frame(Drawing& d, const Run& run) {
  const Element* map = d.figure.find("weights");
  if (map == nullptr || !run.turns) return;
  const std::optional<Rect> one = cell_rect(*map, run.from, run.source),
                            last = cell_rect(*map, run.from + run.count - 1, run.source + run.sources - 1);
  if (!one || !last) return;
  add_ring(d.figure, "weights.turn", Rect{one->x, one->y, last->right() - one->x, last->bottom() - one->y}.inset(-3),
           d.colours.lamp, 2.5F);
}

// A row of words in the panel, as large as all have room. Returns their middles.
std::vector<float> add_words_of(Drawing& d, const std::string& id, const std::vector<std::string>& words, Rect row,
                                bool lit, int first) {
  const Palette& dark = palette(Theme::dark);
  const float pitch = row.w / static_cast<float>(words.size());
  float size = 17;
  for (const std::string& word : words)
    size = std::min(size, 17 * (pitch - 14) / std::max(text::measure(text::Face::display_bold, 17, word), 1.F));
  size = std::max(size, 11.F);
  std::vector<float> middles;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float x = row.x + pitch * (static_cast<float>(i) + 0.5F);
    middles.push_back(x);
    const Rect card{x - pitch / 2 + 3, row.y, pitch - 6, row.h};
    Element element{.id = id + std::to_string(i),
                    .rect = card,
                    .label = words[i],
                    .shape = Rectangle{.fill = lit ? dark.lamp.faded(0.9F) : dark.track, .radius = 5}};
    if (!lit) {
      element.role = Role::token;
      element.edit = Edit{"word", std::to_string(first + static_cast<int>(i))};
    }
    d.figure.add(std::move(element));
    const Colour ink = lit ? Colour{0x12, 0x14, 0x1b} : dark.ink;
    add_words(d.figure, id + std::to_string(i) + ".text", card,
              text::fit(text::Face::display_bold, size, words[i], card.w - 4),
              {ink, {text::Face::display_bold, size}, Align::centre});
  }
  return middles;
}

// Which word looks at which, as light in the dark.
float add_crossing(Drawing& d, const Run& run, Rect panel) {
  const Palette& dark = palette(Theme::dark);
  const Tensor& weights = d.trace.at("weights");
  d.figure.add({.id = "turn.panel",
                .rect = panel,
                .label = run.turns ? "Words that stand the other way round in the translation" : "Words in their order",
                .shape = Rectangle{.fill = {0x12, 0x13, 0x1a}, .radius = 8}});
  const std::string title = run.turns ? "The order turns round" : "Here the order stays";
  add_words(d.figure, "turn.title", {panel.x + 16, panel.y + 10, panel.w - 32, 20}, title, {dark.ink, type::title});
  std::vector<std::string> above, below;
  for (int j = run.source; j < run.source + run.sources; ++j) above.push_back(label_of(weights.column_labels, j));
  for (int t = run.from; t < run.from + run.count; ++t) below.push_back(label_of(weights.row_labels, t));
  const Rect from{panel.x + 14, panel.y + 46, panel.w - 28, 32},
      to{panel.x + 14, panel.bottom() - 66, panel.w - 28, 32};
  const std::size_t before = d.figure.elements.size();
  const std::vector<float> sources = add_words_of(d, "turn.source.", above, from, true, 0),
                           targets = add_words_of(d, "turn.word.", below, to, false, run.from);
  std::vector<Element> words(d.figure.elements.begin() + static_cast<std::ptrdiff_t>(before), d.figure.elements.end());
  d.figure.elements.resize(before);
  Feet feet{.at = {}, .first = run.from}, heads{.at = {}, .first = run.source};
  for (const float x : targets) feet.at.push_back({x, to.y - 2});
  for (const float x : sources) heads.at.push_back({x, from.bottom() + 2});
  Light light{.tensor = "weights", .theme = Theme::dark};
  for (int t = run.from; t < run.from + run.count; ++t) {
    const Light one = flows_of(weights, feet, heads, {.share = 0.99F, .query = t, .alone = true}, Theme::dark);
    light.beams.insert(light.beams.end(), one.beams.begin(), one.beams.end());
  }
  d.figure.add({.id = "turn.light",
                .role = Role::cell,
                .rect = {panel.x, from.bottom(), panel.w, to.y - from.bottom()},
                .label = title,
                .shape = std::move(light)});
  for (Element& word : words) d.figure.add(std::move(word));
  for (int i = 0; i < run.count; ++i) {
    const int t = run.from + i, best = looks_at(weights.values, t);
    add_words(d.figure, "turn.share." + std::to_string(i),
              {targets[static_cast<std::size_t>(i)] - 40, to.bottom() + 5, 80, 18}, share_text(weights.values(t, best)),
              {dark.amber_text, {text::Face::mono_bold, 13}, Align::centre});
  }
  return panel.bottom();
}

void add_gold(Drawing& d) {
  const Tensor* gold = d.trace.find("gold");
  if (!d.state.gold || gold == nullptr) return;
  for (int t = 0; t < gold->rows(); ++t)
    for (int j = 0; j < gold->columns(); ++j)
      if (gold->values(t, j) != 0) add_outline(d.figure, "weights", t, j, d.colours.value);
}

}  // namespace

float draw_alignment(Drawing& d, float y) {
  const bool beside = !d.narrow() && d.figure.width >= 700;
  const float input = d.view.compact() ? 52 : 40, bottom = d.view.height - 12 - input;
  const float right = beside ? std::clamp(d.inner() * 0.36F, 250.F, 470.F) : 0, start = y;
  const Matrix& weights = d.trace.at("weights").values;
  const Run run = shown_run(weights, d.row);
  if (!beside)
    y = add_crossing(d, run, {d.margin(), y, d.inner(), std::clamp(0.42F * d.view.height, 200.F, 250.F)}) + 14;
  Panel map{.tensor = "weights",
            .title = "a",
            .colour = d.colours.ink,
            .style = PanelStyle::weights,
            .emphasis = Emphasis::medium,
            .column_labels = true,
            .editable = true,
            .tokens = true,
            .colour_bar = !d.narrow(),
            .caption = d.state.gold && d.trace.find("gold") != nullptr ? "outlined in blue: the corpus’s links"
                                                                       : "a row for each output word"};
  if (d.view.zoom.tensor == "weights" && d.view.zoom.rows > 0)
    map.window = CellRange{"weights", d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  const Rect area{d.margin(), y, d.inner() - right - (beside ? 28 : 0),
                  std::max(bottom - y, d.narrow() ? 900.F : 280.F)};
  y = add_panels(d.figure, d.trace, {{map}}, area,
                 {.theme = d.view.theme, .token_field = "word", .chosen_row = d.row, .narrow = d.narrow(), .sink = 0});
  leave_numbers_to_row(d);
  add_path(d);
  add_gold(d);
  add_frame(d, run);
  add_outline(d.figure, "weights", d.row, -1, d.colours.output);
  if (beside) {
    const Rect panel{d.figure.width - d.margin() - right, start + 8, right,
                     std::clamp(0.62F * (bottom - start), 200.F, 400.F)};
    const float end = add_crossing(d, run, panel);
    if (end + 60 < bottom)
      y = std::max(y,
                   add_note(d, "turn.note",
                            run.turns ? "A straight diagonal would be word by word. Where the line **runs back**, the "
                                        "order differs."
                                      : "The line falls straight: **word by word**.",
                            {panel.x, end + 14}, panel.w));
  }
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
    for (int t = 0; t < all.rows(); ++t)
      others += all.column_labels[static_cast<std::size_t>(largest_of(all.values, t).front())] ==
                        words[static_cast<std::size_t>(t)]
                    ? 0
                    : 1;
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
