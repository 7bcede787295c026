// Translate's state: its examples, what a change brings with it, what is refused.
#include <algorithm>
#include <array>

#include "io/utf8.h"
#include "scenes/common/add_field.h"
#include "scenes/common/by_hand.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {
namespace {

namespace french = learn::french;

const std::array<std::string, 4> kConstructedSource = {"we", "are", "eating", "bread"};
const std::array<std::string, 4> kConstructedTarget = {"estamos", "comiendo", "pan", "[STOP]"};

// A sentence of the held-out part.
french::Sentence compose(int draw, int words) {
  Random random(hash_text("compose", static_cast<std::uint64_t>(draw)));
  return french::generate(random, {.min_words = words, .max_words = words, .split = french::Split::held_out});
}

// What the state's preset, words and draw stand for.
void refresh(State& state) {
  state.corpus = nullptr;
  const auto keep = [&](french::Sentence made) {
    state.printed = french::detokenise(made.source);
    state.corpus = std::make_shared<const french::Sentence>(std::move(made));
  };
  static constexpr std::pair<int, int> kOfPresets[] = {{0, 0}, {7, 5}, {3, 10}, {5, 25}};  // draw and words of presets
  if (state.preset == Preset::agreement) return keep(french::example());
  if (state.preset == Preset::composed) return keep(compose(state.draw, state.words));
  state.printed = state.trained() ? "" : "We are eating bread";
  if (const auto given = static_cast<std::size_t>(state.preset); given < std::size(kOfPresets))
    keep(compose(kOfPresets[given].first, kOfPresets[given].second));
}

// What can be set of the example by hand, and how many rows and columns there are.
struct Cells {
  const char *name, *label;
  io::CellEdits State::* edits;
  int rows, columns;
};
constexpr Cells kCells[] = {{"h", "Cells of h", &State::h, 4, 1},
                            {"s", "Cells of s", &State::s, kMostConstructed + 1, 1},
                            {"scores", "Scores set by hand", &State::scores, kMostConstructed, 4},
                            {"context", "Contexts set by hand", &State::context, kMostConstructed, 1},
                            {"W", "Cells of W", &State::W, 1, kUnits},
                            {"U", "Cells of U", &State::U, 1, kUnits},
                            {"v_a", "Cells of v_a", &State::v, kUnits, 1},
                            {"y", "Cells of y", &State::y, 1, kMostConstructed},
                            {"w", "Cells of w", &State::w, 1, 2},
                            {"O", "Cells of O", &State::O, 1, 4},
                            {"b", "Cells of b", &State::b, 1, 4}};

}  // namespace

std::shared_ptr<const french::Sentence> first_sentence() {
  return std::make_shared<const french::Sentence>(french::example());
}

void State::fields(io::FieldVisitor& field) {
  using enum io::Place;
  field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
  add_field(field, "text", "Your own sentence",
            {.placeholder = trained() ? "an English sentence …" : "a sentence for the trained model …",
             .implied = trained() ? std::string_view(printed) : std::string_view(),
             .place = top},
            text, "English, 3 to 30 words of those that the model knows.");
  add_field(field, "words", "words",
            {.range = {learn::french::kFewestWords, learn::french::kMostWords}, .shown = preset == Preset::composed},
            words, "How long a sentence is composed.");
  add_field(field, "draw", "sentence", {.range = {1, 9999}, .shown = preset == Preset::composed}, draw,
            "Another number composes another sentence, of a pattern that was not trained on.");
  add_field(field, "word", "output word t",
            {.range = {0, static_cast<double>((trained() ? kMostSteps : kMostConstructed) - 1)},
             .place = figure,
             .steps = io::only("context", "next", "alignment", "scores", "weights")},
            word);
  add_field(field, "s_0", "first state", {.choices = kFirsts, .steps = io::all_but("bottleneck", "long")}, first,
            "Where the decoder begins: with what the encoder gives, at random, or with zeros.");
  add_field(field, "seed", "seed",
            {.range = {1, 9999}, .steps = io::all_but("bottleneck", "long"), .shown = first == First::random}, seed,
            "Another seed draws another first state.");
  add_field(field, "attention", "attention",
            {.choices = kGazes, .steps = io::only("weights", "context", "next", "alignment")}, gaze,
            "Soft: a mixture by the weights. Hard: the source word with the largest score alone.");
  add_field(field, "translation", "Your own translation", {.placeholder = "your own translation …", .place = figure},
            translation, "The decoder reads these words instead of those that it wrote (teacher forcing).");
  add_field(field, "gold", "gold links", {.steps = io::only("alignment"), .shown = trained(), .look = true}, gold,
            "Outlines which words belong together; the model never saw this.");
  field(io::Field{.name = "weights", .label = "Weights set by hand", .range = {0, 1}, .place = figure}, weights);
  for (const Cells& c : kCells)
    field(io::Field{.name = c.name, .label = c.label, .range = {-1000, 1000}, .place = figure}, this->*c.edits);
}

State State::example() const {
  State state;
  state.preset = preset;
  if (preset == Preset::own) state.text = "The young minister signed a secret treaty in Paris.";
  state.word = preset == Preset::agreement ? kZone : preset == Preset::committee ? kWeek : 0;
  return state;
}

void State::changed(std::string_view field) {
  const auto fresh = [this] {
    weights = {};
    for (const Cells& c : kCells) this->*c.edits = {};
    translation.clear();
    word = 0;
  };
  if (field == "preset") {
    *this = example();
    refresh(*this);
  } else if (field == "text") {
    preset = Preset::own;
    refresh(*this);
    fresh();
    if (text == kUnsure) word = 2;
  } else if (field == "words" || field == "draw") {
    const bool asked = words != State{}.words || draw != State{}.draw;
    if (preset != Preset::composed && !asked) return;
    preset = Preset::composed;
    text.clear();
    refresh(*this);
    fresh();
  } else if (field == "translation") {
    weights = scores = context = y = {};
  }
}

Result<void> State::check() const {
  if (text.size() > kMostBytes || translation.size() > kMostBytes)
    return fail("That is a text of " + std::to_string(std::max(text.size(), translation.size())) + " bytes; up to " +
                std::to_string(kMostBytes) + " are read, so shorten it.");
  if (preset == Preset::own) {
    const Result<french::Reading> reading = french::read_english(text);
    if (!reading) return std::unexpected(reading.error());
    if (!reading->unknown.empty())
      return fail(french::sentence_of(reading->unknown, french::english_vocabulary().words.size(), "the model"));
  }
  if (const Result<std::vector<int>> read = read_translation(*this); !read) return std::unexpected(read.error());
  const int sources = static_cast<int>(source_labels(*this).size());
  const int most = trained() ? kMostSteps : kMostConstructed;
  std::vector<std::string> outputs;
  for (int t = 1; t <= most; ++t) outputs.push_back("output word " + std::to_string(t));
  if (Result<void> rows =
          by_hand::check(weights, "weights", BoolMatrix::Constant(most, sources, true), outputs, source_labels(*this));
      !rows)
    return rows;
  for (const Cells& c : kCells) {
    const io::CellEdits& edits = this->*c.edits;
    if (trained() && !edits.cells.empty())
      return fail(std::string(c.name) +
                  " is computed by the trained model and cannot be set; its weights can, and all "
                  "numbers of the example by hand.");
    if (Result<void> inside = edits.check(c.name, c.rows, c.columns); !inside) return inside;
  }
  return {};
}

bool State::edited() const {
  return !weights.cells.empty() ||
         std::ranges::any_of(kCells, [this](const Cells& c) { return !(this->*c.edits).cells.empty(); });
}

std::span<const std::string> constructed_target() { return kConstructedTarget; }

std::vector<std::string> source_tokens(const State& state) {
  if (!state.trained()) return {kConstructedSource.begin(), kConstructedSource.end()};
  if (state.corpus) return state.corpus->source;
  Result<french::Reading> reading = french::read_english(state.text);
  return reading ? std::move(reading->tokens) : std::vector<std::string>{"."};
}

std::vector<std::string> source_labels(const State& state) {
  std::vector<std::string> tokens = source_tokens(state);
  if (state.trained()) tokens.emplace_back("[STOP]");
  return tokens;
}

Result<std::vector<int>> read_translation(const State& state) {
  if (io::split_words(state.translation).empty()) return std::vector<int>{};
  const std::span<const std::string> known = state.trained()
                                                 ? std::span<const std::string>(french::french_vocabulary().words)
                                                 : constructed_target().first(kConstructedTarget.size() - 1);
  const french::Reading read = french::read_french(state.translation, known);
  if (!read.unknown.empty()) return fail(french::sentence_of(read.unknown, known.size(), "the decoder"));
  std::vector<int> tokens;
  for (const std::string& word : read.tokens)
    tokens.push_back((state.trained() ? learn::kFirstWord : 0) +
                     static_cast<int>(std::ranges::find(known, word) - known.begin()));
  const auto most = static_cast<std::size_t>(state.trained() ? kMostSteps : kMostConstructed) - 1;
  if (tokens.size() > most)
    return fail("The translation has " + std::to_string(tokens.size()) + " words and signs; up to " +
                std::to_string(most) + " are read, so shorten it.");
  tokens.push_back(state.trained() ? learn::kStop : static_cast<int>(kConstructedTarget.size()) - 1);
  return tokens;
}

std::optional<io::Range> room(const State& state, std::string_view field, int row, int column) {
  if (field != "weights") return std::nullopt;
  const auto sources = static_cast<Eigen::Index>(source_labels(state).size());
  return by_hand::room(state.weights, BoolMatrix::Constant(row + 1, sources, true), row, column);
}

}  // namespace limelight::scenes::translate
