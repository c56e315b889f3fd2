// What an oracle says of the arms of one round, asked for a few of them: where arms are products,
// nobody goes over all.
#pragma once

#include <span>

#include "handrail/explore/search_memory.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// Views what it is made from, which must outlive it. Call cheapest() first: where arms have no
// structure it asks the oracle for all of them, and predict() then looks them up.
class RoundCosts {
 public:
  RoundCosts(const Oracle& oracle, const ArmFeatures& features, Scratch& scratch,
             SearchMemory& memory)
      : oracle_(oracle), features_(features), scratch_(scratch), memory_(memory) {}

  // The arm with the least predicted cost. Of a product it is searched for from `start`, one factor
  // after the other, each time the best choice given those of the other factors, until `sweeps`
  // passes are over or one changes nothing. That is one call of the oracle a factor and pass, for
  // as many rows as the factor has choices. One pass finds the cheapest arm if the oracle's
  // prediction is a strictly increasing function of a sum over factors, as a linear model's is;
  // otherwise the arm found is no dearer than `start` and than any arm that differs from it in one
  // choice, if the last pass changed nothing.
  ArmIndex cheapest(ArmIndex start, std::size_t sweeps);

  // The predicted costs of these arms: of a product by one call of the oracle.
  void predict(std::span<const ArmIndex> arms, std::span<double> costs);

 private:
  bool improve(std::size_t factor, std::span<const double> table);

  const Oracle& oracle_;
  const ArmFeatures& features_;
  Scratch& scratch_;
  SearchMemory& memory_;
};

}  // namespace handrail
