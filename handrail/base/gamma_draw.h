// Draws from a gamma distribution, as a function of a stream.
#pragma once

#include "handrail/base/random.h"

namespace handrail {

// Gamma with the given shape, a number above 0, and scale 1 (Marsaglia and Tsang 2000): mean and
// variance are both the shape. b / gamma_draw(a) is an inverse gamma draw with shape a and scale b.
// Takes as many numbers of the stream as it needs, a little more than two on average.
double gamma_draw(double shape, RandomStream& stream);

}  // namespace handrail
