#include "handrail/oracle/kernels/sign_kernels.h"

#include <algorithm>
#include <cstring>
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

void arrange_words(SignWord* /*words*/, std::size_t /*count*/) {}

void fill_tables(const float (&steps)[kCopiesPerWord], SignTables& tables) {
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

void add_steps(const SignTables& tables, float unit, const SignWord* words, float* target,
               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    int sum = 0;
    for (std::size_t k = 0; k < SignTables::kTableCount; ++k) {
      const std::size_t pattern = (words[i] >> (k * SignTables::kCopiesPerTable)) & 15U;
      const unsigned high = tables.bytes[k][1][pattern];
      sum += static_cast<std::int16_t>(tables.bytes[k][0][pattern] | high << 8U);
    }
    target[i] += unit * static_cast<float>(sum);
  }
}

void dots(const float* values, const SignWord* words, std::size_t count, std::size_t copy_count,
          double* sums) {
  for (std::size_t s = 0; s < copy_count; ++s) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      sum += ((words[i] >> s) & 1) != 0 ? values[i] : -values[i];
    }
    sums[s] += static_cast<double>(sum);
  }
}

#else

HWY_INLINE void add_scaled(Ints ints, Vector scale, float* target) {
  const Vector sum = hn::MulAdd(hn::ConvertTo(kTag, ints), scale, hn::LoadU(kTag, target));
  hn::StoreU(sum, kTag, target);
}

#if HWY_TARGET == HWY_AVX3

// A whole number holds the words of two parameters, kLanes apart.
void arrange_words(SignWord* words, std::size_t count) {
  constexpr std::size_t kWords = 2 * kLanes;
  SignWord copy[kWords];
  for (; count > 0; count -= kWords, words += kWords) {
    std::copy(words, words + kWords, copy);
    for (std::size_t i = 0; i < kWords; ++i) words[i] = copy[i % 2 * kLanes + i / 2];
  }
}

HWY_INLINE Ints load_words(const SignWord* words) {
  return hn::BitCast(kIntTag, hn::LoadU(kUnsignedTag, words));
}

// The words of 4 kLanes parameters, with the sign of copy `last` in the highest bit.
HWY_INLINE void grow(const SignWord* words, std::size_t last, Ints (&grown)[4]) {
  const auto shift = static_cast<int>(kCopiesPerWord - 1 - last);
  for (std::size_t i = 0; i < 2; ++i) {
    const Ints pairs = load_words(words + i * 2 * kLanes);
    grown[2 * i] = hn::ShiftLeftSame(pairs, shift + static_cast<int>(kCopiesPerWord));
    grown[2 * i + 1] = hn::ShiftLeftSame(pairs, shift);
  }
}

// A sum of patterns grows from the one without that bit.
void fill_tables(const float (&steps)[kCopiesPerWord], SignTables& tables) {
  for (std::size_t t = 0; t < SignTables::kWordTableCount; ++t) {
    const std::size_t first = t * SignTables::kCopiesPerWordTable;
    const std::size_t count = std::min(SignTables::kCopiesPerWordTable, kCopiesPerWord - first);
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

// The sums of what the words' signs make of the steps, word by word.
template <std::size_t TABLES>
HWY_INLINE Ints look_up_words(const Words (&tables)[TABLES], Ints words) {
  Words sums = hn::Zero(kWordTag);
  const auto codes = hn::BitCast(kUnsignedTag, words);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < TABLES; ++t) {
    // The lowest five bits of each word are looked up. A product's upper half shifts the others
    // there: a shift would wait for the units that look up.
    const auto shift = static_cast<std::uint16_t>(1U << (16 - t * SignTables::kCopiesPerWordTable));
    const auto patterns = t == 0 ? codes : hn::MulHigh(codes, hn::Set(kUnsignedTag, shift));
    sums = hn::Add(sums, Words{_mm512_permutexvar_epi16(patterns.raw, tables[t].raw)});
  }
  return hn::BitCast(kIntTag, sums);
}

template <std::size_t TABLES>
HWY_INLINE void add_steps_of(const SignTables& tables, float unit, const SignWord* words,
                             float* target, std::size_t count) {
  Words sums_of[TABLES];
  for (std::size_t t = 0; t < TABLES; ++t) sums_of[t] = hn::Load(kWordTag, tables.words[t]);
  // Words are read as the upper halves of whole numbers, with no extension of signs.
  const Vector scale = hn::Set(kTag, unit * 0x1p-16F);
  const Ints upper = hn::Set(kIntTag, std::numeric_limits<std::int32_t>::min() >> 15);
  for (std::size_t i = count; i > 0;) {
    i -= 2 * kLanes;
    const Ints sums = look_up_words(sums_of, load_words(words + i));
    add_scaled(hn::ShiftLeft<16>(sums), scale, target + i);
    add_scaled(hn::And(sums, upper), scale, target + i + kLanes);
  }
}

void add_steps(const SignTables& tables, float unit, const SignWord* words, float* target,
               std::size_t count) {
  if (tables.copy_count <= 2 * SignTables::kCopiesPerWordTable) {
    return add_steps_of<2>(tables, unit, words, target, count);
  }
  add_steps_of<SignTables::kWordTableCount>(tables, unit, words, target, count);
}

#else

// Of kBytes parameters the low bytes, and then the high ones.
void arrange_words(SignWord* words, std::size_t count) {
  for (; count > 0; count -= kBytes, words += kBytes) {
    std::uint8_t bytes[2 * kBytes];
    for (std::size_t i = 0; i < kBytes; ++i) {
      bytes[i] = static_cast<std::uint8_t>(words[i] & 255U);
      bytes[kBytes + i] = static_cast<std::uint8_t>(words[i] >> 8U);
    }
    arrange(bytes, 2 * kBytes);
    std::memcpy(words, bytes, sizeof(bytes));
  }
}

// The low bytes of kBytes parameters, or the high ones.
HWY_INLINE Bytes load_half(const SignWord* words, std::size_t half) {
  return hn::BitCast(kByteTag, hn::LoadU(kUnsignedTag, words + half * kBytes / 2));
}

// The codes of 4 kLanes parameters, with the sign of copy `last` in the highest bit.
HWY_INLINE void grow(const SignWord* words, std::size_t last, Ints (&grown)[4]) {
  const Bytes bytes = load_half(words, last / 8);
  const Bytes zero = hn::Zero(kByteTag);
  const Words lower = hn::BitCast(kWordTag, hn::InterleaveLower(kByteTag, zero, bytes));
  const Words upper = hn::BitCast(kWordTag, hn::InterleaveUpper(kByteTag, zero, bytes));
  const auto shift = static_cast<int>(7 - last % 8);
  grown[0] = hn::ShiftLeftSame(lower_ints(lower), shift);
  grown[1] = hn::ShiftLeftSame(upper_ints(lower), shift);
  grown[2] = hn::ShiftLeftSame(lower_ints(upper), shift);
  grown[3] = hn::ShiftLeftSame(upper_ints(upper), shift);
}

// target += scale · 2^16 · sums.
HWY_INLINE void add_sums(const WordSums& sums, Vector scale, float* target) {
  add_scaled(lower_ints(sums.lower), scale, target);
  add_scaled(upper_ints(sums.lower), scale, target + kLanes);
  add_scaled(lower_ints(sums.upper), scale, target + 2 * kLanes);
  add_scaled(upper_ints(sums.upper), scale, target + 3 * kLanes);
}

struct KeepBytes {
  HWY_INLINE hn::Vec<FourInts> operator()(hn::Vec<FourInts> sums) const { return sums; }
};

void fill_tables(const float (&steps)[kCopiesPerWord], SignTables& tables) {
  for (std::size_t k = 0; k * SignTables::kCopiesPerTable < tables.copy_count; ++k) {
    fill_planes(steps + k * SignTables::kCopiesPerTable, KeepBytes(), tables.bytes[k]);
  }
}

template <std::size_t TABLES>
HWY_INLINE void add_steps_of(const SignTables& tables, float unit, const SignWord* words,
                             float* target, std::size_t count) {
  Bytes low[TABLES];
  Bytes high[TABLES];
  for (std::size_t k = 0; k < TABLES; ++k) {
    low[k] = hn::LoadDup128(kByteTag, tables.bytes[k][0]);
    high[k] = hn::LoadDup128(kByteTag, tables.bytes[k][1]);
  }
  const Vector scale = hn::Set(kTag, unit * 0x1p-16F);
  for (std::size_t i = count; i > 0;) {
    i -= kBytes;
    const Bytes first = load_half(words + i, 0);
    const Bytes second = load_half(words + i, 1);
    WordSums sums = sum_of(look_up(low[0], high[0], low_nibbles(first)),
                           look_up(low[1], high[1], high_nibbles(first)));
    sums = sum_of(sums, look_up(low[2], high[2], low_nibbles(second)));
    if constexpr (TABLES == 4) {
      sums = sum_of(sums, look_up(low[3], high[3], high_nibbles(second)));
    }
    add_sums(sums, scale, target + i);
  }
}

void add_steps(const SignTables& tables, float unit, const SignWord* words, float* target,
               std::size_t count) {
  if (tables.copy_count <= 3 * SignTables::kCopiesPerTable) {
    return add_steps_of<3>(tables, unit, words, target, count);
  }
  add_steps_of<4>(tables, unit, words, target, count);
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

// For the copies first … first + N − 1, of the same byte.
template <std::size_t N>
HWY_INLINE void dots_of(const float* values, const SignWord* words, std::size_t count,
                        std::size_t first, double* sums) {
  Vector acc[N];
  for (std::size_t s = 0; s < N; ++s) acc[s] = hn::Zero(kTag);
  for (std::size_t i = 0; i < count; i += kBytes) {
    Ints grown[4];
    grow(words + i, first + N - 1, grown);  // the last copy's bit comes first
    for (std::size_t k = 0; k < 4; ++k) flip_and_add(values + i + k * kLanes, grown[k], acc);
  }
  for (std::size_t s = 0; s < N; ++s) {
    sums[first + s] += static_cast<double>(hn::GetLane(hn::SumOfLanes(kTag, acc[s])));
  }
}

void dots(const float* values, const SignWord* words, std::size_t count, std::size_t copy_count,
          double* sums) {
  std::size_t s = 0;
  for (; s + 4 <= copy_count; s += 4) dots_of<4>(values, words, count, s, sums);
  for (; s + 2 <= copy_count; s += 2) dots_of<2>(values, words, count, s, sums);
  for (; s < copy_count; ++s) dots_of<1>(values, words, count, s, sums);
}

#endif

}  // namespace

const SignKernels& sign_table() {
  static constexpr SignKernels kTable{
      .arrange = arrange_words, .fill_tables = fill_tables, .add_steps = add_steps, .dots = dots};
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
