// Text in and out of the corpus's words.
#include <doctest/doctest.h>

#include "unit/french_support.h"

using namespace limelight;
using namespace limelight::learn::french;

namespace {

std::string read(std::string_view text) {
  const Result<Reading> reading = read_english(text);
  return reading ? joined(reading->tokens) : reading.error().message;
}

}  // namespace

TEST_CASE("detokenise: a capital first, apostrophes joined to their word, signs to the word before") {
  using Tokens = std::vector<std::string>;
  CHECK(detokenise(Tokens{"l'", "école", ",", "qu'", "elle", "a", "vue", "."}) == "L'école, qu'elle a vue.");
  CHECK(detokenise(Tokens{"écoles", "."}) == "Écoles.");
  CHECK(detokenise(Tokens{"à", "Paris"}) == "À Paris");
  CHECK(detokenise(Tokens{}) == "");
}

TEST_CASE("read_english: every sentence of the corpus is read back") {
  for (std::size_t i = 0; i < corpus().size(); i += 10) {
    const Sentence& sentence = corpus()[i];
    const Result<Reading> reading = read_english(detokenise(sentence.source));
    REQUIRE(reading);
    REQUIRE(reading->unknown.empty());
    REQUIRE(reading->tokens == sentence.source);
  }
}

TEST_CASE("read_english: capitals do not matter where a word has one spelling, and the full stop may be left out") {
  CHECK(read("THE MINISTER WENT TO paris in august") == "the minister went to Paris in August .");
  CHECK(read("  The   agreement on the European Economic Area was signed in August 1992") == joined(example().source));
}

TEST_CASE("read_english: unknown words are named, with the nearest known ones") {
  const Result<Reading> reading = read_english("The goverment signed the xylophone in Agust.");
  REQUIRE(reading);
  REQUIRE(reading->unknown.size() == 3);
  CHECK(reading->unknown[0].word == "goverment");
  REQUIRE(!reading->unknown[0].suggestions.empty());
  CHECK(reading->unknown[0].suggestions.front() == "government");
  CHECK(reading->unknown[1].suggestions.empty());
  REQUIRE(!reading->unknown[2].suggestions.empty());
  CHECK(reading->unknown[2].suggestions.front() == "August");
  CHECK(joined(reading->tokens) == "the signed the in .");
}

TEST_CASE("read_english: a sentence without words, too short or too long is refused, and the bounds are said") {
  CHECK(read("") == "There is no word to translate; type a sentence of 3 to 30 words.");
  CHECK(read(" . ") == read(""));
  CHECK(read("He left.") == "The sentence has 2 words; it may have 3 to 30.");
  std::string text = "the minister";
  for (int i = 0; i < 29; ++i) text += " and";
  CHECK(read(text) == "The sentence has 31 words; it may have 3 to 30.");
}
