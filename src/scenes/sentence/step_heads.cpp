// The step All heads: every head as a small picture of its light.
#include <algorithm>

#include "io/numbers.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
constexpr int kMostNamed = 64;  // heads; more stand close and have no words below them
constexpr float kLeast = 56;    // px of a panel that has

constexpr float kSmallest = 10.2F;  // px of letters there

// What a head does with most words, if it does the same with them; else where the word that asks looks. As fits.
std::string fitted_kind(const Drawing& d, const HeadPlace& place, text::Face face, float width) {
  const auto fits = [&](const std::string& words) { return text::measure(face, kSmallest, words) <= width; };
  const std::string kind = kind_of(d.trace, place, d.heads);
  const Tensor& map = d.trace.at(of_head("G", place.layer, place.head));  // of many words pooled
  if (kind != kNoFixedPlace || map.columns() != static_cast<int>(d.words().size()))
    return fits(kind) ? kind : kind.substr(0, kind.rfind(' ', kind.size() - 3));
  const std::vector<float> weights = row_of(d.trace, map.name, d.query);
  const int most = brightest(weights);
  const std::string at = "at " + (most == d.query ? "itself" : d.words()[static_cast<std::size_t>(most)]),
                    much = at + " " + share_of(weights[static_cast<std::size_t>(most)]);
  return fits(much) ? much : fits(at) ? at : at.substr(3);
}

}  // namespace

float draw_heads(Drawing& d) {
  const float labels = d.label_scale(), height = std::max(d.view.height, 300.F) - 12;
  const ChipGroup sorting =
      chips_of("sorting", d.narrow() ? "" : "sorted", kSortings, static_cast<int>(d.state.sorting));
  const float wide = std::min(chips_width(sorting, d.chip_height()), d.inner());
  float y = add_chips(d, {sorting}, {d.narrow() ? d.margin() : d.margin() + d.inner() - wide, 10}, wide + 1,
                      d.chip_height()) +
            10;
  if (!d.low()) y = std::max(y, d.narrow() ? add_sentence(d, y, d.inner()) : add_sentence(d, 8, d.inner() - wide - 24));
  const Matrix& order = d.trace.at("order").values;
  const int count = d.layers * d.heads;
  const bool by_place = d.state.sorting == Sorting::place && !d.narrow(), named = count <= kMostNamed;
  const float gap = named ? 9 * labels : 4, label = by_place ? 50 * labels : 0, caption = named ? 24 * labels : 0;
  const int columns = d.narrow() ? (named ? 4 : 8) : d.heads <= 16 ? d.heads : 16;
  const int rows = (count + columns - 1) / columns;
  const float width = (d.inner() - label + gap) / static_cast<float>(columns) - gap;
  const float fits = (height - y - 8) / static_cast<float>(rows) - caption - gap;
  const float high = named ? std::clamp(fits, d.narrow() ? 0.9F * width : std::min(kLeast, width), 1.25F * width)
                           : std::clamp(std::min(fits, width), 14.F, 90.F);

  std::vector<Small> list;
  for (int i = 0; i < count; ++i) {
    const int head = static_cast<int>(order(0, i));
    const HeadPlace place{head / d.heads, head % d.heads};
    const Rect panel{d.margin() + label + (width + gap) * static_cast<float>(i % columns),
                     y + (high + caption + gap) * static_cast<float>(i / columns), width, high};
    list.push_back({place, panel});
    if (by_place && i % d.heads == 0)
      add_words(d.figure, "layer." + std::to_string(place.layer), {d.margin(), panel.y, label, high},
                (named ? "layer " : "") + std::to_string(place.layer + 1), d.muted(12.5F));
  }
  add_small(d, list);
  for (const Small& small : named ? list : std::vector<Small>()) {
    const std::string id = "small." + name_of(small.head), name = name_of(small.head);
    const bool chosen = small.head == d.head;
    const Type number{text::Face::mono_bold, 12.5F * labels},
        words{
            chosen || kind_of(d.trace, small.head, d.heads).back() == '%' ? text::Face::semibold : text::Face::regular,
            12 * labels};
    const float used = text::measure(number.face, number.size, name) + 8, under = small.panel.bottom() + 4;
    add_words(d.figure, id + ".name", {small.panel.x + 2, under, used, 17}, name, {d.colours.ink, number});
    const std::string said = fitted_kind(d, small.head, words.face, width - used - 2);
    add_words(d, id + ".kind", {small.panel.x + 2 + used, under, width - used, 17}, said,
              fitted({chosen ? d.colours.ink : d.colours.muted, words}, said, width - used - 2, kSmallest));
  }
  return y + (high + caption + gap) * static_cast<float>(rows) - gap;
}

std::string tell_heads(const Told& told) {
  constexpr int kNamed = 2;
  const std::string all = io::count_of(told.layers * told.heads, "head");
  if (!told.shows_result)
    return "All " + all + " read the same sentence at once. Where does each of them look from " + told.asking() + "? …";
  int clear = 0, resting = 0;
  std::string named;
  const Matrix& seen = told.trace.at("kinds").values;
  for (int h = 0; h < seen.rows(); ++h) {
    const HeadPlace head{h / told.heads, h % told.heads};
    const Matrix& map = told.trace.at(of_head("G", head.layer, head.head)).values;
    if (told.query < map.rows() && map(told.query, 0) == map.row(told.query).maxCoeff()) ++resting;
    Eigen::Index kind = 0;
    if (seen.row(h).head(kinds).maxCoeff(&kind) < kClear || ++clear > kNamed) continue;
    const std::string name = name_of(head);
    named += (clear > 1 ? ", " : "") + pointing(name, "small." + name, MeansA::word) + " at " + bold(kKinds[kind]);
  }
  return "Each of " + all + " has a light of its own: here that of " + told.asking() + ". " +
         (clear > 0 ? "Some mostly look at one place, " + named + "; for the others it" : "Where it falls") +
         " depends on the words." + (resting > 0 ? told.rest(resting) : "") +
         (told.state.sorting == Sorting::alike ? " Heads that look alike stand next to each other." : "");
}

}  // namespace limelight::scenes::sentence
