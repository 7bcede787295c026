// What tests of the app do with it: sizes of windows, places of the page, and the hand.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"

namespace limelight::test {

using app::App;
using app::Page;
using app::Pointer;

inline Page page_of(const App& app) { return build_page(app, draw_stage(app)); }

struct Size {
  float width, height;
};
inline constexpr Size kSizes[] = {{320, 568},  {360, 740},   {390, 844}, {620, 700}, {820, 700}, {1024, 700},
                                  {1280, 800}, {1920, 1080}, {844, 390}, {390, 420}, {720, 480}};

inline bool changed_to(App& app, std::string_view field, std::string_view value) {
  return change(app, field, value).has_value();
}

inline figure::Point centre_of(const Page& page, std::string_view id) {
  const figure::Element* element = page.figure.find(id);
  REQUIRE(element != nullptr);
  return element->rect.centre();
}

// By more than rounding.
inline bool lie_over(const figure::Rect& a, const figure::Rect& b) {
  const figure::Rect both = figure::intersection(a, b);
  return both.w > 0.5F && both.h > 0.5F;
}

// What is set and started, wherever it stands.
inline std::vector<std::pair<std::string, figure::Rect>> controls_in(const Page& page) {
  std::vector<std::pair<std::string, figure::Rect>> controls;
  for (const figure::Element& element : page.figure.elements)
    if (element.role != figure::Role::none && (element.id.starts_with("field.") || element.id == "shell.job"))
      controls.emplace_back(element.id, element.rect);
  return controls;
}

}  // namespace limelight::test
