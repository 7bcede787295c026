// limelight generate: pairs to train on and to evaluate with, as JSON lines.
#include <cstdio>

#include "cli/caption.h"
#include "cli/learn.h"
#include "cli/sentence.h"
#include "io/json.h"

namespace limelight::cli {
namespace {

constexpr Option kOptions[] = {
    {"--seed", "N", "Of the random choices, from 0. The same seed makes the same lines. Default: 0."},
    {"--count", "N", "The number of pairs, from 1. Default: 10."},
    {"--min-words", "N", "Of the shortest source. Default: the task's."},
    {"--max-words", "N", "Of the longest source. Default: the task's."},
    {"--split", "NAME", "any, training or held-out. Default: any."},
    {"--out", "DIR", "Of caption: a folder that is there, for the pictures: 0.png, 1.png …"},
};

constexpr int kOneHeldOutIn = 10;

void write_tokens(io::JsonWriter& json, std::string_view name, const std::vector<std::string>& tokens) {
  json.key(name).begin_array();
  for (const std::string& token : tokens) json.value(token);
  json.end_array();
}

std::string line_of(const learn::Task& task, const learn::Pair& pair, learn::Part part) {
  const std::vector<std::string> source = learn::words_of(task.source, pair.source),
                                 target = learn::words_of(task.target, pair.target);
  io::JsonWriter json;
  json.begin_object().member("source", task.write(source)).member("target", task.write(target));
  json.key("alignment").begin_array();
  for (const auto& [to, from] : pair.alignment) json.begin_array().value(to).value(from).end_array();
  json.end_array();
  write_tokens(json, "source_tokens", source);
  write_tokens(json, "target_tokens", target);
  json.member("held_out", part == learn::Part::held_out).end_object();
  return json.take() + "\n";
}

Outcome run_generate(const Arguments& arguments) {
  if (arguments.subjects.front() == kCaption) return generate_captions(arguments);
  if (arguments.subjects.front() == kSentence) return generate_sentences(arguments);
  if (arguments.find("--out")) return bad_usage("--out is of caption only; other pairs are printed.");
  const Result<const learn::TaskDef*> def = read_task(arguments);
  if (!def) return bad_usage(def.error());
  constexpr int kLargest = 2'000'000'000;
  const Result<int> seed = read_number(arguments, "--seed", 0, 0, kLargest);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 10, 1, kLargest);
  if (!count) return bad_usage(count.error());
  const Result<learn::Lengths> lengths = read_lengths(arguments, (*def)->lengths, (*def)->name);
  if (!lengths) return bad_usage(lengths.error());
  const Result<std::optional<learn::Part>> split = read_split(arguments);
  if (!split) return bad_usage(split.error());

  const learn::Task task = (*def)->make((*def)->name, {.lengths = *lengths});
  Random random(static_cast<std::uint64_t>(*seed));
  for (int i = 0; i < *count; ++i) {
    const bool held_out = *split ? **split == learn::Part::held_out : learn::draw_below(random, kOneHeldOutIn) == 0;
    const learn::Part part = held_out ? learn::Part::held_out : learn::Part::training;
    const std::optional<learn::Pair> pair = task.draw(random, part, *lengths);
    if (!pair) {
      const std::string_view kind = *split ? learn::kParts[static_cast<std::size_t>(part)] : "";
      return bad_usage("--min-words and --max-words: " + learn::no_pairs(task.name, kind, *lengths).message);
    }
    const std::string line = line_of(task, *pair, part);
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) break;  // said when all is printed
  }
  return {};
}

}  // namespace

const Command generate_command{
    .name = "generate",
    .summary = "Prints what a task trains on, and what belongs to what in it, as JSON lines.",
    .synopsis = "TASK [--seed N] [--count N] [--min-words N] [--max-words N] [--split NAME] [--out DIR]",
    .details =
        "TASK is copy, reverse, sort (letters), dates or french (English sentences and their translations)\n"
        "or caption (pictures) or sentence (English sentences).\n"
        "Each line: {source, target, alignment: [[target, source], …], source_tokens, target_tokens, held_out}.\n"
        "The alignment's numbers count tokens from 0; dates have none. A token is a letter; in french a word or a "
        "sign:\n"
        "\"L'accord\" is two, \"L'\" and \"accord\"; \"du\" is one, aligned with \"of\" and \"the\"; the full stop is "
        "one.\n"
        "Tokens are written as inside of a sentence: only names have capitals.\n"
        "held_out: kept out of training. In french that is one sentence pattern in ten, by its hash, and that of\n"
        "\"The agreement on the European Economic Area was signed in August 1992.\".\n"
        "caption: {objects: [{shape, colour, size, x, y}], picture: as infer takes it, caption, words, word_objects: "
        "for\neach word the objects that it speaks of, held_out}.\n"
        "sentence: {sentence, words, links: [{relation, from, to}], agreeing, references: [{pronoun, antecedent, "
        "rival}],\npattern, held_out}; places count words from 0. agreeing are the verbs that say how many the subject "
        "is; a\nrival could be meant, too, if the meaning did not tell.\n",
    .subject = "TASK",
    .options = kOptions,
    .run = run_generate,
};

}  // namespace limelight::cli
