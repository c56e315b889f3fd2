#include "handrail/oracle/network_weights.h"

#include "handrail/base/lane_sum.h"

namespace handrail {

std::span<double> part(std::span<double> all, const Segment& segment) {
  return all.subspan(segment.offset, segment.size);
}

std::span<const double> part(std::span<const double> all, const Segment& segment) {
  return all.subspan(segment.offset, segment.size);
}

double squared_distance(const NetworkWeights& parameters, const Segment& segment) {
  const double* const now = parameters.values.data() + segment.offset;
  const double* const start = parameters.initial.data() + segment.offset;
  return lane_sum(segment.size, [now, start](std::size_t i) {
    const double displacement = now[i] - start[i];
    return displacement * displacement;
  });
}

void shrink(double factor, const Segment& segment, NetworkWeights& parameters) {
  double* const now = parameters.values.data() + segment.offset;
  const double* const start = parameters.initial.data() + segment.offset;
  for (std::size_t i = 0; i < segment.size; ++i) now[i] = start[i] + factor * (now[i] - start[i]);
}

}  // namespace handrail
