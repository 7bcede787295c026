// What tokenizers ask of Unicode 14.0: categories, lower case, accents. The tables are in unicode_tables.h.
#pragma once

#include <string>

namespace limelight::io::unicode {

bool is_letter(char32_t c);           // category L
bool is_number(char32_t c);           // category N
bool is_punctuation(char32_t c);      // category P
bool is_nonspacing_mark(char32_t c);  // category Mn
// Categories Cc, Cf and Co: controls, invisible format characters such as joiners, private use.
bool is_control(char32_t c);
bool is_white_space(char32_t c);  // the property White_Space
// The blocks of Chinese characters that BERT's tokenizer puts spaces around (Devlin et al. 2018).
bool is_ideograph(char32_t c);

// Appends the lower case of one character, whatever stands beside it: "Σ" is always "σ", "İ" is "i" and a dot above.
void append_lower(std::u32string& text, char32_t c);
// Appends the character's full canonical decomposition without its nonspacing marks: "é" is "e", "각" its three jamo, a
// lone mark nothing. Marks of other categories are left in the order of the decomposition.
void append_without_marks(std::u32string& text, char32_t c);

}  // namespace limelight::io::unicode
