// Training as the public code of EE-Net and of NeuralUCB does it: steps on one example at a time,
// in an order that is drawn once, pass after pass, until the mean loss of a pass is small or the
// steps are used up.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "handrail/base/random.h"

namespace handrail {

struct ShuffledFit {
  std::size_t step_limit = 0;
  double enough = 0.0;  // mean loss of a pass that ends the training
};

// Fills in the first `drawn` places of a random order of the examples; no more of it is ever looked
// at.
inline void shuffle(std::span<std::size_t> order, std::size_t drawn, RandomStream stream) {
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < drawn; ++i) {
    std::swap(order[i], order[i + stream.below(order.size() - i)]);
  }
}

// `order` is the caller's memory, with a place for each example. `step` takes an example's index,
// steps, and returns the example's loss before. Returns the number of steps.
template <typename Step>
std::size_t fit_shuffled(const ShuffledFit& plan, std::span<std::size_t> order,
                         const RandomStream& stream, Step step) {
  const std::size_t count = order.size();
  if (count == 0) return 0;
  shuffle(order, std::min(count, plan.step_limit), stream);
  std::size_t steps = 0;
  for (;;) {
    double loss_sum = 0.0;
    for (const std::size_t index : order) {
      if (steps == plan.step_limit) return steps;
      loss_sum += step(index);
      ++steps;
    }
    if (loss_sum / static_cast<double>(count) <= plan.enough) return steps;
  }
}

}  // namespace handrail
