// Captioners: models that say what is in a picture.
#include <algorithm>

#include "cli/kind.h"
#include "cli/learn.h"
#include "cli/train_loop.h"
#include "figure/paint.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "learn/caption_evaluation.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace captions = learn::captions;
namespace pictures = learn::pictures;

// ---- what is printed and read ----

struct LookName {
  std::string_view name;
  captions::Look look;
};
constexpr LookName kLooks[] = {
    {"soft", captions::Look::soft}, {"likeliest", captions::Look::likeliest}, {"drawn", captions::Look::drawn}};

Result<LookName> read_look(const Arguments& arguments, const captions::Training& model) {
  const captions::Look own = captions::look_of(model);
  const auto given = arguments.find("--look");
  if (!given) return *std::ranges::find(kLooks, own, &LookName::look);
  const auto* const found = std::ranges::find(kLooks, *given, &LookName::name);
  if (found != std::end(kLooks)) return *found;
  return fail("--look is " + io::quote(*given) + "; it is " +
              io::one_of(kLooks | std::views::transform(&LookName::name)) + ".");
}

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
  write_values(json, name, learn::words_of(pictures::vocabulary(), tokens));
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

// ---- the commands ----

Outcome generate_captions(const Arguments& arguments) {
  const Result<Wanted> wanted = read_wanted(arguments);
  if (!wanted) return bad_usage(wanted.error());
  const auto folder = arguments.find("--out");
  Random random(static_cast<std::uint64_t>(wanted->seed));
  return print_lines(wanted->count, [&](int i) -> std::expected<std::string, Failure> {
    const pictures::Scene scene = wanted->part ? pictures::draw(random, *wanted->part) : pictures::draw(random);
    if (!folder) return line_of(scene);
    const Output output = png_of(scene, std::string(*folder) + "/" + std::to_string(i) + ".png");
    if (const Result<void> written = write_files({&output, 1}, line_of(scene)); !written)
      return bad_data(written.error());
    return "";
  });
}

constexpr int kEvaluated = 1000;

// Of a model that is begun with: its name goes into the metadata, without its folders.
std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::expected<captions::Training, Failure> begin_captioner(const Arguments& arguments) {
  captions::Settings settings;
  const auto from = arguments.find("--from");
  std::optional<captions::Training> model;
  if (from) {
    Result<captions::Training> read = read_model(*from, captions::read_training);
    if (!read) return bad_data(read.error());
    model = std::move(*read);
    settings.grid = model->settings.grid;
    settings.features = model->settings.features;
    settings.embedding = model->settings.embedding;
    settings.hidden = model->settings.hidden;
    settings.attention_size = model->settings.attention_size;
  }
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read) return bad_usage(read.error());
  settings.from = from ? file_name(*from) : "";
  Result<captions::Training> training =
      model ? captions::start_training(settings, *model) : captions::start_training(settings);
  if (!training) return bad_usage(training.error());
  return std::move(*training);
}

// Few pictures on the way, all of evaluate's at the end: that is what a page says of the model.
Result<double> look_at_captions(const captions::Training& training) {
  const bool last = training.record.step >= training.settings.steps;
  const captions::Evaluation seen =
      captions::evaluate(training, {.count = last ? kEvaluated : 200, .look = captions::look_of(training)});
  return static_cast<double>(seen.exact) / seen.count;
}

Outcome train_captioner(const Arguments& arguments) {
  return train<captions::Scratch, captions::Training>(
      arguments, {.begin = begin_captioner, .read = captions::read_training, .look = look_at_captions});
}

Outcome evaluate_captions(const Arguments& arguments) {
  if (Outcome same = check_task(arguments, captions::kTask); !same) return same;
  const Result<Tried> tried = read_tried(arguments);
  if (!tried) return bad_usage(tried.error());
  const Result<captions::Training> model = read_model(arguments.subjects.front(), captions::read_training);
  if (!model) return bad_data(model.error());
  const Result<LookName> look = read_look(arguments, *model);
  if (!look) return bad_usage(look.error());
  const captions::Evaluation result = captions::evaluate(*model, {tried->seed, tried->count, look->look});
  io::JsonWriter json;
  json.begin_object()
      .member("task", captions::kTask)
      .member("attention", captions::kGlimpses[static_cast<int>(model->settings.attention)].value)
      .member("from", model->settings.from)
      .member("grid", model->config.grid)
      .member("blind", model->settings.blind)
      .member("penalty_weight", model->settings.penalty)
      .member("sharpness_weight", model->settings.sharpness)
      .member("step", model->record.step)
      .member("weights", static_cast<double>(learn::count_each(model->weights)))
      .member("look", look->name)
      .member("seed", tried->seed)
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
  print_text(json.take() + "\n");
  return {};
}

Outcome infer_caption(const Arguments& arguments) {
  const auto picture = arguments.find("--picture");
  if (!picture) return bad_usage("--picture is missing; it is a scene or the seed of one: --picture SCENE.");
  if (Outcome differ = check_weights(arguments); !differ) return differ;
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, kLargestSeed);
  if (!seed) return bad_usage(seed.error());
  const Result<captions::Training> model = read_model(arguments.subjects.front(), captions::read_training);
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
  json.begin_object().member("task", captions::kTask).member("output", pictures::text_of(decoded.words));
  json.member("true_caption", pictures::text_of(pictures::caption(*scene).words)).member("stopped", decoded.stopped);
  write_scene(json, *scene);
  std::vector<int> written = decoded.words;
  if (decoded.stopped) written.push_back(learn::kStop);
  write_words(json, "target", written);
  write_values(json, "probabilities", decoded.probabilities);
  json.member("look", look->name).key("places");
  if (decoded.places.empty()) {
    json.null();
  } else {
    json.begin_array();
    for (const int place : decoded.places)
      json.begin_array().value(place / model->config.grid).value(place % model->config.grid).end_array();
    json.end_array();
  }
  json.end_object();
  return print_with_weights(arguments, json.take() + "\n", decoded.weights);
}

// ---- its row ----

constexpr Option kLookOption{"--look", "NAME",
                             "Of a captioner: soft, likeliest or drawn. Default: as it was trained; hard: likeliest."};

constexpr Option kGenerateCaptions[] = {
    {"--split"},
    {"--out", "DIR", "Of caption: a folder that is there, for the pictures: 0.png, 1.png …"},
};

constexpr Option kTrainCaptioner[] = {
    {"--embedding"},
    {"--hidden"},
    {"--attention-size"},
    {"--attention", "", "Of caption: soft or hard; soft."},
    {"--grid", "8|3", "Of caption: the cells along a picture's side. Default: 8."},
    {"--features", "N", "Of caption: numbers for a cell. Default: 96."},
    {"--blind", "X", "Of caption, soft: the share of pictures that are described without contexts. Default: 0.3."},
    {"--penalty", "X", "Of caption: the weight λ of even coverage. Default: 0."},
    {"--sharpness", "X", "Of caption, soft: the weight λ_s of sharp maps. Default: 0.08."},
    {"--reward", "X", "Of caption, hard: the weight λ_r of the reward. Default: 1."},
    {"--entropy", "X", "Of caption, hard: the weight λ_e of the entropy. Default: 0.01."},
    {"--from", "FILE", "Of caption: a model with the first weights, such as a soft one for a hard one."},
};

constexpr Option kEvaluateCaptioner[] = {kLookOption};

constexpr Option kInferCaption[] = {
    {"--weights"},
    {"--picture", "SCENE", "Of a captioner: as in \"big red circle 20 30; blue star 44 31; stripes 40\", or a seed."},
    kLookOption,
    {"--seed", "N", "Of a captioner: of what is drawn. Default: 1."},
};

}  // namespace

const Kind captioner_kind{
    .called = "a captioner",
    .plural = "captioners",
    .tasks = [] { return std::vector<TaskName>{{captions::kTask, "pictures"}}; },
    .format = captions::kFormat,
    .refusal = "is not of the task caption",
    .generate = {.options = kGenerateCaptions,
                 .details =
                     "caption: {objects: [{shape, colour, size, x, y}], picture: as infer takes it, caption, words, "
                     "word_objects: for\neach word the objects that it speaks of, held_out}.\n",
                 .run = generate_captions},
    .train = {.options = kTrainCaptioner,
              .details =
                  "caption: three convolutions to a grid of cells, attention to them, a GRU (Xu et al. 2015); hard "
                  "attention is\nREINFORCE. A tenth of all captions is held out. Its own defaults: hidden 112, rate "
                  "0.0006, decay on, 6000 steps.\n",
              .run = train_captioner},
    .evaluate = {.options = kEvaluateCaptioner,
                 .details =
                     "Of a captioner: {task, attention, from, grid, blind, penalty_weight, sharpness_weight, step, "
                     "weights, look,\nseed, count, exact, exact_match, word_accuracy, words_seen, on_object, "
                     "uniform_on_object, entropy, penalty, by_objects}; on_object is the share of\nthe weight or of "
                     "the choices that is on the object meant, where a word of colour, size or shape is right;\n"
                     "uniform_on_object the same for a map that is even, which is chance.\n",
                 .run = evaluate_captions},
    .infer = {.options = kInferCaption,
              .details =
                  "Of a captioner: {task, output, true_caption, stopped, objects, picture, target, probabilities, "
                  "look, places}; weights\nare [words, cells], places the row and column of the cell that was chosen "
                  "at each word.\n",
              .input = "--picture SCENE",
              .run = infer_caption},
};

}  // namespace limelight::cli
