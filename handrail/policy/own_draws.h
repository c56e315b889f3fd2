// What policies share that draw a model before the arm is drawn, N times for an estimate of
// chances.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "handrail/config/parameter_values.h"
#include "handrail/explore/weighting.h"
#include "handrail/policy/policy.h"

namespace handrail {

// Of the share of N = `draws` draws that an arm won, as an estimate of its chance: its standard
// error is at most 1/(2√N). None for one draw, which estimates nothing.
std::optional<double> chance_error_of_draws(const ParameterValues& values);

// Proposes the arms that win: the least index of a draw does, ties to the lowest arm. `draw` fills
// out.indices, which has one an arm. Of one draw the winner is certain and its chance unknown; of
// more, the distribution is the share that each arm won, and indices, being those of the last draw
// alone, are cleared.
template <typename Draw>
void propose_winners(std::size_t draws, std::size_t arm_count, Proposal& out, Draw draw) {
  out.indices.resize(arm_count);
  if (draws == 1) {
    draw();
    out.chances = Chances::kUnknown;
    out.distribution =
        Distribution::certain(arm_count, greedy_arm(out.indices), std::move(out.distribution));
    return;
  }
  std::vector<double> shares = std::move(out.distribution).release();
  shares.assign(arm_count, 0.0);
  for (std::size_t i = 0; i < draws; ++i) {
    draw();
    shares[greedy_arm(out.indices)] += 1.0;
  }
  for (double& share : shares) share /= static_cast<double>(draws);
  const auto most = std::ranges::max_element(shares) - shares.begin();
  out.chances = Chances::kEstimated;
  out.distribution = Distribution(std::move(shares), static_cast<ArmIndex>(most));
  out.indices.clear();
}

}  // namespace handrail
