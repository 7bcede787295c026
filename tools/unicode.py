"""Writes src/io/unicode_tables.h: what tokenizers ask of the Unicode Character Database, from Python's own copy of it.

    python3 tools/unicode.py

Python 3.11, whose unicodedata is Unicode 14.0; another version is refused, so that the tables only change on purpose.
"""
import pathlib
import sys
import unicodedata

VERSION = "14.0.0"
LENGTH_BITS = 11  # of a packed range; the code point takes the other 21
LINE = 120


def ranges(code_points):
    """[first, length] of each run, none longer than a packed range can say."""
    result = []
    for c in code_points:
        if result and c == sum(result[-1]) and result[-1][1] < 1 << LENGTH_BITS:
            result[-1][1] += 1
        else:
            result.append([c, 1])
    return result


def packed(first, length):
    return first << LENGTH_BITS | (length - 1)


def table(out, type_name, name, numbers):
    cells = ["%d" % n if type_name == "std::int32_t" else "0x%X" % n for n in numbers]
    out.append(f"constexpr {type_name} {name}[] = {{")
    line = "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > LINE:
            out.append(line)
            line = "   "
        line += f" {cell},"
    out += [line, "};"]
    return len(numbers) * {"std::uint16_t": 2}.get(type_name, 4)


def category(*starts):
    return [c for c in range(0x110000) if unicodedata.category(chr(c)).startswith(starts)]


def lower_runs():
    """[first, length, stride, distance]: code points that many apart whose lower case is at that distance."""
    runs = []
    for c in range(0x110000):
        lower = chr(c).lower()
        if len(lower) != 1:  # only U+0130, which is in the code
            assert c == 0x130
            continue
        distance = ord(lower) - c
        if distance == 0:
            continue
        if runs and runs[-1][3] == distance and runs[-1][1] < 1 << (LENGTH_BITS - 1):
            first, length, stride, _ = runs[-1]
            if length == 1 and c - first in (1, 2):
                runs[-1][1:3] = [2, c - first]
                continue
            if length > 1 and c == first + length * stride:
                runs[-1][1] += 1
                continue
        runs.append([c, 1, 1, distance])
    return runs


def unmarked():
    """The full canonical decomposition of each code point without its nonspacing marks, where that is another text."""
    result = {}
    for c in range(0x110000):
        if 0xAC00 <= c <= 0xD7A3 or unicodedata.category(chr(c)) == "Mn":  # Hangul is computed; marks go altogether
            continue
        text = [d for d in unicodedata.normalize("NFD", chr(c)) if unicodedata.category(d) != "Mn"]
        if text != [chr(c)]:
            assert text
            result[c] = [ord(d) for d in text]
    return result


def checksum():
    """FNV-1a over what the tables say of every code point, for tests/unit/unicode_test.cpp; it does not look at them."""
    total = 14695981039346656037
    for c in range(0x110000):
        kind = unicodedata.category(chr(c))
        flags = [kind[0] == "L", kind[0] == "N", kind[0] == "P", kind == "Mn", kind in ("Cc", "Cf", "Co")]
        unmarked = [ord(d) for d in unicodedata.normalize("NFD", chr(c)) if unicodedata.category(d) != "Mn"]
        for n in [int("".join(str(int(f)) for f in flags), 2), *map(ord, chr(c).lower()), 0xFFFFFF, *unmarked, 0xFFFFFF]:
            for byte in n.to_bytes(3, "little"):
                total = (total ^ byte) * 1099511628211 % (1 << 64)
    return total


def main():
    if unicodedata.unidata_version != VERSION:
        sys.exit(f"This Python has Unicode {unicodedata.unidata_version}; {VERSION} is needed.")
    out = [f"// Written by tools/unicode.py from Unicode {VERSION}; not edited by hand. A range is first << 11 | length - 1.",
           "#pragma once", "", "#include <cstdint>", "", "namespace limelight::io::unicode {", "", "// clang-format off"]
    size = 0
    for name, starts in [("kLetters", "L"), ("kNumbers", "N"), ("kPunctuation", "P"), ("kNonspacingMarks", "Mn"),
                         ("kControlsAndFormats", ("Cc", "Cf"))]:
        size += table(out, "std::uint32_t", name, [packed(*r) for r in ranges(category(*[starts] if isinstance(starts, str) else starts))])

    runs = lower_runs()
    out.append("// Lower case: first << 11 | stride - 1 << 10 | length - 1, and how far away it is.")
    size += table(out, "std::uint32_t", "kLowerRuns", [f << LENGTH_BITS | (s - 1) << (LENGTH_BITS - 1) | (n - 1) for f, n, s, _ in runs])
    size += table(out, "std::int32_t", "kLowerDistances", [d for *_, d in runs])

    bases = unmarked()
    out.append("// Decomposed without nonspacing marks, where one code point is left: ranges, and where the targets of each begin.")
    for name, type_name, wanted in [("Narrow", "std::uint16_t", lambda c, b: max(c, b) < 0x10000),
                                    ("Wide", "std::uint32_t", lambda c, b: max(c, b) >= 0x10000)]:
        one = {c: b[0] for c, b in bases.items() if len(b) == 1 and wanted(c, b[0])}
        found = ranges(sorted(one))
        starts, total = [], 0
        for _, length in found:
            starts.append(total)
            total += length
        size += table(out, "std::uint32_t", f"k{name}Bases", [packed(*r) for r in found])
        size += table(out, "std::uint16_t", f"k{name}BaseStarts", starts)
        size += table(out, type_name, f"k{name}BaseTargets", [one[c] for c in sorted(one)])
    several = sorted((c, b) for c, b in bases.items() if len(b) > 1)
    longest = max(len(b) for _, b in several)
    assert longest == 3, longest
    out.append("// … and where two or three are left: itself and them, or 0.")
    out.append("constexpr std::uint32_t kSeveral[][4] = {")
    for c, b in several:
        out.append("    {" + ", ".join("0x%X" % n for n in [c, *b, *[0] * (3 - len(b))]) + "},")
    size += 16 * len(several)
    out += ["};", "// clang-format on", "", "}  // namespace limelight::io::unicode", ""]
    target = pathlib.Path(__file__).parent.parent / "src/io/unicode_tables.h"
    target.write_text("\n".join(out))
    print(f"{target}: {size} bytes of tables; checksum 0x{checksum():X}")


main()
