#include "handrail/oracle/kernels/sign_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/sign_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

void arrange(SignByte* /*bytes*/, std::size_t /*count*/) {}

void arrange_turned(SignByte* /*rows*/, const TurnedSigns& /*shape*/) {}

void fill_tables(const float (&steps)[kCopiesPerLookup], SignTables& tables) {
  for (std::size_t k = 0; k < SignTables::kTableCount; ++k) {
    for (std::size_t pattern = 0; pattern < 16; ++pattern) {
      int sum = 0;
      for (std::size_t bit = 0; bit < SignTables::kCopiesPerTable; ++bit) {
        const auto step = static_cast<int>(steps[k * SignTables::kCopiesPerTable + bit]);
        sum += ((pattern >> bit) & 1) != 0 ? step : -step;
      }
      tables.bytes[k][0][pattern] = static_cast<std::uint8_t>(sum & 255);
      tables.bytes[k][1][pattern] = static_cast<std::uint8_t>((sum >> 8) & 255);
    }
  }
}

void add_steps(const SignTables& tables, float unit, const SignCodes& codes, float* target,
               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t patterns[SignTables::kTableCount] = {
        codes.first[i] & 15U, std::size_t{codes.first[i]} >> 4U, codes.second[i] & 15U,
        std::size_t{codes.second[i]} >> 4U};
    int sum = 0;
    for (std::size_t k = 0; k < SignTables::kTableCount; ++k) {
      const unsigned high = tables.bytes[k][1][patterns[k]];
      sum += static_cast<std::int16_t>(tables.bytes[k][0][patterns[k]] | high << 8U);
    }
    target[i] += unit * static_cast<float>(sum);
  }
}

void dots(const float* values, const SignByte* codes, std::size_t count, std::size_t copy_count,
          double* sums) {
  for (std::size_t s = 0; s < copy_count; ++s) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      sum += ((codes[i] >> s) & 1) != 0 ? values[i] : -values[i];
    }
    sums[s] += static_cast<double>(sum);
  }
}

void turned_dots(const TurnedSigns& signs, const float* inputs, float* dots) {
  std::fill(dots, dots + signs.stride, 0.0F);
  for (std::size_t i = 0; i < signs.row_count * kInputsPerByte; ++i) {
    const SignByte* const row = signs.rows + i / kInputsPerByte * signs.stride;
    for (std::size_t k = 0; k < signs.stride; ++k) {
      dots[k] += ((row[k] >> (i % kInputsPerByte)) & 1) != 0 ? inputs[i] : -inputs[i];
    }
  }
}

#else

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
void arrange(SignByte* bytes, std::size_t count) {
  constexpr std::size_t kBlocks = kLanes / 4;
  SignByte copy[kBytes];
  for (; count > 0; count -= kBytes, bytes += kBytes) {
    std::copy(bytes, bytes + kBytes, copy);
    for (std::size_t block = 0; block < kBlocks; ++block) {
      for (std::size_t k = 0; k < 4; ++k) {
        const SignByte* const from = copy + 4 * (k * kBlocks + block);
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

struct KeepBytes {
  HWY_INLINE hn::Vec<FourInts> operator()(hn::Vec<FourInts> sums) const { return sums; }
};

void fill_tables(const float (&steps)[kCopiesPerLookup], SignTables& tables) {
  for (std::size_t k = 0; k < tables.used_count; ++k) {
    fill_planes(steps + k * SignTables::kCopiesPerTable, KeepBytes(), tables.bytes[k]);
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

HWY_INLINE void add_scaled(Ints ints, Vector scale, float* target) {
  const Vector sum = hn::MulAdd(hn::ConvertTo(kTag, ints), scale, hn::LoadU(kTag, target));
  hn::StoreU(sum, kTag, target);
}

template <std::size_t TABLES>
HWY_INLINE void add_steps_of(const SignTables& tables, float unit, const SignCodes& codes,
                             float* target, std::size_t count) {
  Bytes low[TABLES];
  Bytes high[TABLES];
  for (std::size_t k = 0; k < TABLES; ++k) {
    low[k] = hn::LoadDup128(kByteTag, tables.bytes[k][0]);
    high[k] = hn::LoadDup128(kByteTag, tables.bytes[k][1]);
  }
  const Vector scale = hn::Set(kTag, unit * 0x1p-16F);
  for (std::size_t i = 0; i < count; i += kBytes) {
    const Bytes first = hn::LoadU(kByteTag, codes.first + i);
    const Bytes second = hn::LoadU(kByteTag, codes.second + i);
    WordSums sums = sum_of(look_up(low[0], high[0], low_nibbles(first)),
                           look_up(low[1], high[1], high_nibbles(first)));
    sums = sum_of(sums, look_up(low[2], high[2], low_nibbles(second)));
    if constexpr (TABLES == 4) {
      sums = sum_of(sums, look_up(low[3], high[3], high_nibbles(second)));
    }
    add_scaled(lower_ints(sums.lower), scale, target + i);
    add_scaled(upper_ints(sums.lower), scale, target + i + kLanes);
    add_scaled(lower_ints(sums.upper), scale, target + i + 2 * kLanes);
    add_scaled(upper_ints(sums.upper), scale, target + i + 3 * kLanes);
  }
}

void add_steps(const SignTables& tables, float unit, const SignCodes& codes, float* target,
               std::size_t count) {
  if (tables.used_count <= 3) return add_steps_of<3>(tables, unit, codes, target, count);
  add_steps_of<4>(tables, unit, codes, target, count);
}

// acc[s] += values with the signs of copies N − 1 … 0, which stand in the highest bits.
template <std::size_t N>
HWY_INLINE void flip_and_add(const float* values, Ints codes, Vector (&acc)[N]) {
  const Ints sign_bit = hn::Set(kIntTag, std::numeric_limits<std::int32_t>::min());
  const Vector value = hn::Neg(hn::LoadU(kTag, values));
  for (std::size_t s = N; s-- > 0;) {
    const Vector flip = hn::BitCast(kTag, hn::And(codes, sign_bit));
    acc[s] = hn::Add(acc[s], hn::Xor(value, flip));
    codes = hn::Add(codes, codes);
  }
}

// For the copies first … first + N − 1.
template <std::size_t N>
HWY_INLINE void dots_of(const float* values, const SignByte* codes, std::size_t count,
                        std::size_t first, double* sums) {
  Vector acc[N];
  for (std::size_t s = 0; s < N; ++s) acc[s] = hn::Zero(kTag);
  // The last copy's bit comes first.
  const auto shift = static_cast<int>(kCopiesPerByte - first - N);
  const auto grown = [shift](Ints ints) HWY_ATTR { return hn::ShiftLeftSame(ints, shift); };
  for (std::size_t i = 0; i < count; i += kBytes) {
    const Bytes bytes = hn::LoadU(kByteTag, codes + i);
    const Bytes zero = hn::Zero(kByteTag);
    const Words lower = hn::BitCast(kWordTag, hn::InterleaveLower(kByteTag, zero, bytes));
    const Words upper = hn::BitCast(kWordTag, hn::InterleaveUpper(kByteTag, zero, bytes));
    flip_and_add(values + i, grown(lower_ints(lower)), acc);
    flip_and_add(values + i + kLanes, grown(upper_ints(lower)), acc);
    flip_and_add(values + i + 2 * kLanes, grown(lower_ints(upper)), acc);
    flip_and_add(values + i + 3 * kLanes, grown(upper_ints(upper)), acc);
  }
  for (std::size_t s = 0; s < N; ++s) {
    sums[first + s] += static_cast<double>(hn::GetLane(hn::SumOfLanes(kTag, acc[s])));
  }
}

void dots(const float* values, const SignByte* codes, std::size_t count, std::size_t copy_count,
          double* sums) {
  std::size_t s = 0;
  for (; s + 4 <= copy_count; s += 4) dots_of<4>(values, codes, count, s, sums);
  for (; s + 2 <= copy_count; s += 2) dots_of<2>(values, codes, count, s, sums);
  for (; s < copy_count; ++s) dots_of<1>(values, codes, count, s, sums);
}

constexpr std::size_t kInputsPerTable = 4;
constexpr std::size_t kInputsPerLookup = kRowsPerLookup * kInputsPerByte;

#if HWY_TARGET == HWY_AVX3

// A vector holds what 16 patterns of four signs make of four inputs, and one instruction looks 16
// patterns up in it. So the signs of 32 inputs for one unit stand in one word.
using Patterns = hn::RebindToUnsigned<Tag>;
constexpr Patterns kPatterns;
constexpr std::size_t kTablesPerLookup = kInputsPerLookup / kInputsPerTable;

void arrange_turned(SignByte* rows, const TurnedSigns& shape) {
  const std::size_t size = kRowsPerLookup * shape.stride;
  std::vector<SignByte> copy(size);
  for (std::size_t row = 0; row < shape.row_count; row += kRowsPerLookup, rows += size) {
    std::copy(rows, rows + size, copy.begin());
    for (std::size_t k = 0; k < size; ++k) {
      rows[k] = copy[k % kRowsPerLookup * shape.stride + k / kRowsPerLookup];
    }
  }
}

HWY_INLINE Vector signed_sums(const float* inputs) {
  // Lane p has the sign that bit 0, 1, 2 or 3 of p stands for.
  alignas(64) static constexpr float kSigns[kInputsPerTable][16] = {
      {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1},
      {-1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1},
      {-1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1},
      {-1, -1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1}};
  Vector sums = hn::Zero(kTag);
  for (std::size_t i = 0; i < kInputsPerTable; ++i) {
    sums = hn::MulAdd(hn::Set(kTag, inputs[i]), hn::Load(kTag, kSigns[i]), sums);
  }
  return sums;
}

struct TurnedGroup {
  const std::uint8_t* words;
  std::size_t stride;
  const float* inputs;
  bool is_first;  // replaces the dots, does not add to them
};

template <std::size_t TABLES>
HWY_INLINE void look_up_group(const TurnedGroup& group, float* dots) {
  Vector tables[TABLES];
  for (std::size_t t = 0; t < TABLES; ++t) {
    tables[t] = signed_sums(group.inputs + t * kInputsPerTable);
  }
  for (std::size_t k = 0; k < group.stride; k += kLanes) {
    auto patterns = hn::BitCast(kPatterns, hn::LoadU(kByteTag, group.words + k * kRowsPerLookup));
    Vector sums = group.is_first ? hn::Zero(kTag) : hn::LoadU(kTag, dots + k);
#pragma GCC unroll 8
    for (std::size_t t = 0; t < TABLES; ++t) {
      // Reads the lowest four bits only, where Highway's own wants the others to be 0.
      sums = hn::Add(sums, Vector{_mm512_permutexvar_ps(patterns.raw, tables[t].raw)});
      patterns = hn::ShiftRight<kInputsPerTable>(patterns);
    }
    hn::StoreU(sums, kTag, dots + k);
  }
}

// look_up_group() for as many tables as are not all 0; at least one is.
template <std::size_t TABLES = kTablesPerLookup>
HWY_INLINE void look_up_tables(std::size_t count, const TurnedGroup& group, float* dots) {
  if constexpr (TABLES > 1) {
    if (count < TABLES) return look_up_tables<TABLES - 1>(count, group, dots);
  }
  look_up_group<TABLES>(group, dots);
}

void turned_dots(const TurnedSigns& signs, const float* inputs, float* dots) {
  TurnedGroup group{signs.rows, signs.stride, inputs, true};
  for (std::size_t row = 0; row < signs.row_count; row += kRowsPerLookup) {
    std::size_t count = kInputsPerLookup;
    while (count > 0 && group.inputs[count - 1] == 0.0F) --count;
    if (count > 0) {
      look_up_tables((count + kInputsPerTable - 1) / kInputsPerTable, group, dots);
      group.is_first = false;
    }
    group.words += kRowsPerLookup * signs.stride;
    group.inputs += kInputsPerLookup;
  }
  if (group.is_first) std::fill(dots, dots + signs.stride, 0.0F);
}

#else

// A sum of up to 32 inputs is looked up in eight tables of four. It is split into bytes that can be
// added up without a carry: 13 bits as a word that has room for eight of them, and above that 8
// bits with the sign.
constexpr std::size_t kPlanes = 3;
constexpr int kLowBits = 13;
constexpr float kMostUnits = 119.0F * (1 << kLowBits);  // 8 less than 127: parts are rounded down
struct SplitBits {
  HWY_INLINE hn::Vec<FourInts> operator()(hn::Vec<FourInts> sums) const {
    const auto lower = hn::And(sums, hn::Set(kFourInts, (1 << kLowBits) - 1));
    const auto upper = hn::And(hn::ShiftLeft<16 - kLowBits>(sums), hn::Set(kFourInts, 0xFF0000));
    return hn::Or(lower, upper);
  }
};
struct InputTables {
  alignas(16) std::uint8_t planes[2 * kRowsPerLookup][kPlanes][16];
  std::size_t count;  // up to the last with an input other than 0
  float unit;         // 0 if there is none
};

void fill_inputs(const float* inputs, std::size_t input_count, InputTables& tables) {
  while (input_count > 0 && inputs[input_count - 1] == 0.0F) --input_count;
  tables.count = (input_count + kInputsPerTable - 1) / kInputsPerTable;
  float sizes[kInputsPerTable] = {};
  for (std::size_t i = 0; i < tables.count * kInputsPerTable; i += kInputsPerTable) {
    for (std::size_t k = 0; k < kInputsPerTable; ++k) sizes[k] += std::abs(inputs[i + k]);
  }
  tables.unit = ((sizes[0] + sizes[1]) + (sizes[2] + sizes[3])) / kMostUnits;
  if (!std::isfinite(tables.unit)) tables.count = 0;  // what is no number makes the dots none
  if (tables.unit < std::numeric_limits<float>::min()) tables.unit = 0.0F;
  const float inverse = tables.unit > 0.0F ? 1.0F / tables.unit : 0.0F;
  for (std::size_t t = 0; t < tables.count; ++t) {
    // Rounds to whole numbers, which are small enough for it.
    const float shift = 0x1.8p23F;
    float whole[kInputsPerTable];
    for (std::size_t k = 0; k < kInputsPerTable; ++k) {
      whole[k] = (inputs[t * kInputsPerTable + k] * inverse + shift) - shift;
    }
    fill_planes(whole, SplitBits(), tables.planes[t]);
  }
}

// What eight tables add up to.
struct SplitSums {
  WordSums low;
  Bytes high;
};

HWY_INLINE void add_table(const std::uint8_t (&planes)[kPlanes][16], Bytes pattern,
                          SplitSums& sums) {
  const Bytes first = hn::LoadDup128(kByteTag, planes[0]);
  const Bytes second = hn::LoadDup128(kByteTag, planes[1]);
  const Bytes third = hn::LoadDup128(kByteTag, planes[2]);
  sums.low = sum_of(sums.low, look_up(first, second, pattern));
  sums.high = hn::Add(sums.high, hn::TableLookupBytes(third, pattern));
}

// `low` in the lower halves, `high` in the highest bytes.
HWY_INLINE Vector joined(Ints low, Ints high) {
  return hn::ConvertTo(kTag, hn::Add(hn::ShiftRight<24 - kLowBits>(high), low));
}

struct DotScale {
  Vector unit;
  Vector keep;  // all bits of what is there, or none
};

HWY_INLINE void store_dots(Vector sums, const DotScale& scale, float* dots) {
  const Vector before = hn::And(scale.keep, hn::LoadU(kTag, dots));
  hn::StoreU(hn::MulAdd(sums, scale.unit, before), kTag, dots);
}

HWY_INLINE void store_half(Words low, Bytes high, const DotScale& scale, float* dots) {
  const auto zero = hn::Zero(kWordTag);
  const Words words = hn::BitCast(kWordTag, high);
  const Ints lower = hn::BitCast(kIntTag, hn::InterleaveLower(kWordTag, low, zero));
  const Ints upper = hn::BitCast(kIntTag, hn::InterleaveUpper(kWordTag, low, zero));
  store_dots(joined(lower, lower_ints(words)), scale, dots);
  store_dots(joined(upper, upper_ints(words)), scale, dots + kLanes);
}

HWY_INLINE void store_split(const SplitSums& sums, const DotScale& scale, float* dots) {
  const Bytes zero = hn::Zero(kByteTag);
  store_half(sums.low.lower, hn::InterleaveLower(kByteTag, zero, sums.high), scale, dots);
  store_half(sums.low.upper, hn::InterleaveUpper(kByteTag, zero, sums.high), scale,
             dots + 2 * kLanes);
}

// Of up to four rows: adds to the dots, or replaces them.
void turned_dots_of(const TurnedSigns& signs, const InputTables& tables, bool is_first,
                    float* dots) {
  const DotScale scale{.unit = hn::Set(kTag, tables.unit),
                       .keep = hn::BitCast(kTag, hn::Set(kIntTag, is_first ? 0 : -1))};
  for (std::size_t k = 0; k < signs.stride; k += kBytes) {
    SplitSums sums{{hn::Zero(kWordTag), hn::Zero(kWordTag)}, hn::Zero(kByteTag)};
    const SignByte* row = signs.rows + k;
    std::size_t table = 0;
    for (; table + 2 <= tables.count; table += 2, row += signs.stride) {
      const Bytes codes = hn::LoadU(kByteTag, row);
      add_table(tables.planes[table], low_nibbles(codes), sums);
      add_table(tables.planes[table + 1], high_nibbles(codes), sums);
    }
    if (table < tables.count) {
      add_table(tables.planes[table], low_nibbles(hn::LoadU(kByteTag, row)), sums);
    }
    store_split(sums, scale, dots + k);
  }
}

void arrange_turned(SignByte* rows, const TurnedSigns& shape) {
  arrange(rows, shape.row_count * shape.stride);
}

void turned_dots(const TurnedSigns& signs, const float* inputs, float* dots) {
  InputTables tables;
  bool is_first = true;
  for (std::size_t row = 0; row < signs.row_count; row += kRowsPerLookup) {
    TurnedSigns some = signs;
    some.rows = signs.rows + row * signs.stride;
    some.row_count = kRowsPerLookup;
    fill_inputs(inputs + row * kInputsPerByte, kInputsPerLookup, tables);
    if (tables.unit == 0.0F) continue;
    turned_dots_of(some, tables, is_first, dots);
    is_first = false;
  }
  if (is_first) std::fill(dots, dots + signs.stride, 0.0F);
}

#endif

#endif

}  // namespace

const SignKernels& sign_table() {
  static constexpr SignKernels kTable{.arrange = arrange,
                                      .fill_tables = fill_tables,
                                      .add_steps = add_steps,
                                      .dots = dots,
                                      .arrange_turned = arrange_turned,
                                      .turned_dots = turned_dots};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const SignKernels& sign_kernels(Isa isa) {
  return table_of<SignKernels>(isa, HANDRAIL_EACH_ISA(sign_table()));
}

}  // namespace handrail
#endif
