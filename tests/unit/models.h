// The trained models of web/models, each read once.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limelight::test {

inline std::span<const std::byte> model_bytes(std::string_view name) {
  static std::map<std::string, std::vector<char>, std::less<>> read;
  auto found = read.find(name);
  if (found == read.end()) {
    const std::filesystem::path path = std::filesystem::path(LIMELIGHT_MODELS) / name;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes(file ? std::filesystem::file_size(path) : 0);
    REQUIRE_MESSAGE(file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())), path.string());
    found = read.emplace(name, std::move(bytes)).first;
  }
  return std::as_bytes(std::span(found->second));
}

}  // namespace limelight::test
