#include "handrail/policy/linucb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/explore/weighting.h"

namespace handrail {
namespace {

class LinUcb final : public Policy {
 public:
  LinUcb(const LinUcbConfig& config, const FeatureLayout& layout)
      : ellipsoid_(config.ellipsoid, layout), bonus_scale_(config.bonus_scale) {
    HANDRAIL_ASSERT(!bonus_scale_ || (*bonus_scale_ >= 0.0 && std::isfinite(*bonus_scale_)));
  }

  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    const std::size_t arm_count = round.arm_count();
    out.costs.resize(arm_count);
    out.scratch.first.resize(arm_count);
    ellipsoid_.gram().estimate(round.features(), out.costs, out.scratch.first);
    fill_indices(out.costs, out.scratch.first, out.indices);
    for (double& cost : out.costs) cost = std::clamp(cost, 0.0, 1.0);
    out.distribution =
        Distribution::certain(arm_count, greedy_arm(out.indices), std::move(out.distribution));
    out.gamma = std::nullopt;
  }

  void learn(const Observation& observation) override {
    ellipsoid_.add(observation.features, observation.cost);
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override { ellipsoid_.save(out); }
  Status load(ByteReader& in) override { return ellipsoid_.load(in); }

 private:
  // The root of φᵀV⁻¹φ, not the variance itself, which some published code multiplies by.
  void fill_indices(std::span<const double> costs, std::span<const double> squared_norms,
                    std::vector<double>& indices) const {
    const double scale = bonus_scale_.value_or(ellipsoid_.beta());
    indices.resize(costs.size());
    for (std::size_t arm = 0; arm < costs.size(); ++arm) {
      indices[arm] = costs[arm] - scale * std::sqrt(squared_norms[arm]);
    }
  }

  ConfidenceEllipsoid ellipsoid_;
  std::optional<double> bonus_scale_;
};

constexpr std::array<std::string_view, 1> kBetaWord = {"beta"};
constexpr ParameterSpec kBonusRow = grouped(
    "policy", or_words(number_row("bonus_scale",
                                  "linucb: width of the confidence bonus; beta is the theory's",
                                  "beta", {.low = 0.0, .high = 1e9}),
                       kBetaWord));
constexpr std::array kCommon = {&kLambdaRow, &kRadiusRow, &kSigmaRow, &kBonusRow};

}  // namespace

std::unique_ptr<Policy> make_linucb(const LinUcbConfig& config, const FeatureLayout& layout) {
  return std::make_unique<LinUcb>(config, layout);
}

constinit const PolicyEntry kLinUcbPolicy = {
    .name = "linucb",
    .meaning = "LinUCB without a gate",
    .has_matrices = true,
    .one_arm = true,
    .common = kCommon,
    .make =
        [](const PolicyFrame& frame) {
          return make_linucb({.ellipsoid = ellipsoid_in(frame),
                              .bonus_scale = frame.values.optional_number(kBonusRow)},
                             frame.layout);
        },
};

}  // namespace handrail
