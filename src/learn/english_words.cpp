// Adjectives, pronouns, and the words that make a sentence of the others.
#include "learn/english_tables.h"

namespace limelight::learn::english {
namespace {

constexpr unsigned kAll = kAlive | kThings;

constexpr Adjective kAdjectives[] = {
    {"old", kAll & ~drink},
    {"new", kThings & ~(food | drink)},
    {"small", kAll & ~drink},
    {"big", kAll & ~drink},
    {"little", kAll & ~drink},
    {"beautiful", kAll & ~(food | drink)},
    {"good", kAlive | food | drink | text},
    {"nice", kAll},
    {"young", kAlive},
    {"quick", kAlive},
    {"lazy", kAlive},
    {"clever", kAlive},
    {"brave", kAlive},
    {"friendly", kAlive},
    {"kind", person},
    {"strong", kAlive},
    {"wild", animal},
    {"famous", person | text | place},
    {"fresh", food | drink},
    {"round", surface | carried},
    {"fast", vehicle | animal},
    {"tall", person | plant},
};

constexpr Adjective kColours[] = {
    {"brown", animal | surface | carried | vehicle | clothes},
    {"black", animal | surface | carried | vehicle | clothes},
    {"white", animal | surface | carried | vehicle | clothes | plant | place},
    {"grey", animal | surface | carried | vehicle | clothes},
    {"red", surface | carried | vehicle | clothes | plant},
    {"blue", surface | carried | vehicle | clothes | plant},
    {"green", surface | carried | vehicle | clothes | plant},
    {"yellow", surface | carried | vehicle | clothes | plant},
};

constexpr std::string_view kStates[] = {"tired", "hungry",  "thirsty", "afraid", "sick",  "angry",
                                        "weak",  "nervous", "sleepy",  "sad",    "bored", "happy"};

constexpr Adjective kProperties[] = {
    {"wide", road},
    {"narrow", road},
    {"dangerous", road},
    {"long", road | text},
    {"hot", food | drink},
    {"cold", food | drink},
    {"bitter", drink},
    {"sweet", food | drink},
    {"expensive", food | carried | vehicle | clothes},
    {"heavy", carried},
    {"full", carried},
    {"empty", carried},
    {"dirty", place | surface | vehicle | clothes},
    {"boring", text},
    {"difficult", text},
    {"broken", vehicle | carried},
    {"noisy", vehicle | place},
    {"dark", place},
    {"ugly", clothes | surface | plant},
};

constexpr Pronoun kPronouns[] = {
    {"I", "me", "my", true}, {"you", "you", "your", true}, {"he", "him", "his"},           {"she", "her", "her"},
    {"it", "it", "its"},     {"we", "us", "our", true},    {"they", "them", "their", true}};

using enum Kind;
constexpr FunctionWord kFunctionWords[] = {
    {".", sign},
    {",", sign},
    {"the", determiner},
    {"a", determiner},
    {"an", determiner},
    {"this", determiner},
    {"that", determiner},
    {"these", determiner},
    {"those", determiner},
    {"some", determiner},
    {"many", determiner},
    {"two", determiner},
    {"three", determiner},
    {"every", determiner},
    {"is", auxiliary},
    {"are", auxiliary},
    {"am", auxiliary},
    {"was", auxiliary},
    {"were", auxiliary},
    {"do", auxiliary},
    {"does", auxiliary},
    {"did", auxiliary},
    {"will", auxiliary},
    {"can", auxiliary},
    {"could", auxiliary},
    {"not", adverb},
    {"too", adverb},
    {"very", adverb},
    {"so", adverb},
    {"often", adverb},
    {"always", adverb},
    {"never", adverb},
    {"sometimes", adverb},
    {"today", adverb},
    {"because", conjunction},
    {"when", conjunction},
    {"and", conjunction},
    {"but", conjunction},
    {"who", pronoun},
    {"thin", adjective},
    {"lucky", adjective},
    {"curious", adjective},
};

}  // namespace

std::span<const Adjective> adjectives() { return kAdjectives; }
std::span<const Adjective> colours() { return kColours; }
std::span<const std::string_view> states() { return kStates; }
std::span<const Adjective> properties() { return kProperties; }
std::span<const Pronoun> pronouns() { return kPronouns; }
std::span<const FunctionWord> function_words() { return kFunctionWords; }

}  // namespace limelight::learn::english
