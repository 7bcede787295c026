// The step Join: how one number of the output comes about. Each head's output falls through its cells of that number's
// column of W_O and adds its part; the parts, one after the other, end at the number, which takes its place among all.
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// The number of the output that is pointed at, or else the largest one.
int told_number(const Drawing& d, const Matrix& parts) {
  Eigen::Index one = 0;
  parts.colwise().sum().cwiseAbs().maxCoeff(&one);
  const auto at = parse_cell_id(d.view.focus());
  return at && (at->tensor.starts_with("Y") || at->tensor == "W_O") ? at->column : static_cast<int>(one);
}

struct Join {
  HeadBar bar{};
  Rect cells{};               // the column of W_O, from left to right
  Rect falls{};               // in which the parts go down and up
  Rect output{};              // all numbers
  int one = 0;                // that is told
  Matrix parts{};             // [heads + 1, d]
  std::vector<float> sum{0};  // after each part
  int count = 0;              // of parts: the heads', and the bias, if there is one
  [[nodiscard]] float whole() const { return sum.back(); }
  [[nodiscard]] float pitch() const { return bar.rect.w / static_cast<float>(parts.rows() - 1); }
  [[nodiscard]] float level(float value) const {
    const auto [low, high] = std::ranges::minmax(sum);
    return falls.y + (high - value) / std::max(high - low, 1e-6F) * falls.h;
  }
  // A part's place, from the sum before it to the one after it; of the last index the sum itself.
  [[nodiscard]] Rect place(int part, float come) const {
    const auto at = static_cast<std::size_t>(part);
    const bool all = part == count;
    const float from = all ? 0 : sum[at], to = std::lerp(from, all ? whole() : sum[at + 1], come),
                heads = static_cast<float>(parts.rows() - 1), wide = (all ? 0.6F : 0.44F) * pitch();
    const float middle = part < heads ? static_cast<float>(part) + 0.5F : heads + (all && count > heads ? 1.02F : 0.4F);
    const float top = level(std::max(from, to)), high = std::max(level(std::min(from, to)) - top, 1.F);
    return {bar.rect.x + pitch() * middle - wide / 2, top, wide, high};
  }
};

// How far a head's output has come to its cells, through them, and its part.
struct Come {
  float in = 1, out = 1, there = 1;
};
Come come_of(const Drawing& d, int part, int count) {
  const float come = in_turn(std::min(d.view.t / 0.78F, 1.F), part, count);
  return {smoothstep(0, 0.35F, come), smoothstep(0.35F, 0.75F, come), smoothstep(0.65F, 1, come)};
}

void add_ribbon(Drawing& d, const std::string& id, int head, const Rect& from, const Rect& to, float come) {
  const Colour colour = d.of(head).faded(d.looked_at(head) ? 0.62F : 0.12F);
  Element ribbon = falling(id, from, to, {{0, colour}, {1, colour.faded(0.3F)}});
  run(std::get<Ribbon>(ribbon.shape), come);
  if (come > 0) d.figure.add(std::move(ribbon));
}

// Of each head its output, its cells, and its part, below each other.
void add_falls(Drawing& d, const Join& join) {
  const int size = sizes(d.state).head, heads = d.state.heads;
  const float most = std::max(d.trace.at("W_O").values.col(join.one).cwiseAbs().maxCoeff(), 1e-6F);
  for (int h = 0; h < heads; ++h) {
    const std::string number = std::to_string(h + 1);
    const Rect box = join.bar.segment(h, heads), cells{box.x + 3, join.cells.y, box.w - 6, join.cells.h};
    const Come come = come_of(d, h, join.count);
    Rect part = join.place(h, 1);
    if (join.sum[static_cast<std::size_t>(h)] < join.sum[static_cast<std::size_t>(h) + 1]) part.y = part.bottom();
    add_ribbon(d, "head." + number + ".ribbon", h, box, cells, come.in);
    add_ribbon(d, "head." + number + ".ribbon.out", h, cells, part, come.out);
    add_fill(d, "W_O.behind." + number, cells.inset(-2), d.colours.surface, 4);
    const float wide = cells.w / static_cast<float>(size);
    MatrixCells look = small_cells({"W_O", h * size, join.one, size, 1}, wide, d.of(h), d.view.theme);
    look.transposed = true, look.largest = most;
    if (wide >= 34) look.text_size = 13;
    Element& column = add_part(d, h == 0 ? "W_O" : "W_O.head." + number, Role::cell, cells,
                               "W_O, what head " + number + "’s numbers count in bar " + std::to_string(join.one + 1),
                               std::move(look));
    column.edit = Edit{.field = "W_O"}, column.opacity = d.looked_at(h) ? 1 : 0.35F;
  }
}

// What each head adds to the number: on from where the one before it has come to.
void add_sum(Drawing& d, const Join& join) {
  int digits = 2;  // so many that the sum that is seen is true
  const auto rounded = [&](float value) { return std::round(value * std::pow(10.F, digits)); };
  const Matrix column = join.parts.col(join.one);
  while (digits < 5 && column.unaryExpr(rounded).sum() != rounded(join.whole())) ++digits;
  const float end = join.place(join.count, 1).right(), high = d.narrow() ? 13 : 17 * d.letters(),
              said = smoothstep(0.74F, 0.88F, d.view.t);
  const auto label = [&](const Rect& part, float y) {
    const float wide = d.narrow() ? 46 : 100;
    return Rect{std::clamp(part.centre().x - wide / 2, 0.F, d.figure.width - wide), y, wide, high};
  };
  add_fill(d, "sum.zero", {join.bar.rect.x, join.level(0) - 0.5F, end - join.bar.rect.x, 1}, d.colours.muted);
  for (int p = 0; p <= join.count; ++p) {
    const bool all = p == join.count, own = p < d.state.heads;
    const float value = all ? join.whole() : column(p), come = all ? said : come_of(d, p, join.count).there;
    if (come <= 0) continue;
    const Rect rect = join.place(p, come);
    const Source source{all ? "Y" : own ? of_head("Y", p) : "b_O", own || all ? d.row : 0, join.one};
    const std::string key = std::to_string(p), number = io::format_fixed(static_cast<double>(value), digits);
    const std::string who = all ? "sum" : own ? "Head " + std::to_string(p + 1) : "The bias";
    Element& part = add_part(d, cell_id(source) + ".part", Role::cell, rect, who + (all ? ": " : " adds ") + number,
                             Rectangle{.fill = all   ? d.colours.output_fill
                                               : own ? d.of(p)
                                                     : d.colours.neutral_fill,
                                       .radius = 2});
    part.source = source, part.opacity = all || !own || d.looked_at(p) ? 1 : 0.25F;
    if (!all) {
      const float y = join.level(join.sum[static_cast<std::size_t>(p) + 1]);
      if (come >= 1)
        add_stroke(d, "sum.step." + key, {{rect.x, y}, {join.place(p + 1, 1).right(), y}}, d.colours.muted, 1, true);
    }
    const std::size_t first = d.figure.elements.size();
    // Beyond the part's end; on a phone the bias's, too close to the sum's, at its other end.
    const bool below = (value < 0) != (d.narrow() && !own && !all);
    const float y = below ? rect.bottom() + 2 : rect.y - high - 1;
    const Type type{all ? text::Face::mono_bold : text::Face::mono, d.narrow() ? 9.5F : (all ? 16 : 13) * d.letters()};
    add_words(d, all ? "made.said" : "made.part." + key, label(rect, y), number,
              {all ? d.colours.output : d.colours.ink, type, Align::centre});
    const std::string name = all ? "bar " + std::to_string(join.one + 1) : own ? "" : "bias";
    const float beside = value >= 0 ? rect.bottom() + 2 : rect.y - (all || !d.narrow() ? 1 : 2) * high - 2;
    add_words(d, "sum.name." + key, label(rect, beside), name,
              {all ? d.colours.output : d.colours.muted, type::caption, Align::centre});
    show_since(d.figure, first, come);
  }
}

// The number goes to its place among all of the output, which have come about like it.
void add_place(Drawing& d, const Join& join) {
  const float t = smoothstep(0.86F, 1, d.view.t), width = join.output.w / static_cast<float>(join.parts.cols());
  const Rect bar{join.output.x + width * static_cast<float>(join.one), join.output.y, width, join.output.h},
      sum = join.place(join.count, 1);
  const float from = std::max(sum.bottom(), join.level(join.whole())) + (d.narrow() ? 16 : 22), to = bar.y - 4;
  const std::size_t first = d.figure.elements.size();
  const Point a{sum.centre().x, std::min(from, to - 4)}, b{bar.centre().x, to};
  const float middle = (a.y + b.y) / 2;
  d.figure.add({.id = "made.way", .shape = Curve{a, {a.x, middle}, {b.x, middle}, b, d.colours.output_fill, 2.5F}});
  add_box(d, "made.bar", bar.inset(-2), {.stroke = d.colours.ink, .stroke_width = 1.6F, .radius = 4});
  show_since(d.figure, first, t);
  const Matrix all = join.parts.colwise().sum();
  add_output(d, join.output, all, all * t);
}

}  // namespace

float draw_join(Drawing& d, float y, float bottom) {
  if (!d.state.trained)
    bottom = add_choices(d, {chips_of("mixing", "output matrix", kMixings, static_cast<int>(d.state.mixing))}, bottom);
  const float k = std::max(d.scale(), 0.7F), label = 24 * k;
  y = add_sentence(d, y) + label + (d.narrow() ? 20 : 0);
  Join join{.output = bars_of(d), .parts = parts_of(d)};
  join.one = told_number(d, join.parts);
  join.count = d.state.heads + (d.trace.find("b_O") == nullptr ? 0 : 1);
  for (int p = 0; p < join.count; ++p) join.sum.push_back(join.sum.back() + join.parts(p, join.one));
  const float room = bottom - y, heads = static_cast<float>(d.state.heads), high = std::min(56 * k, 0.12F * room),
              side = std::min(34 * k, 0.08F * room), tall = std::min(60 * k, 0.14F * room), gap = 0.055F * room;
  join.bar = {.rect = {join.output.x, y, join.output.w * heads / (heads + 1.35F), high},
              .label = label,
              .opacity = 0.4F,
              .row = d.row};
  join.cells = {join.output.x, y + high + gap, join.bar.rect.w, side};
  join.output.y = bottom - tall - 4, join.output.h = tall;
  const float top = join.cells.bottom() + 1.3F * gap + 18;
  join.falls = {join.output.x, top, join.output.w, join.output.y - gap - 40 - top};
  const std::string number = std::to_string(join.one + 1);
  add_falls(d, join);
  add_head_bar(d, join.bar);
  const bool tight = d.narrow() || d.low();  // then the rows are close below each other
  using Lines = std::vector<std::string>;
  add_name(d, join.bar.rect, "C", d.narrow() ? "" : "outputs", d.colours.ink,
           tight ? Lines{} : Lines{"what each head finds,", "side by side"});
  add_name(d, join.cells, "W_O", d.narrow() ? "" : "column " + number, d.colours.ink,
           tight ? Lines{} : Lines{d.state.trained ? "learned: how much" : "numbers: how much", "each of them counts"});
  add_sum(d, join);
  add_name(d, join.falls, "+", "parts", d.colours.ink,
           {"each head’s outputs,", "times the cells below", "them, added up"});
  add_place(d, join);
  add_name(d, join.output, "Y", "output", d.colours.output,
           {"all " + std::to_string(join.parts.cols()) + " numbers;", "point at another"});
  return bottom;
}

}  // namespace limelight::scenes::heads
