// The corpus as a task: what a model is trained on and tried on.
#include "learn/french_task.h"

#include <doctest/doctest.h>

#include <set>

#include "learn/training.h"

using namespace limelight;
using namespace limelight::learn;

namespace {

Task french_task(Lengths lengths = {french::kFewestWords, french::kMostWords}) {
  return french::make_task("french", {.lengths = lengths});
}

std::string text_of(const Task& task, const Vocabulary& vocabulary, std::span<const int> tokens) {
  return task.write(words_of(vocabulary, tokens));
}

}  // namespace

TEST_CASE("french task: a source is read back from how it is printed, and lengths count its words") {
  const Task task = french_task();
  Random random(1);
  for (const Part part : {Part::training, Part::held_out})
    for (int i = 0; i < 200; ++i) {
      const std::optional<Pair> pair = task.draw(random, part, task.lengths);
      REQUIRE(pair);
      const std::string english = text_of(task, task.source, pair->source);
      CAPTURE(english);
      const Result<std::vector<int>> again = task.read(english);
      REQUIRE(again);
      CHECK(*again == pair->source);
      CHECK(task.lengths.hold(static_cast<std::size_t>(task.count(pair->source))));
    }
}

TEST_CASE("french task: there are held-out and training pairs of every length, and none outside") {
  const Task task = french_task();
  Random random(2);
  for (int words = french::kFewestWords; words <= french::kMostWords; ++words)
    for (const Part part : {Part::training, Part::held_out}) {
      const std::optional<Pair> pair = task.draw(random, part, {words, words});
      REQUIRE(pair);
      CHECK(task.count(pair->source) == words);
    }
  for (const Lengths outside : {Lengths{1, 2}, Lengths{2, 9}, Lengths{9, 31}})
    CHECK(!task.draw(random, Part::training, outside));
}

TEST_CASE("french task: no sentence is in both parts, and the example is in neither that is trained on") {
  const Task task = french_task({3, 6});
  Random random(3);
  std::set<std::vector<int>> trained;
  for (int i = 0; i < 3000; ++i) trained.insert(task.draw(random, Part::training, task.lengths)->source);
  for (int i = 0; i < 3000; ++i) CHECK(!trained.contains(task.draw(random, Part::held_out, task.lengths)->source));
  CHECK(french::is_held_out(french::example().pattern));
}

TEST_CASE("french task: every gold link joins a word of the target with one of the source") {
  const Task task = french_task();
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const std::optional<Pair> pair = task.draw(random, Part::held_out, task.lengths);
    REQUIRE(pair);
    std::set<int> linked;
    for (const auto& [target, source] : pair->alignment) {
      CHECK(target < static_cast<int>(pair->target.size()));
      CHECK(source < static_cast<int>(pair->source.size()));
      linked.insert(target);
    }
    CHECK(linked.size() == pair->target.size());
  }
}

TEST_CASE("french task: unknown words are named, with what is near to them") {
  const Result<std::vector<int>> read = french_task().read("The agreemnt was signed by Zorglub.");
  REQUIRE(!read);
  const std::string& said = read.error().message;
  CAPTURE(said);
  CHECK(said.find("\"agreemnt\"") != std::string::npos);
  CHECK(said.find("agreement") != std::string::npos);
  CHECK(said.find("\"Zorglub\"") != std::string::npos);
}

TEST_CASE("training: a rate that falls makes no last step, and begins as one that stays") {
  Settings settings{.task = "reverse", .steps = 5, .batch = 4, .embedding = 4, .hidden = 4, .attention_size = 4};
  const auto train = [&](bool decay, int steps) {
    settings.decay = decay;
    Result<Training> training = start_training(settings);
    REQUIRE(training);
    TrainingScratch scratch;
    for (int i = 0; i < steps; ++i) REQUIRE(train_step(*training, scratch));
    return training->weights;
  };
  CHECK(train(true, 1).output.weight == train(false, 1).output.weight);
  CHECK(train(true, 4).output.weight != train(false, 4).output.weight);
  CHECK(train(true, 6).output.weight == train(true, 5).output.weight);
}
