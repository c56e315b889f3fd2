#include "handrail/oracle/kernels/step_kernels.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/oracle/optimizer.h"

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

HWY_INLINE Vector load(const float* from) {
  return hn::LoadU(kTag, from);
}

// The end of an array that is no whole vector, padded with zeros.
HWY_INLINE Vector load_first(const float* from, std::size_t count) {
  alignas(64) float lanes[kLanes] = {};
  std::copy(from, from + count, lanes);
  return hn::Load(kTag, lanes);
}

HWY_INLINE void store_first(Vector vector, float* to, std::size_t count) {
  alignas(64) float lanes[kLanes];
  hn::Store(vector, kTag, lanes);
  std::copy(lanes, lanes + count, to);
}

void add_scaled(float factor, const float* source, float* target, std::size_t count) {
  const Vector f = hn::Set(kTag, factor);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(hn::MulAdd(f, load(source + i), load(target + i)), kTag, target + i);
  }
  if (i == count) return;
  const std::size_t rest = count - i;
  store_first(hn::MulAdd(f, load_first(source + i, rest), load_first(target + i, rest)), target + i,
              rest);
}

// As the double version has it: the small number only keeps 0 / 0 from being a step.
struct AdaGradVectors {
  Vector sums;
  Vector target;
};

HWY_INLINE AdaGradVectors adagrad_vector(const AdaGradNumbers& n, Vector gradient,
                                         const AdaGradVectors& old) {
  const Vector g = hn::Mul(hn::Set(kTag, n.factor), gradient);
  const Vector sums = hn::MulAdd(g, g, old.sums);
  const Vector root = hn::Add(hn::Sqrt(sums), constant(kAdaGradNoDivisionByZero));
  const Vector step = hn::Div(hn::Mul(hn::Set(kTag, n.rate), g), root);
  return {sums, hn::Sub(old.target, step)};
}

void adagrad(const AdaGradNumbers& numbers, const float* gradient, float* sums, float* target,
             std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const AdaGradVectors now =
        adagrad_vector(numbers, load(gradient + i), {load(sums + i), load(target + i)});
    hn::StoreU(now.sums, kTag, sums + i);
    hn::StoreU(now.target, kTag, target + i);
  }
  if (i == count) return;
  const std::size_t rest = count - i;
  const AdaGradVectors now =
      adagrad_vector(numbers, load_first(gradient + i, rest),
                     {load_first(sums + i, rest), load_first(target + i, rest)});
  store_first(now.sums, sums + i, rest);
  store_first(now.target, target + i, rest);
}

struct AdamVectors {
  Vector first;
  Vector second;
  Vector target;
};

HWY_INLINE AdamVectors adam_vector(const AdamNumbers& n, Vector gradient, const AdamVectors& old) {
  const Vector g = hn::Mul(hn::Set(kTag, n.factor), gradient);
  const Vector first =
      hn::MulAdd(constant(1.0 - kAdamFirstDecay), g, hn::Mul(constant(kAdamFirstDecay), old.first));
  const Vector second = hn::MulAdd(constant(1.0 - kAdamSecondDecay), hn::Mul(g, g),
                                   hn::Mul(constant(kAdamSecondDecay), old.second));
  const Vector spread = hn::Add(hn::Sqrt(hn::Mul(second, hn::Set(kTag, n.second_correction))),
                                constant(kAdamNoDivisionByZero));
  const Vector step = hn::Div(hn::Mul(first, hn::Set(kTag, n.first_correction * n.rate)), spread);
  return {first, second, hn::Sub(old.target, step)};
}

void adam(const AdamNumbers& numbers, const float* gradient, float* first, float* second,
          float* target, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const AdamVectors now = adam_vector(numbers, load(gradient + i),
                                        {load(first + i), load(second + i), load(target + i)});
    hn::StoreU(now.first, kTag, first + i);
    hn::StoreU(now.second, kTag, second + i);
    hn::StoreU(now.target, kTag, target + i);
  }
  if (i == count) return;
  const std::size_t rest = count - i;
  const AdamVectors now = adam_vector(
      numbers, load_first(gradient + i, rest),
      {load_first(first + i, rest), load_first(second + i, rest), load_first(target + i, rest)});
  store_first(now.first, first + i, rest);
  store_first(now.second, second + i, rest);
  store_first(now.target, target + i, rest);
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
    std::size_t i = begin;
    for (; i + kLanes <= end; i += kLanes) acc = terms.add(i, kLanes, acc);
    if (i < end) acc = terms.add(i, end - i, acc);
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(kTag, acc)));
  }
  return sum;
}

HWY_INLINE Vector load_some(const float* from, std::size_t count) {
  return count == kLanes ? load(from) : load_first(from, count);
}

struct Squares {
  const float* values;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector v = load_some(values + i, count);
    return hn::MulAdd(v, v, acc);
  }
};

struct SquaredDistance {
  const float* now;
  const float* start;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector d = hn::Sub(load_some(now + i, count), load_some(start + i, count));
    return hn::MulAdd(d, d, acc);
  }
};

struct AlongDisplacement {
  const float* now;
  const float* start;
  const float* direction;
  HWY_INLINE Vector add(std::size_t i, std::size_t count, Vector acc) const {
    const Vector d = hn::Sub(load_some(now + i, count), load_some(start + i, count));
    return hn::MulAdd(d, load_some(direction + i, count), acc);
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

}  // namespace

const StepKernels& step_table() {
  static constexpr StepKernels kTable{
      .add_scaled = add_scaled,
      .adagrad = adagrad,
      .adam = adam,
      .add_displacement = add_displacement,
      .shrink = shrink,
      .squared_norm = squared_norm,
      .squared_distance = squared_distance,
      .along_displacement = along_displacement,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const StepKernels& step_kernels(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return N_SCALAR::step_table();
    case Isa::kSse4:
      return N_SSE4::step_table();
    case Isa::kAvx2:
      return N_AVX2::step_table();
    case Isa::kAvx512:
      return N_AVX3::step_table();
  }
  HANDRAIL_ASSERT(false);
}

}  // namespace handrail
#endif
