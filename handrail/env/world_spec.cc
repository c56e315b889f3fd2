#include "handrail/env/world_spec.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/env/round_stream.h"

namespace handrail {
namespace {

constexpr std::size_t kMostArms = 65'536;
constexpr std::size_t kMostDim = 4'096;
constexpr std::size_t kMostFeatures = std::size_t{1} << 24;  // of a round: 128 MB
constexpr std::size_t kLiarCount = 2;                        // arms of a misspecified world
constexpr std::size_t kMostFactors = 256;
constexpr std::size_t kMostChoices = 4'096;

struct Described {
  std::string_view name;
  std::string_view meaning;
};

// In the order of WorldKind.
constexpr std::array<Described, 6> kWorlds = {{
    {"linear", "h = 1/2 + <a, x>/2, the unit vector a fixed by the seed"},
    {"nonlinear",
     "with z = sqrt(dim) <a, x>: h = z^2/(1 + z^2) (quadratic) or 1/2 + cos(3z)/2 (cosine); with "
     "q = |Ax|^2: h = q/(1 + q) (bilinear)"},
    {"misspecified",
     "linear, but arms 0 and 1 show the features of the round's cheapest other arm and cost 0.95"},
    {"drifting", "linear through round `jump`; after it every arm but the baseline's costs 1"},
    {"armed", "no context: costs evenly spaced from 0.2 to 0.8, permuted by the seed"},
    {"product",
     "many arms: one of `choices` in each of `factors`; with s = 1/2 + <a, x>/2 over all its "
     "choices: h = s (linear) or s^2 (square)"},
}};

enum class Key : std::uint8_t {
  kArms,
  kDim,
  kRank,
  kJump,
  kShape,
  kNoise,
  kDelay,
  kFactors,
  kChoices,
  kFeatures,
  kCurve
};
constexpr std::array kAllKeys = {Key::kArms,    Key::kDim,      Key::kRank,  Key::kJump,
                                 Key::kShape,   Key::kNoise,    Key::kDelay, Key::kFactors,
                                 Key::kChoices, Key::kFeatures, Key::kCurve};

// In the order of Key.
constexpr std::array<Described, kAllKeys.size()> kKeys = {{
    {"arms", "number of arms"},
    {"dim", "dimension of the context x, uniform on the unit sphere; an arm shows (x, 1)/sqrt(2)"},
    {"rank",
     "the baseline's rank by expected cost in each round, 1 the cheapest, among the arms that tell "
     "the truth and before any jump; of a product the rank of its choice in each "
     "factor, by default ceil(choices/3)"},
    {"jump", "last round before the jump"},
    {"shape", "quadratic, bilinear or cosine"},
    {"noise", "none (observed cost = h) or bernoulli (1 with probability h, else 0)"},
    {"delay",
     "rounds until a cost is known: none, N, uniform:N (0 to N), or outcome:N:M (N if the cost is "
     "below 1/2, else M)"},
    {"factors", "factors of a product, which has choices^factors arms, at most 2^24"},
    {"choices", "choices in each factor"},
    {"features",
     "features of a choice, uniform on the unit sphere; an arm shows those of its choices and a "
     "constant, with norm 1"},
    {"curve", "linear or square"},
}};

// In the order of WorldShape.
constexpr std::array<std::string_view, 3> kShapes = {"quadratic", "bilinear", "cosine"};
// In the order of WorldCurve.
constexpr std::array<std::string_view, 2> kCurves = {"linear", "square"};

std::vector<std::string_view> names_of(std::span<const Described> table) {
  std::vector<std::string_view> names;
  for (const Described& entry : table) names.push_back(entry.name);
  return names;
}

std::optional<std::size_t> find(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string name_of(WorldKind kind) {
  return std::string(kWorlds[static_cast<std::size_t>(kind)].name);
}

const Described& described(Key key) {
  return kKeys[static_cast<std::size_t>(key)];
}

bool applies(Key key, WorldKind kind) {
  if (key == Key::kJump) return kind == WorldKind::kDrifting;
  if (key == Key::kShape) return kind == WorldKind::kNonlinear;
  if (key == Key::kDim) return kind != WorldKind::kArmed && kind != WorldKind::kProduct;
  if (key == Key::kArms) return kind != WorldKind::kProduct;
  if (key == Key::kFactors || key == Key::kChoices || key == Key::kFeatures || key == Key::kCurve) {
    return kind == WorldKind::kProduct;
  }
  return true;
}

std::string value_of(Key key, const WorldConfig& config) {
  switch (key) {
    case Key::kArms:
      return std::to_string(config.arms);
    case Key::kDim:
      return std::to_string(config.dim);
    case Key::kRank:
      return std::to_string(baseline_rank(config));
    case Key::kJump:
      return std::to_string(config.jump);
    case Key::kShape:
      return std::string(kShapes[static_cast<std::size_t>(config.shape)]);
    case Key::kFactors:
      return std::to_string(config.factors);
    case Key::kChoices:
      return std::to_string(config.choices);
    case Key::kFeatures:
      return std::to_string(config.features);
    case Key::kCurve:
      return std::string(kCurves[static_cast<std::size_t>(config.curve)]);
    case Key::kNoise:
      return to_text(config.noise);
    case Key::kDelay:
      return to_text(config.delay);
  }
  HANDRAIL_ASSERT(false);
}

std::string default_of(Key key) {
  return key == Key::kRank ? "ceil(arms/3)" : value_of(key, WorldConfig{});
}

Status set_count(WorldConfig& config, Key key, std::string_view value) {
  const std::optional<std::uint64_t> count = to_count(value);
  if (!count.has_value()) {
    return Error{std::string(described(key).name) + " is " + quoted(value) +
                 "; a whole number was expected"};
  }
  if (key == Key::kArms) config.arms = *count;
  if (key == Key::kDim) config.dim = *count;
  if (key == Key::kRank) config.rank = *count;
  if (key == Key::kJump) config.jump = *count;
  if (key == Key::kFactors) config.factors = *count;
  if (key == Key::kChoices) config.choices = *count;
  if (key == Key::kFeatures) config.features = *count;
  return {};
}

Status set_value(WorldConfig& config, Key key, std::string_view value) {
  if (key == Key::kNoise) {
    const Result<Noise> noise = parse_noise(value);
    if (!noise.ok()) return noise.error();
    config.noise = noise.value();
    return {};
  }
  if (key == Key::kDelay) {
    const Result<Delay> delay = parse_delay(value);
    if (!delay.ok()) return delay.error();
    config.delay = delay.value();
    return {};
  }
  if (key == Key::kCurve) {
    const std::optional<std::size_t> curve = find(kCurves, value);
    if (!curve.has_value())
      return Error{"curve is " + quoted(value) + "; linear or square was expected"};
    config.curve = static_cast<WorldCurve>(*curve);
    return {};
  }
  if (key != Key::kShape) return set_count(config, key, value);
  const std::optional<std::size_t> shape = find(kShapes, value);
  if (!shape.has_value()) {
    return Error{"shape is " + quoted(value) + "; quadratic, bilinear or cosine was expected"};
  }
  config.shape = static_cast<WorldShape>(*shape);
  return {};
}

Error misplaced(Key key) {
  std::string worlds;
  for (std::size_t i = 0; i < kWorlds.size(); ++i) {
    if (!applies(key, static_cast<WorldKind>(i))) continue;
    if (!worlds.empty()) worlds += ", ";
    worlds += kWorlds[i].name;
  }
  return Error{"key " + quoted(described(key).name) + " is for " + worlds + " only"};
}

// Reads one key=value. `given` holds the keys before it.
Status set_pair(WorldConfig& config, std::string_view pair, std::vector<Key>& given) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) {
    return Error{quoted(pair) + " is not of the form key=value"};
  }
  const std::string_view name = pair.substr(0, equals);
  const std::vector<std::string_view> names = names_of(kKeys);
  const std::optional<std::size_t> index = find(names, name);
  if (!index.has_value()) {
    return Error{"unknown key " + quoted(name) + "; did you mean " + quoted(nearest(name, names)) +
                 "?"};
  }
  const Key key = kAllKeys[*index];
  if (!applies(key, config.kind)) return misplaced(key);
  if (std::ranges::count(given, key) > 0) {
    return Error{"key " + quoted(name) + " is given twice"};
  }
  given.push_back(key);
  return set_value(config, key, pair.substr(equals + 1));
}

Status check_range(Key key, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return {};
  return Error{std::string(described(key).name) + " is " + std::to_string(value) +
               "; a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
               " was expected"};
}

// What tells the arms of a product apart.
Status check_product(const WorldConfig& config) {
  const Status factors = check_range(Key::kFactors, config.factors, 1, kMostFactors);
  if (!factors.ok()) return factors;
  const Status choices = check_range(Key::kChoices, config.choices, 1, kMostChoices);
  if (!choices.ok()) return choices;
  const Status features = check_range(Key::kFeatures, config.features, 1, kMostDim);
  if (!features.ok()) return features;
  std::size_t arms = 1;
  for (std::size_t f = 0; f < config.factors; ++f) {
    arms *= config.choices;
    if (arms <= kArmLimit) continue;
    return Error{"choices is " + std::to_string(config.choices) + " and factors is " +
                 std::to_string(config.factors) + "; at most 2^24 arms were expected"};
  }
  return {};
}

// The sentence without the name of the world.
Status check_values(const WorldConfig& config) {
  const bool lies = config.kind == WorldKind::kMisspecified;
  const bool is_product = config.kind == WorldKind::kProduct;
  const Status arms =
      is_product ? check_product(config)
                 : check_range(Key::kArms, config.arms, lies ? kLiarCount + 1 : 1, kMostArms);
  if (!arms.ok()) return arms;
  const Status rank = check_range(Key::kRank, baseline_rank(config), 1,
                                  is_product ? config.choices : truthful_arm_count(config));
  if (!rank.ok()) return rank;
  const Status jump = check_range(Key::kJump, config.jump, 0, kRoundLimit);
  if (!jump.ok()) return jump;
  if (config.noise.kind == NoiseKind::kFlip) {
    return Error{"noise is " + quoted(to_text(config.noise)) +
                 "; flip needs labels, which a world has not: none or bernoulli was expected"};
  }
  if (!applies(Key::kDim, config.kind)) return {};
  const Status dim = check_range(Key::kDim, config.dim, 1, kMostDim);
  if (!dim.ok()) return dim;
  if (config.arms * config.dim > kMostFeatures) {
    return Error{"arms times dim is " + std::to_string(config.arms * config.dim) + "; at most " +
                 std::to_string(kMostFeatures) + " was expected"};
  }
  return {};
}

}  // namespace

Result<WorldConfig> parse_world(std::string_view spec, const WorldConfig& defaults) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::vector<std::string_view> names = names_of(kWorlds);
  const std::optional<std::size_t> kind = find(names, name);
  if (!kind.has_value()) {
    return Error{"unknown world " + quoted(name) + "; did you mean " +
                 quoted(nearest(name, names)) + "?"};
  }
  WorldConfig config = defaults;
  config.kind = static_cast<WorldKind>(*kind);
  if (colon != std::string_view::npos) {
    std::vector<Key> given;
    for (const std::string_view pair : split(spec.substr(colon + 1), ',')) {
      const Status set = set_pair(config, pair, given);
      if (!set.ok()) return Error{"world " + name_of(config.kind) + ": " + set.error().message};
    }
  }
  const Status valid = check_world(config);
  if (!valid.ok()) return valid.error();
  return config;
}

Status check_world(const WorldConfig& config) {
  const Status valid = check_values(config);
  if (valid.ok()) return {};
  return Error{"world " + name_of(config.kind) + ": " + valid.error().message};
}

std::string to_spec(const WorldConfig& config) {
  std::string spec = name_of(config.kind);
  char separator = ':';
  for (const Key key : kAllKeys) {
    if (!applies(key, config.kind)) continue;
    spec.push_back(separator);
    spec.append(described(key).name).append("=").append(value_of(key, config));
    separator = ',';
  }
  return spec;
}

std::size_t truthful_arm_count(const WorldConfig& config) {
  return config.kind == WorldKind::kMisspecified ? config.arms - kLiarCount : config.arms;
}

std::size_t world_arm_count(const WorldConfig& config) {
  if (config.kind != WorldKind::kProduct) return config.arms;
  std::size_t arms = 1;
  for (std::size_t f = 0; f < config.factors; ++f) arms *= config.choices;
  return arms;
}

std::size_t baseline_rank(const WorldConfig& config) {
  const std::size_t count = config.kind == WorldKind::kProduct ? config.choices : config.arms;
  return config.rank.value_or((count + 2) / 3);
}

std::string worlds_as_text() {
  std::string text;
  for (std::size_t i = 0; i < kWorlds.size(); ++i) {
    text += std::string(kWorlds[i].name) + "\n    " + std::string(kWorlds[i].meaning) + "\n";
    text += "    " + to_spec({.kind = static_cast<WorldKind>(i)}) + "\n";
  }
  text += "keys\n";
  for (const Key key : kAllKeys) {
    text += "    " + std::string(described(key).name) + "=" + default_of(key) + "\n        " +
            std::string(described(key).meaning) + "\n";
  }
  return text;
}

void write_worlds(JsonWriter& json) {
  json.begin_array();
  for (std::size_t i = 0; i < kWorlds.size(); ++i) {
    json.begin_object();
    json.field("name", kWorlds[i].name);
    json.field("meaning", kWorlds[i].meaning);
    json.key("keys");
    json.begin_array();
    for (const Key key : kAllKeys) {
      if (!applies(key, static_cast<WorldKind>(i))) continue;
      json.begin_object();
      json.field("name", described(key).name);
      json.field("default", std::string_view(default_of(key)));
      json.field("meaning", described(key).meaning);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace handrail
