// What is seen being computed: the phases of a choreography, and the steps that are drawn by them.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/app.h"
#include "app/links.h"
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "unit/fonts.h"

namespace limelight {
namespace {

using figure::Element;
using figure::Figure;

using Phases = std::vector<float>;  // in their order
const std::vector<std::function<Phases(float)>>& choreographies() {
  static const std::vector<std::function<Phases(float)>> all{
      [](float t) {
        const auto [lift, turn, multiply, add, drop, others] = figure::row_times_column(t);
        return Phases{lift, turn, multiply, add, drop, others};
      },
      [](float t) {
        const auto [fill, fall, gather] = figure::weighted_sum(t);
        return Phases{fill, fall, gather};
      },
      [](float t) {
        const figure::ShareLight shared = figure::share_light(t);
        return Phases{shared.open, shared.name};
      },
      [](float t) {
        const figure::ShareLight shared = figure::share_light(t);  // the map comes meanwhile
        return Phases{shared.open, shared.others};
      },
      [](float t) {
        const auto [there, on, others] = figure::fly(t);
        return Phases{there, on, others};
      },
      [](float t) {
        const auto [own, others] = figure::change(t);
        return Phases{own, others};
      },
      [](float t) {
        Phases turns;
        for (int i = 0; i < 5; ++i) turns.push_back(figure::in_turn(t, i, 5));
        return turns;
      }};
  return all;
}

app::App opened(const std::string& link) {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::open_link(app, link));
  return app;
}

// How much of a ribbon has run, of what it is at rest.
float run_share(const Element& ribbon, const Element& at_rest) {
  constexpr int kSamples = 100;
  const auto &now = std::get<figure::Ribbon>(ribbon.shape).stops, &rest = std::get<figure::Ribbon>(at_rest.shape).stops;
  float seen = 0, all = 0;
  for (int i = 0; i < kSamples; ++i) {
    const float along = (static_cast<float>(i) + 0.5F) / kSamples;
    seen += static_cast<float>(figure::colour_at(now, along).a);
    all += static_cast<float>(figure::colour_at(rest, along).a);
  }
  return seen / all;
}

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? "+w" : "w") + std::to_string(i);
  return text;
}

const std::vector<std::string>& examples() {
  static const std::vector<std::string> all{"preset=fox",        "preset=coffee",     "preset=cat",
                                            "text=" + words(12), "text=" + words(64), "preset=fox&mask=causal&query=0"};
  return all;
}

Figure at(const app::App& app, float t, float width = 1180) {
  const scenes::View view{.width = width, .height = width < 500 ? 535.F : 576.F, .place = app.place, .t = t};
  return scenes::draw_moment(*app.scene, app.state, app.trace, view);
}

// Each step that computes, of each example.
void each_computing(const std::function<void(const app::App& app, float begins)>& visit) {
  for (const std::string& example : examples()) {
    app::App app = opened("v=2&scene=spotlight&step=qkv&" + example);
    int computing = 0;
    for (int step = 1; step <= static_cast<int>(app.scene->steps().size()); ++step) {
      app.place = {step, 0};
      const float begins = scenes::motion_at(*app.scene, app.place).computes_from;
      if (begins >= 1 || !scenes::before(*app.scene, app.state, app.place)) continue;
      CAPTURE(example);
      CAPTURE(step);
      visit(app, begins);
      ++computing;
    }
    CHECK(computing >= 3);
  }
}

}  // namespace

TEST_CASE("choreography: every phase begins at 0, ends at 1, never goes back, and none is ahead of the one before it") {
  for (const auto& phases : choreographies()) {
    for (const float phase : phases(0)) CHECK(phase == 0);
    for (const float phase : phases(1)) CHECK(phase == 1);
    Phases last = phases(0);
    for (float t = 0; t <= 1; t += 0.01F) {
      const Phases now = phases(t);
      for (std::size_t i = 0; i < now.size(); ++i) {
        CHECK(now[i] >= last[i]);
        if (i > 0) CHECK(now[i] <= now[i - 1]);
      }
      last = now;
    }
  }
}

TEST_CASE("choreography: nothing jumps where the step before has become the beginning, and where all stands") {
  constexpr float kSoon = 1e-3F, kNear = 6;  // of t; px
  each_computing([&](const app::App& app, float begins) {
    for (const float width : {390.F, 1180.F})
      for (const float joint : {begins, 1.F}) {
        CAPTURE(width);
        CAPTURE(joint);
        const Figure before = at(app, joint - kSoon, width), after = at(app, joint, width);
        for (const Element& element : before.elements) {
          const Element* same = after.find(element.id);
          if (element.id.empty() || element.opacity == 0 || same == nullptr) continue;
          if (same->shape.index() != element.shape.index()) continue;
          CAPTURE(element.id);
          CHECK(std::hypot(same->rect.x - element.rect.x, same->rect.y - element.rect.y) < kNear);
        }
      }
  });
}

TEST_CASE("choreography: every moment is drawn, with no number that is not finite and nothing to point at twice") {
  each_computing([](const app::App& app, float) {
    for (const float width : {390.F, 1180.F})
      for (float t = 0.05F; t < 1; t += 0.05F) {
        std::set<std::string> ids;
        for (const Element& element : at(app, t, width).elements) {
          const figure::Rect& rect = element.rect;
          CAPTURE(element.id);
          if (!std::isfinite(rect.x + rect.y + rect.w + rect.h)) CHECK(std::isfinite(rect.x));
          if (element.opacity < 0 || element.opacity > 1) CHECK(element.opacity == 1);
          if (element.role == figure::Role::none || element.id.empty()) continue;
          CHECK(ids.insert(element.id).second);
        }
      }
  });
}

TEST_CASE("row_times_column: the score is in its cell when its products are added up, and the others come by rows") {
  const app::App app = opened("v=2&scene=spotlight&step=scores&preset=coffee");
  const Figure all = at(app, 1);
  float sum = 0, seen = 0;
  for (float t = 0.25F; t <= 1; t += 0.01F) {
    const Figure figure = at(app, t);
    const Element *total = figure.find("product.sum"), *scores = figure.find("scores");
    if (total != nullptr) {
      CHECK(total->rect.w >= sum);
      sum = total->rect.w;
    }
    if (figure.find("scores.flying") != nullptr) CHECK(sum == doctest::Approx(all.find("product.sum")->rect.w));
    const float rows = scores == nullptr ? 0 : scores->clip ? scores->clip->h : scores->rect.h + 2;
    CHECK(rows >= seen);
    if (rows > 0 && seen == 0) CHECK(sum == doctest::Approx(all.find("product.sum")->rect.w));
    seen = rows;
  }
  CHECK(at(app, 0.95F).find("scores")->clip->h < all.find("scores")->rect.h);
  CHECK(!all.find("scores")->clip);
}

TEST_CASE("computing: a step has all its rows a little before it is at rest") {
  each_computing([](const app::App& app, float) {
    if (app.place.step == static_cast<int>(app.scene->steps().size())) return;  // there the map comes row by row
    const Figure soon = at(app, 0.97F), rest = at(app, 1);
    for (const Element& element : rest.elements) {
      if (!std::holds_alternative<figure::MatrixCells>(element.shape)) continue;
      CAPTURE(element.id);
      const Element* same = soon.find(element.id);
      REQUIRE(same != nullptr);
      CHECK(same->clip.has_value() == element.clip.has_value());
    }
    for (const Element& element : soon.elements) CHECK(element.id.find(".empty.") == std::string::npos);
  });
}

TEST_CASE("scores and scale: the words are seen all the way from X to where scores are bars") {
  for (const char* step : {"scores", "scale"}) {
    const app::App app = opened(std::string("v=2&scene=spotlight&step=") + step);
    for (int tick = 0; tick <= 40; ++tick) {
      const Figure figure = at(app, static_cast<float>(tick) / 40);
      CAPTURE(step);
      CAPTURE(tick);
      for (int word = 0; word < 9; ++word) {
        const Element* letters = figure.find("stage.word." + std::to_string(word) + ".text");
        REQUIRE(letters != nullptr);
        CHECK(letters->opacity == 1);
      }
    }
  }
}

TEST_CASE("row_times_column: the bars of all scores of a query have one scale") {
  app::App app = opened("v=2&scene=spotlight&step=scores&preset=fox");
  const Matrix& scores = app.trace.at("scores").values;
  float unit = 0;
  for (const auto& [query, key] : {std::pair{4, 3}, {4, 5}}) {  // 8 and 7
    app.pinned = figure::cell_id({"scores", query, key});
    scenes::View view{.width = 1180, .height = 576, .place = app.place};
    view.pinned = app.pinned;
    const Figure figure = scenes::draw_moment(*app.scene, app.state, app.trace, view);
    const float now = figure.find("product.sum")->rect.w / scores(query, key);
    if (unit > 0) CHECK(now == doctest::Approx(unit));
    unit = now;
  }
}

TEST_CASE("weighted_sum: whole values are pressed down to their weights before they are poured") {
  const app::App app = opened("v=2&scene=spotlight&step=output&preset=fox");
  const Figure all = at(app, 1);
  float before = 2;
  for (float t = 0.4F; t < 1; t += 0.02F) {
    CAPTURE(t);
    const Figure figure = at(app, t);
    const Element *strip = figure.find("V.3"), *stream = figure.find("output.pour.3.2"),
                  *output = figure.find("output");
    const float filled = strip->rect.h / all.find("V.3")->rect.h;  // 1 / 0.52 at most
    const float fallen = stream == nullptr ? 0 : run_share(*stream, *all.find("output.pour.3.2"));
    CHECK(filled >= 0.999F);
    CHECK(filled <= before + 0.001F);
    if (fallen > 0) CHECK(filled <= 1.001F);
    CHECK(output->opacity <= fallen + 0.01F);
    before = filled;
  }
}

TEST_CASE("weighted_sum: the output's numbers grow with what has landed, up to themselves") {
  const app::App app = opened("v=2&scene=spotlight&step=output&preset=fox");
  const Matrix& output = app.trace.at("output").values;
  const auto so_far = [](const Figure& figure, int column) -> std::optional<std::string> {
    const Element* number = figure.find("output.so_far." + std::to_string(column));
    return number == nullptr ? std::nullopt : std::optional(std::get<figure::Text>(number->shape).text);
  };
  for (int column = 0; column < output.cols(); ++column) {
    CAPTURE(column);
    std::string before = "0.00";
    for (float t = 0.4F; t < 1; t += 0.01F) {
      const std::optional<std::string> now = so_far(at(app, t), column);
      if (now) CHECK(std::stof(*now) >= std::stof(before));
      before = now.value_or(before);
    }
    CHECK(before == io::format_fixed(output(4, column), 2));
  }
  CHECK(!so_far(at(app, 1), 0));
}

TEST_CASE("share_light: a part of the strip is lit when its ribbon has come down to it, from the left") {
  const app::App app = opened("v=2&scene=spotlight&step=softmax&preset=fox");
  const auto fill = [](const Figure& figure, int word) {
    const Element* part = figure.find("weights.part." + std::to_string(word));
    return std::get<figure::Area>(part->shape).fill;
  };
  const Figure all = at(app, 1);
  for (float t = 0.2F; t < 1; t += 0.02F) {
    CAPTURE(t);
    const Figure figure = at(app, t);
    float before = 1;
    for (int word = 0; word < 9; ++word) {
      const Element* ribbon = figure.find("weights.ribbon." + std::to_string(word));
      const float fallen = run_share(*ribbon, *all.find(ribbon->id));
      CHECK(fallen <= before + 0.01F);  // a moment's rounding of colours
      if (fallen < 0.75F) CHECK(fill(figure, word) != fill(all, word));
      if (std::get<figure::Ribbon>(ribbon->shape).stops.size() == 2) CHECK(fill(figure, word) == fill(all, word));
      before = fallen;
    }
  }
}

TEST_CASE("share_light: the weights of the word that asks stand in the map before those of the last word") {
  const app::App app = opened("v=2&scene=spotlight&step=softmax.divide&preset=fox");
  for (float t = 0.3F; t < 1; t += 0.05F) {
    CAPTURE(t);
    const Figure figure = at(app, t);
    const Element *row = figure.find("weights.coming.4"), *map = figure.find("weights"),
                  *exps = figure.find("exponentials");
    REQUIRE(row != nullptr);
    REQUIRE(exps != nullptr);
    CHECK(row->rect.y == doctest::Approx(figure::cell_rect(*exps, 4, 0)->y));
    const float own = row->clip->w / row->rect.w, all = map->clip->h / map->rect.h;
    CHECK(all <= own + 0.001F);
  }
  CHECK(at(app, 1).find("weights.coming.4") == nullptr);
}

TEST_CASE("output: the light is as narrow as its glass before it goes there, so that it lies on no other") {
  const app::App app = opened("v=2&scene=spotlight&step=output&preset=fox");
  for (const float width : {390.F, 1180.F}) {
    const Figure all = at(app, 1, width);
    for (float t = 0.02F; t < 0.36F; t += 0.02F) {
      const Figure figure = at(app, t, width);
      for (int word = 0; word < 9; ++word)
        for (int other = 0; other < 9; ++other) {
          const auto& points =
              std::get<figure::Area>(figure.find("weights.part." + std::to_string(word))->shape).points;
          const figure::Rect glass = all.find("V.glass." + std::to_string(other))->rect;
          const bool phone = width < 400;  // where words stand below each other
          const bool level =
              phone ? points[1].x > glass.x && points[0].x < glass.right() : points[0].y < glass.bottom();
          const bool beside = phone ? points[2].y <= glass.y || points[0].y >= glass.bottom()
                                    : points[1].x <= glass.x || points[0].x >= glass.right();
          if (other != word && level) CHECK(beside);
        }
    }
  }
}

TEST_CASE("x: on the way each word stands clear of every row") {
  const app::App app = opened("v=2&scene=spotlight&step=x&preset=fox");
  for (const float width : {390.F, 1180.F})
    for (float t = 0.02F; t < 1; t += 0.02F) {
      const Figure figure = at(app, t, width);
      for (int word = 0; word < 9; ++word)
        for (int row = 0; row < 9; ++row) {
          const Element& text = *figure.find("stage.word." + std::to_string(word) + ".text");
          const float letters = std::get<figure::Text>(text.shape).size, y = text.rect.centre().y - 0.3F * letters;
          const figure::Rect over = figure::intersection({text.rect.x, y, text.rect.w, 0.6F * letters},
                                                         figure.find("X." + std::to_string(row))->rect);
          CAPTURE(width);
          CAPTURE(t);
          CAPTURE(word);
          CAPTURE(row);
          if (over.w > 2 && over.h > 2) CHECK(over.h == 0);
        }
    }
}

TEST_CASE("change: a query's bars go from what they were to what they are, then the rows of all queries are replaced") {
  for (const char* link :
       {"v=2&scene=spotlight&step=scale&preset=fox", "v=2&scene=spotlight&step=softmax.exp&preset=fox"}) {
    CAPTURE(link);
    const app::App app = opened(link);
    const std::string tensor = app.place.part > 0 ? "exponentials" : "scaled",
                      before = app.place.part > 0 ? "shifted" : "scores";
    const std::string bar = tensor + ".bar.3";
    const Figure all = at(app, 1);
    const Element* hollow = all.find(bar + ".was");  // of an exponential, which its score becomes, there is none
    const float is = all.find(bar)->rect.h, was = hollow == nullptr ? 0 : hollow->rect.h;
    float share = 0;
    for (float t = scenes::motion_at(*app.scene, app.place).computes_from; t < 1; t += 0.02F) {
      CAPTURE(t);
      const Figure figure = at(app, t);
      const float now = (figure.find(bar)->rect.h - was) / (is - was);
      CHECK(now >= share - 0.001F);
      share = now;
      const Element* replaced = figure.find(tensor);
      if (replaced != nullptr && replaced->role != figure::Role::none) CHECK(share > 0.9F);
      if (t < 0.95F) CHECK(figure.find(before) != nullptr);
    }
    CHECK(share > 0.99F);
    CHECK(all.find(before) == nullptr);
  }
}

}  // namespace limelight
