#include "handrail/env/shuffle.h"

#include <bit>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"

namespace handrail {
namespace {

// Four rounds make a Feistel network hard to tell from a random permutation (Luby and Rackoff
// 1988); the halves here may be a few bits only, where more rounds mix better.
constexpr std::uint32_t kRounds = 8;

// One permutation of {0, …, 4^half_bits − 1}.
std::uint64_t permute(std::uint64_t value, std::uint32_t half_bits, std::uint64_t seed,
                      std::uint64_t pass) {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  std::uint64_t left = value >> half_bits;
  std::uint64_t right = value & mask;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    // A half has at most 20 bits and a pass at most 40: both fit the stream's sequence.
    const PhiloxCounter block = random_block(seed, Purpose::kShuffle, (pass << 20) + right, round);
    const std::uint64_t mixed = left ^ (block[0] & mask);
    left = right;
    right = mixed;
  }
  return (left << half_bits) + right;
}

}  // namespace

std::uint64_t shuffled(std::uint64_t place, std::uint64_t count, std::uint64_t seed,
                       std::uint64_t pass) {
  HANDRAIL_ASSERT(place < count && count <= std::uint64_t{1} << 40);
  HANDRAIL_ASSERT(pass < std::uint64_t{1} << 40);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
  const std::uint32_t half_bits = bits < 2 ? 1 : (bits + 1) / 2;
  std::uint64_t value = place;
  do {  // the walk comes back to a value below `count` at the latest when it closes its cycle
    value = permute(value, half_bits, seed, pass);
  } while (value >= count);
  return value;
}

}  // namespace handrail
