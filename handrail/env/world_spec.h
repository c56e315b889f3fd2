// The built-in worlds by name: what can be asked for, and how it is spelled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "handrail/base/json.h"
#include "handrail/base/result.h"
#include "handrail/env/delay.h"
#include "handrail/env/noise.h"

namespace handrail {

enum class WorldKind : std::uint8_t {
  kLinear,
  kNonlinear,
  kMisspecified,
  kDrifting,
  kArmed,
  kProduct
};
enum class WorldShape : std::uint8_t { kQuadratic, kBilinear, kCosine };
enum class WorldCurve : std::uint8_t { kLinear, kSquare };

struct WorldConfig {
  WorldKind kind = WorldKind::kLinear;
  std::size_t arms = 10;  // not for kProduct
  std::size_t dim = 10;   // of the context; not for kArmed and kProduct
  // Of a product: it has choices^factors arms.
  std::size_t factors = 5;
  std::size_t choices = 10;
  std::size_t features = 4;  // of a choice
  WorldCurve curve = WorldCurve::kLinear;
  // Of the baseline by expected cost, 1 the cheapest; of a product that of its choice in each
  // factor. If nothing is said, a third of the way: ⌈arms / 3⌉, ⌈choices / 3⌉.
  std::optional<std::size_t> rank = std::nullopt;
  std::uint64_t jump = 1500;                  // last round before the jump; for kDrifting
  WorldShape shape = WorldShape::kQuadratic;  // for kNonlinear
  Noise noise = {.kind = NoiseKind::kBernoulli};
  Delay delay = {};
  std::uint64_t seed = 1;
};

// Reads NAME[:key=value,…]. What the spec leaves out is as in `defaults`, whose kind means nothing.
// A config that comes out is one that check_world() accepts.
Result<WorldConfig> parse_world(std::string_view spec, const WorldConfig& defaults = {});

// Ok for a config that make_world() can build; otherwise a sentence with the key and the bound.
Status check_world(const WorldConfig& config);

// The spec with every key that applies spelled out. The seed is no part of it.
std::string to_spec(const WorldConfig& config);

// The arms whose features tell their cost: all but two of a misspecified world.
std::size_t truthful_arm_count(const WorldConfig& config);
// K; at most 2^24 for a config that check_world() accepts.
std::size_t world_arm_count(const WorldConfig& config);
std::size_t baseline_rank(const WorldConfig& config);

// All worlds with their keys, defaults and meaning: as lines of text, and as an array
// [{"name", "meaning", "keys": [{"name", "default", "meaning"}]}].
std::string worlds_as_text();
void write_worlds(JsonWriter& json);

}  // namespace handrail
