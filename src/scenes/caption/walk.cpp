// From the picture to a word, and all words.
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "learn/caption_steps.h"
#include "scenes/caption/steps.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::caption {
namespace {

// A square at the left, and what is beside it; on a narrow page one below the other.
struct Halves {
  Rect square;
  Point beside;
  float width;  // of what is beside it
};
Halves halves(const Drawing& d, float y, float below, float share = 0.46F) {
  const float room = d.foot() - y - below;
  const float side =
      d.narrow() ? std::min(d.inner(), 320.F) : std::floor(std::clamp(room, 200.F, std::max(d.inner() * share, 200.F)));
  const Rect square{d.narrow() ? d.margin() + std::floor((d.inner() - side) / 2) : d.margin(), y, side, side};
  if (d.narrow()) return {square, {d.margin(), square.bottom() + 14}, d.inner()};
  const float x = square.right() + 28;
  return {square, {x, y}, d.margin() + d.inner() - x};
}

float film_below(const Drawing& d) { return d.narrow() ? 0 : film_height(d, "weights", d.inner()) + kTitle + 20; }

// All words, below what is said of one.
float add_words_below(Drawing& d, float y) {
  y += 20;
  add_heading(d, "film.title", {d.margin(), y}, d.inner(), "word by word", d.colours.ink, "press one to look at it");
  d.figure.elements.back().furniture = true;
  return add_film(d, "weights", {d.margin(), y + kTitle}, d.inner());
}

std::string word_now(const Drawing& d) { return label_of(words_in(d.trace, "chosen"), d.t); }
std::string quoted_word(const Drawing& d) { return quoted(word_now(d)); }
bool is_hard(const Drawing& d) { return d.state.attention == Gaze::hard; }
std::string cell_name(const Drawing& d) { return place_of(d.cell, d.side()); }

// The glimpse of hard attention.
void add_glimpse(Drawing& d, const std::string& id, Rect rect) {
  if (const Tensor* look = d.trace.find("look"); look != nullptr)
    add_cell_ring(d, id, rect, static_cast<int>(look->values(0, d.t)), d.colours.output);
}

void add_seen(Drawing& d, Rect picture) {
  const learn::captions::Seen seen = learn::captions::seen_by(d.side(), d.cell);
  const float scale = picture.w / learn::pictures::kSide;
  const Rect rect{picture.x + static_cast<float>(seen.left) * scale, picture.y + static_cast<float>(seen.top) * scale,
                  static_cast<float>(seen.right - seen.left) * scale,
                  static_cast<float>(seen.bottom - seen.top) * scale};
  add_ring(d.figure, "seen", rect, d.colours.value, 2);
  add_cell_ring(d, "seen.cell", picture, d.cell, d.colours.value);
}

// A bar of entropy for each word.
float add_entropies(Drawing& d, Rect area) {
  const Tensor& entropy = d.trace.at("entropy");
  const double most = std::log(static_cast<double>(d.side() * d.side()));
  add_heading(d, "entropy.title", {area.x, area.y}, area.w, "entropy", d.colours.ink,
              "in nats; " + io::format_fixed(most, 2) + " is even over all cells");
  const float pitch = std::clamp((area.h - kTitle) / static_cast<float>(entropy.columns()), 17.F, 26.F);
  const float name = 74, number = 44;
  float y = area.y + kTitle;
  for (int t = 0; t < entropy.columns(); ++t, y += pitch) {
    const float value = entropy.values(0, t);
    const std::string word = label_of(entropy.column_labels, t), id = "entropy." + std::to_string(t);
    const bool chosen = t == d.t;
    add_words(d, id + ".word", {area.x, y, name - 8, pitch}, word,
              {chosen ? d.colours.ink : d.colours.muted, chosen ? type::name : type::label, Align::right});
    const float room = area.w - name - number;
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {area.x + name, y + 3, std::max(room * value / static_cast<float>(most), 1.5F), pitch - 6},
                  .label = word + ": " + io::format_fixed(static_cast<double>(value), 2) + " nats",
                  .source = Source{"entropy", 0, t},
                  .shape = Rectangle{.fill = chosen ? d.colours.accent : d.colours.faint, .radius = 3}});
    add_words(d, id + ".value", {area.x + area.w - number + 4, y, number, pitch},
              io::format_fixed(static_cast<double>(value), 2), {d.colours.ink, type::number});
  }
  return y;
}

}  // namespace

float draw_grid(Drawing& d, float y) {
  const int field = learn::captions::receptive_field(d.side());
  const int count = d.trace.at("features").columns();
  add_heading(d, "grid.title", {d.margin(), y}, d.inner(), "the picture", d.colours.ink,
              std::to_string(d.side()) + "×" + std::to_string(d.side()) + " cells; one sees " + std::to_string(field) +
                  "×" + std::to_string(field) + " pixels");
  const Halves at = halves(d, y + kTitle, d.narrow() ? 0 : 76, 0.47F);
  add_picture(d, "picture", at.square, "The picture under a grid of cells");
  add_grid(d, "grid", at.square);
  add_hidden_cells(d, "picture.cells", at.square, {"channel", 0, 0}, "Cells of the picture");
  add_seen(d, at.square);
  // One feature of all cells.
  const Tensor& channel = d.trace.at("channel");
  const float top = d.narrow() ? at.beside.y : at.beside.y - kTitle;
  const float side = d.narrow() ? at.square.w : std::min(at.square.w, at.width);
  const Rect map{d.narrow() ? at.square.x : at.beside.x, top + kTitle, side, side};
  add_heading(d, "channel.title", {d.narrow() ? d.margin() : map.x, top}, at.width, channel.row_labels.front(),
              d.colours.value, "of " + std::to_string(count) + ", in each cell");
  add_map(d, "channel", map,
          {.row = {"channel", 0, 0},
           .label = "Of each cell: " + d.trace.at("channel").row_labels.front(),
           .map = ColourMap::viridis,
           .low = 0,
           .high = std::max(channel.values.maxCoeff(), 1e-3F)});
  add_cell_ring(d, "channel.cell", map, d.cell, d.colours.value);
  y = std::max(at.square.bottom(), map.bottom()) + 14;
  return add_vector(d, "features", {"features", d.cell, 0}, {d.margin(), y, d.inner(), 0}, "a", d.colours.value,
                    "the features of " + cell_name(d));
}

float draw_scores(Drawing& d, float y) {
  const Tensor& scores = d.trace.at("scores");
  add_heading(d, "scores.title", {d.margin(), y}, d.inner(), "e", d.colours.ink,
              "how well each cell fits, before " + quoted_word(d));
  const Halves at = halves(d, y + kTitle, film_below(d), 0.44F);
  add_map(d, "scores", at.square,
          {.row = {"scores", d.t, 0},
           .label = "Alignment scores of the cells for " + quoted_word(d),
           .map = ColourMap::viridis,
           .low = scores.values.row(d.t).minCoeff(),
           .high = scores.values.row(d.t).maxCoeff(),
           .decimals = 1});
  add_cell_ring(d, "scores.cell", at.square, d.cell, d.colours.value);
  y = d.narrow() ? at.beside.y : at.beside.y - kTitle;
  const float x = at.beside.x, w = at.width, gap = 9;
  const auto strip = [&](const std::string& id, const Source& row, const std::string& name, Colour colour,
                         const std::string& note) {
    y = add_vector(d, id, row, {x, y, w, 0}, name, colour, note) + gap;
  };
  strip("s_0", {"s", 0, 0}, "s_0", d.colours.query, "made of a look at every cell: the first state");
  if (d.t > 0) strip("s", {"s", d.t, 0}, subscript("s", d.t), d.colours.query, "the state before " + quoted_word(d));
  strip("query", {"query", d.t, 0}, subscript("s", d.t) + " W", d.colours.query, "what it asks");
  strip("keys", {"keys", d.cell, 0}, "g U", d.colours.key, "what " + cell_name(d) + " offers");
  strip("tanh", {"tanh", d.cell, 0}, "tanh", d.colours.ink, "of their sum");
  strip("terms", {"terms", d.cell, 0}, "v · tanh", d.colours.ink,
        "they sum to " + std::string(d.state.temperature == 1 ? "e = " : "") +
            io::format_short(static_cast<double>(scores.values(d.t, d.cell)) * d.state.temperature) +
            (d.state.temperature == 1 ? "" : "; e is that ÷ " + io::format_short(d.state.temperature)));
  return add_words_below(d, std::max(y, at.square.bottom()));
}

float draw_weights(Drawing& d, float y) {
  const Tensor& weights = d.trace.at("weights");
  const std::string word = quoted_word(d);
  add_heading(d, "weights.title", {d.margin(), y}, d.inner(), "weights", d.colours.ink,
              "for " + word + ": white is more, they sum to 1");
  const Halves at = halves(d, y + kTitle, film_below(d) + 30, 0.47F);
  const float high = weights.values.row(d.t).maxCoeff();
  add_map(d, "weights", at.square,
          {.row = {"weights", d.t, 0},
           .label = "Attention weights of the cells for " + word,
           .map = ColourMap::grey,
           .low = 0,
           .high = std::max(high, 1e-6F),
           .decimals = d.narrow() ? 2 : 3});
  const Rect bar{at.square.x, at.square.bottom() + 8, std::min(at.square.w, 220.F), kColourBarSize};
  d.figure.add({.id = "weights.scale",
                .rect = bar,
                .shape = ColourBar{
                    .map = ColourMap::grey, .low = 0, .high = high, .ink = d.colours.muted, .theme = d.view.theme}});
  add_glimpse(d, "weights.look", at.square);
  const float top = d.narrow() ? at.beside.y + 28 : at.beside.y - kTitle;
  const float side = d.narrow() ? at.square.w : std::min(at.square.w, at.width);
  const Rect lit{d.narrow() ? at.square.x : at.beside.x, top + kTitle, side, side};
  add_heading(d, "lit.title", {d.narrow() ? d.margin() : lit.x, top}, at.width, "what it looks at", d.colours.ink,
              "as bright as its weight");
  add_picture(d, "lit", lit, "The picture in the light of attention for " + word, {"weights", d.t});
  add_hidden_cells(d, "lit.cells", lit, {"weights", d.t, 0}, "Weights over the picture");
  add_glimpse(d, "lit.look", lit);
  return add_words_below(d, std::max(bar.bottom() + 20, lit.bottom()));
}

float draw_context(Drawing& d, float y) {
  const Tensor& weighted = d.trace.at("weighted");
  const Halves at = halves(d, y + kTitle, film_below(d) + 74, 0.4F);
  add_heading(d, "lit.title", {d.margin(), y}, at.square.w, "weights", d.colours.ink,
              is_hard(d) ? "one cell is taken" : "brighter is more");
  add_picture(d, "lit", at.square, "The picture in the light of attention for " + quoted_word(d), {"weights", d.t});
  add_hidden_cells(d, "lit.cells", at.square, {"weights", d.t, 0}, "Weights over the picture");
  add_glimpse(d, "lit.look", at.square);
  const float top = d.narrow() ? at.beside.y : at.beside.y - kTitle;
  const Rect products{at.beside.x, top + kTitle, at.width, d.narrow() ? 260 : at.square.h};
  add_heading(d, "weighted.title", {products.x, top}, at.width, is_hard(d) ? "1 · a" : "α ⊙ a", d.colours.output,
              std::to_string(weighted.rows()) + "×" + std::to_string(weighted.columns()) +
                  (is_hard(d) ? "  a row for each cell: its features where it is looked at, else 0"
                              : "  a row for each cell: its features times its weight"));
  const float limit = limit_of(weighted);
  d.figure.add({.id = "weighted",
                .role = Role::cell,
                .rect = products,
                .label = "Features times weights",
                .shape = Heatmap{.range = {"weighted", 0, 0, weighted.rows(), weighted.columns()},
                                 .map = ColourMap::diverging,
                                 .low = -limit,
                                 .high = limit,
                                 .gap = 0,
                                 .theme = d.view.theme}});
  y = std::max(at.square.bottom(), products.bottom()) + 12;
  y = add_vector(d, "context", {"context", d.t, 0}, {products.x, y, products.w, 0}, subscript("z", d.t + 1),
                 d.colours.output,
                 is_hard(d) ? "the context: that cell’s features" : "the context: the sum of the rows");
  return add_words_below(d, y);
}

float draw_word(Drawing& d, float y) {
  const float m = d.margin(), w = d.inner();
  const std::string before = d.t == 0 ? "[START]" : label_of(words_in(d.trace, "chosen"), d.t - 1);
  add_heading(d, "previous.title", {m, y}, w, subscript("y", d.t), d.colours.input, "the word before: " + before);
  y = add_vector(d, "s", {"s", d.t, 0}, {m, y + 26, w, 0}, subscript("s", d.t), d.colours.query, "the state before") +
      10;
  y = add_vector(d, "context", {"context", d.t, 0}, {m, y, w, 0}, subscript("z", d.t + 1), d.colours.output,
                 "what it has looked at") +
      10;
  d.figure.add({.id = "next.arrow",
                .shape = Arrow{.from = {m + 14, y}, .to = {m + 14, y + 22}, .colour = d.colours.muted, .width = 2}});
  add_words(d, "next.gru", {m + 28, y, w - 28, 22}, "a gated recurrent unit", {d.colours.muted, type::body});
  y = add_vector(d, "s.next", {"s", d.t + 1, 0}, {m, y + 28, w, 0}, subscript("s", d.t + 1), d.colours.query,
                 "the next state") +
      16;
  y = scenes::add_likeliest(d, d.t, word_now(d), {m, y}, w);
  return add_words_below(d, y);
}

float draw_words(Drawing& d, float y) {
  const std::string word = quoted_word(d);
  if (d.narrow())
    y -= kTitle;  // the stepper says the word already
  else
    add_heading(d, "lit.title", {d.margin(), y}, d.inner(), word, d.colours.ink,
                "word " + std::to_string(d.t + 1) + " of " + std::to_string(d.trace.at("weights").rows()));
  const Halves at = halves(d, y + kTitle, film_below(d), 0.5F);
  add_picture(d, "lit", at.square, "The picture in the light of attention for " + word, {"weights", d.t});
  add_hidden_cells(d, "lit.cells", at.square, {"weights", d.t, 0}, "Weights over the picture");
  add_glimpse(d, "lit.look", at.square);
  add_meant(d, "lit.meant", at.square, d.t);
  const float top = d.narrow() ? at.beside.y : at.beside.y - kTitle;
  y = add_entropies(d, {at.beside.x, top, at.width, at.square.h});
  return add_words_below(d, std::max(y, at.square.bottom()));
}

}  // namespace limelight::scenes::caption
