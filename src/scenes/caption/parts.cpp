#include "scenes/caption/parts.h"

#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::caption {

float add_vector(Drawing& d, const std::string& id, const Source& row, Rect rect, const std::string& name,
                 Colour colour, const std::string& note) {
  return add_strip(d, {.id = id, .row = row, .title = name, .colour = colour, .note = note}, rect);
}

// ---- the picture and its grid ----

void add_picture(Drawing& d, const std::string& id, Rect rect, std::string label, const Light& light) {
  Pixels pixels{.tensor = "picture", .width = learn::pictures::kSide};
  const bool lit = !light.tensor.empty(), said = !label.empty();
  if (lit) {
    const Matrix& weights = d.trace.at(light.tensor).values;
    const int most = largest(weights, light.row);
    if (said)
      label += ": most, " + io::format_percent(static_cast<double>(weights(light.row, most))) + ", at " +
               place_of(most, d.side());
    pixels.light = {light.tensor, light.row, 0, 1, d.side() * d.side()};
    pixels.light_across = d.side();
    pixels.smooth = d.state.smooth;
  }
  d.figure.add({.id = id,
                .role = said ? Role::image : Role::none,
                .rect = rect,
                .label = std::move(label),
                .shape = std::move(pixels)});
  // What gets no light is as dark as a dark page.
  if (lit) d.figure.add({.id = id + ".edge", .rect = rect, .shape = Rectangle{.stroke = d.colours.hairline}});
}

Rect cell_in(const Drawing& d, Rect grid, int cell) {
  const float w = grid.w / static_cast<float>(d.side()), h = grid.h / static_cast<float>(d.side());
  return {grid.x + static_cast<float>(cell % d.side()) * w, grid.y + static_cast<float>(cell / d.side()) * h, w, h};
}

void add_grid(Drawing& d, const std::string& id, Rect rect) {
  for (int i = 1; i < d.side(); ++i) {
    const float along = static_cast<float>(i) / static_cast<float>(d.side());
    const std::string name = id + "." + std::to_string(i);
    const Colour line = Colour{255, 255, 255}.faded(0.35F);
    d.figure.add({.id = name + ".x",
                  .shape = Line{.points = {{rect.x + along * rect.w, rect.y}, {rect.x + along * rect.w, rect.bottom()}},
                                .colour = line}});
    d.figure.add({.id = name + ".y",
                  .shape = Line{.points = {{rect.x, rect.y + along * rect.h}, {rect.right(), rect.y + along * rect.h}},
                                .colour = line}});
  }
}

void add_cell_ring(Drawing& d, const std::string& id, Rect grid, int cell, Colour colour) {
  add_ring(d.figure, id, cell_in(d, grid, cell), colour, 2.5F);
}

void add_hidden_cells(Drawing& d, const std::string& id, Rect rect, const Source& row, const std::string& label) {
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = rect,
                .label = label,
                .shape = Heatmap{.range = {row.tensor, row.row, 0, 1, d.side() * d.side()},
                                 .map = ColourMap::grey,
                                 .gap = 0,
                                 .theme = d.view.theme,
                                 .wrap = d.side()},
                .opacity = 0});
}

void add_meant(Drawing& d, const std::string& id, Rect rect, int t) {
  const Tensor* gold = d.trace.find("gold");
  if (!d.state.gold || gold == nullptr || t >= gold->rows()) return;
  const auto is_meant = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < d.side() && y < d.side() && gold->values(t, y * d.side() + x) != 0;
  };
  int lines = 0;
  const auto line = [&](Point from, Point to) {
    d.figure.add({.id = id + "." + std::to_string(lines++),
                  .shape = Line{.points = {from, to}, .colour = d.colours.value, .width = 2.5F}});
  };
  for (int cell = 0; cell < d.side() * d.side(); ++cell) {
    const int x = cell % d.side(), y = cell / d.side();
    if (!is_meant(x, y)) continue;
    const Rect at = cell_in(d, rect, cell);
    if (!is_meant(x, y - 1)) line({at.x, at.y}, {at.right(), at.y});
    if (!is_meant(x, y + 1)) line({at.x, at.bottom()}, {at.right(), at.bottom()});
    if (!is_meant(x - 1, y)) line({at.x, at.y}, {at.x, at.bottom()});
    if (!is_meant(x + 1, y)) line({at.right(), at.y}, {at.right(), at.bottom()});
  }
}

void add_map(Drawing& d, const std::string& id, Rect rect, const Map& map) {
  const float cell = rect.w / static_cast<float>(d.side());
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = rect,
                .label = map.label,
                .shape = Heatmap{.range = {map.row.tensor, map.row.row, 0, 1, d.side() * d.side()},
                                 .map = map.map,
                                 .low = map.low,
                                 .high = map.high,
                                 .gap = 1,
                                 .text_size = cell >= 34 ? std::min(cell * 0.27F, 15.F) : 0,
                                 .decimals = map.decimals,
                                 .theme = d.view.theme,
                                 .wrap = d.side()}});
}

// ---- the film ----

namespace {

constexpr float kFilmGap = 8, kFilmWord = 20;

struct Film {
  int count, in_line;
  float thumb;
  [[nodiscard]] int lines() const { return (count + in_line - 1) / in_line; }
  [[nodiscard]] float height() const { return static_cast<float>(lines()) * (thumb + kFilmWord + 6); }
};

Film film_of(const Drawing& d, std::string_view weights, float width) {
  const int count = d.trace.at(weights).rows();
  const float least = d.narrow() ? 50 : 46, most = 72;
  const int room = std::max(1, static_cast<int>((width + kFilmGap) / (least + kFilmGap)));
  const int in_line = std::min(count, room);
  const float thumb = std::clamp((width + kFilmGap) / static_cast<float>(in_line) - kFilmGap, least, most);
  return {.count = count, .in_line = in_line, .thumb = std::floor(thumb)};
}

}  // namespace

float film_height(const Drawing& d, std::string_view weights, float width) {
  return film_of(d, weights, width).height();
}

float add_film(Drawing& d, std::string_view weights, Point at, float width) {
  const Tensor& tensor = d.trace.at(weights);
  const Film film = film_of(d, weights, width);
  for (int t = 0; t < film.count; ++t) {
    const auto column = static_cast<float>(t % film.in_line), line = static_cast<float>(t / film.in_line);
    const Rect thumb{at.x + column * (film.thumb + kFilmGap), at.y + line * (film.thumb + kFilmWord + 6), film.thumb,
                     film.thumb};
    const std::string id = "film." + std::string(weights) + "." + std::to_string(t);
    const std::string word = label_of(tensor.row_labels, t);
    const bool chosen = t == std::min(d.t, film.count - 1);
    const int most = largest(tensor.values, t);
    add_picture(d, id + ".picture", thumb, "", {std::string(weights), t});  // what is pressed says it all
    if (chosen) add_ring(d.figure, id + ".ring", thumb.inset(-3), d.colours.accent, 2);
    add_words(d, id + ".word", {thumb.x - 4, thumb.bottom() + 3, thumb.w + 8, kFilmWord - 4}, word,
              {chosen ? d.colours.ink : d.colours.muted, chosen ? type::name : type::label, Align::centre});
    d.figure.add({.id = id,
                  .role = Role::token,
                  .rect = {thumb.x, thumb.y, thumb.w, thumb.h + kFilmWord},
                  .label = "Word " + std::to_string(t + 1) + ", “" + word + "”: most, " +
                           io::format_percent(static_cast<double>(tensor.values(t, most))) + ", at " +
                           place_of(most, d.side()),
                  .edit = Edit{.field = "word", .value = std::to_string(t)}});
  }
  return at.y + film.height();
}

// ---- captions ----

Reference reference_of(const Drawing& d) {
  if (d.trace.find("truth") == nullptr) return {words_in(d.trace, "chosen_soft"), "soft attention"};
  Reference world{words_in(d.trace, "truth")};
  world.words.emplace_back("[STOP]");
  return world;
}

float add_caption(Drawing& d, const Said& said, const std::vector<std::string>& words, const Reference& reference,
                  Point at, float width) {
  const std::vector<bool> differs = differing(words, reference.words);
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "[STOP]") continue;
    text += (text.empty() || words[i] == "," ? "" : " ") + (differs[i] ? bold(words[i]) : words[i]);
  }
  if (text.empty()) text = "It says nothing and stops.";
  if (words.empty() || words.back() != "[STOP]") text += " …";
  add_heading(d, said.id + ".title", at, width, said.name, said.colour, said.note);
  at.y += kTitle;
  const bool worlds = reference.other.empty();
  at.y += add_paragraph(d.figure, said.id, text, at, width, 15, d.colours.ink,
                        worlds ? d.colours.warning : d.colours.ink, 1.35F);
  if (std::ranges::find(differs, true) == differs.end()) return at.y;
  const std::string legend =
      worlds ? "red: not as the world has it" : "bold: not as " + std::string(reference.other) + " has it";
  return at.y +
         add_paragraph(d.figure, said.id + ".legend", legend, at, width, 11.5F, d.colours.muted, d.colours.muted);
}

}  // namespace limelight::scenes::caption
