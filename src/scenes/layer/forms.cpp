// The five layers side by side as small machines, each a button to its step.
#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "figure/pipe.h"
#include "scenes/common/explain.h"
#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {
namespace {

struct Named {
  std::string_view step, name, said;
  const Attention& of;
};
constexpr Named kNamed[] = {{"query", "one query", "One question looks at all inputs.", kOne},
                            {"queries", "many queries", "Each question has its own light.", kMany},
                            {"keys", "keys, values", "Found by keys, giving values.", kKeyed},
                            {"self", "self", "The inputs ask each other.", kSelf},
                            {"cross", "cross", "A second sequence asks the first.", kCross}};

// Of a drawing of 172 × 142, in which forms its parts are, and in which they are what is new; else they are dim.
constexpr unsigned kQuery = 1, kQueries = 2, kKeys = 4, kOfSelf = 8, kOfCross = 16, kAll = 31;
constexpr unsigned kOwn = kQuery + kQueries + kKeys, kLensed = kKeys + kOfSelf + kOfCross;
constexpr float kDim = 0.34F;
constexpr int kMostRows = 4;                   // of queries, and of inputs
constexpr float kMiddle = 84, kPitch = 11.5F;  // of these rows

struct SmallPipe {
  const char* id;
  float x, from, to;
  Colour Palette::* fill;
  unsigned in, fresh;
  bool dry = false;
};
constexpr SmallPipe kPipes[] = {{".value", 144, 20, 72, &Palette::input_fill, kQuery + kQueries, kQuery},
                                {".key", 92, 20, 72, &Palette::input_fill, kQuery + kQueries, kQuery},
                                {".value", 144, 20, 44, &Palette::input_fill, kLensed, 0},
                                {".key", 92, 20, 44, &Palette::input_fill, kLensed, 0},
                                {".value.made", 144, 44, 72, &Palette::value_fill, kLensed, kKeys},
                                {".key.made", 92, 44, 72, &Palette::key_fill, kLensed, kKeys},
                                {".query", 30, 20, 44, &Palette::input_fill, kOfSelf, kOfSelf},
                                {".query.made", 30, 44, 74, &Palette::query_fill, kOfSelf, kOfSelf},
                                {".query.from", 30, 22, 62, &Palette::query_fill, kOfCross, kOfCross, true},
                                {".query", 30, 116, 98, &Palette::query_fill, kOfCross, kOfCross},
                                {".output", 144, 96, 120, &Palette::output_fill, kAll, kQuery + kQueries}};
struct SmallRing {
  const char* id;
  Point at;
  float radius;
  Colour Palette::* stroke;
  const char* letter;
  unsigned in, fresh;
};
constexpr SmallRing kRings[] = {{".W_K", {92, 44}, 10, &Palette::key_fill, "W", kLensed, kKeys},
                                {".W_V", {144, 44}, 10, &Palette::value_fill, "W", kLensed, kKeys},
                                {".W_Q", {30, 44}, 10, &Palette::query_fill, "W", kOfSelf, kOfSelf},
                                {".tap.ring", {30, 20}, 13, &Palette::query_fill, "", kOfSelf, kOfSelf},
                                {".tap.ring", {30, 116}, 13, &Palette::query_fill, "", kOfCross, kOfCross}};

// The drawing, its upper left corner at `at`, k times as large.
void add_small(Drawing& d, const std::string& id, int number, Point at, float k) {
  const unsigned form = 1U << number;
  constexpr float kLetters = 0.7F;  // the least scale at which they can be read
  const auto place = [&](Point p) { return Point{at.x + p.x * k, at.y + p.y * k}; };
  const auto rect = [&](Rect r) { return Rect{at.x + r.x * k, at.y + r.y * k, r.w * k, r.h * k}; };
  std::size_t first = d.figure.elements.size();
  const auto dim = [&](unsigned fresh) {
    if ((fresh & form) == 0) show_since(d.figure, first, kDim);
    first = d.figure.elements.size();
  };
  // On what has been added since, which may be dim; a letter can always be read.
  const auto letter = [&](const std::string& of, const char* name, Point centre, float size, unsigned fresh) {
    dim(fresh);
    const float width = set_formula(symbol(name), size).width;
    if (k >= kLetters)
      add_formula(d, of + ".letter", rect({centre.x - width / 2, centre.y - 9, width + 1, 18}), symbol(name), size * k,
                  (fresh & form) != 0 ? d.colours.ink : d.colours.muted);
    dim(kAll);
  };
  for (const SmallPipe& p : kPipes)
    if ((p.in & form) != 0) {
      add_pipe(d.figure, id + p.id,
               {.corners = {place({p.x, p.from}), place({p.x, p.to})},
                .colour = d.colours.*p.fill,
                .width = 6.5F * k,
                .dry = p.dry},
               d.view.theme);
      dim(p.fresh);
    }
  const auto sequence = [&](const char* name, Rect r, unsigned fresh) {
    add_box(d, id + "." + name, rect(r), {.fill = d.colours.input_fill.faded(0.5F), .radius = 3});
    letter(id + "." + name, name, {r.right() - 10, r.centre().y}, 15, fresh);
  };
  sequence("X", {0, 0, 172, 20}, kQuery + kOfSelf);
  if (form == kOfCross) sequence("Z", {0, 116, 84, 18}, kAll);
  if ((form & kOwn) != 0)
    add_box(d, id + ".own", rect({5, 61, 50, 46}),
            {.stroke = d.colours.query_fill, .stroke_width = 1.4F, .radius = 9 * k});
  else  // the one that moves from form to form
    add_tap(d.figure, id + ".tap", place({30, form == kOfCross ? 116.F : 20.F}), d.colours.query_fill, 0.75F * k,
            d.view.theme);
  dim(kAll - kKeys);
  for (const SmallRing& r : kRings) {
    if ((r.in & form) == 0) continue;
    const bool lens = r.letter[0] != 0;
    const Rect round = rect(Rect{r.at.x, r.at.y, 0, 0}.inset(-r.radius));
    if (lens) add_box(d, id + r.id + ".ground", round, {.fill = d.colours.surface, .radius = r.radius * k});
    dim(kAll);
    add_box(d, id + r.id, round, {.stroke = d.colours.*r.stroke, .stroke_width = 2, .radius = r.radius * k});
    if (lens) letter(id + r.id, r.letter, r.at, 12, r.fresh);
    dim(r.fresh);
  }
  // Its rows, and all light at once: from each query to each key, and on to its value what all give it.
  const Matrix& A = d.trace.at(kNamed[number].of.weights).values;
  const int queries = std::min<int>(static_cast<int>(A.rows()), kMostRows),
            inputs = std::min<int>(static_cast<int>(A.cols()), kMostRows);
  const auto middle = [](int i, int count) {
    return kMiddle + kPitch * (static_cast<float>(i) - static_cast<float>(count - 1) / 2);
  };
  const auto add_row = [&](const char* of, int i, unsigned fresh, Rect r, Colour fill) {
    add_box(d, id + of + std::to_string(i), rect(r), {.fill = fill, .radius = 2});
    dim(fresh);
  };
  Light light{.tensor = std::string(kNamed[number].of.weights), .theme = d.view.theme};
  const float bright = (form & (kQuery + kQueries)) != 0 ? 2.6F : 1.1F;
  const auto beam = [&](Point from, Point to, float weight) {
    Light::Beam one{.from = place(from), .to = place(to), .half_from = k, .floor = {0, 1}};
    one.half_to = std::max(kPitch * weight / 2, 0.6F) * k, one.intensity = bright * weight;
    light.beams.push_back(straight(one));
  };
  const bool lensed = (form & kLensed) != 0;
  for (int j = 0; j < inputs; ++j) {
    const float y = middle(j, inputs), given = A.col(j).mean();
    for (int i = 0; i < queries; ++i) beam({49, middle(i, queries)}, {82, y}, A(i, j));
    beam({104, y}, {133, y}, given);
    add_row(".K.", j, kQuery + kKeys, {82, y - 5, 22, 10}, lensed ? d.colours.key_fill : d.colours.input_fill);
    add_row(".V.", j, kQuery + kKeys, {133, y - 5, 22, 10}, lensed ? d.colours.value_fill : d.colours.input_fill);
  }
  for (int i = 0; i < queries; ++i) {
    add_row(".Q.", i, kAll - kKeys, {12, middle(i, queries) - 4, 36, 8}, d.colours.query_fill);
    add_row(".Y.", i, kQuery + kQueries, {142 - 15 * static_cast<float>(queries - 1 - i), 118, 12, 18},
            d.colours.output_fill);
  }
  d.figure.add({.id = id + ".light", .rect = rect({48, 60, 88, 48}), .shape = std::move(light)});
}

}  // namespace

float add_forms(Drawing& d, Rect area) {
  const bool narrow = d.narrow();
  const int count = static_cast<int>(std::size(kNamed));
  const float gap = narrow ? 5 : 14, pad = narrow ? 6 : 12;
  const float w = (area.w - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  const auto card_of = [&](int i) { return Rect{area.x + static_cast<float>(i) * (w + gap), area.y, w, area.h}; };
  float head = area.y;  // where all drawings may begin
  for (int i = 0; i < count; ++i) {
    const Named& told = kNamed[i];
    const Rect card = card_of(i);
    const std::string id = "form." + std::string(told.step), name(told.name);
    const bool on = d.view.hovered == id;
    add_box(d, id + ".place", card,
            card_look(d.colours.surface.faded(on ? 1.F : 0.62F), on ? d.colours.ink : d.colours.track, on,
                      narrow ? 8.F : 12.F));
    float words = add_note(d, id + ".name", bold(name), {card.x + pad, card.y + (narrow ? 5 : 8)}, w - pad - 2,
                           narrow ? type::name.size : larger(d, type::title.size));
    if (!narrow)
      words = add_note(d, id + ".said", std::string(told.said), {card.x + pad, words}, w - pad - 4,
                       larger(d, type::label.size));
    head = std::max(head, words + (narrow ? 0 : 6));
    add_press(d, id, Role::button, card, name + ": go to this step", {"step", std::string(told.step)});
  }
  const float foot = narrow ? 4 : 8, k = std::min((w - (narrow ? 8 : 28)) / 172, (area.bottom() - head - foot) / 144);
  for (int i = 0; i < count; ++i) {
    const Rect card = card_of(i);
    add_small(d, "form." + std::string(kNamed[i].step), i,
              {card.centre().x - 86 * k, (head + card.bottom() - foot - 138 * k) / 2}, k);
  }
  return area.bottom();
}

}  // namespace limelight::scenes::layer
