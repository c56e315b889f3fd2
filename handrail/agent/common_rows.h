// The rows of parameters that any agent has: the choice of its parts, what several parts share, and
// the agent's own.
#pragma once

#include <span>
#include <string_view>

#include "handrail/config/parameter.h"

namespace handrail {

// The keys that choose the parts. Their values are words: places in policies(), oracles(), gates().
inline constexpr std::string_view kPolicyKey = "policy";
inline constexpr std::string_view kOracleKey = "oracle";
inline constexpr std::string_view kGateKey = "gate";

// In the order in which a SPEC spells them.
std::span<const ParameterSpec* const> common_rows();

extern const ParameterSpec kLearnFromBaselineRow;
extern const ParameterSpec kPendingLimitRow;

}  // namespace handrail
