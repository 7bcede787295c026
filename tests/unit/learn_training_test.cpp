#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "io/safetensors.h"
#include "learn/checkpoint.h"
#include "learn/evaluation.h"
#include "unit/core_support.h"

using namespace limelight;
using namespace limelight::learn;

namespace {

Settings small() {
  return {.task = "reverse",
          .seed = 3,
          .batch = 16,
          .rate = 1e-2,
          .embedding = 8,
          .hidden = 16,
          .attention_size = 16,
          .symbols = 5,
          .max_words = 6};
}

Training trained(const Settings& settings, int steps) {
  Result<Training> training = start_training(settings);
  REQUIRE(training);
  TrainingScratch scratch;
  for (int i = 0; i < steps; ++i) REQUIRE(train_step(*training, scratch));
  return std::move(*training);
}

Task task_named(std::string_view name, TaskOptions options = {}) {
  const Result<const TaskDef*> found = find_task(name);
  REQUIRE(found);
  if (name == "dates") options.lengths = (*found)->lengths;
  return (*found)->make(name, options);
}

std::string text_of(const Task& task, const Vocabulary& vocabulary, const std::vector<int>& tokens) {
  return task.write(words_of(vocabulary, tokens));
}

}  // namespace

TEST_CASE("tasks: no pair that is held out is trained on, and targets are what the task's name says") {
  for (const TaskDef& def : task_definitions()) {
    if (def.name == "french") continue;  // french_task_test.cpp
    const Task task = task_named(def.name, {.symbols = 4, .lengths = {1, 5}});
    CAPTURE(task.name);
    Random random(1);
    std::set<std::string> parts[2];
    for (int i = 0; i < 2000; ++i) {
      const bool held_out = i % 4 == 0;
      const auto pair = task.draw(random, held_out ? Part::held_out : Part::training, task.lengths);
      REQUIRE(pair);
      CHECK(task.lengths.hold(pair->source.size()));
      const std::string source = text_of(task, task.source, pair->source);
      const std::string target = text_of(task, task.target, pair->target);
      parts[held_out ? 1 : 0].insert(source);
      const Result<std::vector<int>> read = task.read(source);
      REQUIRE(read);
      CHECK(*read == pair->source);
      std::string expected = source;
      if (task.name == "reverse") expected = std::string(source.rbegin(), source.rend());
      if (task.name == "sort") std::ranges::sort(expected);
      if (task.name != "dates") CHECK(target == expected);
      for (const auto& [to, from] : pair->alignment)
        CHECK(pair->target[static_cast<std::size_t>(to)] == pair->source[static_cast<std::size_t>(from)]);
    }
    for (const std::string& source : parts[1]) CHECK(parts[0].count(source) == 0);
    CHECK(parts[1].size() > 20);
  }
}

TEST_CASE("dates: every notation names the date, and no date is in both parts") {
  const Task task = task_named("dates");
  Random random(2);
  std::set<std::string> dates[2], notations;
  for (int i = 0; i < 3000; ++i) {
    const auto pair = task.draw(random, i % 2 == 0 ? Part::training : Part::held_out, task.lengths);
    REQUIRE(pair);
    const std::string source = text_of(task, task.source, pair->source);
    const std::string target = text_of(task, task.target, pair->target);
    dates[i % 2].insert(target);
    REQUIRE(target.size() == 10);
    std::string notation;
    for (const char c : source)
      if (const char kind = c >= '0' && c <= '9' ? '0' : c >= 'A' && c <= 'z' ? 'a' : c; !notation.ends_with(kind))
        notation += kind;
    notations.insert(notation);
    const std::string day = std::to_string(std::stoi(target.substr(8))), year = target.substr(2, 2);
    CHECK(source.find(day) != std::string::npos);
    CHECK(source.find(year) != std::string::npos);
  }
  for (const std::string& date : dates[1]) CHECK(dates[0].count(date) == 0);
  // Long and short months look the same here: "0 a 0", "a 0, 0", with slashes, with dots, ISO 8601.
  CHECK(notations == std::set<std::string>{"0 a 0", "a 0, 0", "0/0/0", "0.0.0", "0-0-0"});
}

TEST_CASE("tasks: what is not in the vocabulary is named") {
  const Task task = task_named("copy", {.symbols = 3});
  const Result<std::vector<int>> read = task.read("abd");
  REQUIRE(!read);
  CHECK(read.error().message == "\"d\" is not in the vocabulary of the task copy: type small letters from a to c.");
  CHECK(!task.read(""));
  CHECK(!task.read(std::string(201, 'a')));
  CHECK(!find_task("cpoy"));
}

TEST_CASE("batches: a sequence has the same loss alone as beside a longer one") {
  const Training training = trained(small(), 0);
  const std::vector<int> a = {3, 4}, b = {5, 6, 7, 3, 4}, c = {4, 3};
  const auto loss = [&](std::vector<const std::vector<int>*> sources, std::vector<const std::vector<int>*> targets) {
    Tape<float> tape;
    tape.clear(false);
    const Batch batch = make_batch(sources, targets);
    const Value mean = batch_loss(tape, place<float>(tape, training.weights, nullptr), training.config, batch);
    return static_cast<double>(tape.value(mean)(0, 0));
  };
  // Three and six words to be written, each counted once.
  CHECK(loss({&a, &b}, {&c, &b}) == doctest::Approx((3 * loss({&a}, {&c}) + 6 * loss({&b}, {&b})) / 9).epsilon(1e-6));
}

TEST_CASE("training: from scratch to reversing held-out words, the weights on the anti-diagonal") {
  Settings settings = small();
  Result<Training> training = start_training(settings);
  REQUIRE(training);
  TrainingScratch scratch;
  for (int i = 0; i < 400; ++i) REQUIRE(train_step(*training, scratch));
  CHECK(training->record.first_loss > 1.5);  // guessing among eight has ln 8 = 2.08
  CHECK(training->record.loss < 0.3);
  const Result<Evaluation> seen = evaluate(*training, {.count = 100});
  REQUIRE(seen);
  CHECK(seen->exact >= 80);
  CHECK(seen->alignment_error < 0.2);
  CHECK(seen->uniform_alignment_error > 0.5);
}

TEST_CASE("training: one batch seen often is learned by heart, with attention and without") {
  for (const bool attention : {true, false}) {
    Settings settings = small();
    settings.attention = attention;
    settings.max_words = 3;
    Training training = trained(settings, 0);
    TrainingScratch scratch;
    for (int i = 0; i < 150; ++i) {
      training.record.step = 0;  // which batch it is
      REQUIRE(train_step(training, scratch));
    }
    CHECK(training.record.loss < 0.1 * std::log(8.0));
  }
}

TEST_CASE("training: goes on from a checkpoint to the same bits") {
  for (const bool attention : {true, false}) {
    Settings settings = small();
    settings.attention = attention;
    const Training whole = trained(settings, 12);
    const Training half = trained(settings, 5);
    Result<Training> resumed = read_training(write_checkpoint(half), "c");
    REQUIRE(resumed);
    CHECK(can_resume(*resumed));
    TrainingScratch scratch;
    for (int i = 0; i < 7; ++i) REQUIRE(train_step(*resumed, scratch));
    CHECK(write_checkpoint(*resumed) == write_checkpoint(whole));
  }
}

TEST_CASE("training: seeds differ, and the same seed is the same training") {
  Settings other = small();
  other.seed = 4;
  const auto first = write_checkpoint(trained(small(), 2));
  CHECK(first == write_checkpoint(trained(small(), 2)));
  CHECK(first != write_checkpoint(trained(other, 2)));
}

TEST_CASE("training: a rate that diverges is said, with one to try") {
  Settings settings = small();
  settings.rate = 500;
  Result<Training> training = start_training(settings);
  REQUIRE(training);
  TrainingScratch scratch;
  Result<void> stepped;
  for (int i = 0; i < 100 && stepped; ++i) stepped = train_step(*training, scratch);
  REQUIRE(!stepped);
  CHECK(stepped.error().message.find("The rate 500 is too high; try 50.") != std::string::npos);
}

TEST_CASE("training: lengths of which there is no pair are refused before anything is trained") {
  Settings settings = small();
  settings.symbols = 2;
  settings.max_words = 1;
  CHECK(!start_training(settings));
  settings.min_words = 5;
  CHECK(!start_training(settings));
}

TEST_CASE("training: a batch in parts makes the step that it makes at once") {
  const Training whole = trained(small(), 5);
  for (const int tokens : {1, 9, 40}) {
    CAPTURE(tokens);
    Result<Training> training = start_training(small());
    REQUIRE(training);
    TrainingScratch scratch;
    int parts = 0;
    while (training->record.step < 5) {
      REQUIRE(train_part(*training, scratch, tokens));
      ++parts;
    }
    CHECK(parts > 5);
    CHECK(training->record.tokens == whole.record.tokens);
    CHECK(training->record.loss == doctest::Approx(whole.record.loss).epsilon(1e-5));
    CHECK(largest_difference(training->weights.output.weight, whole.weights.output.weight) < 1e-4);
    CHECK(largest_difference(training->weights.forward.input_weight, whole.weights.forward.input_weight) < 1e-4);
  }
}

TEST_CASE("inference: rows of attention sum to 1, and a batch writes what each source alone does") {
  const Training training = trained(small(), 60);
  const std::vector<int> a = {3, 4}, b = {5, 6, 7, 3, 4};
  const std::vector<int>* const both[] = {&a, &b};
  Tape<float> tape;
  const std::vector<Decoded> together = decode(tape, training.weights, training.config, make_batch(both, {}), 22);
  for (std::size_t i = 0; i < 2; ++i) {
    const Decoded alone = infer(training, *both[i]);
    CHECK(together[i].target == alone.target);
    CHECK(alone.weights.cols() == static_cast<Eigen::Index>(both[i]->size()) + 1);
    CHECK(alone.weights.rows() == static_cast<Eigen::Index>(alone.probabilities.size()));
    CHECK(largest_difference(alone.weights.rowwise().sum(), Matrix::Ones(alone.weights.rows(), 1)) < 1e-6);
    CHECK(largest_difference(together[i].weights, alone.weights) < 1e-5);
  }
}

TEST_CASE("evaluation: counts by length add up, and a target that is not exact has a wrong word at least") {
  for (const int steps : {20, 60, 100, 140}) {
    const Result<Evaluation> seen = evaluate(trained(small(), steps), {.count = 150});
    REQUIRE(seen);
    int count = 0, exact = 0;
    for (const LengthScore& score : seen->by_length) {
      count += score.count;
      exact += score.exact;
    }
    CHECK(count == seen->count);
    CHECK(exact == seen->exact);
    CHECK(seen->right <= seen->tokens - (seen->count - seen->exact));
  }
}

TEST_CASE("evaluation: other seeds try other pairs, and the same seed the same") {
  const Training training = trained(small(), 60);
  const Result<Evaluation> first = evaluate(training, {.seed = 1}), again = evaluate(training, {.seed = 1}),
                           other = evaluate(training, {.seed = 2});
  REQUIRE(first);
  REQUIRE(again);
  REQUIRE(other);
  CHECK(first->loss == again->loss);
  CHECK(first->loss != other->loss);
}

TEST_CASE("models: half precision writes the same words, and cannot be trained on") {
  const Training training = trained(small(), 200);
  const Result<Training> half = read_training(write_model(training, true), "h");
  REQUIRE(half);
  CHECK(!can_resume(*half));
  const Result<Evaluation> exact = evaluate(training, {.count = 50}), rounded = evaluate(*half, {.count = 50});
  REQUIRE(exact);
  REQUIRE(rounded);
  CHECK(std::abs(exact->loss - rounded->loss) < 0.01);
}

TEST_CASE("models: what was measured by length travels in the file, and lines that cannot be are refused") {
  Training training = trained(small(), 1);
  training.by_length = {{3, 100, 97}, {4, 90, 0}};
  Result<Training> read = read_training(write_model(training, true), "m");
  REQUIRE(read);
  CHECK(read->by_length == training.by_length);
  for (const LengthScore& wrong :
       {LengthScore{0, 1, 1}, LengthScore{3, 5, 6}, LengthScore{3, 0, 0}, LengthScore{3, 5, -1}}) {
    training.by_length = {wrong};
    read = read_training(write_model(training, true), "m");
    REQUIRE(!read);
    CHECK(read.error().message.find("by_length") != std::string::npos);
  }
}

TEST_CASE("models: files that are not whole are refused by a sentence that says what is wrong") {
  const Training training = trained(small(), 1);
  const Result<io::Safetensors> good = io::read_safetensors(write_checkpoint(training), "m");
  REQUIRE(good);
  const auto refused = [](const io::Safetensors& file, std::string_view words) {
    const Result<Training> read = read_training(io::write_safetensors(file), "m");
    CAPTURE(words);
    REQUIRE(!read);
    CAPTURE(read.error().message);
    CHECK(read.error().message.find(words) != std::string::npos);
    CHECK(read.error().message.ends_with('.'));
  };
  const auto changed = [&](auto&& change) {
    io::Safetensors file = *good;
    change(file);
    return file;
  };
  refused(changed([](auto& f) { f.metadata.clear(); }), "not a model of Limelight");
  refused(changed([](auto& f) { f.metadata.erase("hidden"); }), "does not say its hidden");
  refused(changed([](auto& f) { f.metadata["hidden"] = "-3"; }), "must be a whole number from 1 to 512");
  refused(changed([](auto& f) { f.metadata["hidden"] = "17"; }), "its settings ask for");
  refused(changed([](auto& f) { f.metadata["task"] = "fly"; }), "is not a task");
  refused(changed([](auto& f) { f.metadata["source_words"] = "a"; }), "another vocabulary");
  refused(changed([](auto& f) { f.metadata["adam_steps"] = "7"; }), "adam_steps");
  refused(changed([](auto& f) { f.tensors.erase("decoder.hidden_weight"); }),
          "has no tensor \"decoder.hidden_weight\"");
  refused(changed([](auto& f) { f.tensors.erase("adam.mean.output.bias"); }),
          "has no tensor \"adam.mean.output.bias\"");
  refused(changed([](auto& f) { f.tensors["more"] = {{1, 1}, {0}}; }), "\"more\"");
  refused(changed([](auto& f) { f.tensors["output.bias"].shape = {8}; }), "is 8; its settings ask for 1×8");
  refused(changed([](auto& f) { f.tensors["output.bias"].data[3] = NAN; }), "not a finite number");
}
