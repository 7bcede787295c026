// Encoders of sentences: models that say which word is missing.
#include "cli/kind.h"
#include "cli/learn.h"
#include "cli/train_loop.h"
#include "learn/encoder_evaluation.h"
#include "learn/encoder_heads.h"
#include "learn/encoder_reading.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace english = learn::english;
namespace sentences = learn::sentences;

// ---- what is printed ----

std::string line_of(const english::Sentence& sentence) {
  io::JsonWriter json;
  json.begin_object().member("sentence", english::detokenise(sentence.words));
  write_values(json, "words", sentence.words);
  json.key("links").begin_array();
  for (const english::Link& link : sentence.links)
    json.begin_object()
        .member("relation", english::kRelations[static_cast<std::size_t>(link.relation)])
        .member("from", link.from)
        .member("to", link.to)
        .end_object();
  json.end_array();
  write_values(json, "agreeing", sentence.agreeing);
  json.key("references").begin_array();
  for (const english::Reference& one : sentence.references) {
    json.begin_object().member("pronoun", one.pronoun).member("antecedent", one.antecedent).key("rival");
    if (one.rival < 0)
      json.null();
    else
      json.value(one.rival);
    json.end_object();
  }
  json.end_array().member("pattern", sentence.pattern);
  json.member("held_out", english::is_held_out(sentence.pattern)).end_object();
  return json.take() + "\n";
}

void write_score(io::JsonWriter& json, std::string_view name, const sentences::Score& score) {
  write_share(json, name, score.share());
}

void write_role(io::JsonWriter& json, const sentences::RoleScore& role) {
  json.member("score", role.score).member("chance", role.chance).member("fixed_offset", role.fixed);
}

void write_roles(io::JsonWriter& json, const sentences::HeadRoles& found) {
  const sentences::AntecedentHead& antecedent = found.antecedent;
  json.key("antecedent_head").begin_object().member("layer", antecedent.layer + 1).member("head", antecedent.head + 1);
  write_role(json, antecedent.score);
  write_score(json, "over_rival", antecedent.over_rival);
  write_score(json, "over_same", antecedent.over_same);
  json.end_object();
  for (const auto& [name, list] : {std::pair("head_roles", &found.heads), std::pair("role_heads", &found.roles)}) {
    json.key(name).begin_array();
    for (const sentences::HeadRole& one : *list) {
      json.begin_object().member("layer", one.layer + 1).member("head", one.head + 1);
      json.member("role", sentences::roles()[static_cast<std::size_t>(one.best.role)]);
      json.member("count", one.best.count);
      write_role(json, one.best);
      json.member("above", one.best.above()).end_object();
    }
    json.end_array();
  }
}

// ---- the commands ----

Outcome generate_sentences(const Arguments& arguments) {
  const Result<Wanted> wanted = read_wanted(arguments);
  if (!wanted) return bad_usage(wanted.error());
  Random random(static_cast<std::uint64_t>(wanted->seed));
  return print_lines(wanted->count, [&](int) {
    return line_of(wanted->part ? english::generate(random, *wanted->part) : english::generate(random));
  });
}

std::expected<sentences::Training, Failure> begin_encoder(const Arguments& arguments) {
  sentences::Settings settings;
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read) return bad_usage(read.error());
  Result<sentences::Training> training = sentences::start_training(settings);
  if (!training) return bad_usage(training.error());
  return std::move(*training);
}

// Few sentences on the way, all of evaluate's at the end.
Result<double> look_at_encoder(const sentences::Training& training) {
  const bool last = training.record.step >= training.settings.steps;
  return sentences::evaluate(training, 1, last ? 1000 : 100).words.share();
}

Outcome train_encoder(const Arguments& arguments) {
  return train<sentences::Scratch, sentences::Training>(
      arguments, {.begin = begin_encoder, .read = sentences::read_training, .look = look_at_encoder});
}

Outcome evaluate_encoder(const Arguments& arguments) {
  if (Outcome same = check_task(arguments, sentences::kTask); !same) return same;
  const Result<Tried> tried = read_tried(arguments);
  if (!tried) return bad_usage(tried.error());
  const Result<sentences::Training> model = read_model(arguments.subjects.front(), sentences::read_training);
  if (!model) return bad_data(model.error());
  const sentences::Evaluation result = sentences::evaluate(*model, tried->seed, tried->count);
  io::JsonWriter json;
  json.begin_object()
      .member("task", sentences::kTask)
      .member("layers", model->config.layers)
      .member("heads", model->config.heads)
      .member("size", model->config.size)
      .member("step", model->record.step)
      .member("weights", static_cast<double>(learn::count_each(model->weights)))
      .member("vocabulary", english::vocabulary().size())
      .member("seed", tried->seed)
      .member("count", result.count)
      .member("words", result.words.count)
      .member("loss", result.loss);
  write_score(json, "masked_accuracy", result.words);
  json.key("by_kind").begin_object();
  for (std::size_t i = 0; i < result.by_kind.size(); ++i) write_score(json, english::kKinds[i], result.by_kind[i]);
  json.end_object();
  write_score(json, "agreement", result.agreement);
  write_score(json, "agreement_apart", result.agreement_apart);
  write_score(json, "agreement_invented", result.agreement_invented);
  write_score(json, "pronouns", result.pronouns);
  write_score(json, "pronouns_by_meaning", result.pronouns_by_meaning);
  json.member("likeliest_pronoun", result.likeliest_pronoun);
  write_roles(json, sentences::head_roles(*model, tried->seed, tried->count));
  json.end_object();
  print_text(json.take() + "\n");
  return {};
}

Outcome infer_words(const Arguments& arguments) {
  const auto input = arguments.find("--input");
  if (!input)
    return bad_usage("--input is missing; it is a sentence, with [MASK] for what is to be said: --input TEXT.");
  if (Outcome differ = check_weights(arguments); !differ) return differ;
  const Result<sentences::Training> model = read_model(arguments.subjects.front(), sentences::read_training);
  if (!model) return bad_data(model.error());
  const Result<std::vector<std::string>> words = english::read(*input);
  if (!words) return bad_data("--input: " + words.error().message);
  const sentences::Reading reading = sentences::read(*model, *words);
  io::JsonWriter json;
  json.begin_object().member("task", sentences::kTask);
  write_values(json, "words", reading.words);
  write_values(json, "unknown", reading.unknown);
  json.key("masked").begin_array();
  for (const sentences::Guess& guess : reading.guesses) {
    json.begin_object().member("word", guess.place);
    write_values(json, "likeliest", guess.words);
    write_values(json, "probabilities", guess.probabilities);
    json.end_object();
  }
  json.end_array().end_object();
  return print_with_weights(arguments, json.take() + "\n", reading.weights);
}

// ---- its row ----

constexpr Option kGenerateSentences[] = {{"--split"}};

constexpr Option kTrainEncoder[] = {
    {"--hidden"},
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
};

constexpr Option kInferWords[] = {{"--input"}, {"--weights"}};

}  // namespace

const Kind encoder_kind{
    .called = "an encoder of sentences",
    .plural = "encoders of sentences",
    .tasks = [] { return std::vector<TaskName>{{sentences::kTask, "English sentences"}}; },
    .format = sentences::kFormat,
    .refusal = "is not of the task sentence",
    .generate = {.options = kGenerateSentences,
                 .details =
                     "sentence: {sentence, words, links: [{relation, from, to}], agreeing, references: [{pronoun, "
                     "antecedent, rival}],\npattern, held_out}; places count words from 0. agreeing are the verbs that "
                     "say how many the subject is; a\nrival could be meant, too, if the meaning did not tell.\n",
                 .run = generate_sentences},
    .train =
        {.options = kTrainEncoder,
         .details =
             "sentence: layers of self-attention that learn which words are missing (Devlin et al. 2019; Vaswani "
             "et al. 2017).\nA tenth of all sentence patterns is held out. Its own defaults: batch 64, rate 0.002, "
             "decay on, hidden 192,\n20000 steps; held_out is the share of words that are right where one is "
             "masked.\n",
         .run = train_encoder},
    .evaluate =
        {.details = "Of an encoder of sentences: {task, layers, heads, size, step, weights, vocabulary, seed, count, "
                    "words, loss,\n"
                    "masked_accuracy, by_kind, agreement, agreement_apart, agreement_invented, pronouns, "
                    "pronouns_by_meaning,\n"
                    "likeliest_pronoun, antecedent_head, head_roles, role_heads}. Each word is masked alone. "
                    "agreement: a verb's true form is\n"
                    "likelier than that of the other number; apart: something stands between; invented: the subject is "
                    "a word like\n"
                    "\"wugs\". pronouns: of he, she, it, they (him, his …) the true one is likeliest; by_meaning: "
                    "where only what is said\ntells; likeliest_pronoun is the share of the most frequent one. Heads "
                    "and layers count from 1; a head's role is\nwhere the largest weight is farthest above a rule "
                    "(chance, or the best fixed offset), found on one half of\nthe sentences, measured on the other. "
                    "over_rival, over_same: the antecedent has more weight than what else\ncould be meant; same: both "
                    "are \"it\", or both \"they\".\n",
         .run = evaluate_encoder},
    .infer = {.options = kInferWords,
              .details =
                  "Of an encoder of sentences: {task, words, unknown, masked: [{word, likeliest, probabilities}]} for "
                  "each [MASK] of the input;\nweights are [layers, heads, words, words], [START] first.\n",
              .input = "--input TEXT",
              .run = infer_words},
};

}  // namespace limelight::cli
