// What Heads' tensors are: each once, for all that tells where its numbers come from.
#include "scenes/common/recipe.h"

#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// Of a head's tensor its name, as it stays with the trace.
std::string_view named(const Trace& trace, std::string_view one, int head) { return trace.at(of_head(one, head)).name; }

recipes::Symbol symbol_of(std::string_view tensor) {
  using figure::Palette;
  struct Letter {
    std::string_view one, cell;
    Colour Palette::* ink;
  };
  static constexpr Letter kLetters[] = {
      {"X", "x", &Palette::input},    {"Z", "z", &Palette::input},  {"Q", "q", &Palette::query},
      {"K", "k", &Palette::key},      {"V", "v", &Palette::value},  {"S", "s", &Palette::ink},
      {"A", "a", &Palette::ink},      {"O", "o", &Palette::output}, {"C", "c", &Palette::output},
      {"Y", "y", &Palette::output},   {"M", "m", &Palette::ink},    {"b", "b", &Palette::output},
      {"W_Q", "w", &Palette::query},  {"W_K", "w", &Palette::key},  {"W_V", "w", &Palette::value},
      {"W_O", "w", &Palette::output}, {"", "", &Palette::ink}};  // the last: of any other
  const std::size_t mark = tensor.find('_');
  const std::string_view one = tensor.substr(0, mark);
  const std::string_view index = mark == std::string_view::npos ? std::string_view() : tensor.substr(mark + 1);
  const auto* letter = std::ranges::find_if(kLetters, [name = one == "W" ? tensor : one](const Letter& known) {
    return known.one == name || known.one.empty();
  });
  return {.tensor = tensor, .letter = one, .index = index, .cell = letter->cell, .ink = letter->ink};
}

// How the scores of a constructed pattern come about.
std::string_view said_of(Pattern pattern) {
  static constexpr std::string_view list[] = {
      "",
      "Constructed, not computed from Q and K: 4 for the word before (the first word: itself), 0 for the others.",
      "Constructed, not computed from Q and K: 4 where both are the same word, capitals apart, 0 elsewhere.",
      "Constructed, not computed from Q and K: 4 for the first word, 0 for the others.",
      "Constructed, not computed from Q and K: 4 for the same place and its neighbours, 0 elsewhere.",
      "Constructed, not computed from Q and K: a normal number of standard deviation 2, drawn from the seed.",
      "Constructed, not computed from Q and K: 0 for all, so that all weights are equal until one is set by hand."};
  return list[static_cast<int>(pattern)];
}

void add_head(recipes::Recipes& r, const State& state, const Trace& trace, int h) {
  using namespace recipes;
  const int size = sizes(state).head, first = h * size;
  const std::string_view Q = named(trace, "Q", h), K = named(trace, "K", h), V = named(trace, "V", h),
                         S = named(trace, "S", h), A = named(trace, "A", h), O = named(trace, "O", h);
  r.add(Q, columns_of("Q", first, size).noted("the queries of one head"));
  r.add(K, columns_of("K", first, size).noted("its keys"));
  r.add(V, columns_of("V", first, size).noted("its values"));
  if (state.alike && h > 0) {
    r.add(S, same("S_1").noted("all heads are alike"));
    r.add(A, same("A_1").noted("all heads are alike"));
  } else {
    if (pattern_of(state, h) == Pattern::computed)
      r.add(S, product(Q, transposed(K))
                   .over_root("d_head", size)
                   .masked_by("M")
                   .noted("scaled scores; -inf where the mask hides a key"));
    else
      r.add(S, given()
                   .noted("scores that are constructed from the head's pattern, not computed")
                   .says(said_of(pattern_of(state, h))));
    r.add(A, softmax(S).by_hand(state.weights[static_cast<std::size_t>(h)]).noted("weights"));
  }
  r.add(O, product(A, V).noted("its output"));
  r.add(named(trace, "Y", h), product_from(O, "W_O", first, size)
                                  .noted("what it adds to the output")
                                  .says("What this head adds to the output: its own numbers times its rows of W_O."));
}

}  // namespace

recipes::Recipes recipes(const State& state, const Trace& trace) {
  using namespace recipes;
  Recipes r{.symbol_of = symbol_of};
  const bool trained = state.trained;
  const std::string_view keys = state.crossed() ? "Z" : "X", bias = trace.find("b_O") != nullptr ? "b_O" : "";
  r.add("X", given()
                 .noted(trained ? "what enters the layer of the trained encoder, and a 1 that meets the biases"
                                : "embeddings by a rule from the spelling")
                 .says(trained ? "Of what enters this layer of the encoder for the word, after its LayerNorm; the last "
                                 "number is 1 and adds the biases."
                               : "Of the word’s embedding, made from its spelling."));
  r.add("Z", given().says("Of the embedding of a word of the second sentence, made from its spelling."));
  for (const std::string_view matrix : {"W_Q", "W_K", "W_V"})
    r.add(matrix,
          given().says(trained ? "How much a number of a word counts, trained; the last row is the bias."
                               : "How much a number of an embedding counts; drawn from the seed, not trained."));
  r.add("W_O", given().says(trained ? "How much a number of a head’s output counts in the layer’s output, trained."
                                    : "How much a number of a head’s output counts in the layer’s output."));
  r.add("b_O", given().says("The bias of W_O, trained: added to every word’s output."));
  r.add("Q", product("X", "W_Q").noted("the queries of all heads side by side"));
  r.add("K", product(keys, "W_K").noted("the keys"));
  r.add("V", product(keys, "W_V").noted("the values"));
  r.add("M",
        given().noted("1 where a query may look at a key").says("1 where {row} sees {column}, 0 where it does not."));
  std::vector<std::string_view> outputs, weights, on;
  for (int h = 0; h < state.heads; ++h) {
    add_head(r, state, trace, h);
    outputs.push_back(named(trace, "O", h));
    weights.push_back(named(trace, "A", h));
    if (!state.off[static_cast<std::size_t>(h)]) on.push_back(named(trace, "Y", h));
  }
  r.add("C", beside(outputs, sizes(state).head)
                 .noted("the heads' outputs side by side")
                 .says("Standing side by side changes no number."));
  r.add("Y", product("C", "W_O").plus(bias).noted("mixed by W_O"));
  r.add("A_mean", sum_of(weights)
                      .times(1.0 / state.heads)
                      .noted("the one row of weights that one head has")
                      .says("What one head can do that wants all that the heads want: share out a single row. A "
                            "construction, to compare with; no model computes this mean."));
  r.add("O_mean", product("A_mean", "V"));
  r.add("Y_mean", product("O_mean", "W_O").plus(bias));
  r.add("Y_now", on.empty() ? given() : sum_of(on).plus(bias).says("The sum of what the heads that are on add."));
  for (const auto& [length, what] :
       {std::pair("part", "Of what {column} adds: so far does the output move without it."),
        {"size", "Of the output, all heads on."},
        {"change", "Of Y_now − Y: so far has all that is off moved the output."},
        {"apart", "Of Y − Y_mean: so far is one head with the mean of all weights from it."}})
    r.add(length, given().noted("the root of the sum of all squares, over all words").says(what));
  r.add(kFound, given().says("How likely {row} is while it is covered, says the encoder with {column}."));
  r.add(kBest, given().says("How likely {column} is, the likeliest word while the right one is covered."));
  r.add(kLooked, given().says("What the head that is off gave {column} while {row} was covered, says the encoder."));
  return r;
}

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  code::Equations made = recipes::equations(recipes(state, trace), trace);
  std::string norms;
  for (int h = 0; h < state.heads; ++h) norms += (h > 0 ? ", " : "") + ("np.linalg.norm({" + of_head("Y", h) + "})");
  made.add("part", "np.stack([" + norms + "])[None, :]", "how far the output moves without each head");
  return made;
}

}  // namespace limelight::scenes::heads
