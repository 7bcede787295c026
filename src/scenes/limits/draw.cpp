#include <algorithm>
#include <cmath>
#include <optional>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/limits/steps.h"

namespace limelight::scenes::limits {
namespace {

constexpr float kAir = 1.12F;  // above the highest column

std::vector<Fact> spread_facts(const Drawing& d) {
  const auto n = static_cast<double>(d.keys.size());
  return {{{"spread", 0, Spread::effective},
           "effective keys " + fixed(d.value("spread", 0, Spread::effective), 2) + " of " + brief(n),
           d.colours.accent},
          {{"spread", 0, Spread::entropy},
           "entropy " + fixed(d.value("spread", 0, Spread::entropy), 2) + " of at most " + fixed(std::log(n), 2),
           d.colours.muted},
          {{"spread", 0, Spread::largest},
           "largest weight " + fixed(d.value("spread", 0, Spread::largest), 3),
           d.colours.muted}};
}

// A measure at every temperature, and where this one stands.
void add_course(Drawing& d, int measure, Rect area, const std::string& title, double high) {
  std::vector<double> x, y;
  for (int i = 0; i < kCourse; ++i) {
    x.push_back(kTemperatures.low *
                std::pow(kTemperatures.high / kTemperatures.low, static_cast<double>(i) / (kCourse - 1)));
    y.push_back(d.value("course", measure, i));
  }
  const std::string id = "course." + std::to_string(measure);
  add_subtitle(d, id + ".title", {area.x, area.y}, area.w, title);
  const Axis across{.low = kTemperatures.low,
                    .high = kTemperatures.high,
                    .logarithmic = true,
                    .label = "temperature",
                    .ticks = {{0.1, "0.1"}, {1, "1"}, {10, "10"}}};
  const Plot plot =
      add_plot(d.figure, id, {area.x, area.y + 24, area.w, area.h - 24}, across,
               {.low = 0, .high = high, .label = measure == Spread::effective ? "keys" : "weight"}, d.view.theme);
  add_rule_x(d.figure, plot, id + ".now", d.state.temperature, {.colour = d.colours.faint, .width = 1, .dashed = true},
             "");
  add_curve(d.figure, plot, id + ".curve", x, y, {.colour = d.colours.accent}, title);
  for (int i = 0; i < kCourse; i += 2)
    add_dot(d.figure, plot, {"course", measure, i}, x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)],
            d.colours.accent,
            "temperature " + brief(x[static_cast<std::size_t>(i)]) + ": " + brief(y[static_cast<std::size_t>(i)]), 2);
  const Point now = plot.at(d.state.temperature, d.value("spread", 0, measure));
  d.figure.add({.id = id + ".dot",
                .rect = {now.x - 5, now.y - 5, 10, 10},
                .shape = Rectangle{.fill = d.colours.accent, .stroke = d.colours.paper, .radius = 5}});
}

// The same with what moves first: the slider, the weights and one curve are seen at once.
float draw_spread_shallow(Drawing& d, float y, float bottom) {
  y = add_controls(d, "temperature", y, "collapsed", "diffuse") + 6;
  const bool beside = !d.narrow();
  const float left = beside ? (d.inner() - kGap) * 0.56F : d.inner(), h = std::max(bottom - y, 106.F);
  add_columns_of(d, "plot.a", "a", 0, {d.margin(), y, left, h},
                 {.title = "weights a at temperature " + brief(d.state.temperature)});
  const float said = add_facts(d, spread_facts(d), {d.margin(), y + h + 4}, left);
  const float scores =
      add_row_of(d, "E", d.state.query, {d.margin(), said + 12, left, 0}, "scores, before the softmax", true);
  const auto n = static_cast<double>(d.keys.size());
  if (!beside) {
    add_course(d, Spread::effective, {d.margin(), scores + 16, left, 180}, "effective number of keys", n);
    return scores + 196;
  }
  const float x = d.margin() + left + kGap, w = d.inner() - left - kGap;
  const float course = std::max(h, 120.F), second = y + course + 16;
  add_course(d, Spread::effective, {x, y, w, course}, "effective number of keys", n);
  add_course(d, Spread::largest, {x, second, w, course}, "largest weight", 1);
  return std::max(scores, second + course);
}

Panel panel(std::string_view tensor, std::string_view title, Colour colour, std::string caption = "") {
  return {.tensor = std::string(tensor), .title = std::string(title), .colour = colour, .caption = std::move(caption)};
}

struct Plots {
  const char* id;
  const char* tensor;
  int row;
  ColumnsLook how;
};

// In a low window both plots stand side by side, or the one that the slider changes stands first; the rest below.
float add_halves_shallow(Drawing& d, float y, float bottom, std::vector<Plots> plots, const std::vector<PanelRow>& rows,
                         const std::vector<Fact>& facts) {
  const bool beside = !d.narrow();
  const float width = beside ? (d.inner() - kGap) / 2 : d.inner(), height = std::max(bottom - y, 106.F);
  if (!beside) std::ranges::reverse(plots);
  float x = d.margin(), end = y;
  for (const Plots& plot : plots) {
    const float extra = plot.how.pick && d.view.compact() ? 28 : 0;
    add_columns_of(d, plot.id, plot.tensor, plot.row, {x, y, width, height + extra}, plot.how);
    end = y + height + extra + 12;
    if (beside)
      x += width + kGap;
    else
      y = end;
  }
  if (!facts.empty()) end = add_facts(d, facts, {d.margin(), end}, d.inner()) + 12;
  PanelRow all;
  for (const PanelRow& row : rows) all.insert(all.end(), row.begin(), row.end());
  return add_panels(d.figure, d.trace, {all}, {d.margin(), end, d.inner(), 420},
                    {.theme = d.view.theme, .narrow = true, .sink = 0});
}

// Two plots below each other at the left, panels at the right; all below each other where it is narrow. The second
// plot's keys are there to be chosen.
float add_halves(Drawing& d, float y, float bottom, const std::vector<Plots>& plots, std::vector<PanelRow> rows,
                 const std::vector<Fact>& facts) {
  if (d.shallow()) return add_halves_shallow(d, y, bottom, plots, rows, facts);
  const bool beside = !d.narrow();
  const float left = beside ? (d.inner() - kGap) * 0.5F : d.inner();
  const float height = beside ? std::max((bottom - y - 16) / 2, 130.F) : 164;
  float top = y;
  for (const Plots& plot : plots) {
    const float extra = plot.how.pick && d.view.compact() ? 28 : 0;
    add_columns_of(d, plot.id, plot.tensor, plot.row, {d.margin(), top, left, height + extra}, plot.how);
    top += height + extra + 12;
  }
  const float x = beside ? d.margin() + left + kGap : d.margin(), w = d.margin() + d.inner() - x;
  if (!beside) {
    y = (facts.empty() ? top : add_facts(d, facts, {x, top}, w)) + 12;
    std::ranges::reverse(rows);  // the outputs are what it is about
  }
  const float room = facts.empty() ? 0 : d.low() ? 52 : 66;
  const float panels = add_panels(d.figure, d.trace, rows, {x, y, w, beside ? bottom - y - room : 420},
                                  {.theme = d.view.theme, .narrow = !beside, .sink = 0});
  float said = panels;
  // Under the middle of the panels, as these stand.
  for (const Fact& fact : beside ? facts : std::vector<Fact>{}) {
    const float needed = text::measure(text::Face::semibold, 13, fact.words);
    said = add_facts(d, {fact}, {x + (w - needed) / 2, said + (said == panels ? 10 : 0)}, needed);
  }
  return std::max(top - 12, said);
}

Panel values_panel(const Drawing& d, std::string_view tensor, std::string_view title, std::string caption) {
  Panel made = panel(tensor, title, d.colours.value, std::move(caption));
  made.column_labels = true;
  made.editable = tensor == "V";
  if (d.low()) made.caption.clear();
  return made;
}

Panel without_rows(Panel made) {
  made.row_labels = false;
  return made;
}

// Both outputs, one below the other.
Panel outputs_panel(const Drawing& d, std::string_view tensor, std::string_view title) {
  return panel(tensor, title, d.colours.output);
}

// Where the changed key's column ended before, over the column of what it adds now.
void add_before(Drawing& d) {
  const Element* column = d.figure.find(cell_id({"contribution", 1, d.key}));
  const float high = d.values("contribution").maxCoeff() * kAir;
  if (column == nullptr || high <= 0 || d.state.factor == 1) return;
  const Rect frame = column->rect;
  const float at = frame.bottom() - frame.h * d.values("contribution")(0, d.key) / high;
  d.figure.add({.id = "before",
                .shape = Line{.points = {{frame.x + 2, at}, {frame.right() - 2, at}},
                              .colour = d.colours.value,
                              .width = 1.5F,
                              .dashed = true}});
  add_words(d, "before.text", {frame.x - 20, at - 15, frame.w + 40, 14}, "before",
            {d.colours.value, type::caption, Align::centre});
}

// A verdict in a card with a coloured edge. Returns its bottom.
float add_card(Drawing& d, const std::string& id, Rect area, const std::string& title, const std::string& text,
               Colour colour) {
  d.figure.add({.id = id + ".edge", .shape = Rectangle{}});
  const std::size_t edge = d.figure.elements.size() - 1;
  add_words(d, id + ".title", {area.x + 14, area.y, area.w - 14, 18}, title, {colour, type::subtitle});
  const float height =
      22 + add_paragraph(d.figure, id, text, {area.x + 14, area.y + 22}, area.w - 14, 13, d.colours.ink, colour, 1.4F);
  d.figure.elements[edge].rect = {area.x, area.y, 3, height};
  d.figure.elements[edge].shape = Rectangle{.fill = colour, .radius = 1.5F};
  return area.y + height;
}

// What is pointed at, wherever the figure shows it.
void add_focus(Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.cell(focus->tensor, focus->row, focus->column) == nullptr) return;
  add_outline(d.figure, focus->tensor, focus->row, focus->column, d.colours.ink);
  for (const Element& element : d.figure.elements)
    if (element.source == focus) {
      const Rect rect = element.rect;
      add_ring(d.figure, "focus", {rect.x - 2, rect.y, rect.w + 4, rect.h}, d.colours.ink, 1.5F);
      return;
    }
}

}  // namespace

float draw_spread(Drawing& d, float y, float bottom) {
  if (d.shallow()) return draw_spread_shallow(d, y, bottom);
  y = add_queries(d, y);
  const bool beside = !d.narrow();
  const float left = beside ? (d.inner() - kGap) * 0.56F : d.inner();
  const float scores = add_row_of(d, "E", d.state.query, {d.margin(), y, left, 0}, "scores, before the softmax", true);
  const float slider = add_slider(d, "temperature", {d.margin(), scores + 10, left, 0}, "collapsed", "diffuse") + 6;
  const float facts = beside ? 46 : 66;
  const float columns = beside ? std::max(bottom - slider - facts, 130.F) : 230;
  add_columns_of(d, "plot.a", "a", 0, {d.margin(), slider, left, columns},
                 {.title = "weights a at temperature " + brief(d.state.temperature)});
  const float said = add_facts(d, spread_facts(d), {d.margin(), slider + columns + 4}, left);
  const auto n = static_cast<double>(d.keys.size());
  if (!beside) {
    add_course(d, Spread::effective, {d.margin(), said + 16, d.inner(), 220}, "effective number of keys", n);
    return said + 236;
  }
  const float x = d.margin() + left + kGap, w = d.inner() - left - kGap, h = (bottom - y - 16) / 2;
  add_course(d, Spread::effective, {x, y, w, h}, "effective number of keys", n);
  add_course(d, Spread::largest, {x, y + h + 16, w, h}, "largest weight", 1);
  return std::max(said, y + 2 * h + 16);
}

float draw_sum(Drawing& d, float y, float bottom) {
  const std::string divided = d.state.temperature == 1 ? "" : "÷ " + brief(d.state.temperature) + ", ";
  const auto add_scores = [&](float top) {
    return add_row_of(
        d, "raised", 0, {d.margin(), top, d.inner(), 0},
        "scores " + divided + (d.state.raise < 0 ? "− " : "+ ") + brief(std::abs(d.state.raise)) + ", the same for all",
        false);
  };
  if (d.shallow()) {
    y = add_controls(d, "raise", y, "lower all", "raise all") + 6;
  } else {
    y = add_scores(add_queries(d, y));
    y = add_slider(d, "raise", {d.margin(), y + 10, std::min(d.inner(), 460.F), 0}, "lower all", "raise all") + 12;
  }
  const bool beside = !d.narrow();
  const float width = beside ? (d.inner() - kGap) / 2 : d.inner();
  const float height = d.shallow() ? std::max(bottom - y, 106.F) : beside ? std::max(bottom - y - 28, 150.F) : 220;
  float last = y;
  for (int i = 0; i < 2; ++i) {
    const float x = d.margin() + (beside && i == 1 ? width + kGap : 0), top = beside || i == 0 ? y : last + 20;
    const std::string tensor = i == 0 ? "softmax_raised" : "sigmoid";
    add_columns_of(d, "plot." + tensor, tensor, 0, {x, top, width, height},
                   {.title = i == 0 ? "softmax: they share 1" : "a sigmoid for each: nothing is shared"});
    last = add_facts(d,
                     {{{"raised_sums", i, 0},
                       "sum " + fixed(d.value("raised_sums", i, 0), 3),
                       i == 0 ? d.colours.good : d.colours.warning},
                      {{"raised_sums", i, 1}, "mean " + fixed(d.value("raised_sums", i, 1), 3), d.colours.muted}},
                     {x, top + height + 4}, width);
  }
  return d.shallow() ? add_scores(last + 12) : last;
}

float draw_weights(Drawing& d, float y, float bottom) {
  const std::string name = without_marks(said_key(d.state, d.key));
  const bool brief_ends = d.narrow() || d.low();
  y = add_controls(d, "move", y, "more for " + name, brief_ends ? "less" : "less for " + name) +
      (d.shallow() ? 6.F : 12.F);
  const double apart = d.value("apart");
  std::vector<Fact> facts{
      {{"moved", 0, 0},
       io::format_percent(d.value("moved")) + " of the weight moved",
       d.value("moved") > 1e-6 ? d.colours.accent : d.colours.muted},
      {{"apart", 0, 0}, "y and y′ differ by " + (apart == 0 ? "0" : brief(apart) + ", rounding"), d.colours.good}};
  if (!d.low())
    facts.push_back({{"freedom", 0, 0},
                     brief(d.value("freedom")) + (d.value("freedom") == 1 ? " free direction leaves y as it is"
                                                                          : " free directions leave y as it is"),
                     d.colours.muted});
  const std::vector<PanelRow> rows{{values_panel(d, "V", "V", "keys × values")},
                                   {outputs_panel(d, "outputs", "y = y′")}};
  const float end = add_halves(d, y, bottom,
                               {{"plot.a", "a", 0, {.title = "weights a"}},
                                {"plot.a_other", "a_other", 0, {.title = "other weights a′", .pick = true}}},
                               rows, facts);
  add_outline(d.figure, "V", d.key, -1, d.colours.accent);
  return end;
}

float draw_values(Drawing& d, float y, float bottom) {
  const std::string name = without_marks(said_key(d.state, d.key));
  y = add_controls(d, "factor", y, "value of " + name + ": × −2", "× 3") + (d.shallow() ? 6.F : 12.F);
  const double most = static_cast<double>(d.values("contribution").maxCoeff() * kAir);
  const bool split = d.narrow() || d.values("V").cols() > 2;
  std::vector<PanelRow> rows{{values_panel(d, "V", "V", "as it was")},
                             {values_panel(d, "V_other", "V′", "one value × " + brief(d.state.factor))},
                             {outputs_panel(d, "outputs_changed", d.state.factor == 1 ? "y = y′" : "y ≠ y′")}};
  if (!split) {
    rows[0].push_back(Joint{.sign = "→"});
    rows[0].push_back(without_rows(std::get<Panel>(rows[1][0])));
    rows.erase(rows.begin() + 1);
  } else {
    rows.erase(rows.begin());  // the other one is what the output is made of
  }
  const float end = add_halves(d, y, bottom,
                               {{"plot.a", "a", 0, {.title = "the same weights a"}},
                                {"plot.contribution",
                                 "contribution",
                                 1,
                                 {.title = "what each adds, a × |value|",
                                  .fill = d.colours.value,
                                  .weights = false,
                                  .pick = true,
                                  .high = std::max(most, 1e-3),
                                  .quantity = "length"}}},
                               rows, {});
  add_before(d);
  add_outline(d.figure, "V_other", d.key, -1, d.colours.accent);
  add_outline(d.figure, "V", d.key, -1, d.colours.accent);
  return end;
}

float draw_axis(Drawing& d, float y, float bottom) {
  // Titles, names and gaps take 110 px of a table, what is said of it 70; A, its sum and Y are as many rows of cells.
  const auto rows = static_cast<float>(2 * d.trace.at("A").rows() + 1);
  if (sums_beside(d)) {
    const float width = (d.inner() - 28) / 2,
                cell_h = std::clamp((bottom - y - (d.low() ? 116 : 180)) / rows, 22.F, 54.F);
    const float right = add_sums(d, "", {d.margin(), y, width, 0}, cell_h);
    return std::max(right, add_sums(d, "_wrong", {d.margin() + width + 28, y, width, 0}, cell_h));
  }
  const float cell_h = d.low() ? 24 : 30;
  y = add_sums(d, "", {d.margin(), y, d.inner(), 0}, cell_h) + 32;
  return add_sums(d, "_wrong", {d.margin(), y, d.inner(), 0}, cell_h);
}

float draw_claims(Drawing& d, float y, float bottom) {
  const Verdict verdict = judge(d.state, d.trace);
  const auto add_choice = [&](float top) {
    return add_choices(d, chips_of("claim", "claim", kClaims, static_cast<int>(d.state.claim)), top) + 12;
  };
  const auto add_claim = [&](float top) {
    if (!d.low() && !d.shallow()) {
      add_words(d, "claim.who", {d.margin(), top, d.inner(), 16}, verdict.who, {d.colours.muted});
      top += 18;
    }
    return top + 10 +
           add_paragraph(d.figure, "claim.words", "**" + verdict.claim + "**", {d.margin(), top}, d.inner(), 16,
                         d.colours.ink, d.colours.ink, 1.35F);
  };
  // In a low window the experiment comes as soon as it is clear which claim it tests.
  if (!d.shallow())
    y = add_claim(add_choice(y));
  else
    y = d.narrow() ? add_claim(y) : add_choice(y) - 6;
  const bool beside = !d.narrow();
  const float width = beside ? (d.inner() - kGap) / 2 : d.inner();
  // How high the verdicts will be.
  Figure trial;
  float card = 0;
  for (const std::string& text : {verdict.right, verdict.simplified})
    card = std::max(card, 22 + add_paragraph(trial, "trial", text, {}, width - 14, 13, {}, {}, 1.4F));
  const float height = d.shallow() ? std::max(bottom - y, 106.F) + 24
                       : beside    ? std::max(bottom - y - card - 20, 180.F)
                                   : 260;
  y = add_experiment(d, {d.margin(), y, d.inner(), height}) + 20;
  if (d.shallow()) y = d.narrow() ? add_choice(y) : add_claim(y);
  if (beside) y = std::max(y, bottom - card);
  const float right = add_card(d, "right", {d.margin(), y, width, 0}, "What is right", verdict.right, d.colours.good);
  const float x = beside ? d.margin() + width + kGap : d.margin();
  return std::max(right, add_card(d, "simplified", {x, beside ? y : right + 16, width, 0}, "What is simplified",
                                  verdict.simplified, d.colours.warning));
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, key_names(state), chosen_key(state, trace)};
  float bottom = row_at(view.place).draw(d, 10, view.height - 14);
  add_focus(d);
  for (const Element& element : d.figure.elements) bottom = std::max(bottom, element.rect.bottom());
  d.figure.height = bottom + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::limits
