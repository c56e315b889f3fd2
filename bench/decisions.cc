// How fast agents decide and learn: plan, apply, accept, apply over rounds that lie in memory, on
// one core, by processor time. Several agents take turns, so that what disturbs the machine
// disturbs all of them. Prints one JSON object an agent. Regret is printed beside speed, since a
// learner that is fast and learns nothing is not fast.
#include <CLI/CLI.hpp>

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/round_tape.h"
#include "handrail/agent/agent.h"
#include "handrail/base/json.h"

namespace handrail {
namespace {

constexpr int kUsageError = 2;

struct Options {
  std::vector<std::string> agents;
  std::string stream = "letter";
  std::string tape_path;    // read from here in place of recording `stream`
  std::string record_path;  // written there
  std::size_t rounds = 10'000;
  std::size_t repetitions = 5;
  std::uint64_t seed = 1;
  bool lists = false;  // rows as lists of what is not 0
};

struct Timing {
  double seconds = 0.0;       // of deciding and learning
  double plan_seconds = 0.0;  // of deciding alone, over the same rounds, by the trained agent
  double regret = 0.0;
};

// Processor time of this process, which has one thread: what others do on the machine disturbs it
// less than the time of day.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Round round_at(const RoundTape& tape, std::size_t t) {
  const Result<Round> round = Round::make(tape.arms_of(t), tape.baseline_of(t));
  HANDRAIL_ASSERT(round.ok());
  return round.value();
}

double regret_of(const RoundTape& tape, std::size_t t, ArmIndex arm) {
  const std::span<const double> costs = tape.costs_of(t);
  return costs[arm] - *std::min_element(costs.begin(), costs.end());
}

// Plays all rounds and writes down the arms: their regret is added up later, outside the clock.
double play(Agent& agent, const RoundTape& tape, std::span<ArmIndex> arms) {
  Workspace workspace;
  const double start = processor_seconds();
  for (std::size_t t = 0; t < arms.size(); ++t) {
    const Result<Decision> decision = agent.plan(round_at(tape, t), workspace);
    HANDRAIL_ASSERT(decision.ok());
    agent.apply(decision.value());
    arms[t] = decision.value().arm;
    const Result<AcceptedFeedback> accepted =
        agent.accept({.sequence = decision.value().sequence, .cost = tape.costs_of(t)[arms[t]]});
    HANDRAIL_ASSERT(accepted.ok());
    agent.apply(accepted.value());
  }
  return processor_seconds() - start;
}

double plan_only(const Agent& agent, const RoundTape& tape, std::size_t rounds) {
  Workspace workspace;
  const double start = processor_seconds();
  for (std::size_t t = 0; t < rounds; ++t) {
    const Result<Decision> decision = agent.plan(round_at(tape, t), workspace);
    HANDRAIL_ASSERT(decision.ok());
  }
  return processor_seconds() - start;
}

Result<Timing> time_agent(const AgentSettings& settings, const RoundTape& tape,
                          std::size_t rounds) {
  Result<Agent> agent = Agent::make(settings);
  if (!agent.ok()) return agent.error();
  std::vector<ArmIndex> arms(rounds);
  Timing timing;
  timing.seconds = play(agent.value(), tape, arms);
  timing.plan_seconds = plan_only(agent.value(), tape, rounds);
  for (std::size_t t = 0; t < rounds; ++t) timing.regret += regret_of(tape, t, arms[t]);
  return timing;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

std::string line_of(const AgentSettings& settings, const RoundTape& tape, std::size_t rounds,
                    const std::vector<Timing>& timings) {
  std::vector<double> seconds;
  std::vector<double> plan_seconds;
  for (const Timing& timing : timings) {
    seconds.push_back(timing.seconds);
    plan_seconds.push_back(timing.plan_seconds);
  }
  const auto count = static_cast<double>(rounds);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("agent", std::string_view(settings.agent));
  json.field("stream", std::string_view(tape.name));
  json.key("synthetic");
  json.boolean(tape.is_synthetic);
  json.key("lists");
  json.boolean(!tape.lists.empty());
  json.field("arms", tape.arm_count());
  json.field("features", tape.layout.feature_count);
  json.field("rounds", rounds);
  json.field("repetitions", timings.size());
  json.field("seconds", median(seconds));
  json.field("best_seconds", *std::ranges::min_element(seconds));
  json.field("rounds_per_second", count / median(seconds));
  json.field("best_rounds_per_second", count / *std::ranges::min_element(seconds));
  json.field("plans_per_second", count / median(plan_seconds));
  json.field("best_plans_per_second", count / *std::ranges::min_element(plan_seconds));
  json.field("regret", timings.front().regret);
  json.end_object();
  return text;
}

Result<RoundTape> tape_for(const Options& options) {
  if (!options.tape_path.empty()) return read_tape(options.tape_path);
  return record_tape(options.stream, options.rounds, options.seed);
}

Status run(const Options& options) {
  Result<RoundTape> tape = tape_for(options);
  if (!tape.ok()) return tape.error();
  if (!options.record_path.empty()) {
    const Status written = write_tape(tape.value(), options.record_path);
    if (!written.ok()) return written;
  }
  if (options.lists) list_rows(tape.value());
  const std::size_t rounds = std::min(options.rounds, tape.value().round_count);
  std::vector<AgentSettings> settings;
  for (const std::string& agent : options.agents) {
    settings.push_back({.agent = agent,
                        .seed = options.seed,
                        .baseline_known = tape.value().baseline_known,
                        .layout = tape.value().layout});
  }
  std::vector<std::vector<Timing>> timings(settings.size());
  for (std::size_t repetition = 0; repetition < options.repetitions; ++repetition) {
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const Result<Timing> timing = time_agent(settings[i], tape.value(), rounds);
      if (!timing.ok()) return timing.error();
      timings[i].push_back(timing.value());
    }
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    std::puts(line_of(settings[i], tape.value(), rounds, timings[i]).c_str());
  }
  return {};
}

int main_of(int argc, char** argv) {
  Options options;
  CLI::App app("how fast agents decide and learn, in process, on one core");
  app.add_option("--agent", options.agents, "SPEC of an agent; repeatable");
  app.add_option(
      "--stream", options.stream,
      "letter, shuttle, mnist, the same without a constant column as letter-16, shuttle-9 "
      "and mnist-784, synthetic[:arms=K,features=D,density=P] or a data SPEC");
  app.add_option("--tape", options.tape_path, "file of recorded rounds in place of a stream");
  app.add_option("--record", options.record_path, "write the rounds to this file");
  app.add_option("--rounds", options.rounds, "rounds to play; at most those of the tape")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  app.add_option("--repetitions", options.repetitions, "agents take turns this often; median")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--seed", options.seed, "of the stream's order and of the agent");
  app.add_flag("--lists", options.lists, "give the agents rows as lists of what is not 0");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  const Status status = run(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return kUsageError;
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  return handrail::main_of(argc, argv);
}
