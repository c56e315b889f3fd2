// A shuffle as a function: which of `count` rows comes at a place, without a list that somebody has
// to keep. Any place of any pass can be asked for at any time, on any thread.
#pragma once

#include <cstdint>

namespace handrail {

// Where the row at `place` < `count` comes from, by (seed, pass): a permutation of {0, …, count −
// 1}, with 1 ≤ count ≤ 2^40. Pseudo-random, by a Feistel network of Philox over the next power of
// four, walked until it lands below `count`.
std::uint64_t shuffled(std::uint64_t place, std::uint64_t count, std::uint64_t seed,
                       std::uint64_t pass);

}  // namespace handrail
