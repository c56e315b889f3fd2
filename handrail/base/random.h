// Randomness as a function: the same (seed, purpose, sequence, draw) gives the same numbers on
// every thread, in every process and in every replay. There is no generator to save, lock or
// restore.
#pragma once

#include <array>
#include <cstdint>

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

// Philox4x32-10 (Salmon et al. 2011).
PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key);

// Block number `draw` of a stream: key = seed, counter = (draw, sequence low, sequence high,
// purpose).
PhiloxCounter random_block(std::uint64_t seed, Purpose purpose, std::uint64_t sequence,
                           std::uint32_t draw);

// A cursor over one stream. Copy it to read the same numbers again.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t sequence)
      : seed_(seed), purpose_(purpose), sequence_(sequence) {}

  std::uint64_t bits64();
  double uniform();                          // in [0, 1), a multiple of 2^-53
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
