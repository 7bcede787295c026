// When what moves within a step moves: from 0 to 1 while t does.
#include <algorithm>
#include <any>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "scenes/common/sentence.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// From `begin` to `end`.
float within(float t, float begin, float end) { return smoothstep(begin, end, t); }

// The number behind this beginning of an id: 4 in "X.4" and "stage.word.4.text".
std::optional<int> number_in(std::string_view id, std::string_view beginning) {
  if (!id.starts_with(beginning)) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(id.data() + beginning.size(), id.data() + id.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// One after the other, however many they are: the first sets out at once, the last is there at 1.
float in_turn(float t, int index) {
  constexpr float kLast = 0.55F, kSoon = 6;  // when the last sets out; how many have done so when most of this is over
  const float begin = kLast * (1 - std::exp(-static_cast<float>(index) / kSoon));
  return within(t, begin, begin + 1 - kLast);
}

constexpr std::string_view kHung = ".hung";  // ends the ids of the lamp that is left over its word

// Outlines come when what they are around is there; those of another step go at once.
float outline(float t) { return within(t, 0.7F, 1); }
float gone(float t) { return within(t, 0, 0.15F); }

}  // namespace

// Word after word becomes a row, when the light is gone.
float timing_x(const Element& element, float t) {
  for (const std::string_view moves : {"X.", "stage.word.", "stage.asks."})
    if (const std::optional<int> word = number_in(element.id, moves)) return in_turn(t, *word);
  if (element.id.starts_with(kLampId)) return element.id.ends_with(kHung) ? within(t, 0, 0.3F) : outline(t);
  // What is said of rows and columns comes when these are there.
  if (element.id.starts_with("X") || element.id.starts_with("outline.")) return outline(t);
  return within(t, 0, 0.5F);
}

// X makes room; then one matrix after the other comes.
float timing_w(const Element& element, float t) {
  std::string_view id = element.id;
  if (id.starts_with("outline.W")) id.remove_prefix(id.find('W'));  // it comes with its matrix
  if (id.starts_with("W_q")) return within(t, 0.1F, 0.6F);
  if (id.starts_with("W_k")) return within(t, 0.25F, 0.8F);
  if (id.starts_with("W_v")) return within(t, 0.4F, 1);
  return within(t, 0, 0.45F);
}

// The matrices become lenses, one after the other; then comes what goes through each.
float timing_qkv(const Element& element, float t) {
  struct Way {
    std::string_view matrix, outline, result, stream;
    float from;
  };
  static constexpr std::array<Way, 3> ways{{{"W_q", "outline.W_q", "Q", "stream.Q", 0},
                                            {"W_k", "outline.W_k", "K", "stream.K", 0.16F},
                                            {"W_v", "outline.W_v", "V", "stream.V", 0.32F}}};
  const std::string_view id = element.id;
  for (const Way& way : ways) {
    if (id.starts_with(way.outline)) return gone(t);
    if (id.starts_with(way.matrix) && id.find(".shadow.") != std::string_view::npos)  // a lens has one where it lies
      return within(t, way.from + 0.5F, way.from + 0.68F);
    if (id.starts_with(way.matrix)) return within(t, way.from, way.from + 0.6F);
    if (id.starts_with(way.result) || id.starts_with(way.stream)) return within(t, way.from + 0.1F, way.from + 0.68F);
  }
  const bool last = (id.starts_with("outline.") && !id.starts_with("outline.X")) || id.starts_with("products.");
  if (last) return outline(t);
  return within(t, 0, 0.6F);
}

// What stays behind is gone first; then Q comes to the left, with the words, and K is laid on its side above the
// scores.
float timing_scores(const Element& element, float t) {
  const std::string_view id = element.id;
  if (id == kK) return within(t, 0.45F, 1);
  if (id.starts_with(kScores) || id.starts_with("K.word") || id.starts_with("K.feature")) return outline(t);
  const bool of_query = id.starts_with("outline.Q") || (id.starts_with(kQ) && !id.starts_with("Q.row."));
  if (of_query || id.starts_with("stage.")) return within(t, 0.2F, 0.7F);
  return within(t, 0, 0.3F);
}

// The words go up first; then come the scores' row as bars, where no word passes any more, and the scores go down.
float timing_scale(const Element& element, float t) {
  if (element.id == kScores) return within(t, 0.3F, 0.95F);
  if (element.id.starts_with(kWeights)) return within(t, 0.8F, 1);  // the rows' names, where these have come to
  if (element.id.starts_with("stage.asks.") || element.id.starts_with(kScaled)) return within(t, 0.6F, 1);
  return within(t, 0, element.id.starts_with("stage.") ? 0.7F : 0.4F);
}

// Bars stand first; then the strip fills from the left, and the map comes last.
float timing_softmax(const Element& element, float t) {
  for (const std::string_view moves : {"weights.ribbon.", "weights.part."})
    if (const std::optional<int> word = number_in(element.id, moves)) return in_turn(t, *word);
  if (element.id.starts_with("outline.weights")) return outline(t);
  if (element.id.starts_with("outline.")) return gone(t);
  if (element.id.starts_with("weights")) return within(t, 0.35F, 1);
  return within(t, 0, 0.6F);
}

// The map goes at once, and the strips are there before the light is poured into them.
float timing_output(const Element& element, float t) {
  const std::string_view id = element.id, part = "weights.part.";
  if (id.starts_with("V.") || id.starts_with(kOutput)) return within(t, 0, 0.5F);
  if (id.starts_with(kScaled)) return gone(t);
  return id.starts_with(kWeights) && (!id.starts_with(part) || id.find('.', part.size()) != id.npos)
             ? within(t, 0, 0.4F)
             : t;
}

// What was poured and told goes; then the words and Y go to their places, and the lamp comes on over them.
float timing_glance(const Element& element, float t) {
  constexpr float kComes = 0.4F;  // when what is new begins to come
  const std::string_view id = element.id;
  if (id == kLightId || id.starts_with(kLampId)) return mix(kComes * within(t, 0, 0.3F), 1, within(t, 0.3F, 0.7F));
  if (id.starts_with("stage.share.") || id.starts_with(kWeights))
    return mix(kComes * within(t, 0, 0.3F), 1, within(t, 0.55F, 0.85F));
  if (id.starts_with("outline.")) return id.starts_with("outline.weights") ? outline(t) : gone(t);
  if (id.starts_with("output.pour.")) return gone(t);
  if (id == "sentence.glow" || id.starts_with("V.") || id.starts_with("told.")) return within(t, 0, 0.35F);
  const bool stays = id.starts_with("stage.") || id.starts_with(kOutput);
  return stays ? within(t, 0.15F, 0.65F) : std::max(0.8F * t, within(t, 0.5F, 1));
}

// The lamp goes out over its word, and another one stands beside its row, which neither passes.
std::string becomes_x(const std::any&, const std::string& id) {
  return id.starts_with(kLampId) ? id + std::string(kHung) : id;
}

// The bars become powers where they stand, and the 0 below them is theirs again.
std::string becomes_exp(const std::any&, const std::string& id) {
  if (id.starts_with("scaled.zero")) return id == "scaled.zero.was" ? "scaled.zero" : id + ".lifted";
  if (!id.starts_with("shifted.bar.")) return id;
  const std::string made = std::string(kExponentials) + id.substr(kShifted.size());
  return made.ends_with(".number") ? made.substr(0, made.rfind('.')) + ".was.number" : made;
}

// The shares do not travel, since on a phone they would pass over other words; the sum goes where it stands.
std::string becomes_glance(const std::any&, const std::string& id) {
  if (id.starts_with("output.sum.")) return "told." + id;
  return id.starts_with("stage.share.") ? "output." + id : id;
}

}  // namespace limelight::scenes::spotlight
