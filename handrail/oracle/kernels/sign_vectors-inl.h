// What the kernels of signs share where there are vectors: bytes that are looked up and grow into
// whole numbers. Included once for each instruction set, as vectors-inl.h is.
#if defined(HANDRAIL_ORACLE_KERNELS_SIGN_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HANDRAIL_ORACLE_KERNELS_SIGN_VECTORS_INL_H_
#undef HANDRAIL_ORACLE_KERNELS_SIGN_VECTORS_INL_H_
#else
#define HANDRAIL_ORACLE_KERNELS_SIGN_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using ByteTag = hn::Repartition<std::uint8_t, Tag>;
using WordTag = hn::Repartition<std::int16_t, Tag>;
using UnsignedTag = hn::Repartition<std::uint16_t, Tag>;
using IntTag = hn::RebindToSigned<Tag>;
using Bytes = hn::Vec<ByteTag>;
using Words = hn::Vec<WordTag>;
using Ints = hn::Vec<IntTag>;
constexpr ByteTag kByteTag;
constexpr WordTag kWordTag;
constexpr UnsignedTag kUnsignedTag;
constexpr IntTag kIntTag;
constexpr std::size_t kBytes = 4 * kLanes;

// Bytes grow to four bytes by interleaving within blocks of 16 bytes. So that neighbours come out
// side by side, four at a time go in by this order.
inline void arrange(std::uint8_t* bytes, std::size_t count) {
  constexpr std::size_t kBlocks = kLanes / 4;
  std::uint8_t copy[kBytes];
  for (; count > 0; count -= kBytes, bytes += kBytes) {
    std::copy(bytes, bytes + kBytes, copy);
    for (std::size_t block = 0; block < kBlocks; ++block) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint8_t* const from = copy + 4 * (k * kBlocks + block);
        std::copy(from, from + 4, bytes + 4 * (block * 4 + k));
      }
    }
  }
}

using FourInts = hn::FixedTag<std::int32_t, 4>;
constexpr FourInts kFourInts;

// The first PLANES bytes of spread(±n_0 ± n_1 ± n_2 ± n_3) for the 16 patterns of four signs and
// whole n. The sums come to `spread` with 2^22 added to them.
template <std::size_t PLANES, typename Spread>
HWY_INLINE void fill_planes(const float* n, Spread spread, std::uint8_t (&planes)[PLANES][16]) {
  constexpr hn::FixedTag<float, 4> kFour;
  constexpr hn::FixedTag<std::uint32_t, 4> kQuads;
  constexpr hn::FixedTag<std::uint64_t, 2> kPairs;
  constexpr hn::FixedTag<std::uint8_t, 16> kSixteen;
  alignas(16) static constexpr float kFirst[4] = {-1.0F, 1.0F, -1.0F, 1.0F};
  alignas(16) static constexpr float kSecond[4] = {-1.0F, -1.0F, 1.0F, 1.0F};
  // The bytes of four numbers, first the lowest of each.
  alignas(16) static constexpr std::uint8_t kBytewise[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                             2, 6, 10, 14, 3, 7, 11, 15};
  const auto low = hn::MulAdd(hn::Set(kFour, n[0]), hn::Load(kFour, kFirst),
                              hn::Mul(hn::Set(kFour, n[1]), hn::Load(kFour, kSecond)));
  const float high[4] = {-n[2] - n[3], n[2] - n[3], n[3] - n[2], n[2] + n[3]};
  const auto bytewise = hn::Load(kSixteen, kBytewise);
  // A number this large has no room for a fraction: the sum is in its last bits.
  const auto large = hn::Set(kFour, 0x1.8p23F);
  const auto block = [&](std::size_t b) HWY_ATTR {
    const auto sums = hn::Add(hn::Add(low, hn::Set(kFour, high[b])), large);
    const auto spread_sums = spread(hn::BitCast(kFourInts, sums));
    const auto bytes = hn::TableLookupBytes(hn::BitCast(kSixteen, spread_sums), bytewise);
    return hn::BitCast(kQuads, bytes);
  };
  const auto b0 = block(0);
  const auto b1 = block(1);
  const auto b2 = block(2);
  const auto b3 = block(3);
  const auto first = hn::BitCast(kPairs, hn::InterleaveLower(kQuads, b0, b1));
  const auto second = hn::BitCast(kPairs, hn::InterleaveLower(kQuads, b2, b3));
  hn::Store(hn::BitCast(kSixteen, hn::InterleaveLower(kPairs, first, second)), kSixteen, planes[0]);
  hn::Store(hn::BitCast(kSixteen, hn::InterleaveUpper(kPairs, first, second)), kSixteen, planes[1]);
  if constexpr (PLANES == 3) {
    const auto third = hn::BitCast(kPairs, hn::InterleaveUpper(kQuads, b0, b1));
    const auto fourth = hn::BitCast(kPairs, hn::InterleaveUpper(kQuads, b2, b3));
    hn::Store(hn::BitCast(kSixteen, hn::InterleaveLower(kPairs, third, fourth)), kSixteen,
              planes[2]);
  }
}

HWY_INLINE Bytes low_nibbles(Bytes codes) {
  return hn::And(codes, hn::Set(kByteTag, 15));
}

HWY_INLINE Bytes high_nibbles(Bytes codes) {
  const auto shifted = hn::ShiftRight<4>(hn::BitCast(kUnsignedTag, codes));
  return low_nibbles(hn::BitCast(kByteTag, shifted));
}

// Sums of neighbours as words, in two vectors.
struct WordSums {
  Words lower;
  Words upper;
};

HWY_INLINE WordSums look_up(Bytes low, Bytes high, Bytes pattern) {
  const Bytes l = hn::TableLookupBytes(low, pattern);
  const Bytes h = hn::TableLookupBytes(high, pattern);
  return {hn::BitCast(kWordTag, hn::InterleaveLower(kByteTag, l, h)),
          hn::BitCast(kWordTag, hn::InterleaveUpper(kByteTag, l, h))};
}

HWY_INLINE WordSums sum_of(const WordSums& a, const WordSums& b) {
  return {hn::Add(a.lower, b.lower), hn::Add(a.upper, b.upper)};
}

// Words as the upper halves of whole numbers: 2^16 times themselves, with no extension of signs.
HWY_INLINE Ints lower_ints(Words words) {
  return hn::BitCast(kIntTag, hn::InterleaveLower(kWordTag, hn::Zero(kWordTag), words));
}

HWY_INLINE Ints upper_ints(Words words) {
  return hn::BitCast(kIntTag, hn::InterleaveUpper(kWordTag, hn::Zero(kWordTag), words));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#endif
