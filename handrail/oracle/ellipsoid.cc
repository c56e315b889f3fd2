#include "handrail/oracle/ellipsoid.h"

#include <array>
#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

constexpr double kLargest = 1e9;

}  // namespace

constinit const ParameterSpec kLambdaRow = grouped(
    "oracle", number_row("lambda",
                         "ridge, linucb, lints, glm-ucb, gates ellipsoid, contrast, safeset, "
                         "stagewise: regularisation λ",
                         "1", {.low = 1e-6, .high = kLargest}));

constinit const ParameterSpec kRadiusRow = grouped(
    "oracle", or_words(positive_row("radius",
                                    "ridge, linucb, gates of linear costs: bound W on the true "
                                    "weights' norm; auto: 1, with block features √K",
                                    "auto", kLargest),
                       kAutoWord));

constinit const ParameterSpec kSigmaRow = grouped(
    "oracle", positive_row("sigma",
                           "linucb, lints, gates of linear costs: sub-Gaussian scale of the noise; "
                           "costs in [0, 1] have 1/2",
                           "0.5", kLargest));

EllipsoidConfig ellipsoid_in(const PartFrame& frame) {
  return {.lambda = frame.values.number(kLambdaRow),
          .sigma = frame.values.number(kSigmaRow),
          .delta = frame.delta,
          .radius = frame.values.optional_number(kRadiusRow)};
}

ConfidenceEllipsoid::ConfidenceEllipsoid(const EllipsoidConfig& config, const FeatureLayout& layout)
    : gram_(layout, config.lambda),
      sigma_(config.sigma),
      delta_(config.delta),
      radius_(parameter_radius(config.radius, layout)) {
  HANDRAIL_ASSERT(sigma_ >= 0.0 && std::isfinite(sigma_));
  HANDRAIL_ASSERT(delta_ > 0.0 && delta_ < 1.0);
  HANDRAIL_ASSERT(radius_ >= 0.0 && std::isfinite(radius_));
}

double ConfidenceEllipsoid::beta() const {
  const double noise = sigma_ * std::sqrt(gram_.log_det() + 2.0 * std::log(1.0 / delta_));
  return noise + std::sqrt(gram_.lambda()) * radius_;
}

double ConfidenceEllipsoid::lower(const LinearEstimate& estimate) const {
  return estimate.cost - beta() * std::sqrt(estimate.squared_norm);
}

double ConfidenceEllipsoid::upper(const LinearEstimate& estimate) const {
  return estimate.cost + beta() * std::sqrt(estimate.squared_norm);
}

void ConfidenceEllipsoid::add(const ArmView& arm, double cost) {
  gram_.add(arm, cost);
}

void ConfidenceEllipsoid::save(ByteWriter& out) const {
  gram_.save(out);
}

Status ConfidenceEllipsoid::load(ByteReader& in) {
  return gram_.load(in);
}

}  // namespace handrail
