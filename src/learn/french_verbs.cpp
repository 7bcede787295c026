#include "learn/french_tables.h"

namespace limelight::learn::french {
namespace {

using enum Auxiliary;

constexpr unsigned actor = person | organisation;
constexpr unsigned authority = official | organisation;
constexpr unsigned town = city | country;
constexpr unsigned anywhere = city | place;

constexpr Verb kVerbs[] = {
    {"sign", "signed", "signed", "signer", "signé", "signera", avoir, authority | country, legal, "", 0, town},
    {"adopt", "adopted", "adopted", "adopter", "adopté", "adoptera", avoir, organisation | country, policy, "", 0,
     town},
    {"approve", "approved", "approved", "approuver", "approuvé", "approuvera", avoir, authority, policy, "", 0, town},
    {"reject", "rejected", "rejected", "rejeter", "rejeté", "rejettera", avoir, authority | country, policy, "", 0,
     town},
    {"discuss", "discussed", "discussed", "discuter", "discuté", "discutera", avoir, authority, policy, "", 0, town},
    {"defend", "defended", "defended", "défendre", "défendu", "défendra", avoir, authority | country, policy, "", 0,
     town},
    {"criticise", "criticised", "criticised", "critiquer", "critiqué", "critiquera", avoir, actor,
     policy | writing | organisation, "", 0, town},
    {"prepare", "prepared", "prepared", "préparer", "préparé", "préparera", avoir, authority, policy | gathering, "", 0,
     anywhere},
    {"present", "presented", "presented", "présenter", "présenté", "présentera", avoir, authority, policy | writing, "",
     0, anywhere},
    {"publish", "published", "published", "publier", "publié", "publiera", avoir, actor, writing, "", 0, town},
    {"write", "wrote", "written", "écrire", "écrit", "écrira", avoir, person, writing, "", 0, anywhere},
    {"read", "read", "read", "lire", "lu", "lira", avoir, person, document, "", 0, anywhere},
    {"receive", "received", "received", "recevoir", "reçu", "recevra", avoir, actor, writing, "", 0, anywhere},
    {"organise", "organised", "organised", "organiser", "organisé", "organisera", avoir, authority, gathering, "", 0,
     anywhere},
    {"cancel", "cancelled", "cancelled", "annuler", "annulé", "annulera", avoir, authority, gathering, "", 0, town},
    {"see", "saw", "seen", "voir", "vu", "verra", avoir, person, person | place | thing, "", 0, anywhere},
    {"buy", "bought", "bought", "acheter", "acheté", "achètera", avoir, actor, thing, "", 0, anywhere},
    {"sell", "sold", "sold", "vendre", "vendu", "vendra", avoir, actor, thing, "", 0, anywhere},
    {"find", "found", "found", "trouver", "trouvé", "trouvera", avoir, person, thing | writing, "", 0, anywhere},
    {"lose", "lost", "lost", "perdre", "perdu", "perdra", avoir, person, thing, "", 0, anywhere},
    {"build", "built", "built", "construire", "construit", "construira", avoir, organisation, building, "", 0, town},
    {"close", "closed", "closed", "fermer", "fermé", "fermera", avoir, organisation, building, "", 0, town},
    {"visit", "visited", "visited", "visiter", "visité", "visitera", avoir, person, place, "", 0, town},
    {"invite", "invited", "invited", "inviter", "invité", "invitera", avoir, actor, person, "", 0, town},
    {"meet", "met", "met", "rencontrer", "rencontré", "rencontrera", avoir, person, person, "", 0, anywhere},
    {"help", "helped", "helped", "aider", "aidé", "aidera", avoir, actor, person | organisation, "", 0, town},

    {"go", "went", "gone", "aller", "allé", "ira", etre, person, 0, "to", place | city | country, 0},
    {"return", "returned", "returned", "retourner", "retourné", "retournera", etre, person, 0, "to",
     place | city | country, 0},
    {"arrive", "arrived", "arrived", "arriver", "arrivé", "arrivera", etre, person, 0, "at", place, 0},
    {"stay", "stayed", "stayed", "rester", "resté", "restera", etre, person, 0, "in", place | city | country, 0},
    {"leave", "left", "left", "partir", "parti", "partira", etre, person, 0, "", 0, 0},
    {"work", "worked", "worked", "travailler", "travaillé", "travaillera", avoir, person, 0, "for", organisation,
     anywhere},
    {"speak", "spoke", "spoken", "parler", "parlé", "parlera", avoir, person, 0, "about", document | event | topic,
     anywhere},
    {"begin", "began", "begun", "commencer", "commencé", "commencera", avoir, event, 0, "", 0, town},
    {"continue", "continued", "continued", "continuer", "continué", "continuera", avoir, event, 0, "", 0, town},
};

constexpr SpeechVerb kSpeechVerbs[] = {
    {"says", "say", "dit", "disent"},
    {"thinks", "think", "pense", "pensent"},
    {"knows", "know", "sait", "savent"},
};

constexpr Modal kModals[] = {
    {"can", "cannot", {"peux", "peut", "pouvons", "peuvent"}},
    {"must", "must not", {"dois", "doit", "devons", "doivent"}},
};

constexpr Forms kAvoir{"ai", "a", "avons", "ont"};
constexpr Forms kEtre{"suis", "est", "sommes", "sont"};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }
std::span<const SpeechVerb> speech_verbs() { return kSpeechVerbs; }
std::span<const Modal> modals() { return kModals; }
const Forms& present(Auxiliary auxiliary) { return auxiliary == avoir ? kAvoir : kEtre; }

}  // namespace limelight::learn::french
