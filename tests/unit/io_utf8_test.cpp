#include "io/utf8.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using limelight::io::append_utf8;
using limelight::io::decode_utf8;
using limelight::io::ellipsize;
using limelight::io::encode_utf8;
using limelight::io::is_wide;
using limelight::io::joins_previous;
using limelight::io::kept_words;
using limelight::io::normalise_spaces;
using limelight::io::quote;
using limelight::io::split_words;

namespace {

using CodePoints = std::vector<char32_t>;

// The words with a bar between them, which doctest prints.
std::string words(std::string_view text) {
  std::string joined;
  for (const std::string& word : split_words(text)) joined += (joined.empty() ? "" : "|") + word;
  return joined;
}

const std::string kAstronaut = "👩\u200D🚀";          // woman, joiner, rocket
const std::string kFlag = "🇨🇭";                       // two regional indicators
const std::string kThumb = "👍🏽";                    // with a skin tone
const std::string kHealthWorker = "🧑\u200D⚕\uFE0F";  // a joiner and a symbol that is no emoji by itself
const std::string kEnglandFlag = "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F";

}  // namespace

TEST_CASE("utf8: every Unicode scalar value survives encoding and decoding") {
  CodePoints all;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c < 0xD800 || c > 0xDFFF) all.push_back(c);
  }
  const bool same = decode_utf8(encode_utf8(all)) == all;
  CHECK(same);
}

TEST_CASE("utf8: each length begins where the shorter one ends") {
  const auto bytes = [](char32_t c) {
    std::string text;
    append_utf8(text, c);
    return text.size();
  };
  CHECK(bytes(0x7F) == 1);
  CHECK(bytes(0x80) == 2);
  CHECK(bytes(0x7FF) == 2);
  CHECK(bytes(0x800) == 3);
  CHECK(bytes(0xFFFF) == 3);
  CHECK(bytes(0x10000) == 4);
}

TEST_CASE("utf8: each broken byte becomes one replacement character, and the good ones around it stay") {
  const CodePoints one = {'a', 0xFFFD, 'b'};
  CHECK(decode_utf8("a\x80"
                    "b") == one);
  CHECK(decode_utf8("a\xFF"
                    "b") == one);
  CHECK(decode_utf8("a\xC3"
                    "b") == one);
  CHECK(decode_utf8("\xE2\x82") == CodePoints{0xFFFD, 0xFFFD});     // a euro sign cut short
  CHECK(decode_utf8("\xC0\xAF") == CodePoints{0xFFFD, 0xFFFD});     // an overlong slash
  CHECK(decode_utf8("\xE0\x80\xAF") == CodePoints(3, 0xFFFD));      // and a longer one
  CHECK(decode_utf8("\xED\xA0\x80") == CodePoints(3, 0xFFFD));      // a surrogate
  CHECK(decode_utf8("\xF4\x90\x80\x80") == CodePoints(4, 0xFFFD));  // past U+10FFFF
  CHECK(decode_utf8("\xF0\x9F\x98\x80\xF0\x9F\x98").front() == 0x1F600);
}

TEST_CASE("utf8: what cannot be encoded is encoded as the replacement character") {
  CHECK(encode_utf8({0xD800, 0x110000, 0xFFFFFFFF}) == "\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("utf8: any bytes at all pass through every function, and come out as good UTF-8") {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const CodePoints code_points = decode_utf8(bytes);
    CHECK(code_points.size() <= bytes.size());
    const std::string repaired = encode_utf8(code_points);
    CHECK(decode_utf8(repaired) == code_points);
    CHECK(encode_utf8(decode_utf8(ellipsize(bytes, 5))) == ellipsize(bytes, 5));
    CHECK(normalise_spaces(normalise_spaces(bytes)) == normalise_spaces(bytes));
    std::string together;
    for (const std::string& word : split_words(bytes)) {
      CHECK(!word.empty());
      together += word;
    }
    std::string unspaced = normalise_spaces(bytes);
    std::erase(unspaced, ' ');
    CHECK(together == unspaced);
  }
}

TEST_CASE("joins_previous: marks of every script and the invisible shapers join, letters and spaces do not") {
  for (char32_t c : {0x0300, 0x036F, 0x0483, 0x0591, 0x05BD, 0x05C7,  0x064B,  0x0670,  0x093E,  0x094D,  0x0E31,
                     0x0E34, 0x0E47, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF,  0x200C,  0x200D,  0x20D0,  0x20E3,  0x20FF,
                     0x3099, 0xFE00, 0xFE0F, 0xFE20, 0xFE2F, 0x1F3FB, 0x1F3FF, 0xE0020, 0xE007F, 0xE0100, 0xE01EF}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(joins_previous(c));
  }
  for (char32_t c : {0x20, 0x41, 0x2FF, 0x370, 0x5D0, 0x627, 0x915, 0x2010, 0x4E2D, 0xAC00, 0xFFFD, 0x1F3FA, 0x1F400,
                     0x1F1E6, 0xE0000, 0xE01F0, 0x10FFFF}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(!joins_previous(c));
  }
}

TEST_CASE("is_wide: ideographs, kana, Hangul, full-width forms and emoji are; half-width forms and Latin are not") {
  for (char32_t c : {0x1100, 0x231A, 0x2E80, 0x3000, 0x3042, 0x30AB, 0x4E00, 0x9FFF, 0xAC00, 0xD7A3, 0xFF01, 0xFF21,
                     0xFFE5, 0x1F300, 0x1F600, 0x1F680, 0x1FAF0, 0x20000, 0x3FFFD}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(is_wide(c));
  }
  for (char32_t c : {0x0, 0x41, 0xE9, 0x5D0, 0x627, 0x10FF, 0x2190, 0x303F, 0xD7A4, 0xFF61, 0xFF76, 0x1F1E6, 0x1FB00,
                     0x3FFFE, 0x10FFFF}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(!is_wide(c));
  }
}

TEST_CASE("is_wide: what joins the character before it takes no columns of its own") {
  int both = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) both += joins_previous(c) && is_wide(c);
  CHECK(both == 0);
}

TEST_CASE("normalise_spaces: runs of white space and control characters become one space, the ends none") {
  CHECK(normalise_spaces("") == "");
  CHECK(normalise_spaces(" \t\n ") == "");
  CHECK(normalise_spaces("  she\tlikes\r\n coffee ") == "she likes coffee");
  CHECK(normalise_spaces("a\u00A0b\u2003c\u3000d\u202Fe\u2029f\u0085g\u200Bh") == "a b c d e f g h");
  CHECK(normalise_spaces(std::string_view("a\0b\x1B", 4)) == "a b");
  CHECK(normalise_spaces("\uFEFFmark") == "mark");
}

TEST_CASE("split_words: spaces separate, and punctuation at a word's ends stands by itself") {
  CHECK(words("") == "");
  CHECK(words(" \u00A0 ") == "");
  CHECK(words("she likes coffee") == "she|likes|coffee");
  CHECK(words("The cat sat on the mat.") == "The|cat|sat|on|the|mat|.");
  CHECK(words("(\"Hello!\")") == "(|\"|Hello|!|\"|)");
  CHECK(words("Well, 50% of [MASK]?!") == "Well|,|50|%|of|[|MASK|]|?|!");
  CHECK(words("“quoted” ‘too’ «ici» „da“") == "“|quoted|”|‘|too|’|«|ici|»|„|da|“");
  CHECK(words("¿Qué?") == "¿|Qué|?");
  CHECK(words("مرحبا، عالم؟") == "مرحبا|،|عالم|؟");
  CHECK(words("...") == "...");
  CHECK(words("wait... what--") == "wait|...|what|--");
  CHECK(words("well—no…yes") == "well|—|no|…|yes");
}

TEST_CASE("split_words: what is inside a word stays inside") {
  CHECK(words("don't don’t state-of-the-art") == "don't|don’t|state-of-the-art");
  CHECK(words("pi is 3.14.") == "pi|is|3.14|.");
  CHECK(words("-5 .5 (-5) - 5 -x") == "-5|.5|(|-5|)|-|5|-|x");
  CHECK(words("U.S. e.g. 1,000") == "U.S|.|e.g|.|1,000");
  CHECK(words("#tag @home AT&T snake_case C++ <s>") == "#tag|@home|AT&T|snake_case|C++|<s>");
}

TEST_CASE("split_words: ideographs and kana are words of their own, Korean and full-width Latin go by spaces") {
  CHECK(words("我爱你。") == "我|爱|你|。");
  CHECK(words("「ねこ」ABC") == "「|ね|こ|」|ABC");
  CHECK(words("나는 사과를 먹었다.") == "나는|사과를|먹었다|.");
  CHECK(words("ＡＢ１２！") == "ＡＢ１２|！");
  CHECK(words("か\u3099き") == "か\u3099|き");
}

TEST_CASE("split_words: an emoji, however many code points it has, is one word") {
  CHECK(words("hello👋 " + kAstronaut + kFlag + kThumb) == "hello|👋|" + kAstronaut + "|" + kFlag + "|" + kThumb);
  CHECK(words(kHealthWorker + kEnglandFlag) == kHealthWorker + "|" + kEnglandFlag);
  CHECK(words("🇨🇭🇫🇷🇮") == "🇨🇭|🇫🇷|🇮");
}

TEST_CASE("split_words: combining marks stay with their base") {
  CHECK(words("e\u0301te\u0301.") == "e\u0301te\u0301|.");
  CHECK(words("नमस्ते दुनिया।") == "नमस्ते|दुनिया|।");
  CHECK(words("a.\u0301") == "a|.\u0301");
  CHECK(words("a \u0301b") == "a|\u0301b");
}

TEST_CASE("split_words: ten thousand words are ten thousand words") {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "word ";
  CHECK(split_words(text).size() == 10'000);
}

TEST_CASE("kept_words: what stands before a change or behind it stays, what changed does not") {
  using Places = std::vector<int>;
  CHECK(kept_words("she likes coffee", "she likes coffee") == Places{0, 1, 2});
  CHECK(kept_words("she likes coffee", "she really likes coffee") == Places{0, 2, 3});
  CHECK(kept_words("she likes coffee", "she coffee") == Places{0, -1, 1});
  CHECK(kept_words("she likes coffee", "she likes tea") == Places{0, 1, -1});
  CHECK(kept_words("a a", "a") == Places{0, -1});
  CHECK(kept_words("a", "") == Places{-1});
  CHECK(kept_words("", "a") == Places{});
}

TEST_CASE("ellipsize: a text that fits is unchanged, a longer one ends in an ellipsis and has exactly the limit") {
  CHECK(ellipsize("coffee", 6) == "coffee");
  CHECK(ellipsize("coffee", 5) == "coff…");
  CHECK(ellipsize("coffee", 1) == "…");
  CHECK(ellipsize("coffee", 0) == "");
  CHECK(ellipsize("coffee", -1) == "");
  CHECK(ellipsize("", 3) == "");
}

TEST_CASE("ellipsize: counts what the eye counts and never cuts inside it") {
  CHECK(ellipsize("e\u0301e\u0301e\u0301", 3) == "e\u0301e\u0301e\u0301");
  CHECK(ellipsize("e\u0301e\u0301e\u0301", 2) == "e\u0301…");
  CHECK(ellipsize(kAstronaut + kFlag + kThumb, 3) == kAstronaut + kFlag + kThumb);
  CHECK(ellipsize(kAstronaut + kFlag + kThumb, 2) == kAstronaut + "…");
  CHECK(ellipsize(kHealthWorker + "ab", 2) == kHealthWorker + "…");
  CHECK(ellipsize("a\u200Dbc", 2) == "a\u200D…");  // a joiner glues emoji only
}

TEST_CASE("quote: one line in quotes, at most forty visible characters of it") {
  CHECK(quote("a\n b") == "\"a b\"");
  CHECK(decode_utf8(quote(std::string(100'000, 'x'))).size() == 42);
}
