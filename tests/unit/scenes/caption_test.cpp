// The laws of Caption: its numbers are the models', what is changed by hand changes what they see, and what is drawn
// and said is right at every step.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/app.h"
#include "figure/formula.h"
#include "figure/paint.h"
#include "io/numbers.h"
#include "learn/caption_evaluation.h"
#include "learn/caption_steps.h"
#include "scenes/caption/paint.h"
#include "scenes/common/explain.h"
#include "scenes/place.h"
#include "unit/fonts.h"
#include "unit/scenes/caption_support.h"

using namespace limelight;
using namespace limelight::scenes;
namespace captions = limelight::learn::captions;
namespace pictures = limelight::learn::pictures;

namespace {

const SceneDef& scene() { return *find("caption"); }

std::any state_with(const io::Patch& patch) {
  std::any state = scene().initial();
  REQUIRE(scene().change(state, patch));
  return state;
}

const caption::State& in(const std::any& state) { return *std::any_cast<caption::State>(&state); }

std::vector<std::string> labels_of(std::span<const int> words) {
  std::vector<std::string> labels;
  for (const int word : words) labels.push_back(pictures::vocabulary().words[static_cast<std::size_t>(word)]);
  return labels;
}

double deviation(const Matrix& a, const Matrix& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

// As Captioner decodes all at once.
captions::Decoded decoded(const captions::Training& model, const Matrix& picture, captions::Look look) {
  learn::Tape<float> tape;
  const captions::Batch batch = captions::make_batch(model.config, std::span(&picture, 1));
  return captions::decode(tape, model.weights, model.config, batch,
                          {.look = look, .most_steps = captions::kMostWords})[0];
}

Matrix row_of(const Matrix& values, int row) { return values.row(row); }

Trace computed(const std::any& state, Inputs inputs, const JobSnapshot& job) {
  inputs.job = &job;
  return scene().compute(state, inputs);
}

// After the job has run to its end.
Trace with_draws(const std::any& state, const Inputs& inputs) {
  const std::unique_ptr<Job> job = scene().job(state, inputs);
  REQUIRE(job);
  while (job->advance(1000)) continue;
  return computed(state, inputs, job->snapshot);
}

}  // namespace

TEST_CASE("caption: the numbers of both models are those that they decode all at once") {
  const test::Captioners models;
  for (const char* grid : {"8", "3"})
    for (const char* preset : {"pair", "three", "painted"}) {
      CAPTURE(grid);
      CAPTURE(preset);
      const std::any state = state_with({{"preset", preset}, {"grid", grid}});
      const Trace trace = scene().compute(state, models.inputs());
      const Matrix& picture = trace.at("picture").values;
      for (const caption::Gaze gaze : {caption::Gaze::soft, caption::Gaze::hard}) {
        const bool soft = gaze == caption::Gaze::soft;
        const captions::Decoded expected = decoded(models.model(in(state).grid, gaze), picture,
                                                   soft ? captions::Look::soft : captions::Look::likeliest);
        std::vector<std::string> words = labels_of(expected.words);
        if (expected.stopped) words.emplace_back("[STOP]");
        const Tensor& weights = trace.at(soft ? "weights_soft" : "weights_hard");
        CHECK(weights.row_labels == words);
        CHECK(deviation(weights.values, expected.weights) < 1e-5);  // a sum may be taken in another order
        const Tensor& chosen = trace.at(soft ? "chosen_soft" : "chosen_hard");
        for (std::size_t t = 0; t < words.size(); ++t)
          CHECK(chosen.values(0, static_cast<Eigen::Index>(t)) ==
                doctest::Approx(expected.probabilities[t]).epsilon(1e-4));
        if (soft) continue;
        for (std::size_t t = 0; t < words.size(); ++t)
          CHECK(static_cast<int>(trace.at("look_hard").values(0, static_cast<Eigen::Index>(t))) == expected.places[t]);
      }
    }
}

TEST_CASE("caption: maps sum to 1, the film has one for each word and for [STOP], and entropy is that of the map") {
  const test::Captioners models;
  for (const char* gaze : {"soft", "hard"})
    for (const char* temperature : {"0.2", "1", "5"}) {
      const std::any state = state_with({{"attention", gaze}, {"temperature", temperature}});
      const Trace trace = scene().compute(state, models.inputs());
      const Tensor& weights = trace.at("weights");
      const Tensor& chosen = trace.at("chosen");
      CHECK(weights.rows() == chosen.columns());
      CHECK(weights.row_labels == chosen.column_labels);
      CHECK(weights.columns() == 64);
      for (int t = 0; t < weights.rows(); ++t) {
        CHECK(weights.values.row(t).sum() == doctest::Approx(1).epsilon(1e-5));
        CHECK(weights.values.row(t).minCoeff() >= 0);
        double entropy = 0;
        for (const float w : weights.values.row(t))
          if (w > 0) entropy -= static_cast<double>(w) * std::log(static_cast<double>(w));
        CHECK(static_cast<double>(trace.at("entropy").values(0, t)) == doctest::Approx(entropy).epsilon(1e-4));
      }
    }
}

TEST_CASE("caption: scores, weights, context and state follow from each other as the formulas say") {
  const test::Captioners models;
  for (const char* gaze : {"soft", "hard"}) {
    CAPTURE(gaze);
    const std::any state = state_with({{"attention", gaze}, {"word", "2"}, {"temperature", "2"}});
    const Trace trace = scene().compute(state, models.inputs());
    const int t = caption::word_row(in(state), trace);
    const auto values = [&](const char* name) -> const Matrix& { return trace.at(name).values; };
    const Eigen::Index feature = std::min<Eigen::Index>(in(state).feature, values("features").cols()) - 1;
    CHECK(deviation(values("channel"), values("features").col(feature).transpose()) == 0);
    CHECK(deviation(values("keys"), values("shown") * values("U")) < 1e-4);
    CHECK(deviation(row_of(values("query"), t), row_of(values("s"), t) * values("W")) < 1e-4);
    CHECK(deviation(values("terms").rowwise().sum().transpose(), 2 * row_of(values("scores"), t)) < 1e-3);
    const Matrix shares = (values("scores").row(t).array() - values("scores").row(t).maxCoeff()).exp().matrix();
    CHECK(deviation(row_of(values("weights"), t), shares / shares.sum()) < 1e-5);
    CHECK(deviation(values("weighted").colwise().sum(), row_of(values("context"), t)) < 1e-4);
    const Matrix update = row_of(values("update"), t), fresh = row_of(values("new"), t);
    const Matrix next = ((1 - update.array()) * fresh.array() + update.array() * values("s").row(t).array()).matrix();
    CHECK(deviation(row_of(values("s"), t + 1), next) < 1e-4);
  }
}

TEST_CASE("caption: hard attention's context is one cell's features, that of the largest weight") {
  const test::Captioners models;
  const std::any state = state_with({{"attention", "hard"}});
  const Trace trace = scene().compute(state, models.inputs());
  const Matrix& look = trace.at("look").values;
  for (int t = 0; t < look.cols(); ++t) {
    const int place = static_cast<int>(look(0, t));
    CHECK(place == caption::largest(trace.at("weights").values, t));
    CHECK(deviation(row_of(trace.at("context").values, t), row_of(trace.at("features").values, place)) == 0);
  }
}

TEST_CASE("caption: attention that is forced to a cell has that cell's features as its context") {
  const test::Captioners models;
  for (const caption::Gaze gaze : {caption::Gaze::soft, caption::Gaze::hard}) {
    const Matrix picture = pictures::paint(captions::held_out(1, 1)[0]);
    captions::Reader reader(models.model(caption::Grid::eight, gaze), picture);
    const auto look = gaze == caption::Gaze::soft ? captions::Look::soft : captions::Look::likeliest;
    const captions::Writing free = reader.write({.look = look});
    const captions::Writing forced = reader.write({.look = look, .places = {{1, 19}}});
    CHECK(forced.places[1] == 19);
    CHECK(deviation(row_of(forced.contexts, 1), row_of(reader.features(), 19)) == 0);
    CHECK(deviation(row_of(forced.contexts, 0), row_of(free.contexts, 0)) == 0);
    CHECK(deviation(row_of(forced.weights, 1), row_of(free.weights, 1)) == 0);
  }
  const Trace all = scene().compute(state_with({{"cell", "0"}}), models.inputs());
  CHECK(all.find("chosen_forced") != nullptr);
}

TEST_CASE("caption: forced to where it looks anyway, hard attention says what it says") {
  const test::Captioners models;
  const Trace free =
      scene().compute(state_with({{"attention", "hard"}, {"word", "1"}, {"scope", "word"}}), models.inputs());
  const std::string cell = std::to_string(static_cast<int>(free.at("look").values(0, 1)));
  const Trace forced = scene().compute(
      state_with({{"attention", "hard"}, {"word", "1"}, {"scope", "word"}, {"cell", cell}}), models.inputs());
  CHECK(forced.at("chosen_forced").column_labels == forced.at("chosen").column_labels);
}

TEST_CASE("caption: dragging an object moves it, chooses it, and leaves a link that says where it is") {
  const test::Captioners models;
  std::any state = scene().initial();
  const Trace before = scene().compute(state, models.inputs());
  REQUIRE(scene().change(state, {{"at", "1.0:12.4,1.1:50"}}));
  CHECK(in(state).object == 1);
  CHECK(in(state).at.cells.empty());
  const pictures::Scene moved = caption::scene_of(in(state));
  CHECK(moved.objects[1].x == 12);
  CHECK(moved.objects[1].y == 50);
  const Trace after = scene().compute(state, models.inputs());
  CHECK(after.at("at").values(1, 0) == 12);
  CHECK(before.at("features").values != after.at("features").values);
  std::any opened = scene().initial();
  REQUIRE(scene().change(opened, scene().encode(state)));
  CHECK(scene().same(opened, state, io::Counted::all));
  const Trace again = scene().compute(opened, models.inputs());
  CHECK(again.at("weights_soft").values == after.at("weights_soft").values);
  CHECK(again.at("chosen_hard").column_labels == after.at("chosen_hard").column_labels);
}

TEST_CASE("caption: what cannot be moved, painted, read or looked at is refused in a sentence, and nothing changes") {
  for (const auto& [field, value] : io::Patch{{"at", "2.0:12"},
                                              {"at", "0.2:12"},
                                              {"brush", "3.0:12,3.1:10"},
                                              {"brush", "0.0:12"},
                                              {"objects", "red circel 20 30"},
                                              {"objects", "red circle 20 300"},
                                              {"strokes", "pink 5 10,20"},
                                              {"strokes", "red 5 10"},
                                              {"strokes", "red 99 10,20"},
                                              {"own", "a picture"},
                                              {"cell", "64"}}) {
    CAPTURE(field);
    CAPTURE(value);
    std::any state = scene().initial();
    const Result<void> changed = scene().change(state, {{field, value}});
    REQUIRE_FALSE(changed);
    CHECK(changed.error().message.ends_with('.'));
    CHECK(scene().same(state, scene().initial(), io::Counted::all));
  }
  std::any three = state_with({{"grid", "3"}});
  CHECK_FALSE(scene().change(three, {{"cell", "9"}}));
}

TEST_CASE("caption: what can be added is named as the world names it, a red thing and an orange one") {
  REQUIRE(test::load_fonts());
  const std::any state = scene().initial();
  const figure::Figure figure = scene().draw(state, scene().compute(state, {}), {.width = 756, .place = {1, 0}});
  std::vector<std::string> labels;
  for (const figure::Element& element : figure.elements)
    if (element.label.starts_with("Add ")) labels.push_back(element.label);
  CHECK(labels == std::vector<std::string>{"Add a green circle", "Add a blue square", "Add a yellow triangle",
                                           "Add a purple star", "Add an orange cross"});
}

TEST_CASE("caption: a brush begins a stroke, goes on with it, and paints where it went") {
  std::any state = state_with({{"preset", "empty"}, {"ink", "black"}, {"width", "4"}});
  REQUIRE(scene().change(state, {{"brush", "0.0:10,0.1:32"}}));
  REQUIRE(scene().change(state, {{"brush", "0.0:50,0.1:32"}}));
  REQUIRE(scene().change(state, {{"brush", "1.0:5,1.1:5"}}));
  CHECK(in(state).strokes == "black 4 10,32 50,32; black 4 5,5");
  const Matrix picture = scene().compute(state, {}).at("picture").values;
  const auto at = [&](int x, int y) { return picture(y * pictures::kSide + x, 0); };
  for (int x = 10; x < 50; ++x) {
    CHECK(at(x, 31) == 0);
    CHECK(at(x, 32) == 0);
    CHECK(at(x, 40) == 0.5F);
  }
  CHECK(at(5, 5) == 0);
  CHECK(at(60, 32) == 0.5F);
  const Result<std::vector<caption::Stroke>> read = caption::read_strokes(in(state).strokes);
  REQUIRE(read);
  CHECK(caption::write(*read) == in(state).strokes);
}

TEST_CASE("caption: a picture of one's own lies below objects and strokes, and a link without it says so") {
  test::Captioners models;
  Picture picture{.side = 64, .rgb = std::vector<std::uint8_t>(std::size_t{64} * 64 * 3, 51)};
  const std::string name = name_of(picture);
  models.pictures.emplace(name, picture);
  std::any state = scene().initial();
  REQUIRE(scene().change(state, {{"own", name}, {"objects", "big blue square 32 32"}}));
  CHECK(in(state).preset == caption::Preset::own);
  const Trace trace = scene().compute(state, models.inputs());
  CHECK(trace.at("own").values(0, 0) == 1);
  CHECK(trace.at("picture").values(0, 0) == doctest::Approx(0.2));
  CHECK(trace.at("picture").values(32 * 64 + 32, 2) > 0.5F);
  CHECK(trace.find("truth") == nullptr);
  CHECK(scene().compute(state, {}).at("own").values(0, 0) == 0);
  std::any opened = scene().initial();
  REQUIRE(scene().change(opened, scene().encode(state)));
  CHECK(scene().same(opened, state, io::Counted::all));
}

TEST_CASE("caption: the world's own caption stands beside what they say, where there is one") {
  const test::Captioners models;
  const std::any state = state_with({{"preset", "twins"}});
  const Trace trace = scene().compute(state, models.inputs());
  CHECK(trace.at("truth").column_labels == labels_of(pictures::caption(caption::scene_of(in(state))).words));
  for (const char* preset : {"empty", "painted"}) {
    const Trace foreign = scene().compute(state_with({{"preset", preset}}), models.inputs());
    CHECK(foreign.find("truth") == nullptr);
    CHECK(foreign.find("gold") == nullptr);
  }
}

TEST_CASE("caption: gold is the cells of all objects that a word speaks of, up to the first word that is wrong") {
  struct Said {
    const char *objects, *word;
    std::vector<int> meant;  // by the first word
  };
  // "a big red circle left of …", of which the circle is the second object, and "two big purple stars".
  for (const auto& [objects, word, meant] : {Said{"small blue square 47 20; big red circle 20 40", "a", {1}},
                                             Said{"big purple star 23 45; big purple star 39 22", "two", {0, 1}},
                                             Said{"big purple star 23 45; big purple star 39 22", "red", {}}}) {
    CAPTURE(objects);
    CAPTURE(word);
    test::Captioners models;
    models.stare(0, word);
    const std::any state = state_with({{"objects", objects}});
    const Matrix gold = scene().compute(state, models.inputs()).at("gold").values;
    const auto belongs = pictures::cells_of(caption::scene_of(in(state)), 8);
    REQUIRE(gold.rows() > 1);
    for (int cell = 0; cell < 64; ++cell) {
      const bool is_meant = std::ranges::any_of(meant, [&](int object) {
        return belongs[static_cast<std::size_t>(object)][static_cast<std::size_t>(cell)] != 0;
      });
      CHECK(gold(0, cell) == (is_meant ? 1.F : 0.F));
    }
    CHECK(gold.bottomRows(gold.rows() - 1).isZero());
  }
}

TEST_CASE("caption: the job draws as many captions as it says, the same again from one seed, and looks are shares") {
  const test::Captioners models;
  const std::any state = state_with({{"seed", "7"}});
  CHECK(caption::drawn(scene().compute(state, models.inputs())) == 0);
  const Trace trace = with_draws(state, models.inputs());
  CHECK(caption::drawn(trace) == caption::kDraws);
  const Matrix& captions = trace.at("captions").values;
  for (Eigen::Index i = 1; i < captions.rows(); ++i) CHECK(captions(i, 0) <= captions(i - 1, 0));
  const Matrix& glimpses = trace.at("glimpses").values;
  for (Eigen::Index t = 0; t < glimpses.rows(); ++t) CHECK(glimpses.row(t).sum() == doctest::Approx(1));
  const Trace again = with_draws(state, models.inputs());
  CHECK(again.at("variance").values == trace.at("variance").values);
  CHECK(again.at("glimpses").values == glimpses);
  CHECK(with_draws(state_with({{"seed", "8"}}), models.inputs()).at("glimpses").values != glimpses);
}

TEST_CASE("caption: the job works in slices, and shows what it has before it is done") {
  const test::Captioners models;
  const std::any state = scene().initial();
  const std::unique_ptr<Job> job = scene().job(state, models.inputs());
  REQUIRE(job);
  int slices = 0, shown = 0;
  do {
    const int before = job->snapshot.revision;
    ++slices;
    if (!job->advance(0)) break;
    if (job->snapshot.revision == before) continue;
    ++shown;
    CHECK(caption::drawn(computed(state, models.inputs(), job->snapshot)) == job->snapshot.done);
  } while (true);
  CHECK(slices >= 20);
  CHECK(shown >= 3);
}

TEST_CASE("caption: without its model or the picture there is no job, which is said") {
  const test::Captioners models;
  CHECK(scene().job(scene().initial(), {}) == nullptr);
  CHECK(scene().job(state_with({{"own", "0123456789abcdef"}}), models.inputs()) == nullptr);
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::change(app, {{"scene", "caption"}, {"step", "9"}}));
  app::toggle_job(app);
  CHECK(app.notice.text.find("not here") != std::string::npos);
}

TEST_CASE("caption: what was drawn is kept while another word is looked at, and given up when an object is dragged") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  app.resources = test::Captioners().resources;
  REQUIRE(app::change(app, {{"scene", "caption"}, {"step", "9"}}));
  app::toggle_job(app);
  for (double now = 0; app.works(); now += 1) app::advance(app, now, 1000);
  REQUIRE(caption::drawn(app.trace) == caption::kDraws);
  for (const auto& [field, value] : io::Patch{{"word", "1"}, {"cell", "3"}, {"attention", "hard"}, {"feature", "2"}}) {
    CAPTURE(field);
    REQUIRE(app::change(app, field, value));
    CHECK(caption::drawn(app.trace) == caption::kDraws);
  }
  REQUIRE(app::change(app, "at", "0.0:30"));
  CHECK(caption::drawn(app.trace) == 0);
}

TEST_CASE("caption: draws look at a cell as often as its chance says") {
  const test::Captioners models;
  captions::Reader reader(models.model(caption::Grid::three, caption::Gaze::hard),
                          pictures::paint(captions::held_out(2, 1)[0]));
  constexpr int kDraws = 4000;
  Random random(5);
  const std::vector<captions::Draw> draws = reader.draw(kDraws, random);
  const Matrix chances = reader.write({.look = captions::Look::likeliest}).weights;
  std::vector<int> counts(9, 0);
  for (const captions::Draw& draw : draws) ++counts[static_cast<std::size_t>(draw.places[0])];
  for (int cell = 0; cell < 9; ++cell) {
    const double chance = static_cast<double>(chances(0, cell));
    // Five standard deviations.
    CHECK(std::abs(counts[static_cast<std::size_t>(cell)] - kDraws * chance) <
          5 * std::sqrt(kDraws * chance * (1 - chance)) + 1);
  }
}

// With two words of nine cells each the expectation is a sum over 81 ways, Σ_ij p_i p_j|i R_ij, whose derivative by v
// is Σ_ij p_i p_j|i R_ij ∂ (ln p_i + ln p_j|i) / ∂ v. What is said first changes where is looked next, and what is said
// then.
TEST_CASE("caption: every way of estimating the gradient has the exact gradient as its mean") {
  const test::Captioners models;
  captions::Training model = models.model(caption::Grid::three, caption::Gaze::hard);
  // Whatever the first look, the likeliest word is the same, so that two looks can be forced on one caption.
  const int first = *pictures::vocabulary().find("red"), second = *pictures::vocabulary().find("circle");
  model.weights.output.weight *= 0.01F;
  model.weights.output.bias(0, first) += 3;
  captions::Reader reader(model, pictures::paint(captions::held_out(3, 1)[0]));
  const Matrix keys = reader.keys();
  // ∂ ln p_i / ∂ v for each cell i, of the word t of a caption.
  const auto score_gradients = [&](const captions::Writing& writing, int t) {
    const Matrix hidden = (keys.rowwise() + writing.query.row(t)).array().tanh().matrix();
    return Matrix(hidden.rowwise() - writing.weights.row(t) * hidden);
  };
  Matrix exact = Matrix::Zero(1, keys.cols());
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      const captions::Writing way = reader.write({.look = captions::Look::likeliest, .places = {{0, i}, {1, j}}});
      REQUIRE(way.words[0] == first);
      const float chance = way.weights(0, i) * way.weights(1, j);
      const float reward = std::log(way.probabilities(0, first)) + std::log(way.probabilities(1, second));
      exact += chance * reward * (score_gradients(way, 0).row(i) + score_gradients(way, 1).row(j));
    }
  constexpr int kDraws = 20000;
  Random random(11);
  captions::Sampled sampled;
  for (int i = 0; i < 4; ++i)
    captions::append(sampled, reader.sample(std::vector<int>{first, second}, kDraws / 4, random));
  const std::vector<captions::Estimate> estimates = captions::estimates_of(sampled);
  REQUIRE(estimates.size() == 4);
  for (const captions::Estimate& estimate : estimates) {
    CAPTURE(estimate.to_go);
    CAPTURE(estimate.baseline);
    const double error = std::sqrt(estimate.variance / kDraws);
    CHECK(static_cast<double>((estimate.mean - exact).norm()) < 5 * error + 1e-6);
    if (estimate.baseline) CHECK(static_cast<double>(exact.norm()) > 10 * error);  // or 0 would pass as well
  }
  CHECK(estimates[1].variance < estimates[0].variance);
  CHECK(estimates[3].variance < estimates[2].variance);
}

TEST_CASE("caption: a cell sees as many pixels as its receptive field, but for the picture's edges") {
  for (const int grid : {8, 3}) {
    const int field = captions::receptive_field(grid);
    for (int cell = 0; cell < grid * grid; ++cell) {
      const captions::Seen seen = captions::seen_by(grid, cell);
      CHECK(seen.left >= 0);
      CHECK(seen.right <= 64);
      CHECK(seen.right - seen.left <= field);
      CHECK(seen.bottom - seen.top <= field);
    }
    const int middle = grid / 2 * grid + grid / 2;
    const captions::Seen seen = captions::seen_by(grid, middle);
    CHECK(seen.right - seen.left == field);
  }
}

TEST_CASE("caption: what a cell does not see changes nothing of its features but through no way at all") {
  const test::Captioners models;
  const captions::Training& model = models.model(caption::Grid::eight, caption::Gaze::soft);
  Matrix picture = Matrix::Constant(pictures::kPixels, 3, 0.5F);
  const Matrix before = captions::Reader(model, picture).features();
  for (const int cell : {0, 27, 63}) {
    const captions::Seen seen = captions::seen_by(8, cell);
    Matrix changed = picture;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        if (x < seen.left || x >= seen.right || y < seen.top || y >= seen.bottom)
          changed.row(y * 64 + x).setConstant(1);
    CHECK(deviation(row_of(captions::Reader(model, changed).features(), cell), row_of(before, cell)) < 1e-6);
  }
}

TEST_CASE("caption: with models each step is drawn within its view, told and explained") {
  REQUIRE(test::load_fonts());
  const test::Captioners models;
  for (const io::Patch& patch : {io::Patch{{"gold", "on"}}, io::Patch{{"preset", "painted"}},
                                 io::Patch{{"preset", "empty"}, {"attention", "hard"}},
                                 io::Patch{{"grid", "3"}, {"attention", "hard"}, {"smooth", "on"}}}) {
    const std::any state = state_with(patch);
    const Trace trace = with_draws(state, models.inputs());
    for (int step = 1; step <= static_cast<int>(scene().steps().size()); ++step)
      for (const float width : {320.F, 390.F, 756.F, 1200.F}) {
        CAPTURE(step);
        CAPTURE(width);
        const View view{.width = width, .height = 592, .place = {step, 0}};
        const figure::Figure figure = scene().draw(state, trace, view);
        std::set<std::string> ids;
        for (const figure::Element& element : figure.elements) {
          CAPTURE(element.id);
          CHECK(std::isfinite(element.rect.x + element.rect.y));
          if (!element.clip) {
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= width + 0.5F);
            CHECK(element.rect.bottom() <= figure.height + 0.5F);
          }
          if (element.role == figure::Role::none) continue;
          CHECK(ids.insert(element.id).second);
          CHECK(!element.label.empty());
          if (!element.edit || element.edit->value.empty() || element.edit->field == "do") continue;
          std::any next = state;
          CHECK(scene().change(next, {{element.edit->field, element.edit->value}}));
        }
        const std::string told = scene().narrate(state, trace, view);
        CAPTURE(told);
        CHECK(told.ends_with('.'));
        CHECK(told.find("nan") == std::string::npos);
        CHECK(trace.find(scene().principal(state, trace, {step, 0})) != nullptr);
      }
    for (const Tensor& tensor : trace.tensors)
      for (int i = 0; i < tensor.rows(); i += std::max(1, tensor.rows() / 4))
        for (int j = 0; j < tensor.columns(); j += std::max(1, tensor.columns() / 4)) {
          const std::string id = figure::cell_id({tensor.name, i, j});
          CAPTURE(id);
          const std::optional<Inspection> made = scene().inspect(state, trace, {}, id);
          REQUIRE(made);
          CHECK(made->title.starts_with(tensor.name));
          CHECK(figure::plain(made->lines.back()).ends_with(scenes::whole(static_cast<double>(tensor.values(i, j)))));
        }
  }
}

TEST_CASE("caption: each control beside a step changes its figure or what is said of it") {
  REQUIRE(test::load_fonts());
  const test::Captioners models;
  for (const char* gaze : {"soft", "hard"}) {
    const std::any state = state_with({{"attention", gaze}});
    for (int step = 1; step <= static_cast<int>(scene().steps().size()); ++step) {
      const View view{.width = 756, .height = 592, .place = {step, 0}};
      const auto seen = [&](const std::any& shown) {
        const Trace trace = step == 9 ? with_draws(shown, models.inputs()) : scene().compute(shown, models.inputs());
        return figure::svg(scene().draw(shown, trace, view), trace, "", scene().narrate(shown, trace, view));
      };
      const std::string before = seen(state);
      for (const io::FieldInfo& info : scene().fields(state)) {
        if (info.field.place != io::Place::panel || !info.field.shown ||
            !info.field.steps.has(step_at(scene(), view.place).id))
          continue;
        if (info.field.name == "gold") continue;  // of words that are right, which untrained models do not say
        CAPTURE(gaze);
        CAPTURE(step);
        CAPTURE(info.field.name);
        std::vector<std::string> values{"on", "0.2", "2", "9"};
        for (const io::Choice& choice : info.field.choices) values.emplace_back(choice.value);
        CHECK(std::ranges::any_of(values, [&](const std::string& value) {
          std::any next = state;
          return scene().change(next, {{std::string(info.field.name), value}}) && seen(next) != before;
        }));
      }
    }
  }
}

TEST_CASE("caption: the question's right answer is what lies under hard attention's look, and is revealed there") {
  test::Captioners models;
  const std::any state = state_with({{"objects", "big red circle 20 40; small blue square 47 20; plain 30"}});
  struct Look {
    int cell;
    const char* thing;
  };
  for (const auto& [cell, thing] :
       {Look{5 * 8 + 2, "the big red circle"}, Look{2 * 8 + 5, "the small blue square"}, Look{0, "the background"}}) {
    CAPTURE(thing);
    models.stare(cell, "red");
    const std::optional<Question> question = scene().ask(state, scene().compute(state, models.inputs()));
    REQUIRE(question);
    CHECK(question->options ==
          std::vector<std::string>{"the big red circle", "the small blue square", "the background"});
    CHECK(question->options[static_cast<std::size_t>(question->correct)] == thing);
    std::any revealed = state;
    REQUIRE(scene().change(revealed, question->reveal));
    const Trace after = scene().compute(revealed, models.inputs());
    CHECK(static_cast<int>(after.at("look").values(0, caption::word_row(in(revealed), after))) == cell);
    CHECK(in(revealed).cell == cell);
  }
}

TEST_CASE("caption: a look at a cell of two objects is told as that, and is not asked for") {
  constexpr int kBoth = 2 * 8 + 3;
  test::Captioners models;
  models.stare(kBoth, "red");
  const std::any state = state_with({{"objects", "big red circle 20 20; big blue square 36 20"}});
  const auto belongs = pictures::cells_of(caption::scene_of(in(state)), 8);
  REQUIRE(belongs[0][kBoth] + belongs[1][kBoth] == 2);
  const Trace trace = scene().compute(state, models.inputs());
  CHECK_FALSE(scene().ask(state, trace));
  CHECK(scene().narrate(state, trace, {.place = {4, 0}}).find("on the big red circle and the big blue square") !=
        std::string::npos);
}

TEST_CASE("caption: things that are alike are told apart by their places") {
  const auto names = [](const char* objects) {
    return caption::names_of(caption::scene_of(in(state_with({{"objects", objects}}))));
  };
  CHECK(names("big red circle 44 20; big red circle 20 20; small blue star 30 50") ==
        std::vector<std::string>{"right big red circle", "left big red circle", "small blue star"});
  CHECK(names("red star 50 20; red star 20 20; red star 30 50") ==
        std::vector<std::string>{"right red star", "left red star", "middle red star"});
  CHECK(names("red star 30 50; red star 30 20").size() == 2);
  test::Captioners models;
  models.stare(3 * 8 + 5, "red");
  const std::any twins = state_with({{"objects", "big red circle 44 28; big red circle 14 28"}});
  const Trace trace = scene().compute(twins, models.inputs());
  CHECK(scene().narrate(twins, trace, {.place = {4, 0}}).find("on the right big red circle") != std::string::npos);
  const std::optional<Question> question = scene().ask(twins, trace);
  REQUIRE(question);
  CHECK(question->options[static_cast<std::size_t>(question->correct)] == "the right big red circle");
}

TEST_CASE("caption: a cell that sees the edge of a thing only is not said to be of the background") {
  test::Captioners models;
  const std::any state = state_with({{"objects", "big red circle 32 32"}});
  const auto belongs = pictures::cells_of(caption::scene_of(in(state)), 8);
  const auto owners = pictures::owners(caption::scene_of(in(state)));
  int edges = 0;
  for (int cell = 0; cell < 64; ++cell) {
    bool seen = false;
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        seen = seen || owners[static_cast<std::size_t>((cell / 8 * 8 + y) * pictures::kSide + cell % 8 * 8 + x)] == 0;
    const bool edge = seen && belongs[0][static_cast<std::size_t>(cell)] == 0;
    edges += edge ? 1 : 0;
    models.stare(cell, "red");
    const Trace trace = scene().compute(state, models.inputs());
    const std::string told = scene().narrate(state, trace, {.place = {4, 0}});
    CHECK((told.find("at the edge of the big red circle") != std::string::npos) == edge);
    CHECK((told.find("on the background") != std::string::npos) == !seen);
  }
  CHECK(edges > 0);
}

TEST_CASE("caption: each grid needs its own two files, and what is none of them is refused by name") {
  const std::any eight = scene().initial(), three = state_with({{"grid", "3"}});
  REQUIRE(scene().needs(eight, {1, 0}).size() == 2);
  CHECK(scene().needs(eight, {1, 0})[0]->name == caption::file_of(caption::Grid::eight, caption::Gaze::soft));
  CHECK(scene().needs(three, {9, 0})[1]->name == caption::file_of(caption::Grid::three, caption::Gaze::hard));
  const auto soft = captions::write_model(test::untrained(captions::Glimpse::soft, 8), true);
  CHECK(scene().needs(eight, {1, 0})[0]->read(soft, "soft").has_value());
  for (const Resource* wanted : {scene().needs(eight, {1, 0})[1], scene().needs(three, {1, 0})[0]}) {
    const Result<std::any> read = wanted->read(soft, "that.safetensors");
    const bool refused = !read.has_value();
    REQUIRE(refused);
    CHECK(read.error().message.find("that.safetensors") != std::string::npos);
  }
}

TEST_CASE("caption: playing shows all words, one after the other, and then goes on") {
  const test::Captioners models;
  std::any state = state_with({});
  io::Patch played{{"step", "words"}, {"word", "0"}};
  const Trace trace = scene().compute(state, models.inputs());
  const int words = trace.at("weights").rows();
  CHECK(scene().play(state, trace, {6, 0}) == played);
  for (int t = 0; t < words; ++t) {
    REQUIRE(scene().change(state, {{"word", std::to_string(t)}}));
    played = scene().play(state, trace, {7, 0});
    CHECK(played == (t + 1 < words ? io::Patch{{"step", "words"}, {"word", std::to_string(t + 1)}}
                                   : io::Patch{{"step", "compare"}, {"word", "0"}}));
  }
  CHECK(scene().play(state, trace, {8, 0}).empty());
  CHECK(scene().play(state, scene().compute(state, {}), {7, 0}).empty());
}
