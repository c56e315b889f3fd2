#include "handrail/safety/gate.h"

#include <array>
#include <type_traits>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

// One a line, in the order of GateKind.
constexpr std::array<std::string_view, 15> kGateWords = {
    "open",                  //
    "shut",                  //
    "certified",             //
    "paper",                 //
    "model",                 //
    "ellipsoid",             //
    "contrast",              //
    "safeset",               //
    "checkpoint",            //
    "stagewise",             //
    "certified-ips",         //
    "certified-dr",          //
    "certified-stationary",  //
    "armwise",               //
    "budget",                //
};

ArmWidthConfig width_of(const GateConfig& config, const FeatureLayout& layout) {
  return {.form = config.arm_width, .arm_count = layout.block_count, .delta = config.delta};
}

bool knows_baseline_cost(const GateConfig& config) {
  return config.baseline_known != BaselineKnown::kUnknown;
}

BudgetGate make_budget(const GateConfig& config, const FeatureLayout& layout) {
  const ArmWidthConfig width = width_of(config, layout);
  return BudgetGate({.width = width,
                     .regret_rate = config.budget_regret.value_or(ucb_regret_rate(width)),
                     .baseline_known = knows_baseline_cost(config),
                     .alpha = config.alpha,
                     .reserve = config.reserve});
}

template <typename Kind, std::size_t... Index>
constexpr std::array<GateTraits, sizeof...(Index)> traits_by_kind(std::index_sequence<Index...>) {
  return {std::variant_alternative_t<Index, Kind>::kTraits...};
}

SharedDelta delta_of(const GateConfig& config) {
  return {.delta = config.delta, .share = config.delta_split};
}

EstimatedBaselineConfig estimated_baseline_of(const GateConfig& config) {
  return {.alpha = config.alpha,
          .reserve = config.reserve,
          .delta = delta_of(config),
          .bound = config.bound,
          .baseline_floor = config.baseline_floor};
}

// As std::visit, which calls through a table where there are so many kinds; this is a switch that
// the compiler sees through, and a decision asks a gate five times.
template <std::size_t Index = 0, typename Kind, typename Use>
decltype(auto) visit_kind(Kind& kind, Use use) {
  if constexpr (Index + 1 < std::variant_size_v<std::remove_const_t<Kind>>) {
    if (kind.index() != Index) return visit_kind<Index + 1>(kind, use);
  }
  return use(*std::get_if<Index>(&kind));
}

template <typename Kind>
double baseline_floor_of(const Kind& kind) {
  return visit_kind(kind, [](const auto& gate) {
    if constexpr (requires { gate.baseline_floor(); }) {
      return gate.baseline_floor();
    } else {
      return 0.0;
    }
  });
}

}  // namespace

std::span<const std::string_view> gate_words() {
  return kGateWords;
}

std::string_view to_text(GateKind kind) {
  return kGateWords[static_cast<std::size_t>(kind)];
}

GateTraits traits_of(GateKind kind) {
  constexpr std::size_t kCount = std::variant_size_v<Gate::Kind>;
  static_assert(kGateWords.size() == kCount);
  constexpr auto kTraits = traits_by_kind<Gate::Kind>(std::make_index_sequence<kCount>());
  return kTraits[static_cast<std::size_t>(kind)];
}

Gate::Kind Gate::make(const GateConfig& config, const FeatureLayout& layout) {
  switch (config.kind) {
    case GateKind::kOpen:
      return OpenGate{};
    case GateKind::kShut:
      return ShutGate{};
    case GateKind::kCertified:
      return CertifiedGate(config.delta, config.bound, config.members);
    case GateKind::kPaper:
      return PaperGate({.margin_scale = config.margin_scale,
                        .margin_rounds = config.margin_rounds,
                        .delta = config.delta});
    case GateKind::kModel:
      return ModelGate({.loss = config.loss, .delta = config.delta});
    case GateKind::kEllipsoid:
      return EllipsoidGate(config.ellipsoid, layout);
    case GateKind::kContrast:
      return ContrastGate(
          {.alpha = config.alpha, .reserve = config.reserve, .ellipsoid = config.ellipsoid},
          layout);
    case GateKind::kSafeSet:
      return SafeSetGate({.delta = config.delta,
                          .bound = config.bound,
                          .members = config.members,
                          .ellipsoid = config.ellipsoid},
                         layout);
    case GateKind::kCheckpoint:
      return CheckpointGate({.alpha = config.alpha,
                             .every = config.checkpoint_every,
                             .future_cost = config.future_cost},
                            CertifiedGate(config.delta, config.bound, config.members));
    case GateKind::kStagewise:
      return StagewiseGate(config.alpha, config.ellipsoid, layout);
    case GateKind::kIps:
      return IpsGate(estimated_baseline_of(config));
    case GateKind::kDr:
      return DrGate(estimated_baseline_of(config));
    case GateKind::kStationary:
      return StationaryGate({.terms = {.alpha = config.alpha, .reserve = config.reserve},
                             .delta = delta_of(config),
                             .bound = config.bound});
    case GateKind::kArmwise:
      return ArmwiseGate({.width = width_of(config, layout),
                          .baseline_known = knows_baseline_cost(config),
                          .alpha = config.alpha,
                          .reserve = config.reserve});
    case GateKind::kBudget:
      return make_budget(config, layout);
  }
  HANDRAIL_ASSERT(false);
}

Gate::Gate(const GateConfig& config, const FeatureLayout& layout)
    : gate_(make(config, layout)),
      traits_(traits_of(config.kind)),
      baseline_floor_(baseline_floor_of(gate_)) {}

Sides Gate::sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const {
  return visit_kind(gate_,
                    [&](const auto& gate) { return gate.sides(question, candidate, scratch); });
}

std::optional<Sides> Gate::sides_before(const GateQuestion& question) const {
  return visit_kind(gate_, [&](const auto& gate) -> std::optional<Sides> {
    if constexpr (requires { gate.sides_before(question); }) {
      return gate.sides_before(question);
    } else {
      return std::nullopt;
    }
  });
}

double Gate::baseline_centre(double predicted) const {
  return visit_kind(gate_, [&](const auto& gate) {
    if constexpr (requires { gate.baseline_centre(predicted); }) {
      return gate.baseline_centre(predicted);
    } else {
      return predicted;
    }
  });
}

bool Gate::charges(const Decision& decision) const {
  return visit_kind(gate_, [&](const auto& gate) { return gate.charges(decision); });
}

void Gate::book(const Decision& decision, bool charged) {
  visit_kind(gate_, [&](auto& gate) { gate.book(decision, charged); });
}

void Gate::reveal(const Revelation& revelation) {
  visit_kind(gate_, [&](auto& gate) { gate.reveal(revelation); });
}

std::optional<double> Gate::slack(double earned) const {
  return visit_kind(gate_, [&](const auto& gate) { return gate.slack(earned); });
}

void Gate::save(ByteWriter& out) const {
  visit_kind(gate_, [&](const auto& gate) { gate.save(out); });
}

Status Gate::load(ByteReader& in) {
  return visit_kind(gate_, [&](auto& gate) { return gate.load(in); });
}

}  // namespace handrail
