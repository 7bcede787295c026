#include <algorithm>
#include <cassert>

#include "learn/french_tables.h"

namespace limelight::learn::french {
namespace {

constexpr Preposition kPrepositions[] = {
    {"of", "de", "", ""},          {"on", "sur", "", ""},       {"about", "de", "", ""},
    {"with", "avec", "", ""},      {"for", "pour", "", ""},     {"against", "contre", "", ""},
    {"between", "entre", "", ""},  {"by", "par", "", ""},       {"near", "près de", "", ""},
    {"during", "pendant", "", ""}, {"before", "avant", "", ""}, {"after", "après", "", ""},
    {"in", "dans", "à", "en"},     {"to", "à", "à", "en"},      {"at", "à", "", ""},
    {"from", "de", "de", "de"},
};

using enum Determiner;
constexpr DeterminerForms kDeterminers[] = {
    {the, "the", "the", "le", "la", "l'", "l'", "les", "les", "the"},
    {a, "a", "", "un", "une", "un", "une", "", "", "a"},
    {none, "", "", "", "", "", "", "des", "des", ""},
    {this_one, "this", "these", "ce", "cette", "cet", "cette", "ces", "ces", "this"},
    {his, "his", "his", "son", "sa", "son", "son", "ses", "ses", "possessive"},
    {her, "her", "her", "son", "sa", "son", "son", "ses", "ses", "possessive"},
    {our, "our", "our", "notre", "notre", "notre", "notre", "nos", "nos", "possessive"},
    {every, "every", "", "chaque", "chaque", "chaque", "chaque", "", "", "every"},
    {many, "", "many", "", "", "", "", "beaucoup de", "beaucoup de", "quantity"},
    {several, "", "several", "", "", "", "", "plusieurs", "plusieurs", "quantity"},
    {two, "", "two", "", "", "", "", "deux", "deux", "quantity"},
    {three, "", "three", "", "", "", "", "trois", "trois", "quantity"},
    {ten, "", "ten", "", "", "", "", "dix", "dix", "quantity"},
    {all, "", "all the", "", "", "", "", "tous les", "toutes les", "all the"},
};

constexpr TimePhrase kTimePhrases[] = {
    {"in MONTH YEAR", "en MONTH YEAR", "012", Tense::past, true},
    {"in MONTH", "en MONTH", "01", Tense::past, true},
    {"in YEAR", "en YEAR", "01", Tense::past, true},
    {"on DAY", "DAY", "1", Tense::past, false},
    {"last DAY", "DAY dernier", "10", Tense::past, false},
    {"last week", "la semaine dernière", "110", Tense::past, true},
    {"last month", "le mois dernier", "110", Tense::past, true},
    {"last year", "l' année dernière", "110", Tense::past, true},
    {"COUNT UNIT ago", "il y a COUNT UNIT", "22201", Tense::past, true},
    {"yesterday", "hier", "0", Tense::past, true},
    {"this morning", "ce matin", "01", Tense::past, true},
    {"tomorrow", "demain", "0", Tense::future, true},
    {"in MONTH", "en MONTH", "01", Tense::future, true},
    {"next DAY", "DAY prochain", "10", Tense::future, false},
    {"next week", "la semaine prochaine", "110", Tense::future, true},
    {"next month", "le mois prochain", "110", Tense::future, true},
    {"next year", "l' année prochaine", "110", Tense::future, true},
};

constexpr SlotWord kSlotWords[] = {
    {"MONTH", "January", "janvier"}, {"MONTH", "February", "février"},  {"MONTH", "March", "mars"},
    {"MONTH", "April", "avril"},     {"MONTH", "May", "mai"},           {"MONTH", "June", "juin"},
    {"MONTH", "July", "juillet"},    {"MONTH", "August", "août"},       {"MONTH", "September", "septembre"},
    {"MONTH", "October", "octobre"}, {"MONTH", "November", "novembre"}, {"MONTH", "December", "décembre"},
    {"DAY", "Monday", "lundi"},      {"DAY", "Tuesday", "mardi"},       {"DAY", "Wednesday", "mercredi"},
    {"DAY", "Thursday", "jeudi"},    {"DAY", "Friday", "vendredi"},     {"DAY", "Saturday", "samedi"},
    {"DAY", "Sunday", "dimanche"},   {"YEAR", "1957", "1957"},          {"YEAR", "1968", "1968"},
    {"YEAR", "1979", "1979"},        {"YEAR", "1989", "1989"},          {"YEAR", "1992", "1992"},
    {"YEAR", "1995", "1995"},        {"YEAR", "2002", "2002"},          {"YEAR", "2015", "2015"},
    {"COUNT", "two", "deux"},        {"COUNT", "three", "trois"},       {"COUNT", "ten", "dix"},
    {"UNIT", "days", "jours"},       {"UNIT", "weeks", "semaines"},     {"UNIT", "months", "mois"},
    {"UNIT", "years", "ans"},
};

constexpr Conjunction kConjunctions[] = {
    {"and", "et", false, false, false},
    {"but", "mais", true, false, false},
    {"because", "parce que", false, true, false},
    {"when", "quand", false, true, true},
};

constexpr Complement kComplements[] = {
    {document, "on", topic},
    {document, "on", institution},
    {discussion, "on", topic},
    {pact, "with", country | organisation},
    {pact | discussion, "between", country | organisation, true},
    {policy, "for", place | topic},
    {writing, "against", policy | event},
    {writing, "on", person | place | event},
    {document, "of", organisation},
    {thing, "of", person},
    {organisation | place, "of", city},
    {person, "from", city | country | organisation},
    {thing, "from", country},
    {event, "in", city | country},
    {place, "near", place},
    {topic, "of", country},
};

constexpr std::string_view kAExceptions[] = {"European", "useful", "university", "Union"};
constexpr std::string_view kAnExceptions[] = {"honest"};
constexpr std::string_view kAspirated[] = {"héros", "harpe", "harpes"};

}  // namespace

std::span<const Preposition> prepositions() { return kPrepositions; }
const Preposition& preposition(std::string_view english) {
  const auto found = std::ranges::find(kPrepositions, english, &Preposition::english);
  assert(found != std::end(kPrepositions));
  return *found;
}
std::span<const DeterminerForms> determiners() { return kDeterminers; }
const DeterminerForms& forms_of(Determiner determiner) {
  return *std::ranges::find(kDeterminers, determiner, &DeterminerForms::determiner);
}
std::span<const TimePhrase> time_phrases() { return kTimePhrases; }
std::span<const SlotWord> slot_words() { return kSlotWords; }
std::span<const Conjunction> conjunctions() { return kConjunctions; }
std::span<const Complement> complements() { return kComplements; }
std::span<const std::string_view> english_a_exceptions() { return kAExceptions; }
std::span<const std::string_view> english_an_exceptions() { return kAnExceptions; }
std::span<const std::string_view> aspirated() { return kAspirated; }

}  // namespace limelight::learn::french
