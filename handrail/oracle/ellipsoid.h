// A confidence ellipsoid for linear costs (Abbasi-Yadkori, Pál and Szepesvári 2011): if the
// expected cost is φᵀθ* with |θ*| ≤ W, then with probability 1 − δ, for all rounds at once and
// every φ,
//   |φᵀθ̂ − φᵀθ*| ≤ β |φ|_{V⁻¹}.
// It says nothing true of costs that are not linear.
#pragma once

#include <array>
#include <optional>

#include "handrail/oracle/gram.h"
#include "handrail/oracle/part_frame.h"

namespace handrail {

struct EllipsoidConfig {
  double lambda = 1.0;                          // of V = λI + Σ φφᵀ
  double sigma = 0.5;                           // costs in [0, 1] are ½-sub-Gaussian
  double delta = 0.05;                          // chance that θ* is ever outside
  std::optional<double> radius = std::nullopt;  // W; none: √(block count)
};

// The parameters that linear models share.
extern const ParameterSpec kLambdaRow;
extern const ParameterSpec kRadiusRow;
extern const ParameterSpec kSigmaRow;
inline constexpr std::array kEllipsoidRows = {&kLambdaRow, &kRadiusRow, &kSigmaRow};

EllipsoidConfig ellipsoid_in(const PartFrame& frame);

// A value.
class ConfidenceEllipsoid {
 public:
  ConfidenceEllipsoid(const EllipsoidConfig& config, const FeatureLayout& layout);

  const RegularisedGram& gram() const { return gram_; }

  // β = σ√(log(det V/λ^d) + 2 log(1/δ)) + √λ·W. The form with d log(1 + n/λ) in the determinant's
  // place is looser, and follows from this one for d ≥ 2 only.
  double beta() const;

  // The least and the greatest that φᵀθ can be for a θ in the ellipsoid, from what gram() says of
  // φ.
  double lower(const LinearEstimate& estimate) const;
  double upper(const LinearEstimate& estimate) const;

  void add(const ArmView& arm, double cost);

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  RegularisedGram gram_;
  double sigma_;
  double delta_;
  double radius_;
};

}  // namespace handrail
