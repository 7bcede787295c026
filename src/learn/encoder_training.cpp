#include "learn/encoder_training.h"

#include <algorithm>

#include "io/utf8.h"
#include "learn/train_step.h"

namespace limelight::learn::sentences {
namespace {

// Other letters, the last or the last two of them kept.
std::string invent(const std::string& word, Random& random) {
  constexpr std::string_view kConsonants = "bcdfghjklmnprstvwz", kVowels = "aeiou";
  const std::size_t end = std::min<std::size_t>(word.size(), 1 + static_cast<std::size_t>(draw_below(random, 2)));
  std::string text;
  for (int i = 2 + draw_below(random, 4); i > 0; --i) {
    const std::string_view letters = i % 2 == 0 ? kConsonants : kVowels;
    text += letters[static_cast<std::size_t>(draw_below(random, static_cast<int>(letters.size())))];
  }
  return text + word.substr(word.size() - end);
}

bool is_open(english::Kind kind) {
  return kind == english::Kind::noun || kind == english::Kind::verb || kind == english::Kind::adjective;
}

// Another word of its kind; of a finite verb as often its other number.
int other_word(int token, Random& random) {
  const std::optional<int> other = english::other_number(token);
  if (other && random.uniform() < 0.5) return *other;
  const std::span<const int> all = english::tokens_of(english::kind_of(token));
  return all[static_cast<std::size_t>(draw_below(random, static_cast<int>(all.size())))];
}

// The words of a sentence as they are read, and which of them are to be said.
void add_masked(const Settings& settings, const Config& config, const english::Sentence& sentence, Random& random,
                Scratch& scratch) {
  const std::size_t count = sentence.words.size() - 1;  // the full stop is never in question
  const auto chance = [&](double share) { return random.uniform() < share; };
  std::vector<std::uint8_t> asked(count, 0);
  for (std::uint8_t& one : asked) one = chance(settings.masked) ? 1 : 0;
  asked[static_cast<std::size_t>(draw_below(random, static_cast<int>(count)))] = 1;
  std::vector<Word> words;
  std::vector<std::pair<int, int>> targets;
  for (std::size_t i = 0; i <= count; ++i) {
    const int token = *english::find(sentence.words[i]);
    Word word{.token = token};
    double drawn = 1;
    if (i < count && asked[i] != 0) {
      targets.emplace_back(static_cast<int>(i) + 1, token);
      drawn = random.uniform();
      if (drawn >= settings.replaced + settings.kept) {
        word.token = english::kMask;
      } else if (drawn < settings.replaced) {
        word.token = other_word(token, random);
      }
    }
    if (i < count && word.token != english::kMask && chance(settings.spelled)) {
      const std::string& known = english::vocabulary().words[static_cast<std::size_t>(word.token)];
      const bool other = is_open(english::kind_of(word.token)) && chance(settings.invented);
      word = {.token = -1, .letters = other ? invent(known, random) : known};
    }
    words.push_back(std::move(word));
  }
  const int first = scratch.batch.add(config, words);
  for (const auto& [place, token] : targets) {
    scratch.rows.push_back(first + place);
    scratch.targets.push_back(token);
  }
}

}  // namespace

Result<Config> make_config(const Settings& settings) {
  if (settings.task != kTask)
    return fail("The task is " + io::quote(settings.task) + "; it must be " + std::string(kTask) + ".");
  if (settings.size % settings.heads != 0)
    return fail("The size " + std::to_string(settings.size) + " cannot be shared by " + std::to_string(settings.heads) +
                " heads; it must be a multiple of how many there are.");
  if (settings.replaced + settings.kept > 1)
    return fail("The shares of words that are replaced and kept are more than all; together they may be up to 1.");
  return Config{.layers = settings.layers,
                .heads = settings.heads,
                .size = settings.size,
                .hidden = settings.hidden,
                .letters = settings.letters};
}

Result<Training> start_training(const Settings& settings) {
  const Result<Config> config = make_config(settings);
  if (!config) return std::unexpected(config.error());
  return begin_training<Training>(settings, *config);
}

double differentiate(const Training& training, std::span<const english::Sentence> some, Random& random,
                     Scratch& scratch) {
  clear_gradients(scratch.gradients, training.config);
  scratch.batch.clear();
  scratch.rows.clear();
  scratch.targets.clear();
  for (const english::Sentence& sentence : some)
    add_masked(training.settings, training.config, sentence, random, scratch);
  Tape<float>& tape = scratch.tape;
  tape.clear();
  const ModelOf<Value> model = place_on<ModelOf, float>(tape, training.weights, &scratch.gradients);
  const Encoded encoded = encode(tape, model, training.config, scratch.batch);
  const Value loss = cross_entropy(tape, read_out(tape, model, encoded, scratch.rows), scratch.targets);
  tape.backward(loss);
  return static_cast<double>(tape.value(loss)(0, 0));
}

Result<void> train_step(Training& training, Scratch& scratch) {
  Random random = random_of_batch(training);
  const std::vector<english::Sentence> some =
      draw_batch(training, random, [](Random& from) { return english::generate(from, Part::training); });
  const double loss = differentiate(training, some, random, scratch);
  return finish_step(training, scratch.gradients, {.loss = loss, .tokens = static_cast<double>(scratch.targets.size())},
                     english::vocabulary().size(), training.settings.warm_up);
}

}  // namespace limelight::learn::sentences
