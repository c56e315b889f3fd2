// The costs of some rounds as far as they are known: their sum and number.
#pragma once

#include <cstdint>

#include "handrail/base/bytes.h"

namespace handrail {

// Whether so many costs can have that sum: asked of a state that was loaded.
inline bool can_be_cost_sum(double cost_sum, std::uint64_t count) {
  return cost_sum >= 0.0 && cost_sum <= static_cast<double>(count);
}

class KnownCosts {
 public:
  void add(double cost) {
    sum_ += cost;
    ++count_;
  }
  // ½ before the first: the guess of one who knows nothing.
  double mean() const { return count_ == 0 ? 0.5 : sum_ / static_cast<double>(count_); }

  void save(ByteWriter& out) const {
    out.f64(sum_);
    out.u64(count_);
  }
  void load(ByteReader& in) {
    sum_ = in.f64();
    count_ = in.u64();
    if (!can_be_cost_sum(sum_, count_)) {
      in.fail("has a sum of costs that their number does not allow");
    }
  }

 private:
  double sum_ = 0.0;
  std::uint64_t count_ = 0;
};

}  // namespace handrail
