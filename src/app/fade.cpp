// On the way from the opening to the page that it lies over, and back.
#include <algorithm>
#include <map>
#include <string_view>

#include "app/page.h"

namespace limelight::app {

using namespace figure;

namespace {

// The colours that texts of the same ids have in the other drawing.
void take_inks(Figure& figure, const Figure& other) {
  std::map<std::string_view, Colour> inks;
  for (const Element& element : other.elements)
    if (const auto* words = std::get_if<Text>(&element.shape)) inks.emplace(element.id, words->colour);
  for (Element& element : figure.elements) {
    auto* words = std::get_if<Text>(&element.shape);
    if (words == nullptr) continue;
    if (const auto ink = inks.find(element.id); ink != inks.end()) words->colour = ink->second;
  }
}

}  // namespace

Figure between_pages(const Figure& from, const Figure& to, float t) {
  const auto is_ground = [](const Element& element) { return element.id == "shell.ground"; };
  // It dawns, or grows dark, everywhere at once: on the ground, in the figure and in all that frames it. Inks change
  // half-way, since on the way from one to the other they could not be read. No edge moves.
  const float dawn = smoothstep(0.2F, 0.65F, t);
  Figure leaving = from;
  Figure grounds;
  for (const Element& element : from.elements)
    if (is_ground(element)) grounds.add(element).opacity *= 1 - dawn;
  std::erase_if(leaving.elements, is_ground);
  // What the one alone has goes first.
  static constexpr auto at_dawn = [](float share) { return come_by(smoothstep(0.2F, 0.65F, share)); };
  const Timing frame_first = [](const Element& element, float share) {
    if (element.id.starts_with("opening.")) return std::min(1.7F * share, 1.F);
    return element.id.starts_with("shell.") ? at_dawn(share) : share;
  };
  Figure figure = blend(leaving, to, t, frame_first);
  figure.background = mix(from.background, to.background, dawn);
  take_inks(figure, dawn < 0.5F ? from : to);
  std::ranges::stable_partition(figure.elements, is_ground);
  figure.elements.insert(figure.elements.begin(), grounds.elements.begin(), grounds.elements.end());
  return figure;
}

void fade_page(Page& page, const App& app, const Figure& from, float t) {
  hide_inputs(page, app);  // which cannot fade
  page.figure = between_pages(from, page.figure, t);
}

}  // namespace limelight::app
