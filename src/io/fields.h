// The one list of a state's parameters, and everything that is derived from it: reading, writing, describing.
//
// A state is a plain struct with one static function template that names every parameter once:
//   template <class Self, class Visitor> static void fields(Self& s, Visitor&& v) {
//     v(Field{.name = "d", .label = "Embedding size", .range = {2, 64}}, s.d);
//   }
// Members may be int, double, bool, an enum class (with choices), std::string, CellEdits or Order.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "io/error.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::io {

struct Range {
  double low = 0;
  double high = 1;
};

struct Choice {
  std::string_view value;  // in links: "causal"
  std::string_view label;  // for eyes
};

// Where a parameter is set: above the stage, in the inspector, or in the figure itself.
enum class Place { top, panel, figure };

// The steps of a scene at which a parameter changes what is seen.
struct Steps {
  int first = 1;
  int last = 1000;
};

struct Field {
  std::string_view name;  // the key in links, in --state and in the page's scripting
  std::string_view label;
  Range range{};
  std::span<const Choice> choices{};
  std::string_view unit{};
  std::string_view hint{};         // one sentence
  std::string_view placeholder{};  // of an empty text
  std::string_view implied{};      // what an empty text stands for, as a preset's sentence
  Place place = Place::panel;
  Steps steps{};
  bool shown = true;         // false where it has no effect
  bool look = false;         // changes no number, only how they are shown
  bool logarithmic = false;  // its slider
};

// A matrix's cells that were set by hand, over a preset's values; rows and columns count from 0.
struct CellEdits {
  std::map<std::pair<int, int>, float> cells;

  bool operator==(const CellEdits&) const = default;
  void apply(Matrix& matrix) const;  // every cell must lie inside
  // "W_q has no cell 9.1; it is 4×4, and rows and columns count from 0." unless all lie inside.
  [[nodiscard]] Result<void> check(std::string_view name, int rows, int columns) const;
};

// A new order of things: what stands at each place now, as it counted before, from 0. The field's range is {0, how many
// they are − 1}.
struct Order {
  std::vector<int> places;  // empty: as they came

  bool operator==(const Order&) const = default;
  [[nodiscard]] std::vector<int> of(int count) const;  // all of them, also when they stand as they came
};

enum class FieldKind { integer, real, toggle, choice, text, cells, order };
std::string_view kind_name(FieldKind kind);

// A parameter, its present value, and what it would be when nothing was changed, both as text.
struct FieldInfo {
  Field field;
  FieldKind kind = FieldKind::integer;
  std::string value;
  std::string initial;
};

// ---- values as text ----

template <class T>
constexpr FieldKind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return FieldKind::toggle;
  if constexpr (std::is_enum_v<T>) return FieldKind::choice;
  if constexpr (std::is_integral_v<T>) return FieldKind::integer;
  if constexpr (std::is_floating_point_v<T>) return FieldKind::real;
  if constexpr (std::is_same_v<T, CellEdits>) return FieldKind::cells;
  if constexpr (std::is_same_v<T, Order>) return FieldKind::order;
  return FieldKind::text;
}

std::string write_value(bool value);
std::string write_value(int value);
std::string write_value(double value);
std::string write_value(const std::string& value);
std::string write_value(const CellEdits& value);  // "1.2:0.35,0.0:-1"; empty when there are none
std::string write_value(const Order& value);      // "2,0,1"; empty when they stand as they came

// Errors: a sentence that names the field and says what is allowed. On an error the target keeps its value. Cells are
// added to those there are; an empty text removes them all, and "1.2:" removes one. An order is given whole ("2,0,1";
// empty: as they came) or by a move ("2>0": what stands at place 2 goes to place 0).
Result<void> read_value(const Field& field, std::string_view text, bool& target);
Result<void> read_value(const Field& field, std::string_view text, int& target);
Result<void> read_value(const Field& field, std::string_view text, double& target);
Result<void> read_value(const Field& field, std::string_view text, std::string& target);
Result<void> read_value(const Field& field, std::string_view text, CellEdits& target);
Result<void> read_value(const Field& field, std::string_view text, Order& target);
// The index of a choice.
Result<int> read_choice(const Field& field, std::string_view text);

template <class T>
std::string write_field(const Field& field, const T& value) {
  if constexpr (std::is_enum_v<T>)
    return std::string(field.choices[static_cast<std::size_t>(value)].value);
  else
    return write_value(value);
}

template <class T>
Result<void> read_field(const Field& field, std::string_view text, T& target) {
  if constexpr (std::is_enum_v<T>) {
    const Result<int> index = read_choice(field, text);
    if (!index) return std::unexpected(index.error());
    target = static_cast<T>(*index);
    return {};
  } else {
    return read_value(field, text, target);
  }
}

// ---- patches: "key=value&key=value", percent-encoded ----

using Patch = std::vector<std::pair<std::string, std::string>>;

// Of the links that are written; no other is read.
inline constexpr int kLinkVersion = 1;
Result<void> check_version(std::string_view text);

// Longest link that is opened or written, in bytes.
inline constexpr std::size_t kLongestLink = 32768;

// Errors: a part without "=", a broken percent escape, a key given twice.
Result<Patch> parse_patch(std::string_view text);
std::string write_patch(const Patch& patch);

// ---- a whole state ----

template <class State>
std::vector<FieldInfo> describe(const State& state, const State& initial) {
  std::vector<FieldInfo> list;
  State::fields(state, [&](const Field& field, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    list.push_back({field, kind_of<T>(), write_field(field, value), {}});
  });
  std::size_t index = 0;
  State::fields(initial,
                [&](const Field& field, const auto& value) { list[index++].initial = write_field(field, value); });
  return list;
}

// Sets what the patch names, in the order of the state's fields; what it does not name is left alone. `after(state,
// name)` runs after each field that is set, so that a preset can bring its own defaults with it before later fields are
// set; a text that came with those is not set once more, as if it had been typed. Errors: an unknown key, a bad value;
// the state is then as it was.
template <class State, class After>
Result<void> apply_patch(State& state, const Patch& patch, After after) {
  State next = state;
  Result<void> result{};
  std::vector<bool> used(patch.size(), false);
  std::string known;
  State::fields(next, [&](const Field& field, auto& value) {
    known += (known.empty() ? "" : ", ") + std::string(field.name);
    for (std::size_t i = 0; i < patch.size() && result; ++i) {
      if (patch[i].first != field.name) continue;
      const bool first = std::ranges::none_of(used, std::identity{});
      used[i] = true;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
        if (!first && value == patch[i].second) continue;
      result = read_field(field, patch[i].second, value);
      if (result) after(next, field.name);
    }
  });
  if (!result) return result;
  for (std::size_t i = 0; i < patch.size(); ++i)
    if (!used[i]) return fail("There is no setting called " + quote(patch[i].first) + "; there are " + known + ".");
  state = std::move(next);
  return {};
}

// What differs from `initial`, in the order of the fields.
template <class State>
Patch difference(const State& state, const State& initial) {
  Patch patch;
  for (const FieldInfo& info : describe(state, initial))
    if (info.value != info.initial) patch.emplace_back(info.field.name, info.value);
  return patch;
}

}  // namespace limelight::io
