// What Train's narration, its inspector and its drawing read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/common/night.h"
#include "scenes/train/train.h"

namespace limelight::scenes::train {

// Of what is written one place, the letter that is right there, and the likeliest of the others; place −1: not known.
struct Watched {
  int place = -1, wanted = 0, rival = 0;
};
// How likely each letter is at a moment of the record: before the mistake was corrected, and after.
inline std::string likely_at(int moment) { return "likely_" + std::to_string(kMoments[moment]); }
inline std::string map_at(int moment) { return "map_" + std::to_string(kMoments[moment]); }

// Of a row the column with its largest number.
inline int largest_in(const Matrix& values, int row) {
  Eigen::Index most = 0;
  values.row(row).maxCoeff(&most);
  return static_cast<int>(most);
}

struct Told : Facts<State> {
  [[nodiscard]] double run(int column) const { return run(model_of(state), column); }
  [[nodiscard]] double run(int model, int column) const { return at("run", model, column); }
  [[nodiscard]] double summary(int column) const { return at("summary", 0, column); }
  [[nodiscard]] int count(int column) const { return static_cast<int>(run(column)); }
  [[nodiscard]] int batch() const { return count(Column::step); }
  [[nodiscard]] bool begun() const { return batch() > 0; }
  [[nodiscard]] bool recorded() const { return run(Column::recorded) > 0; }
  // A record of these settings is there, whether it is looked at or not.
  [[nodiscard]] bool has_record() const { return trace.find(kRecordedLoss) != nullptr; }
  [[nodiscard]] bool converged() const { return run(Column::converged) > 0; }
  [[nodiscard]] bool diverged() const { return run(Column::diverged) > 0; }
  // It trains up to a moment of the record once more.
  [[nodiscard]] bool catches_up() const { return !recorded() && batch() < count(Column::from); }
  // "312 nats", at which it diverged.
  [[nodiscard]] std::string rose_to() const {
    const double loss = run(Column::rose_to);
    return loss < 0 ? "no number" : brief(loss) + " nats";
  }
  // "Back to batch 50, at the rate 0.003".
  [[nodiscard]] std::string way_back() const {
    const int good = count(Column::good_step);
    return (good > 0 ? "Back to batch " + std::to_string(good) : std::string("Back to the start")) + ", at the rate " +
           brief(run(Column::back_rate));
  }
  [[nodiscard]] bool known() const { return trace.find("target") != nullptr; }
  [[nodiscard]] const std::vector<std::string>& source() const { return trace.at("source").column_labels; }
  // With [STOP] at its end, where it came.
  [[nodiscard]] const std::vector<std::string>& written() const { return trace.at("written").column_labels; }
  [[nodiscard]] int rows() const { return trace.at("probabilities").rows(); }
  // The output letter that is looked at, from 0.
  [[nodiscard]] int row() const { return std::min(state.letter, rows()) - 1; }
  // The source's place with the largest weight.
  [[nodiscard]] int looks_at(int place) const { return largest_in(trace.at("weights").values, place); }
  // What of its tensors is the model's, with attention or without; null where there is nothing of it.
  [[nodiscard]] const Writing& writing(int model) const { return kWritings[model == model_of(state) ? 0 : 1]; }
  // What all that is read goes through, without attention.
  [[nodiscard]] std::string vector() const { return std::to_string(2 * state.hidden) + " numbers, whatever it reads"; }
  // What the model takes a letter for at a place of the output; 0 where it has stopped before.
  [[nodiscard]] double likely(std::string_view tensor, int place, int letter) const {
    return place < trace.at(tensor).rows() ? at(tensor, place, letter) : 0;
  }
  // The letter of the output that is followed through the training.
  [[nodiscard]] Watched watched() const;
  // Whether the record lingers at it.
  [[nodiscard]] bool is_mistake(int place) const {
    const Tensor* right = trace.find("right_" + std::to_string(kMoments[kLingers]));
    return right != nullptr && place >= 0 && place < right->columns() && right->values(0, place) == 0;
  }
  // The places that are wrong; none where that is not known.
  [[nodiscard]] std::vector<int> wrong(int model) const;
};

// As it is said of, or written by itself.
inline std::string told_letter(const std::string& letter) { return letter == "[STOP]" ? "■" : shown(letter); }
// "badc", without [STOP]; "b□dc", where a token is no letter.
std::string joined(const std::vector<std::string>& words);
// "the letters from the last to the first".
std::string_view rule_of(Subject subject);
inline constexpr const char* kNext = " Next: Caption, where it looks at pictures.";
inline std::string unit_of(Subject subject) { return subject == Subject::dates ? "date" : "word"; }
std::string batches(int count);
// What one is, and what it does to the weights.
std::string of_a_batch(const Told& t);
// How the light lies in these weights; nothing without.
std::string told_light(const Tensor* weights);
// "“thgilemil”, every letter right"
std::string written_now(const Told& t);

}  // namespace limelight::scenes::train
