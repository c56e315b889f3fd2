// How an observed cost scatters around the expected one. An observed cost is a pure function of
// (seed, t, arm), so that all agents meet the same luck.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// As text:
//   none        the observed cost is the expected one
//   bernoulli   1 with the expected cost as its probability, else 0
//   flip:RATE   with probability RATE another label than the true one sets the cost; only for
//               environments that are made of labels, which draw it themselves
enum class NoiseKind : std::uint8_t { kNone = 0, kBernoulli = 1, kFlip = 2 };

struct Noise {
  NoiseKind kind = NoiseKind::kNone;
  double rate = 0.0;  // of kFlip, in [0, 1]

  friend bool operator==(const Noise&, const Noise&) = default;
};

inline constexpr std::string_view kNoiseForm = "none, bernoulli or flip:RATE";
Result<Noise> parse_noise(std::string_view text);
std::string to_text(const Noise& noise);

// 1 with probability `expected_cost`, else 0.
double bernoulli_cost(double expected_cost, std::uint64_t seed, std::uint64_t t, ArmIndex arm);

}  // namespace handrail
