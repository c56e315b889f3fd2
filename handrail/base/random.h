// Randomness as a function: the same (seed, purpose, sequence, draw) gives the same numbers on
// every thread, in every process and in every replay. There is no generator to save, lock or
// restore.
#pragma once

#include <array>
#include <cstdint>

#include "handrail/base/assert.h"

namespace handrail {

// What a stream is for. Streams of different purposes never share a number. The values are part of
// every recorded run: add new ones at the end, never renumber.
enum class Purpose : std::uint32_t {
  kArmSampling = 1,     // sequence: the decision
  kPolicy = 2,          // sequence: the decision
  kInitialisation = 3,  // sequence: layer and block
  kReplay = 4,          // sequence: the oracle's update
  kPerturbation = 5,    // sequence: the copy s; draw: the 128-bit group of signs
  kWorld = 6,           // what is fixed for a whole run
  kFeatures = 7,        // sequence: round and arm
  kNoise = 8,           // sequence: round and arm
  kDelay = 9,           // sequence: round and arm
  kShuffle = 10,        // sequence: pass and half of a place; draw: the round of the network
  kFlip = 11,           // sequence: round
  kTest = 1000,         // property tests only
};

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// Philox4x32-10 (Salmon et al. 2011). Here, so that it runs beside what surrounds its caller: it is
// a chain of multiplications that mostly waits for itself.
inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    counter = {high1 ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               high0 ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

// Block number `draw` of a stream: key = seed, counter = (draw, sequence low, sequence high,
// purpose).
inline PhiloxCounter random_block(std::uint64_t seed, Purpose purpose, std::uint64_t sequence,
                                  std::uint32_t draw) {
  return philox4x32(
      {draw, static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(sequence >> 32),
       static_cast<std::uint32_t>(purpose)},
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

// A cursor over one stream. Copy it to read the same numbers again.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t sequence)
      : seed_(seed), purpose_(purpose), sequence_(sequence) {}

  std::uint64_t bits64() {
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
  // In [0, 1), a multiple of 2^-53: 53 bits, so that it is exactly representable and below one.
  double uniform() { return static_cast<double>(bits64() >> 11) * 0x1.0p-53; }
  std::uint64_t below(std::uint64_t bound);  // uniform on {0, …, bound - 1}; bound ≤ 2^63
  double normal();                           // standard normal

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  std::uint64_t sequence_;
  std::uint32_t draw_ = 0;    // the next block
  std::uint32_t unread_ = 0;  // words of `block_` not given out yet
  PhiloxCounter block_{};
  double spare_normal_ = 0.0;  // the second of a Box-Muller pair
  bool has_spare_ = false;
};

}  // namespace handrail
