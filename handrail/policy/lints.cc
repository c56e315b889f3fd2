#include "handrail/policy/lints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/oracle/cholesky.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/policy/own_draws.h"

namespace handrail {
namespace {

class LinTs final : public Policy {
 public:
  LinTs(const LinTsConfig& config, const FeatureLayout& layout)
      : config_(config), gram_(layout, config.lambda) {
    HANDRAIL_ASSERT(config.draws > 0);
    if (layout.shape == FeatureShape::kRows) factor_.emplace(layout.feature_count, config.lambda);
  }

  void propose(const Round& round, const History& /*history*/, const RandomStream& stream,
               Proposal& out) const override {
    const ArmFeatures& features = round.features();
    out.gamma.reset();
    out.costs.resize(features.arm_count());
    out.scratch.first.resize(features.arm_count());
    if (factor_.has_value()) {
      gram_.estimate_costs(features, out.costs);
    } else {
      gram_.estimate(features, out.costs, out.scratch.first);
      for (double& norm : out.scratch.first) norm = std::sqrt(norm);  // |φ|_{V⁻¹}
    }
    RandomStream normals = stream;
    propose_winners(config_.draws, features.arm_count(), out,
                    [&] { draw(features, normals, out); });
    for (double& cost : out.costs) cost = std::clamp(cost, 0.0, 1.0);
  }

  void learn(const Observation& observation) override {
    ++learned_;
    const bool learnable = gram_.learnable(observation.features);
    gram_.add(observation.features, observation.cost);
    if (factor_.has_value() && learnable) factor_->add(observation.features.features);
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    out.u64(learned_);
    gram_.save(out);
    if (factor_.has_value()) factor_->save(out);
  }

  Status load(ByteReader& in) override {
    const std::uint64_t learned = in.u64();
    RegularisedGram gram = gram_;
    const Status status = gram.load(in);
    if (!status.ok()) return status;
    std::optional<CholeskyFactor> factor = factor_;
    if (factor.has_value()) factor->load(in);
    if (!in.status().ok()) return in.status();
    learned_ = learned;
    gram_ = std::move(gram);
    factor_ = std::move(factor);
    return {};
  }

 private:
  double scale() const {
    if (config_.scale.has_value()) return *config_.scale;
    const auto size = static_cast<double>(gram_.coefficients().size());
    const double t = static_cast<double>(learned_) + 1.0;
    return config_.sigma * std::sqrt(9.0 * size * std::log(t / config_.delta));
  }

  // Fills out.indices with what every arm costs under one θ~. Of an arm that the model cannot hold
  // the estimate stands: it is expensive, beyond doubt.
  void draw(const ArmFeatures& features, RandomStream& normals, Proposal& out) const {
    out.indices = out.costs;
    const double v = scale();
    if (!factor_.has_value()) {
      for (std::size_t arm = 0; arm < out.indices.size(); ++arm) {
        out.indices[arm] += v * out.scratch.first[arm] * normals.normal();
      }
      return;
    }
    std::vector<double>& z = out.scratch.second;  // of N(0, V⁻¹)
    z.resize(gram_.layout().feature_count);
    for (double& number : z) number = normals.normal();
    factor_->solve_transposed(z);
    for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
      const ArmView view = features.arm(arm);
      if (!gram_.learnable(view)) continue;
      out.indices[arm] += v * inner_product(z, view.features);
    }
  }

  LinTsConfig config_;
  RegularisedGram gram_;
  std::optional<CholeskyFactor> factor_;  // of V, with rows only: blocks need none
  std::uint64_t learned_ = 0;
};

constexpr std::array<std::string_view, 2> kScaleWords = {"auto", "theory"};

// The default ν was chosen on pendigits and mushroom: a smaller one explores little more than the
// estimate alone, 0.1 doubles the regret on mushroom.
constexpr std::array kCommon = {&kLambdaRow, &kSigmaRow};
constexpr std::array kParameters = {
    ParameterSpec{.name = "posterior_scale",
                  .meaning = "v of θ~ ~ N(θ̂, v²V⁻¹); auto: √(lambda·nu); theory: "
                             "sigma·√(9D log(t/δ)), D numbers in θ, which explores far too much",
                  .fallback = "auto",
                  .low = 0.0,
                  .high = 1e9,
                  .words = kScaleWords},
    ParameterSpec{.name = "nu",
                  .meaning = "ν of posterior_scale=auto",
                  .fallback = "0.001",
                  .low = 0.0,
                  .high = 1e9},
    count_row("draws",
              "models drawn a round; from 1 the chance of an arm is unknown, from N "
              "it is estimated, with a standard error of at most 1/(2√N)",
              "1", {1.0, 1e5}),
};

LinTsConfig config_of(const PolicyFrame& frame) {
  const EllipsoidConfig linear = ellipsoid_in(frame);
  LinTsConfig config = {.lambda = linear.lambda,
                        .scale = frame.values.optional_number("posterior_scale"),
                        .sigma = linear.sigma,
                        .delta = frame.delta,
                        .draws = frame.values.count("draws")};
  if (frame.values.text("posterior_scale") == "auto") {
    config.scale = std::sqrt(config.lambda * frame.values.number("nu"));
  }
  return config;
}

}  // namespace

std::unique_ptr<Policy> make_lints(const LinTsConfig& config, const FeatureLayout& layout) {
  return std::make_unique<LinTs>(config, layout);
}

constinit const PolicyEntry kLinTsPolicy = {
    .name = "lints",
    .meaning = "linear Thompson sampling without a gate",
    .has_matrices = true,
    .draws = true,
    .common = kCommon,
    .parameters = kParameters,
    .make = [](const PolicyFrame& frame) { return make_lints(config_of(frame), frame.layout); },
    .chance_error = chance_error_of_draws,
};

}  // namespace handrail
