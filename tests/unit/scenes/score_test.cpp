#include "scenes/score/score.h"

#include <doctest/doctest.h>

#include <any>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "embedded/golden_score.h"
#include "figure/figure.h"
#include "io/numbers.h"
#include "unit/fonts.h"
#include "unit/json_reader.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::scenes;
using score::Preset;
using score::State;
using test::check_refused;

namespace {

const SceneDef& scene() { return *find("score"); }

State preset(Preset which) {
  State state;
  state.preset = which;
  return state.example();
}

State with(State state, const io::Patch& patch) {
  std::any any = std::move(state);
  REQUIRE(scene().change(any, patch));
  return state_in<State>(any);
}

Trace trace_of(const State& state) { return score::compute(state, {}); }

// "row.0:x,row.1:y"
std::string cells(int row, double x, double y) {
  const std::string i = std::to_string(row);
  return i + ".0:" + io::format_exact(x) + "," + i + ".1:" + io::format_exact(y);
}

// Query at an angle and length, then three keys.
struct Polar {
  double degrees, length;
};
State arrows(const std::vector<Polar>& all) {
  const auto point = [](int row, Polar p) {
    const double angle = p.degrees * 3.14159265358979323846 / 180;
    return cells(row, p.length * std::cos(angle), p.length * std::sin(angle));
  };
  std::string keys;
  for (int j = 0; j < score::kKeys; ++j) keys += (j > 0 ? "," : "") + point(j, all[static_cast<std::size_t>(j) + 1]);
  return with({}, {{"q", point(0, all[0])}, {"K", keys}});
}

double at(const Trace& trace, std::string_view name, int i, int j) {
  return static_cast<double>(trace.at(name).values(i, j));
}

// What single precision keeps of a number of this size, times the few operations that it went through.
double tolerance(double x) { return 1e-6 * std::max(1., std::abs(x)); }

void check_near(double value, double expected) { CHECK(std::abs(value - expected) <= tolerance(expected)); }

double entropy(const Matrix& weights, int row) {
  double sum = 0;
  for (const float w : weights.row(row))
    if (w > 0) sum -= static_cast<double>(w) * std::log(static_cast<double>(w));
  return sum;
}

const View kViews[] = {{.width = 756, .height = 592},
                       {.width = 390, .height = 500},
                       {.width = 720, .height = 420},
                       {.width = 600, .height = 500},
                       {.width = 1200, .height = 800}};

}  // namespace

TEST_CASE("score: every number is NumPy's, of the arrows and of the module drawn from seed 1") {
  const test::Json file = test::JsonReader(embedded::golden_score).read();
  REQUIRE(file.names.size() == 4);
  for (const std::string& part : file.names) {
    const Trace trace = trace_of(preset(part == "equal"      ? Preset::equal
                                        : part == "opposite" ? Preset::opposite
                                                             : Preset::fox));
    for (const std::string& name : file.at(part).names) {
      CAPTURE(part);
      CAPTURE(name);
      const std::vector<double> expected = file.at(part).at(name).at("data").numbers();
      const Matrix& values = trace.at(name).values;
      REQUIRE(expected.size() == static_cast<std::size_t>(values.size()));
      for (std::size_t i = 0; i < expected.size(); ++i) check_near(static_cast<double>(values.data()[i]), expected[i]);
    }
  }
}

TEST_CASE("score: a dot product is both lengths times the cosine, and the shadow times the query's length") {
  for (const double turn : {0., 17., 90., 133., 180., 271.}) {
    const Trace trace = trace_of(arrows({{turn, 1.7}, {turn + 25, 2.9}, {turn - 100, 0.3}, {turn + 180, 2}}));
    const double angles[] = {25, 100, 180};
    for (int j = 0; j < score::kKeys; ++j) {
      const double product = at(trace, "length", 0, 0) * at(trace, "lengths", 0, j);
      check_near(at(trace, "scores", 0, j), product * at(trace, "scores", 2, j));
      check_near(at(trace, "scores", 0, j), at(trace, "shadows", 0, j) * at(trace, "length", 0, 0));
      // The coordinates are single precision: 1e-7 of a radian is 1e-5 degrees.
      CHECK(std::abs(at(trace, "angles", 0, j) - angles[j]) < 3e-5);
    }
  }
}

TEST_CASE("score: keys of one length are ranked by the dot product as by the angle, and only those always are") {
  for (const double length : {0.5, 1., 2.5}) {
    const Trace trace = trace_of(arrows({{40, 2}, {75, length}, {30, length}, {-80, length}}));
    CHECK(score::winner(trace.at("scores").values, 0) == 1);
    CHECK(score::winner(trace.at("scores").values, 2) == 1);
  }
  // A longer key overtakes one that points closer to the query.
  const Trace trace = trace_of(arrows({{40, 2}, {75, 2.5}, {30, 0.5}, {-80, 1}}));
  CHECK(score::winner(trace.at("scores").values, 0) == 0);
  CHECK(score::winner(trace.at("scores").values, 2) == 1);
}

TEST_CASE("score: every row of weights sums to 1, sparsemax has exact zeros, softmax none, and hard is one key") {
  const Trace trace = trace_of({});
  const Matrix& weights = trace.at("weights").values;
  for (int i = 0; i < 4; ++i) check_near(static_cast<double>(weights.row(i).sum()), 1);
  CHECK(weights.row(0).minCoeff() > 0);
  CHECK(weights.row(2).minCoeff() == 0);
  CHECK(weights.row(3).maxCoeff() == 1);
  CHECK((weights.row(3).array() > 0).count() == 1);
}

TEST_CASE("score: from softmax over 1.5-entmax and sparsemax to hard the weights never become more even") {
  for (const char* temperature : {"0.05", "0.3", "1", "3", "20"})
    for (const Preset which : {Preset::fox, Preset::equal, Preset::opposite}) {
      const Trace trace = trace_of(with(preset(which), {{"temperature", temperature}}));
      const Matrix& weights = trace.at("weights").values;
      for (int i = 0; i + 1 < 4; ++i) CHECK(entropy(weights, i) >= entropy(weights, i + 1) - 1e-6);
    }
}

TEST_CASE("score: the general score's W turns the query by a right angle, and the identity makes it the dot product") {
  const Trace turned = trace_of(preset(Preset::opposite));
  CHECK(at(turned, "scores", 3, 1) == doctest::Approx(5));  // across is where W points
  CHECK(at(turned, "scores", 3, 0) == doctest::Approx(0));
  const Trace plain = trace_of(with({}, {{"W", "0.0:1,0.1:0,1.0:0,1.1:1"}}));
  for (int j = 0; j < score::kKeys; ++j) CHECK(at(plain, "scores", 3, j) == at(plain, "scores", 0, j));
}

TEST_CASE("score: each of the module's units has weights that sum to 1, so its bars sum to 128") {
  for (const char* seed : {"1", "2", "77", "9999"}) {
    const Trace trace = trace_of(with({}, {{"seed", seed}}));
    const Matrix sums = trace.at("unit_weights").values.colwise().sum();
    CHECK((sums.array() - 1).abs().maxCoeff() < 1e-6F);
    check_near(at(trace, "total", 0, 0), 128);
    CHECK(trace.at("tanh").values.cwiseAbs().maxCoeff() <= 1);
    // exp(−1) against nine times exp(1), and the other way round.
    CHECK(trace.at("unit_weights").values.minCoeff() >= 1 / (1 + 9 * std::exp(2.F)) - 1e-6F);
    CHECK(trace.at("unit_weights").values.maxCoeff() <= 1 / (1 + 9 * std::exp(-2.F)) + 1e-6F);
  }
}

TEST_CASE("score: the module's context is nowhere below the plain average, whatever the hidden state") {
  // Chebyshev's sum inequality: within a unit a larger output has a larger weight.
  for (const char* seed : {"1", "2", "3", "77", "9999"}) {
    const Trace trace = trace_of(with({}, {{"seed", seed}}));
    CHECK((trace.at("context").values - trace.at("average").values).minCoeff() >= -1e-6F);
  }
}

TEST_CASE("score: the module hears the hidden state and the seed, not the arrows") {
  const Trace before = trace_of({}), moved = trace_of(with({}, {{"q", "0.0:-1"}}));
  const Trace other = trace_of(with({}, {{"seed", "2"}})), unit = trace_of(with({}, {{"unit", "127"}}));
  CHECK(before.at("tanh").values == moved.at("tanh").values);
  CHECK(before.at("tanh").values != other.at("tanh").values);
  CHECK(unit.at("unit").values.transpose() == unit.at("unit_weights").values.col(127));
}

TEST_CASE("score: a vector of length 0 has no angle, and that is said, not computed") {
  REQUIRE(test::load_fonts());
  for (const io::Patch& patch : {io::Patch{{"q", "0.0:0,0.1:0"}}, io::Patch{{"K", "1.0:0,1.1:0"}},
                                 io::Patch{{"q", "0.0:0,0.1:0"}, {"K", "0.0:0,0.1:0,1.0:0,1.1:0,2.0:0,2.1:0"}}}) {
    const State state = with({}, patch);
    const Trace trace = trace_of(state);
    for (const Tensor& tensor : trace.tensors)
      if (tensor.name != "angles") CHECK(tensor.values.allFinite());
    CHECK(at(trace, "scores", 2, 1) == 0);
    CHECK(std::isnan(at(trace, "angles", 0, 1)));
    const figure::Figure arrows = score::draw(state, trace, {.width = 756, .height = 592});
    for (const char* id : {"angles[0,1]", "scores[2,1]"})
      CHECK(std::get<figure::Text>(arrows.find(id)->shape).text == "–");
    for (int step = 1; step <= 8; ++step) {
      const View view{.width = 756, .height = 592, .place = {step, 0}};
      CHECK(score::narrate(state, trace, view).find("nan") == std::string::npos);
      for (const figure::Element& element : score::draw(state, trace, view).elements)
        CHECK(std::isfinite(element.rect.x + element.rect.y + element.rect.w + element.rect.h));
    }
    CHECK(score::narrate(state, trace, {}).find("points nowhere") != std::string::npos);
    CHECK(score::inspect(state, trace, {}, "angles[0,1]")->note.find("no angle") != std::string::npos);
  }
}

TEST_CASE("score: wherever the arrows point, no name lies on another, on a handle or on an axis") {
  REQUIRE(test::load_fonts());
  const auto overlap = [](figure::Rect a, figure::Rect b) {
    return std::min(a.right(), b.right()) - std::max(a.x, b.x) > 0.5F &&
           std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y) > 0.5F;
  };
  for (const io::Patch& patch :
       {io::Patch{}, io::Patch{{"q", "0.0:3,0.1:0.08"}}, io::Patch{{"K", "0.0:3,0.1:0.08"}},
        io::Patch{{"q", "0.0:-3,0.1:-3"}}, io::Patch{{"q", "0.0:0,0.1:3"}}, io::Patch{{"q", "0.0:-2,0.1:-1.5"}},
        io::Patch{{"q", "0.0:0,0.1:0"}}, io::Patch{{"q", "0.0:2.5,0.1:0.2"}, {"K", "0.0:1,0.1:1.4,1.0:0.2,1.1:2.6"}}})
    for (const View& view : {kViews[0], kViews[1]}) {
      const State state = with({}, patch);
      const Trace trace = trace_of(state);
      std::vector<figure::Rect> names, handles;
      const figure::Figure figure = score::draw(state, trace, view);
      for (const figure::Element& element : figure.elements) {
        const bool name = element.id.ends_with(".name") && element.id.starts_with("arrow.");
        if (name || element.id == "arc.degrees" || element.id.starts_with("shadows[")) names.push_back(element.rect);
        if (element.id.ends_with(".dot") && element.id.starts_with("handle.")) handles.push_back(element.rect);
      }
      REQUIRE(names.size() >= 4);
      REQUIRE(handles.size() == 4);
      const auto axis = [&](const char* id) { return std::get<figure::Line>(figure.find(id)->shape).points.front(); };
      const figure::Rect upright{axis("plane.zero.x").x - 0.5F, -1e4F, 1, 2e4F},
          level{-1e4F, axis("plane.zero.y").y - 0.5F, 2e4F, 1};
      CAPTURE(patch.empty() ? "" : patch.front().second);
      CAPTURE(view.width);
      for (std::size_t i = 0; i < names.size(); ++i) {
        CAPTURE(i);
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(names[i], names[j]));
        for (const figure::Rect handle : handles) CHECK_FALSE(overlap(names[i], handle));
        CHECK_FALSE(overlap(names[i], upright));
        CHECK_FALSE(overlap(names[i], level));
        CHECK(names[i].x >= 0);
        CHECK(names[i].right() <= view.width);
      }
    }
}

TEST_CASE("score: what a text calls dashed is dashed, and what it calls a line is one") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = trace_of(state);
  const auto dashed = [&](int step, const char* id) {
    const figure::Figure figure = score::draw(state, trace, {.width = 756, .height = 592, .place = {step, 0}});
    const figure::Element* element = figure.find(id);
    REQUIRE(element != nullptr);
    return std::get<figure::Line>(element->shape).dashed;
  };
  for (const char* id : {"triangle.0.path", "triangle.1.path", "triangle.2.path"}) CHECK(dashed(4, id));
  for (const char* id : {"plot.unit.even", "plot.sums.even"}) CHECK(dashed(6, id));
  CHECK_FALSE(dashed(7, "context.average"));
  const std::string note = score::inspect(state, trace, {.place = {7, 0}}, "")->note;
  CHECK(note.find("Line: the plain average") != std::string::npos);
}

TEST_CASE("score: the rows of the table's numbers stand as far apart as its names") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = trace_of(state);
  for (const View& view : kViews) {
    const figure::Figure figure = score::draw(state, trace, view);
    for (int j = 0; j < score::kKeys; ++j) {
      const std::optional<figure::Rect> cell = figure::cell_rect(*figure.find("K"), j, 0);
      const figure::Element* name = figure.find("table.k" + std::to_string(j) + ".name");
      REQUIRE(cell);
      CHECK(cell->centre().y == doctest::Approx(name->rect.centre().y).epsilon(1e-4));
    }
  }
}

TEST_CASE("score: bad cells are refused in a sentence, and nothing changes") {
  for (const io::Patch& patch : {io::Patch{{"q", "0.0:3.5"}}, io::Patch{{"q", "1.0:1"}}, io::Patch{{"K", "3.0:1"}},
                                 io::Patch{{"K", "0.0:nan"}}, io::Patch{{"K", "0.0:inf"}}, io::Patch{{"v_a", "0.1:1"}},
                                 io::Patch{{"temperature", "0"}}, io::Patch{{"temperature", "inf"}},
                                 io::Patch{{"unit", "128"}}, io::Patch{{"seed", "0"}}, io::Patch{{"score", "angle"}}}) {
    CAPTURE(patch.front().second);
    std::any state = scene().initial();
    check_refused(scene().change(state, patch));
    CHECK(scene().encode(state) == scene().encode(scene().initial()));
  }
}

TEST_CASE("score: extreme temperatures and arrows leave every weight between 0 and 1") {
  for (const char* temperature : {"0.05", "20"})
    for (const char* scorer : {"dot", "scaled", "cosine", "general", "additive"}) {
      const State state = with({}, {{"temperature", temperature},
                                    {"score", scorer},
                                    {"q", "0.0:3,0.1:3"},
                                    {"K", "0.0:3,0.1:3,1.0:-3,1.1:-3,2.0:3,2.1:-3"}});
      const Trace trace = trace_of(state);
      const Matrix& weights = trace.at("weights").values;
      CHECK(weights.allFinite());
      CHECK(weights.minCoeff() >= 0);
      CHECK(weights.maxCoeff() <= 1.000001F);
    }
}

TEST_CASE("score: the tip of every arrow can be dragged, from where it is") {
  REQUIRE(test::load_fonts());
  for (const View& size : kViews)
    for (const int step : {1, 8}) {
      View view = size;
      view.place = {step, 0};
      const State state;
      const Trace trace = trace_of(state);
      const figure::Figure figure = score::draw(state, trace, view);
      int handles = 0;
      for (const figure::Element& element : figure.elements) {
        if (element.role != figure::Role::handle) continue;
        ++handles;
        REQUIRE(element.edit);
        REQUIRE(element.edit->plane);
        const figure::Edit::Plane& plane = *element.edit->plane;
        const figure::Point tip = element.rect.centre();
        const double x =
            plane.x_low + static_cast<double>((tip.x - plane.frame.x) / plane.frame.w) * (plane.x_high - plane.x_low);
        const double y = plane.y_low + static_cast<double>((plane.frame.bottom() - tip.y) / plane.frame.h) *
                                           (plane.y_high - plane.y_low);
        // A hundredth of a pixel.
        CHECK(std::abs(x - at(trace, element.edit->field, plane.row, 0)) < 1e-3);
        CHECK(std::abs(y - at(trace, element.edit->field, plane.row, 1)) < 1e-3);
        // Angles look as they are.
        CHECK(plane.frame.w == doctest::Approx(plane.frame.h).epsilon(1e-3));
        CHECK(plane.frame.x >= 0);
        CHECK(plane.frame.right() <= view.width);
      }
      CHECK(handles == 4);
    }
}

TEST_CASE("score: what the question foretells is what its answer shows") {
  for (const Preset which : {Preset::fox, Preset::equal, Preset::opposite}) {
    const State before = preset(which);
    const Trace was = trace_of(before);
    const int key = score::asked_key(was);
    REQUIRE(key >= 0);
    const std::optional<Question> question = score::ask(before, was);
    REQUIRE(question);
    const State after = with(before, question->reveal);
    const Trace is = trace_of(after);
    CHECK(at(is, "scores", 0, key) == doctest::Approx(2 * at(was, "scores", 0, key)));
    CHECK(at(is, "scores", 2, key) == doctest::Approx(at(was, "scores", 2, key)));
    // It still asks the same, and can be taken back.
    const std::optional<Question> answered = score::ask(after, is);
    REQUIRE(answered);
    CHECK(answered->text == question->text);
    CHECK(answered->answer == question->answer);
    const State back = with(after, {{answered->back.field, answered->back.value}});
    CHECK(scene().encode(back) == scene().encode(before));
    // A drag is a new question.
    CHECK_FALSE(with(after, {{"q", "0.0:1"}}).doubled);
  }
  CHECK_FALSE(score::ask(with({}, {{"q", "0.0:0,0.1:0"}}), trace_of(with({}, {{"q", "0.0:0,0.1:0"}}))));
}

TEST_CASE("score: a number of a key makes it the key that is looked at") {
  CHECK(score::follow({}, {"scores", 4, 2}) == io::Patch{{"key", "2"}});
  CHECK(score::follow({}, {"K", 0, 1}) == io::Patch{{"key", "0"}});
  CHECK(score::follow({}, {"K", 1, 1}).empty());
  CHECK(score::follow({}, {"tanh", 4, 100}).empty());
}

TEST_CASE("score: at every size no text is smaller than 11, cut off, or lies on another") {
  REQUIRE(test::load_fonts());
  struct Box {
    std::string id;
    float left, top, right, bottom;
  };
  for (const Preset which : {Preset::fox, Preset::equal, Preset::opposite})
    for (const View& size : kViews)
      for (int step = 1; step <= 8; ++step) {
        View view = size;
        view.place = {step, 0};
        const State state = preset(which);
        const Trace trace = trace_of(state);
        std::vector<Box> boxes;
        for (const figure::Element& element : score::draw(state, trace, view).elements) {
          // The arrows' names go where the arrows do.
          const bool moves = element.id.starts_with("arrow.") || element.id.starts_with("arc.");
          for (const figure::Primitive& primitive : figure::primitives(element, trace)) {
            const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape);
            if (text == nullptr) continue;
            CAPTURE(element.id);
            CAPTURE(text->text);
            if (!std::holds_alternative<figure::FormulaBox>(element.shape) &&
                !std::holds_alternative<figure::MatrixCells>(element.shape) &&
                !std::holds_alternative<figure::Heatmap>(element.shape))
              CHECK(text->size >= 11);
            CHECK(text->text.find("…") == std::string::npos);
            if (moves || text->vertical || std::holds_alternative<figure::FormulaBox>(element.shape)) continue;
            boxes.push_back({element.id + " " + text->text, text->baseline.x, text->baseline.y - 0.7F * text->size,
                             text->baseline.x + text->width, text->baseline.y});
          }
        }
        for (std::size_t i = 0; i < boxes.size(); ++i)
          for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            const float across = std::min(boxes[i].right, boxes[j].right) - std::max(boxes[i].left, boxes[j].left);
            const float down = std::min(boxes[i].bottom, boxes[j].bottom) - std::max(boxes[i].top, boxes[j].top);
            if (across <= 0.5F || down <= 0.5F) continue;
            CAPTURE(view.width);
            CAPTURE(step);
            CAPTURE(boxes[i].id);
            CAPTURE(boxes[j].id);
            CHECK(false);
          }
      }
}

TEST_CASE("score: in the page every sentence, control and formula has its place at every size") {
  REQUIRE(test::load_fonts());
  struct Size {
    float width, height;
  };
  for (const Size size : {Size{320, 568}, {360, 740}, {390, 844}, {820, 700}, {1280, 800}, {844, 390}, {720, 480}})
    for (const char* preset : {"fox", "equal", "opposite"}) {
      app::App app = app::make_app();
      app.width = size.width;
      app.height = size.height;
      REQUIRE(app::open_link(app, std::string("scene=score&preset=") + preset));
      for (int step = 1; step <= 8; ++step) {
        REQUIRE(app::change(app, "step", std::to_string(step)));
        CAPTURE(size.width);
        CAPTURE(preset);
        CAPTURE(step);
        const app::Page page = app::build_page(app, app::draw_stage(app));
        for (const figure::Element& element : page.figure.elements) {
          CAPTURE(element.id);
          if (element.id.starts_with("shell.narration")) {
            CHECK(element.rect.bottom() <= page.regions.narration.bottom() + 0.5F);
            // Windows lower than this show the beginning of a sentence.
            if (size.height >= 700) CHECK(std::get<figure::Text>(element.shape).text.find("…") == std::string::npos);
          }
          if (element.role == figure::Role::none || element.role == figure::Role::image) continue;
          CHECK(element.rect.x >= -0.5F);
          CHECK(element.rect.right() <= size.width + 0.5F);
        }
        if (size.width < 1280) continue;
        for (const char* id : {"", "scores[3,1]", "scores[4,1]", "angles[0,1]", "weights[0,1]", "weights[1,1]",
                               "unit_weights[3,17]", "sums[0,4]", "context[0,90]", "projected[0,3]"}) {
          app.pinned = id;
          CAPTURE(id);
          const app::Page pinned = app::build_page(app, app::draw_stage(app));
          CHECK(pinned.inspector_height <= 1.05F * pinned.regions.inspector.h);  // a line may have to be scrolled to
        }
        app.pinned = {};
      }
    }
}

TEST_CASE("score: dragging a tip moves its vector with it, and one undo takes it back") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  app.width = 1280;
  app.height = 800;
  REQUIRE(app::open_link(app, "scene=score"));
  app::Pointer pointer;
  const auto page = [&] { return app::build_page(app, app::draw_stage(app)); };
  const figure::Element* tip = nullptr;
  const app::Page before = page();
  for (const figure::Element& element : before.figure.elements)
    if (element.role == figure::Role::handle && element.edit->field == "K" && element.edit->plane->row == 1)
      tip = &element;
  REQUIRE(tip != nullptr);
  const figure::Rect frame = tip->edit->plane->frame;
  pointer_pressed(app, before, pointer, tip->rect.centre());
  // A sixth of the way from −3 to 3 across, and as far down as the frame goes.
  pointer_moved(app, page(), pointer, {frame.x + frame.w / 6, frame.bottom() - 1});
  pointer_moved(app, page(), pointer, {frame.x + frame.w / 6, frame.bottom() + 40});
  pointer_released(app, page(), pointer, {frame.x + frame.w / 6, frame.bottom() + 40});
  CHECK(at(app.trace, "K", 1, 0) == doctest::Approx(-2).epsilon(0.02));
  CHECK(at(app.trace, "K", 1, 1) == -3);
  app::undo(app);
  CHECK(at(app.trace, "K", 1, 0) == 1);
  CHECK(at(app.trace, "K", 1, 1) == doctest::Approx(2.2));
}
