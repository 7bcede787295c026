// What a reader reads is words: no name that only the program has, and no "1 numbers".
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/inspector.h"
#include "app/page.h"
#include "figure/formula.h"
#include "figure/paint.h"
#include "io/json_value.h"
#include "text/font.h"
#include "unit/scenes/scene_support.h"

using namespace limelight;

namespace {

// The words of a text that are joined by an underscore.
std::vector<std::string> joined_words(std::string_view text) {
  std::vector<std::string> words;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (const std::size_t bar = word.find('_'); bar != std::string_view::npos && bar > 0) words.emplace_back(word);
    begin = end + 1;
  }
  return words;
}

// Mathematics has a letter or two (dq, wq, Âi …) before the underscore: W_q, A_3.2, h_12.
bool is_mathematics(std::string_view word) { return word.find('_') <= 1; }

// "1 rows" in a text; nouns that are verbs as well are left out, as in "query 1 scores highest".
std::string wrong_plural(std::string_view text) {
  static const std::set<std::string_view> nouns = {
      "rows",     "columns", "numbers",  "words",     "tokens",    "heads",   "layers",
      "keys",     "queries", "cells",    "steps",     "bytes",     "pairs",   "values",
      "pictures", "batches", "captions", "sentences", "positions", "patches", "pixels"};
  for (std::size_t at = text.find("1 "); at != std::string_view::npos; at = text.find("1 ", at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '.' ||
                   text[at - 1] == ',' || text[at - 1] == '_' || static_cast<unsigned char>(text[at - 1]) >= 0x80))
      continue;
    std::size_t end = at + 2;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (nouns.contains(text.substr(at + 2, end - at - 2))) return std::string(text.substr(at, end - at));
  }
  return {};
}

using Read = std::function<void(const std::string& where, const std::string& text)>;

// What needs no glyph: a narrow space, as wide in the mono face as all of it, and what is painted as a box anyway.
constexpr std::string_view kNeedless[] = {"\u202f", "□"};

// Letters of the figure that their face lacks, as "Σ in sum.text".
std::set<std::string> lacking(app::App& app) {
  std::set<std::string> found;
  const app::Page page = app::build_page(app, app::draw_stage(app));
  for (const figure::Element& element : page.figure.elements)
    for (const figure::Primitive& primitive : figure::primitives(element, app.trace))
      if (const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape))
        for (const text::Run& run : text::runs(text->face, text->size, text->text))
          if (run.foreign && std::ranges::find(kNeedless, run.text) == std::end(kNeedless))
            found.insert(run.text + " in " + element.id);
  return found;
}

// Every text of the page's description that is shown as it is.
void read_page(app::App& app, const Read& read) {
  const app::Page page = app::build_page(app, app::draw_stage(app));
  for (const figure::Element& element : page.figure.elements) {
    if (!std::holds_alternative<figure::FormulaBox>(element.shape)) read("the label of " + element.id, element.label);
    if (const auto* text = std::get_if<figure::Text>(&element.shape)) read(element.id, text->text);
  }
  const std::optional<io::JsonValue> described = io::read_json(app::describe_page(app, page, false));
  REQUIRE(described);
  for (const std::string_view name : {"title", "question", "narration", "compared", "provenance"})
    if (const io::JsonValue* value = described->find(name)) read(std::string(name), value->text);
  for (const std::string_view list : {"tables", "actions", "fields"})
    if (const io::JsonValue* values = described->find(list))
      for (const io::JsonValue& value : values->values)
        for (const std::string_view name : {"title", "label", "hint"})
          if (const io::JsonValue* text = value.find(name))
            read(std::string(list) + "." + std::string(name), text->text);
}

// What is typeset of it; subscripts are no part of their letters.
void read_formula(const figure::Formula& formula, const std::string& where, const Read& read) {
  if (!formula) return;
  read(where, formula->text);
  for (const figure::Formula& child : formula->children) read_formula(child, where, read);
}

// And what the inspector says of one number of each tensor.
void read_inspector(app::App& app, const Read& read) {
  for (const Tensor& tensor : app.trace.tensors) {
    if (tensor.values.size() == 0 || tensor.name.find(' ') != std::string::npos) continue;
    app.pinned = figure::cell_id({tensor.name, 0, 0});
    const auto made = app::inspection_of(app);
    if (!made) continue;
    read("the inspector’s title of " + tensor.name, made->title);
    read("the inspector’s note of " + tensor.name, made->note);
    for (const figure::Formula& line : made->lines) read_formula(line, "a formula of " + tensor.name, read);
    for (const scenes::Origin& origin : made->origins) read("an origin of " + tensor.name, origin.label);
  }
  app.pinned.clear();
}

struct Said {
  std::string where, text;
};

// Every text once, with the first place where it stands.
std::vector<Said> all_texts() {
  REQUIRE(test::load_fonts());
  std::vector<Said> said;
  std::unordered_set<std::string> known;
  const Read read = [&](const std::string& where, const std::string& text) {
    if (known.insert(text).second) said.push_back({where, text});
  };
  test::each_step([&](app::App& app) {
    for (const float width : {390.F, 1280.F}) {
      app.width = width;
      app.height = 800;
      read_page(app, read);
    }
    read_inspector(app, read);
    app::activate(app, {"do", "compare"});
    read_page(app, read);
    app::activate(app, {"do", "compare"});
  });
  return said;
}

// Drawing all of it takes seconds, and it is read for more than one law.
const std::vector<Said>& texts() {
  static const std::vector<Said> all = all_texts();
  return all;
}

}  // namespace

TEST_CASE("words: no text that a reader reads has a name that only the program has, in any example at any step") {
  std::set<std::string> seen;
  for (const auto& [where, text] : texts())
    for (const std::string& word : joined_words(text)) {
      if (is_mathematics(word) || !seen.insert(word).second) continue;
      CAPTURE(where);
      CAPTURE(text);
      CHECK(word == "words");
    }
}

TEST_CASE("words: one is told in the singular, in any example at any step") {
  std::set<std::string> seen;
  for (const auto& [where, text] : texts()) {
    const std::string wrong = wrong_plural(text);
    if (wrong.empty() || !seen.insert(wrong).second) continue;
    CAPTURE(where);
    CAPTURE(text);
    CHECK(wrong == "one");
  }
}

TEST_CASE("words: every letter is in the face that it is set in, in any example at any step") {
  REQUIRE(test::load_fonts());
  test::each_step([](app::App& app) {
    for (const std::string& letters : lacking(app)) {
      CAPTURE(letters);
      CHECK(letters.empty());
    }
  });
}
