#include "text/font.h"

#include <stb_truetype.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "io/utf8.h"

namespace limelight::text {
namespace {

struct FaceNames {
  std::string_view family;
  int weight;
  bool italic;
  std::string_view file;
  std::optional<Face> lender{};
};

// The first family is the one that tools/fonts makes; the others stand in where an SVG is opened without it.
constexpr std::string_view kSans = "Limelight Sans, Inter, sans-serif";
constexpr std::string_view kMono = "Limelight Mono, JetBrains Mono, monospace";
// What this family lacks, its lenders have: they are in the sans.
constexpr std::string_view kDisplay = "Limelight Display, Limelight Sans, Inter Display, Inter, sans-serif";
constexpr std::string_view kMath = "Limelight Math, STIX Two Text, STIX, Times New Roman, serif";
constexpr std::array<FaceNames, kFaces> kNames{{
    {kSans, 400, false, "inter-regular.ttf"},
    {kSans, 600, false, "inter-semibold.ttf", Face::regular},
    {kMono, 400, false, "mono-regular.ttf"},
    {kMono, 700, false, "mono-bold.ttf"},
    {kMath, 400, false, "math-regular.ttf"},
    {kMath, 400, true, "math-italic.ttf"},
    {kDisplay, 500, false, "display-medium.ttf", Face::regular},
    {kDisplay, 700, false, "display-bold.ttf", Face::semibold},
}};

constexpr float kWideEm = 1.25F;  // what a foreign code point takes, in em
constexpr float kForeignEm = 0.6F;
constexpr char32_t kEllipsis = U'…';
constexpr char32_t kZeroWidthJoiner = 0x200D;

// Advances are kept in em and summed in double precision, so that a sum does not depend on its order and a width is
// linear in the size.
struct Font;
struct Glyph {
  Font* font = nullptr;  // whose it is
  const stbtt_fontinfo* part = nullptr;
  int index = 0;  // 0: foreign
  float em = 0;   // advance
};

constexpr std::size_t kPageSize = 256;
constexpr std::size_t kPages = 0x110000 / kPageSize;
using Page = std::array<Glyph, kPageSize>;

struct Font {
  std::vector<std::unique_ptr<stbtt_fontinfo>> parts;  // the one that has a character draws it
  bool whole = false;
  bool wanted = false;  // all of it
  float em_per_unit = 0;
  Metrics at_one{.ascent = 0.97F, .descent = 0.24F, .cap_height = 0.73F, .x_height = 0.55F};  // at first Inter's
  std::vector<std::unique_ptr<Page>> pages;  // kPages of them, each filled when first asked for
};
std::array<Font, kFaces> fonts;

std::size_t index_of(Face face) {
  const auto index = static_cast<std::size_t>(face);
  assert(index < kNames.size());
  return index;
}
Font& font_of(Face face) { return fonts[index_of(face)]; }

float foreign_em(char32_t code_point) {
  if (io::joins_previous(code_point)) return 0;
  return io::is_wide(code_point) ? kWideEm : kForeignEm;
}

// A font's own glyph, else its lender's once it is sure that there is none.
Glyph find_glyph(Font& font, char32_t code_point) {
  for (const auto& part : font.parts) {
    const int index = stbtt_FindGlyphIndex(part.get(), static_cast<int>(code_point));
    if (index == 0) continue;
    int units = 0;
    stbtt_GetGlyphHMetrics(part.get(), index, &units, nullptr);
    return {&font, part.get(), index, static_cast<float>(units) * font.em_per_unit};
  }
  const std::optional<Face> lends = lender(static_cast<Face>(&font - fonts.data()));
  if (font.whole && lends) return find_glyph(font_of(*lends), code_point);
  return {&font, nullptr, 0, foreign_em(code_point)};
}

const Glyph& glyph_of(Font& font, char32_t code_point) {
  if (code_point >= 0x110000) code_point = 0xFFFD;
  if (font.pages.empty()) font.pages.resize(kPages);
  const std::size_t number = code_point / kPageSize;
  std::unique_ptr<Page>& page = font.pages[number];
  if (!page) {
    page = std::make_unique<Page>();
    for (std::size_t i = 0; i < kPageSize; ++i)
      (*page)[i] = find_glyph(font, static_cast<char32_t>(number * kPageSize + i));
  }
  const Glyph& glyph = (*page)[code_point % kPageSize];
  if (glyph.index == 0 && !glyph.font->whole) glyph.font->wanted = true;
  return glyph;
}

using CodePoints = std::span<const char32_t>;

double sum_em(Font& font, CodePoints code_points) {
  double em = 0;
  for (const char32_t c : code_points) em += static_cast<double>(glyph_of(font, c).em);
  return em;
}

// The one way from em to a length: what fits by this fits by measure().
float length(double em, float size) { return static_cast<float>(em * static_cast<double>(size)); }

// Where the cluster that begins at `from` ends: a base, its marks, and whatever a joiner ties to it.
std::size_t cluster_end(CodePoints code_points, std::size_t from) {
  std::size_t end = from + 1;
  while (end < code_points.size() &&
         (io::joins_previous(code_points[end]) || code_points[end - 1] == kZeroWidthJoiner)) {
    ++end;
  }
  return end;
}

void append(std::string& text, CodePoints code_points) {
  for (const char32_t c : code_points) io::append_utf8(text, c);
}

bool breaks(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r'; }

std::uint32_t big_endian(std::span<const std::byte> bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

// stb trusts what it reads, so the table directory is checked before: every table inside the bytes, none missing.
// (OpenType 1.9, "Organization of an OpenType font".)
bool has_tables(std::span<const std::byte> bytes) {
  constexpr std::size_t kHeader = 12;
  constexpr std::size_t kRecord = 16;
  if (bytes.size() < kHeader) return false;
  const std::uint32_t version = big_endian(bytes, 0, 4);
  if (version != 0x00010000 && version != 0x4F54544F && version != 0x74727565) return false;  // 1.0, OTTO, true
  const std::size_t count = big_endian(bytes, 4, 2);
  if (bytes.size() < kHeader + count * kRecord) return false;
  constexpr std::array<std::string_view, 5> kNeeded = {"cmap", "head", "hhea", "hmtx", "maxp"};
  constexpr std::size_t kLeast = 32;  // maxp 0.5 has 6 bytes, all others more; outlines are stb's to judge
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = kHeader + i * kRecord;
    const std::size_t offset = big_endian(bytes, record + 8, 4);
    const std::size_t size = big_endian(bytes, record + 12, 4);
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    std::array<char, 4> tag{};
    std::memcpy(tag.data(), bytes.data() + record, tag.size());
    const std::string_view name(tag.data(), tag.size());
    if (std::ranges::find(kNeeded, name) == kNeeded.end()) continue;
    if (name != "hmtx" && name != "maxp" && size < kLeast) return false;
    ++found;
  }
  return found == kNeeded.size();
}

// The top of a letter without overshoot, in em.
float height_of(const Font& font, int letter) {
  int top = 0;
  stbtt_GetCodepointBox(font.parts.front().get(), letter, nullptr, nullptr, nullptr, &top);
  return static_cast<float>(top) * font.em_per_unit;
}

}  // namespace

std::string_view css_family(Face face) { return kNames[index_of(face)].family; }
int css_weight(Face face) { return kNames[index_of(face)].weight; }
bool is_italic(Face face) { return kNames[index_of(face)].italic; }
std::string_view file_name(Face face) { return kNames[index_of(face)].file; }
std::optional<Face> lender(Face face) { return kNames[index_of(face)].lender; }

bool load(Face face, std::span<const std::byte> bytes, bool whole) {
  if (!has_tables(bytes)) return false;
  auto info = std::make_unique<stbtt_fontinfo>();
  if (stbtt_InitFont(info.get(), reinterpret_cast<const unsigned char*>(bytes.data()), 0) == 0) return false;
  Font& font = font_of(face);
  if (font.whole) font.parts.clear();
  font.parts.push_back(std::move(info));
  font.whole = whole;
  for (Font& each : fonts) each.pages.clear();  // it may lend to another
  if (font.parts.size() > 1) return true;       // all of them agree on the rest
  font.em_per_unit = stbtt_ScaleForMappingEmToPixels(font.parts.front().get(), 1);
  int ascent = 0;
  int descent = 0;
  stbtt_GetFontVMetrics(font.parts.front().get(), &ascent, &descent, nullptr);
  font.at_one = {.ascent = static_cast<float>(ascent) * font.em_per_unit,
                 .descent = static_cast<float>(-descent) * font.em_per_unit,
                 .cap_height = height_of(font, 'H'),
                 .x_height = height_of(font, 'x')};
  return true;
}

std::vector<Face> take_wanted() {
  std::vector<Face> wanted;
  for (std::size_t i = 0; i < fonts.size(); ++i)
    if (std::exchange(fonts[i].wanted, false)) wanted.push_back(static_cast<Face>(i));
  return wanted;
}

Metrics metrics(Face face, float size) {
  const Metrics& one = font_of(face).at_one;
  return {.ascent = one.ascent * size,
          .descent = one.descent * size,
          .cap_height = one.cap_height * size,
          .x_height = one.x_height * size};
}

bool covers(Face face, char32_t code_point) { return glyph_of(font_of(face), code_point).index != 0; }

float advance(Face face, float size, char32_t code_point) {
  return length(static_cast<double>(glyph_of(font_of(face), code_point).em), size);
}

float measure(Face face, float size, std::string_view utf8) {
  Font& font = font_of(face);
  double em = 0;
  std::size_t ascii = 0;  // nearly all text is ASCII, and needs no decoding
  while (ascii < utf8.size() && static_cast<unsigned char>(utf8[ascii]) < 0x80) {
    em += static_cast<double>(glyph_of(font, static_cast<unsigned char>(utf8[ascii])).em);
    ++ascii;
  }
  if (ascii < utf8.size()) em += sum_em(font, io::decode_utf8(utf8.substr(ascii)));
  return length(em, size);
}

std::vector<Run> runs(Face face, float size, std::string_view utf8) {
  Font& font = font_of(face);
  const std::vector<char32_t> decoded = io::decode_utf8(utf8);
  const CodePoints all(decoded);
  std::vector<Run> result;
  double before = 0;  // the run, and all before it, in em
  double em = 0;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = cluster_end(all, at);
    const CodePoints cluster = all.subspan(at, end - at);
    const bool foreign = std::ranges::any_of(cluster, [&](char32_t c) { return glyph_of(font, c).index == 0; });
    if (result.empty() || result.back().foreign != foreign) {
      before += em;
      em = 0;
      result.push_back({.text = {}, .x = length(before, size), .width = 0, .foreign = foreign});
    }
    append(result.back().text, cluster);
    em += sum_em(font, cluster);
    result.back().width = length(em, size);
    at = end;
  }
  return result;
}

std::vector<std::string> wrap(Face face, float size, std::string_view utf8, float width) {
  Font& font = font_of(face);
  const std::vector<char32_t> decoded = io::decode_utf8(utf8);
  const CodePoints all(decoded);
  const double space = static_cast<double>(glyph_of(font, U' ').em);
  std::vector<std::string> lines;
  std::string line;
  double line_em = 0;
  const auto end_line = [&] {
    lines.push_back(std::exchange(line, {}));
    line_em = 0;
  };
  for (std::size_t at = 0; at < all.size();) {
    if (breaks(all[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < all.size() && !breaks(all[end])) ++end;
    const CodePoints word = all.subspan(at, end - at);
    at = end;
    const double word_em = sum_em(font, word);
    if (!line.empty() && length(line_em + space + word_em, size) <= width) {
      line += ' ';
      append(line, word);
      line_em += space + word_em;
      continue;
    }
    if (!line.empty()) end_line();
    for (std::size_t i = 0; i < word.size();) {
      const std::size_t next = cluster_end(word, i);
      const CodePoints cluster = word.subspan(i, next - i);
      const double cluster_em = sum_em(font, cluster);
      if (!line.empty() && length(line_em + cluster_em, size) > width) end_line();
      append(line, cluster);
      line_em += cluster_em;
      i = next;
    }
  }
  if (!line.empty() || lines.empty()) end_line();
  return lines;
}

std::string fit(Face face, float size, std::string_view utf8, float width) {
  if (measure(face, size, utf8) <= width) return std::string(utf8);
  Font& font = font_of(face);
  double em = static_cast<double>(glyph_of(font, kEllipsis).em);
  if (length(em, size) > width) return {};
  const std::vector<char32_t> decoded = io::decode_utf8(utf8);
  const CodePoints all(decoded);
  std::string text;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = cluster_end(all, at);
    const CodePoints cluster = all.subspan(at, end - at);
    em += sum_em(font, cluster);
    if (length(em, size) > width) break;
    append(text, cluster);
    at = end;
  }
  io::append_utf8(text, kEllipsis);
  return text;
}

Bitmap rasterise(Face face, float pixel_size, char32_t code_point, float subpixel_x) {
  const Glyph& found = glyph_of(font_of(face), code_point);
  const Font& font = *found.font;
  const int glyph = found.index;
  if (glyph == 0 || !(pixel_size > 0)) return {};
  const float scale = font.em_per_unit * pixel_size;
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  stbtt_GetGlyphBitmapBoxSubpixel(found.part, glyph, scale, scale, subpixel_x, 0, &left, &top, &right, &bottom);
  if (right <= left || bottom <= top) return {};
  Bitmap bitmap{.width = right - left, .height = bottom - top, .left = left, .top = top, .coverage = {}};
  bitmap.coverage.resize(static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height));
  stbtt_MakeGlyphBitmapSubpixel(found.part, bitmap.coverage.data(), bitmap.width, bitmap.height, bitmap.width, scale,
                                scale, subpixel_x, 0, glyph);
  return bitmap;
}

}  // namespace limelight::text
