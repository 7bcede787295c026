// Words of the field where they stand on the page: what each means shows when the mouse rests on it or a finger taps
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "figure/figure.h"
#include "figure/paragraph.h"
#include "scenes/glossary.h"

namespace limelight::app {

// Where the bytes [begin, end) of a paragraph's marked text stand: a rect for each line.
std::vector<figure::Rect> lines_of(std::size_t begin, std::size_t end, std::string_view marked,
                                   const std::vector<figure::Run>& runs);
// A dotted line below one of them.
void add_dots(figure::Figure& figure, const std::string& id, figure::Rect line, figure::Colour colour);

// The first mention of each term in a paragraph, dotted below: "term.softmax".
void add_marked_terms(figure::Figure& figure, const App& app, std::string_view marked,
                      const std::vector<figure::Run>& runs);

// Terms in the other texts and formulas, unmarked, where nothing else can be pointed at: "term.softmax@weights.title".
// In a control's name they stand for the control.
void add_unmarked_terms(figure::Figure& figure, const App& app);

bool is_term(std::string_view id);
// Whether a press says what it is, and does no more: a term, the chip of where the numbers come from.
bool only_explains(std::string_view id);
bool is_marked_term(std::string_view id);
// Null when the id is none's.
const scenes::Term* term_of(std::string_view id);

// What is explained until something else is pressed.
void explain(App& app, std::string id);

// Those in what the page says now, in the glossary's order.
std::vector<const scenes::Term*> terms_here(const App& app);

}  // namespace limelight::app
