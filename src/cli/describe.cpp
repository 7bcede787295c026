#include "cli/describe.h"

#include "io/numbers.h"

namespace limelight::cli {
namespace {

void write_rect(io::JsonWriter& json, const figure::Rect& rect) {
  json.begin_object().member("x", rect.x).member("y", rect.y).member("w", rect.w).member("h", rect.h).end_object();
}

void write_element(io::JsonWriter& json, const figure::Element& element) {
  json.begin_object();
  json.member("id", element.id)
      .member("kind", figure::name_of(element.shape))
      .member("role", figure::name_of(element.role));
  json.member("label", element.label);
  write_rect(json.key("rect"), element.rect);
  json.key("source");
  if (element.source) {
    json.begin_object().member("tensor", element.source->tensor);
    json.member("row", element.source->row).member("column", element.source->column).end_object();
  } else {
    json.null();
  }
  json.key("edit");
  if (element.edit)
    json.begin_object().member("field", element.edit->field).member("value", element.edit->value).end_object();
  else
    json.null();
  json.end_object();
}

}  // namespace

void write_field_value(io::JsonWriter& json, io::FieldKind kind, std::string_view text) {
  switch (kind) {
    case io::FieldKind::integer:
    case io::FieldKind::real:
      if (const Result<double> number = io::parse_number(text)) {
        json.value(*number);
        return;
      }
      break;
    case io::FieldKind::toggle:
      json.value(text == "on");
      return;
    case io::FieldKind::choice:
    case io::FieldKind::text:
    case io::FieldKind::cells:
    case io::FieldKind::order:
      break;
  }
  json.value(text);
}

void write_figure(io::JsonWriter& json, const figure::Figure& figure) {
  json.begin_object().member("width", figure.width).member("height", figure.height);
  json.key("elements").begin_array();
  for (const figure::Element& element : figure.elements) write_element(json, element);
  json.end_array().end_object();
}

}  // namespace limelight::cli
