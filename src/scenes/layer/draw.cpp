#include <algorithm>
#include <optional>

#include "figure/panels.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// What a tensor, or else any of this letter, is in words, and how its title differs from its name.
struct Look {
  std::string_view tensor, said, title{};  // without a title: its letter, and of what is learned its index
  bool weights = false;
};
constexpr Look kLooks[] = {
    {kXNew, "the same, shuffled", "s(X)"},
    {kX, "the inputs"},
    {kZ, "the second sequence"},
    {kOneQuery, "one query"},
    {kQSelf, "looked for"},
    {kQCross, "looked for"},
    {kQ, "the queries"},
    {kK, "found by"},
    {kV, "passed on"},
    {kWQ, "makes queries"},
    {kWK, "makes keys"},
    {kWV, "makes values"},
    {"e", "how similar"},
    {"E", "how similar"},
    {"a", "weights", "", true},
    {"A", "weights", "", true},
    {kP, "what the places say"},
    {kRowSum, "", "row sum"},
    {kColumnSum, "", "column sum"},
    {kOne.output, "the inputs, mixed"},
    {kMany.output, "the inputs, mixed"},
    {kYMoved, "layer, then shuffle", "s(f(X))"},
    {kYMovedPos, "layer, then shuffle", "s(f(X))"},
    {kShuffled.output, "shuffle, then layer", "f(s(X))"},
    {kPlaced.output, "shuffle, then layer", "f(s(X))"},
    {"", "values, mixed"},  // any other output
};

Panel panel(const Drawing& d, std::string_view name, Emphasis emphasis = Emphasis::small) {
  const recipes::Symbol written = symbol_of(name);
  const Look& look = *std::ranges::find_if(kLooks, [&](const Look& known) {
    return known.tensor.empty() || name == known.tensor ||
           (known.tensor.size() == 1 && written.letter == known.tensor && written.letter != "Y");
  });
  const std::string_view own = name.starts_with("W_") ? name : written.letter;
  Panel made{.tensor = std::string(name),
             .title = std::string(look.title.empty() ? own : look.title),
             .colour = d.colours.*written.ink,
             .style = look.weights ? PanelStyle::weights : PanelStyle::plain,
             .emphasis = emphasis,
             .caption = std::string(look.said)};
  if (written.ink == &Palette::ink) made.tint = d.colours.score_fill;
  made.editable = name == kX || name == kZ || name == kQ || name == kQGiven || name.starts_with("W_");
  if (name == kWQ || name == kWK || name == kWV) made.row_labels = false;
  if (look.weights) {
    made.normalise = d.state.normalise;
    if (d.state.normalise == Normalise::row) made.caption += ", coloured by row";
    made.mask = name == kPlaced.weights ? kPlaced.scores : "";
    made.column_labels = true;
  }
  made.tokens = is_machine(d.view.place) && !name.starts_with("W_") && name != kK && name != kV && name != kX &&
                name != kColumnSum && !d.trace.at(name).row_labels.empty();
  if (d.view.zoom.tensor == name && d.view.zoom.rows > 0)
    made.window = CellRange{made.tensor, d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  return made;
}

Panel without_rows(Panel made) {
  made.row_labels = false;
  return made;
}
// One row, standing upright beside the matrix whose rows are its columns.
Panel upright(Panel made) {
  made.transposed = true;
  made.row_labels = false;
  made.column_labels = false;
  return made;
}

Joint arrow(std::string above, std::string below = "") {
  return {.sign = "→", .above = std::move(above), .below = std::move(below)};
}

std::string similarity_formula(const Drawing& d) {
  switch (d.state.similarity) {
    case Similarity::dot:
      return "q · x";
    case Similarity::scaled:
      return "q · x ÷ √" + std::to_string(sizes(d.state).first);
    case Similarity::cosine:
      return "cosine";
    case Similarity::general:
      return "q W x";
    case Similarity::additive:
      return "v · tanh";
  }
  return "";
}

std::string root_of_key(const Drawing& d) { return "÷ √" + std::to_string(sizes(d.state).key); }

// Rows have their names once in a line, at its left; features where they are introduced.
Panel with_features(const Drawing& d, Panel made) {
  made.column_labels = d.state.preset == Preset::video;
  return made;
}
Panel unnamed(const Drawing& d, Panel made) {
  made.row_labels = made.row_labels && d.narrow();
  return made;
}

Joint attends(const Drawing& d) { return arrow("Q Kᵀ " + root_of_key(d), "softmax"); }

std::vector<PanelRow> rows_of_queries(const Drawing& d) {
  Panel A = panel(d, kMany.weights, Emphasis::medium);
  // No wider than its cells, so that the sums of its rows stand beside them.
  if (d.state.normalise == Normalise::row) A.caption = "coloured by row";
  if (d.state.wrong_axis) A.caption = "wrong axis";
  const PanelRow scores{panel(d, kQ), arrow("with X", similarity_formula(d)), unnamed(d, panel(d, kMany.scores))};
  if (d.low()) {
    PanelRow weights = scores;
    weights.insert(weights.end(), {arrow("softmax"), unnamed(d, A)});
    return {weights,
            {panel(d, kRowSum), without_rows(panel(d, kColumnSum)), arrow("A X"), unnamed(d, panel(d, kMany.output))}};
  }
  return {scores,
          {arrow("softmax", d.state.wrong_axis ? "down a column" : "along a row"), A, without_rows(panel(d, kRowSum)),
           without_rows(panel(d, kColumnSum))},
          {arrow("A X"), panel(d, kMany.output)}};
}

std::vector<PanelRow> rows_of_keys(const Drawing& d) {
  std::vector<PanelRow> rows{{panel(d, kX), Joint{.sign = "×"}, panel(d, kWK), panel(d, kWV)}};
  PanelRow split{arrow(""), panel(d, kK), without_rows(panel(d, kV))};
  const Sizes size = sizes(d.state);
  // Columns that have room on one line, by how wide their numbers are.
  const int most = decimals_for(d.trace.at(kX).values, 2) + decimals_for(d.trace.at(kWK).values, 2) == 0 ? 20 : 12;
  if (!d.narrow() && size.input + 2 * (size.key + size.value) <= most) {
    std::get<Panel>(split[1]).row_labels = false;
    rows[0].insert(rows[0].end(), split.begin(), split.end());
  } else {
    rows.push_back(std::move(split));
  }
  rows.push_back({panel(d, kQGiven), attends(d), unnamed(d, panel(d, kKeyed.weights)), arrow("A V"),
                  unnamed(d, with_features(d, panel(d, kKeyed.output)))});
  return rows;
}

std::vector<PanelRow> rows_of_self(const Drawing& d) {
  if (d.low())
    return {{panel(d, kX), Joint{.sign = "×"}, panel(d, kWQ), Joint{.sign = "="}, unnamed(d, panel(d, kQSelf))},
            {attends(d), panel(d, kSelf.weights), arrow("A V"), unnamed(d, panel(d, kSelf.output))}};
  return {{panel(d, kX), Joint{.sign = "×"}, panel(d, kWQ), panel(d, kWK), panel(d, kWV)},
          {arrow(""), panel(d, kQSelf), without_rows(panel(d, kK)), without_rows(panel(d, kV))},
          {attends(d), panel(d, kSelf.weights), arrow("A V"), unnamed(d, with_features(d, panel(d, kSelf.output)))}};
}

std::vector<PanelRow> rows_of_cross(const Drawing& d) {
  std::vector<PanelRow> rows{
      {panel(d, kZ), Joint{.sign = "×"}, panel(d, kWQ), Joint{.sign = "="}, unnamed(d, panel(d, kQCross))},
      {attends(d), panel(d, kCross.weights), arrow("A V"), unnamed(d, with_features(d, panel(d, kCross.output)))}};
  if (!d.low()) rows.insert(rows.begin() + 1, {panel(d, kK), without_rows(panel(d, kV))});
  return rows;
}

// The matrices of a step, from y on. Returns their bottom.
float add_matrices(Drawing& d, const std::vector<PanelRow>& rows, float y, float height, float sink = 0.35F) {
  add_panels(d.figure, d.trace, rows, {d.margin(), y, d.inner(), std::max(height, 120.F)},
             {.theme = d.view.theme,
              .token_field = "query",
              .chosen_row = row_at(d.view.place).chosen_row(d.state),
              .narrow = d.narrow(),
              .sink = sink});
  return d.bottom();
}

// ---- what is outlined: what a number comes from, or the rows that the narration tells of ----

void outline(Drawing& d, std::string_view name, int r, int c, Colour colour) {
  if (const Tensor* tensor = d.trace.find(name); tensor != nullptr && r < tensor->rows() && c < tensor->columns())
    add_outline(d.figure, name, r, c, colour);
}

// What the narration tells of: the input that wins; the row of the chosen query, and the sums.
void outline_told(Drawing& d) {
  const Attention& names = form_at(d.view.place).names;
  if (names.query == kOneQuery) {
    Eigen::Index best = 0;
    d.trace.at(kOne.scores).values.row(0).maxCoeff(&best);
    outline(d, kX, static_cast<int>(best), -1, d.colours.input);
    for (const std::string_view name : {kOne.scores, kOne.weights})
      outline(d, name, 0, static_cast<int>(best), d.colours.ink);
    return;
  }
  if (names.query == kQ) outline(d, d.state.wrong_axis ? kColumnSum : kRowSum, -1, -1, d.colours.ink);
  const int row = row_at(d.view.place).chosen_row(d.state);
  for (const std::string_view name : {names.query, names.scores, names.weights, names.output})
    outline(d, name, row, -1, d.colours.query);
  if (names.query == kQCross) outline(d, kZ, row, -1, d.colours.query);
}

void add_origins(Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.find(focus->tensor) == nullptr) {
    if (d.state.numbers && is_machine(d.view.place)) outline_told(d);
    return;
  }
  if (d.trace.cell(focus->tensor, focus->row, focus->column) != nullptr)
    recipes::add_outlines(d.figure, recipes(d.state, d.trace), *focus, d.colours);
}

}  // namespace

float matrices_query(Drawing& d, float y, float bottom) {
  const std::vector<PanelRow> rows{{with_features(d, panel(d, kOneQuery))},
                                   {panel(d, kX), arrow("similarity", similarity_formula(d)),
                                    upright(panel(d, kOne.scores)), arrow("softmax"), upright(panel(d, kOne.weights))},
                                   {Joint{.sign = "→", .above = "Σ a x"}, panel(d, kOne.output)}};
  return add_matrices(d, rows, y, bottom - y, 0.5F);
}

float matrices_queries(Drawing& d, float y, float bottom) {
  return add_matrices(d, rows_of_queries(d), y, bottom - y, 0.5F);
}

float matrices_keys(Drawing& d, float y, float bottom) { return add_matrices(d, rows_of_keys(d), y, bottom - y); }

float matrices_self(Drawing& d, float y, float bottom) { return add_matrices(d, rows_of_self(d), y, bottom - y); }

float matrices_cross(Drawing& d, float y, float bottom) { return add_matrices(d, rows_of_cross(d), y, bottom - y); }

float matrices_shuffle(Drawing& d, float y, float bottom) {
  const bool same = static_cast<double>(d.trace.at(kError).values(0, 0)) < rounding(d.trace);
  const std::vector<PanelRow> rows{{panel(d, kX), arrow("f"), unnamed(d, panel(d, kSelf.output))},
                                   {panel(d, kXNew), arrow("f"), unnamed(d, panel(d, kShuffled.output)),
                                    Joint{.sign = same ? "=" : "≠"}, unnamed(d, panel(d, kYMoved))}};
  y = add_matrices(d, rows, y, bottom - y - d.press_height() - 64, 0.3F) + 14;
  return add_orders(d, add_checks(d, y) + 8);
}

float matrices_order(Drawing& d, float y, float bottom) {
  const bool same = static_cast<double>(d.trace.at(kErrorPos).values(0, 0)) < rounding(d.trace);
  Panel A = panel(d, kPlaced.weights);
  A.column_labels = false;
  const std::vector<PanelRow> rows{{A, arrow("A V"), unnamed(d, panel(d, kPlaced.output)),
                                    Joint{.sign = same ? "=" : "≠"}, unnamed(d, panel(d, kYMovedPos))}};
  const std::vector<PanelRow> all = d.trace.find(kP) == nullptr ? rows : std::vector<PanelRow>{{panel(d, kP)}, rows[0]};
  const float foot = d.press_height() + 44;
  y = std::max(add_matrices(d, all, y, bottom - y - foot - 12, 0.5F) + 12, bottom - foot);
  return add_encodings(d, add_difference(d, kErrorPos, "The outputs differ by at most", y) + 10);
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  const State shown = in_view(state, view);
  Drawing d{frame_for(trace, view), shown};
  const Row& row = row_at(view.place);
  Draw* const drawn = shown.numbers && row.matrices != nullptr ? row.matrices : row.draw;
  const float y = drawn(d, 10, view.height - 10);
  // The queries of the first three steps are the second sequence's rows.
  for (Element& element : d.figure.elements)
    if (element.edit && (element.edit->field == kQ || element.edit->field == kQGiven)) element.edit->field = kZ;
  add_origins(d);
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::layer
