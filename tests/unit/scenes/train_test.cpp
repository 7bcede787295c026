// What holds for Train: a training from scratch learns, depends on its seed alone, can be paused, taken back and kept,
// and the figure says what it has come to.
#include "scenes/train/train.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "figure/paint.h"
#include "io/numbers.h"
#include "learn/evaluation.h"
#include "unit/fonts.h"
#include "unit/scenes/train_support.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::train;
using learn::kConverged;
using learn::kHeldOut;
using test::run;

namespace {

// A task that is learned within seconds.
State small() {
  State state;
  state.length = 3;
  state.hidden = 32;
  state.rate = 1e-2;
  state.input.clear();
  return state;
}

std::unique_ptr<Job> trained(const State& state, int batches) {
  std::unique_ptr<Job> work = job(state, {});
  while (work->snapshot.done < batches && !work->snapshot.finished()) work->advance(0);
  work->refresh(work->snapshot);
  return work;
}

Trace after(const State& state, const Job& work) { return train::compute(state, {.job = &work.snapshot}); }

// The app with a small training.
app::App opened() {
  app::App app = app::make_app();
  REQUIRE(app::change(app, {{"scene", "train"}, {"length", "3"}, {"hidden", "16"}, {"input", ""}, {"step", "train"}}));
  return app;
}

void train_to(app::App& app, int batches) {
  if (!app.works()) app::toggle_job(app);
  REQUIRE(app.works());
  while (app.works() && app.job->snapshot.done < batches) app::advance(app, 0, 0);
}

}  // namespace

TEST_CASE("train: a short training from scratch makes the loss fall, and every number of it depends on the seed") {
  const State state = small();
  const Trace trace = after(state, *trained(state, 150));
  CHECK(run(trace, Column::step) == 150);
  CHECK(run(trace, Column::first_loss) > 3);  // guessing has ln 29 = 3.37
  CHECK(run(trace, Column::loss) < 2);
  const Trace again = after(state, *trained(state, 150));
  for (const char* name : {"loss", "by_length", "weights", "probabilities"})
    CHECK(again.at(name).values == trace.at(name).values);
  State other = state;
  other.seed = 2;
  CHECK(after(other, *trained(other, 150)).at("loss").values != trace.at("loss").values);
}

TEST_CASE("train: it converges, stops by itself, says so, and looks where the task says") {
  const State state = small();
  const std::unique_ptr<Job> work = trained(state, kMostSteps);
  CHECK(work->snapshot.ended);
  CHECK(work->snapshot.outcome.find("Converged") != std::string::npos);
  const Trace trace = after(state, *work);
  CHECK(run(trace, Column::converged) == 1);
  CHECK(run(trace, Column::held_out) >= kConverged);
  CHECK(trace.at("right").values.minCoeff() == 1);
  CHECK(train::narrate(state, trace, {.place = {1, 0}}).find("Converged") != std::string::npos);
  float pairs = 0;
  for (int i = 0; i < trace.at("by_length").columns(); ++i) pairs += trace.at("by_length").values(ByLength::pairs, i);
  CHECK(pairs == kHeldOut);
}

TEST_CASE("train: every score learns") {
  for (const learn::AttentionScore score : {learn::AttentionScore::general, learn::AttentionScore::dot}) {
    State state = small();
    state.score = score;
    const Trace trace = after(state, *trained(state, 150));
    CHECK(run(trace, Column::loss) < 2);
  }
}

TEST_CASE("train: pausing, other scenes and other inputs change no digit of what is learned") {
  app::App straight = opened(), broken = opened();
  train_to(straight, 60);
  train_to(broken, 7);
  app::toggle_job(broken);  // pause
  CHECK_FALSE(broken.works());
  CHECK(run(broken, Column::step) == 7);
  REQUIRE(app::change(broken, "input", "abc"));
  CHECK(run(broken, Column::step) == 7);
  app::step_job(broken);
  CHECK(run(broken, Column::step) == 8);
  CHECK_FALSE(broken.works());
  REQUIRE(app::change(broken, "scene", "scale"));
  CHECK(broken.job == nullptr);
  REQUIRE(app::change(broken, "scene", "train"));
  CHECK(run(broken, Column::step) == 8);
  REQUIRE(app::change(broken, "input", ""));
  train_to(broken, 60);
  for (app::App* app : {&straight, &broken}) app::toggle_job(*app);
  CHECK(straight.trace.at("loss").values == broken.trace.at("loss").values);
  CHECK(straight.trace.at("probabilities").values == broken.trace.at("probabilities").values);
}

TEST_CASE("train: another size begins anew, another rate goes on, and each of both models is kept") {
  app::App app = opened();
  train_to(app, 50);
  app::toggle_job(app);
  REQUIRE(app::change(app, "rate", "0.001"));
  CHECK(run(app, Column::step) == 50);
  REQUIRE(app::change(app, "attention", "off"));
  CHECK(run(app, Column::step, kWith) == 50);
  CHECK(run(app, Column::step, kWithout) == 0);
  train_to(app, 20);
  app::toggle_job(app);
  CHECK(run(app, Column::step, kWith) == 50);
  CHECK(run(app, Column::step, kWithout) == 20);
  REQUIRE(app::change(app, "attention", "on"));
  CHECK(app.job->snapshot.done == 50);
  app::undo(app);
  CHECK(run(app, Column::step, kWithout) == 20);
  REQUIRE(app::change(app, "hidden", "24"));
  CHECK(app.job == nullptr);
  CHECK(run(app, Column::step, kWith) == 0);
  CHECK(app.trace.find("loss") == nullptr);
}

TEST_CASE("train: starting over gives what was there before it began") {
  app::App app = opened();
  const Matrix before = app.trace.at("probabilities").values;
  train_to(app, 5);
  app::toggle_job(app);
  CHECK(app.trace.at("probabilities").values.row(0) != before.row(0));
  app::drop_job(app);
  CHECK(app.trace.at("probabilities").values == before);
  CHECK(run(app, Column::step) == 0);
}

TEST_CASE("train: a model that was given up comes back by undo, and goes on to the same digits") {
  app::App straight = opened();
  train_to(straight, 120);
  app::toggle_job(straight);
  const std::vector<std::string> ways{"start over", "seed 2", "hidden 24", "preset sort", "reset", "link"};
  for (const std::string& way : ways) {
    CAPTURE(way);
    app::App app = opened();
    app.frames = 1;  // a link that is opened now is another one
    train_to(app, 60);
    if (way != "hidden 24") app::toggle_job(app);  // one that runs is given up as well
    const Trace before = app.trace;
    if (way == "start over")
      app::drop_job(app);
    else if (way == "reset")
      app::reset(app);
    else if (way == "link")
      REQUIRE(app::open_link(app, "scene=train&length=4&step=train"));
    else
      REQUIRE(app::change(app, way.substr(0, way.find(' ')), way.substr(way.find(' ') + 1)));
    CHECK(run(app, Column::step) == 0);
    app::step_job(app);  // what comes instead is kept for redo
    app::undo(app);
    CHECK_FALSE(app.works());
    CHECK(run(app, Column::step) == 60);
    if (way != "hidden 24")  // it may have been shown some batches late
      for (const char* name : {"run", "loss", "by_length", "weights", "probabilities"})
        CHECK(app.trace.at(name).values == before.at(name).values);
    app::redo(app);
    CHECK(run(app, Column::step) == 1);
    app::undo(app);
    CHECK(run(app, Column::step) == 60);
    train_to(app, 120);
    app::toggle_job(app);
    for (const char* name : {"loss", "probabilities"})
      CHECK(app.trace.at(name).values == straight.trace.at(name).values);
  }
}

TEST_CASE("train: undoing what a model goes on through takes nothing from it") {
  app::App app = opened();
  REQUIRE(app::change(app, "input", "abc"));  // before there is a model
  train_to(app, 5);
  app::toggle_job(app);
  REQUIRE(app::change(app, "rate", "0.001"));
  app::step_job(app);
  app::undo(app);
  app::undo(app);
  CHECK(run(app, Column::step) == 6);
  app::redo(app);
  CHECK(run(app, Column::step) == 6);
}

TEST_CASE("train: few of the models that were given up are kept") {
  app::App app = opened();
  for (int seed = 2; seed < 12; ++seed) {
    app::step_job(app);
    REQUIRE(app::change(app, "seed", std::to_string(seed)));
  }
  int kept = 0;
  for (int i = 0; i < 10; ++i) {
    app::undo(app);
    kept += run(app, Column::step) == 1 ? 1 : 0;
    CHECK((kept == i + 1 || kept == app::kMostKeptJobs));
  }
  CHECK(kept == app::kMostKeptJobs);
}

TEST_CASE("train: going back from a training that diverged can be undone") {
  app::App app = opened();
  train_to(app, 60);
  REQUIRE(app::change(app, "rate", "50"));
  train_to(app, 1000);
  REQUIRE(run(app, Column::diverged) == 1);
  const Trace before = app.trace;
  app::take_job_back(app);
  CHECK(run(app, Column::step) == 50);
  app::undo(app);
  for (const char* name : {"run", "loss", "probabilities"}) CHECK(app.trace.at(name).values == before.at(name).values);
  CHECK(std::any_cast<State>(&app.state)->rate == 50);
  app::redo(app);
  CHECK(run(app, Column::step) == 50);
  CHECK(std::any_cast<State>(&app.state)->rate == doctest::Approx(0.003));
}

TEST_CASE("train: every button has its own place, whatever the training has come to") {
  REQUIRE(test::load_fonts());
  for (const float width : {390.F, 640.F, 900.F, 1280.F}) {
    CAPTURE(width);
    std::map<std::string, figure::Rect> places;
    const auto check = [&](const app::App& app) {
      const float working = app.works() ? 0.5F : -1;
      const figure::Figure figure =
          app.scene->draw(app.state, app.trace, {.width = width, .place = {1, 0}, .working = working});
      std::map<std::string, figure::Rect> now;
      for (const figure::Element& element : figure.elements)
        if (element.id.starts_with("press.") && !element.id.ends_with(".text") && element.id != "press.how")
          now[element.id] = element.rect;
      for (const auto& [id, rect] : now)
        for (const auto& [other, taken] : places)
          CHECK((id == other ? rect.x == taken.x && rect.y == taken.y
                             : rect.right() <= taken.x || taken.right() <= rect.x || rect.bottom() <= taken.y ||
                                   taken.bottom() <= rect.y));
      places.merge(now);
    };
    app::App app = opened();
    check(app);
    train_to(app, 55);
    check(app);
    app::toggle_job(app);
    check(app);
    app.job->snapshot.ended = true;
    check(app);
    app = opened();
    REQUIRE(app::change(app, "rate", "100"));
    train_to(app, 1000);
    REQUIRE(run(app, Column::diverged) == 1);
    check(app);
    app = app::make_app();
    REQUIRE(app::change(app, {{"scene", "train"}, {"length", "2"}, {"hidden", "16"}, {"rate", "0.01"}}));
    train_to(app, kMostSteps);
    REQUIRE(run(app, Column::converged) == 1);
    check(app);
    CHECK(places.size() == 5);
  }
}

TEST_CASE("train: a rate that diverges is said, stops it, and one click brings the last good state back") {
  app::App app = opened();
  train_to(app, 60);
  app::toggle_job(app);
  const double good = run(app, Column::good_step);
  CHECK(good == 50);
  app::step_job(app);
  REQUIRE(app::change(app, "rate", "50"));
  train_to(app, 1000);
  CHECK_FALSE(app.works());
  CHECK(run(app, Column::diverged) == 1);
  CHECK(app.job->snapshot.outcome.find("Diverged") != std::string::npos);
  CHECK(app.scene->narrate(app.state, app.trace, {.place = {1, 0}}).find("diverged") != std::string::npos);
  CHECK_FALSE(app.trace.at("probabilities").values.hasNaN());
  app::take_job_back(app);
  CHECK(run(app, Column::step) == 50);
  CHECK(run(app, Column::diverged) == 0);
  train_to(app, 60);
  app::toggle_job(app);
  app::App straight = opened();
  train_to(straight, 60);
  app::toggle_job(straight);
  CHECK(app.trace.at("probabilities").values == straight.trace.at("probabilities").values);
}

TEST_CASE("train: a state that one batch at too high a rate has ruined is not gone back to") {
  app::App app = opened();
  train_to(app, 99);
  app::toggle_job(app);
  REQUIRE(app::change(app, "rate", "100"));
  train_to(app, 1000);
  REQUIRE(run(app, Column::diverged) == 1);
  REQUIRE(run(app, Column::look_step) == 100);  // which was looked at
  app::take_job_back(app);
  CHECK(run(app, Column::step) == 75);  // the look before
  CHECK(run(app, Column::rate) == doctest::Approx(0.003));
}

TEST_CASE("train: a loss that jumps is marked with its value, and both ways on are named with their rates") {
  REQUIRE(test::load_fonts());
  for (const char* rate : {"50", "100"}) {
    app::App app = opened();
    train_to(app, 60);
    app::toggle_job(app);
    REQUIRE(app::change(app, "rate", rate));
    train_to(app, 1000);
    const double rose_to = run(app, Column::rose_to);
    CHECK((rose_to < 0 || rose_to > 2 * 3.37));
    const View view{.width = 900, .place = {1, 0}};
    const figure::Figure figure = app.scene->draw(app.state, app.trace, view);
    REQUIRE(figure.find("losses.jump0.text") != nullptr);
    const std::string said = rose_to < 0 ? "no number" : io::format_short(rose_to) + " nats";
    CHECK(std::get<figure::Text>(figure.find("losses.jump0.text")->shape).text.ends_with(said));
    const figure::Element* back = figure.find("press.do.job_back");
    REQUIRE(back != nullptr);
    CHECK(back->label == "Back to batch 50, at the rate 0.003");
    const std::string text = app.scene->narrate(app.state, app.trace, view);
    for (const std::string& part : {said, back->label, std::string("start over")}) {
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
    app::take_job_back(app);
    CHECK(run(app, Column::rate) == doctest::Approx(0.003));
    CHECK(app.scene->draw(app.state, app.trace, view).find("losses.jump0") == nullptr);
  }
  // From the first batch on: there is no rate that served.
  app::App app = opened();
  REQUIRE(app::change(app, "rate", "100"));
  train_to(app, 1000);
  REQUIRE(run(app, Column::diverged) == 1);
  app::take_job_back(app);
  CHECK(run(app, Column::step) == 0);
  CHECK(std::any_cast<State>(&app.state)->rate == State{}.rate);
}

TEST_CASE("train: a page that is hidden trains no further, and a training that ended stays") {
  app::App app = opened();
  app::hide(app);
  CHECK_FALSE(app.paused_unseen);
  train_to(app, 5);
  app::hide(app);
  CHECK_FALSE(app.works());
  CHECK(app.paused_unseen);
  app::advance(app, 1, 8);
  CHECK(app.job->snapshot.done == 5);
  app::toggle_job(app);
  CHECK(app.works());
  CHECK_FALSE(app.paused_unseen);
  app.job->snapshot.ended = true;
  app.job->running = false;
  app::toggle_job(app);
  CHECK_FALSE(app.works());
  CHECK(app.job->snapshot.done == 5);
}

TEST_CASE("train: what is written is what inference writes, weights and all") {
  for (const bool attention : {true, false}) {
    State state = small();
    state.attention = attention;
    const learn::Training model = *learn::start_training(settings_of(state));
    const std::vector<int> source = *model.task.read("badcafe");
    const learn::Decoded expected = learn::infer(model, source);
    const Written written = write(model.weights, model.config, source, static_cast<int>(expected.probabilities.size()));
    CHECK(written.letters() == static_cast<int>(expected.target.size()));
    CHECK(std::ranges::equal(expected.target, std::span(written.words).first(expected.target.size())));
    CHECK((written.probabilities.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5F);
    if (!attention) {
      CHECK(written.weights.size() == 0);
      CHECK(written.context.cols() == 2 * state.hidden);
      continue;
    }
    CHECK((written.weights - expected.weights).cwiseAbs().maxCoeff() < 1e-6F);
    for (Eigen::Index t = 0; t < written.weights.rows(); ++t) {
      const Matrix powers = (written.scores.row(t).array() - written.scores.row(t).maxCoeff()).exp();
      CHECK((powers / powers.sum() - written.weights.row(t)).cwiseAbs().maxCoeff() < 1e-6F);
    }
  }
}

TEST_CASE("train: what the model cannot read is named, and the input stays") {
  app::App app = opened();
  REQUIRE(app::change(app, "input", "abc"));
  CHECK(app.trace.at("source").column_labels == std::vector<std::string>{"a", "b", "c", "[STOP]"});
  CHECK(app.trace.at("target").column_labels == std::vector<std::string>{"c", "b", "a"});
  const Result<void> foreign = app::change(app, "input", "abc!");
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().message.find("\"!\"") != std::string::npos);
  CHECK(app.trace.at("source").columns() == 4);
  const Result<void> longer = app::change(app, "input", std::string(kLongest + 1, 'a'));
  REQUIRE_FALSE(longer);
  CHECK(longer.error().message.find("at most 100") != std::string::npos);
  const Result<void> spaced = app::change(app, "input", "a b");
  REQUIRE_FALSE(spaced);
  CHECK(spaced.error().message.starts_with("A space is not"));
  CHECK(spaced.error().message.ends_with("type small letters from a to z."));
  const figure::Figure figure = app.scene->draw(app.state, app.trace, {.width = 360, .place = {1, 0}});
  REQUIRE(figure.find("input") != nullptr);
  CHECK(figure.find("input")->label.ends_with("abc"));
  REQUIRE(app::change(app, {{"task", "dates"}, {"input", "12 March 1998"}}));
  const Result<void> today = app::change(app, "input", "today?");
  REQUIRE_FALSE(today);
  CHECK(today.error().message.find("as in 12 March 1998") != std::string::npos);
  CHECK(app.trace.find("target") == nullptr);
  CHECK(app.trace.at("summary").values(0, Summary::right) == -1);
}

TEST_CASE("train: what is no letter is not written as one") {
  const std::vector<std::string> written{"[PAD]", "a", "[START]", "[STOP]"};
  CHECK(joined(written) == "□a□");
  CHECK(joined({"a", " ", "b"}) == "a b");
}

TEST_CASE("train: held-out examples are of the task, and answers fit it") {
  for (const char* preset : {"reverse", "dates", "sort", "copy", "copy_without"}) {
    app::App app = app::make_app();
    REQUIRE(app::change(app, {{"scene", "train"}, {"preset", preset}}));
    const std::vector<std::string> source = app.trace.at("source").column_labels;
    std::vector<std::string> truth = app.trace.at("target").column_labels;
    std::vector<std::string> letters(source.begin(), source.end() - 1);
    if (std::string_view(preset) == "reverse") std::ranges::reverse(letters);
    if (std::string_view(preset) == "sort") std::ranges::sort(letters);
    if (std::string_view(preset) == "dates")
      CHECK(truth.size() == 10);
    else
      CHECK(truth == letters);
  }
}

TEST_CASE("train: nothing is NaN, every figure stands and every number is explained, at each stage of a training") {
  REQUIRE(test::load_fonts());
  app::App app = opened();
  const auto check = [&] {
    for (const Tensor& tensor : app.trace.tensors) {
      CAPTURE(tensor.name);
      CHECK_FALSE(tensor.values.hasNaN());
      for (int i = 0; i < tensor.rows(); ++i)
        for (int j = 0; j < tensor.columns(); ++j) {
          const auto made = app.scene->inspect(app.state, app.trace, {}, figure::cell_id({tensor.name, i, j}));
          REQUIRE(made);
          CHECK(made->title.starts_with(tensor.name));
        }
    }
    for (int step = 1; step <= static_cast<int>(train::steps().size()); ++step)
      for (const float width : {320.F, 560.F, 1200.F}) {
        const View view{.width = width, .height = 480, .place = {step, 0}};
        const figure::Figure figure = app.scene->draw(app.state, app.trace, view);
        CHECK(app.scene->narrate(app.state, app.trace, view).ends_with('.'));
        CHECK(std::isfinite(figure.height));
        for (const figure::Element& element : figure.elements) {
          CAPTURE(element.id);
          CHECK(std::isfinite(element.rect.x));
          CHECK(element.rect.right() <= width + 0.5F);
          CHECK(element.rect.w >= 0);
          CHECK(element.rect.h >= 0);
          CHECK(element.rect.bottom() <= figure.height + 0.5F);
        }
      }
  };
  check();
  train_to(app, 55);
  app::toggle_job(app);
  check();
  REQUIRE(app::change(app, {{"attention", "off"}, {"input", "zyxwvu"}}));
  train_to(app, 55);
  check();
  REQUIRE(app::change(app, "rate", "100"));
  train_to(app, 1000);
  CHECK(run(app, Column::diverged, kWithout) == 1);
  check();
  for (const char* input :
       {"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    REQUIRE(app::change(app, {{"attention", "on"}, {"input", input}}));
    check();
  }
}

TEST_CASE("train: there is no half a letter on the axis of lengths") {
  REQUIRE(test::load_fonts());
  State short_ones, dates;
  short_ones.length = 2;
  dates.task = Subject::dates;
  for (const State& state : {short_ones, State{}, dates})
    for (const float width : {390.F, 756.F, 1280.F}) {
      const figure::Figure figure = train::draw(state, train::compute(state, {}), {.width = width, .place = {3, 0}});
      int ticks = 0;
      for (const figure::Element& element : figure.elements) {
        if (!element.id.starts_with("lengths.x") || !element.id.ends_with(".text")) continue;
        ++ticks;
        CHECK(std::get<figure::Text>(element.shape).text.find('.') == std::string::npos);
      }
      CHECK(ticks >= 2);
    }
}
