#include <algorithm>
#include <cmath>
#include <optional>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/missing.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// A tensor's title, colour and what its shape means; those that each head has by their letter.
struct Look {
  std::string_view tensor, title;
  Colour Palette::* colour;
  std::string_view caption;
  bool editable = false;
};
constexpr Look kLooks[] = {
    {"X", "X", &Palette::input, "words × d", true},
    {"Z", "Z", &Palette::input, "second sentence", true},
    {"W_Q", "W_Q", &Palette::query, "d × d", true},
    {"W_K", "W_K", &Palette::key, "d × d", true},
    {"W_V", "W_V", &Palette::value, "d × d", true},
    {"W_O", "W_O", &Palette::output, "d × d", true},
    {"Q", "Q", &Palette::query, ""},
    {"K", "K", &Palette::key, ""},
    {"V", "V", &Palette::value, ""},
    {"A", "", &Palette::ink, ""},
    {"O", "", &Palette::output, ""},
    {"C", "C", &Palette::output, "the heads side by side"},
    {"Y", "Y", &Palette::output, "output"},
    {"M", "M", &Palette::ink, "1 seen, 0 hidden"},
    {"A_mean", "A", &Palette::ink, "as one head: the mean of all heads’ weights"},
    {"O_mean", "A V", &Palette::output, "one mixture for each word"},
    {"Y_now", "Y now", &Palette::output, "of the heads that are on"},
    {"D", "D", &Palette::output, "Y now − Y"},
};

// From this height of an embedded view on two rows have room for their numbers.
constexpr float kTwoRows = 410;

// Whether all heads' outputs have room as matrices of their own.
bool stand_apart(const Drawing& d) { return d.state.heads <= (d.narrow() ? 2 : 4); }

std::string root_of_head(const Drawing& d) { return "÷ √" + std::to_string(sizes(d.state).head); }

std::string weights_caption(const Drawing& d, int head) {
  const auto& cells = d.state.weights[static_cast<std::size_t>(d.state.alike ? 0 : head)].cells;
  std::string text = pattern_of(d.state, head) == Pattern::computed ? "softmax of Q Kᵀ " + root_of_head(d)
                     : pattern_of(d.state, head) == Pattern::hand
                         ? (cells.empty() ? "all equal until you drag or type one" : "set by hand")
                         : "constructed, not from Q and K";
  if (pattern_of(d.state, head) != Pattern::hand && !cells.empty()) text += "; some set by hand";
  return text;
}

Panel panel(const Drawing& d, const std::string& name, Emphasis emphasis = Emphasis::small) {
  const auto* look = std::ranges::find(kLooks, name, &Look::tensor);
  const HeadTensor of = read_name(name);
  if (look == std::end(kLooks)) look = std::ranges::find(kLooks, of.one, &Look::tensor);
  Panel made{.tensor = name,
             .title = look->title.empty() || of.head >= 0 ? name : std::string(look->title),
             .colour = d.colours.*look->colour,
             .emphasis = emphasis,
             .caption = of.head >= 0 ? "" : std::string(look->caption),
             .normalise = d.state.normalise};
  made.editable = look->editable;
  made.stretched = d.state.trained;
  if (d.state.trained && name == "X") made.caption = "a 1 is behind each";
  if (d.state.trained && (name == "W_Q" || name == "W_K" || name == "W_V")) made.caption = "d × d, and a bias";
  made.row_labels = !name.starts_with("W_");
  made.tokens = made.row_labels && name != "Z" && name != "K" && name != "V" && of.one != "K" && of.one != "V";
  if (name == "A_mean" || (of.one == "A" && of.head >= 0)) {
    made.style = PanelStyle::weights;
    made.mask = of_head("S", std::max(of.head, 0));
    made.column_labels = true;
    if (of.head >= 0) made.editable = !d.state.alike || of.head == 0;
  }
  if (d.view.zoom.tensor == name && d.view.zoom.rows > 0)
    made.window = CellRange{name, d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  return made;
}

Panel with_bands(Panel made) {
  made.column_labels = true;
  return made;
}
Panel unnamed(const Drawing& d, Panel made) {
  made.row_labels = made.row_labels && d.narrow();
  return made;
}

Joint arrow(std::string above, std::string below = "") {
  return {.sign = "→", .above = std::move(above), .below = std::move(below)};
}

Panel weights_panel(const Drawing& d, int head, Emphasis emphasis) {
  Panel made = panel(d, of_head("A", head), emphasis);
  made.caption = weights_caption(d, head);
  return made;
}

// That of the head that is looked at.
Panel of_chosen(const Drawing& d, std::string_view one) { return panel(d, of_head(one, chosen_head(d.state))); }

std::vector<PanelRow> rows_of_one(const Drawing& d) {
  Panel A = panel(d, "A_mean", Emphasis::medium);
  A.colour_bar = !d.narrow();
  Panel V = with_bands(panel(d, "V"));
  V.column_labels = false;
  if (d.low()) return {{A, arrow("A V"), unnamed(d, panel(d, "O_mean"))}};
  return {{A}, {Joint{.sign = "×"}, V, Joint{.sign = "="}, unnamed(d, panel(d, "O_mean"))}};
}

std::vector<PanelRow> rows_of_split(const Drawing& d) {
  PanelRow inputs{panel(d, "X")};
  if (d.state.crossed()) inputs.push_back(panel(d, "Z"));
  if (!d.narrow())
    for (PanelItem item : PanelRow{Joint{.sign = "×"}, panel(d, "W_Q"), panel(d, "W_K"), panel(d, "W_V")})
      inputs.push_back(std::move(item));
  Panel K = with_bands(panel(d, "K")), V = with_bands(panel(d, "V"));
  K.row_labels = K.row_labels && (d.narrow() || d.state.crossed());
  PanelRow whole{with_bands(panel(d, "Q")), K, unnamed(d, V)};
  if (d.narrow())
    whole.insert(whole.begin(),
                 arrow(d.state.trained ? "times three trained matrices" : "times three matrices, drawn at random"));
  Panel K_h = of_chosen(d, "K");
  K_h.row_labels = K_h.row_labels && (d.narrow() || d.state.crossed());
  const PanelRow cut{of_chosen(d, "Q"), K_h, unnamed(d, of_chosen(d, "V"))};
  if (d.low()) return {whole, cut};
  if (d.state.trained && !d.narrow()) {  // too wide for one row
    const PanelRow matrices(inputs.begin() + 1, inputs.end());
    return {{inputs.front()}, matrices, whole, cut};
  }
  return {inputs, whole, cut};
}

std::vector<PanelRow> rows_of_outputs(const Drawing& d) {
  Panel V = of_chosen(d, "V"), A = weights_panel(d, chosen_head(d.state), Emphasis::medium);
  if (!d.state.crossed()) V = unnamed(d, V);
  A.colour_bar = true;
  const PanelRow product{A, Joint{.sign = "×"}, V, Joint{.sign = "="}, unnamed(d, of_chosen(d, "O"))};
  if (d.low() && d.view.height < kTwoRows) return {product};
  if (d.state.heads == 1) return {product};
  PanelRow all;
  if (!stand_apart(d)) {
    Panel C = with_bands(panel(d, "C"));
    C.title = "O of all heads";
    C.caption = "";
    if (sizes(d.state).model > 8 && !d.narrow()) C.decimals = 1;
    all.push_back(C);
  }
  for (int h = 0; stand_apart(d) && h < d.state.heads; ++h) {
    Panel O = panel(d, of_head("O", h));
    if (h > 0) O = unnamed(d, O);
    all.push_back(O);
  }
  return {product, all};
}

// mapped: whether C turned out to have no room for numbers.
std::vector<PanelRow> rows_of_join(const Drawing& d, bool mapped) {
  Panel W_O = panel(d, "W_O"), C = with_bands(panel(d, "C")), Y = panel(d, "Y", Emphasis::medium);
  W_O.row_labels = d.narrow();  // else its bands stand between it and the sign
  C.colour_bar = mapped;
  if (d.low()) C.caption = W_O.caption = Y.caption = "";  // so that there is height for numbers
  const Joint sum{.sign = "=", .above = d.state.trained ? "+ b" : ""};
  if (d.low() && mapped) return {{C, Joint{.sign = "×"}, W_O, sum, unnamed(d, Y)}};
  return {{C, Joint{.sign = "×"}, W_O}, {sum, Y}};
}

std::vector<PanelRow> rows_of_mask(const Drawing& d) {
  const int head = chosen_head(d.state);
  Panel M = panel(d, "M", d.view.compact() ? Emphasis::large : Emphasis::medium);  // its cells are buttons
  M.style = PanelStyle::weights;
  M.mask = of_head("S", head);
  M.map = ColourMap::grey;
  M.normalise = Normalise::zero_one;
  M.column_labels = true;
  Panel A = unnamed(d, weights_panel(d, head, Emphasis::medium));
  A.colour_bar = d.narrow() || d.low();  // else it stands beside all heads' maps
  if (!d.trace.at("M").values.isOnes()) A.caption = "hatched: hidden, so 0";
  // The buttons need the room more.
  if (d.low()) return {{M, arrow("softmax", "head " + std::to_string(head + 1)), A}};
  return {{M, arrow("softmax", "head " + std::to_string(head + 1)), A, arrow("A V"), unnamed(d, of_chosen(d, "O"))}};
}

// Signed numbers drawn as colours have one scale where outputs stand twice.
void share_scale(Drawing& d) {
  float limit = 0;
  for (const Element& element : d.figure.elements)
    if (const auto* map = std::get_if<Heatmap>(&element.shape); map != nullptr && map->map == ColourMap::diverging)
      limit = std::max(limit, map->high);
  for (Element& element : d.figure.elements) {
    auto* map = std::get_if<Heatmap>(&element.shape);
    if (map != nullptr && map->map == ColourMap::diverging) map->low = -(map->high = limit);
    auto* bar = std::get_if<ColourBar>(&element.shape);
    if (bar != nullptr && bar->map == ColourMap::diverging) bar->low = -(bar->high = limit);
  }
}

// Where there is no room for the words of all columns the caption says which have theirs.
void say_which_words(Drawing& d, const std::string& id) {
  const auto named = [&](int j) { return d.figure.find(id + ".column." + std::to_string(j)) != nullptr; };
  const auto caption = std::ranges::find(d.figure.elements, id + ".caption", &Element::id);
  if (caption == d.figure.elements.end() || !named(0) || named(1)) return;
  int step = 2;
  while (step < sizes(d.state).keys && !named(step)) ++step;
  auto& text = std::get<Text>(caption->shape);
  text.text = text::fit(text.face, text.size,
                        step == 2   ? "every second word is named"
                        : step == 3 ? "every third word is named"
                                    : "some words are named",
                        caption->rect.w);
}

// The matrices of a step. Returns their bottom.
float add_matrices(Drawing& d, const std::vector<PanelRow>& rows, Rect area, float sink = 0.35F) {
  area.h = std::max(area.h, 120.F);
  add_panels(d.figure, d.trace, rows, area,
             {.theme = d.view.theme,
              .token_field = "query",
              .chosen_row = query_row(d.state),
              .narrow = d.narrow(),
              .sink = sink});
  for (const std::string& name : {std::string("A_mean"), of_head("A", chosen_head(d.state))}) say_which_words(d, name);
  return d.bottom();
}

constexpr float kScrolled = 800;  // what all heads' maps may take where the figure scrolls

// Of all heads' maps, in a narrow view; a name has room in each.
int grid_columns(const Drawing& d) { return d.inner() < 300 ? 2 : std::clamp(d.state.heads, 2, 4); }

// ---- what a number comes from, outlined ----

void outline(Drawing& d, const std::string& name, int row, int column, Colour colour) {
  const Tensor* tensor = d.trace.find(name);
  if (tensor != nullptr && row < tensor->rows() && column < tensor->columns())
    add_outline(d.figure, name, row, column, colour);
}

void outline_origins(Drawing& d, const Source& focus) {
  const auto& [tensor, row, column] = focus;
  const HeadTensor name = read_name(tensor);
  const int size = sizes(d.state).head;
  if (tensor == "C" || tensor == "Y") {
    for (int h = 0; h < d.state.heads; ++h) outline(d, of_head("O", h), row, -1, d.colours.output);
    if (tensor == "Y") outline(d, "W_O", -1, column, d.colours.ink);
  } else if (tensor == "O_mean") {
    outline(d, "A_mean", row, -1, d.colours.ink);
    outline(d, "V", -1, column, d.colours.value);
  } else if (tensor == "D") {
    outline(d, "Y_now", row, column, d.colours.muted);
  } else if (tensor == "M") {
    outline(d, of_head("A", chosen_head(d.state)), row, column, d.colours.muted);
  } else if (name.one == "O" && name.head >= 0) {
    outline(d, of_head("A", name.head), row, -1, d.colours.ink);
    outline(d, of_head("V", name.head), -1, column, d.colours.value);
  } else if (name.one == "A" && name.head >= 0) {
    outline(d, "M", row, column, d.colours.muted);
  } else if (name.one == "Q" || name.one == "K" || name.one == "V") {
    const int whole = std::max(name.head, 0) * size + column;
    outline(d, name.one == "Q" || !d.state.crossed() ? "X" : "Z", row, -1, d.colours.input);
    outline(d, "W_" + std::string(name.one), -1, whole, d.colours.ink);
    if (name.head >= 0) outline(d, std::string(name.one), row, whole, d.colours.muted);
    for (int h = 0; h < d.state.heads && name.head < 0; ++h)
      if (column / size == h) outline(d, of_head(name.one, h), row, column % size, d.colours.muted);
  }
  outline(d, tensor, row, column, d.colours.ink);
}

}  // namespace

float draw_one(Drawing& d, float y, float bottom) {
  y = add_kinds(d, y, false);
  return add_matrices(d, rows_of_one(d), {d.margin(), y, d.inner(), bottom - y});
}

float draw_split(Drawing& d, float y, float bottom) {
  y = add_kinds(d, y, true);
  y = add_matrices(d, rows_of_split(d), {d.margin(), y, d.inner(), bottom - y});
  for (const char* name : {"Q", "K", "V"}) add_column_bands(d, name, Bands::buttons);
  return y;
}

float draw_weights(Drawing& d, float y, float bottom) {
  y = add_patterns(d, y);
  Panel A = weights_panel(d, chosen_head(d.state), Emphasis::large);
  A.colour_bar = true;
  const std::vector<PanelRow> rows{{A}};
  const Rect all{d.margin(), y, d.inner(), bottom - y};
  if (d.narrow()) {
    y = add_grid(d, {all.x, y, all.w, kScrolled}, grid_columns(d)) + 18;
    y = add_matrices(d, rows, {all.x, y, all.w, bottom - y}, 0) + 8;
    return add_strips(d, y);
  }
  const float left = std::round(all.w * (d.state.heads > 6 ? 0.34F : 0.38F));
  const float strips = d.low() ? 0 : strips_height(d);
  y = add_matrices(d, rows, {all.x + left + 20, y, all.w - left - 20, all.h - strips - 8}, 0) + 8;
  if (!d.low()) y = add_strips(d, y);
  return std::max(y, add_grid(d, {all.x, all.y + 4, left, all.h - 8}, 2));
}

float draw_outputs(Drawing& d, float y, float bottom) {
  y = add_heads(d, y);
  y = add_matrices(d, rows_of_outputs(d), {d.margin(), y, d.inner(), bottom - y});
  share_scale(d);
  if (d.figure.find("C") != nullptr) {
    add_column_bands(d, "C", Bands::chosen);
    split_concatenation(d, 6);
  }
  return y;
}

float draw_join(Drawing& d, float y, float bottom) {
  y = add_mixings(d, y);
  // Two factors with two digits after the point need nearly all the width.
  const float more = d.narrow() ? 0 : 12;
  const Rect area{d.margin() - more, y, d.inner() + 2 * more, bottom - y};
  const std::size_t before = d.figure.elements.size();
  y = add_matrices(d, rows_of_join(d, false), area);
  const Element* C = d.figure.find("C");
  if (C != nullptr && std::holds_alternative<Heatmap>(C->shape)) {
    d.figure.elements.resize(before);
    y = add_matrices(d, rows_of_join(d, true), area);
  }
  add_column_bands(d, "C", Bands::plain);
  add_row_bands(d, "W_O");
  split_concatenation(d, 0);
  return y;
}

float draw_mask(Drawing& d, float y, float bottom) {
  y = add_masks(d, y);
  const Rect all{d.margin(), y, d.inner(), bottom - y};
  const float grid = d.low() ? 0 : d.narrow() ? kScrolled : 150.F;
  y = add_matrices(d, rows_of_mask(d), {all.x, y, all.w, all.h - 60 - (d.narrow() ? 0 : grid)}, 0.3F) + 10;
  add_mask_buttons(d);
  y = add_mask_words(d, y);
  if (grid == 0) return y;
  const float bar = d.narrow() ? 0 : 70;
  y = add_grid(d, {all.x, y + 14, all.w - bar, grid - 20}, d.narrow() ? grid_columns(d) : d.state.heads);
  if (bar > 0) add_grid_bar(d, all.right() - bar + 16);
  return y;
}

float draw_without(Drawing& d, float y, float bottom) {
  y = add_switches(d, add_likeness(d, y)) + 12;
  PanelRow row{panel(d, "Y_now")};
  if (!d.trace.at("D").values.isZero(0)) row.push_back(unnamed(d, panel(d, "D")));  // else all heads are on
  y = add_matrices(d, {row}, {d.margin(), y, d.inner(), bottom - y - sizes_height(d) - 12}, 0) + 12;
  return add_sizes(d, y);
}

void outline_one(Drawing& d) {
  outline(d, "A_mean", query_row(d.state), -1, d.colours.query);
  outline(d, "O_mean", query_row(d.state), -1, d.colours.output);
}

void outline_split(Drawing& d) {
  outline(d, of_head("Q", chosen_head(d.state)), query_row(d.state), -1, d.colours.query);
  outline(d, "Q", query_row(d.state), -1, d.colours.query);
}

void outline_weights(Drawing& d) {
  outline(d, of_head("A", chosen_head(d.state)), query_row(d.state), -1, d.colours.query);
}

void outline_outputs(Drawing& d) {
  outline_weights(d);
  for (int h = 0; h < d.state.heads; ++h) outline(d, of_head("O", h), query_row(d.state), -1, d.colours.output);
}

void outline_join(Drawing& d) { outline(d, "Y", query_row(d.state), -1, d.colours.output); }

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + 12;
    return std::move(d.figure);
  }
  const Row& step = row_at(view.place);
  const float y = step.draw(d, 10, view.height - 10);
  const std::optional<Source> focus = parse_cell_id(view.focus());
  if (focus && trace.find(focus->tensor) != nullptr)
    outline_origins(d, *focus);
  else if (step.outline != nullptr)
    step.outline(d);
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::heads
