// A broken promise between our own functions stops the program, in every build: a ledger that went
// on after one would keep accounts that nobody may trust. Bad input never ends here; it gets a
// Status.
#pragma once

namespace handrail {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace handrail

#define HANDRAIL_ASSERT(expression)                     \
  (static_cast<bool>(expression) ? static_cast<void>(0) \
                                 : ::handrail::assertion_failed(#expression, __FILE__, __LINE__))
