#include "handrail/oracle/ellipsoid.h"

#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {

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
