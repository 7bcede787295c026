// Train's curves: the loss, what is held out, and how that depends on the length.
#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

constexpr int kMostDots = 14;  // that can be pointed at on one curve

Colour model_colour(const Palette& colours, int model) { return model == kWith ? colours.accent : colours.warning; }
const char* model_name(int model) { return model == kWith ? "with attention" : "without"; }

std::vector<double> numbers(const Matrix& values, int row) {
  std::vector<double> list;
  for (Eigen::Index i = 0; i < values.cols(); ++i) list.push_back(static_cast<double>(values(row, i)));
  return list;
}

// 1, 2 or 5 times a power of ten.
double rounded_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1., 2., 5.})
    if (factor * power >= value) return factor * power;
  return 10 * power;
}

// As far as either model has come.
Axis batches_axis(const Told& r) {
  const double most = std::max(r.run(kWith, Column::step), r.run(kWithout, Column::step));
  return {.low = 0, .high = rounded_up(std::max(most, 100.)), .label = "batches"};
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

// Where there is no curve yet: no line of the grid strikes the words through.
void add_nothing(Drawing& d, const std::string& id, const Plot& plot, const std::string& words) {
  const float width = std::min(text::measure(text::Face::regular, 12, words) + 16, plot.frame.w - 16);
  const Rect rect{plot.frame.centre().x - width / 2, plot.frame.centre().y - 9, width, 18};
  d.figure.add({.id = id + ".paper", .rect = rect, .shape = Rectangle{.fill = d.colours.paper}});
  add_words(d, id + ".nothing", rect, words, {.colour = d.colours.muted, .align = Align::centre});
}

// From the shortest source to the longest; there is no half a letter.
Axis letters_axis(const State& state, float width) {
  const bool dates = state.task == Subject::dates;
  const int least = dates ? 8 : 1, most = dates ? 18 : state.length;
  Axis axis{.low = static_cast<double>(least), .high = static_cast<double>(most), .label = "letters of the source"};
  axis.ticks = round_ticks(axis, static_cast<int>(width / 60));
  std::erase_if(axis.ticks, [](const auto& tick) { return tick.first != std::round(tick.first); });
  return axis;
}

// One of each model's curves over the batches.
struct OverBatches {
  std::string id, title;
  std::string_view Curves::* tensor;
  Axis y;
  bool percents = false;
  double rule = 0;
  std::string rule_label{}, nothing{};
  bool marks_jumps = false;  // of the loss, where a training diverged
};

// Where a training diverged, far above the frame as the loss may be: a line to its top, and the value.
void add_jumps(Drawing& d, const Plot& plot) {
  const Told r = d.told();
  for (const int model : {kWithout, kWith}) {
    if (r.run(model, Column::diverged) <= 0) continue;
    add_rule_x(d.figure, plot, "losses.jump" + std::to_string(model), r.run(model, Column::step),
               {.colour = d.colours.warning, .width = 2}, "diverged: " + r.rose_to(model));
  }
}

void add_over_batches(Drawing& d, const OverBatches& look, Rect area) {
  const Told r = d.told();
  bool there[2];
  for (const int model : {kWith, kWithout}) there[model] = d.trace.find(kCurves[model].*look.tensor) != nullptr;
  const float top = add_title(d, look.id, area, look.title, there[0] && there[1]);
  const Plot plot =
      add_plot(d.figure, look.id, {area.x, area.y + top, area.w, area.h - top}, batches_axis(r), look.y, d.view.theme);
  if (look.marks_jumps) add_jumps(d, plot);
  add_rule_y(d.figure, plot, look.id + ".rule", look.rule, {.colour = d.colours.muted, .width = 1, .dashed = true},
             look.rule_label);
  if (!there[0] && !there[1]) return add_nothing(d, look.id, plot, look.nothing);
  for (const int model : {kWithout, kWith}) {
    if (!there[model]) continue;
    const std::string tensor(kCurves[model].*look.tensor);
    const Matrix& values = d.trace.at(tensor).values;
    const bool own = model == model_of(d.state);
    add_curve(d.figure, plot, look.id + ".curve" + std::to_string(model), numbers(values, 0), numbers(values, 1),
              {.colour = model_colour(d.colours, model), .width = own ? 2.F : 1.5F, .dashed = model == kWithout},
              model_name(model));
    const auto count = static_cast<int>(values.cols());
    const int pitch = (count + kMostDots - 1) / kMostDots;
    for (int i = count - 1; i >= 0; i -= pitch) {
      const auto value = static_cast<double>(values(1, i));
      const std::string said = look.percents ? percent(value) : brief(value) + " nats";
      add_dot(d.figure, plot, {tensor, 1, i}, static_cast<double>(values(0, i)), value, model_colour(d.colours, model),
              std::string(model_name(model)) + ", batch " + brief(static_cast<double>(values(0, i)), 6) + ": " + said,
              i == count - 1 ? 4.F : 2.5F);
    }
  }
}

Axis shares(std::string label) {
  return {.low = 0, .high = 1, .label = std::move(label), .ticks = {{0, "0"}, {0.5, "50 %"}, {1, "100 %"}}};
}

}  // namespace

void add_loss(Drawing& d, Rect area) {
  const Told r = d.told();
  const double guess = r.summary(Summary::guess);
  double high = guess * 1.2;
  for (const Curves& curves : kCurves)
    if (const Tensor* loss = d.trace.find(curves.loss))
      high = std::max(high, static_cast<double>(loss->values.row(1).maxCoeff()) * 1.05);
  add_over_batches(d,
                   {.id = "losses",
                    .title = "loss, mean of the last batches",
                    .tensor = &Curves::loss,
                    .y = {.low = 0, .high = high, .label = "nats per letter"},
                    .rule = guess,
                    .rule_label = "guessing",
                    .nothing = "Nothing is trained yet.",
                    .marks_jumps = true},
                   area);
}

void add_held_out(Drawing& d, Rect area) {
  add_over_batches(d,
                   {.id = "held_out",
                    .title = "held out: all letters right",
                    .tensor = &Curves::exact,
                    .y = shares("of 200 sources"),
                    .percents = true,
                    .rule = 0.99,
                    .rule_label = "",
                    .nothing = "Every 50 batches, what it never saw is tried."},
                   area);
}

void add_by_length(Drawing& d, Rect area) {
  bool there[2];
  for (const int model : {kWith, kWithout}) there[model] = d.trace.find(kCurves[model].by_length) != nullptr;
  const float top =
      add_title(d, "lengths", area, "held out, by length: all letters right, measured here", there[0] && there[1]);
  const Plot plot = add_plot(d.figure, "lengths", {area.x, area.y + top, area.w, area.h - top},
                             letters_axis(d.state, area.w), shares("of sources"), d.view.theme);
  if (!there[0] && !there[1]) return add_nothing(d, "lengths", plot, "Nothing is measured before batch 50.");
  for (const int model : {kWithout, kWith}) {
    if (!there[model]) continue;
    const std::string tensor(kCurves[model].by_length);
    const Tensor& groups = d.trace.at(tensor);
    std::vector<double> middles;
    for (int i = 0; i < groups.columns(); ++i)
      middles.push_back(static_cast<double>(groups.values(ByLength::from, i) + groups.values(ByLength::to, i)) / 2);
    const Colour colour = model_colour(d.colours, model);
    add_curve(d.figure, plot, "lengths.curve" + std::to_string(model), middles, numbers(groups.values, ByLength::share),
              {.colour = colour, .width = 2, .dashed = model == kWithout}, model_name(model));
    for (int i = 0; i < groups.columns(); ++i) {
      const auto share = static_cast<double>(groups.values(ByLength::share, i));
      add_dot(d.figure, plot, {tensor, ByLength::share, i}, middles[static_cast<std::size_t>(i)], share, colour,
              std::string(model_name(model)) + ", " + groups.column_labels[static_cast<std::size_t>(i)] + ": " +
                  percent(share),
              4);
    }
  }
}

}  // namespace limelight::scenes::train
