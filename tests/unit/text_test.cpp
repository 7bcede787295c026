#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "embedded/inter_regular.h"
#include "embedded/inter_semibold.h"
#include "embedded/math_italic.h"
#include "io/utf8.h"
#include "text/font.h"
#include "unit/fonts.h"

using namespace limelight;
using text::Face;

namespace {

constexpr std::array kAllFaces = {Face::regular, Face::semibold,    Face::mono,    Face::mono_bold,
                                  Face::math,    Face::math_italic, Face::display, Face::display_bold};
static_assert(kAllFaces.size() == text::kFaces);

// Letters, marks, emoji with joiners and skin tones, East Asian, Arabic, a no-break space, broken bytes, a control
// character.
const std::vector<std::string> kTexts = {
    "",
    " ",
    "she likes coffee",
    "Größe: −0.33 × √d → ½",
    "e\u0301a\u0308 combining",
    "\u0301 a mark alone",
    "家族 and 👩\u200D👩\u200D👧 and 👍\U0001F3FD!",
    "مرحبا بالعالم",
    "100\u00A0km",
    "broken \xFF\xC3 bytes",
    "bell \x07 rings",
};

float sum_of_advances(Face face, float size, const std::string& utf8) {
  float sum = 0;
  for (const char32_t c : io::decode_utf8(utf8)) sum += text::advance(face, size, c);
  return sum;
}

std::vector<std::string> words_of(const std::string& utf8) {
  std::vector<std::string> words(1);
  for (const char c : utf8) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

// A float sum of thirty advances of about 10 px differs from a double sum by some 1e-5.
constexpr double kTolerance = 1e-3;

}  // namespace

TEST_CASE("text: the shipped fonts load, and what is not a font does not") {
  REQUIRE(test::load_fonts());
  const std::vector<std::byte> nothing;
  const std::vector<std::byte> zeros(1000);
  std::vector<std::byte> truncated(40);
  truncated[1] = std::byte{1};  // version 1.0
  truncated[5] = std::byte{9};  // nine tables, of which none is there
  CHECK_FALSE(text::load(Face::regular, nothing));
  CHECK_FALSE(text::load(Face::regular, zeros));
  CHECK_FALSE(text::load(Face::regular, truncated));
  CHECK(text::covers(Face::regular, U'a'));  // what was loaded stays
}

TEST_CASE("text: a face of which a part has come wants the rest for what it lacks, and for nothing else") {
  REQUIRE(test::load_fonts());
  const std::span<const std::byte> bytes = std::as_bytes(embedded::math_italic);
  REQUIRE(text::load(Face::math_italic, bytes, false));
  text::take_wanted();
  text::measure(Face::math_italic, 10, "X");
  text::measure(Face::regular, 10, "家");  // which no part of it has
  CHECK(text::take_wanted().empty());
  text::measure(Face::math_italic, 10, "XЖ");
  CHECK(text::take_wanted() == std::vector{Face::math_italic});
  CHECK(text::take_wanted().empty());
  text::measure(Face::math_italic, 10, "XЖ");  // again, until it has come
  CHECK(text::take_wanted() == std::vector{Face::math_italic});
  REQUIRE(text::load(Face::math_italic, bytes));
  text::measure(Face::math_italic, 10, "XЖ");
  CHECK(text::take_wanted().empty());
}

TEST_CASE("text: nothing is lent by the regular face before all of the semibold is there") {
  REQUIRE(test::load_fonts());
  const std::span<const std::byte> regular = std::as_bytes(embedded::inter_regular);
  const std::span<const std::byte> semibold = std::as_bytes(embedded::inter_semibold);
  REQUIRE(text::covers(Face::semibold, U'Ж'));
  REQUIRE(text::load(Face::semibold, semibold, false));
  text::take_wanted();
  CHECK_FALSE(text::covers(Face::semibold, U'Ж'));
  CHECK(text::take_wanted() == std::vector{Face::semibold});
  REQUIRE(text::load(Face::semibold, semibold));
  REQUIRE(text::load(Face::regular, regular, false));
  text::take_wanted();
  CHECK(text::covers(Face::semibold, U'Ж'));
  CHECK_FALSE(text::covers(Face::semibold, U'家'));
  CHECK(text::take_wanted() == std::vector{Face::regular});
  REQUIRE(text::load(Face::regular, regular));
}

TEST_CASE("text: the display faces are as wide as Inter Display, of which they are made") {
  REQUIRE(test::load_fonts());
  // The advances in InterDisplay-Medium.otf and InterDisplay-Bold.otf (4.0 beta 7), of 2048 units per em.
  struct Sample {
    std::string words;
    float medium, bold;
  };
  for (const auto& [words, medium, bold] :
       {Sample{"attention", 7942, 8446}, Sample{"The quick brown fox", 18352, 18975},
        Sample{"l’œuvre où l’été naît", 17431, 18107}}) {
    CAPTURE(words);
    // Each advance was rounded to 1/1000 em.
    const double rounding = 0.5e-3 * static_cast<double>(io::decode_utf8(words).size());
    CHECK(std::abs(text::measure(Face::display, 1, words) - medium / 2048) < rounding);
    CHECK(std::abs(text::measure(Face::display_bold, 1, words) - bold / 2048) < rounding);
  }
}

TEST_CASE("text: a display face has a letter beyond Latin-1 from its lender, and Latin-1 of its own") {
  REQUIRE(test::load_fonts());
  for (const auto& [face, lender] :
       {std::pair{Face::display, Face::regular}, std::pair{Face::display_bold, Face::semibold}}) {
    REQUIRE(text::lender(face) == lender);
    for (const char32_t c : {U'ł', U'Ж', U'λ', U'→'}) {
      CHECK(text::covers(face, c));
      CHECK(text::advance(face, 40, c) == text::advance(lender, 40, c));
      CHECK(text::rasterise(face, 40, c).coverage == text::rasterise(lender, 40, c).coverage);
    }
    for (const char32_t c : {U'a', U'é', U'œ', U'’'})
      CHECK(text::rasterise(face, 40, c).coverage != text::rasterise(lender, 40, c).coverage);
    CHECK_FALSE(text::covers(face, U'家'));
  }
}

TEST_CASE("text: a width is the sum of the advances of its code points") {
  REQUIRE(test::load_fonts());
  for (const Face face : kAllFaces) {
    for (const std::string& s : kTexts) {
      CAPTURE(s);
      CHECK(text::measure(face, 13, s) == doctest::Approx(sum_of_advances(face, 13, s)).epsilon(kTolerance));
    }
  }
}

TEST_CASE("text: a width is linear in the size") {
  REQUIRE(test::load_fonts());
  for (const Face face : kAllFaces) {
    for (const std::string& s : kTexts) {
      const float at_8 = text::measure(face, 8, s);
      CHECK(text::measure(face, 24, s) == doctest::Approx(3 * at_8).epsilon(1e-6));
      CHECK(text::measure(face, 0, s) == 0);
    }
    CHECK(text::metrics(face, 24).cap_height == doctest::Approx(3 * text::metrics(face, 8).cap_height));
  }
}

TEST_CASE("text: metrics are those of a Latin face") {
  REQUIRE(test::load_fonts());
  for (const Face face : kAllFaces) {
    const text::Metrics m = text::metrics(face, 1);
    CHECK(m.x_height > 0.35F);
    CHECK(m.cap_height > m.x_height);
    CHECK(m.ascent >= m.cap_height);
    CHECK(m.descent > 0.1F);
    CHECK(m.descent < 0.5F);
  }
}

TEST_CASE("text: monospaced digits are equally wide") {
  REQUIRE(test::load_fonts());
  for (const Face face : {Face::mono, Face::mono_bold}) {
    for (char32_t c = U'!'; c <= U'~'; ++c) CHECK(text::advance(face, 10, c) == text::advance(face, 10, U'0'));
    CHECK(text::advance(face, 10, U'−') == text::advance(face, 10, U'0'));
  }
}

TEST_CASE("text: what a face lacks is as wide as the header says") {
  REQUIRE(test::load_fonts());
  for (const char32_t c : {U'家', U'👍', U'م', char32_t{0x301}}) CHECK_FALSE(text::covers(Face::regular, c));
  CHECK(text::advance(Face::regular, 20, U'家') == doctest::Approx(25));
  CHECK(text::advance(Face::regular, 20, U'👍') == doctest::Approx(25));
  CHECK(text::advance(Face::regular, 20, U'م') == doctest::Approx(12));
  CHECK(text::advance(Face::regular, 20, char32_t{0x301}) == 0);
}

TEST_CASE("text: runs follow each other, hold the whole text, and are as wide together as the text") {
  REQUIRE(test::load_fonts());
  for (const Face face : kAllFaces) {
    for (const std::string& s : kTexts) {
      CAPTURE(s);
      std::string all;
      float end = 0;
      bool foreign = false;
      for (const text::Run& run : text::runs(face, 13, s)) {
        CHECK_FALSE(run.text.empty());
        CHECK(run.x == doctest::Approx(end).epsilon(kTolerance));
        if (!all.empty()) CHECK(run.foreign != foreign);
        CHECK(run.width == doctest::Approx(text::measure(face, 13, run.text)).epsilon(kTolerance));
        foreign = run.foreign;
        end = run.x + run.width;
        all += run.text;
      }
      CHECK(all == io::encode_utf8(io::decode_utf8(s)));
      CHECK(end == doctest::Approx(text::measure(face, 13, s)).epsilon(kTolerance));
    }
  }
}

TEST_CASE("text: a mark stays with its base, in one run") {
  REQUIRE(test::load_fonts());
  const auto runs = text::runs(Face::regular, 13,
                               "caf"
                               "e\u0301"
                               " au lait");
  REQUIRE(runs.size() == 3);
  CHECK(runs[1].text == "e\u0301");
  CHECK(runs[1].foreign);
  CHECK(text::runs(Face::regular, 13, "a👩\u200D👧b").size() == 3);
}

TEST_CASE("text: wrapping keeps every word in order, and no line is wider than asked unless it is one cluster") {
  REQUIRE(test::load_fonts());
  const std::string prose =
      "The quick brown fox jumped over the lazy dog, unimaginativelyoverlongword and 👩\u200D👩\u200D👧 "
      "e\u0301e\u0301e\u0301 .";
  for (const float width : {0.5F, 9.0F, 40.0F, 77.7F, 200.0F, 5000.0F}) {
    CAPTURE(width);
    const std::vector<std::string> lines = text::wrap(Face::regular, 13, prose, width);
    for (const std::string& line : lines) {
      CAPTURE(line);
      CHECK_FALSE(line.empty());
      const auto code_points = io::decode_utf8(line);
      const auto bases = std::ranges::count_if(code_points, [](char32_t c) { return !io::joins_previous(c); });
      const bool one_cluster = bases == 1 || line.find("\u200D") != std::string::npos;
      CHECK((text::measure(Face::regular, 13, line) <= width || one_cluster));
    }
    CHECK(joined(words_of(prose)) == joined(words_of(joined(lines))));
  }
  CHECK(words_of(prose) == words_of(text::wrap(Face::regular, 13, prose, 5000)[0]));
}

TEST_CASE("text: wrapping breaks words only when they do not fit on a line of their own") {
  REQUIRE(test::load_fonts());
  const std::string prose = "she likes coffee and tea";
  const auto lines = text::wrap(Face::regular, 13, prose, text::measure(Face::regular, 13, "she likes"));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "she likes");
  CHECK(lines[1] == "coffee");
  CHECK(lines[2] == "and tea");
}

TEST_CASE("text: a no-break space does not break, and nothing is one empty line") {
  REQUIRE(test::load_fonts());
  const float width = text::measure(Face::regular, 13, "run 100");
  CHECK(text::wrap(Face::regular, 13, "run 100\u00A0km", width) == std::vector<std::string>{"run", "100\u00A0km"});
  CHECK(text::wrap(Face::regular, 13, "", 50) == std::vector<std::string>{""});
  CHECK(text::wrap(Face::regular, 13, "   ", 50) == std::vector<std::string>{""});
}

TEST_CASE("text: fitting never exceeds, leaves alone what fits, and keeps as much as it can") {
  REQUIRE(test::load_fonts());
  for (const std::string& s : kTexts) {
    CAPTURE(s);
    const float whole = text::measure(Face::regular, 13, s);
    CHECK(text::fit(Face::regular, 13, s, whole) == s);
    std::size_t longest = 0;
    for (float width = 0; width < whole; width += 1) {
      const std::string fitted = text::fit(Face::regular, 13, s, width);
      CHECK(text::measure(Face::regular, 13, fitted) <= width);
      CHECK(fitted.size() >= longest);
      longest = fitted.size();
    }
  }
  CHECK(text::fit(Face::regular, 13, "coffee", text::measure(Face::regular, 13, "cof…")) == "cof…");
  CHECK(text::fit(Face::regular, 13, "coffee", 1) == "");
}

TEST_CASE("text: a glyph's ink grows with the square of its size") {
  REQUIRE(test::load_fonts());
  const auto ink = [](float size) {
    double sum = 0;
    for (const std::uint8_t c : text::rasterise(Face::regular, size, U'H').coverage) sum += c;
    return sum / 255;
  };
  // The area is exact but for the rounding of each edge pixel to 8 bits.
  CHECK(ink(64) == doctest::Approx(16 * ink(16)).epsilon(0.02));
}

TEST_CASE("text: a shifted glyph has the same ink, further right") {
  REQUIRE(test::load_fonts());
  const auto centre = [](float shift) {
    const text::Bitmap b = text::rasterise(Face::regular, 32, U'x', shift);
    double sum = 0;
    double moment = 0;
    for (int j = 0; j < b.height; ++j) {
      for (int i = 0; i < b.width; ++i) {
        const double c = b.coverage[static_cast<std::size_t>(j * b.width + i)];
        sum += c;
        moment += c * (b.left + i + 0.5);
      }
    }
    return moment / sum;
  };
  CHECK(centre(0.5F) - centre(0) == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("text: what has no ink or no glyph has an empty bitmap") {
  REQUIRE(test::load_fonts());
  CHECK(text::rasterise(Face::regular, 16, U' ').coverage.empty());
  CHECK(text::rasterise(Face::regular, 16, U'家').coverage.empty());
  CHECK(text::rasterise(Face::regular, 0, U'x').coverage.empty());
}
