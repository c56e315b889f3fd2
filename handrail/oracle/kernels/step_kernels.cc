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
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const StepKernels& step_kernels(Isa isa) {
  return table_of<StepKernels>(isa, HANDRAIL_EACH_ISA(step_table()));
}

}  // namespace handrail
#endif
