#include "handrail/oracle/kernels/sign_kernels.h"

#include <algorithm>
#include <limits>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/sign_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/sign_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

void arrange(SignByte* /*bytes*/, std::size_t /*count*/) {}

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

#else

HWY_INLINE void add_scaled(Ints ints, Vector scale, float* target) {
  const Vector sum = hn::MulAdd(hn::ConvertTo(kTag, ints), scale, hn::LoadU(kTag, target));
  hn::StoreU(sum, kTag, target);
}

// target += scale · 2^16 · sums.
HWY_INLINE void add_sums(const WordSums& sums, Vector scale, float* target) {
  add_scaled(lower_ints(sums.lower), scale, target);
  add_scaled(upper_ints(sums.lower), scale, target + kLanes);
  add_scaled(lower_ints(sums.upper), scale, target + 2 * kLanes);
  add_scaled(upper_ints(sums.upper), scale, target + 3 * kLanes);
}

#if HWY_TARGET == HWY_AVX3

// A sum of patterns grows from the one without that bit.
void fill_tables(const float (&steps)[kCopiesPerLookup], SignTables& tables) {
  for (std::size_t t = 0; t < SignTables::kWordTableCount; ++t) {
    const std::size_t first = t * SignTables::kCopiesPerWordTable;
    const std::size_t count = std::min(SignTables::kCopiesPerWordTable, kCopiesPerLookup - first);
    int sums[1 << SignTables::kCopiesPerWordTable] = {};
    for (std::size_t s = 0; s < count; ++s) sums[0] -= static_cast<int>(steps[first + s]);
    for (std::size_t s = 0; s < count; ++s) {
      const int step = static_cast<int>(steps[first + s]);
      for (std::size_t p = 0; p < std::size_t{1} << s; ++p) {
        sums[p + (std::size_t{1} << s)] = sums[p] + 2 * step;
      }
    }
    std::ranges::transform(sums, tables.words[t],
                           [](int sum) { return static_cast<std::int16_t>(sum); });
  }
}

template <std::size_t TABLES>
HWY_INLINE Words look_up_words(const Words (&tables)[TABLES], Bytes codes) {
  constexpr int kShift = SignTables::kCopiesPerWordTable;
  auto patterns = hn::BitCast(kUnsignedTag, codes);
  Words sums = hn::Zero(kWordTag);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < TABLES; ++t) {
    // The lowest five bits of each word are looked up.
    sums = hn::Add(sums, Words{_mm512_permutexvar_epi16(patterns.raw, tables[t].raw)});
    patterns = hn::ShiftRight<kShift>(patterns);
  }
  return sums;
}

template <std::size_t TABLES>
HWY_INLINE void add_steps_of(const SignTables& tables, float unit, const SignCodes& codes,
                             float* target, std::size_t count) {
  Words words[TABLES];
  for (std::size_t t = 0; t < TABLES; ++t) words[t] = hn::Load(kWordTag, tables.words[t]);
  const Vector scale = hn::Set(kTag, unit * 0x1p-16F);
  for (std::size_t i = 0; i < count; i += kBytes) {
    const Bytes first = hn::LoadU(kByteTag, codes.first + i);
    const Bytes second = hn::LoadU(kByteTag, codes.second + i);
    add_sums({look_up_words(words, hn::InterleaveLower(kByteTag, first, second)),
              look_up_words(words, hn::InterleaveUpper(kByteTag, first, second))},
             scale, target + i);
  }
}

void add_steps(const SignTables& tables, float unit, const SignCodes& codes, float* target,
               std::size_t count) {
  if (tables.copy_count <= 2 * SignTables::kCopiesPerWordTable) {
    return add_steps_of<2>(tables, unit, codes, target, count);
  }
  add_steps_of<SignTables::kWordTableCount>(tables, unit, codes, target, count);
}

#else

struct KeepBytes {
  HWY_INLINE hn::Vec<FourInts> operator()(hn::Vec<FourInts> sums) const { return sums; }
};

void fill_tables(const float (&steps)[kCopiesPerLookup], SignTables& tables) {
  for (std::size_t k = 0; k * SignTables::kCopiesPerTable < tables.copy_count; ++k) {
    fill_planes(steps + k * SignTables::kCopiesPerTable, KeepBytes(), tables.bytes[k]);
  }
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
    add_sums(sums, scale, target + i);
  }
}

void add_steps(const SignTables& tables, float unit, const SignCodes& codes, float* target,
               std::size_t count) {
  if (tables.copy_count <= 3 * SignTables::kCopiesPerTable) {
    return add_steps_of<3>(tables, unit, codes, target, count);
  }
  add_steps_of<4>(tables, unit, codes, target, count);
}

#endif

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

#endif

}  // namespace

const SignKernels& sign_table() {
  static constexpr SignKernels kTable{
      .arrange = arrange, .fill_tables = fill_tables, .add_steps = add_steps, .dots = dots};
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
