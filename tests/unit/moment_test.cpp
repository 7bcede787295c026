// Time within a step: from the step before to this one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/change.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/links.h"
#include "app/page.h"
#include "app/playing.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "unit/fonts.h"

namespace limelight {
namespace {

using app::App;

App opened(const std::string& link) {
  REQUIRE(test::load_fonts());
  App app = app::make_app();
  REQUIRE(app::open_link(app, link));
  return app;
}

std::string place_of(const App& app) { return scenes::write_place(*app.scene, app.place); }

// Of all that is drawn: what it is and where.
bool same(const figure::Figure& a, const figure::Figure& b) {
  if (a.elements.size() != b.elements.size()) return false;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const figure::Element &one = a.elements[i], &other = b.elements[i];
    if (one.id != other.id || one.rect.x != other.rect.x || one.rect.y != other.rect.y || one.rect.w != other.rect.w ||
        one.opacity != other.opacity)
      return false;
  }
  return true;
}

using figure::Element;
using figure::Figure;
using figure::Rect;

// Of a matrix that is drawn as cells; of no rows: it is none.
figure::CellRange range_of(const Element& element) {
  const auto* cells = std::get_if<figure::MatrixCells>(&element.shape);
  return cells == nullptr ? figure::CellRange{} : cells->range;
}

}  // namespace

TEST_CASE("moment: every step of every scene begins where the one before it ended, and ends as it stands") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::any state = scene->initial();
    const Trace trace = scene->compute(state, {});
    for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step)
      for (int part = 0; part <= static_cast<int>(scenes::step_at(*scene, {step}).parts.size()); ++part) {
        CAPTURE(scene->id);
        CAPTURE(step);
        CAPTURE(part);
        scenes::View view{.width = 1080, .height = 576, .place = {step, part}};
        const figure::Figure here = scene->draw(state, trace, view);
        CHECK(same(scenes::draw_moment(*scene, state, trace, view), here));
        view.t = 0;
        const std::optional<scenes::Place> from = scenes::before(*scene, state, view.place);
        CHECK(from.has_value() == (step > scene->first_step(state) || part > 1 ||
                                   (part == 0 && scenes::step_at(*scene, {step}).parts.size() > 1)));
        const figure::Figure begins = scenes::draw_moment(*scene, state, trace, view);
        // Before a first step there is nothing: it stands as it is, or begins with what it computes.
        if (from || !scenes::motion_at(*scene, view.place).begins_alone()) view.t = 1;
        if (from) view.place = *from;
        CHECK(same(begins, scene->draw(state, trace, view)));
      }
  }
}

TEST_CASE("moment: what Layer’s last steps show of an output goes from where it was to where it is") {
  const App app = opened("v=2&scene=layer&preset=video&step=all");
  const auto at = [&](int step, float t) {
    return scenes::draw_moment(*app.scene, app.state, app.trace,
                               {.width = 1080, .height = 576, .place = {step, 0}, .t = t});
  };
  const float half = 0.5F * scenes::motion_at(*app.scene, {7, 0}).computes_from;
  const figure::Figure shuffled = at(6, 1), between = at(7, half), placed = at(7, 1);
  for (const char* id : {"moved.0.edge", "made.0.edge", "before.0.edge"}) {
    const figure::Point from = shuffled.find(id)->rect.centre(), to = placed.find(id)->rect.centre(),
                        middle = figure::mix(from, to, 0.5F), now = between.find(id)->rect.centre();
    CHECK(std::hypot(now.x - middle.x, now.y - middle.y) < 1);
  }
}

TEST_CASE("moment: half way, what two steps share is as far as its turn says, and what only one has is fainter") {
  const App app = opened("v=2&scene=spotlight&step=glance&preset=fox&t=0.1");
  CHECK(app.t == 0.1F);
  const scenes::Motion& motion = scenes::motion_at(*app.scene, app.place);
  REQUIRE(motion.timing != nullptr);
  const float share = app.t / motion.computes_from;
  CHECK(share == 0.5F);
  const scenes::View half = {.width = 1080, .height = 576, .place = app.place, .t = app.t};
  scenes::View before = half, after = half;
  before.place = *scenes::before(*app.scene, app.state, app.place);
  before.t = after.t = 1;
  const auto drawn = [&](const scenes::View& view) {
    return scenes::draw_moment(*app.scene, app.state, app.trace, view);
  };
  const figure::Figure from = drawn(before), between = drawn(half), to = drawn(after);
  int shared = 0;
  for (const figure::Element& element : between.elements) {
    if (!element.id.starts_with("stage.word.") || !element.id.ends_with(".text")) continue;
    const figure::Element *was = from.find(element.id), *is = to.find(element.id);
    REQUIRE(was != nullptr);
    REQUIRE(is != nullptr);
    const float turn = motion.timing(*is, share);
    CHECK(turn > 0);
    CHECK(turn < 1);
    CHECK(element.rect.y == doctest::Approx(was->rect.y + turn * (is->rect.y - was->rect.y)));
    ++shared;
  }
  CHECK(shared == 9);
  const figure::Element* lamp = between.find("stage.lamp");
  REQUIRE(lamp != nullptr);
  CHECK(from.find("stage.lamp") == nullptr);
  CHECK(lamp->opacity < to.find("stage.lamp")->opacity);
}

TEST_CASE("moment: whatever moves in its own time sets out at 0 and is there at 1, and never goes back") {
  REQUIRE(test::load_fonts());
  int timed = 0;
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::any state = scene->initial();
    const Trace trace = scene->compute(state, {});
    for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step) {
      const figure::Timing timing = scenes::motion_at(*scene, {step}).timing;
      if (timing == nullptr) continue;
      ++timed;
      scenes::View view{.width = 1080, .height = 576, .place = {step, 0}};
      std::vector<figure::Element> elements = scene->draw(state, trace, view).elements;
      view.place = *scenes::before(*scene, state, view.place);
      std::ranges::copy(scene->draw(state, trace, view).elements, std::back_inserter(elements));
      for (const figure::Element& element : elements) {
        CAPTURE(element.id);
        float last = timing(element, 0);
        CHECK(last == 0);
        for (float t = 0; t <= 1; t += 0.05F) {
          const float now = timing(element, t);
          if (now < last) CHECK(now >= last);
          last = now;
        }
        CHECK(timing(element, 1) == 1);
      }
    }
  }
  CHECK(timed >= 4);
}

TEST_CASE("moment: outlines and the names of rows go with the matrix that they belong to") {
  constexpr float kNear = 4;  // px
  REQUIRE(test::load_fonts());
  int outlines = 0, names = 0;
  for (const char* id : {"spotlight", "layer"}) {
    const scenes::SceneDef& scene = **std::ranges::find(scenes::all(), id, &scenes::SceneDef::id);
    const std::any state = scene.initial();
    const Trace trace = scene.compute(state, {});
    // Of a matrix "X.4" of "outline.X.4.4.-1".
    const auto matrix_of = [](const Figure& figure, std::string_view name) {
      const Element* found = nullptr;
      for (const Element& element : figure.elements)
        if (figure::cell_rect(element, range_of(element).row, range_of(element).column) &&
            !(element.clip && element.clip->h == 0) && figure::is_named_after(name, element.id) &&
            (found == nullptr || element.id.size() > found->id.size()))
          found = &element;
      return found;
    };
    for (int step = 1; step <= static_cast<int>(scene.steps().size()); ++step)
      for (const float width : {390.F, 1180.F})
        for (float t = 0.02F; t < 1; t += 0.02F) {
          const Figure figure = scenes::draw_moment(
              scene, state, trace, {.width = width, .height = width < 500 ? 535.F : 576.F, .place = {step, 0}, .t = t});
          for (const Element& element : figure.elements) {
            if (element.opacity < 0.02F || element.id.ends_with(".rim")) continue;
            const bool outline = element.id.starts_with("outline.");
            const std::size_t row = element.id.find(".row.");
            const auto* text = std::get_if<figure::Text>(&element.shape);
            if (!outline && (row == std::string::npos || text == nullptr || text->text.empty())) continue;
            const Element* matrix = matrix_of(figure, outline ? element.id.substr(8) : element.id.substr(0, row));
            if (matrix == nullptr) continue;
            const figure::CellRange range = range_of(*matrix);
            const std::string numbers = outline ? element.id.substr(8 + matrix->id.size()) : element.id.substr(row + 4);
            const int r = std::stoi(numbers.substr(1));
            const int c = outline ? std::stoi(numbers.substr(numbers.rfind('.') + 1)) : range.column;
            const auto from = figure::cell_rect(*matrix, r < 0 ? range.row : r, c < 0 ? range.column : c);
            const auto to = figure::cell_rect(*matrix, r < 0 ? range.row + range.rows - 1 : r,
                                              c < 0 ? range.column + range.columns - 1 : c);
            if (!from || !to) continue;
            const Rect& at = element.rect;
            CAPTURE(id);
            CAPTURE(step);
            CAPTURE(width);
            CAPTURE(t);
            CAPTURE(element.id);
            const float y = at.centre().y - (from->y + to->bottom()) / 2,
                        x = at.centre().x - (from->x + to->right()) / 2;
            if (std::abs(y) > kNear) CHECK(std::abs(y) <= kNear);
            if (outline && std::abs(x) > kNear) CHECK(std::abs(x) <= kNear);
            if (outline && std::abs(at.w - (to->right() - from->x)) > 2 * kNear)
              CHECK(at.w == doctest::Approx(to->right() - from->x));
            ++(outline ? outlines : names);
          }
        }
  }
  CHECK(outlines > 500);
  CHECK(names > 500);
}

TEST_CASE("moment: what is written of a matrix is not read while it crosses it") {
  const App app = opened("v=2&scene=spotlight&step=scale&preset=fox");
  for (float t = 0.02F; t < 1; t += 0.02F) {
    CAPTURE(t);
    const Figure figure = scenes::draw_moment(*app.scene, app.state, app.trace,
                                              {.width = 1180, .height = 576, .place = app.place, .t = t});
    const Rect& scores = figure.find("scores")->rect;
    for (const char* id : {"scores.title", "scores.shape", "scores.said"}) {
      const Element* written = figure.find(id);
      if (written == nullptr || written->opacity == 0) continue;
      CHECK(figure::intersection(written->rect, scores).h == 0);
    }
  }
}

TEST_CASE("moment: a link has t below 1, clamps it, and refuses what is no number") {
  App app = opened("v=2&scene=spotlight&step=scores&preset=fox&t=0.25");
  CHECK(app.t == 0.25F);
  CHECK(app::link(app).find("&t=0.25") != std::string::npos);
  const std::string link = app::link(app);
  CHECK(app::link(opened(link)) == link);
  for (const auto& [written, t] : {std::pair{"-3", 0.F}, {"7", 1.F}, {"0", 0.F}}) {
    REQUIRE(app::change(app, "t", written));
    CHECK(app.t == t);
  }
  REQUIRE(app::change(app, "t", "0.5"));
  for (const char* wrong : {"", "half", "nan", "inf", "0.5 0.6"}) {
    const Result<void> refused = app::change(app, "t", wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("it is a number from 0") != std::string::npos);
    CHECK(app.t == 0.5F);
  }
  REQUIRE(app::change(app, "step", "scale"));
  CHECK(app.t == 1);
  CHECK(app::link(app).find("&t=") == std::string::npos);
  REQUIRE(app::change(app, {{"t", "0.5"}, {"step", "words"}}));  // its lamp comes on
  CHECK(app.t == 0.5F);
  REQUIRE(app::change(app, {{"scene", "cost"}}));
  REQUIRE(app::change(app, {{"t", "0.5"}, {"step", "count"}}));  // nothing leads to it
  CHECK(app.t == 1);
}

TEST_CASE("moment: dragged along the timeline it goes on between the ticks, and holds at them") {
  App app = opened("v=2&scene=spotlight&step=words&preset=fox");
  app.width = 1280;
  app.height = 800;
  const auto tick = [&](const char* id) {
    const app::Page page = app::build_page(app, app::draw_stage(app));
    return page.figure.find(std::string("shell.step.") + id + ".dot")->rect.centre();
  };
  const figure::Point first = tick("1"), second = tick("2"), third = tick("3");
  app::Pointer pointer;
  const auto page = [&] { return app::build_page(app, app::draw_stage(app)); };
  app::pointer_pressed(app, page(), pointer, first);
  app::pointer_moved(app, page(), pointer, {first.x + 0.25F * (second.x - first.x), first.y});
  CHECK(place_of(app) == "x");
  CHECK(app.t == doctest::Approx(0.25).epsilon(0.01));
  const app::Page there = page();
  CHECK(there.figure.find("shell.playhead")->rect.centre().x ==
        doctest::Approx(first.x + 0.25F * (second.x - first.x)).epsilon(0.01));
  app::pointer_moved(app, page(), pointer, {second.x + 2, first.y});
  CHECK(place_of(app) == "x");
  CHECK(app.t == 1);
  app::pointer_moved(app, page(), pointer, {(second.x + third.x) / 2, first.y});
  CHECK(place_of(app) == "w");
  CHECK(app.t == doctest::Approx(0.5).epsilon(0.01));
  app::pointer_moved(app, page(), pointer, {-50, first.y});
  CHECK(place_of(app) == "words");
  CHECK(app.t == 1);
  app::pointer_released(app, page(), pointer, {-50, first.y});
  // What the example gives cannot be gone to.
  REQUIRE(app::change(app, "preset", "day1"));
  app::pointer_pressed(app, page(), pointer, tick("4"));
  app::pointer_moved(app, page(), pointer, {second.x, first.y});
  CHECK(place_of(app) == "qkv");
  CHECK(app.t == 1);
}

TEST_CASE("moment: arrows arrive, playing goes through, and what plays is told of as where it arrives") {
  App app = opened("v=2&scene=spotlight&step=x&preset=fox&t=0.5");
  app::activate(app, {"do", "next"});
  CHECK(place_of(app) == "x");
  CHECK(app.t == 1);
  REQUIRE(app::change(app, "t", "0.5"));
  app::activate(app, {"do", "previous"});
  CHECK(place_of(app) == "words");
  CHECK(app.t == 1);
  for (const bool still : {false, true}) {
    App plays = opened("v=2&scene=spotlight&step=x&preset=fox");
    plays.reduced_motion = still;
    app::activate(plays, {"do", "play"});
    double now = plays.now;
    while (place_of(plays) == "x") app::advance(plays, now += 0.05, 0);
    CHECK(place_of(plays) == "w");
    CHECK(plays.t == (still ? 1.F : 0.F));
    CHECK(app::link(plays).find("&t=") == std::string::npos);
    float before = plays.t;
    for (int frame = 0; frame < 40; ++frame) {
      app::advance(plays, now += 0.05, 0);
      CHECK(plays.t >= before);
      before = plays.t;
    }
    CHECK(plays.t == 1);
    CHECK(place_of(plays) == "w");
  }
}

TEST_CASE("moment: playing goes on from where it was stopped, and from what is set meanwhile") {
  for (const float t : {0.1F, 0.5F, 0.9F}) {
    CAPTURE(t);
    App app = opened("v=2&scene=spotlight&step=x&preset=fox");
    REQUIRE(app::change(app, "t", scenes::write_t(t)));
    app::activate(app, {"do", "play"});
    app::advance(app, app.now + 0.001, 0);
    CHECK(app.t == doctest::Approx(t).epsilon(0.02));
    REQUIRE(app::change(app, {{"step", "w"}, {"t", "0.3"}}));
    app::advance(app, app.now + 0.001, 0);
    CHECK(place_of(app) == "w");
    CHECK(app.t == doctest::Approx(0.3).epsilon(0.02));
    app::advance(app, app.now + 2, 0);
    CHECK(app.t == 1);
    CHECK(place_of(app) == "w");
  }
  App still = opened("v=2&scene=spotlight&step=x&preset=fox&t=0.5");
  still.reduced_motion = true;
  app::activate(still, {"do", "play"});
  CHECK(still.t == 1);
}

TEST_CASE("moment: the step after one that has parts sets out from where the last of them stands") {
  for (const char* key : {"play", "next"}) {
    App app = opened("v=2&scene=spotlight&step=softmax.divide&preset=fox");
    app::activate(app, {"do", key});
    for (double now = app.now; place_of(app) == "softmax.divide";) app::advance(app, now += 0.05, 0);
    CHECK(place_of(app) == "output");
    CHECK(app.t < 0.2F);
    const std::optional<scenes::Place> from = scenes::before(*app.scene, app.state, app.place);
    REQUIRE(from);
    CHECK(scenes::write_place(*app.scene, *from) == "softmax.divide");
  }
}

TEST_CASE("moment: all of a step with parts comes from the step before, since it shows all that these do") {
  const App app = opened("v=2&scene=spotlight&step=softmax&preset=fox");
  const std::optional<scenes::Place> from = scenes::before(*app.scene, app.state, app.place);
  REQUIRE(from);
  CHECK(scenes::write_place(*app.scene, *from) == "scale");
}

TEST_CASE("moment: another scene begins as it stands, also by undoing") {
  App app = opened("v=2&scene=spotlight&step=x&preset=fox");
  REQUIRE(app::change_by_hand(app, {{"preset", "cat"}}));
  REQUIRE(app::change(app, {{"scene", "score"}}));
  REQUIRE(app::change(app, {{"step", scenes::all()[1]->steps()[1].id.data()}, {"t", "0.5"}}));
  app::activate(app, {"do", "undo"});
  CHECK((app.t == 1 || scenes::before(*app.scene, app.state, app.place).has_value()));
  REQUIRE(app::change(app, {{"scene", "spotlight"}}));
  CHECK(app.t == 1);
}

TEST_CASE("moment: the parts of a video's picture stay on it while it moves") {
  const App app = opened("v=2&scene=layer&preset=video&step=order");
  for (const float t : {0.2F, 0.35F, 0.6F, 0.85F}) {
    CAPTURE(t);
    const figure::Figure figure =
        scenes::draw_moment(*app.scene, app.state, app.trace, {.width = 1080, .height = 576, .place = {7, 0}, .t = t});
    int parts = 0;
    for (const figure::Element& element : figure.elements) {
      const auto* area = std::get_if<figure::Area>(&element.shape);
      const std::size_t film = element.id.find(".film.");
      if (area == nullptr || film == std::string::npos) continue;
      const figure::Element* edge = figure.find(element.id.substr(0, film) + ".edge");
      REQUIRE(edge != nullptr);
      CAPTURE(element.id);
      const figure::Rect around = edge->rect.inset(-0.5F * edge->rect.h);
      for (const figure::Point& point : area->points) CHECK(around.contains(point));
      ++parts;
    }
    CHECK(parts > 20);
  }
}

}  // namespace limelight
