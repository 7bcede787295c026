// What holds for Heads' numbers: the layer is the core's, a pattern looks where it says, a mask hides, and a head that
// is switched off takes away exactly what it contributed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/layer.h"
#include "figure/formula.h"
#include "io/numbers.h"
#include "unit/fonts.h"
#include "unit/scenes/heads_support.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::test;

namespace {

io::Patch all_computed() {
  io::Patch patch;
  for (int h = 0; h < heads::kMostHeads; ++h) patch.emplace_back(of_head("head", h), "computed");
  return patch;
}

// The core's layer from the numbers that the trace shows.
Matrix naive_layer(const State& state, const Trace& trace, const Mask& mask) {
  const Matrix& other = values(trace, state.crossed() ? "Z" : "X");
  return multi_head_naive<float>(
      {.query = values(trace, "X"), .key = other, .value = other},
      {.heads = state.heads,
       .key_heads = state.heads,
       .w_q = values(trace, "W_Q"),
       .w_k = values(trace, "W_K"),
       .w_v = values(trace, "W_V"),
       .w_o = values(trace, "W_O")},
      {.scale = 1 / std::sqrt(static_cast<double>(state.d_model / state.heads)), .mask = mask});
}

// Single precision through a softmax and two products of entries below 16.
constexpr double kTight = 1e-5;

}  // namespace

TEST_CASE(
    "heads: computed heads are those of the core's naive layer, for every head count, self and cross, masked too") {
  const std::pair<const char*, Mask> masks[] = {
      {"none", Mask::none()}, {"causal", Mask::causal()}, {"padding", Mask::length(2)}, {"window", Mask::window(1)}};
  for (const Preset which : kPresetsOfAll)
    for (const int count : {1, 2, 3, 4, 6, 8})
      for (const auto& [name, mask] : masks) {
        io::Patch patch = all_computed();
        patch.insert(patch.end(), {{"heads", std::to_string(count)}, {"d_model", "24"}, {"mask", name}});
        if (mask.range(0, 9).end == 2) patch.emplace_back("length", "2");
        const State state = with(which, patch);
        const Trace trace = heads::compute(state, {});
        CAPTURE(count);
        CAPTURE(name);
        CHECK(apart(values(trace, "Y"), naive_layer(state, trace, mask)) < kTight);
      }
}

TEST_CASE("heads: rows of weights sum to 1, or are 0 where everything is hidden") {
  for (const Preset which : kPresetsOfAll)
    for (const char* mask : {"none", "causal", "padding", "window"})
      for (const char* length : {"0", "3"}) {
        const State state = with(which, {{"mask", mask}, {"length", length}});
        const Trace trace = heads::compute(state, {});
        const BoolMatrix seen = heads::allowed(state);
        for (int h = 0; h < state.heads; ++h) {
          const Matrix& A = values(trace, of_head("A", h));
          for (Eigen::Index i = 0; i < A.rows(); ++i) {
            const bool blind = seen.row(i).count() == 0;
            CHECK(A.row(i).sum() == doctest::Approx(blind ? 0 : 1));
            if (blind) CHECK(values(trace, of_head("O", h)).row(i).isZero(0));
            for (Eigen::Index j = 0; j < A.cols(); ++j)
              if (!seen(i, j)) CHECK(A(i, j) == 0);
          }
        }
        if (state.mask == heads::Masking::padding && state.length == 0) CHECK(values(trace, "Y").isZero(0));
      }
}

TEST_CASE("heads: every pattern looks where its name says") {
  const std::vector<std::string> words = heads::query_words(preset(Preset::cat));  // The cat sat on the mat .
  const auto looks_at = [](const char* pattern, int row) {
    const Trace trace = heads::compute(with(Preset::cat, {{"head_1", pattern}}), {});
    Eigen::Index best = 0;
    values(trace, "A_1").row(row).maxCoeff(&best);
    return static_cast<int>(best);
  };
  REQUIRE(words.size() == 7);
  for (int i = 0; i < 7; ++i) {
    CHECK(looks_at("previous", i) == std::max(i - 1, 0));
    CHECK(looks_at("first", i) == 0);
    CHECK(looks_at("hand", i) == 0);  // all equal
  }
  const Trace same = heads::compute(with(Preset::cat, {{"head_1", "same"}}), {});
  CHECK(values(same, "A_1")(0, 0) == values(same, "A_1")(0, 4));  // The, the
  CHECK(values(same, "A_1")(0, 0) > 0.4F);
  CHECK(values(same, "A_1")(1, 1) > 0.85F);
  const Trace window = heads::compute(with(Preset::cat, {{"head_1", "window"}}), {});
  CHECK(values(window, "A_1")(3, 2) == values(window, "A_1")(3, 4));
  CHECK(values(window, "A_1")(3, 2) > 10 * values(window, "A_1")(3, 6));
  CHECK(values(heads::compute(with(Preset::cat, {{"head_1", "hand"}}), {}), "A_1").isConstant(1.F / 7));
  // Random: another for each head and each seed.
  const Trace random = heads::compute(with(Preset::cat, {{"head_1", "random"}, {"head_2", "random"}}), {});
  const Trace other = heads::compute(with(Preset::cat, {{"head_1", "random"}, {"seed", "2"}}), {});
  CHECK(apart(values(random, "A_1"), values(random, "A_2")) > 0.1);
  CHECK(apart(values(random, "A_1"), values(other, "A_1")) > 0.1);
}

TEST_CASE("heads: the outputs side by side are C, and the output is the sum of what the heads contribute") {
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = heads::compute(state, {});
    const int size = heads::sizes(state).head;
    Matrix sum = Matrix::Zero(values(trace, "Y").rows(), values(trace, "Y").cols());
    for (int h = 0; h < state.heads; ++h) {
      const Matrix& O = values(trace, of_head("O", h));
      CHECK(values(trace, "C").middleCols(h * size, size) == O);
      CHECK(apart(O, values(trace, of_head("A", h)) * values(trace, "V").middleCols(h * size, size)) < kTight);
      CHECK(values(trace, of_head("Q", h)) == values(trace, "Q").middleCols(h * size, size));
      sum += O * values(trace, "W_O").middleRows(h * size, size);
    }
    CHECK(apart(values(trace, "Y"), sum) < kTight);
    const Trace plain = heads::compute(with(which, {{"mixing", "identity"}}), {});
    CHECK(apart(values(plain, "Y"), values(plain, "C")) < kTight);
  }
}

TEST_CASE("heads: switching one off moves the output by exactly what it contributed, and all off leave nothing") {
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace all = heads::compute(state, {});
    CHECK(only(all, "change") == 0);
    CHECK(values(all, "Y_now") == values(all, "Y"));
    CHECK(only(all, "size") == doctest::Approx(values(all, "Y").norm()));
    State none = state;
    for (int h = 0; h < state.heads; ++h) {
      REQUIRE(change(none, {{of_head("off", h), "on"}}));
      const Trace without = heads::compute(with(which, {{of_head("off", h), "on"}}), {});
      CHECK(values(without, "Y") == values(all, "Y"));
      CHECK(only(without, "change") == doctest::Approx(values(all, "part")(0, h)).epsilon(1e-4));
      CHECK(only(without, "change") > 0.01);
    }
    const Trace nothing = heads::compute(none, {});
    CHECK(values(nothing, "Y_now").isZero(0));
    CHECK(only(nothing, "change") == doctest::Approx(only(all, "size")));
    // Contributions are vectors: together they move the output by no more than the sum of their lengths.
    CHECK(only(all, "size") <= values(all, "part").sum() + 1e-4F);
  }
}

TEST_CASE("heads: when all look alike one head does the same, and else it does not") {
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace own = heads::compute(state, {});
    CHECK(only(own, "apart") > 1e-2);
    const Trace alike = heads::compute(with(which, {{"alike", "on"}}), {});
    CHECK(only(alike, "apart") < kTight);
    for (int h = 1; h < state.heads; ++h) CHECK(values(alike, of_head("A", h)) == values(alike, "A_1"));
    CHECK(values(alike, "A_1") == values(own, "A_1"));
    // The question promises it, also once it is answered.
    const std::optional<Question> question = heads::ask(state, own);
    REQUIRE(question);
    CHECK(question->correct == 0);
    State revealed = state;
    REQUIRE(change(revealed, question->reveal));
    const std::optional<Question> again = heads::ask(revealed, heads::compute(revealed, {}));
    REQUIRE(again);
    CHECK(again->text == question->text);
    REQUIRE(change(revealed, {{again->back.field, again->back.value}}));
    CHECK(!revealed.alike);
  }
  CHECK(!heads::ask(with(Preset::cat, {{"heads", "1"}}), heads::compute(with(Preset::cat, {{"heads", "1"}}), {})));
}

TEST_CASE("heads: while all look alike only the first one's pattern and weights are there to be set") {
  for (const bool alike : {false, true}) {
    const State state = with(Preset::cat, {{"A_3", "1.1:0.5"}, {"alike", alike ? "on" : "off"}});
    for (const io::FieldInfo& info : find("heads")->fields(state))
      for (int h = 0; h < heads::kMostHeads; ++h)
        if (info.field.name == of_head("A", h) || info.field.name == of_head("head", h))
          CHECK(info.field.shown == (h < (alike ? 1 : state.heads)));
    // They are as they were when each has its own again.
    CHECK(values(heads::compute(state, {}), "A_3")(1, 1) ==
          (alike ? values(heads::compute(preset(Preset::cat), {}), "A_1")(1, 1) : 0.5F));
  }
}

TEST_CASE("heads: what a step tells of a head that is off is what it moved") {
  for (const Preset which : kPresetsOfAll)
    for (const io::Patch& patch : {io::Patch{}, io::Patch{{"off_1", "on"}}}) {
      const State state = with(which, patch);
      const Trace trace = heads::compute(state, {});
      const View view{.width = 756, .height = 592, .place = {step("without"), 0}};
      const std::string told = patch.empty() ? io::format_short(static_cast<double>(values(trace, "part").maxCoeff()))
                                             : io::format_percent(only(trace, "change") / only(trace, "size"));
      CHECK(without_marks(heads::narrate(state, trace, view)).find("by " + told) != std::string::npos);
    }
}

TEST_CASE("heads: a weight set by hand stays, and the others of its row share the rest in their proportions") {
  for (const char* mask : {"none", "window"}) {
    const State before = with(Preset::cat, {{"mask", mask}, {"window", "2"}});
    const State state = with(Preset::cat, {{"mask", mask}, {"window", "2"}, {"A_2", "3.2:0.5"}});
    const Matrix was = values(heads::compute(before, {}), "A_2");
    const Trace trace = heads::compute(state, {});
    const Matrix& A = values(trace, "A_2");
    CHECK(A(3, 2) == 0.5F);
    CHECK(A.row(3).sum() == doctest::Approx(1));
    CHECK(A(3, 1) / A(3, 4) == doctest::Approx(was(3, 1) / was(3, 4)));
    CHECK(A.row(2) == was.row(2));
    CHECK(apart(values(trace, "O_2"), A * values(trace, "V_2")) < kTight);
    for (Eigen::Index j = 0; j < 7; ++j)
      if (!heads::allowed(state)(3, j)) CHECK(A(3, j) == 0);
    CHECK(heads::provenance(state).find("Edited by you") != std::string::npos);
    const std::optional<io::Range> room = heads::room(state, "A_2", 3, 1);
    REQUIRE(room);
    CHECK(room->high == doctest::Approx(0.5));
  }
  // The one key that is left has it all, whatever stands in its row.
  const State alone = with(Preset::cat, {{"mask", "causal"}});
  const std::optional<io::Range> all = heads::room(alone, "A_1", 0, 0);
  REQUIRE(all);
  CHECK(all->low == 1);
  CHECK(heads::room(alone, "A_1", 0, 1)->high == 0);
}

TEST_CASE("heads: painting hides and shows single pairs over any mask, in every head, and a link keeps it") {
  const State state = with(Preset::cat, {{"mask", "causal"}, {"M", "0.5:1,3.1:0"}});
  CHECK(heads::allowed(state)(0, 5));
  CHECK(!heads::allowed(state)(3, 1));
  const Trace trace = heads::compute(state, {});
  for (int h = 0; h < state.heads; ++h) {
    CHECK(values(trace, of_head("A", h))(0, 5) > 0);
    CHECK(values(trace, of_head("A", h))(3, 1) == 0);
    CHECK(std::isinf(values(trace, of_head("S", h))(3, 1)));
  }
  State again = preset(Preset::cat);
  REQUIRE(change(again, find("heads")->encode(state)));
  CHECK(again.M == state.M);
  // Another mask begins unpainted.
  REQUIRE(change(again, {{"mask", "none"}}));
  CHECK(again.M.cells.empty());
  // What is hidden is no longer set by hand.
  State set = with(Preset::cat, {{"A_1", "3.1:0.7,2.2:0.2"}});
  REQUIRE(change(set, {{"M", "3.1:0"}}));
  CHECK(set.weights[0].cells.size() == 1);
  CHECK(values(heads::compute(set, {}), "A_1")(3, 1) == 0);
}

TEST_CASE("heads: the mask's cells are buttons that toggle, and what is toggled back is no longer painted") {
  REQUIRE(test::load_fonts());
  State state = with(Preset::cat, {{"mask", "none"}});
  const auto button = [&](const char* id) {
    const figure::Figure figure =
        heads::draw(state, heads::compute(state, {}), {.width = 756, .height = 592, .place = {step("mask"), 0}});
    const figure::Element* found = figure.find(id);
    REQUIRE(found != nullptr);
    REQUIRE(found->edit);
    return io::Patch{{found->edit->field, found->edit->value}};
  };
  REQUIRE(change(state, button("M[2,4]")));
  CHECK(!heads::allowed(state)(2, 4));
  REQUIRE(change(state, button("M[2,4]")));
  CHECK(heads::allowed(state)(2, 4));
  CHECK(state.M.cells.empty());
  CHECK(!state.edited());
}

TEST_CASE("heads: a fully hidden row is said to be so") {
  io::Patch hidden{{"M", ""}, {"query", "2"}};
  for (int j = 0; j < 7; ++j) hidden[0].second += (j > 0 ? ",2." : "2.") + std::to_string(j) + ":0";
  const State state = with(Preset::cat, hidden);
  const Trace trace = heads::compute(state, {});
  CHECK(values(trace, "Y").row(2).isZero(0));
  CHECK(values(trace, "A_1").row(2).isZero(0));
  for (int number = 1; number <= 7; ++number) {
    const std::string told = heads::narrate(state, trace, {.place = {number, 0}});
    CAPTURE(told);
    CHECK(told.ends_with('.'));
    CHECK(told.find("nan") == std::string::npos);
    if (number == step("mask")) CHECK(told.find("sees nothing") != std::string::npos);
  }
  const std::optional<Inspection> weight = heads::inspect(state, trace, {}, "A_1[2,3]");
  REQUIRE(weight);
  CHECK(weight->note.find("hides every key") != std::string::npos);
}

TEST_CASE("heads: cross-attention asks from the first sentence and takes from the second") {
  const State state = preset(Preset::crossed);
  const Trace trace = heads::compute(state, {});
  CHECK(values(trace, "Q").rows() == static_cast<Eigen::Index>(heads::query_words(state).size()));
  CHECK(trace.at("K").row_labels == std::vector<std::string>{"I", "ate", "an", "apple", "."});
  CHECK(apart(values(trace, "V"), values(trace, "Z") * values(trace, "W_V")) < kTight);
  CHECK(values(trace, "A_1").cols() == 5);
  State typed = state;
  REQUIRE(change(typed, {{"other", "one two three"}}));
  CHECK(typed.preset == Preset::own);
  CHECK(typed.text == state.sentence());
  CHECK(values(heads::compute(typed, {}), "A_1").cols() == 3);
  REQUIRE(change(typed, {{"text", "alone"}}));
  CHECK(values(heads::compute(typed, {}), "Y").rows() == 1);
  CHECK(typed.attention == heads::Kind::cross);
}

TEST_CASE("heads: what cannot be is refused in a sentence, and the state stays") {
  std::string many;
  for (int i = 0; i <= heads::kMostWords; ++i) many += "word ";
  for (const io::Patch& patch : {io::Patch{{"heads", "3"}},
                                 io::Patch{{"heads", "5"}},
                                 io::Patch{{"heads", "0"}},
                                 io::Patch{{"heads", "9"}},
                                 io::Patch{{"d_model", "6"}},
                                 io::Patch{{"d_model", "nan"}},
                                 io::Patch{{"text", " "}},
                                 io::Patch{{"other", ""}},
                                 io::Patch{{"text", many}},
                                 io::Patch{{"other", many}},
                                 io::Patch{{"text", std::string(3000, 'a')}},
                                 io::Patch{{"head_1", "next"}},
                                 io::Patch{{"M", "0.0:0.5"}},
                                 io::Patch{{"M", "99.0:0"}},
                                 io::Patch{{"A_1", "0.0:1.5"}},
                                 io::Patch{{"A_1", "0.0:0.7,0.1:0.7"}},
                                 io::Patch{{"A_9", "0.0:1"}},
                                 io::Patch{{"A_1", "0.99:0.5"}},
                                 io::Patch{{"mask", "causal"}, {"A_1", "0.2:0.5"}},
                                 io::Patch{{"W_O", "0.0:inf"}},
                                 io::Patch{{"W_O", "8.0:1"}},
                                 io::Patch{{"length", "-1"}},
                                 io::Patch{{"head", "5"}}}) {
    State state = preset(Preset::own);
    const std::string before = io::write_patch(find("heads")->encode(state));
    CAPTURE(patch.front().first);
    CAPTURE(patch.front().second);
    check_refused(change(state, patch));
    CHECK(io::write_patch(find("heads")->encode(state)) == before);
  }
  State state = preset(Preset::cat);
  const Result<void> refused = change(state, {{"heads", "3"}});
  REQUIRE(!refused);
  CHECK(refused.error().message.find("1, 2, 4 and 8") != std::string::npos);
}

TEST_CASE("heads: equal weights are told as equal, and the origin of the head that is lit is named") {
  const auto told = [](const io::Patch& patch, const char* id) {
    State state = preset(Preset::cat);
    REQUIRE(change(state, patch));
    return heads::narrate(state, heads::compute(state, {}), {.place = {step(id), 0}});
  };
  const auto has = [](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const std::string even = told({{"head_1", "hand"}, {"head", "1"}}, "weights");
  has(even, "**Head 1** looks from **sat** to all words alike (14 % each)");
  has(even, "Head 1 is set by hand.");
  has(told({}, "weights"), "Head 1 is constructed, not trained.");
  has(told({{"head", "4"}}, "weights"), "Head 4 is computed from matrices drawn at random.");
  has(told({{"head_1", "hand"}, {"head", "1"}}, "outputs"), "to all words alike (14 % each)");
  const std::string same = told({{"alike", "on"}, {"head_1", "hand"}}, "weights");
  has(same, "**no word more than another**");
  has(same, "Head 1 is set by hand.");
  // Two sentences whose words never are the same: the pattern finds nothing.
  has(told({{"preset", "crossed"}, {"head_1", "same"}, {"head", "1"}}, "weights"), "to all words alike (20 % each)");
  has(told({{"preset", "crossed"}, {"head", "2"}}, "weights"), "alike to **I**, **ate** and **an** (33 % each)");
  has(told({{"mask", "causal"}, {"head_1", "hand"}, {"head", "1"}}, "weights"),
      "to all words it sees alike (33 % each)");
  has(told({{"mask", "padding"}, {"length", "0"}}, "without"), "The whole output is 0");
}

TEST_CASE("heads: the mask is told by what it hides, also when that is nothing or everything") {
  const auto told = [](const io::Patch& patch) {
    State state = preset(Preset::cat);
    REQUIRE(change(state, patch));
    return heads::narrate(state, heads::compute(state, {}), {.place = {step("mask"), 0}});
  };
  const auto has = [](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(told({{"mask", "none"}}), "every query sees every key");
  has(told({{"mask", "causal"}}), "21 of 49 pairs are hidden");
  has(told({{"mask", "padding"}, {"length", "0"}}), "hides every key");
  has(told({{"mask", "padding"}, {"length", "0"}}), "all 49 pairs are hidden");
  has(told({{"mask", "none"}, {"M", "0.0:0"}}), "1 of 49 pairs is hidden");
}

TEST_CASE("heads: a click on a small map brings its head up, and in any head's row its word") {
  const State state = preset(Preset::cat);
  CHECK(heads::follow(state, {"A_3", 4, 1}) == io::Patch{{"head", "3"}, {"query", "4"}});
  CHECK(heads::follow(state, {"A_1", 2, 0}).empty());
  CHECK(heads::follow(state, {"W_Q", 2, 0}).empty());
  REQUIRE(test::load_fonts());
  const auto at = [&](const char* id) {
    return heads::draw(state, heads::compute(state, {}), {.width = 756, .height = 592, .place = {step(id), 0}});
  };
  for (int h = 0; h < state.heads; ++h) CHECK(at("weights").find(of_head("A", h) + "[2,0]") != nullptr);
  // What is typed goes into the shares below the words.
  const figure::Figure figure = at("mask");
  REQUIRE(figure.find("stage.share.0") != nullptr);
  CHECK(figure.find("stage.share.0")->edit->field == "A_4");
}

TEST_CASE("heads: under every choice each number is explained to its last digit, and each step is told and drawn") {
  REQUIRE(test::load_fonts());
  for (const char* patch :
       {"heads=8&alike=on", "heads=1&d_model=1", "heads=8&d_model=24&mask=causal",
        "preset=crossed&mask=window&window=0", "preset=crossed&mask=padding&length=0&off_1=on&off_3=on",
        "head_4=hand&A_4=1.1:0.9&head=4&colours=row",
        "preset=apple&head_1=random&head_2=random&mixing=identity&off_2=on", "preset=own&text=a&other=b",
        "preset=own&text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p&heads=8&d_model=24"}) {
    State state = preset(Preset::cat);
    const Result<io::Patch> parsed = io::parse_patch(patch);
    REQUIRE(parsed);
    CAPTURE(patch);
    REQUIRE(change(state, *parsed));
    const Trace trace = heads::compute(state, {});
    for (const Tensor& tensor : trace.tensors) {
      CHECK(!tensor.values.hasNaN());
      for (int i = 0; i < tensor.rows(); ++i)
        for (int j = 0; j < tensor.columns(); ++j) {
          CAPTURE(tensor.name);
          const std::optional<Inspection> made = heads::inspect(state, trace, {}, figure::cell_id({tensor.name, i, j}));
          REQUIRE(made);
          CHECK(made->title.starts_with(tensor.name));
          CHECK(!made->lines.empty());
          // The narrowest inspector beside a stage, at its size of formulas.
          for (const figure::Formula& line : made->lines)
            for (const figure::SetFormula& set : figure::set_lines(line, 17, 240)) CHECK(set.width <= 240.5F);
        }
    }
    for (int number = 1; number <= 7; ++number) {
      const std::string told = heads::narrate(state, trace, {.place = {number, 0}});
      CHECK(told.ends_with('.'));
      CHECK(told.find("nan") == std::string::npos);
      // Whatever is pinned, what it comes from is outlined where the step shows it.
      for (const Tensor& tensor : trace.tensors) {
        const std::string pinned = figure::cell_id({tensor.name, tensor.rows() - 1, tensor.columns() - 1});
        CAPTURE(pinned);
        CAPTURE(number);
        const View view{.width = 756, .height = 592, .place = {number, 0}, .pinned = pinned};
        const figure::Figure figure = heads::draw(state, trace, view);
        const bool shown = figure::showing(figure, *figure::parse_cell_id(pinned)) != nullptr;
        if (shown)
          CHECK(std::ranges::any_of(figure.elements, [](const figure::Element& e) {
            return e.id.starts_with("outline.") || e.id.ends_with(".ring");
          }));
      }
      for (const float width : {320.F, 390.F, 720.F, 1200.F}) {
        CAPTURE(width);
        CAPTURE(number);
        const figure::Figure figure = heads::draw(state, trace, {.width = width, .height = 420, .place = {number, 0}});
        std::set<std::string> ids;
        for (const figure::Element& element : figure.elements) {
          CAPTURE(element.id);
          CHECK(element.rect.x >= -0.5F);
          CHECK(element.rect.right() <= width + 0.5F);
          CHECK(element.rect.bottom() <= figure.height);
          if (element.role != figure::Role::none) CHECK(ids.insert(element.id).second);
        }
      }
    }
    State again = preset(Preset::cat);
    REQUIRE(change(again, find("heads")->encode(state)));
    CHECK(io::write_patch(find("heads")->encode(again)) == io::write_patch(find("heads")->encode(state)));
  }
}

TEST_CASE("heads: the formula of the weights says what its scores are: masked, constructed, or Q times K") {
  const auto formula = [](Preset which, const io::Patch& patch, const char* id) {
    const State state = with(which, patch);
    const Trace trace = heads::compute(state, {});
    const std::optional<Inspection> made = heads::inspect(state, trace, {.place = {step(id), 0}}, "");
    REQUIRE(made);
    std::string text;
    for (const figure::Formula& line : made->lines) text += figure::plain(line) + "\n";
    return text + made->note;
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  for (const char* id : {"weights", "outputs", "mask"}) {
    CAPTURE(id);
    io::Patch patch = all_computed();
    const std::string open = formula(Preset::cat, patch, id);
    CHECK(has(open, "√"));
    CHECK_FALSE(has(open, "M"));
    CHECK_FALSE(has(open, "constructed"));
    patch.emplace_back("mask", "causal");
    const std::string masked = formula(Preset::cat, patch, id);
    CHECK(has(masked, "M = 1"));
    CHECK(has(masked, "−∞"));
    patch.emplace_back(of_head("head", 1), "previous");
    const std::string mixed = formula(Preset::cat, patch, id);
    CHECK(has(mixed, "The scores of head 2 are constructed, not computed from Q and K."));
    CHECK(has(mixed, "√"));
    for (int h = 0; h < heads::kMostHeads; ++h) patch.emplace_back(of_head("head", h), "first");
    CHECK_FALSE(has(formula(Preset::cat, patch, id), "√"));
  }
}
