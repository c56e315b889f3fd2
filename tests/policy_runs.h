// What the tests of policies that learn a while have in common: a small world, rounds in it, and a
// policy saved and loaded in the middle.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "handrail/policy/policy.h"

namespace handrail {

inline constexpr std::size_t kWorldArms = 3;
inline constexpr FeatureLayout kWorldLayout = {
    .shape = FeatureShape::kBlock, .feature_count = 4, .block_count = kWorldArms};

// Features of round t: an indicator of the cheap arm, and a one.
inline std::array<double, 4> world_features(std::uint64_t t) {
  std::array<double, 4> features = {0.0, 0.0, 0.0, 1.0};
  features[RandomStream(9, Purpose::kTest, t).below(kWorldArms)] = 1.0;
  return features;
}

inline double world_cost(std::uint64_t t, ArmIndex arm) {
  return world_features(t)[arm] == 1.0 ? 0.0 : 1.0;
}

inline ArmIndex arm_in_turn(std::uint64_t t) {
  return static_cast<ArmIndex>(t % kWorldArms);
}

// Without a gate, with costs at once.
inline Proposal propose_in_world(const Policy& policy, std::uint64_t t) {
  const auto features = world_features(t);
  const Round round =
      Round::make(ArmFeatures::block(features, kWorldArms), {.arm = 0, .cost = 0.5}).value();
  Proposal proposal;
  policy.propose(round, {.explored = t}, RandomStream(4, Purpose::kPolicy, t + 1), proposal);
  return proposal;
}

inline void learn_in_world(Policy& policy, std::uint64_t t, ArmIndex arm) {
  const auto features = world_features(t);
  policy.learn({.features = {.features = features, .block = arm},
                .arm = arm,
                .choice = Choice::kExplore,
                .cost = world_cost(t, arm)});
}

// Rounds [first, last); returns the costs.
inline double play_in_world(Policy& policy, std::uint64_t first, std::uint64_t last) {
  double sum = 0.0;
  for (std::uint64_t t = first; t < last; ++t) {
    const Proposal proposal = propose_in_world(policy, t);
    const ArmIndex arm =
        proposal.distribution.sample(RandomStream(4, Purpose::kArmSampling, t + 1).uniform());
    sum += world_cost(t, arm);
    learn_in_world(policy, t, arm);
  }
  return sum;
}

inline std::string saved_bytes(const Policy& policy) {
  ByteWriter out;
  policy.save(out);
  return std::string(out.bytes());
}

// A policy that was saved after `first` rounds and loaded into a new one goes on to the same bits;
// bytes that were cut off are refused and change nothing.
inline void expect_to_go_on_after_load(Policy& policy, Policy& fresh, std::uint64_t first,
                                       std::uint64_t last) {
  play_in_world(policy, 0, first);
  const std::string saved = saved_bytes(policy);
  const std::string before = saved_bytes(fresh);
  ByteReader cut(std::string_view(saved).substr(0, saved.size() - 9));
  EXPECT_FALSE(fresh.load(cut).ok());
  EXPECT_EQ(saved_bytes(fresh), before);
  ByteReader in(saved);
  ASSERT_TRUE(fresh.load(in).ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(saved_bytes(fresh), saved);
  EXPECT_EQ(play_in_world(fresh, first, last), play_in_world(policy, first, last));
  EXPECT_EQ(saved_bytes(fresh), saved_bytes(policy));
}

}  // namespace handrail
