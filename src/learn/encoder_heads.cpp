#include "learn/encoder_heads.h"

#include <algorithm>
#include <array>

#include "learn/weights.h"

namespace limelight::learn::sentences {
namespace {

using english::Relation;
using english::Sentence;

// Roles of place come first; then each relation, and what it is the other way around.
enum Place { previous, next, itself, same, start, stop, kPlaces };
constexpr std::string_view kRoles[] = {"previous word",
                                       "next word",
                                       "itself",
                                       "the same word elsewhere",
                                       "[START]",
                                       "full stop",
                                       "subject of the verb",
                                       "object of the verb",
                                       "determiner of the noun",
                                       "adjective of the noun",
                                       "antecedent of the pronoun",
                                       "preposition of the noun",
                                       "verb of the subject",
                                       "verb of the object",
                                       "noun of the determiner",
                                       "noun of the adjective",
                                       "pronoun of the antecedent",
                                       "noun of the preposition"};
constexpr int kRelationCount = static_cast<int>(std::size(english::kRelations));
constexpr int kRoleCount = static_cast<int>(std::size(kRoles));
static_assert(kRoleCount == kPlaces + 2 * kRelationCount);
constexpr int kAntecedent = kPlaces + static_cast<int>(Relation::antecedent);

// For each role and each token, [START] included, the tokens that it would look at; none: it has no such one.
using Targets = std::vector<std::vector<int>>;
std::vector<Targets> targets_of(const Sentence& sentence) {
  const auto length = static_cast<int>(sentence.words.size()) + 1;
  std::vector<Targets> all(kRoleCount, Targets(static_cast<std::size_t>(length)));
  const auto add = [&](int role, int from, int to) {
    all[static_cast<std::size_t>(role)][static_cast<std::size_t>(from)].push_back(to);
  };
  for (int i = 1; i < length; ++i) {
    add(previous, i, i - 1);
    if (i + 1 < length) add(next, i, i + 1);
    add(itself, i, i);
    add(start, i, 0);
    if (i + 1 < length) add(stop, i, length - 1);
    for (int j = 1; j < length; ++j)
      if (j != i && sentence.words[static_cast<std::size_t>(i - 1)] == sentence.words[static_cast<std::size_t>(j - 1)])
        add(same, i, j);
  }
  for (const english::Link& link : sentence.links) {
    const int role = kPlaces + static_cast<int>(link.relation);
    add(role, link.from + 1, link.to + 1);
    add(role + kRelationCount, link.to + 1, link.from + 1);
  }
  return all;
}

constexpr int kFarthest = 8;  // of the rules "so many words to the left"

// Of one role in one half of the sentences.
struct Tally {
  int count = 0;
  double chance = 0;
  std::array<int, 2 * kFarthest + 1> at_offset{};
};
struct Half {
  std::array<Tally, kRoleCount> roles{};
  std::vector<std::array<int, kRoleCount>> hits;  // by head
  std::vector<Score> over_rival, over_same;       // by head
};

bool holds(const std::vector<int>& list, int one) { return std::ranges::find(list, one) != list.end(); }

void count_roles(const std::vector<Targets>& targets, Half& half) {
  for (int role = 0; role < kRoleCount; ++role) {
    Tally& tally = half.roles[static_cast<std::size_t>(role)];
    const Targets& of_role = targets[static_cast<std::size_t>(role)];
    for (std::size_t i = 0; i < of_role.size(); ++i) {
      if (of_role[i].empty()) continue;
      ++tally.count;
      tally.chance += static_cast<double>(of_role[i].size()) / static_cast<double>(of_role.size());
      for (int offset = -kFarthest; offset <= kFarthest; ++offset)
        if (holds(of_role[i], static_cast<int>(i) + offset))
          ++tally.at_offset[static_cast<std::size_t>(offset + kFarthest)];
    }
  }
}

void count_head(const Sentence& sentence, const std::vector<Targets>& targets, const Matrix& weights, std::size_t head,
                Half& half) {
  for (std::size_t i = 0; i < targets[0].size(); ++i) {
    Eigen::Index largest = 0;
    weights.row(static_cast<Eigen::Index>(i)).maxCoeff(&largest);
    for (std::size_t role = 0; role < kRoleCount; ++role)
      if (holds(targets[role][i], static_cast<int>(largest))) ++half.hits[head][role];
  }
  for (const english::Reference& reference : sentence.references) {
    if (reference.rival < 0) continue;
    const auto row = weights.row(reference.pronoun + 1);
    const bool right = row(reference.antecedent + 1) > row(reference.rival + 1);
    half.over_rival[head].note(right);
    if (reference.same) half.over_same[head].note(right);
  }
}

RoleScore score_of(const Half& half, std::size_t head, int role) {
  const Tally& tally = half.roles[static_cast<std::size_t>(role)];
  const double count = std::max(tally.count, 1);
  RoleScore score{.role = role,
                  .count = tally.count,
                  .score = half.hits[head][static_cast<std::size_t>(role)] / count,
                  .chance = tally.chance / count,
                  .fixed = 0};
  score.fixed = role < kPlaces ? score.chance : *std::ranges::max_element(tally.at_offset) / count;
  return score;
}

}  // namespace

std::span<const std::string_view> roles() { return kRoles; }

double RoleScore::above() const {
  const double rule = std::max(chance, fixed);
  return rule < 1 ? (score - rule) / (1 - rule) : 0;
}

HeadRoles head_roles(const Training& model, int seed, int count) {
  const int heads = model.config.heads;
  const auto all = static_cast<std::size_t>(model.config.layers * heads);
  Half halves[2];
  for (Half& half : halves) {
    half.hits.resize(all);
    half.over_rival.resize(all);
    half.over_same.resize(all);
  }
  Tape<float> tape;
  Batch batch;
  int number = 0;
  for (const Sentence& sentence : held_out(seed, count)) {
    Half& half = halves[number++ % 2];
    std::vector<Word> words;
    for (const std::string& word : sentence.words) words.push_back(word_of(word));
    batch.clear();
    batch.add(model.config, words);
    tape.clear(false);
    const Encoded encoded = encode(tape, place_on<ModelOf, float>(tape, model.weights, nullptr), model.config, batch);
    const std::vector<Targets> targets = targets_of(sentence);
    count_roles(targets, half);
    for (std::size_t i = 0; i < all; ++i) {
      const TransformerLayer& layer = encoded.layers[i / static_cast<std::size_t>(heads)];
      count_head(sentence, targets, attention_weights(tape, layer.heads[i % static_cast<std::size_t>(heads)], 0), i,
                 half);
    }
  }
  HeadRoles found;
  const auto head_in = [&](std::size_t head, int role) {
    return HeadRole{static_cast<int>(head) / heads, static_cast<int>(head) % heads, score_of(halves[1], head, role)};
  };
  for (std::size_t i = 0; i < all; ++i) {
    int best = 0;
    for (int role = 1; role < kRoleCount; ++role)
      if (score_of(halves[0], i, role).above() > score_of(halves[0], i, best).above()) best = role;
    found.heads.push_back(head_in(i, best));
  }
  std::size_t best_antecedent = 0;
  for (int role = 0; role < kRoleCount; ++role) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < all; ++i)
      if (score_of(halves[0], i, role).score > score_of(halves[0], best, role).score) best = i;
    found.roles.push_back(head_in(best, role));
    if (role == kAntecedent) best_antecedent = best;
  }
  found.antecedent = {.layer = static_cast<int>(best_antecedent) / heads,
                      .head = static_cast<int>(best_antecedent) % heads,
                      .score = score_of(halves[1], best_antecedent, kAntecedent),
                      .over_rival = halves[1].over_rival[best_antecedent],
                      .over_same = halves[1].over_same[best_antecedent]};
  return found;
}

}  // namespace limelight::learn::sentences
