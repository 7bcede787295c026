#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "figure/formula.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

constexpr Colour kQuery{100, 0, 200};
constexpr Colour kKey{200, 100, 0};

// exp(z) / Σⱼ exp(zⱼ), as the inspector writes it.
Formula softmax_share() {
  const auto z = [](const char* index) { return script(symbol("z"), number(index)); };
  return row({script(symbol("a"), row({number("1"), number("3")})), operation("="),
              fraction(row({word("exp"), parenthesised(z("13"))}),
                       row({large("∑", symbol("j")), word("exp"), parenthesised(script(symbol("z"), symbol("j")))})),
              operation("="),
              fraction(number("1.000"),
                       row({number("0.921"), operation("+"), number("0.824"), operation("+"), number("1.000")})),
              operation("="), number("0.364284")});
}

std::vector<Term> terms(int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto value = [&random] { return static_cast<float>(static_cast<int>(random() % 401U) - 200) / 100.0F; };
  std::vector<Term> result;
  for (int i = 0; i < count; ++i) result.push_back({.left = value(), .right = value()});
  return result;
}

Formula score() {
  return row({script(symbol("z"), row({number("1"), number("3")})), operation("="),
              fraction(row({symbol("q"), operation("·"), symbol("k")}), root(symbol("d"))), operation("="),
              fraction(parenthesised(sum_of_products(terms(4, 1), 2, kQuery, kKey)), root(number("4"))), operation("="),
              number("0.726")});
}

std::vector<Formula> examples() {
  return {symbol("x"),
          number("−0.33"),
          softmax_share(),
          score(),
          sum_of_products(terms(8, 2), 2, kQuery, kKey),
          row({word("softmax"),
               parenthesised(fraction(row({symbol("Q"), script(symbol("K"), nullptr, symbol("T"))}),
                                      root(script(symbol("d"), symbol("k"))))),
               symbol("V")}),
          fraction(fraction(symbol("a"), symbol("b")),
                   row({number("1"), operation("+"), fraction(symbol("c"), symbol("d"))})),
          root(root(fraction(number("1"), number("2")))),
          script(parenthesised(fraction(symbol("x"), symbol("y"))), symbol("i"), number("2")),
          script(symbol("x"), fraction(number("1"), symbol("g")), fraction(symbol("y"), symbol("g"))),
          script(symbol("x"), script(symbol("y"), script(symbol("z"), symbol("w"))), number("2")),
          row({large("∑", row({symbol("j"), operation("="), number("1")}), symbol("n")), symbol("f"),
               parenthesised(symbol("j"))}),
          row({large("max", symbol("j")), script(symbol("z"), symbol("j"))}),
          row({operation("-"), symbol("x"), operation("·"), operation("-"), number("2")}),
          row({word("她"), operation("="), word("Größe"), operation("≤"), word("🙂")}),
          row({}),
          nullptr};
}

struct Ink {
  float left, top, right, bottom;
  bool slanted;
};

// Where the glyphs of a set formula really have ink, as the font's outlines say, in the formula's unit.
std::vector<Ink> ink_of(const SetFormula& set) {
  constexpr float kPixels = 8;  // for one unit: half a pixel of the bitmap is 1/16 of a unit
  std::vector<Ink> inks;
  for (const SetText& run : set.texts) {
    float x = run.baseline.x;
    for (const char32_t c : io::decode_utf8(run.text)) {
      if (text::covers(run.face, c)) {
        const text::Bitmap bitmap = text::rasterise(run.face, run.size * kPixels, c);
        const float left = x + static_cast<float>(bitmap.left) / kPixels;
        const float top = run.baseline.y + static_cast<float>(bitmap.top) / kPixels;
        if (bitmap.width > 0) {
          inks.push_back({left, top, left + static_cast<float>(bitmap.width) / kPixels,
                          top + static_cast<float>(bitmap.height) / kPixels, run.face == text::Face::math_italic});
        }
      }
      x += text::advance(run.face, run.size, c);
    }
  }
  return inks;
}

float overlap(float a0, float a1, float b0, float b1) { return std::min(a1, b1) - std::max(a0, b0); }

// Elements that close in order, attributes in quotes, entities that XML knows: enough to tell a broken writer.
bool well_formed(std::string_view xml) {
  std::vector<std::string> open;
  std::size_t i = 0;
  bool had_root = false;
  while (i < xml.size()) {
    if (xml[i] == '<') {
      const std::size_t end = xml.find('>', i);
      if (end == std::string_view::npos) return false;
      const std::string_view inside = xml.substr(i + 1, end - i - 1);
      if (inside.starts_with('/')) {
        if (open.empty() || open.back() != inside.substr(1)) return false;
        open.pop_back();
      } else {
        if (open.empty() && had_root) return false;
        had_root = true;
        if (std::ranges::count(inside, '"') % 2 != 0 || inside.contains('<')) return false;
        open.emplace_back(inside.substr(0, inside.find(' ')));
      }
      i = end + 1;
    } else {
      if (open.empty() || xml[i] == '>') return false;
      if (xml[i] == '&') {
        const std::string_view rest = xml.substr(i);
        constexpr std::array<std::string_view, 4> kEntities{"&amp;", "&lt;", "&gt;", "&quot;"};
        if (std::ranges::none_of(kEntities, [&](std::string_view e) { return rest.starts_with(e); })) return false;
      }
      ++i;
    }
  }
  return open.empty() && had_root;
}

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// The value of "0.33·0.54 + 0.89·(−0.70) + 60 more = 0.12".
double value_of(std::string text) {
  double total = 0;
  for (const char bracket : {'(', ')'}) std::erase(text, bracket);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(" + ", at), text.size());
    const std::string term = text.substr(at, end - at);
    if (const std::size_t equals = term.find(" more = "); equals != std::string::npos) {
      total += io::parse_number(term.substr(equals + 8)).value();
    } else {
      const std::size_t dot = term.find("·");
      total += io::parse_number(term.substr(0, dot)).value() *
               io::parse_number(term.substr(dot + std::string("·").size())).value();
    }
    at = end + 3;
  }
  return total;
}

}  // namespace

TEST_CASE("set_formula: the box holds the ink of every glyph, and every rule and stroke") {
  REQUIRE(test::load_fonts());
  for (const float size : {12.0F, 16.0F, 32.0F}) {
    const float slack = 0.035F * size + 0.5F;  // the tips of slanted and rounded letters, and a pixel of their bitmaps
    for (const Formula& formula : examples()) {
      CAPTURE(plain(formula));
      CAPTURE(size);
      const SetFormula set = set_formula(formula, size);
      for (const Ink& ink : ink_of(set)) {
        CHECK(ink.left >= -slack);
        CHECK(ink.right <= set.width + slack);
        CHECK(ink.top >= -set.ascent - slack);
        CHECK(ink.bottom <= set.descent + slack);
      }
      for (const SetRule& rule : set.rules) {
        CHECK(rule.rect.x >= 0);
        CHECK(rule.rect.right() <= set.width);
        CHECK(rule.rect.y >= -set.ascent);
        CHECK(rule.rect.bottom() <= set.descent);
      }
      for (const SetStroke& stroke : set.strokes) {
        for (const Point p : stroke.points) {
          CHECK(p.x >= 0);
          CHECK(p.x <= set.width);
          CHECK(p.y >= -set.ascent);
          CHECK(p.y <= set.descent);
        }
      }
    }
  }
}

TEST_CASE("set_formula: every letter's box is as high and as deep as its ink") {
  REQUIRE(test::load_fonts());
  std::vector<Formula> letters;
  for (char c = '!'; c <= '~'; ++c) {
    letters.push_back(symbol(std::string(1, c)));
    letters.push_back(word(std::string(1, c)));
    letters.push_back(number(std::string(1, c)));
  }
  for (char32_t c = U'α'; c <= U'ω'; ++c) letters.push_back(symbol(io::encode_utf8({c})));
  for (const char* sign : {"−", "·", "×", "∑", "∏", "∫", "∞", "≤", "→", "…", "Δ", "∂", "ℓ", "ü", "É"})
    letters.push_back(word(sign));
  constexpr float kSize = 32;
  constexpr float kSlack = 0.05F * kSize;
  for (const Formula& letter : letters) {
    CAPTURE(letter->text);
    CAPTURE(static_cast<int>(letter->kind));
    const SetFormula set = set_formula(letter, kSize);
    for (const Ink& ink : ink_of(set)) {
      CHECK(ink.top >= -set.ascent - kSlack);
      CHECK(ink.bottom <= set.descent + kSlack);
      CHECK(ink.left >= -kSlack);
      CHECK(ink.right <= set.width + kSlack);
    }
  }
}

TEST_CASE("set_formula: no two glyphs touch, and none touches a fraction bar") {
  REQUIRE(test::load_fonts());
  constexpr float kSize = 32;
  // Slanted letters lean over their neighbours' boxes without touching them, an upright f a little.
  const auto slack = [](const Ink& a, const Ink& b) { return (a.slanted || b.slanted ? 0.12F : 0.08F) * kSize; };
  for (const Formula& formula : examples()) {
    CAPTURE(plain(formula));
    const SetFormula set = set_formula(formula, kSize);
    const std::vector<Ink> inks = ink_of(set);
    for (std::size_t i = 0; i < inks.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Ink& a = inks[i];
        const Ink& b = inks[j];
        const bool apart = overlap(a.left, a.right, b.left, b.right) < slack(a, b) ||
                           overlap(a.top, a.bottom, b.top, b.bottom) < 0.02F * kSize;
        CHECK(apart);
      }
      for (const SetRule& rule : set.rules) {
        const bool apart = overlap(inks[i].left, inks[i].right, rule.rect.x, rule.rect.right()) < 0 ||
                           overlap(inks[i].top, inks[i].bottom, rule.rect.y, rule.rect.bottom()) < 0;
        CHECK(apart);
      }
    }
  }
}

TEST_CASE("set_formula: twice the size is twice as large") {
  REQUIRE(test::load_fonts());
  const SetFormula small = set_formula(softmax_share(), 24);  // past the least width of a rule
  const SetFormula large_one = set_formula(softmax_share(), 48);
  REQUIRE(small.texts.size() == large_one.texts.size());
  CHECK(large_one.width == doctest::Approx(2 * small.width).epsilon(1e-4));
  for (std::size_t i = 0; i < small.texts.size(); ++i) {
    CHECK(large_one.texts[i].baseline.x == doctest::Approx(2 * small.texts[i].baseline.x).epsilon(1e-3));
  }
}

TEST_CASE("set_formula: a fraction's bar lies between its two parts, as wide as the wider") {
  REQUIRE(test::load_fonts());
  const SetFormula set = set_formula(fraction(number("1"), number("23.4567")), 16);
  REQUIRE(set.rules.size() == 1);
  REQUIRE(set.texts.size() == 2);
  const Rect& bar = set.rules[0].rect;
  CHECK(set.texts[0].baseline.y < bar.y);
  CHECK(set.texts[1].baseline.y > bar.bottom());
  CHECK(bar.w >= text::measure(set.texts[1].face, set.texts[1].size, set.texts[1].text));
  CHECK(set.rules[0].rect.h >= 1);
}

TEST_CASE("set_formula: an inner colour wins over an outer one, and no colour is none") {
  REQUIRE(test::load_fonts());
  const Formula formula =
      coloured(row({symbol("x"), operation("+"), coloured(symbol("y"), kKey), root(symbol("z"))}), kQuery);
  const SetFormula set = set_formula(row({number("1"), formula}), 16);
  REQUIRE(set.texts.size() == 5);
  CHECK_FALSE(set.texts[0].colour.has_value());
  CHECK(set.texts[1].colour == kQuery);
  CHECK(set.texts[2].colour == kQuery);
  CHECK(set.texts[3].colour == kKey);
  CHECK(set.texts[4].colour == kQuery);
  for (const SetStroke& stroke : set.strokes) CHECK(stroke.colour == kQuery);
}

TEST_CASE("set_formula: a minus before a number is closer than one between two") {
  REQUIRE(test::load_fonts());
  const auto gap = [](const Formula& f, std::size_t i) {
    const SetFormula set = set_formula(f, 16);
    const SetText& left = set.texts.at(i);
    return set.texts.at(i + 1).baseline.x - left.baseline.x - text::measure(left.face, left.size, left.text);
  };
  const Formula binary = row({number("1"), operation("−"), number("2")});
  const Formula sign = row({operation("−"), number("2")});
  CHECK(gap(sign, 0) < 0.01F);
  CHECK(gap(binary, 1) > 2);
}

TEST_CASE("set_lines: no line is wider than there is room, and nothing is lost") {
  REQUIRE(test::load_fonts());
  constexpr float kSize = 16;
  const std::vector<Formula> breakable{softmax_share(), sum_of_products(terms(8, 3), 3, kQuery, kKey),
                                       row({symbol("z"), operation("="), sum_of_products(terms(64, 5), 2, kQuery, kKey),
                                            operation("="), number("1.23")})};
  for (const Formula& formula : breakable) {
    CAPTURE(plain(formula));
    const std::size_t runs = set_formula(formula, kSize).texts.size();
    for (float width = 230; width < 900; width += 37) {
      const std::vector<SetFormula> lines = set_lines(formula, kSize, width);
      std::size_t total = 0;
      for (const SetFormula& line : lines) {
        CHECK(line.width <= width + 0.01F);
        total += line.texts.size();
      }
      CHECK(total == runs);
      for (std::size_t i = 1; i < lines.size(); ++i) {
        CHECK(lines[i].texts.at(0).baseline.x >= kSize);  // indented
        const std::string& sign = lines[i].texts.at(0).text;
        const bool is_operator = sign == "=" || sign == "+" || sign == "·";
        CHECK(is_operator);
      }
    }
  }
}

TEST_CASE("set_lines: what fits stays on one line and is set as it always is") {
  REQUIRE(test::load_fonts());
  for (const Formula& formula : examples()) {
    const SetFormula whole = set_formula(formula, 16);
    const std::vector<SetFormula> lines = set_lines(formula, 16, 10000);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].width == doctest::Approx(whole.width));
    CHECK(lines[0].texts.size() == whole.texts.size());
    CHECK(lines_height(lines, 16) == doctest::Approx(lines[0].ascent + lines[0].descent));
  }
}

TEST_CASE("set_lines: an equals sign is the first choice, but the first one stays with what it explains") {
  REQUIRE(test::load_fonts());
  const Formula formula = row({symbol("a"), operation("="), number("1"), operation("+"), number("2"), operation("="),
                               number("3"), operation("+"), number("4")});
  const float width = set_formula(formula, 16).width - 4;
  const std::vector<SetFormula> lines = set_lines(formula, 16, width);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].texts.size() == 5);
  CHECK(lines[1].texts[0].text == "=");
}

TEST_CASE("set_lines: what has no break is made smaller, not cut") {
  REQUIRE(test::load_fonts());
  const Formula formula = row({symbol("x"), operation("="), fraction(number("123456789012345678"), number("2"))});
  const float whole = set_formula(formula, 16).width;
  for (const SetFormula& line : set_lines(formula, 16, 0.75F * whole)) CHECK(line.width <= 0.75F * whole + 0.01F);
}

TEST_CASE("sum of products: what is shown adds up to the whole, however many terms") {
  constexpr int kDecimals = 5;
  for (int n = 1; n <= 80; ++n) {
    const std::vector<Term> all = terms(n, static_cast<unsigned>(n));
    double sum = 0;
    for (const Term& term : all) sum += static_cast<double>(term.left) * static_cast<double>(term.right);
    const auto counted =
        static_cast<int>(std::ranges::count_if(all, [](const Term& term) { return term.left * term.right != 0; }));
    const std::string text = plain(sum_of_products(all, kDecimals, kQuery, kKey));
    CAPTURE(text);
    // The numbers have two decimals and are shown with five; only the rest is rounded.
    CHECK(value_of(text) == doctest::Approx(sum).epsilon(1e-4));
    CHECK(count(text, "·") == static_cast<std::size_t>(std::min(counted, 4)));
    CHECK(text.contains("+ " + std::to_string(counted - 4) + " more = ") == (counted > 4));
  }
}

TEST_CASE("sum of products: of many terms the four largest stay, in their order, and none that is 0") {
  std::vector<Term> all(10, Term{0.1F, 0.1F});
  all[0] = {0, 3};
  all[7] = {-3, 1};
  all[2] = {1, 2};
  all[5] = {2, 2};
  all[8] = {1, 1};
  CHECK(plain(sum_of_products(all, 1, kQuery, kKey)) == "1·2 + 2·2 + (−3)·1 + 1·1 + 5 more = 0.050");
}

TEST_CASE("sum of products: negative factors are told from subtractions") {
  CHECK(plain(sum_of_products({{-0.5F, 2}, {1, -3}}, 1, kQuery, kKey)) == "−0.5·2 + 1·(−3)");
  CHECK(plain(sum_of_products({}, 2, kQuery, kKey)) == "0");
}

TEST_CASE("plain: reads as one would type it") {
  const Formula sum = row({symbol("x"), operation("+"), symbol("y")});
  struct Case {
    Formula formula;
    std::string_view text;
  };
  const std::vector<Case> cases{
      {row({symbol("a"), operation("="), fraction(row({word("exp"), parenthesised(symbol("z"))}), sum)}),
       "a = exp(z) / (x + y)"},
      {softmax_share(), "a_1 3 = exp(z_13) / ∑_j exp(z_j) = 1.000 / (0.921 + 0.824 + 1.000) = 0.364284"},
      {fraction(number("1"), root(symbol("d"))), "1 / √d"},
      {row({fraction(number("1"), root(symbol("d"))), symbol("Q"), script(symbol("K"), nullptr, symbol("T"))}),
       "(1 / √d) QK^T"},
      {row({word("softmax"), parenthesised(symbol("z"))}), "softmax(z)"},
      {root(sum), "√(x + y)"},
      {script(symbol("x"), row({symbol("i"), operation("+"), number("1")}), number("2")), "x_(i + 1)^2"},
      {row({operation("-"), symbol("x")}), "−x"},
      {row({number("2"), operation("×"), operation("-"), number("3")}), "2 × −3"},
      {row({large("max", symbol("j")), script(symbol("z"), symbol("j"))}), "max_j z_j"},
      {fraction(number("1"), fraction(symbol("a"), symbol("b"))), "1 / (a / b)"},
      {nullptr, ""}};
  for (const Case& c : cases) CHECK(plain(c.formula) == c.text);
}

TEST_CASE("mathml: is well formed, whatever a token is called") {
  for (const Formula& formula : examples()) {
    const std::string xml = mathml(formula);
    CAPTURE(xml);
    CHECK(well_formed(xml));
  }
  const Formula hostile =
      row({word("</mtext><script>alert(\"1\")</script> & \x01"), operation("<"), symbol("a&b"), number("<>")});
  CHECK(well_formed(mathml(hostile)));
  CHECK_FALSE(mathml(hostile).contains("<script"));
  CHECK_FALSE(mathml(hostile).contains('\x01'));
}

TEST_CASE("mathml: says what each part is") {
  const std::string xml = mathml(score());
  for (const char* element :
       {"<mi>z</mi>", "<mfrac>", "<msqrt>", "<msub>", "<mo>=</mo>", "<mn>0.726</mn>", "<mo>(</mo>"}) {
    CAPTURE(element);
    CHECK(xml.contains(element));
  }
  CHECK(
      mathml(large("∑", symbol("j"), symbol("n"))).contains("<munderover><mo>∑</mo><mi>j</mi><mi>n</mi></munderover>"));
  CHECK(mathml(word("exp")).contains("<mtext>exp</mtext>"));
  CHECK(mathml(row({word("exp"), parenthesised(symbol("z"))})).contains("<mi>exp</mi><mo>\u2061</mo><mrow><mo>(</mo>"));
  CHECK(mathml(symbol("W")).contains("<mi>W</mi>"));
  CHECK(mathml(script(symbol("x"), symbol("i"), number("2")))
            .contains("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"));
  CHECK(mathml(coloured(symbol("x"), kQuery)) == mathml(symbol("x")));
}
