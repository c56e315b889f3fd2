// FALCON's epochs and γ (Simchi-Levi and Xu 2022). An epoch predicts with one fit to the past, and
// the weighting's γ is the same throughout it; both change at times τ_m that lie ever further
// apart. Pure functions. For contexts that are drawn alike and independently: that is what lets a
// fit to the past vouch for the next epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace handrail {

// Epoch m: it begins when `start` = τ_{m−1} costs are known, and ends with cost number `end` = τ_m.
struct Epoch {
  std::uint64_t number = 1;    // m, from 1
  std::uint64_t previous = 0;  // τ_{m−2}; 0 for the first two
  std::uint64_t start = 0;     // τ_{m−1}; 0 for the first
  std::uint64_t end = 2;       // τ_m
};

// More costs than any run has.
inline constexpr std::uint64_t kMostKnownCosts = std::uint64_t{1} << 60;

// The epoch of a round before which `known` costs are known. τ_0 = 0, then τ_m = 2^m; or, with a
// horizon T, τ_m = ⌈2T^{1−2^{−m}}⌉, which needs only about log log T epochs, until that reaches T.
// From there on it doubles too: a run may outlast its horizon.
Epoch epoch_at(std::uint64_t known, std::optional<std::uint64_t> horizon);

enum class FalconVariant : std::uint8_t { kFalcon = 0, kPlus = 1 };

struct FalconGamma {
  FalconVariant variant = FalconVariant::kFalcon;
  // log |F| of a finite class of functions; in FALCON+ the dimension D of a parametric one.
  double complexity = 1.0;
  double excess_scale = 1.0;  // c of FALCON+'s E
  // In front of the root; none: as printed, 1/30 and 1/2.
  std::optional<double> factor = std::nullopt;
  double delta = 0.05;
};

// γ of an epoch, 0 in the first. `fitted` is the number of examples that its fit has seen: τ_{m−1},
// with FALCON+ τ_{m−1} − τ_{m−2}, or fewer if not all were kept.
//   FALCON   factor·√(K·n / log(|F| log(n)·m/δ)). The logarithm is a third party's: the authors may
//            have log(|F|n/δ).
//   FALCON+  factor·√(K / E(n, δ/(2m²))), E(n, δ) = c·(D log n + log(1/δ))/n a bound on the excess
//            risk of least squares. The paper leaves E to the class; this is the usual form for D
//            parameters, with a constant that the user has to vouch for.
double falcon_gamma(const FalconGamma& config, const Epoch& epoch, std::uint64_t fitted,
                    std::size_t arm_count);

}  // namespace handrail
