#include "learn/french_tables.h"

namespace limelight::learn::french {
namespace {

constexpr Gender m = Gender::masculine;
constexpr Gender f = Gender::feminine;
constexpr Article countable = Article::countable;
constexpr Article unique = Article::unique;
constexpr Article mass = Article::mass;
constexpr Article proper = Article::name;

constexpr Noun kNouns[] = {
    {"agreement", "agreements", "accord", "accords", m, countable, legal | policy | pact},
    {"treaty", "treaties", "traité", "traités", m, countable, legal | policy | pact},
    {"law", "laws", "loi", "lois", f, countable, legal | policy},
    {"contract", "contracts", "contrat", "contrats", m, countable, legal | pact},
    {"declaration", "declarations", "déclaration", "déclarations", f, countable, legal | writing},
    {"letter", "letters", "lettre", "lettres", f, countable, legal | writing},
    {"report", "reports", "rapport", "rapports", m, countable, writing},
    {"book", "books", "livre", "livres", m, countable, writing},
    {"article", "articles", "article", "articles", m, countable, writing},
    {"speech", "speeches", "discours", "discours", m, countable, writing},
    {"answer", "answers", "réponse", "réponses", f, countable, writing},
    {"survey", "surveys", "enquête", "enquêtes", f, countable, writing},
    {"proposal", "proposals", "proposition", "propositions", f, countable, policy | writing},
    {"plan", "plans", "plan", "plans", m, countable, policy},
    {"budget", "budgets", "budget", "budgets", m, countable, policy},
    {"decision", "decisions", "décision", "décisions", f, countable, policy},
    {"reform", "reforms", "réforme", "réformes", f, countable, policy},
    {"amendment", "amendments", "amendement", "amendements", m, countable, policy},

    {"minister", "ministers", "ministre", "ministres", m, countable, person | official | grown_up},
    {"president", "presidents", "président", "présidents", m, countable, person | official | grown_up},
    {"student", "students", "étudiant", "étudiants", m, countable, person | grown_up},
    {"teacher", "teachers", "professeur", "professeurs", m, countable, person | grown_up},
    {"child", "children", "enfant", "enfants", m, countable, person},
    {"journalist", "journalists", "journaliste", "journalistes", m, countable, person | grown_up},
    {"engineer", "engineers", "ingénieur", "ingénieurs", m, countable, person | grown_up},
    {"lawyer", "lawyers", "avocat", "avocats", m, countable, person | official | grown_up},
    {"judge", "judges", "juge", "juges", m, countable, person | official | grown_up},
    {"man", "men", "homme", "hommes", m, countable, person | grown_up},
    {"boy", "boys", "garçon", "garçons", m, countable, person},
    {"friend", "friends", "ami", "amis", m, countable, person | grown_up},
    {"worker", "workers", "ouvrier", "ouvriers", m, countable, person | grown_up},
    {"hero", "heroes", "héros", "héros", m, countable, person | grown_up},
    {"ambassador", "ambassadors", "ambassadeur", "ambassadeurs", m, countable, person | official | grown_up},
    {"woman", "women", "femme", "femmes", f, countable, person | grown_up},
    {"girl", "girls", "fille", "filles", f, countable, person},
    {"queen", "queens", "reine", "reines", f, countable, person | official | grown_up},
    {"chairwoman", "chairwomen", "présidente", "présidentes", f, countable, person | official | grown_up},
    {"mother", "mothers", "mère", "mères", f, countable, person | grown_up},
    {"nurse", "nurses", "infirmière", "infirmières", f, countable, person | grown_up},
    {"actress", "actresses", "actrice", "actrices", f, countable, person | grown_up},

    {"government", "governments", "gouvernement", "gouvernements", m, countable, organisation},
    {"parliament", "parliaments", "parlement", "parlements", m, countable, organisation},
    {"commission", "commissions", "commission", "commissions", f, countable, organisation},
    {"company", "companies", "entreprise", "entreprises", f, countable, organisation},
    {"bank", "banks", "banque", "banques", f, countable, organisation},
    {"committee", "committees", "comité", "comités", m, countable, organisation},
    {"team", "teams", "équipe", "équipes", f, countable, organisation},
    {"court", "courts", "tribunal", "tribunaux", m, countable, organisation},
    {"university", "universities", "université", "universités", f, countable, organisation},
    {"association", "associations", "association", "associations", f, countable, organisation},

    {"house", "houses", "maison", "maisons", f, countable, place | building},
    {"school", "schools", "école", "écoles", f, countable, place | building},
    {"museum", "museums", "musée", "musées", m, countable, place | building},
    {"park", "parks", "parc", "parcs", m, countable, place},
    {"village", "villages", "village", "villages", m, countable, place},
    {"city", "cities", "ville", "villes", f, countable, place},
    {"hotel", "hotels", "hôtel", "hôtels", m, countable, place | building},
    {"hospital", "hospitals", "hôpital", "hôpitaux", m, countable, place | building},
    {"office", "offices", "bureau", "bureaux", m, countable, place | building},
    {"station", "stations", "gare", "gares", f, countable, place | building},
    {"church", "churches", "église", "églises", f, countable, place | building},
    {"castle", "castles", "château", "châteaux", m, countable, place | building},
    {"airport", "airports", "aéroport", "aéroports", m, countable, place | building},
    {"harbour", "harbours", "port", "ports", m, countable, place | building},

    {"car", "cars", "voiture", "voitures", f, countable, thing},
    {"computer", "computers", "ordinateur", "ordinateurs", m, countable, thing},
    {"painting", "paintings", "tableau", "tableaux", m, countable, thing},
    {"bicycle", "bicycles", "vélo", "vélos", m, countable, thing},
    {"boat", "boats", "bateau", "bateaux", m, countable, thing},
    {"tree", "trees", "arbre", "arbres", m, countable, thing},
    {"flower", "flowers", "fleur", "fleurs", f, countable, thing},
    {"clock", "clocks", "horloge", "horloges", f, countable, thing},
    {"harp", "harps", "harpe", "harpes", f, countable, thing},
    {"coat", "coats", "manteau", "manteaux", m, countable, thing},
    {"horse", "horses", "cheval", "chevaux", m, countable, thing},
    {"newspaper", "newspapers", "journal", "journaux", m, countable, thing},

    {"meeting", "meetings", "réunion", "réunions", f, countable, event | gathering | discussion},
    {"conference", "conferences", "conférence", "conférences", f, countable, event | gathering | discussion},
    {"war", "wars", "guerre", "guerres", f, countable, event},
    {"crisis", "crises", "crise", "crises", f, countable, event},
    {"election", "elections", "élection", "élections", f, countable, event | gathering},
    {"debate", "debates", "débat", "débats", m, countable, event | gathering | discussion},
    {"strike", "strikes", "grève", "grèves", f, countable, event | gathering},
    {"negotiation", "negotiations", "négociation", "négociations", f, countable, event | gathering | discussion},
    {"festival", "festivals", "festival", "festivals", m, countable, event | gathering},
    {"summit", "summits", "sommet", "sommets", m, countable, event | gathering | discussion},

    {"economy", "", "économie", "", f, unique, topic},
    {"environment", "", "environnement", "", m, unique, topic},
    {"climate", "", "climat", "", m, unique, topic},
    {"future", "", "avenir", "", m, unique, topic},
    {"trade", "", "commerce", "", m, mass, topic},
    {"education", "", "éducation", "", f, mass, topic},
    {"health", "", "santé", "", f, mass, topic},
    {"peace", "", "paix", "", f, mass, topic},
    {"security", "", "sécurité", "", f, mass, topic},
    {"energy", "", "énergie", "", f, mass, topic},
    {"agriculture", "", "agriculture", "", f, mass, topic},
    {"industry", "", "industrie", "", f, mass, topic},
    {"history", "", "histoire", "", f, mass, topic},
    {"freedom", "", "liberté", "", f, mass, topic},

    {"Area", "", "zone", "", f, proper, topic | institution},
    {"Community", "", "Communauté", "", f, proper, organisation | topic | institution},
    {"Council", "", "Conseil", "", m, proper, organisation | topic | institution},
    {"Union", "", "Union", "", f, proper, organisation | topic | institution},
    {"Bank", "", "Banque", "", f, proper, organisation | topic | institution},
    {"Agency", "", "Agence", "", f, proper, organisation | topic | institution},
    {"Commission", "", "Commission", "", f, proper, organisation | topic | institution},
    {"Fund", "", "Fonds", "", m, proper, organisation | topic | institution},

    {"France", "", "France", "", f, Article::country, country},
    {"Germany", "", "Allemagne", "", f, Article::country, country},
    {"Italy", "", "Italie", "", f, Article::country, country},
    {"Spain", "", "Espagne", "", f, Article::country, country},
    {"China", "", "Chine", "", f, Article::country, country},
    {"Canada", "", "Canada", "", m, Article::country, country},
    {"Japan", "", "Japon", "", m, Article::country, country},
    {"Portugal", "", "Portugal", "", m, Article::country, country},
    {"Brazil", "", "Brésil", "", m, Article::country, country},

    {"Paris", "", "Paris", "", m, Article::city, city},
    {"London", "", "Londres", "", m, Article::city, city},
    {"Brussels", "", "Bruxelles", "", m, Article::city, city},
    {"Rome", "", "Rome", "", m, Article::city, city},
    {"Geneva", "", "Genève", "", m, Article::city, city},
    {"Athens", "", "Athènes", "", m, Article::city, city},
};

constexpr Pronoun kPronouns[] = {
    {"he", "il", 3, false, m, true},
    {"she", "elle", 3, false, f, true},
    {"I", "je", 1, false, m, false},
    {"we", "nous", 1, true, m, false},
};

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Pronoun> pronouns() { return kPronouns; }

}  // namespace limelight::learn::french
