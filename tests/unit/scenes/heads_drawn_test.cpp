// What holds for Heads' pictures: lamps, ribbons and strips say their numbers by their size, and move to where they
// belong.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scenes/heads/parts.h"
#include "unit/fonts.h"
#include "unit/scenes/heads_support.h"

using namespace limelight;
using namespace limelight::test;

TEST_CASE("heads: queries, keys and values are cut at the same places, and their matrices have a part for each head") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const figure::Figure figure = drawn(state, "split");
    for (int h = 1; h <= state.heads; ++h) {
      const std::string head = "head." + std::to_string(h);
      const figure::Rect query = figure.find(head + ".Q.edge")->rect;
      for (const char* letter : {"K", "V"}) {
        const figure::Rect part = figure.find(head + "." + letter + ".edge")->rect;
        CHECK(part.x == query.x);
        CHECK(part.w == query.w);
        CHECK(part.h == query.h);
      }
      for (const std::string name : {"W_Q", "W_K", "W_V"}) {
        const figure::Element* part = figure.find(h == 1 ? name : name + ".head." + std::to_string(h));
        REQUIRE(part != nullptr);
        CHECK(part->edit->field == name);
        const figure::Rect whole = figure.find(name)->rect;  // the first head's
        CHECK(part->rect.x == doctest::Approx(whole.x + whole.w * static_cast<float>(h - 1)));
        CHECK(std::get<figure::MatrixCells>(part->shape).range.column == (h - 1) * heads::sizes(state).head);
      }
    }
    CHECK(figure.find("X")->edit->field == "X");
    CHECK((figure.find("Z") != nullptr) == state.crossed());
  }
}

TEST_CASE("heads: each head’s part of a number begins where the one before it ended, and the last ends at the number") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = heads::compute(state, {});
    const int row = heads::query_row(state), size = heads::sizes(state).head;
    for (int j = 0; j < heads::sizes(state).model; ++j) {
      const View view{
          .width = 1208, .height = 560, .place = {step("join"), 0}, .hovered = figure::cell_id({"Y", row, j})};
      const figure::Figure figure = heads::draw(state, trace, view);
      const auto part = [&](const std::string& name) {
        return figure.find(figure::cell_id({name, row, j}) + ".part")->rect;
      };
      const float zero = figure.find("sum.zero")->rect.centre().y, whole = values(trace, "Y")(row, j);
      const figure::Rect sum = part("Y");
      const float unit = (whole < 0 ? sum.bottom() - zero : zero - sum.y) / std::abs(whole);
      float at = zero;
      for (int h = 0; h < state.heads; ++h) {
        const figure::Rect rect = part(of_head("Y", h));
        const float value = values(trace, of_head("Y", h))(row, j);
        CHECK(std::abs((value < 0 ? rect.y : rect.bottom()) - at) < 1.5F);
        if (std::abs(value) * unit > 2) CHECK(rect.h == doctest::Approx(std::abs(value) * unit).epsilon(0.02));
        at -= value * unit;
        // It stands below its cells of W_O, and these below the head's output.
        const figure::Element* cells = figure.find(h == 0 ? "W_O" : "W_O.head." + std::to_string(h + 1));
        const auto& range = std::get<figure::MatrixCells>(cells->shape).range;
        CHECK(range.row == h * size);
        CHECK(range.column == j);
        const figure::Rect box = figure.find("head." + std::to_string(h + 1) + ".box.edge")->rect;
        CHECK(cells->rect.y > box.bottom());
        CHECK(std::abs(cells->rect.centre().x - box.centre().x) < 1);
        CHECK(std::abs(rect.centre().x - box.centre().x) < 1);
      }
      CHECK(std::abs(at - (whole < 0 ? sum.bottom() : sum.y)) < 1.5F);
    }
  }
}

TEST_CASE("heads: one head after the other comes to its part, then the sum, then all numbers") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  const auto there = [&](float t) {
    const figure::Figure figure = drawn_at(state, trace, "join", t);
    int parts = 0;
    for (const figure::Element& element : figure.elements) parts += element.id.starts_with("made.part.") ? 1 : 0;
    return std::tuple(parts, figure.find("made.said") != nullptr, figure.find("Y.column.0")->rect.h > 1);
  };
  CHECK(there(0) == std::tuple(0, false, false));
  CHECK(std::get<0>(there(0.4F)) < state.heads);
  for (float t = 0.1F; t <= 1; t += 0.1F) CHECK(std::get<0>(there(t)) >= std::get<0>(there(t - 0.1F)));
  CHECK(there(0.85F) == std::tuple(state.heads, true, false));
  CHECK(there(1) == std::tuple(state.heads, true, true));
}

TEST_CASE("heads: a cut head’s ribbons end early, the others reach the output, which stands beside its ghost") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"off_2", "on"}});
  const figure::Figure figure = drawn(state, "without");
  const auto alpha = [&](const char* id) {
    return std::get<figure::Ribbon>(figure.find(id)->shape).stops.back().colour.a;
  };
  CHECK(alpha("head.2.ribbon") == 0);
  for (const char* id : {"head.1.ribbon", "head.3.ribbon", "head.4.ribbon"}) CHECK(alpha(id) > 0);
  CHECK(figure.find("Y.ghost") != nullptr);
  CHECK(figure.find("switch.2")->edit->value == "off");
  CHECK(drawn(preset(Preset::cat), "without").find("Y.ghost") == nullptr);
  const std::string told = heads::narrate(state, heads::compute(state, {}), {.place = {step("without"), 0}});
  CHECK(told.find("From **sat** it looks mostly to **sat**") != std::string::npos);
}

TEST_CASE("heads: an example without the encoder shows at first what its largest part leaves behind") {
  for (const Preset which : {Preset::cat, Preset::apple, Preset::crossed}) {
    State state;
    state.preset = which;
    state = state.example();
    const Trace trace = heads::compute(state, {});
    Eigen::Index most = 0;
    values(trace, "part").row(0).maxCoeff(&most);
    CHECK(heads::only_off(state) == most);
  }
}

TEST_CASE("heads: a switch moves before anything else, then its head’s ribbon, then the output") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"off_2", "on"}});
  const Trace trace = heads::compute(state, {});
  const auto at = [&](float t) {
    const figure::Figure figure = drawn_at(state, trace, "without", t);
    const auto& ribbon = std::get<figure::Ribbon>(figure.find("head.2.ribbon")->shape);
    return std::tuple(figure.find("switch.2.knob")->rect.x, ribbon.stops.back().colour.a,
                      figure.find("Y_now.column.7")->rect.h);
  };
  const auto before = at(0), first = at(0.08F), second = at(0.4F), after = at(1);
  CHECK(std::get<0>(first) < std::get<0>(before));
  CHECK(std::get<1>(first) == std::get<1>(before));
  CHECK(std::get<1>(second) == 0);
  CHECK(std::get<2>(second) == std::get<2>(before));
  CHECK(std::get<2>(after) != std::get<2>(before));
}

TEST_CASE("heads: a row’s pieces leave it, and of the mask’s maps whole rows are there") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  for (float t = 0.05F; t < 1; t += 0.1F) {
    const figure::Figure split = drawn_at(state, trace, "split", t), mask = drawn_at(state, trace, "mask", t);
    const figure::Element *row = split.find("Q"), *piece = split.find("head.1.Q.edge"), *M = mask.find("M[0,0]");
    // What has begun to fall has left its place in the row pale.
    const figure::Element* column = split.find("Q.column.0");
    if (column != nullptr && piece->rect.y > row->rect.y + 1) CHECK(column->opacity < 1);
    const float rows = M->clip->h / (M->rect.h + 2);
    CHECK(std::abs(rows - std::round(rows)) < 0.01F);
  }
}

TEST_CASE("heads: what is drawn of the output is the sum of what the heads that are on add, and nothing else") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll)
    for (const char* id : {"join", "without"}) {
      const State state = with(which, {{"off_1", "on"}});
      const Trace trace = heads::compute(state, {});
      const figure::Figure figure = drawn(state, id);
      const std::string name = id == std::string("join") ? "Y" : "Y_now";
      const figure::Element* bar = figure.find(name);
      REQUIRE(bar != nullptr);
      const int row = heads::query_row(state);
      const float most = values(trace, "Y").row(row).cwiseAbs().maxCoeff();
      for (int j = 0; j < state.d_model; ++j) {
        const figure::Element* column = figure.find(name + ".column." + std::to_string(j));
        REQUIRE(column != nullptr);
        const float value = values(trace, name)(row, j), middle = bar->rect.centre().y;
        const float high = value < 0 ? column->rect.y - middle - column->rect.h : middle - column->rect.y;
        const float wanted = value / most * bar->rect.h / 2;
        if (std::abs(wanted) > 1) CHECK(std::abs(std::abs(high) - std::min(std::abs(wanted), bar->rect.h / 2)) < 0.51F);
      }
    }
}

TEST_CASE("heads: the heads’ outputs side by side are as wide as the output, and share that width evenly") {
  REQUIRE(test::load_fonts());
  for (const char* count : {"1", "2", "4", "8"}) {
    const State state = with(Preset::cat, {{"heads", count}});
    const figure::Figure figure = drawn(state, "without");
    const figure::Rect output = figure.find("Y_now")->rect;
    float left = 1e9F, right = 0;
    for (int h = 0; h < state.heads; ++h) {
      const figure::Rect segment = figure.find("head." + std::to_string(h + 1) + ".box.edge")->rect;
      left = std::min(left, segment.x);
      right = std::max(right, segment.right());
      CHECK(segment.w == doctest::Approx(output.w / static_cast<float>(state.heads)).epsilon(0.1));
    }
    CHECK(std::abs(left - output.x) < 4);
    CHECK(std::abs(right - output.right()) < 4);
  }
}

TEST_CASE("heads: in the mixture each word’s ribbon is as wide as its weight where it ends") {
  REQUIRE(test::load_fonts());
  for (int h = 0; h < 4; ++h) {
    const State state = with(Preset::cat, {{"head", std::to_string(h + 1)}});
    const Trace trace = heads::compute(state, {});
    const figure::Figure figure = drawn(state, "outputs");
    const float room = figure.find("head." + std::to_string(h + 1) + ".box.edge")->rect.w - 6;
    for (int j = 0; j < 7; ++j) {
      const auto& ribbon = std::get<figure::Ribbon>(
          figure.find("head." + std::to_string(h + 1) + ".stream." + std::to_string(j))->shape);
      const float wide = ribbon.other.back().x - ribbon.one.back().x;
      CHECK(std::abs(wide - room * values(trace, of_head("A", h))(state.query, j)) < 1);
    }
  }
}

TEST_CASE("heads: the one lamp’s weights are nearest to all heads’, and no word gets what a head of its own gives it") {
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = heads::compute(state, {});
    const Matrix& mean = values(trace, "A_mean");
    const auto apart_from_all = [&](const Matrix& one) {
      float sum = 0;
      for (int h = 0; h < state.heads; ++h) sum += (values(trace, of_head("A", h)) - one).squaredNorm();
      return sum;
    };
    Matrix most = mean;
    for (int h = 0; h < state.heads; ++h) {
      const Matrix& A = values(trace, of_head("A", h));
      CHECK(apart_from_all(mean) <= apart_from_all(A));
      CHECK(apart_from_all(mean) <= apart_from_all(0.9F * mean + 0.1F * A) + 1e-5F);
      most = most.cwiseMax(A);
    }
    CHECK((most - mean).minCoeff() >= -1e-6F);
  }
}

TEST_CASE(
    "heads: over the one lamp’s words every head that looks at one most stands at it, small where another does more") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"heads", "8"}, {"head_4", "previous"}});
  const Trace trace = heads::compute(state, {});
  const figure::Figure figure = drawn(state, "one");
  for (int h = 0; h < state.heads; ++h) {
    Eigen::Index most = 0;
    if (values(trace, of_head("A", h)).row(heads::query_row(state)).maxCoeff(&most) < 0.1F) continue;
    CAPTURE(h);
    const std::string start = "head." + std::to_string(h + 1) + ".wish.";
    CHECK(std::ranges::any_of(figure.elements, [&](const auto& element) {
      return element.id.starts_with(start) && element.edit && element.edit->value == std::to_string(h + 1);
    }));
  }
}

TEST_CASE("heads: the one lamp, turned to one head, fills that head’s word and leaves the others’ dark") {
  REQUIRE(test::load_fonts());
  State state = preset(Preset::cat);  // sat: cat before it, itself, The first
  const auto filled = [&](int word) {
    const figure::Figure figure = drawn(state, "one");
    const std::string key = "wish." + std::to_string(word);
    const figure::Element* given = figure.find(key + ".given");
    REQUIRE(given != nullptr);
    return given->rect.h;
  };
  const float shared = filled(1);
  const figure::Figure figure = drawn(state, "one");
  const figure::Element* disc = figure.find("head.1.wish.1");
  REQUIRE(disc != nullptr);
  REQUIRE(change(state, {{disc->edit->field, disc->edit->value}}));
  CHECK(state.head == 1);
  CHECK(filled(1) > 3 * shared);
  CHECK(filled(0) < shared / 3);
  CHECK(filled(2) < shared / 3);
}

TEST_CASE("heads: one lamp is lit at a time, the others show in their colours where they look") {
  REQUIRE(test::load_fonts());
  State state = preset(Preset::cat);
  const auto lit = [&] {
    const figure::Figure figure = drawn(state, "weights");
    std::set<int> hinted;
    for (const figure::Element& element : figure.elements)
      if (element.id.find(".hint.") != std::string::npos) hinted.insert(element.id[5] - '0');
    for (int h = 1; h <= state.heads; ++h)
      if (!hinted.contains(h)) {
        CHECK(hinted.size() == static_cast<std::size_t>(state.heads - 1));
        CHECK(std::get<figure::Light>(figure.find("stage.light")->shape).tensor == of_head("A", h - 1));
        return h;
      }
    return 0;
  };
  const int clearest = lit();
  CHECK(clearest == 1);  // of those that look from the word to another one
  const figure::Figure figure = drawn(state, "weights");
  const figure::Element* lamp = figure.find("head.3.lamp");
  REQUIRE(lamp != nullptr);
  const io::Patch press{{lamp->edit->field, lamp->edit->value}};
  REQUIRE(change(state, press));
  CHECK(state.head == 3);
  CHECK(lit() == 3);
  CHECK(drawn(state, "weights").find("head.3.lamp")->edit->value == "0");
  // While another one is pointed at it is lit instead, and told.
  const Trace trace = heads::compute(state, {});
  const View view{.width = 1208, .height = 560, .place = {step("weights"), 0}, .hovered = "head.2.lamp"};
  CHECK(std::get<figure::Light>(heads::draw(state, trace, view).find("stage.light")->shape).tensor == "A_2");
  CHECK(heads::narrate(state, trace, view).starts_with("**Head 2** looks from **sat**"));
}

TEST_CASE("heads: one lamp becomes several: its light is the mean at first, and one head’s in the end") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  const auto brightest = [&](float t) {
    const figure::Figure figure =
        heads::draw(state, trace, {.width = 1208, .height = 560, .place = {step("weights"), 0}, .t = t});
    float most = 0;
    for (const auto& beam : std::get<figure::Light>(figure.find("stage.light")->shape).beams)
      most = std::max(most, beam.intensity);
    const float apart = figure.find("head.4.lamp")->rect.x - figure.find("head.1.lamp")->rect.x;
    return std::pair(most, apart);
  };
  CHECK(brightest(0).second == doctest::Approx(0));
  CHECK(brightest(0).first < 0.6F * brightest(1).first);
  for (float t = 0.1F; t <= 1; t += 0.1F) {
    CHECK(brightest(t).first >= brightest(t - 0.1F).first);
    CHECK(brightest(t).second >= brightest(t - 0.1F).second);
  }
}

TEST_CASE("heads: while a head is cut its ribbons draw back, and the output goes from the whole one to what is left") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"off_2", "on"}});
  const Trace trace = heads::compute(state, {});
  const auto column = [&](float t) {
    const figure::Figure figure =
        heads::draw(state, trace, {.width = 1208, .height = 560, .place = {step("without"), 0}, .t = t});
    const auto& stops = std::get<figure::Ribbon>(figure.find("head.2.ribbon")->shape).stops;
    const auto end = std::ranges::find_if(stops, [](const auto& stop) { return stop.colour.a == 0; });
    return std::pair(figure.find("Y_now.column.7")->rect.h, end == stops.end() ? 1.F : end->at);
  };
  const float whole = values(trace, "Y")(state.query, 7), left = values(trace, "Y_now")(state.query, 7);
  CHECK(column(1).first / column(0).first == doctest::Approx(left / whole).epsilon(0.05));
  for (float t = 0.3F; t < 1; t += 0.1F) CHECK(column(t).second <= column(t - 0.1F).second);
  CHECK(column(1).second < column(0).second);
}

TEST_CASE("heads: what another lamp gives is as wide, across its way, as its weight") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  const figure::Figure figure = drawn(state, "weights");
  float unit = 0;
  for (const figure::Element& element : figure.elements) {
    if (element.id.find(".hint.") == std::string::npos) continue;
    const auto& way = std::get<figure::Ribbon>(element.shape);
    const figure::Point hint[] = {way.one[0], way.other[0], way.other[1], way.one[1]};
    // It ends in its pool on the floor.
    std::string falls = element.id;
    const figure::Element* pool = figure.find(falls.replace(falls.find(".hint."), 6, ".pool."));
    REQUIRE(pool != nullptr);
    CHECK(std::abs((hint[2].y + hint[3].y) / 2 - pool->rect.centre().y) < 1);
    CHECK(std::abs((hint[2].x + hint[3].x) / 2 - pool->rect.centre().x) < 1);
    const int head = element.id[5] - '1', word = element.id.back() - '0';
    const float wide =
        std::hypot(hint[2].x - hint[3].x, hint[2].y - hint[3].y) / values(trace, of_head("A", head))(state.query, word);
    if (unit == 0) unit = wide;
    CHECK(wide == doctest::Approx(unit).epsilon(0.01));
    const figure::Point along = {hint[2].x + hint[3].x - hint[0].x - hint[1].x,
                                 hint[2].y + hint[3].y - hint[0].y - hint[1].y};
    CHECK(std::abs(along.x * (hint[2].x - hint[3].x) + along.y * (hint[2].y - hint[3].y)) < 1);
  }
  CHECK(unit > 0);
}

TEST_CASE("heads: the word that is pointed at asks where its outputs are joined, too") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  for (const char* id : {"join", "without"}) {
    const View view{.width = 1208, .height = 560, .place = {step(id), 0}, .hovered = "stage.word.1"};
    const figure::Figure figure = heads::draw(state, trace, view);
    const figure::Element* output = figure.find(id == std::string("join") ? "Y" : "Y_now");
    REQUIRE(output != nullptr);
    CHECK(std::get<figure::MatrixCells>(output->shape).range.row == 1);
  }
}

TEST_CASE("heads: of heads of which one is switched off, that one is lit at first, through the whole story") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"off_3", "on"}});
  for (const char* id : {"weights", "outputs"})
    CHECK(std::get<figure::Light>(drawn(state, id).find("stage.light")->shape).tensor == "A_3");
  CHECK(heads::only_off(state) == 2);
  CHECK(heads::only_off(preset(Preset::cat)) == -1);
  CHECK(heads::only_off(with(Preset::cat, {{"off_1", "on"}, {"off_3", "on"}})) == -1);
  CHECK(heads::only_off(with(Preset::cat, {{"off_3", "on"}, {"heads", "2"}})) == -1);
}

TEST_CASE("heads: outputs fill while the light comes") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"d_model", "24"}});
  const Trace trace = heads::compute(state, {});
  for (int j = 0; j < heads::sizes(state).head; ++j) {
    const auto high = [&](float t) {
      return drawn_at(state, trace, "outputs", t, 756).find("O_1.column." + std::to_string(j))->rect.h;
    };
    for (float t = 0.2F; t <= 1; t += 0.2F) CHECK(high(t) >= high(t - 0.2F));
    if (high(1) > 3) CHECK(high(0.4F) > 0.15F * high(1));
  }
}

TEST_CASE("heads: a row of numbers falls into the heads’ pieces, each from below its own share") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = heads::compute(state, {});
    for (const std::string letter : {"Q", "K", "V"}) {
      const auto piece = [&](float t, int h) {
        return drawn_at(state, trace, "split", t).find("head." + std::to_string(h + 1) + "." + letter + ".edge")->rect;
      };
      const figure::Figure figure = drawn_at(state, trace, "split", 1);
      const figure::Rect whole = figure.find(letter)->rect;
      const float share = whole.w / static_cast<float>(state.heads);
      for (int h = 0; h < state.heads; ++h) {
        CHECK(piece(0, h).y == doctest::Approx(whole.y));
        CHECK(piece(0.3F, h).y == piece(0, h).y);  // it is cut before it falls
        if (h > 0) {
          CHECK(piece(0.6F, h).y <= piece(0.6F, h - 1).y);
          CHECK(figure.find(letter + ".cut." + std::to_string(h)) != nullptr);
        }
        CHECK(piece(1, h).y > whole.bottom());
        const auto& fall = std::get<figure::Area>(figure.find(letter + ".fall." + std::to_string(h))->shape).points;
        CHECK(fall[0].x == doctest::Approx(whole.x + share * static_cast<float>(h) + 1));
        CHECK(fall[1].x == doctest::Approx(whole.x + share * static_cast<float>(h + 1) - 1));
      }
    }
  }
}
