#include "handrail/policy/falcon.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {
namespace {

class Falcon final : public Policy {
 public:
  Falcon(const FalconConfig& config, const FeatureLayout& layout, std::unique_ptr<Oracle> oracle)
      : config_(config),
        oracle_(std::move(oracle)),
        examples_(config.history, layout),
        epoch_(epoch_at(0, config.horizon)) {
    ByteWriter out;
    oracle_->save(out);
    fresh_ = std::string(out.bytes());
  }

  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    out.costs.resize(round.arm_count());
    oracle_->predict(round.features(), out.costs, out.scratch);
    out.gamma = falcon_gamma(config_.gamma, epoch_, fitted(), round.arm_count());
    out.distribution = weigh_absolute_gaps(out.costs, *out.gamma, std::move(out.distribution));
  }

  void learn(const Observation& observation) override {
    examples_.push({.arm = observation.features, .cost = observation.cost});
    if (examples_.pushed() < epoch_.end) return;
    epoch_ = epoch_at(examples_.pushed(), config_.horizon);
    fit();
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    examples_.save(out);
    oracle_->save(out);
  }

  Status load(ByteReader& in) override {
    ReplayBuffer examples = examples_;
    examples.load(in);
    if (examples.pushed() > kMostKnownCosts) in.fail("has learned more costs than there can be");
    if (!in.status().ok()) return in.status();
    const Status loaded = oracle_->load(in);
    if (!loaded.ok()) return loaded;
    examples_ = std::move(examples);
    epoch_ = epoch_at(examples_.pushed(), config_.horizon);
    return {};
  }

 private:
  // How many examples the fit of this epoch has seen.
  std::uint64_t fitted() const {
    const bool all = config_.gamma.variant == FalconVariant::kFalcon;
    return std::min<std::uint64_t>(all ? epoch_.start : epoch_.start - epoch_.previous,
                                   config_.history);
  }

  void fit() {
    ByteReader in(fresh_);
    const Status fresh = oracle_->load(in);
    HANDRAIL_ASSERT(fresh.ok());  // its own bytes
    const std::size_t count = fitted();
    const std::size_t first = examples_.size() - count;
    for (std::uint64_t pass = 0; pass < config_.passes; ++pass) {
      for (std::size_t i = 0; i < count; ++i) {
        const Example example = examples_.by_age(first + i);
        oracle_->update(example.arm, example.cost);
      }
    }
  }

  FalconConfig config_;
  std::unique_ptr<Oracle> oracle_;
  std::string fresh_;  // the oracle's state before any example
  ReplayBuffer examples_;
  Epoch epoch_;  // follows from the number of examples
};

constexpr std::array<std::string_view, 2> kVariantWords = {"falcon", "plus"};
constexpr std::array<std::string_view, 2> kFactorWords = {"printed", "auto"};
constexpr std::array<std::string_view, 1> kNoneWord = {"none"};

constexpr std::array kParameters = {
    ParameterSpec{.name = "variant",
                  .meaning = "falcon: fitted to all the past; plus: FALCON+, to the last epoch",
                  .fallback = "falcon",
                  .words = kVariantWords},
    ParameterSpec{.name = "gamma_factor",
                  .meaning = "factor of γ; printed: 1/30, with variant=plus 1/2, which explore for "
                             "very long; auto: 300 and 50",
                  .fallback = "printed",
                  .low = 0.0,
                  .high = 1e9,
                  .words = kFactorWords},
    ParameterSpec{.name = "complexity",
                  .meaning = "log of the number of functions that the oracle chooses from; with "
                             "variant=plus its dimension; auto: a linear model's numbers, K·d or d",
                  .fallback = "auto",
                  .low = 0.0,
                  .high = 1e12,
                  .words = kAutoWord},
    positive_row("excess_scale",
                 "variant=plus: c of the bound c·(D log n + log(1/δ))/n on the excess "
                 "risk of a fit",
                 "1", 1e9),
    ParameterSpec{.name = "horizon",
                  .meaning = "none: epochs double; T: they end at 2T^(1−2^−m) until that reaches T",
                  .fallback = "none",
                  .low = 1.0,
                  .high = 1e15,
                  .whole = true,
                  .words = kNoneWord},
    count_row("passes", "passes over the past in a fit; with oracle=ridge 1 is least squares", "1",
              {1.0, 1000.0}),
    count_row("history", "examples kept, the newest; a fit sees no others", "100000", {1.0, 1e9}),
};

// Chosen on pendigits and mushroom. A fit to the last epoch alone forgets what arms cost that were
// hardly played in it, so that a larger γ there makes it oscillate.
constexpr double kPracticalFactor = 300.0;
constexpr double kPracticalFactorOfPlus = 50.0;

FalconConfig config_of(const PolicyFrame& frame) {
  const ParameterValues& own = frame.values;
  const auto linear_size =
      static_cast<double>(frame.layout.block_count * frame.layout.feature_count);
  FalconConfig config = {
      .gamma = {.variant = static_cast<FalconVariant>(own.word("variant")),
                .complexity = own.optional_number("complexity").value_or(linear_size),
                .excess_scale = own.number("excess_scale"),
                .factor = own.optional_number("gamma_factor"),
                .delta = frame.delta},
      .passes = own.count("passes"),
      .history = own.count("history")};
  if (own.text("gamma_factor") == "auto") {
    const bool plus = config.gamma.variant == FalconVariant::kPlus;
    config.gamma.factor = plus ? kPracticalFactorOfPlus : kPracticalFactor;
  }
  if (own.optional_number("horizon").has_value()) config.horizon = own.count("horizon");
  return config;
}

}  // namespace

std::unique_ptr<Policy> make_falcon(const FalconConfig& config, const FeatureLayout& layout,
                                    std::unique_ptr<Oracle> oracle) {
  return std::make_unique<Falcon>(config, layout, std::move(oracle));
}

constinit const PolicyEntry kFalconPolicy = {
    .name = "falcon",
    .meaning = "gap weighting over an oracle fitted anew in each epoch, without a gate",
    .names_agent = false,  // a preset with a larger γ does
    .uses_oracle = true,
    .own_gamma = true,
    .refits = true,
    .parameters = kParameters,
    .make =
        [](const PolicyFrame& frame) {
          return make_falcon(config_of(frame), frame.layout, frame.oracles.make());
        },
    .recompute =
        [](const ShownProposal& shown) {
          return weigh_absolute_gaps(shown.costs, *shown.gamma, {});
        },
};

}  // namespace handrail
