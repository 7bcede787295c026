// The tokenizers against tests/golden/tokenizers, which tokenizers.mjs describes, and their laws.
#include "io/tokenizer.h"

#include <doctest/doctest.h>

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "core/random.h"
#include "embedded/golden_byte_pair.h"
#include "embedded/golden_merges.h"
#include "embedded/golden_tokens.h"
#include "embedded/golden_vocab_json.h"
#include "embedded/golden_vocab_txt.h"
#include "embedded/golden_word_piece.h"
#include "io/json_reader.h"

using namespace limelight;
using namespace limelight::io;

namespace {

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
const std::string_view kVocabJson = text_of(embedded::golden_vocab_json), kMerges = text_of(embedded::golden_merges),
                       kVocabTxt = text_of(embedded::golden_vocab_txt), kBytePair = text_of(embedded::golden_byte_pair),
                       kWordPiece = text_of(embedded::golden_word_piece);

struct Expected {
  std::vector<int> ids;
  std::vector<std::size_t> spans;
  std::string decoded;
};
struct Case {
  std::string text;
  Expected gpt2, uncased, cased;
};

template <class Number>
bool read_numbers(JsonReader& json, std::vector<Number>& numbers) {
  return json.list([&] {
    const std::optional<std::int64_t> number = json.whole_number();
    if (number) numbers.push_back(static_cast<Number>(*number));
    return number.has_value();
  });
}

bool read_expected(JsonReader& json, Expected& expected) {
  return json.object([&](const std::string& key) {
    if (key == "ids") return read_numbers(json, expected.ids);
    if (key == "spans") return read_numbers(json, expected.spans);
    expected.decoded = json.text().value();
    return true;
  });
}

const std::vector<Case>& cases() {
  static const std::vector<Case> read = [] {
    std::vector<Case> all;
    JsonReader json(text_of(embedded::golden_tokens));
    REQUIRE(json.object([&](const std::string&) {
      return json.list([&] {
        Case& c = all.emplace_back();
        return json.object([&](const std::string& key) {
          if (key != "text") return read_expected(json, key == "gpt2" ? c.gpt2 : key == "cased" ? c.cased : c.uncased);
          c.text = json.text().value();
          return true;
        });
      });
    }));
    return all;
  }();
  REQUIRE(read.size() > 100);
  return read;
}

Tokenizer value(Result<Tokenizer> result) {
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

std::string error_of(const Result<Tokenizer>& result) {
  REQUIRE_FALSE(result);
  return result.error().message;
}

std::vector<int> ids_of(const std::vector<Token>& tokens) {
  std::vector<int> ids;
  for (const Token& token : tokens) ids.push_back(token.id);
  return ids;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  const std::size_t at = result.find(from);
  REQUIRE(at != std::string::npos);
  return result.replace(at, from.size(), to);
}

// A text of any bytes, more often than not of those that mean something.
std::string random_text(Random& random) {
  static constexpr std::string_view kParts[] = {" ",       "  ", "\n", "\t", "'s",     "'", "the", "é",
                                                "e\u0301", "注", "😀", "1",  "9q",     "[", "]",   "<|",
                                                "|>",      "##", "A",  "א",  "\u200d", "ः", "각",  ","};
  std::string text;
  const int count = static_cast<int>(random.uniform() * 12);
  for (int i = 0; i < count; ++i)
    if (random.uniform() < 0.2)
      text += static_cast<char>(static_cast<int>(random.uniform() * 256));
    else
      text += kParts[static_cast<std::size_t>(random.uniform() * static_cast<double>(std::size(kParts)))];
  return text;
}

}  // namespace

TEST_CASE("tokenizer: byte pairs are the reference's, from either kind of file") {
  const Tokenizer files = value(read_byte_pair(kVocabJson, kMerges));
  const Tokenizer file = value(read_tokenizer_json(kBytePair, "tokenizer.json"));
  CHECK(files.family() == Family::gpt2);
  for (const Case& c : cases()) {
    CAPTURE(c.text);
    CHECK(ids_of(files.encode(c.text)) == c.gpt2.ids);
    CHECK(ids_of(file.encode(c.text)) == c.gpt2.ids);
    CHECK(files.decode(c.gpt2.ids) == c.gpt2.decoded);
  }
}

TEST_CASE("tokenizer: word pieces are the reference's, cased and uncased, from either kind of file") {
  const Tokenizer uncased = value(read_word_piece(kVocabTxt)), cased = value(read_word_piece(kVocabTxt, false));
  const Tokenizer file = value(read_tokenizer_json(kWordPiece, "tokenizer.json"));
  const Tokenizer cased_file =
      value(read_tokenizer_json(replaced(kWordPiece, R"("lowercase":true)", R"("lowercase":false)"), "tokenizer.json"));
  CHECK(uncased.family() == Family::bert);
  for (const Case& c : cases()) {
    CAPTURE(c.text);
    CHECK(ids_of(uncased.encode(c.text)) == c.uncased.ids);
    CHECK(ids_of(file.encode(c.text)) == c.uncased.ids);
    CHECK(ids_of(cased.encode(c.text)) == c.cased.ids);
    CHECK(ids_of(cased_file.encode(c.text)) == c.cased.ids);
    CHECK(uncased.decode(c.uncased.ids) == c.uncased.decoded);
    CHECK(cased.decode(c.cased.ids) == c.cased.decoded);
  }
}

TEST_CASE("tokenizer: word pieces come from the bytes that the reference says") {
  const Tokenizer uncased = value(read_word_piece(kVocabTxt)), cased = value(read_word_piece(kVocabTxt, false));
  for (const Case& c : cases()) {
    CAPTURE(c.text);
    for (const auto& [tokenizer, expected] : {std::pair(&uncased, &c.uncased), std::pair(&cased, &c.cased)}) {
      const std::vector<Token> tokens = tokenizer->encode(c.text);
      REQUIRE(tokens.size() * 2 == expected->spans.size());
      CHECK(tokens.back().begin == c.text.size());
      CHECK(tokens.back().end == c.text.size());
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        CHECK(tokens[i].begin == expected->spans[2 * i]);
        CHECK(tokens[i].end == expected->spans[2 * i + 1]);
      }
    }
  }
}

TEST_CASE("tokenizer: byte pairs take every byte once and in order, and give the text back, also of broken UTF-8") {
  const Tokenizer tokenizer = value(read_byte_pair(kVocabJson, kMerges));
  const auto check = [&](const std::string& text) {
    CAPTURE(text);
    const std::vector<Token> tokens = tokenizer.encode(text);
    std::size_t at = 0;
    for (const Token& token : tokens) {
      CHECK(token.begin == at);
      CHECK(token.end > at);
      at = token.end;
      CHECK(tokenizer.decode(std::span(&token.id, 1)) == text.substr(token.begin, token.end - token.begin));
    }
    CHECK(at == text.size());
    CHECK(tokenizer.decode(ids_of(tokens)) == text);
  };
  for (const Case& c : cases()) check(c.text);
  Random random(3);
  for (int i = 0; i < 500; ++i) check(random_text(random));
}

TEST_CASE("tokenizer: word pieces stay in order inside the text, also of broken UTF-8") {
  const Tokenizer tokenizer = value(read_word_piece(kVocabTxt));
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random);
    CAPTURE(text);
    const std::vector<Token> tokens = tokenizer.encode(text);
    REQUIRE(tokens.size() >= 2);
    CHECK(tokens.front().id == tokenizer.find("[CLS]"));
    CHECK(tokens.back().id == tokenizer.find("[SEP]"));
    std::size_t begin = 0;
    for (std::size_t t = 1; t + 1 < tokens.size(); ++t) {
      CHECK(tokens[t].begin >= begin);
      CHECK(tokens[t].end > tokens[t].begin);
      CHECK(tokens[t].end <= text.size());
      begin = tokens[t].begin;  // several pieces may come from one character
    }
  }
}

TEST_CASE("tokenizer: a long word takes little more time for each byte than a short one") {
  using Clock = std::chrono::steady_clock;
  const Tokenizer byte_pair = value(read_byte_pair(kVocabJson, kMerges));
  const Tokenizer word_piece = value(read_word_piece(kVocabTxt));
  std::string word;
  while (word.size() < 100'000) word += "transformerattention";
  const Clock::time_point start = Clock::now();
  const std::vector<Token> tokens = byte_pair.encode(word);
  CHECK(ids_of(word_piece.encode(word)) == std::vector{2, 1, 3});
  // A tenth of a second here; joining by searching the whole word each time takes minutes.
  CHECK(Clock::now() - start < std::chrono::seconds(20));
  CHECK(byte_pair.decode(ids_of(tokens)) == word);
  CHECK(tokens.size() < word.size() / 4);
}

TEST_CASE("tokenizer: tokens can be read and found") {
  const Tokenizer byte_pair = value(read_byte_pair(kVocabJson, kMerges));
  CHECK(byte_pair.text(byte_pair.find(" the").value()) == "·the");
  CHECK(byte_pair.text(byte_pair.find("\n").value()) == "\\n");
  CHECK(byte_pair.text(byte_pair.find("\xE2").value()) == "\\xE2");
  CHECK(byte_pair.text(byte_pair.find("é").value()) == "é");
  CHECK(byte_pair.find("<|endoftext|>") == byte_pair.size() - 1);
  CHECK_FALSE(byte_pair.find("transformers"));
  CHECK(byte_pair.text(byte_pair.size()) == "\uFFFD");
  CHECK(byte_pair.text(-1) == "\uFFFD");
  CHECK(byte_pair.decode(std::vector{byte_pair.find("a").value(), byte_pair.size()}) == "a\uFFFD");

  const Tokenizer word_piece = value(read_word_piece(kVocabTxt));
  CHECK(word_piece.text(word_piece.find("##ing").value()) == "##ing");
  CHECK(word_piece.find("[CLS]") == 2);
  CHECK_FALSE(word_piece.find("ing"));
  CHECK(word_piece.encode("café")[1].text == "cafe");
  CHECK(word_piece.decode(std::vector{word_piece.size()}) == "\uFFFD");
}

TEST_CASE("tokenizer: added tokens take white space beside them or want to stand alone, as their file says") {
  const auto pieces = [](std::string_view members, const std::string& text) {
    const Tokenizer tokenizer = value(read_tokenizer_json(
        replaced(kBytePair, R"("content":"<|endoftext|>","single_word":false,"lstrip":false,"rstrip":false)", members),
        "tokenizer.json"));
    std::string cut;
    for (const Token& token : tokenizer.encode(text))
      if (token.id == tokenizer.size() - 1)
        cut += "(" + text.substr(token.begin, token.end - token.begin) + ")";
      else
        cut += text.substr(token.begin, token.end - token.begin);
    return cut;
  };
  constexpr const char* kLeft = R"("content":"<|endoftext|>","lstrip":true)";
  constexpr const char* kRight = R"("content":"<|endoftext|>","rstrip":true)";
  constexpr const char* kBoth = R"("content":"<|endoftext|>","lstrip":true,"rstrip":true)";
  constexpr const char* kAlone = R"("content":"<|endoftext|>","single_word":true)";
  CHECK(pieces(kLeft, "a \n\u3000\u2028<|endoftext|> b") == "a( \n\u3000\u2028<|endoftext|>) b");
  CHECK(pieces(kRight, "a <|endoftext|> \n\u3000b") == "a (<|endoftext|> \n\u3000)b");
  CHECK(pieces(kBoth, " <|endoftext|> <|endoftext|>\u3000") == "( <|endoftext|> )(<|endoftext|>\u3000)");
  CHECK(pieces(kLeft, "\x80<|endoftext|>\xE3\x80") == "\x80(<|endoftext|>)\xE3\x80");
  CHECK(pieces(kAlone, "é<|endoftext|> <|endoftext|>é <|endoftext|>,注<|endoftext|>") ==
        "é<|endoftext|> <|endoftext|>é (<|endoftext|>),注<|endoftext|>");
  CHECK(pieces(kAlone, "<|endoftext|>") == "(<|endoftext|>)");
}

TEST_CASE("tokenizer: of added tokens that begin alike the longest is taken") {
  const Tokenizer tokenizer = value(read_tokenizer_json(
      replaced(kBytePair, R"("added_tokens":[)",
               R"("added_tokens":[{"id":548,"content":"<|end"},{"id":549,"content":"<|endoftext|>!"},)"),
      "tokenizer.json"));
  CHECK(ids_of(tokenizer.encode("<|endoftext|>!<|end<|endoftext|><|en")).size() ==
        3 + ids_of(tokenizer.encode("<|en")).size());
  CHECK(tokenizer.encode("<|endoftext|>!")[0].id == 549);
  CHECK(tokenizer.encode("<|endoftext|>?")[0].id == 547);
  CHECK(tokenizer.encode("<|endof")[0].id == 548);
}

TEST_CASE("tokenizer: added tokens are their own spelling, and share no byte") {
  const Tokenizer tokenizer = value(
      read_tokenizer_json(replaced(replaced(kBytePair, R"("rstrip":false)", R"("rstrip":true)"), R"("added_tokens":[)",
                                   R"("added_tokens":[{"id":548,"content":"«é»"},{"id":549,"content":" x"},)"),
                          "tokenizer.json"));
  CHECK(ids_of(tokenizer.encode("«é»")) == std::vector{548});
  CHECK(tokenizer.decode(std::vector{548}) == "«é»");  // as a token of the model it would be the bytes AB E9 BB
  CHECK(tokenizer.text(548) == "«é»");
  CHECK(tokenizer.find("«é»") == 548);
  const std::vector<Token> tokens = tokenizer.encode("<|endoftext|> xy");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0].end == 14);
  CHECK(tokens[1].id == 549);
  CHECK(tokens[1].begin == 14);
  CHECK(tokens[1].end == 15);
  CHECK(tokens[2].begin == 15);
}

TEST_CASE("tokenizer: the order of the merges decides, of one that is there twice the last") {
  const auto encode = [](std::string_view merges, std::string_view text) {
    const std::string json =
        R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "model": {"type": "BPE",
      "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}, "merges": )";
    return ids_of(value(read_tokenizer_json(json + std::string(merges) + "}}", "t.json")).encode(text));
  };
  // What the reference makes of them.
  CHECK(encode(R"(["a b", "b c"])", "abc") == std::vector{3, 2});
  CHECK(encode(R"(["b c", "a b"])", "abc") == std::vector{0, 4});
  CHECK(encode(R"(["a b", "b c", "a b"])", "abc") == std::vector{0, 4});
  CHECK(encode(R"(["b c", "a bc", "a b"])", "abcb") == std::vector{5, 1});
}

TEST_CASE("tokenizer: what a tokenizer.json may ask for besides") {
  // A space in front of the text, which is no byte of it.
  const Tokenizer spaced = value(
      read_tokenizer_json(replaced(kBytePair, R"("add_prefix_space":false)", R"("add_prefix_space":true)"), "t.json"));
  const std::vector<Token> tokens = spaced.encode("the cat");
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0].id == spaced.find(" the"));
  CHECK(tokens[0].begin == 0);
  CHECK(tokens[0].end == 3);
  CHECK(tokens[1].begin == 3);
  CHECK(tokens[1].end == 7);
  CHECK(ids_of(spaced.encode(" the cat")) == ids_of(tokens));

  // Special tokens around every text; a byte that the vocabulary lacks is left out, or the unknown token.
  constexpr std::string_view kTiny = R"({"added_tokens": [{"id": 3, "content": "<s>"}],
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "add_prefix_space": false}]},
    "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {}}]},
    "model": {"unk_token": null, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"], "ignore_merges": false}})";
  const Tokenizer tiny = value(read_tokenizer_json(kTiny, "t.json"));
  CHECK(tiny.family() == Family::gpt2);
  CHECK(ids_of(tiny.encode("abxba")) == std::vector{3, 2, 1, 0});
  const Tokenizer unknown =
      value(read_tokenizer_json(replaced(kTiny, R"("unk_token": null)", R"("unk_token": "<s>")"), "t.json"));
  CHECK(ids_of(unknown.encode("abxba")) == std::vector{3, 2, 3, 1, 0});
  // A word that is a token as a whole, though no merge makes it.
  const Tokenizer parts = value(read_tokenizer_json(replaced(kTiny, R"("a b")", ""), "t.json"));
  CHECK(ids_of(parts.encode("ab")) == std::vector{3, 0, 1});
  const Tokenizer whole = value(read_tokenizer_json(
      replaced(replaced(kTiny, R"("a b")", ""), R"("ignore_merges": false)", R"("ignore_merges": true)"), "t.json"));
  CHECK(ids_of(whole.encode("ab")) == std::vector{3, 2});

  // BERT's older way to say [CLS] and [SEP], and nothing said at all.
  const std::size_t begin = kWordPiece.find(R"("post_processor":)"), end = kWordPiece.find(R"("decoder":)");
  const std::string head(kWordPiece.substr(0, begin)), tail(kWordPiece.substr(end));
  for (const char* const ends :
       {"", R"("post_processor":null,)",
        R"("post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]},)"}) {
    const Tokenizer bert = value(read_tokenizer_json(head + ends + tail, "t.json"));
    CHECK(ids_of(bert.encode("")) == std::vector{2, 3});
  }
  // No normalizer: the text as it is.
  const Tokenizer plain = value(read_tokenizer_json(
      replaced(kWordPiece,
               R"("normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
               R"("strip_accents":null,"lowercase":true})",
               R"("normalizer":null)"),
      "t.json"));
  CHECK(plain.encode("É")[1].text == "É");
  CHECK(plain.encode("注意")[1].text == "[UNK]");
  CHECK(plain.encode("a\x01")[1].text == "[UNK]");
}

TEST_CASE("tokenizer: vocab.json and merges.txt that do not fit are each a sentence") {
  const auto fails = [](std::string_view vocabulary, std::string_view merges) {
    return error_of(read_byte_pair(vocabulary, merges));
  };
  CHECK(fails(kVocabJson.substr(0, 1000), kMerges) ==
        "vocab.json is truncated: its JSON is not complete after 1000 bytes.");
  CHECK(fails("", "") == "vocab.json is truncated: its JSON is not complete after 0 bytes.");
  CHECK(fails("{\"a\": 0,\n\"b\": \"c\"}", "") ==
        "vocab.json is broken at byte 14 (line 2): an object of tokens and their ids, such as {\"the\": 0}, is needed "
        "there.");
  CHECK(fails("{\"a\": 0.5}", "").starts_with("vocab.json is broken at byte 6 (line 1): "));
  CHECK(fails("{\"a\": -1}", "").starts_with("vocab.json is broken at byte 8 (line 1): "));
  CHECK(fails("{\"a\": 99999999999999999999}", "").starts_with("vocab.json is broken at byte 6 (line 1): "));
  CHECK(fails("{\"a\": 0} {", "").starts_with("vocab.json is broken at byte 9 (line 1): "));
  CHECK(fails("{}", "") == "vocab.json has no tokens; a vocabulary has at least one.");
  CHECK(fails(R"({"a": 0, "b": 2000000000})", "") ==
        "vocab.json gives \"b\" the id 2000000000, but has 2 tokens; their ids must be 0 to 1 without a gap.");
  CHECK(fails(R"({"a": 0, "b": 2})", "").starts_with("vocab.json gives \"b\" the id 2, but has 2 tokens; "));
  CHECK(fails(R"({"a": 0, "b": 0})", "") ==
        "vocab.json gives both \"a\" and \"b\" the id 0; each token needs an id of its own.");
  CHECK(fails(R"({"a": 0, "a": 1})", "") ==
        "vocab.json has the token \"a\" with the ids 0 and 1; each token needs one id.");
  CHECK(fails("{\"a\xFF\": 0}", "") == "vocab.json is not UTF-8 at byte 3; all of it must be.");
  CHECK(fails(R"({"a": 0})", "a\xFF b") == "merges.txt is not UTF-8 at byte 1; all of it must be.");
  CHECK(fails(R"({"a": 0, "b": 1, "ab": 2})", "#version: 0.2\na b\na c\n") ==
        "merges.txt joins \"a\" and \"c\" (merge 2), but \"c\" is no token of vocab.json; both must be of the same "
        "model.");
  CHECK(fails(R"({"a": 0, "b": 1})", "a b\n") ==
        "merges.txt joins \"a\" and \"b\" (merge 1), but \"ab\" is no token of vocab.json; both must be of the same "
        "model.");
  for (const std::string_view line : {"ab", " ab", "ab ", "a b ab"})
    CHECK(fails(R"({"a": 0, "b": 1, "ab": 2})", "#version: 0.2\n" + std::string(line))
              .find(" in line 2; each line has two tokens with a space between them.") != std::string::npos);
  const std::string cut = fails(kVocabJson, kMerges.substr(0, kMerges.find('\n', 500) + 1));
  CHECK(cut.starts_with("merges.txt has "));
  CHECK(cut.ends_with("that are longer than a byte; it is truncated or of another model."));
}

TEST_CASE("tokenizer: a vocab.txt that does not fit is a sentence") {
  const auto fails = [](std::string_view vocabulary) { return error_of(read_word_piece(vocabulary)); };
  CHECK(fails("") == "vocab.txt has no tokens; a vocabulary has at least one.");
  CHECK(fails("[CLS]\n[SEP]\nthe\n") ==
        "vocab.txt has no token \"[UNK]\"; a WordPiece vocabulary needs one for unknown words.");
  CHECK(fails("[UNK]\n[SEP]\nthe\n") ==
        "vocab.txt has no token \"[CLS]\"; BERT begins a text with [CLS] and ends it with [SEP].");
  CHECK(fails("[UNK]\n[CLS]\nthe\n") ==
        "vocab.txt has no token \"[SEP]\"; BERT begins a text with [CLS] and ends it with [SEP].");
  CHECK(fails("[UNK]\n[CLS]\n[SEP]\nthe\nthe") ==
        "vocab.txt has the token \"the\" with the ids 3 and 4; each token needs one id.");
  CHECK(fails("[UNK]\n\xC3\n") == "vocab.txt is not UTF-8 at byte 6; all of it must be.");
  const Tokenizer windows = value(read_word_piece("[UNK]\r\n[CLS]\r\n[SEP]\r\n\r\n\r\nthe\r\n"));
  CHECK(windows.find("the") == 5);
  CHECK(windows.size() == 6);
}

TEST_CASE("tokenizer: a tokenizer.json that does not fit is a sentence") {
  const auto fails = [](std::string_view json) { return error_of(read_tokenizer_json(json, "my/tokenizer.json")); };
  const auto changed = [&](std::string_view from, std::string_view to) { return fails(replaced(kBytePair, from, to)); };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{2000}, kBytePair.size() - 2})
    CHECK(fails(kBytePair.substr(0, size)) ==
          "my/tokenizer.json is truncated: its JSON is not complete after " + std::to_string(size) + " bytes.");
  CHECK(fails("[]") ==
        "my/tokenizer.json is broken at byte 0 (line 1): what a tokenizer.json has at this place is needed there.");
  CHECK(fails("{}") == "my/tokenizer.json has no model; a tokenizer.json has one of the type BPE or WordPiece.");
  CHECK(fails(R"({"model": {"type": "Unigram", "vocab": [["a", -1.5]]}})") ==
        "my/tokenizer.json has a model of the type \"Unigram\"; BPE (GPT-2) or WordPiece (BERT) is what can be read.");
  CHECK(fails(R"({"added_tokens": [{"id": 9, "content": "x"}], "model": {"type": "BPE", "vocab": {"a": 0}}})") ==
        "my/tokenizer.json gives \"x\" the id 9, but has 2 tokens; their ids must be 0 to 1 without a gap.");
  CHECK(fails(R"({"added_tokens": [{"id": 1, "content": "a"}], "model": {"type": "BPE", "vocab": {"a": 0}}})") ==
        "my/tokenizer.json has the token \"a\" with the ids 0 and 1; each token needs one id.");
  CHECK(changed(R"("normalizer":null)", R"("normalizer":{"type":"NFC"})") ==
        "my/tokenizer.json has the normalizer \"NFC\"; null for byte pair encoding is what can be read.");
  CHECK(changed(R"("pre_tokenizer":{"type":"ByteLevel")", R"("pre_tokenizer":{"type":"Metaspace")") ==
        "my/tokenizer.json has the pre_tokenizer \"Metaspace\"; \"ByteLevel\", with its own pattern, for byte pair "
        "encoding is what can be read.");
  CHECK(changed(R"("use_regex":true)", R"("use_regex":false)").find("(use_regex is false)") != std::string::npos);
  CHECK(
      changed(R"("end_of_word_suffix":"")", R"("end_of_word_suffix":"</w>")") ==
      "my/tokenizer.json marks parts of words with \"</w>\"; byte-level tokens, as GPT-2 has them, have no such mark.");
  CHECK(changed(R"(["h","e"])", R"(["h","zz"])") ==
        "my/tokenizer.json joins \"h\" and \"zz\" (merge 1), but \"zz\" is no token of my/tokenizer.json; both must be "
        "of the same model.");
  CHECK(changed(R"("post_processor":{"type":"ByteLevel")", R"("post_processor":{"type":"RobertaProcessing")")
            .starts_with("my/tokenizer.json has the post_processor \"RobertaProcessing\"; "));
  CHECK(error_of(read_tokenizer_json(
            replaced(kWordPiece, R"({"id":"[CLS]","type_id":0})", R"({"id":"<s>","type_id":0})"), "t.json")) ==
        "t.json puts \"<s>\" beside every text, which is no token of its vocabulary; it must be one.");
  CHECK(error_of(read_tokenizer_json(replaced(kWordPiece, "BertPreTokenizer", "Whitespace"), "t.json")) ==
        "t.json has the pre_tokenizer \"Whitespace\"; \"BertPreTokenizer\" for WordPiece is what can be read.");
  CHECK(fails("{\"x\": " + std::string(100'000, '[')).starts_with("my/tokenizer.json is broken at byte "));
}

TEST_CASE("tokenizer: any cut and any broken byte of a tokenizer.json is an error or a tokenizer, never worse") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::string json(i % 2 == 0 ? kBytePair : kWordPiece);
    const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(json.size()));
    json[at] = static_cast<char>(static_cast<int>(random.uniform() * 256));
    if (const Result<Tokenizer> read = read_tokenizer_json(json, "t.json"))
      CHECK(read->encode("The cat 😀").size() > 2);
    else
      CHECK(read.error().message.starts_with("t.json "));
  }
}
