// What policies share that draw a model before the arm is drawn, N times for an estimate of
// chances.
#pragma once

#include <optional>

#include "handrail/base/parameter.h"

namespace handrail {

// Of the share of N = `draws` draws that an arm won, as an estimate of its chance: its standard
// error is at most 1/(2√N). None for one draw, which estimates nothing.
std::optional<double> chance_error_of_draws(const ParameterValues& own);

}  // namespace handrail
