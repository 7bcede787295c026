// How Sentence's tensors are computed, as code: the attention of the head that is looked at.
#include <algorithm>

#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made;
  const Tensor* const scores = [&] {
    for (const Tensor& tensor : trace.tensors)
      if (read_name(tensor.name).one == "S") return &tensor;
    return static_cast<const Tensor*>(nullptr);
  }();
  if (scores == nullptr) {
    made.remark = "Of these weights nothing is known that they were computed from.";
    return made;
  }
  const HeadTensor head = read_name(scores->name);
  const auto name = [&](std::string_view one) { return of_head(one, head.layer, head.head); };
  const auto value = [&](std::string_view one) { return "{" + name(one) + "}"; };
  // What is made of all of the model: its weights are not written out here.
  if (trace.find(name(row_at(place).result)) == nullptr) {
    made.result = name("A");
    made.remark =
        "What the figure shows besides is made of all of the model, whose weights are too many for a text; this is "
        "the attention of the head that is looked at.";
  }
  made.add(name("Q"), "", "its queries, from the model");
  made.add(name("K"), "", "its keys, from the model");
  const int size = trace.at(name("Q")).columns();
  std::string scaled = value("Q") + " @ " + value("K") + ".T / math.sqrt(" + std::to_string(size) + ")";
  if (trace.at("model").values(0, 0) != 0) {
    const std::string shape = std::to_string(scores->rows()) + ", " + std::to_string(scores->columns());
    scaled = "np.where(np.tril(np.ones((" + shape + "))) > 0, " + scaled + ", -np.inf)";
  }
  const std::string row = std::to_string(std::min(state.query, scores->rows() - 1));
  made.add(name("S"), scaled, "scaled scores");
  made.add(name("A"), "softmax(" + value("S") + ")", "its weights");
  made.add(name("q"), value("Q") + "[[" + row + "]]", "the query that is looked at");
  made.add(name("P"), value("K") + " * " + value("q"), "number by number; each row sums to the score times the root");
  made.add(name("B"), "", "the weights with a word swapped, from the model");
  made.add(name("D"), value("B") + " - " + value("A"), "what the swap changes");
  made.add(name("b"), value("B") + "[[" + row + "]].T", "its row of the query");
  made.add(name("d"), value("D") + "[[" + row + "]].T", "and of the difference");
  return made;
}

}  // namespace limelight::scenes::sentence
