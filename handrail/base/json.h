// Writes JSON, one value after the other, into a text that the caller keeps and may reuse. Numbers
// read back as the same double; what JSON cannot say (NaN, infinities) becomes null.
#pragma once

#include <concepts>
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

}  // namespace handrail
