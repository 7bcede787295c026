// Writes tests/golden/tokenizers/: two small vocabularies, in the files that a checkpoint has beside it, and the tokens that
// the reference makes of some texts.
//
//     npm install --prefix SOMEWHERE tokenizers@0.23.2
//     node tests/golden/tokenizers.mjs SOMEWHERE/node_modules/tokenizers
//
// The reference is Hugging Face's own implementation in Rust, which shares nothing with the C++ code. The vocabularies are
// made here: byte pairs counted in a few sentences, and for WordPiece their words with letters and endings.
//
// cases.json: {"texts": [{"text", "gpt2", "uncased", "cased"}, …]}, each of the last three {"ids", "spans", "decoded"}.
// The spans of the BERT tokens are bytes of the text, [begin, end, begin, end, …]; GPT-2's need no reference, since they
// follow one another. "decoded" is what the reference makes of the ids, special tokens included.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const { Tokenizer } = createRequire(import.meta.url)(path.resolve(process.argv[2]));
const folder = new URL("tokenizers/", import.meta.url);
mkdirSync(folder, { recursive: true });

const corpus = `The animal didn't cross the street because it was too tired. The cat sat on the mat, and the dog sat on the log.
She gives most of her attention to the coffee; he's looking at the other words. They're reading, we've read, I'm writing, you'll
see, I'd say. A query looks at every key: the larger the product of the two, the larger the weight of the value. In 2017 the
transformer was 1st of its kind, 28.4 points in 3.5 days. What is attention? It is a weighted average! Where the words stand
does not matter (until we add positions). Translate this sentence: le chat est assis sur le tapis, l'été à la forêt, déjà vu.
Größe, Straße, naïve café. don't won't can't isn't. for (int i = 0; i < 10; ++i) { sum += a[i]; }   return sum;
The street was too wide because the animal was tired, so the animal did not cross the street and the other animal was tired too.`;

// Byte pair encoding: the most frequent pair is joined, the first in the order of the code units where several are.
const printable = (b) => (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
let substitute = 0x100;
const characters = Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable(b) ? b : substitute++));
const pattern = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
const words = corpus.match(pattern).map((word) => [...Buffer.from(word)].map((b) => characters[b]));
const tokens = [...characters];
const merges = [];
while (merges.length < 400) {
  const counts = new Map();
  for (const word of words)
    for (let i = 0; i + 1 < word.length; ++i) {
      const pair = `${word[i]} ${word[i + 1]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  if (counts.size === 0) break;
  const [pair] = [...counts].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
  const [left, right] = pair.split(" ");
  for (const word of words)
    for (let i = 0; i + 1 < word.length; ++i)
      if (word[i] === left && word[i + 1] === right) word.splice(i, 2, left + right);
  merges.push(pair);
  if (!tokens.includes(left + right)) tokens.push(left + right);
}
tokens.push("<|endoftext|>");
const numbered = (list) => Object.fromEntries(list.map((token, id) => [token, id]));

const added = (content, id) => ({
  id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true,
});
const bytePair = {
  version: "1.0", truncation: null, padding: null, added_tokens: [added("<|endoftext|>", tokens.length - 1)],
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: { type: "ByteLevel", add_prefix_space: true, trim_offsets: false, use_regex: true },
  decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: "", end_of_word_suffix: "", fuse_unk: false,
    byte_fallback: false, ignore_merges: false, vocab: numbered(tokens), merges: merges.map((pair) => pair.split(" ")),
  },
};

// WordPiece: q and 9 are left out, so that some words cannot be put together.
const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const letters = [..."abcdefghijklmnoprstuvwxyzßαβγσςжия"], capitals = [..."ABCDEFGHIJKLMNOPRSTUVWXYZÉé"], digits = [..."012345678"];
const marks = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~¿«»…—，。、"];
const ideographs = [..."注意力机制日本語"], jamo = [..."한국어".normalize("NFD")], others = [..."مرحباשלוםのक", "न"];
const endings = ["ing", "ed", "er", "est", "ly", "tion", "able", "ment", "al", "n't", "th", "st", "ion", "é", "\u0301"];
const plain = (text) => text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
const wholes = [...new Set([...plain(corpus).match(/\p{L}+/gu), ...corpus.match(/\p{L}+/gu)])].sort();
const pieces = [...new Set([...special, ...letters, ...capitals, ...digits, ...marks, ...ideographs, ...jamo, ...others, "😀",
  ...[...letters, ...capitals, ...digits, ...jamo, ...others, ...endings, "\u200d", "ा"].map((piece) => `##${piece}`), ...wholes])];
const wordPiece = (lower) => ({
  version: "1.0", truncation: null, padding: null,
  added_tokens: special.map((token) => added(token, pieces.indexOf(token))),
  normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: lower },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } }],
    pair: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } },
      { SpecialToken: { id: "[SEP]", type_id: 1 } }],
    special_tokens: {
      "[CLS]": { id: "[CLS]", ids: [pieces.indexOf("[CLS]")], tokens: ["[CLS]"] },
      "[SEP]": { id: "[SEP]", ids: [pieces.indexOf("[SEP]")], tokens: ["[SEP]"] },
    },
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100,
    vocab: numbered(pieces),
  },
});

const texts = [
  "", " ", "   ", "\n", "\t", "a", " a", "a ", "  a  b   c    ", "\n\n\na\n", "a\n\n b", "a \n b", "a\t\tb\r\nc\r", " \t \n x",
  "Hello", "Hello, world!", "The animal didn't cross the street because it was too tired.",
  "the cat sat on the mat", "THE CAT SAT ON THE MAT", "The Transformer's attention",
  "I'm you're he's we've they'll I'd can't", "I'M YOU'RE HE'S", "''s 's ' s 'tis 'll'll", "rock 'n' roll", "don’t", "isn't'nt'd've",
  "...", "!!!???", "a.b,c;d:e", "(a)[b]{c}<d>", "$5.00 + 20% = #1 @home ^_^ ~`|\\/", "state-of-the-art", "«¿Qué?» — …",
  "2017", "3.14159", "x2 2x 1st 28.4", "１２３ ½ Ⅷ ²", "0123456789", "1 000 000",
  "café", "cafe\u0301", "naïve Größe Straße déjà vu", "É E\u0301 é", "ÀÉÎÕÜ àéîõü Çç Ññ", "İstanbul ıI ŁłØø", "Å Å A\u030a", "ǆ Ǆ ﬁ Ꭰ",
  "Σίσυφος ΣΑΣ", "Жизнь и Ёж", "Tiếng Việt", "a\u0301\u0302\u0303b \u0301 x",
  "😀", "😀😀 😀", "👩‍👩‍👧‍👦 family", "👍🏽 🇫🇷 ❤️", "a😀b", "😀.",
  "注意力机制", "日本語のテキスト", "日本 a語b", "，。、！", "한국어 각 값", "\u3000全角　space", "豈 更 丽", "𠀀𪚥",
  "مرحبا بالعالم", "שָׁלוֹם עולם", "मेरा नाम कौन", "ไทย", "க்ஷ கொ",
  "quetzal 99", "zyx qqq attentionable", "unbelievably readingly", "a".repeat(100), "a".repeat(101), `${"ab".repeat(50)} ok`, "😀".repeat(101),
  `${"the".repeat(300)}`, "aaaaaaaaaaaaaaaaaaaaaaaaa", " ".repeat(70) + "x",
  "a\u0000b\u0001c\u007fd", "\u200bzero\u200cwidth\u200djoin\ufeff", "soft\u00adhyphen", "a\u00a0b\u2003c\u2028d\u2029e\u0085f\u000bg\u000ch", "\ufffd x\ufffdy",
  "\ue000private", "a\u001cb\u001fc \u180e",
  "<|endoftext|>", "one<|endoftext|>two <|endoftext|> three", "<|endoftext|><|endoftext|>", "<|endoftext", "|<|endoftext|>|>",
  "[CLS] the [MASK] sat [SEP]", "[MASK][MASK]", "the[MASK]ed", "[mask] [UNK] [PAD]", "[ MASK ]",
  "for (int i = 0; i < 10; ++i) {\n    sum += a[i];\n}\n", "https://example.org/a?b=c&d=%20", "e = mc² ≈ 10⁻³", "x ∈ ℝⁿ, ∀ε>0", "re're",
];

// The reference counts code points; the spans are bytes.
const bytesAt = (text) => [...text].reduce((at, c) => [...at, at.at(-1) + Buffer.byteLength(c)], [0]);
async function reference(tokenizer, text) {
  const encoding = await tokenizer.encode(text);
  const ids = encoding.getIds(), at = bytesAt(text);
  const spans = encoding.getOffsets().flat().map((offset) => at[offset]);
  return { ids, spans, decoded: await tokenizer.decode(ids, false) };
}
const gpt2 = Tokenizer.fromString(JSON.stringify(bytePair));
const uncased = Tokenizer.fromString(JSON.stringify(wordPiece(true)));
const cased = Tokenizer.fromString(JSON.stringify(wordPiece(false)));
const cases = [];
for (const text of texts) {
  const { ids, decoded } = await reference(gpt2, text);
  cases.push({ text, gpt2: { ids, decoded }, uncased: await reference(uncased, text), cased: await reference(cased, text) });
}

const write = (name, content) => writeFileSync(new URL(name, folder), content);
write("vocab.json", `${JSON.stringify(bytePair.model.vocab)}\n`);
write("merges.txt", `#version: 0.2\n${merges.join("\n")}\n`);
write("byte_pair.json", `${JSON.stringify(bytePair)}\n`);
write("vocab.txt", `${pieces.join("\n")}\n`);
write("word_piece.json", `${JSON.stringify(wordPiece(true))}\n`);
write("cases.json", `{"texts": [\n${cases.map((c) => JSON.stringify(c)).join(",\n")}\n]}\n`);
console.log(`${merges.length} merges, ${tokens.length} byte-level tokens, ${pieces.length} WordPiece tokens, ${cases.length} texts`);
