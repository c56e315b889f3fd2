// Recomputes what a trace says of itself: tells the rounds to a ledger and a gate of its own, and
// believes only what cannot be recomputed from the trace: the predictions, the baseline, the costs,
// and what scope() lists beside them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "handrail/agent/config.h"
#include "handrail/eval/difference.h"
#include "handrail/eval/trace_reader.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/gate.h"
#include "handrail/safety/ledger.h"

namespace handrail {

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
  explicit Auditor(TraceHeader header) : header_(std::move(header)), ledger_(LedgerTerms{}) {}
  Result<AgentConfig> stated_agent() const;
  Status read_parts();

  std::optional<Difference> check_support(const TraceRound& round) const;
  std::optional<Difference> check_shape(const TraceRound& round) const;
  std::optional<Difference> check_regret_bound(const TraceRound& round) const;
  std::optional<Difference> check_gamma(const TraceRound& round) const;
  std::optional<Difference> check_distribution(const TraceRound& round) const;
  std::optional<Difference> check_candidate(const TraceRound& round) const;
  std::optional<Difference> check_sides(const TraceRound& round) const;
  std::optional<Difference> check_choice(const TraceRound& round) const;
  std::optional<Difference> check_propensity(const TraceRound& round) const;
  std::optional<Difference> check_marginal(const TraceRound& round) const;
  static std::optional<Difference> check_estimate(const TraceRound& round);
  std::optional<Difference> check_centre(const TraceRound& round) const;
  std::optional<Difference> check_slack(const TraceRound& round) const;

  // Whether the gate's sides follow from the trace.
  bool follows() const;
  GateQuestion question_of(const TraceRound& round) const;
  Sides sides_of(const TraceRound& round) const;
  std::vector<std::uint8_t> admitted_in(const TraceRound& round) const;
  ShownProposal shown_in(const TraceRound& round) const;
  static ArmIndex place_in(const TraceRound& round, std::uint64_t arm);
  Decision decision_of(const TraceRound& round) const;
  double centre_of(const TraceRound& round, std::uint64_t arm) const;
  void book(const TraceRound& round);
  void book_arrivals(std::uint64_t t);
  bool gamma_is_checkable() const;
  bool regret_bound_is(std::string_view source) const;

  TraceHeader header_;
  AgentConfig config_;      // as the header states it
  ParameterValues values_;  // that its policy sees
  GateTraits traits_;       // of its gate
  Members members_ = Members::kOpen;
  GammaConfig schedule_;
  double least_baseline_chance_ = 0.0;  // of its gate

  // The accounts: the same ledger and gate, told the same rounds. Null for a gate that reads
  // features, since a trace has not all of them.
  std::uint64_t rounds_ = 0;
  Ledger ledger_;
  std::unique_ptr<Gate> gate_;
  // By round of arrival, then by round.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Observation> under_way_;
};

}  // namespace handrail
