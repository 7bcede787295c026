// What Sentence's numbers are made of: a text read as it is, with a word swapped, and with heads switched off; and the
// experiments, which read it once more for every head and every word.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scenes/sentence/read.h"
#include "scenes/sentence/sentence.h"

namespace limelight::scenes::sentence {

// Of the first example, for its question: the places of "it", "animal", "street" and "tired", and what is written
// instead of that.
inline constexpr int kPronoun = 9, kAnimal = 2, kStreet = 7, kTired = 12;
inline constexpr std::string_view kControl = "red";

struct Runs {
  std::vector<Token> tokens;  // as they were typed
  Reading base;
  Summary summary;  // of it
  std::optional<Reading> swapped, without, asked;
  std::string swap_refused;  // why no word is swapped
  std::vector<int> hidden;   // places
  bool causal = false, predicts = true;
};

// What a reading says at its hidden places: "guess_i" and "truth_i", with `name` before the place.
void add_answers(Trace& trace, const Reading& reading, const std::string& name);
// Their weights; `words` are the tokens' texts.
Stack stack_of(const Reading& reading, const std::vector<std::string>& words);
Stack stack_of(const OwnWeights& own, const io::TokenLine& names);
// What the state names the tokens of weights alone, or else the file; and what is to be said of that.
struct Named {
  io::TokenLine names;
  std::string note;  // empty: nothing
};
Named name_tokens(const State& state, const OwnWeights& own);
std::vector<std::string> texts_of(const std::vector<Token>& tokens);

// Nothing where the state's model is not there.
std::optional<Reader> reader_of(const State& state, const Inputs& inputs);

// Reads what a state asks for, block after block.
class Work {
 public:
  // Errors: those of reading the text.
  static Result<Work> start(const State& state, Reader reader);
  // One block. False when all is done.
  bool step();
  [[nodiscard]] int total() const { return static_cast<int>(tasks_.size()) * reader_.layers(); }
  [[nodiscard]] const Runs& runs() const { return *runs_; }
  [[nodiscard]] std::shared_ptr<const Runs> share() const { return runs_; }
  [[nodiscard]] const Reader& reader() const { return reader_; }
  [[nodiscard]] const Task& base() const { return tasks_.front(); }

 private:
  explicit Work(Reader reader) : reader_(std::move(reader)) {}

  Reader reader_;
  std::vector<Task> tasks_;  // as it is, swapped, without heads; then what `keep_` says
  std::vector<std::optional<Reading> Runs::*> others_;
  std::optional<TransformerRun> run_;
  std::size_t at_ = 0;
  std::shared_ptr<Runs> runs_ = std::make_shared<Runs>();
};

// Those that can be, in order.
std::vector<int> hidden_places(const State& state, int count);

// Whether the experiments can be made, and are wanted.
bool is_tried(const State& state, const Runs& runs);

}  // namespace limelight::scenes::sentence
