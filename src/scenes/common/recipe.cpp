#include "scenes/common/recipe.h"

#include <algorithm>
#include <cassert>

#include "figure/marks.h"

namespace limelight::scenes::recipes {

void Recipes::add(std::string_view tensor, const Recipe& recipe) {
  assert(find(tensor) == nullptr);
  list.push_back(recipe);
  list.back().tensor = tensor;
}

const Recipe* Recipes::find(std::string_view tensor) const {
  const auto found = std::ranges::find(list, tensor, &Recipe::tensor);
  return found == list.end() ? nullptr : &*found;
}

const Recipe& Recipes::of(std::string_view tensor) const {
  const Recipe* recipe = find(tensor);
  assert(recipe != nullptr);
  return *recipe;
}

bool set_in_row(const Recipe& recipe, int row) { return recipe.set != nullptr && set_in_row(*recipe.set, row); }

bool set_in_row(const io::CellEdits& set, int row) {
  const auto first = set.cells.lower_bound({row, 0});
  return first != set.cells.end() && first->first.first == row;
}

namespace {

// Its operands' numbers, that which it follows first.
void add_operands(std::vector<Part>& parts, const Recipe& recipe, int row, int column) {
  const std::string_view left = recipe.left(), right = recipe.right();
  switch (recipe.operation) {
    case Operation::given:
    case Operation::largest_gap:  // from everywhere
      return;
    case Operation::product:
      parts.push_back({left, row, -1});
      parts.push_back(recipe.turned ? Part{right, column, -1} : Part{right, -1, column});
      return;
    case Operation::cosine:
    case Operation::general:
    case Operation::additive:
      parts.push_back({left, row, -1});
      parts.push_back({right, column, -1});
      return;
    case Operation::maximum:
    case Operation::rotary:
      parts.push_back({left, row, -1});
      return;
    case Operation::total:
      parts.push_back(recipe.turned ? Part{left, -1, column} : Part{left, row, -1});
      return;
    case Operation::softmax:
      parts.push_back({left, row, column});
      parts.push_back(recipe.turned ? Part{left, -1, column} : Part{left, row, -1});
      return;
    case Operation::reordered:
      parts.push_back({left, recipe.old_place(row), column});
      return;
    case Operation::one_row:
      parts.push_back({left, recipe.row, column});
      return;
    case Operation::columns:
      parts.push_back({left, row, recipe.first + column});
      return;
    case Operation::beside:
      parts.push_back(
          {recipe.many[static_cast<std::size_t>(column / recipe.size_of_part)], row, column % recipe.size_of_part});
      return;
    case Operation::sum_of:
      for (const std::string_view term : recipe.many) parts.push_back({term, row, column});
      return;
    case Operation::difference:
    case Operation::quotient:
      parts.push_back({left, row, column});
      parts.push_back({right, row, recipe.turned ? column : 0});
      return;
    case Operation::same:
    case Operation::exponential:
    case Operation::sinusoidal:
      parts.push_back({left, row, column});
  }
}

}  // namespace

std::vector<Part> parts_of(const Recipes& recipes, std::string_view tensor, int row, int column) {
  std::vector<Part> parts;
  for (const Recipe* recipe = recipes.find(tensor); recipe != nullptr && !set_in_row(*recipe, row);) {
    const std::size_t from = parts.size();
    add_operands(parts, *recipe, row, column);
    if (from == parts.size() || parts[from].row < 0 || parts[from].column < 0) break;
    if (recipe->operation == Operation::sum_of) break;
    recipe = recipes.find(parts[from].tensor);
    row = parts[from].row;
    column = parts[from].column;
  }
  return parts;
}

figure::Colour colour_of(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours) {
  const auto ink = recipes.symbol_of(tensor).ink;
  return ink == &figure::Palette::ink ? colours.muted : colours.*ink;
}

void add_outlines(figure::Figure& figure, const Recipes& recipes, const figure::Source& of,
                  const figure::Palette& colours) {
  for (const Part& part : parts_of(recipes, of.tensor, of.row, of.column))
    figure::add_outline(figure, part.tensor, part.row, part.column, colour_of(recipes, part.tensor, colours));
  figure::add_outline(figure, of.tensor, of.row, of.column, colours.ink);
}

}  // namespace limelight::scenes::recipes
