#include "handrail/oracle/training_loss.h"

#include "handrail/oracle/activation.h"

namespace handrail {

double loss_at(Loss loss, double output, double cost) {
  if (loss == Loss::kLog) return softplus(output) - cost * output;
  return (output - cost) * (output - cost);
}

}  // namespace handrail
