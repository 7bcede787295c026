#include <algorithm>
#include <cassert>
#include <string>

#include "learn/french_draw.h"
#include "learn/french_forms.h"
#include "learn/french_phrase.h"

namespace limelight::learn::french {
namespace {

using Kind = Predicate::Kind;

int words_in(const TimeWords& time) { return static_cast<int>(say(time).source.size()); }

// Without objects and adjuncts.
int words_in(const Predicate& predicate) {
  NounPhrase someone;
  someone.pronoun = &pronouns().front();
  return static_cast<int>(say(predicate, someone).source.size());
}

// Whether what happens, happened or can happen; "I" and "we" have no forms of the future in the tables.
void draw_time(Draw& draw, Predicate& predicate, bool dependent) {
  predicate.negated = draw.chance(0.2);
  if (predicate.kind == Kind::quality) {
    predicate.time = dependent || draw.chance(0.4) ? Time::past : Time::present;
    return;
  }
  const bool past = dependent || draw.chance(0.65);
  predicate.time = past ? Time::past : draw.chance(0.5) ? Time::future : Time::modal;
  if (predicate.time == Time::modal) predicate.modal = &draw.one_of(modals());
}

std::optional<TimeWords> draw_when(Draw& draw, Time time, int words) {
  if (time != Time::past && time != Time::future) return {};
  const Tense tense = time == Time::past ? Tense::past : Tense::future;
  const auto fitting = those(time_phrases(), [&](const TimePhrase& phrase) {
    return phrase.tense == tense && static_cast<int>(split(phrase.english).size()) <= words;
  });
  if (fitting.empty()) return {};
  TimeWords when{draw.one_of(fitting), {}};
  for (const std::string& word : split(when.phrase->english)) {
    const auto choices = those(slot_words(), [&](const SlotWord& slot) { return slot.slot == word; });
    if (!choices.empty()) when.slots.push_back(draw.one_of(choices));
  }
  return when;
}

std::optional<Prepositional> draw_prepositional(Draw& draw, std::string_view english, const Wish& wish, int words) {
  std::optional<NounPhrase> object = draw_noun_phrase(draw, wish, words - 1);
  if (!object) return {};
  return Prepositional{&preposition(english), {std::move(*object)}};
}

struct Adjunct {
  std::string_view preposition;
  unsigned senses;
};

std::optional<Prepositional> draw_adjunct(Draw& draw, const Predicate& predicate, const NounPhrase& subject,
                                          int words) {
  std::vector<Adjunct> adjuncts{{"during", event}, {"before", event}, {"after", event}};
  const Verb& verb = *predicate.verb;
  if (verb.settings != 0) adjuncts.insert(adjuncts.end(), 3, {"in", verb.settings});
  if ((verb.settings & place) != 0) adjuncts.push_back({"near", place});
  if (predicate.kind == Kind::active && (subject.noun == nullptr || (subject.noun->senses & person) != 0))
    adjuncts.push_back({"with", person});
  const Adjunct adjunct = draw.one_of(adjuncts);
  const bool is_place = adjunct.preposition == "near";  // "near the school near the park"
  const Wish wish{.senses = adjunct.senses, .negated = predicate.negated, .bare = false, .sole = is_place, .depth = 1};
  return draw_prepositional(draw, adjunct.preposition, wish, words);
}

// A part of what is left, mostly with room for an article.
int share(Draw& draw, int left) { return left < 2 || draw.chance(0.2) ? 1 : 2 + draw.below(left - 1); }

// What an adjective says of a subject. `dependent`: the clause follows "because" or "when".
std::optional<Clause> draw_quality(Draw& draw, int words, bool dependent) {
  Clause clause;
  clause.predicate.kind = Kind::quality;
  draw_time(draw, clause.predicate, dependent);
  const auto predicative = those(adjectives(), [](const Adjective& adjective) { return adjective.predicative; });
  const Adjective& adjective = *draw.one_of(predicative);
  clause.predicate.adjective = &adjective;
  const Wish wish{.senses = adjective.senses, .negated = clause.predicate.negated, .bare = false};
  std::optional<NounPhrase> subject = draw_subject(draw, wish, words - words_in(clause.predicate));
  if (!subject) return {};
  clause.subject = std::move(*subject);
  const auto& said = clause.subject.adjectives;
  if (std::ranges::find(said, &adjective) != said.end()) return {};  // "the old house is old"
  return clause;
}

// Whether there is one; what it needs is taken from `left`.
bool add(Predicate& predicate, std::optional<Prepositional> adjunct, int& left) {
  if (!adjunct) return false;
  left -= words_in(*adjunct);
  predicate.adjuncts.push_back(std::move(*adjunct));
  return true;
}

// What follows the verb, in `left` words; false: what must follow does not fit.
bool draw_behind_verb(Draw& draw, Predicate& predicate, const NounPhrase& subject, int left) {
  const Verb& verb = *predicate.verb;
  const bool passive = predicate.kind == Kind::passive;
  const bool negated = predicate.negated;
  if (!passive && verb.objects != 0) {
    std::optional<NounPhrase> object =
        draw_noun_phrase(draw, {.senses = verb.objects, .negated = negated}, share(draw, left));
    if (!object) return false;
    predicate.object.push_back(std::move(*object));
    left -= words_in(predicate.object.back());
  }
  if (passive && draw.chance(0.4)) {
    const Wish agent{.senses = verb.subjects, .negated = negated, .depth = 1};
    add(predicate, draw_prepositional(draw, "by", agent, left), left);
  }
  if (verb.goals != 0) {
    const bool bare = verb.preposition == "about";
    const Wish goal{.senses = verb.goals, .negated = negated, .bare = bare, .depth = 1};
    if (!add(predicate, draw_prepositional(draw, verb.preposition, goal, left), left)) return false;
  }
  if (left >= 2 && draw.chance(0.8)) add(predicate, draw_adjunct(draw, predicate, subject, left), left);
  return true;
}

// What happens; `dependent` as above.
std::optional<Clause> draw_event(Draw& draw, int words, bool dependent) {
  Clause clause;
  Predicate& predicate = clause.predicate;
  predicate.verb = &draw.one_of(verbs());
  const Verb& verb = *predicate.verb;
  if (verb.objects != 0 && draw.chance(0.5)) predicate.kind = Kind::passive;
  const bool passive = predicate.kind == Kind::passive;
  draw_time(draw, predicate, dependent);
  const int behind = passive ? 0 : verb.objects != 0 ? 1 : verb.goals != 0 ? 2 : 0;  // the fewest words there
  int left = words - words_in(predicate) - behind;
  if (left < 1) return {};

  if (!dependent && draw.chance(0.5)) clause.when = draw_when(draw, predicate.time, left - 1);
  if (clause.when) left -= words_in(*clause.when);
  // "I" and "we" do not say with which gender a participle after être agrees, and have no future in the tables.
  const bool any_person = !passive && verb.auxiliary == Auxiliary::avoir && predicate.time != Time::future;
  const unsigned senses = passive ? verb.objects : verb.subjects | (any_person ? unsigned{pronoun} : 0U);
  const bool negated = predicate.negated;
  std::optional<NounPhrase> subject =
      draw_subject(draw, {.senses = senses, .negated = negated, .bare = !negated}, share(draw, left));
  if (!subject) return {};
  clause.subject = std::move(*subject);
  left += behind - words_in(clause.subject);
  if (!draw_behind_verb(draw, predicate, clause.subject, left)) return {};
  return clause;
}

std::optional<Clause> draw_clause(Draw& draw, int words, bool dependent) {
  return draw.chance(0.15) ? draw_quality(draw, words, dependent) : draw_event(draw, words, dependent);
}

bool says_time_already(const Plan& plan, const TimeWords& when) {
  const auto same = [&](const std::optional<TimeWords>& other) { return other && other->phrase == when.phrase; };
  return same(plan.opening) || std::ranges::any_of(plan.clauses, same, &Clause::when);
}

// One that the sentence does not have yet.
const Conjunction* draw_conjunction(Draw& draw, const Plan& plan) {
  return draw.one_of(those(conjunctions(), [&](const Conjunction& conjunction) {
    return std::ranges::find(plan.conjunctions, &conjunction) == plan.conjunctions.end();
  }));
}

// The number of clauses that a sentence of so many words has.
int draw_clause_count(Draw& draw, int words) {
  if (words < 8) return 1;
  if (words < 14) return draw.chance(0.2) ? 2 : 1;
  if (words < 21) return draw.chance(0.7) ? 2 : 1;
  return draw.chance(0.5) ? 3 : 2;
}

}  // namespace

std::optional<Plan> draw_plan(Random& random, int words) {
  Draw draw{random};
  Plan plan;
  if (words >= 7 && draw.chance(0.15)) {
    plan.speech = &draw.one_of(speech_verbs());
    const Wish wish{.senses = person, .bare = false, .sole = true};
    std::optional<NounPhrase> speaker = draw_subject(draw, wish, std::min(5, words - 5));
    if (!speaker) return {};
    words -= words_in(*speaker) + 2;
    plan.speaker.push_back(std::move(*speaker));
  }
  const int clauses = draw_clause_count(draw, words);
  for (int i = 0; i < clauses; ++i) {
    const Conjunction* conjunction = i > 0 ? draw_conjunction(draw, plan) : nullptr;
    const bool dependent = conjunction != nullptr && conjunction->dependent;
    if (dependent && plan.clauses.back().predicate.time != Time::past) return {};
    if (conjunction != nullptr) --words;
    std::optional<Clause> clause = draw_clause(draw, words / (clauses - i), dependent);
    if (!clause || (clause->when && says_time_already(plan, *clause->when))) return {};
    if (conjunction != nullptr && conjunction->of_events && clause->predicate.kind == Kind::quality) return {};
    words -= static_cast<int>(say(*clause).source.size());
    const bool may_open = i == 0 && plan.speech == nullptr && clause->when && clause->when->phrase->opens;
    if (may_open && draw.chance(0.25)) plan.opening.swap(clause->when);
    if (conjunction != nullptr) plan.conjunctions.push_back(conjunction);
    plan.clauses.push_back(std::move(*clause));
  }
  return plan;
}

Sentence generate(Random& random, const Options& options) {
  assert(kFewestWords <= options.min_words && options.min_words <= options.max_words &&
         options.max_words <= kMostWords);
  constexpr int kShortfall = 2;  // plans rarely use every word that they may
  const int words =
      options.min_words + static_cast<int>(random.uniform() * (options.max_words - options.min_words + 1));
  for (;;) {
    const std::optional<Plan> plan = draw_plan(random, words);
    if (!plan) continue;
    Sentence sentence = say(*plan);
    const int count = count_words(sentence.source);
    if (count > words || count < std::max(options.min_words, words - kShortfall)) continue;
    if (options.split != Split::any && is_held_out(sentence.pattern) != (options.split == Split::held_out)) continue;
    return sentence;
  }
}

bool is_held_out(std::string_view pattern) {
  constexpr std::uint64_t kOneIn = 10;
  return hash_text(pattern) % kOneIn == 0 || pattern == example().pattern;
}

Plan example_plan() {
  const auto find = [](auto words, auto member, std::string_view english) {
    return &*std::ranges::find(words, english, member);
  };
  NounPhrase area;
  area.noun = find(nouns(), &Noun::singular, "Area");
  area.determiner = Determiner::the;
  area.adjectives = {find(adjectives(), &Adjective::english, "European"),
                     find(adjectives(), &Adjective::english, "Economic")};
  Clause clause;
  clause.subject.noun = find(nouns(), &Noun::singular, "agreement");
  clause.subject.determiner = Determiner::the;
  clause.subject.complements.push_back({&preposition("on"), {area}});
  clause.predicate.kind = Kind::passive;
  clause.predicate.verb = find(verbs(), &Verb::base, "sign");
  clause.when =
      TimeWords{find(time_phrases(), &TimePhrase::english, "in MONTH YEAR"),
                {find(slot_words(), &SlotWord::english, "August"), find(slot_words(), &SlotWord::english, "1992")}};
  Plan plan;
  plan.clauses.push_back(std::move(clause));
  return plan;
}

const Sentence& example() {
  static const Sentence sentence = say(example_plan());
  return sentence;
}

}  // namespace limelight::learn::french
