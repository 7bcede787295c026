#include "io/npy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using limelight::Matrix;
using limelight::io::Array;
using limelight::io::read_npy;
using limelight::io::read_npy_array;
using limelight::io::read_npy_mask;
using limelight::io::write_npy;

namespace {

using namespace std::string_literals;

// Written by NumPy 1.24 (numpy.lib.format.write_array): [[1, -2.5, 3], [4, 5, 0.1]] as '<f4' in C order, version 1.0 …
const std::string kFloat32 =
    "\x93NUMPY\x01\x00\x76\x00"s + "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
    std::string(58, ' ') + "\n" +
    "\x00\x00\x80\x3f\x00\x00\x20\xc0\x00\x00\x40\x40\x00\x00\x80\x40\x00\x00\xa0\x40\xcd\xcc\xcc\x3d"s;

// … and as '>f8' in Fortran order, version 2.0.
const std::string kFloat64 =
    "\x93NUMPY\x02\x00\x74\x00\x00\x00"s + "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }" +
    std::string(57, ' ') + "\n" +
    "\x3f\xf0\x00\x00\x00\x00\x00\x00\x40\x10\x00\x00\x00\x00\x00\x00\xc0\x04\x00\x00\x00\x00\x00\x00"s +
    "\x40\x14\x00\x00\x00\x00\x00\x00\x40\x08\x00\x00\x00\x00\x00\x00\x3f\xb9\x99\x99\x99\x99\x99\x9a"s;

Matrix golden() {
  Matrix matrix(2, 3);
  matrix << 1, -2.5F, 3, 4, 5, 0.1F;
  return matrix;
}

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes;
  for (char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

// A file of version `major` with this header text and these data.
std::string file(const std::string& header, const std::string& data, int major = 1) {
  std::string text = "\x93NUMPY"s + static_cast<char>(major) + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) text += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return text + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran_order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }\n";
}

// The bytes live in a heap block of exactly their size, so that a sanitizer sees a read past the end.
limelight::Result<Matrix> read(const std::string& text) { return read_npy(bytes_of(text), "q.npy"); }

std::string complaint(const std::string& text) {
  const auto result = read(text);
  return result ? "" : result.error().message;
}

bool reads_golden(const std::string& text) {
  const auto result = read(text);
  return result && result->rows() == 2 && result->cols() == 3 && *result == golden();
}

const std::string kZeros(24, '\0');  // six float32

}  // namespace

TEST_CASE("npy: what NumPy writes is read, in both precisions, byte orders and layouts") {
  CHECK(reads_golden(kFloat32));
  CHECK(reads_golden(kFloat64));
}

TEST_CASE("npy: all four float types and both orders hold the same matrix") {
  const std::array<double, 6> c_order = {1, -2.5, 3, 4, 5, 0.1};
  const std::array<double, 6> fortran_order = {1, 4, -2.5, 5, 3, 0.1};
  for (const std::string descr : {"<f4", ">f4", "<f8", ">f8"}) {
    for (const bool fortran : {false, true}) {
      std::string data;
      for (double value : fortran ? fortran_order : c_order) {
        const bool single = descr[2] == '4';
        const std::uint64_t bits =
            single ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : std::bit_cast<std::uint64_t>(value);
        std::string item;
        for (int i = 0; i < (single ? 4 : 8); ++i) item += static_cast<char>(bits >> (8 * i) & 0xFF);
        if (descr[0] == '>') std::ranges::reverse(item);
        data += item;
      }
      CAPTURE(descr);
      CHECK(reads_golden(file(header("'" + descr + "'", "(2, 3)", fortran ? "True" : "False"), data)));
    }
  }
}

TEST_CASE("npy: what is written is read back the same, as NumPy would have written it") {
  std::string text;
  for (std::byte byte : write_npy(golden())) text += static_cast<char>(byte);
  CHECK(text == kFloat32);
  Matrix big = Matrix::Random(129, 33);
  big(0, 0) = -0.0F;
  big(1, 0) = std::numeric_limits<float>::denorm_min();
  big(2, 0) = std::numeric_limits<float>::max();
  const auto same = read_npy(write_npy(big), "w.npy");
  CHECK((same && *same == big));
  const auto part = read_npy(write_npy(big.block(3, 5, 7, 2)), "w.npy");
  CHECK((part && *part == big.block(3, 5, 7, 2)));
}

TEST_CASE("npy: data begin at a multiple of 64 bytes, whatever the shape") {
  for (int rows = 1; rows < 100'000; rows *= 3)
    CHECK((write_npy(Matrix::Zero(rows, 1)).size() - 4u * static_cast<unsigned>(rows)) % 64 == 0);
}

TEST_CASE("npy: the header's keys come in any order, with any spaces, quotes and trailing commas, in every version") {
  for (const std::string& dict : {
           "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}"s,
           " { \"shape\" : ( 2 , 3 , ) ,\n'descr': \"<f4\" , 'fortran_order' :False , } \n"s,
       }) {
    for (int version : {1, 2, 3}) {
      CAPTURE(dict);
      CHECK(complaint(file(dict, kZeros, version)) == "");
    }
  }
}

TEST_CASE("npy: arrays of one to four dimensions are read in both orders, the last index running fastest") {
  for (const std::vector<Eigen::Index>& shape :
       std::vector<std::vector<Eigen::Index>>{{5}, {3, 2}, {2, 3, 4}, {2, 3, 1, 5}}) {
    std::string sizes;
    Eigen::Index count = 1;
    for (const Eigen::Index size : shape) {
      sizes += std::to_string(size) + ", ";
      count *= size;
    }
    for (const bool fortran : {false, true}) {
      // Each item holds its own index in C order. In Fortran order the first index runs fastest.
      std::vector<float> stored(static_cast<std::size_t>(count));
      for (Eigen::Index i = 0; i < count; ++i) {
        Eigen::Index place = 0, stride = 1, inner = count;
        for (const Eigen::Index size : shape) {
          inner /= size;
          place += i / inner % size * stride;
          stride *= size;
        }
        stored[static_cast<std::size_t>(fortran ? place : i)] = static_cast<float>(i);
      }
      std::string data;
      for (const float value : stored)
        for (int shift = 0; shift < 32; shift += 8)
          data += static_cast<char>(std::bit_cast<std::uint32_t>(value) >> shift & 0xFF);
      CAPTURE(sizes);
      CAPTURE(fortran);
      const auto array =
          read_npy_array(bytes_of(file(header("'<f4'", "(" + sizes + ")", fortran ? "True" : "False"), data)), "q.npy");
      REQUIRE(array);
      CHECK(array->shape == shape);
      for (Eigen::Index i = 0; i < count; ++i) CHECK(array->data[static_cast<std::size_t>(i)] == static_cast<float>(i));
      const auto again = read_npy_array(write_npy(*array), "w.npy");
      REQUIRE(again);
      CHECK((again->shape == array->shape && again->data == array->data));
    }
  }
}

TEST_CASE("npy: an array of two dimensions is written as the matrix is") {
  CHECK(write_npy(Array{{2, 3}, {1, -2.5F, 3, 4, 5, 0.1F}}) == write_npy(golden()));
}

TEST_CASE("npy: an array's mistakes are named as a matrix's are") {
  const auto with = [](const std::string& text) {
    const auto array = read_npy_array(bytes_of(text), "q.npy");
    return array ? "" : array.error().message;
  };
  CHECK(with(file(header("'<f4'", "()"), kZeros)) == "q.npy has 0 dimensions, shape (); one to four are needed.");
  CHECK(with(file(header("'<f4'", "(1, 1, 1, 2, 3)"), kZeros)) ==
        "q.npy has 5 dimensions, shape (1, 1, 1, 2, 3); one to four are needed.");
  CHECK(with(file(header("'<f4'", "(2, 0, 3)"), "")) ==
        "q.npy has no numbers: its shape is (2, 0, 3); at least one is needed.");
  CHECK(with(file(header("'<f4'", "(2097152, 2097152, 2097152, 2)"), kZeros)).find("more than any file can hold") !=
        std::string::npos);
  CHECK(with(file(header("'<f4'", "(1, 2, 2)"), kZeros)) ==
        "q.npy is too long: after its header 16 bytes are expected, 24 were found.");
  CHECK(with(file(header("'|b1'", "(6,)"), kZeros)) == "q.npy holds bool ('|b1'); float32 or float64 is needed.");
  CHECK(with(file(header("'<f4'", "(1, 3, 2)"), kZeros.substr(0, 16) + "\0\0\xc0\x7f\0\0\0\0"s)) ==
        "q.npy holds nan at [0, 2, 0]; every value must be finite and at most 3.4e38 in size, as float32 is.");
}

TEST_CASE("npy: a mask is a matrix of bool, in both orders, and nothing else") {
  limelight::BoolMatrix expected(2, 3);
  expected << true, false, true, false, false, true;
  const auto read = [](const std::string& text) { return read_npy_mask(bytes_of(text), "m.npy"); };
  const auto c_order = read(file(header("'|b1'", "(2, 3)"), "\1\0\1\0\0\1"s));
  CHECK((c_order && *c_order == expected));
  const auto fortran_order = read(file(header("'|b1'", "(2, 3)", "True"), "\1\0\0\0\1\1"s));
  CHECK((fortran_order && *fortran_order == expected));
  const auto any_byte = read(file(header("'|b1'", "(1, 2)"), "\xff\0"s));
  CHECK((any_byte && (*any_byte)(0, 0) && !(*any_byte)(0, 1)));

  const auto message = [&](const std::string& text) {
    const auto mask = read(text);
    return mask ? "" : mask.error().message;
  };
  CHECK(message(file(header("'<f4'", "(2, 3)"), kZeros)) == "m.npy holds float32 ('<f4'); bool is needed.");
  CHECK(message(file(header("'>f8'", "(1, 3)"), kZeros)) == "m.npy holds float64 ('>f8'); bool is needed.");
  CHECK(message(file(header("'|u1'", "(2, 3)"), kZeros)) == "m.npy holds uint8 ('|u1'); bool is needed.");
  CHECK(message(file(header("'|b1'", "(6,)"), kZeros)) ==
        "m.npy has 1 dimension, shape (6,); two are needed: (rows, columns).");
  CHECK(message(file(header("'|b1'", "(2, 3)"), "\1\0\1\0\0"s)) ==
        "m.npy is truncated: after its header 6 bytes are expected, 5 were found.");
}

TEST_CASE("npy: a header that is not exactly that dict is refused and quoted") {
  for (const std::string& dict : {
           ""s,
           "{}"s,
           "{'descr': '<f4'}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)"s,
           "{'fortran_order': False, 'shape': (2, 3)}"s,
           "{'descr': '<f4', 'shape': (2, 3)}"s,
           "{'descr': '<f4', 'fortran_order': False}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'extra': 1}"s,
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}"s,
           "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}"s,
           "{'descr': '<f4',, 'fortran_order': False, 'shape': (2, 3)}"s,
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, -3)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 3)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}"s,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} import os"s,
           "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2, 3)}"s,
           "{'descr': None, 'fortran_order': False, 'shape': (2, 3)}"s,
       }) {
    CAPTURE(dict);
    CHECK(complaint(file(dict, kZeros)).starts_with("q.npy has a broken header: \""));
  }
}

TEST_CASE("npy: another dtype is refused by its name and code, a pickle among them") {
  const auto with = [](const std::string& descr) { return complaint(file(header(descr, "(2, 3)"), kZeros)); };
  CHECK(with("'<i8'") == "q.npy holds int64 ('<i8'); float32 or float64 is needed.");
  CHECK(with("'|b1'") == "q.npy holds bool ('|b1'); float32 or float64 is needed.");
  CHECK(with("'|O'") == "q.npy holds Python objects ('|O'); float32 or float64 is needed.");
  CHECK(with("'<f2'") == "q.npy holds float16 ('<f2'); float32 or float64 is needed.");
  CHECK(with("'<c16'") == "q.npy holds complex128 ('<c16'); float32 or float64 is needed.");
  CHECK(with("'<U7'") == "q.npy holds text ('<U7'); float32 or float64 is needed.");
  CHECK(with("'|f4'") == "q.npy holds the type '|f4'; float32 or float64 is needed.");
  CHECK(with("''") == "q.npy holds the type ''; float32 or float64 is needed.");
  CHECK(with("[('a', '<f4')]") == "q.npy holds records; float32 or float64 is needed.");
}

TEST_CASE("npy: any number of dimensions but two is refused, and the shape is named") {
  const auto with = [](const std::string& shape) { return complaint(file(header("'<f4'", shape), kZeros)); };
  CHECK(with("()") == "q.npy has 0 dimensions, shape (); two are needed: (rows, columns).");
  CHECK(with("(6,)") == "q.npy has 1 dimension, shape (6,); two are needed: (rows, columns).");
  CHECK(with("(1, 2, 3)") == "q.npy has 3 dimensions, shape (1, 2, 3); two are needed: (rows, columns).");
}

TEST_CASE("npy: an array without rows or columns is refused") {
  const auto with = [](const std::string& shape) { return complaint(file(header("'<f4'", shape), "")); };
  CHECK(with("(0, 3)") == "q.npy has no rows: its shape is (0, 3); at least one is needed.");
  CHECK(with("(2, 0)") == "q.npy has no columns: its shape is (2, 0); at least one is needed.");
}

TEST_CASE("npy: sizes that overflow or that the data do not bear out are refused before anything is allocated") {
  const auto with = [](const std::string& shape) { return complaint(file(header("'<f4'", shape), kZeros)); };
  CHECK(with("(4611686018427387904, 4)").find("more than any file can hold") != std::string::npos);
  CHECK(with("(4294967296, 4294967296)").find("more than any file can hold") != std::string::npos);
  CHECK(with("(99999999999999999999999, 1)").find("more than any file can hold") != std::string::npos);
  CHECK(with("(1, 2305843009213693951)").find("is truncated") != std::string::npos);
  CHECK(with("(2, 4)") == "q.npy is truncated: after its header 32 bytes are expected, 24 were found.");
  CHECK(with("(2, 2)") == "q.npy is too long: after its header 16 bytes are expected, 24 were found.");
}

TEST_CASE("npy: what is not .npy, or a version to come, is told from what is cut short") {
  CHECK(complaint("") == "q.npy is empty; a .npy file, as numpy.save writes it, is needed.");
  CHECK(complaint("PK\x03\x04 an archive") == "q.npy is not a .npy file; numpy.save writes one.");
  CHECK(complaint("1") == "q.npy is not a .npy file; numpy.save writes one.");
  CHECK(complaint("\x93NUM") == "q.npy is truncated: 8 bytes are expected, 4 were found.");
  CHECK(complaint("\x93NUMPY\x01\x00\x76"s) == "q.npy is truncated: 10 bytes are expected, 9 were found.");
  CHECK(complaint(kFloat32.substr(0, 100)) == "q.npy is truncated: 128 bytes are expected, 100 were found.");
  CHECK(complaint("\x93NUMPY\x01\x01\x00\x00"s) == "q.npy has .npy version 1.1; 1.0, 2.0 or 3.0 is needed.");
  CHECK(complaint(file("", "", 4)) == "q.npy has .npy version 4.0; 1.0, 2.0 or 3.0 is needed.");
  CHECK(complaint("\x93NUMPY\x02\x00\xff\xff\xff\xff"s) ==
        "q.npy is truncated: 4294967307 bytes are expected, 12 were found.");
}

TEST_CASE("npy: a value that float32 cannot hold is refused, and where it stands is named") {
  const std::string three = header("'>f8'", "(1, 3)");
  const std::string ones = "\x3f\xf0\0\0\0\0\0\0\x3f\xf0\0\0\0\0\0\0"s;
  const std::string advice = " at [0, 2]; every value must be finite and at most 3.4e38 in size, as float32 is.";
  CHECK(complaint(file(three, ones + "\x7f\xf0\0\0\0\0\0\0"s)) == "q.npy holds inf" + advice);
  CHECK(complaint(file(three, ones + "\xff\xf0\0\0\0\0\0\0"s)) == "q.npy holds -inf" + advice);
  CHECK(complaint(file(three, ones + "\x7f\xf8\0\0\0\0\0\0"s)) == "q.npy holds nan" + advice);
  CHECK(complaint(file(three, ones + "\x47\xf0\0\0\0\0\0\0"s)) == "q.npy holds 3.402823669209385e+38" + advice);
}

TEST_CASE("npy: a file cut off anywhere is refused with a sentence") {
  for (const std::string& whole : {kFloat32, kFloat64}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      CAPTURE(length);
      const std::string message = complaint(whole.substr(0, length));
      CHECK(message.starts_with(length == 0 ? "q.npy is empty" : "q.npy is truncated: "));
      CHECK(message.ends_with('.'));
    }
  }
}

TEST_CASE("npy: whatever one byte of the header becomes, it is read or refused with a sentence, never a crash") {
  int refused = 0;
  for (const std::string& whole : {kFloat32, kFloat64}) {
    for (std::size_t at = 0; at < 130; ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string corrupt = whole;
        corrupt[at] = static_cast<char>(value);
        const auto result = read(corrupt);
        if (result) continue;
        ++refused;
        if (!result.error().message.ends_with('.')) CHECK(result.error().message == "a sentence.");
      }
    }
  }
  CHECK(refused > 30'000);  // most single bytes matter; the rest are padding and spaces
}

TEST_CASE("npy: headers put together at random from the right pieces never crash") {
  const std::array<std::string, 22> pieces = {"{",       "}",
                                              "(",       ")",
                                              ",",       ":",
                                              " ",       "'",
                                              "\"",      "[",
                                              "]",       "\\",
                                              "'descr'", "'fortran_order'",
                                              "'shape'", "'<f4'",
                                              "True",    "False",
                                              "2",       "18446744073709551616",
                                              "0",       "\n"};
  std::mt19937 random(4);
  for (int round = 0; round < 5000; ++round) {
    std::string dict = "{";
    for (unsigned i = random() % 24; i > 0; --i) dict += pieces[random() % pieces.size()];
    const std::string message = complaint(file(dict, kZeros));
    if (!message.empty() && !message.ends_with('.')) CHECK(message == "a sentence.");
  }
}
