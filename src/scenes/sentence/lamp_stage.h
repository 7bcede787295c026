// The sentence under the lamp of one head at one word, and a card on which one word can be turned into another.
#pragma once

#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {

// Whether there is another word for one of the sentence, and the model has read it.
bool turns(const Drawing& d);
// The place that has most of a row.
int brightest(std::span<const float> weights);
// From the top down, the same in all steps that have it; swung: with the other word. Returns where it ends.
float add_lamp_stage(Drawing& d, bool swung);

}  // namespace limelight::scenes::sentence
