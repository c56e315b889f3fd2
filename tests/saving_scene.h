// One arm of a small block layout, for tests of EE-Net's networks.
#pragma once

#include <array>

#include "handrail/base/random.h"
#include "handrail/core/arm_features.h"

namespace handrail {

inline constexpr FeatureLayout kBlocks = {
    .shape = FeatureShape::kBlock, .feature_count = 3, .block_count = 4};
inline constexpr std::array kFeatures = {0.6, -0.8, 0.5};
inline constexpr ArmView kArm = {.features = kFeatures, .block = 2};
inline const RandomStream kStream(1, Purpose::kTest, 1);

}  // namespace handrail
