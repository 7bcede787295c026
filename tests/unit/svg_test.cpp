// Figures written as SVG, read by a strict little reader of XML.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

#include "figure/paint.h"
#include "unit/fonts.h"
#include "unit/paint_support.h"
#include "unit/xml_reader.h"

using namespace limelight;
using namespace limelight::figure;
using namespace limelight::test;
using namespace std::string_literals;

TEST_CASE("svg: a heatmap is cells up to 4,096 of them, one image beyond") {
  for (const int size : {64, 65}) {
    const Trace trace = ramp(size, size);
    Figure figure = page(200, 200);
    add(figure, "heat", {0, 0, 200, 200}, heatmap_of("weights", size, size));
    const std::string document = svg(figure, trace, "", "");
    Xml xml = read_xml(document);
    CHECK(xml.error == "");
    CHECK(xml.elements["rect"] == (size == 64 ? 4096 + 1 : 1));  // and the background
    CHECK(xml.elements["image"] == (size == 64 ? 0 : 1));
    CHECK(count(document, "data:image/png;base64,iVBORw0KGgo") == (size == 64 ? 0 : 1));
  }
}

TEST_CASE("svg: heatmaps that have more than 4,096 cells together are images, each") {
  const Trace trace = ramp(46, 46);
  Figure figure = page(200, 100);
  add(figure, "left", {0, 0, 100, 100}, heatmap_of("weights", 46, 46));
  add(figure, "right", {100, 0, 100, 100}, heatmap_of("weights", 46, 46));
  Xml xml = read_xml(svg(figure, trace, "", ""));
  CHECK(xml.error == "");
  CHECK(xml.elements["image"] == 2);
}

// ---- SVG ----------------------------------------------------------------------------------------

TEST_CASE("svg: every kind is written, well-formed") {
  REQUIRE(test::load_fonts());
  const std::string document = svg(sample(), ramp(20, 20), "A title", "A description");
  Xml xml = read_xml(document);
  CHECK(xml.error == "");
  for (const char* name : {"svg", "title", "desc", "defs", "clipPath", "linearGradient", "rect", "text", "tspan",
                           "polyline", "path", "polygon", "g"}) {
    CAPTURE(name);
    CHECK(xml.elements[name] > 0);
  }
  CHECK(xml.elements["clipPath"] == 1);  // the same one twice
  CHECK(xml.elements["title"] == 2);     // the document's and the card's
  CHECK(count(document, "stroke-dasharray") == 1);
  CHECK(count(document, R"(x="10.5" y="10.5" width="99" height="59" rx="5.5")") == 1);  // the card, its stroke inside
  CHECK(count(document, "rotate(-90 ") == 1);
  CHECK(count(document, "<script") == 0);
}

TEST_CASE("svg: hostile words stay words") {
  REQUIRE(test::load_fonts());
  const std::vector<std::string> hostile = {R"(</text><script>alert("x")</script>)",
                                            "'\" onload='alert(1)'",
                                            "]]>",
                                            "<!-- & --> &amp; &lt;",
                                            "مرحبا e\u0301 👩\u200D👧 &x;",
                                            "url(#card)",
                                            "<?xml?>"};
  for (const std::string& words : hostile) {
    CAPTURE(words);
    Figure figure = page(400, 40);
    add(figure, words, {0, 0, 400, 40}, said(words)).label = words;
    const std::string document = svg(figure, {}, words, words);
    const Xml xml = read_xml(document);
    CHECK(xml.error == "");
    CHECK(count(xml.text, words) == 4);  // title, description, label, text
    CHECK(count(document, "<script") == 0);
    REQUIRE(xml.ids.size() == 1);
  }
}

TEST_CASE("svg: control characters and broken bytes become U+FFFD") {
  REQUIRE(test::load_fonts());
  Figure figure = page(400, 40);
  add(figure, "a\0b"s, {0, 0, 400, 40}, said("a\0b\x1B\xFF\uFFFE c\r\n"s));
  const Xml xml = read_xml(svg(figure, {}, "\x01", "\xC0\x80"));
  CHECK(xml.error == "");
  CHECK(count(xml.text, "a\uFFFDb\uFFFD\uFFFD\uFFFD c\r") == 1);
}

TEST_CASE("svg: ids are valid and unique whatever the elements are called") {
  Figure figure = page(100, 100);
  for (const char* id : {"weights[0,2]", "weights(0,2)", "", "3", "same", "same", "same-2", "clipPath", "ünïcode"}) {
    add(figure, id, {0, 0, 10, 10}, filled(kRed)).clip = Rect{0, 0, 5, 5};
  }
  const Xml xml = read_xml(svg(figure, {}, "", ""));
  CHECK(xml.error == "");
  CHECK(xml.ids.size() == 10);  // and the clip's
  CHECK(xml.ids.front() == "clipPath");
  for (const std::string& id : xml.ids) {
    CHECK(std::ranges::all_of(
        id, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }));
    CHECK_FALSE(std::isdigit(static_cast<unsigned char>(id[0])));
  }
}

TEST_CASE("svg: text says how long it is, and what is foreign cannot push the rest away") {
  REQUIRE(test::load_fonts());
  Figure figure = page(400, 40);
  add(figure, "plain", {0, 0, 400, 20}, said("coffee"));
  add(figure, "mixed", {0, 20, 400, 20}, said("a家b"));
  const std::string document = svg(figure, {}, "", "");
  CHECK(count(document, "textLength") == 4);
  CHECK(count(document, "<tspan") == 3);
  CHECK(count(document, "font-family=\"" + std::string(text::css_family(text::Face::regular)) + "\"") == 2);
  CHECK(count(document, "xml:space=\"preserve\"") == 2);
}

TEST_CASE("svg: a word names its face's family and weight, and the family of the letters that it is lent") {
  REQUIRE(test::load_fonts());
  Figure figure = page(400, 60);
  Text word = said("Łukasz", 40);
  word.face = text::Face::display_bold;
  add(figure, "word", {0, 0, 400, 60}, word);
  const std::string document = svg(figure, {}, "", "");
  CHECK(count(document, "font-family=\"Limelight Display, Limelight Sans, ") == 1);
  CHECK(count(document, "font-weight=\"700\"") == 1);
}

TEST_CASE("svg: what is not finite or not visible is left out") {
  Figure figure = page(100, 100);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  add(figure, "a", {kNan, 0, 10, 10}, filled(kRed));
  add(figure, "b", {0, 0, 10, 10}, line({{kNan, 3}, {8, 8}}, 1));
  add(figure, "c", {0, 0, 10, 10}, Rectangle{});
  const std::string document = svg(figure, {}, "", "");
  const Xml xml = read_xml(document);
  CHECK(xml.error == "");
  CHECK(xml.elements.at("rect") == 1);  // the background
  CHECK_FALSE(xml.elements.contains("polyline"));
  CHECK(count(document, "nan") == 0);
}
