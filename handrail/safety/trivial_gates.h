// The two gates that need no bound: one always admits, one never does. Every comparison includes
// both.
#pragma once

#include <limits>

#include "handrail/base/bytes.h"
#include "handrail/oracle/oracle.h"
#include "handrail/safety/exposure.h"

namespace handrail {

// What a gate has that keeps no accounts.
struct StatelessGate {
  static constexpr GateTraits kTraits = {.needs_baseline_cost = false};

  static bool charges(const Decision& decision) { return decision.choice == Choice::kExplore; }
  static void book(const Decision& /*decision*/, bool /*charged*/) {}
  static void reveal(const Revelation& /*revelation*/) {}
  static std::optional<double> slack(double /*earned*/) { return std::nullopt; }
  static void save(ByteWriter& /*out*/) {}
  static Status load(ByteReader& /*in*/) { return {}; }
};

struct OpenGate : StatelessGate {
  static Sides sides(const GateQuestion& question, ArmIndex /*candidate*/, Scratch& /*scratch*/) {
    return {.exposure = {}, .allowance = question.allowance};
  }
};

struct ShutGate : StatelessGate {
  static Sides sides(const GateQuestion& question, ArmIndex /*candidate*/, Scratch& /*scratch*/) {
    return {.exposure = {.value = std::numeric_limits<double>::infinity(), .margin = 0.0},
            .allowance = question.allowance};
  }
};

}  // namespace handrail
