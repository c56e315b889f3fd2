// An oracle of which tests know what it must say.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "handrail/oracle/oracle.h"
#include "tests/product_fixture.h"

namespace handrail {

// What was asked of an oracle.
struct Asked {
  std::size_t calls = 0;
  std::size_t rows = 0;
};

// A logistic function of a linear one, which may be bent so that no search is exact; counts.
class CurvedOracle final : public Oracle {
 public:
  CurvedOracle(std::size_t d, double bend, Asked* asked) : bend_(bend), asked_(asked) {
    for (std::size_t i = 0; i < d; ++i) weights_.push_back(std::sin(1.0 + static_cast<double>(i)));
  }
  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& /*scratch*/) const override {
    if (asked_ != nullptr) {
      ++asked_->calls;
      asked_->rows += features.arm_count();
    }
    for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
      const std::span<const double> x = features.arm(arm).features;
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += weights_[i] * x[i];
      sum += bend_ * x.front() * x.back();
      costs[arm] = 1.0 / (1.0 + std::exp(-sum));
    }
  }
  void update(const ArmView& /*arm*/, double cost) override { weights_[0] = cost; }
  std::optional<double> regret_bound() const override { return 7.0; }
  void save(ByteWriter& out) const override { out.doubles(weights_); }
  Status load(ByteReader& in) override {
    in.doubles(weights_);
    return in.status();
  }

 private:
  std::vector<double> weights_;
  double bend_;
  Asked* asked_;
};

inline std::unique_ptr<Oracle> curved(std::size_t d, double bend = 0.0, Asked* asked = nullptr) {
  return std::make_unique<CurvedOracle>(d, bend, asked);
}

inline std::vector<double> all_costs(const SmallProduct& product, double bend = 0.0) {
  std::vector<double> costs(product.all_rows().arm_count());
  Scratch scratch;
  curved(product.features().feature_count(), bend)->predict(product.all_rows(), costs, scratch);
  return costs;
}

}  // namespace handrail
