#include "handrail/oracle/kernels/step_kind.h"

#include <cmath>

namespace handrail {

bool is_bounded(const MlpConfig& config) {
  return std::isfinite(config.rho) || std::isfinite(config.rho_1);
}

bool steps_copies_directly(const MlpConfig& config, const FastNetwork& network) {
  return config.ensemble > 0 && network.is_plain() && !is_bounded(config);
}

StepKind step_kind(const MlpConfig& config, const FastNetwork& network, std::size_t batch_size) {
  if (config.ensemble > 0) {
    return steps_copies_directly(config, network) && batch_size == 1 ? StepKind::kOneCopied
                                                                     : StepKind::kCopies;
  }
  if (config.pull > 0.0 || is_bounded(config)) return StepKind::kBuffered;
  const bool clips = std::isfinite(config.clip);
  if (config.optimizer == Optimizer::kSgd) {
    // The norm of one example's gradient follows from its trace.
    return clips && batch_size > 1 ? StepKind::kBuffered : StepKind::kDirect;
  }
  const bool adagrad = config.optimizer == Optimizer::kAdaGrad;
  return adagrad && !clips ? StepKind::kFused : StepKind::kBuffered;
}

}  // namespace handrail
