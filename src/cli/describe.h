// States and figures in words that other programs read.
#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"
#include "io/fields.h"
#include "io/json.h"

namespace limelight::cli {

// A field's value, given as text, as a number, a truth value or a text.
void write_field_value(io::JsonWriter& json, io::FieldKind kind, std::string_view text);

// {"width", "height", "elements": [{"id", "kind", "role", "label", "rect", "source", "edit"}]}
void write_figure(io::JsonWriter& json, const figure::Figure& figure);

}  // namespace limelight::cli
