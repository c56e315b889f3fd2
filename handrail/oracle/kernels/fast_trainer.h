// The network in single precision, with kernels for the instruction set of the configuration.
#pragma once

#include <memory>

#include "handrail/oracle/trainer.h"

namespace handrail {

std::unique_ptr<Trainer> make_fast_trainer(const MlpConfig& config, const FeatureLayout& layout);

}  // namespace handrail
