// limelight evaluate, infer and generate, of sentences.
#include <algorithm>
#include <cstdio>

#include "cli/files.h"
#include "cli/learn.h"
#include "cli/sentence.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/utf8.h"
#include "learn/checkpoint.h"
#include "learn/encoder_heads.h"
#include "learn/encoder_reading.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace english = learn::english;
namespace sentences = learn::sentences;

constexpr int kLargestSeed = 2147483647;

// Errors: an option that only other models have.
Outcome check_allowed(const Arguments& arguments, std::initializer_list<std::string_view> allowed) {
  for (const auto& [option, values] : arguments.values)
    if (std::ranges::find(allowed, option) == allowed.end())
      return bad_usage(std::string(option) + " is not of the task " + std::string(kSentence) + "; leave it out.");
  return {};
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void write_numbers(io::JsonWriter& json, std::string_view name, const auto& numbers) {
  json.key(name).begin_array();
  for (const auto& number : numbers) json.value(number);
  json.end_array();
}

std::string line_of(const english::Sentence& sentence) {
  io::JsonWriter json;
  json.begin_object().member("sentence", english::detokenise(sentence.words));
  write_numbers(json, "words", sentence.words);
  json.key("links").begin_array();
  for (const english::Link& link : sentence.links)
    json.begin_object()
        .member("relation", english::kRelations[static_cast<std::size_t>(link.relation)])
        .member("from", link.from)
        .member("to", link.to)
        .end_object();
  json.end_array();
  write_numbers(json, "agreeing", sentence.agreeing);
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
  json.key(name);
  if (score.count == 0)
    json.null();
  else
    json.value(score.share());
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

}  // namespace

bool is_encoder(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return false;
  const Result<io::Safetensors> file = io::read_safetensors(*bytes, path);
  return file && learn::has_format(*file, sentences::kFormat);
}

Outcome evaluate_encoder(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--task", "--seed", "--count"}); !allowed) return allowed;
  const std::string_view path = arguments.subjects.front();
  if (const auto task = arguments.find("--task"); task && *task != kSentence)
    return bad_data(std::string(path) + " was trained on " + std::string(kSentence) + "; --task is " +
                    io::quote(*task) + ".");
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 1000, 1, 100000);
  if (!count) return bad_usage(count.error());
  const Result<sentences::Training> model = read_encoder(path);
  if (!model) return bad_data(model.error());
  const sentences::Evaluation result = sentences::evaluate(*model, *seed, *count);
  io::JsonWriter json;
  json.begin_object()
      .member("task", kSentence)
      .member("layers", model->config.layers)
      .member("heads", model->config.heads)
      .member("size", model->config.size)
      .member("step", model->record.step)
      .member("weights", static_cast<double>(learn::count_each(model->weights)))
      .member("vocabulary", english::vocabulary().size())
      .member("seed", *seed)
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
  write_roles(json, sentences::head_roles(*model, *seed, *count));
  json.end_object();
  print(json.take() + "\n");
  return {};
}

Outcome infer_words(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--input", "--weights"}); !allowed) return allowed;
  const auto input = arguments.find("--input");
  if (!input)
    return bad_usage("--input is missing; it is a sentence, with [MASK] for what is to be said: --input TEXT.");
  const std::string_view path = arguments.subjects.front();
  const auto weights = arguments.find("--weights");
  if (weights && same_file(*weights, path))
    return bad_usage(
        "--weights and the model name the same file; no input is overwritten, so give the result its own.");
  const Result<sentences::Training> model = read_encoder(path);
  if (!model) return bad_data(model.error());
  const Result<std::vector<std::string>> words = english::read(*input);
  if (!words) return bad_data("--input: " + words.error().message);
  const sentences::Reading reading = sentences::read(*model, *words);
  io::JsonWriter json;
  json.begin_object().member("task", kSentence);
  write_numbers(json, "words", reading.words);
  write_numbers(json, "unknown", reading.unknown);
  json.key("masked").begin_array();
  for (const sentences::Guess& guess : reading.guesses) {
    json.begin_object().member("word", guess.place);
    write_numbers(json, "likeliest", guess.words);
    write_numbers(json, "probabilities", guess.probabilities);
    json.end_object();
  }
  json.end_array().end_object();
  const std::string text = json.take() + "\n";
  if (!weights) {
    print(text);
    return {};
  }
  const Output output{std::string(*weights), io::write_npy(reading.weights)};
  if (const Result<void> saved = write_files({&output, 1}, text); !saved) return bad_data(saved.error());
  return {};
}

Outcome generate_sentences(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--seed", "--count", "--split"}); !allowed) return allowed;
  const Result<int> seed = read_number(arguments, "--seed", 0, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 10, 1, kLargestSeed);
  if (!count) return bad_usage(count.error());
  const Result<std::optional<learn::Part>> split = read_split(arguments);
  if (!split) return bad_usage(split.error());
  Random random(static_cast<std::uint64_t>(*seed));
  for (int i = 0; i < *count; ++i) {
    const std::string line = line_of(*split ? english::generate(random, **split) : english::generate(random));
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) break;  // said when all is printed
  }
  return {};
}

}  // namespace limelight::cli
