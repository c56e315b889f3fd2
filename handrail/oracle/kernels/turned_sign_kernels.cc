#include "handrail/oracle/kernels/turned_sign_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/turned_sign_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/sign_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

// What the dots begin with.
HWY_INLINE void begin_dots(const float* start, std::size_t count, float* dots) {
  if (start == nullptr) {
    std::fill(dots, dots + count, 0.0F);
  } else {
    std::copy(start, start + count, dots);
  }
}

#if HWY_TARGET == HWY_SCALAR

void arrange_turned(SignByte* /*rows*/, const TurnedSigns& /*shape*/) {}

void turned_dots(const TurnedSigns& signs, const float* inputs, const float* start, float* dots) {
  begin_dots(start, signs.stride, dots);
  for (std::size_t i = 0; i < signs.row_count * kInputsPerByte; ++i) {
    const SignByte* const row = signs.rows + i / kInputsPerByte * signs.stride;
    for (std::size_t k = 0; k < signs.stride; ++k) {
      dots[k] += ((row[k] >> (i % kInputsPerByte)) & 1) != 0 ? inputs[i] : -inputs[i];
    }
  }
}

#else

constexpr std::size_t kInputsPerTable = 4;

#if HWY_TARGET == HWY_AVX3

// A vector holds what 16 patterns of four signs make of four inputs, and one instruction looks 16
// patterns up in it, which stand in the lowest bits of words of four bytes. The signs of 32 inputs
// for one unit are such a word. Those of 16 are half of one: the other half is of the unit 16
// later, and whoever reads two bytes further on finds it in the place of the first.
using Patterns = hn::RebindToUnsigned<Tag>;
constexpr Patterns kPatterns;
constexpr std::size_t kTablesPerRow = kInputsPerByte / kInputsPerTable;
constexpr std::size_t kRowsPerHalf = 2;
constexpr std::size_t kRowsPerWord = 4;
constexpr std::size_t kTablesPerHalf = kRowsPerHalf * kTablesPerRow;

// How many rows of bytes are looked up at once: while there are enough of them, whole words.
constexpr std::size_t rows_at_once(std::size_t rows_left) {
  return rows_left >= kRowsPerWord ? kRowsPerWord : kRowsPerHalf;
}

// Where the bytes of 16 units begin, the first of which is k.
template <std::size_t ROWS>
constexpr std::size_t words_place(std::size_t k) {
  if (ROWS == kRowsPerWord) return ROWS * k;
  return ROWS * (k / (2 * kLanes) * (2 * kLanes)) + (k % (2 * kLanes) == 0 ? 0 : kRowsPerHalf);
}

template <std::size_t ROWS>
void arrange_rows(SignByte* rows, std::size_t stride) {
  const std::vector<SignByte> copy(rows, rows + ROWS * stride);
  for (std::size_t k = 0; k < stride; ++k) {
    const std::size_t place = words_place<ROWS>(k / kLanes * kLanes) + k % kLanes * kRowsPerWord;
    for (std::size_t row = 0; row < ROWS; ++row) rows[place + row] = copy[row * stride + k];
  }
}

void arrange_turned(SignByte* rows, const TurnedSigns& shape) {
  for (std::size_t row = 0; row < shape.row_count;) {
    const std::size_t count = rows_at_once(shape.row_count - row);
    if (count == kRowsPerWord) {
      arrange_rows<kRowsPerWord>(rows + row * shape.stride, shape.stride);
    } else {
      arrange_rows<kRowsPerHalf>(rows + row * shape.stride, shape.stride);
    }
    row += count;
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
  const SignByte* words;
  std::size_t stride;
  const float* inputs;
  const float* before;  // what the dots begin with, or null
};

template <std::size_t ROWS, std::size_t TABLES>
HWY_INLINE void look_up_group(const TurnedGroup& group, float* dots) {
  Vector tables[TABLES];
  for (std::size_t t = 0; t < TABLES; ++t) {
    tables[t] = signed_sums(group.inputs + t * kInputsPerTable);
  }
  for (std::size_t k = 0; k < group.stride; k += kLanes) {
    const SignByte* const words = group.words + words_place<ROWS>(k);
    Vector sums = group.before == nullptr ? hn::Zero(kTag) : hn::LoadU(kTag, group.before + k);
#pragma GCC unroll 8
    for (std::size_t t = 0; t < TABLES; ++t) {
      // The lowest four bits of each word are looked up. The others of a half come there as the
      // upper half of a product, and the other half by reading further on: shifts wait for the
      // units that look up.
      const auto halves =
          hn::BitCast(kUnsignedTag, hn::LoadU(kByteTag, words + t / kTablesPerHalf * kRowsPerHalf));
      const auto shift =
          static_cast<std::uint16_t>(1U << (16 - t % kTablesPerHalf * kInputsPerTable));
      const auto shifted =
          t % kTablesPerHalf == 0 ? halves : hn::MulHigh(halves, hn::Set(kUnsignedTag, shift));
      const auto patterns = hn::BitCast(kPatterns, shifted);
      // Highway's own lookup wants the other bits to be 0.
      sums = hn::Add(sums, Vector{_mm512_permutexvar_ps(patterns.raw, tables[t].raw)});
    }
    hn::StoreU(sums, kTag, dots + k);
  }
}

// look_up_group() for as many tables as are not all 0; at least one is.
template <std::size_t ROWS, std::size_t TABLES = ROWS* kTablesPerRow>
HWY_INLINE void look_up_tables(std::size_t count, const TurnedGroup& group, float* dots) {
  if constexpr (TABLES > 1) {
    if (count < TABLES) return look_up_tables<ROWS, TABLES - 1>(count, group, dots);
  }
  look_up_group<ROWS, TABLES>(group, dots);
}

void turned_dots(const TurnedSigns& signs, const float* inputs, const float* start, float* dots) {
  TurnedGroup group{signs.rows, signs.stride, inputs, start};
  for (std::size_t row = 0; row < signs.row_count;) {
    const std::size_t row_count = rows_at_once(signs.row_count - row);
    std::size_t count = row_count * kInputsPerByte;
    while (count > 0 && group.inputs[count - 1] == 0.0F) --count;
    if (count > 0) {
      const std::size_t table_count = (count + kInputsPerTable - 1) / kInputsPerTable;
      if (row_count == kRowsPerWord) {
        look_up_tables<kRowsPerWord>(table_count, group, dots);
      } else {
        look_up_tables<kRowsPerHalf>(table_count, group, dots);
      }
      group.before = dots;
    }
    group.words += row_count * signs.stride;
    group.inputs += row_count * kInputsPerByte;
    row += row_count;
  }
  if (group.before != dots) begin_dots(start, signs.stride, dots);
}

#else

// A sum of 16 inputs is looked up in four tables of four. It is split into bytes that four tables
// add up to without a carry: twice six bits, and above that eight with the sign.
constexpr std::size_t kRowsPerGroup = 2;
constexpr std::size_t kTablesPerGroup = kRowsPerGroup * kInputsPerByte / kInputsPerTable;
constexpr std::size_t kPlanes = 3;
constexpr float kMostUnits = 123.0F * (1 << 12);  // 4 less than 127: parts are rounded down
struct SplitBits {
  HWY_INLINE hn::Vec<FourInts> operator()(hn::Vec<FourInts> sums) const {
    const auto first = hn::And(sums, hn::Set(kFourInts, 63));
    const auto second = hn::And(hn::ShiftLeft<8 - 6>(sums), hn::Set(kFourInts, 63 << 8));
    const auto third = hn::And(hn::ShiftLeft<16 - 12>(sums), hn::Set(kFourInts, 255 << 16));
    return hn::Or(hn::Or(first, second), third);
  }
};
struct InputTables {
  alignas(16) std::uint8_t planes[kTablesPerGroup][kPlanes][16];
  std::size_t count;  // up to the last with an input other than 0
  float unit;         // 0 if there is none
};

void fill_inputs(const float* inputs, InputTables& tables) {
  std::size_t input_count = kTablesPerGroup * kInputsPerTable;
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

// Neighbours times two factors in turn, added up. Highway has no name for these.
HWY_INLINE Words add_pairs(Bytes pairs, std::uint16_t factors) {
  const auto both = hn::Set(kUnsignedTag, factors);
#if HWY_TARGET == HWY_AVX2
  return Words{_mm256_maddubs_epi16(pairs.raw, both.raw)};
#else
  return Words{_mm_maddubs_epi16(pairs.raw, both.raw)};
#endif
}
HWY_INLINE Ints add_pairs(Words pairs, std::int32_t factors) {
  const auto both = hn::Set(kIntTag, factors);
#if HWY_TARGET == HWY_AVX2
  return Ints{_mm256_madd_epi16(pairs.raw, both.raw)};
#else
  return Ints{_mm_madd_epi16(pairs.raw, both.raw)};
#endif
}

// What the tables add up to, by planes.
struct SplitSums {
  Bytes first;
  Bytes second;
  Bytes third;
};

HWY_INLINE SplitSums look_up_planes(const std::uint8_t (&planes)[kPlanes][16], Bytes patterns) {
  return {hn::TableLookupBytes(hn::LoadDup128(kByteTag, planes[0]), patterns),
          hn::TableLookupBytes(hn::LoadDup128(kByteTag, planes[1]), patterns),
          hn::TableLookupBytes(hn::LoadDup128(kByteTag, planes[2]), patterns)};
}

HWY_INLINE void store_half(Words low, Words high, Vector unit, const float* before, float* dots) {
  // `high` has its byte above another: 16 · 2^8 makes the 2^12 that it stands for.
  constexpr std::int32_t kFactors = 1 | 16 << 16;
  const Ints lower = add_pairs(hn::InterleaveLower(kWordTag, low, high), kFactors);
  const Ints upper = add_pairs(hn::InterleaveUpper(kWordTag, low, high), kFactors);
  hn::StoreU(hn::MulAdd(hn::ConvertTo(kTag, lower), unit, hn::LoadU(kTag, before)), kTag, dots);
  hn::StoreU(hn::MulAdd(hn::ConvertTo(kTag, upper), unit, hn::LoadU(kTag, before + kLanes)), kTag,
             dots + kLanes);
}

HWY_INLINE void store_split(const SplitSums& sums, Vector unit, const float* before, float* dots) {
  constexpr std::uint16_t kFactors = 1 | 64 << 8;
  const Bytes zero = hn::Zero(kByteTag);
  const auto words = [](Bytes bytes) HWY_ATTR { return hn::BitCast(kWordTag, bytes); };
  store_half(add_pairs(hn::InterleaveLower(kByteTag, sums.first, sums.second), kFactors),
             words(hn::InterleaveLower(kByteTag, zero, sums.third)), unit, before, dots);
  store_half(add_pairs(hn::InterleaveUpper(kByteTag, sums.first, sums.second), kFactors),
             words(hn::InterleaveUpper(kByteTag, zero, sums.third)), unit, before + 2 * kLanes,
             dots + 2 * kLanes);
}

struct TurnedGroup {
  const SignByte* rows;
  std::size_t stride;
  const float* before;  // what the dots begin with
};

// dots = before + what the first tables say.
template <std::size_t TABLES>
HWY_INLINE void look_up_group(const TurnedGroup& group, const InputTables& tables, float* dots) {
  const Vector unit = hn::Set(kTag, tables.unit);
  for (std::size_t k = 0; k < group.stride; k += kBytes) {
    SplitSums sums;
#pragma GCC unroll 4
    for (std::size_t t = 0; t < TABLES; ++t) {
      const Bytes codes = hn::LoadU(kByteTag, group.rows + t / 2 * group.stride + k);
      const SplitSums found =
          look_up_planes(tables.planes[t], t % 2 == 0 ? low_nibbles(codes) : high_nibbles(codes));
      sums = t == 0
                 ? found
                 : SplitSums{hn::Add(sums.first, found.first), hn::Add(sums.second, found.second),
                             hn::Add(sums.third, found.third)};
    }
    store_split(sums, unit, group.before + k, dots + k);
  }
}

// look_up_group() for as many tables as are not all 0, or one.
template <std::size_t TABLES = kTablesPerGroup>
HWY_INLINE void look_up_tables(const TurnedGroup& group, const InputTables& tables, float* dots) {
  if constexpr (TABLES > 1) {
    if (tables.count < TABLES) return look_up_tables<TABLES - 1>(group, tables, dots);
  }
  look_up_group<TABLES>(group, tables, dots);
}

void arrange_turned(SignByte* rows, const TurnedSigns& shape) {
  arrange(rows, shape.row_count * shape.stride);
}

void turned_dots(const TurnedSigns& signs, const float* inputs, const float* start, float* dots) {
  if (start == nullptr) begin_dots(start, signs.stride, dots);
  TurnedGroup group{signs.rows, signs.stride, start == nullptr ? dots : start};
  InputTables tables{};
  for (std::size_t row = 0; row < signs.row_count; row += kRowsPerGroup) {
    fill_inputs(inputs + row * kInputsPerByte, tables);
    if (tables.unit != 0.0F) {
      look_up_tables(group, tables, dots);
      group.before = dots;
    }
    group.rows += kRowsPerGroup * signs.stride;
  }
  if (group.before != dots) begin_dots(start, signs.stride, dots);
}

#endif

#endif

struct AddCopies {
  template <typename, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const std::span<const float>& numbers,
                             const CopyRows& rows, const float* const& from, float* const& to) {
    Vector sums[N];
    load_start(nullptr, sums);
    const float* row = rows.rows + columns.first;
    for (const float number : numbers) {
      const Vector factor = hn::Set(kTag, number);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) {
        sums[v] = hn::MulAdd(factor, hn::LoadU(kTag, row + v * kLanes), sums[v]);
      }
      row += rows.stride;
    }
    // Behind the end there is whatever was there.
    sums[N - 1] = keep_first(sums[N - 1], columns.count - (N - 1) * kLanes);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v) {
      const std::size_t place = columns.first + v * kLanes;
      const Vector before = from == nullptr ? hn::Zero(kTag) : load_columns(from + place);
      hn::StoreU(hn::Add(before, sums[v]), kTag, to + place);
    }
  }
};

void add_copies(std::span<const float> numbers, const CopyRows& rows, const float* from, float* to,
                std::size_t count) {
  for_stretches<AddCopies, Tag>(WholeWidths(), count, numbers, rows, from, to);
}

// For COPIES copies from `first` on, whose sums stay in registers.
template <std::size_t COPIES>
HWY_INLINE void along_signs_of(const CopyGradient& gradient, std::size_t first, float* sums) {
  Vector acc[COPIES];
#pragma GCC unroll 16
  for (std::size_t s = 0; s < COPIES; ++s) acc[s] = hn::Zero(kTag);
  const Vector slope = hn::Set(kTag, gradient.slope);
  const Vector top = hn::Set(kTag, gradient.top);
  for (std::size_t j = 0; j < gradient.width; j += kLanes) {
    const Vector unit = load_columns(gradient.units + j);
    const auto active = hn::Gt(unit, hn::Zero(kTag));
    // A unit behind the last one is 0, so it has no slope either.
    const Vector by_sum =
        hn::IfThenElseZero(active, hn::Mul(slope, load_columns(gradient.output_weights + j)));
    const Vector by_weight = hn::Mul(top, unit);
    const float* dots = gradient.dots.rows + first * gradient.dots.stride + j;
    const float* signs = gradient.output_signs.rows + first * gradient.output_signs.stride + j;
#pragma GCC unroll 16
    for (std::size_t s = 0; s < COPIES; ++s) {
      acc[s] = hn::MulAdd(by_sum, hn::LoadU(kTag, dots), acc[s]);
      acc[s] = hn::MulAdd(by_weight, hn::LoadU(kTag, signs), acc[s]);
      dots += gradient.dots.stride;
      signs += gradient.output_signs.stride;
    }
  }
#pragma GCC unroll 16
  for (std::size_t s = 0; s < COPIES; ++s) {
    sums[first + s] = hn::GetLane(hn::SumOfLanes(kTag, acc[s]));
  }
}

// As many copies as the paper's network has by default, for which there are just enough registers.
constexpr std::size_t kManyCopies = 10;

void along_signs(const CopyGradient& gradient, std::span<float> sums) {
  std::size_t s = 0;
  for (; s + kManyCopies <= sums.size(); s += kManyCopies) {
    along_signs_of<kManyCopies>(gradient, s, sums.data());
  }
  for (; s + 2 <= sums.size(); s += 2) along_signs_of<2>(gradient, s, sums.data());
  for (; s < sums.size(); ++s) along_signs_of<1>(gradient, s, sums.data());
}

}  // namespace

const TurnedSignKernels& turned_sign_table() {
  static constexpr TurnedSignKernels kTable{.arrange = arrange_turned,
                                            .dots = turned_dots,
                                            .add_copies = add_copies,
                                            .along_signs = along_signs};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const TurnedSignKernels& turned_sign_kernels(Isa isa) {
  return table_of<TurnedSignKernels>(isa, HANDRAIL_EACH_ISA(turned_sign_table()));
}

}  // namespace handrail
#endif
