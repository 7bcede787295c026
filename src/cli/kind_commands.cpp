// limelight generate, train, evaluate, infer: what is the same for all kinds of models. The rest stands in their rows.
#include "cli/kind.h"

namespace limelight::cli {
namespace {

constexpr Option kGenerateOptions[] = {
    {"--seed", "N", "Of the random choices, from 0. The same seed makes the same lines. Default: 0."},
    {"--count", "N", "The number of pairs, from 1. Default: 10."},
};

constexpr Option kTrainOptions[] = {
    {"--out", "FILE", "Where the checkpoint goes, a .safetensors file. Default with --resume: that file."},
    {"--resume", "FILE", "Goes on from a checkpoint as if it had never stopped."},
    {"--half", "FILE", "Where the weights alone go at the end, for reading: halves of 9 bits, which pack well."},
    {"--steps", "N", "Batches in all, with those before --resume. Default: 3000."},
    {"--seed", "N", "Of the first weights and of all batches. Default: 1."},
    {"--batch", "N", "Pairs in a batch. Default: 32."},
    {"--rate", "X", "Of Adam. Default: 0.003."},
    {"--decay", "on|off", "On: the rate falls evenly, to 0 after the last step. Default: off."},
    {"--clip", "X", "The longest that all gradients together may be. Default: 1."},
};

constexpr Option kEvaluateOptions[] = {
    {"--task", "TASK", "The task that the model must be of."},
    {"--seed", "N", "Of the pairs. Default: 1."},
    {"--count", "N", "How many held-out pairs are tried, from 1 to 100000. Default: 1000."},
};

Outcome run_generate(const Arguments& arguments) { return run_for_task(arguments, generate_command); }
Outcome run_train(const Arguments& arguments) { return run_for_task(arguments, train_command); }
Outcome run_evaluate(const Arguments& arguments) { return run_for_model(arguments, evaluate_command); }
Outcome run_infer(const Arguments& arguments) { return run_for_model(arguments, infer_command); }

}  // namespace

const Command generate_command{
    .name = "generate",
    .summary = "Prints what a task trains on, and what belongs to what in it, as JSON lines.",
    .synopsis = "TASK [OPTION …]",
    .subject = kTaskSubject,
    .options = kGenerateOptions,
    .of_kinds = &Kind::generate,
    .run = run_generate,
};

const Command train_command{
    .name = "train",
    .summary = "Trains a model",
    .synopsis = "TASK --out FILE [OPTION …]",
    .details =
        "Adam (Kingma & Ba 2015). Progress goes to stderr; every 250 steps 200 held-out pairs are tried.\n"
        "Ctrl-C saves, and --resume goes on to the same digits. A checkpoint is written every 1000 steps, too.\n"
        "Prints {task, step, steps, target_words, loss, held_out, weights, words_per_second, file}; loss is the "
        "running\n"
        "mean of the cross-entropy in nats per word, held_out the share of pairs that were right in every word.\n",
    .subject = kTaskSubject,
    .options = kTrainOptions,
    .of_kinds = &Kind::train,
    .lists_kinds = true,
    .run = run_train,
};

const Command evaluate_command{
    .name = "evaluate",
    .summary = "Tries a trained model on pairs that it was not trained on, and prints how many are right, as JSON.",
    .synopsis = "MODEL [OPTION …]",
    .subject = "MODEL",
    .options = kEvaluateOptions,
    .of_kinds = &Kind::evaluate,
    .run = run_evaluate,
};

const Command infer_command{
    .name = "infer",
    .summary = "Runs a trained model on a source, and prints what it writes as JSON.",
    .synopsis = "MODEL % [OPTION …]",
    .subject = "MODEL",
    .of_kinds = &Kind::infer,
    .run = run_infer,
};

}  // namespace limelight::cli
