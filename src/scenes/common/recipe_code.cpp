// Code, read from recipes.
#include <cmath>

#include "scenes/common/recipe.h"

namespace limelight::scenes::recipes {
namespace {

std::string value(std::string_view tensor) { return "{" + std::string(tensor) + "}"; }

// "[4:6]"
std::string between(int first, int count) {
  return "[" + std::to_string(first) + ":" + std::to_string(first + count) + "]";
}

std::string joined(const std::vector<std::string_view>& tensors, const char* sign) {
  std::string text;
  for (const std::string_view tensor : tensors) text += (text.empty() ? "" : sign) + value(tensor);
  return text;
}

bool scales_sum(const Recipe& recipe) { return recipe.scales() && recipe.many.size() > 1; }

std::string operation_of(const Recipe& recipe, int rows) {
  const std::string left = value(recipe.left()), right = value(recipe.right());
  const std::string along = recipe.turned ? ", axis=0, keepdims=True)" : ", axis=1, keepdims=True)";
  switch (recipe.operation) {
    case Operation::given:
      return {};
    case Operation::product:
      return left + (recipe.rows > 0 ? "[:" + std::to_string(recipe.rows) + "]" : "") + " @ " + right +
             (recipe.turned             ? ".T"
              : recipe.size_of_part > 0 ? between(recipe.first, recipe.size_of_part)
                                        : "");
    case Operation::same:
      return left;
    case Operation::maximum:
      return "np.amax(" + left + along;
    case Operation::difference:
      return left + " - " + right;
    case Operation::exponential:
      return "np.exp(" + left + ")";
    case Operation::total:
      return "np.sum(" + left + along;
    case Operation::quotient:
      return left + " / " + right;
    case Operation::softmax:
      return "softmax(" + left + (recipe.turned ? ".T).T" : ")");
    case Operation::reordered:
      return left + "[" + code::list_of(recipe.order->of(rows)) + "]";
    case Operation::one_row:
      return left + "[" + std::to_string(recipe.row) + ":" + std::to_string(recipe.row + 1) + "]";
    case Operation::columns:
      return left + "[:, " + between(recipe.first, recipe.size_of_part).substr(1);
    case Operation::beside:
      return "np.concatenate([" + joined(recipe.many, ", ") + "], axis=1)";
    case Operation::sum_of:
      return scales_sum(recipe) ? "(" + joined(recipe.many, " + ") + ")" : joined(recipe.many, " + ");
    case Operation::largest_gap:
      return "np.abs(" + left + " - " + right + ").max().reshape(1, 1)";
    case Operation::cosine:
      return "cosine(" + left + ", " + right + ")";
    case Operation::general:
      return left + " @ " + value(recipe.operands[2]) + " @ " + right + ".T";
    case Operation::additive:
      if (recipe.operands[2].empty()) return "additive(" + left + ", " + right + ", " + value(recipe.operands[4]) + ")";
      return "additive(" + left + " @ " + value(recipe.operands[2]) + ", " + right + " @ " + value(recipe.operands[3]) +
             ", " + value(recipe.operands[4]) + ")";
    case Operation::sinusoidal:
      return left + " + sinusoidal(*" + left + ".shape)";
    case Operation::rotary:
      return "rotate(" + left + ")";
  }
  return {};
}

// Lines that set by hand what is set in each row, of the numbers that the row may see.
std::string set_by_hand(const Recipe& recipe, const Trace& trace, const Tensor& tensor) {
  std::string lines;
  const Tensor* scores = trace.find(recipe.exponent.empty() ? recipe.left() : recipe.exponent);
  for (int row = 0; row < tensor.rows(); ++row) {
    if (!set_in_row(recipe, row)) continue;
    std::vector<std::pair<int, float>> given;
    for (const auto& [cell, weight] : recipe.set->cells)
      if (cell.first == row) given.emplace_back(cell.second, weight);
    std::vector<int> seen;
    for (int key = 0; key < tensor.columns(); ++key)
      if (scores == nullptr || std::isfinite(scores->values(row, key))) seen.push_back(key);
    lines += code::set_by_hand(recipe.tensor, row, given, seen);
  }
  return lines;
}

// The operation, what scales it, and the mask, which is a value of its own.
std::string expression_of(const Recipe& recipe, const Tensor& tensor) {
  if (recipe.operation == Operation::given) return {};
  std::string made = operation_of(recipe, tensor.rows());
  if (!recipe.size_name.empty()) made += " / math.sqrt(" + std::to_string(recipe.size) + ")";
  if (recipe.factor != 1) made += " * " + code::number(recipe.factor);
  if (recipe.temperature != 1) made += " / " + code::number(recipe.temperature);
  if (recipe.slope != 0)
    made += " - " + code::number(recipe.slope) + " * np.abs(np.arange(" + std::to_string(tensor.rows()) +
            ")[:, None] - np.arange(" + std::to_string(tensor.columns()) + "))";
  if (!recipe.bias.empty()) made += " + " + value(recipe.bias);
  if (!recipe.mask.empty()) return "np.where(" + value(recipe.mask) + " > 0, " + made + ", -np.inf)";
  return recipe.causal ? "np.where({mask}, " + made + ", -np.inf)" : made;
}

}  // namespace

code::Equations equations(const Recipes& recipes, const Trace& trace) {
  code::Equations made;
  for (const Recipe& recipe : recipes.list) {
    const Tensor* tensor = trace.find(recipe.tensor);
    const bool is_given = recipe.operation == Operation::given;
    if (tensor == nullptr || (is_given && recipe.note.empty())) continue;
    if (recipe.causal)
      made.add(
          "mask",
          "np.tril(np.ones((" + std::to_string(tensor->rows()) + ", " + std::to_string(tensor->columns()) + "))) > 0",
          "where a word may look: itself and those before it");
    const std::string by_hand = set_by_hand(recipe, trace, *tensor);
    made.add(std::string(recipe.tensor), expression_of(recipe, *tensor) + by_hand,
             std::string(recipe.note) + (by_hand.empty() ? "" : "; some are set by hand"));
  }
  return made;
}

}  // namespace limelight::scenes::recipes
