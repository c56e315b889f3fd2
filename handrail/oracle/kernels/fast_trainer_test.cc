// The fast network against the reference in double, after the same steps.
#include "handrail/oracle/kernels/fast_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "handrail/oracle/kernels/isa.h"
#include "tests/mlp_fixture.h"

namespace handrail {
namespace {

using mlp_fixture::every_reference_kind;
using mlp_fixture::kArms;
using mlp_fixture::kBlocks;
using mlp_fixture::kFeatures;
using mlp_fixture::kInfinity;
using mlp_fixture::kRows;
using mlp_fixture::predictions;
using mlp_fixture::RoundFeatures;

// The largest difference of a raw output over a few rounds that were never learned.
double largest_difference(const Trainer& one, const Trainer& other, const FeatureLayout& layout) {
  double largest = 0.0;
  Scratch scratch;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const RoundFeatures round(layout, 3000 + i);
    std::vector<double> a(kArms);
    std::vector<double> b(kArms);
    one.outputs(round.features(), a, scratch);
    other.outputs(round.features(), b, scratch);
    for (std::size_t k = 0; k < kArms; ++k) {
      largest = std::max(largest, std::abs(a[k] - b[k]) / std::max(1.0, std::abs(a[k])));
    }
  }
  return largest;
}

std::vector<RoundFeatures> rounds_of(const FeatureLayout& layout, std::uint64_t from,
                                     std::size_t count) {
  std::vector<RoundFeatures> rounds;
  for (std::size_t i = 0; i < count; ++i) rounds.emplace_back(layout, from + i);
  return rounds;
}

std::vector<Example> examples_of(const std::vector<RoundFeatures>& rounds) {
  std::vector<Example> examples;
  for (const RoundFeatures& round : rounds) examples.push_back({round.arm(), round.cost});
  return examples;
}

// A few batches, so that differences of rounding have not grown by the network's own chaos.
void expect_the_same(MlpConfig config, const FeatureLayout& layout, std::size_t batch_size) {
  for (const Isa isa : supported_isas()) {
    config.isa = isa;
    const auto reference = make_reference_trainer(config, layout);
    const auto fast = make_fast_trainer(config, layout);
    EXPECT_LT(largest_difference(*reference, *fast, layout), 1e-5) << to_text(isa);
    for (std::uint64_t step = 0; step < 8; ++step) {
      const auto rounds = rounds_of(layout, step * batch_size, batch_size);
      const auto examples = examples_of(rounds);
      reference->step(examples);
      fast->step(examples);
      if (step % 3 != 0) continue;
      reference->settle();
      fast->settle();
    }
    reference->settle();
    fast->settle();
    EXPECT_LT(largest_difference(*reference, *fast, layout), 1e-4) << to_text(isa);
    for (std::size_t s = 0; s < reference->shifts().size(); ++s) {
      EXPECT_NEAR(fast->shifts()[s], reference->shifts()[s], 1e-5) << to_text(isa);
    }
  }
}

TEST(FastTrainer, StepsLikeTheReferenceInEveryKind) {
  int kind = 0;
  for (const MlpConfig& config : every_reference_kind()) {
    for (const FeatureLayout& layout : {kRows, kBlocks}) {
      for (const std::size_t batch_size : {1u, 5u, 13u}) {
        SCOPED_TRACE("kind " + std::to_string(kind) + ", batch " + std::to_string(batch_size));
        expect_the_same(config, layout, batch_size);
      }
    }
    ++kind;
  }
}

TEST(FastTrainer, StepsLikeTheReferenceAtOddWidths) {
  for (const std::vector<std::size_t>& widths :
       {std::vector<std::size_t>{1}, {17}, {33, 20}, {100, 100}, {130}, {250, 3}}) {
    for (const OwnLayer own : {OwnLayer::kFirst, OwnLayer::kOutput}) {
      for (const bool skip : {false, true}) {
        SCOPED_TRACE(std::to_string(widths.front()) + (skip ? " skip" : ""));
        const MlpConfig config{.widths = widths,
                               .own_layer = own,
                               .skip = skip,
                               .clip = kInfinity,
                               .precision = Precision::kDouble,
                               .seed = 3};
        expect_the_same(config, kBlocks, 9);
      }
    }
  }
}

// Without biases nothing stands behind the last unit, so rows of whole vectors touch.
TEST(FastTrainer, StepsLikeTheReferenceAtWholeVectorsWithoutBiases) {
  for (const std::vector<std::size_t>& widths :
       {std::vector<std::size_t>{16}, {32}, {48, 32}, {256}}) {
    MlpConfig config{.widths = widths,
                     .parametrisation = Parametrisation::kNtk,
                     .precision = Precision::kDouble,
                     .seed = 3};
    expect_the_same(config, kBlocks, 9);
    expect_the_same(config, kRows, 9);
  }
}

// Log loss saturates, and then gradients are next to nothing: what the rule makes of those has to
// be the same in all of its forms.
TEST(FastTrainer, StepsLikeTheReferenceWhenItHasLearned) {
  MlpConfig config{.widths = {256},
                   .loss = Loss::kLog,
                   .learning_rate = 0.15,
                   .precision = Precision::kDouble,
                   .isa = supported_isas().back(),
                   .seed = 3};
  const auto reference = make_reference_trainer(config, kBlocks);
  const auto fast = make_fast_trainer(config, kBlocks);
  const auto rounds = rounds_of(kBlocks, 0, 12);
  auto examples = examples_of(rounds);
  for (Example& example : examples) example.cost = example.cost < 0.5 ? 0.0 : 1.0;
  for (int step = 0; step < 300; ++step) {
    reference->step(examples);
    fast->step(examples);
  }
  EXPECT_LT(largest_difference(*reference, *fast, kBlocks), 0.02);
}

// A feature as large as nobody means must not end all learning: with log loss, whose slope is
// bounded, its step is 0 where its square is too large for a number.
TEST(FastTrainer, SurvivesAnOutlier) {
  MlpConfig config{
      .loss = Loss::kLog, .learning_rate = 0.1, .isa = supported_isas().back(), .seed = 3};
  const auto fast = make_fast_trainer(config, kBlocks);
  const std::vector<double> far = {1e25, 1.0, -1.0};
  const Example outlier{{far, 1}, 1.0};
  fast->step({&outlier, 1});
  const RoundFeatures round(kBlocks, 4);
  std::vector<double> outputs(kArms);
  Scratch scratch;
  fast->outputs(round.features(), outputs, scratch);
  for (const double output : outputs) EXPECT_TRUE(std::isfinite(output));
}

TEST(FastTrainer, StepsLikeTheReferenceWhenMostFeaturesAreZero) {
  constexpr FeatureLayout kWide{FeatureShape::kBlock, 50, 3};
  MlpConfig config{.widths = {20}, .clip = kInfinity, .precision = Precision::kDouble, .seed = 3};
  for (const OwnLayer own : {OwnLayer::kFirst, OwnLayer::kOutput}) {
    for (const Optimizer optimizer : {Optimizer::kSgd, Optimizer::kAdaGrad}) {
      config.own_layer = own;
      config.optimizer = optimizer;
      config.isa = supported_isas().back();
      const auto reference = make_reference_trainer(config, kWide);
      const auto fast = make_fast_trainer(config, kWide);
      std::vector<std::vector<double>> rows(12, std::vector<double>(50, 0.0));
      std::vector<Example> examples;
      RandomStream stream(4, Purpose::kTest, 0);
      for (std::vector<double>& row : rows) {
        for (int n = 0; n < 7; ++n) row[stream.below(50)] = stream.normal();
        examples.push_back({{row, stream.below(3)}, stream.uniform()});
      }
      for (int step = 0; step < 5; ++step) {
        reference->step(examples);
        fast->step(examples);
      }
      std::vector<double> a(3);
      std::vector<double> b(3);
      Scratch scratch;
      for (const std::vector<double>& row : rows) {
        reference->outputs(ArmFeatures::block(row, 3), a, scratch);
        fast->outputs(ArmFeatures::block(row, 3), b, scratch);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-4);
      }
    }
  }
}

// One example at a time, nothing projected. A plain network then writes no gradient down; one of
// two layers does.
TEST(FastTrainer, StepsCopiesOnOneExampleLikeTheReference) {
  for (const Parametrisation form : {Parametrisation::kStandard, Parametrisation::kNtk}) {
    for (const double clip : {0.05, kInfinity}) {
      for (const std::vector<std::size_t>& widths :
           {std::vector<std::size_t>{1}, {20}, {33}, {100}, {128}, {300}, {33, 12}}) {
        MlpConfig config = mlp_fixture::papers(Loss::kLog);
        config.widths = widths;
        config.parametrisation = form;
        config.clip = clip;
        config.ensemble = 18;
        config.perturbation = 0.1;
        config.learning_rate = 2e-3;
        config.rho = config.rho_1 = kInfinity;
        SCOPED_TRACE("clip " + std::to_string(clip) + ", width " + std::to_string(widths.front()));
        expect_the_same(config, kBlocks, 1);
      }
    }
  }
}

// Steps on one example leave all arms due the same, steps on more bring some of them up to date.
TEST(FastTrainer, StepsCopiesOnOneExampleAndOnMoreInOneUpdate) {
  MlpConfig config = mlp_fixture::papers(Loss::kSquare);
  config.ensemble = 10;
  config.perturbation = 0.3;
  config.rho = config.rho_1 = kInfinity;
  for (const Isa isa : supported_isas()) {
    config.isa = isa;
    const auto reference = make_reference_trainer(config, kBlocks);
    const auto fast = make_fast_trainer(config, kBlocks);
    std::uint64_t from = 0;
    for (const std::size_t batch_size : {4u, 4u, 1u, 1u, 4u, 1u, 4u}) {
      const auto rounds = rounds_of(kBlocks, from += 10, batch_size);
      const auto examples = examples_of(rounds);
      reference->step(examples);
      fast->step(examples);
    }
    reference->settle();
    fast->settle();
    EXPECT_LT(largest_difference(*reference, *fast, kBlocks), 1e-5) << to_text(isa);
    for (std::size_t s = 0; s < config.ensemble; ++s) {
      EXPECT_NEAR(fast->shifts()[s], reference->shifts()[s], 1e-5) << to_text(isa);
    }
  }
}

TEST(FastTrainer, CopiesGoOnFromAFileAsIfNothingHadHappened) {
  MlpConfig config = mlp_fixture::papers(Loss::kSquare);
  config.ensemble = 10;
  config.rho = config.rho_1 = kInfinity;
  for (const Isa isa : supported_isas()) {
    config.isa = isa;
    const auto one = make_fast_trainer(config, kBlocks);
    const auto run = [&](Trainer& trainer, std::uint64_t from) {
      for (const std::size_t count : {1u, 4u, 1u, 1u}) {
        std::vector<RoundFeatures> rounds;
        std::vector<Example> examples;
        for (std::size_t i = 0; i < count; ++i) rounds.emplace_back(kBlocks, from + i);
        for (const RoundFeatures& round : rounds) examples.push_back({round.arm(), round.cost});
        trainer.step(examples);
        from += count;
      }
      trainer.settle();
    };
    run(*one, 0);
    ByteWriter out;
    one->save(out);
    const auto other = make_fast_trainer(config, kBlocks);
    ByteReader in(out.bytes());
    other->load(in);
    ASSERT_TRUE(in.status().ok());
    run(*one, 100);
    run(*other, 100);
    ByteWriter a;
    ByteWriter b;
    one->save(a);
    other->save(b);
    EXPECT_TRUE(std::ranges::equal(a.bytes(), b.bytes())) << to_text(isa);
  }
}

// More inputs than are looked up at once, most of them 0.
TEST(FastTrainer, StepsCopiesOnSparseExamplesLikeTheReference) {
  constexpr FeatureLayout kWide{FeatureShape::kBlock, 150, 3};
  MlpConfig config = mlp_fixture::papers(Loss::kSquare);
  config.ensemble = 10;
  config.perturbation = 0.1;
  config.learning_rate = 2e-3;
  config.rho = config.rho_1 = kInfinity;
  for (const Isa isa : supported_isas()) {
    config.isa = isa;
    const auto reference = make_reference_trainer(config, kWide);
    const auto fast = make_fast_trainer(config, kWide);
    RandomStream stream(4, Purpose::kTest, 0);
    std::vector<double> row(kWide.feature_count, 0.0);
    for (int step = 0; step < 20; ++step) {
      std::ranges::fill(row, 0.0);
      for (int n = 0; n < 25; ++n) row[stream.below(60)] = 0.3 * stream.normal();
      row.back() = 0.3;
      const Example example{{row, stream.below(3)}, stream.uniform()};
      reference->step({&example, 1});
      fast->step({&example, 1});
    }
    reference->settle();
    fast->settle();
    std::vector<double> a(3);
    std::vector<double> b(3);
    Scratch scratch;
    reference->outputs(ArmFeatures::block(row, 3), a, scratch);
    fast->outputs(ArmFeatures::block(row, 3), b, scratch);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-4) << to_text(isa);
    for (std::size_t s = 0; s < 10; ++s) {
      EXPECT_NEAR(fast->shifts()[s], reference->shifts()[s], 1e-4) << to_text(isa);
    }
  }
}

// Copies that were settled a few thousand times still stand where the reference has them: their
// sums are taken from the parameters again and again.
TEST(FastTrainer, CopiesDoNotDriftFromTheirParameters) {
  MlpConfig config = mlp_fixture::papers(Loss::kSquare);
  config.ensemble = 18;  // more than one word holds
  config.isa = supported_isas().back();
  config.rho = config.rho_1 = kInfinity;
  config.learning_rate = 1e-3;
  config.widths = {33};  // rows are filled up, and what fills them has no sign
  const auto reference = make_reference_trainer(config, kBlocks);
  const auto fast = make_fast_trainer(config, kBlocks);
  for (std::uint64_t i = 0; i < 2500; ++i) {
    const RoundFeatures round(kBlocks, i);
    const Example example{round.arm(), round.cost};
    reference->step({&example, 1});
    fast->step({&example, 1});
    reference->settle();
    fast->settle();
  }
  for (std::size_t s = 0; s < config.ensemble; ++s) {
    EXPECT_NEAR(fast->shifts()[s], reference->shifts()[s], 1e-3);
  }
}

}  // namespace
}  // namespace handrail
