#include "scenes/glossary.h"

#include <algorithm>
#include <array>

namespace limelight::scenes {
namespace {

constexpr auto kTerms = std::to_array<Term>({
    {"additive score", "additive|additive attention",
     "A small network compares query and key: v · tanh(W q + U k). Its matrices are learned (Bahdanau et al. 2015).",
     "score", "scores"},
    {"alignment", "aligned",
     "Which source word belongs to which word of the translation. Attention weights are a soft form of it, learned and "
     "not told.",
     "translate", "alignment"},
    {"attention", "", "A mean of values, weighted by how well each key fits the query: softmax(Q Kᵀ ÷ √d) V.",
     "spotlight", "glance"},
    {"attention as evidence", "as evidence|attention as explanation",
     "Weights say where values came from, not why the answer is what it is: other weights can give the same answer. "
     "Test a claim by changing the input.",
     "sentence", "evidence"},
    {"baseline", "",
     "A number that is subtracted from the reward before it is used. It changes no gradient on average, only makes its "
     "draws scatter less.",
     "caption", "draws"},
    {"batch", "batches", "The examples from which one step of training takes its gradient.", "train", "train"},
    {"bias", "", "A number that is added whatever the input is.", "heads", "join"},
    {"causal mask", "causal",
     "Hides every key that comes after the query, so that a word which is being predicted cannot be seen.", "heads",
     "mask"},
    {"context", "context vector",
     "The states of the encoder, or the cells of a picture, mixed by the attention weights: what the decoder gets to "
     "see at this word.",
     "translate", "context"},
    {"convolution", "convolutional|convolutional network",
     "The same small filter at every place of a picture; layers of them make features.", "caption", "grid"},
    {"cosine", "",
     "The dot product of two vectors divided by both lengths: 1 in the same direction, 0 at right angles, whatever "
     "their lengths.",
     "score", "arrows"},
    {"cross-attention", "",
     "Queries from one sequence, keys and values from another, as a translation looks at its source.", "layer",
     "cross"},
    {"cross-entropy", "", "The loss −log p, where p is the probability that the model gave to what was right.",
     "caption", "picture"},
    {"decoder", "", "The half of a model that writes the answer, one piece after the other.", "translate", "scores"},
    {"diverged", "diverge",
     "Training that makes the loss grow without end, mostly because the learning rate is too high.", "train", "train"},
    {"dot product", "q·k",
     "Two vectors multiplied number by number and summed: large where both are large at the same places. Also |q| |k| "
     "cos of the angle between them.",
     "score", "arrows"},
    {"effective keys", "effective key",
     "e to the power of the entropy: as many keys with equal weights would be spread out as much.", "limits", "spread"},
    {"embedding", "",
     "The list of numbers that stands for a token; in a trained model tokens that are used alike have similar ones.",
     "spotlight", "words"},
    {"encoder", "", "The half of a model that reads the input and makes a vector of each piece of it.", "translate",
     "encode"},
    {"entmax", "1.5-entmax|entmax15",
     "From scores to weights, between softmax and sparsemax: keys far behind get exactly 0, and the change is smooth "
     "(Peters et al. 2019).",
     "score", "weights"},
    {"entropy", "",
     "How spread out weights are: −Σ a log a. It is 0 when one key has everything, and log n when n keys share alike.",
     "limits", "spread"},
    {"exponential", "exp", "exp(x) is e ≈ 2.718 to the power x. It makes every score positive and keeps their order.",
     "spotlight", "softmax"},
    {"features", "feature",
     "Numbers that describe a piece of the input: colours and edges that are computed, or whatever a network has "
     "learned to make of it.",
     "patches", "features"},
    {"fused attention", "fused",
     "Attention computed in tiles with a running maximum and sum, so that the matrix of all weights never exists "
     "(Milakov & Gimelshein 2018, Dao et al. 2022).",
     "cost", "time"},
    {"gated recurrent unit", "GRU",
     "A recurrent cell with two gates that say how much of the old state is kept (Cho et al. 2014).", "caption",
     "word"},
    {"general score", "general", "A dot product with a learned matrix between: q W k (Luong et al. 2015).", "score",
     "scores"},
    {"gold links", "gold", "The right alignment, known because these sentences were generated. The model never saw it.",
     "translate", "alignment"},
    {"gradient", "",
     "How much the result would change with each number, and in which direction. Training follows it; where it is 0 "
     "nothing is learned.",
     "scale", "gradient"},
    {"hard attention", "",
     "One cell or key gets the whole weight. When trained it is drawn by chance, with the weights as the chances.",
     "caption", "compare"},
    {"head", "", "One attention with queries, keys and values of its own. Several work side by side on the same input.",
     "heads", "one"},
    {"held out", "held-out|unseen|unseen words",
     "Kept away from training, to see what the model does with what it never saw.", "train", "train"},
    {"hidden size", "", "How many numbers a model’s inner states have.", "train", "train"},
    {"hidden unit", "", "One of the numbers of a network’s inner state.", "score", "module"},
    {"Kendall’s τ", "Kendall", "How far two rankings agree: 1 is the same order, 0 none, −1 the opposite one.",
     "limits", "claims"},
    {"key", "K", "What a token can be found by: queries are compared with it. K has a row for each.", "spotlight",
     "qkv"},
    {"layer", "",
     "Attention and what follows it, as one unit; models stack several, each working on what the one below has made.",
     "sentence", "layers"},
    {"LayerNorm", "layer norm",
     "Shifts and scales each token’s numbers to mean 0 and spread 1, then by learned amounts (Ba et al. 2016).",
     "spotlight", "words"},
    {"learning rate", "", "How far each step of training goes along the gradient.", "train", "train"},
    {"linear attention", "",
     "Replaces softmax by a function that can be summed once for all queries: the cost grows with n, not n². Its "
     "output is another one (Katharopoulos et al. 2020).",
     "cost", "others"},
    {"linear bias", "",
     "Takes from each score an amount that grows with the distance between the two places (Press et al. 2022).",
     "layer", "order"},
    {"loss", "", "One number for how wrong the model is; training makes it smaller.", "train", "train"},
    {"mask", "masked", "Hides keys from queries: their scores become −∞ and their weights exactly 0.", "heads", "mask"},
    {"matrix", "matrices",
     "Numbers in rows and columns. A product of two matrices is the dot product of each row of one with each column of "
     "the other.",
     "spotlight", "x"},
    {"multi-head attention", "multi-head",
     "Several heads side by side, joined and mixed by W_O, so that a word can look in several ways at once.", "heads",
     "without"},
    {"nats", "nat", "The unit of entropy and loss with natural logarithms; 0.69 nats are one bit.", "caption",
     "weights"},
    {"non-local means", "",
     "A filter that replaces each piece of a picture by the mean of those that look like it: attention before it had "
     "that name (Buades et al. 2005).",
     "patches", "output"},
    {"output", "Y", "What attention gives for each query: the values, mixed by its weights.", "spotlight", "output"},
    {"padding mask", "padding", "Hides the filler that makes sentences of a batch equally long.", "heads", "mask"},
    {"patch", "patches", "A square piece of a picture, treated as a sentence’s words are.", "patches", "cut"},
    {"permutation equivariant", "",
     "Shuffle the inputs, and the outputs are the same ones, shuffled along: the order itself is not seen.", "layer",
     "shuffle"},
    {"positional encoding", "",
     "What tells attention about order: numbers added to the inputs, or a change of queries, keys or scores by place.",
     "layer", "order"},
    {"query", "queries|Q", "What a token looks for: it is compared with every key. Q has a row for each.", "spotlight",
     "qkv"},
    {"REINFORCE", "",
     "Learns from choices made by chance: what was followed by a good result becomes likelier. Hard attention is "
     "trained so.",
     "caption", "draws"},
    {"rollout", "",
     "Multiplies the weights of all layers, half of each being the word itself, to follow the words through them "
     "(Abnar & Zuidema 2020). It leaves out values.",
     "sentence", "layers"},
    {"rotary encoding", "rotated|rotary",
     "Queries and keys are turned by an angle that grows with the place, so that scores depend on distance (Su et al. "
     "2021).",
     "layer", "order"},
    {"saturate", "saturated|saturation",
     "Said of softmax when one weight is near 1 and the rest near 0: then changes of the scores hardly show.", "limits",
     "spread"},
    {"scaled dot product", "scaled dot|scaled score|scaled",
     "The dot product divided by √d, so that its spread does not grow with the size of the vectors (Vaswani et al. "
     "2017).",
     "spotlight", "scale"},
    {"score", "alignment score", "How well a key fits a query, before softmax: any number, large or below 0.",
     "spotlight", "scores"},
    {"scoring function", "f_att|similarity",
     "The rule that makes a score of a query and a key: dot product, cosine, general or additive.", "layer", "query"},
    {"seed", "", "The number that everything drawn at random follows from: the same seed gives the same draw.", "scale",
     "spread"},
    {"self-attention", "", "Queries, keys and values all come from the same sequence, by matrices of their own.",
     "layer", "self"},
    {"sigmoid", "", "1 ÷ (1 + exp(−x)): each score becomes a number from 0 to 1 by itself, so nothing is shared out.",
     "limits", "sum"},
    {"SIMD", "", "One instruction for several numbers at once.", "cost", "simd"},
    {"sinusoidal positions", "sinusoidal",
     "Sines and cosines of different lengths that make a pattern of its own for each place (Vaswani et al. 2017).",
     "layer", "order"},
    {"slope", "",
     "On log–log axes, the power with which a cost grows: 2 means that twice as much input costs four times as much.",
     "cost", "time"},
    {"soft attention", "",
     "Every cell or key has a share of the weight, and the values are mixed. It can be trained by its gradient.",
     "caption", "compare"},
    {"softmax", "", "Makes shares of scores: exp of each, divided by the sum of all. They are above 0 and sum to 1.",
     "spotlight", "softmax"},
    {"sparsemax", "",
     "The weights nearest to the scores that are not below 0 and sum to 1: many become exactly 0 (Martins & Astudillo "
     "2016).",
     "score", "weights"},
    {"standard deviation", "σ", "How far numbers typically are from their mean; its square is the variance.", "scale",
     "spread"},
    {"[START]", "",
     "The token that the encoder reads before the first word; heads that look for nothing else often look at it.",
     "heads", "weights"},
    {"state", "hidden state",
     "The vector in which a recurrent network keeps what it has read or written so far: h in the encoder, s in the "
     "decoder.",
     "translate", "encode"},
    {"[STOP]", "", "The token with which the model says that it is done.", "caption", "words"},
    {"tanh", "", "A smooth curve that brings any number between −1 and 1.", "translate", "scores"},
    {"temperature", "",
     "What the scores are divided by before softmax: a low one makes the weights sharp, a high one even.", "spotlight",
     "softmax"},
    {"token", "", "A piece of the input that attention treats as one: a word, a part of one, or a patch of a picture.",
     "cost", "count"},
    {"top-k", "", "Only the k largest scores take part; all other weights are exactly 0.", "patches", "looks"},
    {"trained", "learned|untrained",
     "Found by following the gradient over many examples, instead of being set by hand or drawn at random.",
     "spotlight", "w"},
    {"transposed", "ᵀ|Kᵀ", "A matrix laid on its side: its rows become columns.", "spotlight", "scores"},
    {"value", "V", "What a token passes on to those that look at it. V has a row for each.", "spotlight", "qkv"},
    {"variance", "",
     "The mean squared distance from the mean. The variances of independent numbers add up, which is why scores grow "
     "with √d.",
     "scale", "spread"},
    {"vector", "", "A list of numbers in a fixed order; with two of them, an arrow in the plane.", "score", "arrows"},
    {"weight", "attention weight", "How much of a value goes into the output: 0 to 1, and together 1 for each query.",
     "spotlight", "softmax"},
    {"window", "window mask",
     "Lets each query see only keys nearby, so that the cost grows with n (Beltagy et al. 2020).", "cost", "others"},
    {"W_O", "output projection|matrix W_O", "The matrix that mixes the heads’ outputs into one.", "heads", "join"},
    {"W_Q, W_K, W_V", "W_Q|W_K|W_V|W_q|W_k|W_v",
     "The projections: matrices that make a query, a key and a value of each embedding; a network learns them.",
     "spotlight", "w"},
    {"wrong axis", "",
     "Softmax down the queries instead of along the keys: numbers come out and no error, but no query shares out its "
     "attention.",
     "limits", "axis"},
    {"X", "input matrix", "The input: the embeddings, a row for each token.", "spotlight", "x"},
    {"√d", "√d_k|d_k|key size|size d|d_model",
     "The square root of the number of entries in a key. Random dot products spread by it, so scores are divided by "
     "it.",
     "scale", "spread"},
});

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
char lower(char c) { return is_capital(c) ? static_cast<char>(c + 32) : c; }
bool is_word(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// A name with a capital of its own, or so short that its case tells it from a word.
bool is_symbol(std::string_view form) { return form.size() <= 2 || std::ranges::any_of(form, is_capital); }

// A way to write a term.
struct Form {
  std::string_view text;
  const Term* term = nullptr;
  bool exact = false;
};

using Forms = std::vector<Form>;

// By their first byte, as a small letter: a page's texts are looked through in every frame that changes them.
std::array<Forms, 256> by_first_byte() {
  std::array<Forms, 256> sorted;
  const auto add = [&sorted](std::string_view text, const Term& term) {
    sorted[static_cast<unsigned char>(lower(text.front()))].push_back({text, &term, is_symbol(text)});
  };
  for (const Term& term : kTerms) {
    add(term.name, term);
    for (std::string_view forms = term.forms; !forms.empty();) {
      const std::size_t bar = std::min(forms.find('|'), forms.size());
      add(forms.substr(0, bar), term);
      forms.remove_prefix(std::min(bar + 1, forms.size()));
    }
  }
  return sorted;
}

const Forms& forms_from(char first) {
  static const std::array<Forms, 256> sorted = by_first_byte();
  return sorted[static_cast<unsigned char>(lower(first))];
}

// The length of the form, or of its plural, where the text begins with it as a whole word; else 0.
std::size_t match(std::string_view text, const Form& form) {
  const std::size_t size = form.text.size();
  if (text.size() < size) return 0;
  for (std::size_t i = 0; i < size; ++i)
    if (form.exact ? text[i] != form.text[i] : lower(text[i]) != lower(form.text[i])) return 0;
  const auto ends = [text](std::size_t at) { return at >= text.size() || !is_word(text[at]); };
  if (ends(size)) return size;
  return !form.exact && text[size] == 's' && ends(size + 1) ? size + 1 : 0;
}

}  // namespace

std::span<const Term> glossary() { return kTerms; }

const Term* find_term(std::string_view name) {
  const auto found = std::ranges::find(kTerms, name, &Term::name);
  return found == kTerms.end() ? nullptr : &*found;
}

std::vector<Mention> mentions(std::string_view text) {
  std::vector<Mention> found;
  for (std::size_t at = 0; at < text.size();) {
    Mention best{.begin = at, .end = at};
    if (at == 0 || !is_word(text[at - 1]) || !is_word(text[at]))
      for (const Form& form : forms_from(text[at]))
        if (const std::size_t length = match(text.substr(at), form); at + length > best.end)
          best = {at, at + length, form.term};
    if (best.term != nullptr) found.push_back(best);
    at = std::max(best.end, at + 1);
  }
  return found;
}

}  // namespace limelight::scenes
