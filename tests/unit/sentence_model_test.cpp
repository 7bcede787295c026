// The trained encoder of web/models: what docs/training.md says of it, in short.
#include <doctest/doctest.h>

#include <set>

#include "learn/encoder_heads.h"
#include "learn/encoder_reading.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::learn;
namespace sentences = limelight::learn::sentences;

namespace {

std::span<const std::byte> bytes_of_model() { return test::model_bytes("sentence.safetensors"); }

sentences::Training trained() {
  Result<sentences::Training> read = sentences::read_training(bytes_of_model(), "sentence.safetensors");
  REQUIRE(read);
  return std::move(*read);
}

std::string likeliest(const sentences::Training& model, const char* text) {
  const auto words = english::read(text);
  REQUIRE(words);
  return sentences::read(model, *words).guesses.at(0).words.at(0);
}

}  // namespace

TEST_CASE("sentence model: its file is small") { CHECK(bytes_of_model().size() <= 700'000); }

TEST_CASE("sentence model: held-out sentences agree, pronouns find their antecedents, and heads have roles") {
  const sentences::Training model = trained();
  const sentences::Evaluation result = sentences::evaluate(model, 1, 200);
  CHECK(result.words.share() >= 0.42);
  CHECK(result.agreement.share() >= 0.98);
  CHECK(result.agreement_invented.share() >= 0.7);
  CHECK(result.pronouns.share() >= 0.95);
  CHECK(result.pronouns_by_meaning.share() >= 0.95);
  CHECK(result.likeliest_pronoun < 0.6);
  const sentences::HeadRoles found = sentences::head_roles(model, 1, 300);
  CHECK(found.antecedent.score.score >= 0.85);
  CHECK(found.antecedent.over_same.share() >= 0.9);
  std::set<std::string_view> clear;
  for (const sentences::HeadRole& head : found.heads)
    if (head.best.above() >= 0.75) clear.insert(sentences::roles()[static_cast<std::size_t>(head.best.role)]);
  for (const char* role : {"previous word", "next word", "noun of the preposition", "antecedent of the pronoun"})
    CHECK_MESSAGE(clear.contains(role), std::string(role));
  for (const sentences::HeadRole& one : found.roles)
    if (sentences::roles()[static_cast<std::size_t>(one.best.role)] == "determiner of the noun")
      CHECK(one.best.score > one.best.fixed + 0.1);
}

TEST_CASE("sentence model: the famous sentence's pronoun and verbs are what they have to be") {
  const sentences::Training model = trained();
  CHECK(likeliest(model, "The animal did not cross the street because [MASK] was too tired.") == "it");
  CHECK(likeliest(model, "The woman did not cross the street because [MASK] was too tired.") == "she");
  CHECK(likeliest(model, "The woman did not cross the street because [MASK] was too wide.") == "it");
  CHECK(likeliest(model, "The quick brown fox jumped over the lazy dog because [MASK] was hungry.") == "it");
}
