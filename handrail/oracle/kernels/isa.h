// Which vector instructions the kernels use. Every set below is compiled into the same binary; the
// processor decides at run time which may be used, and the environment variable HANDRAIL_ISA may
// pin one of them. Sums are taken in another order with another width, so the last bits of a
// network depend on the set: who wants the same bits on two machines pins it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

// In order of width. The values are no part of any format: files hold the names.
enum class Isa : std::uint8_t {
  kPortable = 0,  // no vectors: any processor
  kSse4 = 1,
  kAvx2 = 2,  // with fused multiply-add
  kAvx512 = 3,
};

// "portable", "sse4", "avx2" or "avx512".
std::string_view to_text(Isa isa);

// What this processor can run, the narrowest first; never empty.
std::vector<Isa> supported_isas();

// The set of that name. Refuses names that are none, and sets that this processor does not have.
Result<Isa> isa_named(std::string_view name);

// What HANDRAIL_ISA names, else the widest that this processor has.
Result<Isa> chosen_isa();

}  // namespace handrail
