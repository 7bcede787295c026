// Heads' state: its examples, what a change brings with it, what is refused.
#include <algorithm>

#include "io/utf8.h"
#include "scenes/common/by_hand.h"
#include "scenes/common/words.h"
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {
namespace {

using Labels = std::vector<std::string>;

Result<void> check_words(std::string_view what, std::string_view role, std::string_view text, bool trained) {
  std::size_t count = io::split_words(text).size();
  if (trained && count > 0) {
    const Result<std::vector<std::string>> read = trained::kReader.words(text);
    if (!read) return std::unexpected(read.error());
    count = read->size();
  }
  return scenes::check_words(what, role, text, count,
                             {kMostWords, kMostBytes, trained ? ", [START] and a full stop among them" : ""});
}

// What the trained layer leaves no choice of.
Result<void> check_trained(const State& state) {
  const State fresh;
  const std::string heads = std::to_string(trained::kHeads);
  const auto is_set = [](Pattern pattern) { return pattern != Pattern::computed; };
  const std::pair<bool, std::string> refused[] = {
      {state.crossed(),
       "The trained encoder reads one sentence, so there is no cross-attention with its matrices; choose self,"},
      {state.heads != trained::kHeads, "Each layer of the trained encoder has " + heads + " heads, and " +
                                           std::to_string(state.heads) + " were asked for; choose " + heads + ","},
      {state.d_model != fresh.d_model,
       "Size d is for matrices that are drawn at random; choose the trained encoder’s " +
           std::to_string(trained::kSize) + " numbers for each word,"},
      {std::ranges::any_of(state.patterns, is_set),
       "The trained heads look where their own Q and K say; leave every head at “Q Kᵀ”,"},
      {state.mixing != fresh.mixing, "W_O is trained as well, so it cannot be the identity; choose random,"}};
  for (const auto& [is_so, why] : refused)
    if (is_so) return fail(why + " or leave the trained matrices off.");
  return {};
}

Result<void> check_heads(const State& state) {
  if (state.trained) return check_trained(state);
  if (state.d_model % state.heads == 0) return {};
  const std::string heads = std::to_string(state.heads), size = std::to_string(state.d_model);
  std::vector<std::string> fitting;
  for (int count = 1; count <= kMostHeads; ++count)
    if (state.d_model % count == 0) fitting.push_back(std::to_string(count));
  return fail("The model size " + size + " cannot be cut into " + heads + " equal heads: " + size + " ÷ " + heads +
              " is not whole; equal heads are " + io::all_of(fitting) + ", or choose a size that " + heads +
              " divides.");
}

// Weights that the mask now hides, and rows that nothing is left to share in, are no longer set by hand.
void drop_hidden_weights(State& state) {
  for (io::CellEdits& edits : state.weights) by_hand::drop_hidden(edits, allowed(state));
}

constexpr std::string_view kCat = "The cat sat on the mat.", kDog = "The dog lay on the rug.";
constexpr std::string_view kAte = "I ate an apple.", kMange = "J’ai mangé une pomme.";
constexpr std::pair<std::string_view, std::string_view> kSentences[] = {  // of the presets, and their second ones
    {"The cat likes the dogs because they are happy.", kDog},
    {"The tired cat sat on the red sofa.", kDog},
    {kCat, kDog},
    {kAte, kMange},
    {kMange, kAte},
    {"", ""}};

bool begins_trained(Preset preset) { return preset == Preset::sofa || preset == Preset::agreement; }

}  // namespace

State State::example() const {
  using enum Pattern;
  State state;
  state.preset = preset, state.trained = begins_trained(preset);
  if (state.trained && trained) {
    if (preset == Preset::sofa) state.query = 6, state.off = {false, false, false, false, false, true};
    return state;
  }
  // Off is here the head that moves the output most.
  state.off = {preset == Preset::apple, preset == Preset::cat, preset == Preset::crossed};
  state.heads = 4;
  state.patterns = {previous, same, first};
  static constexpr int kQueries[] = {7, 3, 2, 1, 1, 0};  // of the presets
  state.query = kQueries[static_cast<int>(preset)];
  if (preset == Preset::apple) state.heads = 2, state.patterns = {};
  if (preset == Preset::crossed)
    state.attention = Kind::cross, state.patterns = {computed, Pattern::window, first, computed};
  if (preset == Preset::own)
    state.text = "words that you type look at each other", state.other = "another sentence answers";
  if (trained) ++state.query;  // [START] is before it
  return state;
}

void State::changed(std::string_view field) {
  const auto clear = [&] {
    X = Z = W_Q = W_K = W_V = W_O = M = {};
    weights = {};
  };
  if (field == "preset") {
    const bool stays = stays_trained && preset != Preset::crossed && !begins_trained(preset);
    const int old_layer = layer;
    trained = begins_trained(preset);
    *this = example();
    if (!stays) return;
    trained = true, layer = old_layer;
    changed("trained");
  } else if (field == "trained") {
    stays_trained = trained;
    const State fresh = example();
    clear();
    attention = trained ? Kind::self : fresh.attention;
    heads = trained ? trained::kHeads : fresh.heads;
    patterns = trained ? decltype(patterns){} : fresh.patterns;  // all computed
    d_model = fresh.d_model, mixing = fresh.mixing, off = fresh.off, query = fresh.query;
    head = std::min(head, heads);
  } else if (field == "text" || field == "other") {
    // Typing makes both one's own; the sentence that was not typed stays.
    if (preset != Preset::own) {
      (field == "text" ? other : text) = field == "text" ? other_sentence() : sentence();
      preset = Preset::own;
    }
    clear();
    query = trained ? 1 : 0;
  } else if (field == "layer" || field == "attention") {
    clear();
  } else if (field == "d_model" || field == "seed") {
    X = Z = W_Q = W_K = W_V = W_O = {};
  } else if (field == "mixing") {
    W_O = {};
  } else if (field == "heads") {
    head = std::min(head, heads);
  } else if (field == "mask") {
    M = {};
    drop_hidden_weights(*this);
  } else if (field == "length" || field == "window" || field == "M") {
    // A cell outside is told of by check().
    const Sizes size = sizes(*this);
    if (M.check("M", size.queries, size.keys)) drop_hidden_weights(*this);
  } else {
    for (int h = 0; h < kMostHeads; ++h)
      if (field == of_head("head", h)) weights[static_cast<std::size_t>(h)] = {};
  }
}

Result<void> State::check() const {
  if (preset == Preset::own) {
    if (Result<void> asking = check_words("The sentence", "its words ask", text, trained); !asking) return asking;
    if (Result<void> asked =
            check_words("The second sentence", "cross-attention takes keys and values from it", other, false);
        !asked)
      return asked;
  }
  if (Result<void> divided = check_heads(*this); !divided) return divided;
  const Sizes size = sizes(*this);
  struct Cells {
    const char* name;
    const io::CellEdits& edits;
    int rows, columns;
  };
  const int inputs = size.model + (trained ? 1 : 0);  // with the 1 for the biases
  const int others = static_cast<int>(other_words(*this).size());
  const Cells cells[] = {{"M", M, size.queries, size.keys},   {"X", X, size.queries, inputs},
                         {"Z", Z, others, d_model},           {"W_Q", W_Q, inputs, size.model},
                         {"W_K", W_K, inputs, size.model},    {"W_V", W_V, inputs, size.model},
                         {"W_O", W_O, size.model, size.model}};
  for (const Cells& c : cells)
    if (Result<void> inside = c.edits.check(c.name, c.rows, c.columns); !inside) return inside;
  for (const auto& [cell, value] : M.cells)
    if (value != 0 && value != 1)
      return fail("A cell of the mask is " + io::format_short(static_cast<double>(value)) +
                  "; it is 0, hidden, or 1, seen.");
  for (int h = 0; h < kMostHeads; ++h)
    if (Result<void> set = by_hand::check(weights[static_cast<std::size_t>(h)], of_head("A", h), allowed(*this),
                                          query_words(*this), key_words(*this));
        !set)
      return set;
  return {};
}

std::string_view State::sentence() const { return kSentences[static_cast<int>(preset)].first; }
std::string_view State::other_sentence() const { return kSentences[static_cast<int>(preset)].second; }

bool State::edited() const {
  const auto filled = [](const io::CellEdits& edits) { return !edits.cells.empty(); };
  return std::ranges::any_of(weights, filled) || filled(X) || filled(Z) || filled(M) || filled(W_Q) || filled(W_K) ||
         filled(W_V) || filled(W_O);
}

Labels query_words(const State& state) {
  const std::string_view text = state.preset == Preset::own ? std::string_view(state.text) : state.sentence();
  return state.trained ? trained::kReader.words(text).value_or(Labels{}) : io::split_words(text);
}
Labels other_words(const State& state) {
  return io::split_words(state.preset == Preset::own ? std::string_view(state.other) : state.other_sentence());
}
Labels key_words(const State& state) { return state.crossed() ? other_words(state) : query_words(state); }

Sizes sizes(const State& state) {
  const int model = state.trained ? trained::kSize : state.d_model;
  return {static_cast<int>(query_words(state).size()), static_cast<int>(key_words(state).size()), model,
          model / state.heads};
}

int query_row(const State& state) { return std::min(state.query, sizes(state).queries - 1); }
int chosen_head(const State& state) { return std::clamp(state.head, 1, state.heads) - 1; }

int only_off(const State& state) {
  const auto heads = std::span(state.off).first(static_cast<std::size_t>(state.heads));
  return std::ranges::count(heads, true) == 1 ? static_cast<int>(std::ranges::find(heads, true) - heads.begin()) : -1;
}

bool is_cut(const State& state) {
  return std::ranges::any_of(std::span(state.off).first(static_cast<std::size_t>(state.heads)), std::identity());
}

int covered_word(const State& state) { return std::max(query_row(state), 1); }

Pattern pattern_of(const State& state, int head) {
  return state.patterns[static_cast<std::size_t>(state.alike ? 0 : head)];
}

bool allowed_unpainted(const State& state, int row, int column) {
  if (state.mask == Masking::causal) return Mask::causal().allows(row, column);
  if (state.mask == Masking::padding) return Mask::length(state.length).allows(row, column);
  return state.mask <= Masking::none || Mask::window(state.window).allows(row, column);
}

State as_masked(State state) {
  if (state.mask == Masking::shown && state.M.cells.empty() && !state.crossed()) state.mask = Masking::causal;
  return state;
}

BoolMatrix allowed(const State& state) {
  const Sizes size = sizes(state);
  BoolMatrix seen(size.queries, size.keys);
  for (int i = 0; i < size.queries; ++i)
    for (int j = 0; j < size.keys; ++j) seen(i, j) = allowed_unpainted(state, i, j);
  for (const auto& [cell, value] : state.M.cells) seen(cell.first, cell.second) = value != 0;
  return seen;
}

std::string of_head(std::string_view one, int head) { return std::string(one) + "_" + std::to_string(head + 1); }

HeadTensor read_name(std::string_view name) {
  const std::size_t mark = name.find('_');
  if (mark == std::string_view::npos || mark + 2 != name.size()) return {name, -1};
  const int head = name.back() - '1';
  if (head < 0 || head >= kMostHeads) return {name, -1};
  return {name.substr(0, mark), head};
}

std::optional<io::Range> room(const State& state, std::string_view field, int row, int column) {
  const HeadTensor name = read_name(field);
  if (name.one != "A" || name.head < 0) return std::nullopt;
  return by_hand::room(state.weights[static_cast<std::size_t>(name.head)], allowed(state), row, column);
}

}  // namespace limelight::scenes::heads
