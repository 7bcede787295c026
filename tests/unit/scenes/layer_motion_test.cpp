// What holds for Layer's machine in motion, from step to step and from query to query.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scenes/layer/machine.h"
#include "scenes/layer/steps.h"
#include "scenes/moment.h"
#include "unit/fonts.h"
#include "unit/scenes/layer_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using layer::Preset;
using layer::State;
using test::drawn;
using test::light_of;
using test::points_of;
using test::preset;

TEST_CASE("layer's machine: on its way from one sequence to the other the tap takes its pipe along, over no query") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = layer::compute(state, {});
  for (const int step : {4, 5}) {
    const auto at = [&](float t) {
      return layer::draw(state, trace, {.width = 1180, .height = 576, .place = {step, 0}, .t = t});
    };
    const figure::Figure before = drawn(state, step - 1), after = drawn(state, step);
    CHECK(at(0).find("tap.query")->rect.centre().x == doctest::Approx(before.find("tap.query")->rect.centre().x));
    CHECK(at(0).find("tap.query")->rect.centre().y == doctest::Approx(before.find("tap.query")->rect.centre().y));
    for (float t = 0.1F; t < 1; t += 0.1F) {
      const figure::Figure figure = at(t);
      const figure::Point tap = figure.find("tap.query")->rect.centre();
      CHECK(points_of(figure, "pipe.query").front() == tap);
      CHECK(figure.find("pipe.query.from.dry") != nullptr);
      for (int query = 0; query < 3; ++query)
        CHECK_FALSE(figure.find("query." + std::to_string(query))->rect.contains(tap));
    }
    CHECK(at(1).find("tap.query")->rect.centre() == after.find("tap.query")->rect.centre());
  }
}

TEST_CASE("layer's machine: while the tap moves nothing is lit or poured, and then only what its own queries find") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F})
      for (const int step : {3, 4, 5}) {
        const State state = preset(which);
        const Trace trace = layer::compute(state, {});
        const auto at = [&](float t) {
          return draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {step, 0}, .t = t});
        };
        CAPTURE(width);
        CAPTURE(step);
        const figure::Light now = light_of(at(1));
        const auto widths = [](const figure::Figure& figure, int j) {
          const auto& ribbon = std::get<figure::Ribbon>(figure.find("pour." + std::to_string(j))->shape);
          return std::abs(ribbon.other.back().y - ribbon.one.back().y) +
                 std::abs(ribbon.other.back().x - ribbon.one.back().x);
        };
        const figure::Figure still = at(1);
        for (float t = layer::kDark; t < 1; t += 0.02F) {
          CAPTURE(t);
          const figure::Figure figure = at(t);
          const figure::Light& light = light_of(figure);
          // The beams of the query that asks come first, two for each input. None is brighter than it will be.
          for (std::size_t i = 0; i < now.beams.size(); ++i) {
            CHECK(light.beams[i].intensity <= now.beams[i].intensity + 1e-5F);
            if (t < layer::kFilled) CHECK(light.beams[i].intensity == 0);
            if (t > layer::kLit) CHECK(light.beams[i].intensity == doctest::Approx(now.beams[i].intensity));
          }
          for (int j = 0; j < 4; ++j) {
            const figure::Element* pour = figure.find("pour." + std::to_string(j));
            if (t < layer::kFilled) CHECK(pour->opacity == 0);
            if (pour->opacity > 0) CHECK(widths(figure, j) == doctest::Approx(widths(still, j)));
          }
          const figure::Element* mix = figure.find("output.mix");
          if (mix != nullptr && t < layer::kFilled) CHECK(mix->opacity == 0);
          if (t < layer::kFilled) CHECK(figure.find("awaited") != nullptr);
        }
        if (step == 3) continue;
        const figure::Point from = at(0).find("tap.query")->rect.centre(), to = at(1).find("tap.query")->rect.centre();
        const auto apart = [](figure::Point a, figure::Point b) { return std::hypot(a.x - b.x, a.y - b.y); };
        CHECK(apart(at(layer::kDark - 0.001F).find("tap.query")->rect.centre(), from) < 0.1F);
        CHECK(apart(at(layer::kThere - 0.03F).find("tap.query")->rect.centre(), to) > 0.1F);
        CHECK(apart(at(layer::kThere).find("tap.query")->rect.centre(), to) < 0.1F);
      }
}

TEST_CASE(
    "layer's machine: the first query asks, its light fans out from key to key, values are poured, and it is told") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F}) {
      const State state = preset(which);
      const Trace trace = layer::compute(state, {});
      // How much is seen of the lamp, of each input's light, of the streams and of the output.
      struct Seen {
        float lamp = 0, lights[4] = {}, streams = 0, output = 0;
      };
      const auto seen = [&](float t) {
        const figure::Figure figure =
            draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {1, 0}, .t = t});
        Seen now;
        const figure::Light& light = light_of(figure);
        for (std::size_t j = 0; j < 4; ++j) now.lights[j] = light.beams[2 * j].intensity;
        for (const figure::Element& element : figure.elements) {
          if (element.id.starts_with(kLampId)) now.lamp = std::max(now.lamp, element.opacity);
          if (element.id.starts_with("pour.")) now.streams = std::max(now.streams, element.opacity);
          if (element.id == "y") now.output = element.opacity;
        }
        return now;
      };
      const Seen begin = seen(0), end = seen(1);
      CHECK(begin.lamp == 0);
      CHECK(begin.streams == 0);
      CHECK(begin.lights[0] == 0);
      CHECK(seen(0.3F).lamp == 1);
      CHECK(seen(0.67F).lights[0] / end.lights[0] > seen(0.67F).lights[3] / end.lights[3]);
      CHECK(seen(0.45F).streams == 0);
      CHECK(seen(0.75F).streams == 1);
      CHECK(seen(layer::kResultTold).output == 0);
      CHECK(end.output == 1);
    }
}

TEST_CASE("layer's machine: an output goes with its light, the next comes with its own, and then it is told in words") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F})
      for (const int step : {3, 4, 5}) {
        const State state = preset(which);
        const Trace trace = layer::compute(state, {});
        CAPTURE(width);
        CAPTURE(step);
        for (float t = layer::kDark; t < 1; t += 0.01F) {
          CAPTURE(t);
          const View view{.width = width, .height = 576, .place = {step, 0}, .t = t};
          const figure::Figure figure = draw_moment(*find("layer"), state, trace, view);
          const bool told = t >= layer::kResultTold;
          for (const figure::Element& element : figure.elements) {
            CAPTURE(element.id);
            if (element.id == "output.box") {
              CHECK(element.opacity == 1);  // what is poured into
            } else if (element.id.starts_with("output.mix")) {
              if (t < layer::kFilled) CHECK(element.opacity == 0);
            } else if (element.id.starts_with("output.") || element.id == layer::form_at({step, 0}).names.output) {
              if (!told) CHECK(element.opacity == 0);
            }
          }
          // Nor does the narration say before what comes of it.
          const std::string now = layer::narrate(state, trace, view),
                            all = layer::narrate(state, trace, {.place = {step, 0}});
          CHECK(now.ends_with('.'));
          CHECK(all.starts_with(now));
          CHECK((now == all) == told);
        }
      }
}

TEST_CASE("layer's machine: on the way to keys, self and cross something is seen to move in every twentieth of it") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = layer::compute(state, {});
  for (const int step : {3, 4, 5}) {
    const auto at = [&](int twentieth) {
      return draw_moment(*find("layer"), state, trace,
                         {.width = 1180, .height = 576, .place = {step, 0}, .t = static_cast<float>(twentieth) / 20});
    };
    figure::Figure before = at(0);
    for (int twentieth = 1; twentieth <= 20; ++twentieth) {
      figure::Figure now = at(twentieth);
      CAPTURE(step);
      CAPTURE(twentieth);
      // How far a part that is seen has gone or grown at most, in px, or a tenth of how much more of one is seen, in %.
      float most = 0;
      for (const figure::Element& element : now.elements) {
        const figure::Element* was = element.id.empty() ? nullptr : before.find(element.id);
        if (was == nullptr) most = std::max(most, 10 * element.opacity);
        if (was == nullptr || was->shape.index() != element.shape.index()) continue;
        if (element.opacity > 0.2F)
          most = std::max({most, std::abs(element.rect.x - was->rect.x), std::abs(element.rect.y - was->rect.y),
                           std::abs(element.rect.w - was->rect.w)});
        most = std::max(most, 10 * std::abs(element.opacity - was->opacity));
        if (const auto* light = std::get_if<figure::Light>(&element.shape))
          for (std::size_t i = 0; i < light->beams.size(); ++i)
            most = std::max(most, 10 * std::abs(light->beams[i].intensity -
                                                std::get<figure::Light>(was->shape).beams[i].intensity));
      }
      CHECK(most >= 0.4F);
      before = std::move(now);
    }
  }
}

TEST_CASE("layer's machine: a query's row goes through its matrix before it is one, over no other query") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F})
      for (const int step : {4, 5}) {
        const State state = preset(which);
        const Trace trace = layer::compute(state, {});
        CAPTURE(width);
        CAPTURE(step);
        const int count = step == 4 ? layer::sizes(state).inputs : layer::sizes(state).queries;
        const std::string given = step == 4 ? "X" : "Z", made = step == 4 ? "Q_self" : "Q_cross";
        std::vector<bool> went(static_cast<std::size_t>(count), false);
        for (float t = layer::kThere; t < layer::kFilled; t += 0.004F) {
          const figure::Figure figure =
              draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {step, 0}, .t = t});
          for (int i = 0; i < count; ++i) {
            const figure::Element* drop = figure.find("drop.query." + std::to_string(i));
            if (drop == nullptr) continue;
            went[static_cast<std::size_t>(i)] = true;
            // Of the sequence, and of the queries once it is through.
            const auto& row = std::get<figure::MatrixCells>(figure.find(drop->id + ".cells")->shape).range;
            const float way = drop->rect.centre().y - figure.find("lens.query.disc")->rect.centre().y;
            CHECK(row.row == i);
            if (std::abs(way) > 14 && drop->rect.centre().x > figure.find("query.0")->rect.x)
              CHECK(row.tensor == ((way > 0) == (step == 5) ? given : made));
            for (int other = 0; other < count; ++other)
              if (other != i)
                CHECK_FALSE(figure.find("query." + std::to_string(other))->rect.contains(drop->rect.centre()));
            CHECK(drop->rect.x >= 0);
          }
        }
        CHECK(std::ranges::count(went, true) == count);
      }
}

TEST_CASE("layer's machine: on its way down the queries' tap passes over no input and no query") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = layer::compute(state, {});
  const figure::Figure end = drawn(state, 5);
  for (float t = layer::kDark; t < layer::kThere; t += 0.004F) {
    CAPTURE(t);
    const figure::Figure figure =
        draw_moment(*find("layer"), state, trace, {.width = 1180, .height = 576, .place = {5, 0}, .t = t});
    const figure::Rect ring = figure.find("tap.query.ring")->rect;
    for (int i = 0; i < 4; ++i) {
      const figure::Rect film = end.find("X.input." + std::to_string(i))->rect;
      // Beside the films; above the first one it only begins.
      if (ring.centre().y > film.y) CHECK(figure::intersection(ring, film).w <= 0);
    }
    if (figure.find("pipe.query")->opacity > 0)
      for (const figure::Point& point : points_of(figure, "pipe.query"))
        for (int i = 0; i < 4; ++i) CHECK_FALSE(end.find("X.input." + std::to_string(i))->rect.contains(point));
  }
}

TEST_CASE("layer's machine: while many ask in turn no output leaves the figure") {
  REQUIRE(test::load_fonts());
  for (const Preset example : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F, 320.F}) {
      const State state = preset(example);
      const Trace trace = layer::compute(state, {});
      for (float t = 0.05F; t < 1; t += 0.05F) {
        const figure::Figure figure =
            draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {2, 0}, .t = t});
        for (const figure::Element& element : figure.elements)
          if (element.id.starts_with("output")) {
            CAPTURE(element.id);
            CHECK(element.rect.right() <= figure.width + 1);
          }
      }
    }
}

TEST_CASE(
    "layer's machine: of many each query asks in turn, and its output is among all of them when its light is there") {
  REQUIRE(test::load_fonts());
  for (const float width : {1180.F, 390.F}) {
    State state = preset(Preset::video);
    state.query = 1;
    const Trace trace = layer::compute(state, {});
    const auto at = [&](float t) {
      return draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {2, 0}, .t = t});
    };
    const auto seen = [](const figure::Figure& figure, int query) {
      const figure::Element* made = figure.find("output.all." + std::to_string(query) + ".edge");
      return made == nullptr ? 0.F : made->opacity;
    };
    std::vector<int> asked;
    for (float t = 0.26F; t <= 1; t += 0.01F) {
      const figure::Figure figure = at(t);
      const figure::Light& light = light_of(figure);
      if (asked.empty() || asked.back() != light.beams.front().row) asked.push_back(light.beams.front().row);
      // Who has not asked yet lights nothing and has no output.
      for (int query = 0; query < 3; ++query) {
        if (std::ranges::find(asked, query) != asked.end()) continue;
        CHECK(seen(figure, query) == 0);
        for (const figure::Light::Beam& beam : light.beams)
          if (beam.row == query) CHECK(beam.intensity == 0);
      }
    }
    CHECK(asked == std::vector{1, 2, 0, 1});
    // The narration is of the query that the lamp is on.
    for (float t = 0.05F; t < 1; t += 0.05F) {
      const std::string said = layer::narrate(state, trace, {.width = width, .height = 576, .place = {2, 0}, .t = t});
      const int row = t < 0.25F ? 1 : light_of(at(t)).beams.front().row;
      CHECK(said.find(trace.at("Q").row_labels[static_cast<std::size_t>(row)]) != std::string::npos);
    }
    const figure::Figure still = at(1);
    const auto* numbers = &std::get<figure::MatrixCells>(still.find("Y")->shape).range;
    CHECK(numbers->row == 1);
    for (const int query : {0, 1, 2}) CHECK(seen(still, query) == 1);
  }
}

TEST_CASE("layer's machine: the lamp is lit on a query, and dark between two, where nobody asks") {
  REQUIRE(test::load_fonts());
  for (const Preset example : {Preset::video, Preset::translate})
    for (const float width : {1180.F, 390.F}) {
      const State state = preset(example);
      const Trace trace = layer::compute(state, {});
      const figure::Palette& colours = figure::palette(figure::Theme::light);
      std::vector<bool> lit(static_cast<std::size_t>(trace.at("Q").rows()), false);
      for (float t = 0.26F; t <= 1; t += 0.005F) {
        CAPTURE(t);
        const figure::Figure figure =
            draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {2, 0}, .t = t});
        const figure::Light& light = light_of(figure);
        const int inputs = trace.at("A").columns(), asks = light.beams.front().row;
        float bright = 0;
        for (int j = 0; j < 2 * inputs; j += 2) bright += light.beams[static_cast<std::size_t>(j)].intensity;
        const auto apart = [&](int query) {
          return std::abs(light.beams.front().from.y - figure.find("query." + std::to_string(query))->rect.centre().y);
        };
        if (bright > 1.5F) lit[static_cast<std::size_t>(asks)] = true;
        if (bright > 0.2F) CHECK(apart(asks) < 12);
        if (apart(asks) > 12)
          for (int query = 0; query < trace.at("Q").rows(); ++query) {
            const auto& card = std::get<figure::Rectangle>(figure.find("query." + std::to_string(query))->shape);
            CHECK(card.stroke_width < 1.4F);
            CHECK(card.stroke != colours.ink);
          }
        const figure::Element* said = figure.find("output.said");
        if (apart(asks) > 1 && said != nullptr) CHECK(said->opacity < 1);
      }
      CHECK(std::ranges::count(lit, false) == 0);
    }
}

TEST_CASE("layer's machine: on its way the tap's pipe never jumps") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F})
    for (const int step : {4, 5}) {
      const auto at = [&](int moment) {
        return draw_moment(*find("layer"), state, trace,
                           {.width = width, .height = 576, .place = {step, 0}, .t = static_cast<float>(moment) / 1000});
      };
      figure::Figure before = at(0);
      for (int moment = 1; moment <= 1000; ++moment) {
        CAPTURE(moment);
        CAPTURE(width);
        figure::Figure now = at(moment);
        const std::vector<figure::Point> was = points_of(before, "pipe.query"), is = points_of(now, "pipe.query");
        REQUIRE(was.size() == is.size());
        const auto pipe = std::ranges::find_if(now.elements, [](const auto& one) { return one.id == "pipe.query"; });
        // Where it leaves one side of the queries for the other it is not seen. Its points slide along it where a bend
        // comes or goes.
        if (pipe->opacity > 0.1F)
          for (std::size_t i = 0; i < is.size(); ++i) CHECK(std::hypot(is[i].x - was[i].x, is[i].y - was[i].y) < 20);
        before = std::move(now);
      }
    }
}

TEST_CASE("layer's machine: first inputs become keys, then they are lit, and then values are poured") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  const auto at = [&](float t) {
    return draw_moment(*find("layer"), state, trace, {.width = 1180, .height = 576, .place = {3, 0}, .t = t});
  };
  const figure::Figure filled = at(layer::kFilled), lit = at(layer::kLit - 0.03F), end = at(1);
  for (int j = 0; j < 4; ++j)
    CHECK(std::get<figure::MatrixCells>(filled.find("key." + std::to_string(j) + ".cells")->shape).range.tensor == "K");
  CHECK(light_of(filled).beams[0].intensity == 0);
  CHECK(light_of(lit).beams[0].intensity > 0.9F * light_of(end).beams[0].intensity);
  CHECK(lit.find("pour.0")->opacity == 0);
  CHECK(end.find("pour.0")->opacity == 1);
}

TEST_CASE("layer's machine: a query has as many numbers as what it is compared with, at every moment") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (float t = 0; t <= 1; t += 0.02F) {
    CAPTURE(t);
    const figure::Figure figure = layer::draw(state, trace, {.width = 1180, .height = 576, .place = {3, 0}, .t = t});
    const auto columns = [&](const std::string& id) {
      const figure::Element* cells = figure.find(id);
      return cells == nullptr ? 0 : std::get<figure::MatrixCells>(cells->shape).range.columns;
    };
    const int compared = columns("key.3.cells");
    for (int query = 0; query < 3; ++query) {
      const std::string id = "query." + std::to_string(query) + ".cells";
      // Numbers that are as many as those of keys are there when the last key is.
      CHECK(columns(id) == (compared == 4 ? 4 : 6));
    }
    CHECK(figure::plain(std::get<figure::FormulaBox>(figure.find("focus")->shape).formula)
              .contains(std::to_string(compared)));
  }
  CHECK(layer::narrate(state, trace, {.place = {3, 0}, .t = 0.3F}).contains("4 numbers, not 6"));
}

TEST_CASE("layer's machine: no share is told that is of no query") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const int step : {2, 3, 4, 5})
    for (float t = 0; t <= 1; t += 0.02F) {
      CAPTURE(step);
      CAPTURE(t);
      const figure::Figure figure =
          layer::draw(state, trace, {.width = 1180, .height = 576, .place = {step, 0}, .t = t});
      for (const figure::Element& told : figure.elements) {
        const auto* words = std::get_if<figure::Text>(&told.shape);
        if (words == nullptr || !told.source || !told.source->tensor.starts_with("A") || told.opacity == 0) continue;
        const Matrix& A = trace.at(told.source->tensor).values;
        const auto row = A.row(told.source->row);
        CHECK(words->text == share_text({row.data(), static_cast<std::size_t>(A.cols())}, told.source->column));
      }
    }
}

TEST_CASE("layer's machine: each mix is in the large frame before it goes from there to its row") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase})
    for (const float width : {1180.F, 390.F}) {
      const State state = preset(which);
      const Trace trace = layer::compute(state, {});
      const std::string large = which == Preset::video ? "output.mix" : "Y";
      const int count = trace.at("Y").rows();
      std::vector<bool> poured(static_cast<std::size_t>(count)), gone = poured;
      for (float t = 0; t <= 1; t += 0.005F) {
        CAPTURE(t);
        const figure::Figure figure =
            layer::draw(state, trace, {.width = width, .height = 576, .place = {2, 0}, .t = t});
        const figure::Rect frame = figure.find("output.box")->rect;
        const int asks = light_of(figure).beams.front().row;
        for (int i = 0; i < count; ++i) {
          const auto at = static_cast<std::size_t>(i);
          const figure::Element* small = figure.find("output.all." + std::to_string(i) + ".edge");
          if (small == nullptr) continue;
          CHECK((small->opacity < 1 || poured[at]));
          // It begins as large as the frame.
          if (!gone[at]) CHECK(small->rect.w > 0.8F * frame.w);
          gone[at] = true;
        }
        const figure::Element* mix = figure.find(large);
        if (mix != nullptr && mix->opacity > 0.95F) poured[static_cast<std::size_t>(asks)] = true;
      }
      CHECK(std::ranges::all_of(gone, [](bool is) { return is; }));
    }
}

TEST_CASE(
    "layer's machine: while many ask in turn the large frame is never empty, and before it says what will be there") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (float t = 0.01F; t < 1; t += 0.01F) {
    CAPTURE(t);
    const figure::Figure many =
        draw_moment(*find("layer"), state, trace, {.width = 1180, .height = 576, .place = {2, 0}, .t = t});
    const figure::Element* mix = many.find("output.mix");
    REQUIRE(mix != nullptr);
    CHECK((many.find("awaited") != nullptr || mix->opacity > 0.2F));
    const figure::Figure one = layer::draw(state, trace, {.width = 1180, .height = 576, .place = {1, 0}, .t = t});
    CHECK((one.find("awaited") != nullptr || one.find("output.mix")->opacity > 0.2F));
  }
}

TEST_CASE("layer's machine: the lamp never shines from an empty card") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase})
    for (int query = 0; query < 4; ++query)
      for (const int step : {4, 5})
        for (float t = layer::kDark + 0.01F; t <= 1; t += 0.01F) {
          CAPTURE(step);
          CAPTURE(t);
          State state = preset(which);
          state.query = query;
          const figure::Figure figure = draw_moment(*find("layer"), state, layer::compute(state, {}),
                                                    {.width = 1180, .height = 576, .place = {step, 0}, .t = t});
          const float y = light_of(figure).beams[0].from.y;
          if (light_of(figure).beams[0].intensity == 0) continue;
          float seen = 0;
          for (int i = 0; i < 4; ++i) {
            const figure::Element *card = figure.find("query." + std::to_string(i)),
                                  *words = figure.find("query." + std::to_string(i) + ".words");
            if (card != nullptr && words != nullptr &&
                card->rect.inset(-card->rect.h / 2).contains({card->rect.centre().x, y}))
              seen = std::max(seen, words->opacity);
          }
          CHECK(seen > 0.1F);
        }
}

TEST_CASE(
    "layer's machine: a score is made of products, number by number, then scores share the light, then it shines") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase, Preset::translate})
    for (const float width : {1180.F, 390.F}) {
      const State state = preset(which);
      const Trace trace = layer::compute(state, {});
      const Matrix &products = trace.at("q_x").values, &scores = trace.at("e").values;
      for (int j = 0; j < 4; ++j)
        CHECK(products.row(j).sum() / std::sqrt(static_cast<float>(products.cols())) ==
              doctest::Approx(scores(0, j)).epsilon(1e-4).scale(1));
      const auto at = [&](float t) {
        return layer::draw(state, trace, {.width = width, .height = 576, .place = {1, 0}, .t = t});
      };
      float asked = 2, multiplied = 2, told = 2, shared = 2, shone = 2;  // when each is seen first
      for (float t = 0; t < 1; t += 0.01F) {
        CAPTURE(t);
        const figure::Figure figure = at(t);
        const auto first = [&](float& when, bool seen) { when = seen ? std::min(when, t) : when; };
        const figure::Element* tile = figure.find("e[0,0]");
        first(asked, figure.find("made.0.asks.0") != nullptr);
        first(multiplied, figure.find("made.0.product.0") != nullptr);
        // First it is the sum of all products, then their root is divided by.
        if (tile != nullptr && told > 1)
          CHECK(std::stof(std::get<figure::Text>(tile->shape).text) ==
                doctest::Approx(products.row(0).sum()).epsilon(0.01).scale(1));
        first(told, tile != nullptr);
        // From then on it is never away while it is made.
        if (tile == nullptr) CHECK((told > 1 || shone <= t));
        if (tile != nullptr) first(shared, std::get<figure::Text>(tile->shape).text.find('%') != std::string::npos);
        for (const figure::Light::Beam& beam : light_of(figure).beams)
          first(shone, figure.find(std::string(kLightId))->opacity * beam.intensity > 0.01F);
        // The others follow.
        if (figure.find("made.3.product.0") != nullptr) CHECK(tile != nullptr);
      }
      CHECK(asked < multiplied);
      CHECK(multiplied < told);
      CHECK(told < shared);
      CHECK(shared < shone);
      CHECK(shone < 0.8F);
      for (const figure::Element& element : at(1).elements) CHECK_FALSE(element.id.starts_with("made."));
    }
}
