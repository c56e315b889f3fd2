#include "handrail/safety/contrast_gate.h"

#include <algorithm>
#include <array>
#include <utility>

namespace handrail {

ContrastGate::ContrastGate(const ContrastConfig& config, const FeatureLayout& layout)
    : alpha_(config.alpha),
      reserve_(config.reserve),
      ellipsoid_(config.ellipsoid, layout),
      contrast_sum_(layout.block_count * layout.feature_count) {}

// −α·max(0, lower bound on what b costs). The estimate of one arm, not that of all arms: the latter
// calls an arm that it cannot learn dear beyond doubt, and here that would be income.
double ContrastGate::baseline_increment(const ArmView& baseline) const {
  return -alpha_ * std::max(0.0, ellipsoid_.lower(ellipsoid_.gram().estimate_arm(baseline)));
}

// z, which is −αφ_b where b is played.
void ContrastGate::add_contrast(const ArmView& played, const ArmView& baseline,
                                std::vector<double>& out) const {
  add_scaled(played, 1.0, out);
  add_scaled(baseline, -(1.0 + alpha_), out);
}

Sides ContrastGate::sides(const GateQuestion& question, ArmIndex candidate,
                          Scratch& scratch) const {
  const ArmView played = question.features->arm(candidate);
  const ArmView baseline = question.features->arm(question.baseline.arm);
  double increment = 0.0;
  if (candidate == question.baseline.arm) {
    increment = baseline_increment(baseline);
  } else {
    std::vector<double>& z = scratch.first;
    z.assign(contrast_sum_.size(), 0.0);
    add_contrast(played, baseline, z);
    increment = ellipsoid_.upper(ellipsoid_.gram().estimate_stacked(z));
  }
  std::vector<double>& sum = scratch.second;
  sum.assign(contrast_sum_.begin(), contrast_sum_.end());
  add_contrast(played, baseline, sum);
  const LinearEstimate estimate = ellipsoid_.gram().estimate_stacked(sum);
  const double value = std::min(bound_ + increment, ellipsoid_.upper(estimate));
  return {.exposure = {.value = value, .margin = value - std::min(estimate.cost, value)},
          .allowance = reserve_};
}

void ContrastGate::book(const Decision& decision, bool charged) {
  add_contrast(decision.features, decision.baseline_features, contrast_sum_);
  if (charged) {
    bound_ = decision.exposure;  // the G that was admitted
    return;
  }
  const double carried = bound_ + baseline_increment(decision.baseline_features);
  const double refreshed = ellipsoid_.upper(ellipsoid_.gram().estimate_stacked(contrast_sum_));
  bound_ = std::min(carried, refreshed);
}

void ContrastGate::save(ByteWriter& out) const {
  ellipsoid_.save(out);
  out.doubles(contrast_sum_);
  out.f64(bound_);
}

Status ContrastGate::load(ByteReader& in) {
  ContrastGate loaded = *this;
  const Status ellipsoid = loaded.ellipsoid_.load(in);
  if (!ellipsoid.ok()) return ellipsoid;
  in.doubles(loaded.contrast_sum_);
  loaded.bound_ = in.f64();
  if (!in.status().ok()) return in.status();
  *this = std::move(loaded);
  return {};
}

constinit const GateEntry kContrastGate = {
    .name = "contrast",
    .meaning = "for linear costs where the baseline's cost is unknown",
    .traits = {.reads_candidate = true,
               .reads_features = true,
               .own_allowance = true,
               .needs_baseline_cost = false,
               .has_matrices = true},
    .common = kEllipsoidRows,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<ContrastGate>(
          ContrastConfig{
              .alpha = frame.alpha, .reserve = frame.reserve, .ellipsoid = ellipsoid_in(frame)},
          frame.layout);
    },
};

}  // namespace handrail
