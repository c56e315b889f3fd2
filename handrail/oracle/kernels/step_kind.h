// Which of its ways to step the fast trainer takes: the less a step has to know of its gradient as
// a whole, the fewer passes over the weights it needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/fast_network.h"
#include "handrail/oracle/mlp_config.h"

namespace handrail {

// How a step is taken.
//   kDirect    the gradient's products go straight into the weights: plain descent
//   kFused     or through AdaGrad, which needs to know nothing of the gradient as a whole
//   kBuffered  the gradient is written down first, because its norm, a pull, or a projection must
//              be known before the step, or the optimizer is Adam
//   kCopies    the perturbed copies: buffered, and every parameter moves
//   kOneCopied the same for one example of a plain network, as direct as a step without copies
enum class StepKind : std::uint8_t { kDirect, kFused, kBuffered, kCopies, kOneCopied };

// Whether a projection may follow a step.
bool is_bounded(const MlpConfig& config);

// Whether there are copies whose steps on one example are of kOneCopied.
bool steps_copies_directly(const MlpConfig& config, const FastNetwork& network);

StepKind step_kind(const MlpConfig& config, const FastNetwork& network, std::size_t batch_size);

}  // namespace handrail
