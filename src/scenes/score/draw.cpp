#include <algorithm>
#include <array>

#include "figure/grid.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/score/steps.h"

namespace limelight::scenes::score {
namespace {

float height_left(const Drawing& d, float y, float least) { return std::max(d.view.height - y - 16, least); }

// ---- arrows ----

// q·k = |q| |k| cos θ, and the same with the numbers of the key that is looked at.
Formula law(const Drawing& d, bool numbers) {
  const Colour query = d.colours.query, key = d.colours.key;
  if (!numbers)
    return row({coloured(symbol("q"), query), operation("·"), coloured(symbol("k"), key), operation("="), word("|"),
                coloured(symbol("q"), query), word("|"), operation("·"), word("|"), coloured(symbol("k"), key),
                word("|"), operation("·"), word("cos"), symbol("θ")});
  const auto value = [&](const char* tensor, int i, int j, int decimals) {
    return number(io::format_fixed(static_cast<double>(d.values(tensor)(i, j)), decimals));
  };
  const Formula cosine = has_angle(d.trace, d.key) ? value("scores", 2, d.key, 3) : word("–");
  const bool negative = d.values("scores")(2, d.key) < 0;
  return row({value("scores", 0, d.key, 2), operation("="), coloured(value("length", 0, 0, 2), query), operation("·"),
              coloured(value("lengths", 0, d.key, 2), key), operation("·"), negative ? parenthesised(cosine) : cosine});
}

float add_law(Drawing& d, Point at, float width) {
  d.figure.add({.id = "law",
                .rect = {at.x, at.y, width, 26},
                .label = "The dot product is the product of both lengths and the cosine of the angle.",
                .shape = FormulaBox{.formula = law(d, false), .size = 17, .colour = d.colours.ink}});
  d.figure.add({.id = "law.numbers",
                .rect = {at.x, at.y + 28, width, 24},
                .label = figure::plain(law(d, true)),
                .shape = FormulaBox{.formula = law(d, true), .size = 14, .colour = d.colours.ink}});
  return 56;
}

// Who wins by which measure, as bars.
float add_contest(Drawing& d, Rect area) {
  const bool beside = area.w >= 480;
  const float width = beside ? (area.w - 24) / 2 : area.w;
  const float height = 22 + 22 * kKeys;
  const struct {
    const char* id;
    const char* title;
    const char* tensor;
    int row;
  } groups[] = {{"contest.dot", "dot product, with the lengths", "scores", 0},
                {"contest.cosine", "cosine, the angle alone", "scores", 2}};
  float x = area.x, y = area.y;
  for (const auto& group : groups) {
    add_words(d, std::string(group.id) + ".title", {x, y, width, 18}, group.title, {d.colours.ink, type::name});
    add_key_bars(d, group.id, group.tensor, group.row, {x, y + 22, width, 22 * kKeys},
                 {.fill = d.colours.score_fill, .again = ".again"});
    beside ? x += width + 24 : y += height + 10;
  }
  return beside ? height : 2 * height + 10;
}

// ---- scores ----

struct Cells {
  std::string_view tensor;  // empty: none
  bool typed = true;
};
struct Card {
  std::string_view id;
  std::string_view name;
  std::array<Cells, 3> cells{};
  std::string_view otherwise{};  // where there are no cells
};
constexpr std::array kCards = {
    Card{.id = "dot", .name = "dot", .otherwise = "no parameters"},
    Card{.id = "scaled", .name = "scaled dot", .otherwise = "no parameters; d = 2 numbers"},
    Card{.id = "cosine", .name = "cosine", .otherwise = "no parameters"},
    Card{.id = "general", .name = "general", .cells = {{{"W"}, {"qW", false}}}},
    Card{.id = "additive", .name = "additive", .cells = {{{"W_q"}, {"W_k"}, {"v_a"}}}},
};

Formula score_formula(const Drawing& d, Scorer scorer) {
  const Formula q = coloured(symbol("q"), d.colours.query), k = coloured(symbol("k"), d.colours.key);
  const Formula dot = row({q, operation("·"), k});
  switch (scorer) {
    case Scorer::dot:
      return dot;
    case Scorer::scaled:
      return fraction(dot, root(symbol("d")));
    case Scorer::cosine:
      return fraction(dot, row({word("|"), q, word("|"), word("|"), k, word("|")}));
    case Scorer::general:
      return row({q, symbol("W"), operation("·"), k});
    case Scorer::additive:
      return row(
          {symbol("v"), operation("·"), word("tanh"),
           parenthesised(row({q, script(symbol("W"), word("q")), operation("+"), k, script(symbol("W"), word("k"))}))});
  }
  return dot;
}

// The score's name as a button; the chosen one is what becomes weights.
void add_choice(Drawing& d, const Card& card, bool chosen, Point at) {
  const float width = text::measure(text::Face::semibold, 13, card.name) + 21;
  const float height = d.chip_height();
  d.figure.add({.id = "choose." + std::string(card.id),
                .role = Role::button,
                .rect = {at.x, at.y, width, height},
                .label = "Make weights of the " + std::string(card.name) + " score",
                .edit = Edit{"score", std::string(card.id)},
                .shape = Rectangle{.fill = chosen ? d.colours.accent : d.colours.sunken, .radius = 6}});
  add_words(d, "choose." + std::string(card.id) + ".name", {at.x + 10, at.y, width - 20, height},
            std::string(card.name), {chosen ? d.colours.on_accent : d.colours.ink, type::subtitle});
}

// As the card's formula writes it.
Formula name_of_cells(const Drawing& d, std::string_view tensor) {
  const Formula W = symbol("W");
  if (tensor == "W_q" || tensor == "W_k") return script(W, word(tensor.substr(2)));
  if (tensor == "v_a") return symbol("v");
  if (tensor == "qW") return row({coloured(symbol("q"), d.colours.query), W});
  return symbol(tensor);
}

float add_parameters(Drawing& d, const Card& card, Point at) {
  float x = at.x, height = 0;
  for (const Cells& cells : card.cells) {
    if (cells.tensor.empty()) break;
    const Rect taken =
        add_cells(d, cells.tensor, {x, at.y},
                  {.title = name_of_cells(d, cells.tensor), .colour = d.colours.ink, .typed = cells.typed});
    x += taken.w + 16;
    height = std::max(height, taken.h);
  }
  return height;
}

BarsLook bars_of(const Drawing& d, Scorer scorer, float pitch) {
  BarsLook look{.pitch = pitch, .fill = d.colours.score_fill};
  // Those that have limits are drawn between them; the others within what they are.
  if (scorer == Scorer::cosine) {
    look.low = -1;
    look.high = 1;
  } else if (scorer == Scorer::additive) {
    look.high = std::max(d.values("v_a").cwiseAbs().sum(), 1e-3F);
    look.low = -look.high;
  } else {
    look.high = std::max(d.values("scores").row(static_cast<int>(scorer)).cwiseAbs().maxCoeff(), 1e-3F);
    look.low = -look.high;
  }
  return look;
}

// "−1 … 1" under the bars' ends would repeat five times; it stands beside the name.
std::string range_of(const BarsLook& look) {
  return "bars from " + io::format_short(static_cast<double>(look.low)) + " to " +
         io::format_short(static_cast<double>(look.high));
}

void add_rule_line(Drawing& d, const std::string& id, float y) {
  d.figure.add(
      {.id = id,
       .shape =
           Line{.points = {{d.margin(), y}, {d.margin() + d.inner(), y}}, .colour = d.colours.hairline, .width = 1}});
}

float draw_scores_narrow(Drawing& d) {
  float y = 10;
  for (std::size_t i = 0; i < kCards.size(); ++i) {
    const Card& card = kCards[i];
    const auto scorer = static_cast<Scorer>(i);
    if (i > 0) add_rule_line(d, "card." + std::string(card.id), y - 8);
    add_choice(d, card, scorer == d.state.scorer, {d.margin(), d.view.compact() ? y : y + 4});
    d.figure.add({.id = "formula." + std::string(card.id),
                  .rect = {d.margin() + 110, d.view.compact() ? y + 4 : y, d.inner() - 110, 36},
                  .label = figure::plain(score_formula(d, scorer)),
                  .shape = FormulaBox{.formula = score_formula(d, scorer), .size = 15, .colour = d.colours.ink}});
    y += 48;
    if (card.otherwise.empty()) y += add_parameters(d, card, {d.margin(), y}) + 8;
    const BarsLook look = bars_of(d, scorer, 24);
    add_key_bars(d, "bars." + std::string(card.id), "scores", static_cast<int>(i), {d.margin(), y, d.inner(), 0}, look);
    y += 24 * kKeys + 2;
    add_words(d, "range." + std::string(card.id), {d.margin(), y, d.inner(), 16}, range_of(look),
              {d.colours.muted, type::caption, Align::right});
    y += 32;
  }
  return y - 16;
}

// ---- weights ----

std::string name_of_scorer(const Drawing& d) {
  return d.trace.at("scores").row_labels[static_cast<std::size_t>(d.state.scorer)];
}

void add_weight_plot(Drawing& d, Weigher weigher, Rect area) {
  const int row = static_cast<int>(weigher);
  const Matrix& weights = d.values("weights");
  const std::string id = "plot." + std::to_string(row);
  const auto kept = (weights.row(row).array() > 0).count();
  add_words(d, id + ".title", {area.x, area.y, area.w, 20}, std::string(name_of(weigher)),
            {d.colours.ink, type::title});
  add_words(d, id + ".kept", {area.x, area.y + 20, area.w, 16},
            io::count_of(kept, "key") + (kept == 1 ? " of 3 has weight" : " of 3 have weight"), {d.colours.muted});
  std::vector<std::pair<double, std::string>> names;
  for (int j = 0; j < kKeys; ++j) names.emplace_back(j + 0.5, d.keys[static_cast<std::size_t>(j)]);
  const Plot plot = add_plot(d.figure, id, {area.x, area.y + 52, area.w, area.h - 52},
                             {.low = 0, .high = kKeys, .ticks = std::move(names)},
                             {.low = 0, .high = 1, .label = d.view.compact() ? "" : "weight"}, d.view.theme);
  constexpr double edges[] = {0, 1, 2, 3};
  add_columns(d.figure, plot, d.trace, "weights", row, edges, d.colours.amber);
  colour_columns(d, "weights", row, 1, std::min(plot.frame.w / 3 * 0.14F, 14.F));
  for (int j = 0; j < kKeys; ++j) {
    const auto weight = static_cast<double>(weights(row, j));
    const Point at = plot.at(j + 0.5, weight);
    add_words(d, id + ".value" + std::to_string(j), {at.x - 24, at.y - 17, 48, 15},
              weight == 0 ? "0" : io::format_fixed(weight, 3), {d.colours.ink, type::small_number, Align::centre});
  }
}

// The scores that all four start from.
float add_z(Drawing& d, Rect area) {
  const std::string temperature = d.state.temperature == 1 ? "" : " ÷ T, T = " + io::format_short(d.state.temperature);
  add_words(d, "z.title", {area.x, area.y, area.w, 20}, name_of_scorer(d) + temperature, {d.colours.ink, type::title});
  add_words(d, "z.caption", {area.x, area.y + 20, area.w, 16}, "z, the scores that all four start from",
            {d.colours.muted});
  const float limit = std::max(d.values("z").cwiseAbs().maxCoeff(), 1e-3F);
  add_key_bars(d, "z.bars", "z", 0, {area.x, area.y + 44, area.w, 0},
               {.pitch = 26, .low = -limit, .high = limit, .fill = d.colours.accent});
  return 44 + 26 * kKeys;
}

constexpr Weigher kWeighers[] = {Weigher::softmax, Weigher::entmax15, Weigher::sparsemax, Weigher::hard};

Formula weight_formula(Weigher weigher) {
  const Formula zj = script(symbol("z"), symbol("j")), tau = symbol("τ");
  switch (weigher) {
    case Weigher::softmax:
      return fraction(row({word("exp"), parenthesised(zj)}),
                      row({large("∑", symbol("k")), word("exp"), parenthesised(script(symbol("z"), symbol("k")))}));
    case Weigher::entmax15:
      return script(
          row({word("max"), parenthesised(row({fraction(zj, number("2")), operation("−"), tau, word(", 0")}))}),
          nullptr, number("2"));
    case Weigher::sparsemax:
      return row({word("max"), parenthesised(row({zj, operation("−"), tau, word(", 0")}))});
    case Weigher::hard:
      return row({number("1"), word(" for the largest, else "), number("0")});
  }
  return zj;
}

// The rule of each, below each other.
float add_rules(Drawing& d, Rect area, float pitch) {
  for (std::size_t i = 0; i < std::size(kWeighers); ++i) {
    const float y = area.y + pitch * static_cast<float>(i);
    const std::string id = "rule." + std::to_string(i);
    add_words(d, id + ".name", {area.x, y, area.w, 18}, std::string(name_of(kWeighers[i])),
              {d.colours.muted, type::name});
    const Formula formula = weight_formula(kWeighers[i]);
    d.figure.add({.id = id,
                  .rect = {area.x, y + 21, area.w, 36},
                  .label = figure::plain(formula),
                  .shape = FormulaBox{.formula = formula, .size = 14, .colour = d.colours.ink}});
  }
  const float y = area.y + pitch * 4;
  return 4 * pitch + add_paragraph(d.figure, "rule.tau", "τ is a threshold, set so that the weights sum to 1.",
                                   {area.x, y}, area.w, 12, d.colours.muted, d.colours.ink);
}

// The four of them in two rows, or in one where that is wide and low.
template <class Add>
float add_four(Drawing& d, Rect area, bool one_row, Add add) {
  const std::vector<Rect> areas = grid(area, one_row ? 4 : 2, one_row ? 1 : 2, {.across = 16, .down = 16});
  for (std::size_t i = 0; i < areas.size(); ++i) add(d, kWeighers[i], areas[i]);
  return area.bottom();
}

// What is pointed at, wherever the figure shows it.
void add_focus(Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.cell(focus->tensor, focus->row, focus->column) == nullptr) return;
  add_outline(d.figure, focus->tensor, focus->row, focus->column, d.colours.ink);
  std::vector<Rect> places;
  for (const Element& element : d.figure.elements)
    if (element.source == focus && std::holds_alternative<Text>(element.shape)) places.push_back(element.rect);
  for (std::size_t i = 0; i < places.size(); ++i)
    d.figure.add({.id = "focus." + std::to_string(i),
                  .rect = {places[i].x - 3, places[i].y, places[i].w + 6, places[i].h},
                  .shape = Rectangle{.stroke = d.colours.ink, .stroke_width = 1.5F, .radius = 4}});
}

// The key that is looked at: that of the number in focus, else the chosen one.
int looked_at(const State& state, const View& view) {
  const std::optional<Source> focus = parse_cell_id(view.focus());
  if (!focus) return state.key;
  const io::Patch patch = follow(state, *focus);
  const int key = patch.empty() ? state.key : patch.front().second.front() - '0';
  return key >= 0 && key < kKeys ? key : state.key;
}

}  // namespace

// ---- the steps ----

float draw_arrows(Drawing& d) {
  const float y = 12;
  if (d.narrow()) {
    const float plane = std::min(d.inner(), 420.F);
    add_arrows(d, {d.margin(), y, d.inner(), plane});
    add_table(d, {d.margin(), y + plane + 8, d.inner(), table_height(d)});
    float bottom = y + plane + 8 + table_height(d) + 12;
    bottom += add_law(d, {d.margin(), bottom}, d.inner()) + 12;
    return bottom + add_contest(d, {d.margin(), bottom, d.inner(), 0});
  }
  const float table_w = std::clamp(d.inner() * 0.45F, 320.F, 420.F);
  const float height = height_left(d, y, 300);
  const float plane_w = d.inner() - table_w - 20;
  add_arrows(d, {d.margin(), y, plane_w, std::min(height, plane_w * 1.4F)});
  const float x = d.margin() + plane_w + 20;
  const bool low = d.view.height < 460;
  const float free = height - table_height(d) - 56 - 2 * (22 + 22 * kKeys) - 10;
  const float gap = low ? 8 : std::clamp(free / 4, 8.F, 32.F);
  float bottom = y;
  add_table(d, {x, bottom, table_w, table_height(d)});
  bottom += table_height(d) + gap;
  bottom += add_law(d, {x, bottom}, table_w) + gap;
  if (!low) bottom += add_contest(d, {x, bottom, table_w, 0});
  return std::max(bottom, y + std::min(height, plane_w * 1.4F));
}

float draw_scores(Drawing& d) {
  if (d.narrow()) return draw_scores_narrow(d);
  const float top = 10;
  const float height = std::clamp(height_left(d, top, 400) / 5, 80.F, 120.F);
  const float middle = d.margin() + std::max(190.F, d.inner() * 0.27F);
  const float right = middle + std::max(232.F, d.inner() * 0.32F);
  for (std::size_t i = 0; i < kCards.size(); ++i) {
    const Card& card = kCards[i];
    const auto scorer = static_cast<Scorer>(i);
    const float y = top + height * static_cast<float>(i);
    if (i > 0) add_rule_line(d, "card." + std::string(card.id), y);
    add_choice(d, card, scorer == d.state.scorer, {d.margin(), y + height / 2 - 36});
    d.figure.add({.id = "formula." + std::string(card.id),
                  .rect = {d.margin(), y + height / 2 - 6, middle - d.margin() - 8, 40},
                  .label = figure::plain(score_formula(d, scorer)),
                  .shape = FormulaBox{.formula = score_formula(d, scorer), .size = 15, .colour = d.colours.ink}});
    if (!card.otherwise.empty())
      add_words(d, "parameters." + std::string(card.id), {middle, y + height / 2 - 10, right - middle, 20},
                std::string(card.otherwise), {d.colours.faint});
    else
      add_parameters(d, card, {middle, y + (height - 62) / 2});
    const BarsLook look = bars_of(d, scorer, 19);
    const float bars_y = y + (height - 19 * kKeys - 14) / 2;
    add_key_bars(d, "bars." + std::string(card.id), "scores", static_cast<int>(i),
                 {right, bars_y, d.margin() + d.inner() - right, 0}, look);
    add_words(d, "range." + std::string(card.id), {right, bars_y + 19 * kKeys, d.margin() + d.inner() - right, 14},
              range_of(look), {d.colours.muted, type::caption, Align::right});
  }
  return top + 5 * height;
}

float draw_weights(Drawing& d) {
  const float y = 12;
  if (d.narrow()) {
    const float top = y + add_z(d, {d.margin(), y, d.inner(), 0}) + 20;
    const float bottom = add_four(d, {d.margin(), top, d.inner(), 2 * 210 + 16}, false, add_weight_plot) + 20;
    return bottom + add_rules(d, {d.margin(), bottom, d.inner(), 0}, 66);
  }
  const float left = d.inner() * 0.3F;
  const float height = std::min(height_left(d, y, 360), 640.F);
  const float z = y + add_z(d, {d.margin(), y, left, 0}) + 24;
  constexpr float note = 40;
  const float pitch = std::min((y + height - z - note) / 4, 84.F);
  if (pitch >= 62) add_rules(d, {d.margin(), z, left, 0}, pitch);
  const float x = d.margin() + left + 32;
  return add_four(d, {x, y, d.margin() + d.inner() - x, height}, false, add_weight_plot);
}

float draw_triangle(Drawing& d) {
  const float y = 12;
  const std::string text =
      "A point stands for three weights. **Dot:** those of these scores. **Dashed:** the same scores at every "
      "temperature. **Thin lines:** an even grid of scores.";
  const float said =
      add_paragraph(d.figure, "triangle.how", text, {d.margin(), y}, d.inner(), 12, d.colours.muted, d.colours.ink);
  const float top = y + said + 10;
  const float height = d.view.compact() ? d.inner() * 0.87F + 2 * 66 : std::min(height_left(d, top, 340), 900.F);
  const bool one_row = !d.view.compact() && d.inner() > 2.6F * height;
  return add_four(d, {d.margin(), top, d.inner(), height}, one_row, add_triangle);
}

float draw_glance(Drawing& d) {
  const float y = 12;
  Panel scores{.tensor = "scores",
               .title = "scores",
               .colour = d.colours.ink,
               .tint = d.colours.score_fill,
               .emphasis = Emphasis::medium};
  scores.column_labels = true;
  Panel weights{.tensor = "weights",
                .title = "weights",
                .colour = d.colours.ink,
                .style = PanelStyle::weights,
                .emphasis = Emphasis::medium};
  weights.column_labels = weights.colour_bar = true;
  if (d.low()) {
    scores.emphasis = weights.emphasis = Emphasis::small;
    weights.column_labels = false;
  }
  const PanelStyleSheet sheet{.theme = d.view.theme, .narrow = d.view.compact(), .sink = 0.3F};
  const std::vector<PanelRow> rows{{scores}, {weights}};
  float bottom = 0;
  if (d.narrow()) {
    // So low on a phone that the scores begin above the fold.
    const float plane = d.view.compact() ? d.inner() * 0.85F : std::min(d.inner(), 420.F);
    add_arrows(d, {d.margin(), y, d.inner(), plane});
    bottom = add_panels(d.figure, d.trace, rows, {d.margin(), y + plane + 12, d.inner(), 500}, sheet);
  } else {
    const float height = height_left(d, y, 330);
    const float plane_w = d.inner() * 0.5F;
    const float plane_h = std::min(height, plane_w * 1.4F);
    add_arrows(d, {d.margin(), y, plane_w, plane_h});
    bottom =
        add_panels(d.figure, d.trace, rows, {d.margin() + plane_w + 12, y, d.inner() - plane_w - 12, height}, sheet);
    bottom = std::max(bottom, y + plane_h);
  }
  add_outline(d.figure, "scores", static_cast<int>(d.state.scorer), -1, d.colours.accent);
  return bottom;
}

void colour_columns(Drawing& d, std::string_view tensor, int row, float limit, float gap) {
  const Matrix& values = d.values(tensor);
  for (Element& element : d.figure.elements)
    for (int j = 0; j < static_cast<int>(values.cols()); ++j) {
      if (element.id != cell_id({std::string(tensor), row, j}) + ".bar") continue;
      element.rect = {element.rect.x + gap, element.rect.y, element.rect.w - 2 * gap, element.rect.h};
      std::get<Rectangle>(element.shape).fill = sample(ColourMap::viridis, values(row, j) / limit, d.view.theme);
    }
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, std::string(query_name(state)), key_names(state), looked_at(state, view)};
  const float bottom = row_at(view.place).draw(d);
  add_focus(d);
  d.figure.height = bottom + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::score
