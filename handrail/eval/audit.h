// Recomputes what a trace says of itself. It shares nothing with the agent but the functions of the
// formulas, keeps its own accounts, and believes only what cannot be recomputed from the trace: the
// predictions, the baseline, the costs, and what scope() lists beside them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "handrail/agent/config.h"
#include "handrail/eval/trace_reader.h"
#include "handrail/safety/confidence.h"
#include "handrail/safety/ledger.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/paper_gate.h"

namespace handrail {

// The first field of a round that does not follow.
struct Difference {
  std::string field;
  std::string stated;
  std::string recomputed;
};

// Fields that could be recomputed, and those that had to be believed.
struct AuditScope {
  std::vector<std::string> checked;
  std::vector<std::string> trusted;
};

class Auditor {
 public:
  // Refuses a header that names parts which this program does not know.
  static Result<Auditor> make(const TraceHeader& header);

  // Books the next round, and says what of it does not follow from the rounds before.
  std::optional<Difference> check(const TraceRound& round);
  // Whether a later part of the same run may follow: same header, next round.
  Status check_continuation(const TraceHeader& header) const;

  std::uint64_t rounds() const { return rounds_; }
  AuditScope scope() const;

 private:
  struct Member {
    double centre = 0.0;
    bool charged = false;
    Choice choice = Choice::kBaseline;
    double cost = 0.0;
  };
  explicit Auditor(TraceHeader header) : header_(std::move(header)), bound_terms_(header_.delta) {}
  Status read_parts();

  std::optional<Difference> check_shape(const TraceRound& round) const;
  std::optional<Difference> check_regret_bound(const TraceRound& round) const;
  std::optional<Difference> check_gamma(const TraceRound& round) const;
  std::optional<Difference> check_distribution(const TraceRound& round) const;
  std::optional<Difference> check_candidate(const TraceRound& round) const;
  std::optional<Difference> check_sides(const TraceRound& round) const;
  std::optional<Difference> check_choice(const TraceRound& round) const;
  std::optional<Difference> check_propensity(const TraceRound& round) const;
  std::optional<Difference> check_centre(const TraceRound& round) const;
  std::optional<Difference> check_slack(const TraceRound& round) const;

  Exposure exposure_of(const TraceRound& round, std::uint64_t candidate) const;
  bool charges(const TraceRound& round) const;
  void book(const TraceRound& round);
  void book_arrivals(std::uint64_t t);
  void reveal(const Member& member);
  bool gamma_is_checkable() const;
  bool regret_bound_is(std::string_view source) const;
  double bound() const { return bound_of(config_.bound, growth_, bound_terms_); }

  TraceHeader header_;
  BoundTerms bound_terms_;
  AgentConfig config_;  // as the header states it
  PaperGateConfig paper_;
  ModelGateConfig model_;
  LedgerTerms terms_;
  Members members_ = Members::kOpen;

  // The accounts.
  std::uint64_t rounds_ = 0;
  std::uint64_t explored_ = 0;
  double explored_cost_sum_ = 0.0;
  BaselineSums baseline_sums_;
  PaperSums paper_sums_;
  ModelSums model_sums_;
  GrowthSums growth_;
  double upper_ = 0.0;
  double observed_ = 0.0;
  std::uint64_t member_count_ = 0;
  double charged_cost_sum_ = 0.0;
  std::uint64_t charged_revealed_ = 0;
  // By round of arrival, then by round.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Member> under_way_;
};

}  // namespace handrail
