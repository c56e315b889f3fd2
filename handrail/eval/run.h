// One agent in one environment, round after round: decide, play, deliver the costs that arrive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/env/environment.h"
#include "handrail/eval/environment_config.h"
#include "handrail/eval/metric.h"
#include "handrail/eval/metrics.h"

namespace handrail {

// Everything about the round that was played last. Views the run.
struct RoundRecord {
  const EnvironmentRound& round;
  const Decision& decision;
  const Workspace& workspace;
  Outcome outcome;
  double expected_cost;  // of the played arm
  double best_cost;
  std::optional<double> slack;  // after the decision and the arrivals that follow it
};

class Run {
 public:
  Run(std::unique_ptr<Environment> environment, Agent agent);

  // Goes on from a saved run: recreates its environment from the name in the save, and refuses a
  // data set whose cells have changed since.
  static Result<Run> resume(const std::string& path, EnvironmentShelf& shelf);
  Status save(const std::string& path) const;

  // Plays the next round.
  void advance();
  // Whether the next round would make the agent give up a decision. A trace of such a run could not
  // be followed, since it does not say when feedback was refused.
  bool next_gives_up() const;

  RoundRecord record() const;  // only after advance()
  // What deciding and learning took in this process, without making rounds, writing them down or
  // reading the clock.
  double seconds() const { return seconds_; }
  std::uint64_t rounds() const { return metrics_.rounds(); }
  const Metrics& metrics() const { return metrics_; }
  std::optional<double> min_slack() const { return min_slack_; }
  MeasuredRun measured() const;
  const Agent& agent() const { return agent_; }
  const Environment& environment() const { return *environment_; }

 private:
  struct LateFeedback {
    std::uint64_t arrives;
    Feedback feedback;

    friend bool operator>(const LateFeedback& a, const LateFeedback& b) {
      return a.arrives != b.arrives ? a.arrives > b.arrives
                                    : a.feedback.sequence > b.feedback.sequence;
    }
  };

  void book_costs();
  void collect_arrivals(std::uint64_t t);
  void deliver();
  void book_slack();

  std::unique_ptr<Environment> environment_;
  Agent agent_;
  Metrics metrics_;
  std::optional<double> min_slack_;
  // In order of arrival; several in one round in the order of their decisions.
  std::priority_queue<LateFeedback, std::vector<LateFeedback>, std::greater<>> under_way_;

  double clock_seconds_;  // what an interval holds of the clock
  double seconds_ = 0.0;
  std::uint64_t rounds_here_ = 0;  // that those took

  // The last round.
  EnvironmentRound round_;
  Decision decision_;
  Workspace workspace_;
  Outcome outcome_;
  std::vector<Feedback> arrived_;  // after its decision
  double expected_cost_ = 0.0;
  double best_cost_ = 0.0;
};

}  // namespace handrail
