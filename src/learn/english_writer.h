// A sentence on its way: words are written from left to right, and what belongs to what is noted as they are.
#pragma once

#include <iterator>
#include <string>
#include <vector>

#include "learn/english_tables.h"

namespace limelight::learn::english {

// What was said of someone or something.
struct Mention {
  int head = 0;         // the noun, name or pronoun
  int pronoun = 0;      // what it is called from now on, as pronouns() counts
  bool plural = false;  // as a verb agrees with it; "I" and "you" are plural to all but "be"
  unsigned senses = 0;
  std::vector<int> also = {};  // the other nouns of "the cat and the dog"
};

struct Wish {
  unsigned senses = kAlive;
  bool sure = false;   // it must be called he, she, it or they, and the noun says which
  bool plain = false;  // nothing behind the noun
  int owner = -1;      // who it may belong to, as pronouns() counts: "her dog"
  int owned_by = -1;   // the token of that
};

enum class Tense { present, past, will, can, could };

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  // ---- chances ----
  bool chance(double probability) { return random_.uniform() < probability; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(draw_below(random_, static_cast<int>(std::size(list))))];
  }
  template <class T, class Fits>
  const T* one_that(std::span<const T> list, Fits fits) {  // none: none fits
    std::vector<const T*> fitting;
    for (const T& one : list)
      if (fits(one)) fitting.push_back(&one);
    return fitting.empty() ? nullptr : one_of(fitting);
  }

  // ---- words ----
  // Returns the token. `label`: what it is in the pattern; empty: itself.
  int say(std::string_view word, std::string_view label = {});
  void link(Relation relation, int from, int to) { sentence_.links.push_back({relation, from, to}); }
  void link_subject(int verb, const Mention& subject);
  void refer(const Reference& reference);

  // ---- phrases ----
  Mention say_noun_phrase(const Wish& wish);
  // One of these persons: I, you …
  Mention say_pronoun(int pronoun);
  // Someone who can be the subject; a pronoun or two nouns now and then.
  Mention say_subject(const Wish& wish);
  // In that form, for a mention before.
  int say_reference(const Mention& antecedent, Form form, int rival = -1, bool same = false);
  // "likes", "does not like", "will like"; returns the main verb.
  int say_verb(const Mention& subject, const Verb& verb, Tense tense, bool negated);
  // "is", "was not" …
  void say_be(const Mention& subject, Tense tense, bool negated);
  // "near the street", where the verb's subject is.
  void say_way(const Verb& verb, const Mention& subject);
  // "is very tired", "looks tired" of someone of whom it was said already. `shows`: whether the verb must say how many.
  void say_state(const Mention& subject, Tense tense, std::string_view adjective, bool linking);
  Mention say_object(int verb, const Wish& wish);

  // The whole with its full stop; a or an, as the next word asks for it.
  Sentence finish();

 private:
  void say_determiner(const Wish& wish, bool plural, bool mass, std::vector<int>& before);
  void say_adjectives(unsigned senses, std::vector<int>& before);
  void say_relative(const Mention& of);

  Random& random_;
  Sentence sentence_;
  std::vector<std::string> labels_;
  std::vector<std::string_view> said_;  // nouns and names, which are not said again
};

}  // namespace limelight::learn::english
