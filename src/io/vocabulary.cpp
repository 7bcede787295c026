#include "io/vocabulary.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "io/utf8.h"

namespace limelight::io {

Result<Vocabulary> Vocabulary::make(std::vector<Entry> entries, std::string_view name) {
  const std::string file(name);
  if (entries.empty()) return fail(file + " has no tokens; a vocabulary has at least one.");
  if (entries.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return fail(file + " has more tokens than can be numbered; a vocabulary has fewer than 2³¹.");
  const auto count = static_cast<int>(entries.size());
  Vocabulary vocabulary;
  vocabulary.tokens_.resize(entries.size());
  std::vector<bool> taken(entries.size());
  for (Entry& entry : entries) {
    if (entry.id < 0 || entry.id >= count)
      return fail(file + " gives " + quote(entry.token) + " the id " + std::to_string(entry.id) + ", but has " +
                  std::to_string(count) + " tokens; their ids must be 0 to " + std::to_string(count - 1) +
                  " without a gap.");
    const auto at = static_cast<std::size_t>(entry.id);
    if (taken[at])
      return fail(file + " gives both " + quote(vocabulary.tokens_[at]) + " and " + quote(entry.token) + " the id " +
                  std::to_string(entry.id) + "; each token needs an id of its own.");
    taken[at] = true;
    vocabulary.tokens_[at] = std::move(entry.token);
  }
  for (int id = 0; id < count; ++id)
    if (!vocabulary.token(id).empty()) vocabulary.by_token_.push_back(id);
  const auto token = [&](int id) -> std::string_view { return vocabulary.token(id); };
  std::ranges::sort(vocabulary.by_token_, {}, token);
  const auto twice = std::ranges::adjacent_find(vocabulary.by_token_, {}, token);
  if (twice != vocabulary.by_token_.end())
    return fail(file + " has the token " + quote(token(*twice)) + " with the ids " + std::to_string(*twice) + " and " +
                std::to_string(*std::next(twice)) + "; each token needs one id.");
  return vocabulary;
}

std::optional<int> Vocabulary::find(std::string_view token) const {
  const auto spelled = [this](int id) -> std::string_view { return this->token(id); };
  const auto at = std::ranges::lower_bound(by_token_, token, {}, spelled);
  if (at == by_token_.end() || spelled(*at) != token) return std::nullopt;
  return *at;
}

}  // namespace limelight::io
