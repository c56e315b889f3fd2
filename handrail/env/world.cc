#include "handrail/env/world.h"

#include "handrail/base/assert.h"
#include "handrail/env/delay.h"
#include "handrail/env/noise.h"
#include "handrail/env/world_rows.h"

namespace handrail {
namespace {

class World final : public Environment {
 public:
  World(const WorldConfig& config, std::uint64_t seed)
      : name_(to_spec(config)),
        rounds_(config.entry->make(config.values, seed)),
        noise_(parse_noise(config.values.text(kNoiseRow)).value()),
        delay_(parse_delay(config.values.text(kDelayRow)).value()),
        seed_(seed) {}

  std::string name() const override { return name_; }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }  // the name says it all
  BaselineKnown baseline_known() const override { return kKnownInWorlds; }
  FeatureLayout layout() const override { return rounds_->layout(); }
  std::size_t arm_count() const override { return rounds_->arm_count(); }
  void fill(std::uint64_t t, EnvironmentRound& out) const override { rounds_->fill(t, out); }
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override;
  double expected_cost(const EnvironmentRound& round, ArmIndex arm) const override {
    return rounds_->expected_cost(round, arm);
  }
  double best_cost(const EnvironmentRound& round) const override {
    return rounds_->best_cost(round);
  }

 private:
  std::string name_;
  std::unique_ptr<WorldRounds> rounds_;
  Noise noise_;
  Delay delay_;
  std::uint64_t seed_;
};

Outcome World::outcome(const EnvironmentRound& round, ArmIndex arm) const {
  HANDRAIL_ASSERT(arm < arm_count());
  const double expected = expected_cost(round, arm);
  const bool noisy = noise_.kind == NoiseKind::kBernoulli;
  const double cost = noisy ? bernoulli_cost(expected, seed_, round.t, arm) : expected;
  return {.cost = cost, .arrives = delay_.arrives(seed_, round.t, arm, cost)};
}

}  // namespace

std::unique_ptr<Environment> make_world(const WorldConfig& config, std::uint64_t seed) {
  const WorldEntry& entry = *config.entry;
  HANDRAIL_ASSERT(entry.check == nullptr || entry.check(config.values).ok());
  return std::make_unique<World>(config, seed);
}

}  // namespace handrail
