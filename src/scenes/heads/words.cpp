// Heads in words: narration, the question, where it comes from. Every number comes from the trace.
#include <set>

#include "core/analysis.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "learn/english.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {
constexpr double kRounding = 1e-5;

double only(const Trace& trace, std::string_view tensor) { return static_cast<double>(trace.at(tensor).values(0, 0)); }
// Of the whole output's length.
double share_of(const Trace& trace, double length) {
  const double size = only(trace, "size");
  return size > 0 ? length / size : 0;
}

// The keys that share the largest weight of a row, but for rounding.
std::vector<int> best_of(const Matrix& weights, int row) {
  std::vector<int> best;
  for (int j = 0; j < weights.cols(); ++j)
    if (weights(row, j) >= weights.row(row).maxCoeff() - 1e-5F) best.push_back(j);
  return best;
}

// Whether the row's weights are equal at all keys that it sees, of several.
bool is_even(const State& state, const std::vector<int>& best, int row) {
  return best.size() > 1 && static_cast<Eigen::Index>(best.size()) == allowed(state).row(row).count();
}

std::string asker(const State& state) { return bold(label_of(query_words(state), query_row(state))); }

std::string blind_words(const State& state) {
  return asker(state) + " sees nothing, since the mask hides its whole row: all its weights are 0, in every head";
}

bool is_blind(const State& state) { return allowed(state).row(query_row(state)).count() == 0; }

// Where a head looks from a row: "mostly to The (90 %)", "alike to I and ate (33 % each)", "to all words alike".
std::string gaze(const State& state, const Tensor& A, int row) {
  const std::vector<int> best = best_of(A.values, row);
  const std::string share =
      " (" + percent(static_cast<double>(A.values(row, best[0]))) + (best.size() == 1 ? ")" : " each)");
  if (is_even(state, best, row))
    return (allowed(state).row(row).all() ? "to all words alike" : "to all words it sees alike") + share;
  constexpr std::size_t most = 3;
  if (best.size() > most) return "mostly to " + io::count_of(std::ssize(best), "word") + " alike" + share;
  std::vector<std::string> names;
  for (const int j : best) names.push_back(bold(label_of(A.column_labels, j)));
  return (best.size() == 1 ? "mostly to " : "alike to ") + io::all_of(names) + share;
}

std::string head_bold(int head) { return "**head " + std::to_string(head + 1) + "**"; }

// How many words some head looks at most from this row.
int words_seen(const State& state, const Trace& trace, int row) {
  std::set<int> seen;
  for (int h = 0; h < state.heads; ++h) {
    const std::vector<int> best = best_of(trace.at(of_head("A", h)).values, row);
    if (!is_even(state, best, row)) seen.insert(best.begin(), best.end());
  }
  return static_cast<int>(seen.size());
}

// Whether a head's weights are constructed, set by hand, or come from Q and K.
std::string origin_of(const State& state, int head) {
  const Pattern pattern = pattern_of(state, head);
  if (pattern == Pattern::computed && state.trained) return " They are **trained**: nobody told them where to look.";
  return " Head " + std::to_string(head + 1) +
         (pattern == Pattern::hand       ? " is set by hand."
          : pattern != Pattern::computed ? " is constructed, not trained."
                                         : " is computed from matrices drawn at random.");
}

// "80 % of the light of head 2": what a causal mask would take.
std::string later_light(const State& state, const Trace& trace) {
  const int head = masked_head(state, trace);
  return bold(percent(static_cast<double>(later_share(trace.at(of_head("A", head)).values)))) + " of the light of " +
         head_bold(head);
}

// Of two verbs that differ in number alone what it is in the first.
std::string number_of(const std::string& right, const std::string& wrong) {
  const std::optional<int> one = learn::english::find(right), other = learn::english::find(wrong);
  if (!one || !other || learn::english::other_number(*one) != other) return {};
  return std::string(", ") + (learn::english::is_plural(*one) ? "a plural" : "a singular") + ": so " + quoted(right);
}

}  // namespace

std::string tell_one(const State& state, const Trace& trace) {
  if (is_blind(state)) return blind_words(state) + ".";
  const int row = query_row(state);
  const Tensor& mean = trace.at("A_mean");
  const std::string word = asker(state), all = percent(static_cast<double>(mean.values.row(row).maxCoeff()));
  if (state.heads == 1)
    return "**One head** is one lamp over the sentence: from " + word + " it looks " + gaze(state, mean, row) + ".";
  if (only(trace, "apart") < kRounding)
    return "All heads look alike here, so **one lamp** does what " + io::count_of(state.heads, "head") + " do.";
  if (state.head == 0)
    return "If **one lamp** had to do the work of all " + std::to_string(state.heads) +
           " heads at once, the nearest it comes is their average: from " + word + " no word gets more than " +
           bold(all) +
           ". With a lamp for each **head** a word gets what an outline shows: the most that one head gives it.";
  const int served = chosen_head(state);
  return "One lamp, turned to what " + head_bold(served) + " asks, looks from " + word + " " +
         gaze(state, trace.at(of_head("A", served)), row) + ". What the others would light stays dark: one lamp, " +
         "**one question at a time**.";
}

std::string tell_split(const State& state, const Trace&) {
  const std::string size = std::to_string(sizes(state).head), d = std::to_string(sizes(state).model);
  return "**Before any lamp is lit**, " + asker(state) +
         " gets from its numbers X a **query**, a **key** and a **value**: a row of " + d +
         " numbers each. Every row is cut into " + bold(io::count_of(state.heads, "head")) + ", " + d + " ÷ " +
         std::to_string(state.heads) + " = " + bold(size) + (state.heads == 1 ? "." : " numbers for each.") +
         (state.crossed() ? " Keys and values come from the second sentence." : "");
}

std::string tell_weights(const State& state, const Trace& trace) {
  if (is_blind(state)) return blind_words(state) + ".";
  const int row = query_row(state), head = lit_head(state, trace), seen = words_seen(state, trace, row);
  std::string text = "**Head " + std::to_string(head + 1) + "** looks from " + asker(state) + " " +
                     gaze(state, trace.at(of_head("A", head)), row) + ".";
  const std::string others = seen == 0 ? "no word more than another" : io::count_of(seen, "word") + " at once";
  if (state.heads > 1)
    text += seen == 1 ? " The others look there, too."
                      : " At the same moment the others look elsewhere: **" + others + "**.";
  return text + origin_of(state, head);
}

std::string tell_outputs(const State& state, const Trace& trace) {
  if (is_blind(state)) return blind_words(state) + ", and its outputs too.";
  const int head = lit_head(state, trace);
  return "Each word holds " + io::count_of(sizes(state).head, "number") + " for " + head_bold(head) +
         ", its **value**. From " + asker(state) + " that head looks " +
         gaze(state, trace.at(of_head("A", head)), query_row(state)) +
         ": it multiplies each value by its light and adds them up. That is its **output**." +
         (state.heads == 1 ? "" : " The other heads mix their own.");
}

std::string tell_join(const State& state, const Trace& trace) {
  const std::string model = std::to_string(sizes(state).model);
  const std::string numbers = io::count_of(sizes(state).head, "output");
  if (state.mixing == Mixing::identity && state.W_O.cells.empty())
    return "W_O is the identity here: each number of the output is one head’s, so what stands side by side stays as it "
           "is.";
  return "How **one number** of the output for " + asker(state) + " comes about: each head takes its " + numbers +
         " times the cells of W_O below, and adds them up. The " + bold(io::count_of(state.heads, "part")) +
         ", one after the other" + (trace.find("b_O") == nullptr ? "" : ", and a bias, a learned number,") +
         " end at the pink bar. So do all " + model +
         ", each with its own column of W_O: now **every number draws on all heads**.";
}

std::string tell_mask(const State& state, const Trace& trace) {
  const Matrix& M = trace.at("M").values;
  const auto hidden = static_cast<int>(M.size() - static_cast<Eigen::Index>(M.sum()));
  const std::vector<int> blind = fully_masked_rows(trace.at("A_mean").values);
  static constexpr std::string_view how[] = {
      "", "No mask", "The **causal mask** lets a word see itself and what is before",
      "The **padding mask** hides the keys after the first ", "The **window mask** shows keys up to "};
  if (as_masked(state).mask != state.mask)
    return "A model that writes guesses each next word, and must **not see it** beforehand. A **causal mask** hides "
           "from "
           "every word what comes later: " +
           later_light(state, trace) +
           " fell there, and now goes to earlier words. The other steps show no mask: this model fills gaps, and "
           "reads both ways.";
  std::string text(how[std::max(static_cast<int>(state.mask), 1)]);
  if (state.mask == Masking::padding)
    text = state.length == 0 ? "The **padding mask** hides every key" : text + std::to_string(state.length);
  if (state.mask == Masking::window) text += std::to_string(state.window) + " to either side";
  const std::string all = io::count_of(M.size(), "pair");
  if (hidden > 0)
    text += ": " + (hidden == M.size() ? "all " : std::to_string(hidden) + " of ") + all +
            (hidden == 1 ? " is" : " are") + " hidden, the same in every head.";
  else
    text += ": every query sees every key in all heads, " + all + ".";
  if (!blind.empty())
    text += " " + bold(label_of(query_words(state), blind[0])) +
            (blind.size() > 1 ? " and " + std::to_string(blind.size() - 1) + " more words see" : " sees") +
            " nothing: 0 ÷ 0 is no number, so weights and output are 0 here.";
  return text;
}

std::string tell_without(const State& state, const Trace& trace) {
  const Matrix& part = trace.at("part").values;
  if (only(trace, "size") == 0) return "The whole output is 0 here, so switching heads off changes nothing.";
  Eigen::Index most = 0;
  part.row(0).maxCoeff(&most);
  std::string list;
  int off = 0;
  for (int h = 0; h < state.heads; ++h)
    if (state.off[static_cast<std::size_t>(h)]) list += (off++ == 0 ? "" : ", ") + std::to_string(h + 1);
  if (off > 0) {
    const std::string without = std::string(off == 1 ? "head " : "heads ") + bold(list),
                      moved = " changes by " + bold(percent(share_of(trace, only(trace, "change")))) +
                              (off < state.heads ? "."
                               : state.trained   ? ": only the bias is left."
                                                 : ": nothing is left.");
    const Tensor* best = trace.find(kBest);
    const int head = only_off(state);
    if (best == nullptr)
      return "Without " + without + " the output" + moved +
             (head < 0 ? ""
                       : " From " + asker(state) + " it looks " +
                             gaze(state, trace.at(of_head("A", head)), query_row(state)) + ".");
    const Tensor& found = trace.at(kFound);
    const std::string &right = found.row_labels[0], &all = best->column_labels[0], &now = best->column_labels[1];
    const auto likely = [](const Tensor& of, int who) {
      return " (" + percent(static_cast<double>(of.values(0, who))) + ")";
    };
    return "Cover " + bold(right) + ", and the model guesses it: with all heads " + bold(quoted(all)) +
           likely(*best, 0) + (all == right ? ", which is right" : "") + "; without " + without + ", " +
           (now == all ? "still " : "") + bold(quoted(now)) + likely(*best, 1) + "." +
           (head < 0 ? ""
                     : " From the covered place that head looks " + gaze(state, trace.at(kLooked), 0) +
                           (is_loss(trace) ? number_of(all, now) : "") + ".") +
           ((found.values.row(0).tail(state.heads).array() > found.values(0, 0)).any()
                ? " Some cuts make " + quoted(right) + " likelier: heads can mislead, too."
                : "");
  }
  if (state.heads == 1) return "There is a single head: switched off, it leaves an output of 0 everywhere.";
  return "Without head " + bold(std::to_string(most + 1)) + " the output would move most, by " +
         io::format_short(static_cast<double>(part(0, most))) + ", " +
         percent(share_of(trace, static_cast<double>(part(0, most)))) +
         " of its length. Michel et al. 2019 found that trained models can do without many of their heads.";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (trace.find("Q") == nullptr) return words_of(view.missing.value_or(Missing{.label = std::string(kAwaited)}));
  const State asked = as_looked_at(state, view);
  return row_at(view.place).shows.tell(asked, trace);
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (state.heads == 1 || trace.find("Q") == nullptr) return std::nullopt;
  if (!state.alike && only(trace, "apart") < kRounding) return std::nullopt;  // they look alike already
  Question question{
      "One head with the mean of the heads’ weights misses the layer’s output. Let all heads look the way head 1 does. "
      "By how much does it miss now?",
      {"by 0", "by as much", "by more"},
      0,
      "By **0**, but for rounding: with one A for all, the heads’ outputs side by side are A V, which is what **one "
      "head** with all of V gives. Several heads are worth it only where they look in **different ways**."};
  question.reveal = {{"alike", "on"}};
  if (state.alike) {
    question.back = {"alike", "off"};
    question.back_label = "Each its own again";
  }
  return question;
}

std::string provenance(const State& state) {
  bool constructed = false;
  for (int h = 0; h < state.heads; ++h) constructed = constructed || pattern_of(state, h) != Pattern::computed;
  std::string text = "Trained: layer " + std::to_string(state.layer) +
                     " of the encoder of the scene Sentence, which learned generated English. X is what enters that "
                     "layer’s attention.";
  if (!state.trained)
    text = "Not trained: embeddings made from the spelling, matrices drawn at random from the seed" +
           std::string(constructed ? ", the heads’ patterns constructed." : ".") +
           " The article’s “What’s Next? Multi-Head Attention!”.";
  return text + " Vaswani et al. 2017, §3.2.2; switching heads off: Michel et al. 2019." +
         (state.edited() ? " **Edited by you.**" : "");
}

}  // namespace limelight::scenes::heads
