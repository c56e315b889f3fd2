#include "handrail/env/dataset.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "handrail/base/random.h"
#include "handrail/env/data_environment.h"
#include "tests/data_fixture.h"
#include "tests/environment_suite.h"

namespace handrail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

DataConfig config_of(const std::string& keys) {
  const Result<DataConfig> config = parse_data(keys.empty() ? "d" : "d:" + keys);
  EXPECT_TRUE(config.ok()) << config.error().message;
  return config.value();
}

// x, logged, class: six rows, a twice, b three times, c once; "never" is declared and absent.
Table sample() {
  const std::vector<std::string> classes = {"a", "never", "b", "c"};
  Table table({{.name = "x"},
               {.name = "logged", .kind = ColumnKind::kNominal, .values = {"c", "a"}},
               {.name = "class", .kind = ColumnKind::kNominal, .values = classes}});
  const std::vector<std::vector<double>> rows = {{1, 0, 0}, {2, 1, 2}, {3, 1, 2},
                                                 {4, 1, 0}, {5, 0, 2}, {6, 0, 3}};
  for (const auto& row : rows) table.add_row(row);
  return table;
}

Dataset made(Table table, const std::string& keys) {
  Result<Dataset> dataset = Dataset::make(std::move(table), config_of(keys));
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return std::move(dataset).value();
}

std::string refusal(Table table, const std::string& keys) {
  const Result<Dataset> dataset = Dataset::make(std::move(table), config_of(keys));
  return dataset.ok() ? "no refusal" : dataset.error().message;
}

TEST(Dataset, ArmsAreTheClassesThatOccur) {
  const Dataset dataset = made(sample(), "");
  EXPECT_EQ(std::vector(dataset.arm_names().begin(), dataset.arm_names().end()),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(dataset.label(1), 1u);
  EXPECT_EQ(dataset.label(5), 2u);
  EXPECT_EQ(dataset.expected_cost(1, 1), 0.01);
  EXPECT_EQ(dataset.expected_cost(1, 2), 1.0);
}

TEST(Dataset, BaselineIsTheMajorityUnlessNamed) {
  EXPECT_EQ(made(sample(), "").constant_baseline(), 1);
  EXPECT_EQ(made(sample(), "baseline=minority").constant_baseline(), 2);
  EXPECT_EQ(made(sample(), "baseline=a").constant_baseline(), 0);
  EXPECT_EQ(made(sample(), "baseline=2").constant_baseline(), 2);
  EXPECT_EQ(refusal(sample(), "baseline=d").substr(0, 19), "d: baseline is \"d\";");
  EXPECT_EQ(refusal(sample(), "baseline=3").substr(0, 19), "d: baseline is \"3\";");
}

// Sums of 0.01 and 1 in the order of the rows would round differently for each arm.
TEST(Dataset, ClassesOfEqualSizeTieToTheLowestIndex) {
  Table table({{.name = "class", .kind = ColumnKind::kNominal, .values = {"a", "b", "c"}}});
  RandomStream stream(9, Purpose::kTest, 0);
  std::vector<int> left = {701, 701, 701};
  while (left[0] + left[1] + left[2] > 0) {
    const std::size_t label = stream.below(3);
    if (left[label]-- > 0) table.add_row(std::vector<double>{static_cast<double>(label)});
    left[label] = std::max(left[label], 0);
  }
  for (const char* keys : {"", "noise=flip:0.1", "baseline=minority"}) {
    EXPECT_EQ(made(table, keys).constant_baseline(), 0) << keys;
  }
}

// b is right in three of six rows: low·f + high·(1 − f) = 0.505.
TEST(Dataset, TellsTheBaselinesCostAsAsked) {
  EXPECT_DOUBLE_EQ(made(sample(), "").told_baseline_cost(0), 0.505);
  EXPECT_EQ(made(sample(), "baseline_known=per_round").told_baseline_cost(0), 1.0);
  EXPECT_EQ(made(sample(), "baseline_known=per_round").told_baseline_cost(1), 0.01);
  EXPECT_EQ(made(sample(), "baseline_known=floor").told_baseline_cost(0), 0.01);
  EXPECT_EQ(made(sample(), "baseline_known=unknown").told_baseline_cost(0), 0.0);
  EXPECT_DOUBLE_EQ(made(sample(), "").baseline_right_share(), 0.5);
}

// ε = 0.3, K = 3: right 0.7·0.01 + 0.3 = 0.307, others 1 − 0.3·0.99/2 = 0.8515.
TEST(Dataset, FlippedLabelsMoveExpectedCosts) {
  const Dataset dataset = made(sample(), "noise=flip:0.3");
  EXPECT_NEAR(dataset.expected_cost(0, 0), 0.307, 1e-15);
  EXPECT_NEAR(dataset.expected_cost(0, 1), 0.8515, 1e-15);
}

TEST(Dataset, FollowsALoggedColumnWhichIsThenNoFeature) {
  const Dataset dataset = made(sample(), "baseline=column:logged");
  EXPECT_EQ(dataset.baseline_arm(0), 2u);
  EXPECT_EQ(dataset.baseline_arm(1), 0u);
  EXPECT_EQ(dataset.feature_count(), 2u);  // x and the constant
  EXPECT_EQ(made(sample(), "").feature_count(), 4u);
  EXPECT_EQ(dataset.constant_baseline(), -1);
  EXPECT_EQ(made(sample(), "ignore=logged|x").feature_count(), 1u);
}

TEST(Dataset, RefusesWhatCannotBePlayed) {
  EXPECT_EQ(refusal(sample(), "class=x").substr(0, 26), "d: column \"x\" is numeric, ");
  EXPECT_EQ(refusal(sample(), "class=clas"),
            "d: no column is called \"clas\", which was to be the class; the nearest is \"class\"");
  Table one({{.name = "class", .kind = ColumnKind::kNominal, .values = {"only", "never"}}});
  one.add_row(std::vector<double>{0});
  EXPECT_EQ(refusal(one, ""),
            "d: column \"class\" has one class only, \"only\": there is nothing to choose");
  Table hole = sample();
  hole.add_row(std::vector<double>{1, 0, kMissing});
  EXPECT_EQ(refusal(hole, ""), "d: row 7 has no class: its column \"class\" is missing");
  EXPECT_EQ(refusal(Table({{.name = "class", .kind = ColumnKind::kNominal}}), ""),
            "d: has no rows");
  EXPECT_EQ(refusal(sample(), "baseline=column:x").substr(0, 40),
            "d: baseline column \"x\" is numeric; names");
  EXPECT_EQ(refusal(sample(), "baseline=trained:6").substr(0, 29), "d: baseline is trained:6; a w");
}

TEST(Dataset, CostColumnsAreTheArms) {
  Table table({{.name = "x"}, {.name = "left"}, {.name = "right"}});
  table.add_row(std::vector<double>{1, 2, 8});
  table.add_row(std::vector<double>{2, 4, 0});
  const Dataset dataset = made(table, "costs=left|right,cost_max=8");
  EXPECT_EQ(dataset.arm_count(), 2u);
  EXPECT_EQ(dataset.feature_count(), 2u);
  EXPECT_EQ(dataset.expected_cost(0, 0), 0.25);
  EXPECT_EQ(dataset.expected_cost(0, 1), 1.0);
  EXPECT_EQ(dataset.constant_baseline(), 0);  // 0.375 on average against 0.5
  EXPECT_EQ(dataset.mean_baseline_cost(), 0.375);
  EXPECT_EQ(refusal(table, "costs=left|right,cost_max=7"),
            "d: row 1: cost column \"right\" is 8; a number in [0, 7] was expected (--cost-max)");
}

// The classes are separable by x, so a model fitted on some rows is right on the others.
TEST(Dataset, ATrainedBaselineIsRightOnRowsItNeverSaw) {
  Table table(
      {{.name = "x"}, {.name = "class", .kind = ColumnKind::kNominal, .values = {"low", "high"}}});
  for (int i = 0; i < 400; ++i) {
    table.add_row(std::vector<double>{static_cast<double>(i), i < 200 ? 0.0 : 1.0});
  }
  const Dataset dataset = made(table, "baseline=trained:100");
  EXPECT_EQ(dataset.row_count(), 300u);
  EXPECT_GT(dataset.baseline_right_share(), 0.95);
  EXPECT_LT(dataset.mean_baseline_cost(), 0.06);
}

TEST(Dataset, FingerprintSeesEveryCell) {
  Table other = sample();
  other.add_row(std::vector<double>{1, 0, 0});
  EXPECT_NE(made(sample(), "").fingerprint(), made(other, "").fingerprint());
  EXPECT_EQ(made(sample(), "").fingerprint(), made(sample(), "").fingerprint());
}

// Two hundred rows of three classes that a feature tells apart, more or less.
Table many() {
  Table table({{.name = "x"},
               {.name = "y"},
               {.name = "class", .kind = ColumnKind::kNominal, .values = {"a", "b", "c"}}});
  RandomStream stream(5, Purpose::kTest, 0);
  for (int i = 0; i < 200; ++i) {
    const double label = static_cast<double>(stream.below(3));
    table.add_row(std::vector<double>{label + stream.normal(), stream.normal(), label});
  }
  return table;
}

TEST(DataEnvironment, ConformsWithEveryNoise) {
  for (const char* keys : {"", "noise=bernoulli,low=0.2,high=0.7", "noise=flip:0.2",
                           "baseline=trained:50,delay=uniform:5", "baseline_known=per_round"}) {
    SCOPED_TRACE(keys);
    const Dataset dataset = made(many(), keys);
    expect_conforming([&](std::uint64_t seed) { return make_data_environment(dataset, seed); });
  }
}

TEST(DataEnvironment, ShowsEveryRowOnceAPassInAnotherOrderEachTime) {
  const Dataset dataset = made(many(), "norm=no,scale=none,constant=no");
  const auto environment = make_data_environment(dataset, 3);
  EnvironmentRound round;
  std::vector<std::multiset<double>> passes(2);
  std::vector<double> firsts;
  for (std::uint64_t t = 1; t <= 400; ++t) {
    environment->fill(t, round);
    passes[(t - 1) / 200].insert(round.features[0]);
    if (t % 200 <= 5 && t % 200 > 0) firsts.push_back(round.features[0]);
  }
  EXPECT_EQ(passes[0], passes[1]);
  const std::vector<double> first_pass(firsts.begin(), firsts.begin() + 5);
  EXPECT_NE(first_pass, std::vector<double>(firsts.begin() + 5, firsts.end()));
}

TEST(DataEnvironment, KeepsTheFilesOrderIfAsked) {
  const Dataset dataset = made(sample(), "shuffle=no,norm=no,scale=none,constant=no");
  const auto environment = make_data_environment(dataset, 3);
  EnvironmentRound round;
  for (std::uint64_t t = 1; t <= 12; ++t) {
    environment->fill(t, round);
    EXPECT_EQ(round.features[0], static_cast<double>((t - 1) % 6 + 1));
  }
}

// One label' a round: under flips exactly one arm is cheap in each round.
TEST(DataEnvironment, AFlippedLabelIsOneForAllArms) {
  const Dataset dataset = made(many(), "noise=flip:0.5");
  const auto environment = make_data_environment(dataset, 1);
  EnvironmentRound round;
  int flipped = 0;
  for (std::uint64_t t = 1; t <= 200; ++t) {
    environment->fill(t, round);
    int cheap = 0;
    for (ArmIndex arm = 0; arm < 3; ++arm) {
      const bool is_cheap = environment->outcome(round, arm).cost == 0.01;
      const bool is_right = round.expected_costs[arm] < 0.6;
      cheap += is_cheap ? 1 : 0;
      flipped += is_cheap && !is_right ? 1 : 0;
    }
    EXPECT_EQ(cheap, 1);
  }
  EXPECT_GT(flipped, 60);  // 100 expected; 60 or fewer have chance below 1e-8
}

}  // namespace
}  // namespace handrail
