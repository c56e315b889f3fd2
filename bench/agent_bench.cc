// What one decision costs with its feedback: check the round, plan, apply, accept, apply. Time an
// iteration is time a round, on one core. The gate's cost is the difference between the two rows of
// an agent, `open` and `certified`; both always explore, so that nearly every round is a member.
// `uniform` predicts and learns nothing, so that its row is the agent's own path.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/base/random.h"
#include "handrail/explore/weighting.h"
#include "handrail/safety/confidence.h"

namespace handrail {
namespace {

// Letter has 26 arms and 16 features, shuttle 7 and 9; each with a constant.
struct Shape {
  std::size_t arm_count;
  std::size_t feature_count;
};
constexpr std::array<Shape, 3> kShapes = {{{7, 10}, {26, 17}, {100, 20}}};

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kRoundCount = 1024;  // a power of two; then they come again

// Rounds made ahead, each with the class that its features speak for.
class Stream {
 public:
  explicit Stream(const Shape& shape) : shape_(shape) {
    RandomStream random(kSeed, Purpose::kTest, 1);
    for (std::size_t i = 0; i < kRoundCount; ++i) {
      const auto best = static_cast<std::size_t>(random.below(shape.arm_count));
      best_arms_.push_back(static_cast<ArmIndex>(best));
      for (std::size_t f = 0; f < shape.feature_count; ++f) {
        const double signal = f == best % shape.feature_count ? 1.0 : 0.0;
        values_.push_back(signal + 0.25 * random.normal());
      }
    }
  }

  ArmFeatures features(std::size_t index) const {
    const std::span<const double> values = values_;
    return ArmFeatures::block(values.subspan(index * shape_.feature_count, shape_.feature_count),
                              shape_.arm_count);
  }
  double cost(std::size_t index, ArmIndex arm) const {
    return arm == best_arms_[index] ? 0.0 : 1.0;
  }

 private:
  Shape shape_;
  std::vector<double> values_;
  std::vector<ArmIndex> best_arms_;
};

void bench_decision(benchmark::State& state, const std::string& agent_spec, const Shape& shape) {
  const Stream stream(shape);
  AgentSettings settings;
  settings.agent = agent_spec;
  settings.alpha = 1e6;
  settings.reserve = 1e12;
  settings.layout = stream.features(0).layout();
  Result<Agent> made = Agent::make(settings);
  if (!made.ok()) return state.SkipWithError(made.error().message.c_str());
  Agent& agent = made.value();
  Workspace workspace;
  std::size_t index = 0;
  for (auto _ : state) {
    const Result<Round> round = Round::make(stream.features(index), {.arm = 0, .cost = 0.5});
    const Result<Decision> planned = agent.plan(round.value(), workspace);
    const Decision& decision = planned.value();
    agent.apply(decision);
    const Feedback feedback = {.sequence = decision.sequence,
                               .cost = stream.cost(index, decision.arm)};
    const Result<AcceptedFeedback> accepted = agent.accept(feedback);
    agent.apply(accepted.value());
    index = (index + 1) % kRoundCount;
  }
}

std::vector<double> costs_of(std::size_t arm_count) {
  RandomStream random(kSeed, Purpose::kTest, 2);
  std::vector<double> costs(arm_count);
  for (double& cost : costs) cost = random.uniform();
  return costs;
}

void bench_weigh(benchmark::State& state, Weighting weighting, std::size_t arm_count) {
  const std::vector<double> costs = costs_of(arm_count);
  Distribution distribution;
  for (auto _ : state) {
    distribution = weigh(weighting, costs, 100.0, std::move(distribution));
    benchmark::DoNotOptimize(distribution);
  }
}

// All rates of one member.
void bench_log_growth(benchmark::State& state) {
  double centre = 0.25;
  for (auto _ : state) {
    benchmark::DoNotOptimize(centre);
    benchmark::DoNotOptimize(log_growth(centre, 1.0));
  }
}

// A member and its cost.
void bench_cost_bound(benchmark::State& state, BoundKind kind) {
  CostBound bound(0.05, kind);
  double centre = 0.25;
  for (auto _ : state) {
    benchmark::DoNotOptimize(centre);
    bound.add_member(centre);
    bound.reveal(centre, 0.0);
    benchmark::DoNotOptimize(bound.upper());
  }
}

void bench_uniform_number(benchmark::State& state) {
  std::uint64_t sequence = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(RandomStream(kSeed, Purpose::kArmSampling, ++sequence).uniform());
  }
}

void add_decisions(const Shape& shape) {
  const std::string arms = "/K=" + std::to_string(shape.arm_count);
  for (const char* agent : {"uniform", "squarecb:oracle=linear"}) {
    for (const char* gate : {"open", "certified"}) {
      const std::string name = std::string(agent) == "uniform" ? "uniform" : "linear";
      const std::string spec =
          std::string(agent) + (name == "uniform" ? ":gate=" : ",gate=") + gate;
      benchmark::RegisterBenchmark(
          ("decision/" + name + "/" + gate + arms).c_str(),
          [spec, shape](benchmark::State& state) { bench_decision(state, spec, shape); });
    }
  }
}

void add_weighings(const Shape& shape) {
  const std::string arms = "/K=" + std::to_string(shape.arm_count);
  benchmark::RegisterBenchmark(("weigh/absolute" + arms).c_str(), [shape](benchmark::State& state) {
    bench_weigh(state, Weighting::kAbsolute, shape.arm_count);
  });
  benchmark::RegisterBenchmark(("weigh/relative" + arms).c_str(), [shape](benchmark::State& state) {
    bench_weigh(state, Weighting::kRelative, shape.arm_count);
  });
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Shape& shape : kShapes) add_decisions(shape);
  for (const Shape& shape : kShapes) add_weighings(shape);
  benchmark::RegisterBenchmark("log_growth", bench_log_growth);
  benchmark::RegisterBenchmark("cost_bound/minimum", [](benchmark::State& state) {
    bench_cost_bound(state, BoundKind::kMinimum);
  });
  benchmark::RegisterBenchmark("cost_bound/mixture", [](benchmark::State& state) {
    bench_cost_bound(state, BoundKind::kMixture);
  });
  benchmark::RegisterBenchmark("uniform_number", bench_uniform_number);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  return handrail::run(argc, argv);
}
