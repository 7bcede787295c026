#include <algorithm>

#include "learn/french.h"
#include "learn/french_forms.h"

namespace limelight::learn::french {
namespace {

// Collects words, each once, in the order in which they come.
struct Collector {
  Vocabulary vocabulary;

  void add(std::string_view word) {
    if (word.empty() || vocabulary.ids.contains(word)) return;
    vocabulary.ids.emplace(word, static_cast<int>(vocabulary.words.size()));
    vocabulary.words.emplace_back(word);
  }
  void add_all(std::string_view text) {
    for (const std::string& word : split(text)) add(word);
  }
};

bool is_slot(std::string_view word) {
  return std::ranges::find(slot_words(), word, &SlotWord::slot) != slot_words().end();
}

void add_time_words(Collector& words, std::string_view TimePhrase::* text) {
  for (const TimePhrase& phrase : time_phrases())
    for (const std::string& word : split(phrase.*text))
      if (!is_slot(word)) words.add(word);
}

Vocabulary collect_english() {
  Collector words;
  words.add_all(". , a an and did will be not was were is are that who cannot");
  for (const DeterminerForms& one : determiners()) words.add_all(one.singular), words.add_all(one.plural);
  for (const Pronoun& one : pronouns()) words.add(one.english);
  for (const Preposition& one : prepositions()) words.add(one.english);
  for (const Conjunction& one : conjunctions()) words.add(one.english);
  for (const Modal& one : modals()) words.add(one.english);
  for (const SpeechVerb& one : speech_verbs()) words.add(one.singular), words.add(one.plural);
  add_time_words(words, &TimePhrase::english);
  for (const SlotWord& one : slot_words()) words.add(one.english);
  for (const Verb& one : verbs()) {
    words.add(one.base), words.add(one.past);
    if (one.objects != 0) words.add(one.participle);  // of the passive
  }
  for (const Adjective& one : adjectives()) words.add(one.english);
  for (const Noun& one : nouns()) words.add(one.singular), words.add(one.plural);
  return words.vocabulary;
}

void add_forms(Collector& words, const Forms& forms) {
  for (const std::string_view form : {forms.i, forms.he, forms.we, forms.they}) words.add(form);
}

void add_forms(Collector& words, const Verb& verb) {
  words.add(verb.infinitive);
  words.add(future(verb, false)), words.add(future(verb, true));
  const bool agrees = verb.auxiliary == Auxiliary::etre || verb.objects != 0;
  for (const Gender gender : {Gender::masculine, Gender::feminine})
    for (const bool plural : {false, true})
      if (agrees || (gender == Gender::masculine && !plural)) words.add(participle(verb, {gender, plural}));
}

Vocabulary collect_french() {
  Collector words;
  words.add_all(". , ne n' pas que qu' qui et de d' du des au aux j' est sont était étaient sera seront été être");
  add_forms(words, present(Auxiliary::avoir));
  for (const DeterminerForms& one : determiners())
    for (const std::string_view form : {one.masculine, one.feminine, one.masculine_before_vowel,
                                        one.feminine_before_vowel, one.masculine_plural, one.feminine_plural})
      words.add_all(form);
  for (const Pronoun& one : pronouns()) words.add(one.french);
  for (const Preposition& one : prepositions())
    words.add_all(one.french), words.add(one.city), words.add(one.feminine_country);
  for (const Conjunction& one : conjunctions()) words.add_all(one.french);
  for (const Modal& one : modals()) add_forms(words, one.french);
  for (const SpeechVerb& one : speech_verbs()) words.add(one.french_singular), words.add(one.french_plural);
  add_time_words(words, &TimePhrase::french);
  for (const SlotWord& one : slot_words()) words.add(one.french);
  for (const Verb& one : verbs()) add_forms(words, one);
  for (const Adjective& one : adjectives())
    for (const std::string_view form :
         {one.masculine, one.feminine, one.masculine_plural, one.feminine_plural, one.masculine_before_vowel})
      words.add(form);
  for (const Noun& one : nouns()) words.add(one.french_singular), words.add(one.french_plural);
  return words.vocabulary;
}

}  // namespace

const Vocabulary& english_vocabulary() {
  static const Vocabulary vocabulary = collect_english();
  return vocabulary;
}

const Vocabulary& french_vocabulary() {
  static const Vocabulary vocabulary = collect_french();
  return vocabulary;
}

}  // namespace limelight::learn::french
