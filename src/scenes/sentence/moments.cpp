#include <any>

#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

// Where blend() lets what leaves be gone, and what comes begin. x: how far the one has gone, or the other come.
constexpr float kGone = 0.4F;
float leaving(float x) { return x < 1 ? kGone * x : 1; }
float coming(float x) { return x > 0 ? kGone + (1 - kGone) * x : 0; }

}  // namespace

Figure moment_of(const Drawing& d, float t, Draw* draw) {
  View view = d.view;
  view.t = t;
  Drawing one{frame_for(d.trace, view), d.state, d.layers, d.heads, d.head, d.query, d.key};
  one.figure.height = draw(one);
  return std::move(one.figure);
}

std::string becomes_words(const std::any& state, const std::string& id) {
  if (id == "turn.word") return word_id(std::any_cast<const State&>(state).place) + ".text";
  return id.starts_with("stage.word.") ? id : id + std::string(kOld);
}

std::string becomes_keys(const std::any& state, const std::string& id) {
  static constexpr std::string_view kWord = "level.1.word.", kText = ".text";
  return id.starts_with(kWord) && id.ends_with(kText)
             ? "pair.name." + id.substr(kWord.size(), id.size() - kWord.size() - kText.size())
             : becomes_words(state, id);
}

std::string becomes_heads(const std::any& state, const std::string& id) {
  const bool stays = id.starts_with("small.") && id != "small.title";
  return stays ? id : becomes_words(state, id);
}

float timing_down(const Element& element, float t) {
  constexpr float kHeight = 600, kTravels = 0.5F, kPart = 0.2F, kThere = 0.6F;  // px; shares of the time
  if (element.id.starts_with("stage.word.")) return smoothstep(0, kThere, t);
  if (element.id.starts_with("pair.name.")) return smoothstep(0.05F, 0.6F, t);
  const float begins = kTravels * std::clamp(element.rect.y / kHeight, 0.F, 1.F);
  const bool leaves = element.id.ends_with(kOld);
  if (std::holds_alternative<Light>(element.shape))
    return leaves ? leaving(smoothstep(0, 0.45F, t)) : coming(smoothstep(kThere, 1, t));
  if (!leaves && std::holds_alternative<MatrixCells>(element.shape)) return coming(smoothstep(0.6F, 1, t));
  if (leaves) return leaving(smoothstep(begins, begins + kPart, t));
  return coming(smoothstep(begins + kPart, begins + 0.44F, t));
}

float timing_heads(const Element& element, float t) {
  constexpr float kFree = 0.08F, kThere = 0.62F;  // when all that leaves is gone; when the panels are in their places
  const std::string_view id = element.id;
  if (id.ends_with(kOld)) return leaving(smoothstep(0, kFree, t));
  const bool comes =
      !id.starts_with("stage.word.") && (!id.starts_with("small.") || id.contains(".from.") || id.contains(".to.") ||
                                         id.ends_with(".name") || id.ends_with(".kind"));
  return comes ? coming(smoothstep(kThere, 1, t)) : smoothstep(kFree, kThere, t);
}

}  // namespace limelight::scenes::sentence
