#include "learn/french_tables.h"

namespace limelight::learn::french {
namespace {

using enum Rank;

constexpr Adjective kAdjectives[] = {
    {"new", "nouveau", "nouvelle", "nouveaux", "nouvelles", "nouvel", before,
     document | organisation | place | thing | event, false},
    {"old", "vieux", "vieille", "vieux", "vieilles", "vieil", before, grown_up | place | thing, true},
    {"beautiful", "beau", "belle", "beaux", "belles", "bel", before, place | thing, true},
    {"small", "petit", "petite", "petits", "petites", "", before, place | thing | organisation, true},
    {"large", "grand", "grande", "grands", "grandes", "", before, place | thing | organisation, true},
    {"young", "jeune", "jeune", "jeunes", "jeunes", "", before, person, true},
    {"good", "bon", "bonne", "bons", "bonnes", "", before, writing | policy, true},
    {"bad", "mauvais", "mauvaise", "mauvais", "mauvaises", "", before, writing | policy, true},
    {"long", "long", "longue", "longs", "longues", "", before, writing | event, true},
    {"pretty", "joli", "jolie", "jolis", "jolies", "", before, place, true},

    {"important", "important", "importante", "importants", "importantes", "", quality, document | event, true},
    {"difficult", "difficile", "difficile", "difficiles", "difficiles", "", quality, policy | event, true},
    {"interesting", "intéressant", "intéressante", "intéressants", "intéressantes", "", quality, writing | event, true},
    {"useful", "utile", "utile", "utiles", "utiles", "", quality, writing | policy | thing, true},
    {"famous", "célèbre", "célèbre", "célèbres", "célèbres", "", quality, person | place, true},
    {"public", "public", "publique", "publics", "publiques", "", quality, writing | event, true},
    {"secret", "secret", "secrète", "secrets", "secrètes", "", quality, document | event, true},
    {"modern", "moderne", "moderne", "modernes", "modernes", "", quality, building, true},
    {"expensive", "cher", "chère", "chers", "chères", "", quality, thing, true},
    {"dangerous", "dangereux", "dangereuse", "dangereux", "dangereuses", "", quality, policy | event, true},
    {"complete", "complet", "complète", "complets", "complètes", "", quality, writing, true},
    {"quiet", "calme", "calme", "calmes", "calmes", "", quality, place, true},
    {"happy", "heureux", "heureuse", "heureux", "heureuses", "", quality, person, true},
    {"honest", "honnête", "honnête", "honnêtes", "honnêtes", "", quality, person, true},
    {"intelligent", "intelligent", "intelligente", "intelligents", "intelligentes", "", quality, person, true},
    {"rich", "riche", "riche", "riches", "riches", "", quality, person, true},
    {"red", "rouge", "rouge", "rouges", "rouges", "", quality, thing, true},
    {"white", "blanc", "blanche", "blancs", "blanches", "", quality, thing, true},
    {"green", "vert", "verte", "verts", "vertes", "", quality, thing, true},

    {"European", "européen", "européenne", "européens", "européennes", "", nationality,
     document | person | organisation | place | thing | event | topic | institution, false},
    {"American", "américain", "américaine", "américains", "américaines", "", nationality,
     document | person | organisation | place | thing | event | topic | institution, false},
    {"African", "africain", "africaine", "africains", "africaines", "", nationality,
     document | person | organisation | place | thing | event | topic | institution, false},
    {"Asian", "asiatique", "asiatique", "asiatiques", "asiatiques", "", nationality,
     document | person | organisation | place | thing | event | topic | institution, false},
    {"French", "français", "française", "français", "françaises", "", nationality,
     document | person | organisation | place | thing | event | topic, false},
    {"German", "allemand", "allemande", "allemands", "allemandes", "", nationality,
     document | person | organisation | place | thing | event | topic, false},
    {"Italian", "italien", "italienne", "italiens", "italiennes", "", nationality,
     document | person | organisation | place | thing | event | topic, false},
    {"Spanish", "espagnol", "espagnole", "espagnols", "espagnoles", "", nationality,
     document | person | organisation | place | thing | event | topic, false},
    {"Japanese", "japonais", "japonaise", "japonais", "japonaises", "", nationality,
     document | person | organisation | place | thing | event | topic, false},

    {"economic", "économique", "économique", "économiques", "économiques", "", domain, document | discussion, false},
    {"political", "politique", "politique", "politiques", "politiques", "", domain, document | discussion, false},
    {"social", "social", "sociale", "sociaux", "sociales", "", domain, policy | discussion, false},
    {"scientific", "scientifique", "scientifique", "scientifiques", "scientifiques", "", domain, writing, false},
    {"international", "international", "internationale", "internationaux", "internationales", "", domain,
     document | organisation | discussion | topic, false},
    {"commercial", "commercial", "commerciale", "commerciaux", "commerciales", "", domain, legal, false},

    {"Economic", "économique", "économique", "", "", "", name_domain, institution, false},
    {"Political", "politique", "politique", "", "", "", name_domain, institution, false},
    {"Monetary", "monétaire", "monétaire", "", "", "", name_domain, institution, false},
    {"Scientific", "scientifique", "scientifique", "", "", "", name_domain, institution, false},
    {"Social", "social", "sociale", "", "", "", name_domain, institution, false},
};

}  // namespace

std::span<const Adjective> adjectives() { return kAdjectives; }

}  // namespace limelight::learn::french
