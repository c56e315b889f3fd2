// When the cost of a round becomes known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/config/parameter.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// As text, and what it means for the cost of round t:
//   none         known before the next round
//   N            known after the decision of round t + N
//   uniform:N    after that of round t + U, U uniform on {0, …, N}
//   outcome:N:M  after that of round t + N if the cost is below ½, else of round t + M
class Delay {
 public:
  Delay() = default;  // none

  // A pure function of its arguments, at least t.
  std::uint64_t arrives(std::uint64_t seed, std::uint64_t t, ArmIndex arm, double cost) const;

  friend bool operator==(const Delay&, const Delay&) = default;
  friend Result<Delay> parse_delay(std::string_view text);
  friend std::string to_text(const Delay& delay);

 private:
  enum class Kind : std::uint8_t { kNone, kFixed, kUniform, kOutcome };

  Delay(Kind kind, std::uint64_t rounds, std::uint64_t rounds_if_costly)
      : kind_(kind), rounds_(rounds), rounds_if_costly_(rounds_if_costly) {}

  Kind kind_ = Kind::kNone;
  std::uint64_t rounds_ = 0;            // N
  std::uint64_t rounds_if_costly_ = 0;  // M
};

Result<Delay> parse_delay(std::string_view text);
std::string to_text(const Delay& delay);

// The row of everything whose costs come late.
Status check_delay(std::string_view text);
std::string spelling_of_delay(std::string_view text);
inline constexpr ParameterSpec kDelayRow = {
    .name = "delay",
    .meaning =
        "rounds until a cost is known: none, N, uniform:N (0 to N), or outcome:N:M (N if the cost "
        "is below 1/2, else M)",
    .fallback = "none",
    .check = check_delay,
    .form = "none, N, uniform:N or outcome:N:M",
    .spelling = spelling_of_delay,
};

}  // namespace handrail
