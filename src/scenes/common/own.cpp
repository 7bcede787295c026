#include "scenes/common/own.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "io/distance.h"
#include "io/utf8.h"
#include "scenes/common/picture.h"

namespace limelight::scenes {

const std::string& label_of(const Own& own) {
  return std::visit([](const auto& one) -> const std::string& { return one->label; }, own);
}

namespace own {
namespace {

constexpr std::uint64_t kLargestText = std::uint64_t{1} << 26U;  // bytes, of a configuration or a tokenizer
constexpr std::size_t kPiece = std::size_t{1} << 20U;            // bytes, of which some are hashed
constexpr std::size_t kHashed = 4096;
constexpr std::size_t kMostNamed = 6;  // files that a sentence lists
constexpr std::string_view kModel = ".safetensors", kTensors = "model.safetensors", kConfig = "config.json";
constexpr std::string_view kWeights[] = {".npy", ".safetensors", ".json"};
// Models in formats that are not read.
constexpr std::string_view kOthers[] = {".bin",  ".pt",   ".pth",  ".ckpt",   ".h5",  ".msgpack",
                                        ".gguf", ".ggml", ".onnx", ".tflite", ".pkl", ".ot"};
constexpr std::string_view kSavePretrained =
    "In Python, model.save_pretrained(\"folder\", max_shard_size=\"20GB\") writes the two.";

using Files = std::span<const Offered>;

bool ends_with(const Offered& file, std::string_view ending) { return io::lower_case(file.name).ends_with(ending); }
bool ends_with_one(const Offered& file, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return ends_with(file, ending); });
}
bool is_text_of_model(const Offered& file) {
  const std::string_view base = io::base_name(file.name);
  return base == kConfig || std::ranges::find(io::kTokenizerFiles, base) != std::end(io::kTokenizerFiles);
}
// With the "/" at its end; empty where there is none.
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

std::string list_of(Files offered) {
  std::vector<std::string> names;
  for (const Offered& file : offered | std::views::take(kMostNamed)) names.emplace_back(io::base_name(file.name));
  if (offered.size() > kMostNamed) names.push_back(std::to_string(offered.size() - kMostNamed) + " more");
  return io::all_of(names);
}

// "gpt2/config.json" is of "gpt2", "config.json" of "your model".
std::string label_of_folder(std::string_view folder) {
  if (folder.empty()) return "your model";
  folder.remove_suffix(1);
  const std::string_view name = io::base_name(folder);
  return name.empty() || name == "." ? "your model" : std::string(name);
}

// The one with this name that lies least deep; nothing where there is none.
std::optional<std::size_t> find_base(Files offered, std::string_view base) {
  std::optional<std::size_t> found;
  const auto depth = [&](std::size_t i) { return std::ranges::count(offered[i].name, '/'); };
  for (std::size_t i = 0; i < offered.size(); ++i)
    if (io::base_name(offered[i].name) == base && (!found || depth(i) < depth(*found))) found = i;
  return found;
}

Result<void> check_sizes(Files offered, const Choice& choice) {
  for (const std::size_t i : choice.files) {
    const Offered& file = offered[i];
    const bool text = is_text_of_model(file);
    const Result<void> holds =
        text ? io::check_holds(file.size, file.name, kLargestText) : io::check_holds(file.size, file.name);
    if (!holds) return holds;
  }
  return {};
}

// Which of the folder's files has the tensors.
Result<std::size_t> find_tensors(Files offered, std::string_view folder) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (folder_of(offered[i].name) != folder || !ends_with(offered[i], kModel)) continue;
    if (io::base_name(offered[i].name) == kTensors) return i;
    found.push_back(i);
  }
  if (found.size() == 1 && offered[found.front()].name.find("-of-") == std::string::npos) return found.front();
  if (!found.empty() && offered[found.front()].name.find("-of-") != std::string::npos)
    return fail(offered[found.front()].name + " is a part of a model; all of it in one model.safetensors is needed. " +
                std::string(kSavePretrained));
  if (!found.empty())
    return fail("There are " + std::to_string(found.size()) + " files of tensors, " + list_of(offered) +
                "; call the one that is meant model.safetensors.");
  for (const Offered& file : offered)
    if (ends_with_one(file, kOthers))
      return fail(file.name +
                  " is of a format that is not read here; model.safetensors is needed beside config.json. " +
                  std::string(kSavePretrained));
  return fail("model.safetensors is missing: " + list_of(offered) + (offered.size() == 1 ? " is" : " are") +
              " there. A model is config.json, model.safetensors and its tokenizer.");
}

Result<Choice> choose_model(Files offered, std::size_t config) {
  const std::string_view folder = folder_of(offered[config].name);
  const Result<std::size_t> tensors = find_tensors(offered, folder);
  if (!tensors) return std::unexpected(tensors.error());
  Choice choice{.label = label_of_folder(folder), .files = {config, *tensors}};
  for (std::size_t i = 0; i < offered.size(); ++i)
    if (i != config && folder_of(offered[i].name) == folder && is_text_of_model(offered[i])) choice.files.push_back(i);
  return choice;
}

Result<Choice> choose_any(Files offered) {
  if (offered.empty()) return fail("Nothing was given; a model's folder or a file of attention weights is needed.");
  if (const std::optional<std::size_t> config = find_base(offered, kConfig)) return choose_model(offered, *config);
  std::vector<std::size_t> weights;
  for (std::size_t i = 0; i < offered.size(); ++i)
    if (!is_text_of_model(offered[i]) && ends_with_one(offered[i], kWeights)) weights.push_back(i);
  if (weights.size() == 1 && std::ranges::none_of(offered, is_text_of_model))
    return Choice{.label = std::string(io::base_name(offered[weights.front()].name)), .files = weights};
  if (std::ranges::any_of(offered, is_text_of_model) ||
      std::ranges::any_of(offered, [](const Offered& file) { return io::base_name(file.name) == kTensors; }))
    return fail("config.json is missing: " + list_of(offered) + (offered.size() == 1 ? " is" : " are") +
                " there. A model is config.json, model.safetensors and its tokenizer.");
  if (weights.size() > 1)
    return fail("There are " + std::to_string(weights.size()) + " files of weights, " + list_of(offered) +
                "; one at a time is shown.");
  const Offered& first = offered.front();
  const bool other = ends_with_one(first, kOthers);
  return fail(first.name + (other ? " is of a format that is not read here" : " is neither a model nor weights") +
              "; give a model as config.json and model.safetensors, or attention weights as .npy, .safetensors or " +
              ".json." + (other ? " " + std::string(kSavePretrained) : ""));
}

Result<Own> read_model(const std::string& label, std::span<const io::NamedFile> files,
                       std::shared_ptr<const void> kept) {
  const io::NamedFile& config_file = *io::find_file(files, kConfig);
  const auto tensors = std::ranges::find_if(
      files, [](const io::NamedFile& file) { return io::lower_case(file.name).ends_with(kModel); });
  const auto& text = config_file.bytes;
  const Result<io::PretrainedConfig> config =
      io::read_pretrained_config({reinterpret_cast<const char*>(text.data()), text.size()}, config_file.name);
  if (!config) return std::unexpected(config.error());
  // Before the tensors, which take longer.
  Result<std::optional<io::Tokenizer>> tokenizer = io::read_tokenizer(files, config->family);
  if (!tokenizer) return std::unexpected(tokenizer.error());
  if (*tokenizer)
    if (const Result<void> fits = io::check_fits(**tokenizer, *config, label); !fits)
      return std::unexpected(fits.error());
  Result<io::Pretrained> model = io::read_pretrained(*config, tensors->bytes, tensors->name);
  if (!model) return std::unexpected(model.error());
  return std::make_shared<const OwnModel>(
      OwnModel{label, std::move(kept), *config, std::move(*model), std::move(*tokenizer)});
}

}  // namespace

Result<Choice> choose(Files offered) {
  Result<Choice> choice = choose_any(offered);
  if (!choice) return choice;
  if (const Result<void> sizes = check_sizes(offered, *choice); !sizes) return std::unexpected(sizes.error());
  return choice;
}

Result<Own> read(const std::string& label, std::span<const io::NamedFile> files, std::shared_ptr<const void> kept) {
  if (io::find_file(files, kConfig) != nullptr) return read_model(label, files, std::move(kept));
  Result<OwnWeights> weights = io::read_attention_weights(files.front().bytes, io::base_name(files.front().name));
  if (!weights) return std::unexpected(weights.error());
  return std::make_shared<const OwnWeights>(std::move(*weights));
}

std::string name_of(std::span<const io::NamedFile> files) {
  std::string hashed;
  for (const io::NamedFile& file : files) {
    const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    hashed += std::to_string(bytes.size()) + " ";
    if (bytes.size() <= kPiece)
      hashed += bytes;
    else
      for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece) hashed += bytes.substr(begin, kHashed);
  }
  return name_of_bytes(hashed);
}

}  // namespace own
}  // namespace limelight::scenes
