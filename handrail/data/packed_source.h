// Unpackers over another source, each in the one file that sees its library. For byte_source.cc.
#pragma once

#include <memory>
#include <string>

#include "handrail/base/result.h"
#include "handrail/data/byte_source.h"

namespace handrail {

// Of what is read from the packed source at a time.
inline constexpr std::size_t kPackedBlockSize = std::size_t{1} << 16;

// `name` begins their errors.
Result<std::unique_ptr<ByteSource>> unpack_gzip(std::unique_ptr<ByteSource> packed,
                                                std::string name);
Result<std::unique_ptr<ByteSource>> unpack_zstd(std::unique_ptr<ByteSource> packed,
                                                std::string name);

}  // namespace handrail
