#include "scenes/sentence/parts.h"

#include <cmath>
#include <utility>

#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/common/strips.h"
#include "scenes/sentence/read.h"
#include "text/font.h"

namespace limelight::scenes::sentence {

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

std::string kind_of(const Trace& trace, const HeadPlace& place, int heads) {
  const Matrix& seen = trace.at("kinds").values;
  const Eigen::Index row = place.layer * heads + place.head;
  Eigen::Index best = 0;
  const float share = seen.row(row).head(kinds).maxCoeff(&best);
  if (share >= kClear) return std::string(kShortKinds[best]) + " " + io::format_percent(static_cast<double>(share));
  return seen(row, kinds) > 0.8F ? "spread" : "no fixed place";
}

std::pair<int, int> window_of(int count, int middle, int most) {
  if (count <= most) return {0, count};
  const int begin = std::clamp(middle - most / 2, 0, count - most);
  return {begin, begin + most};
}

Colour colour_of_arcs(const Drawing& d, int index) {
  const Colour colours[] = {d.colours.query, d.colours.key, d.colours.value, d.colours.output};
  return colours[index % 4];
}

float add_word_chips(Drawing& d, float y) {
  constexpr float gap = 5;
  constexpr int most = 60;
  const auto& words = d.words();
  const Tensor& known = d.trace.at("tokens");
  const Tensor* typed = d.trace.find("typed");
  const std::vector<int> hidden = hidden_in(d.trace);
  const auto [begin, end] = window_of(static_cast<int>(words.size()), d.query, most);
  const float height = d.press_height(), right = d.margin() + d.inner();
  float x = d.margin();
  const auto put = [&](float width) {
    if (x + width > right && x > d.margin()) {
      x = d.margin();
      y += height + gap;
    }
    const Rect rect{x, y, width, height};
    x += width + gap;
    return rect;
  };
  if (begin > 0) add_words(d, "words.before", put(24), "…", {d.colours.faint, {text::Face::regular, 14}});
  for (int i = begin; i < end; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    const bool is_hidden = std::ranges::find(hidden, i) != hidden.end(), on = i == d.query;
    const bool by_letters = known.values(0, i) == 0;
    const std::string was = typed == nullptr ? word : typed->column_labels[static_cast<std::size_t>(i)];
    const Rect rect =
        put(std::max(text::measure(on ? text::Face::semibold : text::Face::regular, 14, word) + 20, height));
    const std::string id = "word." + std::to_string(i), cell = "0." + std::to_string(i);
    Element chip{.id = id,
                 .role = Role::token,
                 .rect = rect,
                 .label = "Look from " + word + (is_hidden ? ", which was " + was : "") +
                          (by_letters ? ", which is read by its letters" : ""),
                 .edit = Edit{.field = "query", .value = std::to_string(i)},
                 .shape = Rectangle{.fill = on          ? mix(d.colours.surface, d.colours.query, 0.18F)
                                            : is_hidden ? d.colours.sunken
                                                        : d.colours.surface,
                                    .stroke = on ? d.colours.query : d.colours.hairline,
                                    .stroke_width = on ? 2.F : 1.F,
                                    .radius = 7}};
    if (d.is_read() && i >= d.first()) chip.twice = Edit{.field = "hidden", .value = cell + (is_hidden ? ":" : ":1")};
    d.figure.add(std::move(chip));
    add_words(d, id + ".text", rect, word,
              {is_hidden ? d.colours.muted : d.colours.ink,
               {on ? text::Face::semibold : text::Face::regular, 14},
               Align::centre});
    if (by_letters)
      d.figure.add(
          {.id = id + ".letters",
           .rect = {rect.x + 8, rect.bottom() - 6, rect.w - 16, 1},
           .shape = Line{.points = {{rect.x + 9, rect.bottom() - 5.5F}, {rect.right() - 9, rect.bottom() - 5.5F}},
                         .colour = d.colours.value,
                         .width = 1.5F,
                         .dashed = true}});
  }
  if (end < static_cast<int>(words.size()))
    add_words(d, "words.after", put(24), "…", {d.colours.faint, {text::Face::regular, 14}});
  return y + height;
}

float add_hiding(Drawing& d, float y) {
  if (!d.is_read() || d.query < d.first()) return y;
  const std::vector<int> hidden = hidden_in(d.trace);
  const bool is_hidden = std::ranges::find(hidden, d.query) != hidden.end();
  const std::string word = d.trace.at("typed").column_labels[static_cast<std::size_t>(d.query)];
  std::vector<ChipGroup> groups{{"hidden", "", {}, "hiding"}};
  groups[0].chips.push_back({(is_hidden ? "show " : "hide ") + quoted(word),
                             "0." + std::to_string(d.query) + (is_hidden ? ":" : ":1"), false,
                             (is_hidden ? "Show " : "Hide ") + word + " to the model"});
  if (!hidden.empty() && !(hidden.size() == 1 && is_hidden))
    groups[0].chips.push_back({"show all", "", false, "Show all words to the model"});
  return add_chips(d, groups, y, d.chip_height());
}

float add_own(Drawing& d, float y) {
  const Tensor* label = d.trace.find("label");
  y = add_hint(d, "own.words",
               label == nullptr
                   ? "**Your own model:** drop the folder of a GPT-2 or a BERT anywhere on this page, or the attention "
                     "weights of any model (.npy, .safetensors, JSON). Nothing leaves your machine."
                   : "**" + label->row_labels[0] + "** is yours, and stays on your machine.",
               {d.margin(), y}, std::min(d.inner(), 640.F)) +
      8;
  std::vector<ChipGroup> groups{
      {"do", "", {{"choose files …", "own_files", false, "Choose a model of your own"}}, "own"}};
  if (!d.state.own.empty())
    groups.push_back(
        {"own", "", {{"back to the trained encoder", "", false, "Read with the trained encoder"}}, "back"});
  return add_chips(d, groups, y, d.chip_height());
}

float add_head_chips(Drawing& d, float y) {
  ChipGroup layers{"head", "layer", {}, "layers"}, heads{"head", "head", {}, "heads"};
  for (int i = 0; i < d.layers; ++i)
    layers.chips.push_back(
        {std::to_string(i + 1), name_of({i, d.head.head}), i == d.head.layer, "Layer " + std::to_string(i + 1)});
  for (int i = 0; i < d.heads; ++i)
    heads.chips.push_back(
        {std::to_string(i + 1), name_of({d.head.layer, i}), i == d.head.head, "Head " + std::to_string(i + 1)});
  return add_chips(d, {layers, heads}, y, d.chip_height());
}

float add_guesses(Drawing& d, const std::string& which, int place, const std::string& title, Point at, float width) {
  const std::string name = of_place("guess" + which, place);
  const Tensor* guesses = d.trace.find(name);
  if (guesses == nullptr) return at.y;
  const Tensor& truth = d.trace.at(of_place("truth" + which, place));
  const auto& typed = d.trace.at("typed").column_labels;
  const bool inside = place < static_cast<int>(typed.size());
  const std::string was = inside && truth.values(0, 0) >= 0 ? typed[static_cast<std::size_t>(place)] : "";
  add_heading(d, name + ".title", at, width, title, d.colours.output, was.empty() ? "" : "it was " + quoted(was));
  float y = at.y + kTitleHeight;
  const float pitch = 25, word_width = std::min(110.F, width * 0.36F), number = 52;
  for (int i = 0; i < guesses->columns(); ++i) {
    const std::string& word = guesses->column_labels[static_cast<std::size_t>(i)];
    const float p = guesses->values(0, i);
    const bool right = word == was;
    const std::string id = cell_id({name, 0, i});
    const Rect track{at.x + word_width, y + 4, width - word_width - number, 15};
    add_words(d, name + ".word." + std::to_string(i), {at.x, y, word_width - 8, pitch - 2}, word,
              {right ? d.colours.good : d.colours.ink, right ? type::subtitle : type::body, Align::right});
    d.figure.add({.id = name + ".track." + std::to_string(i),
                  .rect = track,
                  .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {track.x, track.y, std::max(track.w * p, 1.5F), track.h},
                  .label = word + ": " + io::format_percent(static_cast<double>(p)),
                  .source = Source{name, 0, i},
                  .shape = Rectangle{.fill = right ? d.colours.good : d.colours.output, .radius = 3}});
    add_words(d, name + ".value." + std::to_string(i), {track.right() + 6, y, number - 6, pitch - 2},
              io::format_percent(static_cast<double>(p)), {d.colours.ink, type::number});
    y += pitch;
  }
  if (!was.empty() && truth.values(0, 1) > static_cast<float>(guesses->columns()))
    y = add_note(d, name + ".rank",
                 "**" + was + "** is number " + std::to_string(static_cast<int>(truth.values(0, 1))) + ", with " +
                     io::format_percent(static_cast<double>(truth.values(0, 0))) + ".",
                 {at.x, y + 2}, width);
  return y;
}

namespace {

// Of what kind_of says, as much as there is room for.
std::string fitted_kind(const std::string& kind, float size, float width) {
  const auto fits = [&](std::string_view words) { return text::measure(text::Face::regular, size, words) <= width; };
  if (fits(kind)) return kind;
  const std::string without_number =
      kind == "no fixed place" ? "varies" : kind.substr(0, kind.rfind(' ', kind.size() - 3));
  if (fits(without_number)) return without_number;
  return text::fit(text::Face::regular, size, without_number == kShortKinds[previous] ? "prev." : without_number,
                   width);
}

}  // namespace

float add_grid(Drawing& d, Point at, float width, const Figure& unfolded) {
  constexpr float kLeastMap = 16;
  const Matrix& order = d.trace.at("order").values;
  const int count = d.layers * d.heads;
  const bool by_place = d.state.sorting == Sorting::place;
  const float gap = d.heads > 8 ? 5.F : 10.F, title = d.heads > 8 ? 0.F : 32.F;
  const float left = by_place && title == 0 ? 22.F : 0.F;
  int columns = by_place && !d.narrow() ? d.heads : std::max(1, static_cast<int>((width + gap) / 86.F));
  if (!by_place && d.heads > 8) columns = d.heads;
  if (d.narrow() && d.heads > 8) columns = std::min(d.heads, 6);
  columns = std::clamp(columns, 1, std::max(1, static_cast<int>((width - left + gap) / (kLeastMap + gap))));
  const float pitch = (width - left + gap) / static_cast<float>(columns);
  const float side = std::clamp(pitch - gap, kLeastMap, 150.F);
  const Tensor& first = d.trace.at(of_head("G", 0, 0));
  const bool by_extent = d.state.normalise == Normalise::min_max;
  const Matrix& extent = d.trace.at("extent").values;
  const float height = side * std::min(1.F, static_cast<float>(first.rows()) / static_cast<float>(first.columns()));
  float y = at.y;
  bool unfolds = false;  // below the row that ends here
  for (int i = 0; i < count; ++i) {
    if (i > 0 && i % columns == 0) {
      y += title + height + gap;
      if (std::exchange(unfolds, false) && unfolded.height > 0) {
        append(d.figure, unfolded, at.x, y, std::nullopt);
        y += unfolded.height + gap;
      }
    }
    const int head = static_cast<int>(order(0, i));
    const HeadPlace place{head / d.heads, head % d.heads};
    const std::string tensor = of_head("G", place.layer, place.head), kind = kind_of(d.trace, place, d.heads);
    const Rect map{at.x + left + pitch * static_cast<float>(i % columns), y + title, side, height};
    const bool chosen = place == d.head;
    unfolds = unfolds || chosen;
    if (title > 0) {
      add_words(d, tensor + ".name", {map.x, map.y - title, side, 15}, name_of(place),
                {chosen ? d.colours.ink : d.colours.muted, type::name});
      add_words(d, tensor + ".kind", {map.x, map.y - title + 15, pitch - 4, 15}, fitted_kind(kind, 11, pitch - 4),
                {d.colours.muted, type::caption});
    } else if (by_place && i % columns == 0) {
      add_words(d, tensor + ".layer", {at.x, map.y, left - 4, height}, std::to_string(place.layer + 1),
                {.colour = d.colours.muted, .align = Align::right});
    }
    d.figure.add({.id = tensor,
                  .rect = map,
                  .shape = Heatmap{.range = {tensor, 0, 0, first.rows(), first.columns()},
                                   .normalise = d.state.normalise,
                                   .low = by_extent ? extent(0, 0) : 0,
                                   .high = by_extent ? extent(0, 1) : 1,
                                   .gap = 0,
                                   .theme = d.view.theme}});
    d.figure.add({.id = "grid." + name_of(place),
                  .role = Role::button,
                  .rect = {map.x, map.y - title, map.w, map.h + title},
                  .label = "Head " + name_of(place) + ": " + kind,
                  .edit = Edit{.field = "head", .value = name_of(place)},
                  .shape = Rectangle{}});
    if (chosen) add_ring(d.figure, "grid.chosen", map.inset(-3), d.colours.ink);
  }
  y += title + height;
  if (!unfolds || unfolded.height == 0) return y;
  append(d.figure, unfolded, at.x, y + gap, std::nullopt);
  return y + gap + unfolded.height;
}

float add_arcs(Drawing& d, Rect area) {
  const Tensor& shown = d.trace.at(d.tensor("A"));
  const std::vector<std::string>& keys = shown.column_labels;
  const std::vector<std::string>& queries = shown.row_labels;
  const int most = std::max(6, static_cast<int>(area.h / 15));
  const auto [top, bottom] = window_of(shown.rows(), d.query, most);
  const auto [from, to] = window_of(shown.columns(), shown.rows() == shown.columns() ? d.query : d.key, most);
  const int lines = std::max(bottom - top, to - from);
  const float pitch = std::clamp(area.h / static_cast<float>(lines), 15.F, 34.F);
  float widest = 30;
  for (const auto* labels : {&queries, &keys})
    for (const std::string& label : *labels)
      widest = std::max(widest, text::measure(text::Face::semibold, 14, label) + 16);
  widest = std::min(widest, area.w * 0.3F);
  const float size = std::min(14.F, pitch * 0.72F);
  const auto column = [&](const std::string& id, const std::vector<std::string>& labels, int begin, int end, float x,
                          bool left) {
    // As the arcs have them, which share out the same height among as many as there are on their side.
    const float each = pitch * static_cast<float>(lines) / static_cast<float>(end - begin);
    for (int i = begin; i < end; ++i) {
      const Rect rect{x, area.y + each * static_cast<float>(i - begin), widest, each};
      const bool on = left ? i == d.query : i == d.key;
      const std::string& label = labels[static_cast<std::size_t>(i)];
      d.figure.add({.id = id + std::to_string(i),
                    .role = Role::token,
                    .rect = rect,
                    .label = (left ? "Look from " : "Look at ") + label,
                    .edit = Edit{.field = left ? "query" : "key", .value = std::to_string(i)},
                    .shape = Rectangle{.fill = on ? mix(d.colours.paper, left ? d.colours.query : d.colours.key, 0.16F)
                                                  : Colour{0, 0, 0, 0},
                                       .radius = 4}});
      const text::Face face = on ? text::Face::semibold : text::Face::regular;
      add_words(d, id + std::to_string(i) + ".text", {rect.x + 6, rect.y, rect.w - 12, rect.h},
                text::fit(face, size, label, rect.w - 12),
                {on ? on_tint(d.colours, left ? d.colours.query : d.colours.key) : d.colours.ink,
                 {face, size},
                 left ? Align::right : Align::left});
    }
  };
  column("from.", queries, top, bottom, area.x, true);
  column("to.", keys, from, to, area.x + area.w - widest, false);
  const std::vector<HeadPlace> places = drawn_heads(d.state, d.layers, d.heads);
  for (std::size_t i = places.size(); i-- > 0;) {
    const std::string tensor = of_head("A", places[i].layer, places[i].head);
    d.figure.add({.id = "arcs." + name_of(places[i]),
                  .role = Role::cell,
                  .rect = {area.x + widest, area.y, area.w - 2 * widest, pitch * static_cast<float>(lines)},
                  .label = "Arcs of head " + name_of(places[i]),
                  .shape = Arcs{.range = {tensor, top, from, bottom - top, to - from},
                                .colour = colour_of_arcs(d, static_cast<int>(i)),
                                .threshold = 0.005F,
                                .share = static_cast<float>(d.state.share),
                                .row = d.query,
                                .alone = d.state.alone,
                                .max_width = 7}});
  }
  float y = area.y + pitch * static_cast<float>(lines);
  if (lines < std::max(shown.rows(), shown.columns()))
    y = add_note(d, "arcs.window",
                 "Tokens " + std::to_string(top + 1) + " to " + std::to_string(bottom) + " of " +
                     std::to_string(shown.rows()) + "; those around the query.",
                 {area.x, y + 6}, area.w);
  return y;
}

float add_head_map(Drawing& d, const HeadMap& map, Point at, float width) {
  const Tensor* tensor = d.trace.find(map.tensor);
  add_heading(d, map.tensor + ".title", at, width, map.title, d.colours.ink, map.note);
  float y = at.y + kTitleHeight;
  if (map.switches) append_hint(d.figure, "; press to switch off");
  const float left = 56, top = 18;
  const float cell = std::clamp((width - left) / static_cast<float>(d.heads), 16.F, 56.F);
  const float height = std::min(cell, d.fingers_height());
  const float limit = tensor == nullptr ? 1.F : std::max(limit_of(*tensor), 1e-6F);
  for (int head = 0; head < d.heads; ++head)
    add_words(d, map.tensor + ".head." + std::to_string(head),
              {at.x + left + cell * static_cast<float>(head), y, cell, top}, std::to_string(head + 1),
              {d.colours.muted, type::caption, Align::centre});
  y += top;
  if (tensor != nullptr)
    d.figure.add({.id = map.tensor,
                  .role = map.switches ? Role::none : Role::cell,
                  .rect = {at.x + left, y, cell * static_cast<float>(d.heads), height * static_cast<float>(d.layers)},
                  .label = map.title,
                  .shape = Heatmap{.range = {map.tensor, 0, 0, d.layers, d.heads},
                                   .map = map.diverging ? ColourMap::diverging : ColourMap::viridis,
                                   .normalise = Normalise::min_max,
                                   .low = map.diverging ? -limit : 0,
                                   .high = limit,
                                   .gap = 2,
                                   .text_size = cell >= 44 ? 11.F : 0.F,
                                   .decimals = 2,
                                   .theme = d.view.theme}});
  for (int layer = 0; layer < d.layers; ++layer) {
    const float row = y + height * static_cast<float>(layer);
    add_words(d, map.tensor + ".layer." + std::to_string(layer), {at.x, row, left - 8, height},
              "layer " + std::to_string(layer + 1), {d.colours.muted, type::caption, Align::right});
    for (int head = 0; head < d.heads; ++head) {
      const Rect rect = Rect{at.x + left + cell * static_cast<float>(head), row, cell, height}.inset(1);
      const HeadPlace place{layer, head};
      const std::string name = name_of(place);
      if (map.switches) {
        const auto found = d.state.off.cells.find({layer, head});
        const bool off = found != d.state.off.cells.end() && found->second != 0;
        d.figure.add({.id = "off." + name,
                      .role = Role::toggle,
                      .rect = rect,
                      .label = "Head " + name + (off ? " is off: switch it on" : " is on: switch it off"),
                      .source = tensor == nullptr ? std::nullopt : std::optional(Source{map.tensor, layer, head}),
                      .edit = Edit{.field = "off",
                                   .value = std::to_string(layer) + "." + std::to_string(head) + (off ? ":" : ":1")},
                      .shape = Rectangle{.fill = tensor == nullptr || off ? d.colours.sunken : Colour{0, 0, 0, 0},
                                         .stroke = off ? d.colours.warning : d.colours.hairline,
                                         .stroke_width = off ? 2.F : 1.F,
                                         .radius = 4}});
        if (off)
          add_words(d, "off." + name + ".text", rect, "off",
                    {d.colours.warning, {text::Face::semibold, 11}, Align::centre});
      } else if (place == d.head) {
        add_ring(d.figure, map.tensor + ".chosen", rect, d.colours.ink);
      }
    }
  }
  return y + height * static_cast<float>(d.layers);
}

}  // namespace limelight::scenes::sentence
