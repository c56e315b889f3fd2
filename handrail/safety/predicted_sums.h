// What a gate that trusts predictions has added up over the rounds explored so far.
#pragma once

#include <cstdint>

#include "handrail/base/bytes.h"

namespace handrail {

struct PredictedSums {
  double predicted_cost = 0.0;
  std::uint64_t explored = 0;  // m

  void add(double cost) {
    predicted_cost += cost;
    ++explored;
  }

  void save(ByteWriter& out) const {
    out.f64(predicted_cost);
    out.u64(explored);
  }
  Status load(ByteReader& in) {
    predicted_cost = in.f64();
    explored = in.u64();
    return in.status();
  }
};

}  // namespace handrail
