#include "io/fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::size_t kMostSettings = 1000;  // of a link; scenes have some dozens

std::string bounds(const Field& field) {
  return format_exact(field.range.low) + " to " + format_exact(field.range.high);
}

// The field as the beginning of a sentence.
std::string subject(const Field& field) {
  std::string text(field.label);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        return fail("The link has a broken escape, " + quote(text.substr(i, 3)) + "; a percent sign is written %25.");
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

std::string percent_encode(std::string_view text) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~:,!*'()";
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (plain.find(c) != std::string_view::npos) {
      encoded += c;
    } else if (c == ' ') {
      encoded += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', digits[byte / 16U], digits[byte % 16U]};
    }
  }
  return encoded;
}

}  // namespace

std::string_view kind_name(FieldKind kind) {
  static constexpr std::string_view names[] = {"integer", "real", "toggle", "choice", "text", "cells", "order"};
  return names[static_cast<std::size_t>(kind)];
}

void CellEdits::apply(Matrix& matrix) const {
  for (const auto& [cell, value] : cells) matrix(cell.first, cell.second) = value;
}

Result<void> CellEdits::check(std::string_view name, int rows, int columns) const {
  for (const auto& [cell, value] : cells)
    if (cell.first >= rows || cell.second >= columns)
      return fail(std::string(name) + " has no cell " + std::to_string(cell.first) + "." + std::to_string(cell.second) +
                  "; it is " + std::to_string(rows) + "×" + std::to_string(columns) +
                  ", and rows and columns count from 0.");
  return {};
}

std::vector<int> Order::of(int count) const {
  if (!places.empty()) return places;
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string write_value(bool value) { return value ? "on" : "off"; }
std::string write_value(int value) { return std::to_string(value); }
std::string write_value(double value) { return format_exact(value); }
std::string write_value(const std::string& value) { return value; }
std::string write_value(const CellEdits& value) {
  std::string text;
  for (const auto& [cell, number] : value.cells) {
    if (!text.empty()) text += ',';
    text += std::to_string(cell.first) + "." + std::to_string(cell.second) + ":" + format_exact(number);
  }
  return text;
}

std::string write_value(const Order& value) {
  std::string text;
  for (const int place : value.places) text += (text.empty() ? "" : ",") + std::to_string(place);
  return text;
}

Result<void> read_value(const Field& field, std::string_view text, bool& target) {
  if (text != "on" && text != "off") return fail(subject(field) + " is " + quote(text) + "; it can be on or off.");
  target = text == "on";
  return {};
}

Result<void> read_value(const Field& field, std::string_view text, int& target) {
  const Result<int> number = parse_integer(text);
  if (!number || *number < field.range.low || *number > field.range.high)
    return fail(subject(field) + " is " + quote(text) + "; it must be a whole number from " + bounds(field) + ".");
  target = *number;
  return {};
}

Result<void> read_value(const Field& field, std::string_view text, double& target) {
  const Result<double> number = parse_number(text);
  if (!number && text.find(',') != std::string_view::npos) return std::unexpected(number.error());
  if (!number || *number < field.range.low || *number > field.range.high)
    return fail(subject(field) + " is " + quote(text) + "; it must be a number from " + bounds(field) + ".");
  target = *number;
  return {};
}

Result<void> read_value(const Field&, std::string_view text, std::string& target) {
  target = text;
  return {};
}

Result<void> read_value(const Field& field, std::string_view text, CellEdits& target) {
  CellEdits next = text.empty() ? CellEdits{} : target;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view part = text.substr(start, end - start);
    start = end + 1;
    const std::size_t dot = part.find('.');
    const std::size_t colon = part.find(':');
    const std::string expected =
        std::string(field.name) + " has " + quote(part) + "; a cell is written row.column:value, as in 1.2:0.35.";
    if (dot == std::string_view::npos || colon == std::string_view::npos || dot > colon) return fail(expected);
    const Result<int> row = parse_integer(part.substr(0, dot));
    const Result<int> column = parse_integer(part.substr(dot + 1, colon - dot - 1));
    if (!row || !column || *row < 0 || *column < 0) return fail(expected);
    const std::string_view value = part.substr(colon + 1);
    if (value.empty()) {
      next.cells.erase({*row, *column});
      continue;
    }
    const Result<double> number = parse_number(value);
    if (!number || *number < field.range.low || *number > field.range.high)
      return fail("A cell of " + std::string(field.name) + " is " + quote(value) + "; it must be a number from " +
                  bounds(field) + ".");
    next.cells[{*row, *column}] = static_cast<float>(*number);
  }
  target = std::move(next);
  return {};
}

Result<void> read_value(const Field& field, std::string_view text, Order& target) {
  const int count = static_cast<int>(field.range.high) + 1;
  const auto wrong = [&] {
    return fail(subject(field) + " is " + quote(text) + "; it must name each of 0 to " + std::to_string(count - 1) +
                " once, joined by commas, or move one as in 2>0.");
  };
  const auto place_in = [count](std::string_view part) {
    const Result<int> place = parse_integer(part);
    return place && *place >= 0 && *place < count ? *place : -1;
  };
  std::vector<int> next;
  if (const std::size_t arrow = text.find('>'); arrow != std::string_view::npos) {
    const int from = place_in(text.substr(0, arrow)), to = place_in(text.substr(arrow + 1));
    if (from < 0 || to < 0) return wrong();
    next = target.of(count);
    const int moved = next[static_cast<std::size_t>(from)];
    next.erase(next.begin() + from);
    next.insert(next.begin() + to, moved);
  } else {
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(',', start), text.size());
      const int place = place_in(text.substr(start, end - start));
      if (place < 0 || std::ranges::find(next, place) != next.end()) return wrong();
      next.push_back(place);
      start = end + 1;
    }
    if (!next.empty() && static_cast<int>(next.size()) != count) return wrong();
  }
  target.places = next == Order{}.of(count) ? std::vector<int>{} : std::move(next);
  return {};
}

Result<int> read_choice(const Field& field, std::string_view text) {
  const auto found = std::ranges::find(field.choices, text, &Choice::value);
  if (found != field.choices.end()) return static_cast<int>(found - field.choices.begin());
  return fail(subject(field) + " is " + quote(text) + "; it can be " +
              one_of(field.choices | std::views::transform(&Choice::value)) + ".");
}

std::string write_field(const Field& field, const ValueRef& value) {
  if (const auto* choice = std::get_if<ChoiceRef>(&value))
    return std::string(field.choices[static_cast<std::size_t>(choice->get(choice->target))].value);
  return std::visit(
      [](const auto& target) -> std::string {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(target)>>) return write_value(*target);
        return {};
      },
      value);
}

Result<void> read_field(const Field& field, std::string_view text, const ValueRef& value) {
  if (const auto* choice = std::get_if<ChoiceRef>(&value)) {
    const Result<int> index = read_choice(field, text);
    if (!index) return std::unexpected(index.error());
    choice->set(choice->target, *index);
    return {};
  }
  return std::visit(
      [&](const auto& target) -> Result<void> {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(target)>>) return read_value(field, text, *target);
        return {};
      },
      value);
}

Result<void> check_version(std::string_view text) {
  const Result<int> version = parse_integer(text);
  if (version && *version >= 1 && *version <= kLinkVersion) return {};
  if (!version || *version < 1)
    return fail("The link is of version " + quote(text) + "; there are the versions 1 to " +
                std::to_string(kLinkVersion) + ".");
  return fail("The link is of version " + quote(text) + "; this Limelight reads versions up to " +
              std::to_string(kLinkVersion) + ". Open it with a newer one.");
}

bool names(const Patch& patch, std::string_view key) {
  return std::ranges::find(patch, key, &Patch::value_type::first) != patch.end();
}

Result<Patch> parse_patch(std::string_view text) {
  Patch patch;
  text.remove_prefix(std::min(text.find_first_not_of('#'), text.size()));
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('&', start), text.size());
    const std::string_view part = text.substr(start, end - start);
    start = end + 1;
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(quote(part) + " is not a setting; settings are written key=value and joined by &.");
    const Result<std::string> key = percent_decode(part.substr(0, equals));
    if (!key) return std::unexpected(key.error());
    const Result<std::string> value = percent_decode(part.substr(equals + 1));
    if (!value) return std::unexpected(value.error());
    if (patch.size() == kMostSettings)
      return fail("There are more than " + std::to_string(kMostSettings) + " settings; no link has as many.");
    if (std::ranges::find(patch, *key, &Patch::value_type::first) != patch.end())
      return fail("The setting " + quote(*key) + " is given twice.");
    patch.emplace_back(*key, *value);
  }
  return patch;
}

std::string write_patch(const Patch& patch) {
  std::string text;
  for (const auto& [key, value] : patch) {
    if (!text.empty()) text += '&';
    text += percent_encode(key) + "=" + percent_encode(value);
  }
  return text;
}

namespace {

struct Describer final : FieldVisitor {
  std::vector<FieldInfo> list;
  void visit(const Field& field, const ValueRef& value) override {
    // A switch whose sides have names is a choice.
    const FieldKind kind = field.choices.empty() ? static_cast<FieldKind>(value.index()) : FieldKind::choice;
    list.push_back({field, kind, write_field(field, value), {}});
  }
};

struct Collector final : FieldVisitor {
  Counted counted;
  std::vector<ValueRef> values;
  explicit Collector(Counted c) : counted(c) {}
  void visit(const Field& field, const ValueRef& value) override {
    if (counted != Counted::all && field.look) return;
    if (counted == Counted::job && field.keeps_job) return;
    values.push_back(value);
  }
};

bool equal_values(const ValueRef& a, const ValueRef& b) {
  return std::visit(
      [&b](const auto& left) {
        const auto& right = std::get<std::remove_cvref_t<decltype(left)>>(b);
        if constexpr (std::is_same_v<decltype(left), const ChoiceRef&>)
          return left.get(left.target) == right.get(right.target);
        else
          return *left == *right;
      },
      a);
}

struct Setter final : FieldVisitor {
  const Patch& patch;
  const std::function<void(std::string_view)>& after;
  std::vector<bool> used;
  std::string known;
  Result<void> result{};

  Setter(const Patch& p, const std::function<void(std::string_view)>& a) : patch(p), after(a), used(p.size(), false) {}

  void visit(const Field& field, const ValueRef& value) override {
    known += (known.empty() ? "" : ", ") + std::string(field.name);
    for (std::size_t i = 0; i < patch.size() && result; ++i) {
      const std::string& text = patch[i].second;
      if (patch[i].first != field.name) continue;
      const bool first = std::ranges::none_of(used, std::identity{});
      used[i] = true;
      const auto* string = std::get_if<std::string*>(&value);
      if (string != nullptr && !first && **string == text) continue;
      result = read_field(field, text, value);
      if (result) after(field.name);
    }
  }
};

}  // namespace

std::vector<FieldInfo> describe(const Walk& state, const Walk& initial) {
  Describer now, before;
  state(now);
  initial(before);
  for (std::size_t i = 0; i < now.list.size(); ++i) now.list[i].initial = std::move(before.list[i].value);
  return std::move(now.list);
}

Result<void> apply_patch(const Walk& state, const Patch& patch, const std::function<void(std::string_view)>& after) {
  Setter setter(patch, after);
  state(setter);
  if (!setter.result) return setter.result;
  for (std::size_t i = 0; i < patch.size(); ++i)
    if (!setter.used[i])
      return fail("There is no setting called " + quote(patch[i].first) + "; there are " + setter.known + ".");
  return {};
}

bool equal(const Walk& a, const Walk& b, Counted counted) {
  Collector left(counted), right(counted);
  a(left);
  b(right);
  return std::ranges::equal(left.values, right.values, equal_values);
}

Patch difference(const Walk& state, const Walk& initial) {
  Patch patch;
  for (FieldInfo& info : describe(state, initial))
    if (info.value != info.initial) patch.emplace_back(info.field.name, std::move(info.value));
  return patch;
}

}  // namespace limelight::io
