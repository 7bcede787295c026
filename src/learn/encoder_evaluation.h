// How good an encoder is on sentences whose patterns it was never trained on. Here and in encoder_heads.h alone is read
// what belongs to what in a sentence.
#pragma once

#include "learn/encoder_training.h"

namespace limelight::learn::sentences {

// What came out right, of how many.
struct Score {
  int right = 0, count = 0;

  void note(bool was_right) { right += was_right ? 1 : 0, ++count; }
  [[nodiscard]] double share() const { return count > 0 ? static_cast<double>(right) / count : -1; }  // −1: of none
};

// Every word of each sentence, its full stop excepted, is [MASK] once, alone.
struct Evaluation {
  int count = 0;               // sentences
  Score words;                 // the likeliest word is the true one
  std::vector<Score> by_kind;  // as english::kKinds
  double loss = 0;             // in nats per word
  // Of the verbs whose form says how many the subject is: the true form is likelier than that of the other number.
  Score agreement;
  Score agreement_apart;     // where something stands between the subject's noun and the verb
  Score agreement_invented;  // with a noun that is in no vocabulary as the subject: "the blickets", read by its
                             // letters, its number told by the s alone
  // Of he, she, it and they (him, his …) the true one is the likeliest.
  Score pronouns;
  Score pronouns_by_meaning;     // where grammar allows another one, and what is said decides
  double likeliest_pronoun = 0;  // the share that the most frequent of the four would get right, of each form
};
Evaluation evaluate(const Training& model, int seed, int count);

// The held-out sentences of a seed.
std::vector<english::Sentence> held_out(int seed, int count);

// The probabilities of all words in some places of one batch, [places, V].
Matrix probabilities(Tape<float>& tape, const Training& model, const Batch& batch, std::span<const int> rows);

}  // namespace limelight::learn::sentences
