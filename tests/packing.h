// Packs bytes, for tests of what unpacks them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace handrail {

std::string packed_by_gzip(std::string_view bytes);

enum class Checksum : std::uint8_t { kAbsent = 0, kPresent = 1 };
std::string packed_by_zstd(std::string_view bytes, Checksum checksum = Checksum::kPresent);

}  // namespace handrail
