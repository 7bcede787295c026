// limelight evaluate, limelight infer: what a trained model can do.
#include <cstdio>

#include "cli/caption.h"
#include "cli/files.h"
#include "cli/learn.h"
#include "cli/pretrained.h"
#include "cli/sentence.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/numbers.h"
#include "learn/checkpoint.h"
#include "learn/evaluation.h"

namespace limelight::cli {
namespace {

constexpr Option kEvaluateOptions[] = {
    {"--task", "TASK", "The task that the model must be of."},
    {"--seed", "N", "Of the pairs. Default: 1."},
    {"--count", "N", "How many held-out pairs are tried, from 1 to 100000. Default: 1000."},
    {"--min-words", "N", "Of the shortest source. Default: the model's."},
    {"--max-words", "N", "Of the longest source. Default: the model's."},
    {"--record", "FILE", "Tries the weights in half precision, and writes them there with by_words as metadata."},
    {"--look", "NAME", "Of a captioner: soft, likeliest or drawn. Default: as it was trained; hard: likeliest."},
};

constexpr Option kInferOptions[] = {
    {"--input", "TEXT", "The source."},
    {"--weights", "FILE.npy", "Where the attention weights go, [target words, source words], each with its [STOP]."},
    {"--picture", "SCENE", "Of a captioner: as in \"big red circle 20 30; blue star 44 31; stripes 40\", or a seed."},
    {"--look", "NAME", "Of a captioner: soft, likeliest or drawn. Default: as it was trained; hard: likeliest."},
    {"--seed", "N", "Of a captioner: of what is drawn. Default: 1."},
    {"--tokens", "IDS", "Of a GPT-2 or BERT: the tokens' numbers, as in 3,17,5."},
    {"--logits", "FILE.npy", "Of a GPT-2 or BERT: where the logits go, [tokens, vocabulary]."},
};

Result<learn::EvaluationOptions> read_options(const Arguments& arguments, const learn::Lengths& lengths,
                                              std::string_view task = {}) {
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, 2147483647);
  if (!seed) return std::unexpected(seed.error());
  const Result<int> count = read_number(arguments, "--count", 1000, 1, 100000);
  if (!count) return std::unexpected(count.error());
  const Result<learn::Lengths> words = read_lengths(arguments, lengths, task);
  if (!words) return std::unexpected(words.error());
  return learn::EvaluationOptions{.seed = *seed, .count = *count, .lengths = *words};
}

void print(io::JsonWriter& json) {
  const std::string text = json.take() + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// The file, and then the JSON.
Outcome write_with(io::JsonWriter& json, const Output& output) {
  if (const Result<void> written = write_files({&output, 1}, json.take() + "\n"); !written)
    return bad_data(written.error());
  return {};
}

// null where there is none.
void write_share(io::JsonWriter& json, std::string_view name, double share) {
  json.key(name);
  if (share < 0)
    json.null();
  else
    json.value(share);
}

// Errors: an option that only captioners have.
Outcome refuse(const Arguments& arguments, std::initializer_list<std::string_view> options) {
  for (const std::string_view option : options)
    if (arguments.find(option))
      return bad_usage(std::string(option) + " is for captioners, and " + std::string(arguments.subjects.front()) +
                       " is none; leave it out.");
  return {};
}

Outcome run_evaluate(const Arguments& arguments) {
  if (is_captioner(arguments.subjects.front())) return evaluate_captioner(arguments);
  if (is_encoder(arguments.subjects.front())) return evaluate_encoder(arguments);
  // What was typed is judged before any file is read, where no model is needed to judge it.
  if (const Result<learn::EvaluationOptions> typed = read_options(arguments, {1, learn::kMostWords}); !typed)
    return bad_usage(typed.error());
  Result<learn::Training> model = read_model(arguments.subjects.front());
  if (!model) return bad_data(model.error());
  if (Outcome allowed = refuse(arguments, {"--look"}); !allowed) return allowed;
  if (const auto task = arguments.find("--task"); task && *task != model->settings.task)
    return bad_data(std::string(arguments.subjects.front()) + " was trained on " + model->settings.task +
                    "; --task is " + io::quote(*task) + ".");
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
  io::JsonWriter json;
  json.begin_object()
      .member("task", model->settings.task)
      .member("attention", model->settings.attention)
      .member("step", model->record.step)
      .member("weights", static_cast<double>(learn::count_weights(model->weights)))
      .member("seed", options->seed)
      .member("count", result->count)
      .member("exact", result->exact)
      .member("exact_match", static_cast<double>(result->exact) / result->count)
      .member("word_accuracy", static_cast<double>(result->right) / result->tokens)
      .member("loss", result->loss);
  write_share(json, "alignment_error_rate", result->alignment_error);
  write_share(json, "uniform_alignment_error_rate", result->uniform_alignment_error);
  json.key("by_words").begin_array();
  for (const learn::LengthScore& score : result->by_length)
    json.begin_object()
        .member("words", score.length)
        .member("count", score.count)
        .member("exact", score.exact)
        .end_object();
  json.end_array().end_object();
  if (!record) {
    print(json);
    return {};
  }
  model->by_length = result->by_length;
  return write_with(json, {std::string(*record), learn::write_model(*model, true)});
}

void write_words(io::JsonWriter& json, std::string_view name, const std::vector<std::string>& words, bool stopped) {
  json.key(name).begin_array();
  for (const std::string& word : words) json.value(word);
  if (stopped) json.value("[STOP]");
  json.end_array();
}

Outcome run_infer(const Arguments& arguments) {
  if (is_pretrained(arguments.subjects.front())) return infer_pretrained(arguments);
  for (const std::string_view option : {"--tokens", "--logits"})
    if (arguments.find(option))
      return bad_usage(std::string(option) + " is for folders with a GPT-2 or BERT, and " +
                       std::string(arguments.subjects.front()) + " is none; leave it out.");
  if (is_captioner(arguments.subjects.front())) return infer_caption(arguments);
  if (is_encoder(arguments.subjects.front())) return infer_words(arguments);
  const Result<learn::Training> model = read_model(arguments.subjects.front());
  if (!model) return bad_data(model.error());
  if (Outcome allowed = refuse(arguments, {"--picture", "--look", "--seed"}); !allowed) return allowed;
  const auto input = arguments.find("--input");
  if (!input) return bad_usage("--input is missing; it is the source: --input TEXT.");
  const Result<std::vector<int>> source = model->task.read(*input);
  if (!source) return bad_data("--input: " + source.error().message);
  const auto weights = arguments.find("--weights");
  if (weights && !model->config.attention)
    return bad_data(std::string(arguments.subjects.front()) + " has no attention; leave out --weights.");
  if (weights && same_file(*weights, arguments.subjects.front()))
    return bad_usage(
        "--weights and the model name the same file; no input is overwritten, so give the result its own.");
  const learn::Decoded decoded = learn::infer(*model, *source);
  const std::vector<std::string> words = learn::words_of(model->task.target, decoded.target);
  io::JsonWriter json;
  json.begin_object().member("task", model->settings.task).member("output", model->task.write(words));
  json.member("stopped", decoded.stopped);
  write_words(json, "source", learn::words_of(model->task.source, *source), true);
  write_words(json, "target", words, decoded.stopped);
  json.key("probabilities").begin_array();
  for (const float probability : decoded.probabilities) json.value(probability);
  json.end_array().end_object();
  if (!weights) {
    print(json);
    return {};
  }
  return write_with(json, {std::string(*weights), io::write_npy(decoded.weights)});
}

}  // namespace

const Command evaluate_command{
    .name = "evaluate",
    .summary = "Tries a trained model on pairs that it was not trained on, and prints how many are right, as JSON.",
    .synopsis = "MODEL [--task TASK] [--seed N] [--count N] [--min-words N] [--max-words N] [--record FILE]",
    .details =
        "{task, attention, step, weights, seed, count, exact, exact_match, word_accuracy, loss, alignment_error_rate,\n"
        "uniform_alignment_error_rate, by_words: [{words, count, exact}]}\n"
        "The model writes by itself, always the likeliest word. loss is in nats per word, with the true words before\n"
        "each. Alignments (the source with the largest weight) are of exact targets only, against gold links; "
        "uniform:\n"
        "as expected where each source has the same chance; null without attention or links.\n"
        "Of a captioner: {task, attention, from, grid, blind, penalty_weight, sharpness_weight, step, weights, look,\n"
        "seed, count, exact, exact_match, word_accuracy, words_seen, on_object, uniform_on_object, entropy, penalty, "
        "by_objects}; "
        "on_object "
        "is the share of\nthe weight or of the choices that is on the object meant, where a word of colour, size or "
        "shape is right;\nuniform_on_object the same for a map that is even, which is chance.\n"
        "Of an encoder of sentences: {task, layers, heads, size, step, weights, vocabulary, seed, count, words, loss,\n"
        "masked_accuracy, by_kind, agreement, agreement_apart, agreement_invented, pronouns, pronouns_by_meaning,\n"
        "likeliest_pronoun, antecedent_head, head_roles, role_heads}. Each word is masked alone. agreement: a verb's "
        "true form is\n"
        "likelier than that of the other number; apart: something stands between; invented: the subject is a word "
        "like\n"
        "\"wugs\". pronouns: of he, she, it, they (him, his …) the true one is likeliest; by_meaning: where only what "
        "is said\ntells; likeliest_pronoun is the share of the most frequent one. Heads and layers count from 1; a "
        "head's role is\nwhere the largest weight is farthest above a rule (chance, or the best fixed offset), found "
        "on one half of\nthe sentences, measured on the other. over_rival, over_same: the antecedent has more weight "
        "than what else\ncould be meant; same: both are \"it\", or both \"they\".\n",
    .subject = "MODEL",
    .options = kEvaluateOptions,
    .run = run_evaluate,
};

const Command infer_command{
    .name = "infer",
    .summary = "Runs a trained model on a source, and prints what it writes as JSON.",
    .synopsis = "MODEL --input TEXT|--picture SCENE|--tokens IDS [OPTION …]",
    .details =
        "{task, output, stopped, source, target, probabilities}: words of both, and the probability of each word "
        "written.\nOf an encoder of sentences: {task, words, unknown, masked: [{word, likeliest, probabilities}]} for "
        "each "
        "[MASK] of the input;\nweights are [layers, heads, words, words], [START] first.\n"
        "Of a captioner: {task, output, true_caption, stopped, objects, picture, target, probabilities, "
        "look, "
        "places}; weights\nare [words, cells], places the row and column of the cell that was chosen at each word.\n"
        "MODEL may be a folder with config.json, model.safetensors and the tokenizer of a GPT-2 or BERT: {family, "
        "layers,\nheads, tokens, texts, predictions: [{position, top: [{token, text, probability}]}]}, of GPT-2 what "
        "follows the last\ntoken, of BERT each [MASK]; of --tokens each token, without texts. Weights are [layers, "
        "heads, tokens, tokens].\n",
    .subject = "MODEL",
    .options = kInferOptions,
    .run = run_infer,
};

}  // namespace limelight::cli
