#include <algorithm>
#include <utility>

#include "io/utf8.h"
#include "learn/pictures.h"
#include "scenes/patches/patches.h"

namespace limelight::scenes::patches {
namespace {

// A picture to set something of.
bool is_there(const State& state) { return !state.is_photo() || !state.own.empty(); }

void picture_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, state.preset);
  field(io::Field{.name = "text",
                  .label = "A picture in words",
                  .hint =
                      "Up to three objects and a background, as in: big red circle 20 30; blue star 44 31; stripes 40.",
                  .placeholder = "big red circle 20 30; blue star 44 31; stripes 40 …",
                  .implied = state.words(),
                  .place = top},
        state.text);
  field(io::Field{.name = "own",
                  .label = "A picture of your own",
                  .hint = "Its name; the pixels stay on your machine.",
                  .place = top,
                  .shown = false},
        state.own);
  field(io::Field{.name = "given",
                  .label = "The picture that you gave before",
                  .hint = "Its name; “your picture” comes back to it.",
                  .place = top,
                  .shown = false,
                  .look = true},
        state.given);
}

void patch_fields(State& state, io::FieldVisitor& field) {
  using enum io::Place;
  const bool there = is_there(state);
  field(
      io::Field{
          .name = "grid",
          .label = "patches",
          .choices = kGrids,
          .hint = "More patches are smaller, and attention among them costs more: its matrix grows with the square.",
          .shown = there},
      state.grid);
  field(io::Field{.name = "query",
                  .label = "Patch that looks",
                  .range = {0, static_cast<double>(state.patches() * state.patches() - 1)},
                  .place = figure},
        state.query);
  field(io::Field{.name = "compare",
                  .label = "compare by",
                  .choices = kCompares,
                  .hint = "q·k, as Transformers do, favours long keys; distance, as non-local means does, does not.",
                  .steps = io::all_but("cut", "features"),
                  .shown = there},
        state.compare);
}

void look_fields(State& state, io::FieldVisitor& field) {
  const bool there = is_there(state);
  field(io::Field{.name = "look",
                  .label = "look",
                  .choices = kLooks,
                  .hint = "Soft: at all, by softmax. Hard: at the best alone. Top-k: softmax over the k best.",
                  .steps = io::only("weights", "looks", "output", "own"),
                  .shown = there},
        state.look);
  field(io::Field{.name = "temperature",
                  .label = "temperature",
                  .range = {0.02, 10},
                  .hint = "Divides the scores: near 0 soft turns hard, high up all patches count alike.",
                  .steps = io::only("weights", "looks", "output", "own"),
                  .shown = there && state.look != Look::hard,
                  .logarithmic = true},
        state.temperature);
  field(io::Field{.name = "k",
                  .label = "k",
                  .range = {1, kMostKept},
                  .hint = "How many patches top-k keeps; the others get exactly 0.",
                  .steps = io::only("weights", "looks", "output", "own"),
                  .shown = there && state.look == Look::top},
        state.k);
  field(io::Field{.name = "itself",
                  .label = "look at itself",
                  .hint = "Off: a patch must find itself in others.",
                  .steps = io::only("weights", "looks", "output", "own"),
                  .shown = there},
        state.itself);
}

void share_fields(State& state, io::FieldVisitor& field) {
  const bool there = is_there(state);
  field(io::Field{.name = "colour",
                  .label = "colour counts",
                  .range = {0, 2},
                  .hint = "The share of the four numbers of colour in a score.",
                  .steps = io::all_but("cut"),
                  .shown = there},
        state.colour);
  field(io::Field{.name = "edges",
                  .label = "edges count",
                  .range = {0, 2},
                  .hint = "The share of the eight orientations of edges.",
                  .steps = io::all_but("cut"),
                  .shown = there},
        state.edges);
  field(io::Field{.name = "place",
                  .label = "place counts",
                  .range = {0, 2},
                  .hint = "The share of row and column. At 0 a patch does not know where it is.",
                  .steps = io::all_but("cut"),
                  .shown = there},
        state.place);
}

}  // namespace

void State::fields(io::FieldVisitor& field) {
  picture_fields(*this, field);
  patch_fields(*this, field);
  look_fields(*this, field);
  share_fields(*this, field);
}

State State::example() const {
  State state;
  state.preset = preset;
  static constexpr int queries[] = {18, 9, 9, 36, 45, 36, 18};
  state.query = queries[static_cast<int>(preset)];
  if (preset == Preset::own) state.text = "big red circle 20 30; blue star 44 31; stripes 40";
  return state;
}

void State::changed(std::string_view field) {
  if (field == "preset") {
    const std::string last = own.empty() ? given : own;
    *this = example();
    (is_photo() ? own : given) = last;
  } else if (field == "text") {
    preset = Preset::own;
    if (!own.empty()) given = std::exchange(own, {});
  } else if (field == "own") {
    if (own.empty()) return;
    given.clear();
    preset = Preset::photo;
    query = patches() / 2 * (patches() + 1);  // in the middle
  } else if (field == "grid") {
    query = std::min(query, patches() * patches() - 1);
  }
}

Result<void> State::check() const {
  if (query >= patches() * patches())
    return fail("The patch that looks is number " + std::to_string(query) + "; a grid of " + std::to_string(patches()) +
                " by " + std::to_string(patches()) + " has 0 to " + std::to_string(patches() * patches() - 1) + ".");
  for (const auto& [field, name] : {std::pair("own", &own), std::pair("given", &given)})
    if (const Result<void> named = check_picture_name(field, *name); !named) return named;
  if (preset != Preset::own) return {};
  if (text.size() > kMostBytes)
    return fail("The picture’s words have " + std::to_string(text.size()) + " bytes; up to " +
                std::to_string(kMostBytes) + " are read.");
  const auto scene = learn::pictures::read(text);
  if (!scene) return std::unexpected(scene.error());
  return {};
}

std::string_view State::words() const {
  static constexpr std::string_view list[] = {
      "big red circle 20 20; big red circle 44 44; big red circle 46 16; plain 80",
      "stripes 30",
      "checks 70",
      "",
      "",
      "",
      ""};
  return list[static_cast<int>(preset)];
}

int query_of(const State& state) { return std::min(state.query, state.patches() * state.patches() - 1); }

}  // namespace limelight::scenes::patches
