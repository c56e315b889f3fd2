#include "handrail/base/json.h"

#include <array>
#include <charconv>
#include <cmath>

namespace handrail {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out.push_back('\\');
    out.push_back(c);
  } else if (code < 0x20) {
    out.append("\\u00");
    out.push_back(kHex[code >> 4]);
    out.push_back(kHex[code & 15]);
  } else {
    out.push_back(c);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) append_escaped(out, c);
  out.push_back('"');
}

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  out.append(buffer.data(), end);
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) out_.push_back(',');
  needs_comma_ = true;
}

void JsonWriter::begin_object() {
  separate();
  out_.push_back('{');
  needs_comma_ = false;
}

void JsonWriter::end_object() {
  out_.push_back('}');
  needs_comma_ = true;
}

void JsonWriter::begin_array() {
  separate();
  out_.push_back('[');
  needs_comma_ = false;
}

void JsonWriter::end_array() {
  out_.push_back(']');
  needs_comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
}

void JsonWriter::value(double number) {
  separate();
  if (!std::isfinite(number)) {
    out_.append("null");
    return;
  }
  append_number(out_, number);
}

void JsonWriter::integer(std::uint64_t number) {
  separate();
  append_number(out_, number);
}

void JsonWriter::value(std::string_view text) {
  separate();
  append_quoted(out_, text);
}

void JsonWriter::value(std::span<const double> numbers) {
  begin_array();
  for (const double number : numbers) value(number);
  end_array();
}

void JsonWriter::value(const std::optional<double>& number) {
  if (!number.has_value()) return null();
  value(*number);
}

void JsonWriter::value(const std::optional<std::uint64_t>& number) {
  if (!number.has_value()) return null();
  value(*number);
}

void JsonWriter::value(const std::optional<std::string>& text) {
  if (!text.has_value()) return null();
  value(std::string_view(*text));
}

void JsonWriter::boolean(bool truth) {
  separate();
  out_.append(truth ? "true" : "false");
}

void JsonWriter::null() {
  separate();
  out_.append("null");
}

void NestedKeys::key(std::string_view name) {
  const auto [object, field] = nested_name(name);
  if (object != open_) {
    end();
    if (!object.empty()) {
      json_.key(object);
      json_.begin_object();
    }
    open_ = object;
  }
  json_.key(field);
}

void NestedKeys::end() {
  if (!open_.empty()) json_.end_object();
  open_ = {};
}

}  // namespace handrail
