// What Spotlight and Heads show of the trained encoder is what the encoder computes.
#include "scenes/common/trained_attention.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "figure/formula.h"
#include "learn/encoder_reading.h"
#include "scenes/common/sentence.h"
#include "scenes/heads/heads.h"
#include "scenes/sentence/model.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/models.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::scenes;
using test::check_refused;

namespace {

constexpr const char* kText = "The wug that she saw didn't cross the street";

struct Model {
  std::map<std::string, std::any, std::less<>> resources;

  Model() {
    Result<std::any> read = trained::kEncoder.read(test::model_bytes(trained::kEncoder.name), trained::kEncoder.name);
    REQUIRE(read);
    resources.emplace(trained::kEncoder.name, std::move(*read));
  }
  [[nodiscard]] Inputs inputs() const { return {.resources = &resources}; }
  [[nodiscard]] const learn::sentences::Training& encoder() const {
    return **inputs().resource<trained::Encoder>(trained::kEncoder.name);
  }
};

Result<void> change(const char* scene, std::any& state, const std::string& patch) {
  const Result<io::Patch> parsed = io::parse_patch(patch);
  REQUIRE(parsed);
  return find(scene)->change(state, *parsed);
}

std::any made(const char* scene, const std::string& patch) {
  std::any state = find(scene)->initial();
  CAPTURE(patch);
  REQUIRE(change(scene, state, patch));
  return state;
}

io::Array weights_of(const Model& model, std::string_view text) {
  const auto words = learn::english::read(text);
  REQUIRE(words);
  return learn::sentences::read(model.encoder(), *words).weights;
}

// Of the encoder's own weights of this head, from 1.
double apart(const Matrix& weights, const io::Array& all, int layer, int head) {
  const Eigen::Index size = weights.rows();
  REQUIRE(all.shape == std::vector<Eigen::Index>{trained::kLayers, trained::kHeads, size, size});
  const float* first = all.data.data() + ((layer - 1) * trained::kHeads + head - 1) * size * size;
  return static_cast<double>((weights - Eigen::Map<const Matrix>(first, size, size)).cwiseAbs().maxCoeff());
}

constexpr double kRounding = 1e-5;  // sums of 97 products in another order

}  // namespace

TEST_CASE("trained matrices: every head's weights in Spotlight and in Heads are the encoder's own") {
  const Model model;
  const io::Array all = weights_of(model, kText);
  for (int layer = 1; layer <= trained::kLayers; ++layer) {
    const std::string patch = std::string("preset=own&text=") + kText + "&trained=on&layer=" + std::to_string(layer);
    const Trace heads = find("heads")->compute(made("heads", patch), model.inputs());
    for (int head = 1; head <= trained::kHeads; ++head) {
      CAPTURE(layer);
      CAPTURE(head);
      CHECK(apart(heads.at(heads::of_head("A", head - 1)).values, all, layer, head) <= kRounding);
      const Trace one =
          find("spotlight")->compute(made("spotlight", patch + "&head=" + std::to_string(head)), model.inputs());
      CHECK(apart(one.at("weights").values, all, layer, head) <= kRounding);
      CHECK(one.at("weights").row_labels[0] == "[START]");
    }
  }
}

TEST_CASE("trained matrices: what a layer adds to its input is C W_O and the bias") {
  const Model model;
  const std::any state = made("heads", "preset=cat&trained=on&layer=2");
  const Trace trace = find("heads")->compute(state, model.inputs());
  const auto& weights = model.encoder().weights.layers[1];
  const Matrix Y = (trace.at("C").values * weights.output.weight).rowwise() + weights.output.bias.row(0);
  CHECK((trace.at("Y").values - Y).cwiseAbs().maxCoeff() <= kRounding);
  // Switched off, all heads leave the bias.
  std::string off = "preset=cat&trained=on&layer=2";
  for (int h = 1; h <= trained::kHeads; ++h) off += "&off_" + std::to_string(h) + "=on";
  const Trace none = find("heads")->compute(made("heads", off), model.inputs());
  CHECK(((none.at("Y_now").values.rowwise() - weights.output.bias.row(0)).cwiseAbs().maxCoeff()) <= kRounding);
}

TEST_CASE("trained matrices: a link brings back what was chosen, and one without them is as it was") {
  for (const char* scene : {"spotlight", "heads"}) {
    for (const char* patch : {"trained=on", "trained=on&layer=3&head=5&query=2", "preset=apple&trained=on&X=1.3:0.5",
                              "preset=own&text=dogs+run&trained=on&layer=2"}) {
      CAPTURE(patch);
      const std::any state = made(scene, patch);
      std::any again = find(scene)->initial();
      REQUIRE(find(scene)->change(again, find(scene)->encode(state)));
      CHECK(find(scene)->same(state, again, io::Counted::all));
    }
    // On and off again.
    std::any state = made(scene, "preset=cat");
    REQUIRE(change(scene, state, "trained=on"));
    REQUIRE(change(scene, state, "trained=off"));
    CHECK(find(scene)->same(state, made(scene, "preset=cat"), io::Counted::all));
  }
}

TEST_CASE("trained matrices: what does not go with them is refused in a sentence") {
  const auto refused = [](const char* scene, const std::string& patch) {
    CAPTURE(patch);
    std::any state = find(scene)->initial();
    check_refused(change(scene, state, patch));
    CHECK(find(scene)->same(state, find(scene)->initial(), io::Counted::all));
  };
  refused("spotlight", "preset=day1&trained=on");
  refused("spotlight", "trained=on&layer=4");
  refused("spotlight", "trained=on&W_q=97.0:1");
  refused("spotlight", "trained=on&text=" + std::string("a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z"));
  refused("heads", "trained=on&attention=cross");
  refused("heads", "trained=on&heads=4");
  refused("heads", "trained=on&d_model=24");
  refused("heads", "trained=on&head_2=previous");
  refused("heads", "trained=on&mixing=identity");
  refused("heads", "trained=on&text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o");
}

TEST_CASE("trained matrices: until the encoder has come there is a figure that says so, and no question") {
  REQUIRE(test::load_fonts());
  for (const char* scene : {"spotlight", "heads"}) {
    const std::any state = made(scene, "trained=on");
    CHECK(find(scene)->needs(state, {1, 0}).size() == 1);
    CHECK(find(scene)->needs(made(scene, "preset=cat"), {1, 0}).empty());
    const Trace trace = find(scene)->compute(state, {});
    CHECK(trace.find("Q") == nullptr);
    for (int step = 1; step <= static_cast<int>(find(scene)->steps().size()); ++step) {
      const View view{.place = {step, 0}, .missing = Missing{.label = "The encoder", .received = 1e5, .total = 5e5}};
      const figure::Figure figure = find(scene)->draw(state, trace, view);
      CHECK(figure.find("missing.box") != nullptr);
      CHECK(find(scene)->narrate(state, trace, view) == "The encoder is on its way: 0.1 of 0.5 MB.");
      CHECK_FALSE(find(scene)->inspect(state, trace, view, ""));
    }
    CHECK_FALSE(find(scene)->ask(state, trace));
  }
}

TEST_CASE("trained matrices: each number is explained, each step told and drawn, and the question holds") {
  REQUIRE(test::load_fonts());
  const Model model;
  for (const char* scene : {"spotlight", "heads"})
    for (const std::string patch : {"", "&layer=3&head=2", "&alike=on", "&mask=causal"}) {
      if (patch == "&alike=on" && std::string_view(scene) == "spotlight") continue;
      CAPTURE(scene);
      CAPTURE(patch);
      const std::any state = made(scene, "trained=on" + patch);
      const Trace trace = find(scene)->compute(state, model.inputs());
      for (const Tensor& tensor : trace.tensors) {
        CHECK(!tensor.values.hasNaN());
        for (const int i : {0, tensor.rows() - 1})
          for (const int j : {0, tensor.columns() - 1}) {
            CAPTURE(tensor.name);
            const auto told = find(scene)->inspect(state, trace, {}, figure::cell_id({tensor.name, i, j}));
            REQUIRE(told);
            CHECK(!told->lines.empty());
            for (const figure::Formula& line : told->lines)
              for (const figure::SetFormula& set : figure::set_lines(line, 17, 240)) CHECK(set.width <= 240.5F);
          }
      }
      for (int step = 1; step <= static_cast<int>(find(scene)->steps().size()); ++step)
        for (const float width : {358.F, 756.F}) {
          const View view{.width = width, .height = 592, .place = {step, 0}};
          CHECK(find(scene)->narrate(state, trace, view).ends_with('.'));
          const figure::Figure figure = find(scene)->draw(state, trace, view);
          for (const figure::Element& element : figure.elements) {
            CAPTURE(element.id);
            // Of the lamp's note, which goes from one side to the other, one copy is not seen.
            const bool note = element.id.starts_with("stage.lamp.n") && element.opacity == 0;
            CHECK((note || element.rect.right() <= width + 0.5F));
          }
        }
      CHECK(find(scene)->ask(state, trace));
      CHECK(find(scene)->provenance(state).starts_with("Trained: layer "));
    }
}

TEST_CASE("trained matrices: a sentence of one's own begins with the head that follows it to what it stands for") {
  const Model model;
  for (const auto& [text, noun] : std::vector<std::pair<std::string, std::string>>{
           {"The animal didn't cross the street because it was too tired", "animal"},
           {"The animal didn't cross the street because it was too wide", "street"},
           {"The cat chased the mouse because it was hungry", "cat"},
           {"My dog sleeps when it is tired", "dog"}}) {
    CAPTURE(text);
    std::any state = find("spotlight")->initial();
    REQUIRE(find("spotlight")->change(state, {{"text", text}}));
    REQUIRE(change("spotlight", state, io::write_patch(find("spotlight")->begins())));
    const Tensor weights = find("spotlight")->compute(state, model.inputs()).at("weights");
    const auto place = [&](const std::string& word) {
      return std::ranges::find(weights.column_labels, word) - weights.column_labels.begin();
    };
    CHECK(weights.values(place("it"), place(noun)) >= 0.9F);
  }
}

TEST_CASE("trained matrices: they are offered at every step that has words, beside what there is without them") {
  for (const char* preset : {"coffee", "fox", "cat", "apple", "own"}) {
    const std::any state = made("spotlight", std::string("preset=") + preset);
    for (const io::FieldInfo& info : find("spotlight")->fields(state)) {
      if (info.field.name != find("spotlight")->borrows) continue;
      CHECK(info.field.shown);
      CHECK(info.kind == io::FieldKind::choice);
      for (const Step& step : find("spotlight")->steps()) CHECK(info.field.steps.has(step.id));
      const bool by_hand = std::string_view(preset) == "coffee" || std::string_view(preset) == "fox";
      CHECK(info.field.choices[0].label == (by_hand ? "by hand" : "by spelling"));
      CHECK(info.value == info.field.choices[0].value);
    }
  }
}

TEST_CASE("trained matrices: a choice that the encoder would refuse for the sentence's length says so, and no other") {
  const auto offered = [](int words, const std::string& end) {
    std::string text;
    for (int i = 0; i < words; ++i) text += (i > 0 ? " word" : "word") + std::to_string(i);
    std::any state = spotlight::State{};
    REQUIRE(find("spotlight")->change(state, {{"text", text + end}}));
    for (const io::FieldInfo& info : find("spotlight")->fields(state))
      if (info.field.name == spotlight::kBorrows) {
        const bool read = find("spotlight")->change(state, {{"trained", "on"}}).has_value();
        CHECK(read == (info.field.choices[1].label == "trained"));
        return read;
      }
    return false;
  };
  CHECK(offered(23, ""));  // and the full stop that is added
  CHECK(offered(23, "."));
  CHECK_FALSE(offered(24, ""));
  CHECK_FALSE(offered(24, "."));
  CHECK_FALSE(offered(64, ""));
}

TEST_CASE(
    "own sentence: without a pronoun a word with a meaning asks, the one with the largest trained weight on one") {
  const Model model;
  const std::vector<std::string> grammar{"my", "an", "the", "a", "and", "at", "when"};
  const SceneDef& scene = *find("spotlight");
  const auto asks = [&](const std::any& before, const std::any& now, const Inputs& inputs) {
    const io::Patch patch = scene.suited(before, now, inputs);
    return patch.empty() ? -1 : std::stoi(patch.front().second);
  };
  const std::any fox = scene.initial();
  for (const std::string text : {"My brother loves an old cat", "The dog chased a red ball, and a bird", "Birds sing",
                                 "The old man looks at the dog when the bird slept"}) {
    CAPTURE(text);
    const std::any now = made("spotlight", std::string("preset=own&trained=on&layer=3&head=2&text=") + text);
    const Matrix weights = scene.compute(now, model.inputs()).at("weights").values;
    const std::vector<std::string> words = spotlight::query_words(state_in<spotlight::State>(now));
    const auto is_word = [&](int i) {
      const std::string& word = words[static_cast<std::size_t>(i)];
      return word != "[START]" && word != "." && word != "," && std::ranges::find(grammar, word) == grammar.end();
    };
    const int asking = asks(fox, now, model.inputs()), count = static_cast<int>(words.size());
    REQUIRE(is_word(asking));
    const auto most_of = [&](int i) {
      float most = 0;
      for (int j = 0; j < count; ++j)
        if (i != j && is_word(j)) most = std::max(most, weights(i, j) * (std::abs(i - j) == 1 ? 0.7F : 1));
      return most;
    };
    for (int i = 0; i < count; ++i)
      if (is_word(i)) {
        CAPTURE(words[static_cast<std::size_t>(i)]);
        CHECK(most_of(i) <= most_of(asking));
      }
    // Who sets something else has not chosen another word by that: it follows the sentence all the same.
    std::any set = now;
    REQUIRE(change("spotlight", set, "layer=1&head=4&temperature=0.2&mask=causal&query=" + std::to_string(asking)));
    CHECK(asks(set, set, model.inputs()) == asking);
    // But who has chosen another word keeps it.
    REQUIRE(change("spotlight", set, "query=" + std::to_string(asking == 1 ? 2 : 1)));
    CHECK(asks(set, set, model.inputs()) == -1);
  }
  // While the encoder has not come it is a word all the same, and of one word it is that.
  const std::any one = made("spotlight", "preset=own&trained=on&layer=3&head=2&text=birds");
  CHECK(asks(fox, one, model.inputs()) == 1);
  const std::any waits = made("spotlight", "preset=own&trained=on&layer=3&head=2&text=the cat saw two birds");
  CHECK(asks(fox, waits, {}) >= 1);
}

TEST_CASE("trained matrices: Heads tells what a covered word is taken for, with all heads and without some") {
  const Model model;
  const auto guesses = [&](const std::string& patch) {
    return find("heads")->compute(made("heads", patch), model.inputs());
  };
  const auto likely = [](const Trace& trace, int who) { return trace.at(heads::kFound).values(0, who); };
  const Trace all = guesses("off_5=off"), cut = guesses("");
  CHECK(likely(all, 0) == likely(all, 1));
  CHECK_FALSE(heads::is_loss(all));
  CHECK(all.find(heads::kLooked) == nullptr);
  const auto& words = all.at("X").row_labels;
  const auto covered = learn::english::read("the cat likes the dogs because they [MASK] happy.");
  REQUIRE(covered);
  const learn::sentences::Reading reading = learn::sentences::read(model.encoder(), *covered);
  const learn::sentences::Guess& guess = reading.guesses.front();
  CHECK(words[static_cast<std::size_t>(guess.place)] == "are");
  CHECK(all.at(heads::kFound).row_labels[0] == "are");
  CHECK(all.at(heads::kBest).column_labels[0] == guess.words.front());
  CHECK(likely(all, 0) == guess.probabilities.front());
  // The first example loses a right word, and the head that is off had looked at what it needed.
  CHECK(heads::is_loss(cut));
  CHECK(cut.at(heads::kBest).column_labels[0] == "are");
  CHECK(cut.at(heads::kBest).column_labels[1] == "is");
  // Of each head's cut the same is known before it is made.
  for (int h = 0; h < 8; ++h) {
    const std::string number = std::to_string(h + 1);
    const Trace alone = guesses(h == 4 ? "" : "off_5=off&off_" + number + "=on");
    CHECK(likely(alone, 1) == likely(cut, 2 + h));
    CHECK(alone.at(heads::kBest).column_labels[1] ==
          cut.at(heads::kBest).column_labels[static_cast<std::size_t>(h) + 2]);
  }
  const Matrix& looked = cut.at(heads::kLooked).values;
  for (Eigen::Index j = 0; j < looked.cols(); ++j)
    CHECK(looked(0, j) ==
          reading.weights.data[static_cast<std::size_t>((4 * looked.cols() + guess.place) * looked.cols() + j)]);
  Eigen::Index most = 0;
  CHECK(looked.row(0).maxCoeff(&most) > 0.9F);
  CHECK(words[static_cast<std::size_t>(most)] == "they");
  // The way from the one to the other is drawn, the guesses are as long as they are likely, and all is told.
  REQUIRE(test::load_fonts());
  View view{.width = 1208, .height = 576};
  while (heads::steps()[static_cast<std::size_t>(view.place.step - 1)].id != "without") ++view.place.step;
  const figure::Figure figure = find("heads")->draw(made("heads", ""), cut, view);
  const auto& way = std::get<figure::Curve>(figure.find("looked.way")->shape);
  const auto centre = [&](Eigen::Index j) {
    return figure.find(word_id(static_cast<int>(j)) + ".text")->rect.centre().x;
  };
  CHECK(std::abs(way.from.x - centre(guess.place)) < 3);
  CHECK(std::abs(way.to.x - centre(most)) < 3);
  const auto share = [&](const std::string& id) {
    return figure.find(id + ".bar")->rect.w / figure.find(id + ".track")->rect.w;
  };
  CHECK(share("guess.all") == doctest::Approx(cut.at(heads::kBest).values(0, 0)));
  CHECK(share("guess.now") == doctest::Approx(cut.at(heads::kBest).values(0, 1)));
  CHECK(share("guess.right") == doctest::Approx(likely(cut, 1)));
  const std::string told = without_marks(find("heads")->narrate(made("heads", ""), cut, view));
  for (const char* part : {"Cover are", "%), which is right", "without head 5, “is”", "mostly to they",
                           ", a plural: so “are”", "Some cuts make “are” likelier"}) {
    CAPTURE(part);
    CHECK(told.contains(part));
  }
  // A cut's column lies between what is with all heads and what is left without this one: a loss hangs from there.
  const float dashed = std::get<figure::Line>(figure.find("cut.none")->shape).points.front().y;
  const auto row = cut.at(heads::kFound).values.row(0);
  for (int h = 0; h < 8; ++h) {
    CAPTURE(h);
    const figure::Rect column = figure.find(figure::cell_id({std::string(heads::kFound), 0, 2 + h}))->rect;
    CHECK((row(2 + h) < row(0) ? column.y : column.bottom()) == doctest::Approx(dashed).epsilon(0.01));
  }
  CHECK(heads::is_loss(guesses("preset=sofa")));
  // The word that asks is covered, but never [START].
  CHECK(guesses("query=2").at(heads::kFound).row_labels[0] == "cat");
  CHECK(guesses("query=0").at(heads::kFound).row_labels[0] == "the");
  // Nothing is said of what the model was not asked.
  for (const char* edited : {"mask=causal", "A_1=1.1:0.5", "alike=on", "preset=cat"})
    CHECK(guesses(edited).find(heads::kFound) == nullptr);
}

TEST_CASE("trained matrices: Spotlight counts for how many words a head looks as far as it says") {
  const Model model;
  const SceneDef& scene = *find("spotlight");
  const std::any state = made("spotlight", "preset=own&trained=on&text=the dog chased a red ball and a bird");
  const Trace trace = scene.compute(state, model.inputs());
  const Matrix& weights = trace.at("weights").values;
  int ahead = 0;
  for (Eigen::Index row = 1; row < weights.rows(); ++row) {
    Eigen::Index best = 0;
    weights.row(row).maxCoeff(&best);
    ahead += best == row + 1 ? 1 : 0;
  }
  REQUIRE(2 * ahead > weights.rows() - 1);
  const std::string said = scene.narrate(state, trace, {.width = 1216, .height = 576, .place = {1, 0}, .t = 1});
  CHECK(said.find("look 1 word ahead: " + std::to_string(ahead) + " of " + std::to_string(weights.rows() - 1)) !=
        std::string::npos);
}
