// The step Bottleneck: no lamp, and one vessel through which all of the sentence has to pass.
#include <algorithm>

#include "figure/marks.h"
#include "figure/vessel.h"
#include "io/utf8.h"
#include "learn/french_tables.h"
#include "scenes/common/chips.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// Output words, as many as are written by now, red where they are not those that belong there. Returns the bottom.
float add_written(Drawing& d, const Stage& s, const std::vector<std::string>& words, float share) {
  const std::vector<std::string> right = expected(d.state, d.trace);
  const std::vector<bool> wrong =
      right.empty() || d.source == "source" ? std::vector<bool>(words.size()) : differing(words, right);
  const std::string text = marked(words, wrong);
  const float size = std::max(18 * s.k, 14.F);
  const float x = s.column ? d.margin() : s.target.x, width = s.column ? d.inner() : s.target.w;
  const float wide = std::min(text::measure(text::Face::regular, size, text) + 20, width);
  const auto count = std::lround(share * static_cast<float>(words.size()));
  return s.target.y + add_paragraph(d.figure, "fixed", marked({words.begin(), words.begin() + count}, wrong),
                                    {x + (width - wide) / 2, s.target.y}, wide, size, d.colours.ink, d.colours.warning);
}

// Which sentence is shown: the one that is chosen, or another one beside it, which a press chooses.
void add_whose(Drawing& d, float y, bool own) {
  const auto* const other = std::ranges::find(kPresets, d.trace.at("through").row_labels[0], &io::Choice::label);
  const std::string name(other->label);
  const std::string shown = d.narrow() ? "“" : "another example is shown: “",
                    said = own ? "“" + example_name(d.state.preset) + "” gets through"
                               : shown + name + "” does not get through";
  add_chips(d, {{"preset", said, {{"choose “" + name + "”", std::string(other->value)}}}}, y, d.chip_height());
}

// Around the states of words that are missing; from a single one a line to what stands in its place.
void add_lost(Drawing& d, const Stage& s, float come) {
  const auto lost = d.trace.at("through").values.row(0);
  std::vector<Rect> red;
  for (const Element& element : d.figure.elements)
    if (const auto* text = std::get_if<Text>(&element.shape); text != nullptr && text->colour == d.colours.warning)
      red.push_back(element.rect);
  const std::size_t first = d.figure.elements.size();
  for (int j = 0; j < s.slots.count; ++j) {
    if (lost(j) == 0) continue;
    const Rect bar = s.bars[static_cast<std::size_t>(j)].inset(-4);
    add_ring(d.figure, "lost." + std::to_string(j), bar, d.colours.warning);
    if (lost.sum() != 1 || red.size() != 1 || s.column) continue;
    const std::vector<Point> way{{bar.centre().x, bar.bottom()}, {red[0].centre().x, red[0].y - 2}};
    d.figure.add({.id = "lost.way", .shape = Line{way, d.colours.warning, 2, true}});
  }
  show_since(d.figure, first, come);
}

// " (boats)": what a French noun says.
std::string in_english(std::string_view bold_word) {
  const std::string_view word = bold_word.substr(2, bold_word.size() - 4);
  for (const learn::french::Noun& noun : learn::french::nouns())
    if (word == noun.french_singular || word == noun.french_plural)
      return " (" + std::string(word == noun.french_plural ? noun.plural : noun.singular) + ")";
  return {};
}

}  // namespace

float draw_bottleneck(Drawing& d, float y) {
  // The sentence that was followed gets through whole, and then another one comes that does not.
  constexpr float kOwn = 0.42F;
  const bool known = is_squeezed(d.trace), both_ways = d.state.trained(), two = d.trace.find("own_h") != nullptr,
             own = two && d.view.t < kOwn;
  const float from = two && !own ? kOwn : 0, t = (d.view.t - from) / ((own ? kOwn : 1) - from),
              unused = d.by_hand() ? 1 : 0.35F;  // numbers stay readable
  std::vector<std::string> words = known ? d.trace.at("fixed").column_labels : std::vector<std::string>{"…"};
  if (own) words = d.state.corpus->target, d.source = "source";
  if (two) y += d.narrow() ? 54 : 34;
  const std::string tensor = own ? "own_h" : "fixed_h";
  Stage s = stage_of(d, y, d.view.height - (words.size() > 16 ? 44.F : 48.F));
  s.context.x = s.column ? d.figure.width - 24 - s.context.w : std::round(s.target.centre().x - s.context.w / 2);
  if (!s.column) s.context.y = mix(s.bars.front().bottom(), s.target.y, 0.5F) - 0.4F * s.context.h;
  const auto last = static_cast<std::size_t>(s.slots.count - 1);
  const auto pours = [&](std::size_t j, const std::string& id, float side) {
    const Rect& bar = s.bars[j];
    const Point begin = s.column ? Point{bar.right() + 2, bar.centre().y} : Point{bar.centre().x, bar.bottom() + 4};
    add_stream(d, id, {}, begin,
               {s.column ? s.context.right() - 20 + side * 8 : s.context.centre().x + side * s.pour / 2,
                s.context.y + 0.3F * s.context.h},
               (both_ways ? 0.5F : 1) * s.pour, s.column, smoothstep(0, 0.6F, t));
  };
  const float level = smoothstep(0.3F, 0.7F, t) * (own ? 1 - smoothstep(0.92F, 1, t) : 1);
  if (own || !known)
    add_vessel(d.figure, "bottleneck", s.context, level, d.view.theme);
  else
    add_vessel(d, "bottleneck", {"bottleneck", 0, d.colours.output, {}, "The context, all that gets through", true},
               s.context, level);
  const float size = 14 * d.label_scale(), left = s.column ? 16 : s.target.x,
              wide = s.column ? d.figure.width - 24 : s.context.x - 14 - left;
  const float name = s.column ? s.context.y - 4 : s.context.y + 8 * s.k;
  const Align align = s.column ? Align::left : Align::right;
  add_words(d.figure, "bottleneck.name", {left, name, wide, 20}, called(d, "context", "c"),
            {d.colours.output, {text::Face::semibold, size}, align});
  if (known)
    add_words(d.figure, "bottleneck.said", {left, name + 20, wide, 18},
              "always " + numbers(d.trace.at("bottleneck").columns()) + (s.column ? "" : ", however long the sentence"),
              {d.colours.muted, type::label, align});
  add_way(d, "way.context", {s.context.centre().x, s.context.bottom() + 1},
          {s.column ? s.context.centre().x : s.target.centre().x, s.target.y - 4}, d.colours.output,
          smoothstep(0.6F, 0.7F, t));
  add_row_names(d, s, {.halos = 0, .light = 0});
  if (!s.column) add_row_name(d, "target.name", {d.margin(), s.target.y + 12}, "target", d.colours.output);
  const std::size_t first = d.figure.elements.size();
  if (two) add_whose(d, y - (d.narrow() ? 54 : 34), own);
  pours(last, "to.c", both_ways ? 0.5F : 0);
  if (both_ways) pours(0, "back.to.c", -0.5F);
  if (known) add_states(d, s, tensor, unused);
  for (const std::size_t j : {both_ways ? std::size_t{0} : last, last})
    for (Element& element : d.figure.elements)
      if (const std::string id = tensor + "." + std::to_string(j); element.id == id || element.id == id + ".glass")
        element.opacity = 1;
  add_source_words(d, s, std::vector<float>(d.sources().size()), {.theme = d.view.theme});
  if (both_ways && !s.column && !d.low()) {
    add_words(d.figure, "back.said", {s.bars.front().right() + 16, s.bars.front().bottom() + 3, 220, 18},
              "has read it backwards", {d.colours.muted, type::label});
    add_words(d.figure, "to.said", {s.bars.back().x - 236, s.bars.back().bottom() + 3, 220, 18}, "has read it forwards",
              {d.colours.muted, type::label, Align::right});
  }
  const float end = add_written(d, s, words, smoothstep(0.68F, 0.9F, t)) + 8;
  if (known && !own) add_lost(d, s, smoothstep(0.9F, 1, t));
  if (two) show_since(d.figure, first, own ? 1 - smoothstep(0.92F, 1, t) : smoothstep(0, 0.1F, t));
  return end;
}

std::string tell_bottleneck(const Told& told) {
  const Tensor& h = told.trace.at("fixed_h");
  const std::vector<std::string>& wrote = told.trace.at("fixed").column_labels;
  const std::string size = bold(numbers(h.columns()));
  if (!told.state.trained())
    return "Without attention only " + size + " gets through, whether the sentence has 3 words or 30: the encoder’s " +
           "last state. From it alone this decoder writes " + bold(io::all_of(wrote)) + ".";
  const std::vector<std::string> right = expected(told.state, told.trace);
  const int lost = lost_words(right, wrote);
  const std::vector<bool> red = differing(wrote, right);
  const auto others = std::ranges::count(red, true);
  const Tensor& through = told.trace.at("through");
  std::string text = "Without the lamp only " + size + ", half from each end of the sentence, get through";
  const bool other = through.column_labels != told.trace.at("source").column_labels;
  text += other && told.shows_result ? ": enough for " + bold(example_name(told.state.preset)) + ", not for " +
                                           bold(through.row_labels[0]) + "."
                                     : ", however long it is.";
  if (other && !told.shows_result) return text;
  const std::string each = "about " + std::to_string((h.columns() + h.rows() / 2) / h.rows());
  const auto first = [](const std::vector<std::string>& words, const auto& marks) {
    return bold(words[static_cast<std::size_t>(std::ranges::find(marks, true) - marks.begin())]);
  };
  if (lost == 1 && others == 1)
    return text + " It writes " + first(wrote, red) + in_english(first(wrote, red)) + " where " +
           first(right, differing(right, wrote)) +
           " belongs: " + first(through.column_labels, through.values.reshaped()) +
           " is forgotten. The longer a sentence, the fewer of these numbers are left for each token, here " + each +
           ".";
  return text + " From them alone this model writes " +
         (right.empty() ? tokens_of(wrote) + "."
          : lost == 0   ? "all " + tokens_of(right) + " that belong there: " + each +
                            " numbers for each are enough. A longer sentence leaves fewer."
                      : tokens_of(wrote) + ": " + bold(std::to_string(lost) + " of " + std::to_string(right.size())) +
                            " that belong there are missing, and " + bold(std::to_string(others)) +
                            " others stand there, in red: " + each + " numbers are left for each.");
}

}  // namespace limelight::scenes::translate
