#include "learn/encoder_evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/normalize.h"
#include "learn/weights.h"

namespace limelight::learn::sentences {
namespace {

using english::Form;
using english::Sentence;

constexpr std::size_t kTogether = 64;  // masked sentences that are read in one batch

// Nouns of no language, with their plural.
constexpr std::pair<std::string_view, std::string_view> kInvented[] = {
    {"blicket", "blickets"}, {"wug", "wugs"},       {"toma", "tomas"},   {"dax", "daxes"},
    {"gorp", "gorps"},       {"fendle", "fendles"}, {"zib", "zibs"},     {"modi", "modis"},
    {"plonk", "plonks"},     {"tulver", "tulvers"}, {"krimp", "krimps"}, {"nerdle", "nerdles"}};

constexpr std::string_view kPronouns[][4] = {
    {"he", "she", "it", "they"}, {"him", "her", "it", "them"}, {"his", "her", "its", "their"}};

// A sentence with one word masked, and what is asked there.
struct Question {
  std::vector<Word> words;
  int place = 0;   // of the masked word
  int answer = 0;  // its token
  enum class About { word, invented } about = About::word;
  bool agrees = false, apart = false;
  const english::Reference* reference = nullptr;
};

std::vector<Word> words_of(const Sentence& sentence) {
  std::vector<Word> words;
  for (const std::string& word : sentence.words) words.push_back(word_of(word));
  return words;
}

// The noun, name or pronoun that the verb at this place, or the one behind its auxiliary there, has as its subject; −1:
// none.
int subject_of(const Sentence& sentence, int place) {
  int nearest = -1, subject = -1;
  for (const english::Link& link : sentence.links)
    if (link.relation == english::Relation::subject && link.from >= place && (nearest < 0 || link.from < nearest)) {
      nearest = link.from;
      subject = link.to;
    }
  return subject;
}

// Whether the subject's number can be told by its noun alone: nothing else belongs to it but "the" or whose it is.
bool tells_number(const Sentence& sentence, int subject) {
  const std::optional<int> token = english::find(sentence.words[static_cast<std::size_t>(subject)]);
  if (english::kind_of(*token) != english::Kind::noun) return false;
  int determiners = 0, subjects = 0;
  for (const english::Link& link : sentence.links) {
    if (link.to == subject && link.relation == english::Relation::subject) ++subjects;
    if (link.to == subject && link.relation == english::Relation::antecedent) return false;
    if (link.from != subject || link.relation != english::Relation::determiner) continue;
    if (sentence.words[static_cast<std::size_t>(link.to)] != "the") return false;
    ++determiners;
  }
  return determiners == 1 && subjects == 1;
}

void ask(const Sentence& sentence, Random& random, std::vector<Question>& questions) {
  const std::vector<Word> words = words_of(sentence);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto place = static_cast<int>(i);
    Question question{.words = words, .place = place, .answer = words[i].token};
    question.words[i].token = english::kMask;
    question.agrees = std::ranges::find(sentence.agreeing, place) != sentence.agreeing.end();
    for (const english::Reference& reference : sentence.references)
      if (reference.pronoun == place) question.reference = &reference;
    const int subject = question.agrees ? subject_of(sentence, place) : -1;
    question.apart = subject >= 0 && subject + 1 != place;
    questions.push_back(question);
    if (subject < 0 || !tells_number(sentence, subject)) continue;
    const bool plural = english::is_plural(question.answer);
    const auto& [one, many] = kInvented[static_cast<std::size_t>(draw_below(random, std::size(kInvented)))];
    question.words[static_cast<std::size_t>(subject)] = {.letters = std::string(plural ? many : one)};
    question.about = Question::About::invented;
    questions.push_back(std::move(question));
  }
}

struct Counts {
  std::array<std::array<int, 4>, 3> by_form{};  // how often each pronoun is the true one
};

template <class Row>
void judge(const Question& question, const Row& probability, Evaluation& evaluation, Counts& counts) {
  const auto of = [&](int token) { return probability(token); };
  const bool agrees = question.agrees && of(question.answer) > of(*english::other_number(question.answer));
  if (question.about == Question::About::invented) {
    evaluation.agreement_invented.note(agrees);
    return;
  }
  Eigen::Index likeliest = 0;
  probability.maxCoeff(&likeliest);
  const bool right = likeliest == question.answer;
  evaluation.words.note(right);
  evaluation.by_kind[static_cast<std::size_t>(english::kind_of(question.answer))].note(right);
  evaluation.loss -= std::log(std::max(static_cast<double>(of(question.answer)), 1e-30));
  if (question.agrees) evaluation.agreement.note(agrees);
  if (question.apart) evaluation.agreement_apart.note(agrees);
  if (question.reference == nullptr) return;
  const auto form = static_cast<std::size_t>(question.reference->form);
  std::size_t best = 0, truth = 0;
  std::array<int, 4> tokens{};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    tokens[i] = *english::find(kPronouns[form][i]);
    if (of(tokens[i]) > of(tokens[best])) best = i;
    if (tokens[i] == question.answer) truth = i;
  }
  ++counts.by_form[form][truth];
  evaluation.pronouns.note(best == truth);
  if (question.reference->rival >= 0 && !question.reference->same) evaluation.pronouns_by_meaning.note(best == truth);
}

}  // namespace

std::vector<Sentence> held_out(int seed, int count) {
  Random random(hash_text("held out", static_cast<std::uint64_t>(seed)));
  std::vector<Sentence> sentences;
  for (int i = 0; i < count; ++i) sentences.push_back(english::generate(random, Part::held_out));
  return sentences;
}

Matrix probabilities(Tape<float>& tape, const Training& model, const Batch& batch, std::span<const int> rows) {
  tape.clear(false);
  const ModelOf<Value> placed = place_on<ModelOf, float>(tape, model.weights, nullptr);
  const Encoded encoded = encode(tape, placed, model.config, batch);
  return normalize<float>(Normalizer::softmax, tape.value(read_out(tape, placed, encoded, rows)));
}

Evaluation evaluate(const Training& model, int seed, int count) {
  Evaluation evaluation;
  evaluation.count = count;
  evaluation.by_kind.resize(std::size(english::kKinds));
  const std::vector<Sentence> sentences = held_out(seed, count);
  Random random(hash_text("invented", static_cast<std::uint64_t>(seed)));
  Tape<float> tape;
  Batch batch;
  std::vector<Question> questions;
  std::vector<int> rows;
  Counts counts;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    ask(sentences[i], random, questions);
    if (questions.size() < kTogether && i + 1 < sentences.size()) continue;
    batch.clear();
    rows.clear();
    for (const Question& question : questions)
      rows.push_back(batch.add(model.config, question.words) + 1 + question.place);
    const Matrix probability = probabilities(tape, model, batch, rows);
    for (std::size_t q = 0; q < questions.size(); ++q)
      judge(questions[q], probability.row(static_cast<Eigen::Index>(q)), evaluation, counts);
    questions.clear();
  }
  evaluation.loss /= std::max(evaluation.words.count, 1);
  int best = 0;
  for (const auto& form : counts.by_form) best += *std::ranges::max_element(form);
  evaluation.likeliest_pronoun = static_cast<double>(best) / std::max(evaluation.pronouns.count, 1);
  return evaluation;
}

}  // namespace limelight::learn::sentences
