#include "scenes/common/words.h"

#include <cmath>

#include "core/random.h"
#include "io/distance.h"
#include "io/utf8.h"

namespace limelight::scenes {
namespace {

float hundredths(double x) { return static_cast<float>(std::round(x * 100) / 100); }

}  // namespace

Matrix embed_words(const std::vector<std::string>& words, int size) {
  Matrix rows(static_cast<Eigen::Index>(words.size()), size);
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::u32string letters;
    for (const char32_t c : io::decode_utf8("<" + io::lower_case(words[w]) + ">")) letters += c;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(size);
    for (std::size_t length = 1; length <= 3; ++length)
      for (std::size_t i = 0; i + length <= letters.size(); ++i) {
        std::string part;
        for (const char32_t c : letters.substr(i, length)) io::append_utf8(part, c);
        Random random(hash_text(part));
        for (double& entry : sum) entry += random.normal();
      }
    const double norm = sum.norm();
    for (int d = 0; d < size; ++d)
      rows(static_cast<Eigen::Index>(w), d) = hundredths(sum(d) / norm * std::sqrt(static_cast<double>(size)));
  }
  return rows;
}

Matrix identity_like(int rows, int columns) {
  Matrix weights = Matrix::Constant(rows, columns, hundredths(0.4 / rows));
  weights.diagonal().setConstant(0.9F);
  return weights;
}

Result<void> check_words(std::string_view what, std::string_view role, std::string_view text, std::size_t count,
                         const TextLimits& limits) {
  if (count == 0) return fail(std::string(what) + " has no words, and " + std::string(role) + "; type at least one.");
  if (count > static_cast<std::size_t>(limits.words))
    return fail(std::string(what) + " has " + std::to_string(count) + " tokens (words and punctuation marks" +
                std::string(limits.among) + "); up to " + std::to_string(limits.words) + " fit, so shorten it.");
  if (text.size() > limits.bytes)
    return fail(std::string(what) + " is a text of " + std::to_string(text.size()) + " bytes; up to " +
                std::to_string(limits.bytes) + " are read, so shorten it.");
  return {};
}

std::string pointing(std::string_view words, std::string_view id, MeansA role) {
  return "**" + std::string(words) + kPoints + static_cast<char>(role) + std::string(id) + "**";
}

std::string hint(std::string_view sentence) { return kHints + std::string(sentence); }

Matrix single(double value) { return Matrix::Constant(1, 1, static_cast<float>(value)); }

Matrix random_weights(int rows, int columns, int seed, std::string_view name) {
  Random random(hash_text(name, static_cast<std::uint64_t>(seed)));
  Matrix weights(rows, columns);
  for (float& entry : weights.reshaped<Eigen::RowMajor>())
    entry = hundredths(random.normal() / std::sqrt(static_cast<double>(rows)));
  return weights;
}

}  // namespace limelight::scenes
