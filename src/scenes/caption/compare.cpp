// Soft beside hard, hard attention drawn many times, and attention forced to a cell.
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/caption/steps.h"
#include "scenes/common/explain.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::caption {
namespace {

struct Shown {
  std::string name, weights, chosen, note;
  Colour colour;
};

int row_of(const Drawing& d, const std::string& weights) { return std::min(d.t, d.trace.at(weights).rows() - 1); }

// What one model says. Returns the bottom.
float add_said_by(Drawing& d, const Shown& model, Point at, float width) {
  return add_caption(d, {model.name + ".said", model.name, model.colour, model.note}, words_in(d.trace, model.chosen),
                     reference_of(d), at, width) +
         8;
}

// Its picture and film. Returns the bottom.
float add_model(Drawing& d, const Shown& model, Point at, float width, float side) {
  const int t = row_of(d, model.weights);
  const std::string word = label_of(words_in(d.trace, model.chosen), t);
  float y = at.y;
  const Rect picture{at.x, y, side, side};
  add_picture(d, model.name, picture, "The picture in the light of " + model.name + " attention for “" + word + "”",
              {model.weights, t});
  add_hidden_cells(d, model.name + ".cells", picture, {model.weights, t, 0}, "Weights over the picture");
  if (const Tensor* look = d.trace.find("look_" + model.name); look != nullptr)
    add_cell_ring(d, model.name + ".look", picture, static_cast<int>(look->values(0, t)), model.colour);
  const double entropy = static_cast<double>(d.trace.at("entropy_" + model.name).values(0, t));
  const float x = picture.right() + 10;
  // What there is to say of this word, beside it where there is room.
  const std::string said = bold(quoted(word)) + ": " +
                           io::format_percent(static_cast<double>(d.trace.at(model.chosen).values(0, t))) +
                           " likely, entropy " + io::format_fixed(entropy, 2) + " nats.";
  if (at.x + width - x > 90)
    add_note(d, model.name + ".note", said, {x, y}, at.x + width - x);
  else
    y = add_note(d, model.name + ".note", said, {at.x, picture.bottom() + 6}, width) - side;
  return add_film(d, model.weights, {at.x, std::max(y + side, picture.bottom()) + 12}, width);
}

// "; 96 % of unseen pictures right"
std::string record_of(const Drawing& d, int row) {
  const Tensor* record = d.trace.find("record");
  if (record == nullptr) return {};
  return "; " + io::format_percent(static_cast<double>(record->values(row, 0))) + " of unseen pictures right";
}

float add_count_bars(Drawing& d, Point at, float width) {
  const Tensor& captions = d.trace.at("captions");
  constexpr int most = 7;
  const int draws = drawn(d.trace);
  const int shown = std::min(captions.rows(), most);
  const float gap = 8, number = 54;
  const std::string truth = learn::pictures::text_of(learn::pictures::caption(d.scene).words);
  add_heading(d, "captions.title", at, width, "what it said", d.colours.output,
              std::to_string(captions.rows()) + (captions.rows() == 1 ? " caption" : " captions") + " in " +
                  std::to_string(draws) + " draws");
  float y = at.y + kTitle + 2;
  for (int i = 0; i < shown; ++i) {
    const float count = captions.values(i, 0);
    const std::string id = "captions." + std::to_string(i), text = captions.row_labels[static_cast<std::size_t>(i)];
    const bool right = d.trace.find("truth") != nullptr && text == truth;
    y += add_paragraph(d.figure, id + ".words",
                       (text.empty() ? "nothing" : text) + (right ? "  **the world’s own**" : ""), {at.x, y}, width, 13,
                       d.colours.ink, d.colours.good);
    const Rect track{at.x, y + 2, width - number, 8};
    d.figure.add({.id = id + ".track", .rect = track, .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {track.x, track.y, std::max(track.w * count / static_cast<float>(draws), 2.F), track.h},
                  .label = text + ": " + io::format_fixed(static_cast<double>(count), 0) + " draws",
                  .source = Source{"captions", i, 0},
                  .shape = Rectangle{.fill = d.colours.output, .radius = 3}});
    add_words(d, id + ".count", {track.right() + 8, track.y - 5, number, 18},
              io::format_fixed(static_cast<double>(count), 0) + "×", {d.colours.ink, type::number});
    y = track.bottom() + gap;
  }
  if (shown < captions.rows())
    y = add_note(d, "captions.more", "and " + std::to_string(captions.rows() - shown) + " more, none more frequent.",
                 {at.x, y}, width);
  return y;
}

float add_variances(Drawing& d, Point at, float width) {
  const Tensor& variance = d.trace.at("variance");
  const float most = std::max(variance.values.col(0).maxCoeff(), 1e-9F);
  add_heading(d, "variance.title", at, width, "variance of the gradient’s estimate", d.colours.ink, "of one draw");
  float y = at.y + kTitle + 2;
  const float name = 158, number = 84, pitch = 24;
  for (int i = 0; i < variance.rows(); ++i, y += pitch) {
    const float value = variance.values(i, 0);
    const std::string id = "variance." + std::to_string(i), text = label_of(variance.row_labels, i);
    add_words(d, id + ".name", {at.x, y, name - 8, pitch}, text, {d.colours.ink});
    const float room = std::max(width - name - number, 20.F);
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {at.x + name, y + 4, std::max(room * value / most, 1.5F), pitch - 8},
                  .label = text + ": variance " + brief(static_cast<double>(value)),
                  .source = Source{"variance", i, 0},
                  .shape = Rectangle{.fill = d.colours.accent, .radius = 3}});
    add_words(d, id + ".value", {at.x + width - number + 6, y, number, pitch}, brief(static_cast<double>(value)),
              {d.colours.ink, type::number});
  }
  return y;
}

// What starts the job, pauses it and lets it go on.
float add_draw_chip(Drawing& d, float y) {
  const bool begun = d.view.working >= 0;
  if (!begun && drawn(d.trace) == kDraws) return y;
  const std::string words = !begun ? std::string(job_label(d.state)) : d.view.rests ? "Go on drawing" : "Pause drawing";
  const ChipGroup group{.field = "do", .name = "", .chips = {{words, "job"}}};
  return add_chips(d, {group}, y, d.chip_height()) + 14;
}

}  // namespace

float draw_compare(Drawing& d, float y) {
  const Shown soft{"soft", "weights_soft", "chosen_soft", "all cells, weighted" + record_of(d, 0), d.colours.accent};
  const Shown hard{"hard", "weights_hard", "chosen_hard", "the likeliest cell" + record_of(d, 1), d.colours.output};
  if (d.narrow()) {
    const float side = std::min(d.inner() * 0.62F, 240.F);
    y = add_model(d, soft, {d.margin(), add_said_by(d, soft, {d.margin(), y}, d.inner())}, d.inner(), side) + 18;
    return add_model(d, hard, {d.margin(), add_said_by(d, hard, {d.margin(), y}, d.inner())}, d.inner(), side);
  }
  const float width = (d.inner() - 32) / 2;
  const float film = std::max(film_height(d, "weights_soft", width), film_height(d, "weights_hard", width));
  const float second = d.margin() + width + 32;
  y = std::max(add_said_by(d, soft, {d.margin(), y}, width), add_said_by(d, hard, {second, y}, width));
  const float side = std::floor(std::clamp(d.foot() - y - film - 44, 150.F, width));
  const float left = add_model(d, soft, {d.margin(), y}, width, side);
  return std::max(left, add_model(d, hard, {second, y}, width, side));
}

float draw_draws(Drawing& d, float y) {
  y = add_draw_chip(d, y);
  if (drawn(d.trace) == 0) {
    constexpr std::string_view hint =
        " Draw some captions to see how they scatter, and how much the gradient does that training has to make do "
        "with.";
    const Reference reference = reference_of(d);
    y = add_caption(d, {"likeliest", "hard, always the likeliest cell", d.colours.output, ""},
                    words_in(d.trace, "chosen_hard"), reference, {d.margin(), y}, d.inner()) +
        12;
    y = add_film(d, "weights_hard", {d.margin(), y}, d.inner()) + 6;
    y = add_note(d, "draws.none",
                 "So hard attention is used, but not trained: there each place is **drawn** with the chances that the "
                 "maps show." +
                     std::string(hint),
                 {d.margin(), y}, d.inner());
    mark_hint(d.figure, hint);
    return y;
  }
  if (d.narrow()) {
    y = add_count_bars(d, {d.margin(), y}, d.inner()) + 14;
    y = add_variances(d, {d.margin(), y}, d.inner()) + 16;
  } else {
    const float width = (d.inner() - 32) / 2;
    const float left = add_count_bars(d, {d.margin(), y}, width);
    const float right = add_variances(d, {d.margin() + width + 32, y}, width);
    const float told = add_note(
        d, "variance.note",
        "All four have the same mean, the gradient of a lower bound on ln p(y), which training raises. What a word "
        "cannot change is left out of "
        "its reward (to go), and what is to be expected anyway is taken off it (baseline).",
        {d.margin() + width + 32, right + 4}, width);
    y = std::max(left, told) + 14;
  }
  add_heading(d, "glimpses.title", {d.margin(), y}, d.inner(), "where they looked", d.colours.ink,
              d.narrow() ? "when they said the first" : "shares of the draws that said the first of these captions");
  return add_film(d, "glimpses", {d.margin(), y + kTitle}, d.inner());
}

float draw_force(Drawing& d, float y) {
  const bool hard = d.state.attention == Gaze::hard;
  const std::string word = label_of(words_in(d.trace, "chosen"), d.t);
  ChipGroup scope = chips_of("scope", "looks there:", kScopes, static_cast<int>(d.state.scope));
  scope.chips.front().text = "only at “" + word + "”";
  y = add_chips(d, {scope}, y, d.chip_height()) + 12;
  add_heading(d, "picture.title", {d.margin(), y}, d.inner(), "where it must look", d.colours.ink, "press a cell");
  d.figure.elements.back().furniture = true;
  y += kTitle;
  const float side = d.narrow()
                         ? std::min(d.inner(), 330.F)
                         : std::floor(std::clamp(d.foot() - y - film_height(d, "weights", d.inner()) - kTitle - 14,
                                                 200.F, d.inner() * 0.46F));
  const Rect picture{d.narrow() ? d.margin() + std::floor((d.inner() - side) / 2) : d.margin(), y, side, side};
  add_picture(d, "picture", picture,
              "The picture under a grid; attention is forced to " + place_of(d.state.cell, d.side()));
  add_grid(d, "grid", picture);
  for (int cell = 0; cell < d.side() * d.side(); ++cell)
    d.figure.add({.id = "cell." + std::to_string(cell),
                  .role = Role::button,
                  .rect = cell_in(d, picture, cell),
                  .label = "Look at " + place_of(cell, d.side()),
                  .source = Source{"weights", d.t, cell},
                  .edit = Edit{.field = "cell", .value = std::to_string(cell)}});
  add_cell_ring(d, "picture.ring", picture, d.state.cell, d.colours.warning);
  const Point beside = d.narrow() ? Point{d.margin(), picture.bottom() + 14} : Point{picture.right() + 28, y - kTitle};
  const float width = d.margin() + d.inner() - beside.x;
  const Reference free{words_in(d.trace, "chosen"), "it"};
  float below =
      add_caption(d,
                  {"free", hard ? "hard, as it looks by itself" : "soft, as it looks by itself", d.colours.accent, ""},
                  free.words, free, beside, width) +
      14;
  below = add_caption(d, {"forced", "forced", d.colours.warning, place_of(d.state.cell, d.side())},
                      words_in(d.trace, "chosen_forced"), free, {beside.x, below}, width) +
          12;
  below = add_note(d, "force.note",
                   "The context of each word concerned is that cell’s features alone. The first state still comes from "
                   "**all** cells: what it says against the look, it knew before the first word.",
                   {beside.x, below}, width);
  y = std::max(picture.bottom(), below) + 14;
  add_heading(d, "film.title", {d.margin(), y}, d.inner(), "word by word", d.colours.ink, "as it looks by itself");
  return add_film(d, "weights", {d.margin(), y + kTitle}, d.inner());
}

}  // namespace limelight::scenes::caption
