#include <algorithm>

#include "learn/english_writer.h"

namespace limelight::learn::english {
namespace {

constexpr std::string_view kFewOfMine[] = {"my", "your", "our"};
constexpr std::string_view kFrequency[] = {"often", "always", "never", "sometimes"};

// Each as often as it stands here.
constexpr std::string_view kSingular[] = {"the", "the", "the", "the", "the", "the",  "the",  "the",  "the",
                                          "the", "a",   "a",   "a",   "a",   "this", "that", "every"};
constexpr std::string_view kPlural[] = {"the", "the",  "the",  "the",  "the", "the",   "the",   "the",
                                        "the", "some", "some", "many", "two", "three", "these", "those"};
constexpr std::string_view kMass[] = {"the", "the", "the", "some", "this"};

int pronoun_of(Gender gender, bool plural) {
  if (plural) return kThey;
  return gender == Gender::he ? kHe : gender == Gender::she ? kShe : kIt;
}

bool begins_with_vowel(std::string_view word) {
  return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
}

}  // namespace

int Writer::say(std::string_view word, std::string_view label) {
  sentence_.words.emplace_back(word);
  labels_.emplace_back(label.empty() ? word : label);
  return static_cast<int>(sentence_.words.size()) - 1;
}

void Writer::refer(const Reference& reference) {
  link(Relation::antecedent, reference.pronoun, reference.antecedent);
  sentence_.references.push_back(reference);
}

void Writer::link_subject(int verb, const Mention& subject) {
  link(Relation::subject, verb, subject.head);
  for (const int other : subject.also) link(Relation::subject, verb, other);
}

int Writer::say_reference(const Mention& antecedent, Form form, int rival, bool same) {
  const Pronoun& pronoun = pronouns()[static_cast<std::size_t>(antecedent.pronoun)];
  const int token = say(form == Form::subject  ? pronoun.subject
                        : form == Form::object ? pronoun.object
                                               : pronoun.possessive);
  const bool third = antecedent.pronoun != kI && antecedent.pronoun != kYou && antecedent.pronoun != kWe;
  if (third) refer({.pronoun = token, .antecedent = antecedent.head, .form = form, .rival = rival, .same = same});
  return token;
}

void Writer::say_determiner(const Wish& wish, bool plural, bool mass, std::vector<int>& before) {
  if (wish.owner >= 0 && chance(0.3)) {
    before.push_back(say_reference({.head = wish.owned_by, .pronoun = wish.owner}, Form::possessive));
  } else if (chance(0.08)) {
    before.push_back(say(one_of(kFewOfMine)));
  } else if (mass) {
    if (chance(0.65)) before.push_back(say(one_of(kMass)));
  } else if (plural) {
    if (chance(0.9)) before.push_back(say(one_of(kPlural)));
  } else {
    before.push_back(say(one_of(kSingular)));
  }
}

void Writer::say_adjectives(unsigned senses, std::vector<int>& before) {
  const auto add = [&](std::span<const Adjective> from) {
    const Adjective* const found =
        one_that(from, [&](const Adjective& adjective) { return (adjective.senses & senses) == senses; });
    if (found != nullptr) before.push_back(say(found->word, "adj"));
  };
  if (chance(0.3)) add(adjectives());
  if (chance(0.12)) add(colours());
}

Mention Writer::say_noun_phrase(const Wish& wish) {
  const auto fresh = [&](std::string_view word) { return std::ranges::find(said_, word) == said_.end(); };
  if ((wish.senses & person) != 0 && chance(0.12))
    if (const Name* const found = one_that(names(), [&](const Name& name) { return fresh(name.name); })) {
      said_.push_back(found->name);
      return {.head = say(found->name, "name"), .pronoun = pronoun_of(found->gender, false), .senses = person};
    }
  const Noun* const noun =
      one_that(nouns(), [&](const Noun& one) { return (one.senses & wish.senses) != 0 && fresh(one.singular); });
  said_.push_back(noun->singular);
  const bool mass = noun->plural.empty();
  const bool plural = !mass && (chance(0.4) || (wish.sure && noun->gender == Gender::either));
  std::vector<int> determiner, adjective;
  say_determiner(wish, plural, mass, determiner);
  say_adjectives(noun->senses, adjective);
  Mention mention{.head = say(plural ? noun->plural : noun->singular, plural ? "nouns" : "noun"),
                  .pronoun = pronoun_of(noun->gender, plural),
                  .plural = plural,
                  .senses = noun->senses};
  for (const int token : determiner) link(Relation::determiner, mention.head, token);
  for (const int token : adjective) link(Relation::adjective, mention.head, token);
  if (wish.plain) return mention;
  if (chance(0.14)) {
    const Way& way = one_of(noun_ways());
    const int preposition = say(way.preposition);
    const Mention inner = say_noun_phrase({.senses = way.senses, .plain = true});
    link(Relation::preposition, inner.head, preposition);
  } else if (chance(0.12)) {
    say_relative(mention);
  }
  return mention;
}

void Writer::say_relative(const Mention& of) {
  const bool as_object = chance(0.4);
  const Verb* const verb =
      one_that(verbs(), [&](const Verb& one) { return ((as_object ? one.objects : one.subjects) & of.senses) != 0; });
  if (verb == nullptr) return;
  say((of.senses & person) != 0 && !as_object ? "who" : "that");
  const Tense tense = chance(0.5) ? Tense::present : Tense::past;
  if (as_object) {
    const Mention subject = chance(0.3) ? say_pronoun(one_of(std::vector{kI, kYou, kHe, kShe, kWe, kThey}))
                                        : say_noun_phrase({.senses = verb->subjects, .plain = true});
    link(Relation::object, say_verb(subject, *verb, tense, false), of.head);
    return;
  }
  const int token = say_verb(of, *verb, tense, false);
  if (verb->objects != 0)
    say_object(token, {.senses = verb->objects, .plain = true});
  else
    say_way(*verb, of);
}

Mention Writer::say_pronoun(int pronoun) {
  const Pronoun& one = pronouns()[static_cast<std::size_t>(pronoun)];
  return {.head = say(one.subject), .pronoun = pronoun, .plural = one.plural, .senses = kAlive};
}

Mention Writer::say_subject(const Wish& wish) {
  if ((wish.senses & person) != 0 && chance(0.22)) {
    const int pronoun = one_of(std::vector{kI, kYou, kHe, kShe, kWe, kThey});
    return say_pronoun(pronoun);
  }
  if (!wish.plain && chance(0.06)) {
    const Wish plain{.senses = wish.senses, .plain = true};
    Mention both = say_noun_phrase(plain);
    say("and");
    both.also.push_back(say_noun_phrase(plain).head);
    both.plural = true;
    both.pronoun = kThey;
    return both;
  }
  return say_noun_phrase(wish);
}

void Writer::say_be(const Mention& subject, Tense tense, bool negated) {
  const bool plural = subject.plural && subject.pronoun != kI;
  int token = 0;
  if (tense == Tense::will) {
    say("will");
    if (negated) say("not");
    say("be");
    return;
  }
  const bool past = tense == Tense::past || tense == Tense::could;
  if (subject.pronoun == kI)
    token = say(past ? "was" : "am");
  else
    token = say(past ? (plural ? "were" : "was") : (plural ? "are" : "is"));
  link_subject(token, subject);
  if (subject.pronoun != kI) sentence_.agreeing.push_back(token);
  if (negated) say("not");
}

int Writer::say_verb(const Mention& subject, const Verb& verb, Tense tense, bool negated) {
  const bool modal = tense == Tense::will || tense == Tense::can || tense == Tense::could;
  int token = 0;
  if (modal || negated) {
    const std::string_view auxiliary = tense == Tense::will    ? "will"
                                       : tense == Tense::can   ? "can"
                                       : tense == Tense::could ? "could"
                                       : tense == Tense::past  ? "did"
                                       : subject.plural        ? "do"
                                                               : "does";
    const int first = say(auxiliary);
    if (tense == Tense::present) sentence_.agreeing.push_back(first);
    if (negated) say("not");
    token = say(verb.base, "verb");
  } else {
    if (chance(0.06)) say(one_of(kFrequency));
    const bool past = tense == Tense::past;
    token = say(past ? verb.past : subject.plural ? verb.base : verb.third, past ? "verb.past" : "verb");
    if (!past) sentence_.agreeing.push_back(token);
  }
  link_subject(token, subject);
  return token;
}

void Writer::say_way(const Verb& verb, const Mention& subject) {
  if (verb.ways.empty() || chance(0.25)) return;
  const Way& way = one_of(verb.ways);
  const int preposition = say(way.preposition);
  const Mention inner =
      say_noun_phrase({.senses = way.senses, .plain = chance(0.7), .owner = subject.pronoun, .owned_by = subject.head});
  link(Relation::preposition, inner.head, preposition);
}

void Writer::say_state(const Mention& subject, Tense tense, std::string_view adjective, bool linking) {
  if (linking) {
    const LinkingVerb& verb = one_of(linking_verbs());
    const bool past = tense == Tense::past || tense == Tense::could;
    const int token = say(past ? verb.past : subject.plural ? verb.base : verb.third, past ? "verb.past" : "verb");
    link_subject(token, subject);
    if (!past) sentence_.agreeing.push_back(token);
    if (chance(0.3)) say(chance(0.5) ? "very" : "too");
  } else {
    say_be(subject, tense == Tense::will || tense == Tense::can ? Tense::present : tense, false);
    if (chance(0.6)) say(chance(0.6) ? "too" : "very");
  }
  say(adjective, "adj");
}

Mention Writer::say_object(int verb, const Wish& wish) {
  Mention object = say_noun_phrase(wish);
  link(Relation::object, verb, object.head);
  return object;
}

Sentence Writer::finish() {
  say(".");
  std::vector<std::string>& words = sentence_.words;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "a" && begins_with_vowel(words[i + 1])) words[i] = "an";
  for (const std::string& label : labels_) sentence_.pattern += (sentence_.pattern.empty() ? "" : " ") + label;
  return std::move(sentence_);
}

}  // namespace limelight::learn::english
