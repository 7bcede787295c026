#include "learn/french_phrase.h"

#include <cassert>

#include "learn/french_forms.h"

namespace limelight::learn::french {
namespace {

std::string_view noun_label(const NounPhrase& np) {
  switch (np.noun->article) {
    case Article::country:
      return "country";
    case Article::city:
      return "city";
    case Article::name:
      return "Name";
    case Article::mass:
      return "mass-noun";
    default:
      return np.plural ? "nouns" : "noun";
  }
}

// The article that French has where English has none.
Determiner french_determiner(const NounPhrase& np) {
  const Article article = np.noun->article;
  if (np.determiner == Determiner::none && (article == Article::mass || article == Article::country))
    return Determiner::the;
  return np.determiner;
}

// Everything but what follows the noun: "the new European law" and "la nouvelle loi européenne".
Phrase say_core(const NounPhrase& np, bool negated_object) {
  Phrase phrase;
  const DeterminerForms& english = forms_of(np.determiner);
  const std::string_view first = np.adjectives.empty() ? np.noun->singular : np.adjectives.front()->english;
  std::string_view determiner = np.plural ? english.plural : english.singular;
  if (np.determiner == Determiner::a && takes_an(first)) determiner = "an";
  const std::vector<std::string> words = split(determiner);
  for (const std::string& word : words)
    phrase.english(word, words.size() == 1 ? english.label : std::string_view(word));
  std::vector<int> places;
  for (const Adjective* adjective : np.adjectives)
    places.push_back(
        phrase.english(adjective->english, adjective->rank == Rank::before ? "early-adjective" : "adjective"));
  const int noun = phrase.english(np.plural ? np.noun->plural : np.noun->singular, noun_label(np));

  const Agreement agreement{np.noun->gender, np.plural};
  const std::string_view noun_form = np.plural ? np.noun->french_plural : np.noun->french_singular;
  // Those before the noun end in front of it; the others follow it, the nearest first.
  std::vector<std::pair<std::string, int>> target{{std::string(noun_form), noun}};
  for (std::size_t i = np.adjectives.size(); i-- > 0;)
    if (np.adjectives[i]->rank == Rank::before)
      target.insert(target.begin(), {form(*np.adjectives[i], agreement, target.front().first), places[i]});
    else
      target.emplace_back(form(*np.adjectives[i], agreement, {}), places[i]);

  std::vector<std::string> articles =
      form(forms_of(french_determiner(np)), agreement, target.front().first, target.front().second != noun);
  const bool indefinite =
      np.determiner == Determiner::a || (np.determiner == Determiner::none && np.noun->article == Article::countable);
  if (negated_object && indefinite) articles = {elided("de", target.front().first)};
  if (words.size() == articles.size())
    for (std::size_t i = 0; i < articles.size(); ++i) phrase.french(articles[i], {static_cast<int>(i)});
  else
    for (const std::string& article : articles) phrase.french(article, {words.empty() ? noun : 0});
  for (const auto& [word, place] : target) phrase.french(word, {place});
  return phrase;
}

Phrase say_relative(const Relative& relative, const NounPhrase& head) {
  Phrase phrase;
  if (relative.subject.empty()) {
    const bool person_head = (head.noun->senses & person) != 0;
    phrase.french("qui", {phrase.english(person_head ? "who" : "that", person_head ? "who" : "that")});
    phrase.append(say(relative.predicate, head));
    return phrase;
  }
  const Phrase subject = say(relative.subject.front());
  phrase.french("que", {phrase.english("that", "that")});
  phrase.append(subject);
  phrase.append(say(relative.predicate, relative.subject.front(), &head));
  return phrase;
}

// "de" and "le" become "du"; the article's links join the preposition's.
void contract(std::vector<std::string>& preposition, std::vector<int>& sources, Phrase& object) {
  struct Contraction {
    std::string_view preposition, article, together;
  };
  constexpr Contraction kContractions[] = {
      {"de", "le", "du"}, {"de", "les", "des"}, {"de", "des", "de"},
      {"de", "de", "de"}, {"à", "le", "au"},    {"à", "les", "aux"},
  };
  for (const Contraction& rule : kContractions) {
    if (preposition.back() != rule.preposition || object.target.front() != rule.article) continue;
    preposition.back() = rule.together;
    object.target.erase(object.target.begin());
    std::vector<Link> kept;
    for (const Link& link : object.links)
      if (link.target > 0)
        kept.push_back({link.target - 1, link.source});
      else if (rule.together != "de")  // there the article is gone
        sources.push_back(link.source);
    object.links = std::move(kept);
    break;
  }
}

std::string_view french_preposition(const Preposition& preposition, const NounPhrase& object) {
  if (object.noun == nullptr || preposition.city.empty()) return preposition.french;
  if (object.noun->article == Article::city) return preposition.city;
  if (object.noun->article != Article::country) return preposition.french;
  return object.noun->gender == Gender::feminine ? preposition.feminine_country : preposition.city;
}

void drop_first_target(Phrase& phrase) {
  phrase.target.erase(phrase.target.begin());
  std::erase_if(phrase.links, [](const Link& link) { return link.target == 0; });
  for (Link& link : phrase.links) --link.target;
}

}  // namespace

Agreement agreement_of(const NounPhrase& np) {
  if (np.pronoun != nullptr) return {np.pronoun->gender, np.pronoun->plural, np.pronoun->person};
  Agreement agreement{np.noun->gender, np.plural};
  if (!np.and_also.empty()) {
    if (agreement_of(np.and_also.front()).gender == Gender::masculine) agreement.gender = Gender::masculine;
    agreement.plural = true;
  }
  return agreement;
}

int Phrase::english(std::string_view word, std::string_view label) {
  source.emplace_back(word);
  labels.emplace_back(label);
  return static_cast<int>(source.size()) - 1;
}

int Phrase::english_words(std::string_view words, std::string_view label) {
  const int first = static_cast<int>(source.size());
  for (const std::string& word : split(words)) english(word, label.empty() ? std::string_view(word) : label);
  return first;
}

void Phrase::french(std::string_view word, std::initializer_list<int> sources) {
  for (const int place : sources) links.push_back({static_cast<int>(target.size()), place});
  target.emplace_back(word);
}

void Phrase::append(const Phrase& other) {
  const int sources = static_cast<int>(source.size());
  const int targets = static_cast<int>(target.size());
  if (!target.empty() && !other.target.empty()) target.back() = elided(target.back(), other.target.front());
  for (const Link& link : other.links) links.push_back({link.target + targets, link.source + sources});
  source.insert(source.end(), other.source.begin(), other.source.end());
  labels.insert(labels.end(), other.labels.begin(), other.labels.end());
  target.insert(target.end(), other.target.begin(), other.target.end());
}

Phrase say(const NounPhrase& np, bool negated_object) {
  Phrase phrase;
  if (np.pronoun != nullptr) {
    phrase.french(np.pronoun->french, {phrase.english(np.pronoun->english, "pronoun")});
    return phrase;
  }
  phrase = say_core(np, negated_object);
  for (const Prepositional& complement : np.complements) phrase.append(say(complement));
  for (const Relative& relative : np.relative) phrase.append(say_relative(relative, np));
  for (const NounPhrase& other : np.and_also) {
    Phrase link;
    link.french("et", {link.english("and", "and")});
    phrase.append(link);
    phrase.append(say(other));
  }
  return phrase;
}

Phrase say(const Prepositional& prepositional) {
  const Preposition& preposition = *prepositional.preposition;
  const NounPhrase& first = prepositional.objects.front();
  Phrase object = say(first);
  const bool bare_country = first.noun != nullptr && first.noun->article == Article::country &&
                            first.noun->gender == Gender::feminine && !preposition.feminine_country.empty();
  if (bare_country) drop_first_target(object);

  Phrase phrase;
  std::vector<std::string> words = split(french_preposition(preposition, first));
  const int place = phrase.english_words(preposition.english);
  std::vector<int> articles;  // their places in `object`
  contract(words, articles, object);
  for (const std::string& word : words) phrase.french(word, {place});
  for (const int article : articles) phrase.links.push_back({static_cast<int>(words.size()) - 1, article + 1});
  phrase.append(object);
  if (prepositional.objects.size() > 1) {
    phrase.french("et", {phrase.english("and", "and")});
    phrase.append(say(prepositional.objects.back()));
  }
  return phrase;
}

Phrase say(const TimeWords& time) {
  Phrase phrase;
  const TimePhrase& rule = *time.phrase;
  const auto slot = [&](const std::string& word) -> const SlotWord* {
    for (const SlotWord* filled : time.slots)
      if (filled->slot == word) return filled;
    return nullptr;
  };
  for (const std::string& word : split(rule.english))
    if (const SlotWord* filled = slot(word))
      phrase.english(filled->english, filled->slot);
    else
      phrase.english(word, word);
  const std::vector<std::string> words = split(rule.french);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const SlotWord* filled = slot(words[i]);
    phrase.french(filled != nullptr ? filled->french : words[i], {rule.alignment[i] - '0'});
  }
  return phrase;
}

}  // namespace limelight::learn::french
