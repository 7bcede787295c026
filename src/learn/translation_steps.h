// Translating word by word, with what is set on the way, and every number that is met.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/fields.h"
#include "learn/model.h"
#include "learn/training.h"

namespace limelight::learn {

// What is not left to the decoder.
struct Steering {
  std::vector<int> forced{};     // what it reads, [STOP] at the end; empty: what it wrote
  std::optional<Matrix> s_0{};   // [1, H]
  std::optional<Matrix> only{};  // [1, D] the context of every word, where there is no attention
  bool hard = false;             // the largest score gets all
  const io::CellEdits* weights = nullptr;
  const io::CellEdits* scores = nullptr;
  const io::CellEdits* context = nullptr;
  const io::CellEdits* s = nullptr;
};

// S source words, T output words: H numbers of a state, D of a source state, A units of the scoring
// network, V words that could come.
struct Encoding {
  Matrix h;        // [S, D]
  Matrix W, U, v;  // [H, A], [D, A], [A, 1]
  Matrix keys;     // [S, A] h U
};
struct Decoding {
  std::vector<int> tokens;       // T, what was written or forced, [STOP] included where it came
  Matrix s;                      // [T + 1, H]
  Matrix query;                  // [T, A]; empty without attention, as the next two
  Matrix scores, weights;        // [T, S]
  Matrix context;                // [T, D]
  Matrix logits, probabilities;  // [T, V]
  Matrix reset, update, fresh;   // [T, H] the gates; empty where the cell has none
};

// Adds a row below the others; an empty one adds none.
void put(Matrix& matrix, const Matrix& row);
// What a row of weights, scores or numbers becomes by what is set of the row of this index.
void set_cells(Matrix& row, const io::CellEdits* edits, int index);
Matrix weigh(const Matrix& scores, const Steering& steering, int t);
Matrix softmax_of(const Matrix& logits);

// A cell has: first_state(), begin(s), query(t), scores(t, query), advance(t, previous token, context) → the next
// state, read(t, s, made) → the logits. h: [S, D]. Until `stop` is written, at most `most` words.
template <class Cell>
Decoding decode(Cell& cell, const Matrix& h, const Steering& steering, int stop, int most) {
  Decoding made;
  Matrix s = steering.s_0 ? *steering.s_0 : cell.first_state();
  set_cells(s, steering.s, 0);
  cell.begin(s);
  put(made.s, s);
  int previous = -1;  // [START]
  for (int t = 0; t < most; ++t) {
    Matrix query, scores, weights, context;
    if (steering.only) {
      context = *steering.only;
    } else {
      query = cell.query(t);
      scores = cell.scores(t, query);
      set_cells(scores, steering.scores, t);
      weights = weigh(scores, steering, t);
      context = weights * h;
    }
    set_cells(context, steering.context, t);
    s = cell.advance(t, previous, context);
    set_cells(s, steering.s, t + 1);
    const Matrix logits = cell.read(t, s, made);
    const Matrix probabilities = softmax_of(logits);
    Eigen::Index likeliest = 0;
    probabilities.row(0).maxCoeff(&likeliest);
    const auto place = static_cast<std::size_t>(t);
    previous = place < steering.forced.size() ? steering.forced[place] : static_cast<int>(likeliest);
    put(made.query, query);
    put(made.scores, scores);
    put(made.weights, weights);
    put(made.context, context);
    put(made.s, s);
    put(made.logits, logits);
    put(made.probabilities, probabilities);
    made.tokens.push_back(previous);
    if (previous == stop) break;
  }
  return made;
}

// A trained translator that has read a sentence.
class Reader {
 public:
  Reader(const Training& training, const std::vector<std::string>& words);
  Encoding encoding();  // of one with attention
  Matrix states();      // [S, D]
  Matrix context();     // [1, D] of one without attention
  Decoding decode(const Steering& steering, int most);

 private:
  const Training& training_;
  Batch batch_{};
  Tape<float> tape_{};
  ModelOf<Value> model_{};
  Encoded source_{};
};

}  // namespace limelight::learn
