// Ridge regression on all rows at once, for several targets that share their features: what a
// company's present model is made with. Online learning has RegularisedGram.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace handrail {

// The Θ that minimises Σ|Θᵀx − y|² + λ|Θ|². `features` holds rows of `feature_count` numbers,
// `targets` as many rows of `target_count`. Θ comes target after target, feature_count numbers
// each. λ > 0.
std::vector<double> fit_ridge(std::span<const double> features, std::size_t feature_count,
                              std::span<const double> targets, double lambda);

}  // namespace handrail
