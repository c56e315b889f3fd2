// Where rounds come from: a pure function of (seed, t). Asking for round 7 twice, or before round
// 3, gives the same bits, so that all agents meet the same luck and a run can go on in a new
// process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/core/round.h"

namespace handrail {

// Everything about round t, what no agent may see included: an agent is shown round_of() this and
// nothing else. Its vectors keep their memory from round to round.
struct EnvironmentRound {
  std::uint64_t t = 0;
  std::size_t arm_count = 0;
  // arm_count rows, or one shared row, or the rows of a product's choices, as the layout says.
  std::vector<double> features;
  std::vector<Factor> factors = {};  // of a product
  Baseline baseline;
  std::vector<double> expected_costs;  // h, one an arm; none of a product, which has too many
};

// The expected cost of an arm, and the least of all, as the round lists them.
double listed_cost(const EnvironmentRound& round, ArmIndex arm);
double least_listed_cost(const EnvironmentRound& round);

// What playing an arm leads to. The cost is known to the agent after the decision of round
// `arrives`.
struct Outcome {
  double cost = 0.0;
  std::uint64_t arrives = 0;
};

// The values are part of every saved run.
enum class EnvironmentKind : std::uint8_t { kWorld = 0, kData = 1 };

// "world" or "data": the flag that an environment is named with.
std::string_view to_text(EnvironmentKind kind);

class Environment {
 public:
  Environment() = default;
  virtual ~Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // The SPEC that makes this environment again, every parameter spelled out.
  virtual std::string name() const = 0;
  virtual EnvironmentKind kind() const = 0;
  // Of what the name does not say: the cells of a file. Two environments of one name, seed and
  // fingerprint are the same.
  virtual std::uint32_t fingerprint() const = 0;
  virtual FeatureLayout layout() const = 0;
  virtual std::size_t arm_count() const = 0;
  virtual BaselineKnown baseline_known() const = 0;

  // Round t = 1, 2, …
  virtual void fill(std::uint64_t t, EnvironmentRound& out) const = 0;
  virtual Outcome outcome(const EnvironmentRound& round, ArmIndex arm) const = 0;

  // As the round lists them; an environment that lists none says them here.
  virtual double expected_cost(const EnvironmentRound& round, ArmIndex arm) const {
    return listed_cost(round, arm);
  }
  virtual double best_cost(const EnvironmentRound& round) const { return least_listed_cost(round); }
};

// What an agent is shown of a round. Views `round`. Environments make valid rounds only.
Round round_of(const EnvironmentRound& round, const FeatureLayout& layout);

}  // namespace handrail
