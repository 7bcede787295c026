// Sentences of a reader's own, long ones among them, for the tests of Spotlight's stage.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <string>
#include <string_view>

#include "scenes/spotlight/spotlight.h"

namespace limelight::test {

inline const std::string k20 =
    "When the old captain saw the storm he told his crew to lower the sails and tie down all ropes";
inline const std::string k40 =
    k20 + " while the young cook below was still singing over his soup as if nothing could ever go wrong at sea";
inline const std::string k64 =
    k40 +
    " and the waves grew higher than the masts of every ship that had left the harbour in the "
    "grey and cold morning light";

inline std::string repeated(int count, std::string_view word) {
  std::string text;
  for (int i = 0; i < count; ++i) text.append(i > 0 ? " " : "").append(word);
  return text;
}

inline scenes::spotlight::State of_text(const std::string& text) {
  std::any any = scenes::spotlight::State{};
  REQUIRE(scenes::find("spotlight")->change(any, {{"text", text}}));
  return scenes::state_in<scenes::spotlight::State>(any);
}

}  // namespace limelight::test
