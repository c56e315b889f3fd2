// Packs bytes, for tests of what unpacks them.
#pragma once

#include <string>
#include <string_view>

namespace handrail {

std::string packed_by_gzip(std::string_view bytes);
std::string packed_by_zstd(std::string_view bytes);  // with a checksum

}  // namespace handrail
