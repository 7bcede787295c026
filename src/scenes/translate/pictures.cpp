// Translate's pictures of a whole sentence: the unrolled network, the alignment, and what length does.
#include <cmath>

#include "figure/panels.h"
#include "figure/plot.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

constexpr float kStateLimit = 1;  // of the numbers of a gated recurrent unit, whose candidates come from tanh

// A box of the unrolled network, its numbers in it where there are any.
struct Box {
  std::string id, name, word;
  Source number{};  // the first of its row
  Colour colour{};
  bool filled = false;  // with the row of that tensor
};

void add_box(Drawing& d, const Box& box, Rect rect) {
  const Tensor* tensor = d.trace.find(box.number.tensor);
  const bool has = tensor != nullptr && box.filled;
  d.figure.add({.id = box.id + ".frame",
                .rect = rect.inset(-2),
                .shape = Rectangle{.fill = d.colours.sunken, .stroke = box.colour, .stroke_width = 1.5F, .radius = 6}});
  if (has && tensor->columns() == 1) {
    d.figure.add({.id = box.id,
                  .role = Role::cell,
                  .rect = rect,
                  .label = box.name,
                  .shape = MatrixCells{.range = {box.number.tensor, box.number.row, 0, 1, 1},
                                       .gap = 0,
                                       .radius = 4,
                                       .text_size = rect.w >= 46 ? 13.F : 10.F,
                                       .decimals = 2,
                                       .tint = fill_of(d.colours, box.colour),
                                       .theme = d.view.theme}});
  } else if (has) {
    d.figure.add({.id = box.id,
                  .role = Role::cell,
                  .rect = rect,
                  .label = box.name,
                  .shape = Heatmap{.range = {box.number.tensor, box.number.row, 0, 1, tensor->columns()},
                                   .map = ColourMap::diverging,
                                   .low = -kStateLimit,
                                   .high = kStateLimit,
                                   .gap = 0,
                                   .theme = d.view.theme,
                                   .transposed = rect.h > rect.w}});
  }
}

// A row of boxes with arrows between them, names above, words below.
std::vector<Rect> add_boxes(Drawing& d, const std::vector<Box>& boxes, float y, float height, bool both_ways = false) {
  const auto count = static_cast<float>(boxes.size());
  const float pitch = std::min(d.inner() / count, 92.F);
  const float gap = std::clamp(pitch * 0.34F, 4.F, 26.F);
  const float left = d.margin() + (d.inner() - pitch * count + gap) / 2;
  std::vector<Rect> rects;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Rect rect{left + pitch * static_cast<float>(i), y + 20, pitch - gap, height};
    add_box(d, boxes[i], rect);
    if (i > 0 && gap >= 4) {
      const auto arrow = [&](Point from, Point to) {
        d.figure.add(
            {.shape = Arrow{.from = from, .to = to, .colour = d.colours.faint, .width = gap > 8 ? 1.5F : 1.F}});
      };
      const float apart = both_ways ? 5 : 0, left_of = rects.back().right() + 2, right_of = rect.x - 2;
      arrow({left_of, rect.centre().y - apart}, {right_of, rect.centre().y - apart});
      if (both_ways) arrow({right_of, rect.centre().y + apart}, {left_of, rect.centre().y + apart});
    }
    if (pitch >= 26)
      add_symbol(d, boxes[i].id + ".name", {rect.centre().x - symbol_width(boxes[i].name, 12) / 2, y}, boxes[i].name,
                 boxes[i].colour, 12);
    if (pitch >= 44)
      add_words(d, boxes[i].id + ".word", {rect.x - gap / 2, rect.bottom() + 6, pitch, 18}, boxes[i].word,
                {.colour = d.colours.ink, .align = Align::centre});
    else
      add_words(d, boxes[i].id + ".word", {rect.centre().x - 7, rect.bottom() + 8, 14, 84}, boxes[i].word,
                {d.colours.ink, {text::Face::regular, std::clamp(pitch - 3, 9.F, 12.F)}, Align::right, true});
    rects.push_back(rect);
  }
  return rects;
}

float words_height(const Drawing& d, const std::vector<std::string>& words) {
  if (d.inner() / static_cast<float>(words.size()) >= 44) return 30;
  float longest = 0;
  for (const std::string& word : words) longest = std::max(longest, text::measure(text::Face::regular, 12, word));
  return std::min(longest, 84.F) + 16;
}

}  // namespace

namespace {

// From a box of the encoder around its side down to c: from h_1 at the left, from the last one at the right.
void add_way_to_c(Drawing& d, Rect box, Rect c, const std::string& note, bool left) {
  const float edge = left ? std::max(box.x - 26, 6.F) : std::min(box.right() + 26, d.figure.width - 6);
  const float start = left ? box.x - 3 : box.right() + 3, end = left ? c.x - 4 : c.right() + 4;
  const std::string id = left ? "back.to.c" : "to.c";
  d.figure.add({.id = id + ".line",
                .shape = Line{.points = {{start, box.centre().y}, {edge, box.centre().y}, {edge, c.centre().y}},
                              .colour = d.colours.output,
                              .width = 2}});
  d.figure.add({.id = id,
                .shape = Arrow{
                    .from = {edge, c.centre().y}, .to = {end, c.centre().y}, .colour = d.colours.output, .width = 2}});
  const float room = std::abs(end - edge) - 12;
  add_words(d, id + ".name", {std::min(edge, end) + 6, c.centre().y + 3, room, 16}, note,
            {d.colours.muted, type::caption, left ? Align::left : Align::right});
}

}  // namespace

float draw_bottleneck(Drawing& d, float y) {
  const std::vector<std::string>& sources = d.trace.at("source").column_labels;
  const bool known = is_squeezed(d.trace), both_ways = d.state.trained();
  const float height = std::clamp(d.view.height * 0.14F, 40.F, 92.F);
  std::vector<Box> encoder;
  for (std::size_t j = 0; j < sources.size(); ++j)
    encoder.push_back({.id = "h." + std::to_string(j),
                       .name = subscript("h", static_cast<int>(j) + 1),
                       .word = sources[j],
                       .number = {"fixed_h", static_cast<int>(j), 0},
                       .colour = d.colours.value,
                       .filled = known});
  add_heading(d, "encoder.title", {d.margin(), y}, d.inner(), "encoder", d.colours.value,
              both_ways ? "reads word after word, both ways" : "reads word after word");
  y += 26;
  const std::vector<Rect> read = add_boxes(d, encoder, y, height, both_ways);
  y = read.back().bottom() + words_height(d, sources);
  // All of it through one vector.
  const float width = std::clamp(d.inner() * 0.34F, 120.F, 240.F);
  const Rect c{d.figure.width / 2 - width / 2, y + 34, width, 30};
  add_way_to_c(d, read.back(), c, both_ways ? d.narrow() ? "forwards" : "the forward state" : "", false);
  if (both_ways) add_way_to_c(d, read.front(), c, d.narrow() ? "backwards" : "the backward state", true);
  add_box(d,
          {.id = "bottleneck",
           .name = "c",
           .word = {},
           .number = {"bottleneck", 0, 0},
           .colour = d.colours.output,
           .filled = known},
          c);
  add_words(d, "c.name", {c.x, c.y - 24, c.w, 20}, "context c", {d.colours.output, type::title, Align::centre});
  y = c.bottom() + 16;
  const std::vector<std::string> targets = known ? d.trace.at("fixed").column_labels : std::vector<std::string>{"…"};
  std::vector<Box> decoder;
  for (std::size_t t = 0; t < targets.size(); ++t)
    decoder.push_back({.id = "s." + std::to_string(t),
                       .name = subscript("s", static_cast<int>(t) + 1),
                       .word = targets[t],
                       .number = {"fixed_s", static_cast<int>(t) + 1, 0},
                       .colour = d.colours.query,
                       .filled = known});
  y += 30;
  const std::vector<Rect> wrote = add_boxes(d, decoder, y + 22, height);
  for (const Rect& box : wrote)
    d.figure.add({.shape = Line{.points = {{c.centre().x, c.bottom() + 2}, {box.centre().x, box.y - 20}},
                                .colour = d.colours.output.faded(0.5F),
                                .width = 1}});
  y = wrote.back().bottom() + words_height(d, targets);
  add_heading(d, "decoder.title", {d.margin(), y}, d.inner(), "decoder", d.colours.query,
              "writes word after word, each from the same c");
  y += 22;
  if (!known || !both_ways) return y;
  if (d.narrow()) y += 10;
  return add_scale(d, kStateLimit, d.narrow() ? y : y - 22);
}

// ---- alignment ----

namespace {

// From the output word to the source words, as thick as their weights.
void add_arcs(Drawing& d, Rect area) {
  const std::vector<std::string> targets = written(d.trace);
  const std::vector<std::string>& sources = d.trace.at("source").column_labels;
  const float labels = std::min(96.F, area.w * 0.33F);
  const Rect arcs{area.x + labels, area.y + 24, area.w - 2 * labels, area.h - 24};
  const auto heads = [&](const char* id, const char* name, float x, Align align, Colour colour) {
    add_words(d, id, {x, area.y, labels - 8, 18}, name, {colour, type::name, align});
  };
  heads("arcs.output", "output", area.x, Align::right, d.colours.output);
  heads("arcs.source", "source", arcs.right() + 8, Align::left, d.colours.value);
  const auto words = [&](const std::vector<std::string>& list, bool left) {
    const float pitch = arcs.h / static_cast<float>(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool chosen = left && static_cast<int>(i) == d.row;
      const std::string id = (left ? "arcs.output." : "arcs.source.") + std::to_string(i);
      const Rect rect{left ? area.x : arcs.right() + 8, arcs.y + pitch * static_cast<float>(i), labels - 8, pitch};
      add_words(d, id, rect, list[i],
                {chosen ? d.colours.output : d.colours.muted,
                 {chosen ? text::Face::semibold : text::Face::regular, std::clamp(pitch - 2, 8.F, 12.F)},
                 left ? Align::right : Align::left});
      if (!left) continue;
      Element& word = d.figure.elements.back();
      word.role = Role::token;
      word.label = list[i];
      word.edit = Edit{"word", std::to_string(i)};
    }
  };
  words(targets, true);
  words(sources, false);
  d.figure.add(
      {.id = "arcs",
       .rect = arcs,
       .label = "Arcs from the output words to the source words that they look at",
       .shape = Arcs{.range = {"weights", 0, 0, static_cast<int>(targets.size()), static_cast<int>(sources.size())},
                     .colour = d.colours.amber,
                     .threshold = 0.05F,
                     .row = d.row,
                     .max_width = 8}});
}

// What is not written yet at the word that is looked at.
void veil(Drawing& d) {
  const Element* found = d.figure.find("weights");
  const int rows = d.trace.at("weights").rows();
  if (found == nullptr || d.row + 1 >= rows) return;
  const auto* map = std::get_if<Heatmap>(&found->shape);
  if (map == nullptr) return;
  const int first = std::max(d.row + 1, map->range.row), end = map->range.row + map->range.rows;
  if (first >= end) return;
  const std::optional<Rect> from = cell_rect(*found, first, map->range.column);
  if (!from) return;
  d.figure.add({.id = "veil",
                .rect = {found->rect.x, from->y, found->rect.w, found->rect.bottom() - from->y},
                .shape = Rectangle{.fill = d.colours.paper.faded(0.45F)}});
}

}  // namespace

float draw_alignment(Drawing& d, float y) {
  const float bottom = d.view.height - 12 - 46;  // the translation is typed below
  const bool beside = !d.narrow() && d.figure.width >= 700;
  const float right = beside ? std::clamp(d.inner() * 0.34F, 230.F, 330.F) : 0;
  const float start = y;
  Panel A{.tensor = "weights",
          .title = "a",
          .colour = d.colours.ink,
          .style = PanelStyle::weights,
          .emphasis = Emphasis::medium,
          .column_labels = true,
          .editable = true,
          .tokens = true,
          .colour_bar = !d.narrow(),
          .caption = d.state.gold && d.trace.find("gold") != nullptr ? "outlined in blue: the corpus’s links"
                     : d.row + 1 < d.trace.at("weights").rows()      ? "pale rows: not written yet"
                                                                     : "a row for each output word"};
  if (d.view.zoom.tensor == "weights" && d.view.zoom.rows > 0)
    A.window = CellRange{"weights", d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  const Rect area{d.margin(), y, d.inner() - right - (beside ? 20 : 0),
                  std::max(bottom - y, d.narrow() ? 900.F : 280.F)};
  y = add_panels(d.figure, d.trace, {{A}}, area,
                 {.theme = d.view.theme, .token_field = "word", .chosen_row = d.row, .narrow = d.narrow(), .sink = 0});
  veil(d);
  const Tensor* gold = d.trace.find("gold");
  if (d.state.gold && gold != nullptr)
    for (int t = 0; t < gold->rows(); ++t)
      for (int j = 0; j < gold->columns(); ++j)
        if (gold->values(t, j) != 0) add_outline(d.figure, "weights", t, j, d.colours.value);
  add_outline(d.figure, "weights", d.row, -1, d.colours.output);
  const auto longest = static_cast<float>(std::max(d.trace.at("weights").rows(), d.trace.at("weights").columns()));
  const float wanted = 24 + longest * 20;
  if (beside) {
    const float height = std::clamp(wanted, 160.F, std::max(bottom - start, 200.F));
    add_arcs(d, {d.margin() + d.inner() - right, start, right, height});
    y = std::max(y, start + height);
  } else {
    add_arcs(d, {d.margin(), y + 18, d.inner(), wanted});
    y += 18 + wanted;
  }
  return add_translation_input(d, y + 12);
}

// ---- length ----

namespace {

// What is red, and what is not there to be red.
std::string legend_of(const std::vector<bool>& added, const std::vector<bool>& lost, const std::string& name) {
  const auto missing = std::ranges::count(lost, true);
  if (missing == 0) return {};
  const std::string words =
      std::to_string(missing) + " " + name + (missing == 1 ? "" : "s") + " of the first line missing";
  return std::ranges::find(added, true) == added.end() ? words : words + "; red: in their place";
}

float add_version(Drawing& d, const std::string& id, const std::string& name, Colour colour,
                  const std::vector<std::string>& words, const std::vector<std::string>& reference, float y) {
  const std::vector<bool> differs = differing(words, reference);
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "[STOP]" && !differs[i]) continue;
    const bool joined = i == 0 || words[i] == "." || words[i] == "," || words[i - 1].ends_with('\'');
    text += (joined ? "" : " ") + (differs[i] ? "**" + words[i] + "**" : words[i]);
  }
  add_heading(d, id + ".title", {d.margin(), y}, d.inner(), name, colour);
  y += 22;
  y += add_paragraph(d.figure, id, text, {d.margin(), y}, d.inner(), 13, d.colours.ink, d.colours.warning);
  if (const std::string legend = legend_of(differs, differing(reference, words), d.state.trained() ? "token" : "word");
      !legend.empty())
    y += add_paragraph(d.figure, id + ".legend", legend, {d.margin(), y}, d.inner(), 11.5F, d.colours.muted,
                       d.colours.muted);
  return y + 8;
}

float add_curves(Drawing& d, Rect area) {
  const Tensor& exact = d.trace.at("exact");
  const Matrix& length = d.trace.at("length").values;
  std::vector<double> x, with, without;
  for (int i = 0; i < exact.columns(); ++i) {
    x.push_back(static_cast<double>(length(0, i)));
    with.push_back(static_cast<double>(exact.values(0, i)));
    without.push_back(static_cast<double>(exact.values(1, i)));
  }
  const Stroke strokes[] = {{.colour = d.colours.accent, .width = 2.5F},
                            {.colour = d.colours.warning, .width = 2.5F, .dashed = true}};
  const LegendEntry entries[] = {{"with attention", strokes[0]}, {"one fixed vector", strokes[1]}};
  const float legend = add_legend(d.figure, "exact.legend", entries, {area.x, area.y}, area.w, d.view.theme) + 6;
  const Plot plot =
      add_plot(d.figure, "exact", {area.x, area.y + legend, area.w, area.h - legend},
               {.low = x.front() - 0.5, .high = x.back() + 0.5, .label = "words in the sentence"},
               {.low = 0, .high = 1, .label = "all words right", .ticks = {{0, "0"}, {0.5, "50 %"}, {1, "100 %"}}},
               d.view.theme);
  add_curve(d.figure, plot, "exact.with", x, with, strokes[0], "With attention");
  add_curve(d.figure, plot, "exact.without", x, without, strokes[1], "Without attention");
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < exact.columns(); ++i) {
      const double share = row == 0 ? with[static_cast<std::size_t>(i)] : without[static_cast<std::size_t>(i)];
      add_dot(d.figure, plot, {"exact", row, i}, x[static_cast<std::size_t>(i)], share, strokes[row].colour,
              exact.row_labels[static_cast<std::size_t>(row)] + ", " +
                  exact.column_labels[static_cast<std::size_t>(i)] + ": " + io::format_percent(share),
              3.5F);
    }
  return area.bottom();
}

}  // namespace

float draw_long(Drawing& d, float y) {
  if (d.trace.find("exact") != nullptr) {
    const float height = std::clamp(d.view.height * 0.46F, 190.F, 420.F);
    y = add_curves(d, {d.margin(), y, d.inner(), height}) + 16;
  } else if (!d.view.missing) {
    y += add_paragraph(d.figure, "exact.none", "The models’ records hold no measured curve yet.", {d.margin(), y},
                       d.inner(), 13, d.colours.muted, d.colours.ink) +
         12;
  }
  if (!d.state.trained())
    y += add_paragraph(d.figure, "long.choose",
                       "Measured on held-out sentences of the generated corpus. Below, the example by hand, which has "
                       "not learned from it.",
                       {d.margin(), y}, d.inner(), 13, d.colours.muted, d.colours.ink) +
         12;
  const Tensor *fixed = d.trace.find("fixed"), *before = d.trace.find("before");
  if (!is_translated(d.trace) || fixed == nullptr) return y;
  const std::vector<std::string> mine = written(d.trace);
  std::vector<std::string> reference = before != nullptr ? before->column_labels : mine;
  if (d.state.corpus) {
    reference = d.state.corpus->target;
    reference.emplace_back("[STOP]");
    y = add_version(d, "long.reference", "the corpus’s translation", d.colours.good, reference, reference, y);
  }
  // Once with what was set and once without, where something was.
  const bool set = d.state.edited() || d.state.gaze == Gaze::hard;
  const std::string with = d.state.translation.empty() ? "with attention" : "your translation";
  if (before != nullptr)
    y = add_version(d, "long.before", with + (set ? ", nothing set" : ", begun by the encoder"), d.colours.accent,
                    before->column_labels, reference, y);
  const std::string name = with + (set                              ? ", as set"
                                   : d.state.first == First::zero   ? ", begun with zeros"
                                   : d.state.first == First::random ? ", begun at random"
                                                                    : "");
  y = add_version(d, "long.attention", name, d.colours.accent, mine, reference, y);
  return add_version(d, "long.fixed", "one fixed vector", d.colours.warning, fixed->column_labels, reference, y);
}

}  // namespace limelight::scenes::translate
