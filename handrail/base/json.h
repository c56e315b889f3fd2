// Writes JSON, one value after the other, into a text that the caller keeps and may reuse. Numbers
// read back as the same double; what JSON cannot say (NaN, infinities) becomes null.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace handrail {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);

  void value(double number);
  void value(std::unsigned_integral auto number) { integer(number); }
  void value(bool truth) = delete;  // write boolean(): a bool is too easily a pointer's conversion
  void value(const char*) = delete;
  void value(std::string_view text);
  void value(std::span<const double> numbers);
  // Null if there is none.
  void value(const std::optional<double>& number);
  void value(const std::optional<std::uint64_t>& number);
  void value(const std::optional<std::string>& text);
  void boolean(bool truth);
  void null();

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

 private:
  void integer(std::uint64_t number);
  void separate();

  std::string& out_;
  bool needs_comma_ = false;
};

// A field's name as tables have it: "baseline.arm" is the field `arm` of the object `baseline`.
struct NestedName {
  std::string_view object;  // empty for a field of the outer object
  std::string_view field;
};
constexpr NestedName nested_name(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {.object = {}, .field = name};
  return {.object = name.substr(0, dot), .field = name.substr(dot + 1)};
}

// Writes the keys of such fields: neighbours of the same object come into one. The names must
// outlive it.
class NestedKeys {
 public:
  explicit NestedKeys(JsonWriter& json) : json_(json) {}
  void key(std::string_view name);
  void end();  // behind the last field

 private:
  JsonWriter& json_;
  std::string_view open_;
};

}  // namespace handrail
