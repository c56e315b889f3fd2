// The newest examples, up to a limit: when it is full, a new one takes the place of the oldest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// An arm that was played and what it cost. The features view the buffer, or whoever made it.
struct Example {
  ArmView arm;
  double cost = 0.0;
};

class ReplayBuffer {
 public:
  // Grows as it fills; `limit` is at least 1.
  ReplayBuffer(std::size_t limit, const FeatureLayout& layout);

  // Copies the example. Views given out before may no longer hold.
  void push(const Example& example);

  std::size_t size() const { return costs_.size(); }
  std::uint64_t pushed() const { return pushed_; }  // ever

  // Tells the processor that slot(index) will be read soon.
  void prefetch(std::size_t index) const;
  Example slot(std::size_t index) const;    // any fixed order: for uniform draws
  Example by_age(std::size_t index) const;  // 0 is the oldest

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t limit_;
  FeatureLayout layout_;
  std::vector<double> features_;  // size() × feature_count
  std::vector<std::uint32_t> blocks_;
  std::vector<double> costs_;
  std::uint64_t pushed_ = 0;
};

}  // namespace handrail
