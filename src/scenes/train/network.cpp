// The unrolled network of one example: the encoder's states below, the decoder's above, and the weights of attention
// between them.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

constexpr float kBox = 24;

struct BoxRow {
  Rect area;
  std::vector<std::string> letters;
  int shown = 0;
  float pitch = 0;

  [[nodiscard]] float centre(int i) const { return area.x + pitch * (static_cast<float>(i) + 0.5F); }
};

BoxRow make_row(Rect area, const std::vector<std::string>& letters) {
  const int most = std::max(1, static_cast<int>(area.w / 30));
  BoxRow row{area, letters, std::min(most, static_cast<int>(letters.size())), 0};
  row.pitch = std::min(area.w / static_cast<float>(row.shown), 64.F);
  return row;
}

// The boxes of one direction, with arrows from one to the next.
void add_boxes(Drawing& d, const std::string& id, const BoxRow& row, float y, Colour colour, const std::string& name) {
  for (int i = 0; i < row.shown; ++i) {
    const float width = std::min(row.pitch - 8, 30.F);
    const Rect box{row.centre(i) - width / 2, y, width, kBox};
    d.figure.add({.id = id + std::to_string(i),
                  .rect = box,
                  .shape = Rectangle{.fill = colour.faded(0.18F), .stroke = colour, .radius = 5}});
    if (width >= 18)
      add_words(d, id + std::to_string(i) + ".name", box, name, {d.colours.ink, type::caption, Align::centre});
    if (i + 1 < row.shown)
      d.figure.add({.id = id + std::to_string(i) + ".on",
                    .shape = Arrow{.from = {box.right() + 1, y + kBox / 2},
                                   .to = {row.centre(i + 1) - width / 2 - 1, y + kBox / 2},
                                   .colour = d.colours.muted,
                                   .width = 1}});
  }
}

void add_row_letters(Drawing& d, const std::string& id, const BoxRow& row, float y, Colour colour) {
  for (int i = 0; i < row.shown; ++i) {
    const std::string& letter = row.letters[static_cast<std::size_t>(i)];
    const bool stop = letter.starts_with('[');
    add_words(d, id + std::to_string(i), {row.centre(i) - row.pitch / 2, y, row.pitch, 18},
              stop ? "stop" : shown(letter),
              {colour, {stop ? text::Face::regular : text::Face::mono, stop ? 10.F : 14.F}, Align::centre});
  }
}

}  // namespace

float add_network(Drawing& d, Rect area) {
  const Told r = d.told();
  const std::string more =
      static_cast<int>(r.source().size()) > static_cast<int>((area.w - 4) / 30) ? ", the first letters" : "";
  add_subtitle(d, "net.title", {area.x, area.y}, area.w, "the network, unrolled" + more);
  const float top = area.y + kTitleHeight;
  const BoxRow source = make_row({area.x, 0, area.w, 0}, r.source()),
               target = make_row({area.x, 0, area.w, 0}, r.written());
  const float written_y = top, decoder_y = top + 22, encoder_y = area.bottom() - 22 - kBox - 18,
              letters_y = encoder_y + kBox + 4;
  // From every decoder's state to the encoder's, as strong as the weight; without attention one vector goes to all.
  const float from_y = encoder_y - 2, to_y = decoder_y + kBox + 2, middle = (from_y + to_y) / 2;
  if (d.state.attention) {
    for (int i = 0; i < target.shown; ++i)
      for (int j = 0; j < source.shown; ++j) {
        const auto weight = static_cast<float>(r.at("weights", i, j));
        if (weight < 0.03F) continue;
        d.figure.add({.id = "net.look." + std::to_string(i) + "." + std::to_string(j),
                      .shape = Curve{.from = {source.centre(j), from_y},
                                     .control_from = {source.centre(j), middle},
                                     .control_to = {target.centre(i), middle},
                                     .to = {target.centre(i), to_y},
                                     .colour = d.colours.output.faded(std::min(1.F, 0.08F + weight)),
                                     .width = 0.6F + 3 * weight}});
      }
  } else {
    const float width = std::min(area.w, 190.F);
    const Rect box{area.x, middle - 13, width, 26};
    d.figure.add(
        {.id = "net.vector",
         .rect = box,
         .shape = Rectangle{.fill = d.colours.warning.faded(0.18F), .stroke = d.colours.warning, .radius = 6}});
    add_words(d, "net.vector.name", box, "one vector, " + std::to_string(2 * d.state.hidden) + " numbers",
              {.colour = d.colours.ink, .align = Align::centre});
    // The state that has read back to the first letter, and the one that has read on to the last.
    for (const int end : {0, source.shown - 1}) {
      const Point into{std::min(source.centre(end), box.right() - 14), box.bottom() + 1};
      d.figure.add({.id = "net.in." + std::to_string(end),
                    .shape = Curve{.from = {source.centre(end), from_y},
                                   .control_from = {source.centre(end), into.y + 10},
                                   .control_to = {into.x, from_y - 10},
                                   .to = into,
                                   .colour = d.colours.warning,
                                   .width = 1.5F}});
    }
    for (int i = 0; i < target.shown; ++i)
      d.figure.add({.id = "net.out." + std::to_string(i),
                    .shape = Curve{.from = {box.x + box.w / 2, box.y - 1},
                                   .control_from = {box.x + box.w / 2, to_y + 12},
                                   .control_to = {target.centre(i), middle - 12},
                                   .to = {target.centre(i), to_y},
                                   .colour = d.colours.warning.faded(0.6F)}});
  }
  add_boxes(d, "net.h", source, encoder_y, d.colours.input, "h");
  add_boxes(d, "net.s", target, decoder_y, d.colours.query, "s");
  add_row_letters(d, "net.written", target, written_y, d.colours.output);
  add_row_letters(d, "net.source", source, letters_y, d.colours.input);
  const std::string size = std::to_string(d.state.hidden);
  return letters_y + 20 +
         add_paragraph(d.figure, "net.note",
                       "h: two GRUs, one each way, " + size + " numbers each; s: the decoder, " + size + ".",
                       {area.x, letters_y + 20}, area.w, 12, d.colours.muted, d.colours.muted);
}

}  // namespace limelight::scenes::train
