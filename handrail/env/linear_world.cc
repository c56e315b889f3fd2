#include "handrail/env/linear_world.h"

#include <array>

#include "handrail/env/sphere.h"
#include "handrail/env/world_parts.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

class LinearWorld final : public WorldRounds {
 public:
  LinearWorld(const ParameterValues& values, std::uint64_t seed)
      : sphere_(values, seed), rank_(values.count(kRankRow)) {}

  FeatureLayout layout() const override { return sphere_.layout(); }
  std::size_t arm_count() const override { return sphere_.arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    sphere_.show(t, out);
    sphere_.set_linear_costs(out);
    set_baseline(0, rank_, out);
  }

 private:
  Sphere sphere_;
  std::size_t rank_;
};

constexpr std::array<const ParameterSpec*, 5> kRows = {&kArmsRow, &kDimRow, &kRankRow, &kNoiseRow,
                                                       &kDelayRow};

}  // namespace

constinit const WorldEntry kLinearWorld = {
    .name = "linear",
    .meaning = "h = 1/2 + <a, x>/2, the unit vector a fixed by the seed",
    .parameters = kRows,
    .resolve = resolve_rank_of_arms,
    .check = check_sphere,
    .make = [](const ParameterValues& values, std::uint64_t seed) -> std::unique_ptr<WorldRounds> {
      return std::make_unique<LinearWorld>(values, seed);
    },
};

}  // namespace handrail
