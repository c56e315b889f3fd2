#include "handrail/oracle/replay_buffer.h"

#include <algorithm>

#include "handrail/base/assert.h"
#include "handrail/base/prefetch.h"

namespace handrail {

ReplayBuffer::ReplayBuffer(std::size_t limit, const FeatureLayout& layout)
    : limit_(limit), layout_(layout) {
  HANDRAIL_ASSERT(limit > 0);
}

void ReplayBuffer::push(const Example& example) {
  const std::span<const double> features = example.arm.features;
  HANDRAIL_ASSERT(features.size() == layout_.feature_count);
  HANDRAIL_ASSERT(example.arm.block < layout_.block_count);
  const auto block = static_cast<std::uint32_t>(example.arm.block);
  if (size() < limit_) {
    features_.insert(features_.end(), features.begin(), features.end());
    blocks_.push_back(block);
    costs_.push_back(example.cost);
  } else {
    const std::size_t oldest = pushed_ % limit_;
    std::ranges::copy(features, std::span(features_).subspan(oldest * features.size()).begin());
    blocks_[oldest] = block;
    costs_[oldest] = example.cost;
  }
  ++pushed_;
}

void ReplayBuffer::prefetch(std::size_t index) const {
  handrail::prefetch(
      std::span(features_).subspan(index * layout_.feature_count, layout_.feature_count));
}

Example ReplayBuffer::slot(std::size_t index) const {
  HANDRAIL_ASSERT(index < size());
  const std::size_t count = layout_.feature_count;
  return {.arm = {.features = std::span(features_).subspan(index * count, count),
                  .block = blocks_[index]},
          .cost = costs_[index]};
}

Example ReplayBuffer::by_age(std::size_t index) const {
  HANDRAIL_ASSERT(index < size());
  const std::size_t oldest = size() < limit_ ? 0 : pushed_ % limit_;
  return slot((oldest + index) % size());
}

void ReplayBuffer::save(ByteWriter& out) const {
  out.u64(pushed_);
  out.doubles(costs_);
  out.doubles(features_);
  for (const std::uint32_t block : blocks_) out.u32(block);
}

void ReplayBuffer::load(ByteReader& in) {
  pushed_ = in.u64();
  costs_ = in.doubles();
  features_ = in.doubles();
  if (costs_.size() != std::min<std::uint64_t>(pushed_, limit_)) {
    in.fail("holds a replay buffer of another limit");
  }
  if (features_.size() != costs_.size() * layout_.feature_count) {
    in.fail("holds examples of another number of features");
  }
  if (!in.status().ok()) return;
  blocks_.assign(costs_.size(), 0);
  for (std::uint32_t& block : blocks_) block = in.u32();
  const auto in_range = [](double cost) { return cost >= 0.0 && cost <= 1.0; };
  if (!std::ranges::all_of(costs_, in_range)) in.fail("holds a cost outside [0, 1]");
  const auto exists = [this](std::uint32_t block) { return block < layout_.block_count; };
  if (!std::ranges::all_of(blocks_, exists))
    in.fail("holds an example of a block that is not there");
}

}  // namespace handrail
