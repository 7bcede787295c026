#include "learn/english_tables.h"

namespace limelight::learn::english {
namespace {

constexpr unsigned kOwned = carried | vehicle | text | clothes | food | plant;

constexpr Way kSit[] = {{"on", surface}, {"near", place | road}, {"under", plant}, {"beside", kAlive}};
constexpr Way kSleep[] = {{"on", surface}, {"in", place}, {"under", plant}, {"beside", kAlive}};
constexpr Way kJump[] = {{"over", kAlive | carried | road}, {"on", surface}, {"into", road | vehicle}};
constexpr Way kMove[] = {{"to", place}, {"through", place}, {"across", road}, {"with", kAlive}};
constexpr Way kStay[] = {{"in", place}, {"near", place | road}, {"with", kAlive}, {"behind", plant}};
constexpr Way kSwim[] = {{"in", road}, {"across", road}, {"with", kAlive}};
constexpr Way kSpeak[] = {{"to", person}, {"with", person}, {"at", kAlive}};

constexpr Verb kVerbs[] = {
    {"like", "likes", "liked", kAlive, food | drink | text | kAlive | clothes | place},
    {"love", "loves", "loved", kAlive, food | drink | text | kAlive | place},
    {"eat", "eats", "ate", kAlive, food},
    {"drink", "drinks", "drank", kAlive, drink},
    {"cross", "crosses", "crossed", kAlive, road},
    {"carry", "carries", "carried", person, carried},
    {"write", "writes", "wrote", person, text},
    {"open", "opens", "opened", person, carried | text},
    {"buy", "buys", "bought", person, kOwned | drink},
    {"sell", "sells", "sold", person, kOwned | drink},
    {"find", "finds", "found", kAlive, kOwned | kAlive | road},
    {"see", "sees", "saw", kAlive, kOwned | kAlive | place},
    {"follow", "follows", "followed", kAlive, kAlive | vehicle | road},
    {"chase", "chases", "chased", kAlive, kAlive},
    {"feed", "feeds", "fed", person, kAlive},
    {"help", "helps", "helped", person, kAlive},
    {"thank", "thanks", "thanked", person, person},
    {"visit", "visits", "visited", person, person | place},
    {"push", "pushes", "pushed", kAlive, carried | vehicle},
    {"drive", "drives", "drove", person, vehicle},
    {"wash", "washes", "washed", person, clothes | vehicle | food},
    {"wear", "wears", "wore", person, clothes},
    {"paint", "paints", "painted", person, surface | vehicle | plant},
    {"cook", "cooks", "cooked", person, food},
    {"watch", "watches", "watched", kAlive, kAlive | vehicle},
    {"know", "knows", "knew", person, person | text | place},
    {"want", "wants", "wanted", kAlive, kOwned | drink},
    {"break", "breaks", "broke", kAlive, carried | surface | vehicle},
    {"clean", "cleans", "cleaned", person, place | surface | vehicle},
    {"fear", "fears", "feared", kAlive, kAlive},
    {"sit", "sits", "sat", kAlive, 0, kSit},
    {"sleep", "sleeps", "slept", kAlive, 0, kSleep},
    {"jump", "jumps", "jumped", kAlive, 0, kJump},
    {"run", "runs", "ran", kAlive, 0, kMove},
    {"walk", "walks", "walked", kAlive, 0, kMove},
    {"go", "goes", "went", kAlive, 0, kMove},
    {"live", "lives", "lived", kAlive, 0, kStay},
    {"stand", "stands", "stood", kAlive, 0, kStay},
    {"wait", "waits", "waited", kAlive, 0, kStay},
    {"play", "plays", "played", kAlive, 0, kStay},
    {"swim", "swims", "swam", kAlive, 0, kSwim},
    {"talk", "talks", "talked", person, 0, kSpeak},
    {"laugh", "laughs", "laughed", person, 0, kSpeak},
    {"smile", "smiles", "smiled", person, 0, kSpeak},
};

constexpr LinkingVerb kLinking[] = {{"look", "looks", "looked"}, {"seem", "seems", "seemed"}};

constexpr Way kNounWays[] = {{"in", place},
                             {"on", surface},
                             {"near", place | road},
                             {"under", plant},
                             {"with", kAlive | clothes | carried},
                             {"behind", surface},
                             {"beside", kAlive | vehicle}};

constexpr Motive kMotives[] = {
    {"feed", false, "hungry"},   {"feed", false, "thin"},      {"help", false, "weak"},    {"help", false, "sick"},
    {"thank", false, "kind"},    {"thank", false, "friendly"}, {"visit", false, "sick"},   {"visit", false, "sad"},
    {"love", false, "kind"},     {"love", false, "beautiful"}, {"fear", false, "angry"},   {"fear", false, "strong"},
    {"chase", true, "hungry"},   {"chase", true, "angry"},     {"find", true, "lucky"},    {"find", true, "clever"},
    {"follow", true, "curious"}, {"follow", true, "hungry"},   {"watch", true, "curious"}, {"watch", true, "bored"},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }
std::span<const LinkingVerb> linking_verbs() { return kLinking; }
std::span<const Way> noun_ways() { return kNounWays; }
std::span<const Motive> motives() { return kMotives; }

}  // namespace limelight::learn::english
