#include "learn/french_draw.h"

#include <algorithm>
#include <array>

#include "learn/french_forms.h"
#include "learn/french_phrase.h"

namespace limelight::learn::french {
namespace {

using enum Determiner;
constexpr std::array kSingular{the, the, the, the, a, a, a, this_one, his, her, our, every};
constexpr std::array kPlural{the, the, the, the,  none,    none, none,  none, this_one,
                             his, her, our, many, several, two,  three, ten,  all};

bool reads_badly_negated(Determiner determiner) {
  return determiner == every || determiner == many || determiner == several || determiner == all;
}

// "France" and "laws"; "the economy"; "the European Area".
int fewest_words(Article article, bool bare) {
  if (article == Article::name) return 3;
  return article == Article::unique || (article == Article::countable && !bare) ? 2 : 1;
}

std::vector<const Noun*> fitting_nouns(Draw& draw, const Wish& wish, int words) {
  return those(nouns(), [&](const Noun& noun) {
    return (noun.senses & wish.senses) != 0 && fewest_words(noun.article, wish.bare) <= words &&
           std::ranges::find(draw.said, &noun) == draw.said.end();
  });
}

int words_in(const DeterminerForms& forms, bool plural) {
  return static_cast<int>(split(plural ? forms.plural : forms.singular).size());
}

void draw_determiner(Draw& draw, const Wish& wish, NounPhrase& np, int words) {
  const Article article = np.noun->article;
  if (article == Article::unique || article == Article::name) np.determiner = the;
  if (article != Article::countable) return;
  np.plural = words < 2 || draw.chance(0.4);
  do {
    np.determiner = np.plural ? draw.one_of(kPlural) : draw.one_of(kSingular);
  } while (words_in(forms_of(np.determiner), np.plural) + 1 > words ||
           (wish.negated && reads_badly_negated(np.determiner)) || (!wish.bare && np.determiner == none));
}

void add_adjective(Draw& draw, NounPhrase& np, Rank rank) {
  const unsigned senses = np.noun->article == Article::name ? unsigned{institution} : np.noun->senses;
  const auto fitting = those(adjectives(), [&](const Adjective& adjective) {
    return adjective.rank == rank && (adjective.senses & senses) != 0;
  });
  if (!fitting.empty()) np.adjectives.push_back(draw.one_of(fitting));
}

void draw_adjectives(Draw& draw, NounPhrase& np, int words) {
  const Article article = np.noun->article;
  const bool is_name = article == Article::name;
  const bool countable = article == Article::countable;
  if (article == Article::country || article == Article::city) return;
  const auto left = [&] { return words - words_in(np); };
  const double eager = left() > 4 ? 0.6 : 0.35;
  if (countable && left() > 0 && draw.chance(eager))
    add_adjective(draw, np, draw.chance(0.5) ? Rank::before : Rank::quality);
  if (is_name || (left() > 0 && draw.chance(eager * 0.6))) add_adjective(draw, np, Rank::nationality);
  if (left() > 0 && draw.chance(is_name ? 0.7 : eager * 0.5))
    add_adjective(draw, np, is_name ? Rank::name_domain : Rank::domain);
}

bool is_possessed(const NounPhrase& np) { return forms_of(np.determiner).label == "possessive"; }

void draw_complement(Draw& draw, const Wish& wish, NounPhrase& np, int words) {
  const bool of_a_nation = std::ranges::any_of(
      np.adjectives, [](const Adjective* adjective) { return adjective->rank == Rank::nationality; });
  const auto fitting = those(complements(), [&](const Complement& rule) {
    const bool of_a_country = (rule.objects & country) != 0 && !rule.pair;  // "the German car from France"
    const bool owned_twice = rule.preposition == "of" && is_possessed(np);  // "his car of the minister"
    return (rule.heads & np.noun->senses) != 0 && !(of_a_nation && of_a_country) && !owned_twice;
  });
  if (fitting.empty()) return;
  const Complement& rule = *draw.one_of(fitting);
  const Wish inner{
      .senses = rule.objects, .negated = wish.negated, .bare = false, .sole = rule.pair, .depth = wish.depth + 1};
  Prepositional complement{&preposition(rule.preposition), {}};
  for (int i = 0; i < (rule.pair ? 2 : 1); ++i) {
    std::optional<NounPhrase> object = draw_noun_phrase(draw, inner, rule.pair ? (words - 2) / 2 : words - 1);
    if (!object) return;
    complement.objects.push_back(std::move(*object));
  }
  np.complements.push_back(std::move(complement));
}

// "who signed the treaty", "that the minister signed"; words: at least 4.
void draw_relative(Draw& draw, const Wish& wish, NounPhrase& np, int words) {
  const bool as_object = draw.chance(0.5);
  const auto fitting = those(verbs(), [&](const Verb& verb) {
    return verb.objects != 0 && ((as_object ? verb.objects : verb.subjects) & np.noun->senses) != 0;
  });
  if (fitting.empty()) return;
  Relative relative;
  relative.predicate.verb = draw.one_of(fitting);
  const Wish other{.senses = as_object ? relative.predicate.verb->subjects : relative.predicate.verb->objects,
                   .sole = true,
                   .depth = wish.depth + 2};
  std::optional<NounPhrase> drawn =
      as_object ? draw_subject(draw, other, words - 2) : draw_noun_phrase(draw, other, words - 2);
  if (!drawn) return;
  (as_object ? relative.subject : relative.predicate.object).push_back(std::move(*drawn));
  np.relative.push_back(std::move(relative));
}

}  // namespace

int words_in(const NounPhrase& noun_phrase) { return static_cast<int>(say(noun_phrase).source.size()); }
int words_in(const Prepositional& prepositional) { return static_cast<int>(say(prepositional).source.size()); }

std::optional<NounPhrase> draw_noun_phrase(Draw& draw, const Wish& wish, int words) {
  const std::vector<const Noun*> fitting = fitting_nouns(draw, wish, words);
  if (fitting.empty()) return {};
  NounPhrase np;
  np.noun = draw.one_of(fitting);
  draw.said.push_back(np.noun);
  draw_determiner(draw, wish, np, words);
  draw_adjectives(draw, np, words);
  const Article article = np.noun->article;
  if (wish.sole || wish.depth > 2 || (article != Article::countable && article != Article::unique)) return np;
  const int left = words - words_in(np);
  const double eager = left > 5 ? 0.8 : 0.35;
  if (wish.depth == 0 && left >= 4 && article == Article::countable && !is_possessed(np) && draw.chance(eager * 0.4))
    draw_relative(draw, wish, np, left);
  else if (draw.chance(eager))
    draw_complement(draw, wish, np, left);
  return np;
}

std::optional<NounPhrase> draw_subject(Draw& draw, const Wish& wish, int words) {
  if (words < 1) return {};
  if ((wish.senses & (person | official)) != 0 && draw.chance(words < 3 ? 0.4 : words < 6 ? 0.15 : 0.05)) {
    NounPhrase np;
    np.pronoun = &draw.one_of(pronouns());
    if (np.pronoun->sure_of_gender || (wish.senses & pronoun) != 0) return np;
  }
  const unsigned senses = wish.senses & (person | official | country);
  const bool two = words >= 5 && senses != 0 && draw.chance(0.15);
  if (!two) return draw_noun_phrase(draw, wish, words);
  const Wish each{.senses = senses, .negated = wish.negated, .bare = wish.bare, .sole = true, .depth = wish.depth};
  std::optional<NounPhrase> np = draw_noun_phrase(draw, each, words / 2);
  if (!np) return {};
  std::optional<NounPhrase> other = draw_noun_phrase(draw, each, words - 1 - words_in(*np));
  if (!other) return {};
  np->and_also.push_back(std::move(*other));
  return np;
}

}  // namespace limelight::learn::french
