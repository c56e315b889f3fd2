// A data set as a bandit: each row is a round in which one arm, the row's class, is cheap. The
// learner sees the cost of the arm that was played and never the class.
#pragma once

#include <memory>

#include "handrail/env/dataset.h"
#include "handrail/env/environment.h"

namespace handrail {

// Views `dataset`, which any number of environments may share and which must outlive them. When the
// rounds exceed the rows it starts again, in a new order by (seed, pass).
std::unique_ptr<Environment> make_data_environment(const Dataset& dataset, std::uint64_t seed);

}  // namespace handrail
