// Train's curves: the loss, what is held out, and how that depends on the length.
#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "scenes/common/parts.h"
#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

constexpr int kMostDots = 14;  // that can be pointed at on one curve

Colour model_colour(const Palette& colours, int model) { return model == kWith ? colours.accent : colours.warning; }
const char* model_name(int model) { return model == kWith ? "with attention" : "without"; }

std::vector<double> numbers(const Matrix& values, int row) {
  const auto list = values.row(row);
  return {list.begin(), list.end()};
}

// As far as the record and both models have come.
Axis batches_axis(const Drawing& d) {
  const Told r = d.told();
  double high = r.has_record() ? kMoments[kLastMoment] : 100;
  for (const int model : {kWith, kWithout}) high = std::max(high, r.run(model, Column::step));
  Axis axis{.low = 1, .high = high, .logarithmic = true, .label = "batches"};
  for (const int batch : {1, 10, 100, 1000})
    if (batch <= high) axis.ticks.emplace_back(batch, d.narrow() && batch == 100 ? "" : std::to_string(batch));
  return axis;
}

// The heading, and which colour is which model where there are two.
float add_title(Drawing& d, const std::string& id, Rect area, const std::string& title, bool both) {
  add_subtitle(d, id + ".title", {area.x, area.y}, area.w, title);
  if (!both) return kTitleHeight;
  std::vector<LegendEntry> entries;
  for (const int model : {kWith, kWithout})
    entries.push_back({model_name(model), {.colour = model_colour(d.colours, model), .dashed = model == kWithout}});
  return kTitleHeight +
         add_legend(d.figure, id + ".models", entries, {area.x, area.y + kTitleHeight - 2}, area.w, d.view.theme) + 2;
}

// The lengths that are measured together, each in its place; before any is, the shortest and the longest.
Axis letters_axis(const Drawing& d) {
  const bool dates = d.state.task == Subject::dates;
  const int least = dates ? 8 : 1, most = dates ? 18 : d.state.length;
  Axis axis{.low = least - 0.5, .high = most + 0.5, .label = "letters to read"};
  for (const Curves& curves : kCurves)
    if (const Tensor* groups = d.trace.find(curves.by_length); groups != nullptr && axis.ticks.empty())
      for (int i = 0; i < groups->columns(); ++i) {
        const std::string& said = groups->column_labels[static_cast<std::size_t>(i)];
        axis.ticks.emplace_back(groups->values(ByLength::middle, i), said.substr(0, said.rfind(' ')));
      }
  if (axis.ticks.empty()) axis.ticks = {{least, std::to_string(least)}, {most, std::to_string(most)}};
  return axis;
}

// A curve of each model that is trained or recorded: its loss over the batches, or what is right of each length.
struct Look {
  std::string id, title;
  Axis x{}, y{};
  bool loss = false;
  std::string_view Curves::* tensor = &Curves::by_length;
  static constexpr int across = 0, up = 1;  // rows of that tensor
};

// The latest one over the batches is where the training stands.
void add_dots(Drawing& d, const Plot& plot, const Look& look, int model, Point title) {
  const Tensor& tensor = d.trace.at(kCurves[model].*look.tensor);
  const int count = tensor.columns(), pitch = (count + kMostDots - 1) / kMostDots;
  const float small = look.loss ? 2 : 4;
  for (int i = (count - 1) % pitch; i < count; i += pitch) {
    const auto x = static_cast<double>(tensor.values(look.across, i)),
               y = static_cast<double>(tensor.values(look.up, i));
    const std::string said = look.loss ? brief(y) : percent(y);
    const bool here = look.loss && i == count - 1 && model == model_of(d.state);
    if (here)  // it stands on the axis, and crosses no words
      add_stroke(d, look.id + ".here", {plot.at(x, y), {plot.across(x), plot.frame.bottom()}}, d.colours.amber, 2);
    add_dot(d.figure, plot, {tensor.name, look.up, i}, x, y, here ? d.colours.amber : model_colour(d.colours, model),
            std::string(model_name(model)) + ", " + tensor.column_labels[static_cast<std::size_t>(i)] + ": " + said,
            here ? 6.F : small);
    if (!here) continue;  // at the head of its rule, beside the title: no curve comes there
    const float wide = text::measure(text::Face::mono_bold, 15, said) + 2,
                least = title.x + text::measure(type::subtitle.face, type::subtitle.size, look.title) + 10;
    add_words(
        d, look.id + ".now",
        {std::clamp(plot.across(x) - wide / 2, least, std::max(least, plot.frame.right() - wide)), title.y, wide, 20},
        said, {d.colours.ink, {text::Face::mono_bold, 15}});
  }
}

void add_curves(Drawing& d, const Look& look, Rect area) {
  const Told r = d.told();
  const int own = model_of(d.state);
  // Of the record the other model is looked at in a step of its own, and there not before the reader's guess.
  const bool asks = !look.loss && d.state.expect == Guess::none && !r.wrong(kWithout).empty();
  const auto there = [&](int model) {
    return (!asks || model == kWith) && d.trace.find(kCurves[model].*look.tensor) != nullptr &&
           (model == own || !look.loss || r.run(model, Column::recorded) == 0);
  };
  const float top = add_title(d, look.id, area, look.title, there(kWith) && there(kWithout));
  const Plot plot =
      add_plot(d.figure, look.id, {area.x, area.y + top, area.w, area.h - top}, look.x, look.y, d.view.theme);
  if (look.loss) {
    if (r.diverged())  // far above the frame as the loss may be: a line to its top, and the value
      add_rule_x(d.figure, plot, "losses.jump" + std::to_string(own), r.run(Column::step),
                 {.colour = d.colours.warning, .width = 2}, "diverged: " + r.rose_to());
    add_rule_y(d.figure, plot, look.id + ".rule", r.summary(Summary::guess),
               {.colour = d.colours.muted, .width = 1, .dashed = true}, d.narrow() ? "guess" : "guessing");
  }
  if (const Tensor* record = look.loss ? d.trace.find(kRecordedLoss) : nullptr)
    add_curve(d.figure, plot, look.id + ".record", numbers(record->values, 0), numbers(record->values, 1),
              {.colour = d.colours.muted.faded(0.4F), .width = 2}, "the whole record");
  const std::size_t first = d.figure.elements.size();
  for (const int model : {1 - own, own}) {
    if (!there(model)) continue;
    const Matrix& values = d.trace.at(kCurves[model].*look.tensor).values;
    add_curve(
        d.figure, plot, look.id + ".curve" + std::to_string(model), numbers(values, look.across),
        numbers(values, look.up),
        {.colour = model_colour(d.colours, model), .width = model == own ? 2.5F : 1.5F, .dashed = model == kWithout},
        model_name(model));
    add_dots(d, plot, look, model, {area.x, area.y});
  }
  if (asks)
    add_words(d, look.id + ".ask", plot.frame, "And without attention? Guess above.",
              {d.colours.ink, {text::Face::semibold, d.narrow() ? 14.F : 20.F}, Align::centre});
  for (std::size_t i = first; i < d.figure.elements.size() && !look.loss && d.view.t < 1; ++i)
    d.figure.elements[i].clip = Rect{area.x, area.y, area.w * smoothstep(0.8F, 1, d.view.t), area.h};
}

}  // namespace

void add_loss(Drawing& d, Rect area) {
  const double guess = d.told().summary(Summary::guess);
  double high = guess * 1.2;
  for (const Curves& curves : kCurves)
    if (const Tensor* loss = d.trace.find(curves.loss))
      high = std::max(high, static_cast<double>(loss->values.row(1).maxCoeff()) * 1.05);
  Axis y{.low = 0, .high = high};
  y.ticks = round_ticks(y, 3);
  add_curves(d, {"losses", "loss: its surprise at the right letter", batches_axis(d), y, true, &Curves::loss}, area);
}

void add_by_length(Drawing& d, Rect area) {
  const bool dates = d.state.task == Subject::dates;
  const Axis shares{.low = 0, .high = 1, .label = {}, .ticks = {{0, "0"}, {0.5, "50 %"}, {1, "100 %"}}};
  add_curves(d,
             {"lengths", dates ? "unseen dates, by length: all right" : "unseen words, by length: all letters right",
              letters_axis(d), shares},
             area);
}

}  // namespace limelight::scenes::train
