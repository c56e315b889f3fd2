#include "handrail/safety/trivial_gates.h"

#include <limits>

namespace handrail {
namespace {

// The part of a gate that keeps no accounts.
class StatelessGate : public Gate {
 public:
  void book(const Decision& /*decision*/, bool /*charged*/) final {}
  void save(ByteWriter& /*out*/) const final {}
  Status load(ByteReader& /*in*/) final { return {}; }
};

class OpenGate final : public StatelessGate {
 public:
  Sides sides(const GateQuestion& question, ArmIndex /*candidate*/,
              Scratch& /*scratch*/) const override {
    return {.exposure = {}, .allowance = question.allowance};
  }
};

class ShutGate final : public StatelessGate {
 public:
  Sides sides(const GateQuestion& question, ArmIndex /*candidate*/,
              Scratch& /*scratch*/) const override {
    return {.exposure = {.value = std::numeric_limits<double>::infinity(), .margin = 0.0},
            .allowance = question.allowance};
  }
};

}  // namespace

constinit const GateEntry kOpenGate = {
    .name = "open",
    .meaning = "always admits: the control without a gate",
    .traits = {.is_control = true, .needs_baseline_cost = false},
    .make = [](const PartFrame& /*frame*/) -> std::unique_ptr<Gate> {
      return std::make_unique<OpenGate>();
    },
};

constinit const GateEntry kShutGate = {
    .name = "shut",
    .meaning = "never admits: always the baseline",
    .traits = {.is_control = true, .never_admits = true, .needs_baseline_cost = false},
    .make = [](const PartFrame& /*frame*/) -> std::unique_ptr<Gate> {
      return std::make_unique<ShutGate>();
    },
};

}  // namespace handrail
