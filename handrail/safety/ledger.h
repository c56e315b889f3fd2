// What the baseline has earned, and the one inequality that decides a round. Read this file first:
// it is the reason that the project exists.
//
//   allowance_t = (1+α) Σ_{i≤t} h(b_i) − Σ_{uncharged i<t} h(b_i) + reserve
//   explore  ⇔  exposure_t ≤ allowance_t
//
// h(b_i) is the baseline's cost in round i. A round is charged to exploration or not; which, is the
// gate's to say. If the exposure bounds the true cost of the charged rounds, the next one included,
// then cumulative cost stays within (1+α) times the baseline's, plus the reserve.
#pragma once

#include <cstdint>

#include "handrail/base/bytes.h"
#include "handrail/core/decision.h"
#include "handrail/safety/known_costs.h"

namespace handrail {

struct LedgerTerms {
  double alpha = 0.1;    // the tolerance
  double reserve = 0.0;  // allowance given once, in units of cost
};

// Σ of baseline costs over the charged rounds and over the others.
struct BaselineSums {
  double charged = 0.0;
  double others = 0.0;
};

// The allowance of a round whose baseline costs `baseline_cost`. The order of operations is part of
// the format: whoever recomputes it so gets the same bits.
inline double allowance_of(const LedgerTerms& terms, const BaselineSums& sums,
                           double baseline_cost) {
  return (1.0 + terms.alpha) * (sums.charged + baseline_cost) + terms.alpha * sums.others +
         terms.reserve;
}

// The verdict. No tolerance: a tie is admitted, and nothing beyond it.
inline bool admits(double exposure, double allowance) {
  return exposure <= allowance;
}

class Ledger {
 public:
  explicit Ledger(const LedgerTerms& terms) : terms_(terms) {}

  double allowance(double baseline_cost) const {
    return allowance_of(terms_, sums_, baseline_cost);
  }
  // What was earned before any further round: the allowance that a bound on the cost of the charged
  // rounds is held against.
  double earned() const { return allowance(0.0); }

  // A decision is booked when it is made, not when its cost arrives: feedback may be late or lost,
  // and a ledger that only books good news is none.
  void book(const Decision& decision, bool charged) {
    (charged ? sums_.charged : sums_.others) += decision.baseline.cost;
    ++(decision.choice == Choice::kExplore ? explored_ : baseline_played_);
  }
  void reveal(Choice choice, bool charged, double cost) {
    if (choice == Choice::kExplore) explored_cost_sum_ += cost;
    if (charged) charged_costs_.add(cost);
  }

  std::uint64_t explored() const { return explored_; }                // m
  std::uint64_t baseline_played() const { return baseline_played_; }  // n
  double explored_cost_sum() const { return explored_cost_sum_; }     // revealed, explored rounds
  // Of the charged rounds whose costs are known: the centre of a policy that predicts nothing.
  double charged_cost_mean() const { return charged_costs_.mean(); }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  LedgerTerms terms_;  // constant after construction
  BaselineSums sums_;
  std::uint64_t explored_ = 0;
  std::uint64_t baseline_played_ = 0;
  double explored_cost_sum_ = 0.0;
  KnownCosts charged_costs_;
};

}  // namespace handrail
