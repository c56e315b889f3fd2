#include "handrail/policy/igw.h"

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

constinit const PolicyEntry kIgwPolicy = {
    .name = "igw",
    .meaning = "gap weighting over an oracle, without a gate",
    .names_agent = false,  // squarecb and fastcb do
    .uses_oracle = true,
    .weighs_gaps = true,
    .make =
        [](const PolicyFrame& frame) {
          const PolicySettings& settings = frame.settings;
          return make_igw(
              {.weighting = settings.weighting, .gamma = settings.gamma, .floor = settings.floor},
              frame.oracles.make());
        },
    .recompute =
        [](const ShownProposal& shown) {
          return weigh(shown.settings.weighting, shown.costs, *shown.gamma, {});
        },
    .floor = [](const PolicySettings& settings) { return settings.floor; },
};

}  // namespace handrail
