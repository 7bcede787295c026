// Models and weights of the reader's own: which files are taken, what they become, and what the app does with them.
#include "scenes/common/own.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "app/app.h"
#include "app/commands.h"
#include "app/page.h"
#include "embedded/golden_merges.h"
#include "embedded/golden_vocab_json.h"
#include "embedded/golden_vocab_txt.h"
#include "embedded/pretrained_bert.h"
#include "embedded/pretrained_bert_bf16.h"
#include "embedded/pretrained_bert_config.h"
#include "embedded/pretrained_gpt2.h"
#include "embedded/pretrained_gpt2_config.h"
#include "io/npy.h"
#include "unit/fonts.h"

using namespace limelight;
using scenes::own::Choice;
using scenes::own::Offered;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // names and what is in them

std::string text_of(std::span<const unsigned char> file) { return {file.begin(), file.end()}; }

// Two tokenizers of no more tokens than the checkpoints' 40.
constexpr std::string_view kVocabJson = R"({"a": 0, "b": 1, "ab": 2, "Ġ": 3, "c": 4})";
constexpr std::string_view kMerges = "#version: 0.2\na b\n";
constexpr std::string_view kVocabTxt = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n";

Files gpt2() {
  return {{"config.json", text_of(embedded::pretrained_gpt2_config)},
          {"model.safetensors", text_of(embedded::pretrained_gpt2)},
          {"vocab.json", std::string(kVocabJson)},
          {"merges.txt", std::string(kMerges)}};
}
Files bert(bool half = false) {
  return {{"config.json", text_of(embedded::pretrained_bert_config)},
          {"model.safetensors", text_of(half ? embedded::pretrained_bert_bf16 : embedded::pretrained_bert)},
          {"vocab.txt", std::string(kVocabTxt)}};
}
std::string bytes_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
Files weights(float first = 0.25F) {
  return {{"w.npy", bytes_of(io::write_npy(io::Array{{1, 2, 2}, {first, 1 - first, 1, 0}}))}};
}
Files with(Files files, std::string_view name, std::string text) {
  const auto found = std::ranges::find(files, name, &Files::value_type::first);
  if (found == files.end())
    files.emplace_back(name, std::move(text));
  else
    found->second = std::move(text);
  return files;
}
Files without(Files files, std::string_view name) {
  std::erase_if(files, [&](const auto& file) { return file.first == name; });
  return files;
}

std::vector<Offered> offered(const Files& files) {
  std::vector<Offered> all;
  for (const auto& [name, text] : files) all.push_back({name, text.size()});
  return all;
}

// As the page does it.
Result<std::string> give(app::App& app, const Files& files) {
  const auto arriving = app::own_offered(app, offered(files));
  if (!arriving) return std::unexpected(arriving.error());
  const int ticket = (*arriving)->ticket;
  const std::vector<std::size_t> chosen = (*arriving)->choice.files;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::string& text = files[chosen[i]].second;
    constexpr std::size_t kPiece = 1000;
    for (std::size_t begin = 0; begin < text.size(); begin += kPiece) {
      const std::size_t size = std::min(kPiece, text.size() - begin);
      const auto to = app::own_piece(app, ticket, i, begin, size);
      if (!to) return std::unexpected(to.error());
      std::memcpy(to->data(), text.data() + begin, size);
    }
  }
  return app::own_arrived(app, ticket);
}

app::App sentence_app() {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::change(app, "scene", "sentence"));
  return app;
}

std::string shown(const app::App& app) {
  for (const auto& [key, value] : app::state_of(app))
    if (key == "own") return value;
  return "no own";
}

std::string give_good(app::App& app, const Files& files) {
  const Result<std::string> name = give(app, files);
  if (!name) FAIL(name.error().message);
  CHECK(shown(app) == *name);
  CHECK(app.own.contains(*name));
  return *name;
}

// One sentence with these words; what was there stays.
void check_refused(const Files& files, std::string_view words) {
  CAPTURE(words);
  app::App app = sentence_app();
  const std::string before = give_good(app, weights());
  const Result<std::string> name = give(app, files);
  REQUIRE_FALSE(name);
  CAPTURE(name.error().message);
  CHECK(name.error().message.find(words) != std::string::npos);
  CHECK(name.error().message.ends_with('.'));
  CHECK(shown(app) == before);
  CHECK(app.own.size() == 1);
  CHECK_FALSE(app.arriving);
}

Files array_of(std::vector<Eigen::Index> shape, std::vector<float> numbers) {
  return {{"w.npy", bytes_of(io::write_npy(io::Array{std::move(shape), std::move(numbers)}))}};
}
void finish(app::App& app) {
  for (int i = 0; i < 500 && (i == 0 || app.works()); ++i) app::advance(app, i, 20);
}
std::string value_of(const app::App& app, std::string_view field) {
  for (const auto& [key, value] : app::state_of(app))
    if (key == field) return value;
  return "no such field";
}
bool is_shown(const app::App& app, std::string_view field) {
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.name == field) return info.field.shown;
  return false;
}
std::string words_of(const app::App& app) {
  std::string text;
  for (const figure::Element& element : app::draw_stage(app).elements)
    if (const auto* words = std::get_if<figure::Text>(&element.shape)) text += words->text + " ";
  return text + app.scene->narrate(app.state, app.trace, {.place = app.place});
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("own: of a folder the model and its tokenizer are taken, of loose files too, whatever else is there") {
  const std::vector<Offered> folder = {{"org/gpt2/onnx/config.json", 9},   {"org/gpt2/README.md", 9},
                                       {"org/gpt2/config.json", 9},        {"org/gpt2/pytorch_model.bin", 9},
                                       {"org/gpt2/vocab.json", 9},         {"org/gpt2/onnx/model.safetensors", 9},
                                       {"org/gpt2/tensors.safetensors", 9}};
  const Result<Choice> choice = scenes::own::choose(folder);
  REQUIRE(choice);
  CHECK(choice->label == "gpt2");
  CHECK(choice->files == std::vector<std::size_t>{2, 6, 4});
  const Result<Choice> loose = scenes::own::choose(offered(bert()));
  REQUIRE(loose);
  CHECK(loose->label == "your model");
  CHECK(loose->files.size() == 3);
  const Result<Choice> alone = scenes::own::choose(std::vector<Offered>{{"runs/w.safetensors", 9}});
  REQUIRE(alone);
  CHECK(alone->label == "w.safetensors");
}

TEST_CASE("own: files that make neither a model nor weights are refused before anything of them is read") {
  const auto refused = [](const std::vector<Offered>& files, std::string_view words) {
    CAPTURE(words);
    const Result<Choice> choice = scenes::own::choose(files);
    REQUIRE_FALSE(choice);
    CAPTURE(choice.error().message);
    CHECK(choice.error().message.find(words) != std::string::npos);
    CHECK(choice.error().message.ends_with('.'));
  };
  refused({}, "Nothing was given");
  refused({{"config.json", 9}}, "model.safetensors is missing: config.json is there");
  refused({{"model.safetensors", 9}, {"vocab.txt", 9}},
          "config.json is missing: model.safetensors and vocab.txt are there");
  refused({{"config.json", 9}, {"pytorch_model.bin", 9}}, "pytorch_model.bin is of a format that is not read here");
  refused({{"gpt2.gguf", 9}}, "gpt2.gguf is of a format");
  refused({{"model.onnx", 9}}, "save_pretrained");
  refused({{"x/config.json", 9}, {"x/model-00001-of-00002.safetensors", 9}, {"x/model-00002-of-00002.safetensors", 9}},
          "model-00001-of-00002.safetensors is a part of a model");
  refused({{"x/config.json", 9}, {"x/a.safetensors", 9}, {"x/b.safetensors", 9}}, "2 files of tensors");
  refused({{"a.npy", 9}, {"b.npy", 9}}, "one at a time");
  refused({{"notes.txt", 9}}, "notes.txt is neither a model nor weights");
  refused({{"config.json", std::uint64_t{1} << 40U}, {"model.safetensors", 9}}, "config.json has 1099.5 GB");
  refused({{"config.json", 9}, {"model.safetensors", std::uint64_t{1} << 63U}}, "model.safetensors has");
}

TEST_CASE("own: both families become models with their tokenizer, and their numbers are in the file's own bytes") {
  app::App app = sentence_app();
  for (const Files& files : {gpt2(), bert(), bert(true)}) {
    const std::string name = give_good(app, files);
    const auto model = app::inputs_of(app).own_one<scenes::OwnModel>(name);
    REQUIRE(model);
    CHECK(app::inputs_of(app).own_one<scenes::OwnWeights>(name) == nullptr);
    CHECK(model->config.layers == 2);
    REQUIRE(model->tokenizer);
    CHECK(model->tokenizer->family() == model->config.family);
    CHECK(model->kept);
    CHECK(run_transformer(std::vector<int>{1, 2, 3}, model->model.weights, model->model.options, true).finite);
    CHECK(app.notice.text.find("2 layers of 4 heads") != std::string::npos);
    CHECK(app.own.size() == 1);  // the former one was let go
  }
}

TEST_CASE("own: without a tokenizer the tokens are numbers, and that is said") {
  app::App app = sentence_app();
  const std::string name = give_good(app, without(without(gpt2(), "vocab.json"), "merges.txt"));
  CHECK_FALSE(app::inputs_of(app).own_one<scenes::OwnModel>(name)->tokenizer);
  CHECK(app.notice.text.find("without a tokenizer") != std::string::npos);
}

TEST_CASE("own: a model and weights are there side by side, one of each") {
  app::App app = sentence_app();
  const std::string model = give_good(app, bert()), first = give_good(app, weights(0.25F)),
                    second = give_good(app, weights(0.5F));
  CHECK(first != second);
  CHECK(app.own.contains(model));
  CHECK_FALSE(app.own.contains(first));
  app::undo(app);
  CHECK(shown(app) == first);
  CHECK(app::missing_own(app, *app.scene, app.state) == first);
  app::undo(app);
  CHECK(shown(app) == model);
  CHECK(app::missing_own(app, *app.scene, app.state).empty());
}

TEST_CASE("own: bad files are refused by a sentence that names them, and what was there stays") {
  const std::string model = text_of(embedded::pretrained_gpt2), config = text_of(embedded::pretrained_gpt2_config);
  check_refused(with(gpt2(), "model.safetensors", model.substr(0, model.size() - 5)), "model.safetensors is truncated");
  check_refused(with(gpt2(), "model.safetensors", model.substr(0, 50)), "model.safetensors is truncated");
  check_refused(with(gpt2(), "model.safetensors", "no tensors"), "model.safetensors is not a .safetensors file");
  check_refused(with(gpt2(), "model.safetensors", replaced(model, "\"F32\"", "\"I32\"")), "has the dtype \"I32\"");
  check_refused(with(gpt2(), "model.safetensors", replaced(model, "wte.weight", "wtf.weight")), "no tensor");
  const std::string offsets = "\"data_offsets\":[0,";
  if (model.find(offsets) != std::string::npos)
    check_refused(with(gpt2(), "model.safetensors", replaced(model, offsets, "\"data_offsets\":[4,")), "do not match");
  std::string nan = model;
  std::uint64_t header = 0;
  std::memcpy(&header, nan.data(), sizeof(header));
  std::memcpy(nan.data() + sizeof(header) + header, "\x00\x00\xc0\x7f", 4);  // the first tensor's first number
  check_refused(with(gpt2(), "model.safetensors", nan), "is not a finite number");
  check_refused(with(gpt2(), "config.json", "{"), "config.json is not a JSON object");
  check_refused(with(gpt2(), "config.json", replaced(config, "gpt2", "llam")), "gpt2 or bert is needed");
  check_refused(with(gpt2(), "vocab.json", text_of(embedded::golden_vocab_json)), "merges.txt");
  check_refused(with(with(gpt2(), "vocab.json", text_of(embedded::golden_vocab_json)), "merges.txt",
                     text_of(embedded::golden_merges)),
                "tokens, but its model has embeddings of 40");
  check_refused(with(bert(), "vocab.txt", text_of(embedded::golden_vocab_txt)), "embeddings of 40");
  check_refused(without(gpt2(), "merges.txt"), "vocab.json is there without merges.txt");
  check_refused(with(without(without(gpt2(), "vocab.json"), "merges.txt"), "vocab.txt", std::string(kVocabTxt)),
                "of the BERT family, its config.json of a GPT-2");
  check_refused({{"w.npy", "no array"}}, "w.npy is not a .npy file");
}

TEST_CASE("own: in a scene that takes none it opens Sentence") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  give_good(app, weights());
  CHECK(app.scene->id == "sentence");
  app::undo(app);
  CHECK(app.scene->id == "spotlight");
}

TEST_CASE("own: a link holds only its name; where it is not here it can be given again, and is computed with") {
  app::App app = sentence_app();
  const std::string name = give_good(app, bert());
  const std::string link = app::link(app);
  CHECK(link.find(name) != std::string::npos);
  CHECK(link.size() < 200);
  app::App other = app::make_app();
  REQUIRE(app::open_link(other, link));
  CHECK(app::missing_own(other, *other.scene, other.state) == name);
  const int before = other.revision;
  CHECK(give_good(other, bert()) == name);
  CHECK(other.revision > before);
  CHECK(app::missing_own(other, *other.scene, other.state).empty());
}

TEST_CASE("own: one that is on its way can be stopped, and another one takes its place") {
  app::App app = sentence_app();
  const std::string before = give_good(app, weights());
  const std::vector<Offered> large = {{"gpt2/config.json", 9}, {"gpt2/model.safetensors", 20'000'000}};
  const auto first = app::own_offered(app, large);
  REQUIRE(first);
  REQUIRE(app::own_piece(app, (*first)->ticket, 1, 0, 10'000'000));
  CHECK(app::own_progress(app) == "gpt2 is on its way: 10 of 20 MB");
  app.notice.text.clear();
  REQUIRE(app::own_piece(app, (*first)->ticket, 1, 10'000'000, 5'000'000));
  CHECK(app.notice.text.starts_with("gpt2 is on its way: 15 of 20 MB"));
  CHECK_FALSE(app::own_piece(app, (*first)->ticket, 1, 19'000'000, 1'000'001));
  CHECK_FALSE(app::own_piece(app, (*first)->ticket, 2, 0, 1));
  app::call(app, "dismiss", "");
  CHECK(app::own_progress(app).empty());
  CHECK_FALSE(app::own_piece(app, (*first)->ticket, 1, 0, 1));
  CHECK_FALSE(app::own_arrived(app, (*first)->ticket));
  const auto second = app::own_offered(app, large), third = app::own_offered(app, large);
  REQUIRE(third);
  CHECK_FALSE(app::own_piece(app, (*second)->ticket, 1, 0, 1));
  const Result<std::string> early = app::own_arrived(app, (*third)->ticket);
  REQUIRE_FALSE(early);
  CHECK(early.error().message.find("not complete: 0 of its 20000009 bytes") != std::string::npos);
  CHECK(shown(app) == before);
}

TEST_CASE("own: what breaks off on its way is let go with its reason, and another that has come since is not") {
  app::App app = sentence_app();
  const std::vector<Offered> large = {{"gpt2/config.json", 9}, {"gpt2/model.safetensors", 20'000'000}};
  const auto first = app::own_offered(app, large), second = app::own_offered(app, large);
  REQUIRE(second);
  const auto broken = [&](int ticket) {
    return app::call(app, "own_broken", std::to_string(ticket) + " The file was moved.");
  };
  broken((*first)->ticket);
  CHECK_FALSE(app::own_progress(app).empty());
  broken((*second)->ticket);
  CHECK(app::own_progress(app).empty());
  CHECK(app.notice.text == "The file was moved.");
  CHECK(app::call(app, "own_broken", "soon").find("\"ok\":false") != std::string::npos);
}

TEST_CASE("own: all of it can be let go, and the scene computes without") {
  app::App app = sentence_app();
  const std::string name = give_good(app, weights());
  app::call(app, "own_remove", "");
  CHECK(app.own.empty());
  CHECK(app::missing_own(app, *app.scene, app.state) == name);
  CHECK(app.notice.text == "w.npy is not here any more.");
}

TEST_CASE("own: the page offers files by a call, and the button lets the reader choose") {
  app::App app = sentence_app();
  CHECK(app::call(app, "own_offered", "9 gpt2/config.json\n20 gpt2/model.safetensors\n7 gpt2/README.md") ==
        R"({"ok":true,"ticket":1,"files":[0,1]})");
  CHECK(app::call(app, "own_offered", "9 gpt2.gguf").find("\"ok\":false") != std::string::npos);
  CHECK(app::call(app, "own_offered", "many").find("\"ok\":false") != std::string::npos);
  CHECK(app::call(app, "own_arrived", "1").find("not complete") != std::string::npos);
  app::activate(app, {"do", "own_files"});
  CHECK(app.wish_own_files);
}

TEST_CASE(
    "own: weights are shown at a step that shows them, and the sentence that they have nothing to do with is not") {
  for (const scenes::Step& step : scenes::find("sentence")->steps()) {
    app::App app = sentence_app();
    REQUIRE(app::change(app, "step", std::string(step.id)));
    give_good(app, weights());
    finish(app);
    CAPTURE(step.id);
    CHECK(words_of(app).find("this step needs the model") == std::string::npos);
    if (step.id == "heads") CHECK(scenes::step_at(*app.scene, app.place).id == step.id);
    CHECK_FALSE(is_shown(app, "text"));
    CHECK(is_shown(app, "tokens"));
    app::undo(app);
    CHECK(shown(app).empty());
  }
  app::App app = sentence_app();
  give_good(app, weights());
  const std::string link = app::link(app);
  REQUIRE(app::change(app, "preset", "coffee"));  // the encoder reads it
  CHECK(shown(app).empty());
  CHECK(is_shown(app, "text"));
  REQUIRE(app::open_link(app, link));
  REQUIRE(app::change(app, "own", ""));
  CHECK(is_shown(app, "text"));
  give_good(app, bert());
  CHECK(is_shown(app, "text"));
  CHECK_FALSE(is_shown(app, "tokens"));
}

TEST_CASE("own: what a link says of weights stays when their file is given again") {
  app::App app = sentence_app();
  give_good(app, array_of({2, 2, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0}));
  REQUIRE(app::change(app, io::Patch{{"head", "2.1"}, {"tokens", "She ran"}, {"step", "5"}}));
  const std::string link = app::link(app);
  app::App other = sentence_app();
  REQUIRE(app::open_link(other, link));
  give_good(other, array_of({2, 2, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0}));
  finish(other);
  CHECK(app::link(other) == link);
  CHECK(other.trace.at("raw").column_labels == std::vector<std::string>{"She", "ran"});
}

TEST_CASE("own: the tokens of weights are named by a line, everywhere; a wrong number is said and changes nothing") {
  app::App app = sentence_app();
  give_good(app, weights());
  finish(app);
  CHECK(words_of(app).find("its 2 tokens") != std::string::npos);
  REQUIRE(app::change(app, "tokens", "She\tran"));
  finish(app);
  CHECK(app.trace.at("A_1.1").row_labels == std::vector<std::string>{"She", "ran"});
  CHECK(app.trace.at("A_1.1").column_labels == std::vector<std::string>{"She", "ran"});
  CHECK(words_of(app).find("ran") != std::string::npos);
  CHECK(words_of(app).find("its 2 tokens") == std::string::npos);
  REQUIRE(app::change(app, "tokens", "She ran home"));
  finish(app);
  CHECK(value_of(app, "tokens") == "She ran home");
  CHECK(words_of(app).find("w.npy has 2 tokens, and 3 names are given") != std::string::npos);
  CHECK(app.trace.at("A_1.1").row_labels == std::vector<std::string>{"1", "2"});
  app::undo(app);
  finish(app);
  CHECK(app.trace.at("A_1.1").row_labels == std::vector<std::string>{"She", "ran"});
}

TEST_CASE("own: weights that are dark from 0 to 1 get colours that show them, and the figure says which") {
  constexpr int kTokens = 40, kHeads = 70;  // more than have words of their own
  app::App app = sentence_app();
  give_good(app, array_of({kHeads, kTokens, kTokens}, std::vector<float>(kHeads * kTokens * kTokens, 1.F / kTokens)));
  finish(app);
  CHECK(value_of(app, "colours") == "row");
  REQUIRE(app::change(app, "step", "head"));
  CHECK(words_of(app).find("coloured by row") != std::string::npos);
  float brightest = 0;
  for (const figure::Element& element : app::draw_stage(app).elements)
    if (const auto* map = std::get_if<figure::Heatmap>(&element.shape))
      brightest = std::max(brightest, figure::HeatmapReader(*map, app.trace).share(0, 0).value_or(0));
  CHECK(brightest == 1);
  REQUIRE(app::change(app, "step", "heads"));  // where each has light, of the word that asks alone
  int lit = 0;
  for (const figure::Element& element : app::draw_stage(app).elements)
    if (const auto* light = std::get_if<figure::Light>(&element.shape); light != nullptr)
      for (const figure::Light::Beam& beam : light->beams) lit += beam.row == 0 && beam.intensity > 0 ? 1 : 0;
  CHECK(lit >= kHeads);
  give_good(app, weights());
  CHECK(value_of(app, "colours") == "zero-one");
  give_good(app, array_of({1, 2, 2}, {0.25F, 0.75F, 0.5F, 0.5F}));
  REQUIRE(app::change(app, io::Patch{{"step", "head"}, {"colours", "min-max"}}));
  finish(app);
  CHECK(words_of(app).find("coloured from 0.25 to 0.75") != std::string::npos);
}

TEST_CASE("own: of weights that came it is told how many queries and keys they have, where these differ") {
  app::App app = sentence_app();
  give_good(app, array_of({1, 2, 3}, {1, 0, 0, 0, 1, 0}));
  CHECK(app.notice.text.find("1 layer of 1 head, 2 queries and 3 keys.") != std::string::npos);
  give_good(app, weights());
  CHECK(app.notice.text.find("1 layer of 1 head, 2 tokens.") != std::string::npos);
}

TEST_CASE("own: light begins and ends at its words, also where there are more keys than queries") {
  app::App app = sentence_app();
  give_good(app, array_of({1, 2, 4}, {0.25F, 0.25F, 0.25F, 0.25F, 1, 0, 0, 0}));
  finish(app);
  const figure::Figure stage = app::draw_stage(app);
  const figure::Element* flows = stage.find("flows");
  REQUIRE(flows != nullptr);
  const auto& beams = std::get<figure::Light>(flows->shape).beams;
  CHECK(beams.size() == 5);
  for (const figure::Light::Beam& beam : beams) {
    const figure::Element* from = stage.find("stage.word." + std::to_string(beam.row) + ".text");
    const figure::Element* to = stage.find("keys.word." + std::to_string(beam.column) + ".text");
    REQUIRE(from != nullptr);
    REQUIRE(to != nullptr);
    CHECK(beam.from.x == doctest::Approx(from->rect.centre().x));
    CHECK(beam.to.x == doctest::Approx(to->rect.centre().x));
  }
}

TEST_CASE("own: the numbers of a bar of small weights end within the figure of a phone") {
  app::App app = sentence_app();
  std::vector<float> numbers;
  for (int i = 0; i < 60 * 60; ++i) numbers.push_back((i % 2 == 0 ? 0.00324F : 0.0300933F));
  give_good(app, array_of({1, 60, 60}, numbers));
  REQUIRE(app::change(app, io::Patch{{"step", "head"}, {"colours", "min-max"}}));
  finish(app);
  const figure::Figure stage = app::draw_stage(app, {.width = 390, .height = 700, .place = app.place});
  const figure::Element* bar = stage.find("A_1.1.bar");
  REQUIRE(bar != nullptr);
  for (const figure::Primitive& primitive : figure::primitives(*bar, app.trace))
    if (const auto* words = std::get_if<figure::TextPrimitive>(&primitive.shape))
      CHECK(words->baseline.x + words->width <= stage.width);
}
