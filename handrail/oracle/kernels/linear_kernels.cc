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

// The numbers of a listed group, in one vector or in several.
using GroupTag = hn::CappedTag<double, kGroupSize>;
using GroupVector = hn::Vec<GroupTag>;
constexpr GroupTag kGroupTag;
constexpr std::size_t kGroupLanes = hn::MaxLanes(kGroupTag);

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

// In halves where less than a vector is left to write: whoever reads two neighbours next then finds
// them in one store, and need not wait for it.
template <typename D>
HWY_INLINE void store_first(D tag, hn::Vec<D> vector, double* to, std::size_t count) {
  constexpr std::size_t kCount = hn::MaxLanes(D());
  if (count >= kCount) {
    hn::StoreU(vector, tag, to);
    return;
  }
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kCount > 1) {
    constexpr hn::Half<D> kHalfTag;
    constexpr std::size_t kHalf = kCount / 2;
    if (count < kHalf) return store_first(kHalfTag, hn::LowerHalf(kHalfTag, vector), to, count);
    hn::StoreU(hn::LowerHalf(kHalfTag, vector), kHalfTag, to);
    store_first(kHalfTag, hn::UpperHalf(kHalfTag, vector), to + kHalf, count - kHalf);
  }
#endif
}

HWY_INLINE double sum_of(Vector vector) {
  return hn::GetLane(hn::SumOfLanes(kTag, vector));
}

HWY_INLINE double sum_of_group(GroupVector vector) {
  return hn::GetLane(hn::SumOfLanes(kGroupTag, vector));
}

template <typename V>
HWY_INLINE V limited(V x, V scale) {
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

// costs = the predictions made of the raw outputs that stand there.
template <typename Rule>
HWY_INLINE void finish_costs(const LinearSettings& settings, std::span<double> costs) {
  const Rule rule(settings);
  for (std::size_t i = 0; i < costs.size(); i += kLanes) {
    const std::size_t left = costs.size() - i;
    store_first(kTag, rule.costs(load_first(costs.data() + i, left)), costs.data() + i, left);
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

// The predictions for the arms from `first` on, which fill N vectors but for the end of the last.
template <std::size_t N, typename Rule>
HWY_INLINE void predict_arms(const LinearTable table, const Rule rule,
                             std::span<const double> features, std::size_t first,
                             std::span<double> costs) {
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
    const std::size_t arm = v * kLanes;
    store_first(kTag, rule.costs(sum), costs.data() + arm, costs.size() - arm);
  }
}

// predict_arms<N> for the N that the arms fill.
template <std::size_t N = 1, typename Rule>
HWY_INLINE void predict_vectors(const LinearTable& table, const Rule& rule,
                                std::span<const double> features, std::size_t first,
                                std::span<double> costs) {
  if constexpr (N < kMaxVectors) {
    if (costs.size() > N * kLanes) {
      return predict_vectors<N + 1>(table, rule, features, first, costs);
    }
  }
  predict_arms<N>(table, rule, features, first, costs);
}

template <typename Rule>
void predict_few(const LinearTable& table, const LinearSettings& settings,
                 std::span<const double> features, std::span<double> costs) {
  constexpr std::size_t kMost = kMaxVectors * kLanes;
  const Rule rule(settings);
  for (std::size_t first = 0; first < costs.size(); first += kMost) {
    const std::size_t count = std::min(kMost, costs.size() - first);
    predict_vectors(table, rule, features, first, costs.subspan(first, count));
  }
}

// Which of the listed groups have no feature that is larger than a scale that it meets, and which
// have one.
struct Partition {
  const std::uint32_t* fitting;
  std::size_t fitting_count;
  const std::uint32_t* others;
  std::size_t other_count;
};

HWY_INLINE Partition partition(const SparseRowView& features, const double* least_scales,
                               std::uint32_t* memory) {
  std::uint32_t* const others = memory + features.count;
  std::size_t fitting_count = 0;
  std::size_t other_count = 0;
  for (std::size_t n = 0; n < features.count; ++n) {
    bool fits = true;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kGroupSize; part += kGroupLanes) {
      const GroupVector x = hn::LoadU(kGroupTag, features.groups + n * kGroupSize + part);
      const GroupVector scale = hn::Load(kGroupTag, least_scales + features.offsets[n] + part);
      fits = fits && hn::AllFalse(kGroupTag, hn::Gt(hn::Abs(x), scale));
    }
    memory[fitting_count] = static_cast<std::uint32_t>(n);
    others[other_count] = static_cast<std::uint32_t>(n);
    fitting_count += static_cast<std::size_t>(fits);
    other_count += static_cast<std::size_t>(!fits);
  }
  return {memory, fitting_count, others, other_count};
}

// The raw outputs of N arms, side by side, since one sum alone would wait for itself.
template <std::size_t N>
HWY_INLINE void sum_rows_of(const LinearRows& rows, const SparseRowView& features,
                            const Partition& parts, std::size_t first, double* raw) {
  const double* const weights = rows.weights + first * kGroupSize;
  const double* const scales = rows.scales + first * kGroupSize;
  GroupVector sums[N];
#pragma GCC unroll 16
  for (std::size_t a = 0; a < N; ++a) sums[a] = hn::Zero(kGroupTag);
  for (std::size_t k = 0; k < parts.fitting_count; ++k) {
    const std::size_t n = parts.fitting[k];
    const double* const from = weights + features.offsets[n] * rows.arm_count;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kGroupSize; part += kGroupLanes) {
      const GroupVector x = hn::LoadU(kGroupTag, features.groups + n * kGroupSize + part);
#pragma GCC unroll 16
      for (std::size_t a = 0; a < N; ++a) {
        sums[a] = hn::MulAdd(x, hn::Load(kGroupTag, from + a * kGroupSize + part), sums[a]);
      }
    }
  }
  for (std::size_t k = 0; k < parts.other_count; ++k) {
    const std::size_t n = parts.others[k];
    const std::size_t from = features.offsets[n] * rows.arm_count;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kGroupSize; part += kGroupLanes) {
      const GroupVector x = hn::LoadU(kGroupTag, features.groups + n * kGroupSize + part);
#pragma GCC unroll 16
      for (std::size_t a = 0; a < N; ++a) {
        const std::size_t at = from + a * kGroupSize + part;
        const GroupVector read = limited(x, hn::Load(kGroupTag, scales + at));
        sums[a] = hn::MulAdd(read, hn::Load(kGroupTag, weights + at), sums[a]);
      }
    }
  }
#pragma GCC unroll 16
  for (std::size_t a = 0; a < N; ++a) raw[first + a] = sum_of_group(sums[a]);
}

void sum_many(const LinearRows& rows, const SparseRowView& features, std::uint32_t* memory,
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
                  const SparseRowView& features, std::uint32_t* memory, std::span<double> costs) {
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

// Where a part of a listed group stands.
struct Place {
  std::size_t listed;  // among the listed numbers
  std::size_t row;     // in a row of the block
  std::size_t weight;  // in its weights
};

// Structs of pointers go in as values: else they are read again after every vector that is stored.
template <typename Use>
HWY_INLINE void for_each_part(const LinearBlock block, const SparseRowView features, Use use) {
  for (std::size_t n = 0; n < features.count; ++n) {
    const std::size_t i = features.offsets[n];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kGroupSize; part += kGroupLanes) {
      use(Place{.listed = n * kGroupSize + part,
                .row = i + part,
                .weight = i * block.weight_stride + part});
    }
  }
}

HWY_INLINE Measured measure(const LinearBlock block, const LinearExample example) {
  const double* const groups = example.features.groups;
  GroupVector raw = hn::Zero(kGroupTag);
  GroupVector norm = hn::Zero(kGroupTag);
  GroupVector largest = hn::Zero(kGroupTag);
  for_each_part(block, example.features, [&](const Place at) HWY_ATTR {
    const GroupVector x = hn::LoadU(kGroupTag, groups + at.listed);
    const GroupVector scaled = hn::Mul(x, hn::Load(kGroupTag, block.inverse_scales + at.row));
    raw = hn::MulAdd(x, hn::Load(kGroupTag, block.weights + at.weight), raw);
    norm = hn::MulAdd(scaled, scaled, norm);
    largest = hn::Max(largest, hn::Abs(scaled));
  });
  return {.cost = example.cost,
          .raw = sum_of_group(raw),
          .norm = sum_of_group(norm),
          .largest = hn::GetLane(hn::MaxOfLanes(kGroupTag, largest))};
}

// G += (g x)²; leaves x/√G in the pushes and returns q. Both lack the factor √(n/N) that all
// coordinates share.
HWY_INLINE double add_gradients(const LinearBlock block, const SparseRowView features,
                                double slope) {
  const GroupVector g = hn::Set(kGroupTag, slope);
  const GroupVector first_inverse = hn::Set(kGroupTag, 1.0 / kLinearFirstScale);
  GroupVector reach = hn::Zero(kGroupTag);
  for_each_part(block, features, [&](const Place at) HWY_ATTR {
    const GroupVector x = hn::LoadU(kGroupTag, features.groups + at.listed);
    const GroupVector inverse_scale = hn::Load(kGroupTag, block.inverse_scales + at.row);
    const GroupVector scaled = hn::Mul(x, inverse_scale);
    const GroupVector gradient = hn::Mul(g, scaled);
    double* const sums = block.gradient_sums + at.row;
    const GroupVector sum = hn::MulAdd(gradient, gradient, hn::Load(kGroupTag, sums));
    const auto learns =
        hn::And(hn::Gt(sum, hn::Zero(kGroupTag)), hn::Lt(inverse_scale, first_inverse));
    const GroupVector push = hn::IfThenElseZero(learns, hn::Div(scaled, hn::Sqrt(sum)));
    reach = hn::MulAdd(scaled, push, reach);
    hn::Store(sum, kGroupTag, sums);
    hn::Store(push, kGroupTag, block.pushes + at.listed);
  });
  return sum_of_group(reach);
}

// w += length·x/(s√G). In this order nothing overflows: length·x/√G is at most the rate.
HWY_INLINE void move(const LinearBlock block, const SparseRowView features, double length) {
  const GroupVector factor = hn::Set(kGroupTag, length);
  for_each_part(block, features, [&](const Place at) HWY_ATTR {
    const GroupVector push = hn::Mul(factor, hn::Load(kGroupTag, block.pushes + at.listed));
    double* const weights = block.weights + at.weight;
    const GroupVector inverse_scale = hn::Load(kGroupTag, block.inverse_scales + at.row);
    hn::Store(hn::MulAdd(push, inverse_scale, hn::Load(kGroupTag, weights)), kGroupTag, weights);
  });
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
  return table_of<LinearKernels>(isa, HANDRAIL_EACH_ISA(linear_kernels_here(loss)));
}

}  // namespace handrail
#endif
