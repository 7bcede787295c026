// What holds for every scene: each preset at each step, in both themes and at several widths.
#include "scenes/scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "figure/formula.h"
#include "figure/paint.h"
#include "io/numbers.h"
#include "scenes/place.h"
#include "unit/fonts.h"
#include "unit/swept.h"
#include "unit/thin.h"

using namespace limelight;
using namespace limelight::scenes;

namespace {

std::vector<std::string> presets(const SceneDef& scene) {
  std::vector<std::string> names;
  const std::vector<io::FieldInfo> fields = scene.fields(scene.initial());
  for (const io::Choice& choice : fields.front().field.choices) names.emplace_back(choice.value);
  return names;
}

std::any with_preset(const SceneDef& scene, const std::string& preset) {
  std::any state = scene.initial();
  REQUIRE(scene.change(state, {{"preset", preset}}));
  return state;
}

std::vector<Place> places(const SceneDef& scene) {
  std::vector<Place> list;
  const std::span<const Step> steps = scene.steps();
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (std::size_t part = 0; part <= steps[i].parts.size(); ++part)
      list.push_back({static_cast<int>(i) + 1, static_cast<int>(part)});
  return list;
}

using Visit = std::function<void(const SceneDef&, const std::any&, const Trace&, const View&)>;

void each_place(const Visit& visit) {
  for (const SceneDef* scene : test::swept())
    for (const std::string& preset : presets(*scene)) {
      const std::any state = with_preset(*scene, preset);
      const Trace trace = scene->compute(state, {});
      for (const Place place : places(*scene)) {
        CAPTURE(preset);
        CAPTURE(place.step);
        CAPTURE(place.part);
        visit(*scene, state, trace, {.width = 756, .height = 592, .place = place});
      }
    }
}

constexpr float kWidths[] = {360, 560, 756, 1200};
constexpr figure::Theme kThemes[] = {figure::Theme::light, figure::Theme::dark};

void each_view(const Visit& visit) {
  each_place([&](const SceneDef& scene, const std::any& state, const Trace& trace, const View& at) {
    for (const float width : kWidths)
      for (const figure::Theme theme : kThemes) {
        CAPTURE(width);
        visit(scene, state, trace, {.width = width, .height = at.height, .place = at.place, .theme = theme});
      }
  });
}

bool is_finite(const figure::Rect& rect) {
  return std::isfinite(rect.x) && std::isfinite(rect.y) && std::isfinite(rect.w) && std::isfinite(rect.h);
}

// From its leftmost to its rightmost ink.
struct Extent {
  float left = std::numeric_limits<float>::infinity();
  float right = -std::numeric_limits<float>::infinity();

  void take(float x) {
    left = std::min(left, x);
    right = std::max(right, x);
  }
};

struct Measurer {
  Extent extent;

  void operator()(const figure::RectanglePrimitive& p) { take(p.rect); }
  void operator()(const figure::HeatmapPrimitive& p) { take(p.rect); }
  void operator()(const figure::PixelsPrimitive& p) { take(p.rect); }
  void operator()(const figure::TextPrimitive& p) {
    extent.take(p.baseline.x);
    extent.take(p.vertical ? p.baseline.x : p.baseline.x + p.width);
  }
  void operator()(const figure::PolylinePrimitive& p) { take(p.points); }
  void operator()(const figure::AreaPrimitive& p) { take(p.area.points); }
  void operator()(const figure::RibbonPrimitive& p) {
    take(p.ribbon.one);
    take(p.ribbon.other);
  }
  void operator()(const figure::LightPrimitive&) {}  // glows beyond its figure's edge, where it is cut
  void operator()(const figure::CurvePrimitive& p) { take({p.curve.from, p.curve.to}); }
  void take(const figure::Rect& rect) {
    extent.take(rect.x);
    extent.take(rect.right());
  }
  void take(const std::vector<figure::Point>& points) {
    for (const figure::Point point : points) extent.take(point.x);
  }
};

// Other values of a field, at the ends and in the middle of what it may have.
std::vector<std::string> others(const io::FieldInfo& info) {
  std::vector<std::string> values;
  const auto& [low, high] = info.field.range;
  if (info.kind == io::FieldKind::toggle) values = {"on", "off"};
  for (const io::Choice& choice : info.field.choices) values.emplace_back(choice.value);
  if (info.kind == io::FieldKind::integer || info.kind == io::FieldKind::real)
    for (const double value : {low, std::floor((low + high) / 2), high}) values.push_back(io::write_value(value));
  std::erase(values, info.value);
  return values;
}

// The figure, what is said of it, and the button of the job where it is offered.
std::string seen(const SceneDef& scene, const std::any& state, const View& view) {
  const Trace trace = scene.compute(state, {});
  const Step& step = scene.steps()[static_cast<std::size_t>(view.place.step - 1)];
  return figure::svg(scene.draw(state, trace, view), trace, step.shows_job ? scene.job_label(state) : "",
                     scene.narrate(state, trace, view));
}

bool has_effect(const SceneDef& scene, const std::any& state, const View& view, const io::FieldInfo& info) {
  const std::string before = seen(scene, state, view);
  return std::ranges::any_of(others(info), [&](const std::string& value) {
    std::any next = state;
    return scene.change(next, {{info.field.name.data(), value}}) && seen(scene, next, view) != before;
  });
}

}  // namespace

TEST_CASE("scenes: each has a name of its own, a title, a question, and at least one step") {
  std::set<std::string_view> ids, groups;
  std::string_view group;
  for (const SceneDef* scene : all()) {
    CAPTURE(scene->id);
    CHECK(ids.insert(scene->id).second);
    CHECK(find(scene->id) == scene);
    if (scene->group != group) CHECK_MESSAGE(groups.insert(scene->group).second, "Its group is in two places.");
    group = scene->group;
    CHECK(!scene->title.empty());
    CHECK(scene->question.ends_with('?'));
    CHECK(!scene->group.empty());
    CHECK(!scene->steps().empty());
  }
  CHECK(!ids.empty());
  CHECK(find("no such scene") == nullptr);
}

TEST_CASE("scenes: steps and their parts have names of their own, and captions are sentences") {
  for (const SceneDef* scene : all()) {
    std::set<std::string_view> ids;
    for (const Step& step : scene->steps()) {
      CHECK(ids.insert(step.id).second);
      CHECK(!step.name.empty());
      CHECK(step.caption.ends_with('.'));
      std::set<std::string_view> parts;
      for (const Part& part : step.parts) {
        CHECK(parts.insert(part.id).second);
        CHECK(!part.name.empty());
      }
    }
  }
}

TEST_CASE("scenes: a preset's link is its name alone") {
  for (const SceneDef* scene : all())
    for (const std::string& preset : presets(*scene)) {
      CHECK(scene->encode(with_preset(*scene, preset)) == io::Patch{{"preset", preset}});
    }
}

TEST_CASE("scenes: computing twice gives the same numbers, and labels count as many as rows and columns") {
  each_place([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    if (view.place != Place{}) return;
    const Trace again = scene.compute(state, {});
    REQUIRE(again.tensors.size() == trace.tensors.size());
    for (std::size_t i = 0; i < trace.tensors.size(); ++i) {
      const Tensor& tensor = trace.tensors[i];
      CAPTURE(tensor.name);
      CHECK(tensor.name == again.tensors[i].name);
      CHECK(tensor.values == again.tensors[i].values);
      CHECK(!tensor.values.hasNaN());
      CHECK(tensor.values.size() > 0);
      CHECK((tensor.row_labels.empty() || static_cast<int>(tensor.row_labels.size()) == tensor.rows()));
      CHECK((tensor.column_labels.empty() || static_cast<int>(tensor.column_labels.size()) == tensor.columns()));
    }
  });
}

TEST_CASE("scenes: each step has a principal tensor, and it is in the trace") {
  each_place([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    const std::string principal(scene.principal(state, trace, view.place));
    CAPTURE(principal);
    CHECK(trace.find(principal) != nullptr);
  });
}

TEST_CASE(
    "scenes: each step is told in a sentence whose bold words begin and end, and says where its numbers come from") {
  each_place([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    const std::string text = scene.narrate(state, trace, view);
    CAPTURE(text);
    CHECK(text.size() > 20);
    CHECK(text.ends_with('.'));
    std::size_t marks = 0;
    for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at + 2)) ++marks;
    CHECK(marks % 2 == 0);
    CHECK(without_marks(text).find("**") == std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(scene.provenance(state).ends_with('.'));
  });
}

TEST_CASE("scenes: a drawing is as wide as its view, and each of its places is a number") {
  REQUIRE(test::load_fonts());
  each_view([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    const figure::Figure figure = scene.draw(state, trace, view);
    CHECK(figure.width == view.width);
    CHECK(std::isfinite(figure.height));
    CHECK(figure.height > 0);
    CHECK(figure.background == figure::palette(view.theme).stage_top);
    CHECK(figure.background_to == figure::palette(view.theme).stage_bottom);
    CHECK(!figure.elements.empty());
    for (const figure::Element& element : figure.elements) {
      CAPTURE(element.id);
      CHECK(is_finite(element.rect));
      CHECK(element.rect.w >= 0);
      CHECK(element.rect.h >= 0);
      CHECK(element.rect.bottom() <= figure.height + 0.5F);
    }
  });
}

TEST_CASE("scenes: what can be pointed at has an id of its own, a label and an extent") {
  REQUIRE(test::load_fonts());
  each_view([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    std::set<std::string> ids;
    for (const figure::Element& element : scene.draw(state, trace, view).elements) {
      if (element.role == figure::Role::none) continue;
      CAPTURE(element.id);
      CHECK(!element.id.empty());
      CHECK(ids.insert(element.id).second);
      CHECK(!element.label.empty());
      CHECK(element.rect.w > 0);
      CHECK(element.rect.h > 0);
    }
  });
}

TEST_CASE("scenes: nothing is painted beyond the view's sides") {
  REQUIRE(test::load_fonts());
  each_view([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    for (const figure::Element& element : scene.draw(state, trace, view).elements) {
      Measurer measurer;
      for (const figure::Primitive& primitive : figure::primitives(element, trace))
        std::visit(measurer, primitive.shape);
      CAPTURE(element.id);
      // Half a pixel: a line's ink is centred on it.
      CHECK(measurer.extent.left >= -0.5F);
      CHECK(measurer.extent.right <= view.width + 0.5F);
    }
  });
}

TEST_CASE("scenes: a figure shows only what is in the trace, and every click that it offers is accepted") {
  REQUIRE(test::load_fonts());
  each_place([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    for (const figure::Element& element : scene.draw(state, trace, view).elements) {
      CAPTURE(element.id);
      if (element.source) {
        const Tensor* tensor = trace.find(element.source->tensor);
        REQUIRE(tensor != nullptr);
        CHECK(element.source->row < tensor->rows());
        CHECK(element.source->column < tensor->columns());
      }
      // "step" is the page's own.
      if (!element.edit || element.edit->value.empty() || element.edit->field == "step" || element.edit->field == "do")
        continue;
      std::any next = state;
      CHECK(scene.change(next, {{element.edit->field, element.edit->value}}));
    }
  });
}

TEST_CASE("scenes: while no number is looked at, the inspector has the step's formula") {
  each_place([](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    if (!scene.needs(state, view.place).empty()) return;
    CAPTURE(std::string(scene.id));
    const std::optional<Inspection> formula = scene.inspect(state, trace, view, "");
    REQUIRE(formula);
    CHECK_FALSE(formula->title.empty());
    CHECK_FALSE(formula->lines.empty());
  });
}

TEST_CASE("scenes: a question has options that differ, and one of them is right") {
  int asked = 0;
  each_place([&](const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
    if (view.place != Place{}) return;
    const std::optional<Question> question = scene.ask(state, trace);
    if (!question) return;
    ++asked;
    CHECK(question->text.size() > 10);
    CHECK(question->answer.ends_with('.'));
    CHECK(std::set<std::string>(question->options.begin(), question->options.end()).size() == question->options.size());
    CHECK(question->options.size() >= 2);
    CHECK(question->correct >= 0);
    CHECK(question->correct < static_cast<int>(question->options.size()));
  });
  CHECK((asked > 0 || !test::sweeps_all()));
}

TEST_CASE("scenes: controls name steps that there are") {
  for (const SceneDef* scene : all())
    for (const std::string& preset : presets(*scene))
      for (const io::FieldInfo& info : scene->fields(with_preset(*scene, preset)))
        for (const std::string_view id : info.field.steps.ids) {
          CAPTURE(scene->id);
          CAPTURE(info.field.name);
          CHECK((id.empty() || std::ranges::find(scene->steps(), id, &Step::id) != scene->steps().end()));
        }
}

TEST_CASE("scenes: each control beside a step changes its figure or what is said of it") {
  REQUIRE(test::load_fonts());
  int controls = 0;
  for (const SceneDef* each : test::swept())
    for (const std::string& preset : presets(*each)) {
      const SceneDef& scene = *each;
      const std::any state = with_preset(scene, preset);
      for (std::size_t step = 1; step <= scene.steps().size(); ++step) {
        const View view{.width = 756, .height = 592, .place = {static_cast<int>(step), 0}};
        if (!scene.needs(state, view.place).empty()) continue;  // Caption's own tests do this with models
        for (const io::FieldInfo& info : scene.fields(state)) {
          const io::Field& field = info.field;
          if (field.place != io::Place::panel || !field.shown || !field.steps.has(step_at(scene, view.place).id))
            continue;
          if (info.kind == io::FieldKind::text || controls++ % test::kOneIn != 0) continue;
          CAPTURE(scene.id);
          CAPTURE(preset);
          CAPTURE(step);
          CAPTURE(field.name);
          CHECK(has_effect(scene, state, view, info));
        }
      }
    }
}
