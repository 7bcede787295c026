#include "learn/layers.h"

#include <cassert>

namespace limelight::learn {

template <class Scalar>
void run_gru(Tape<Scalar>& tape, const GruOf<Value>& gru, Value x, const Steps& steps, Direction direction,
             Value states) {
  const int sequences = steps.sequences, rows = sequences * steps.count;
  const int hidden = tape.node(gru.hidden_weight).rows;
  assert(tape.node(x).rows == rows && tape.node(states).rows == rows && tape.node(states).columns == hidden);
  const bool forward = direction == Direction::forward;
  // What all steps have in common is multiplied once. A state before and after each step: a block more than steps.
  const Value from_input = linear(tape, x, gru.input_weight, gru.input_bias);
  const Value padded = tape.zeros(rows + sequences, hidden);
  const Unrolled from_state =
      unroll(tape, tape.rows(padded, forward ? 0 : sequences, rows), gru.hidden_weight, gru.hidden_bias);
  for (int step = 0; step < steps.count; ++step) {
    const int t = forward ? step : steps.count - 1 - step;
    const int first = t * sequences;
    const Value before = tape.rows(padded, forward ? first : first + sequences, sequences);
    const Value after = tape.rows(padded, forward ? first + sequences : first, sequences);
    const auto present = steps.present.empty() ? steps.present
                                               : steps.present.subspan(static_cast<std::size_t>(first),
                                                                       static_cast<std::size_t>(sequences));
    gru_step(tape, tape.rows(from_input, first, sequences), apply(tape, from_state, first, sequences), before, after,
             present);
  }
  copy(tape, tape.rows(padded, forward ? sequences : 0, rows), states);
}

template <class Scalar>
Value run_bidirectional(Tape<Scalar>& tape, const GruOf<Value>& forward, const GruOf<Value>& backward, Value x,
                        const Steps& steps) {
  const int hidden = tape.node(forward.hidden_weight).rows;
  const Value states = tape.zeros(steps.sequences * steps.count, 2 * hidden);
  run_gru(tape, forward, x, steps, Direction::forward, tape.columns(states, 0, hidden));
  run_gru(tape, backward, x, steps, Direction::backward, tape.columns(states, hidden, hidden));
  return states;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                       \
  template void run_gru<Scalar>(Tape<Scalar>&, const GruOf<Value>&, Value, const Steps&, Direction, Value); \
  template Value run_bidirectional<Scalar>(Tape<Scalar>&, const GruOf<Value>&, const GruOf<Value>&, Value,  \
                                           const Steps&);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
