// The diagonal of gradients and the decayed steps of both trainers, against gradients that are
// written down parameter by parameter, and against each other.
#include "handrail/oracle/kernels/fast_diagonal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "handrail/oracle/kernels/fast_trainer.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::kArms;
using mlp_fixture::kBlocks;
using mlp_fixture::kRows;
using mlp_fixture::RoundFeatures;

constexpr double kStart = 0.001;

MlpConfig with_diagonal(std::size_t width) {
  return {.widths = {width},
          .own_layer = OwnLayer::kFirst,
          .optimizer = Optimizer::kSgd,
          .learning_rate = 0.05,
          .seed = 3,
          .initialisation = Initialisation::kUniform,
          .diagonal = kStart};
}

struct Measured {
  std::vector<double> outputs = std::vector<double>(kArms);
  std::vector<double> norms = std::vector<double>(kArms);
};

Measured measured(const Trainer& trainer, const RoundFeatures& round) {
  Measured result;
  Scratch scratch;
  trainer.measure(round.features(), {.outputs = result.outputs, .squared_norms = result.norms},
                  scratch);
  return result;
}

// U and the norms by the gradient itself, one number a parameter.
class WrittenDown {
 public:
  WrittenDown(const MlpConfig& config, const FeatureLayout& layout)
      : network_(network_shape(config), layout),
        parameters_(network_.initial_parameters(config.seed)),
        diagonal_(parameters_.size(), config.diagonal) {}

  void meet(const ArmView& arm) {
    const std::vector<double> g = gradient(arm);
    for (std::size_t p = 0; p < g.size(); ++p) diagonal_[p] += g[p] * g[p];
  }
  double norm(const ArmView& arm) const {
    const std::vector<double> g = gradient(arm);
    double sum = 0.0;
    for (std::size_t p = 0; p < g.size(); ++p) sum += g[p] * g[p] / diagonal_[p];
    return sum;
  }
  double output(const ArmView& arm) const {
    std::vector<double> trace(network_.trace_size());
    return network_.forward(parameters_, arm, trace);
  }

 private:
  std::vector<double> gradient(const ArmView& arm) const {
    std::vector<double> trace(network_.trace_size());
    std::vector<double> gradient(parameters_.size(), 0.0);
    network_.forward(parameters_, arm, trace);
    network_.backward(parameters_, {&arm, 1}, trace);
    const double one = 1.0;
    network_.add_gradient({&one, 1}, {&arm, 1}, trace, gradient);
    return gradient;
  }

  Network network_;
  std::vector<double> parameters_;
  std::vector<double> diagonal_;
};

void expect_written_down(Trainer& trainer, const MlpConfig& config, const FeatureLayout& layout) {
  WrittenDown expected(config, layout);
  for (std::uint64_t i = 0; i < 30; ++i) {
    const RoundFeatures round(layout, 100 + i);
    const Measured got = measured(trainer, round);
    for (ArmIndex arm = 0; arm < kArms; ++arm) {
      const ArmView view = round.features().arm(arm);
      const double norm = expected.norm(view);
      EXPECT_NEAR(got.norms[arm], norm, 1e-5 * norm) << "round " << i << " arm " << arm;
      EXPECT_NEAR(got.outputs[arm], expected.output(view), 1e-6) << "round " << i;
    }
    expected.meet(round.arm());
    trainer.meet(round.arm());
  }
}

TEST(Diagonal, MeasuresGradientsAsWrittenDown) {
  for (const FeatureLayout& layout : {kBlocks, kRows}) {
    for (const std::size_t width : {1U, 7U, 16U, 100U, 230U}) {
      MlpConfig config = with_diagonal(width);
      expect_written_down(*make_reference_trainer(config, layout), config, layout);
      for (const Isa isa : supported_isas()) {
        SCOPED_TRACE(std::string(to_text(isa)) + ", width " + std::to_string(width));
        config.isa = isa;
        expect_written_down(*make_fast_trainer(config, layout), config, layout);
      }
    }
  }
}

// Networks that the fused kernel does not know.
TEST(Diagonal, MeasuresOtherNetworksAsWrittenDown) {
  MlpConfig deep = with_diagonal(9);
  deep.widths = {9, 5};
  deep.activation = Activation::kTanh;
  MlpConfig heads = with_diagonal(12);
  heads.own_layer = OwnLayer::kOutput;
  MlpConfig ntk = with_diagonal(12);
  ntk.parametrisation = Parametrisation::kNtk;
  ntk.initialisation = Initialisation::kNormal;
  for (const MlpConfig& config : {deep, heads, ntk}) {
    expect_written_down(*make_reference_trainer(config, kBlocks), config, kBlocks);
    expect_written_down(*make_fast_trainer(config, kBlocks), config, kBlocks);
  }
}

// One feature, one unit, W = 2, b = 1, v = 3, c = 0.5 and x = 1: the unit is 3 and f = 9.5, with
// gradient (v·x, v, unit, 1) = (3, 3, 3, 1).
std::string written_weights(double start) {
  ByteWriter out;
  out.doubles(std::vector<double>{2.0});
  out.doubles(std::vector<double>{1.0});
  out.doubles(std::vector<double>{3.0, 0.5});
  out.doubles({});  // no memory of an optimizer, twice
  out.doubles({});
  out.doubles(std::vector<double>(3 * kSegmentAlignment, start));
  return std::string(out.bytes());
}

TEST(Diagonal, FollowsAnExampleByHand) {
  MlpConfig config = with_diagonal(1);
  config.diagonal = 0.5;
  config.learning_rate = 0.1;
  const FeatureLayout layout{FeatureShape::kRows, 1, 1};
  const std::vector<double> row = {1.0};
  for (const bool fast : {false, true}) {
    const auto trainer =
        fast ? make_fast_trainer(config, layout) : make_reference_trainer(config, layout);
    const std::string weights = written_weights(0.5);
    ByteReader in(weights);
    trainer->load(in);
    ASSERT_TRUE(in.status().ok() && in.at_end()) << in.status().error().message;
    double output = 0.0;
    double norm = 0.0;
    Scratch scratch;
    const auto measure = [&] {
      trainer->measure(ArmFeatures::rows(row, 1), {{&output, 1}, {&norm, 1}}, scratch);
    };
    measure();
    EXPECT_NEAR(output, 9.5, 1e-6);
    EXPECT_NEAR(norm, 28.0 / 0.5, 1e-4);
    trainer->meet({row, 0});
    measure();
    EXPECT_NEAR(norm, 27.0 / 9.5 + 1.0 / 1.5, 1e-6);
    // The loss of a cost of 1 is 8.5², its slope 17. With rate 0.1 and decay 0.2 every weight is
    // kept by 0.98 and loses 1.7 times its gradient: W = 1.96 − 5.1, b = 0.98 − 5.1, and the unit
    // is shut; c = 0.49 − 1.7.
    const Example example{.arm = {row, 0}, .cost = 1.0};
    EXPECT_NEAR(trainer->descend({&example, 1}, {.decay = 0.2}), 72.25, 1e-4);
    trainer->settle();
    measure();
    EXPECT_NEAR(output, -1.21, 1e-6);
    EXPECT_NEAR(norm, 1.0 / 1.5, 1e-6);
  }
}

TEST(Diagonal, RefusesOneBelowItsStart) {
  MlpConfig config = with_diagonal(1);
  config.diagonal = 0.5;
  const std::string weights = written_weights(0.4);
  for (const bool fast : {false, true}) {
    const FeatureLayout layout{FeatureShape::kRows, 1, 1};
    const auto trainer =
        fast ? make_fast_trainer(config, layout) : make_reference_trainer(config, layout);
    ByteReader in(weights);
    trainer->load(in);
    ASSERT_FALSE(in.status().ok());
    EXPECT_NE(in.status().error().message.find("below where it starts"), std::string::npos);
  }
}

// Single steps leave most blocks untouched, whose decay the fast trainer defers; a long training
// with a strong decay makes it settle on the way, and one of 1 / rate keeps nothing.
TEST(Descend, DecaysEveryBlockAsTheReferenceDoes) {
  for (const std::size_t batch_size : {std::size_t{1}, std::size_t{5}}) {
    for (const double decay : {0.0, 0.3, 4.0, 20.0}) {
      MlpConfig config = with_diagonal(20);
      const auto reference = make_reference_trainer(config, kBlocks);
      config.isa = supported_isas().back();
      const auto fast = make_fast_trainer(config, kBlocks);
      for (std::uint64_t i = 0; i < 400; ++i) {
        std::vector<RoundFeatures> rounds;
        for (std::uint64_t b = 0; b < batch_size; ++b) rounds.emplace_back(kBlocks, 7 * i + b);
        std::vector<Example> batch;
        for (const RoundFeatures& round : rounds) batch.push_back({round.arm(), round.cost});
        const Descent descent{.decay = decay, .steps = 1 + i % 2};
        const double loss = reference->descend(batch, descent);
        EXPECT_NEAR(fast->descend(batch, descent), loss, 1e-4);
      }
      reference->settle();
      fast->settle();
      const RoundFeatures round(kBlocks, 9999);
      const Measured a = measured(*reference, round);
      const Measured b = measured(*fast, round);
      for (std::size_t arm = 0; arm < kArms; ++arm) {
        EXPECT_NEAR(a.outputs[arm], b.outputs[arm], 1e-4) << decay << " arm " << arm;
        EXPECT_NEAR(a.norms[arm], b.norms[arm], 1e-3 * a.norms[arm] + 1e-6) << decay;
      }
    }
  }
}

// Without decay it is the step that the oracle takes.
TEST(Descend, WithoutDecayIsAStep) {
  MlpConfig config = with_diagonal(20);
  config.isa = supported_isas().back();
  const auto stepped = make_fast_trainer(config, kBlocks);
  const auto descended = make_fast_trainer(config, kBlocks);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const RoundFeatures round(kBlocks, i);
    const Example example{round.arm(), round.cost};
    stepped->step({&example, 1});
    descended->descend({&example, 1}, {});
  }
  const RoundFeatures round(kBlocks, 9999);
  EXPECT_EQ(measured(*stepped, round).outputs, measured(*descended, round).outputs);
}

// Every weight and bias within ±1/√inputs, of the dK inputs of an own first layer, and spread over
// it: 4·60 + 60 numbers, of which the largest is below 0.9 of the limit with chance 0.9^300 <
// 1e-13.
TEST(UniformInitialisation, FillsTheRangeOfPyTorch) {
  const Network network({.widths = {60}, .initialisation = Initialisation::kUniform},
                        {FeatureShape::kBlock, 2, 2});
  const std::vector<double> parameters = network.initial_parameters(4);
  std::vector<double> largest(2, 0.0);
  for (const Segment& segment : network.segments()) {
    for (const double value : part(std::span<const double>(parameters), segment)) {
      largest[segment.layer] = std::max(largest[segment.layer], std::abs(value));
      EXPECT_NE(value, 0.0);
    }
  }
  EXPECT_LE(largest[0], 0.5);
  EXPECT_GT(largest[0], 0.45);
  EXPECT_LE(largest[1], 1.0 / std::sqrt(60.0));
  EXPECT_GT(largest[1], 0.7 / std::sqrt(60.0));  // 61 numbers: 0.7^61 < 1e-9
}

}  // namespace
}  // namespace handrail
