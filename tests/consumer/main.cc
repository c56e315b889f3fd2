#include <handrail/handrail.h>

#include <cstdio>
#include <vector>

int main() {
  auto made = handrail::Agent::make(
      {.agent = "c-squarecb:oracle=ridge", .alpha = 0.1, .layout = {.feature_count = 2}});
  if (!made.ok()) return 1;
  handrail::Agent& agent = made.value();
  handrail::Workspace workspace;
  for (int t = 0; t < 100; ++t) {
    const std::vector<double> features = {1.0, 0.0, 0.0, 1.0};  // two arms, two features each
    const auto round =
        handrail::Round::make(handrail::ArmFeatures::rows(features, 2), {.arm = 0, .cost = 0.5});
    const auto decision = agent.plan(round.value(), workspace);
    agent.apply(decision.value());
    const double cost = decision.value().arm == 0 ? 0.5 : 0.1;
    agent.apply(agent.accept({.sequence = decision.value().sequence, .cost = cost}).value());
  }
  // Saving seals with zlib's checksum: it links only if the package names its dependency.
  if (!agent.save("consumer.save").ok()) return 1;
  const auto loaded = handrail::Agent::load("consumer.save");
  if (!loaded.ok()) return 1;
  std::printf("explored %llu of %llu rounds\n",
              static_cast<unsigned long long>(loaded.value().account().explored),
              static_cast<unsigned long long>(loaded.value().account().decisions));
  return loaded.value().account().explored > 0 ? 0 : 1;
}
