// How GPT-2's tokenizer cuts a text, before any vocabulary.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/byte_pair.h"

using namespace limelight::io;

namespace {

using Words = std::vector<std::string>;

Words words(std::string_view text) {
  Words all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = word_end(text, at);
    all.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

}  // namespace

TEST_CASE("words: of spaces the last goes with the word behind, other white space does not") {
  CHECK(words("a  b   c ") == Words{"a", " ", " b", "  ", " c", " "});
  CHECK(words("a\n\nb") == Words{"a", "\n", "\n", "b"});
  CHECK(words("a\n  b") == Words{"a", "\n ", " b"});
  CHECK(words("a\u00A0b\u3000 \u3000!") == Words{"a", "\u00A0", "b", "\u3000 ", "\u3000", "!"});
  CHECK(words(" \t ") == Words{" \t "});
}

TEST_CASE("words: letters, numbers and the rest are words of their own, in every script") {
  CHECK(words("Straße1½Ⅷa+=b") == Words{"Straße", "1½Ⅷ", "a", "+=", "b"});
  CHECK(words(" 注意力 、x") == Words{" 注意力", " 、", "x"});
  CHECK(words("e\u0301 न\u093E") == Words{"e", "\u0301", " न", "\u093E"});
  CHECK(words("a\xFF\xC3 \x80z") == Words{"a", "\xFF\xC3", " \x80", "z"});
}

TEST_CASE("words: English endings, in lower case and after a plain apostrophe only") {
  CHECK(words("I'm we've they'll he'd it's can't you're") ==
        Words{"I", "'m", " we", "'ve", " they", "'ll", " he", "'d", " it", "'s", " can", "'t", " you", "'re"});
  CHECK(words("I'M 's 'sx ''s") == Words{"I", "'", "M", " '", "s", " '", "sx", " ''", "s"});
  CHECK(words("'sx'") == Words{"'s", "x", "'"});
  CHECK(words("don’t") == Words{"don", "’", "t"});
}

TEST_CASE("words: bytes and the characters that stand for them go both ways") {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  CHECK(bytes_of_characters(characters_of_bytes(bytes)) == bytes);
  CHECK(characters_of_bytes(" é\n") == "ĠÃ©Ċ");
  CHECK_FALSE(bytes_of_characters("a b"));
  CHECK_FALSE(bytes_of_characters("注"));
}
