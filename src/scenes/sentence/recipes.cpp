// What the tensors of the head that is looked at are, and how code computes them.
#include <algorithm>

#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

using namespace recipes;

Symbol symbol_of(std::string_view tensor) {
  struct Letter {
    std::string_view one, cell, title;
    Colour Palette::* ink;
  };
  static constexpr Letter kLetters[] = {{"Q", "q", "", &Palette::query},
                                        {"q", "q", "", &Palette::query},
                                        {"K", "k", "", &Palette::key},
                                        {"S", "s", "{row} · {column}", &Palette::ink},
                                        {"A", "a", "{row} → {column}", &Palette::ink},
                                        {"", "", "", &Palette::ink}};
  const std::size_t mark = std::min(tensor.find('_'), tensor.size());
  const std::string_view one = tensor.substr(0, mark);
  const auto known = [one](const Letter& of) { return of.one.empty() || of.one == one; };
  const Letter& letter = *std::ranges::find_if(kLetters, known);
  return {.tensor = tensor,
          .letter = one,
          .index = tensor.substr(std::min(mark + 1, tensor.size())),
          .cell = letter.cell,
          .ink = letter.ink,
          .title = letter.title};
}

}  // namespace

Recipes recipes_of(const State& state, const Trace& trace) {
  Recipes made{.symbol_of = symbol_of};
  const auto scores = std::ranges::find_if(trace.tensors, [](const Tensor& t) { return read_name(t.name).one == "S"; });
  if (scores == trace.tensors.end()) return made;
  const HeadTensor head = read_name(scores->name);
  const auto name = [&](std::string_view one) -> std::string_view {
    return trace.at(of_head(one, head.layer, head.head)).name;
  };
  const std::string_view said = "The layer’s input for the token, normalised, times a learned matrix, and a bias.";
  made.add(name("Q"), given().noted("its queries, from the model").says(said));
  made.add(name("K"), given().noted("its keys, from the model").says(said));
  made.add(name("S"), product(name("Q"), transposed(name("K")))
                          .over_root("d", trace.at(name("Q")).columns())
                          .masked(trace.at("model").values(0, 0) != 0)
                          .noted("scaled scores")
                          .says("The query of the one and the key of the other, scaled."));
  made.add(name("A"), softmax(name("S"))
                          .noted("its weights")
                          .says("What {row} takes of the value of {column} in this head. Each row sums to 1."));
  made.add(name("q"), recipes::row_of(name("Q"), std::min(state.query, scores->rows() - 1))
                          .noted("the query that is looked at")
                          .says(said));
  return made;
}

code::Equations equations(const State& state, const Trace& trace, Place place) {
  const Recipes all = recipes_of(state, trace);
  if (all.list.empty()) {
    code::Equations made;
    made.remark = "Of these weights nothing is known that they were computed from.";
    return made;
  }
  code::Equations made = recipes::equations(all, trace);
  const HeadTensor head = read_name(all.list.front().tensor);
  const auto name = [&](std::string_view one) { return of_head(one, head.layer, head.head); };
  const auto value = [&](std::string_view one) { return "{" + name(one) + "}"; };
  // What is made of all of the model: its weights are not written out here.
  if (trace.find(name(row_at(place).result)) == nullptr) {
    made.result = name("A");
    made.remark =
        "What the figure shows besides is made of all of the model, whose weights are too many for a text; this is "
        "the attention of the head that is looked at.";
  }
  const std::string row = std::to_string(std::min(state.query, trace.at(name("S")).rows() - 1));
  made.add(name("P"), value("K") + " * " + value("q"), "number by number; each row sums to the score times the root");
  made.add(name("B"), "", "the weights with a word swapped, from the model");
  made.add(name("D"), value("B") + " - " + value("A"), "what the swap changes");
  made.add(name("b"), value("B") + "[[" + row + "]].T", "its row of the query");
  made.add(name("d"), value("D") + "[[" + row + "]].T", "and of the difference");
  return made;
}

}  // namespace limelight::scenes::sentence
