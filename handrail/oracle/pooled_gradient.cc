#include "handrail/oracle/pooled_gradient.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {

PooledGradient::PooledGradient(const Network& network, std::size_t pool, std::size_t least_size)
    : layout_(network.layout()),
      unit_count_(network.hidden_layers().front().unit_count),
      pool_(pool) {
  HANDRAIL_ASSERT(network.hidden_layers().size() == 1 && network.has_own_first_layer());
  HANDRAIL_ASSERT(network.has_biases() && !network.skips() && pool > 0);
  const std::size_t input_count = layout_.feature_count * layout_.block_count;
  const std::size_t parameter_count = unit_count_ * (input_count + 2) + 1;
  size_ = std::max(least_size, (parameter_count + pool - 1) / pool);
}

GradientFactors PooledGradient::factors_of(const ArmView& arm,
                                           std::span<const double> trace) const {
  HANDRAIL_ASSERT(trace.size() == 3 * unit_count_);
  return {.arm = arm,
          .units = trace.subspan(unit_count_, unit_count_),
          .slopes = trace.subspan(2 * unit_count_, unit_count_)};
}

void PooledGradient::add_at(std::size_t place, double value, std::span<double> pooled) const {
  pooled[place / pool_] += value;
}

void PooledGradient::fill(const GradientFactors& factors, std::span<double> prefix,
                          std::span<double> pooled) const {
  const std::size_t d = layout_.feature_count;
  HANDRAIL_ASSERT(pooled.size() == size_ && prefix.size() == d + 1);
  HANDRAIL_ASSERT(factors.arm.features.size() == d && factors.arm.block < layout_.block_count);
  prefix[0] = 0.0;
  for (std::size_t i = 0; i < d; ++i) prefix[i + 1] = prefix[i] + factors.arm.features[i];
  std::ranges::fill(pooled, 0.0);

  const std::size_t stride = d * layout_.block_count;  // from unit to unit
  for (std::size_t j = 0; j < unit_count_; ++j) {
    const double slope = factors.slopes[j];
    if (slope == 0.0) continue;
    const std::size_t begin = j * stride + factors.arm.block * d;
    // The weight of feature i lies at begin + i.
    for (std::size_t i = 0; i < d;) {
      const std::size_t pool_index = (begin + i) / pool_;
      const std::size_t end = std::min(d, (pool_index + 1) * pool_ - begin);
      pooled[pool_index] += slope * (prefix[end] - prefix[i]);
      i = end;
    }
  }
  const std::size_t biases = unit_count_ * stride;
  const std::size_t output = biases + unit_count_;
  for (std::size_t j = 0; j < unit_count_; ++j) {
    add_at(biases + j, factors.slopes[j], pooled);
    add_at(output + j, factors.units[j], pooled);
  }
  add_at(output + unit_count_, 1.0, pooled);
  const double share = 1.0 / static_cast<double>(pool_);
  for (double& value : pooled) value *= share;
}

}  // namespace handrail
