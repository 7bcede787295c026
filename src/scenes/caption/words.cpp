// Caption in words: narration, the question, where its numbers come from. Every number comes from the trace.
#include <algorithm>

#include "core/sort.h"
#include "io/numbers.h"
#include "learn/caption_training.h"
#include "scenes/caption/steps.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"

namespace limelight::scenes::caption {
namespace {

namespace pictures = learn::pictures;

std::string count_of(int count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// Without [STOP], as a sentence has it; one that never stops ends in "…", and says nothing four times on end.
std::string caption_in(const Trace& trace, std::string_view tensor) {
  constexpr int most = 3;
  const std::vector<std::string>& words = words_in(trace, tensor);
  const bool cut = static_cast<int>(words.size()) == learn::captions::kMostWords && words.back() != "[STOP]";
  std::string text;
  int again = 0;
  for (std::size_t t = 0; t < words.size(); ++t) {
    again = t > 0 && words[t] == words[t - 1] ? again + 1 : 0;
    if (words[t] == "[STOP]" || (cut && again >= most)) continue;
    text += (text.empty() || words[t] == "," ? "" : " ") + words[t];
  }
  return text.empty() ? "nothing" : text + (cut ? " …" : "");
}

// How many of the largest weights make up half of a row.
int cells_of_half(const Matrix& values, int row) {
  std::vector<float> weights;
  for (const float weight : values.row(row)) weights.push_back(weight);
  heap_sort(weights, std::greater<>());
  double sum = 0;
  int count = 0;
  for (const float weight : weights) {
    if (sum >= 0.5) break;
    sum += static_cast<double>(weight);
    ++count;
  }
  return count;
}

// The objects that a cell belongs to, or the background.
std::vector<std::string> things_at(const State& state, int cell) {
  const pictures::Scene scene = scene_of(state);
  const auto belongs = pictures::cells_of(scene, state.side());
  const std::vector<std::string> names = names_of(scene);
  std::vector<std::string> things;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (belongs[i][static_cast<std::size_t>(cell)] != 0) things.push_back("the " + names[i]);
  if (things.empty()) things.emplace_back("the background");
  return things;
}

// Of a cell that belongs to none the object whose edge it sees most of; −1: of none.
int edge_at(const State& state, int cell) {
  const pictures::Scene scene = scene_of(state);
  const auto owners = pictures::owners(scene);
  std::vector<int> pixels(scene.objects.size(), 0);
  for (int pixel = 0; pixel < pictures::kPixels; ++pixel) {
    const int x = pixel % pictures::kSide * state.side() / pictures::kSide,
              y = pixel / pictures::kSide * state.side() / pictures::kSide;
    if (const int owner = owners[static_cast<std::size_t>(pixel)]; owner >= 0 && y * state.side() + x == cell)
      ++pixels[static_cast<std::size_t>(owner)];
  }
  const auto most = std::ranges::max_element(pixels);
  return most == pixels.end() || *most == 0 ? -1 : static_cast<int>(most - pixels.begin());
}

// "row 5, column 3 (on the red circle and the blue star)"
std::string spot(const State& state, int cell) {
  const std::string place = bold(place_of(cell, state.side()));
  const pictures::Scene scene = scene_of(state);
  if (scene.objects.empty()) return place;
  std::string things;
  for (const std::string& thing : things_at(state, cell)) things += (things.empty() ? "" : " and ") + thing;
  if (const int edge = edge_at(state, cell); things == "the background" && edge >= 0)
    return place + " (at the edge of the " + names_of(scene)[static_cast<std::size_t>(edge)] + ")";
  return place + " (on " + things + ")";
}

// The objects that a word of a caption speaks of, where all up to it is the world's own.
std::vector<int> meant_by(const Told& told, std::string_view tensor, int t) {
  const std::vector<std::string>& words = words_in(told.trace, tensor);
  if (!told.state.is_of_the_world()) return {};
  const pictures::Caption caption = pictures::caption(scene_of(told.state));
  const std::vector<std::string> own = labels_of(caption.words);
  const auto count = static_cast<std::size_t>(t) + 1;
  if (count > own.size() || count > words.size() || !std::equal(own.begin(), own.begin() + t + 1, words.begin()))
    return {};
  return caption.objects[count - 1];
}

// What there is to say where a look misses what its word of colour, size or shape speaks of.
std::string tell_astray(const Told& told, std::string_view tensor, int t, int cell) {
  const std::vector<int> meant = meant_by(told, tensor, t);
  const pictures::Scene scene = scene_of(told.state);
  const auto belongs = pictures::cells_of(scene, told.state.side());
  const auto is_there = [&](int object) {
    return belongs[static_cast<std::size_t>(object)][static_cast<std::size_t>(cell)] != 0;
  };
  const auto word = pictures::vocabulary().find(label_of(words_in(told.trace, tensor), t));
  if (meant.empty() || !word || !pictures::is_visual(*word) || std::ranges::any_of(meant, is_there) ||
      std::ranges::find(meant, edge_at(told.state, cell)) != meant.end())
    return {};
  return " That is **not** what the word speaks of, the " + names_of(scene)[static_cast<std::size_t>(meant.front())] +
         "; it is right all the same, because the state knew it from before.";
}

// Of a word that speaks of two things or more, what each of them gets.
std::string tell_shares(const Told& told, std::string_view weights, std::string_view chosen, int t) {
  const std::vector<int> meant = meant_by(told, chosen, t);
  if (meant.size() < 2) return {};
  const pictures::Scene scene = scene_of(told.state);
  const auto belongs = pictures::cells_of(scene, told.state.side());
  const std::vector<std::string> names = names_of(scene);
  std::string text;
  for (const int object : meant) {
    double share = 0;
    for (int cell = 0; cell < told.cells(); ++cell)
      if (belongs[static_cast<std::size_t>(object)][static_cast<std::size_t>(cell)] != 0)
        share += told.at(weights, t, cell);
    text += (text.empty() ? " the " : ", the ") + names[static_cast<std::size_t>(object)] + " gets " +
            bold(io::format_percent(share));
  }
  return (weights == "weights_soft" ? " Of soft attention’s weight" : " Of the weight") + text + ".";
}

}  // namespace

std::string tell_picture(const Told& told) {
  const std::string soft = caption_in(told.trace, "chosen_soft"), hard = caption_in(told.trace, "chosen_hard");
  std::string text = soft == hard
                         ? "Both models say " + bold("“" + soft + "”") + "."
                         : "Soft attention says " + bold("“" + soft + "”") + ", hard " + bold("“" + hard + "”") + ".";
  if (told.trace.find("truth") == nullptr)
    return text + (told.state.own.empty() && scene_of(told.state).objects.empty() && told.state.strokes.empty()
                       ? " They never saw an empty picture; it has nothing to say, but they were never taught silence."
                       : " They know only their own world, so that no caption is right or wrong here.");
  const std::string truth = caption_in(told.trace, "truth");
  if (soft == truth && hard == truth) return text + " That is right. Move, recolour or add something: they follow.";
  return text + " The world’s own caption is “" + truth + "”.";
}

std::string tell_grid(const Told& told) {
  const Tensor& features = told.trace.at("features");
  return "Three convolutions see " +
         bold(std::to_string(learn::captions::receptive_field(told.state.side())) + " × " +
              std::to_string(learn::captions::receptive_field(told.state.side())) + " pixels") +
         " at each of " + bold(std::to_string(features.rows()) + " cells") + ", and make " +
         std::to_string(features.columns()) +
         " numbers of them: what is there, and where. The context of each word is made of these " +
         std::to_string(features.rows()) + " vectors.";
}

std::string tell_scores(const Told& told) {
  const Matrix& scores = told.trace.at("scores").values;
  Eigen::Index least = 0;
  scores.row(told.t).minCoeff(&least);
  const int most = largest(scores, told.t);
  return "The first state comes from a summary of every cell, " +
         bold(std::to_string(learn::captions::kSummary) + " numbers") + " of each. Before " + told.word() +
         " a small network compares the state with each cell: the one at " + spot(told.state, most) +
         " fits best, e = " + io::format_short(told.at("scores", told.t, most)) + "; the least, " +
         io::format_short(told.at("scores", told.t, static_cast<int>(least))) + ".";
}

std::string tell_weights(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  const int most = largest(weights, told.t), half = cells_of_half(weights, told.t);
  const std::string share = io::format_percent(static_cast<double>(weights(told.t, most)));
  const std::string first =
      "For " + told.word() + " the largest weight, " + bold(share) + ", lies at " + spot(told.state, most) + "; ";
  const std::string second = half == 1 ? "that is half of all or more" : count_of(half, "cell") + " hold half of all";
  return first + second + ", and the entropy is " + bold(io::format_fixed(told.at("entropy", 0, told.t), 2)) +
         " nats." + tell_shares(told, "weights", "chosen", told.t) +
         (told.hard() ? " Hard attention takes these as chances and looks at one cell alone." : "");
}

std::string tell_context(const Told& told) {
  const int size = told.trace.at("context").columns();
  if (told.hard())
    return "For " + told.word() + ", hard attention takes the " + count_of(size, "feature") + " of one cell, " +
           bold(told.place(static_cast<int>(told.at("look", 0, told.t)))) +
           ", whole, and nothing of the others: what they hold is known from the first state alone, and from the looks "
           "before.";
  return "Every cell’s features are multiplied with its weight for " + told.word() + " and summed: the " +
         bold(count_of(size, "number")) + " of the context are a mixture of all " + std::to_string(told.cells()) +
         " cells, most of it from " + told.place(largest(told.trace.at("weights").values, told.t)) + ".";
}

std::string tell_word(const Told& told) {
  return "From the word before, the context and the state before, a gated recurrent unit makes the next state; with "
         "the context it finds " +
         told.word() + " " + bold(io::format_percent(told.at("chosen", 0, told.t))) +
         " likely. Then it all begins again, until [STOP].";
}

std::string tell_words(const Told& told) {
  const Matrix& entropy = told.trace.at("entropy").values;
  Eigen::Index sharpest = 0, widest = 0;
  entropy.row(0).minCoeff(&sharpest);
  entropy.row(0).maxCoeff(&widest);
  const std::vector<std::string>& words = words_in(told.trace, "chosen");
  const int most = largest(told.trace.at("weights").values, told.t);
  std::string text = told.word() + " looks most at " + spot(told.state, most) + "." +
                     tell_astray(told, "chosen", told.t, most) + tell_shares(told, "weights", "chosen", told.t) +
                     " The sharpest look is for " + bold(quoted(label_of(words, static_cast<int>(sharpest)))) + ", " +
                     io::format_fixed(entropy.data()[sharpest], 2) + " nats, the widest for " +
                     bold(quoted(label_of(words, static_cast<int>(widest)))) + ", " +
                     io::format_fixed(entropy.data()[widest], 2) + ". Nobody told it where to look.";
  if (words.back() != "[STOP]")
    text += " It never says [STOP] and is cut off after " + count_of(static_cast<int>(words.size()), "word") + ".";
  return text;
}

std::string tell_compare(const Told& told) {
  const Matrix& soft = told.trace.at("weights_soft").values;
  const int t = std::min(told.t, static_cast<int>(soft.rows()) - 1);
  const int u = std::min(told.t, told.trace.at("weights_hard").rows() - 1);
  const std::string said = label_of(words_in(told.trace, "chosen_soft"), t),
                    other = label_of(words_in(told.trace, "chosen_hard"), u);
  const int place = static_cast<int>(told.at("look_hard", 0, u)), half = cells_of_half(soft, t);
  const bool same = caption_in(told.trace, "chosen_soft") == caption_in(told.trace, "chosen_hard");
  const std::string number = std::to_string(told.t + 1);
  std::string text =
      "For " + bold(quoted(said)) + " soft attention has half of its weight on " + bold(count_of(half, "cell"));
  if (said == other && t == u)
    text += ", hard attention looks at one, " + spot(told.state, place) + ".";
  else
    text = "As word " + number + " they say different ones. " + text + "; for " + bold(quoted(other)) +
           " hard attention looks at one, " + spot(told.state, place) + ".";
  return text + tell_shares(told, "weights_soft", "chosen_soft", t) + tell_astray(told, "chosen_hard", u, place) +
         (same ? " Their captions are the same." : " Their captions are **different**.");
}

std::string tell_draws(const Told& told) {
  const Tensor* captions = told.trace.find("captions");
  if (captions == nullptr)
    return "When it is used, hard attention looks at the likeliest cell; when it is trained, it **draws** the cell, "
           "because only a choice by chance can be learned from. Draw some captions.";
  const Tensor& variance = told.trace.at("variance");
  const double plain = told.at("variance", 0, 0), best = told.at("variance", variance.rows() - 1, 0);
  const int most = static_cast<int>(captions->values(0, 0));
  std::string text = "Of " + bold(count_of(drawn(told.trace), "draw")) + ", " + std::to_string(most) + " say “" +
                     captions->row_labels.front() + "”";
  text += captions->rows() == 1 ? ". " : "; there are " + bold(count_of(captions->rows(), "caption")) + " in all. ";
  if (!(best > 0))
    return text + "Every draw’s estimate of the gradient is the same, 0: nothing is left to be learned here.";
  return text +
         "By as many draws along the right caption, reward to go with a baseline makes the variance of the gradient’s "
         "estimate **about " +
         io::format_short(plain >= best ? plain / best : best / plain, 2) + " times** " +
         (plain >= best ? "smaller" : "larger") + " than the whole reward alone has it, in training, at temperature 1.";
}

std::string tell_force(const Told& told) {
  const std::string free = caption_in(told.trace, "chosen"), forced = caption_in(told.trace, "chosen_forced");
  const std::string where = spot(told.state, told.state.cell);
  const std::string when = told.state.scope == Scope::all ? "for every word" : "for " + told.word();
  return "Made to look at " + where + ", " + when + ", it says " +
         (free == forced ? "the same as before, **“" + free + "”**."
                         : "**“" + forced + "”** instead of “" + free + "”.");
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (!is_captioned(trace))
    return view.missing ? words_of(*view.missing)
                        : "The trained models are not here yet; the picture is there to be changed already.";
  return row_at(view.place).tell({{state, trace}, word_row(state, trace)});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (!is_captioned(trace) || !state.is_of_the_world()) return std::nullopt;
  // The last word of the hard model that speaks of an object, and looks at a cell that is not of two.
  const std::vector<std::string>& words = words_in(trace, "chosen_hard");
  const auto place_at = [&](int t) { return static_cast<int>(trace.at("look_hard").values(0, t)); };
  int t = static_cast<int>(words.size()) - 1;
  for (; t >= 0; --t) {
    const auto known = pictures::vocabulary().find(words[static_cast<std::size_t>(t)]);
    const std::vector<std::string> things = things_at(state, place_at(t));
    // Not what a reader could argue about.
    const bool plain = things.size() == 1 && (things.front() != "the background" || edge_at(state, place_at(t)) < 0);
    if (known && pictures::is_visual(*known) && plain) break;
  }
  if (t < 0) return std::nullopt;
  const int place = place_at(t);
  const std::string right = things_at(state, place).front(), word = words[static_cast<std::size_t>(t)];
  std::vector<std::string> options;
  for (const std::string& name : names_of(scene_of(state))) options.push_back("the " + name);
  options.emplace_back("the background");
  Question question{.text = "The hard model says “" + caption_in(trace, "chosen_hard") +
                            "”. At what is the one cell that it looks at for " + quoted(word) + ", word " +
                            std::to_string(t + 1) + "?",
                    .options = options,
                    .correct = static_cast<int>(std::ranges::find(options, right) - options.begin()),
                    .answer = "At " + bold(right) + ", " + place_of(place, state.side()) +
                              ". A right word does not prove a right look: the state may have known it from before."};
  question.reveal = {{"attention", "hard"}, {"word", std::to_string(t)}, {"cell", std::to_string(place)}};
  return question;
}

std::string provenance(const State& state) {
  const bool foreign = !state.is_of_the_world();
  return std::string(
             "Trained by us on generated pictures and captions, not real photographs: soft attention with "
             "cross-entropy, hard with REINFORCE, after Xu et al. 2015, “Show, Attend and Tell” "
             "(arXiv:1502.03044). No caption of the held-out part was ever trained on.") +
         (foreign ? " **This picture is not of their world**." : "");
}

}  // namespace limelight::scenes::caption
