#include "handrail/policy/igw.h"

#include <array>
#include <utility>

namespace handrail {
namespace {

class Igw final : public Policy {
 public:
  Igw(const IgwConfig& config, std::unique_ptr<Oracle> oracle)
      : config_(config), oracle_(std::move(oracle)) {}

  void propose(const Round& round, const History& history, const RandomStream& /*stream*/,
               Proposal& out) const override {
    out.costs.resize(round.arm_count());
    oracle_->predict(round.features(), out.costs, out.scratch);
    floor_costs(config_.weighting, out.costs);
    out.gamma = gamma_in(config_.gamma, round, history);
    out.distribution = weigh(config_.weighting, out.costs, *out.gamma, std::move(out.distribution));
    if (config_.floor > 0.0) {
      out.distribution = Distribution::with_floor(std::move(out.distribution), config_.floor);
    }
  }

  void learn(const Observation& observation) override {
    oracle_->update(observation.features, observation.cost);
  }
  bool reads_lists() const override { return oracle_->reads_lists(); }
  std::optional<double> regret_bound() const override { return oracle_->regret_bound(); }
  void save(ByteWriter& out) const override { oracle_->save(out); }
  Status load(ByteReader& in) override { return oracle_->load(in); }

 private:
  const IgwConfig config_;
  std::unique_ptr<Oracle> oracle_;
};

}  // namespace

std::unique_ptr<Policy> make_igw(const IgwConfig& config, std::unique_ptr<Oracle> oracle) {
  return std::make_unique<Igw>(config, std::move(oracle));
}

namespace {

constexpr ParameterSpec kFloorRow = grouped(
    "policy", number_row("floor", "igw: ε of p ← (1−ε)p + ε/K; every arm keeps at least ε/K", "0",
                         {.low = 0.0, .high = 1.0}));
constexpr std::array kCommon = {&kWeightingRow,     &kGammaRow,    &kGammaScaleRow,
                                &kGammaExponentRow, &kBestCostRow, &kFloorRow};

double floor_in(const ParameterValues& values) {
  return values.number(kFloorRow);
}

}  // namespace

constinit const PolicyEntry kIgwPolicy = {
    .name = "igw",
    .meaning = "gap weighting over an oracle, without a gate",
    .names_agent = false,  // squarecb and fastcb do
    .uses_oracle = true,
    .weighs_gaps = true,
    .common = kCommon,
    .make =
        [](const PolicyFrame& frame) {
          return make_igw({.weighting = frame.values.choice<Weighting>(kWeightingRow),
                           .gamma = schedule_in(frame.values, frame.delta),
                           .floor = floor_in(frame.values)},
                          frame.oracles.make());
        },
    .recompute =
        [](const ShownProposal& shown) {
          return weigh(shown.values.choice<Weighting>(kWeightingRow), shown.costs, *shown.gamma,
                       {});
        },
    .floor = floor_in,
};

}  // namespace handrail
