#include "handrail/oracle/kernels/step_kernels.h"

#include <algorithm>
#include <cmath>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/step_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE Vector constant(double number) {
  return hn::Set(kTag, static_cast<float>(number));
}

// The next numbers of an array, of which `count` are left; behind its end zeros.
HWY_INLINE Vector load(const float* from, std::size_t count) {
  if (HWY_LIKELY(count >= kLanes)) return hn::LoadU(kTag, from);
  alignas(64) float lanes[kLanes] = {};
  std::copy(from, from + count, lanes);
  return hn::Load(kTag, lanes);
}

HWY_INLINE void store(Vector vector, float* to, std::size_t count) {
  if (HWY_LIKELY(count >= kLanes)) return hn::StoreU(vector, kTag, to);
  alignas(64) float lanes[kLanes];
  hn::Store(vector, kTag, lanes);
  std::copy(lanes, lanes + count, to);
}

void scale(float factor, float* target, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] *= factor;
}

void add_scaled(float factor, const float* source, float* target, std::size_t count) {
  const Vector f = hn::Set(kTag, factor);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t left = count - i;
    store(hn::MulAdd(f, load(source + i, left), load(target + i, left)), target + i, left);
  }
}

void adagrad(const AdaGradNumbers& numbers, const float* gradient, float* sums, float* target,
             std::size_t count) {
  const Vector rate = hn::Set(kTag, numbers.rate);
  const Vector factor = hn::Set(kTag, numbers.factor);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t left = count - i;
    const AdaGradVectors now = adagrad_vector(rate, hn::Mul(factor, load(gradient + i, left)),
                                              {load(sums + i, left), load(target + i, left)});
    store(now.sums, sums + i, left);
    store(now.target, target + i, left);
  }
}

void adam(const AdamNumbers& n, const float* gradient, float* first, float* second, float* target,
          std::size_t count) {
  const Vector factor = hn::Set(kTag, n.factor);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t left = count - i;
    const Vector g = hn::Mul(factor, load(gradient + i, left));
    const Vector mean = hn::MulAdd(constant(1.0 - kAdamFirstDecay), g,
                                   hn::Mul(constant(kAdamFirstDecay), load(first + i, left)));
    const Vector square = hn::MulAdd(constant(1.0 - kAdamSecondDecay), hn::Mul(g, g),
                                     hn::Mul(constant(kAdamSecondDecay), load(second + i, left)));
    const Vector spread = hn::Add(hn::Sqrt(hn::Mul(square, hn::Set(kTag, n.second_correction))),
                                  constant(kAdamNoDivisionByZero));
    const Vector step = hn::Div(hn::Mul(mean, hn::Set(kTag, n.first_correction * n.rate)), spread);
    store(mean, first + i, left);
    store(square, second + i, left);
    store(hn::Sub(load(target + i, left), step), target + i, left);
  }
}

void add_displacement(float factor, const float* now, const float* start, float* gradient,
                      std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) gradient[i] += factor * (now[i] - start[i]);
}

void shrink(float factor, const float* start, float* now, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) now[i] = start[i] + factor * (now[i] - start[i]);
}

// Σ of what Terms adds, runs of a few hundred vectors in float and the runs in double.
template <typename Terms>
HWY_INLINE double sum_of(const Terms& terms, std::size_t count) {
  constexpr std::size_t kRun = 256 * kLanes;
  double sum = 0.0;
  for (std::size_t begin = 0; begin < count; begin += kRun) {
    const std::size_t end = std::min(count, begin + kRun);
    Vector acc = hn::Zero(kTag);
    for (std::size_t i = begin; i < end; i += kLanes) acc = terms.add(i, end - i, acc);
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(kTag, acc)));
  }
  return sum;
}

struct Squares {
  const float* values;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector v = load(values + i, count);
    return hn::MulAdd(v, v, acc);
  }
};

struct SquaredDistance {
  const float* now;
  const float* start;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector d = hn::Sub(load(now + i, count), load(start + i, count));
    return hn::MulAdd(d, d, acc);
  }
};

struct AlongDisplacement {
  const float* now;
  const float* start;
  const float* direction;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector d = hn::Sub(load(now + i, count), load(start + i, count));
    return hn::MulAdd(d, load(direction + i, count), acc);
  }
};

double squared_norm(const float* values, std::size_t count) {
  return sum_of(Squares{values}, count);
}

double squared_distance(const float* now, const float* start, std::size_t count) {
  return sum_of(SquaredDistance{now, start}, count);
}

double along_displacement(const float* now, const float* start, const float* direction,
                          std::size_t count) {
  return sum_of(AlongDisplacement{now, start, direction}, count);
}

// Σ_s ±coefficients[s] for one code, without vectors.
float signed_sum(const float* coefficients, SignCode code) {
  float sum = 0.0F;
  for (std::size_t s = 0; s < kCopiesPerCode; ++s) {
    sum += ((code >> s) & 1) != 0 ? coefficients[s] : -coefficients[s];
  }
  return sum;
}

#if HWY_TARGET == HWY_SCALAR

void add_signs(const float* coefficients, const SignCode* codes, float* target, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] += signed_sum(coefficients, codes[i]);
}

void sign_dots(const float* values, const SignCode* codes, std::size_t count,
               std::size_t copy_count, double* sums) {
  for (std::size_t s = 0; s < copy_count; ++s) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      sum += ((codes[i] >> s) & 1) != 0 ? values[i] : -values[i];
    }
    sums[s] += static_cast<double>(sum);
  }
}

#else

// The sums of a few coefficients for all signs fit into one vector, so that a lookup in it adds
// several copies at once: 3 with eight lanes or more, 2 with four.
constexpr std::size_t kTableBits = kLanes >= 8 ? 3 : 2;
constexpr std::size_t kTableCount = kCopiesPerCode / kTableBits;
constexpr std::size_t kTableSize = std::size_t{1} << kTableBits;

using IntTag = hn::RebindToSigned<Tag>;
using CodeTag = hn::Rebind<SignCode, Tag>;
constexpr IntTag kIntTag;
constexpr CodeTag kCodeTag;

HWY_INLINE void fill_tables(const float* coefficients, Vector (&tables)[kTableCount]) {
  for (std::size_t k = 0; k < kTableCount; ++k) {
    alignas(64) float lanes[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      float sum = 0.0F;
      for (std::size_t bit = 0; bit < kTableBits; ++bit) {
        const float c = coefficients[k * kTableBits + bit];
        sum += ((lane >> bit) & 1) != 0 ? c : -c;
      }
      lanes[lane] = sum;
    }
    tables[k] = hn::Load(kTag, lanes);
  }
}

HWY_INLINE hn::Vec<IntTag> load_codes(const SignCode* codes) {
  return hn::PromoteTo(kIntTag, hn::LoadU(kCodeTag, codes));
}

void add_signs(const float* coefficients, const SignCode* codes, float* target, std::size_t count) {
  Vector tables[kTableCount];
  fill_tables(coefficients, tables);
  const auto mask = hn::Set(kIntTag, static_cast<std::int32_t>(kTableSize - 1));
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    auto code = load_codes(codes + i);
    Vector sum = hn::LoadU(kTag, target + i);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kTableCount; ++k) {
      const auto indices = hn::IndicesFromVec(kTag, hn::And(code, mask));
      sum = hn::Add(sum, hn::TableLookupLanes(tables[k], indices));
      code = hn::ShiftRight<static_cast<int>(kTableBits)>(code);
    }
    hn::StoreU(sum, kTag, target + i);
  }
  for (; i < count; ++i) target[i] += signed_sum(coefficients, codes[i]);
}

// For the copies FIRST … FIRST + N − 1: moves each one's bit to the sign of the value.
template <std::size_t N>
HWY_INLINE void dot_copies(const float* values, const SignCode* codes, std::size_t count,
                           std::size_t first, double* sums) {
  Vector acc[N];
  for (std::size_t s = 0; s < N; ++s) acc[s] = hn::Zero(kTag);
  const auto sign_bit = hn::Set(kIntTag, static_cast<std::int32_t>(0x80000000U));
  const auto shift = static_cast<int>(31 - (first + N - 1));
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector value = hn::Neg(hn::LoadU(kTag, values + i));
    // The last copy's bit first; the others follow by doubling.
    auto code = hn::ShiftLeftSame(load_codes(codes + i), shift);
#pragma GCC unroll 8
    for (std::size_t s = N; s-- > 0;) {
      const Vector flip = hn::BitCast(kTag, hn::And(code, sign_bit));
      acc[s] = hn::Add(acc[s], hn::Xor(value, flip));
      if (s > 0) code = hn::Add(code, code);
    }
  }
  for (std::size_t s = 0; s < N; ++s) {
    float sum = hn::GetLane(hn::SumOfLanes(kTag, acc[s]));
    for (std::size_t k = i; k < count; ++k) {
      sum += ((codes[k] >> (first + s)) & 1) != 0 ? values[k] : -values[k];
    }
    sums[first + s] += static_cast<double>(sum);
  }
}

void sign_dots(const float* values, const SignCode* codes, std::size_t count,
               std::size_t copy_count, double* sums) {
  std::size_t s = 0;
  for (; s + 5 <= copy_count; s += 5) dot_copies<5>(values, codes, count, s, sums);
  for (; s < copy_count; ++s) dot_copies<1>(values, codes, count, s, sums);
}

#endif

}  // namespace

const StepKernels& step_table() {
  static constexpr StepKernels kTable{
      .scale = scale,
      .add_scaled = add_scaled,
      .adagrad = adagrad,
      .adam = adam,
      .add_displacement = add_displacement,
      .shrink = shrink,
      .squared_norm = squared_norm,
      .squared_distance = squared_distance,
      .along_displacement = along_displacement,
      .add_signs = add_signs,
      .sign_dots = sign_dots,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const StepKernels& step_kernels(Isa isa) {
  return table_of<StepKernels>(isa, {&N_SCALAR::step_table(), &N_SSE4::step_table(),
                                     &N_AVX2::step_table(), &N_AVX3::step_table()});
}

}  // namespace handrail
#endif
