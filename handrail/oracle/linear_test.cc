#include "handrail/oracle/linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "handrail/base/random.h"
#include "tests/dense_ridge.h"

namespace handrail {
namespace {

double sigma(double raw) {
  return 1.0 / (1.0 + std::exp(-raw));
}

double predict_one(const Oracle& oracle, std::span<const double> row) {
  double cost = -1.0;
  Scratch scratch;
  oracle.predict(ArmFeatures::rows(row, row.size()), std::span(&cost, 1), scratch);
  return cost;
}

// The published update, letter by letter and in the features' own units.
struct Twin {
  Loss loss;
  double eta;
  std::vector<double> w, s, g_sum;
  double n = 0.0;
  double n_sum = 0.0;

  Twin(Loss l, double rate, std::size_t size) : loss(l), eta(rate), w(size), s(size), g_sum(size) {}

  void update(const std::vector<double>& x, double y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0.0) continue;
      if (std::abs(x[i]) > s[i]) {
        w[i] *= s[i] / std::abs(x[i]);
        s[i] = std::abs(x[i]);
      }
      n_sum += x[i] * x[i] / (s[i] * s[i]);
    }
    n += 1.0;
    const double raw = inner(w, x);
    const double g = loss == Loss::kSquare ? 2.0 * (raw - y) : sigma(raw) - y;
    std::vector<double> r(x.size(), 0.0);
    double q = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      g_sum[i] += std::pow(g * x[i], 2);
      if (x[i] == 0.0 || g_sum[i] == 0.0) continue;
      r[i] = std::sqrt(n / n_sum) / (s[i] * std::sqrt(g_sum[i]));
      q += r[i] * x[i] * x[i];
    }
    if (q == 0.0) return;
    double step = (y - raw) * (1.0 - std::exp(-2.0 * eta * q)) / q;
    if (loss == Loss::kLog) {
      step = eta * (y - sigma(raw));
      const bool passes = y > 0.0 && y < 1.0 && (sigma(raw + step * q) - y) * (sigma(raw) - y) < 0;
      if (passes) step = (std::log(y / (1.0 - y)) - raw) / q;
    }
    for (std::size_t i = 0; i < x.size(); ++i) w[i] += step * r[i] * x[i];
  }
};

void compare_with_twin(Loss loss, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 20);
  const std::size_t size = 1 + stream.below(5);
  const double rate = std::exp(4.0 * stream.uniform() - 3.0);
  const auto oracle =
      make_linear({.loss = loss, .learning_rate = rate}, {FeatureShape::kRows, size});
  Twin twin(loss, rate, size);
  std::vector<double> scales(size);
  for (double& scale : scales) scale = std::exp(6.0 * stream.uniform() - 3.0);
  for (int t = 0; t < 100; ++t) {
    std::vector<double> x = random_row(stream, size);
    for (std::size_t i = 0; i < size; ++i) x[i] *= scales[i] * (stream.below(4) == 0 ? 0.0 : 1.0);
    const double y = stream.below(3) == 0 ? static_cast<double>(stream.below(2)) : stream.uniform();
    oracle->update({.features = x}, y);
    twin.update(x, y);
    const double raw = inner(twin.w, x);
    const double expected = loss == Loss::kSquare
                                ? std::clamp(raw, 0.0, 1.0)
                                : std::clamp(sigma(raw), kLogLossEdge, 1.0 - kLogLossEdge);
    ASSERT_NEAR(predict_one(*oracle, x), expected, 1e-9) << "round " << t;
  }
}

TEST(Linear, IsThePublishedUpdate) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_twin(Loss::kSquare, seed);
    compare_with_twin(Loss::kLog, seed);
  }
}

TEST(Linear, StartsAtNothingKnown) {
  const std::vector<double> row = {3.0, -2.0};
  EXPECT_EQ(predict_one(*make_linear({.loss = Loss::kSquare}, {FeatureShape::kRows, 2}), row), 0.0);
  EXPECT_EQ(predict_one(*make_linear({.loss = Loss::kLog}, {FeatureShape::kRows, 2}), row), 0.5);
}

TEST(Linear, AFeatureNeverMetSaysNothing) {
  const auto oracle = make_linear({}, {FeatureShape::kRows, 2});
  for (int t = 0; t < 10; ++t) oracle->update({.features = std::vector<double>{1.0, 0.0}}, 0.8);
  const double known = predict_one(*oracle, std::vector<double>{1.0, 0.0});
  EXPECT_GT(known, 0.5);
  EXPECT_EQ(predict_one(*oracle, std::vector<double>{1.0, 1e6}), known);
}

TEST(Linear, DoesNotCareForTheUnitOfAFeature) {
  const auto metres = make_linear({}, {FeatureShape::kRows, 2});
  const auto inches = make_linear({}, {FeatureShape::kRows, 2});
  RandomStream stream(1, Purpose::kTest, 21);
  for (int t = 0; t < 200; ++t) {
    const std::vector<double> x = {stream.uniform(), 1.0};
    const std::vector<double> converted = {x[0] * 39.37, 1.0};
    metres->update({.features = x}, 0.2 + 0.5 * x[0]);
    inches->update({.features = converted}, 0.2 + 0.5 * x[0]);
    ASSERT_NEAR(predict_one(*metres, x), predict_one(*inches, converted), 1e-12);
  }
}

TEST(Linear, NeverStepsPastTheCostHoweverLargeTheRate) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(seed);
      RandomStream stream(seed, Purpose::kTest, 22);
      const auto oracle =
          make_linear({.loss = loss, .learning_rate = 1e6}, {FeatureShape::kRows, 3});
      for (int t = 0; t < 30; ++t) {
        const std::vector<double> x = random_row(stream, 3);
        const double y = 0.01 + 0.98 * stream.uniform();
        const double before = predict_one(*oracle, x) - y;
        oracle->update({.features = x}, y);
        const double after = predict_one(*oracle, x) - y;
        ASSERT_GE(before * after, -1e-9) << t;
        ASSERT_LE(std::abs(after), std::abs(before) + 1e-12) << t;
      }
    }
  }
}

TEST(Linear, LearnsALinearCost) {
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    const auto oracle = make_linear({.loss = loss}, {FeatureShape::kRows, 3});
    RandomStream stream(2, Purpose::kTest, 23);
    double error_sum = 0.0;
    for (int t = 0; t < 4000; ++t) {
      const std::vector<double> x = {2.0 * stream.uniform() - 1.0, 100.0 * stream.uniform(), 1.0};
      const double raw = x[0] - 0.02 * x[1] + 0.5;
      const double y = loss == Loss::kLog ? sigma(raw) : 0.5 + 0.2 * raw;
      if (t >= 3000) error_sum += std::abs(predict_one(*oracle, x) - y);
      oracle->update({.features = x}, y);
    }
    EXPECT_LT(error_sum / 1000.0, 0.02);
  }
}

// A number from 5e-324 to 1.8e308, or 0; the exponents are spread evenly.
double extreme(RandomStream& stream) {
  if (stream.below(5) == 0) return 0.0;
  const double size =
      std::ldexp(1.0 + stream.uniform(), static_cast<int>(stream.below(2098)) - 1074);
  return stream.below(2) == 0 ? size : -size;
}

TEST(Linear, StaysFiniteOnAnyFiniteFeatures) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 24);
    const Loss loss = seed % 2 == 0 ? Loss::kSquare : Loss::kLog;
    const FeatureLayout layout = {FeatureShape::kRows, 3, 1};
    const auto oracle = make_linear({.loss = loss, .learning_rate = 10.0}, layout);
    for (int t = 0; t < 60; ++t) {
      const std::vector<double> x = {extreme(stream), extreme(stream), extreme(stream)};
      const double y = stream.below(2) == 0 ? static_cast<double>(stream.below(2))
                                            : std::min(1.0, std::abs(extreme(stream)));
      oracle->update({.features = x}, y);
      const double predicted = predict_one(*oracle, x);
      ASSERT_TRUE(predicted >= 0.0 && predicted <= 1.0) << predicted;
    }
    ByteWriter out;
    oracle->save(out);
    ByteReader in(out.bytes());
    for (int array = 0; array < 3; ++array) {
      for (const double number : in.doubles()) ASSERT_TRUE(std::isfinite(number));
    }
  }
}

// With block features an arm reads what other arms have met.
TEST(Linear, StaysInRangeOnAnyFiniteFeaturesOfABlock) {
  const FeatureLayout layout = {FeatureShape::kBlock, 3, 11};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream stream(seed, Purpose::kTest, 25);
    const Loss loss = seed % 2 == 0 ? Loss::kSquare : Loss::kLog;
    const auto oracle =
        make_linear({.loss = loss, .learning_rate = 10.0, .isa = supported_isas().back()}, layout);
    Scratch scratch;
    for (int t = 0; t < 100; ++t) {
      const std::vector<double> x = {extreme(stream), extreme(stream), extreme(stream)};
      const ArmFeatures features = ArmFeatures::block(x, layout.block_count);
      std::vector<double> costs(layout.block_count, -1.0);
      oracle->predict(features, costs, scratch);
      for (const double cost : costs) ASSERT_TRUE(cost >= 0.0 && cost <= 1.0) << cost;
      const auto arm = static_cast<ArmIndex>(stream.below(layout.block_count));
      oracle->update(features.arm(arm), static_cast<double>(stream.below(2)));
    }
  }
}

TEST(Linear, RefusesAStateWithoutScales) {
  const auto oracle = make_linear({}, {FeatureShape::kRows, 2});
  ByteWriter out;
  for (int array = 0; array < 3; ++array) out.doubles(std::vector<double>{0.0, 0.0});
  out.f64(0.0);
  out.f64(0.0);
  ByteReader in(out.bytes());
  EXPECT_FALSE(oracle->load(in).ok());
}

// Predictions and updates that meet a list do what those do that meet the row, to the last bit.
TEST(Linear, LearnsTheSameFromAList) {
  const FeatureLayout layout = {FeatureShape::kBlock, 50, 3};
  const auto by_row = make_linear({}, layout);
  const auto by_list = make_linear({}, layout);
  ASSERT_TRUE(by_list->reads_lists());
  SparseRow list;
  std::vector<double> costs(3);
  std::vector<double> list_costs(3);
  Scratch scratch;
  for (std::uint64_t t = 1; t <= 100; ++t) {
    RandomStream stream(1, Purpose::kTest, t);
    std::vector<double> row(50);
    for (double& value : row) value = stream.below(5) == 0 ? stream.normal() : 0.0;
    list.list(row);
    const ArmFeatures features = ArmFeatures::block(row, 3);
    by_row->predict(features, costs, scratch);
    by_list->predict(ArmFeatures::sparse_block(list, 3), list_costs, scratch);
    ASSERT_EQ(costs, list_costs) << "round " << t;
    const double cost = stream.uniform();
    by_row->update({.features = row, .block = t % 3}, cost);
    by_list->update({.features = {}, .block = t % 3, .listed = &list}, cost);
  }
  EXPECT_FALSE(make_linear({}, {FeatureShape::kBlock, 10, 3})->reads_lists());
  EXPECT_FALSE(make_linear({}, {FeatureShape::kRows, 50, 1})->reads_lists());
}

}  // namespace
}  // namespace handrail
