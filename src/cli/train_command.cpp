// limelight train: a model from a seed, or on from a checkpoint.
#include <algorithm>
#include <optional>

#include "cli/caption.h"
#include "cli/learn.h"
#include "cli/sentence.h"
#include "cli/train_loop.h"
#include "io/utf8.h"
#include "learn/checkpoint.h"
#include "learn/evaluation.h"

namespace limelight::cli {
namespace {

constexpr Option kOptions[] = {
    {"--out", "FILE", "Where the checkpoint goes, a .safetensors file. Default with --resume: that file."},
    {"--resume", "FILE", "Goes on from a checkpoint as if it had never stopped."},
    {"--half", "FILE", "Where the weights alone go at the end, for reading: halves of 9 bits, which pack well."},
    {"--steps", "N", "Batches in all, with those before --resume. Default: 3000."},
    {"--seed", "N", "Of the first weights and of all batches. Default: 1."},
    {"--batch", "N", "Pairs in a batch. Default: 32."},
    {"--rate", "X", "Of Adam. Default: 0.003."},
    {"--decay", "on|off", "On: the rate falls evenly, to 0 after the last step. Default: off."},
    {"--clip", "X", "The longest that all gradients together may be. Default: 1."},
    {"--embedding", "N", "Numbers for a word. Default: 32."},
    {"--hidden", "N", "Numbers in each recurrent state. Default: 64."},
    {"--attention-size", "N", "Numbers in attention's hidden layer. Default: 64."},
    {"--attention", "on|off",
     "Off: the decoder gets one fixed vector of the source. Default: on. Of caption: soft or hard; soft."},
    {"--score", "NAME", "additive, general or dot. Default: additive."},
    {"--symbols", "N", "Different letters of copy, reverse and sort. Default: 26."},
    {"--min-words", "N", "Of the shortest source. Default: the task's."},
    {"--max-words", "N", "Of the longest source. Default: the task's."},
    {"--grid", "8|3", "Of caption: the cells along a picture's side. Default: 8."},
    {"--features", "N", "Of caption: numbers for a cell. Default: 96."},
    {"--blind", "X", "Of caption, soft: the share of pictures that are described without contexts. Default: 0.3."},
    {"--penalty", "X", "Of caption: the weight λ of even coverage. Default: 0."},
    {"--sharpness", "X", "Of caption, soft: the weight λ_s of sharp maps. Default: 0.08."},
    {"--reward", "X", "Of caption, hard: the weight λ_r of the reward. Default: 1."},
    {"--entropy", "X", "Of caption, hard: the weight λ_e of the entropy. Default: 0.01."},
    {"--layers", "N", "Of sentence: from 1 to 4. Default: 3."},
    {"--heads", "N", "Of sentence: of each layer; they share its size evenly. Default: 6."},
    {"--size", "N", "Of sentence: numbers for a word. Default: 96."},
    {"--letters", "N", "Of sentence: embeddings of letters, for words that it does not know. Default: 384."},
    {"--warm-up", "N", "Of sentence: batches in which the rate rises. Default: 500."},
    {"--masked", "X", "Of sentence: the share of words that are to be said. Default: 0.2."},
    {"--replaced", "X", "Of sentence: the share of those that are another word of their kind. Default: 0.2."},
    {"--kept", "X", "Of sentence: the share of those that stay as they are. Default: 0.1."},
    {"--spelled", "X", "Of sentence: the share of words that are read by their letters. Default: 0.1."},
    {"--invented", "X", "Of sentence: the share of those whose letters are others. Default: 0.3."},
    {"--from", "FILE", "Of caption: a model with the first weights, such as a soft one for a hard one."},
};

Result<learn::Training> begin(const Arguments& arguments) {
  learn::Settings settings;
  settings.task = arguments.subjects.front();
  const Result<const learn::TaskDef*> task = read_task(arguments);
  if (!task) return std::unexpected(task.error());
  if (const Result<void> checked = check_options(arguments, settings.task, io::walk(settings)); !checked)
    return std::unexpected(checked.error());
  settings.min_words = (*task)->lengths.least;
  settings.max_words = (*task)->lengths.most;
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read)
    return std::unexpected(read.error());
  return learn::start_training(settings);
}

Result<learn::Training> resume(const Arguments& arguments, std::string_view path) {
  Result<learn::Training> training = read_model(path);
  if (!training) return training;
  const std::string_view task = arguments.subjects.front();
  if (training->settings.task != task)
    return fail(std::string(path) + " was trained on " + training->settings.task + "; the task is " + io::quote(task) +
                ".");
  if (!learn::can_resume(*training))
    return fail(std::string(path) + " has weights only; training goes on from what --out wrote.");
  if (const Result<void> read = read_settings(arguments, io::walk(training->settings)); !read)
    return std::unexpected(read.error());
  return training;
}

Outcome run_train(const Arguments& arguments) {
  const std::expected<TrainFiles, Failure> files = read_train_files(arguments);
  if (!files) return std::unexpected(files.error());
  if (arguments.subjects.front() == kCaption) return train_captioner(arguments, *files);
  if (arguments.subjects.front() == kSentence) return train_encoder(arguments, *files);
  Result<learn::Training> started = files->resume.empty() ? begin(arguments) : resume(arguments, files->resume);
  if (!started) return files->resume.empty() ? bad_usage(started.error()) : bad_data(started.error());
  learn::Training& training = *started;
  learn::TrainingScratch scratch;
  return run_training(*files, {.task = training.settings.task,
                               .record = training.record,
                               .steps = training.settings.steps,
                               .weights = learn::count_weights(training.weights),
                               .step = [&] { return learn::train_step(training, scratch); },
                               .look = [&]() -> Result<double> {
                                 const Result<learn::Evaluation> seen = learn::evaluate(training, {});
                                 if (!seen) return std::unexpected(seen.error());
                                 return static_cast<double>(seen->exact) / seen->count;
                               },
                               .checkpoint = [&] { return learn::write_checkpoint(training); },
                               .half = [&] { return learn::write_model(training, true); }});
}

}  // namespace

const Command train_command{
    .name = "train",
    .summary = "Trains a model: a recurrent encoder and decoder, a captioner or an encoder of sentences.",
    .synopsis = "TASK --out FILE [OPTION …]",
    .details =
        "TASK is copy, reverse, sort (letters), dates (to 1998-03-12), french (English sentences), caption or "
        "sentence.\n"
        "A tenth of all sources is held out; of french and sentence, of all sentence patterns; of caption, of all "
        "captions.\n"
        "A bidirectional GRU reads the source; e = v · tanh(s W + h U), softmax, Σ a h (Bahdanau et al. 2015); other\n"
        "scores are those of Luong et al. 2015.\n"
        "caption: three convolutions to a grid of cells, attention to them, a GRU (Xu et al. 2015); hard attention is\n"
        "REINFORCE. Its own defaults: hidden 112, rate 0.0006, decay on, 6000 steps.\n"
        "sentence: layers of self-attention that learn which words are missing (Devlin et al. 2019; Vaswani et al. "
        "2017).\n"
        "Its own defaults: batch 64, rate 0.002, decay on, hidden 192, 20000 steps; held_out is the share of words "
        "that are\n"
        "right where one is masked.\n"
        "Adam (Kingma & Ba 2015). Progress goes to stderr; every 250 steps 200 held-out pairs are tried.\n"
        "Ctrl-C saves, and --resume goes on to the same digits. A checkpoint is written every 1000 steps, too.\n"
        "Prints {task, step, steps, target_words, loss, held_out, weights, words_per_second, file}; loss is the "
        "running\n"
        "mean of the cross-entropy in nats per word, held_out the share of pairs that were right in every word.\n",
    .subject = "TASK",
    .options = kOptions,
    .run = run_train,
};

}  // namespace limelight::cli
