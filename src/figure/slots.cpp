#include "figure/slots.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace limelight::figure {
namespace {

constexpr float kInSlots = 22;       // CSS pixels; smaller words may stand beside the middles of their slots
constexpr float kSmallest = 15;      // CSS pixels; smaller ones are cut
constexpr int kMostCut = 8;          // words; of more, more is seen where they stand upright
constexpr float kQuietSize = 0.82F;  // of punctuation, where a word's is 1

// The most that a word takes whichever query asks, and that it and the next one take together: widths of letters of
// size 1.
struct Widths {
  std::vector<float> word, pair;
};
Widths widths_of(std::span<const std::string> words, const Matrix& weights, bool words_ask, float gain) {
  const std::size_t count = words.size();
  Widths most{std::vector<float>(count), std::vector<float>(count)};
  const Slots unit{.size = 1, .gain = gain};
  std::vector<float> plain, bold;
  for (const std::string& word : words) {
    plain.push_back(text::measure(text::Face::display, 1, word));
    bold.push_back(text::measure(text::Face::display_bold, 1, word));
  }
  for (Eigen::Index query = 0; query < weights.rows(); ++query) {
    float before = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto word = static_cast<Eigen::Index>(i);
      const float weight = std::clamp(weights(query, word), 0.F, 1.F);
      const WordSetting set = setting_of(unit, words[i], weight, words_ask && query == word);
      const float width = set.size * (set.face == text::Face::display_bold ? bold[i] : plain[i]);
      most.word[i] = std::max(most.word[i], width);
      if (i > 0) most.pair[i - 1] = std::max(most.pair[i - 1], before + width);
      before = width;
    }
  }
  return most;
}

// The least moves that keep `least[i]` between the middles i and i + 1 of what stands `pitch` apart: neighbours that
// are too near to each other move as one, as far to one side as to the other.
std::vector<float> moves_apart(float pitch, std::span<const float> least) {
  struct Block {
    double sum;
    int count;
    [[nodiscard]] double mean() const { return sum / count; }
  };
  std::vector<Block> blocks{{0, 1}};
  std::vector<double> taken{0};  // by the distances before each
  for (std::size_t i = 0; i < least.size(); ++i) {
    taken.push_back(taken.back() + static_cast<double>(least[i]) - static_cast<double>(pitch));
    blocks.push_back({-taken.back(), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().count + last.count};
    }
  }
  std::vector<float> moves;
  for (const Block& block : blocks)
    for (int i = 0; i < block.count; ++i) moves.push_back(static_cast<float>(block.mean() + taken[moves.size()]));
  return moves;
}

// Places the words at this size. False where they have no room.
bool place(const Widths& widths, const Room& room, Slots& slots) {
  const auto last = static_cast<std::size_t>(slots.count) - 1;
  std::vector<float> least;
  for (std::size_t word = 0; word < last; ++word) least.push_back(kBetweenWords + slots.size * widths.pair[word] / 2);
  slots.beside = moves_apart(slots.pitch, least);
  // The smaller they are the farther, so that they stay over their columns where that costs little.
  const float farthest = std::max(room.beside * slots.pitch * std::min((kInSlots - slots.size) / 7, 1.F), 0.01F);
  if (std::ranges::any_of(slots.beside, [&](float move) { return std::abs(move) > farthest; })) return false;
  const float edge = room.beyond + slots.pitch / 2 - kBetweenWords;  // of the first word and the last one
  const auto half = [&](std::size_t word) { return slots.size * widths.word[word] / 2; };
  return half(0) - slots.beside.front() <= edge && half(last) + slots.beside.back() <= edge;
}

}  // namespace

bool is_mark(std::string_view word) {
  const auto of_a_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; };
  return (word.starts_with('[') && word.ends_with(']')) || std::ranges::none_of(word, of_a_word);
}

WordSetting setting_of(const Slots& slots, std::string_view word, float weight, bool asks) {
  const text::Face face = asks || weight >= kHeavy ? text::Face::display_bold : text::Face::display;
  if (is_mark(word) && !asks) {
    // Where it is bold, not so small that it would need more contrast.
    const float least = weight >= kHeavy ? std::min(slots.size, kBoldLarge) : 0;
    return {face, std::max(kQuietSize * slots.size + 0.5F * slots.gain * weight, least)};
  }
  return {face, slots.size + (asks ? kAsks * slots.size : slots.gain * weight)};
}

Slots slots_of(std::span<const std::string> words, const Matrix& weights, bool words_ask, Room room) {
  const int of = static_cast<int>(words.size());
  if (of > kMostOnStage) return upright_slots(0, of, of, room);
  const Widths widths = widths_of(words, weights, words_ask, room.gain / room.size);
  Slots slots{.count = of, .of = of, .begin = room.left, .pitch = room.width / static_cast<float>(std::max(of, 1))};
  for (slots.size = room.size; slots.size >= kSmallest; slots.size -= 1) {
    slots.gain = room.gain * slots.size / room.size;
    if (of == 0 || place(widths, room, slots)) return slots;
  }
  if (of > kMostCut) return upright_slots(0, of, of, room);
  slots.beside.clear();
  slots.size = kSmallest;
  slots.cut = true;
  return slots;
}

Slots upright_slots(int first, int count, int of, Room room) {
  const float pitch = room.width / static_cast<float>(std::max(count, 1));
  return {.first = first,
          .count = count,
          .of = of,
          .begin = room.left,
          .pitch = pitch,
          .size = std::clamp(0.62F * pitch, kSmallestUpright, std::max(0.6F * room.size, kSmallestUpright)),
          .upright = true};
}

}  // namespace limelight::figure
