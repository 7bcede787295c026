// How Layer's tensors are computed, as code.
#include "scenes/layer/layer.h"

namespace limelight::scenes::layer {
namespace {

std::string root_of(int size) { return " / math.sqrt(" + std::to_string(size) + ")"; }

// f_att of two tensors.
std::string similarity(const State& state, const std::string& query, const std::string& key) {
  switch (state.similarity) {
    case Similarity::dot:
      return query + " @ " + key + ".T";
    case Similarity::scaled:
      return query + " @ " + key + ".T" + root_of(sizes(state).first);
    case Similarity::cosine:
      return "cosine(" + query + ", " + key + ")";
    case Similarity::general:
      return query + " @ {W_f} @ " + key + ".T";
    case Similarity::additive:
      return "additive(" + query + " @ {W_1}, " + key + " @ {W_2}, {v_f})";
  }
  return {};
}

std::string value(std::string_view name) { return "{" + std::string(name) + "}"; }

// Queries or keys as they enter the scores that know positions.
std::string placed(const State& state, const std::string& name) {
  if (state.positions == Encoding::sinusoidal) return name + " + sinusoidal(*" + name + ".shape)";
  return state.positions == Encoding::rotary ? "rotate(" + name + ")" : name;
}

std::string placed_scores(const State& state) {
  std::string scores = "{Q_pos} @ {K_pos}.T" + root_of(sizes(state).key);
  if (state.positions == Encoding::linear_bias)
    scores += " - " + code::number(state.slope) + " * np.abs({places}[:, None] - {places})";
  return state.causal ? "np.where({places} <= {places}[:, None], " + scores + ", -np.inf)" : scores;
}

}  // namespace

code::Equations equations(const State& state, const Trace& /*trace*/, Place /*place*/) {
  code::Equations made;
  const Sizes size = sizes(state);
  const std::string row = std::to_string(query_row(state)), order = code::list_of(state.order.of(size.inputs));
  made.add("q", "{Q}[" + row + ":" + std::to_string(query_row(state) + 1) + "]", "one query");
  for (const Product& product : products())
    made.add(std::string(product.result), value(product.left) + " @ " + value(product.right), "");
  made.add("X_new", "{X}[" + order + "]", "the inputs in their new order");
  made.add("places", "np.arange(" + std::to_string(size.inputs) + ")", "");
  made.add("Q_pos", placed(state, "{Q_new}"), "queries with positions");
  made.add("K_pos", placed(state, "{K_new}"), "keys with positions");
  const std::span<const Attention> all = attentions();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Attention& one = all[i];
    std::string scores = value(one.query) + " @ " + value(one.key) + ".T" + root_of(size.key);
    if (i < 2) scores = similarity(state, value(one.query), value(one.key));
    if (i == 7) scores = placed_scores(state);
    const bool wrong = i == 1 && state.wrong_axis;
    const std::string weights = "softmax(" + value(one.scores) + (wrong ? ".T).T" : ")");
    made.add(std::string(one.scores), scores, i == 7 && state.causal ? "-inf where the mask hides a key" : "");
    made.add(std::string(one.weights), weights, wrong ? "each column sums to 1: the wrong axis" : "each row sums to 1");
    made.add(std::string(one.output), value(one.weights) + " @ " + value(one.value), "");
  }
  std::string breakers;
  for (const std::string_view breaker : kBreakers) {
    const bool causal = breaker == "causal mask";
    breakers += (breakers.empty() ? "(\"" : ", (\"") + std::string(causal ? "none" : breaker) + "\", " +
                (causal ? "True)" : "False)");
  }
  made.add("errors",
           "np.zeros((1, 5))\n"
           "for column, (encoding, causal) in enumerate([" +
               breakers +
               "]):\n"
               "    settings = ({W_Q}, {W_K}, {W_V}, encoding, " +
               code::number(state.slope) +
               ", causal)\n"
               "    {errors}[0, column] = np.abs(attend({X_new}, *settings) - attend({X}, *settings)[" +
               order + "]).max()",
           "how far a layer of shuffled inputs is from the shuffled layer of the inputs");
  return made;
}

}  // namespace limelight::scenes::layer
