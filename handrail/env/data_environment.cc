#include "handrail/env/data_environment.h"

#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/env/round_stream.h"
#include "handrail/env/shuffle.h"

namespace handrail {
namespace {

class DataEnvironment final : public Environment {
 public:
  DataEnvironment(const Dataset& dataset, std::uint64_t seed) : dataset_(dataset), seed_(seed) {}

  EnvironmentKind kind() const override { return EnvironmentKind::kData; }
  std::string name() const override { return to_spec(dataset_.config()); }
  std::uint32_t fingerprint() const override { return dataset_.fingerprint(); }
  FeatureLayout layout() const override {
    return {.shape = FeatureShape::kBlock,
            .feature_count = dataset_.feature_count(),
            .block_count = dataset_.arm_count()};
  }
  std::size_t arm_count() const override { return dataset_.arm_count(); }
  BaselineKnown baseline_known() const override { return dataset_.config().baseline_known; }
  void fill(std::uint64_t t, EnvironmentRound& out) const override;
  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override;

 private:
  std::size_t row_at(std::uint64_t t) const;
  double observed_cost(const EnvironmentRound& round, ArmIndex arm) const;
  ArmIndex shown_label(std::uint64_t t) const;

  const Dataset& dataset_;
  std::uint64_t seed_;
};

std::size_t DataEnvironment::row_at(std::uint64_t t) const {
  HANDRAIL_ASSERT(t > 0);
  const std::uint64_t count = dataset_.row_count();
  const std::uint64_t place = (t - 1) % count;
  if (!dataset_.config().shuffle) return place;
  return shuffled(place, count, seed_, (t - 1) / count);
}

void DataEnvironment::fill(std::uint64_t t, EnvironmentRound& out) const {
  const std::size_t row = row_at(t);
  out.t = t;
  out.arm_count = dataset_.arm_count();
  out.features.resize(dataset_.feature_count());
  dataset_.encode(row, out.features);
  out.expected_costs.resize(out.arm_count);
  for (ArmIndex arm = 0; arm < out.arm_count; ++arm) {
    out.expected_costs[arm] = dataset_.expected_cost(row, arm);
  }
  out.baseline = {.arm = dataset_.baseline_arm(row), .cost = dataset_.told_baseline_cost(row)};
}

// One label a round for all arms: with probability ε another than the true one, each as likely.
ArmIndex DataEnvironment::shown_label(std::uint64_t t) const {
  const ArmIndex label = dataset_.label(row_at(t));
  RandomStream stream(seed_, Purpose::kFlip, t);
  if (stream.uniform() >= dataset_.config().noise.rate) return label;
  const auto other = static_cast<ArmIndex>(stream.below(dataset_.arm_count() - 1));
  return other < label ? other : other + 1;
}

double DataEnvironment::observed_cost(const EnvironmentRound& round, ArmIndex arm) const {
  switch (dataset_.config().noise.kind) {
    case NoiseKind::kNone:
      return round.expected_costs[arm];
    case NoiseKind::kBernoulli:
      return bernoulli_cost(round.expected_costs[arm], seed_, round.t, arm);
    case NoiseKind::kFlip:
      return dataset_.cost_of(arm, shown_label(round.t));
  }
  HANDRAIL_ASSERT(false);
}

Outcome DataEnvironment::outcome(const EnvironmentRound& round, ArmIndex arm) const {
  HANDRAIL_ASSERT(arm < dataset_.arm_count());
  const double cost = observed_cost(round, arm);
  return {.cost = cost, .arrives = dataset_.config().delay.arrives(seed_, round.t, arm, cost)};
}

}  // namespace

std::unique_ptr<Environment> make_data_environment(const Dataset& dataset, std::uint64_t seed) {
  return std::make_unique<DataEnvironment>(dataset, seed);
}

}  // namespace handrail
