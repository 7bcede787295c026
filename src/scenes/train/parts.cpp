#include "scenes/train/parts.h"

#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "scenes/common/chips.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

struct Button {
  Press press;
  bool apart = false;  // from those before it: it gives something up
};

std::vector<Button> buttons(const Drawing& d) {
  const Told r = d.told();
  const bool works = d.view.working >= 0 && !d.view.rests,
             done = r.diverged() || r.converged() || r.count(Column::step) >= kMostSteps;
  const std::string words = r.diverged()    ? "Diverged"
                            : r.converged() ? "Converged"
                            : done          ? "Done"
                            : works         ? "Pause"
                            : r.begun()     ? "Go on"
                                            : "Train";
  const auto command = [](const char* name, std::string text, bool can = true, bool strong = false) {
    return Press{.id = std::string("press.do.") + name,
                 .text = std::move(text),
                 .edit = can ? std::optional(Edit{"do", name}) : std::nullopt,
                 .strong = strong};
  };
  std::vector<Button> list{
      {command("job", words, !done, !done && !works)},
      {command("job_step", "One batch", !done)},
      {command("job_drop", "Start over", r.begun()), true},
      {{.id = "press.seed", .text = "Another seed", .edit = Edit{"seed", std::to_string(d.state.seed % 9999 + 1)}}}};
  if (r.diverged()) list.push_back({command("job_back", r.way_back(), true, true), true});
  return list;
}

}  // namespace

// Each has its own place, whatever the training has come to: where one was that gives nothing up, there is never one
// that does, however late it is pressed.
float add_buttons(Drawing& d, float y) {
  constexpr float gap = 8;
  const float height = d.press_height(), left = d.margin(), right = left + d.inner();
  const std::vector<Button> list = buttons(d);
  float x = left;
  for (const Button& button : list) {
    // The first is as wide as its longest word.
    const float width = press_width(&button == &list.front() ? "Converged" : button.press.text);
    const bool in_next = button.apart && d.narrow();
    if (button.apart && !in_next) x += 3 * gap;
    if (in_next || x + width > right) {
      x = left;
      y += height + gap;
    }
    add_press(d, button.press, {x, y, width, height});
    x += width + gap;
  }
  y += height + 6;
  add_words(d, "press.how", {left, y, d.inner(), 18},
            "Adam, learning rate " + brief(d.state.rate) + ", batches of " + std::to_string(d.state.batch) +
                (d.state.batch == 1 ? " pair" : " pairs") + ", seed " + std::to_string(d.state.seed),
            {d.colours.muted});
  y += 18;
  // What it has come to, in numbers.
  const Told r = d.told();
  if (!r.begun()) return y;
  const int model = model_of(d.state);
  struct Fact {
    int column;
    std::string words;
  };
  std::vector<Fact> facts{{Column::step, "batch " + std::to_string(r.count(Column::step))},
                          {Column::seconds, brief(r.run(Column::seconds), 2) + " s of computing, measured"},
                          r.diverged() ? Fact{Column::rose_to, "stopped, loss " + r.rose_to(model)}
                                       : Fact{Column::loss, "loss " + brief(r.run(Column::loss))}};
  if (r.run(Column::held_out) >= 0)
    facts.push_back({Column::held_out, "held out " + percent(r.run(Column::held_out)) + " right, at batch " +
                                           std::to_string(r.count(Column::look_step))});
  y += 2;
  x = left;
  for (const Fact& fact : facts) {
    const float width = text::measure(text::Face::mono, 12, fact.words);
    if (x > left && x + width > right) {
      x = left;
      y += 20;
    }
    const Source source{"run", model, fact.column};
    x += add_number(d, source, {x, y}, fact.words, d.colours.muted) + 16;
  }
  return y + 18;
}

float add_input(Drawing& d, float y) {
  return add_text_input(d,
                        {.field = "input",
                         .name = "it reads",
                         .label = "Your own input",
                         .text = d.state.input,
                         .hint = d.narrow() ? "a held-out example; type your own"
                                            : "an example that is held out of the training; type one of your own",
                         .ink = d.colours.input},
                        {d.margin(), y, d.inner(), d.press_height()});
}

float add_switch(Drawing& d, float y) {
  const std::vector<ChipGroup> groups{
      {"attention", "train", {{"with attention", "on", d.state.attention}, {"without", "off", !d.state.attention}}}};
  return add_chips(d, groups, y, d.press_height());
}

namespace {

constexpr float kStrip = 64;  // of the names before letters

// As wide as there is room for; what is too long for one line goes on in the next.
float letter_width(float width, int count) {
  return std::clamp((width - kStrip) / static_cast<float>(std::max(count, 1)), 12.F, 28.F);
}

void add_stop(Drawing& d, const std::string& id, Rect cell, Colour colour) {
  const float side = std::min({7.F, cell.w * 0.5F, cell.h * 0.5F});
  d.figure.add({.id = id,
                .rect = {cell.x + (cell.w - side) / 2, cell.y + (cell.h - side) / 2, side, side},
                .shape = Rectangle{.fill = colour, .radius = 1}});
}

// A letter in a cell, or the sign for the stop.
void add_letter(Drawing& d, const std::string& id, Rect cell, const std::string& letter, Colour colour, float most) {
  if (letter == "[STOP]") return add_stop(d, id, cell, colour);
  const float size = std::min(most, cell.w * 1.5F);
  if (size < 5) return;
  d.figure.add(
      {.id = id,
       .rect = cell,
       .shape = Text{
           .text = shown(letter), .face = text::Face::mono, .size = size, .colour = colour, .align = Align::centre}});
}

struct Strip {
  std::string id, title;
  std::vector<std::string> letters;
  Colour colour{};
  std::string_view tensor{};  // whose columns the letters are; none: not to be pointed at
  std::vector<bool> wrong{};
  bool pick = false;
};

float add_strip(Drawing& d, const Strip& strip, Point at, float width, int room) {
  const float cell_w = letter_width(width, room), cell_h = strip.pick ? std::max(28.F, d.press_height()) : 28;
  add_words(d, strip.id + ".name", {at.x, at.y, kStrip - 8, cell_h}, strip.title, {d.colours.muted});
  const int in_line = std::max(1, static_cast<int>((width - kStrip + 0.01F) / cell_w));
  for (std::size_t i = 0; i < strip.letters.size(); ++i) {
    const int line = static_cast<int>(i) / in_line, place = static_cast<int>(i) % in_line;
    const Rect cell{at.x + kStrip + cell_w * static_cast<float>(place), at.y + cell_h * static_cast<float>(line),
                    cell_w, cell_h};
    const bool wrong = i < strip.wrong.size() && strip.wrong[i];
    const bool chosen = strip.pick && static_cast<int>(i) == d.told().row();
    const std::string id = strip.id + "." + std::to_string(i);
    Element box{.id = id + ".box",
                .rect = cell.inset(std::min(1.F, cell_w * 0.1F)),
                .shape = Rectangle{.fill = wrong ? d.colours.warning.faded(0.22F) : strip.colour.faded(0.16F),
                                   .stroke = chosen ? d.colours.accent : Colour{0, 0, 0, 0},
                                   .stroke_width = 2,
                                   .radius = 4}};
    if (strip.pick) {
      box.role = Role::button;
      box.label = "look at output " + std::to_string(i + 1) + ", " + strip.letters[i];
      box.edit = Edit{.field = "letter", .value = std::to_string(i + 1)};
    } else if (!strip.tensor.empty()) {
      const Source source{std::string(strip.tensor), 0, static_cast<int>(i)};
      box.id = cell_id(source);
      box.role = Role::cell;
      box.label = strip.letters[i] + (wrong ? ", wrong" : "");
      box.source = source;
    }
    d.figure.add(std::move(box));
    add_letter(d, id, cell, strip.letters[i], wrong ? on_tint(d.colours, d.colours.warning) : d.colours.ink, 15);
    // A wrong letter is told by more than its colour.
    if (wrong)
      d.figure.add({.id = id + ".wrong",
                    .shape = Line{.points = {{cell.x + 3, cell.bottom() - 3}, {cell.right() - 3, cell.bottom() - 3}},
                                  .colour = d.colours.warning,
                                  .width = 2}});
  }
  const auto lines = (strip.letters.size() + static_cast<std::size_t>(in_line) - 1) / static_cast<std::size_t>(in_line);
  return at.y + cell_h * static_cast<float>(std::max<std::size_t>(lines, 1));
}

}  // namespace

float add_letters(Drawing& d, const Letters& letters, Point at, float width) {
  const std::vector<std::string>& all = d.trace.at(letters.tensor).column_labels;
  return add_strip(d,
                   {.id = std::string(letters.tensor),
                    .title = letters.title,
                    .letters = all,
                    .colour = letters.colour,
                    .tensor = letters.tensor},
                   at, width, static_cast<int>(std::max(all.size(), d.told().source().size())));
}

float add_output(Drawing& d, Point at, float width, bool pick) {
  const Told r = d.told();
  int room = std::max(r.rows(), static_cast<int>(r.source().size()));
  if (r.known()) room = std::max(room, d.trace.at("target").columns() + 1);
  Strip strip{.id = "written",
              .title = "it writes",
              .letters = r.written(),
              .colour = d.colours.output,
              .tensor = r.known() ? "right" : "",
              .pick = pick};
  if (r.known())
    for (int i = 0; i < r.rows(); ++i) strip.wrong.push_back(!r.right(i));
  float y = add_strip(d, strip, at, width, room);
  if (!r.known()) return y;
  return add_strip(d,
                   {.id = "truth",
                    .title = "truth",
                    .letters = d.trace.at("target").column_labels,
                    .colour = d.colours.good,
                    .tensor = "target"},
                   {at.x, y + 2}, width, room);
}

float add_heatmap(Drawing& d, Rect area, int row) {
  const Told r = d.told();
  if (!d.state.attention) {
    const int size = d.trace.at("context").columns();
    add_subtitle(d, "context.title", {area.x, area.y}, area.w,
                 "one vector for the whole source, 1×" + std::to_string(size));
    const Rect cells{area.x, area.y + kTitleHeight, area.w, 40};
    d.figure.add({.id = "context",
                  .role = Role::cell,
                  .rect = cells,
                  .label = "context 1×" + std::to_string(size),
                  .shape = Heatmap{.range = {"context", 0, 0, 1, size},
                                   .map = ColourMap::diverging,
                                   .low = -1,
                                   .gap = 0,
                                   .theme = d.view.theme}});
    return cells.bottom() + 8 +
           add_paragraph(d.figure, "context.note",
                         "All that the decoder gets of the source, at every letter. There are no weights to look at: "
                         "with **attention**, each letter gets a mixture of its own.",
                         {area.x, cells.bottom() + 8}, area.w, 12, d.colours.muted, d.colours.ink);
  }
  const int rows = r.rows(), columns = static_cast<int>(r.source().size());
  add_subtitle(d, "weights.title", {area.x, area.y}, area.w,
               "weights " + std::to_string(rows) + "×" + std::to_string(columns) + ", output × source, ■ is the end");
  constexpr float left = 22, top = 20, bar = 46;
  const float cell = std::clamp(std::min((area.w - left - bar) / static_cast<float>(columns),
                                         (area.h - kTitleHeight - top) / static_cast<float>(rows)),
                                1.F, 34.F);
  const Rect cells{area.x + left, area.y + kTitleHeight + top, cell * static_cast<float>(columns),
                   cell * static_cast<float>(rows)};
  for (int j = 0; j < columns; ++j)
    add_letter(d, "weights.source." + std::to_string(j),
               {cells.x + cell * static_cast<float>(j), cells.y - top, cell, top},
               r.source()[static_cast<std::size_t>(j)], d.colours.input, 13);
  for (int i = 0; i < rows; ++i) {
    const bool wrong = r.known() && !r.right(i);
    add_letter(d, "weights.output." + std::to_string(i),
               {area.x, cells.y + cell * static_cast<float>(i), std::min(left, std::max(cell, 8.F)), cell},
               r.written()[static_cast<std::size_t>(i)], wrong ? d.colours.warning : d.colours.output, 13);
  }
  d.figure.add({.id = "weights",
                .role = Role::cell,
                .rect = cells,
                .label = "weights " + std::to_string(rows) + "×" + std::to_string(columns),
                .shape = Heatmap{
                    .range = {"weights", 0, 0, rows, columns}, .gap = cell >= 10 ? 1.F : 0.F, .theme = d.view.theme}});
  d.figure.add({.id = "weights.bar",
                .rect = {cells.right() + 12, cells.y, kColourBarSize, std::min(cells.h, 140.F)},
                .shape = ColourBar{.ink = d.colours.muted, .theme = d.view.theme}});
  if (row >= 0) add_outline(d.figure, "weights", row, -1, d.colours.accent);
  return cells.bottom();
}

float add_part_table(Drawing& d, Point at, float width) {
  const Tensor& parts = d.trace.at("parts");
  add_subtitle(d, "parts.title", at, width, "what is learned");
  float y = at.y + kTitleHeight;
  for (int i = 0; i < parts.rows(); ++i) {
    if (parts.values(i, 0) == 0) continue;
    const bool all = i == parts.rows() - 1;
    const std::string words = io::format_short(static_cast<double>(parts.values(i, 0)), 6);
    const float number = text::measure(text::Face::mono, 12, words);
    if (all)
      d.figure.add({.id = "parts.line",
                    .shape = Line{.points = {{at.x, y + 1}, {at.x + width, y + 1}}, .colour = d.colours.hairline}});
    add_words(d, "parts." + std::to_string(i), {at.x, y + 3, width - number - 12, 18},
              all ? "weights in all" : parts.row_labels[static_cast<std::size_t>(i)],
              {all ? d.colours.ink : d.colours.muted, all ? type::name : type::label});
    add_number(d, {"parts", i, 0}, {at.x + width - number, y + 3}, words, d.colours.ink,
               "parts.count." + std::to_string(i));
    y += 23;
  }
  return y;
}

float add_weights_of(Drawing& d, Rect area) {
  const Told r = d.told();
  const int row = r.row();
  const std::string title =
      "output " + std::to_string(row + 1) + ", “" + shown(r.written()[static_cast<std::size_t>(row)]) + "”: ";
  if (!d.state.attention) {
    add_subtitle(d, "of.title", {area.x, area.y}, area.w, title + "no weights");
    return area.y + kTitleHeight +
           add_paragraph(d.figure, "of.note",
                         "The decoder looks nowhere: it gets the same vector at every letter, and its own state.",
                         {area.x, area.y + kTitleHeight}, area.w, 12, d.colours.muted, d.colours.ink);
  }
  const int columns = static_cast<int>(r.source().size());
  add_subtitle(d, "of.title", {area.x, area.y}, area.w, title + "score e, weight a");
  constexpr float letter = 24, score = 58, share = 66;
  const float pitch = std::clamp((area.h - kTitleHeight) / static_cast<float>(columns), 12.F, 24.F);
  const float x = area.x + letter + score + 8, most = std::max(20.F, area.w - letter - score - share - 8);
  for (int j = 0; j < columns; ++j) {
    const float y = area.y + kTitleHeight + pitch * static_cast<float>(j);
    const double weight = r.at("weights", row, j);
    const std::string id = "of." + std::to_string(j);
    add_letter(d, id, {area.x, y, 18, pitch}, r.source()[static_cast<std::size_t>(j)], d.colours.input, 13);
    const float size = std::min(12.F, pitch);
    const auto number = [&](const Source& source, float at, const std::string& words, Colour colour, Align align,
                            float width) {
      d.figure.add(
          {.id = id + "." + source.tensor,
           .role = Role::cell,
           .rect = {at, y, width, pitch},
           .label = words,
           .source = source,
           .shape = Text{.text = words, .face = text::Face::mono, .size = size, .colour = colour, .align = align}});
    };
    number({"scores", row, j}, area.x + letter, io::format_fixed(r.at("scores", row, j), 2), d.colours.muted,
           Align::right, score - 4);
    const float length = std::max(1.F, most * static_cast<float>(weight));
    d.figure.add({.id = id + ".bar",
                  .rect = {x, y + pitch * 0.18F, length, pitch * 0.64F},
                  .shape = Rectangle{.fill = sample(ColourMap::viridis, static_cast<float>(weight), d.view.theme),
                                     .stroke = d.colours.muted.faded(0.6F),
                                     .radius = 2}});
    number({"weights", row, j}, x + length + 6, percent(weight), d.colours.ink, Align::left, share - 8);
  }
  return area.y + kTitleHeight + pitch * static_cast<float>(columns);
}

float add_likeliest(Drawing& d, Point at, float width) {
  const Told r = d.told();
  const int row = r.row();
  add_subtitle(d, "likeliest.title", at, width, "what it takes for likely here");
  float y = at.y + kTitleHeight;
  constexpr float name = 62, share = 66;
  const auto& vocabulary = d.trace.at("probabilities").column_labels;
  for (const int word : r.likeliest(row, 5)) {
    const double p = r.at("probabilities", row, word);
    add_words(d, "likeliest." + std::to_string(word), {at.x, y, name - 6, 22},
              shown(vocabulary[static_cast<std::size_t>(word)]), {d.colours.ink, {text::Face::mono, 13}});
    const float length = std::max(1.F, (width - name - share) * static_cast<float>(p));
    d.figure.add({.id = "likeliest.bar." + std::to_string(word),
                  .rect = {at.x + name, y + 4, length, 14},
                  .shape = Rectangle{.fill = d.colours.output.faded(0.75F), .radius = 2}});
    add_number(d, {"probabilities", row, word}, {at.x + name + length + 6, y + 2}, percent(p), d.colours.ink,
               "likeliest.share." + std::to_string(word));
    y += 22;
  }
  return y;
}

}  // namespace limelight::scenes::train
