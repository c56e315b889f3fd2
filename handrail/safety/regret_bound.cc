#include "handrail/safety/regret_bound.h"

#include <array>

namespace handrail {
constinit const ParameterSpec kRegretBoundRow = grouped(
    "gate",
    or_words(positive_row("regret_bound",
                          "paper, model, and γ of the paper: Reg; auto: the oracle's promise, else "
                          "1",
                          "auto", 1e9),
             kAutoWord));

std::optional<double> given_regret_bound(const ParameterValues& values) {
  return values.optional_number(kRegretBoundRow);
}

}  // namespace handrail
