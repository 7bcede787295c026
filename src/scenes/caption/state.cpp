// Caption's state: its examples, what a change brings with it, what is refused.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/sort.h"
#include "scenes/caption/caption.h"
#include "scenes/caption/paint.h"

namespace limelight::scenes::caption {
namespace {

namespace pictures = learn::pictures;

constexpr std::string_view kPainted =
    "white 16 0,8 64,8; white 16 0,22 64,22; orange 5 20,30 44,30 44,54 20,54 20,30; red 6 16,30 32,14 48,30; "
    "blue 6 26,38 26,40; green 8 38,46 38,52";

std::string_view scene_text(Preset preset) {
  switch (preset) {
    case Preset::pair:
      return "big red circle 20 40; small blue square 47 20; plain 30";
    case Preset::three:
      return "small green star 12 44; big blue square 34 22; medium yellow circle 52 46; checks 60";
    case Preset::twins:
      return "big purple star 18 41; big purple star 49 15; plain 52";
    case Preset::astray:
      return "big purple circle 11 50; big purple circle 44 43; medium yellow cross 41 19; plain 59";
    case Preset::empty:
      return "plain 50";
    case Preset::painted:
      return "plain 75";
    case Preset::own:
      return "plain 50";
  }
  return {};
}

// The cell over an object's centre; the middle one where there is no such object.
int cell_over(const pictures::Scene& scene, std::size_t object, int side) {
  const bool known = object < scene.objects.size();
  const auto at = [&](int centre) { return std::clamp(centre * side / pictures::kSide, 0, side - 1); };
  const int x = known ? scene.objects[object].x : pictures::kSide / 2;
  const int y = known ? scene.objects[object].y : pictures::kSide / 2;
  return at(y) * side + at(x);
}

// To where the cells say; those of no object stay.
void move_objects(State& state) {
  pictures::Scene scene = scene_of(state);
  std::map<std::pair<int, int>, float> left;
  for (const auto& [cell, value] : state.at.cells) {
    const auto& [row, column] = cell;
    if (row >= static_cast<int>(scene.objects.size()) || column > 1) {
      left.emplace(cell, value);
      continue;
    }
    pictures::Object& object = scene.objects[static_cast<std::size_t>(row)];
    (column == 0 ? object.x : object.y) = static_cast<int>(std::lround(value));
    state.object = row;
  }
  state.objects = pictures::write(scene);
  state.at.cells = std::move(left);
}

// A row is a stroke: of the last one it goes on, of the next one it begins.
void move_brush(State& state) {
  Result<std::vector<Stroke>> strokes = read_strokes(state.strokes);
  const auto x = state.brush.cells.begin();
  if (!strokes || x == state.brush.cells.end()) return;
  const int row = x->first.first;
  const auto y = state.brush.cells.find({row, 1});
  const int count = static_cast<int>(strokes->size());
  if (x->first.second != 0 || y == state.brush.cells.end() || state.brush.cells.size() != 2 || row > count ||
      row < count - 1)
    return;  // State::check says so
  if (row == count) strokes->push_back({.ink = state.ink, .width = state.width});
  const Stroke::At at{static_cast<int>(std::lround(x->second)), static_cast<int>(std::lround(y->second))};
  std::vector<Stroke::At>& points = strokes->back().points;
  if (points.empty() || points.back() != at) points.push_back(at);
  state.strokes = write(*strokes);
  state.brush.cells.clear();
}

void picture_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, state.preset);
  field(io::Field{.name = "own",
                  .label = "Your own picture",
                  .hint = "The name of one that you dropped, pasted or chose; it never leaves your machine.",
                  .place = figure},
        state.own);
  field(io::Field{.name = "objects",
                  .label = "The picture in words",
                  .hint = "Up to three objects and a background: “big red circle 20 40; blue star 44 31; stripes 40”.",
                  .placeholder = "big red circle 20 40; blue star 44 31 …",
                  .place = top},
        state.objects);
  field(io::Field{.name = "strokes",
                  .label = "What is painted over it",
                  .hint = "Strokes of a brush: “red 5 10,20 12,24; black 3 40,40”.",
                  .place = figure},
        state.strokes);
}

void attention_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "grid",
                  .label = "grid",
                  .choices = kGrids,
                  .hint = "Cells along each side; each grid has two models of its own."},
        state.grid);
  field(io::Field{.name = "attention",
                  .label = "attention",
                  .choices = kGazes,
                  .hint = "Whose caption is taken apart: soft, a mixture of all cells; hard, one of them.",
                  .steps = io::only("grid", "scores", "weights", "context", "word", "words", "force"),
                  .keeps_job = true},
        state.attention);
  field(io::Field{.name = "temperature",
                  .label = "temperature",
                  .range = {0.1, 10},
                  .hint = "Divides the scores: low sharpens, high flattens.",
                  .steps = io::all_but("picture", "grid"),
                  .logarithmic = true},
        state.temperature);
}

// Of single steps.
void step_fields(State& state, io::FieldVisitor& field) {
  field(io::Field{.name = "feature",
                  .label = "feature",
                  .range = {1, kMostFeatures},
                  .hint = "Which of a cell’s numbers is drawn over the picture.",
                  .steps = io::only("grid"),
                  .keeps_job = true},
        state.feature);
  field(io::Field{.name = "smooth",
                  .label = "upsampled",
                  .hint = "The light changes evenly from cell to cell, as in the paper’s figures.",
                  .steps = io::only("weights", "words", "compare", "draws", "force"),
                  .look = true},
        state.smooth);
  field(io::Field{.name = "gold",
                  .label = "objects meant",
                  .hint = "Outlines the cells of the object that a word speaks of. The models never saw them.",
                  .steps = io::only("words"),
                  .shown = state.is_of_the_world(),
                  .look = true},
        state.gold);
  field(io::Field{.name = "seed",
                  .label = "seed",
                  .range = {1, 9999},
                  .hint = "Another seed draws other places.",
                  .steps = io::only("draws")},
        state.seed);
}

// What is looked at.
void choice_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "word",
                  .label = "Word",
                  .range = {0, learn::captions::kMostWords - 1},
                  .place = figure,
                  .keeps_job = true},
        state.word);
  field(
      io::Field{
          .name = "object", .label = "Object", .range = {0, pictures::kMostObjects - 1}, .place = figure, .look = true},
      state.object);
}

void brush_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "tool", .label = "Hand or brush", .choices = kTools, .place = figure, .look = true},
        state.tool);
  field(io::Field{.name = "ink", .label = "Colour of the brush", .choices = kInks, .place = figure, .look = true},
        state.ink);
  field(io::Field{.name = "width",
                  .label = "Width of the brush",
                  .range = {1, kWidest},
                  .unit = "pixels",
                  .place = figure,
                  .look = true},
        state.width);
}

void force_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "cell",
                  .label = "The cell that attention is forced to",
                  .range = {0, kMostCells - 1},
                  .place = figure,
                  .keeps_job = true},
        state.cell);
  field(
      io::Field{
          .name = "scope", .label = "Words that look there", .choices = kScopes, .place = figure, .keeps_job = true},
      state.scope);
}

void drag_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  constexpr io::Range pixels{0, pictures::kSide};
  field(io::Field{.name = "at", .label = "Centre of an object", .range = pixels, .place = figure}, state.at);
  field(io::Field{.name = "brush", .label = "Where the brush goes", .range = pixels, .place = figure}, state.brush);
}

}  // namespace

State::State() : objects(scene_text(preset)) { cell = cell_over(scene_of(*this), 1, side()); }

void State::fields(io::FieldVisitor& field) {
  picture_fields(*this, field);
  attention_fields(*this, field);
  step_fields(*this, field);
  choice_fields(*this, field);
  brush_fields(*this, field);
  force_fields(*this, field);
  drag_fields(*this, field);
}

State State::example() const {
  State state;
  state.preset = preset;
  state.objects = scene_text(preset);
  if (preset == Preset::painted) {
    state.strokes = kPainted;
    state.tool = Tool::paint;
  }
  if (preset == Preset::astray) {
    state.attention = Gaze::hard;
    state.word = 1;  // "yellow", at which it looks at a circle
  }
  const pictures::Scene made = scene_of(state);
  state.cell = cell_over(made, made.objects.empty() ? 0 : made.objects.size() - 1, state.side());
  return state;
}

void State::changed(std::string_view field) {
  if (field == "preset") *this = example();
  if (field == "own" && !own.empty()) {
    const std::string name = own;
    preset = Preset::own;
    *this = example();
    own = name;
  }
  if (field == "objects")
    if (const Result<pictures::Scene> read = pictures::read(objects)) objects = pictures::write(*read);
  if (field == "strokes")
    if (const Result<std::vector<Stroke>> read = read_strokes(strokes)) strokes = write(*read);
  if (field == "at") move_objects(*this);
  if (field == "brush") move_brush(*this);
  if (field == "grid") {
    const pictures::Scene made = scene_of(*this);
    cell = cell_over(made, made.objects.empty() ? 0 : made.objects.size() - 1, side());
  }
}

Result<void> State::check() const {
  if (strokes.size() > kMostBytes)
    return fail("What is painted takes " + std::to_string(strokes.size()) + " bytes as text; up to " +
                std::to_string(kMostBytes) + " are kept, so take some strokes away.");
  if (Result<void> named = check_picture_name("own", own); !named) return named;
  if (const Result<pictures::Scene> read = pictures::read(objects); !read) return std::unexpected(read.error());
  if (const Result<std::vector<Stroke>> read = read_strokes(strokes); !read) return std::unexpected(read.error());
  if (!at.cells.empty()) {
    const std::size_t count = scene_of(*this).objects.size();
    return fail("There is no object " + std::to_string(at.cells.begin()->first.first + 1) +
                " to be moved; the picture has " + (count == 0 ? "none" : std::to_string(count)) +
                ", and each has two numbers, x and y.");
  }
  if (!brush.cells.empty())
    return fail(
        "A stroke goes on with its x and y, as \"0.0:12,0.1:30\"; strokes count from 0, and only the last or a "
        "new one can be painted.");
  if (cell >= side() * side())
    return fail("The grid has no cell " + std::to_string(cell) + "; they count from 0 to " +
                std::to_string(side() * side() - 1) + ".");
  return {};
}

bool State::is_of_the_world() const { return own.empty() && strokes.empty() && !scene_of(*this).objects.empty(); }

pictures::Scene scene_of(const State& state) { return pictures::read(state.objects).value_or(pictures::Scene{}); }

std::vector<std::string> names_of(const pictures::Scene& scene) {
  static constexpr std::string_view by_count[2][3] = {{"left", "right"}, {"left", "middle", "right"}};
  std::vector<std::string> names;
  for (const pictures::Object& object : scene.objects) {
    std::vector<const pictures::Object*> alike;
    for (const pictures::Object& other : scene.objects)
      if (name_of(other) == name_of(object)) alike.push_back(&other);
    heap_sort(alike, {}, [](const pictures::Object* other) { return std::tuple(other->x, other->y, other); });
    const auto place = std::ranges::find(alike, &object) - alike.begin();
    names.push_back(alike.size() == 1 ? name_of(object)
                                      : std::string(by_count[alike.size() - 2][place]) + " " + name_of(object));
  }
  return names;
}

std::string name_of(const pictures::Object& object) {
  return (object.size == pictures::Size::medium ? "" : std::string(name(object.size)) + " ") +
         std::string(name(object.colour)) + " " + std::string(name(object.shape));
}

}  // namespace limelight::scenes::caption
