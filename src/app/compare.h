// Two states of a scene beside each other: A, which was pinned, B, the present one, and B − A. Tensors of A stand in
// the trace as "A weights", differences as "B − A weights", so that painters, tables and files know them like any
// other.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// A state as the setting "against" has it: a link of the scene and what differs from its first example.
std::string pinned_for_comparison(const App& app);
// The same of what is compared with; empty when nothing is.
std::string write_compared(const App& app);
// Errors: it is of another scene, or not a state of this one.
Result<std::any> read_compared(const scenes::SceneDef& scene, std::string_view text);
// Error: more numbers than are kept twice.
Result<void> check_compared(const Trace& trace);

// Puts A's tensors and the differences into the trace, in place of those that were there.
void add_compared(App& app);
// The number of B that stands where this one does: "weights" for "A weights" and "B − A weights".
figure::Source of_present(figure::Source source);

// Both sides are looked at alike: of a word of A, or of its lamp, the id that B's has. Any other id is its own.
std::string_view of_both(std::string_view id);

inline constexpr std::string_view kOfA = "A ";  // before the names of its tensors
inline constexpr std::string_view kDifference = "B − A ";
inline constexpr std::string_view kSideOfA = "compared.";  // before the ids of A's elements

// A setting that differs, in words.
struct Setting {
  std::string label, before, after;
};
// In the order of the fields; what is only looked at is left out.
std::vector<Setting> differing(const App& app);
// "temperature 2, mask causal"; of one side.
std::string side_words(const std::vector<Setting>& settings, std::string Setting::* side);

struct Principal {
  std::string name;
  const Tensor *a, *b, *difference;  // null where there is none
};
// Of the step: its principal tensor on both sides.
Principal principal_of(const App& app, scenes::Place place);
// Where the numbers of this step differ.
std::string difference_words(const App& app, scenes::Place place);

// Which settings differ, and where the numbers do most; a few sentences.
std::string compared_words(const App& app);
// "In A it is 0.364, in B 0.412: 0.048 more."; empty where A has no such number.
std::string compared_number(const App& app, const figure::Source& source);

}  // namespace limelight::app
