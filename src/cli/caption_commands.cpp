// limelight evaluate, infer and generate, of pictures and captions.
#include <algorithm>
#include <cstdio>

#include "cli/caption.h"
#include "cli/files.h"
#include "cli/learn.h"
#include "figure/paint.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "learn/caption_evaluation.h"
#include "learn/checkpoint.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace captions = learn::captions;
namespace pictures = learn::pictures;

constexpr int kLargestSeed = 2147483647;

struct LookName {
  std::string_view name;
  captions::Look look;
};
constexpr LookName kLooks[] = {
    {"soft", captions::Look::soft}, {"likeliest", captions::Look::likeliest}, {"drawn", captions::Look::drawn}};

// Errors: an option that only other models have.
Outcome check_allowed(const Arguments& arguments, std::initializer_list<std::string_view> allowed) {
  for (const auto& [option, values] : arguments.values)
    if (std::ranges::find(allowed, option) == allowed.end())
      return bad_usage(std::string(option) + " is not of the task " + std::string(kCaption) + "; leave it out.");
  return {};
}

Result<LookName> read_look(const Arguments& arguments, const captions::Training& model) {
  const captions::Look own = captions::look_of(model);
  const auto given = arguments.find("--look");
  if (!given) return *std::ranges::find(kLooks, own, &LookName::look);
  const auto* const found = std::ranges::find(kLooks, *given, &LookName::name);
  if (found != std::end(kLooks)) return *found;
  return fail("--look is " + io::quote(*given) + "; it is " +
              io::one_of(kLooks | std::views::transform(&LookName::name)) + ".");
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void write_scene(io::JsonWriter& json, const pictures::Scene& scene) {
  json.key("objects").begin_array();
  for (const pictures::Object& object : scene.objects)
    json.begin_object()
        .member("shape", pictures::name(object.shape))
        .member("colour", pictures::name(object.colour))
        .member("size", pictures::name(object.size))
        .member("x", object.x)
        .member("y", object.y)
        .end_object();
  json.end_array();
  json.member("picture", pictures::write(scene));
}

void write_words(io::JsonWriter& json, std::string_view name, const std::vector<int>& tokens) {
  json.key(name).begin_array();
  for (const std::string& word : learn::words_of(pictures::vocabulary(), tokens)) json.value(word);
  json.end_array();
}

std::string line_of(const pictures::Scene& scene) {
  const pictures::Caption caption = pictures::caption(scene);
  io::JsonWriter json;
  json.begin_object();
  write_scene(json, scene);
  json.member("caption", pictures::text_of(caption.words));
  write_words(json, "words", caption.words);
  json.key("word_objects").begin_array();
  for (const std::vector<int>& objects : caption.objects) {
    json.begin_array();
    for (const int object : objects) json.value(object);
    json.end_array();
  }
  json.end_array();
  json.member("held_out", pictures::part_of(caption) == learn::Part::held_out).end_object();
  return json.take() + "\n";
}

Output png_of(const pictures::Scene& scene, std::string path) {
  const Matrix pixels = pictures::paint(scene);
  figure::Image image{.width = pictures::kSide, .height = pictures::kSide, .rgba = {}};
  for (Eigen::Index i = 0; i < pixels.rows(); ++i) {
    for (int c = 0; c < 3; ++c) image.rgba.push_back(static_cast<std::uint8_t>(pixels(i, c) * 255 + 0.5F));
    image.rgba.push_back(255);
  }
  return {std::move(path), figure::png(image)};
}

// What --picture says: the seed of one, or a scene.
Result<pictures::Scene> read_picture(std::string_view text) {
  if (const Result<int> seed = io::parse_integer(text); seed && *seed >= 0) {
    Random random(static_cast<std::uint64_t>(*seed));
    return pictures::draw(random);
  }
  Result<pictures::Scene> scene = pictures::read(text);
  if (!scene) return fail("--picture: " + scene.error().message);
  return scene;
}

}  // namespace

bool is_captioner(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return false;
  const Result<io::Safetensors> file = io::read_safetensors(*bytes, path);
  return file && learn::has_format(*file, captions::kFormat);
}

Outcome evaluate_captioner(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--task", "--seed", "--count", "--look"}); !allowed) return allowed;
  const std::string_view path = arguments.subjects.front();
  if (const auto task = arguments.find("--task"); task && *task != kCaption)
    return bad_data(std::string(path) + " was trained on " + std::string(kCaption) + "; --task is " + io::quote(*task) +
                    ".");
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 1000, 1, 100000);
  if (!count) return bad_usage(count.error());
  const Result<captions::Training> model = read_captioner(path);
  if (!model) return bad_data(model.error());
  const Result<LookName> look = read_look(arguments, *model);
  if (!look) return bad_usage(look.error());
  const captions::Evaluation result = captions::evaluate(*model, {*seed, *count, look->look});
  io::JsonWriter json;
  json.begin_object()
      .member("task", kCaption)
      .member("attention", captions::kGlimpses[static_cast<int>(model->settings.attention)].value)
      .member("from", model->settings.from)
      .member("grid", model->config.grid)
      .member("blind", model->settings.blind)
      .member("penalty_weight", model->settings.penalty)
      .member("sharpness_weight", model->settings.sharpness)
      .member("step", model->record.step)
      .member("weights", static_cast<double>(learn::count_each(model->weights)))
      .member("look", look->name)
      .member("seed", *seed)
      .member("count", result.count)
      .member("exact", result.exact)
      .member("exact_match", static_cast<double>(result.exact) / result.count)
      .member("word_accuracy", static_cast<double>(result.right) / result.tokens)
      .member("words_seen", result.seen)
      .member("on_object", result.on_object)
      .member("uniform_on_object", result.uniform_on_object)
      .member("entropy", result.entropy)
      .member("penalty", result.penalty);
  json.key("by_objects").begin_array();
  for (std::size_t i = 0; i < result.by_objects.size(); ++i)
    json.begin_object()
        .member("objects", static_cast<int>(i) + 1)
        .member("count", result.by_objects[i].count)
        .member("exact", result.by_objects[i].exact)
        .end_object();
  json.end_array().end_object();
  print(json.take() + "\n");
  return {};
}

Outcome infer_caption(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--picture", "--weights", "--look", "--seed"}); !allowed)
    return allowed;
  const auto picture = arguments.find("--picture");
  if (!picture) return bad_usage("--picture is missing; it is a scene or the seed of one: --picture SCENE.");
  const std::string_view path = arguments.subjects.front();
  const auto weights = arguments.find("--weights");
  if (weights && same_file(*weights, path))
    return bad_usage(
        "--weights and the model name the same file; no input is overwritten, so give the result its own.");
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<captions::Training> model = read_captioner(path);
  if (!model) return bad_data(model.error());
  const Result<LookName> look = read_look(arguments, *model);
  if (!look) return bad_usage(look.error());
  const Result<pictures::Scene> scene = read_picture(*picture);
  if (!scene) return bad_data(scene.error());
  learn::Tape<float> tape;
  const captions::Decoded decoded =
      captions::decode(tape, model->weights, model->config, captions::make_batch(model->config, std::span(&*scene, 1)),
                       {.look = look->look, .seed = static_cast<std::uint64_t>(*seed)})[0];
  io::JsonWriter json;
  json.begin_object().member("task", kCaption).member("output", pictures::text_of(decoded.words));
  json.member("true_caption", pictures::text_of(pictures::caption(*scene).words)).member("stopped", decoded.stopped);
  write_scene(json, *scene);
  std::vector<int> written = decoded.words;
  if (decoded.stopped) written.push_back(learn::kStop);
  write_words(json, "target", written);
  json.key("probabilities").begin_array();
  for (const float probability : decoded.probabilities) json.value(probability);
  json.end_array().member("look", look->name);
  json.key("places");
  if (decoded.places.empty()) {
    json.null();
  } else {
    json.begin_array();
    for (const int place : decoded.places)
      json.begin_array().value(place / model->config.grid).value(place % model->config.grid).end_array();
    json.end_array();
  }
  json.end_object();
  const std::string text = json.take() + "\n";
  if (!weights) {
    print(text);
    return {};
  }
  const Output output{std::string(*weights), io::write_npy(decoded.weights)};
  if (const Result<void> saved = write_files({&output, 1}, text); !saved) return bad_data(saved.error());
  return {};
}

Outcome generate_captions(const Arguments& arguments) {
  if (Outcome allowed = check_allowed(arguments, {"--seed", "--count", "--split", "--out"}); !allowed) return allowed;
  const Result<int> seed = read_number(arguments, "--seed", 0, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<int> count = read_number(arguments, "--count", 10, 1, kLargestSeed);
  if (!count) return bad_usage(count.error());
  const Result<std::optional<learn::Part>> split = read_split(arguments);
  if (!split) return bad_usage(split.error());
  const auto folder = arguments.find("--out");
  Random random(static_cast<std::uint64_t>(*seed));
  for (int i = 0; i < *count; ++i) {
    const pictures::Scene scene = *split ? pictures::draw(random, **split) : pictures::draw(random);
    const std::string line = line_of(scene);
    if (folder) {
      const Output output = png_of(scene, std::string(*folder) + "/" + std::to_string(i) + ".png");
      if (const Result<void> written = write_files({&output, 1}, line); !written) return bad_data(written.error());
    } else if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) {
      break;  // said when all is printed
    }
  }
  return {};
}

}  // namespace limelight::cli
