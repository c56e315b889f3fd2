#include "handrail/env/noise.h"

#include <optional>

#include "handrail/base/text.h"
#include "handrail/env/round_stream.h"

namespace handrail {
namespace {

constexpr std::string_view kFlipPrefix = "flip:";

}  // namespace

Result<Noise> parse_noise(std::string_view text) {
  if (text == "none") return Noise{.kind = NoiseKind::kNone};
  if (text == "bernoulli") return Noise{.kind = NoiseKind::kBernoulli};
  if (text.starts_with(kFlipPrefix)) {
    const std::optional<double> rate = to_number(text.substr(kFlipPrefix.size()));
    if (rate.has_value() && *rate >= 0.0 && *rate <= 1.0) {
      return Noise{.kind = NoiseKind::kFlip, .rate = *rate};
    }
  }
  return Error{"noise is \"" + std::string(text) + "\"; " + std::string(kNoiseForm) +
               " was expected, RATE a number in [0, 1]"};
}

std::string to_text(const Noise& noise) {
  switch (noise.kind) {
    case NoiseKind::kNone:
      return "none";
    case NoiseKind::kBernoulli:
      return "bernoulli";
    case NoiseKind::kFlip:
      return std::string(kFlipPrefix) + to_text(noise.rate);
  }
  HANDRAIL_ASSERT(false);
}

double bernoulli_cost(double expected_cost, std::uint64_t seed, std::uint64_t t, ArmIndex arm) {
  // A uniform number is strictly below 1 and never below 0, so the certain costs 0 and 1 are exact.
  const double u = round_stream(seed, Purpose::kNoise, t, arm).uniform();
  return u < expected_cost ? 1.0 : 0.0;
}

}  // namespace handrail
