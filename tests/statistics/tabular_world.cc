#include "tests/statistics/tabular_world.h"

#include <algorithm>
#include <array>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/env/delay.h"
#include "handrail/env/noise.h"

namespace handrail {
namespace {

constexpr std::size_t kArmCount = 5;
constexpr std::size_t kContextCount = 10;
constexpr std::size_t kFirstBadArm = 3;
constexpr double kBaselineCost = 0.5;
constexpr double kCheapBaselineCost = 0.05;
constexpr double kBadCost = 0.95;
constexpr double kBlindGuess = 0.05;

template <typename T>
using Table = std::array<std::array<T, kArmCount>, kContextCount>;

class TabularWorld final : public Environment {
 public:
  explicit TabularWorld(const TabularConfig& config) : config_(config) {
    const Result<Delay> delay = parse_delay(config.delay);
    HANDRAIL_ASSERT(delay.ok());
    delay_ = delay.value();
    RandomStream stream(config.seed, Purpose::kWorld, 0);
    for (auto& row : means_) {
      for (double& mean : row) mean = 0.1 + 0.8 * stream.uniform();
      row[0] = kBaselineCost;
      if (config.trouble == Trouble::kBlind)
        std::fill(row.begin() + kFirstBadArm, row.end(), kBadCost);
    }
  }

  std::string name() const override { return "tabular"; }
  EnvironmentKind kind() const override { return EnvironmentKind::kWorld; }
  std::uint32_t fingerprint() const override { return 0; }
  BaselineKnown baseline_known() const override { return BaselineKnown::kPerRound; }
  FeatureLayout layout() const override {
    return {
        .shape = FeatureShape::kBlock, .feature_count = kContextCount, .block_count = kArmCount};
  }
  std::size_t arm_count() const override { return kArmCount; }

  void fill(std::uint64_t t, EnvironmentRound& out) const override {
    const std::size_t context =
        RandomStream(config_.seed, Purpose::kFeatures, t).below(kContextCount);
    out.t = t;
    out.arm_count = kArmCount;
    out.features.assign(kContextCount, 0.0);
    out.features[context] = 1.0;
    out.expected_costs.assign(means_[context].begin(), means_[context].end());
    if (config_.trouble == Trouble::kSwitch && t > config_.rounds / 2) {
      std::fill(out.expected_costs.begin() + 1, out.expected_costs.end(), 1.0);
    }
    if (config_.trouble == Trouble::kCheaperBaseline && t > config_.rounds / 3) {
      out.expected_costs[0] = kCheapBaselineCost;
    }
    out.baseline = {.arm = 0, .cost = out.expected_costs[0]};
  }

  Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const override {
    const double cost = bernoulli_cost(round.expected_costs[arm], config_.seed, round.t, arm);
    return {.cost = cost, .arrives = delay_.arrives(config_.seed, round.t, arm, cost)};
  }

 private:
  TabularConfig config_;
  Delay delay_;
  Table<double> means_{};
};

struct Cell {
  double count = 0.0;
  double sum = 0.0;
  double prediction() const { return (sum + 0.5) / (count + 1.0); }
  // min_g Σ (g − y)² for costs of 0 and 1, whose squares are themselves.
  double least_loss() const { return count > 0.0 ? sum - sum * sum / count : 0.0; }
};

class RunningMean final : public Oracle {
 public:
  explicit RunningMean(Trouble trouble) : blind_(trouble == Trouble::kBlind) {}

  void predict(const ArmFeatures& features, std::span<double> costs, Scratch&) const override {
    const std::size_t context = context_of(features.values());
    for (std::size_t arm = 0; arm < costs.size(); ++arm) {
      const bool blind = blind_ && arm >= kFirstBadArm;
      costs[arm] = blind ? kBlindGuess : cells_[context][arm].prediction();
    }
  }

  void update(const ArmView& arm, double cost) override {
    Cell& cell = cells_[context_of(arm.features)][arm.block];
    const double error = cell.prediction() - cost;
    regret_ += error * error + cell.least_loss();
    cell.count += 1.0;
    cell.sum += cost;
    regret_ -= cell.least_loss();
  }

  std::optional<double> regret_bound() const override { return regret_; }
  void save(ByteWriter&) const override { HANDRAIL_ASSERT(false); }
  Status load(ByteReader&) override { return Error{"is not saved"}; }

 private:
  static std::size_t context_of(std::span<const double> features) {
    return static_cast<std::size_t>(std::ranges::find(features, 1.0) - features.begin());
  }

  bool blind_;
  Table<Cell> cells_{};
  double regret_ = 0.0;
};

}  // namespace

std::unique_ptr<Environment> make_tabular_world(const TabularConfig& config) {
  return std::make_unique<TabularWorld>(config);
}

std::unique_ptr<Oracle> make_running_mean(Trouble trouble) {
  return std::make_unique<RunningMean>(trouble);
}

}  // namespace handrail
