#include "handrail/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// Insertions, deletions and replacements that turn one text into the other (Wagner and Fischer).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(double value) {
  std::array<char, 32> buffer;
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  HANDRAIL_ASSERT(code == std::errc{});
  return std::string(buffer.data(), end);
}

std::optional<double> to_number(std::string_view text) {
  return parse_whole<double>(text);
}

std::optional<std::uint64_t> to_count(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text.append(i > 0 ? separator : "").append(parts[i]);
  return text;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  const std::vector<std::string_view> views(parts.begin(), parts.end());
  return join(views, separator);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t length = std::min(text.size(), kLongest);
  // Not in the middle of a character of UTF-8.
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) --length;
  return std::string(text.substr(0, length)) + (length < text.size() ? "..." : "");
}

bool is_utf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || length > bytes.size() - i) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(bytes[i + k]);
      if ((byte & 0xC0U) != 0x80U) return false;
      code = (code << 6) | (byte & 0x3FU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> known) {
  HANDRAIL_ASSERT(!known.empty());
  return *std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
}

}  // namespace handrail
