#include "handrail/env/drifting_world.h"

#include <algorithm>
#include <array>

#include "handrail/env/round_stream.h"
#include "handrail/env/sphere.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

constexpr ParameterSpec kJumpRow =
    count_row("jump", "last round before the jump", "1500",
              {.low = 0.0, .high = static_cast<double>(kRoundLimit)});

class DriftingWorld final : public WorldRounds {
 public:
  DriftingWorld(const ParameterValues& values, std::uint64_t seed)
      : sphere_(values, seed), rank_(values.count(kRankRow)), jump_(values.count(kJumpRow)) {}

  FeatureLayout layout() const override { return sphere_.layout(); }
  std::size_t arm_count() const override { return sphere_.arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    sphere_.show(t, out);
    sphere_.set_linear_costs(out);
    set_baseline(0, rank_, out);
    if (t <= jump_) return;
    std::ranges::fill(out.expected_costs, 1.0);
    out.expected_costs[out.baseline.arm] = out.baseline.cost;
  }

 private:
  Sphere sphere_;
  std::size_t rank_;
  std::uint64_t jump_;
};

constexpr std::array<const ParameterSpec*, 6> kRows = {&kArmsRow, &kDimRow,   &kRankRow,
                                                       &kJumpRow, &kNoiseRow, &kDelayRow};

}  // namespace

constinit const WorldEntry kDriftingWorld = {
    .name = "drifting",
    .meaning = "linear through round `jump`; after it every arm but the baseline's costs 1",
    .parameters = kRows,
    .resolve = resolve_rank_of_arms,
    .check = check_sphere,
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<DriftingWorld>(values, seed);
    },
};

}  // namespace handrail
