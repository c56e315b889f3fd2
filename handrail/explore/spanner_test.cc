#include "handrail/explore/spanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/product_fixture.h"

namespace handrail {
namespace {

const std::vector<Factor> kShape = {{2, 1}, {3, 2}, {1, 1}, {4, 2}};  // 24 arms, 6 dimensions
constexpr std::size_t kDimension = 6;

std::vector<double> random_numbers(std::uint64_t seed, std::size_t count) {
  RandomStream stream(seed, Purpose::kTest, 702);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(stream.normal());
  return numbers;
}

// x_a/w_a of every arm from the formula.
std::vector<std::vector<double>> weighted(const SmallProduct& product,
                                          const std::vector<double>& theta, double iota) {
  const std::size_t d = theta.size();
  std::vector<std::vector<double>> arms;
  std::vector<double> costs;
  for (std::size_t first = 0; first < product.rows.size(); first += d) {
    const auto row = std::span(product.rows).subspan(first, d);
    arms.emplace_back(row.begin(), row.end());
    costs.push_back(std::inner_product(row.begin(), row.end(), theta.begin(), 0.0));
  }
  const double least = *std::ranges::min_element(costs);
  for (std::size_t a = 0; a < arms.size(); ++a) {
    const double weight = std::sqrt(1.0 + static_cast<double>(d) + iota * (costs[a] - least));
    for (double& value : arms[a]) value /= weight;
  }
  return arms;
}

double product_of(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Gaussian elimination with the largest pivot.
double log_determinant(std::vector<std::vector<double>> m) {
  double log_det = 0.0;
  for (std::size_t k = 0; k < m.size(); ++k) {
    const auto larger = [&](const auto& a, const auto& b) {
      return std::abs(a[k]) < std::abs(b[k]);
    };
    std::swap(m[k], *std::max_element(m.begin() + static_cast<std::ptrdiff_t>(k), m.end(), larger));
    if (m[k][k] == 0.0) return -std::numeric_limits<double>::infinity();
    log_det += std::log(std::abs(m[k][k]));
    for (std::size_t i = k + 1; i < m.size(); ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < m.size(); ++j) m[i][j] -= factor * m[k][j];
    }
  }
  return log_det;
}

TEST(WeightedArms, FindsTheFarthestArmOfAProductWithoutGoingOverAll) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const SmallProduct product(kShape, seed);
    const std::vector<double> theta = random_numbers(seed, kDimension);
    const std::vector<double> c = random_numbers(seed + 1000, kDimension);
    for (const double iota : {0.0, 1.0, 100.0, 1e6}) {
      const auto arms = weighted(product, theta, iota);
      double largest = 0.0;
      for (const auto& arm : arms) largest = std::max(largest, std::abs(product_of(arm, c)));
      for (const ArmFeatures& features : {product.features(), product.all_rows()}) {
        SearchMemory memory;
        const WeightedArms view(features, theta, iota, memory);
        const WeightedArms::Farthest found = view.farthest(c);
        EXPECT_NEAR(std::abs(found.coordinate), largest, 1e-9 * largest);
        EXPECT_NEAR(product_of(arms[found.arm], c), found.coordinate, 1e-9 * largest);
      }
    }
  }
}

// Every coordinate of every arm is within C, the arms differ, and |det| is as stated and the
// largest of all bases but for the factor that coordinates within C allow: (C√d)^d by Hadamard.
TEST(Spanner, SpansEveryArmWithSmallCoordinates) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const SmallProduct product(kShape, seed);
    const std::vector<double> theta = random_numbers(seed, kDimension);
    const double iota = seed % 3 == 0 ? 0.0 : std::pow(10.0, static_cast<double>(seed % 7) - 1.0);
    const auto arms = weighted(product, theta, iota);
    for (const ArmFeatures& features : {product.features(), product.all_rows()}) {
      SearchMemory memory;
      const WeightedArms view(features, theta, iota, memory);
      std::vector<std::optional<ArmIndex>> slots;
      const Spanner spanner = find_spanner(view, memory, slots);
      EXPECT_TRUE(spanner.complete);
      std::vector<std::vector<double>> basis;
      std::vector<ArmIndex> chosen;
      for (const auto& slot : slots) {
        ASSERT_TRUE(slot.has_value());
        chosen.push_back(*slot);
        basis.push_back(arms[*slot]);
      }
      std::ranges::sort(chosen);
      EXPECT_EQ(std::ranges::adjacent_find(chosen), chosen.end());
      for (const auto& arm : arms) {
        std::vector<double> again(kDimension, 0.0);
        for (std::size_t i = 0; i < kDimension; ++i) {
          const double coordinate =
              product_of(std::span(memory.matrix).subspan(i * kDimension, kDimension), arm);
          EXPECT_LE(std::abs(coordinate), kSpannerStretch + 1e-9);
          for (std::size_t j = 0; j < kDimension; ++j) again[j] += coordinate * basis[i][j];
        }
        for (std::size_t j = 0; j < kDimension; ++j) EXPECT_NEAR(again[j], arm[j], 1e-9);
      }
      EXPECT_NEAR(spanner.log_det, log_determinant(basis), 1e-8);
      RandomStream stream(seed, Purpose::kTest, 703);
      for (int trial = 0; trial < 50; ++trial) {
        std::vector<std::vector<double>> others;
        for (std::size_t i = 0; i < kDimension; ++i) others.push_back(arms[stream.below(24)]);
        EXPECT_LE(log_determinant(others),
                  spanner.log_det +
                      static_cast<double>(kDimension) *
                          std::log(kSpannerStretch * std::sqrt(static_cast<double>(kDimension))));
      }
    }
  }
}

// One-hot choices: 2 + 3 numbers, of which arms span only 4 dimensions.
TEST(Spanner, LeavesSlotsEmptyThatNoArmReaches) {
  const std::vector<Factor> factors = {{2, 2}, {3, 3}};
  const std::vector<double> values = {1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ArmFeatures features = ArmFeatures::product(values, factors);
  const std::vector<double> theta(5, 0.1);
  SearchMemory memory;
  std::vector<std::optional<ArmIndex>> slots;
  const WeightedArms arms(features, theta, 10.0, memory);
  find_spanner(arms, memory, slots);
  EXPECT_EQ(std::ranges::count_if(slots, [](const auto& slot) { return slot.has_value(); }), 4);
}

}  // namespace
}  // namespace handrail
