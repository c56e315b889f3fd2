#include <handrail/base/bytes.h>
#include <handrail/base/version.h>
#include <handrail/core/round.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> features = {0.5, 1.0, 0.25, 0.0};
  const handrail::Result<handrail::Round> round =
      handrail::Round::make(handrail::ArmFeatures::rows(features, 2), {.arm = 1, .cost = 0.5});
  if (!round.ok()) return 1;
  // The checksum is zlib's: it links only if the package names its dependency.
  const bool sealed = handrail::unseal(handrail::seal("x"), "memory").ok();
  const auto version = handrail::version();
  std::printf("handrail %.*s: %zu arms\n", static_cast<int>(version.size()), version.data(),
              round.value().arm_count());
  return sealed ? 0 : 1;
}
