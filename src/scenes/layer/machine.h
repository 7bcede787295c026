// Attention as one machine that all forms of the layer share: a sequence, what is tapped from it, and the light that
// chooses. Only the taps differ from one form to the next.
#pragma once

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

enum class QueriesFrom { own, inputs, second };

// Which tensors of the trace a form's parts are.
struct Form {
  const Attention& names;
  QueriesFrom queries;
  bool lenses;  // whether matrices make keys and values of the inputs
};
// Of the first five steps.
const Form& form_at(Place place);

}  // namespace limelight::scenes::layer
