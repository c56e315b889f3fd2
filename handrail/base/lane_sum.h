// Sums that the compiler may vectorise. Without leave to reassociate it must add one term after the
// other; here the order is ours, eight running sums, and so the same bits come out at any vector
// width.
#pragma once

#include <array>
#include <cstddef>

namespace handrail {

// Σ term(i) over i < count. `term` is a lambda on plain arrays, inlined.
template <typename Term>
double lane_sum(std::size_t count, Term term) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  }
  double sum = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
               ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  for (; i < count; ++i) sum += term(i);
  return sum;
}

}  // namespace handrail
