#include "handrail/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace handrail {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, expression);
  std::fflush(stderr);
  std::abort();
}

}  // namespace handrail
