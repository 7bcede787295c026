#include "scenes/sentence/runs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "io/pretrained.h"

namespace limelight::scenes::sentence {
namespace {

std::vector<HeadPlace> heads_off(const State& state, const Reader& reader) {
  std::vector<HeadPlace> list;
  for (const auto& [cell, value] : state.off.cells)
    if (value != 0 && cell.first < reader.layers() && cell.second < reader.heads())
      list.push_back({cell.first, cell.second});
  return list;
}

// The experiments: the probability of the truth at the first hidden place without each head, and without each word.
class Experiments {
 public:
  Experiments(Reader reader, Task task, const Reading& base)
      : reader_(std::move(reader)),
        task_(std::move(task)),
        before_(base.guesses.front().truth),
        importance_(Matrix::Zero(reader_.layers(), reader_.heads())),
        erasure_(Matrix::Zero(1, std::ssize(task_.tokens))) {}

  [[nodiscard]] int total() const { return static_cast<int>(importance_.size() + erasure_.size()); }

  // The i-th of them.
  void step(int i) {
    if (i < importance_.size()) {
      Task task = task_;
      task.off.push_back({i / reader_.heads(), i % reader_.heads()});
      importance_.data()[i] = change(task);
      return;
    }
    const int place = i - static_cast<int>(importance_.size());
    Task task = task_;
    const int target = task.hidden.front();
    if (place < kFirst || std::ranges::find(task.hidden, place) != task.hidden.end()) return;
    if (reader_.causal()) {  // has no mask: the token is left out
      if (place > target || target < 2) return;
      task.tokens.erase(task.tokens.begin() + place);
      for (int& hidden : task.hidden) hidden -= hidden > place ? 1 : 0;
    } else {
      task.hidden.push_back(place);
    }
    erasure_(0, place) = change(task);
  }

  void show(Trace& results) const {
    results = {};
    results.add("importance", importance_);
    results.add("erasure", erasure_);
    Task without = task_;
    const std::vector<HeadPlace> needed = needed_in(importance_);
    if (needed.empty()) return;
    Matrix left(1, std::ssize(needed));
    Reading last;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      without.off.push_back(needed[i]);
      last = reader_.read(without);
      left(0, static_cast<Eigen::Index>(i)) = last.guesses.empty() ? 0.F : last.guesses.front().truth;
    }
    results.add("needed", std::move(left));
    add_answers(results, last, "_needed");
  }

 private:
  [[nodiscard]] float change(const Task& task) const {
    const Reading reading = reader_.read(task);
    return reading.guesses.empty() ? 0.F : reading.guesses.front().truth - before_;
  }

  Reader reader_;
  Task task_;
  float before_;
  Matrix importance_, erasure_;
};

// Of weights alone: what all heads look like, layer by layer.
std::unique_ptr<Job> look_at(const State& state, std::shared_ptr<const OwnWeights> own) {
  auto names = std::make_shared<const io::TokenLine>(name_tokens(state, *own).names);
  auto job = std::make_unique<Job>();
  job->snapshot.total = own->layers;
  job->snapshot.unit = "layers";
  job->step = [own = std::move(own), names = std::move(names),
               summary = std::make_shared<Summary>()](JobSnapshot& now) {
    summary->add_layer(stack_of(*own, *names));
    if (++now.done < now.total) return;
    summary->finish();
    now.product = std::shared_ptr<const Summary>(summary);
  };
  return job;
}

}  // namespace

std::vector<std::string> texts_of(const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

Stack stack_of(const Reading& reading, const std::vector<std::string>& words) {
  Stack stack{static_cast<int>(reading.blocks.size()), static_cast<int>(reading.blocks.front().weights.size()), words,
              words};
  for (const BlockSteps& block : reading.blocks)
    for (const Matrix& weights : block.weights) stack.weights.push_back(&weights);
  return stack;
}

Stack stack_of(const OwnWeights& own, const io::TokenLine& names) {
  Stack stack{own.layers, own.heads, names.queries, names.keys};
  for (const Matrix& weights : own.weights) stack.weights.push_back(&weights);
  return stack;
}

Named name_tokens(const State& state, const OwnWeights& own) {
  Named made{{own.queries, own.keys}, {}};
  const auto counted = [](const std::vector<std::string>& names) {
    return names.front() == "1" && names.back() == std::to_string(names.size());
  };
  if (state.tokens.find_first_not_of(" \t") != std::string::npos) {
    if (Result<io::TokenLine> names = io::read_token_line(state.tokens, own))
      made.names = std::move(*names);
    else
      made.note = names.error().message;
  } else if (counted(own.queries) && counted(own.keys)) {
    made.note = own.label + " names no tokens: type or paste names for its " + io::tokens_of(own) +
                (own.queries.size() == own.keys.size() ? "." : ", with | between.");
  }
  return made;
}

std::optional<Reader> reader_of(const State& state, const Inputs& inputs) {
  if (!state.own.empty()) {
    std::shared_ptr<const OwnModel> model = inputs.own_one<OwnModel>(state.own);
    return model ? std::optional(Reader(std::move(model))) : std::nullopt;
  }
  const auto* encoder = inputs.resource<trained::Encoder>(trained::kEncoder.name);
  return encoder == nullptr ? std::nullopt : std::optional(Reader(*encoder));
}

std::vector<int> hidden_places(const State& state, int count) {
  std::vector<int> places;
  for (const auto& [cell, value] : state.hidden.cells)
    if (value != 0 && cell.second >= kFirst && cell.second < count) places.push_back(cell.second);
  return places;
}

bool is_tried(const State& state, const Runs& runs) {
  return (state.own.empty() || state.tried) && runs.predicts && !runs.base.guesses.empty() &&
         runs.base.guesses.front().truth >= 0;
}

Result<Work> Work::start(const State& state, Reader reader) {
  Work work(std::move(reader));
  Result<std::vector<Token>> tokens = work.reader_.tokens(state.read());
  if (!tokens) return std::unexpected(tokens.error());
  const int count = static_cast<int>(tokens->size());
  Runs& runs = *work.runs_;
  runs.tokens = *tokens;
  runs.causal = work.reader_.causal();
  runs.predicts = work.reader_.predicts();
  if (work.reader_.hides()) runs.hidden = hidden_places(state, count);
  const Task base{.tokens = std::move(*tokens), .hidden = runs.hidden, .off = {}};
  work.tasks_.push_back(base);
  if (!state.instead.empty() && state.place >= kFirst && state.place < count) {
    Task task = base;
    if (Result<Token> one = work.reader_.one(task.tokens, state.place, state.instead)) {
      task.tokens[static_cast<std::size_t>(state.place)] = std::move(*one);
      std::erase(task.hidden, state.place);
      work.tasks_.push_back(std::move(task));
      work.others_.push_back(&Runs::swapped);
    } else {
      runs.swap_refused = one.error().message;
    }
  }
  if (state.preset == Preset::animal && state.own.empty()) {
    Task task = base;
    task.tokens[kTired] = *work.reader_.one(task.tokens, kTired, kControl);
    work.tasks_.push_back(std::move(task));
    work.others_.push_back(&Runs::asked);
  }
  if (std::vector<HeadPlace> off = heads_off(state, work.reader_); !off.empty()) {
    Task task = base;
    task.off = std::move(off);
    work.tasks_.push_back(std::move(task));
    work.others_.push_back(&Runs::without);
  }
  const auto bytes = static_cast<std::uint64_t>(work.tasks_.size()) *
                     static_cast<std::uint64_t>(work.reader_.layers()) *
                     static_cast<std::uint64_t>(work.reader_.heads()) * static_cast<std::uint64_t>(count) *
                     static_cast<std::uint64_t>(count) * sizeof(float);
  if (Result<void> room = io::check_room(bytes, "What all heads give " + std::to_string(count) + " tokens"); !room)
    return std::unexpected(room.error());
  return work;
}

bool Work::step() {
  if (at_ == tasks_.size()) return false;
  const Task& task = tasks_[at_];
  if (!run_) run_.emplace(reader_.begin(task));
  if (run_->step()) return true;
  Reading reading = reader_.finish(task, std::move(run_->steps()));
  run_.reset();
  if (at_ == 0) {
    const std::vector<std::string> words = texts_of(reading.tokens);
    if (reading.finite) runs_->summary = summarise(stack_of(reading, words));
    runs_->base = std::move(reading);
  } else {
    (*runs_).*others_[at_ - 1] = std::move(reading);
  }
  ++at_;
  return at_ < tasks_.size();
}

bool starts_job(const State&) { return true; }

// A model of the reader's own is read and, where wanted, tried; the encoder, read at once where shown, only tried.
std::unique_ptr<Job> job(const State& state, const Inputs& inputs) {
  if (std::shared_ptr<const OwnWeights> own = inputs.own_one<OwnWeights>(state.own))
    return look_at(state, std::move(own));
  std::optional<Reader> reader = reader_of(state, inputs);
  if (!reader) return nullptr;
  Result<Work> begun = Work::start(state, std::move(*reader));
  if (!begun) return nullptr;
  struct Made {
    Work work;
    bool read = false;
    std::optional<Experiments> experiments{};
  };
  auto made = std::make_shared<Made>(std::move(*begun));
  const auto begin_experiments = [made, state](JobSnapshot& snapshot) {
    if (!is_tried(state, made->work.runs())) return;
    made->experiments.emplace(made->work.reader(), made->work.base(), made->work.runs().base);
    snapshot.total += made->experiments->total();
  };
  auto job = std::make_unique<Job>();
  JobSnapshot& snapshot = job->snapshot;
  if (state.own.empty()) {
    while (made->work.step()) {
    }
    made->read = true;
    begin_experiments(snapshot);
    if (snapshot.total == 0) return nullptr;
  } else {
    snapshot.total = made->work.total();
  }
  snapshot.unit = "steps";
  const int reading = state.own.empty() ? 0 : snapshot.total;
  job->step = [made, begin_experiments, reading](JobSnapshot& now) {
    if (!made->read) {
      made->read = !made->work.step();
      ++now.done;
      if (!made->read) return;
      now.done = reading;
      now.product = made->work.share();
      ++now.revision;
      begin_experiments(now);
      return;
    }
    made->experiments->step(now.done - reading);
    ++now.done;
    if (now.finished()) made->experiments->show(now.results);
  };
  return job;
}

}  // namespace limelight::scenes::sentence
