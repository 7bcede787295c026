// Recurrent encoders and decoders: models that write a sequence for another one, such as a translation.
#include "cli/kind.h"
#include "cli/learn.h"
#include "cli/train_loop.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "learn/checkpoint.h"
#include "learn/evaluation.h"
#include "learn/training.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

constexpr int kOneHeldOutIn = 10;

// ---- what is printed and read ----

std::string line_of(const learn::Task& task, const learn::Pair& pair, learn::Part part) {
  const std::vector<std::string> source = learn::words_of(task.source, pair.source),
                                 target = learn::words_of(task.target, pair.target);
  io::JsonWriter json;
  json.begin_object().member("source", task.write(source)).member("target", task.write(target));
  json.key("alignment").begin_array();
  for (const auto& [to, from] : pair.alignment) json.begin_array().value(to).value(from).end_array();
  json.end_array();
  write_values(json, "source_tokens", source);
  write_values(json, "target_tokens", target);
  json.member("held_out", part == learn::Part::held_out).end_object();
  return json.take() + "\n";
}

// --min-words and --max-words; `otherwise` where they are not given. Errors: sources that the task, if it is known,
// does not have.
Result<learn::Lengths> read_lengths(const Arguments& arguments, const learn::Lengths& otherwise,
                                    std::string_view task = {}) {
  const Result<const learn::TaskDef*> def = learn::find_task(task);
  const learn::Lengths possible = def ? (*def)->possible : learn::Lengths{1, learn::kMostWords};
  const auto read = [&](std::string_view option, int otherwise_this) -> Result<int> {
    Result<int> length = read_number(arguments, option, otherwise_this, possible.least, possible.most);
    if (!length && def)
      return fail(length.error().message + " The task " + std::string(task) + " has no other sources.");
    return length;
  };
  const Result<int> least = read("--min-words", otherwise.least);
  if (!least) return std::unexpected(least.error());
  const Result<int> most = read("--max-words", otherwise.most);
  if (!most) return std::unexpected(most.error());
  if (*most < *least)
    return fail("--max-words is " + std::to_string(*most) + ", below --min-words, " + std::to_string(*least) + ".");
  return learn::Lengths{*least, *most};
}

Result<learn::EvaluationOptions> read_options(const Arguments& arguments, const learn::Lengths& lengths,
                                              std::string_view task = {}) {
  const Result<Tried> tried = read_tried(arguments);
  if (!tried) return std::unexpected(tried.error());
  const Result<learn::Lengths> words = read_lengths(arguments, lengths, task);
  if (!words) return std::unexpected(words.error());
  return learn::EvaluationOptions{.seed = tried->seed, .count = tried->count, .lengths = *words};
}

std::vector<std::string> with_stop(std::vector<std::string> words, bool stopped) {
  if (stopped) words.emplace_back("[STOP]");
  return words;
}

// ---- the commands ----

Outcome generate_pairs(const Arguments& arguments) {
  const learn::TaskDef& def = **learn::find_task(arguments.subjects.front());
  const Result<Wanted> wanted = read_wanted(arguments);
  if (!wanted) return bad_usage(wanted.error());
  const Result<learn::Lengths> lengths = read_lengths(arguments, def.lengths, def.name);
  if (!lengths) return bad_usage(lengths.error());
  const learn::Task task = def.make(def.name, {.lengths = *lengths});
  Random random(static_cast<std::uint64_t>(wanted->seed));
  return print_lines(wanted->count, [&](int) -> std::expected<std::string, Failure> {
    const learn::Part part = wanted->part                                    ? *wanted->part
                             : learn::draw_below(random, kOneHeldOutIn) == 0 ? learn::Part::held_out
                                                                             : learn::Part::training;
    const std::optional<learn::Pair> pair = task.draw(random, part, *lengths);
    if (pair) return line_of(task, *pair, part);
    const std::string_view kind = wanted->part ? learn::kParts[static_cast<std::size_t>(part)] : "";
    return bad_usage("--min-words and --max-words: " + learn::no_pairs(task.name, kind, *lengths).message);
  });
}

std::expected<learn::Training, Failure> begin_translation(const Arguments& arguments) {
  const learn::TaskDef& def = **learn::find_task(arguments.subjects.front());
  learn::Settings settings;
  settings.task = def.name;
  settings.min_words = def.lengths.least;
  settings.max_words = def.lengths.most;
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read) return bad_usage(read.error());
  Result<learn::Training> training = learn::start_training(settings);
  if (!training) return bad_usage(training.error());
  return std::move(*training);
}

Result<double> look_at_translation(const learn::Training& training) {
  const Result<learn::Evaluation> seen = learn::evaluate(training, {});
  if (!seen) return std::unexpected(seen.error());
  return static_cast<double>(seen->exact) / seen->count;
}

Outcome train_translation(const Arguments& arguments) {
  return train<learn::TrainingScratch, learn::Training>(
      arguments, {.begin = begin_translation, .read = learn::read_training, .look = look_at_translation});
}

std::string text_of(const learn::Training& model, const learn::EvaluationOptions& options,
                    const learn::Evaluation& result) {
  io::JsonWriter json;
  json.begin_object()
      .member("task", model.settings.task)
      .member("attention", model.settings.attention)
      .member("step", model.record.step)
      .member("weights", static_cast<double>(learn::count_each(model.weights)))
      .member("seed", options.seed)
      .member("count", result.count)
      .member("exact", result.exact)
      .member("exact_match", static_cast<double>(result.exact) / result.count)
      .member("word_accuracy", static_cast<double>(result.right) / result.tokens)
      .member("loss", result.loss);
  write_share(json, "alignment_error_rate", result.alignment_error);
  write_share(json, "uniform_alignment_error_rate", result.uniform_alignment_error);
  json.key("by_words").begin_array();
  for (const learn::LengthScore& score : result.by_length)
    json.begin_object()
        .member("words", score.length)
        .member("count", score.count)
        .member("exact", score.exact)
        .end_object();
  json.end_array().end_object();
  return json.take() + "\n";
}

Outcome evaluate_translation(const Arguments& arguments) {
  // What was typed is judged before any file is read, where no model is needed to judge it.
  if (const Result<learn::EvaluationOptions> typed = read_options(arguments, {1, learn::kMostWords}); !typed)
    return bad_usage(typed.error());
  Result<learn::Training> model = read_model(arguments.subjects.front(), learn::read_training);
  if (!model) return bad_data(model.error());
  if (Outcome same = check_task(arguments, model->settings.task); !same) return same;
  const Result<learn::EvaluationOptions> options = read_options(arguments, model->task.lengths, model->task.name);
  if (!options) return bad_usage(options.error());
  const auto record = arguments.find("--record");
  if (record && same_file(*record, arguments.subjects.front()) && learn::can_resume(*model))
    return bad_usage(
        "--record and the checkpoint name the same file; training could not go on from it any more, so give "
        "the record its own.");
  // What is measured is what is written.
  if (record) model = learn::read_training(learn::write_model(*model, true), *record);
  if (!model) return bad_data(model.error());
  const Result<learn::Evaluation> result = learn::evaluate(*model, *options);
  if (!result) return bad_data(result.error());
  const std::string text = text_of(*model, *options, *result);
  if (!record) {
    print_text(text);
    return {};
  }
  model->by_length = result->by_length;
  const Output output{std::string(*record), learn::write_model(*model, true)};
  if (const Result<void> written = write_files({&output, 1}, text); !written) return bad_data(written.error());
  return {};
}

Outcome infer_translation(const Arguments& arguments) {
  const Result<learn::Training> model = read_model(arguments.subjects.front(), learn::read_training);
  if (!model) return bad_data(model.error());
  const auto input = arguments.find("--input");
  if (!input) return bad_usage("--input is missing; it is the source: --input TEXT.");
  const Result<std::vector<int>> source = model->task.read(*input);
  if (!source) return bad_data("--input: " + source.error().message);
  if (arguments.find("--weights") && !model->config.attention)
    return bad_data(std::string(arguments.subjects.front()) + " has no attention; leave out --weights.");
  if (Outcome differ = check_weights(arguments); !differ) return differ;
  const learn::Decoded decoded = learn::infer(*model, *source);
  const std::vector<std::string> words = learn::words_of(model->task.target, decoded.target);
  io::JsonWriter json;
  json.begin_object().member("task", model->settings.task).member("output", model->task.write(words));
  json.member("stopped", decoded.stopped);
  write_values(json, "source", with_stop(learn::words_of(model->task.source, *source), true));
  write_values(json, "target", with_stop(words, decoded.stopped));
  write_values(json, "probabilities", decoded.probabilities);
  json.end_object();
  return print_with_weights(arguments, json.take() + "\n", decoded.weights);
}

// ---- its row ----

std::vector<TaskName> translation_tasks() {
  std::vector<TaskName> tasks;
  for (const learn::TaskDef& def : learn::task_definitions()) tasks.push_back({def.name, def.about});
  return tasks;
}

constexpr Option kMinWords{"--min-words", "N", "Of the shortest source. Default: the task's."};
constexpr Option kMaxWords{"--max-words", "N", "Of the longest source. Default: the task's."};

constexpr Option kGeneratePairs[] = {
    kMinWords, kMaxWords, {"--split", "NAME", "any, training or held-out. Default: any."}};

constexpr Option kTrainTranslation[] = {
    {"--embedding", "N", "Numbers for a word. Default: 32."},
    {"--hidden", "N", "Numbers in each recurrent state. Default: 64."},
    {"--attention-size", "N", "Numbers in attention's hidden layer. Default: 64."},
    {"--attention", "on|off", "Off: the decoder gets one fixed vector of the source. Default: on."},
    {"--score", "NAME", "additive, general or dot. Default: additive."},
    {"--symbols", "N", "Different letters of copy, reverse and sort. Default: 26."},
    kMinWords,
    kMaxWords,
};

constexpr Option kEvaluateTranslation[] = {
    {"--min-words", "N", "Of the shortest source. Default: the model's."},
    {"--max-words", "N", "Of the longest source. Default: the model's."},
    {"--record", "FILE", "Tries the weights in half precision, and writes them there with by_words as metadata."},
};

constexpr Option kInferTranslation[] = {
    {"--input", "TEXT", "The source."},
    {"--weights", "FILE.npy", "Where the attention weights go, [target words, source words], each with its [STOP]."},
};

}  // namespace

const Kind translation_kind{
    .called = "a recurrent encoder and decoder",
    .plural = "encoders and decoders",
    .tasks = translation_tasks,
    .format = learn::kFormat,
    .generate = {.options = kGeneratePairs,
                 .details =
                     "Each line: {source, target, alignment: [[target, source], …], source_tokens, target_tokens, "
                     "held_out}.\n"
                     "The alignment's numbers count tokens from 0; dates have none. A token is a letter; in french a "
                     "word or a sign:\n"
                     "\"L'accord\" is two, \"L'\" and \"accord\"; \"du\" is one, aligned with \"of\" and \"the\"; the "
                     "full stop is one.\n"
                     "Tokens are written as inside of a sentence: only names have capitals.\n"
                     "held_out: kept out of training. In french that is one sentence pattern in ten, by its hash, and "
                     "that of\n"
                     "\"The agreement on the European Economic Area was signed in August 1992.\".\n",
                 .run = generate_pairs},
    .train = {.options = kTrainTranslation,
              .details =
                  "A tenth of all sources is held out; of french, of all sentence patterns.\n"
                  "A bidirectional GRU reads the source; e = v · tanh(s W + h U), softmax, Σ a h (Bahdanau et al. "
                  "2015); other\n"
                  "scores are those of Luong et al. 2015.\n",
              .run = train_translation},
    .evaluate = {.options = kEvaluateTranslation,
                 .details =
                     "{task, attention, step, weights, seed, count, exact, exact_match, word_accuracy, loss, "
                     "alignment_error_rate,\n"
                     "uniform_alignment_error_rate, by_words: [{words, count, exact}]}\n"
                     "The model writes by itself, always the likeliest word. loss is in nats per word, with the true "
                     "words before\n"
                     "each. Alignments (the source with the largest weight) are of exact targets only, against gold "
                     "links; uniform:\n"
                     "as expected where each source has the same chance; null without attention or links.\n",
                 .run = evaluate_translation},
    .infer = {.options = kInferTranslation,
              .details =
                  "{task, output, stopped, source, target, probabilities}: words of both, and the probability of each "
                  "word written.\n",
              .input = "--input TEXT",
              .run = infer_translation},
};

}  // namespace limelight::cli
