#include "handrail/safety/gate.h"

#include <limits>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

Gate::Kind Gate::make(const GateConfig& config, const FeatureLayout& layout) {
  switch (config.kind) {
    case GateKind::kOpen:
      return OpenGate{};
    case GateKind::kShut:
      return ShutGate{};
    case GateKind::kCertified:
      return CertifiedGate(config.delta, config.bound, config.members);
    case GateKind::kPaper:
      return PaperGate({.margin_scale = config.margin_scale,
                        .margin_rounds = config.margin_rounds,
                        .delta = config.delta});
    case GateKind::kModel:
      return ModelGate({.loss = config.loss, .delta = config.delta});
    case GateKind::kEllipsoid:
      return EllipsoidGate(config.ellipsoid, layout);
  }
  HANDRAIL_ASSERT(false);
}

Gate::Gate(const GateConfig& config, const FeatureLayout& layout) : gate_(make(config, layout)) {}

bool Gate::reads_candidate() const {
  return std::holds_alternative<PaperGate>(gate_) || std::holds_alternative<EllipsoidGate>(gate_);
}

Exposure Gate::exposure(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const {
  return std::visit(Overloaded{
                        [](const OpenGate&) { return Exposure{}; },
                        [](const ShutGate&) {
                          return Exposure{.value = std::numeric_limits<double>::infinity(),
                                          .margin = 0.0};
                        },
                        [](const CertifiedGate& gate) { return gate.exposure(); },
                        [&](const PaperGate& gate) {
                          return gate.exposure(question.costs[candidate], question.regret_bound);
                        },
                        [&](const ModelGate& gate) { return gate.exposure(question.regret_bound); },
                        [&](const EllipsoidGate& gate) {
                          return gate.exposure(question.features.arm(candidate), scratch);
                        },
                    },
                    gate_);
}

bool Gate::uses_regret_bound() const {
  return std::holds_alternative<PaperGate>(gate_) || std::holds_alternative<ModelGate>(gate_);
}

bool Gate::charges(const Decision& decision) const {
  const auto* certified = std::get_if<CertifiedGate>(&gate_);
  return is_member(certified != nullptr ? certified->members() : Members::kOpen, decision);
}

void Gate::book(const Decision& decision) {
  std::visit(Overloaded{
                 [](OpenGate&) {},
                 [](ShutGate&) {},
                 [&](CertifiedGate& gate) { gate.book_member(decision.centre); },
                 [&](PaperGate& gate) { gate.book_explored(decision.predicted_cost); },
                 [&](ModelGate& gate) { gate.book_explored(decision.centre); },
                 [&](EllipsoidGate& gate) { gate.book(decision.features); },
             },
             gate_);
}

void Gate::reveal(const Revelation& revelation) {
  if (!revelation.charged) return;
  if (auto* certified = std::get_if<CertifiedGate>(&gate_)) {
    certified->reveal_member(revelation.centre, revelation.observation.cost);
  } else if (auto* ellipsoid = std::get_if<EllipsoidGate>(&gate_)) {
    ellipsoid->observe(revelation.observation.features, revelation.observation.cost);
  }
}

std::optional<double> Gate::cost_bound() const {
  const auto* certified = std::get_if<CertifiedGate>(&gate_);
  if (certified == nullptr) return std::nullopt;
  return certified->cost_bound();
}

void Gate::save(ByteWriter& out) const {
  std::visit(Overloaded{
                 [](const OpenGate&) {},
                 [](const ShutGate&) {},
                 [&](const auto& gate) { gate.save(out); },
             },
             gate_);
}

Status Gate::load(ByteReader& in) {
  return std::visit(Overloaded{
                        [](OpenGate&) { return Status(); },
                        [](ShutGate&) { return Status(); },
                        [&](auto& gate) { return gate.load(in); },
                    },
                    gate_);
}

}  // namespace handrail
