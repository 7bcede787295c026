// What Train's narration, its inspector and its drawing share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/train/train.h"

namespace limelight::scenes::train {

// A token that is neither a letter nor the end; an untrained model may write one all the same.
inline bool is_control(const std::string& word) { return word == "[PAD]" || word == "[START]"; }

// A letter as it is drawn: what would be seen as nothing has a sign of its own, and so has what is no letter.
inline std::string shown(const std::string& word) { return word == " " ? "_" : is_control(word) ? "□" : word; }

struct Told {
  const State& state;
  const Trace& trace;

  [[nodiscard]] double at(std::string_view tensor, int row, int column) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
  [[nodiscard]] double run(int column) const { return run(model_of(state), column); }
  [[nodiscard]] double run(int model, int column) const { return at("run", model, column); }
  [[nodiscard]] double summary(int column) const { return at("summary", 0, column); }
  [[nodiscard]] bool begun() const { return run(Column::step) > 0; }
  [[nodiscard]] bool converged() const { return run(Column::converged) > 0; }
  [[nodiscard]] bool diverged() const { return run(Column::diverged) > 0; }
  // "312 nats", at which it diverged.
  [[nodiscard]] std::string rose_to(int model) const {
    const double loss = run(model, Column::rose_to);
    return loss < 0 ? "no number" : brief(loss) + " nats";
  }
  // "Back to batch 50, at the rate 0.003".
  [[nodiscard]] std::string way_back() const {
    const int good = count(Column::good_step);
    return (good > 0 ? "Back to batch " + std::to_string(good) : std::string("Back to the start")) + ", at the rate " +
           brief(run(Column::back_rate));
  }
  [[nodiscard]] int count(int column) const { return static_cast<int>(run(column)); }
  [[nodiscard]] bool known() const { return trace.find("target") != nullptr; }

  [[nodiscard]] const std::vector<std::string>& source() const { return trace.at("source").column_labels; }
  // With [STOP] at its end, where it came.
  [[nodiscard]] const std::vector<std::string>& written() const { return trace.at("probabilities").row_labels; }
  [[nodiscard]] int rows() const { return trace.at("probabilities").rows(); }
  // The output letter that is looked at, from 0.
  [[nodiscard]] int row() const { return std::min(state.letter, rows()) - 1; }
  // Whether this place of what is written is as it should be.
  [[nodiscard]] bool right(int place) const { return known() && at("right", 0, place) > 0; }
  // The source's place with the largest weight.
  [[nodiscard]] int looks_at(int place) const {
    Eigen::Index most = 0;
    trace.at("weights").values.row(place).maxCoeff(&most);
    return static_cast<int>(most);
  }
  // The words that are likeliest at a place, the likeliest first.
  [[nodiscard]] std::vector<int> likeliest(int place, int most) const;
};

// "badc", without [STOP]; "b□dc", where a token is no letter.
std::string joined(const std::vector<std::string>& words);
// "the letters from the last to the first".
std::string_view rule_of(Subject subject);

}  // namespace limelight::scenes::train
