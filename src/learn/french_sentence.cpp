#include <algorithm>

#include "core/sort.h"
#include "learn/french_forms.h"
#include "learn/french_phrase.h"
#include "learn/french_plan.h"

namespace limelight::learn::french {
namespace {

// What a verb group is made of: one conjugated word, which "ne … pas" surrounds, and what follows it.
struct Word {
  std::string text;
  std::vector<int> sources;
};

void add(Phrase& phrase, std::string_view text, const std::vector<int>& sources) {
  phrase.french(text, {});
  for (const int source : sources) phrase.links.push_back({static_cast<int>(phrase.target.size()) - 1, source});
}

// `negation`: the place of "not" (or "cannot"); −1: affirmed.
void add_group(Phrase& phrase, const Word& conjugated, int negation, const std::vector<Word>& rest) {
  if (negation >= 0) phrase.french(elided("ne", conjugated.text), {negation});
  add(phrase, conjugated.text, conjugated.sources);
  if (negation >= 0) phrase.french("pas", {negation});
  for (const Word& word : rest) add(phrase, word.text, word.sources);
}

struct Group {
  Phrase phrase;
  int first = 0;      // the English auxiliary's place
  int negation = -1;  // of the word that negates
};

// "did", "will", "was", "can" … with its negation.
Group english_auxiliary(std::string_view auxiliary, bool negated, std::string_view label = {}) {
  Group group;
  group.first = group.phrase.english(auxiliary, label.empty() ? auxiliary : label);
  if (negated) group.negation = group.phrase.english("not", "not");
  return group;
}

Group modal_auxiliary(const Modal& modal, bool negated) {
  if (!negated) return english_auxiliary(modal.english, false, "modal");
  const std::vector<std::string> words = split(modal.english_negated);
  Group group = english_auxiliary(words.front(), words.size() > 1, words.size() > 1 ? "modal" : "modal-not");
  if (words.size() == 1) group.negation = group.first;
  return group;
}

std::string_view be(const Agreement& subject, bool past) {
  if (past) return subject.plural ? "were" : "was";
  return subject.plural ? "are" : "is";
}

Phrase say_active(const Predicate& p, const Agreement& subject, const Agreement& participle_with) {
  const Verb& verb = *p.verb;
  const std::string past = participle(verb, participle_with);
  const std::string_view auxiliary = form(present(verb.auxiliary), subject);
  if (p.time == Time::past && !p.negated) {
    Phrase phrase;
    const int place = phrase.english(verb.past, "past");
    add_group(phrase, {std::string(auxiliary), {place}}, -1, {{past, {place}}});
    return phrase;
  }
  Group group = p.time == Time::modal ? modal_auxiliary(*p.modal, p.negated)
                                      : english_auxiliary(p.time == Time::past ? "did" : "will", p.negated);
  const int place = group.phrase.english(verb.base, "verb");
  if (p.time == Time::past)
    add_group(group.phrase, {std::string(auxiliary), {group.first}}, group.negation, {{past, {place}}});
  else if (p.time == Time::future)
    add_group(group.phrase, {future(verb, subject.plural), {group.first, place}}, group.negation, {});
  else
    add_group(group.phrase, {std::string(form(p.modal->french, subject)), {group.first}}, group.negation,
              {{std::string(verb.infinitive), {place}}});
  return group.phrase;
}

Phrase say_passive(const Predicate& p, const Agreement& subject) {
  Group group = p.time == Time::modal ? modal_auxiliary(*p.modal, p.negated)
                                      : english_auxiliary(p.time == Time::past ? be(subject, true) : "will", p.negated,
                                                          p.time == Time::past ? "was" : "");
  const int infinitive = p.time == Time::past ? -1 : group.phrase.english("be", "be");
  const int place = group.phrase.english(p.verb->participle, "participle");
  const Word past{participle(*p.verb, subject), {place}};
  if (p.time == Time::past)
    add_group(group.phrase, {std::string(form(present(Auxiliary::avoir), subject)), {group.first}}, group.negation,
              {{"été", {group.first}}, past});
  else if (p.time == Time::future)
    add_group(group.phrase, {subject.plural ? "seront" : "sera", {group.first, infinitive}}, group.negation, {past});
  else
    add_group(group.phrase, {std::string(form(p.modal->french, subject)), {group.first}}, group.negation,
              {{"être", {infinitive}}, past});
  return group.phrase;
}

Phrase say_quality(const Predicate& p, const Agreement& subject) {
  const bool past = p.time == Time::past;
  Group group = english_auxiliary(be(subject, past), p.negated, past ? "was" : "is");
  const int place = group.phrase.english(p.adjective->english, "adjective");
  const std::string verb =
      past ? (subject.plural ? "étaient" : "était") : std::string(form(present(Auxiliary::etre), subject));
  add_group(group.phrase, {verb, {group.first}}, group.negation, {{form(*p.adjective, subject, {}), {place}}});
  return group.phrase;
}

Phrase sign(std::string_view text) {
  Phrase phrase;
  phrase.french(text, {phrase.english(text, text)});
  return phrase;
}

Phrase say_speech(const NounPhrase& speaker, const SpeechVerb& verb) {
  const bool plural = agreement_of(speaker).plural;
  Phrase phrase = say(speaker);
  phrase.french(plural ? verb.french_plural : verb.french_singular,
                {phrase.english(plural ? verb.plural : verb.singular, plural ? "say" : "says")});
  phrase.french("que", {phrase.english("that", "that")});
  return phrase;
}

}  // namespace

Phrase say(const Predicate& predicate, const NounPhrase& subject, const NounPhrase* object_before) {
  const Agreement with = agreement_of(subject);
  // A participle agrees with the subject after être, with an object that stands before it after avoir.
  Agreement participle_with;
  if (predicate.verb != nullptr && predicate.verb->auxiliary == Auxiliary::etre)
    participle_with = with;
  else if (object_before != nullptr)
    participle_with = agreement_of(*object_before);
  Phrase phrase = predicate.kind == Predicate::Kind::active    ? say_active(predicate, with, participle_with)
                  : predicate.kind == Predicate::Kind::passive ? say_passive(predicate, with)
                                                               : say_quality(predicate, with);
  for (const NounPhrase& object : predicate.object) phrase.append(say(object, predicate.negated));
  for (const Prepositional& adjunct : predicate.adjuncts) phrase.append(say(adjunct));
  return phrase;
}

Phrase say(const Clause& clause) {
  Phrase phrase = say(clause.subject);
  phrase.append(say(clause.predicate, clause.subject));
  if (clause.when) phrase.append(say(*clause.when));
  return phrase;
}

Sentence say(const Plan& plan) {
  Phrase phrase;
  if (plan.opening) {
    phrase = say(*plan.opening);
    phrase.append(sign(","));
  }
  for (const NounPhrase& speaker : plan.speaker) phrase.append(say_speech(speaker, *plan.speech));
  for (std::size_t i = 0; i < plan.clauses.size(); ++i) {
    if (i > 0) {
      const Conjunction& conjunction = *plan.conjunctions[i - 1];
      if (conjunction.comma) phrase.append(sign(","));
      const int place = phrase.english(conjunction.english, conjunction.english);
      for (const std::string& word : split(conjunction.french)) phrase.french(word, {place});
    }
    phrase.append(say(plan.clauses[i]));
  }
  phrase.append(sign("."));

  Sentence sentence{std::move(phrase.source), std::move(phrase.target), std::move(phrase.links), {}};
  heap_sort(sentence.alignment);
  for (const std::string& label : phrase.labels) sentence.pattern += (sentence.pattern.empty() ? "" : " ") + label;
  return sentence;
}

}  // namespace limelight::learn::french
