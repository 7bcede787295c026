// Sentence's state: its examples, what a change brings with it, what is refused.
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

struct Example {
  std::string_view text;
  int hidden;  // the token that is hidden; 0: none
  int layer, head, query, key;
  int place;  // of the token that is swapped
  std::string_view instead;
};

// The head is one whose light moves between words. Tokens count with [START] as 0, so that the first word is 1.
constexpr Example kExamples[] = {
    {"The animal did not cross the street because it was too tired.", 9, 3, 2, 9, 2, 12, "wide"},
    {"The dogs near the cat are tired.", 6, 3, 2, 6, 2, 2, "dog"},
    {"Anna fed the dogs because they were hungry.", 6, 3, 6, 6, 4, 2, "bought"},
    {"The cat sat on the mat.", 6, 2, 4, 6, 4, 6, "sofa"},
    {"The quick brown fox jumped over the lazy dog.", 5, 1, 5, 5, 4, 9, "fence"},
    {"She likes coffee.", 1, 1, 2, 1, 2, 2, "like"},
    {"I ate an apple.", 4, 2, 6, 4, 3, 4, "soup"},
    {"", 0, 1, 1, 0, 0, 0, ""},
};

}  // namespace

State::State() { *this = example(); }

void State::fields(io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
  io::Field typed{.name = "text", .label = "Your own sentence", .implied = sentence(), .place = top, .shown = !weights};
  typed.hint = "Up to 23 words and a full stop; words that the model does not know are read by their letters.";
  typed.placeholder = "your own sentence …";
  field(typed, text);
  field(io::Field{.name = "own",
                  .label = "Your own model",
                  .hint = "The name of one that you dropped or chose; it never leaves your machine.",
                  .place = figure},
        own);
  field(io::Field{.name = "weights", .label = "Attention weights alone", .place = figure, .shown = false}, weights);
  io::Field named{.name = "tokens", .label = "The tokens’ names", .place = top, .shown = weights};
  named.hint = "Words with spaces between, or a JSON list; queries | keys where they differ.";
  named.placeholder = "name the tokens …";
  field(named, tokens);
  field(io::Field{.name = "hidden", .label = "Hidden words", .range = {0, 1}, .place = figure}, hidden);
  field(io::Field{.name = "head", .label = "Layer and head", .place = figure, .keeps_job = true}, head);
  const auto look = [](std::string_view name, std::string_view label, std::string_view hint, auto steps) {
    return io::Field{.name = name, .label = label, .hint = hint, .steps = steps, .look = true};
  };
  io::Field drawn = look("share", "light drawn", "How much of each word’s light is drawn, the brightest beams first.",
                         io::only("head"));
  drawn.range = {0.05, 1};
  // Of the encoder's few heads all light is seen, and so is all of the map: there a link alone sets these two.
  drawn.place = own.empty() ? io::Place::figure : io::Place::panel;
  field(drawn, share);
  field(look("alone", "this word’s light alone", "Draws the light of the word that looks, and no other’s.",
             io::only("head")),
        alone);
  field(look("raw", "each layer by itself",
             "The mean of each layer's heads, instead of what is left of the light from the layers above.",
             io::only("layers")),
        raw);
  io::Field colours = look("colours", "map’s colours",
                           "Brightest is 1, each row’s largest weight, or the largest of all, darkest then the least.",
                           own.empty() ? io::only("head") : io::only("head", "layers"));
  colours.choices = kNormalise;
  colours.place = drawn.place;
  field(colours, normalise);
  field(io::Field{.name = "query", .label = "Query", .range = {0, kMostTokens - 1}, .place = figure, .keeps_job = true},
        query);
  field(io::Field{.name = "key", .label = "Key", .range = {0, kMostTokens - 1}, .place = figure, .look = true}, key);
  io::Field sorted{.name = "sorting", .label = "sorted by", .choices = kSortings, .place = figure, .keeps_job = true};
  sorted.steps = io::only("heads");
  field(sorted, sorting);
  field(io::Field{.name = "place", .label = "Place of the swap", .range = {0, kMostTokens - 1}, .place = figure},
        place);
  io::Field other{.name = "instead", .label = "The word in its place", .place = figure};
  other.placeholder = "another word …";
  field(other, instead);
  field(io::Field{.name = "off", .label = "Heads switched off", .range = {0, 1}, .place = figure}, off);
  field(io::Field{.name = "tried", .label = "Try every head and every word", .place = figure}, tried);
}

State State::example() const {
  const Example& one = kExamples[static_cast<int>(preset)];
  State state = *this;
  state.text = preset == Preset::own ? "My dog likes your cat because it is kind." : "";
  state.own.clear();
  state.hidden = state.off = {};
  if (one.hidden > 0) state.hidden.cells[{0, one.hidden}] = 1;
  state.head = std::to_string(one.layer) + "." + std::to_string(one.head);
  state.query = one.query, state.key = one.key;
  state.place = one.place, state.instead = one.instead;
  state.share = 0.9;
  state.sorting = Sorting::place;
  state.tried = state.alone = state.raw = state.weights = false;
  state.tokens.clear();
  state.normalise = figure::Normalise::zero_one;
  return state;
}

void State::changed(std::string_view field) {
  if (weights && (field == "preset" || field == "text")) own.clear();  // weights alone read nothing
  if (field == "preset" && own.empty()) *this = example();
  if (field != "text" && field != "own" && (field != "preset" || own.empty())) return;
  // A model of the reader's own reads what the encoder would have read, or the example's sentence, as one's own.
  const std::string typed(field == "text" ? std::string_view(text) : field == "preset" ? sentence() : read());
  const std::string named = own;
  if (field == "preset" && sentence().empty()) return;
  if (field == "own" && own.empty()) {
    if (weights) normalise = figure::Normalise::zero_one;
    weights = false;
    tokens.clear();
    // What the encoder cannot read is left with the model that could.
    if (preset == Preset::own && !learn::english::read(text)) {
      preset = Preset::animal;
      *this = example();
    }
    return;
  }
  preset = Preset::own;
  *this = example();
  text = typed;
  own = named;
}

Result<void> State::check() const {
  if (read_name("A_" + head).one.empty())
    return fail("Layer and head are two numbers from 1 with a point between them, as \"3.2\"; " + io::quote(head) +
                " is not.");
  if (Result<void> inside = hidden.check("hidden", 1, kMostTokens); !inside) return inside;
  if (Result<void> inside = off.check("off", kMostLayers, kMostHeads); !inside) return inside;
  if (text.size() > kMostBytes)
    return fail("The text has " + std::to_string(text.size()) + " bytes; up to " + std::to_string(kMostBytes) +
                " are read, so shorten it.");
  if (preset == Preset::own && text.empty() && own.empty())
    return fail("The sentence has no words; type at least one.");
  if (!own.empty() && (own.size() != 16 || own.find_first_not_of("0123456789abcdef") != std::string::npos))
    return fail("own is " + io::quote(own) +
                "; a model of your own is named by 16 hexadecimal digits. Drop one, or choose its files.");
  if (weights && own.empty()) return fail("weights is on, and own names none; drop their file.");
  if (tokens.size() > kMostBytes)
    return fail("The tokens’ names have " + std::to_string(tokens.size()) + " bytes; up to " +
                std::to_string(kMostBytes) + " are read.");
  if (own.empty())
    if (const Result<std::vector<std::string>> words = learn::english::read(read()); !words)
      return std::unexpected(words.error());
  return {};
}

io::Patch shown_own(const Own& own, int step) {
  constexpr float kDark = 0.25F;  // of a row's largest weight: darker, a map from 0 to 1 shows nothing
  const auto* given = std::get_if<std::shared_ptr<const OwnWeights>>(&own);
  if (given == nullptr) return {};
  io::Patch patch{{"weights", io::write_value(true)}};
  if (row_at({step, 0}).needs_model) patch.emplace_back("step", "head");
  float sum = 0;
  Eigen::Index rows = 0;
  for (const Matrix& weights : (*given)->weights) {
    sum += weights.rowwise().maxCoeff().sum();
    rows += weights.rows();
  }
  if (sum < kDark * static_cast<float>(rows)) patch.emplace_back("colours", "row");
  return patch;
}

std::string_view State::sentence() const { return kExamples[static_cast<int>(preset)].text; }

}  // namespace limelight::scenes::sentence
