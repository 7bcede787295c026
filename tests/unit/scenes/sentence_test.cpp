// Sentence: all of its steps, whatever is read: they show and say something, and refuse what cannot be read.
#include <doctest/doctest.h>

#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: no moment between two steps is empty, and the words stay all the way") {
  const Trained model;
  const State state = state_of("preset=animal");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  const auto seen = [](const figure::Figure& figure) {
    float sum = 0;
    for (const figure::Element& element : figure.elements)
      if (!std::holds_alternative<std::monostate>(element.shape)) sum += element.opacity;
    return sum;
  };
  for (std::size_t step = 2; step <= steps().size(); ++step)
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
      const auto at_t = [&](float t) {
        return draw_moment(*find("sentence"), state, trace,
                           {.width = width, .height = height, .place = {static_cast<int>(step), 0}, .t = t});
      };
      const float least = 0.3F * std::min(seen(at_t(0)), seen(at_t(1)));
      for (float t = 0.05F; t < 1; t += 0.05F) {
        CAPTURE(step);
        CAPTURE(width);
        CAPTURE(t);
        const figure::Figure figure = at_t(t);
        CHECK(seen(figure) > least);
        if (width < 640) continue;  // there words turn upright
        for (const int word : {1, kAnimal, kStreet}) {
          const figure::Element* text = figure.find(word_id(word) + ".text");
          REQUIRE(text != nullptr);
          CHECK(text->opacity > 0.9F);
        }
      }
    }
}

TEST_CASE("sentence: what the figure's chips set is accepted") {
  const Trained model;
  const State plain = state_of("preset=pronoun&instead=kind");
  const Trace trace = compute(plain, model.inputs());
  State state = plain;
  state.own = "mine";  // whose experiments wait for a press
  for (int step = 1; step <= static_cast<int>(steps().size()); ++step)
    for (const figure::Element& element : draw(state, trace, View{.place = {step, 0}}).elements) {
      // The lamp sets what it is dragged to.
      if (!element.edit || element.edit->field == "do" || element.edit->field == "step" || element.id == kLampId)
        continue;
      std::any held = plain;
      const Result<void> set = find("sentence")->change(held, {{element.edit->field, element.edit->value}});
      CHECK_MESSAGE(set, element.id);
    }
}

TEST_CASE("sentence: before a step's motion has shown it, no narration tells what comes out") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=agreement", "preset=pronoun"}) {
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    for (const char* step : {"words", "swap", "head", "heads", "pair", "evidence"}) {
      CAPTURE(step);
      const std::string asks = narrate(state, trace, {.place = at(step), .t = 0.5F}),
                        told = narrate(state, trace, {.place = at(step), .t = 1});
      CHECK(asks.contains("…"));
      CHECK_FALSE(asks.contains("%"));
      CHECK(told.size() > asks.size());
      CHECK(told.size() < 420);
    }
  }
}

TEST_CASE("sentence: every step of every example says and shows something, also while the model is not there") {
  const Trained model;
  for (const io::Choice& preset : kPresets) {
    const std::string patch =
        "preset=" + std::string(preset.value) + (preset.value == "own" ? "&text=The+dog+that+I+saw+is+kind." : "");
    const State state = state_of(patch.c_str());
    const std::unique_ptr<Job> tries = job(state, model.inputs());
    std::optional<JobSnapshot> made;
    if (tries) made = run(state, model.inputs());
    for (const Inputs& inputs : {model.inputs(), model.inputs(made ? &*made : nullptr), Inputs{}}) {
      const Trace trace = compute(state, inputs);
      for (int step = 1; step <= static_cast<int>(steps().size()); ++step)
        for (const float width : {360.F, 900.F}) {
          const View view{.width = width, .height = 640, .place = {step, 0}};
          const figure::Figure figure = draw(state, trace, view);
          CHECK(figure.elements.size() > 0);
          CHECK_FALSE(narrate(state, trace, view).empty());
          const std::optional<Inspection> formula = inspect(state, trace, view, "");
          REQUIRE(formula.has_value() == (trace.find("kinds") != nullptr));
          if (formula) CHECK_FALSE((formula->title.empty() || formula->lines.empty() || formula->note.empty()));
          for (const figure::Element& element : figure.elements)
            if (element.source && trace.cell(element.source->tensor, element.source->row, element.source->column))
              CHECK_MESSAGE(inspect(state, trace, view, figure::cell_id(*element.source)), element.id);
        }
    }
  }
}

TEST_CASE("sentence: what cannot be read is refused in a sentence") {
  CHECK(refusal_of("text=") == "The sentence has no words; type at least one.");
  CHECK(refusal_of("head=3").find("\"3.2\"") != std::string::npos);
  CHECK(refusal_of("head=0.1").find("from 1") != std::string::npos);
  CHECK(refusal_of("hidden=1.3:1").find("hidden") != std::string::npos);
  std::string many = "text=";
  for (int i = 0; i < 30; ++i) many += "cat+";
  CHECK(refusal_of(many.c_str()).find("24") != std::string::npos);
  const Trained model;
  const Trace two = compute(state_of("instead=two+words"), model.inputs());
  CHECK(two.find("moved") == nullptr);
  CHECK(two.at("swap_refused").row_labels[0].find("one word") != std::string::npos);
}

TEST_CASE("sentence: weights alone have their views, and say what they lack") {
  auto own = std::make_shared<OwnWeights>();
  own->label = "mine";
  own->layers = 2;
  own->heads = 3;
  own->queries = own->keys = {"a", "b", "c"};
  for (int i = 0; i < 6; ++i) own->weights.push_back(Matrix::Constant(3, 3, 1.F / 3));
  const std::map<std::string, Own, std::less<>> all{{"mine", std::shared_ptr<const OwnWeights>(own)}};
  State state;
  state.preset = Preset::own;
  state.own = "mine";
  const JobSnapshot made = run(state, {.own = &all});
  const Trace trace = compute(state, {.job = &made, .own = &all});
  CHECK(trace.at("rollout").rows() == 2);
  CHECK(trace.at("kinds").values(0, kinds) == doctest::Approx(1));
  for (int step = 1; step <= static_cast<int>(steps().size()); ++step) {
    const View view{.width = 800, .height = 640, .place = {step, 0}};
    const figure::Figure figure = draw(state, trace, view);
    CHECK(has(figure, "without") == (step <= 2 || step >= 6));
    // Given at a step that lacks the model, they are shown in another one.
    const io::Patch given = shown_own(std::shared_ptr<const OwnWeights>(own), step);
    CHECK(has(figure, "without") == io::names(given, "step"));
    CHECK_FALSE(inspect(state, trace, view, "")->lines.empty());
  }
  state.own = "another";
  CHECK(has(draw(state, compute(state, {.own = &all}), View{}), "away"));
}

TEST_CASE("sentence: the text view has the numbers that stand behind switches, and no pictures of the heads") {
  const Trained model;
  const State state = state_of("preset=pronoun");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  const auto labelled = [&](int step, std::string_view tensor) {
    const figure::Figure figure = draw(state, trace, View{.width = 900, .height = 640, .place = {step, 0}});
    return std::ranges::any_of(figure.elements, [&](const figure::Element& element) {
      const auto* map = std::get_if<figure::Heatmap>(&element.shape);
      const bool shows = map != nullptr
                             ? map->range.tensor == tensor
                             : element.role == figure::Role::cell && element.source && element.source->tensor == tensor;
      return shows && !element.label.empty();
    });
  };
  CHECK(labelled(7, "importance"));
  CHECK(labelled(number_of(steps(), "head"), "A_3.6"));
  CHECK_FALSE(labelled(number_of(steps(), "heads"), "G_1.1"));
}
