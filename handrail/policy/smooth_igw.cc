#include "handrail/policy/smooth_igw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "handrail/explore/round_costs.h"

namespace handrail {
namespace {

// How gaps become chances in one round.
struct Terms {
  Weighting weighting;
  double kappa;
  double gamma;
  double arm_count;

  double kept(double cost, double least) const {
    return keep_chance(weighting, kappa, gamma, cost, least);
  }
};

Terms terms_of(Weighting weighting, Acceptance acceptance, double gamma, std::size_t arm_count) {
  const auto count = static_cast<double>(arm_count);
  return {.weighting = weighting,
          .kappa = acceptance == Acceptance::kSmooth ? 1.0 : count,
          .gamma = gamma,
          .arm_count = count};
}

// The first draw of a round's stream.
ArmIndex draw_arm(RandomStream& stream, std::size_t arm_count) {
  return static_cast<ArmIndex>(stream.below(arm_count));
}

// Where the cheapest arm stands that was not drawn. If the greedy arm is among those, it is this
// one: it is cheaper than the baseline's or the same. If it was drawn itself, the drawn arm is kept
// for certain either way.
ArmIndex greedy_place(std::span<const double> costs, std::size_t drawn) {
  std::size_t best = drawn;
  for (std::size_t place = 0; place < costs.size(); ++place) {
    if (place == drawn) continue;
    if (best == drawn || costs[place] < costs[best]) best = place;
  }
  return static_cast<ArmIndex>(best);
}

// The distribution given the draw, over the places of the support.
Distribution weigh_draw(const Terms& terms, std::span<const double> costs, std::size_t drawn,
                        Distribution recycled) {
  const ArmIndex greedy = greedy_place(costs, drawn);
  std::vector<double> p = std::move(recycled).release();
  p.assign(costs.size(), 0.0);
  const double kept = greedy == drawn ? 1.0 : terms.kept(costs[drawn], costs[greedy]);
  p[greedy] = 1.0 - kept;
  p[drawn] = kept;
  return {std::move(p), greedy};
}

class SmoothIgw final : public Policy {
 public:
  SmoothIgw(const SmoothIgwConfig& config, std::unique_ptr<Oracle> oracle)
      : config_(config), oracle_(std::move(oracle)) {
    HANDRAIL_ASSERT(config_.sweeps > 0 && config_.propensity_draws != 1);
  }

  void propose(const Round& round, const History& history, const RandomStream& stream,
               Proposal& out) const override {
    RandomStream draws = stream;
    RoundCosts oracle(*oracle_, round.features(), out.scratch, out.search);
    const ArmIndex baseline = round.baseline().arm;
    ArmIndex greedy = oracle.cheapest(baseline, config_.sweeps);
    const ArmIndex drawn = draw_arm(draws, round.arm_count());
    set_support({drawn, greedy, baseline}, oracle, out);
    if (!is_cheaper(greedy, baseline, out)) {
      greedy = baseline;
      set_support({drawn, baseline, baseline}, oracle, out);
    }
    out.gamma = gamma_in(config_.gamma, round, history);
    const Terms terms =
        terms_of(config_.weighting, config_.acceptance, *out.gamma, round.arm_count());
    out.distribution =
        weigh_draw(terms, out.costs, place_of(out.support, drawn), std::move(out.distribution));
    out.chances = Chances::kGiven;
    const double least = out.costs[place_of(out.support, greedy)];
    out.marginals.clear();
    for (const double cost : out.costs) {
      out.marginals.push_back({.chance = terms.kept(cost, least) / terms.arm_count});
    }
    KnownChance& rest = out.marginals[place_of(out.support, greedy)];
    rest = estimate_rest(terms, {.arm = greedy, .cost = least}, draws, oracle, out.search);
  }

  void learn(const Observation& observation) override {
    oracle_->update(observation.features, observation.cost);
  }
  std::optional<double> regret_bound() const override { return oracle_->regret_bound(); }
  void save(ByteWriter& out) const override { oracle_->save(out); }
  Status load(ByteReader& in) override { return oracle_->load(in); }

 private:
  struct Greedy {
    ArmIndex arm;
    double cost;
  };

  void set_support(std::array<ArmIndex, 3> arms, RoundCosts& oracle, Proposal& out) const {
    std::ranges::sort(arms);
    const auto end = std::unique(arms.begin(), arms.end());
    out.support.assign(arms.begin(), end);
    out.costs.resize(out.support.size());
    oracle.predict(out.support, out.costs);
    floor_costs(config_.weighting, out.costs);
  }

  // Strictly: so that the costs alone tell which arm of the support is the greedy one.
  static bool is_cheaper(ArmIndex greedy, ArmIndex baseline, const Proposal& proposal) {
    const ByArm costs(proposal.costs, proposal.support);
    return greedy == baseline || costs[greedy] < costs[baseline];
  }

  // p_z = 1/K + (K−1)/K · the mean, over the other arms, of what they do not keep: estimated from
  // uniform draws of others, so that it is never below 1/K nor above 1. Other draws than the one
  // that is played: those would bias it.
  KnownChance estimate_rest(const Terms& terms, const Greedy& greedy, RandomStream& draws,
                            RoundCosts& oracle, SearchMemory& memory) const {
    const std::size_t count = config_.propensity_draws;
    if (count == 0) return {};
    const auto arm_count = static_cast<std::size_t>(terms.arm_count);
    if (arm_count == 1) return {.chance = 1.0, .error = 0.0};
    memory.arms.resize(count);
    memory.numbers.resize(count);
    for (ArmIndex& arm : memory.arms) {
      arm = draw_arm(draws, arm_count - 1);
      if (arm >= greedy.arm) ++arm;
    }
    oracle.predict(memory.arms, memory.numbers);
    floor_costs(config_.weighting, memory.numbers);
    double sum = 0.0;
    for (double& left : memory.numbers) {
      left = 1.0 - terms.kept(left, greedy.cost);
      sum += left;
    }
    const auto n = static_cast<double>(count);
    const double mean = sum / n;
    double squares = 0.0;
    for (const double left : memory.numbers) squares += (left - mean) * (left - mean);
    const double others = (terms.arm_count - 1.0) / terms.arm_count;
    return {.chance = 1.0 / terms.arm_count + others * mean,
            .error = others * std::sqrt(squares / (n - 1.0) / n)};
  }

  const SmoothIgwConfig config_;
  std::unique_ptr<Oracle> oracle_;
};

constexpr std::array<std::string_view, 2> kAcceptanceWords = {"smooth", "igw"};
constexpr std::array<ParameterSpec, 3> kParameters = {{
    {.name = "acceptance",
     .meaning = "chance to keep an arm drawn from K: smooth 1/(1+γ·gap), igw K/(K+γ·gap), which "
                "is gap weighting over all arms",
     .fallback = "smooth",
     .words = kAcceptanceWords},
    {.name = "sweeps",
     .meaning = "passes over the factors in the search for the cheapest arm of a product",
     .fallback = "3",
     .low = 1.0,
     .high = 1000.0,
     .whole = true},
    {.name = "propensity_draws",
     .meaning = "draws that the greedy arm's propensity is estimated from, at least 2; 0: it is "
                "null",
     .fallback = "64",
     .low = 0.0,
     .high = 1e6,
     .whole = true},
}};

constexpr std::array kCommon = {&kWeightingRow, &kGammaRow, &kGammaScaleRow, &kGammaExponentRow,
                                &kBestCostRow};

Acceptance acceptance_in(const ParameterValues& values) {
  return values.choice<Acceptance>("acceptance");
}

Terms terms_in(const ShownProposal& shown) {
  return terms_of(shown.values.choice<Weighting>(kWeightingRow), acceptance_in(shown.values),
                  *shown.gamma, shown.arm_count);
}

}  // namespace

std::unique_ptr<Policy> make_smooth_igw(const SmoothIgwConfig& config,
                                        std::unique_ptr<Oracle> oracle) {
  return std::make_unique<SmoothIgw>(config, std::move(oracle));
}

constinit const PolicyEntry kSmoothIgwPolicy = {
    .name = "smooth-igw",
    .meaning = "SmoothIGW: gap weighting for many arms, never all of them",
    .uses_oracle = true,
    .weighs_gaps = true,
    .sparse = true,
    .common = kCommon,
    .parameters = kParameters,
    .make =
        [](const PolicyFrame& frame) {
          return make_smooth_igw({.weighting = frame.values.choice<Weighting>(kWeightingRow),
                                  .gamma = schedule_in(frame.values, frame.delta),
                                  .acceptance = acceptance_in(frame.values),
                                  .sweeps = frame.values.count("sweeps"),
                                  .propensity_draws = frame.values.count("propensity_draws")},
                                 frame.oracles.make());
        },
    .check = [](const PolicyFrame& frame) -> Status {
      if (frame.values.count("propensity_draws") != 1) return {};
      return Error{
          "propensity_draws is 1; one draw says nothing of its error: 0 or at least 2 was "
          "expected"};
    },
    .recompute =
        [](const ShownProposal& shown) {
          RandomStream draws = shown.stream;
          const ArmIndex drawn = draw_arm(draws, shown.arm_count);
          if (!is_in(shown.support, drawn)) return Distribution();
          return weigh_draw(terms_in(shown), shown.costs, place_of(shown.support, drawn), {});
        },
    // None for the greedy arm, and where the drawn one may be that.
    .marginal = [](const ShownProposal& shown, ArmIndex arm) -> std::optional<double> {
      RandomStream draws = shown.stream;
      const std::size_t drawn = place_of(shown.support, draw_arm(draws, shown.arm_count));
      const ArmIndex greedy = greedy_place(shown.costs, drawn);
      const std::size_t place = place_of(shown.support, arm);
      if (shown.costs[drawn] < shown.costs[greedy] || place == greedy) return std::nullopt;
      const Terms terms = terms_in(shown);
      return terms.kept(shown.costs[place], shown.costs[greedy]) / terms.arm_count;
    },
};

}  // namespace handrail
