// Small networks and the rounds they learn from, for the tests of the network oracle.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/random.h"
#include "handrail/oracle/mlp.h"

namespace handrail::mlp_fixture {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr std::size_t kFeatures = 3;
inline constexpr std::size_t kArms = 4;
inline constexpr FeatureLayout kRows{FeatureShape::kRows, kFeatures, 1};
inline constexpr FeatureLayout kBlocks{FeatureShape::kBlock, kFeatures, kArms};

// Plain descent with nothing added, so that a test can redo a step by hand.
inline MlpConfig plain(Update update) {
  return {.widths = {6, 5},
          .activation = Activation::kTanh,
          .own_layer = OwnLayer::kFirst,
          .skip = false,
          .update = update,
          .optimizer = Optimizer::kSgd,
          .learning_rate = 0.1,
          .clip = kInfinity,
          .pull = 0.0,
          .precision = Precision::kDouble,
          .seed = 5};
}

// The paper's network, with its open numbers filled in.
inline MlpConfig papers(Loss loss) {
  return {.widths = {8},
          .parametrisation = Parametrisation::kNtk,
          .own_layer = OwnLayer::kFirst,
          .skip = false,
          .loss = loss,
          .update = Update::kPeriodic,
          .optimizer = Optimizer::kSgd,
          .learning_rate = 0.01,
          .clip = kInfinity,
          .pull = 0.0,
          .rho = 2.0,
          .rho_1 = 1.0,
          .ensemble = 6,
          .precision = Precision::kDouble,
          .seed = 5};
}

// Every way of training once, in double.
inline std::vector<MlpConfig> every_reference_kind() {
  MlpConfig adam{.widths = {7},
                 .loss = Loss::kLog,
                 .buffer_limit = 20,
                 .batch = 6,
                 .batches = 2,
                 .optimizer = Optimizer::kAdam,
                 .learning_rate = 0.01,
                 .rho = 0.3,
                 .precision = Precision::kDouble,
                 .seed = 5};
  MlpConfig replay{.widths = {7, 4},
                   .buffer_limit = 20,
                   .batch = 6,
                   .clip = 1.0,
                   .precision = Precision::kDouble,
                   .seed = 5};
  MlpConfig fused = replay;
  fused.clip = kInfinity;
  MlpConfig gelu = plain(Update::kReplay);
  gelu.activation = Activation::kGelu;
  gelu.batch = 6;
  gelu.clip = 0.5;
  gelu.pull = 0.1;
  MlpConfig descent = plain(Update::kOnline);
  descent.activation = Activation::kRelu;
  descent.clip = 0.5;
  MlpConfig copies = plain(Update::kReplay);
  copies.ensemble = 3;
  copies.buffer_limit = 20;
  copies.batch = 6;
  copies.rho_1 = 0.2;
  MlpConfig bounded = plain(Update::kOnline);
  bounded.rho = 0.05;
  return {replay,
          fused,
          adam,
          gelu,
          descent,
          copies,
          plain(Update::kOnline),
          bounded,
          papers(Loss::kSquare),
          papers(Loss::kLog)};
}

// Every way of training in both precisions, for the promises that hold for all of them.
inline std::vector<MlpConfig> every_kind() {
  std::vector<MlpConfig> kinds = every_reference_kind();
  const std::size_t count = kinds.size();
  for (std::size_t i = 0; i < count; ++i) {
    kinds.push_back(kinds[i]);
    kinds.back().precision = Precision::kFloat;
    kinds.back().isa = supported_isas().back();
  }
  return kinds;
}

// One round of four arms, the arm that was played and what it cost, all drawn by number.
struct RoundFeatures {
  RoundFeatures(const FeatureLayout& layout, std::uint64_t number) : shape(layout.shape) {
    RandomStream stream(17, Purpose::kTest, number);
    values.resize(shape == FeatureShape::kRows ? kFeatures * kArms : kFeatures);
    for (double& value : values) value = stream.normal();
    played = static_cast<ArmIndex>(stream.below(kArms));
    cost = stream.uniform();
  }

  ArmFeatures features() const {
    if (shape == FeatureShape::kRows) return ArmFeatures::rows(values, kFeatures);
    return ArmFeatures::block(values, kArms);
  }
  ArmView arm() const { return features().arm(played); }

  FeatureShape shape;
  std::vector<double> values;
  ArmIndex played = 0;
  double cost = 0.0;
};

inline std::vector<double> predictions(const Oracle& oracle, const ArmFeatures& features) {
  std::vector<double> costs(features.arm_count());
  Scratch scratch;
  oracle.predict(features, costs, scratch);
  return costs;
}

// Learns the rounds `from` to `to`, the last excluded.
inline void learn(Oracle& oracle, const FeatureLayout& layout, std::uint64_t from,
                  std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) {
    const RoundFeatures round(layout, i);
    oracle.update(round.arm(), round.cost);
  }
}

inline std::string saved(const Oracle& oracle) {
  ByteWriter out;
  oracle.save(out);
  return std::string(out.bytes());
}

}  // namespace handrail::mlp_fixture
