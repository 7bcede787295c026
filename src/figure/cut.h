// A figure as a picture to take along: without what is there to be pressed, all of it or some of its panels, and no
// larger than what is painted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "io/error.h"

namespace limelight::figure {

// A part of a figure under a title, in which something is drawn; or on a card without one ("stage.card"), whose label
// is its title, and which need not be seen.
struct TitledPanel {
  std::string id;
  std::string title;
};
std::vector<TitledPanel> panels_of(const Figure& figure);

enum class Ground { theme, white, transparent };
// Error: another word than these.
Result<Ground> read_ground(std::string_view name);

// A gap that only held what is left out: closed to a small one, or kept where several pictures follow each other, so
// that what stays from one to the next does not move.
enum class Gaps { closed, kept };

struct Cut {
  Figure figure;
  Point corner;  // where its top left was in the whole figure
};
// `panels`: ids between commas, or "all", with what belongs to none. What stands between chosen panels stays between
// them. Error: the figure has no such panel.
Result<Cut> cut_out(const Figure& figure, const Trace& trace, std::string_view panels, Ground ground,
                    Gaps gaps = Gaps::closed);

}  // namespace limelight::figure
