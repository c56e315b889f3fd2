// The suite that every oracle must pass. oracle_conformance_test.cc puts every oracle of the
// registry under these tests; this header is for that file alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "handrail/agent/config.h"
#include "handrail/oracle/oracle.h"
#include "tests/dense_ridge.h"

namespace handrail {

struct OracleSubject {
  std::string name;
  std::string spec;  // of an agent with this oracle
  Loss loss = Loss::kSquare;
  Isa isa = Isa::kPortable;
  // Other examples learned before one step must lower the loss of the next. 0 for an oracle whose
  // step serves earlier examples too.
  std::size_t warm_up_count = 30;
  // Whether the blocks start equal, so that renaming the arms of block features changes nothing.
  bool blocks_start_alike = true;

  std::unique_ptr<Oracle> make(const FeatureLayout& layout) const {
    const Result<AgentConfig> config = parse_agent(spec);
    EXPECT_TRUE(config.ok()) << spec;
    const ParameterValues values = oracle_values(config.value());
    return config.value().oracle->make(
        PartFrame({.seed = 0, .layout = layout, .isa = isa}, values));
  }
};

inline std::ostream& operator<<(std::ostream& out, const OracleSubject& subject) {
  return out << subject.name;
}

// A round of random features that owns its memory, and the arm and cost it led to.
class OracleExample {
 public:
  OracleExample(RandomStream& stream, const FeatureLayout& layout) : layout_(layout) {
    const bool rows = layout.shape == FeatureShape::kRows;
    arm_count_ = rows ? 1 + stream.below(12) : layout.block_count;
    for (std::size_t row = 0; row < (rows ? arm_count_ : 1); ++row) {
      const std::vector<double> values = random_row(stream, layout.feature_count);
      values_.insert(values_.end(), values.begin(), values.end());
    }
    arm = static_cast<ArmIndex>(stream.below(arm_count_));
    cost = stream.below(3) == 0 ? static_cast<double>(stream.below(2)) : stream.uniform();
  }

  std::size_t arm_count() const { return arm_count_; }
  std::vector<double>& values() { return values_; }
  ArmFeatures features() const {
    if (layout_.shape == FeatureShape::kBlock) return ArmFeatures::block(values_, arm_count_);
    return ArmFeatures::rows(values_, layout_.feature_count);
  }
  void teach(Oracle& oracle) const { oracle.update(features().arm(arm), cost); }

  ArmIndex arm = 0;
  double cost = 0.0;

 private:
  FeatureLayout layout_;
  std::size_t arm_count_ = 0;
  std::vector<double> values_;
};

class OracleSuite : public ::testing::TestWithParam<OracleSubject> {
 protected:
  static std::vector<FeatureLayout> layouts() {
    return {{FeatureShape::kRows, 1, 1},
            {FeatureShape::kRows, 4, 1},
            {FeatureShape::kBlock, 3, 4},
            {FeatureShape::kBlock, 2, 1}};
  }

  std::unique_ptr<Oracle> make(const FeatureLayout& layout) const {
    return GetParam().make(layout);
  }

  static std::vector<double> predict(const Oracle& oracle, const ArmFeatures& features) {
    std::vector<double> costs(features.arm_count(), -1.0);
    Scratch scratch;
    oracle.predict(features, costs, scratch);
    return costs;
  }

  static std::string saved(const Oracle& oracle) {
    ByteWriter out;
    oracle.save(out);
    return std::string(out.bytes());
  }

  static void teach(Oracle& oracle, const FeatureLayout& layout, RandomStream& stream,
                    std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) OracleExample(stream, layout).teach(oracle);
  }

  double edge() const { return GetParam().loss == Loss::kLog ? kLogLossEdge : 0.0; }

  // The loss of a prediction above that of the best one.
  double excess_loss(double predicted, double cost) const {
    if (GetParam().loss == Loss::kSquare) return (predicted - cost) * (predicted - cost);
    const auto loss = [cost](double p) {
      return -cost * std::log(p) - (1.0 - cost) * std::log1p(-p);
    };
    return loss(predicted) - loss(std::clamp(cost, kLogLossEdge, 1.0 - kLogLossEdge));
  }
};

TEST_P(OracleSuite, PredictsInRange) {
  for (const FeatureLayout& layout : layouts()) {
    SCOPED_TRACE(describe(layout));
    RandomStream stream(1, Purpose::kTest, 100);
    const auto oracle = make(layout);
    for (int t = 0; t < 200; ++t) {
      const OracleExample example(stream, layout);
      for (const double cost : predict(*oracle, example.features())) {
        ASSERT_TRUE(cost >= edge() && cost <= 1.0 - edge()) << cost;
      }
      example.teach(*oracle);
    }
  }
}

// Features may be any finite numbers; an oracle need not learn from all of them, but it must go on.
TEST_P(OracleSuite, StaysInRangeOnExtremeFeatures) {
  for (const double size : {0.0, 1e-300, 1e-8, 1e3, 1e8, 1e30, 1e150, 1e300}) {
    SCOPED_TRACE(size);
    const FeatureLayout layout = {FeatureShape::kRows, 3, 1};
    RandomStream stream(2, Purpose::kTest, 101);
    const auto oracle = make(layout);
    for (int t = 0; t < 40; ++t) {
      OracleExample example(stream, layout);
      if (t % 2 == 0) {
        for (double& value : example.values()) value *= size;
      }
      example.teach(*oracle);
      for (const double cost : predict(*oracle, example.features())) {
        ASSERT_TRUE(cost >= edge() && cost <= 1.0 - edge()) << cost;
      }
      ASSERT_TRUE(std::isfinite(oracle->regret_bound().value_or(0.0)));
    }
  }
}

TEST_P(OracleSuite, IsDeterministic) {
  for (const FeatureLayout& layout : layouts()) {
    SCOPED_TRACE(describe(layout));
    RandomStream stream(3, Purpose::kTest, 102);
    const auto one = make(layout);
    const auto other = make(layout);
    for (int t = 0; t < 100; ++t) {
      const OracleExample example(stream, layout);
      EXPECT_EQ(predict(*one, example.features()), predict(*one, example.features()));
      EXPECT_EQ(predict(*one, example.features()), predict(*other, example.features()));
      example.teach(*one);
      example.teach(*other);
    }
    EXPECT_EQ(saved(*one), saved(*other));
  }
}

TEST_P(OracleSuite, OneStepNeverRaisesTheLossOfItsExample) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const FeatureLayout& layout : layouts()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + describe(layout));
      RandomStream stream(seed, Purpose::kTest, 103);
      const auto oracle = make(layout);
      teach(*oracle, layout, stream, stream.below(GetParam().warm_up_count + 1));
      const OracleExample example(stream, layout);
      const double before = predict(*oracle, example.features())[example.arm];
      example.teach(*oracle);
      const double after = predict(*oracle, example.features())[example.arm];
      const double loss_before = excess_loss(before, example.cost);
      const double loss_after = excess_loss(after, example.cost);
      EXPECT_LE(loss_after, loss_before + 1e-12);
      // At an edge the raw output may be far outside, and a step towards the cost unseen.
      const bool inside = before > edge() && before < 1.0 - edge();
      if (inside && loss_before > 1e-6) {
        EXPECT_LT(loss_after, loss_before);
      }
    }
  }
}

TEST_P(OracleSuite, LearnsAnExampleThatComesAgainAndAgain) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const FeatureLayout& layout : layouts()) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + describe(layout));
      RandomStream stream(seed, Purpose::kTest, 104);
      const auto oracle = make(layout);
      const OracleExample example(stream, layout);
      const double before = predict(*oracle, example.features())[example.arm];
      for (int t = 0; t < 300; ++t) example.teach(*oracle);
      const double after = predict(*oracle, example.features())[example.arm];
      EXPECT_LE(excess_loss(after, example.cost), 0.1 * excess_loss(before, example.cost) + 1e-4);
    }
  }
}

TEST_P(OracleSuite, PredictsAnArmTheSameInAnyPlace) {
  const FeatureLayout layout = {FeatureShape::kRows, 4, 1};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 105);
    const auto oracle = make(layout);
    teach(*oracle, layout, stream, 30);
    OracleExample example(stream, layout);
    const std::vector<double> costs = predict(*oracle, example.features());
    const auto row = [&](std::size_t arm) {
      return example.values().begin() + 4 * static_cast<std::ptrdiff_t>(arm);
    };
    std::vector<double> permuted = costs;
    for (std::size_t arm = example.arm_count(); arm-- > 1;) {
      const std::size_t partner = stream.below(arm + 1);
      std::swap_ranges(row(arm), row(arm) + (partner == arm ? 0 : 4), row(partner));
      std::swap(permuted[arm], permuted[partner]);
    }
    EXPECT_EQ(predict(*oracle, example.features()), permuted);
  }
}

TEST_P(OracleSuite, RenamingTheBlocksRenamesThePredictions) {
  if (!GetParam().blocks_start_alike) return;  // then a renamed block is another block
  const FeatureLayout layout = {FeatureShape::kBlock, 3, 4};
  const std::vector<ArmIndex> renamed = {2, 0, 3, 1};
  RandomStream stream(6, Purpose::kTest, 106);
  const auto one = make(layout);
  const auto other = make(layout);
  for (int t = 0; t < 60; ++t) {
    OracleExample example(stream, layout);
    const std::vector<double> costs = predict(*one, example.features());
    const std::vector<double> renamed_costs = predict(*other, example.features());
    for (ArmIndex arm = 0; arm < 4; ++arm) ASSERT_EQ(renamed_costs[renamed[arm]], costs[arm]);
    example.teach(*one);
    example.arm = renamed[example.arm];
    example.teach(*other);
  }
}

TEST_P(OracleSuite, GoesOnAfterLoadingAsIfNothingHadHappened) {
  for (const FeatureLayout& layout : layouts()) {
    SCOPED_TRACE(describe(layout));
    RandomStream stream(7, Purpose::kTest, 107);
    const auto oracle = make(layout);
    teach(*oracle, layout, stream, 950);
    const std::string bytes = saved(*oracle);
    const auto copy = make(layout);
    OracleExample(stream, layout).teach(*copy);  // what load() must replace
    ByteReader in(bytes);
    ASSERT_TRUE(copy->load(in).ok());
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(saved(*copy), bytes);
    for (int t = 0; t < 100; ++t) {
      const OracleExample example(stream, layout);
      ASSERT_EQ(predict(*copy, example.features()), predict(*oracle, example.features())) << t;
      ASSERT_EQ(copy->regret_bound(), oracle->regret_bound()) << t;
      example.teach(*oracle);
      example.teach(*copy);
    }
    EXPECT_EQ(saved(*copy), saved(*oracle));
  }
}

// Every length of a small state; about a thousand of a large one, both ends included.
TEST_P(OracleSuite, RefusesAStateThatIsCutShort) {
  const FeatureLayout layout = {FeatureShape::kBlock, 3, 2};
  RandomStream stream(8, Purpose::kTest, 108);
  const auto oracle = make(layout);
  teach(*oracle, layout, stream, 20);
  const std::string bytes = saved(*oracle);
  const std::size_t stride = bytes.size() / 1000 + 1;
  const auto loaded = make(layout);
  for (std::size_t missing = 1; missing <= bytes.size(); missing += missing < 20 ? 1 : stride) {
    ByteReader in(std::string_view(bytes).substr(0, bytes.size() - missing));
    ASSERT_FALSE(loaded->load(in).ok()) << missing << " bytes missing";
  }
  ByteReader nothing(std::string_view{});
  EXPECT_FALSE(loaded->load(nothing).ok());
}

}  // namespace handrail
