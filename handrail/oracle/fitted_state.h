// What a network keeps that is fitted to its newest examples again and again, from where it is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/oracle/replay_buffer.h"
#include "handrail/oracle/shuffled_fit.h"

namespace handrail {

struct FittedState {
  std::vector<double> parameters;
  ReplayBuffer data;

  // `step` takes an example, steps, and returns the example's loss before.
  template <typename Step>
  void fit(const ShuffledFit& plan, const RandomStream& stream, Step step) const {
    std::vector<std::size_t> order(data.size());
    fit_shuffled(plan, order, stream, [&](std::size_t index) { return step(data.slot(index)); });
  }

  void save(ByteWriter& out) const {
    out.doubles(parameters);
    data.save(out);
  }
  void load(ByteReader& in) {
    in.doubles(std::span(parameters));
    data.load(in);
  }
};

}  // namespace handrail
