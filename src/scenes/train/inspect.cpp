// Where Train's numbers come from: weights by their recipe, the others by a sentence; and how code computes them.
#include <algorithm>

#include "scenes/train/steps.h"

namespace limelight::scenes::train {
namespace {

using namespace figure;

// What the numbers of a tensor are, by a part of its name.
constexpr std::pair<std::string_view, std::string_view> kNotes[] = {
    {"right", "1 where the letter that is written is the one that the task asks for at this place."},
    {"context", "One of the numbers that stand for the whole source."},
    {"weights_other", "The same of the model with attention, which is the other one here."},
    {"film", "The share of this source’s letters that was right at this moment of the record."},
    {"likely_", "How likely it took this letter to be there, at this moment of the record."},
    {"map_", "A weight at this moment of the record."},
    {"task_", "The same of the recorded training on this task."},
    {"summary", "Of the example that is shown, and of guessing: its loss, in nats. −1: not known."},
    {"run", "Of the training: losses in nats per letter, shares of 200 unseen sources. −1: there is none."},
    {"loss", "Cross-entropy in nats per letter; a running mean in which about the last fifty batches count."},
    {"by_length", "Held-out sources of these lengths, tried at the latest look."},
    {"", "The letter’s number in the vocabulary; each has a row of its own in an embedding."},
};

}  // namespace

recipes::Recipes recipes_of(const State& state) {
  static constexpr auto symbol = [](std::string_view tensor) -> recipes::Symbol {
    if (tensor == "weights")
      return {.tensor = tensor, .letter = "A", .index = "", .cell = "a", .title = "{row} → {column}"};
    return {.tensor = tensor, .letter = "E", .index = "", .cell = "e", .title = "{row} · {column}"};
  };
  recipes::Recipes made{.symbol_of = symbol};
  if (!state.attention) return made;
  made.add("scores", recipes::given()
                         .noted("of the model as it is now: the decoder's state and each of the encoder's, compared")
                         .says("How well {column} of the source fits what is written at this place."));
  made.add("weights", recipes::softmax("scores")
                          .noted("each row sums to 1")
                          .says("Output {row} looks at {column} of the source with this share."));
  return made;
}

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made = recipes::equations(recipes_of(state), trace);
  made.remark = std::string(row_at(place).remark);
  if (!state.attention) made.add("probabilities", "", "what all of the model makes of its one fixed vector");
  return made;
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> at = parse_cell_id(id);
  const float* value = at ? trace.cell(at->tensor, at->row, at->column) : nullptr;
  if (value == nullptr) return row_at(view.place).shows.title(state, palette(view.theme));
  const Tensor& tensor = trace.at(at->tensor);
  const std::string row_name = shown(label_of(tensor.row_labels, at->row)),
                    column_name = shown(label_of(tensor.column_labels, at->column));
  Inspection made{.title = {}, .lines = {}, .note = {}, .origins = {}};
  if (tensor.name == "weights" || tensor.name == "scores") {
    recipes::explain({recipes_of(state), trace, palette(view.theme), *at}, made);
  } else if (tensor.name == "probabilities") {
    made.lines.push_back(
        row({symbol("p"), operation("="), word("softmax"), parenthesised(symbol("z")), word("  z = [s | c] W + b")}));
    made.note = "How likely the model takes this letter to be at this place of the output. It writes the likeliest.";
    result_line(made, static_cast<double>(*value), true);
  } else {
    const auto* const note =
        std::ranges::find_if(kNotes, [&](const auto& one) { return tensor.name.contains(one.first); });
    made.lines.push_back(word(column_name + ": " + row_name));
    made.note = note->second;
    result_line(made, static_cast<double>(*value), true);
  }
  made.title = tensor.name + "[" + row_name + ", " + column_name + "]";
  return made;
}

}  // namespace limelight::scenes::train
