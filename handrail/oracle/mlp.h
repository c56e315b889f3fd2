// A network as an oracle: small, fully connected, trained online. Promises nothing about its
// regret; use it behind the certified gate.
//
// Its defaults are ours: one hidden layer of 256 ReLU units, replay with AdaGrad. The paper's
// network (ntk parametrisation, perturbed copies, projected descent, a step every 10th round) is
// the same class with other choices.
//
// Training can diverge, with plain descent and a large learning rate. Nothing is repaired then: an
// output that is not finite predicts a cost of 1 (log loss: 1 − 10^-6), so that a broken network
// looks expensive and not attractive, and it stays broken where everybody can see it.
#pragma once

#include <memory>

#include "handrail/oracle/mlp_config.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// For a configuration that check() accepts with this layout.
std::unique_ptr<Oracle> make_mlp(const MlpConfig& config, const FeatureLayout& layout);

}  // namespace handrail
