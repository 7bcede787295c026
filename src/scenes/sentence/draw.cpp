// Sentence's figure, step by step.
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/common/strips.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

PanelStyleSheet sheet(const Drawing& d, bool aligned = false) {
  return {.theme = d.view.theme,
          .token_field = "query",
          .chosen_row = d.query,
          .narrow = d.narrow(),
          .aligned = aligned,
          .sink = 0};
}

void windowed(const Drawing& d, Panel& panel) {
  const Zoom& zoom = d.view.zoom;
  if (zoom.tensor == panel.tensor && zoom.rows > 0)
    panel.window = CellRange{panel.tensor, zoom.row, zoom.column, zoom.rows, zoom.columns};
}

// What says of the colours more than a bar from 0 to 1; a narrow figure has no bar.
std::string colours_of(const Drawing& d, const Matrix& values) {
  const auto number = [](float value) { return io::format_short(static_cast<double>(value), 2); };
  if (d.state.normalise == Normalise::row) return "coloured by row";
  if (d.state.normalise == Normalise::zero_one) return "";
  return "coloured from " + number(values.minCoeff()) + " to " + number(values.maxCoeff());
}

void coloured(const Drawing& d, Panel& panel) {
  panel.normalise = d.state.normalise;
  const std::string words = colours_of(d, d.trace.at(panel.tensor).values);
  if (!words.empty()) panel.caption += (panel.caption.empty() ? "" : ", ") + words;
}

Panel weights_panel(const Drawing& d, const std::string& tensor, const std::string& title, std::string caption = {}) {
  Panel made{.tensor = tensor,
             .title = title,
             .colour = d.colours.ink,
             .style = PanelStyle::weights,
             .emphasis = Emphasis::large,
             .column_labels = true,
             .tokens = true,
             .colour_bar = !d.narrow(),
             .caption = std::move(caption)};
  windowed(d, made);
  coloured(d, made);
  return made;
}

float add_without_model(Drawing& d, float y) {
  return add_note(d, "without",
                  "These are weights alone, without the model that made them: there is nothing here to read another "
                  "text with. One head, all heads and the layers can be looked at; this step needs the model.",
                  {d.margin(), y}, d.inner());
}

// The places that are guessed at, of which there is room for so many side by side.
float add_all_guesses(Drawing& d, const std::string& which, float y, float left, float width, std::string_view title) {
  std::vector<int> places = hidden_in(d.trace);
  const int count = static_cast<int>(d.words().size());
  if (d.trace.find(of_place("guess" + which, count)) != nullptr) places.push_back(count);
  std::erase_if(places, [&](int place) { return d.trace.find(of_place("guess" + which, place)) == nullptr; });
  const int columns = std::clamp(static_cast<int>(width / 250), 1, 3);
  const float pitch =
      (width + 24) / static_cast<float>(std::min(columns, std::max(1, static_cast<int>(places.size()))));
  const float card = std::min(pitch - 24, 420.F);
  float lowest = y;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto column = static_cast<int>(i) % columns;
    if (column == 0 && i > 0) y = lowest + 18;
    const std::string name = places[i] == count ? "after the last" : "place " + std::to_string(places[i] + 1);
    lowest = std::max(lowest, add_guesses(d, which, places[i], std::string(title) + name,
                                          {left + pitch * static_cast<float>(column), y}, card));
  }
  return lowest;
}

float add_words_step(Drawing& d, float y) {
  if (!d.is_read()) return add_without_model(d, y);
  y = add_hiding(d, y) + 18;
  if (d.trace.at("model").values(0, 1) == 0)
    return add_note(d, "no_head", "This model has no head that predicts tokens.", {d.margin(), y}, d.inner());
  if (hidden_in(d.trace).empty() && d.trace.at("model").values(0, 0) == 0)
    return add_hint(
        d, "none_hidden",
        "Nothing is hidden. **Double-click a word**, or choose it and press hide: the model says what could "
        "stand there.",
        {d.margin(), y}, d.inner());
  return add_all_guesses(d, "", y, d.margin(), d.inner(), "");
}

// Of both last steps. True where there is nothing hidden, or nothing to be said.
bool lacks_target(const Drawing& d) { return d.trace.at("model").values(0, 1) == 0 || hidden_in(d.trace).empty(); }
float add_no_target(Drawing& d, float y) {
  if (d.trace.at("model").values(0, 1) == 0)
    return add_note(d, "no_head",
                    "This model has no head that predicts tokens, so that there is nothing to be measured.",
                    {d.margin(), y}, d.inner());
  y = add_hiding(d, y) + 14;
  return add_hint(
      d, "no_target",
      "Hide a word first: choose one above and press hide, or double-click it. What is measured is how likely "
      "the model finds that word.",
      {d.margin(), y}, d.inner());
}
// Until the experiments are there. Returns the bottom.
float add_trying(Drawing& d, float y, const std::string& what) {
  if (d.trace.find("importance") != nullptr) return y;
  const Tensor* truth = d.trace.find(of_place("truth", hidden_in(d.trace).front()));
  if (truth == nullptr || truth->values(0, 0) < 0)
    return add_hint(
               d, "unknown",
               "The model has no such word, so that there is no probability of it to be compared. Hide another one.",
               {d.margin(), y}, d.inner()) +
           8;
  if (!d.state.own.empty() && !d.state.tried)
    return add_chips(d, {{"tried", "", {{"try it " + what, io::write_value(true)}}, "trying"}}, y, d.chip_height()) +
           10;
  return add_note(d, "trying", "The model reads the sentence again " + what + " …", {d.margin(), y}, d.inner()) + 8;
}

float add_waiting(Drawing& d, float y) {
  if (d.view.missing) return add_missing(d, *d.view.missing, y);
  if (const Tensor* refused = d.trace.find("refused"); refused != nullptr)
    return add_own(d, add_note(d, "refused", refused->row_labels[0], {d.margin(), y}, d.inner()) + 20);
  if (const Tensor* label = d.trace.find("label"); label != nullptr)
    return add_note(d, "reading",
                    "**" + label->row_labels[0] + "** reads the text" +
                        (d.view.working >= 0 ? ": " + io::format_percent(static_cast<double>(d.view.working)) : "") +
                        " …",
                    {d.margin(), y}, d.inner());
  if (!d.state.own.empty()) {
    y = add_hint(
            d, "away",
            "The model that this link was made with is not here: it never left the machine that it was dropped on. "
            "**Drop its folder here**, or read with the trained encoder.",
            {d.margin(), y}, d.inner()) +
        12;
    return add_own(d, y + 8);
  }
  return add_note(d, "waiting", "The trained encoder is not here.", {d.margin(), y}, d.inner());
}

void outline_focus(Drawing& d) {
  const std::optional<figure::Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.find(focus->tensor) == nullptr || showing(d.figure, *focus) == nullptr) return;
  add_outline(d.figure, focus->tensor, focus->row, focus->column, d.colours.ink);
}

}  // namespace

float draw_words(Drawing& d, float y) {
  y = add_words_step(d, y);
  return d.low() ? y : add_own(d, std::max(y + 24, d.view.height - 110));
}

float draw_head(Drawing& d, float y) {
  y = add_head_chips(d, y) + 8;
  ChipGroup beside{"beside", "beside it, of this layer", {}, "beside"};
  for (int head = 0; head < d.heads; ++head) {
    if (head == d.head.head) continue;
    const auto found = d.state.beside.cells.find({d.head.layer, head});
    const bool on = found != d.state.beside.cells.end() && found->second != 0;
    beside.chips.push_back({std::to_string(head + 1),
                            std::to_string(d.head.layer) + "." + std::to_string(head) + (on ? ":" : ":1"), on,
                            "Draw head " + std::to_string(head + 1) + " as well"});
  }
  if (d.heads > 1 && !d.low()) y = add_chips(d, {beside}, y, d.chip_height()) + 10;
  const std::vector<HeadPlace> places = drawn_heads(d.state, d.layers, d.heads);
  float x = d.margin();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string text = name_of(places[i]) + ": " + kind_of(d.trace, places[i], d.heads);
    const float width = text::measure(text::Face::semibold, 12, text) + 34;
    if (x + width > d.margin() + d.inner() && x > d.margin()) {
      x = d.margin();
      y += 22;
    }
    const Colour colour = colour_of_arcs(d, static_cast<int>(i));
    d.figure.add({.id = "legend." + std::to_string(i),
                  .rect = {x, y + 7, 14, 4},
                  .shape = Rectangle{.fill = colour, .radius = 2}});
    add_words(d, "legend." + std::to_string(i) + ".text", {x + 20, y, width, 18}, text, {d.colours.ink, type::name});
    x += width;
  }
  y += 28;
  const float below = std::max(d.view.height - y - 16, 240.F);
  if (d.narrow() || d.low()) return add_arcs(d, {d.margin(), y, d.inner(), d.narrow() ? 420 : below});
  const float half = (d.inner() - 28) * 0.5F;
  const float left = add_arcs(d, {d.margin(), y, half, below});
  const float right = add_panels(d.figure, d.trace, {{weights_panel(d, d.tensor("A"), "A of head " + name_of(d.head))}},
                                 {d.margin() + half + 28, y - 6, half, below}, sheet(d));
  return std::max(left, right);
}

// The chosen head of the grid in full: beside it where there is room, else unfolded below its row.
float draw_heads(Drawing& d, float y) {
  constexpr float kBeside = 640, kGap = 24;
  y = add_chips(d, {chips_of("sorting", "sorted by", kSortings, static_cast<int>(d.state.sorting))}, y,
                d.chip_height()) +
      14;
  const bool beside = !d.low() && d.inner() >= kBeside;
  const float width = beside ? d.inner() * (d.heads > 8 ? 0.56F : 0.5F) : d.inner();
  Panel chosen = weights_panel(d, d.tensor("A"), "A of head " + name_of(d.head), kind_of(d.trace, d.head, d.heads));
  if (beside) chosen.colour_bar = false;
  const auto add_chosen = [&](Figure& figure, Rect area) {
    return add_panels(figure, d.trace, {{chosen}}, area, sheet(d));
  };
  Figure unfolded;
  if (!beside && !d.low()) unfolded.height = add_chosen(unfolded, {0, 6, width, 320}) + 8;
  float bottom = add_grid(d, {d.margin(), y}, width, unfolded);
  const Tensor& first = d.trace.at(of_head("G", 0, 0));
  const int tokens = static_cast<int>(d.words().size());
  const Matrix& extent = d.trace.at("extent").values;
  const auto number = [](float value) { return io::format_short(static_cast<double>(value), 2); };
  std::string note =
      "Rows look, columns are looked at; " +
      (d.state.normalise == Normalise::row       ? "dark is 0 and bright is each row’s largest."
       : d.state.normalise == Normalise::min_max ? "dark is " + number(extent(0, 0)) + " and bright is " +
                                                       number(extent(0, 1)) + ", the largest of all heads."
                                                 : std::string("dark is 0 and bright is 1."));
  if (first.columns() < tokens)
    note += " With " + std::to_string(tokens) + " tokens each dot is the largest of " +
            std::to_string((tokens + kMapSide - 1) / kMapSide) + "² weights.";
  std::string hint;
  if (!d.low()) hint = std::string(" Press a head to see it in full ") + (beside ? "beside them." : "below its row.");
  bottom = add_note(d, "grid.note", note + hint, {d.margin(), bottom + 12}, width);
  mark_hint(d.figure, hint);
  if (!beside) return bottom;
  const float left = d.margin() + width + kGap;
  return std::max(
      bottom, add_chosen(d.figure, {left, y, d.margin() + d.inner() - left, std::max(d.view.height - y - 20, 320.F)}));
}

float draw_pair(Drawing& d, float y) {
  if (!d.is_read()) return add_without_model(d, y);
  y = add_head_chips(d, y) + 14;
  const auto at = [&](std::string_view one) { return d.tensor(one); };
  const std::string query = d.words()[static_cast<std::size_t>(d.query)];
  Panel q{.tensor = at("q"), .title = "q of " + quoted(query), .colour = d.colours.query, .row_labels = false};
  Panel K{.tensor = at("K"),
          .title = "K",
          .colour = d.colours.key,
          .emphasis = Emphasis::large,
          .caption = "a key for every token"};
  Panel P{.tensor = at("P"),
          .title = "q ⊙ k",
          .colour = d.colours.ink,
          .tint = d.colours.score_fill,
          .emphasis = Emphasis::large,
          .row_labels = d.narrow(),
          .caption = "number by number"};
  Panel S{.tensor = at("s"),
          .title = "÷ √" + std::to_string(d.trace.at(at("Q")).columns()),
          .colour = d.colours.ink,
          .tint = d.colours.score_fill,
          .emphasis = Emphasis::large,
          .caption = "sum, scaled"};
  Panel A{.tensor = at("a"),
          .title = "weight",
          .colour = d.colours.ink,
          .style = PanelStyle::weights,
          .emphasis = Emphasis::large,
          .row_labels = d.narrow(),
          .caption = "softmax"};
  const int rows = d.trace.at(K.tensor).rows();
  if (rows > 40) {
    const auto [begin, end] = window_of(rows, d.key, 40);
    const int size = d.trace.at(K.tensor).columns();
    K.window = CellRange{K.tensor, begin, 0, end - begin, size};
    P.window = CellRange{P.tensor, begin, 0, end - begin, size};
    S.window = CellRange{S.tensor, begin, 0, end - begin, 1};
    A.window = CellRange{A.tensor, begin, 0, end - begin, 1};
  }
  const float room = std::max(d.view.height - y - 20, 300.F);
  const float below = add_panels(d.figure, d.trace, {{q}, {K, Joint{.sign = "→"}, P, Joint{.sign = "→"}, S, A}},
                                 {d.margin(), y, d.inner(), room}, sheet(d, !d.narrow()));
  for (const std::string& tensor : {at("K"), at("P"), at("s"), at("a")})
    add_outline(d.figure, tensor, d.key, -1, d.colours.key);
  return below;
}

float draw_layers(Drawing& d, float y) {
  const std::string word = label_of(d.trace.at(d.tensor("A")).row_labels, d.query);
  const auto strip = [&](const std::string& tensor, const std::string& title, const std::string& caption) {
    Panel made{.tensor = tensor,
               .title = title,
               .colour = d.colours.ink,
               .style = PanelStyle::weights,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .colour_bar = !d.narrow(),
               .caption = caption,
               .stretched = true};
    windowed(d, made);
    coloured(d, made);
    return made;
  };
  std::vector<PanelRow> rows{{strip("raw", "each layer by itself", "the mean over its heads, of " + quoted(word))}};
  if (d.trace.find("rollout") != nullptr)
    rows.push_back({strip("rollout", "rollout", "from that layer down to the words, half of each step kept")});
  return add_panels(d.figure, d.trace, rows, {d.margin(), y, d.inner(), std::max(d.view.height - y - 20, 260.F)},
                    sheet(d));
}

float draw_swap(Drawing& d, float y) {
  if (!d.is_read()) return add_without_model(d, y);
  const auto& typed = d.trace.at("typed").column_labels;
  const bool inside = d.state.place < static_cast<int>(typed.size()) && d.state.place >= d.first();
  std::vector<ChipGroup> groups;
  if (d.query >= d.first() && d.query != d.state.place)
    groups.push_back(
        {"place",
         "",
         {{"replace " + quoted(typed[static_cast<std::size_t>(d.query)]) + " instead", std::to_string(d.query)}},
         "swapping"});
  if (!groups.empty()) y = add_chips(d, groups, y, d.chip_height()) + 8;
  if (!inside) return add_hint(d, "no_place", "Choose a word above and press replace.", {d.margin(), y}, d.inner());
  const std::string before = typed[static_cast<std::size_t>(d.state.place)];
  y = add_text_input(d,
                     {.field = "instead",
                      .name = "instead of " + quoted(before),
                      .label = "The word in its place",
                      .text = d.state.instead,
                      .hint = "another word …",
                      .ink = d.colours.ink},
                     {d.margin(), y, std::min(d.inner(), 420.F), d.chip_height() + 8}) +
      12;
  if (const Tensor* refused = d.trace.find("swap_refused"); refused != nullptr)
    return add_note(d, "swap_refused", refused->row_labels[0], {d.margin(), y}, d.inner());
  if (d.trace.find("moved") == nullptr)
    return add_hint(d, "no_swap", "Type a word to see what changes.", {d.margin(), y}, d.inner());
  y = add_head_chips(d, y) + 12;
  const std::string word = d.words()[static_cast<std::size_t>(d.query)];
  const auto strip = [&](std::string_view one, const std::string& title) {
    Panel made{.tensor = d.tensor(one),
               .title = title,
               .colour = d.colours.ink,
               .style = one == "d" ? PanelStyle::differences : PanelStyle::weights,
               .emphasis = Emphasis::large,
               .row_labels = false,
               .column_labels = one != "d" || d.view.zoom.rows > 0,
               .transposed = true,
               .stretched = true};
    // The same tokens of all three.
    if (const HeadTensor zoomed = read_name(d.view.zoom.tensor);
        d.view.zoom.rows > 0 && (zoomed.one == "a" || zoomed.one == "b" || zoomed.one == "d"))
      made.window = CellRange{made.tensor, d.view.zoom.row, 0, d.view.zoom.rows, 1};
    return made;
  };
  const float room = d.low() ? d.view.height - y : std::max((d.view.height - y) * 0.62F, 330.F);
  y = add_panels(d.figure, d.trace,
                 {{strip("a", "with " + quoted(before) + (d.narrow() ? "" : ", " + quoted(word) + " looks at"))},
                  {strip("b", "with " + quoted(d.state.instead))},
                  {strip("d", d.narrow() ? "difference" : "difference: teal, less; red, more")}},
                 {d.margin(), y, d.inner(), room}, sheet(d, true));
  if (d.low()) return y;
  const float top = y + 20;
  const bool beside = !d.narrow() && !hidden_in(d.trace).empty();
  const float width = beside ? d.inner() * 0.55F - 20 : std::min(d.inner(), 560.F);
  y = add_head_map(d, {"moved", "how far the row of " + quoted(word) + " moves", "0 to 1, each head", false, false},
                   {d.margin(), top}, width);
  if (hidden_in(d.trace).empty()) return y;
  const float left = beside ? d.margin() + d.inner() * 0.55F : d.margin();
  return std::max(y,
                  add_all_guesses(d, "_swapped", beside ? top : y + 20, left, d.margin() + d.inner() - left, "now: "));
}

float draw_off(Drawing& d, float y) {
  if (!d.is_read()) return add_without_model(d, y);
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its heads");
  const int place = hidden_in(d.trace).front();
  const std::string word = d.trace.at("typed").column_labels[static_cast<std::size_t>(place)];
  y = add_head_map(d,
                   {"importance", "how " + quoted(word) + " changes without each head", "teal: less likely; red: more",
                    true, true},
                   {d.margin(), y}, std::min(d.inner(), 620.F)) +
      20;
  if (!d.state.off.cells.empty())
    y = add_chips(d, {{"off", "", {{"switch all on", "", false, "Switch all heads on"}}, "on"}}, y, d.chip_height()) +
        14;
  const bool off = d.trace.find(of_place("guess_without", place)) != nullptr;
  if (!off) return add_guesses(d, "", place, "all heads on", {d.margin(), y}, std::min(d.inner(), 420.F));
  if (d.narrow()) {
    y = add_guesses(d, "", place, "all heads on", {d.margin(), y}, d.inner()) + 14;
    return add_guesses(d, "_without", place, "with heads off", {d.margin(), y}, d.inner());
  }
  const float half = (d.inner() - 30) / 2;
  const float left = add_guesses(d, "", place, "all heads on", {d.margin(), y}, half);
  return std::max(left, add_guesses(d, "_without", place, "with heads off", {d.margin() + half + 30, y}, half));
}

float draw_evidence(Drawing& d, float y) {
  if (!d.is_read()) return add_without_model(d, y);
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (d.trace.find("attended") == nullptr) return y;
  const int place = hidden_in(d.trace).front();
  const std::string word = d.trace.at("typed").column_labels[static_cast<std::size_t>(place)];
  Panel looked{.tensor = "attended",
               .title = "where place " + std::to_string(place + 1) + " looks",
               .colour = d.colours.query,
               .style = PanelStyle::weights,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .colour_bar = !d.narrow(),
               .stretched = true};
  Panel change{.tensor = "erasure",
               .title = quoted(word) + " without each word",
               .colour = d.colours.output,
               .style = PanelStyle::differences,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .caption = d.narrow() ? "the change of its probability"
                                     : "how its probability changes when that word is hidden as well",
               .stretched = true};
  windowed(d, looked);
  windowed(d, change);
  const float room = std::max(d.view.height - y - 110, 240.F);
  y = add_panels(d.figure, d.trace, {{looked}, {change}}, {d.margin(), y, d.inner(), room}, sheet(d, true)) + 18;
  const Matrix& agreement = d.trace.at("agreement").values;
  const auto of = [&](int way) { return "**" + io::format_fixed(static_cast<double>(agreement(0, way)), 2) + "**"; };
  return add_note(d, "agreement",
                  "Do words that are looked at more count more? Rank correlation of the weights with the size of the "
                  "change (1: the same order, 0: none, −1: the opposite): last layer " +
                      of(0) + ", mean of all layers " + of(1) + ", rollout " + of(2) + ".",
                  {d.margin(), y}, d.inner());
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  float y = view.compact() ? 10 : 14;
  if (trace.find("kinds") == nullptr) {
    if (trace.find("tokens") != nullptr) y = add_word_chips(d, y) + 14;
    y = add_waiting(d, y);
  } else {
    const Tensor& raw = trace.at("raw");
    d.layers = raw.rows();
    d.heads = trace.at("kinds").rows() / d.layers;
    d.head = chosen_head(state, d.layers, d.heads);
    const Tensor& A = trace.at(d.tensor("A"));
    d.query = std::min(state.query, A.rows() - 1);
    d.key = std::min(state.key, A.columns() - 1);
    const Row& step = row_at(view.place);
    if (step.words == WordChips::always || (step.words == WordChips::unless_low && !d.low()))
      y = add_word_chips(d, y) + 12;
    y = step.draw(d, y);
    outline_focus(d);
  }
  d.figure.height = std::max(y, d.bottom()) + 14;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::sentence
