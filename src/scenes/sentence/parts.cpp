#include "scenes/sentence/parts.h"

#include <algorithm>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/sentence/read.h"
#include "text/font.h"

namespace limelight::scenes::sentence {

float Drawing::scale() const {
  constexpr float kWidth = 1208, kHeight = 560;  // of a stage that is drawn at scale 1
  return std::clamp(std::min(figure.width / kWidth, view.height / kHeight), 0.62F, 1.45F);
}

std::vector<int> hidden_in(const Trace& trace) {
  std::vector<int> places;
  const Tensor* hidden = trace.find("hidden");
  for (int i = 0; hidden != nullptr && i < hidden->columns(); ++i)
    if (hidden->values(0, i) != 0) places.push_back(i);
  return places;
}

std::string name_of(const HeadPlace& place) {
  return std::to_string(place.layer + 1) + "." + std::to_string(place.head + 1);
}

bool has(const io::CellEdits& heads, const HeadPlace& place) {
  const auto found = heads.cells.find({place.layer, place.head});
  return found != heads.cells.end() && found->second != 0;
}

std::string kind_of(const Trace& trace, const HeadPlace& place, int heads) {
  const Matrix& seen = trace.at("kinds").values;
  const Eigen::Index row = place.layer * heads + place.head;
  Eigen::Index best = 0;
  const float share = seen.row(row).head(kinds).maxCoeff(&best);
  if (share >= kClear) return std::string(kShortKinds[best]) + " " + share_of(share);
  return seen(row, kinds) > 0.8F ? std::string("at many words") : std::string(kNoFixedPlace);
}

Panel zoomed(Panel panel, const Zoom& zoom) {
  if (zoom.tensor == panel.tensor && zoom.rows > 0)
    panel.window = CellRange{zoom.tensor, zoom.row, zoom.column, zoom.rows, zoom.columns};
  return panel;
}

std::pair<int, int> window_of(int count, int middle, int most) {
  if (count <= most) return {0, count};
  const int begin = std::clamp(middle - most / 2, 0, count - most);
  return {begin, begin + most};
}

float add_hiding(Drawing& d, Point at, float width) {
  // The query, also while another word is pointed at: these stay where they are.
  const int query = std::min(d.state.query, d.trace.at(d.tensor("A")).rows() - 1);
  if (!d.is_read() || query < d.first()) return at.y;
  const std::vector<int> hidden = hidden_in(d.trace);
  const bool is_hidden = std::ranges::find(hidden, query) != hidden.end();
  const std::string& word = d.typed(query);
  std::vector<ChipGroup> groups{{"hidden", "", {}, "hiding"}};
  groups[0].chips.push_back({(is_hidden ? "show " : "hide ") + quoted(word),
                             "0." + std::to_string(query) + (is_hidden ? ":" : ":1"), false,
                             (is_hidden ? "Show " : "Hide ") + word + " to the model"});
  if (!hidden.empty() && !(hidden.size() == 1 && is_hidden))
    groups[0].chips.push_back({"show all", "", false, "Show all words to the model"});
  return add_chips(d, groups, at, width, d.chip_height());
}

float add_own(Drawing& d, Point at, float width, bool brief) {
  const Tensor* label = d.trace.find("label");
  const std::string how =
      "drop the folder of a GPT-2 or a BERT anywhere on this page, or the attention weights of any "
      "model (.npy, .safetensors, JSON). Nothing leaves your machine.";
  brief = brief && label == nullptr;
  if (!brief)
    at.y = add_hint(d, "own.words",
                    label == nullptr ? "**Your own model:** " + how
                                     : "**" + label->row_labels[0] + "** is yours, and stays on your machine.",
                    at, width) +
           8;
  std::vector<ChipGroup> groups{
      {"do",
       "",
       {{brief ? "your own model …" : "choose files …", "own_files", false, "Choose a model of your own, or " + how}},
       "own"}};
  if (!d.state.own.empty())
    groups.push_back(
        {"own", "", {{"back to the trained encoder", "", false, "Read with the trained encoder"}}, "back"});
  return add_chips(d, groups, at, width, d.chip_height());
}

ChipGroup layer_chips(const Drawing& d) {
  ChipGroup layers{"head", "layer", {}, "layers"};
  for (int i = 0; i < d.layers; ++i)
    layers.chips.push_back(
        {std::to_string(i + 1), name_of({i, d.head.head}), i == d.head.layer, "Layer " + std::to_string(i + 1)});
  return layers;
}

float add_head_chips(Drawing& d, float y) {
  ChipGroup heads{"head", "head", {}, "heads"};
  for (int i = 0; i < d.heads; ++i)
    heads.chips.push_back(
        {std::to_string(i + 1), name_of({d.head.layer, i}), i == d.head.head, "Head " + std::to_string(i + 1)});
  return add_chips(d, {layer_chips(d), heads}, y, d.fingers() ? 48 : d.chip_height());
}

float add_guesses(Drawing& d, const std::string& which, int place, const std::string& title, Rect area, float come) {
  const auto [left, top, width, height] = area;
  const std::string name = of_place("guess" + which, place);
  const Tensor* guesses = d.trace.find(name);
  if (guesses == nullptr) return top;
  const Tensor &truth = d.trace.at(of_place("truth" + which, place)), &whole = d.trace.at(of_place("guess", place));
  const auto& typed = d.trace.at("typed").column_labels;
  const bool inside = place < static_cast<int>(typed.size());
  const std::string was = inside && truth.values(0, 0) >= 0 ? typed[static_cast<std::size_t>(place)] : "";
  add_heading(d, name + ".title", {left, top}, width, title, d.colours.output,
              was.empty() ? "" : "it was " + quoted(was));
  float y = top + kTitleHeight;
  const float k = d.label_scale(), pitch = 25 * k, word_width = std::min(110 * k, width * 0.36F), number = 52 * k;
  const auto larger = [&](Type type) { return Type{type.face, type.size * k}; };
  const int fit = std::clamp(static_cast<int>((height - kTitleHeight) / pitch), 3, guesses->columns());
  for (int i = 0; i < fit; ++i) {
    const std::string& word = guesses->column_labels[static_cast<std::size_t>(i)];
    const auto first = std::ranges::find(whole.column_labels, word) - whole.column_labels.begin();
    const float before = first < whole.columns() ? whole.values(0, first) : 0,
                p = mix(before, guesses->values(0, i), come);
    const bool right = word == was;
    const std::string id = cell_id({name, 0, i});
    const Rect track{left + word_width, y + 4 * k, width - word_width - number, 15 * k};
    add_words(d, name + ".word." + std::to_string(i), {left, y, word_width - 8, pitch - 2}, word,
              {right ? d.colours.output : d.colours.ink, larger(right ? type::subtitle : type::body), Align::right});
    add_box(d, name + ".track." + std::to_string(i), track, {.fill = d.colours.sunken, .radius = 3});
    add_part(d, id, Role::cell, {track.x, track.y, std::max(track.w * p, 1.5F), track.h}, word + ": " + share_of(p),
             Rectangle{.fill = d.colours.output_fill.faded(right ? 1 : 0.6F), .radius = 3})
        .source = Source{name, 0, i};
    if (track.w * std::abs(before - p) > 1)
      add_box(d, name + ".before." + std::to_string(i), {track.x, track.y, std::max(track.w * before, 1.5F), track.h},
              {.fill = {0, 0, 0, 0}, .stroke = d.colours.output, .stroke_width = 1.2F, .radius = 3});
    add_words(d, name + ".value." + std::to_string(i), {track.right() + 6, y, number - 6, pitch - 2},
              p > 0 ? share_of(p) : "", {d.colours.ink, larger(type::number)});
    y += pitch;
  }
  if (!was.empty() && truth.values(0, 1) > static_cast<float>(fit))
    y = add_note(d, name + ".rank",
                 "**" + was + "** is number " + std::to_string(static_cast<int>(truth.values(0, 1))) + ", with " +
                     share_of(truth.values(0, 0)) + ".",
                 {left, y + 2}, width);
  return y;
}

float add_all_guesses(Drawing& d, Rect area) {
  const auto [left, top, width, height] = area;
  float y = top;
  std::vector<int> places = hidden_in(d.trace);
  const int count = static_cast<int>(d.words().size());
  if (d.trace.find(of_place("guess", count)) != nullptr) places.push_back(count);
  std::erase_if(places, [&](int place) { return d.trace.find(of_place("guess", place)) == nullptr; });
  const int columns = std::clamp(static_cast<int>(width / 250), 1, 3);
  const float pitch =
      (width + 24) / static_cast<float>(std::min(columns, std::max(1, static_cast<int>(places.size()))));
  const float card = std::min(pitch - 24, 420.F);
  float lowest = y;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto column = static_cast<int>(i) % columns;
    if (column == 0 && i > 0) y = lowest + 18;
    const std::string name = places[i] == count   ? "after the last"
                             : places.size() == 1 ? std::string("what the model says there")
                                                  : "place " + std::to_string(places[i] + 1);
    lowest = std::max(
        lowest, add_guesses(d, "", places[i], name, {left + pitch * static_cast<float>(column), y, card, height}));
  }
  return lowest;
}

std::string points_of(float change) {
  return (change < 0 ? "−" : "+") + fixed(100 * std::abs(static_cast<double>(change)), 1);
}

void add_change(Drawing& d, const Source& of, const std::string& label, const Rect& zero, float unit, bool told) {
  const float value = d.trace.at(of.tensor).values(of.row, of.column), by = -value * unit,
              number = 17 * d.label_scale();
  const Rect bar{zero.x, std::min(zero.y, zero.y + by), zero.w, std::max(std::abs(by), 1.F)};
  const float seen = std::abs(by) < 0.75F ? 0 : value < 0 ? 1.F : 0.5F;
  add_part(d, cell_id(of), Role::cell, bar, label + ": " + points_of(value) + " points",
           Rectangle{.fill = d.colours.output_fill.faded(seen), .radius = 3})
      .source = of;
  if (told)
    add_words(d.figure, cell_id(of) + ".said", {zero.centre().x - 50, bar.bottom(), 100, number}, points_of(value),
              {d.colours.output, {text::Face::mono_bold, 13.5F * d.label_scale()}, Align::centre});
}

float add_without_model(Drawing& d, float y) {
  return add_note(
      d, "without",
      "These are weights alone; this step needs the model that made them. One head, all heads and layers need none.",
      {d.margin(), y}, d.inner());
}

bool lacks_target(const Drawing& d) { return d.trace.at("model").values(0, 1) == 0 || hidden_in(d.trace).empty(); }
float add_no_target(Drawing& d, float y) {
  if (d.trace.at("model").values(0, 1) == 0)
    return add_note(d, "no_head", "This model has no head that predicts tokens: nothing can be measured.",
                    {d.margin(), y}, d.inner());
  y = add_hiding(d, {d.margin(), y}, d.inner()) + 14;
  return add_hint(
      d, "no_target",
      "Hide a word first: choose it and press hide, or double-click it. Measured is how likely the model finds it.",
      {d.margin(), y}, d.inner());
}
float add_trying(Drawing& d, float y, const std::string& what) {
  if (d.trace.find("importance") != nullptr) return y;
  const Tensor* truth = d.trace.find(of_place("truth", hidden_in(d.trace).front()));
  if (truth == nullptr || truth->values(0, 0) < 0)
    return add_hint(d, "unknown", "The model has no such word, and no probability of it to compare. Hide another one.",
                    {d.margin(), y}, d.inner()) +
           8;
  if (!d.state.own.empty() && !d.state.tried)
    return add_chips(d, {{"tried", "", {{"try it " + what, io::write_value(true)}}, "trying"}}, y, d.chip_height()) +
           10;
  return add_note(d, "trying", "The model reads the sentence again " + what + " …", {d.margin(), y}, d.inner()) + 8;
}

}  // namespace limelight::scenes::sentence
