#include "app/compare.h"

#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr Eigen::Index kMostNumbers = 1'000'000;
constexpr int kMostSettings = 3;  // that are named

std::string shown_value(const io::FieldInfo& info) {
  const auto choice = std::ranges::find(info.field.choices, info.value, &io::Choice::value);
  if (choice != info.field.choices.end()) return std::string(choice->label);
  if (info.kind == io::FieldKind::toggle) return info.value == io::write_value(true) ? "on" : "off";
  if (info.kind == io::FieldKind::cells || info.kind == io::FieldKind::order) return {};
  constexpr std::size_t kLongest = 24;  // bytes: what is longer is a matrix or a sentence
  if (info.value.size() > kLongest) return {};
  return info.value.empty() ? "none" : info.value;
}

std::string cell_name(const Tensor& tensor, int row, int column) {
  const auto label = [](const std::vector<std::string>& labels, int index) {
    return index < static_cast<int>(labels.size()) ? labels[static_cast<std::size_t>(index)] : std::string();
  };
  const std::string of_row = label(tensor.row_labels, row), of_column = label(tensor.column_labels, column);
  if (!of_row.empty() && !of_column.empty()) return of_row + " → " + of_column;
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

std::string more_or_less(float difference) {
  return io::format_short(std::abs(difference), 4) + (difference < 0 ? " less" : " more");
}

std::string shape_of(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}

}  // namespace

std::vector<Setting> differing(const App& app) {
  std::vector<Setting> settings;
  const std::vector<io::FieldInfo> before = app.scene->fields(app.compared->state);
  for (const io::FieldInfo& now : app.scene->fields(app.state)) {
    const auto then =
        std::ranges::find(before, now.field.name, [](const io::FieldInfo& info) { return info.field.name; });
    if (then == before.end() || then->value == now.value || now.field.look) continue;
    settings.push_back({std::string(now.field.label), shown_value(*then), shown_value(now)});
  }
  return settings;
}

std::string side_words(const std::vector<Setting>& settings, std::string Setting::* side) {
  std::string words;
  int count = 0;
  for (const Setting& setting : settings) {
    if (++count > kMostSettings) return words + " and " + std::to_string(settings.size() - kMostSettings) + " more";
    if (!words.empty()) words += ", ";
    words += setting.label + (setting.before.empty() || setting.after.empty() ? "" : ": " + setting.*side);
  }
  return words;
}

Principal principal_of(const App& app, scenes::Place place) {
  std::string name(app.scene->principal(app.state, app.trace, place));
  return {name, app.trace.find(std::string(kOfA) + name), app.trace.find(name),
          app.trace.find(std::string(kDifference) + name)};
}

std::string difference_words(const App& app, scenes::Place place) {
  const Principal p = principal_of(app, place);
  if (p.a == nullptr || p.b == nullptr) return "Only one of them has numbers to compare at this step.";
  const std::string name = figure::words_of_name(p.name);
  if (p.difference == nullptr)
    return name + " is " + shape_of(*p.a) + " in A and " + shape_of(*p.b) +
           " in B; only equal shapes can be subtracted.";
  Eigen::Index row = 0, column = 0;
  float most = 0, sum = 0;
  int count = 0, hidden = 0;  // numbers of both; what only one of them has
  for (Eigen::Index r = 0; r < p.difference->values.rows(); ++r)
    for (Eigen::Index c = 0; c < p.difference->values.cols(); ++c) {
      const float value = p.difference->values(r, c);
      hidden += std::isfinite(p.a->values(r, c)) != std::isfinite(p.b->values(r, c)) ? 1 : 0;
      if (!std::isfinite(value)) continue;
      ++count;
      sum += std::abs(value);
      if (std::abs(value) > std::abs(most)) most = value, row = r, column = c;
    }
  const std::string masked =
      hidden == 0 ? "" : std::to_string(hidden) + " of its cells are −∞, masked, in only one of them.";
  if (most == 0 && hidden > 0) return name + ": " + masked + " All others are the same.";
  if (most == 0) return name + " has the same numbers in A and B.";
  const auto i = static_cast<int>(row), j = static_cast<int>(column);
  const auto number = [](float value) { return io::format_short(value, 4); };
  return "They differ most at " + cell_name(*p.b, i, j) + ": " + number(p.a->values(row, column)) + " in A, " +
         number(p.b->values(row, column)) + " in B, " + more_or_less(most) + "." +
         (count == 1 ? ""
                     : " On average its " + std::to_string(count) + " numbers differ by " +
                           number(sum / static_cast<float>(count)) + ".") +
         (hidden == 0 ? "" : " " + masked);
}

namespace {

std::string settings_words(const App& app) {
  const std::vector<Setting> settings = differing(app);
  if (settings.empty()) return "A and B are the same so far: whatever is changed now changes B.";
  std::string words = "B differs in ";
  int count = 0;
  for (const Setting& setting : settings) {
    if (++count > kMostSettings) {
      words += " and " + std::to_string(settings.size() - kMostSettings) + " more";
      break;
    }
    if (count > 1) words += ", ";
    words += setting.label;
    if (!setting.before.empty() && !setting.after.empty()) words += " (" + setting.before + " → " + setting.after + ")";
  }
  return words + ".";
}

}  // namespace

std::string pinned_for_comparison(const App& app) {
  io::Patch patch{{"scene", std::string(app.scene->id)}};
  std::ranges::move(app.scene->encode(app.state), std::back_inserter(patch));
  return io::write_patch(patch);
}

std::string write_compared(const App& app) {
  if (!app.compared) return {};
  io::Patch patch{{"scene", std::string(app.scene->id)}};
  std::ranges::move(app.scene->encode(app.compared->state), std::back_inserter(patch));
  return io::write_patch(patch);
}

Result<std::any> read_compared(const scenes::SceneDef& scene, std::string_view text) {
  const Result<io::Patch> patch = io::parse_patch(text);
  if (!patch) return std::unexpected(patch.error());
  io::Patch fields;
  for (const auto& [key, value] : *patch) {
    if (key != "scene")
      fields.emplace_back(key, value);
    else if (value != scene.id)
      return fail("What is to be compared is of the scene " + io::quote(value) + ", and " + std::string(scene.id) +
                  " is open; both have to be of one scene.");
  }
  std::any state = scene.initial();
  if (const Result<void> set = scene.change(state, fields); !set) return std::unexpected(set.error());
  return state;
}

Result<void> check_compared(const Trace& trace) {
  Eigen::Index numbers = 0;
  for (const Tensor& tensor : trace.tensors) numbers += tensor.values.size();
  if (numbers > kMostNumbers)
    return fail("This figure has " + io::format_short(static_cast<double>(numbers) / 1e6) +
                " million numbers; figures of up to 1 million are compared. Choose fewer words.");
  return {};
}

void add_compared(App& app) {
  Trace& trace = app.trace;
  std::erase_if(trace.tensors, [](const Tensor& tensor) {
    return tensor.name.starts_with(kOfA) || tensor.name.starts_with(kDifference);
  });
  if (!app.compared) return;
  for (const Tensor& a : app.compared->trace.tensors) {
    const Tensor* b = trace.find(a.name);
    if (b != nullptr && b->rows() == a.rows() && b->columns() == a.columns()) {
      // What is masked in one of them has no difference, and is hatched like what is masked.
      const Matrix difference = b->values.binaryExpr(a.values, [](float now, float then) {
        return std::isfinite(now) && std::isfinite(then) ? now - then : -std::numeric_limits<float>::infinity();
      });
      trace.add(std::string(kDifference) + a.name, difference, b->row_labels, b->column_labels);
    }
    trace.add(std::string(kOfA) + a.name, a.values, a.row_labels, a.column_labels);
  }
}

std::string_view of_both(std::string_view id) {
  if (!id.starts_with(kSideOfA)) return id;
  const std::string_view below = id.substr(kSideOfA.size());
  return below == scenes::kLampId || below == scenes::kLightId || scenes::word_at(below) ? below : id;
}

Source of_present(Source source) {
  for (const std::string_view prefix : {kDifference, kOfA})
    if (source.tensor.starts_with(prefix)) {
      source.tensor.erase(0, prefix.size());
      break;
    }
  return source;
}

std::string compared_words(const App& app) {
  return app.compared ? settings_words(app) + " " + difference_words(app, app.place) : std::string();
}

std::string compared_number(const App& app, const Source& source) {
  const float* a = app.trace.cell(std::string(kOfA) + source.tensor, source.row, source.column);
  const float* b = app.trace.cell(source.tensor, source.row, source.column);
  if (a == nullptr || b == nullptr) return {};
  const std::string both = "In A it is " + io::format_short(*a, 4) + ", in B " + io::format_short(*b, 4);
  if (!std::isfinite(*a) || !std::isfinite(*b)) return both + ".";
  return *a == *b ? both + ": the same." : both + ": " + more_or_less(*b - *a) + ".";
}

}  // namespace limelight::app
