// On the way from the opening to the page that it lies over, and back.
#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <variant>
#include <vector>

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

// What all else lies on, from the figure: the ground and the surfaces of what frames it.
std::vector<Element> take_grounds(Figure& figure) {
  constexpr float kLarge = 0.035F;  // of the window
  const float large = kLarge * figure.width * figure.height;
  const auto lies_above = [large](const Element& element) {
    const bool surface = element.id.starts_with("shell.") && element.role == Role::none &&
                         std::holds_alternative<Rectangle>(element.shape) && element.rect.w * element.rect.h >= large;
    return element.id != "shell.ground" && !surface;
  };
  const auto grounds = std::ranges::stable_partition(figure.elements, lies_above);
  std::vector<Element> taken(grounds.begin(), grounds.end());
  figure.elements.erase(grounds.begin(), grounds.end());
  std::ranges::stable_partition(taken, [](const Element& element) { return element.id == "shell.ground"; });
  return taken;
}

}  // namespace

Figure between_pages(const Figure& from, const Figure& to, float t) {
  // It dawns, or grows dark, everywhere at once: on the ground, in the figure and in all that frames it. Inks change
  // half-way, since on the way from one to the other they could not be read. No edge moves.
  static constexpr auto dawn_at = [](float share) { return smoothstep(0.2F, 0.65F, share); };
  const float dawn = dawn_at(t);
  const auto is_of_opening = [](const Element& element) { return element.id.starts_with("opening."); };
  const bool to_page = std::ranges::any_of(from.elements, is_of_opening);
  Figure leaving = from, arriving = to;

  const std::vector<Element> above = take_grounds(leaving), below = take_grounds(arriving);
  // What the opening alone has goes first.
  static constexpr auto opening_first = [](const Element& element, float share, float frame) {
    if (element.id.starts_with("opening.")) return std::min(1.7F * share, 1.F);
    return element.id.starts_with("shell.") ? frame : share;
  };
  const Timing comes = [](const Element& element, float share) {
    return opening_first(element, share, come_by(dawn_at(share)));
  };
  const Timing goes = [](const Element& element, float share) {
    return opening_first(element, share, leave_by(dawn_at(share)));
  };
  Figure figure = blend(leaving, arriving, t, to_page ? comes : goes);
  figure.background = to.background;
  take_inks(figure, dawn < 0.5F ? from : to);
  std::vector<Element> grounds = below;
  if (!to_page)
    grounds.push_back({.rect = {0, 0, from.width, from.height}, .shape = Rectangle{.fill = from.background}});
  std::ranges::copy(above, std::back_inserter(grounds));
  for (std::size_t i = below.size(); i < grounds.size(); ++i) grounds[i].opacity *= 1 - dawn;
  figure.elements.insert(figure.elements.begin(), grounds.begin(), grounds.end());
  return figure;
}

void fade_page(Page& page, const App& app, const Figure& from, float t) {
  hide_inputs(page, app);  // which cannot fade
  page.figure = between_pages(from, page.figure, t);
}

}  // namespace limelight::app
