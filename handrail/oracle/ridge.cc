#include "handrail/oracle/ridge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/mlp_entry.h"

namespace handrail {
namespace {

// In the order of their values as RidgeConfig::realised_regret.
constexpr std::array<std::string_view, 2> kRegretWords = {"bound", "realised"};
constexpr ParameterSpec kRegretRow = grouped(
    "oracle", word_row("ridge_regret",
                       "ridge: promise the a-priori regret bound, or the regret realised so far",
                       "bound", kRegretWords));
constexpr std::array kCommon = {&kLambdaRow, &kRadiusRow, &kRegretRow};

// Clipping never raises the loss of a cost in [0, 1], so it keeps the promise.
double predicted_cost(const LinearEstimate& estimate) {
  return std::clamp(vaw_forecast(estimate), 0.0, 1.0);
}

class Ridge final : public Oracle {
 public:
  Ridge(const RidgeConfig& config, const FeatureLayout& layout)
      : gram_(layout, config.lambda),
        radius_(parameter_radius(config.radius, layout)),
        realised_regret_(config.realised_regret) {
    HANDRAIL_ASSERT(radius_ >= 0.0 && std::isfinite(radius_));
  }

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& scratch) const override {
    scratch.first.resize(features.arm_count());
    gram_.estimate(features, costs, scratch.first);
    for (std::size_t arm = 0; arm < costs.size(); ++arm) {
      costs[arm] = predicted_cost({.cost = costs[arm], .squared_norm = scratch.first[arm]});
    }
  }

  void update(const ArmView& arm, double cost) override {
    const double error = predicted_cost(gram_.add(arm, cost)) - cost;
    loss_sum_ += error * error;
  }

  std::optional<double> regret_bound() const override {
    const double comparator = gram_.lambda() * radius_ * radius_;  // λW²
    // What was not learned from can have lost 1 each.
    const double promise = realised_regret_ ? loss_sum_ - gram_.ridge_minimum() + comparator
                                            : comparator + gram_.log_det() +
                                                  static_cast<double>(gram_.ignored_count());
    // The paper's Reg is at least 1, and a promise stays true when it is made larger. Realised
    // regret can even be negative, and a margin takes the root of it.
    return std::max(1.0, promise);
  }

  void save(ByteWriter& out) const override {
    gram_.save(out);
    out.f64(loss_sum_);
  }

  Status load(ByteReader& in) override {
    RegularisedGram gram = gram_;
    const Status loaded = gram.load(in);
    if (!loaded.ok()) return loaded;
    const double loss_sum = in.f64();
    if (!in.status().ok()) return in.status();
    gram_ = std::move(gram);
    loss_sum_ = loss_sum;
    return {};
  }

 private:
  RegularisedGram gram_;
  double radius_;
  bool realised_regret_;
  double loss_sum_ = 0.0;  // Σ(ŷ − y)²
};

}  // namespace

double vaw_forecast(const LinearEstimate& estimate) {
  return estimate.cost / (1.0 + estimate.squared_norm);
}

std::unique_ptr<Oracle> make_ridge(const RidgeConfig& config, const FeatureLayout& layout) {
  return std::make_unique<Ridge>(config, layout);
}

constinit const OracleEntry kRidgeOracle = {
    .name = "ridge",
    .meaning =
        "linear regression with the forecast of Vovk, Azoury and Warmuth; promises its "
        "regret",
    .only_loss = Loss::kSquare,
    // It takes no steps. Its SPECs have always spelled the network's, and saves hold that text.
    .step = step_of_network,
    .promises_regret = true,
    .has_matrices = true,
    .common = kCommon,
    .make =
        [](const PartFrame& frame) {
          return make_ridge({.lambda = frame.values.number(kLambdaRow),
                             .radius = frame.values.optional_number(kRadiusRow),
                             .realised_regret = frame.values.word(kRegretRow.name) == 1},
                            frame.layout);
        },
};

}  // namespace handrail
