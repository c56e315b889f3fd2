#include "handrail/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;

PhiloxCounter philox_round(const PhiloxCounter& c, const PhiloxKey& k) {
  const std::uint64_t product0 = std::uint64_t{kMultiplier0} * c[0];
  const std::uint64_t product1 = std::uint64_t{kMultiplier1} * c[2];
  const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
  const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
  return {high1 ^ c[1] ^ k[0], static_cast<std::uint32_t>(product1), high0 ^ c[3] ^ k[1],
          static_cast<std::uint32_t>(product0)};
}

}  // namespace

PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    counter = philox_round(counter, key);
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

PhiloxCounter random_block(std::uint64_t seed, Purpose purpose, std::uint64_t sequence,
                           std::uint32_t draw) {
  return philox4x32(
      {draw, static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(sequence >> 32),
       static_cast<std::uint32_t>(purpose)},
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

std::uint64_t RandomStream::bits64() {
  if (unread_ == 0) {
    block_ = random_block(seed_, purpose_, sequence_, draw_);
    ++draw_;
    HANDRAIL_ASSERT(draw_ != 0);  // 2^32 blocks of one stream: its numbers would start again.
    unread_ = 4;
  }
  const std::uint32_t first = 4 - unread_;
  unread_ -= 2;
  return block_[first] | (std::uint64_t{block_[first + 1]} << 32);
}

double RandomStream::uniform() {
  // 53 bits, so that the result is exactly representable and strictly below one.
  return static_cast<double>(bits64() >> 11) * 0x1.0p-53;
}

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
