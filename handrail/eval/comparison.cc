#include "handrail/eval/comparison.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <numeric>

#include "handrail/agent/config.h"
#include "handrail/base/text.h"
#include "handrail/base/version.h"
#include "handrail/eval/run_config.h"
#include "handrail/oracle/kernels/isa.h"

namespace handrail {
namespace {

constexpr std::chrono::milliseconds kLookInterval{100};

RunConfig run_plan(const ComparisonPlan& plan, const RunKey& key) {
  RunConfig run;
  run.agent = plan.agents[key.cell.agent].candidates[key.candidate].config;
  run.settings.alpha = plan.alphas[key.cell.alpha];
  run.settings.delta = plan.delta;
  run.settings.reserve = plan.reserve;
  run.settings.seed = plan.seed + (key.tuning ? kTuningOffset : 0) + key.run;
  run.environment = plan.environments[key.cell.environment].plan;
  run.rounds = plan.rounds;
  run.warm_start = plan.warm_start;
  return run;
}

// If one thread throws, the others must not play on until they are done. To be declared behind
// what waits for them.
class StopOnUnwind {
 public:
  explicit StopOnUnwind(RunMonitor& monitor)
      : monitor_(monitor), exceptions_(std::uncaught_exceptions()) {}
  ~StopOnUnwind() {
    if (std::uncaught_exceptions() > exceptions_) monitor_.stop.store(true);
  }
  StopOnUnwind(const StopOnUnwind&) = delete;
  StopOnUnwind& operator=(const StopOnUnwind&) = delete;

 private:
  RunMonitor& monitor_;
  int exceptions_;
};

// Shares a list of runs among threads. Which thread plays a run makes no difference to it.
class Crew {
 public:
  Crew(const ComparisonPlan& plan, EnvironmentShelf& shelf, Journal& journal,
       const PlayOptions& options)
      : plan_(plan),
        shelf_(shelf),
        journal_(journal),
        options_(options),
        points_(checkpoints(plan.rounds)) {}

  Status play(const std::vector<RunKey>& wanted) {
    keys_.clear();
    std::ranges::copy_if(wanted, std::back_inserter(keys_),
                         [&](const RunKey& key) { return !journal_.has(key); });
    next_ = 0;
    std::vector<std::future<Status>> workers;
    const StopOnUnwind guard(options_.monitor);
    const std::size_t count = std::min(options_.threads, keys_.size());
    for (std::size_t i = 0; i < count; ++i) {
      workers.push_back(std::async(std::launch::async, [this] { return work(); }));
    }
    Status worst;
    for (std::future<Status>& worker : workers) {
      while (worker.wait_for(kLookInterval) != std::future_status::ready) look();
      const Status done = worker.get();
      if (worst.ok() && !done.ok()) worst = done;
    }
    look();
    return worst;
  }

 private:
  void look() { options_.observer.look(options_.monitor.rounds_played.load()); }

  Status work() {
    const StopOnUnwind guard(options_.monitor);
    for (;;) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= keys_.size() || options_.monitor.stop.load()) return {};
      const Status played = play_one(keys_[index]);
      if (played.ok()) continue;
      options_.monitor.stop.store(true);  // the others need not go on
      return played;
    }
  }

  Status play_one(const RunKey& key) {
    Result<Run> run = start(key);
    if (!run.ok()) return run.error();
    const std::span<const std::uint64_t> points =
        key.tuning ? std::span<const std::uint64_t>() : points_;
    const std::optional<PlayedRun> played =
        handrail::play(run.value(), plan_.rounds, points, options_.monitor);
    if (!played.has_value()) return {};
    const std::lock_guard lock(journal_mutex_);
    return journal_.add(key, *played);
  }

  // The shelf keeps data sets, so that only one thread at a time may ask it.
  Result<Run> start(const RunKey& key) {
    const std::lock_guard lock(shelf_mutex_);
    return start_run(run_plan(plan_, key), shelf_);
  }

  const ComparisonPlan& plan_;
  EnvironmentShelf& shelf_;
  Journal& journal_;
  const PlayOptions& options_;
  std::vector<std::uint64_t> points_;
  std::vector<RunKey> keys_;
  std::atomic<std::size_t> next_{0};
  std::mutex journal_mutex_;
  std::mutex shelf_mutex_;
};

std::vector<RunKey> tuning_keys(const ComparisonPlan& plan, const std::vector<Cell>& cells) {
  std::vector<RunKey> keys;
  for (const Cell& cell : cells) {
    const std::size_t candidates = plan.agents[cell.agent].candidates.size();
    for (std::size_t candidate = 0; candidates > 1 && candidate < candidates; ++candidate) {
      for (std::uint64_t run = 0; run < plan.tuning_runs; ++run) {
        keys.push_back({.cell = cell, .candidate = candidate, .tuning = true, .run = run});
      }
    }
  }
  return keys;
}

// Makes every agent once.
Status check_agents(const ComparisonPlan& plan, std::size_t environment, EnvironmentShelf& shelf) {
  for (std::size_t agent = 0; agent < plan.agents.size(); ++agent) {
    for (std::size_t candidate = 0; candidate < plan.agents[agent].candidates.size(); ++candidate) {
      const RunKey key{.cell = {.environment = environment, .agent = agent},
                       .candidate = candidate};
      const Result<Run> run = start_run(run_plan(plan, key), shelf);
      if (run.ok()) continue;
      return Error{"agent " + plan.agents[agent].text + " on " +
                   plan.environments[environment].text + ": " + run.error().message};
    }
  }
  return {};
}

}  // namespace

Result<std::vector<EnvironmentFacts>> inspect(const ComparisonPlan& plan, EnvironmentShelf& shelf) {
  std::vector<EnvironmentFacts> all;
  for (std::size_t i = 0; i < plan.environments.size(); ++i) {
    shelf.keep_only(plan.environments[i].plan);
    Result<EnvironmentFacts> facts = environment_facts(plan, i, shelf);
    if (!facts.ok()) return facts.error();
    const Status agents = check_agents(plan, i, shelf);
    if (!agents.ok()) return agents.error();
    all.push_back(std::move(facts).value());
  }
  return all;
}

std::string identity_of(const ComparisonPlan& plan, const std::vector<EnvironmentFacts>& facts) {
  std::string text = "handrail " + std::string(version()) + "\n";
  // inspect() has made agents with it before.
  text += "isa " + std::string(to_text(chosen_isa().value())) + "\n";
  text += "rounds " + std::to_string(plan.rounds) + "\nseed " + std::to_string(plan.seed) + "\n";
  text += "delta " + to_text(plan.delta) + "\nreserve " + to_text(plan.reserve) + "\n";
  if (!plan.warm_start.empty()) {
    text += "warm-start " + plan.warm_start + ", checksum " +
            std::to_string(plan.warm_start_checksum) + "\n";
  }
  for (const double alpha : plan.alphas) text += "alpha " + to_text(alpha) + "\n";
  for (const EnvironmentFacts& environment : facts) {
    text += "environment " + environment.spec + ", checksum " +
            std::to_string(environment.fingerprint) + "\n";
  }
  bool tunes = false;
  for (const ComparedAgent& agent : plan.agents) {
    tunes = tunes || agent.candidates.size() > 1;
    text += "agent " + agent.text + "\n";
    for (const Candidate& candidate : agent.candidates) {
      text += print_spec(candidate.config) + "\n";
    }
  }
  if (tunes) text += "tuning-runs " + std::to_string(plan.tuning_runs) + "\n";
  return text;
}

std::uint64_t total_runs(const ComparisonPlan& plan) {
  std::uint64_t candidates = 0;  // that have to be chosen among
  for (const ComparedAgent& agent : plan.agents) {
    if (agent.candidates.size() > 1) candidates += agent.candidates.size();
  }
  const std::uint64_t groups = plan.environments.size() * plan.alphas.size();
  return groups * (plan.agents.size() * plan.runs + candidates * plan.tuning_runs);
}

std::uint64_t wanted_runs(const ComparisonPlan& plan, const Journal& journal) {
  return journal.count_if(
      [&](const RunKey& key) { return key.run < (key.tuning ? plan.tuning_runs : plan.runs); });
}

Status play_all(const ComparisonPlan& plan, EnvironmentShelf& shelf, Journal& journal,
                const PlayOptions& options) {
  Crew crew(plan, shelf, journal, options);
  // One environment after the other, so that memory holds one data set at a time.
  for (std::size_t e = 0; e < plan.environments.size(); ++e) {
    shelf.keep_only(plan.environments[e].plan);
    const Result<std::unique_ptr<Environment>> again =
        shelf.make(plan.environments[e].plan, plan.seed);
    if (!again.ok()) return again.error();
    if (again.value()->fingerprint() != options.facts[e].fingerprint) {
      return Error{plan.environments[e].text + ": has changed since the comparison began"};
    }
    std::vector<Cell> cells = cells_of(plan);
    std::erase_if(cells, [&](const Cell& cell) { return cell.environment != e; });
    const Status tuned = crew.play(tuning_keys(plan, cells));
    if (!tuned.ok() || options.monitor.stop.load()) return tuned;
    std::vector<RunKey> keys;
    for (const Cell& cell : cells) {
      const Result<TuningRegrets> regrets = tuning_regrets(plan, journal, cell);
      if (!regrets.ok()) return regrets.error();
      const std::size_t candidate = chosen_candidate(regrets.value());
      for (std::uint64_t run = 0; run < plan.runs; ++run) {
        keys.push_back({.cell = cell, .candidate = candidate, .run = run});
      }
    }
    const Status played = crew.play(keys);
    if (!played.ok() || options.monitor.stop.load()) return played;
  }
  return {};
}

Result<TuningRegrets> tuning_regrets(const ComparisonPlan& plan, const Journal& journal,
                                     const Cell& cell) {
  const std::size_t count = plan.agents[cell.agent].candidates.size();
  if (count == 1) return TuningRegrets();
  TuningRegrets regrets(count);
  for (std::size_t candidate = 0; candidate < count; ++candidate) {
    for (std::uint64_t run = 0; run < plan.tuning_runs; ++run) {
      const RunKey key{.cell = cell, .candidate = candidate, .tuning = true, .run = run};
      const Result<PlayedRun> played = journal.summary(key);
      if (!played.ok()) return played.error();
      regrets[candidate].push_back(played.value().values[metric_index("regret")].value());
    }
  }
  return regrets;
}

std::size_t chosen_candidate(const TuningRegrets& regrets) {
  if (regrets.empty()) return 0;
  // All have the same number of runs, so that sums will do.
  const auto sum = [](const std::vector<double>& each) {
    return std::accumulate(each.begin(), each.end(), 0.0);
  };
  const auto least = std::ranges::min_element(regrets, {}, sum);
  return static_cast<std::size_t>(least - regrets.begin());
}

}  // namespace handrail
