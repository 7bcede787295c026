// The one list of a state's parameters, and everything that is derived from it: reading, writing, describing.
//
// A state is a plain struct with one function that names every parameter once:
//   void fields(FieldVisitor& field) {
//     field(Field{.name = "d", .label = "Embedding size", .range = {2, 64}}, d);
//   }
// Members may be int, double, bool, an enum class (with choices), std::string, CellEdits or Order.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
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

// The steps of a scene at which a parameter changes what is seen, by their ids.
struct Steps {
  std::array<std::string_view, 8> ids{};  // those that are not empty
  bool but = true;                        // all steps but these, instead of these alone

  [[nodiscard]] constexpr bool has(std::string_view step) const {
    for (const std::string_view id : ids)
      if (id == step) return !but;
    return but;
  }
};
template <class... Id>
constexpr Steps only(Id... ids) {
  return {.ids = {ids...}, .but = false};
}
template <class... Id>
constexpr Steps all_but(Id... ids) {
  return {.ids = {ids...}, .but = true};
}

struct Field {
  std::string_view name{};  // the key in links, in --state and in the page's scripting
  std::string_view label{};
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
  bool keeps_job = false;    // what the scene's job has made holds for its other values, too
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

enum class FieldKind { integer, real, toggle, choice, text, cells, order };  // in ValueRef's order
std::string_view kind_name(FieldKind kind);

// A parameter, its present value, and what it would be when nothing was changed, both as text.
struct FieldInfo {
  Field field;
  FieldKind kind = FieldKind::integer;
  std::string value;
  std::string initial;
};

// ---- values as text ----

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

// An enum class, as the index of one of its field's choices.
struct ChoiceRef {
  void* target;
  int (*get)(const void* target);
  void (*set)(void* target, int index);
};

// A member of a state, in the order of FieldKind.
using ValueRef = std::variant<int*, double*, bool*, ChoiceRef, std::string*, CellEdits*, Order*>;

template <class T>
ValueRef refer_to(T& value) {
  if constexpr (std::is_enum_v<T>)
    return ChoiceRef{.target = &value,
                     .get = [](const void* target) { return static_cast<int>(*static_cast<const T*>(target)); },
                     .set = [](void* target, int index) { *static_cast<T*>(target) = static_cast<T>(index); }};
  else
    return &value;
}

std::string write_field(const Field& field, const ValueRef& value);
Result<void> read_field(const Field& field, std::string_view text, const ValueRef& value);

// What a state's `fields` is called with: one thing is compiled for every state and every use of its fields.
class FieldVisitor {
 public:
  template <class T>
  void operator()(const Field& field, T& value) {
    visit(field, refer_to(value));
  }

 protected:
  ~FieldVisitor() = default;
  virtual void visit(const Field& field, const ValueRef& value) = 0;
};

// ---- patches: "key=value&key=value", percent-encoded; the # of an address may stand before it ----

using Patch = std::vector<std::pair<std::string, std::string>>;
bool names(const Patch& patch, std::string_view key);

// Of the links that are written; of those before it, 1 is read, too.
inline constexpr int kLinkVersion = 2;
Result<void> check_version(std::string_view text);

// Longest link that is opened or written, in bytes.
inline constexpr std::size_t kLongestLink = 32768;

// Errors: a part without "=", a broken percent escape, a key given twice.
Result<Patch> parse_patch(std::string_view text);
std::string write_patch(const Patch& patch);

// ---- a whole state ----

// Calls `fields` of one state.
using Walk = std::function<void(FieldVisitor&)>;

template <class State>
Walk walk(State& state) {
  return [&state](FieldVisitor& visitor) { state.fields(visitor); };
}

// To look at the fields only: what follows sets nothing.
template <class State>
Walk walk(const State& state) {
  return walk(const_cast<State&>(state));
}

std::vector<FieldInfo> describe(const Walk& state, const Walk& initial);

// Sets what the patch names, in the order of the state's fields; what it does not name is left alone. `after(name)`
// runs after each field that is set, so that a preset can bring its own defaults with it before later fields are set; a
// text that came with those is not set once more, as if it had been typed. Errors: an unknown key, a bad value; some
// fields may be set then.
Result<void> apply_patch(const Walk& state, const Patch& patch, const std::function<void(std::string_view)>& after);

// Whether two states of one kind have the same values in the fields that count: all, those that change a number, or
// those that the scene's job depends on.
enum class Counted { all, numbers, job };
bool equal(const Walk& a, const Walk& b, Counted counted);

// What differs from `initial`, in the order of the fields.
Patch difference(const Walk& state, const Walk& initial);

}  // namespace limelight::io
