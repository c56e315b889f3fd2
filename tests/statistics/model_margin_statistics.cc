// Coverage of the two margins of the model gate (safety/model_gate.h), as formulas: if the costs'
// true means are in the oracle's class and its regret is what it says, then with probability 1 − δ
// Σ h ≤ Σ ŷ + margin for all m at once.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "handrail/base/random.h"
#include "handrail/safety/model_gate.h"
#include "tests/statistics/tally.h"

namespace handrail {
namespace {

double loss_of(Loss loss, double prediction, double cost) {
  if (loss == Loss::kSquare) return (prediction - cost) * (prediction - cost);
  return cost > 0.5 ? -std::log(prediction) : -std::log(1.0 - prediction);
}

// The sums that a margin is computed from and judged by.
class Sums {
 public:
  void add(double mean, double prediction) {
    mean_sum_ += mean;
    predicted_sum_ += prediction;
    ++count_;
  }
  // Not covered also if the margin is no number.
  bool covered(Loss loss, double regret) const {
    const double margin = loss == Loss::kSquare ? square_loss_margin(count_, regret, kDelta)
                                                : log_loss_margin(predicted_sum_, regret, kDelta);
    return mean_sum_ <= predicted_sum_ + margin;
  }

 private:
  double mean_sum_ = 0.0;
  double predicted_sum_ = 0.0;
  std::uint64_t count_ = 0;
};

// One of the contexts: its costs so far, and the least loss that a constant has on them.
struct Cell {
  double count = 0.0;
  double sum = 0.0;

  double prediction() const { return (sum + 0.5) / (count + 1.0); }
  double least_loss(Loss loss) const {
    if (sum == 0.0 || sum == count) return 0.0;
    const double mean = sum / count;
    return sum * loss_of(loss, mean, 1.0) + (count - sum) * loss_of(loss, mean, 0.0);
  }
};

// A running mean over 5 contexts, whose means are random, with its realised regret: what it lost
// beyond the best table in hindsight.
bool running_mean_misses(Loss loss, std::uint64_t seed) {
  constexpr std::size_t kContextCount = 5;
  RandomStream stream(seed, Purpose::kTest, 2);
  std::array<double, kContextCount> means;
  for (double& mean : means) mean = stream.uniform();
  std::array<Cell, kContextCount> cells;
  Sums sums;
  double regret = 0.0;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t context = stream.below(kContextCount);
    const double cost = stream.uniform() < means[context] ? 1.0 : 0.0;
    Cell& cell = cells[context];
    sums.add(means[context], cell.prediction());
    regret += loss_of(loss, cell.prediction(), cost) + cell.least_loss(loss);
    cell.count += 1.0;
    cell.sum += cost;
    regret -= cell.least_loss(loss);
    if (!sums.covered(loss, regret)) return true;
  }
  return false;
}

// The tightest case: a constant error, so that Cauchy and Schwarz lose nothing, and the regret
// against the true mean itself, so that no hindsight hides in it.
struct Constant {
  double mean;
  double prediction;
  int rounds;
};

bool constant_misses(Loss loss, const Constant& oracle, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 3);
  Sums sums;
  double regret = 0.0;
  for (int round = 0; round < oracle.rounds; ++round) {
    const double cost = stream.uniform() < oracle.mean ? 1.0 : 0.0;
    sums.add(oracle.mean, oracle.prediction);
    regret += loss_of(loss, oracle.prediction, cost) - loss_of(loss, oracle.mean, cost);
    if (!sums.covered(loss, regret)) return true;
  }
  return false;
}

template <typename Misses>
int count_misses(const char* oracle, const char* loss, Misses misses) {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) count += misses(seed) ? 1 : 0;
  std::printf("| %s | %s | 2000 | %d |\n", oracle, loss, count);
  std::fflush(stdout);
  testing::Test::RecordProperty("not_covered", count);
  return count;
}

class ModelMargin : public testing::Test {
 public:
  static void SetUpTestSuite() {
    std::printf("### Coverage of the model gate's margins\n");
    std::printf("| oracle | loss | runs | not covered |\n|---|---|---|---|\n");
  }
};

// Hypothesis, in all four: a run is ever not covered with probability at most δ = 0.05. 2000 runs;
// false alarm below 1e-6.
TEST_F(ModelMargin, OfSquareLossCoversARunningMean) {
  EXPECT_LE(
      count_misses("running mean, realised regret", "square",
                   [](std::uint64_t seed) { return running_mean_misses(Loss::kSquare, seed); }),
      kMostOf2000);
}

TEST_F(ModelMargin, OfLogLossCoversARunningMean) {
  EXPECT_LE(count_misses("running mean, realised regret", "log",
                         [](std::uint64_t seed) { return running_mean_misses(Loss::kLog, seed); }),
            kMostOf2000);
}

TEST_F(ModelMargin, OfSquareLossCoversTheTightestCase) {
  constexpr Constant kOracle = {.mean = 0.5, .prediction = 0.4, .rounds = 5000};
  EXPECT_LE(count_misses(
                "0.4 where it is 0.5, exact regret", "square",
                [&](std::uint64_t seed) { return constant_misses(Loss::kSquare, kOracle, seed); }),
            kMostOf2000);
}

TEST_F(ModelMargin, OfLogLossCoversTheTightestCase) {
  constexpr Constant kOracle = {.mean = 0.02, .prediction = 0.01, .rounds = 20'000};
  EXPECT_LE(
      count_misses("0.01 where it is 0.02, exact regret", "log",
                   [&](std::uint64_t seed) { return constant_misses(Loss::kLog, kOracle, seed); }),
      kMostOf2000);
}

}  // namespace
}  // namespace handrail
