// The step Without attention: the same word, with attention and through one fixed vector; the reader guesses first.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/light.h"
#include "scenes/common/chips.h"
#include "scenes/common/words.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

constexpr float kGap = 14;

// There is something to guess, and nobody has.
bool asked(const Told& t) { return t.state.expect == Guess::none && !t.wrong(kWithout).empty(); }

// lit: the model without attention still has the other one's light and letters.
void add_model(Drawing& d, int model, Rect area, bool lit = false) {
  const Told t = d.told();
  const Writing& writing = t.writing(lit ? kWith : model);
  const std::string_view heading = model == kWith ? "with attention it reads" : "without attention it reads";
  const Tensor* written = d.trace.find(writing.written);
  const std::string id = model == kWith ? "night" : "without";
  if (written == nullptr) {
    const Palette& dark = palette(night_theme(d.view));
    d.figure.add({.id = id + ".ground", .rect = area, .shape = Rectangle{.fill = dark.stage_top, .radius = 12}});
    add_words(d, id + ".nothing", area,
              "Not trained yet: turn attention " + std::string(model == kWith ? "on" : "off") + " and train it",
              {dark.ink, type::title, Align::centre});
    return;
  }
  add_night(d, {.id = id,
                .area = area,
                .source = t.source(),
                .written = written->column_labels,
                .weights = model == kWith || lit ? writing.weights : "",
                .vector = t.vector(),
                .right = t.known() && !lit ? writing.right : "",
                .reads = heading,
                .writes = d.narrow() ? "" : "it writes",
                .share = d.view.t > 0 ? Night{}.share : kDrawn,
                .covered = model == kWithout && asked(t)});
}

// The panel without attention opens at its place with the other one's light, this goes out, and what it reads is drawn
// in.
void add_models(Drawing& d, Rect with, Rect without) {
  const float t = d.view.t, out = smoothstep(0.25F, 0.55F, t);
  const std::size_t first = d.figure.elements.size();
  const Tensor* weights = d.trace.find(d.told().writing(kWith).weights);
  const float opens = smoothstep(0, 0.25F, t);
  if (t > 0)
    add_model(d, kWithout, {without.x, without.y, mix(0.7F, 1, opens) * without.w, without.h},
              weights != nullptr && t < 0.55F);
  show_since(d.figure, first, opens);
  for (std::size_t i = first; i < d.figure.elements.size() && t < 1; ++i) {
    Element& element = d.figure.elements[i];
    if (auto* light = std::get_if<Light>(&element.shape)) {
      for (Light::Beam& beam : light->beams) beam.intensity *= 1 - in_turn(out, beam.row, weights->rows());
      for (Light::Spot& spot : light->spots) spot.intensity *= 1 - out;
    } else if (element.id.contains(".in.") || element.id.contains(".out.") || element.id.contains(".vector")) {
      element.clip = Rect{without.x, without.y, without.w, without.h * smoothstep(0.55F, 0.85F, t)};
    }
  }
  add_model(d, kWith, with);
}

// The reader's guess, before the letters are uncovered. Returns the bottom.
float add_guess(Drawing& d, float y) {
  if (d.told().wrong(kWithout).empty()) return y;
  const bool before = asked(d.told());
  ChipGroup group{"expect", before ? "Which letters will it get wrong?" : "You guessed", {}};
  for (const Guess guess : {Guess::first, Guess::middle, Guess::last, Guess::alike})
    group.chips.push_back({std::string(kGuesses[static_cast<int>(guess)].label),
                           std::string(kGuesses[static_cast<int>(guess)].value), guess == d.state.expect});
  if (!before) group.chips.push_back({"ask again", "none"});
  return add_chips(d, {group}, y, d.press_height());
}

// Of the longest unseen words; nothing where the model is neither recorded nor trained.
std::string at_longest(const Told& t, int model) {
  const Tensor* groups = t.trace.find(kCurves[model].by_length);
  if (groups == nullptr) return "";
  return bold(percent(static_cast<double>(groups->values(ByLength::share, groups->columns() - 1)))) +
         (model == kWith ? " with attention" : " without");
}

// Where more than half of the wrong letters of a word are, of which there are some: in one of its thirds, or nowhere.
Guess where_wrong(const Tensor& right) {
  static constexpr Guess kThirds[] = {Guess::first, Guess::middle, Guess::last};
  int wrong[3] = {};
  for (int i = 0; i < right.columns(); ++i)
    if (right.values(0, i) == 0) ++wrong[3 * i / right.columns()];
  const auto most = std::ranges::max_element(wrong);
  return 2 * *most > wrong[0] + wrong[1] + wrong[2] ? kThirds[most - wrong] : Guess::alike;
}

// What came of the guess, of the letters of this word.
std::string outcome(const Told& t) {
  const std::string right(t.writing(kWithout).right);
  if (t.trace.find(right) == nullptr) return "";
  const std::string step = "After " + batches(static_cast<int>(t.run(kWithout, Column::step)));
  std::vector<std::string> wrong;
  for (const int i : t.wrong(kWithout))
    wrong.push_back(pointing(std::to_string(i + 1), cell_id({right, 0, i}), MeansA::output));
  if (wrong.empty()) return step + " it gets this word right even without attention. ";
  const Guess where = where_wrong(t.trace.at(right));
  return step + " its memory fails at " + (wrong.size() == 1 ? "letter " : "letters ") + io::all_of(wrong) + ", " +
         bold(std::string(kGuesses[static_cast<int>(where)].label)) +
         (where == t.state.expect ? ", as you guessed. "
          : t.state.expect == Guess::none
              ? ". "
              : "; you guessed " + std::string(kGuesses[static_cast<int>(t.state.expect)].label) + ". ") +
         (where == Guess::middle ? "That is far from both ends: both readers half forgot it. " : "");
}

}  // namespace

float draw_without(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  if (d.narrow()) {
    y = add_guess(d, y) + 10;
    const Rect without{m, y, d.inner(), 150};
    add_models(d, without.moved(0, 344), without);
    add_by_length(d, {m, y + 162, d.inner(), 170});
    return y + 494;
  }
  const float wide = (d.inner() - kGap) / 2, row = d.low() ? 0 : d.press_height() + 10;
  const float plot = d.low() ? 0 : std::clamp((bottom - y) * 0.36F, 140.F, 300.F) + kGap;
  y = add_guess(d, y) + 12;
  const float high = std::max(bottom - y - plot - row, 180.F);
  const Rect with{m, y, wide, high};
  add_models(d, with, with.moved(wide + kGap, 0));
  y += high + kGap;
  if (d.low()) return y;
  add_by_length(d, {m, y, d.inner(), plot - kGap});
  return add_buttons(d, {m, y + plot - kGap + 10, d.inner(), d.press_height()});
}

std::string tell_without(const Told& t) {
  const std::string size = std::to_string(2 * t.state.hidden);
  if (asked(t))
    return "Without attention the whole word has to fit into **" + size +
           " numbers**. Two readers fill them, one from each end. Of what it writes so, **" +
           io::count_of(std::ssize(t.wrong(kWithout)), "letter") +
           "** went wrong: which? **Guess**, and they are uncovered.";
  const std::string with = at_longest(t, kWith), without = at_longest(t, kWithout);
  std::string text = outcome(t);
  if (with.empty() && without.empty())
    text += "Train with and without, and compare.";
  else
    text += "Of the longest unseen words it gets " + with + (with.empty() || without.empty() ? "" : ", ") + without +
            ": with it, one can **look again**.";
  return text + kNext;
}

}  // namespace limelight::scenes::train
