#include "handrail/policy/own_draws.h"

#include <cmath>

namespace handrail {

std::optional<double> chance_error_of_draws(const ParameterValues& values) {
  const std::uint64_t draws = values.count("draws");
  if (draws == 1) return std::nullopt;
  return 0.5 / std::sqrt(static_cast<double>(draws));
}

}  // namespace handrail
