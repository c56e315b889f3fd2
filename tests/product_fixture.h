// Rounds of products that are small enough to be gone over, for tests that compare with that.
#pragma once

#include <cmath>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/core/round.h"

namespace handrail {

// Normal features; the rows of all arms beside the tables.
struct SmallProduct {
  SmallProduct(std::vector<Factor> shape, std::uint64_t seed) : factors(std::move(shape)) {
    RandomStream stream(seed, Purpose::kTest, 700);
    for (const Factor& factor : factors) {
      for (std::size_t i = 0; i < factor.choice_count * factor.feature_count; ++i) {
        values.push_back(stream.normal());
      }
    }
    const ArmFeatures product = features();
    const std::size_t d = product.feature_count();
    rows.resize(product.arm_count() * d);
    for (ArmIndex arm = 0; arm < product.arm_count(); ++arm) {
      product.copy_arm(arm, std::span(rows).subspan(arm * d, d));
    }
  }

  ArmFeatures features() const { return ArmFeatures::product(values, factors); }
  ArmFeatures all_rows() const { return ArmFeatures::rows(rows, features().feature_count()); }
  Round round(ArmIndex baseline = 0) const {
    return Round::make(features(), {.arm = baseline, .cost = 0.5}).value();
  }

  std::vector<Factor> factors;
  std::vector<double> values;
  std::vector<double> rows;
};

}  // namespace handrail
