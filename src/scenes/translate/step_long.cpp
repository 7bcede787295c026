// The step Long sentences: what one context loses, by length, and what both make of this sentence.
#include <algorithm>
#include <cctype>

#include "figure/plot.h"
#include "io/numbers.h"
#include "scenes/common/parts.h"
#include "scenes/place.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

struct Version {
  std::string id{}, name{};
  Colour colour{};
  std::vector<std::string> words{};
};

// What is missing of the reference, or stands in its place, is red. Returns the bottom.
float add_version(Drawing& d, const Version& version, const std::vector<std::string>& right, Point at, float width) {
  const auto& [id, name, colour, words] = version;
  const std::vector<std::string>& reference = id == "long.source" ? words : right;
  const std::vector<bool> differs = differing(words, reference);
  add_heading(d, id + ".title", at, width, name, colour);
  float y = at.y + 24;
  y += add_paragraph(d.figure, id, marked(words, differs), {at.x, y}, width, 15 * d.label_scale(), d.colours.ink,
                     d.colours.warning);
  if (const auto missing = std::ranges::count(differing(reference, words), true); missing > 0)
    y += add_paragraph(d.figure, id + ".legend", std::to_string(missing) + " missing; red: in their place", {at.x, y},
                       width, 12, d.colours.muted, d.colours.muted);
  return y + 8;
}

// Words are counted, not signs.
float words_of(const Drawing& d) {
  const auto is_word = [](const std::string& token) { return std::isalnum(static_cast<unsigned char>(token[0])) != 0; };
  return static_cast<float>(std::ranges::count_if(d.sources(), is_word));
}

// Drawn from the left to the right.
void add_curves(Drawing& d, Rect area) {
  const Tensor& exact = d.trace.at("exact");
  const Matrix& length = d.trace.at("length").values;
  std::vector<double> x, with, without;
  for (int i = 0; i < exact.columns(); ++i) {
    x.push_back(static_cast<double>(length(0, i)));
    with.push_back(static_cast<double>(exact.values(0, i)));
    without.push_back(static_cast<double>(exact.values(1, i)));
  }
  const Stroke strokes[] = {{.colour = d.colours.accent, .width = 2.5F},
                            {.colour = d.colours.warning, .width = 2.5F, .dashed = true}};
  const LegendEntry entries[] = {{"with attention", strokes[0]}, {"without, all in one context", strokes[1]}};
  const float legend = add_legend(d.figure, "exact.legend", entries, {area.x, area.y}, area.w, d.view.theme) + 6;
  // What the one loses and the other does not.
  const Plot plot =
      add_plot(d.figure, "exact", {area.x, area.y + legend, area.w, area.h - legend},
               {.low = x.front() - 0.5, .high = x.back() + 0.5, .label = "words in the sentence"},
               {.low = 0, .high = 1, .label = "all words right", .ticks = {{0, "0"}, {0.5, "50 %"}, {1, "100 %"}}},
               d.view.theme);
  const std::size_t first = d.figure.elements.size();
  Area lost{.points = {}, .fill = d.colours.warning.faded(0.16F), .fill_to = d.colours.warning.faded(0.05F)};
  for (std::size_t i = 0; i < x.size(); ++i) lost.points.push_back(plot.at(x[i], with[i]));
  for (std::size_t i = x.size(); i-- > 0;) lost.points.push_back(plot.at(x[i], without[i]));
  d.figure.add({.id = "exact.lost", .shape = std::move(lost)});
  const auto words = static_cast<double>(words_of(d));
  if (d.state.trained() && words >= x.front() && words <= x.back())
    add_rule_x(d.figure, plot, "exact.this", words, {.colour = d.colours.ink, .dashed = true},
               d.trace.find("own_h") == nullptr ? "this sentence"
                                                : "the example “" + d.trace.at("through").row_labels[0] + "”");
  add_curve(d.figure, plot, "exact.with", x, with, strokes[0], "With attention");
  add_curve(d.figure, plot, "exact.without", x, without, strokes[1], "Without attention");
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < exact.columns(); ++i) {
      const double share = row == 0 ? with[static_cast<std::size_t>(i)] : without[static_cast<std::size_t>(i)];
      add_dot(d.figure, plot, {"exact", row, i}, x[static_cast<std::size_t>(i)], share, strokes[row].colour,
              exact.row_labels[static_cast<std::size_t>(row)] + ", " +
                  exact.column_labels[static_cast<std::size_t>(i)] + ": " + io::format_percent(share),
              3.5F);
    }
  const float front = mix(plot.frame.x - 5, plot.frame.right() + 5, d.view.t);
  if (d.view.t < 1) {
    for (Element& element : std::span(d.figure.elements).subspan(first)) element.clip = Rect{0, area.y, front, area.h};
    add_stroke(d, "exact.front", {{front, plot.frame.y}, {front, plot.frame.bottom()}}, d.colours.faint, 1);
  }
}

// What is compared, side by side where there is room. Returns the bottom.
float add_versions(Drawing& d, float y) {
  const Tensor *fixed = d.trace.find("fixed"), *before = d.trace.find("before"), *other = d.trace.find("attended");
  if (!is_translated(d.trace) || fixed == nullptr) return y;
  const std::vector<std::string> reference = expected(d.state, d.trace);
  const std::vector<std::string> mine = other != nullptr ? other->column_labels : written(d.trace);
  std::vector<Version> versions;
  versions.push_back({"long.source", "source", d.colours.input, d.sources()});
  if (d.state.corpus && mine != reference)
    versions.push_back({"long.reference", "as it should be", d.colours.good, reference});
  // Once with what was set and once without, where something was.
  const std::string with = d.state.translation.empty() ? "with attention" : "your translation";
  if (before != nullptr)
    versions.push_back({"long.before", with + ", nothing set", d.colours.accent, before->column_labels});
  versions.push_back({"long.attention",
                      with + (before != nullptr   ? ", as set"
                              : mine == reference ? ": all right"
                                                  : ""),
                      d.colours.accent, mine});
  versions.push_back({"long.fixed", "without, all in one context", d.colours.warning, fixed->column_labels});
  constexpr float kLeast = 270, kApart = 28;  // px of one, and between two
  const std::size_t across =
      std::clamp<std::size_t>(static_cast<std::size_t>(d.inner() / (kLeast + kApart)), 1, versions.size());
  const float width = (d.inner() + kApart) / static_cast<float>(across) - kApart;
  float end = y;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (i % across == 0) y = end;
    const float x = d.margin() + static_cast<float>(i % across) * (width + kApart);
    end = std::max(end, add_version(d, versions[i], reference, {x, y}, width));
  }
  return end;
}

}  // namespace

float draw_long(Drawing& d, float y) {
  const std::size_t first = d.figure.elements.size();
  const float need = add_versions(d, y) - y + 32;
  const float high = std::clamp(d.narrow() ? 0.42F * d.view.height : d.view.height - y - need, 190.F, 900.F);
  const bool curves = d.trace.find("exact") != nullptr;
  for (Element& element : std::span(d.figure.elements).subspan(first)) element.rect.y += curves ? high + 16 : 24;
  if (curves) {
    // They come when the curves have come to their length.
    const Matrix& length = d.trace.at("length").values;
    const float shortest = length(0, 0), longest = length(0, length.cols() - 1),
                come = std::clamp((words_of(d) - shortest) / (longest - shortest), 0.F, 0.85F);
    show_since(d.figure, first, smoothstep(come, come + 0.12F, d.view.t));
    add_curves(d, {d.margin(), y, d.inner(), high});
  } else if (!d.view.missing) {
    add_note(d, "exact.none", "There is no measured curve yet.", {d.margin(), y}, d.inner());
  }
  return y + need - 28 + (curves ? high + 16 : 24);
}

constexpr const char* kEnd =
    " The lamp that asks for each word anew is **attention**; the next scene, Train, shows how it is learned.";

std::string tell_long(const Told& told) {
  std::string text;
  if (const Tensor* exact = told.trace.find("exact")) {
    const int last = exact->columns() - 1;
    const auto share = [&](int row, int column) { return bold(io::format_percent(told.at("exact", row, column))); };
    const auto at = [&](int column) { return label_of(exact->column_labels, column); };
    text = "Of sentences never seen in training " + share(0, 0) + " of those of " + at(0) +
           " come out right with the lamp and " + share(1, 0) + " without it; of those of " + at(last) + " " +
           share(0, last) + " and " + share(1, last) + ".";
  }
  const Tensor* fixed = told.trace.find("fixed");
  if (fixed == nullptr || !is_translated(told.trace))
    return text.empty()
               ? "Two models are compared here: one with attention, one that has to put all into one fixed vector."
               : text + kEnd;
  if (!text.empty()) text += " ";
  if (!told.state.translation.empty())
    return text + "Your translation stands where the model’s own would; take it away in step " +
           std::to_string(number_of(steps(), "alignment")) + " to compare both.";
  const Tensor *before = told.trace.find("before"), *other = told.trace.find("attended"),
               *with = other != nullptr ? other : before;
  const bool same = fixed->column_labels == (with != nullptr ? with->column_labels : written(told.trace));
  text += other != nullptr ? "The example " + bold(told.trace.at("through").row_labels[0]) : "This sentence";
  text += same ? " both translate alike" : " they translate **differently**";
  if (before == nullptr) return text + "." + kEnd;
  const int lost = lost_words(before->column_labels, written(told.trace));
  return text + " when nothing is set; as it is set now, attention’s line loses " +
         bold(std::to_string(lost) + " of " + std::to_string(before->column_labels.size()) + " tokens") + ".";
}

}  // namespace limelight::scenes::translate
