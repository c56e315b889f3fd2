// The network's kernels, and the training steps that are made of them. Bytes and floating-point
// operations are counted as the algorithm needs them, so that a rate can be held against what the
// machine can do (handrail_bench_ceilings).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/kernels/fast_trainer.h"
#include "handrail/oracle/mlp.h"

namespace handrail {
namespace {

// A stream of the shape of a data set: K arms that share d features, of which some are not 0.
struct StreamShape {
  std::size_t arm_count;
  std::size_t feature_count;
  double density;
};
constexpr StreamShape kLetter{26, 16, 1.0};
constexpr StreamShape kShuttle{7, 9, 1.0};
constexpr StreamShape kMnist{10, 784, 0.2};
constexpr StreamShape kMnistDense{10, 784, 1.0};

FeatureLayout layout_of(const StreamShape& shape) {
  return {FeatureShape::kBlock, shape.feature_count, shape.arm_count};
}

std::vector<double> row_of(const StreamShape& shape, std::uint64_t number) {
  RandomStream stream(1, Purpose::kTest, number);
  std::vector<double> row(shape.feature_count);
  for (double& x : row) {
    const bool present = stream.uniform() < shape.density;
    x = present ? 0.1 * stream.normal() : 0.0;
  }
  return row;
}

// What HANDRAIL_ISA names, else the widest.
Isa instructions() {
  const Result<Isa> isa = chosen_isa();
  if (isa.ok()) return isa.value();
  std::fprintf(stderr, "%s\n", isa.error().message.c_str());
  std::exit(2);  // asked before main(), where benchmarks are named
}

MlpConfig papers_network() {
  MlpConfig config;
  config.widths = {100};
  config.own_layer = OwnLayer::kFirst;
  config.skip = false;
  config.optimizer = Optimizer::kSgd;
  config.learning_rate = 1e-4;
  config.clip = std::numeric_limits<double>::infinity();
  config.isa = instructions();
  return config;
}

double nonzero_share(const std::vector<double>& row) {
  double count = 0.0;
  for (const double x : row) count += x != 0.0 ? 1.0 : 0.0;
  return count / static_cast<double>(row.size());
}

void forward_all_arms(benchmark::State& state, const StreamShape& shape) {
  const auto trainer = make_fast_trainer(papers_network(), layout_of(shape));
  const std::vector<double> row = row_of(shape, 0);
  std::vector<double> outputs(shape.arm_count);
  Scratch scratch;
  for (auto _ : state) {
    trainer->outputs(ArmFeatures::block(row, shape.arm_count), outputs, scratch);
    benchmark::DoNotOptimize(outputs.data());
  }
  const double weights = nonzero_share(row) * static_cast<double>(shape.arm_count) *
                         static_cast<double>(shape.feature_count) * 100.0;
  state.counters["bytes_per_second"] =
      benchmark::Counter(4.0 * weights, benchmark::Counter::kIsIterationInvariantRate);
}

void train_minibatch(benchmark::State& state, const StreamShape& shape, const MlpConfig& config,
                     std::size_t batch_size) {
  const auto trainer = make_fast_trainer(config, layout_of(shape));
  std::vector<std::vector<double>> rows;
  for (std::size_t b = 0; b < batch_size; ++b) rows.push_back(row_of(shape, b));
  RandomStream stream(2, Purpose::kTest, 0);
  std::vector<Example> examples;
  for (const std::vector<double>& row : rows) {
    examples.push_back({{row, stream.below(shape.arm_count)}, stream.uniform()});
  }
  for (auto _ : state) {
    trainer->step(examples);
    trainer->settle();
  }
  double weights = static_cast<double>(shape.feature_count * config.widths.front());
  double passes = 4.0 * weights;  // forwards and into the gradient, 2 operations a weight each
  for (std::size_t l = 1; l < config.widths.size(); ++l) {
    weights = static_cast<double>(config.widths[l - 1] * config.widths[l]);
    passes += 6.0 * weights;  // and back to the inputs
  }
  state.counters["flops_per_second"] = benchmark::Counter(
      passes * static_cast<double>(batch_size), benchmark::Counter::kIsIterationInvariantRate);
}

MlpConfig with_diagonal() {
  MlpConfig config = papers_network();
  config.diagonal = 0.001;
  return config;
}

// Outputs and the norms of their gradients, for every arm: a decision of NeuralUCB.
void gradient_norms(benchmark::State& state, const StreamShape& shape) {
  const auto trainer = make_fast_trainer(with_diagonal(), layout_of(shape));
  const std::vector<double> row = row_of(shape, 0);
  const ArmFeatures features = ArmFeatures::block(row, shape.arm_count);
  std::vector<double> outputs(shape.arm_count);
  std::vector<double> norms(shape.arm_count);
  Scratch scratch;
  for (auto _ : state) {
    trainer->measure(features, {.outputs = outputs, .squared_norms = norms}, scratch);
    benchmark::DoNotOptimize(norms.data());
  }
}

// What it keeps of a round: the squares of one arm's gradient.
void meet_a_gradient(benchmark::State& state, const StreamShape& shape) {
  const auto trainer = make_fast_trainer(with_diagonal(), layout_of(shape));
  const std::vector<double> row = row_of(shape, 0);
  for (auto _ : state) trainer->meet({row, 0});
}

// A step on one example, with weight decay in all blocks; ten an update.
void descend_ten_times(benchmark::State& state, const StreamShape& shape) {
  const auto trainer = make_fast_trainer(with_diagonal(), layout_of(shape));
  std::vector<std::vector<double>> rows;
  for (std::uint64_t i = 0; i < 10; ++i) rows.push_back(row_of(shape, i));
  for (auto _ : state) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Example example{{rows[i], i % shape.arm_count}, 0.5};
      benchmark::DoNotOptimize(trainer->descend({&example, 1}, {.decay = 0.001}));
    }
    trainer->settle();
  }
}

// Decides and learns as an oracle does, without the agent around it.
void predict_and_update(benchmark::State& state, const StreamShape& shape,
                        const MlpConfig& config) {
  const auto oracle = make_mlp(config, layout_of(shape));
  std::vector<std::vector<double>> rows;
  for (std::uint64_t i = 0; i < 512; ++i) rows.push_back(row_of(shape, i));
  std::vector<double> costs(shape.arm_count);
  Scratch scratch;
  RandomStream stream(3, Purpose::kTest, 0);
  std::size_t t = 0;
  for (auto _ : state) {
    const std::vector<double>& row = rows[t++ % rows.size()];
    const ArmFeatures features = ArmFeatures::block(row, shape.arm_count);
    oracle->predict(features, costs, scratch);
    const auto arm = static_cast<ArmIndex>(stream.below(shape.arm_count));
    oracle->update(features.arm(arm), stream.uniform() < 0.5 ? 0.01 : 1.0);
  }
}

MlpConfig papers_update(std::size_t ensemble) {
  MlpConfig config = papers_network();
  config.update = Update::kPeriodic;
  config.ensemble = ensemble;
  return config;
}

MlpConfig replay_of_100() {
  MlpConfig config = papers_network();
  config.update = Update::kReplay;
  config.batch = 100;
  return config;
}

MlpConfig the_default() {
  MlpConfig config;
  config.isa = instructions();
  return config;
}

BENCHMARK_CAPTURE(forward_all_arms, letter, kLetter);
BENCHMARK_CAPTURE(forward_all_arms, shuttle, kShuttle);
BENCHMARK_CAPTURE(forward_all_arms, mnist, kMnist);
BENCHMARK_CAPTURE(forward_all_arms, mnist_dense, kMnistDense);
BENCHMARK_CAPTURE(train_minibatch, 64x784x100, (StreamShape{1, 784, 1.0}), papers_network(), 64);
BENCHMARK_CAPTURE(train_minibatch, default_letter_32, kLetter, the_default(), 32);
BENCHMARK_CAPTURE(gradient_norms, letter, kLetter);
BENCHMARK_CAPTURE(gradient_norms, mnist, kMnist);
BENCHMARK_CAPTURE(meet_a_gradient, letter, kLetter);
BENCHMARK_CAPTURE(descend_ten_times, letter, kLetter);
BENCHMARK_CAPTURE(predict_and_update, papers_letter, kLetter, papers_update(0));
BENCHMARK_CAPTURE(predict_and_update, papers_shuttle, kShuttle, papers_update(0));
BENCHMARK_CAPTURE(predict_and_update, papers_mnist, kMnist, papers_update(0));
BENCHMARK_CAPTURE(predict_and_update, ensemble_letter, kLetter, papers_update(10));
BENCHMARK_CAPTURE(predict_and_update, ensemble_shuttle, kShuttle, papers_update(10));
BENCHMARK_CAPTURE(predict_and_update, ensemble_mnist, kMnist, papers_update(10));
BENCHMARK_CAPTURE(predict_and_update, replay_letter, kLetter, replay_of_100());
BENCHMARK_CAPTURE(predict_and_update, default_letter, kLetter, the_default());

}  // namespace
}  // namespace handrail

BENCHMARK_MAIN();
