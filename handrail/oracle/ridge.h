// The certified oracle: ridge regression with the forecast of Vovk and of Azoury and Warmuth, which
// counts the features it is asked about as if they had been seen already. For any costs in [0, 1],
// even an adversary's, its squared loss exceeds that of any linear function |θ| ≤ W by at most
// λW² + log det(A/λ).
#pragma once

#include <memory>
#include <optional>

#include "handrail/oracle/entry.h"
#include "handrail/oracle/gram.h"

namespace handrail {

struct RidgeConfig {
  double lambda = 1.0;                          // of A = λI + Σ xxᵀ
  std::optional<double> radius = std::nullopt;  // W, the comparator's norm; none: √(block count)
  // Promise what happened, Σ(ŷ − y)² − min_θ(Σ(θᵀx − y)² + λ|θ|²) + λW², instead of the worst that
  // could have. It is smaller, and may fall.
  bool realised_regret = false;
};

// xᵀA⁻¹b / (1 + xᵀA⁻¹x), not clipped.
double vaw_forecast(const LinearEstimate& estimate);

extern const OracleEntry kRidgeOracle;

std::unique_ptr<Oracle> make_ridge(const RidgeConfig& config, const FeatureLayout& layout);

}  // namespace handrail
