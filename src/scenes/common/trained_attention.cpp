#include "scenes/common/trained_attention.h"

#include <cctype>
#include <span>
#include <tuple>

#include "learn/encoder_reading.h"
#include "learn/english.h"
#include "learn/weights.h"
#include "scenes/sentence/model.h"

namespace limelight::scenes::trained {
namespace {

namespace sentences = learn::sentences;

Matrix with_bias(const learn::LinearOf<Matrix>& linear) {
  Matrix both(linear.weight.rows() + 1, linear.weight.cols());
  both << linear.weight, linear.bias;
  return both;
}

bool fits(const sentences::Config& config) {
  return config.layers == kLayers && config.heads == kHeads && config.size == kSize;
}

Result<std::vector<std::string>> read_words(std::string_view text) {
  Result<std::vector<std::string>> words = learn::english::read(text);
  if (words) words->insert(words->begin(), learn::english::vocabulary().words[learn::kStart]);
  return words;
}

std::optional<Attention> read_attention(const Inputs& inputs, const std::vector<std::string>& words, int layer) {
  const Encoder* encoder = inputs.resource<Encoder>(kEncoder.name);
  if (encoder == nullptr || !fits((*encoder)->config)) return std::nullopt;
  const sentences::Training& model = **encoder;
  std::vector<sentences::Word> tokens;
  for (std::size_t i = 1; i < words.size(); ++i) tokens.push_back(sentences::word_of(words[i]));
  sentences::Batch batch;
  batch.add(model.config, tokens);
  learn::Tape<float> tape;
  tape.clear(false);
  const auto placed = learn::place_on<sentences::ModelOf, float>(tape, model.weights, nullptr);
  const sentences::Encoded encoded = sentences::encode(tape, placed, model.config, batch);
  const auto index = static_cast<std::size_t>(layer - 1);
  const learn::Value input = layer == 1 ? encoded.placed : encoded.layers[index - 1].result;
  const auto& norm = placed.layers[index].attention_norm;
  const Matrix X = tape.value(learn::layer_norm(tape, input, norm.gain, norm.bias));
  const auto& weights = model.weights.layers[index];
  Attention made{.X = Matrix::Ones(X.rows(), kSize + 1),
                 .W_Q = with_bias(weights.query),
                 .W_K = with_bias(weights.key),
                 .W_V = with_bias(weights.value),
                 .W_O = with_bias(weights.output)};
  made.X.leftCols(kSize) = X;
  return made;
}

// How much a weight on or of this word tells: words with a meaning of their own before those that grammar asks for
// ("the", "at", "when"), and no signs.
float telling_of(const std::string& word) {
  using enum learn::english::Kind;
  constexpr float kGrammar = 0.15F;
  if (std::isalpha(static_cast<unsigned char>(word.front())) == 0) return 0;
  const std::optional<int> token = learn::english::find(word);
  if (!token || *token <= learn::english::kMask) return kGrammar;
  switch (learn::english::kind_of(*token)) {
    case noun:
    case name:
    case verb:
    case adjective:
    case adverb:
    case pronoun:
      return 1;
    default:
      return kGrammar;
  }
}

std::optional<int> find_most_telling(const Inputs& inputs, const std::vector<std::string>& words, int layer, int head) {
  const Encoder* encoder = inputs.resource<Encoder>(kEncoder.name);
  if (encoder == nullptr || !fits((*encoder)->config) || words.size() < 3) return std::nullopt;
  // Kept, since whoever types asks for each sentence twice.
  static std::tuple<std::vector<std::string>, int, int> told;
  static std::optional<int> best;
  if (best && told == std::tie(words, layer, head)) return best;
  const io::Array all = sentences::read(**encoder, std::span(words).subspan(1), 0).weights;
  const std::size_t count = words.size(), from = static_cast<std::size_t>((layer - 1) * kHeads + head - 1) * count;
  told = {words, layer, head}, best.reset();
  constexpr float kBeside = 0.7F;
  float most = 0;
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = 1; j < count; ++j)
      if (const float tells = all.data[(from + i) * count + j] * telling_of(words[i]) * telling_of(words[j]) *
                              (i + 1 == j || j + 1 == i ? kBeside : 1);
          i != j && tells > most)
        best = static_cast<int>(i), most = tells;
  return best;
}

}  // namespace

const Reader kReader{
    .file = &kEncoder, .words = read_words, .attention = read_attention, .most_telling = find_most_telling};

}  // namespace limelight::scenes::trained
