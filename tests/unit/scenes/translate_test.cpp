// The laws of Translate: of the example by hand, and of a model with any weights.
#include "scenes/translate/translate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "figure/formula.h"
#include "io/numbers.h"
#include "learn/evaluation.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/translate/steps.h"
#include "unit/fonts.h"
#include "unit/models.h"
#include "unit/scenes/translate_support.h"

using namespace limelight;
using namespace limelight::scenes;

namespace {

const SceneDef& scene() { return *find("translate"); }

std::any by_hand() {
  std::any state = scene().initial();
  REQUIRE(scene().change(state, {{"preset", "constructed"}}));
  return state;
}

// Of the example by hand, where the patch names no other one.
std::any state_with(const io::Patch& patch) {
  const bool other = io::names(patch, "text") || io::names(patch, "words") || io::names(patch, "preset");
  std::any state = other ? scene().initial() : by_hand();
  const Result<void> changed = scene().change(state, patch);
  REQUIRE_MESSAGE(changed, (changed ? "" : changed.error().message));
  return state;
}

const translate::State& plain(const std::any& state) { return *std::any_cast<translate::State>(&state); }

std::string refusal(const io::Patch& patch) {
  const std::any before = io::names(patch, "text") || io::names(patch, "preset") ? scene().initial() : by_hand();
  std::any state = before;
  const Result<void> changed = scene().change(state, patch);
  CHECK(scene().same(state, before, io::Counted::all));
  return changed ? "" : changed.error().message;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

int step(std::string_view id) { return number_of(scene().steps(), id); }

// In the words that are read.
std::string told(const std::any& state, const Trace& trace, std::string_view id, int part = 0) {
  return without_marks(scene().narrate(state, trace, {.place = {step(id), part}}));
}

}  // namespace

TEST_CASE("translate: every row of weights sums to 1, and the context is the states' mixture by it") {
  const test::Models models;
  for (const char* preset : {"constructed", "agreement", "visit", "committee", "own"})
    for (const char* attention : {"soft", "hard"}) {
      CAPTURE(preset);
      const Trace trace = scene().compute(state_with({{"preset", preset}, {"attention", attention}}), models.inputs());
      const Matrix& weights = trace.at("weights").values;
      const Matrix& h = trace.at("h").values;
      for (int t = 0; t < weights.rows(); ++t) {
        CHECK(weights.row(t).sum() == doctest::Approx(1).epsilon(1e-5));
        CHECK(weights.row(t).minCoeff() >= 0);
        const Matrix context = weights.row(t) * h;
        CHECK((context - trace.at("context").values.row(t)).cwiseAbs().maxCoeff() < 1e-5F);
      }
    }
}

TEST_CASE("translate: step by step the model writes the words that it writes at once, with the same weights") {
  const test::Models models;
  for (const char* preset : {"agreement", "visit", "committee"}) {
    const std::any state = state_with({{"preset", preset}});
    const Trace trace = scene().compute(state, models.inputs());
    std::vector<int> tokens;
    for (const std::string& word : translate::source_tokens(plain(state)))
      tokens.push_back(models.attention().task.source.find(word).value());
    const learn::Decoded decoded = learn::infer(models.attention(), tokens);
    std::vector<std::string> words = learn::words_of(models.attention().task.target, decoded.target);
    if (decoded.stopped) words.emplace_back("[STOP]");
    CHECK(translate::written(trace) == words);
    CHECK((trace.at("weights").values - decoded.weights).cwiseAbs().maxCoeff() < 1e-5F);
  }
}

TEST_CASE("translate: through one vector the example by hand decodes with its last state as every context") {
  REQUIRE(test::load_fonts());
  const std::any state = state_with({{"h", "3.0:0.5"}});
  const Trace trace = scene().compute(state, {});
  const double words[] = {0.1, 0.1, 0.3}, O[] = {80, 120, 150, 170}, b[] = {-16, -36, -56.25, -72.25};
  CHECK(trace.at("bottleneck").values == Matrix{{0.5F}});
  const Tensor& s = trace.at("fixed_s");
  const std::vector<std::string>& wrote = trace.at("fixed").column_labels;
  const std::span<const std::string> known = translate::constructed_target();
  double now = 0.15, added = 0.2;
  for (std::size_t t = 0; t < wrote.size(); ++t) {
    now = std::tanh(0.5 * now + 0.5 + added);
    CHECK(s.values(static_cast<Eigen::Index>(t) + 1, 0) == doctest::Approx(now).epsilon(1e-4));
    const auto logit = [&](std::size_t k) { return now * O[k] + b[k]; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k) best = logit(k) > logit(best) ? k : best;
    CHECK(wrote[t] == known[best]);
    if (best < 3) added = words[best];
  }
  const figure::Figure figure = scene().draw(state, trace, {.place = {step("bottleneck"), 0}});
  for (const auto& [id, tensor] : {std::pair("fixed_h.3", "fixed_h"), std::pair("bottleneck.0", "bottleneck")}) {
    const figure::Element* bar = figure.find(id);
    REQUIRE(bar != nullptr);
    CHECK(std::get<figure::MatrixCells>(bar->shape).range.tensor == tensor);
  }
  CHECK(holds(told(state, trace, "bottleneck"), wrote.front()));
}

TEST_CASE("translate: the bottleneck of a trained example is the model's without attention, its words and its states") {
  REQUIRE(test::load_fonts());
  const test::Models models;
  const std::any state = state_with({{"preset", "visit"}});
  CHECK(scene().needs(state, {step("bottleneck"), 0}).back()->name == translate::kFixed);
  test::Models without_attention;
  without_attention.resources.erase(std::string(translate::kAttention));
  const Trace trace = scene().compute(state, without_attention.inputs());
  std::vector<int> tokens;
  for (const std::string& word : translate::source_tokens(plain(state)))
    tokens.push_back(models.fixed().task.source.find(word).value());
  const learn::Decoded decoded = learn::infer(models.fixed(), tokens);
  std::vector<std::string> words = learn::words_of(models.fixed().task.target, decoded.target);
  if (decoded.stopped) words.emplace_back("[STOP]");
  words.resize(std::min(words.size(), static_cast<std::size_t>(translate::kMostSteps)));
  CHECK(trace.at("fixed").column_labels == words);
  const Matrix &h = trace.at("fixed_h").values, &c = trace.at("bottleneck").values;
  const Eigen::Index half = c.cols() / 2;
  CHECK(c.leftCols(half) == h.bottomRows(1).leftCols(half));
  CHECK(c.rightCols(half) == h.topRows(1).rightCols(half));
  // It is seen and said that both ends go into it.
  const figure::Figure figure = scene().draw(state, trace, {.place = {step("bottleneck"), 0}});
  CHECK(figure.find("back.to.c") != nullptr);
  const auto text_of = [&](const char* id) { return std::get<figure::Text>(figure.find(id)->shape).text; };
  CHECK(holds(text_of("fixed.0"), words.front()));
  CHECK(holds(told(state, trace, "bottleneck"), "half from each end"));
  const std::string formula =
      figure::plain(scene().inspect(state, trace, {.place = {step("bottleneck"), 0}}, "")->lines.front());
  CHECK(holds(formula, "←"));
  CHECK(holds(formula, "→"));
  CHECK(scene().draw(by_hand(), scene().compute(by_hand(), {}), {}).find("back.to.c") == nullptr);
}

TEST_CASE("translate: the inspector names a number as the figure does") {
  const test::Models models;
  const std::any state = state_with({{"preset", "visit"}});
  const Trace trace = scene().compute(state, models.inputs());
  for (const auto& [id, name] : {std::pair("s[0,1]", "s_0 2"), std::pair("weights[4,1]", "a_5 2"),
                                 std::pair("context[2,0]", "c_3 1"), std::pair("bottleneck[0,2]", "c_3")}) {
    CAPTURE(id);
    CHECK(figure::plain(scene().inspect(state, trace, {}, id)->lines.front()).starts_with(std::string(name) + " ="));
  }
}

TEST_CASE("translate: hard attention gives the largest score all") {
  const test::Models models;
  const Trace trace = scene().compute(state_with({{"preset", "agreement"}, {"attention", "hard"}}), models.inputs());
  const Matrix& weights = trace.at("weights").values;
  for (int t = 0; t < weights.rows(); ++t) {
    Eigen::Index best = 0;
    trace.at("scores").values.row(t).maxCoeff(&best);
    CHECK(weights(t, best) == 1);
    CHECK(weights.row(t).sum() == 1);
  }
}

TEST_CASE("translate: the example by hand has the numbers that its formulas give") {
  const Trace trace = scene().compute(by_hand(), {});
  const double h[] = {0.1, 0.2, 0.4, 0.6}, W[] = {-7, -13}, U[] = {10, 10}, v[] = {2, -2};
  const double y[] = {0.2, 0.1, 0.1, 0.3}, O[] = {80, 120, 150, 170}, b[] = {-16, -36, -56.25, -72.25};
  const char* words[] = {"estamos", "comiendo", "pan", "[STOP]"};
  double s = 0.15;
  REQUIRE(translate::written(trace) == std::vector<std::string>(std::begin(words), std::end(words)));
  for (int t = 0; t < 4; ++t) {
    double e[4], sum = 0, c = 0;
    for (int j = 0; j < 4; ++j) {
      e[j] = v[0] * std::tanh(s * W[0] + h[j] * U[0]) + v[1] * std::tanh(s * W[1] + h[j] * U[1]);
      sum += std::exp(e[j]);
      CHECK(trace.at("scores").values(t, j) == doctest::Approx(e[j]).epsilon(1e-4));
    }
    for (int j = 0; j < 4; ++j) c += std::exp(e[j]) / sum * h[j];
    CHECK(trace.at("context").values(t, 0) == doctest::Approx(c).epsilon(1e-4));
    s = std::tanh(0.5 * s + c + y[t]);
    CHECK(trace.at("s").values(t + 1, 0) == doctest::Approx(s).epsilon(1e-4));
    for (int k = 0; k < 4; ++k)
      CHECK(trace.at("logits").values(t, k) == doctest::Approx(s * O[k] + b[k]).epsilon(1e-3));
  }
}

TEST_CASE(
    "translate: a weight set by hand stays, the others keep their proportions, and the words that change are named") {
  const std::any before = by_hand();
  const std::any state = state_with({{"weights", "1.3:0.9"}});
  const Trace was = scene().compute(before, {}), trace = scene().compute(state, {});
  const Matrix& old = was.at("weights").values;
  const Matrix& now = trace.at("weights").values;
  CHECK(now(1, 3) == 0.9F);
  CHECK(now.row(1).sum() == doctest::Approx(1).epsilon(1e-6));
  CHECK(now(1, 0) / now(1, 2) == doctest::Approx(old(1, 0) / old(1, 2)).epsilon(1e-4));
  CHECK(old.row(0) == now.row(0));
  CHECK(translate::written(was)[1] == "comiendo");
  CHECK(translate::written(trace)[1] == "pan");
  CHECK(trace.at("before").column_labels == translate::written(was));
  const std::string text = told(state, trace, "next");
  CHECK(holds(text, "output word 2 was comiendo and became pan"));
  CHECK(!holds(told(before, was, "next"), "became"));
}

TEST_CASE("translate: every number that the example by hand begins with can be set, and what follows from it follows") {
  const Trace was = scene().compute(by_hand(), {});
  struct Set {
    const char *field, *cell, *tensor;
    int row, column;
    const char* follows;
  };
  for (const auto& [field, cell, tensor, row, column, follows] :
       {Set{"h", "0.0", "h", 0, 0, "keys"}, Set{"s", "0.0", "s", 0, 0, "query"}, Set{"W", "0.1", "W", 0, 1, "query"},
        Set{"U", "0.1", "U", 0, 1, "keys"}, Set{"v_a", "1.0", "v_a", 1, 0, "scores"}, Set{"y", "0.1", "y", 0, 1, "s"},
        Set{"w", "0.1", "w", 0, 1, "s"}, Set{"O", "0.2", "O", 0, 2, "logits"}, Set{"b", "0.3", "b", 0, 3, "logits"}}) {
    CAPTURE(field);
    const std::any state = state_with({{field, std::string(cell) + ":0.25"}});
    const Trace trace = scene().compute(state, {});
    CHECK(trace.at(tensor).values(row, column) == 0.25F);
    const Matrix &now = trace.at(follows).values, &then = was.at(follows).values;
    CHECK((now.rows() != then.rows() || now != then));
    CHECK(trace.find("before") != nullptr);
    CHECK(holds(scene().provenance(state), "Edited by you"));
    bool editable = false;  // somewhere in the figure
    for (int at = 1; at <= static_cast<int>(scene().steps().size()); ++at)
      for (int part = 0; part <= std::ssize(scene().steps()[static_cast<std::size_t>(at - 1)].parts); ++part)
        for (const figure::Element& element : scene().draw(state, trace, {.place = {at, part}}).elements)
          editable |= element.edit && element.edit->field == field;
    CHECK(editable);
    CHECK(holds(refusal({{"preset", "agreement"}, {field, std::string(cell) + ":0.25"}}), "trained model"));
  }
}

TEST_CASE("translate: what the untouched example wrote stays to be compared with, whatever is set") {
  const std::vector<std::string> untouched = translate::written(scene().compute(by_hand(), {}));
  for (const io::Patch& patch :
       {io::Patch{{"h", "0.0:0.9"}}, io::Patch{{"W", "0.0:3"}}, io::Patch{{"s", "0.0:-0.9"}}}) {
    CAPTURE(patch.front().first);
    const Trace trace = scene().compute(state_with(patch), {});
    CHECK(trace.at("before").column_labels == untouched);
  }
}

TEST_CASE("translate: a translation of one's own is what the decoder reads") {
  const test::Models models;
  const std::any state = state_with({{"preset", "agreement"}, {"translation", "L'accord a été signé."}});
  const Trace trace = scene().compute(state, models.inputs());
  CHECK(translate::written(trace) == std::vector<std::string>{"l'", "accord", "a", "été", "signé", ".", "[STOP]"});
  // As far as it read what it would have written, and no farther, it finds the same.
  const Trace free = scene().compute(state_with({{"preset", "agreement"}}), models.inputs());
  const std::vector<std::string> wrote = translate::written(free), read = translate::written(trace);
  const auto other = std::ranges::mismatch(wrote, read).in1 - wrote.begin();
  for (std::ptrdiff_t t = 0; t <= other; ++t)
    CHECK(trace.at("logits").values.row(t) == free.at("logits").values.row(t));
  CHECK(trace.at("logits").values.row(other + 1) != free.at("logits").values.row(other + 1));
  const Trace by_hand = scene().compute(state_with({{"translation", "pan pan"}}), {});
  CHECK(translate::written(by_hand) == std::vector<std::string>{"pan", "pan", "[STOP]"});
  CHECK(by_hand.at("y").values(0, 1) == doctest::Approx(0.3));
}

TEST_CASE("translate: of a translation of one's own it is told how much of it the decoder would have written itself") {
  const auto told_of = [](const char* translation) {
    const std::any state = state_with({{"translation", translation}});
    return told(state, scene().compute(state, {}), "alignment");
  };
  CHECK(holds(told_of("estamos comiendo pan"), "your translation, of 3 tokens and [STOP]"));
  CHECK(holds(told_of("estamos comiendo pan"), "the same"));
  CHECK(holds(told_of("pan comiendo pan"), "it would have written another at "));
  CHECK_FALSE(holds(told_of(""), "your translation"));
}

TEST_CASE("translate: words that are looked at alike are told alike") {
  const std::any state = state_with({{"scores", "0.0:2,0.1:2,0.2:0,0.3:0"}});
  CHECK(holds(told(state, scene().compute(state, {}), "weights"), "equally at we and are"));
}

TEST_CASE("translate: gold links are there where the corpus made the sentence and its translation is looked at") {
  const test::Models models;
  const std::string right = "L'accord sur la zone économique européenne a été signé en août 1992.";
  const Trace trace = scene().compute(state_with({{"preset", "agreement"}, {"translation", right}}), models.inputs());
  const Tensor& gold = trace.at("gold");
  const auto link = [&](const char* french, const char* english) {
    for (int t = 0; t < gold.rows(); ++t)
      for (int j = 0; j < gold.columns(); ++j)
        if (gold.row_labels[static_cast<std::size_t>(t)] == french &&
            gold.column_labels[static_cast<std::size_t>(j)] == english && gold.values(t, j) == 1)
          return true;
    return false;
  };
  CHECK(link("zone", "Area"));
  CHECK(link("européenne", "European"));
  CHECK_FALSE(link("européenne", "Economic"));
  CHECK(scene().compute(state_with({{"preset", "agreement"}}), models.inputs()).find("gold") == nullptr);
  CHECK(scene()
            .compute(state_with({{"text", "The law was signed."}, {"translation", "La loi a été signée."}}),
                     models.inputs())
            .find("gold") == nullptr);
}

TEST_CASE("translate: what it does not know is refused by name, and nothing changes") {
  CHECK(holds(refusal({{"text", "The agrement was signed."}}), "\"agrement\" is not one of"));
  CHECK(holds(refusal({{"text", "The agrement was signed."}}), "agreement"));
  CHECK(holds(refusal({{"text", ""}, {"preset", "own"}}), "no word"));
  CHECK(holds(refusal({{"preset", "agreement"}, {"translation", "L'acord"}}), "\"acord\""));
  CHECK(holds(refusal({{"preset", "agreement"}, {"translation", "L'acord"}}), "accord"));
  CHECK(holds(refusal({{"preset", "agreement"}, {"h", "0.0:1"}}), "computed by the trained model"));
  CHECK(holds(refusal({{"weights", "0.0:0.8,0.1:0.8"}}), "sum to 1.6"));
  CHECK(holds(refusal({{"weights", "0.9:0.8"}}), "no cell 0.9"));
}

TEST_CASE("translate: the question is of what no step has shown, and its right answer is what happens") {
  REQUIRE(test::load_fonts());
  const test::Models models;
  for (const char* preset : {"constructed", "agreement", "visit", "committee"}) {
    CAPTURE(preset);
    std::any state = state_with({{"preset", preset}});
    const Trace trace = scene().compute(state, models.inputs());
    const std::optional<Question> asked = scene().ask(state, trace);
    REQUIRE(asked);
    const std::vector<std::string> before = translate::written(trace);
    REQUIRE(scene().change(state, asked->reveal));
    const Trace revealed = scene().compute(state, models.inputs());
    const std::vector<std::string> after = translate::written(revealed);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) changed += i >= after.size() || after[i] != before[i] ? 1 : 0;
    if (after.size() <= before.size())
      CHECK(asked->correct == (changed == 0 ? 0 : 2 * changed < before.size() ? 1 : 2));
    const std::optional<Question> answered = scene().ask(state, revealed);
    REQUIRE(answered);
    // Both lines stand below each other, to be compared.
    const figure::Figure figure = scene().draw(state, revealed, {.width = 900, .place = {step("long"), 0}});
    const auto text_of = [&](const char* id) {
      REQUIRE(figure.find(id) != nullptr);
      return std::get<figure::Text>(figure.find(id)->shape).text;
    };
    CHECK(holds(text_of("long.before.title"), "nothing set"));
    CHECK(holds(text_of("long.attention.title"), "as set"));
    CHECK(text_of("long.before.0") == before.front());
    CHECK(text_of("long.attention.0") == after.front());
    CHECK(answered->text == asked->text);
    CHECK(answered->correct == asked->correct);
    REQUIRE(scene().change(state, {{answered->back.field, answered->back.value}}));
    CHECK(translate::written(scene().compute(state, models.inputs())) == before);
  }
  std::any forced = state_with({{"translation", "pan estamos"}});
  CHECK_FALSE(scene().ask(forced, scene().compute(forced, {})));
}

TEST_CASE("translate: a composed sentence depends on its number and length, and has as many words as asked for") {
  const std::any state = state_with({{"words", "14"}, {"draw", "7"}});
  CHECK(plain(state).preset == translate::Preset::composed);
  CHECK(learn::french::count_words(translate::source_tokens(plain(state))) == 14);
  CHECK(translate::source_tokens(plain(state)) ==
        translate::source_tokens(plain(state_with({{"draw", "7"}, {"words", "14"}}))));
  CHECK(scene().encode(state) == io::Patch{{"preset", "composed"}, {"words", "14"}, {"draw", "7"}});
  CHECK(translate::source_tokens(plain(state)) !=
        translate::source_tokens(plain(state_with({{"draw", "8"}, {"words", "14"}}))));
}

TEST_CASE("translate: the decoder can start from zeros, and from a state that the seed draws") {
  const test::Models models;
  const auto first = [&](const io::Patch& patch) {
    return Matrix(scene().compute(state_with(patch), models.inputs()).at("s").values.row(0));
  };
  CHECK(first({{"preset", "visit"}, {"s_0", "zero"}}).isZero(0));
  CHECK(first({{"preset", "visit"}, {"s_0", "random"}}) == first({{"preset", "visit"}, {"s_0", "random"}}));
  CHECK(first({{"preset", "visit"}, {"s_0", "random"}}) !=
        first({{"preset", "visit"}, {"s_0", "random"}, {"seed", "2"}}));
  CHECK(first({{"s_0", "zero"}}).isZero(0));
}

TEST_CASE("translate: with a model each step is drawn, told and explained as well as without") {
  REQUIRE(test::load_fonts());
  const test::Models models;
  for (const char* preset : {"agreement", "committee"}) {
    const std::any state = state_with({{"preset", preset}, {"gold", "on"}, {"weights", "0.1:0.5"}});
    const Trace trace = scene().compute(state, models.inputs());
    for (int at = 1; at <= static_cast<int>(scene().steps().size()); ++at)
      for (int part = 0; part <= static_cast<int>(scene().steps()[static_cast<std::size_t>(at - 1)].parts.size());
           ++part)
        for (const float width : {320.F, 390.F, 756.F, 1200.F}) {
          CAPTURE(at);
          CAPTURE(part);
          CAPTURE(width);
          const View view{.width = width, .height = 592, .place = {at, part}};
          const figure::Figure figure = scene().draw(state, trace, view);
          std::set<std::string> ids;
          for (const figure::Element& element : figure.elements) {
            CAPTURE(element.id);
            CHECK(std::isfinite(element.rect.x + element.rect.y));
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= width + 0.5F);
            CHECK(element.rect.bottom() <= figure.height + 0.5F);
            if (element.role != figure::Role::none) CHECK(ids.insert(element.id).second);
          }
          CHECK(told(state, trace, scene().steps()[static_cast<std::size_t>(at - 1)].id, part).ends_with('.'));
          CHECK(trace.find(scene().principal(state, trace, {at, part})) != nullptr);
        }
    for (const Tensor& tensor : trace.tensors)
      for (int i = 0; i < tensor.rows(); i += std::max(1, tensor.rows() / 4))
        for (int j = 0; j < tensor.columns(); j += std::max(1, tensor.columns() / 4)) {
          const std::string id = figure::cell_id({tensor.name, i, j});
          CAPTURE(id);
          const std::optional<Inspection> made = scene().inspect(state, trace, {}, id);
          REQUIRE(made);
          CHECK(made->title.starts_with(tensor.name));
          std::string value = io::format_fixed(tensor.values(i, j), 6);
          value.erase(value.find_last_not_of('0') + 1);
          if (value.back() == '.') value.pop_back();
          CHECK(figure::plain(made->lines.back()).ends_with(value));
        }
  }
}

TEST_CASE("translate: the example by hand needs no file, the trained ones need the model with attention, length both") {
  const std::any constructed = by_hand(), trained = state_with({{"preset", "agreement"}});
  CHECK(scene().needs(constructed, {step("weights"), 0}).empty());
  REQUIRE(scene().needs(trained, {step("weights"), 0}).size() == 1);
  CHECK(scene().needs(trained, {step("weights"), 0})[0]->name == translate::kAttention);
  CHECK(scene().needs(constructed, {step("long"), 0}).size() == 2);
}

TEST_CASE("translate: a file that is not its model is refused in a sentence that names it") {
  const Resource& wanted = *scene().needs(state_with({{"preset", "agreement"}}), {step("weights"), 0})[0];
  const auto refused = [&](std::vector<std::byte> bytes) {
    const Result<std::any> read = wanted.read(bytes, wanted.name);
    CHECK_FALSE(read.has_value());
    return read ? "" : read.error().message;
  };
  const std::vector<std::byte> good = learn::write_model(test::untrained(true), true);
  CHECK(wanted.read(good, wanted.name).has_value());
  CHECK(holds(refused({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2)}), wanted.name));
  CHECK(holds(refused(std::vector<std::byte>(1000, std::byte{'x'})), wanted.name));
  CHECK(holds(refused(learn::write_model(test::untrained(false), true)), "without attention"));
  CHECK(holds(refused(learn::write_model(test::untrained(true, "reverse"), true)), "reverse"));
  learn::Settings other = test::untrained(true).settings;
  other.score = learn::AttentionScore::general;
  CHECK(holds(refused(learn::write_model(*learn::start_training(other), true)), "additive"));
  learn::Training broken = test::untrained(true);
  broken.weights.output.bias(0, 0) = std::nanf("");
  for (const bool half : {false, true}) CHECK(holds(refused(learn::write_model(broken, half)), "not a finite number"));
}

TEST_CASE("translate: what the question counts is what the figure and the narration count") {
  const test::Models models;
  std::any state = state_with({{"preset", "agreement"}});
  const Trace first = scene().compute(state, models.inputs());
  const std::optional<Question> asked = scene().ask(state, first);
  REQUIRE(asked);
  REQUIRE(scene().change(state, asked->reveal));
  const Trace after = scene().compute(state, models.inputs());
  const std::vector<bool> lost = differing(translate::written(first), translate::written(after));
  const auto count = std::ranges::count(lost, true);
  REQUIRE(count > 0);
  const std::string counted = std::to_string(count) + " of " + std::to_string(lost.size());
  CHECK(asked->answer.find(counted) != std::string::npos);
  CHECK(scene().narrate(state, after, {.place = {step("long"), 0}}).find(counted) != std::string::npos);
  CHECK(scene().ask(state, after)->answer.find(counted) != std::string::npos);
}

namespace {

// What the page has.
const Inputs& trained() {
  static std::map<std::string, std::any, std::less<>> read;
  for (const Resource* one : scene().needs(scene().initial(), {step("long"), 0}))
    if (!read.contains(one->name)) {
      Result<std::any> model = one->read(test::model_bytes(one->name), one->name);
      REQUIRE(model);
      read.emplace(one->name, std::move(*model));
    }
  static const Inputs inputs{.resources = &read};
  return inputs;
}

std::string text_in(const figure::Figure& figure, const char* id) {
  REQUIRE(figure.find(id) != nullptr);
  return std::get<figure::Text>(figure.find(id)->shape).text;
}

// Across its end, of one that falls.
float width_of(const figure::Element& stream) {
  const auto& ribbon = std::get<figure::Ribbon>(stream.shape);
  return std::abs(ribbon.other.back().x - ribbon.one.back().x);
}

}  // namespace

TEST_CASE("translate: it begins with the trained translator at zone, which lights up Area") {
  REQUIRE(test::load_fonts());
  const Trace trace = scene().compute(scene().initial(), trained());
  CHECK(scene().steps().front().id == "context");
  CHECK(translate::written(trace)[4] == "zone");
  CHECK(trace.at("weights").values(4, 6) > 0.9F);
  const std::string text = told(scene().initial(), trace, "context");
  CHECK(holds(text, "To write zone"));
  CHECK(holds(text, "lights up Area"));
}

TEST_CASE("translate: what each word pours into the context is as wide as its weight") {
  REQUIRE(test::load_fonts());
  for (const char* preset : {"agreement", "constructed"}) {
    const std::any state = state_with({{"preset", preset}});
    const Trace trace = scene().compute(state, trained());
    const figure::Figure figure = scene().draw(state, trace, {.width = 1208, .height = 564, .place = {1, 0}});
    const Matrix& weights = trace.at("weights").values;
    const int t = plain(state).word;
    int streams = 0;
    for (int j = 0; j < weights.cols(); ++j) {
      const figure::Element* stream = figure.find("context.stream." + std::to_string(j));
      if (stream == nullptr) {
        CHECK(weights(t, j) < 0.005F);
        continue;
      }
      ++streams;
      CHECK(width_of(*stream) == doctest::Approx(std::max(46 * weights(t, j), 1.2F)).epsilon(0.01));
      CHECK(stream->source == figure::Source{"weights", t, j});
    }
    CHECK(streams > 0);
  }
}

TEST_CASE("translate: a word comes from scores, light, and what is poured, in this order, and is there at the end") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  const Trace trace = scene().compute(state, trained());
  const auto at = [&](float t) {
    return scene().draw(state, trace, {.width = 1208, .height = 564, .place = {step("next"), 0}, .t = t});
  };
  const auto beams = [](const figure::Figure& figure) {
    return std::get<figure::Light>(figure.find("stage.light")->shape).beams.size();
  };
  const auto written = [](const figure::Figure& figure) {
    return std::get<figure::Text>(figure.find("target.word.4.text")->shape).text;
  };
  const figure::Figure begun = at(0), lit = at(0.42F), all = at(1);
  CHECK(begun.find("scores[4,6]")->rect.w == 0);
  CHECK(beams(begun) == 0);
  CHECK(lit.find("scores[4,6]")->rect.w > 0);
  CHECK(beams(lit) > 0);
  CHECK(begun.find("context.stream.6") == nullptr);
  CHECK(written(lit).empty());
  CHECK(written(all) == "zone");
  REQUIRE(all.find("context.stream.6") != nullptr);
  CHECK_FALSE(all.find("context.stream.6")->clip);
}

TEST_CASE("translate: while a word of the translation is pointed at the lamp is its own, in picture and in words") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  const Trace trace = scene().compute(state, trained());
  View view{.width = 1208, .height = 564, .place = {step("context"), 0}};
  // Of the scores' circles, which are the row's of the word that is written.
  const auto row = [&] {
    const figure::Figure figure = scene().draw(state, trace, view);
    for (int t = 0; t < trace.at("weights").rows(); ++t)
      if (figure.find(figure::cell_id({"scores", t, 0})) != nullptr) return t;
    return -1;
  };
  const int before = row();
  view.hovered = "target.word.6";
  CHECK(before == 4);
  CHECK(row() == 6);
  CHECK(scene().narrate(state, trace, view).find("européenne") != std::string::npos);
  view.hovered = "target.word.600";
  CHECK(row() == before);
}

TEST_CASE("translate: the map shows the words that turn round, and that a sentence has none") {
  REQUIRE(test::load_fonts());
  const auto drawn = [](const std::any& state) {
    return scene().draw(state, scene().compute(state, trained()),
                        {.width = 1208, .height = 564, .place = {step("alignment"), 0}});
  };
  const figure::Figure turned = drawn(scene().initial());
  const std::pair<const char*, const char*> words[] = {
      {"turn.source.0.text", "European"}, {"turn.source.2.text", "Area"},     {"turn.word.0.text", "zone"},
      {"turn.word.1.text", "économique"}, {"turn.word.2.text", "européenne"}, {"turn.title", "The order turns round"}};
  for (const auto& [id, word] : words) CHECK(text_in(turned, id) == word);
  CHECK(turned.find("weights.turn.rim") != nullptr);
  const figure::Figure straight = drawn(by_hand());
  CHECK(text_in(straight, "turn.title") == "Here the order stays");
  CHECK(straight.find("weights.turn.rim") == nullptr);
}

TEST_CASE("translate: without a lamp only what stands at the ends is poured, and wrong words are told") {
  REQUIRE(test::load_fonts());
  const std::any state = state_with({{"preset", "committee"}});
  const Trace trace = scene().compute(state, trained());
  const figure::Figure figure =
      scene().draw(state, trace, {.width = 1208, .height = 564, .place = {step("bottleneck"), 0}});
  CHECK(figure.find("to.c") != nullptr);
  CHECK(figure.find("back.to.c") != nullptr);
  CHECK(figure.find("stage.lamp.shade") == nullptr);
  CHECK(holds(told(state, trace, "bottleneck"), "that belong there are missing"));
}

TEST_CASE("translate: where all of the first sentence gets through one vector, one is shown that does not") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  const Trace trace = scene().compute(state, trained());
  const auto drawn = [&](const char* id) {
    return scene().draw(state, trace, {.width = 1208, .height = 564, .place = {step(id), 0}});
  };
  const std::vector<std::string>&words = trace.at("through").column_labels, &wrote = trace.at("fixed").column_labels,
        &right = trace.at("expected").column_labels;
  CHECK(words != trace.at("source").column_labels);
  CHECK(std::ranges::count(differing(right, wrote), true) > 0);
  CHECK(trace.at("attended").column_labels == right);
  const figure::Figure bottleneck = drawn("bottleneck");
  for (std::size_t j = 0; j < words.size(); ++j) {
    const bool lost = trace.at("through").values(0, static_cast<Eigen::Index>(j)) != 0;
    CHECK((bottleneck.find("lost." + std::to_string(j) + ".rim") != nullptr) == lost);
    CHECK(text_in(bottleneck, ("stage.word." + std::to_string(j) + ".text").c_str()) == words[j]);
    if (lost) CHECK(holds(told(state, trace, "bottleneck"), words[j] + " is forgotten"));
  }
  CHECK(holds(told(state, trace, "bottleneck"), "It writes bateaux (boats) where"));
  {
  }
  CHECK(drawn("long").find("long.fixed.title") != nullptr);
  CHECK(holds(told(state, trace, "long"), "translate differently"));
  // Of what a reader sets something of, that is compared.
  const std::any set = state_with({{"preset", "agreement"}, {"s_0", "zero"}});
  const Trace own = scene().compute(set, trained());
  CHECK(own.at("through").column_labels == own.at("source").column_labels);
}

TEST_CASE("translate: a moment that a link leads to has what it shows, of the step before it, too") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  for (const Step& one : scene().steps()) {
    CAPTURE(one.id);
    const Place place{step(one.id), 0};
    std::map<std::string, std::any, std::less<>> resources;
    for (const Resource* needed : scene().needs(state, place))
      resources.emplace(needed->name, *needed->read(test::model_bytes(needed->name), needed->name));
    const Trace trace = scene().compute(state, {.resources = &resources});
    const figure::Figure figure =
        draw_moment(scene(), state, trace, {.width = 1208, .height = 564, .place = place, .t = 0.1F});
    CHECK(figure.find("missing.box") == nullptr);
  }
}

TEST_CASE("translate: the path through the map grows word by word, and is whole at the end") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  const Trace trace = scene().compute(state, trained());
  const auto reach = [&](float t) {
    const figure::Figure map =
        scene().draw(state, trace, {.width = 1208, .height = 564, .place = {step("alignment"), 0}, .t = t});
    const figure::Element& path = *map.find("path");
    return path.clip ? path.clip->bottom() - map.find("path.0")->rect.y : 1e6F;
  };
  CHECK(reach(0) < 2);
  CHECK(reach(0.3F) > reach(0.1F));
  CHECK(reach(0.9F) > reach(0.3F));
  CHECK(reach(1) == 1e6F);
}

TEST_CASE("translate: tensors are what their recipes say") {
  for (const io::Patch& patch :
       {io::Patch{{"preset", "agreement"}}, io::Patch{{"h", "0.0:0.9"}, {"W", "0.1:2"}},
        io::Patch{{"weights", "1.3:0.9"}}, io::Patch{{"preset", "visit"}, {"weights", "0.1:0.5"}}}) {
    const std::any state = state_with(patch);
    const Trace trace = scene().compute(state, trained());
    const recipes::Recipes made = translate::recipes(plain(state), trace);
    for (const recipes::Recipe& recipe : made.list) {
      const Tensor* tensor = trace.find(recipe.tensor);
      if (tensor == nullptr) continue;
      CAPTURE(tensor->name);
      CHECK((recipes::evaluate(recipe, trace) - tensor->values).cwiseAbs().maxCoeff() < 1e-4F);
    }
  }
}

TEST_CASE("translate: of what cannot be translated a sentence says what is wrong, and nothing is lost") {
  std::string forty;
  for (int i = 0; i < 40; ++i) forty += "the ";
  const std::pair<std::string, const char*> texts[] = {{"treaty", "1 word"}, {"", "no word"},
                                                       {"  ", "no word"},    {"The zebra was signed.", "zebra"},
                                                       {forty, "40 words"},  {"الاتفاق حول المنطقة", "is not one of"}};
  for (const auto& [text, said] : texts) {
    CAPTURE(text);
    const std::string why = refusal({{"text", text}, {"preset", "own"}, {"text", text}});
    CHECK(holds(why, said));
    CHECK(why.ends_with('.'));
  }
}
