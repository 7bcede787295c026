#include "io/matrix_text.h"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>

namespace limelight::io {
namespace {

Matrix read(std::string_view text) {
  CAPTURE(text);
  const Result<Matrix> matrix = parse_matrix(text);
  if (!matrix) FAIL_CHECK(matrix.error().message);
  return matrix.value_or(Matrix());
}

std::string complaint(std::string_view text) {
  const Result<Matrix> matrix = parse_matrix(text);
  return matrix ? "" : matrix.error().message;
}

Matrix matrix(std::initializer_list<std::initializer_list<float>> rows) {
  Matrix m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.begin()->size()));
  Eigen::Index i = 0;
  for (const auto& row : rows) {
    Eigen::Index j = 0;
    for (const float value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

}  // namespace

TEST_CASE("pasted matrices: what NumPy, PyTorch, JSON, CSV and spreadsheets write is read to the same numbers") {
  const Matrix expected = matrix({{1, -2.5F}, {0.001F, 4}});
  for (const char* text : {
           "[[1, -2.5], [1e-3, 4]]",
           "[[1,-2.5],[1e-3,4]]\n",
           "array([[ 1.   , -2.5  ],\n       [ 0.001,  4.   ]])",
           "array([[1., -2.5], [0.001, 4.]], dtype=float32)",
           "W_q = np.array([[1, -2.5],\n                [1e-3, 4]])",
           "tensor([[1.0000, -2.5000],\n        [0.0010, 4.0000]], device='cuda:0')",
           "[[ 1.    -2.5  ]\n [ 0.001  4.   ]]",
           "[[1, \u22122.5], [0.001, 4,],]",
           "1,-2.5\n0.001,4",
           "1, -2.5\r\n0.001, 4\r\n",
           "1\t-2.5\n0.001\t4\n",
           "1\t-2,5\r\n0,001\t4\r\n",
           "1;-2,5\n0,001;4",
           "1 -2.5\n0.001   4",
           "  1 -2.5\n\n  .001 +4.\n\n",
           "\uFEFF1,-2.5\n0.001,4",
           "X,1,2\r\nshe,1,-2.5\r\n\"likes, \"\"it\"\"\",0.001,4\r\n",
           "\ta\tb\nx\t1\t-2,5\ny\t0,001\t4",
           "a,b\n1,-2.5\n0.001,4",
           "she 1 -2.5\nlikes 0.001 4",
       })
    CHECK(read(text) == expected);
  CHECK(read("[1, 2, 3]") == matrix({{1, 2, 3}}));
  CHECK(read("7") == matrix({{7}}));
  CHECK(read("1\n2\n3") == matrix({{1}, {2}, {3}}));
}

TEST_CASE("pasted matrices: what is wrong is said with its row and column") {
  const std::array<std::array<const char*, 2>, 33> cases{{
      {"[[1, 2], [3, x]]", "Row 2, column 2: \"x\" is not a number"},
      {"[[1, 2], [3]]", "Row 2 has 1 number and row 1 has 2"},
      {"[[1, 2], [3, 4]", "A bracket is not closed after row 2"},
      {"[[1, 2", "A bracket is not closed after row 1"},
      {"[", "A bracket is not closed after row 1"},
      {"[]", "no number"},
      {"[[]]", "no number"},
      {"[[[1, 2]]]", "a bracket too many"},
      {"[1, [2, 3]]", "a bracket in the middle"},
      {"[[1, 2], 3]", "After row 1 stands \"3\""},
      {"[[1, 2]]]", "After the last bracket stands \"]\""},
      {"__import__('os').system([[1]])", "Before the first bracket stands"},
      {"np.array([[1]]", "is not closed"},
      {"[[1, 2], ..., [3, 4]]", "left out"},
      {"[[nan, 1]]", "Row 1, column 1: \"nan\""},
      {"[[1e60]]", "Row 1, column 1: \"1e60\" is too large; numbers reach up to 3.4e38."},
      {"1,2\n3,x", "Row 2, column 2: \"x\""},
      {"1,2\n3,", "Row 2, column 2 is empty"},
      {"1,2\n3,4,5", "Row 2 has 3 numbers and row 1 has 2"},
      {"abc,2\n3,4", "Row 1, column 1: \"abc\""},
      {"1\t2\n3\t4.5.6", "Row 2, column 2: \"4.5.6\""},
      {"[[1,,2], [3,,4]]", "Row 1, column 2 is empty"},
      {"[[1, 2], [, 4]]", "Row 2, column 1 is empty"},
      {"[1, , 2]", "Row 1, column 2 is empty"},
      {"nan nan\n1 2", "Row 1, column 1: \"nan\""},
      {"-inf,0.5\n-inf,0.5", "Row 1, column 1: \"-inf\""},
      {"1e999\t1\n1e999\t2", "Row 1, column 1: \"1e999\" is too large; numbers reach up to 3.4e38."},
      {"0x10\n1", "Row 1, column 1: \"0x10\""},
      {"a,b\nNaN,1\nInfinity,2", "Row 2, column 1: \"NaN\""},
      {"\u22121.5.2 3\n4 5", "Row 1, column 1: \"\u22121.5.2\""},
      {"\"1,2\n3,4", "A quotation mark in row 1 is not closed"},
      {"", "no number"},
      {" \n\t\n", "Row 1, column 1 is empty"},
  }};
  for (const auto& [text, words] : cases) {
    const std::string said = complaint(text);
    CAPTURE(text);
    CAPTURE(said);
    CHECK(said.find(words) != std::string::npos);
    CHECK(said.ends_with('.'));
  }
  CHECK(complaint(std::string(kLongestMatrixText + 1, '1')).find("1000001 bytes") != std::string::npos);
}

TEST_CASE("pasted matrices: texts put together at random from the right pieces are read or refused with a sentence") {
  const std::array<std::string_view, 22> pieces = {"[",    "]",      "[[",   "]]",  ",",  " ",           "\n", "\t",
                                                   ";",    "1",      "-2.5", "x",   "(",  "...",         ")",  "\"",
                                                   "1e99", "array(", "\xFF", "0,5", "\r", "\xE2\x88\x92"};
  std::mt19937 random(4);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned i = random() % 16; i > 0; --i) text += pieces[random() % pieces.size()];
    const Result<Matrix> matrix = parse_matrix(text);
    CAPTURE(text);
    read += matrix.has_value() ? 1 : 0;
    if (matrix) CHECK((matrix->size() > 0 && matrix->allFinite()));
    if (!matrix && !matrix.error().message.ends_with('.')) CHECK(matrix.error().message == "a sentence.");
  }
  CHECK(read > 100);
}

}  // namespace limelight::io
