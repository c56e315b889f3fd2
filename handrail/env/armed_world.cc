#include "handrail/env/armed_world.h"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

constexpr double kCheapestCost = 0.2;
constexpr double kDearestCost = 0.8;

class ArmedWorld final : public WorldRounds {
 public:
  ArmedWorld(const ParameterValues& values, std::uint64_t seed);

  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kBlock, .feature_count = 1, .block_count = arm_count()};
  }
  std::size_t arm_count() const override { return every_round_.arm_count; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    out = every_round_;
    out.t = t;
  }

 private:
  EnvironmentRound every_round_;
};

ArmedWorld::ArmedWorld(const ParameterValues& values, std::uint64_t seed) {
  const std::size_t arms = values.count(kArmsRow);
  every_round_.arm_count = arms;
  every_round_.features = {1.0};
  std::vector<double>& costs = every_round_.expected_costs;
  costs.assign(arms, std::midpoint(kCheapestCost, kDearestCost));  // of one arm
  for (std::size_t i = 0; arms > 1 && i < arms; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(arms - 1);
    costs[i] = std::lerp(kCheapestCost, kDearestCost, share);
  }
  RandomStream stream(seed, Purpose::kWorld, kPermutationStream);
  for (std::size_t i = arms; i > 1; --i) std::swap(costs[i - 1], costs[stream.below(i)]);
  set_baseline(0, values.count(kRankRow), every_round_);
}

constexpr std::array<const ParameterSpec*, 4> kRows = {&kArmsRow, &kRankRow, &kNoiseRow,
                                                       &kDelayRow};

}  // namespace

constinit const WorldEntry kArmedWorld = {
    .name = "armed",
    .meaning = "no context: costs evenly spaced from 0.2 to 0.8, permuted by the seed",
    .parameters = kRows,
    .resolve = resolve_rank_of_arms,
    .check = check_rank_of_arms,
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<ArmedWorld>(values, seed);
    },
};

}  // namespace handrail
