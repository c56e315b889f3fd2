// Every arm with the same probability. Predicts nothing, learns nothing: the control that shows
// what ignorance costs.
#pragma once

#include <memory>

#include "handrail/policy/entry.h"

namespace handrail {

std::unique_ptr<Policy> make_uniform();

extern const PolicyEntry kUniformPolicy;

}  // namespace handrail
