// What a gate says of a candidate: an upper bound on what exploration has cost so far, this
// candidate included.
#pragma once

namespace handrail {

struct Exposure {
  double value = 0.0;
  double margin = 0.0;  // the confidence part of `value`
};

}  // namespace handrail
