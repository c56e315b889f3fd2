#include "handrail/safety/ellipsoid_gate.h"

#include <algorithm>
#include <array>
#include <utility>

namespace handrail {

EllipsoidGate::EllipsoidGate(const EllipsoidConfig& config, const FeatureLayout& layout)
    : ellipsoid_(config, layout), feature_sum_(layout.block_count * layout.feature_count) {}

Exposure EllipsoidGate::exposure(const ArmView& candidate, Scratch& scratch) const {
  std::vector<double>& z = scratch.first;
  z.assign(feature_sum_.begin(), feature_sum_.end());
  add_scaled(candidate, 1.0, z);
  const LinearEstimate estimate = ellipsoid_.gram().estimate_stacked(z);
  const double value = std::min(ellipsoid_.upper(estimate), static_cast<double>(explored_) + 1.0);
  return {.value = value, .margin = value - std::min(estimate.cost, value)};
}

void EllipsoidGate::book(const ArmView& played) {
  add_scaled(played, 1.0, feature_sum_);
  ++explored_;
}

void EllipsoidGate::observe(const ArmView& played, double cost) {
  ellipsoid_.add(played, cost);
}

void EllipsoidGate::save(ByteWriter& out) const {
  ellipsoid_.save(out);
  out.doubles(feature_sum_);
  out.u64(explored_);
}

Status EllipsoidGate::load(ByteReader& in) {
  EllipsoidGate loaded = *this;
  const Status ellipsoid = loaded.ellipsoid_.load(in);
  if (!ellipsoid.ok()) return ellipsoid;
  in.doubles(loaded.feature_sum_);
  loaded.explored_ = in.u64();
  if (!in.status().ok()) return in.status();
  *this = std::move(loaded);
  return {};
}

constinit const GateEntry kEllipsoidGate = {
    .name = "ellipsoid",
    .meaning = "conservative LinUCB's, for linear costs",
    .traits = {.reads_candidate = true, .reads_features = true, .has_matrices = true},
    .common = kEllipsoidRows,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<EllipsoidGate>(ellipsoid_in(frame), frame.layout);
    },
};

}  // namespace handrail
