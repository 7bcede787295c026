// The words of the field that the scenes use, each explained in a sentence or two: one table for the tooltips of the
// canvas, the mirror and the glossary.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace limelight::scenes {

struct Term {
  std::string_view name;
  std::string_view forms;    // how else it is written, between bars; a plural with s goes without saying
  std::string_view meaning;  // one or two sentences
  std::string_view scene;    // where it can be seen
  std::string_view step;     // its id
};

// In alphabetical order of their names.
std::span<const Term> glossary();

// Null when there is none of this name.
const Term* find_term(std::string_view name);

// The bytes [begin, end) of a text that name a term.
struct Mention {
  std::size_t begin = 0;
  std::size_t end = 0;
  const Term* term = nullptr;
};
// Whole words only, of several the longest, from left to right. Symbols are told by their case, "Q" from "q"; words are
// not.
std::vector<Mention> mentions(std::string_view text);

}  // namespace limelight::scenes
