#include "learn/tasks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "core/sort.h"
#include "io/utf8.h"
#include "learn/french_task.h"

namespace limelight::learn {
namespace {

// How often a pair of the right part and length is drawn for: one in ten is held out, and a length of 1 may have few.
constexpr int kTries = 20000;

std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (const char32_t c : io::decode_utf8(text)) io::append_utf8(characters.emplace_back(), c);
  return characters;
}

std::string join_characters(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

std::vector<int> tokens_of(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<int> tokens;
  for (const std::string& word : split_characters(text)) tokens.push_back(*vocabulary.find(word));
  return tokens;
}

// A character in a sentence of ours.
std::string name_of(const std::string& character) {
  return character == " " ? "A space" : character == "\"" ? "A quotation mark" : io::quote(character);
}

// Each character is a word. known: which there are, in words.
Task character_task(std::string_view name, Vocabulary source, Vocabulary target, Lengths lengths, std::string known) {
  Task task;
  task.name = name;
  task.source = std::move(source);
  task.target = std::move(target);
  task.lengths = lengths;
  task.count = [](std::span<const int> tokens) { return static_cast<int>(tokens.size()); };
  task.read = [of = task.source, name, known = std::move(known)](std::string_view text) -> Result<std::vector<int>> {
    std::vector<int> tokens;
    for (const std::string& word : split_characters(text)) {
      const std::optional<int> token = of.find(word);
      if (!token)
        return fail(name_of(word) + " is not in the vocabulary of the task " + std::string(name) + ": type " + known +
                    ".");
      tokens.push_back(*token);
    }
    if (static_cast<int>(tokens.size()) > kMostWords)
      return fail("The input has " + std::to_string(tokens.size()) + " characters; at most " +
                  std::to_string(kMostWords) + " are read.");
    if (tokens.empty()) return fail("The input is empty; one character at least is needed.");
    return tokens;
  };
  task.write = join_characters;
  return task;
}

// ---- copy, reverse, sort: letters ----

// order[i]: where the target's letter i stands in the source.
using Arrange = std::vector<int> (*)(const std::vector<int>& source);

std::vector<int> places(const std::vector<int>& source) {
  std::vector<int> order(source.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> places_reversed(const std::vector<int>& source) {
  std::vector<int> order = places(source);
  std::ranges::reverse(order);
  return order;
}

std::vector<int> places_sorted(const std::vector<int>& source) {
  std::vector<int> order = places(source);
  heap_sort(order, {}, [&](int i) { return std::pair(source[static_cast<std::size_t>(i)], i); });
  return order;
}

Pair arranged(const std::vector<int>& source, Arrange arrange) {
  Pair pair{source, {}, {}};
  const std::vector<int> order = arrange(source);
  for (std::size_t i = 0; i < order.size(); ++i) {
    pair.target.push_back(source[static_cast<std::size_t>(order[i])]);
    pair.alignment.emplace_back(static_cast<int>(i), order[i]);
  }
  return pair;
}

std::optional<Pair> draw_letters(Random& random, Part part, Lengths lengths, int symbols, Arrange arrange) {
  Pair pair;
  std::string text;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const int length = lengths.least + draw_below(random, lengths.most - lengths.least + 1);
    pair.source.clear();
    text.clear();
    for (int i = 0; i < length; ++i) {
      const int letter = draw_below(random, symbols);
      pair.source.push_back(kFirstWord + letter);
      text += static_cast<char>('a' + letter);
    }
    if (part_of(text) != part) continue;
    return arranged(pair.source, arrange);
  }
  return std::nullopt;
}

template <Arrange arrange>
Task make_letters(std::string_view name, const TaskOptions& options) {
  assert(options.symbols >= 2 && options.symbols <= 26);
  std::vector<std::string> letters;
  for (int i = 0; i < options.symbols; ++i) letters.emplace_back(1, static_cast<char>('a' + i));
  const Vocabulary vocabulary = Vocabulary::of(letters);
  Task task = character_task(name, vocabulary, vocabulary, options.lengths,
                             "small letters from a to " + vocabulary.words.back());
  task.draw = [symbols = options.symbols](Random& random, Part part, Lengths lengths) {
    return draw_letters(random, part, lengths, symbols, arrange);
  };
  task.solve = [](const std::vector<int>& source) { return arranged(source, arrange); };
  return task;
}

// ---- dates: of all ways to write one, the one of ISO 8601 ----

constexpr int kFirstYear = 1950, kYears = 100;  // two digits for a year name one of these

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

struct Date {
  int year, month, day;
};

int days_in(int year, int month) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }
std::string month_name(const Date& date) { return std::string(kMonths[static_cast<std::size_t>(date.month - 1)]); }

std::string iso(const Date& date) {
  return std::to_string(date.year) + "-" + two_digits(date.month) + "-" + two_digits(date.day);
}

using DateFormat = std::string (*)(const Date&);
constexpr DateFormat kDateFormats[] = {
    [](const Date& d) { return std::to_string(d.day) + " " + month_name(d) + " " + std::to_string(d.year); },
    [](const Date& d) {
      return std::to_string(d.day) + " " + month_name(d).substr(0, 3) + " " + std::to_string(d.year);
    },
    [](const Date& d) { return month_name(d) + " " + std::to_string(d.day) + ", " + std::to_string(d.year); },
    [](const Date& d) {
      return month_name(d).substr(0, 3) + " " + std::to_string(d.day) + ", " + std::to_string(d.year);
    },
    [](const Date& d) { return two_digits(d.day) + "/" + two_digits(d.month) + "/" + two_digits(d.year % 100); },
    [](const Date& d) { return two_digits(d.day) + "/" + two_digits(d.month) + "/" + std::to_string(d.year); },
    [](const Date& d) { return std::to_string(d.day) + "." + std::to_string(d.month) + "." + std::to_string(d.year); },
    iso,
};

// The date decides the part: none that is held out was ever seen, in whatever way it was written.
std::optional<Pair> draw_date(Random& random, Part part, Lengths lengths, const Vocabulary& source,
                              const Vocabulary& target) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Date date{.year = kFirstYear + draw_below(random, kYears), .month = 1 + draw_below(random, 12), .day = 1};
    date.day += draw_below(random, days_in(date.year, date.month));
    const DateFormat format = kDateFormats[static_cast<std::size_t>(draw_below(random, std::size(kDateFormats)))];
    const std::string written = format(date);
    if (part_of(iso(date)) == part && lengths.hold(written.size()))
      return Pair{tokens_of(source, written), tokens_of(target, iso(date)), {}};
  }
  return std::nullopt;
}

// The characters of all months and signs.
Vocabulary date_vocabulary() {
  std::string characters = "0123456789 ,./-";
  for (const std::string_view month : kMonths) characters += month;
  std::vector<std::string> words;
  for (const char c : characters)
    if (std::ranges::find(words, std::string(1, c)) == words.end()) words.emplace_back(1, c);
  return Vocabulary::of(words);
}

Task make_dates(std::string_view name, const TaskOptions& options) {
  const Vocabulary source = date_vocabulary();
  const Vocabulary target = Vocabulary::of(split_characters("0123456789-"));
  Task task = character_task(name, source, target, options.lengths,
                             "a date in digits and the English names of months, as in 12 March 1998 or 12/03/98");
  task.draw = [source, target](Random& random, Part part, Lengths lengths) {
    return draw_date(random, part, lengths, source, target);
  };
  return task;
}

constexpr Lengths kFrenchLengths{french::kFewestWords, french::kMostWords};

constexpr TaskDef kTasks[] = {
    {"copy", "", {1, 10}, {1, kMostWords}, make_letters<places>},
    {"reverse", "", {1, 10}, {1, kMostWords}, make_letters<places_reversed>},
    {"sort", "letters", {1, 10}, {1, kMostWords}, make_letters<places_sorted>},
    {"dates", "to 1998-03-12", {8, 18}, {8, 18}, make_dates},
    {"french", "English sentences", kFrenchLengths, kFrenchLengths, french::make_task},
};

}  // namespace

Vocabulary Vocabulary::of(std::span<const std::string> words) {
  Vocabulary vocabulary{{"[PAD]", "[START]", "[STOP]"}};
  vocabulary.words.insert(vocabulary.words.end(), words.begin(), words.end());
  return vocabulary;
}

std::optional<int> Vocabulary::find(std::string_view word) const {
  const auto found = std::ranges::find(words, word);
  if (found == words.end() || found - words.begin() < kFirstWord) return std::nullopt;
  return static_cast<int>(found - words.begin());
}

std::span<const TaskDef> task_definitions() { return kTasks; }

Result<const TaskDef*> find_task(std::string_view name) {
  const auto* const found = std::ranges::find(kTasks, name, &TaskDef::name);
  if (found != std::end(kTasks)) return found;
  return fail(io::quote(name) + " is not a task; a task is " +
              io::one_of(kTasks | std::views::transform(&TaskDef::name)) + ".");
}

Error no_pairs(std::string_view task, std::string_view kind, Lengths lengths) {
  const auto written = [](Lengths of) { return std::to_string(of.least) + " to " + std::to_string(of.most); };
  std::string text = "The task " + std::string(task) + " has no " + std::string(kind) + (kind.empty() ? "" : " ") +
                     "pairs of " + written(lengths) + " words; allow others";
  if (const Result<const TaskDef*> def = find_task(task)) text += ", of " + written((*def)->possible);
  return {text + "."};
}

std::vector<std::string> words_of(const Vocabulary& vocabulary, std::span<const int> tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(vocabulary.words[static_cast<std::size_t>(token)]);
  return words;
}

Part part_of(std::string_view text) { return hash_text(text) % 10 == 0 ? Part::held_out : Part::training; }

int draw_below(Random& random, int count) { return static_cast<int>(random.uniform() * count); }

}  // namespace limelight::learn
