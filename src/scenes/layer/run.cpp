#include "scenes/layer/run.h"

#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/light.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/films.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/pairs.h"

namespace limelight::scenes::layer {
namespace {

constexpr float kLeastFilm = 24;      // px of height; what is lower is its name alone
constexpr int kManyPlaces = 8;        // of more the light of one output is shown
constexpr float kHairline = 0.9F;     // px of half a beam at least
constexpr float kUnattended = 0.07F;  // how bright the hairlines of outputs are that are not looked at
constexpr float kLeastSeen = 0.75F;   // how bright a beam is at least, from 0.2 % on

// A film keeps its shape, and has its name below it where there is room.
float name_below(const Drawing& d, Rect rect) { return d.video() && rect.h >= 44 ? 15.F : 0; }

Matrix weights_of(const Drawing& d, const Run& run) {
  const Matrix& A = d.trace.at(run.names.weights).values;
  if (run.before == nullptr) return A;
  const Matrix& was = d.trace.at(run.before->weights).values;
  return was + run.changed * (A - was);
}

// The beams of the output that is looked at are each as high there as their weights, so that together they are as high
// as the output. Those of others are faint hairlines, so that the light says what the percentages beside it say.
Light light_of(const Drawing& d, const Run& run, const Matrix& A, int place, float lit) {
  const int n = run.count();
  const float gain = is_dark(d.view.theme) ? 1.5F : 1.4F, way = run.outputs < run.inputs ? -1.F : 1.F;
  // Of many inputs none gets much: the one that gets most is as bright as if it got half.
  const float strength = n > kManyPlaces ? std::clamp(0.5F / std::max(A.row(place).maxCoeff(), 1e-3F), 1.F, 5.F) : 1;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool one = focus && focus->tensor == run.names.weights;
  Light light{.tensor = std::string(run.names.weights), .theme = d.view.theme};
  for (int i = 0; i < n; ++i) {
    if (n > kManyPlaces && i != place) continue;
    const Rect out = shown_of(d, run.at(i, run.outputs));
    const float come = in_turn(lit, i, n) * gain;
    float down = out.y;
    for (int j = 0; j < n; ++j) {
      const float w = std::clamp(A(i, j), 0.F, 1.F), high = w * out.h;
      const Point from{run.from - 4 * way, shown_of(d, run.at(j, run.inputs)).centre().y};
      const Point to{(way > 0 ? out.x : out.right()) + 12 * way, down + high / 2};
      const float bend = (to.x - from.x) / 2, seen = smoothstep(0.0005F, 0.002F, w);
      down += high;
      Light::Beam beam{.from = from,
                       .control_from = {from.x + bend, from.y},
                       .control_to = {to.x - bend, to.y},
                       .to = to,
                       .half_from = kHairline,
                       .half_to = kHairline,
                       .intensity = come * kUnattended * seen,
                       .row = i,
                       .column = j};
      if (i == place) {
        beam.half_from = std::max(strength * high / 2, kHairline);
        beam.half_to = std::max(high / 2, kHairline);
        const float bright = 0.1F * smoothstep(0.002F, 0.012F, w) + std::min(1.4F * strength * w, 1.4F);
        beam.intensity = come * std::max(bright, kLeastSeen * seen) * (one && j != focus->column ? 0.35F : 1);
      }
      light.beams.push_back(beam);
    }
  }
  const Rect out = shown_of(d, run.at(place, run.outputs));
  light.spots.push_back({.glow = Light::Glow::haze,
                         .centre = out.centre(),
                         .radius_x = 0.52F * out.w,
                         .radius_y = 0.75F * out.h,
                         .intensity = 0.58F * in_turn(lit, place, n) * gain});
  return light;
}

// How much of each input the output is that is looked at, and how much it was before: where its beam begins, on a
// ground of its own.
void add_percentages(Drawing& d, const Run& run, const Matrix& A, int place, float seen) {
  const float k = std::clamp(d.figure.width / 1216, 0.8F, 1.25F), pitch = run.rows.h / static_cast<float>(run.count());
  const bool left = run.outputs < run.inputs;
  const std::size_t first = d.figure.elements.size();
  for (int j = 0; j < run.count(); ++j) {
    const Source source{std::string(run.names.weights), place, j};
    const float w = A(place, j), size = std::min((w >= 0.1F ? 14.F : 11.F) * (d.narrow() ? 0.85F : k), 0.75F * pitch);
    const text::Face face = w >= 0.1F ? text::Face::mono_bold : text::Face::mono;
    const std::string words = share_text(w), was = run.before == nullptr || d.narrow() || pitch < 24
                                                       ? words
                                                       : share_text(d.trace.at(run.before->weights).values(place, j));
    const float width = text::measure(face, size, words) + 1, high = 1.3F * size,
                after = was == words ? 0 : text::measure(type::caption.face, type::caption.size, "was " + was) + 7;
    const Rect at{run.from + (left ? -10 - width : 10), shown_of(d, run.at(j, run.inputs)).centre().y - high / 2, width,
                  high};
    d.figure.add({.id = cell_id(source) + ".ground",
                  .rect = {at.x - 4, at.y, width + after + 8, high},
                  .shape = Rectangle{.fill = d.colours.surface.faded(0.86F), .radius = 5}});
    d.figure.add(
        {.id = cell_id(source),
         .role = Role::cell,
         .rect = at,
         .label = d.trace.at(run.names.weights).column_labels[static_cast<std::size_t>(j)] + " gives " +
                  io::format_percent(static_cast<double>(w)),
         .source = source,
         .shape = Text{
             .text = words, .face = face, .size = size, .colour = w >= 0.1F ? d.colours.amber_text : d.colours.muted}});
    if (after > 0)
      add_words(d, cell_id(source) + ".was", {at.right() + 6, at.y, after, high}, "was " + was,
                {d.colours.muted, type::caption});
  }
  show_since(d.figure, first, seen);
}

void add_outputs(Drawing& d, const Run& run, const std::string& id, const Matrix& A, int place, float made) {
  // Numbers become others half way.
  const std::string output(run.before != nullptr && run.changed < 0.5F ? run.before->output : run.names.output);
  const Tensor& Y = d.trace.at(output);
  const int n = run.count();
  for (int i = 0; i < n; ++i) {
    const Rect to = shown_of(d, run.at(i, run.outputs));
    const int input = run.order[static_cast<std::size_t>(i)];
    const std::string one = id + "." + std::to_string(input);
    const std::size_t first = d.figure.elements.size();
    const std::string label = "Output of " + Y.row_labels[static_cast<std::size_t>(i)];
    if (d.video()) {
      std::vector<float> weights(run.order.size());
      for (int j = 0; j < n; ++j) weights[static_cast<std::size_t>(run.order[static_cast<std::size_t>(j)])] = A(i, j);
      add_mix(d.figure, one, weights, to);
    } else {
      d.figure.add({.id = one + ".ground", .rect = to, .shape = Rectangle{.fill = d.colours.surface, .radius = 4}});
      const float cell = to.w / static_cast<float>(Y.columns());
      MatrixCells cells =
          small_cells({output, i, 0, 1, Y.columns()}, std::min(cell, to.h), d.colours.output_fill, d.view.theme);
      if (std::min(cell, 1.5F * to.h) >= 26) cells.text_size = std::min({0.34F * cell, 0.5F * to.h, 13.F});
      d.figure.add({.id = one,
                    .role = Role::cell,
                    .rect = to.inset(1),
                    .label = label,
                    .shape = cells,
                    .opacity = run.before == nullptr ? 1 : std::abs(2 * run.changed - 1)});
    }
    d.figure.add({.id = one + ".edge",
                  .role = d.video() ? Role::cell : Role::none,
                  .rect = to.inset(-2),
                  .label = label,
                  .source = Source{output, i, 0},
                  .shape = Rectangle{.stroke = d.colours.output_fill.faded(i == place ? 1 : 0.6F),
                                     .stroke_width = i == place ? 2.6F : 1.4F,
                                     .radius = 5}});
    show_since(d.figure, first, in_turn(made, i, n));
  }
}

}  // namespace

Rect Run::at(int i, float x) const {
  const Lane lane = lane_of(rows, i, count());
  const float height = std::min(0.94F * lane.height, most);
  return {x, lane.middle - height / 2, card, height};
}

void lay_out(const Drawing& d, Run& run, std::vector<int> order, float y, float bottom, float foot) {
  constexpr float kBeside = 760;  // px of a figure that has room for the dots beside it
  const float w = d.inner() - 8, least = d.video() ? 44 : 14, top = y + (d.figure.width < kBeside ? 22 : 50);
  run.order = std::move(order);
  run.below = d.figure.width < kBeside;
  run.scale = std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  run.card = run.below ? std::min(0.18F * w, 96.F) : 104 * run.scale;
  run.most = d.video() ? run.card / kFilmShape + 15 : run.below ? 34 : 44 * run.scale;
  const float each = run.count() > kManyPlaces ? 16 : run.most, count = static_cast<float>(run.count());
  run.rows = {d.margin() + 4, top, w, std::max(run.below ? each * count : bottom - top - foot, least * count)};
  run.inputs = run.outputs = run.rows.x;
}

void add_head(Drawing& d, const Run& run, const std::string& id, float x, float width, const std::string& words) {
  add_words(d, id, {x, run.rows.y - 24, width, 18}, words, {d.colours.muted, type::label, Align::centre});
}

float add_dots(Drawing& d, const Run& run, const std::vector<Pair>& pairs, float landed) {
  const float x = run.outputs + run.card + 44 * run.scale;
  Rect area{x, run.rows.y, run.rows.right() - x, run.rows.h};
  if (run.below)
    area = {d.margin(), run.rows.bottom() + 62, d.inner(),
            (run.count() > kManyPlaces ? 15.F : 20.F) * static_cast<float>(run.count())};
  add_key(d, {area.x, area.y - (run.below ? 52.F : 48.F)}, true);
  add_lanes(d, area, pairs, landed, run.below);
  return area.bottom() + (run.below ? 22 : 28);
}

Rect shown_of(const Drawing& d, Rect card) {
  if (!d.video() || card.h < kLeastFilm) return card;
  const float height = std::min(card.h - name_below(d, card), card.w / kFilmShape);
  return {card.centre().x - height * kFilmShape / 2, card.y, height * kFilmShape, height};
}

void add_input(Drawing& d, const std::string& name_of, const std::string& id, int input, Rect rect,
               std::optional<Edit> edit, std::string label) {
  const std::string& name = d.trace.at("X").row_labels[static_cast<std::size_t>(input)];
  const bool hovered = !id.empty() && d.view.hovered == id;
  const float named = name_below(d, rect);
  const Rect shown = shown_of(d, rect);
  if (d.video() && rect.h >= kLeastFilm) {
    add_film(d.figure, name_of + ".film", input, shown);
    if (named > 0)
      add_words(d, name_of + ".word", {rect.x - 10, shown.bottom() + 1, rect.w + 20, named + 2}, name,
                {d.colours.input, {text::Face::regular, d.narrow() ? 11.F : 13.F}, Align::centre});
  }
  const Rect edge = shown.inset(d.video() ? -2.F : 0);
  d.figure.add({.id = name_of + ".edge",
                .rect = edge,
                .shape = Rectangle{.fill = d.video() ? Colour{0, 0, 0, 0} : d.colours.surface,
                                   .stroke = hovered ? d.colours.accent : d.colours.input_fill,
                                   .stroke_width = hovered ? 2.4F : 1.4F,
                                   .radius = std::min(6.F, 0.3F * rect.h)}});
  d.figure.add({.id = id.empty() ? name_of : id,
                .role = edit ? Role::token : Role::image,
                .rect = edge,
                .label = std::move(label),
                .edit = edit,
                .furniture = edit.has_value()});
  if (d.video() && rect.h >= kLeastFilm) return;
  const float size = std::clamp(0.55F * rect.h, 9.F, 13.F), width = text::measure(text::Face::semibold, size, name);
  add_words(d, name_of + ".word", rect.inset(2), name,
            {d.colours.input,
             {text::Face::semibold, std::max(std::min(size, size * (rect.w - 8) / width), 9.F)},
             Align::centre});
}

void add_placed(Drawing& d, const Run& run, int place, Rect rect) {
  const int input = run.order[static_cast<std::size_t>(place)];
  add_input(d, "moved." + std::to_string(input), "place." + std::to_string(place), input, rect,
            Edit{.field = "order", .place = place},
            d.trace.at("X").row_labels[static_cast<std::size_t>(input)] + ", in place " + std::to_string(place + 1) +
                ": drag it to another");
}

int looked_at(const Drawing& d, const std::vector<int>& order) {
  const int count = static_cast<int>(order.size());
  if (const std::optional<Source> focus = parse_cell_id(d.view.focus()); focus && focus->row < count) {
    static constexpr std::string_view kByPlace[] = {kShuffled.weights, kShuffled.output, kPlaced.weights,
                                                    kPlaced.output,    kYMoved,          kYMovedPos};
    if (std::ranges::count(kByPlace, focus->tensor) > 0) return focus->row;
    if (focus->tensor == kSelf.weights || focus->tensor == kSelf.output)
      return static_cast<int>(std::ranges::find(order, focus->row) - order.begin());
  }
  int first = -1;
  for (int i = 0; i < count; ++i) {
    if (d.view.hovered == "place." + std::to_string(i)) return i;
    if (first < 0 && order[static_cast<std::size_t>(i)] != i) first = i;
  }
  return std::max(first, 0);
}

void add_run(Drawing& d, const Run& run, const std::string& id, int place, float lit, float made) {
  const Matrix A = weights_of(d, run);
  const float to = run.outputs < run.inputs ? run.outputs + run.card : run.outputs;
  d.figure.add({.id = id + ".light",
                .role = Role::cell,
                .rect = {std::min(run.from, to), run.rows.y, std::abs(to - run.from), run.rows.h},
                .label = "The light of the layer: how much each output is of each input",
                .shape = light_of(d, run, A, place, lit)});
  add_outputs(d, run, id, A, place, made);
  add_percentages(d, run, d.trace.at(run.names.weights).values, place,
                  smoothstep(0.7F, 1, std::min(lit, run.before == nullptr ? 1 : run.changed)));
}

}  // namespace limelight::scenes::layer
