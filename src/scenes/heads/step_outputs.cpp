// The step Mix: of one word, each head's light as a strip, shared out to the words that it looks at; what they pass on
// is poured into the head's output.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// A head's weights as parts of one strip, as wide as they are.
void add_strip(Drawing& d, int h, Rect strip) {
  const Tensor& A = d.trace.at(of_head("A", h));
  const float opacity = d.looked_at(h) ? 1 : 0.3F;
  const std::string id = "head." + std::to_string(h + 1) + ".strip";
  add_fill(d, id, strip.inset(-1), d.colours.track.faded(0.5F), 5, opacity);
  float x = strip.x;
  for (int j = 0; j < A.columns(); ++j) {
    const float weight = A.values(d.row, j), width = strip.w * weight;
    const Source source{A.name, d.row, j};
    const std::string word = key_words(d.state)[static_cast<std::size_t>(j)], share = share_text(weight);
    const Rect part{x, strip.y, std::max(width - 1, 0.6F), strip.h};
    x += width;
    const Colour fill = mix(d.colours.surface, d.colours.value_fill, 0.25F + 0.6F * weight);
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = part,
                  .label = word + " in head " + std::to_string(h + 1) + ": " + share,
                  .source = source,
                  .shape = Rectangle{.fill = fill, .radius = std::min(4.F, part.w / 2)},
                  .opacity = opacity});
    const Type type{weight > 0.3F ? text::Face::semibold : text::Face::regular, std::min(14.F, 0.62F * strip.h)};
    const std::string both = word + "  " + share;
    const float wide = text::measure(type.face, type.size, word),
                more = text::measure(type.face, type.size, "  " + share);
    if (wide + 10 > part.w || type.size < 8) continue;
    const bool told = wide + more + 10 < part.w;
    const Rect name{part.centre().x - (wide + (told ? more : 0)) / 2, part.y, wide + 1, part.h};
    const Colour ink = figure::ink_on(fill);
    add_words(d, cell_id(source) + ".text", name, word, {ink, type});
    if (told)
      add_words(d, cell_id(source) + ".share", {name.right(), part.y, more, part.h}, share, {ink, type, Align::right});
  }
}

}  // namespace

float draw_outputs(Drawing& d, float y, float bottom) {
  const Bench bench = bench_of(d, y, bottom, 0);
  const bool narrow = d.narrow();
  const float left = narrow ? bench.card.x + 34 : bench.left.x, t = d.view.t;
  std::vector<Rect> boxes = bench.boxes;
  for (Rect& box : boxes) box.x = bench.card.right() - (narrow ? 14.F : 28.F) - box.w;
  const float end = boxes.front().x - (narrow ? 40.F : 130 * d.figure.width / 1208);
  add_titles(d, bench, Side::right, y);
  add_bench(d, bench, Side::right);
  for (int i = 0; i < sizes(d.state).queries && bench.pitch > 0; ++i)
    if (i != d.row)
      add_fill(d, "guide." + std::to_string(i), {left, bench.middle(i, d.row) - 0.5F, bench.mixed - left - 12, 1},
               d.colours.muted.faded(0.3F));
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect& box = boxes[static_cast<std::size_t>(h)];
    const float come = in_turn(std::clamp(t / 0.6F, 0.F, 1.F), h, d.state.heads),
                on = in_turn(std::clamp((t - 0.25F) / 0.6F, 0.F, 1.F), h, d.state.heads);
    const std::size_t first = d.figure.elements.size();
    add_disc(d, "head." + std::to_string(h + 1) + ".disc", {left - 16, box.centre().y}, h, std::min(9.F, box.h / 2));
    add_strip(d, h, {left, box.y, end - left, box.h});
    for (std::size_t i = first; come < 1 && i < d.figure.elements.size(); ++i)
      d.figure.elements[i].clip = Rect{left - 40, box.y - 4, 40 + (end - left) * come, box.h + 8};
    const float alpha = d.looked_at(h) ? 0.75F : 0.15F;
    Element stream{
        .id = "head." + std::to_string(h + 1) + ".stream",
        .shape = flowing(
            {{end + 2, box.y}, {end + 2, box.bottom()}}, {{box.x - 4, box.y}, {box.x - 4, box.bottom()}}, Flow::level,
            {{.at = 0, .colour = d.colours.value_fill.faded(alpha)}, {.at = 1, .colour = d.of(h).faded(alpha)}})};
    if (on < 1) stream.clip = Rect{end, box.y, (box.x - end) * on, box.h};
    d.figure.add(std::move(stream));
  }
  const std::size_t first = d.figure.elements.size();
  add_boxes(d, bench, boxes);
  show_since(d.figure, first, smoothstep(0.6F, 1, t));
  return bottom;
}

}  // namespace limelight::scenes::heads
