#include "handrail/agent/workspace_memory.h"

namespace handrail {

Workspace::Workspace() : memory_(std::make_unique<Memory>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

Support Workspace::support() const {
  return memory_->proposal.support;
}
std::span<const double> Workspace::predicted_costs() const {
  return memory_->proposal.costs;
}
const Distribution& Workspace::distribution() const {
  return memory_->proposal.distribution;
}
bool Workspace::shows_chances() const {
  return memory_->proposal.chances != Chances::kUnknown;
}
std::optional<double> Workspace::gamma() const {
  return memory_->proposal.gamma;
}
std::optional<double> Workspace::regret_bound() const {
  if (!memory_->gate_uses_regret_bound) return std::nullopt;
  return memory_->regret_bound;
}

}  // namespace handrail
