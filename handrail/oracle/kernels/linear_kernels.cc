#include "handrail/oracle/kernels/linear_kernels.h"

#include <algorithm>
#include <cmath>

#include "handrail/oracle/activation.h"
#include "handrail/oracle/kernels/dispatch.h"
#include "handrail/oracle/kernels/linear_steps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/linear_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);

// Sums that stay in registers: with AVX2 there are 16, and a few serve other ends.
constexpr std::size_t kMaxVectors = 8;

// Also where less than a vector is left to read.
HWY_INLINE Vector load_first(const double* from, std::size_t count) {
  if (HWY_LIKELY(count >= kLanes)) return hn::LoadU(kTag, from);
  const auto first = hn::FirstN(kTag, count);
  // SSE4 has no masked load, and Highway would read the whole vector; but there one number is left.
  if constexpr (kLanes <= 2) return hn::IfThenElseZero(first, hn::Set(kTag, *from));
  return hn::MaskedLoad(first, kTag, from);
}

HWY_INLINE void store_first(Vector vector, double* to, std::size_t count) {
  if (count >= kLanes) {
    hn::StoreU(vector, kTag, to);
    return;
  }
  alignas(64) double lanes[kLanes];
  hn::Store(vector, kTag, lanes);
  std::copy(lanes, lanes + count, to);
}

HWY_INLINE double sum_of(Vector vector) {
  return hn::GetLane(hn::SumOfLanes(kTag, vector));
}

HWY_INLINE Vector limited(Vector x, Vector scale) {
  return hn::Min(hn::Max(x, hn::Neg(scale)), scale);
}

// exp(x) for |x| ≤ 20, to a relative error of 10^-14. Highway's own also covers what lies beyond
// and takes twice as long.
HWY_INLINE Vector exp_near_zero(Vector x) {
  constexpr hn::RebindToSigned<Tag> kWholeTag;
  // A number this large has no room for a fraction: n = x/log 2, rounded, is in its last bits.
  const Vector large = hn::Set(kTag, 0x1.8p52);
  const Vector rounded = hn::MulAdd(x, hn::Set(kTag, 1.4426950408889634), large);
  const Vector n = hn::Sub(rounded, large);
  // r = x − n·log 2, in two pieces of which the first has zeros at its end; |r| ≤ log(2)/2.
  const Vector high = hn::NegMulAdd(n, hn::Set(kTag, 0x1.62e42fefap-1), x);
  const Vector r = hn::NegMulAdd(n, hn::Set(kTag, 0x1.cf79abc9e3b3ap-40), high);
  // Σ r^k/k! up to k = 11, in pairs.
  const auto pair = [r](double k, double next)
                        HWY_ATTR { return hn::MulAdd(hn::Set(kTag, next), r, hn::Set(kTag, k)); };
  const Vector r2 = hn::Mul(r, r);
  const Vector r4 = hn::Mul(r2, r2);
  const Vector from0 = hn::MulAdd(pair(1.0 / 2, 1.0 / 6), r2, pair(1.0, 1.0));
  const Vector from4 = hn::MulAdd(pair(1.0 / 720, 1.0 / 5040), r2, pair(1.0 / 24, 1.0 / 120));
  const Vector from8 =
      hn::MulAdd(pair(1.0 / 3628800, 1.0 / 39916800), r2, pair(1.0 / 40320, 1.0 / 362880));
  const Vector series = hn::MulAdd(hn::MulAdd(from8, r4, from4), r4, from0);
  // Times 2^n: n is added to the exponent.
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(kWholeTag, rounded));
  return hn::BitCast(kTag, hn::Add(hn::BitCast(kWholeTag, series), exponent));
}

// What a loss decides: the prediction made of the raw output ŷ, its slope g, and how far to go.
// `reach` is q, by how much a step of 1 moves the raw output.
struct SquareRule {
  explicit SquareRule(const LinearSettings& settings) : rate(settings.learning_rate) {}

  HWY_INLINE Vector costs(Vector raw) const {
    return hn::Min(hn::Max(raw, hn::Zero(kTag)), hn::Set(kTag, 1.0));
  }
  double slope(double raw, double cost) const { return 2.0 * (raw - cost); }
  // Where an infinity of infinitely small gradient steps would end: short of the cost, however
  // large the rate. That is (y − ŷ)(1 − exp(−2ηq))/q.
  double step(const Measured& /*measured*/, double slope, double reach) const {
    return -rate * slope * decay_mean(2.0 * rate * reach);
  }

  double rate;
};

struct LogRule {
  explicit LogRule(const LinearSettings& settings)
      : rate(settings.learning_rate), ceiling(settings.ceiling) {}

  HWY_INLINE Vector costs(Vector raw) const {
    // Beyond 20 the edge decides.
    const Vector far = hn::Set(kTag, 20.0);
    const Vector top = hn::Set(kTag, ceiling);
    // σ(ŷ)/ceiling with one division.
    const Vector exponential = exp_near_zero(hn::Neg(limited(raw, far)));
    const Vector cost = hn::Div(hn::Set(kTag, 1.0), hn::MulAdd(top, exponential, top));
    return hn::Min(hn::Max(cost, hn::Set(kTag, kLogLossEdge)), hn::Set(kTag, 1.0 - kLogLossEdge));
  }
  double slope(double raw, double cost) const { return sigmoid(raw) - ceiling * cost; }
  // The gradient step, shortened where it would pass the cost.
  double step(const Measured& measured, double slope, double reach) const {
    const double full = -rate * slope;
    // σ is nowhere steeper than ¼, so such a step ends before the cost: no logarithms needed.
    if (rate * reach <= 4.0) return full;
    const double room = (logit(ceiling * measured.cost) - measured.raw) / reach;
    return std::abs(full) <= std::abs(room) ? full : room;
  }

  double rate;
  double ceiling;
};

// Writes down a vector that stands at `offset`. Returns 1 if it has to stay there, else 0: without
// a branch, which would be missed half of the time.
HWY_INLINE std::size_t note(Vector x, std::size_t offset, double* vector, std::uint32_t* place) {
  hn::Store(x, kTag, vector);
  *place = static_cast<std::uint32_t>(offset);
  return static_cast<std::size_t>(!hn::AllTrue(kTag, hn::Eq(x, hn::Zero(kTag))));
}

ListedFeatures list(std::span<const double> features, double* vectors, std::uint32_t* offsets) {
  const double* const from = features.data();
  std::size_t count = 0;
  std::size_t i = 0;
  // Images have stretches of zeros.
  for (; i + 4 * kLanes <= features.size(); i += 4 * kLanes) {
    Vector x[4];
    for (std::size_t v = 0; v < 4; ++v) x[v] = hn::LoadU(kTag, from + i + v * kLanes);
    const Vector any = hn::Or(hn::Or(x[0], x[1]), hn::Or(x[2], x[3]));
    if (hn::AllTrue(kTag, hn::Eq(any, hn::Zero(kTag)))) continue;
    for (std::size_t v = 0; v < 4; ++v) {
      count += note(x[v], i + v * kLanes, vectors + count * kLanes, offsets + count);
    }
  }
  for (; i < features.size(); i += kLanes) {
    const Vector x = load_first(from + i, features.size() - i);
    count += note(x, i, vectors + count * kLanes, offsets + count);
  }
  return {.vectors = vectors, .offsets = offsets, .count = count};
}

// costs = the predictions made of the raw outputs that stand there.
template <typename Rule>
HWY_INLINE void finish_costs(const LinearSettings& settings, std::span<double> costs) {
  const Rule rule(settings);
  for (std::size_t i = 0; i < costs.size(); i += kLanes) {
    const std::size_t left = costs.size() - i;
    store_first(rule.costs(load_first(costs.data() + i, left)), costs.data() + i, left);
  }
}

// sums += w·x for N vectors of arms and one feature.
template <std::size_t N>
HWY_INLINE void add_feature(const LinearTable& table, std::size_t first_arm, std::size_t feature,
                            double x, Vector* sums) {
  // So few vectors are limited sooner than a branch is missed.
  constexpr bool kLimitAlways = N <= 2;
  const Vector shared = hn::Set(kTag, x);
  const std::size_t row = feature * table.stride + first_arm;
  const bool fits = !kLimitAlways && std::abs(x) <= table.least_scales[feature];
  if (HWY_LIKELY(fits)) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < N; ++v) {
      const Vector weights = hn::Load(kTag, table.weights + row + v * kLanes);
      sums[v] = hn::MulAdd(weights, shared, sums[v]);
    }
    return;
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < N; ++v) {
    const Vector weights = hn::Load(kTag, table.weights + row + v * kLanes);
    const Vector scales = hn::Load(kTag, table.scales + row + v * kLanes);
    sums[v] = hn::MulAdd(weights, limited(shared, scales), sums[v]);
  }
}

// The raw outputs of the arms from `first` on, which fill N vectors but for the end of the last.
template <std::size_t N>
HWY_INLINE void sum_arms(const LinearTable& table, std::span<const double> features,
                         std::size_t first, std::span<double> raw) {
  // Few vectors of arms would wait for each other's sums: several sums an arm, features in turn.
  constexpr std::size_t kTurns = kMaxVectors / N;
  Vector sums[kTurns * N];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kTurns * N; ++v) sums[v] = hn::Zero(kTag);
  std::size_t i = 0;
  for (; i + kTurns <= features.size(); i += kTurns) {
#pragma GCC unroll 8
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      add_feature<N>(table, first, i + turn, features[i + turn], sums + turn * N);
    }
  }
  for (; i < features.size(); ++i) add_feature<N>(table, first, i, features[i], sums);
#pragma GCC unroll 8
  for (std::size_t v = 0; v < N; ++v) {
    Vector sum = sums[v];
#pragma GCC unroll 8
    for (std::size_t turn = 1; turn < kTurns; ++turn) sum = hn::Add(sum, sums[turn * N + v]);
    store_first(sum, raw.data() + v * kLanes, raw.size() - v * kLanes);
  }
}

// sum_arms<N> for the N that the arms fill.
template <std::size_t N = 1>
HWY_INLINE void sum_vectors(const LinearTable& table, std::span<const double> features,
                            std::size_t first, std::span<double> raw) {
  if constexpr (N < kMaxVectors) {
    if (raw.size() > N * kLanes) return sum_vectors<N + 1>(table, features, first, raw);
  }
  sum_arms<N>(table, features, first, raw);
}

void sum_few(const LinearTable& table, std::span<const double> features, std::span<double> raw) {
  constexpr std::size_t kMost = kMaxVectors * kLanes;
  for (std::size_t first = 0; first < raw.size(); first += kMost) {
    const std::size_t count = std::min(kMost, raw.size() - first);
    sum_vectors(table, features, first, raw.subspan(first, count));
  }
}

template <typename Rule>
void predict_few(const LinearTable& table, const LinearSettings& settings,
                 std::span<const double> features, std::span<double> costs) {
  sum_few(table, features, costs);
  finish_costs<Rule>(settings, costs);
}

// Which of the listed vectors have no feature that is larger than a scale that it meets, and which
// have one.
struct Partition {
  const std::uint32_t* fitting;
  std::size_t fitting_count;
  const std::uint32_t* others;
  std::size_t other_count;
};

HWY_INLINE Partition partition(const ListedFeatures& features, const double* least_scales,
                               std::uint32_t* memory) {
  std::uint32_t* const others = memory + features.count;
  std::size_t fitting_count = 0;
  std::size_t other_count = 0;
  for (std::size_t n = 0; n < features.count; ++n) {
    const Vector x = hn::Load(kTag, features.vectors + n * kLanes);
    const Vector scale = hn::Load(kTag, least_scales + features.offsets[n]);
    const bool fits = hn::AllFalse(kTag, hn::Gt(hn::Abs(x), scale));
    memory[fitting_count] = static_cast<std::uint32_t>(n);
    others[other_count] = static_cast<std::uint32_t>(n);
    fitting_count += static_cast<std::size_t>(fits);
    other_count += static_cast<std::size_t>(!fits);
  }
  return {memory, fitting_count, others, other_count};
}

// The raw outputs of N arms, side by side, since one sum alone would wait for itself.
template <std::size_t N>
HWY_INLINE void sum_rows_of(const LinearRows& rows, const ListedFeatures& features,
                            const Partition& parts, std::size_t first, double* raw) {
  const double* const weights = rows.weights + first * kLanes;
  const double* const scales = rows.scales + first * rows.scale_stride;
  Vector sums[N];
#pragma GCC unroll 16
  for (std::size_t a = 0; a < N; ++a) sums[a] = hn::Zero(kTag);
  for (std::size_t k = 0; k < parts.fitting_count; ++k) {
    const std::size_t n = parts.fitting[k];
    const Vector x = hn::Load(kTag, features.vectors + n * kLanes);
    const double* const from = weights + features.offsets[n] * rows.arm_count;
#pragma GCC unroll 16
    for (std::size_t a = 0; a < N; ++a) {
      sums[a] = hn::MulAdd(x, hn::Load(kTag, from + a * kLanes), sums[a]);
    }
  }
  for (std::size_t k = 0; k < parts.other_count; ++k) {
    const std::size_t n = parts.others[k];
    const Vector x = hn::Load(kTag, features.vectors + n * kLanes);
    const std::size_t i = features.offsets[n];
    const double* const from = weights + i * rows.arm_count;
#pragma GCC unroll 16
    for (std::size_t a = 0; a < N; ++a) {
      const Vector read = limited(x, hn::Load(kTag, scales + a * rows.scale_stride + i));
      sums[a] = hn::MulAdd(read, hn::Load(kTag, from + a * kLanes), sums[a]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t a = 0; a < N; ++a) raw[first + a] = sum_of(sums[a]);
}

void sum_many(const LinearRows& rows, const ListedFeatures& features, std::uint32_t* memory,
              std::span<double> raw) {
  const Partition parts = partition(features, rows.least_scales, memory);
  std::size_t arm = 0;
  for (; arm + 10 <= raw.size(); arm += 10) {
    sum_rows_of<10>(rows, features, parts, arm, raw.data());
  }
  for (; arm + 4 <= raw.size(); arm += 4) {
    sum_rows_of<4>(rows, features, parts, arm, raw.data());
  }
  for (; arm < raw.size(); ++arm) sum_rows_of<1>(rows, features, parts, arm, raw.data());
}

template <typename Rule>
void predict_many(const LinearRows& rows, const LinearSettings& settings,
                  const ListedFeatures& features, std::uint32_t* memory, std::span<double> costs) {
  sum_many(rows, features, memory, costs);
  finish_costs<Rule>(settings, costs);
}

// N rows at once, so that weights and scales are read once for all of them. Each row is summed in
// the same order whatever N is.
template <std::size_t N>
HWY_INLINE void sum_rows(const LinearRow& shared, const double* rows, std::size_t length,
                         double* raw) {
  Vector sums[N];
#pragma GCC unroll 8
  for (std::size_t row = 0; row < N; ++row) sums[row] = hn::Zero(kTag);
  for (std::size_t i = 0; i < length; i += kLanes) {
    const Vector weight = hn::Load(kTag, shared.weights + i);
    const Vector scale = hn::Load(kTag, shared.scales + i);
#pragma GCC unroll 8
    for (std::size_t row = 0; row < N; ++row) {
      const Vector x = load_first(rows + row * length + i, length - i);
      sums[row] = hn::MulAdd(weight, limited(x, scale), sums[row]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t row = 0; row < N; ++row) raw[row] = sum_of(sums[row]);
}

void sum_shared(const LinearRow& shared, std::span<const double> rows, std::span<double> raw) {
  constexpr std::size_t kRows = 8;
  const std::size_t length = rows.size() / raw.size();
  std::size_t row = 0;
  for (; row + kRows <= raw.size(); row += kRows) {
    sum_rows<kRows>(shared, rows.data() + row * length, length, raw.data() + row);
  }
  for (; row < raw.size(); ++row) {
    sum_rows<1>(shared, rows.data() + row * length, length, raw.data() + row);
  }
}

template <typename Rule>
void predict_rows(const LinearRow& shared, const LinearSettings& settings,
                  std::span<const double> rows, std::span<double> costs) {
  sum_shared(shared, rows, costs);
  finish_costs<Rule>(settings, costs);
}

// Structs of pointers go in as values: else they are read again after every vector that is stored.
HWY_INLINE Measured measure(const LinearBlock block, const LinearExample& example) {
  const ListedFeatures features = example.features;
  Vector raw = hn::Zero(kTag);
  Vector norm = hn::Zero(kTag);
  Vector largest = hn::Zero(kTag);
  for (std::size_t n = 0; n < features.count; ++n) {
    const std::size_t i = features.offsets[n];
    const Vector x = hn::Load(kTag, features.vectors + n * kLanes);
    const Vector scaled = hn::Mul(x, hn::Load(kTag, block.inverse_scales + i));
    raw = hn::MulAdd(x, hn::Load(kTag, block.weights + i * block.weight_stride), raw);
    norm = hn::MulAdd(scaled, scaled, norm);
    largest = hn::Max(largest, hn::Abs(scaled));
  }
  return {.cost = example.cost,
          .raw = sum_of(raw),
          .norm = sum_of(norm),
          .largest = hn::GetLane(hn::MaxOfLanes(kTag, largest))};
}

// G += (g x)²; leaves x/√G in the pushes and returns q. Both lack the factor √(n/N) that all
// coordinates share.
HWY_INLINE double add_gradients(const LinearBlock block, const ListedFeatures features,
                                double slope) {
  const Vector g = hn::Set(kTag, slope);
  const Vector first_inverse = hn::Set(kTag, 1.0 / kLinearFirstScale);
  Vector reach = hn::Zero(kTag);
  for (std::size_t n = 0; n < features.count; ++n) {
    const std::size_t i = features.offsets[n];
    const Vector x = hn::Load(kTag, features.vectors + n * kLanes);
    const Vector inverse_scale = hn::Load(kTag, block.inverse_scales + i);
    const Vector scaled = hn::Mul(x, inverse_scale);
    const Vector gradient = hn::Mul(g, scaled);
    const Vector sum = hn::MulAdd(gradient, gradient, hn::Load(kTag, block.gradient_sums + i));
    const auto learns = hn::And(hn::Gt(sum, hn::Zero(kTag)), hn::Lt(inverse_scale, first_inverse));
    const Vector push = hn::IfThenElseZero(learns, hn::Div(scaled, hn::Sqrt(sum)));
    reach = hn::MulAdd(scaled, push, reach);
    hn::Store(sum, kTag, block.gradient_sums + i);
    hn::Store(push, kTag, block.pushes + n * kLanes);
  }
  return sum_of(reach);
}

// w += length·x/(s√G). In this order nothing overflows: length·x/√G is at most the rate.
HWY_INLINE void move(const LinearBlock block, const ListedFeatures features, double length) {
  const Vector factor = hn::Set(kTag, length);
  for (std::size_t n = 0; n < features.count; ++n) {
    const std::size_t i = features.offsets[n];
    const Vector push = hn::Mul(factor, hn::Load(kTag, block.pushes + n * kLanes));
    double* const at = block.weights + i * block.weight_stride;
    const Vector weights =
        hn::MulAdd(push, hn::Load(kTag, block.inverse_scales + i), hn::Load(kTag, at));
    hn::Store(weights, kTag, at);
  }
}

template <typename Rule>
bool learn(const LinearBlock& block, const LinearExample& example, const LinearSettings& settings,
           LinearTotals& totals) {
  const Rule rule(settings);
  const Measured measured = measure(block, example);
  // A scale's inverse is rounded, and beyond 2^1022 more coarsely.
  constexpr double kOneButForRounding = 1.0 + 0x1p-40;
  if (measured.largest > kOneButForRounding) return false;
  totals.example_count += 1.0;
  totals.norm_sum += measured.norm;
  // Nothing but zeros so far: the first number that is none adds 1, but for rounding.
  if (totals.norm_sum < 0.5) return true;
  const double rate = std::sqrt(totals.example_count / totals.norm_sum);
  const double slope = rule.slope(measured.raw, example.cost);
  const double reach = rate * add_gradients(block, example.features, slope);
  if (reach == 0.0) return true;
  const double step = rule.step(measured, slope, reach);
  move(block, example.features, rate * step);
  return true;
}

template <typename Rule>
const LinearKernels& kernels() {
  static constexpr LinearKernels kKernels = {.lane_count = kLanes,
                                             .list = list,
                                             .predict_few = predict_few<Rule>,
                                             .predict_many = predict_many<Rule>,
                                             .predict_rows = predict_rows<Rule>,
                                             .learn = learn<Rule>};
  return kKernels;
}

}  // namespace

const LinearKernels& linear_kernels_here(Loss loss) {
  return loss == Loss::kLog ? kernels<LogRule>() : kernels<SquareRule>();
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const LinearKernels& linear_kernels(Isa isa, Loss loss) {
  return table_of<LinearKernels>(
      isa, {&N_SCALAR::linear_kernels_here(loss), &N_SSE4::linear_kernels_here(loss),
            &N_AVX2::linear_kernels_here(loss), &N_AVX3::linear_kernels_here(loss)});
}

}  // namespace handrail
#endif
