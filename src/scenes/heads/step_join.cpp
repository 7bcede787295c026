// The steps Join and Without: the heads' outputs, side by side, and what each adds to the word's output, as ribbons
// through W_O; a head is switched off, its ribbons end, and the output moves away from its ghost.
#include "figure/callout.h"
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// What each head adds to the word's output, and behind them the bias, where there is one. [heads + 1, d]
Matrix added(const Drawing& d) {
  Matrix parts = Matrix::Zero(d.state.heads + 1, sizes(d.state).model);
  for (int h = 0; h < d.state.heads; ++h) parts.row(h) = d.trace.at(of_head("Y", h)).values.row(d.row);
  if (const Tensor* bias = d.trace.find("b_O"); bias != nullptr) parts.row(d.state.heads) = bias->values;
  return parts;
}

// The bar of the output that is pointed at, or else the largest one; whether it is told what it is the sum of.
int chosen_bar(const Drawing& d, const Matrix& parts) {
  Eigen::Index one = 0;
  parts.colwise().sum().cwiseAbs().maxCoeff(&one);
  const auto at = parse_cell_id(d.view.focus());
  return at && at->tensor.starts_with("Y") ? at->column : static_cast<int>(one);
}
bool tells_sum(const Drawing& d) { return !d.cuts && !d.narrow(); }

// How far a head's ribbon has come to W_O, what it becomes there, and what of that is in the output.
struct Come {
  float in = 1, out = 1, there = 1;
};
Come come_of(const Drawing& d, int head, float t) {
  if (head == d.state.heads) return {.there = smoothstep(0, 0.2F, t)};
  if (const float now = d.view.t; !d.is_on(head))  // behind its switch first
    return {1 - smoothstep(0.08F, 0.4F, now), 1 - smoothstep(0.3F, 0.6F, now), 1 - smoothstep(0.45F, 0.85F, now)};
  const float come = in_turn(t, head, d.state.heads);
  return {smoothstep(0, 0.4F, come), smoothstep(0.4F, 0.8F, come), smoothstep(0.7F, 1, come)};
}

// stub: px that stay of one that is cut; what it was of goes after it.
void add_ribbon(Drawing& d, const std::string& id, int head, const Edge& from, const Edge& to, float come,
                float stub = 0, float bright = 0.82F) {
  const Colour colour = d.of(head).faded(d.looked_at(head) ? bright : 0.12F);
  const float high = to.one.y - from.one.y;
  Element ribbon{.id = id, .shape = flowing(from, to, Flow::upright, {{0, colour}, {1, colour}})};
  if (stub > 0)
    run(std::get<Ribbon>(ribbon.shape), std::lerp(stub / high, 1.F, come));
  else if (come < 1)
    ribbon.clip = Rect{0, d.is_on(head) ? from.one.y : to.one.y - high * come, d.figure.width, high * come};
  d.figure.add(std::move(ribbon));
}

// From each head a ribbon into W_O, as wide as what it adds; from there to each group of numbers what all add to it.
void add_ribbons(Drawing& d, const HeadBar& bar, Rect card, Rect output, const Matrix& parts, float t) {
  constexpr float kAir = 4;  // px
  const float stub = std::min(46.F, 0.55F * (card.y - bar.rect.bottom()));
  const int model = sizes(d.state).model, groups = model <= kMostSingle ? model : 12, heads = d.state.heads;
  Matrix given(heads, groups);
  for (int g = 0; g < groups; ++g) {
    const int first = g * model / groups, count = (g + 1) * model / groups - first;
    given.col(g) = parts.block(0, first, heads, count).rowwise().norm();
  }
  const float slot = output.w / static_cast<float>(groups), sum = std::max(given.sum(), 1e-6F),
              most = std::max(given.rowwise().sum().maxCoeff(), 1e-6F),
              unit = std::min(card.w / sum, bar.segment(0, heads).w / most),
              end = (slot - 6) / std::max(given.colwise().sum().maxCoeff(), 1e-6F);
  const int one = chosen_bar(d, parts);
  const float others = !tells_sum(d) ? 0.82F : mix(0.82F, 0.16F, smoothstep(0.85F, 1, t));
  const auto edge = [](float x, float width, float y) { return Edge{{x, y}, {x + width, y}}; };
  float into = card.centre().x - unit * sum / 2, from = into;
  for (int h = 0; h < heads; ++h) {
    const Rect segment = bar.segment(h, heads);
    const float width = unit * given.row(h).sum(), x = segment.centre().x - width / 2, y = segment.bottom() + kAir;
    const std::string id = "head." + std::to_string(h + 1) + ".ribbon";
    add_ribbon(d, id, h, edge(x, width, y), edge(into, width, card.y), come_of(d, h, t).in, d.is_on(h) ? 0 : stub);
    into += width;
  }
  for (int g = 0; g < groups; ++g) {
    float to = output.x + slot * (static_cast<float>(g) + 0.5F) - end * given.col(g).sum() / 2;
    const bool own = one >= g * model / groups && one < (g + 1) * model / groups;
    for (int h = 0; h < heads; from += unit * given(h, g), to += end * given(h, g), ++h)
      if (const float out = come_of(d, h, t).out; out > 0 && given(h, g) > 0)
        add_ribbon(d, "head." + std::to_string(h + 1) + ".ribbon." + std::to_string(g), h,
                   edge(from, unit * given(h, g), card.bottom()), edge(to, end * given(h, g), output.y - kAir), out, 0,
                   own ? 0.82F : others);
  }
}

// What each head adds to each number, piled up from the line in the middle: upwards what is above 0, else downwards.
void add_piles(Drawing& d, Rect rect, const Matrix& parts, float t) {
  const float most = std::max(
                  {parts.cwiseMax(0).colwise().sum().maxCoeff(), -parts.cwiseMin(0).colwise().sum().minCoeff(), 1e-6F}),
              width = rect.w / static_cast<float>(parts.cols()), middle = rect.centre().y;
  add_fill(d, "pile.zero", {rect.x, middle - 0.5F, rect.w, 1}, d.colours.track);
  for (int j = 0; j < parts.cols(); ++j) {
    float up = middle, down = middle;
    for (int h = 0; h < parts.rows(); ++h) {
      const float high = rect.h / 2 * std::abs(parts(h, j)) / most * come_of(d, h, t).there,
                  top = parts(h, j) > 0 ? up -= high : (down += high) - high;
      const bool own = h < d.state.heads;
      const Source source{own ? of_head("Y", h) : "b_O", own ? d.row : 0, j};
      if (high < 0.3F) continue;
      Element& pile = add_part(d, cell_id(source), Role::cell,
                               {rect.x + width * static_cast<float>(j) + 0.5F, top, width - 1, high},
                               (own ? "Head " + std::to_string(h + 1) : std::string("The bias")) + " adds " +
                                   io::format_short(static_cast<double>(parts(h, j))),
                               Rectangle{.fill = own ? d.of(h) : d.colours.neutral_fill});
      pile.source = source, pile.opacity = !own || d.looked_at(h) ? 1 : 0.2F;
    }
  }
}

// The output: what has come of it. What is cut leaves the line where its columns ended.
void add_output(Drawing& d, Rect rect, const Matrix& parts, float t) {
  const int model = sizes(d.state).model;
  const Matrix whole = parts.colwise().sum();
  const float most = std::max(whole.cwiseAbs().maxCoeff(), 1e-6F);
  Matrix now = Matrix::Zero(1, model);
  for (int h = 0; h < parts.rows(); ++h) now += parts.row(h) * come_of(d, h, t).there;
  add_fill(d, "Y.edge", rect.inset(-3), d.colours.surface.faded(0.6F), 5);
  const std::size_t first = d.figure.elements.size();
  add_numbers(d, {.range = {d.cuts ? "Y_now" : "Y", d.row, 0, 1, model},
                  .rect = rect,
                  .tint = d.colours.output_fill,
                  .most = most,
                  .label = "The output of " + query_words(d.state)[static_cast<std::size_t>(d.row)],
                  .values = std::span(now.data(), static_cast<std::size_t>(model))});
  d.figure.elements[first].opacity *= t;  // its tints come with its columns
  if (!d.cuts || (now - whole).norm() < 1e-5F) return;
  Line ghost{.points = {}, .colour = d.colours.ink, .width = 1.6F, .dashed = true};
  const float width = rect.w / static_cast<float>(model);
  for (int j = 0; j < model; ++j) {
    const float y = rect.centre().y - rect.h / 2 * whole(0, j) / most, x = rect.x + width * static_cast<float>(j);
    ghost.points.insert(ghost.points.end(), {{x, y}, {x + width, y}});
  }
  d.figure.add({.id = "Y.ghost", .rect = rect, .label = "The output with all heads on", .shape = std::move(ghost)});
}

// Beside W_O: what the chosen bar is the sum of.
void add_made_of(Drawing& d, Rect card, Rect piles, Rect output, const Matrix& parts) {
  const Matrix whole = parts.colwise().sum();
  const int one = chosen_bar(d, parts);
  int digits = 2;  // so many that the sum that is seen is true
  const auto rounded = [&](float value) { return std::round(value * std::pow(10.F, digits)); };
  while (digits < 5 && parts.col(one).unaryExpr(rounded).sum() != rounded(whole(0, one))) ++digits;
  const auto number = [&](float value) { return io::format_fixed(static_cast<double>(value), digits); };
  const int rows = d.trace.find("b_O") == nullptr ? d.state.heads : d.state.heads + 1;
  const float width = piles.w / static_cast<float>(whole.cols()), x = piles.x + width * static_cast<float>(one),
              k = d.letters(), wide = card.x - output.x - 16,
              high = (36 + 20 * std::ceil(static_cast<float>(rows) / 3)) * k;
  const Rect box{x < card.centre().x ? output.x : card.right() + 16, card.centre().y - high / 2, wide, high};
  add_box(d, "made.bar", {x - 2, piles.y - 2, width + 4, output.bottom() - piles.y + 4},
          {.stroke = d.colours.ink, .stroke_width = 1.6F, .radius = 4});
  add_callout(d.figure, "made", box, Point{x + width / 2, piles.y - 3}, d.view.theme);
  add_words(d, "made.said", {box.x + 10, box.y + 6, wide - 16, 18 * k},
            "bar " + std::to_string(one + 1) + " of Y: " + number(whole(0, one)) + " is the sum of",
            {d.colours.ink, {text::Face::semibold, 12 * k}});
  for (int h = 0; h < rows; ++h) {
    const Point place{box.x + 18 + (wide - 16) / 3 * static_cast<float>(h % 3),
                      box.y + (36 + 20 * static_cast<float>(h / 3)) * k};
    const bool own = h < d.state.heads;
    if (own) add_disc(d, "made.disc." + std::to_string(h), place, h, 7.5F * k);
    add_words(d, "made.part." + std::to_string(h),
              {place.x + (own ? 11 * k : -8), place.y - 8 * k, (wide - 16) / 3, 16 * k},
              (own ? "" : "bias ") + number(parts(h, one)), {d.colours.ink, {text::Face::mono, 11.5F * k}});
  }
}

// On the ribbons, under a head's output.
void add_switch(Drawing& d, const Rect& segment, int head) {
  const bool on = d.is_on(head);
  const std::string number = std::to_string(head + 1), id = "switch." + number;
  const float wide = std::min(30.F, segment.w - 4);
  const Rect track{segment.centre().x - wide / 2, segment.bottom() + 7, wide, 18};
  add_press(d, id, Role::toggle, {segment.x, segment.bottom() + 1, segment.w, d.fingers() ? 40.F : 30.F},
            "Head " + number + (on ? " is on: switch it off" : " is off: switch it on"),
            {.field = of_head("off", head), .value = on ? "on" : "off"});
  add_fill(d, id + ".rim", track.inset(-2), d.colours.surface, 11);
  add_fill(d, id + ".track", track, mix(d.colours.muted.faded(0.5F), d.of(head), d.kept(head)), 9);
  add_fill(d, id + ".knob", {std::lerp(track.x + 2, track.right() - 16, d.kept(head)), track.y + 2, 14, 14},
           d.colours.surface, 7);
  mark_furniture(d.figure, d.figure.elements.size() - 4);
}

// What each word is taken for while it is covered, with all heads and now; on a phone the lost one. Returns the top.
float add_guesses(Drawing& d, float bottom) {
  const int lost = lost_word(d.trace);
  if (d.trace.find(kGuesses[0]) == nullptr || (d.narrow() && lost < 0)) return bottom;
  const float line = 26 * d.letters(), top = bottom - 2 * line, begin = d.narrow() ? 230 : slots_for(d).begin;
  const Slots slots = slots_for(d);
  const std::vector<std::string>& words = d.trace.at("X").row_labels;
  const std::string covered = d.narrow() ? label_of(words, lost) + " covered" : "covered",
                    says = lost < 0 || is_loss(d.trace, lost) ? ", guessed right:" : ", it is guessed:";
  const int cut = only_off(d.state);
  for (const bool now : {false, true}) {
    const Tensor& guesses = d.trace.at(kGuesses[now ? 1 : 0]);
    const float y = now ? top + line : top;
    const std::size_t first = d.figure.elements.size();
    const std::string without = cut < 0 ? "… with these heads" : "… without head " + std::to_string(cut + 1);
    add_words(d, guesses.name + ".title", {d.margin(), y, begin - d.margin(), line}, now ? without : covered + says,
              {d.colours.muted, {text::Face::regular, 12 * d.letters()}});
    for (int j = d.narrow() ? lost : 1; j < (d.narrow() ? lost + 1 : slots.count); ++j) {
      const std::string& word = guesses.column_labels[static_cast<std::size_t>(j)];
      const bool right = word == label_of(words, j), gone = now && is_loss(d.trace, j);
      // What is wrong before and after says nothing.
      if (j != lost && label_of(d.trace.at(kGuesses[0]).column_labels, j) != label_of(words, j)) continue;
      const Source source{guesses.name, 0, j};
      const Rect cell =
          d.narrow() ? Rect{begin, y, 110, line} : Rect{slots.centre(j) - slots.pitch / 2, y, slots.pitch, line};
      d.figure.add({.id = cell_id(source), .role = Role::cell, .rect = cell, .label = word, .source = source});
      const Colour plain = right ? d.colours.good : d.colours.muted;
      const Type type{gone || (right && !now) ? text::Face::semibold : text::Face::regular,
                      (j == lost ? 21 : 14) * d.letters()};
      const TextStyle style{gone ? d.colours.warning : plain, type, Align::centre};
      add_words(d, cell_id(source) + ".word", cell, word, fitted(style, word, cell.w - 4));
      if (now && j == lost)
        add_box(d, "guess.lost", {cell.x + 6, top - 1, cell.w - 12, 2 * line + 1},
                {.stroke = gone ? d.colours.warning : d.colours.muted, .stroke_width = 1.5F, .radius = 7});
    }
    if (now) show_since(d.figure, first, d.gone());  // as the head goes
  }
  return top - 10;
}

// From the heads' outputs through W_O to the word's output, as far as t says. Of what is cut the beginning is left.
void add_braid(Drawing& d, float y, float bottom, float t) {
  const float k = std::max(d.scale(), 0.7F), label = 24 * k;
  y = add_sentence(d, y) + label + (d.narrow() ? 20 : 0);
  const Rect bars = bars_of(d);
  const float high = std::min((d.low() ? 40 : 56) * k, 0.16F * (bottom - y)),
              tall = std::min(1.5F * high, 0.2F * (bottom - y)), apart = d.low() ? 6 : 14;
  const HeadBar bar{.rect = {bars.x, y, bars.w, high}, .label = label, .opacity = 0.4F, .row = d.row};
  const Rect output{bars.x, bottom - tall - (d.narrow() && d.cuts ? 20.F : 4.F), bars.w, tall},
      piles = output.moved(0, -tall - apart);
  // What mixes them stands between them: all that they give goes through it.
  const float between = piles.y - bar.rect.bottom(), side = 0.3F * between;
  const Rect card{bars.centre().x - 0.22F * bars.w, bar.rect.bottom() + 0.45F * (between - side), 0.44F * bars.w, side};
  const Matrix parts = added(d);
  add_ribbons(d, bar, card, piles, parts, t);
  add_head_bar(d, bar);
  add_concat_name(d, bar.rect);
  add_piles(d, piles, parts, t);
  add_name(d, piles, "+", "parts", d.colours.ink, {"what each head adds", "to each number"});
  add_output(d, output, parts, t);
  const bool ghost = d.figure.find("Y.ghost") != nullptr;
  add_name(d, output, "Y", "output", d.colours.output,
           ghost ? std::vector<std::string>{"the sum now,", "dashed: with all heads"}
                 : std::vector<std::string>{"their sum: one list", "of numbers again"});
  if (ghost && d.narrow())
    add_words(d, "Y.ghost.said", {bars.x, output.bottom() + 5, bars.w, 15}, "dashed: with all heads",
              {d.colours.muted});
  d.figure.add({.id = "W_O.behind", .rect = card, .shape = Rectangle{.fill = d.colours.surface, .radius = 8}});
  add_matrix(d, "W_O", card.inset(6), Dealt::rows);
  add_name(d, {bars.x, card.y, bars.w, card.h}, "W_O", d.narrow() ? "matrix" : "output matrix", d.colours.ink,
           {d.state.trained ? "learned numbers," : "numbers,", "which mix all heads"});
  const std::size_t first = d.figure.elements.size();
  if (tells_sum(d) && side > 60) add_made_of(d, card, piles, output, parts);
  show_since(d.figure, first, smoothstep(0.9F, 1, t));
}

}  // namespace

float draw_join(Drawing& d, float y, float bottom) {
  if (!d.state.trained)
    bottom = add_choices(d, {chips_of("mixing", "output matrix", kMixings, static_cast<int>(d.state.mixing))}, bottom);
  add_braid(d, y, bottom, d.view.t);
  return bottom;
}

float draw_without(Drawing& d, float y, float bottom) {
  d.cuts = true;
  add_braid(d, y, d.low() ? bottom : add_guesses(d, bottom), 1);
  for (int h = 0; h < d.state.heads; ++h)
    if (const Element* box = d.figure.find("head." + std::to_string(h + 1) + ".box.edge"); box != nullptr)
      add_switch(d, Rect(box->rect), h);
  return bottom;
}

}  // namespace limelight::scenes::heads
