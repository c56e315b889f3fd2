#include "handrail/base/gamma_draw.h"

#include <cmath>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// In (0, 1], so that it has a logarithm.
double positive_uniform(RandomStream& stream) {
  return 1.0 - stream.uniform();
}

// For shapes of at least 1: d(1 + cx)³ for a normal x, accepted with the ratio of the densities.
double draw_of_large_shape(double shape, RandomStream& stream) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = stream.normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double u = positive_uniform(stream);
    if (std::log(u) <= 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

}  // namespace

double gamma_draw(double shape, RandomStream& stream) {
  HANDRAIL_ASSERT(shape > 0.0 && std::isfinite(shape));
  if (shape >= 1.0) return draw_of_large_shape(shape, stream);
  // A draw of shape a + 1 times u^(1/a) has shape a.
  const double larger = draw_of_large_shape(shape + 1.0, stream);
  return larger * std::pow(positive_uniform(stream), 1.0 / shape);
}

}  // namespace handrail
