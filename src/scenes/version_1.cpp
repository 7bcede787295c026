#include "scenes/version_1.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "io/numbers.h"
#include "scenes/scene.h"

namespace limelight::scenes {
namespace {

// As they were when links of version 1 were last written. It does not change any more.
struct SceneThen {
  std::string_view id;
  std::string_view preset;
  std::span<const std::string_view> steps;  // ids; behind each those of its parts, after blanks
};

constexpr std::string_view kSpotlight[] = {
    "words", "x", "w", "qkv", "scores", "scale", "softmax maximum exp sum divide", "output", "glance"};
constexpr std::string_view kScore[] = {"arrows", "scores", "weights", "triangle",
                                       "module", "sums",   "context", "glance"};
constexpr std::string_view kScale[] = {"product", "spread", "softmax", "gradient", "class", "glance"};
constexpr std::string_view kLayer[] = {"query", "queries", "keys", "self", "cross", "shuffle", "order", "all"};
constexpr std::string_view kHeads[] = {"one", "split", "weights", "outputs", "join", "mask", "without"};
constexpr std::string_view kSentence[] = {"words", "head", "heads", "pair", "layers", "swap", "off", "evidence"};
constexpr std::string_view kTranslate[] = {
    "bottleneck", "encode", "scores query keys sum tanh score", "weights", "context", "next", "alignment", "long"};
constexpr std::string_view kTrain[] = {"task", "train", "inside", "without"};
constexpr std::string_view kCaption[] = {"picture", "grid",  "scores",  "weights", "context",
                                         "word",    "words", "compare", "draws",   "force"};
constexpr std::string_view kPatches[] = {"cut", "features", "scores", "weights", "looks", "output", "own"};
constexpr std::string_view kCost[] = {"count", "time", "memory", "others", "simd", "glance"};
constexpr std::string_view kLimits[] = {"spread", "sum", "weights", "values", "axis", "claims"};

constexpr SceneThen kScenesThen[] = {
    {"spotlight", "coffee", kSpotlight},
    {"score", "fox", kScore},
    {"scale", "head", kScale},
    {"layer", "video", kLayer},
    {"heads", "cat", kHeads},
    {"sentence", "animal", kSentence},
    {"translate", "constructed", kTranslate},
    {"train", "reverse", kTrain},
    {"caption", "pair", kCaption},
    {"patches", "alike", kPatches},
    {"cost", "head", kCost},
    {"limits", "review", kLimits},
};

const SceneThen* scene_of(std::string_view id) {
  const auto* const found = std::ranges::find(kScenesThen, id, &SceneThen::id);
  return found == std::end(kScenesThen) ? nullptr : found;
}

// The word of a text that "3" names, counted from 1; nothing where there is none.
std::optional<std::string_view> word_at(std::span<const std::string_view> words, std::string_view number) {
  const Result<int> read = io::parse_integer(number);
  if (!read || *read < 1 || *read > std::ssize(words)) return std::nullopt;
  return words[static_cast<std::size_t>(*read - 1)];
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto word : text | std::views::split(' ')) words.emplace_back(word.begin(), word.end());
  return words;
}

}  // namespace

std::optional<std::string> id_of_number(std::string_view scene, std::string_view number) {
  const SceneThen* of = scene_of(scene);
  if (of == nullptr) return std::nullopt;
  const std::size_t dot = number.find('.');
  const std::optional<std::string_view> row = word_at(of->steps, number.substr(0, dot));
  if (!row) return std::nullopt;
  const std::vector<std::string_view> step = words_of(*row);
  if (dot == std::string_view::npos) return std::string(step.front());
  const std::optional<std::string_view> part = word_at(std::span(step).subspan(1), number.substr(dot + 1));
  if (!part) return std::nullopt;
  return std::string(step.front()) + "." + std::string(*part);
}

std::optional<int> number_of_id(std::string_view scene, std::string_view step) {
  const SceneThen* of = scene_of(scene);
  if (of == nullptr) return std::nullopt;
  const auto found =
      std::ranges::find_if(of->steps, [step](std::string_view row) { return words_of(row).front() == step; });
  if (found == of->steps.end()) return std::nullopt;
  return static_cast<int>(found - of->steps.begin()) + 1;
}

io::Patch with_preset_of_its_day(io::Patch link, std::string_view scene) {
  const auto value = [&](std::string_view key) {
    const auto found = std::ranges::find(link, key, &io::Patch::value_type::first);
    return found == link.end() ? std::string_view() : std::string_view(found->second);
  };
  if (io::names(link, "scene")) scene = value("scene");
  const SceneThen* of = scene_of(scene);
  if (scene == "sentence") std::erase_if(link, [](const auto& field) { return field.first == "beside"; });
  if (link.empty() || (io::names(link, "v") && value("v") != "1")) return link;
  if (of != nullptr && io::names(link, "v") && !io::names(link, "step"))  // its first step may stand elsewhere now
    link.emplace_back("step", words_of(of->steps.front()).front());
  if (io::names(link, "preset") || io::names(link, "text")) return link;
  const SceneDef* now = of == nullptr ? nullptr : find(of->id);
  if (now != nullptr && now->encode(now->initial()).front().second != of->preset)
    link.emplace(link.begin(), "preset", std::string(of->preset));
  return link;
}

}  // namespace limelight::scenes
