// A field by its name and label, with what else there is to say of it, and its hint, which is one sentence.
#pragma once

#include <string_view>

#include "io/fields.h"

namespace limelight::scenes {

template <class T>
void add_field(io::FieldVisitor& field, std::string_view name, std::string_view label, io::Field one, T& value,
               std::string_view hint = {}) {
  one.name = name, one.label = label, one.hint = hint;
  field(one, value);
}

}  // namespace limelight::scenes
