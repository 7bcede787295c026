// The kinds of sentences that there are.
#include <algorithm>
#include <array>

#include "learn/english_writer.h"

namespace limelight::learn::english {
namespace {

constexpr std::string_view kExample = "the noun did not verb the noun because it was too adj .";

Tense draw_tense(Writer& writer) {
  constexpr std::array kTenses = {Tense::present, Tense::present, Tense::present, Tense::past, Tense::past,
                                  Tense::past,    Tense::past,    Tense::will,    Tense::can,  Tense::could};
  return writer.one_of(kTenses);
}

bool is_past(Tense tense) { return tense == Tense::past || tense == Tense::could; }

// "The cat sat on the mat"
void say_doing(Writer& writer, bool plain) {
  const Verb& verb = writer.one_of(verbs());
  const Mention subject = writer.say_subject({.senses = verb.subjects, .plain = plain});
  const int token = writer.say_verb(subject, verb, draw_tense(writer), writer.chance(0.2));
  if (verb.objects != 0)
    writer.say_object(token,
                      {.senses = verb.objects, .plain = plain, .owner = subject.pronoun, .owned_by = subject.head});
  else
    writer.say_way(verb, subject);
}

// "The street is very wide", "She was not tired"
void say_being(Writer& writer, bool plain) {
  const Tense tense = writer.chance(0.1) ? Tense::will : writer.chance(0.5) ? Tense::present : Tense::past;
  const bool alive = writer.chance(0.6);
  const Adjective& property = writer.one_of(properties());
  const std::string_view adjective = alive ? writer.one_of(states()) : property.word;
  const Wish wish{.senses = alive ? kAlive : property.senses, .plain = plain};
  const Mention subject = alive ? writer.say_subject(wish) : writer.say_noun_phrase(wish);
  if (writer.chance(0.2) && tense != Tense::will) {
    writer.say_state(subject, tense, adjective, true);
    return;
  }
  writer.say_be(subject, tense, writer.chance(0.2));
  if (writer.chance(0.4)) writer.say("very");
  writer.say(adjective, "adj");
}

void say_simple(Writer& writer, bool plain) {
  if (writer.chance(0.22))
    say_being(writer, plain);
  else
    say_doing(writer, plain);
}

// Whether the reason's verb leaves open how many it is about.
bool same_number(const Mention& a, const Mention& b, bool shown) { return !shown || a.plural == b.plural; }

// "because it was too tired", of one of the two, and never of the other.
void say_because(Writer& writer, const Mention& who, const Mention& other, Tense tense, std::string_view adjective) {
  writer.say("because");
  const bool linking = writer.chance(0.35);
  const bool shown = !linking || !is_past(tense);
  const bool rivals = same_number(who, other, shown);
  const int token =
      writer.say_reference(who, Form::subject, rivals ? other.head : -1, rivals && who.pronoun == other.pronoun);
  Mention pronoun = who;
  pronoun.head = token;
  pronoun.also.clear();
  writer.say_state(pronoun, tense, adjective, linking);
}

// "The animal did not cross the street because it was too tired", or wide
void say_reason(Writer& writer) {
  const Verb& verb = *writer.one_that(verbs(), [](const Verb& one) { return (one.objects & kThings) != 0; });
  const bool of_subject = writer.chance(0.5);
  const Adjective* const property =
      writer.one_that(properties(), [&](const Adjective& one) { return (one.senses & verb.objects & kThings) != 0; });
  const Tense tense = writer.chance(0.2) ? Tense::could : writer.chance(0.35) ? Tense::present : Tense::past;
  // A pronoun of the first or second person cannot be mistaken for anything.
  const bool named = writer.chance(0.9);
  const Mention subject = named ? writer.say_noun_phrase({.senses = verb.subjects, .sure = true, .plain = true})
                                : writer.say_pronoun(writer.one_of(std::array{kI, kYou, kHe, kShe, kWe}));
  const int token = writer.say_verb(subject, verb, tense, writer.chance(0.6));
  const unsigned senses = (of_subject ? kThings : property->senses) & verb.objects & kThings;
  const Mention object = writer.say_object(token, {.senses = senses, .plain = true});
  if (of_subject)
    say_because(writer, subject, object, tense, writer.one_of(states()));
  else
    say_because(writer, object, subject, tense, property->word);
}

// "The woman fed the dogs because they were hungry"
void say_motive(Writer& writer) {
  const Motive& motive = writer.one_of(motives());
  const Verb& verb = *std::ranges::find(verbs(), motive.verb, &Verb::base);
  const Tense tense = writer.chance(0.35) ? Tense::present : Tense::past;
  const unsigned objects = verb.objects & kAlive & (motive.adjective == "kind" ? person : kAlive);
  const Mention subject = writer.say_noun_phrase({.senses = verb.subjects, .sure = true, .plain = true});
  const int token = writer.say_verb(subject, verb, tense, false);
  const Mention object = writer.say_object(token, {.senses = objects, .sure = true, .plain = true});
  if (motive.of_subject)
    say_because(writer, subject, object, tense, motive.adjective);
  else
    say_because(writer, object, subject, tense, motive.adjective);
}

// "The street was too wide, so the animal could not cross it"
void say_result(Writer& writer) {
  const Adjective& property = writer.one_of(properties());
  const Verb* const verb =
      writer.one_that(verbs(), [&](const Verb& one) { return (one.objects & property.senses) != 0; });
  const bool past = writer.chance(0.6);
  const Mention thing = writer.say_noun_phrase({.senses = property.senses & verb->objects, .plain = true});
  writer.say_be(thing, past ? Tense::past : Tense::present, false);
  writer.say("too");
  writer.say(property.word, "adj");
  writer.say(",");
  writer.say("so");
  const Mention subject = writer.say_subject({.senses = verb->subjects, .plain = true});
  const Tense tense =
      past ? (writer.chance(0.5) ? Tense::could : Tense::past) : (writer.chance(0.5) ? Tense::can : Tense::present);
  const int token = writer.say_verb(subject, *verb, tense, true);
  writer.link(Relation::object, token, writer.say_reference(thing, Form::object));
}

// "The girl smiled when she saw the dog"
void say_when(Writer& writer) {
  const Verb& first = *writer.one_that(verbs(), [](const Verb& one) { return one.objects == 0; });
  const Verb& second = *writer.one_that(
      verbs(), [&](const Verb& one) { return one.objects != 0 && (one.subjects & first.subjects) == first.subjects; });
  const Tense tense = writer.chance(0.35) ? Tense::present : Tense::past;
  Mention subject = writer.say_noun_phrase({.senses = first.subjects, .sure = true, .plain = true});
  writer.say_verb(subject, first, tense, false);
  writer.say("when");
  subject.head = writer.say_reference(subject, Form::subject);
  const int token = writer.say_verb(subject, second, tense, false);
  writer.say_object(token, {.senses = second.objects, .plain = true});
}

// "The man found the ball and washed it"
void say_both(Writer& writer) {
  const Verb& first = *writer.one_that(verbs(), [](const Verb& one) { return one.objects != 0; });
  const Tense tense = writer.chance(0.35) ? Tense::present : Tense::past;
  const Mention subject = writer.say_subject({.senses = first.subjects, .plain = true});
  const int token = writer.say_verb(subject, first, tense, false);
  const Mention object = writer.say_object(token, {.senses = first.objects, .sure = true, .plain = true});
  const Verb* const second = writer.one_that(verbs(), [&](const Verb& one) {
    return &one != &first && (one.objects & object.senses) != 0 && (one.subjects & subject.senses) != 0;
  });
  if (second == nullptr) return;
  writer.say("and");
  const int again = writer.say_verb(subject, *second, tense, false);
  writer.link(Relation::object, again, writer.say_reference(object, Form::object));
}

void say_two(Writer& writer) {
  say_simple(writer, true);
  if (writer.chance(0.5)) writer.say(",");
  writer.say(writer.chance(0.6) ? "and" : "but");
  say_simple(writer, true);
}

struct Plan {
  double share;
  void (*say)(Writer&);
};
constexpr Plan kPlans[] = {{0.40, [](Writer& writer) { say_simple(writer, false); }},
                           {0.06, say_two},
                           {0.28, say_reason},
                           {0.08, say_motive},
                           {0.06, say_result},
                           {0.06, say_when},
                           {0.06, say_both}};

}  // namespace

Sentence generate(Random& random) {
  for (;;) {
    Writer writer(random);
    double left = random.uniform();
    const Plan* plan = std::begin(kPlans);
    while (plan + 1 != std::end(kPlans) && left >= plan->share) left -= (plan++)->share;
    plan->say(writer);
    if (writer.chance(0.04)) writer.say("today");
    Sentence sentence = writer.finish();
    if (static_cast<int>(sentence.words.size()) <= kMostWords) return sentence;
  }
}

Sentence generate(Random& random, Part part) {
  for (;;) {
    Sentence sentence = generate(random);
    if (is_held_out(sentence.pattern) == (part == Part::held_out)) return sentence;
  }
}

bool is_held_out(std::string_view pattern) { return pattern == kExample || part_of(pattern) == Part::held_out; }

}  // namespace limelight::learn::english
