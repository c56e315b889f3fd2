#include "handrail/env/misspecified_world.h"

#include <algorithm>
#include <array>

#include "handrail/env/sphere.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

constexpr std::size_t kLiarCount = 2;
constexpr double kLiarCost = 0.95;

class MisspecifiedWorld final : public WorldRounds {
 public:
  MisspecifiedWorld(const ParameterValues& values, std::uint64_t seed)
      : sphere_(values, seed), rank_(values.count(kRankRow)) {}

  FeatureLayout layout() const override { return sphere_.layout(); }
  std::size_t arm_count() const override { return sphere_.arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    sphere_.show(t, out);
    sphere_.set_linear_costs(out);
    lie(out);
    set_baseline(kLiarCount, rank_, out);
  }

 private:
  void lie(EnvironmentRound& out) const {
    const ArmIndex cheapest = arm_of_rank(out.expected_costs, kLiarCount, 1);
    for (std::size_t liar = 0; liar < kLiarCount; ++liar) {
      std::ranges::copy(sphere_.row(out, cheapest), sphere_.row(out, liar).begin());
      out.expected_costs[liar] = kLiarCost;
    }
  }

  Sphere sphere_;
  std::size_t rank_;
};

// One arm at least tells the truth.
constexpr ParameterSpec with_liars(ParameterSpec arms) {
  arms.low = static_cast<double>(kLiarCount + 1);
  return arms;
}
constexpr ParameterSpec kOwnArmsRow = with_liars(kArmsRow);

constexpr std::array<const ParameterSpec*, 5> kRows = {&kOwnArmsRow, &kDimRow, &kRankRow,
                                                       &kNoiseRow, &kDelayRow};

}  // namespace

constinit const WorldEntry kMisspecifiedWorld = {
    .name = "misspecified",
    .meaning =
        "linear, but arms 0 and 1 show the features of the round's cheapest other arm and cost "
        "0.95",
    .parameters = kRows,
    .resolve = resolve_rank_of_arms,
    .check = [](const ParameterValues& values) -> Status {
      const Status rank = check_rank(values, values.count(kArmsRow) - kLiarCount);
      return rank.ok() ? check_sphere_size(values) : rank;
    },
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<MisspecifiedWorld>(values, seed);
    },
};

}  // namespace handrail
