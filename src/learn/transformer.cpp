#include "learn/transformer.h"

#include <cassert>

namespace limelight::learn {

template <class Scalar>
TransformerLayer run_layer(Tape<Scalar>& tape, const TransformerLayerOf<Value>& layer, int heads, Value x,
                           std::span<const int> lengths) {
  const auto apply_linear = [&](Value to, const LinearOf<Value>& weights) {
    return linear(tape, to, weights.weight, weights.bias);
  };
  const Value normal = layer_norm(tape, x, layer.attention_norm.gain, layer.attention_norm.bias);
  TransformerLayer made{.query = apply_linear(normal, layer.query),
                        .key = apply_linear(normal, layer.key),
                        .value = apply_linear(normal, layer.value)};
  const int rows = tape.node(x).rows, columns = tape.node(x).columns, size = columns / heads;
  assert(size * heads == columns);
  made.attended = tape.zeros(rows, columns);
  for (int head = 0; head < heads; ++head) {
    const auto part = [&](Value of) { return tape.columns(of, head * size, size); };
    made.heads.push_back(
        attend(tape, part(made.query), part(made.key), part(made.value), lengths, part(made.attended)));
  }
  made.mixed = add(tape, x, apply_linear(made.attended, layer.output));
  const Value again = layer_norm(tape, made.mixed, layer.hidden_norm.gain, layer.hidden_norm.bias);
  made.result = add(tape, made.mixed, apply_linear(gelu(tape, apply_linear(again, layer.hidden)), layer.result));
  return made;
}

template TransformerLayer run_layer<float>(Tape<float>&, const TransformerLayerOf<Value>&, int, Value,
                                           std::span<const int>);
template TransformerLayer run_layer<double>(Tape<double>&, const TransformerLayerOf<Value>&, int, Value,
                                            std::span<const int>);

}  // namespace limelight::learn
