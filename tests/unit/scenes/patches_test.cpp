// The laws of attention among a picture's patches.
#include "scenes/patches/patches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/app.h"
#include "io/numbers.h"
#include "learn/pictures.h"
#include "scenes/patches/landscape.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::patches;

namespace {

constexpr float kRounding = 1e-5F;  // of sums of a few hundred products of numbers near 1

const SceneDef& scene() { return *find("patches"); }

State with(const io::Patch& patch) {
  std::any state = scene().initial();
  REQUIRE(scene().change(state, patch));
  return std::any_cast<State>(state);
}

Trace traced(const io::Patch& patch) { return compute(with(patch), {}); }

bool refuses(const io::Patch& patch) {
  std::any state = scene().initial();
  return !scene().change(state, patch);
}

Matrix plain(int side, float r, float g, float b) {
  Matrix picture(side * side, 3);
  picture.rowwise() = Eigen::RowVector3f(r, g, b);
  return picture;
}

// A quarter turn against the clock.
Matrix turned(const Matrix& picture, int side) {
  Matrix made(picture.rows(), 3);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) made.row((side - 1 - x) * side + y) = picture.row(y * side + x);
  return made;
}

int turned_patch(int patch, int grid) { return (grid - 1 - patch % grid) * grid + patch / grid; }

Matrix attention(const Matrix& picture, const Cut& cut) {
  const Matrix raw = features(picture, cut);
  const Matrix X = standardised(raw, standard(raw), {});
  return X * X.transpose();
}

}  // namespace

TEST_CASE(
    "patches: Oklab has white at lightness 1 and black at 0, greys without colour, and red is what its author says") {
  Matrix rgb(4, 3);
  rgb << 1, 1, 1, 0, 0, 0, 0.5F, 0.5F, 0.5F, 1, 0, 0;
  const Matrix lab = oklab(rgb);
  CHECK(lab(0, 0) == doctest::Approx(1).epsilon(1e-4));
  CHECK(lab.row(1).norm() < 1e-4F);
  CHECK(lab.row(2).tail(2).norm() < 1e-4F);
  // Ottosson 2020 gives sRGB red as 0.628, 0.225, 0.126.
  CHECK(lab(3, 0) == doctest::Approx(0.628).epsilon(2e-3));
  CHECK(lab(3, 1) == doctest::Approx(0.225).epsilon(2e-3));
  CHECK(lab(3, 2) == doctest::Approx(0.126).epsilon(4e-3));
}

TEST_CASE("patches: a picture of one colour has no edges and no deviation, and looks everywhere alike") {
  const Cut cut{.side = 64, .grid = 8};
  const Matrix raw = features(plain(64, 0.3F, 0.6F, 0.2F), cut);
  CHECK(raw.middleCols(3, 1 + kOrientations).cwiseAbs().maxCoeff() < kRounding);
  const Matrix X = standardised(raw, standard(raw), {});
  CHECK(X.isZero(0));
}

TEST_CASE("patches: an upright edge votes for 90°, a lying one for 0°, and what rises to the right for 45°") {
  constexpr int side = 16;
  struct Edge {
    int x, y, orientation;  // the direction in which it gets lighter, y down
  };
  for (const auto& [x, y, orientation] : {Edge{1, 0, 4}, Edge{0, 1, 0}, Edge{1, 1, 2}, Edge{1, -1, 6}}) {
    Matrix lightness(side * side, 1);
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) lightness(j * side + i, 0) = static_cast<float>(x * i + y * j) / (4 * side);
    const Matrix votes = edge_votes(lightness, side);
    Eigen::Index best = 0;
    const float most = votes.row(8 * side + 8).maxCoeff(&best);
    CAPTURE(orientation);
    CHECK(best == orientation);
    CHECK(votes.row(8 * side + 8).sum() == doctest::Approx(most));
    // Of a slope of (x, y) / 4·side, Sobel's kernels by 8 find its length.
    CHECK(most == doctest::Approx(std::hypot(x, y) / (4 * side)));
  }
}

TEST_CASE("patches: a quarter turn of the picture turns its patches and shifts the orientations by half of them") {
  for (const auto& [picture, side] : {std::pair{landscape(64), 64}, std::pair{landscape(32), 32}}) {
    const Cut cut{.side = side, .grid = 8};
    const Matrix before = features(picture, cut), after = features(turned(picture, side), cut);
    for (int p = 0; p < cut.patches(); ++p) {
      const int q = turned_patch(p, cut.grid);
      CHECK((before.row(p).head(4) - after.row(q).head(4)).norm() < kRounding);
      for (int o = 0; o < kOrientations; ++o)
        CHECK(before(p, 4 + o) == doctest::Approx(after(q, 4 + (o + kOrientations / 2) % kOrientations)).epsilon(1e-3));
    }
    const Matrix scores = attention(picture, cut), others = attention(turned(picture, side), cut);
    for (int p = 0; p < cut.patches(); ++p)
      for (int k = 0; k < cut.patches(); ++k)
        CHECK(std::abs(scores(p, k) - others(turned_patch(p, cut.grid), turned_patch(k, cut.grid))) < 1e-2F);
  }
}

TEST_CASE("patches: standardised features have mean 0, and each group variance 1, times its share") {
  const Cut cut{.side = 64, .grid = 8};
  const Matrix raw = features(landscape(64), cut);
  const Shares shares{.colour = 1, .edges = 0.25, .place = 2};
  const Matrix X = standardised(raw, standard(raw), shares);
  CHECK(X.colwise().mean().cwiseAbs().maxCoeff() < kRounding);
  for (const Group& group : kGroups) {
    const auto part = X.middleCols(group.first, group.count);
    CHECK(part.squaredNorm() / static_cast<float>(part.size()) ==
          doctest::Approx(shares.of(group.first)).epsilon(1e-4));
  }
}

TEST_CASE("patches: cutting a picture and putting it together again changes no pixel") {
  const Matrix picture = landscape(64);
  for (const int grid : {4, 8, 16}) {
    const Cut cut{.side = 64, .grid = grid};
    CHECK(picture_of(patches_of(picture, cut), cut) == picture);
  }
}

TEST_CASE("patches: weights of every look sum to 1, hard has one of them, top-k k") {
  for (const char* preset : {"alike", "stripes", "checks", "gradient", "landscape"})
    for (const char* itself : {"on", "off"}) {
      CAPTURE(preset);
      for (const auto& [look, count] :
           {std::pair{"soft", 64 - (itself[1] == 'f' ? 1 : 0)}, std::pair{"hard", 1}, std::pair{"top", 5}}) {
        const Trace trace = traced({{"preset", preset}, {"look", look}, {"k", "5"}, {"itself", itself}});
        const Matrix& weights = trace.at("weights").values;
        CAPTURE(look);
        CHECK((weights.rowwise().sum().array() - 1).abs().maxCoeff() < kRounding);
        CHECK(((weights.array() > 0).rowwise().count() == count).all());
        if (itself[1] == 'f') CHECK(weights.diagonal().isZero(0));
      }
    }
}

TEST_CASE("patches: a temperature near 0 turns soft into hard, a high one makes all weights equal") {
  const Trace cold = traced({{"preset", "landscape"}, {"temperature", "0.02"}});
  const Trace hard = traced({{"preset", "landscape"}, {"look", "hard"}});
  const Matrix &soft = cold.at("weights").values, &one = hard.at("weights").values, &scores = hard.at("scores").values;
  int clear = 0;
  for (int p = 0; p < scores.rows(); ++p) {
    std::vector<float> row(scores.row(p).begin(), scores.row(p).end());
    std::ranges::sort(row, std::greater{});
    if (row[0] - row[1] < 0.3F) continue;  // exp(−0.3 / 0.02) is 3e-7
    ++clear;
    CHECK((soft.row(p) - one.row(p)).cwiseAbs().maxCoeff() < 1e-5F);
  }
  CHECK(clear > 10);
  // No look of the scores' own: with no share for any group all scores are 0.
  const Trace blank = traced({{"preset", "landscape"}, {"colour", "0"}, {"edges", "0"}});
  CHECK((blank.at("weights").values.array() - 1.F / 64).abs().maxCoeff() < kRounding);
}

TEST_CASE("patches: equal patches get equal weights") {
  // Squares of 16 pixels, plain inside: with colour alone there are two kinds of patches.
  const Trace trace = traced({{"preset", "checks"}, {"edges", "0"}});
  const Matrix &raw = trace.at("features").values, &weights = trace.at("weights").values;
  int equal = 0;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < i; ++j) {
      if ((raw.row(i) - raw.row(j)).head(4).norm() > 1e-6F) continue;
      ++equal;
      CHECK((weights.col(i) - weights.col(j)).cwiseAbs().maxCoeff() < kRounding);
    }
  CHECK(equal > 20);
}

TEST_CASE("patches: what hard attention puts out is in every patch a copy of one patch") {
  const State state = with({{"preset", "landscape"}, {"look", "hard"}, {"itself", "off"}});
  const Trace trace = compute(state, {});
  const Cut cut = cut_of(state, trace);
  const Matrix before = patches_of(trace.at("picture").values, cut),
               after = patches_of(trace.at("rebuilt").values, cut);
  for (int p = 0; p < cut.patches(); ++p) {
    Eigen::Index from = 0;
    trace.at("weights").values.row(p).maxCoeff(&from);
    CHECK(from != p);
    CHECK(after.row(p) == before.row(from));
  }
}

TEST_CASE("patches: a patch is mixed from those that have a weight, the heaviest first") {
  for (const auto& [look, count] : {std::pair{"soft", kParts}, std::pair{"hard", 1}, std::pair{"top", 3}}) {
    const State state = with({{"preset", "landscape"}, {"look", look}, {"k", "3"}});
    const Trace trace = compute(state, {});
    const Matrix &shares = trace.at("shares").values, &weights = trace.at("weights").values;
    CHECK(shares.cols() == count);
    CHECK(shares(0, 0) == weights.row(state.query).maxCoeff());
    for (Eigen::Index i = 1; i < shares.cols(); ++i) CHECK(shares(0, i) <= shares(0, i - 1));
    const Cut cut = cut_of(state, trace);
    const Matrix &result = trace.at("result").values, &rebuilt = trace.at("rebuilt").values;
    for (int i = 0; i < result.rows(); ++i) CHECK(result.row(i) == rebuilt.row(cut.pixel(state.query, i)));
  }
}

TEST_CASE("patches: of three alike objects, one looks at all three") {
  const Trace trace = traced({{"grid", "8"}});
  const Matrix& a = trace.at("a").values;
  // Its middles: (20, 20), (44, 44) and (46, 16), in patches of 8 pixels.
  const float least = std::min({a(2, 2), a(5, 5), a(2, 5)});
  CHECK(least > 2.F / 64);
  CHECK(a(7, 0) < 0.5F / 64);  // the background
}

TEST_CASE("patches: the query's grids are its rows") {
  for (const char* grid : {"4", "8", "16"}) {
    const State state = with({{"preset", "gradient"}, {"grid", grid}, {"query", "6"}, {"look", "top"}});
    const Trace trace = compute(state, {});
    const Cut cut = cut_of(state, trace);
    for (int p = 0; p < cut.patches(); ++p) {
      CHECK(trace.at("a").values(p / cut.grid, p % cut.grid) == trace.at("weights").values(6, p));
      CHECK(trace.at("a_top").values(p / cut.grid, p % cut.grid) == trace.at("weights").values(6, p));
      CHECK(trace.at("s").values(p / cut.grid, p % cut.grid) == trace.at("scores").values(6, p));
    }
    CHECK(trace.at("effective").values(0, 1) == doctest::Approx(1));
    CHECK(trace.at("effective").values(0, 2) <= 4 + kRounding);
  }
}

TEST_CASE("patches: a pinned patch is the query") {
  const State state = with({{"grid", "8"}});
  CHECK(follow(state, {"a", 3, 5}) == io::Patch{{"query", "29"}});
  CHECK(follow(state, {"weights", 7, 5}) == io::Patch{{"query", "7"}});
  CHECK(follow(state, {"picture", 7, 1}).empty());
}

TEST_CASE("patches: a click makes a patch the query, arrow keys move it, and neither is a change to be undone") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::open_link(app, "scene=patches&step=4"));
  app::pin(app, "a[3,5]");
  CHECK(std::any_cast<State>(app.state).query == 29);
  CHECK(app.trace.at("a").values(3, 5) == app.trace.at("weights").values(29, 29));
  REQUIRE(app::move_pin(app, -1, 1));
  CHECK(std::any_cast<State>(app.state).query == 22);
  CHECK(app.undo_stack.empty());
}

TEST_CASE("patches: words make a picture of one's own, and words that are none are refused") {
  const State state = with({{"text", "big blue star 30 30; checks 20"}});
  CHECK(state.preset == Preset::own);
  CHECK(compute(state, {}).at("picture").values == learn::pictures::paint(*learn::pictures::read(state.text)));
  CHECK(refuses({{"text", "big blue potato 30 30"}}));
  CHECK(refuses({{"text", std::string(2000, ' ')}}));
}

TEST_CASE("patches: a patch beyond the grid is refused, and a coarser grid keeps the query inside") {
  CHECK(refuses({{"grid", "4"}, {"query", "16"}}));
  std::any state = scene().initial();
  REQUIRE(scene().change(state, {{"grid", "16"}}));
  REQUIRE(scene().change(state, {{"query", "255"}}));
  REQUIRE(scene().change(state, {{"grid", "4"}}));
  CHECK(std::any_cast<State>(state).query == 15);
}

TEST_CASE("patches: the reader's own picture is what is cut, and comes back after another example") {
  Picture picture{.side = kPicture.side, .rgb = {}};
  for (int i = 0; i < 3 * kPicture.side * kPicture.side; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(i * 7));
  const std::string name = name_of(picture);
  std::map<std::string, Picture, std::less<>> pictures{{name, picture}};
  std::any state = scene().initial();
  REQUIRE(scene().change(state, {{"own", name}}));
  CHECK(std::any_cast<State>(state).preset == Preset::photo);
  CHECK(scene().compute(state, {.pictures = &pictures}).at("picture").values == pixels_of(picture));
  CHECK(!has_picture(scene().compute(state, {})));
  REQUIRE(scene().change(state, {{"preset", "stripes"}}));
  CHECK(scene().encode(state) == io::Patch{{"preset", "stripes"}, {"given", name}});
  // A link has all that there is to come back to.
  std::any opened = scene().initial();
  REQUIRE(scene().change(opened, scene().encode(state)));
  state = opened;
  REQUIRE(scene().change(state, {{"preset", "photo"}}));
  CHECK(scene().compute(state, {.pictures = &pictures}).at("picture").values == pixels_of(picture));
  CHECK(scene().encode(state) == io::Patch{{"preset", "photo"}, {"own", name}});
}

TEST_CASE("patches: the question's answer is what the scores say") {
  for (const char* preset : {"alike", "stripes", "landscape"}) {
    const State state = with({{"preset", preset}});
    const Trace trace = compute(state, {});
    const Matrix& scores = trace.at("scores").values;
    int others = 0;
    for (int p = 0; p < scores.rows(); ++p) others += scores.row(p).maxCoeff() > scores(p, p) + 1e-4F ? 1 : 0;
    const auto question = ask(state, trace);
    REQUIRE(question);
    CHECK(question->correct == (others == 0 ? 0 : others == 64 ? 2 : 1));
    CHECK(question->answer.find(std::to_string(others) + " of 64") != std::string::npos);
  }
}

TEST_CASE("patches: words that are typed take the place of a picture that was given, in its link too") {
  std::any state = find("patches")->initial();
  REQUIRE(find("patches")->change(state, {{"own", "0123456789abcdef"}}));
  CHECK(state_in<patches::State>(state).preset == patches::Preset::photo);
  REQUIRE(find("patches")->change(state, {{"text", "big blue star 30 30; checks 20"}}));
  CHECK(state_in<patches::State>(state).preset == patches::Preset::own);
  CHECK(state_in<patches::State>(state).own.empty());
}
