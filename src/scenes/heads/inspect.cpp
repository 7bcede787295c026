// What the inspector says of Heads' numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/heads/parts.h"
#include "scenes/place.h"

namespace limelight::scenes::heads {
namespace {

using namespace figure;

// Where the weights come from: of the heads that compute their scores, and of those whose scores are constructed.
void tell_scores(Inspection& made, const State& state, const Trace& trace, const Palette& colours) {
  std::vector<std::string> computed, constructed;
  for (int h = 0; h < state.heads; ++h)
    (pattern_of(state, h) == Pattern::computed ? computed : constructed).push_back(std::to_string(h + 1));
  const bool masked = !trace.at("M").values.isOnes(), plain = constructed.empty() && !masked;
  const auto of = [](std::string_view letter) { return script(symbol(letter), symbol("h")); };
  const Formula S = of("S"),
                product = fraction(
                    row({coloured(of("Q"), colours.query), script(coloured(of("K"), colours.key), nullptr, word("T"))}),
                    root(script(symbol("d"), word("head"))));
  made.lines.push_back(row({of("A"), operation("="), word("softmax"), parenthesised(plain ? product : S)}));
  if (plain) return;
  std::vector<Formula> scores{S, operation("="), computed.empty() ? word("constructed") : product};
  if (masked)
    scores.insert(scores.end(),
                  {word(" where "), symbol("M"), operation("="), number("1"), word(", else "), number("−∞")});
  made.lines.push_back(row(std::move(scores)));
  if (constructed.empty()) return;
  made.note = (constructed.size() == 1 ? "The scores of head " : "The scores of heads ") + io::all_of(constructed) +
              " are constructed, not computed from Q and K. " + made.note;
}

Inspection general(const State& state, const Trace& trace, const View& view) {
  const Row& step = row_at(view.place);
  const Palette& colours = palette(view.theme);
  const recipes::Recipes made_of = recipes(state, trace);
  Inspection made{.title = std::string(step.shows.title),
                  .note = "Point at any number to see where it comes from; click or tap to keep it."};
  if (step.has_weights) tell_scores(made, state, trace, colours);
  for (const std::string_view tensor : step.equations)
    if (made_of.find(tensor) != nullptr)
      made.lines.push_back(recipes::equation(made_of, tensor, colours, recipes::Depth::one));
  return made;
}

}  // namespace

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  if (trace.find("Q") == nullptr) return std::nullopt;
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr) return general(state, trace, view);
  const Tensor& tensor = trace.at(source->tensor);
  const Palette& colours = palette(view.theme);
  Inspection made{.title = tensor.values.size() == 1 ? source->tensor : title_of(trace, *source)};
  const recipes::Recipes made_of = recipes(state, trace);
  recipes::explain({made_of, trace, colours, *source}, made);
  if (tensor.name == "M" && state.M.cells.contains({source->row, source->column})) made.note = "Painted by hand.";
  if (tensor.name.starts_with("S_") && !std::isfinite(tensor.values(source->row, source->column)))
    made.note = "Hidden by the mask, so its weight is 0.";
  static constexpr std::string_view editable[] = {"X", "Z", "W_Q", "W_K", "W_V", "W_O"};
  if (std::ranges::find(editable, tensor.name) != std::end(editable)) made.note += kTyped;
  return made;
}

}  // namespace limelight::scenes::heads
