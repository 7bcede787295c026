// limelight generate: sentences to train on and to evaluate with, as JSON lines.
#include <cstdio>

#include "cli/caption.h"
#include "cli/learn.h"
#include "io/json.h"
#include "learn/french.h"

namespace limelight::cli {
namespace {

namespace french = learn::french;

constexpr Option kOptions[] = {
    {"--seed", "N", "Of the random choices, from 0. The same seed makes the same lines. Default: 0."},
    {"--count", "N", "The number of sentences, from 1. Default: 10."},
    {"--min-words", "N", "The fewest English words, signs not counted, from 3. Default: 3."},
    {"--max-words", "N", "The most, up to 30. Default: 30."},
    {"--split", "NAME", "any, training or held-out. Default: any."},
    {"--out", "DIR", "Of caption: a folder that is there, for the pictures: 0.png, 1.png …"},
};

struct SplitName {
  std::string_view name;
  french::Split split;
};
constexpr SplitName kSplits[] = {
    {"any", french::Split::any}, {"training", french::Split::training}, {"held-out", french::Split::held_out}};

void write_tokens(io::JsonWriter& json, std::string_view name, const std::vector<std::string>& tokens) {
  json.key(name).begin_array();
  for (const std::string& token : tokens) json.value(token);
  json.end_array();
}

std::string line_of(const french::Sentence& sentence) {
  io::JsonWriter json;
  json.begin_object()
      .member("source", french::detokenise(sentence.source))
      .member("target", french::detokenise(sentence.target));
  json.key("alignment").begin_array();
  for (const french::Link& link : sentence.alignment)
    json.begin_array().value(link.target).value(link.source).end_array();
  json.end_array();
  write_tokens(json, "source_tokens", sentence.source);
  write_tokens(json, "target_tokens", sentence.target);
  json.member("pattern", sentence.pattern).member("held_out", french::is_held_out(sentence.pattern)).end_object();
  return json.take() + "\n";
}

Outcome run(const Arguments& arguments) {
  const std::string_view task = arguments.subjects.front();
  constexpr std::string_view kTasks[] = {"french", kCaption};
  if (task == kCaption) return generate_captions(arguments);
  if (arguments.find("--out")) return bad_usage("--out is of caption only; sentences are printed.");
  if (task != kTasks[0])
    return bad_usage(io::quote(task) + " is not a task; a task is " + io::one_of(kTasks) + "." +
                     did_you_mean(task, kTasks));
  constexpr int kLargest = 2'000'000'000;
  const Result<int> seed = read_number(arguments, "--seed", 0, 0, kLargest);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 10, 1, kLargest);
  if (!count) return bad_usage(count.error());
  const Result<int> most =
      read_number(arguments, "--max-words", french::kMostWords, french::kFewestWords, french::kMostWords);
  if (!most) return bad_usage(most.error());
  const Result<int> fewest = read_number(arguments, "--min-words", french::kFewestWords, french::kFewestWords, *most);
  if (!fewest) return bad_usage(fewest.error());
  const std::string_view split = arguments.find("--split").value_or(kSplits[0].name);
  const auto found = std::ranges::find(kSplits, split, &SplitName::name);
  if (found == std::end(kSplits))
    return bad_usage("--split is " + io::quote(split) + "; it is " +
                     io::one_of(kSplits | std::views::transform(&SplitName::name)) + ".");

  Random random(static_cast<std::uint64_t>(*seed));
  for (int i = 0; i < *count; ++i) {
    const std::string line =
        line_of(french::generate(random, {.min_words = *fewest, .max_words = *most, .split = found->split}));
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) break;  // said when all is printed
  }
  return {};
}

}  // namespace

const Command generate_command{
    .name = "generate",
    .summary =
        "Prints sentences with translations, or pictures with captions, and what belongs to what, as JSON lines.",
    .synopsis = "french|caption [--seed N] [--count N] [--min-words N] [--max-words N] [--split NAME]",
    .details =
        "Each line: {\"source\": English, \"target\": French, \"alignment\": [[target, source], …], \"source_tokens\": "
        "[…],\n\"target_tokens\": […], \"pattern\": the classes of the English tokens, \"held_out\": whether sentences "
        "of this\npattern are kept out of training}.\n"
        "The alignment's numbers count tokens from 0. A token is a word or a sign: \"L'accord\" is two, \"L'\" and "
        "\"accord\";\n\"du\" is one, aligned with \"of\" and \"the\"; the full stop is one. "
        "Tokens are written as\ninside of a sentence: only names have capitals.\n"
        "One pattern in ten, by its hash, is held out, and that of \"The agreement on the European Economic Area was "
        "signed\nin August 1992.\".\n"
        "caption: {\"objects\": [{shape, colour, size, x, y}], \"picture\": as infer takes it, \"caption\", \"words\", "
        "\"word_objects\":\nfor each word the objects that it speaks of, \"held_out\"}.\n",
    .subject = "task",
    .options = kOptions,
    .run = run,
};

}  // namespace limelight::cli
