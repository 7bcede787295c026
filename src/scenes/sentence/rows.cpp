// The words of the sentence: in a row, in lines or upright, lit, and with cards for what is hidden or can be turned.
#include <algorithm>

#include "figure/marks.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/lines.h"
#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {
namespace {

constexpr float kCard = 2.3F;    // the width of a hidden word's card, where letters have the size 1
constexpr float kLeastGap = 12;  // px between two words
constexpr float kQuiet = 0.82F;  // of what stands for no word

// Where letters have the size 1.
float width_of(const std::string& word, bool hidden, float weight) {
  if (hidden) return kCard;
  if (weight >= kHeavy) return text::measure(text::Face::display_bold, 1, word) * (1 + 0.18F * weight);
  return text::measure(text::Face::display, 1, word) * (is_mark(word) ? kQuiet : 1);
}

// In a row, the same gap between all. False where they have no room at this size.
bool set_in_row(Slots& slots, std::span<const float> widths, const Rect& room, float size) {
  float sum = 0;
  for (const float width : widths) sum += width * size;
  const float gaps = static_cast<float>(std::max<std::size_t>(widths.size(), 2) - 1);
  const float gap = std::min((room.w - sum) / gaps, 0.85F * size);
  if (gap < kLeastGap) return false;
  slots.size = size;
  slots.gain = 0.18F * size;
  slots.pitch = room.w / static_cast<float>(slots.count);
  slots.begin = room.x;
  slots.beside.clear();
  float x = room.centre().x - (sum + gap * (static_cast<float>(widths.size()) - 1)) / 2;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const float width = widths[i] * size;
    slots.beside.push_back(x + width / 2 - (slots.begin + slots.pitch * (static_cast<float>(i) + 0.5F)));
    x += width + gap;
  }
  return true;
}

// Percentages of words that stand close are smaller; where that is not enough, those of less weight are left out.
void part_shares(Figure& figure, std::size_t from, const Words& words) {
  constexpr float kBetweenShares = 8, kSmallest = 11;
  if (words.slots.column || words.slots.is_text() || words.slots.upright) return;
  std::vector<Element*> shares;
  for (std::size_t e = from; e < figure.elements.size(); ++e) {
    Element& element = figure.elements[e];
    auto* const text = std::get_if<Text>(&element.shape);
    if (text == nullptr || !element.source || text->text.empty()) continue;
    const auto width = [](const Text& of) { return text::measure(of.face, of.size, of.text); };
    while (!shares.empty()) {
      Text& before = std::get<Text>(shares.back()->shape);
      const float apart = element.rect.centre().x - shares.back()->rect.centre().x - kBetweenShares;
      const float ratio = apart / ((width(before) + width(*text)) / 2), size = std::max(before.size, text->size);
      if (ratio >= 1) break;
      if (ratio * size >= kSmallest) {
        before.size *= ratio, text->size *= ratio;
        break;
      }
      Text& less = before.size < text->size ? before : *text;
      less.text.clear();
      if (&less == text) break;
      shares.pop_back();
    }
    if (!text->text.empty()) shares.push_back(&element);
  }
}

}  // namespace

void add_hidden(Drawing& d, const std::string& id, Rect card, bool asks) {
  const bool dark = is_dark(d.view.theme);
  add_box(d, id + ".hidden", card,
          {.fill = dark ? Colour{0x10, 0x12, 0x1a} : Colour{0x24, 0x23, 0x2b},
           .stroke = asks ? d.colours.query : d.colours.track,
           .stroke_width = asks ? 2.5F : 1.F,
           .radius = std::min(8.F, card.h / 4)});
  const bool upright = card.h > card.w;
  const float side = std::max(0.13F * std::min(card.h, card.w), 2.F), apart = 0.16F * std::max(card.w, card.h);
  for (int i = -1; i <= 1; ++i) {
    const float off = apart * static_cast<float>(i);
    const Point at{card.centre().x + (upright ? 0 : off) - side / 2, card.centre().y + (upright ? off : 0) - side / 2};
    add_box(d, id + ".dot." + std::to_string(i), {at.x, at.y, side, side},
            {.fill = {0xe6, 0xe0, 0xff}, .radius = side / 2});
  }
}

std::vector<float> row_of(const Trace& trace, const std::string& tensor, int row) {
  const Tensor* found = trace.find(tensor);
  if (found == nullptr || row >= found->rows()) return {};
  const auto weights = found->values.row(row);
  return {weights.begin(), weights.end()};
}

Words words_in(const Drawing& d, Side side, const Setting& setting, std::span<const float> weights,
               std::span<const float> others) {
  const Tensor& A = d.trace.at(d.tensor("A"));
  const std::vector<std::string>& labels = side == Side::queries ? A.row_labels : A.column_labels;
  Words made{.side = side, .words = labels, .cards = std::vector<char>(labels.size(), 0), .slots = {}};
  for (const int place : hidden_in(d.trace)) made.cards[static_cast<std::size_t>(place)] = 1;
  const auto [begin, end] = window_of(static_cast<int>(labels.size()),
                                      side == Side::keys && A.rows() != A.columns() ? d.key : d.query, kMostWords);
  std::vector<float> widths;
  std::vector<std::string> shown;
  for (int i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool hidden = made.cards[at] != 0;
    const float most = std::max(at < weights.size() ? weights[at] : 0, at < others.size() ? others[at] : 0);
    float width = width_of(labels[at], hidden, most);
    if (i == setting.turns)
      width = std::max(text::measure(text::Face::display_bold, 1, labels[at]),
                       text::measure(text::Face::display_bold, 1, std::string(setting.back))) +
              0.9F;
    widths.push_back(width);
    shown.push_back(hidden ? "mask"
                    : i == setting.turns
                        ? std::string(setting.back.size() > labels[at].size() ? setting.back : labels[at]) + "mm"
                        : labels[at]);
    if (hidden || i == setting.turns) made.words[at].clear();
  }
  Slots& slots = made.slots;
  slots = {.first = begin, .count = end - begin, .of = static_cast<int>(labels.size())};
  for (float size = setting.most; size >= setting.least; --size)
    if (set_in_row(slots, widths, setting.room, size)) return made;
  if (setting.lines)
    for (const float below : {setting.below, 0.6F * setting.below})
      if (std::optional<Slots> lines = lines_of(shown, setting.room, setting.most, below)) {
        slots = *lines;
        slots.first = begin;
        slots.of = static_cast<int>(labels.size());
        slots.below = 0.4F * below;
        return made;
      }
  slots = upright_slots(begin, end - begin, static_cast<int>(labels.size()),
                        {.left = setting.room.x, .width = setting.room.w, .size = setting.most, .gain = 0});
  return made;
}

void add_row(Drawing& d, const Words& words, const Look& look) {
  const Tensor& known = d.trace.at("tokens");
  const std::vector<std::string>& names =
      words.side == Side::queries ? d.trace.at(d.tensor("A")).row_labels : d.trace.at(d.tensor("A")).column_labels;
  const bool lit = look.weights.size() == names.size();
  std::vector<float> drawn(names.size(), 0.F);
  for (std::size_t i = 0; i < drawn.size() && lit; ++i) drawn[i] = std::min(look.heavier * look.weights[i], 1.F);
  const Slots& slots = words.slots;
  const bool at_card = look.query >= 0 && words.words[static_cast<std::size_t>(look.query)].empty();
  const std::size_t from = d.figure.elements.size();
  // With a little less contrast than there is, since light is dithered.
  const Colour white{255, 255, 255}, nearer = is_dark(d.view.theme) ? white : Colour{0, 0, 0};
  const auto behind = [&](Colour ground) { return mix(mix(ground, white, look.veil), nearer, 0.012F); };
  LitWords set{.words = words.words, .weights = drawn, .query = at_card ? -1 : look.query, .theme = d.view.theme};
  if (look.asks) set.field = words.side == Side::queries ? "query" : "key";
  set.looked_at = d.view.focus(), set.light = look.light;
  set.ground = {behind(d.colours.stage_top), behind(d.colours.stage_bottom), std::max(d.view.height, 100.F)};
  Across across{.words = look.baseline, .shares = look.shares, .scale = look.scale, .told = lit && look.shares > 0};
  across.end = slots.column ? d.figure.width : look.baseline + (slots.upright ? 4.F : 0.4F * slots.size);
  across.room = slots.column ? look.shares - look.baseline - 60 : look.length;
  add_lit_words(d.figure, slots, set, across);
  for (std::size_t e = from; e < d.figure.elements.size(); ++e) {
    Element& element = d.figure.elements[e];
    if (const std::optional<int> word = word_at(element.id)) {
      const auto at = static_cast<std::size_t>(*word);
      const bool hidden = words.cards[at] != 0;
      element.label = (words.side == Side::queries ? "Look from " : "Look at ") + names[at] +
                      (hidden && d.trace.find("typed") != nullptr ? ", which was " + d.typed(*word) : "") +
                      (known.columns() > *word && known.values(0, *word) == 0 ? ", which is read by its letters" : "") +
                      (lit ? ": gets " + share_of(look.weights[at]) : "");
      if (!look.asks) element.role = Role::none, element.label.clear();
      if (d.is_read() && *word >= d.first() && look.asks && words.side == Side::queries)
        element.twice = Edit{.field = "hidden", .value = "0." + std::to_string(*word) + (hidden ? ":" : ":1")};
    } else if (element.id.starts_with("stage.share.") && !element.id.ends_with(".ring")) {
      element.role = Role::cell;
      element.source = Source{std::string(look.tensor), d.query, std::stoi(element.id.substr(12))};
    }
  }
  part_shares(d.figure, from, words);
  for (int i = slots.first; i < slots.first + slots.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string id = word_id(i);
    const float cap = 0.73F * slots.size;
    Rect letters{slots.centre(i) - 0.5F * slots.size, look.baseline - cap, slots.size, cap};
    if (slots.is_text()) {
      const Point foot = slots.foot(i, 0);
      letters = {foot.x - kCard * slots.size / 2, foot.y - 0.32F * slots.size - cap, kCard * slots.size, cap};
    }
    if (slots.column) letters = {look.baseline, slots.centre(i) - cap / 2, kCard * slots.size, cap};
    if (slots.upright) {
      const float wide = std::min(0.8F * slots.pitch, 22.F), high = std::min(look.length - 4, 2 * wide);
      letters = {slots.middle(i) - wide / 2, look.baseline - high, wide, high};
    }
    if (words.cards[at] != 0) {
      const Rect card = slots.upright ? letters
                        : slots.column
                            ? letters.inset(-0.2F * slots.size).moved(0.2F * slots.size, 0)
                            : Rect{letters.centre().x - kCard * slots.size / 2, letters.y - 0.32F * slots.size,
                                   kCard * slots.size, cap + 0.64F * slots.size};
      add_hidden(d, id, card, i == look.query);
    } else if (known.columns() > i && known.values(0, i) == 0 && !slots.upright && look.asks) {
      const float half = text::measure(text::Face::display, slots.size, names[at]) / 2;
      const float y = letters.bottom() + 0.22F * slots.size,
                  left = slots.column ? letters.x : letters.centre().x - half;
      add_stroke(d, id + ".letters", {{left, y}, {left + 2 * half, y}}, d.colours.value, 1.5F, true);
    }
  }
  if (look.prefix == "stage.") return;
  for (std::size_t e = from; e < d.figure.elements.size(); ++e)
    d.figure.elements[e].id.replace(0, std::string_view("stage.").size(), look.prefix);
}

float add_sentence(Drawing& d, float y, float width) {
  const float size = d.narrow() ? 17 : 20 * d.label_scale();
  const Words words = words_in(
      d, Side::queries,
      {.room = {d.margin(), y, width, d.narrow() ? 64.F : 84.F}, .most = size, .least = 16, .lines = true, .below = 6},
      {});
  const Slots& slots = words.slots;
  const float length = 70, bottom = slots.is_text() ? slots.lines.back().bottom()
                                    : slots.upright ? y + length
                                                    : y + 1.5F * size;
  add_row(d, words, {.query = d.query, .baseline = slots.upright ? bottom : y + 1.1F * size, .length = length});
  return bottom + 8;
}

}  // namespace limelight::scenes::sentence
