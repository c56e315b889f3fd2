#include "handrail/policy/spanner_igw.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "handrail/base/inner_product.h"
#include "handrail/explore/spanner.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/gram.h"

namespace handrail {
namespace {

class SpannerIgw final : public Policy {
 public:
  SpannerIgw(const SpannerIgwConfig& config, const FeatureLayout& layout)
      : config_(config), gram_(layout, config.lambda) {}

  void propose(const Round& round, const History& history, const RandomStream& /*stream*/,
               Proposal& out) const override {
    out.gamma = gamma_in(config_.gamma, round, history);
    const ArmIndex baseline = round.baseline().arm;
    const ArmIndex greedy = span(round, out);
    out.support.assign({greedy, baseline});
    for (const std::optional<ArmIndex>& slot : out.search.slots) {
      if (slot.has_value()) out.support.push_back(*slot);
    }
    std::ranges::sort(out.support);
    out.support.erase(std::unique(out.support.begin(), out.support.end()), out.support.end());
    predict(round.features(), out);
    weigh(place_of(out.support, greedy), out);
  }

  void learn(const Observation& observation) override {
    gram_.add(observation.features, observation.cost);
  }
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override { gram_.save(out); }
  Status load(ByteReader& in) override { return gram_.load(in); }

 private:
  // Finds the arms of a spanner, into out.search.slots, and returns the greedy arm.
  ArmIndex span(const Round& round, Proposal& out) const {
    const ArmFeatures& features = round.features();
    std::vector<std::optional<ArmIndex>>& slots = out.search.slots;
    slots.clear();
    if (!is_learnable(features)) return round.baseline().arm;
    if (features.shape() != FeatureShape::kBlock) {
      const WeightedArms arms(features, gram_.coefficients(), *out.gamma, out.search);
      find_spanner(arms, out.search, slots);
      return arms.cheapest();
    }
    out.search.costs.clear();
    for (ArmIndex arm = 0; arm < round.arm_count(); ++arm) {
      slots.emplace_back(arm);
      out.search.costs.push_back(cost_of(features.arm(arm)));
    }
    return greedy_arm(out.search.costs);
  }

  double cost_of(const ArmView& arm) const {
    const std::size_t d = arm.features.size();
    const auto theta = gram_.coefficients().subspan(arm.block * d, d);
    return inner_product(arm.features, theta);
  }

  bool is_learnable(const ArmFeatures& features) const {
    if (features.shape() != FeatureShape::kProduct) {
      return are_learnable(features.values(), features);
    }
    std::span<const double> left = features.values();
    for (const auto& [choice_count, row_size] : features.factors()) {
      for (std::size_t choice = 0; choice < choice_count; ++choice) {
        if (!gram_.learnable({.features = left.first(row_size)})) return false;
        left = left.subspan(row_size);
      }
    }
    return true;
  }
  bool are_learnable(std::span<const double> rows, const ArmFeatures& features) const {
    const std::size_t d = features.feature_count();
    for (; !rows.empty(); rows = rows.subspan(d)) {
      if (!gram_.learnable({.features = rows.first(d)})) return false;
    }
    return true;
  }

  void predict(const ArmFeatures& features, Proposal& out) const {
    out.costs.clear();
    for (const ArmIndex arm : out.support) {
      const ArmView view = features.arm(arm, out.search.rows);
      const bool known = gram_.learnable(view);
      out.costs.push_back(known ? std::clamp(cost_of(view), 0.0, 1.0) : 1.0);
    }
  }

  void weigh(std::size_t greedy, Proposal& out) const {
    const FeatureLayout& layout = gram_.layout();
    const bool own_blocks = layout.shape == FeatureShape::kBlock;
    const double base =
        1.0 + static_cast<double>(own_blocks ? layout.block_count : layout.feature_count);
    std::vector<double> p = std::move(out.distribution).release();
    p.assign(out.support.size(), 0.0);
    for (const std::optional<ArmIndex>& slot : out.search.slots) {
      if (!slot.has_value()) continue;
      const std::size_t place = place_of(out.support, *slot);
      // Clipping and the rounding of long sums can make the greedy arm no cheaper than another.
      const double gap = std::max(0.0, out.costs[place] - out.costs[greedy]);
      if (place != greedy) p[place] = 1.0 / (base + *out.gamma * gap);
    }
    p[greedy] = 1.0 - std::accumulate(p.begin(), p.end(), 0.0);
    out.distribution = Distribution(std::move(p), static_cast<ArmIndex>(greedy));
  }

  const SpannerIgwConfig config_;
  RegularisedGram gram_;
};

constexpr std::array kCommon = {&kWeightingRow,     &kGammaRow,    &kGammaScaleRow,
                                &kGammaExponentRow, &kBestCostRow, &kLambdaRow};

Status check_spanner(const PolicyFrame& frame) {
  if (frame.values.choice<Weighting>(kWeightingRow) == Weighting::kRelative) {
    return Error{
        "policy=spanner-igw has absolute gaps only; weighting=relative goes with igw and "
        "smooth-igw"};
  }
  return {};
}

}  // namespace

std::unique_ptr<Policy> make_spanner_igw(const SpannerIgwConfig& config,
                                         const FeatureLayout& layout) {
  return std::make_unique<SpannerIgw>(config, layout);
}

constinit const PolicyEntry kSpannerIgwPolicy = {
    .name = "spanner-igw",
    .meaning = "SpannerIGW: gap weighting over a spanner of linear arms, for many of them",
    .weighs_gaps = true,
    .has_matrices = true,
    .sparse = true,
    .common = kCommon,
    .make =
        [](const PolicyFrame& frame) {
          return make_spanner_igw({.gamma = schedule_in(frame.values, frame.delta),
                                   .lambda = frame.values.number(kLambdaRow)},
                                  frame.layout);
        },
    .check = check_spanner,
};

}  // namespace handrail
