// A strict little reader of XML.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/utf8.h"

namespace limelight::test {

struct Xml {
  std::string error;  // empty: well-formed
  std::string text;   // all character data, entities resolved
  std::map<std::string, int> elements;
  std::vector<std::string> ids;
  std::set<std::string> references;  // url(#…)
};

struct XmlReader {
  std::string_view source;
  std::size_t at = 0;
  Xml xml;

  void fail(const std::string& why) {
    if (xml.error.empty()) xml.error = why + " at byte " + std::to_string(at);
    at = source.size();
  }
  bool done() const { return at >= source.size(); }
  bool eat(std::string_view token) {
    if (!source.substr(at).starts_with(token)) return false;
    at += token.size();
    return true;
  }
  void spaces() {
    while (!done() && std::string_view(" \t\r\n").find(source[at]) != std::string_view::npos) ++at;
  }
  std::string name() {
    const std::size_t start = at;
    const auto fits = [&](char c) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
      return letter || (at > start && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
    };
    while (!done() && fits(source[at])) ++at;
    if (at == start) fail("no name");
    return std::string(source.substr(start, at - start));
  }
  // One character or entity of data.
  void character(std::string& into) {
    if (source[at] != '&') {
      into += source[at++];
      return;
    }
    const std::size_t end = source.find(';', at);
    if (end == std::string_view::npos) return fail("bare &");
    const std::string_view entity = source.substr(at + 1, end - at - 1);
    const std::map<std::string_view, std::string> known = {{"amp", "&"},   {"lt", "<"},  {"gt", ">"},
                                                           {"quot", "\""}, {"#39", "'"}, {"#13", "\r"}};
    const auto found = known.find(entity);
    if (found == known.end()) return fail("unknown entity");
    into += found->second;
    at = end + 1;
  }
  void attributes() {
    std::set<std::string> seen;
    for (spaces(); !done() && source[at] != '>' && source[at] != '/' && source[at] != '?'; spaces()) {
      const std::string key = name();
      if (!seen.insert(key).second) return fail("attribute twice: " + key);
      if (!eat("=\"")) return fail("no value for " + key);
      std::string value;
      while (!done() && source[at] != '"') {
        if (source[at] == '<') return fail("< in an attribute");
        character(value);
      }
      if (!eat("\"")) return fail("open attribute");
      if (!done() && std::string_view(" \n/>?").find(source[at]) == std::string_view::npos) return fail("no space");
      if (key == "id") xml.ids.push_back(value);
      if (value.starts_with("url(#")) xml.references.insert(value.substr(5, value.size() - 6));
    }
  }
  void element() {  // after the "<"
    const std::string tag = name();
    ++xml.elements[tag];
    attributes();
    if (eat("/>")) return;
    if (!eat(">")) return fail("open tag");
    while (!done() && !source.substr(at).starts_with("</")) {
      if (eat("<")) {
        element();
      } else {
        character(xml.text);
      }
    }
    if (!eat("</" + tag + ">")) fail("no end of " + tag);
  }
};

inline Xml read_xml(std::string_view source) {
  XmlReader reader{.source = source, .at = 0, .xml = {}};
  for (const char32_t c : io::decode_utf8(source)) {
    const bool valid =
        c == 9 || c == 10 || c == 13 || (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
    if (!valid) reader.fail("a character that XML does not allow");
  }
  if (reader.eat("<?xml")) {
    reader.attributes();
    if (!reader.eat("?>")) reader.fail("open declaration");
  }
  reader.spaces();
  if (!reader.eat("<")) reader.fail("no element");
  reader.element();
  reader.spaces();
  if (reader.xml.error.empty() && !reader.done()) reader.fail("more than one root");
  const std::set<std::string> unique(reader.xml.ids.begin(), reader.xml.ids.end());
  if (unique.size() != reader.xml.ids.size()) reader.fail("an id twice");
  for (const std::string& id : reader.xml.references) {
    if (!unique.contains(id)) reader.fail("no such id: " + id);
  }
  return reader.xml;
}

}  // namespace limelight::test
