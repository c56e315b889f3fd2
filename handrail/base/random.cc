#include "handrail/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"

namespace handrail {

std::uint64_t RandomStream::below(std::uint64_t bound) {
  HANDRAIL_ASSERT(bound > 0 && bound <= std::uint64_t{1} << 63);
  // Draws of just enough bits; those that reach the bound are drawn again, at most half of them.
  const std::uint64_t mask = std::bit_ceil(bound) - 1;
  for (;;) {
    const std::uint64_t drawn = bits64() & mask;
    if (drawn < bound) return drawn;
  }
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace handrail
