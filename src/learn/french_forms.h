// The rules of French spelling that join words to their neighbours, and the agreement of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/french_tables.h"

namespace limelight::learn::french {

struct Agreement {
  Gender gender = Gender::masculine;
  bool plural = false;
  int person = 3;
};

// Whether "le" becomes "l'" in front of it: a vowel, or an h that is not aspirated.
bool elides(std::string_view french);
// "an" rather than "a".
bool takes_an(std::string_view english);

// The words of a text, which single spaces part.
std::vector<std::string> split(std::string_view text);

// "le", "la", "je", "ne", "que", "de" … with an apostrophe in front of a vowel; other words as they are.
std::string elided(std::string_view word, std::string_view next);

std::string form(const Adjective& adjective, const Agreement& agreement, std::string_view next);
std::string participle(const Verb& verb, const Agreement& agreement);
std::string future(const Verb& verb, bool plural);
std::string_view form(const Forms& forms, const Agreement& agreement);
// The determiner's words in front of `next`; "de" in place of "des" in front of an adjective (de nouvelles lois).
std::vector<std::string> form(const DeterminerForms& determiner, const Agreement& agreement, std::string_view next,
                              bool adjective_next);

}  // namespace limelight::learn::french
