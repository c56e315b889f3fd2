#include "handrail/policy/neural.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/kernels/fast_trainer.h"
#include "handrail/oracle/mlp_entry.h"
#include "handrail/oracle/replay_buffer.h"
#include "handrail/oracle/shuffled_fit.h"
#include "handrail/oracle/trainer.h"
#include "handrail/policy/own_draws.h"

namespace handrail {
namespace {

// An epoch whose mean loss is no more than this ends a training.
constexpr double kGoodEpochLoss = 1e-3;

// The index of an arm of which a diverged network says nothing: as if it cost the most.
constexpr double kLostIndex = 1.0;

std::unique_ptr<Trainer> make_trainer(const NeuralConfig& config, const FeatureLayout& layout) {
  const MlpConfig network = network_of(config);
  return config.precision == Precision::kDouble ? make_reference_trainer(network, layout)
                                                : make_fast_trainer(network, layout);
}

class Neural final : public Policy {
 public:
  Neural(const NeuralConfig& config, const FeatureLayout& layout)
      : config_(config),
        layout_(layout),
        trainer_(make_trainer(config, layout)),
        examples_(config.training.memory, layout) {
    HANDRAIL_ASSERT(config.nu >= 0.0 && config.ridge > 0.0 && config.draws > 0);
    HANDRAIL_ASSERT(config.training.steps > 0 && config.training.every > 0);
  }

  void propose(const Round& round, const History& history, const RandomStream& stream,
               Proposal& out) const override;
  void learn(const Observation& observation) override;
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  double deviation(double squared_norm) const {
    return std::sqrt(config_.ridge * config_.nu * squared_norm);
  }
  bool trains_now() const;
  void train_on_singles();
  void train_on_whole();

  NeuralConfig config_;
  FeatureLayout layout_;
  std::unique_ptr<Trainer> trainer_;
  ReplayBuffer examples_;

  // Scratch of learn().
  std::vector<std::size_t> order_;
  std::vector<Example> batch_;
};

double index_of(double output, double bonus) {
  const double index = output - bonus;
  return std::isfinite(index) ? index : kLostIndex;
}

void Neural::propose(const Round& round, const History& /*history*/, const RandomStream& stream,
                     Proposal& out) const {
  const std::size_t arm_count = round.arm_count();
  out.costs.resize(arm_count);
  out.indices.resize(arm_count);
  out.gamma = std::nullopt;
  trainer_->measure(round.features(), {.outputs = out.costs, .squared_norms = out.indices},
                    out.scratch);
  std::vector<double>& deviations = out.scratch.first;  // σ
  deviations.resize(arm_count);
  std::ranges::transform(out.indices, deviations.begin(),
                         [&](double norm) { return deviation(norm); });
  if (config_.choice == NeuralChoice::kBound) {
    for (std::size_t arm = 0; arm < arm_count; ++arm) {
      out.indices[arm] = index_of(out.costs[arm], deviations[arm]);
    }
    out.distribution =
        Distribution::certain(arm_count, greedy_arm(out.indices), std::move(out.distribution));
  } else {
    RandomStream normals = stream;
    propose_winners(config_.draws, arm_count, out, [&] {
      for (std::size_t arm = 0; arm < arm_count; ++arm) {
        out.indices[arm] = index_of(out.costs[arm], deviations[arm] * normals.normal());
      }
    });
  }
  for (double& cost : out.costs) cost = predicted_cost(Loss::kSquare, cost, no_shift());
}

void Neural::learn(const Observation& observation) {
  trainer_->meet(observation.features);
  examples_.push({.arm = observation.features, .cost = observation.cost});
  if (!trains_now()) return;
  config_.training.kind == NeuralSteps::kSingles ? train_on_singles() : train_on_whole();
  trainer_->settle();
}

bool Neural::trains_now() const {
  const std::uint64_t learned = examples_.pushed();
  return learned <= config_.training.until || learned % config_.training.every == 0;
}

void Neural::train_on_singles() {
  const ShuffledFit plan = {.step_limit = config_.training.steps, .enough = kGoodEpochLoss};
  const RandomStream stream(config_.seed, Purpose::kReplay, examples_.pushed());
  order_.resize(examples_.size());
  fit_shuffled(plan, order_, stream, [&](std::size_t index) {
    const Example example = examples_.slot(index);
    return trainer_->descend({&example, 1}, {.decay = config_.ridge});
  });
}

void Neural::train_on_whole() {
  batch_.clear();
  for (std::size_t i = 0; i < examples_.size(); ++i) batch_.push_back(examples_.slot(i));
  const double decay = config_.ridge / static_cast<double>(batch_.size());
  trainer_->descend(batch_, {.decay = decay, .steps = config_.training.steps});
}

void Neural::save(ByteWriter& out) const {
  trainer_->save(out);
  examples_.save(out);
}

Status Neural::load(ByteReader& in) {
  // Nothing of this changes before all of it was read.
  std::unique_ptr<Trainer> trainer = make_trainer(config_, layout_);
  trainer->load(in);
  ReplayBuffer examples(config_.training.memory, layout_);
  examples.load(in);
  if (Status status = in.status(); !status.ok()) return status;
  trainer_ = std::move(trainer);
  examples_ = std::move(examples);
  return {};
}

constexpr double kMany = 2147483648.0;

constexpr ParameterSpec kHidden =
    count_row("hidden", "units of the hidden layer", "100", {1.0, 1e6});
constexpr ParameterSpec kStep = positive_row("step", "step size of the descent", "0.01", 1e6);

constexpr ParameterSpec nu_row(std::string_view fallback) {
  return {.name = "nu",
          .meaning = "ν, scale of the squared uncertainty",
          .fallback = fallback,
          .low = 0.0,
          .high = 1e9};
}
constexpr ParameterSpec ridge_row(std::string_view meaning, std::string_view fallback) {
  return {.name = "ridge", .meaning = meaning, .fallback = fallback, .low = 1e-12, .high = 1e9};
}

constexpr std::array kUcbParameters = {
    nu_row("1"),
    ridge_row("λ, where the diagonal starts, and the weight decay", "0.001"),
    kHidden,
    kStep,
    count_row("train_steps",
              "steps of a training, one example each; an epoch of mean loss 0.001 ends it early",
              "1000", {1.0, kMany}),
    count_row("train_until", "it trains after each of that many first observations", "2000",
              {0.0, kMany}),
    count_row("train_every", "and then after every so many", "100", {1.0, kMany}),
    count_row("memory", "examples kept, the newest", "15000", {1.0, kMany}),
};

constexpr std::array kTsParameters = {
    nu_row("0.00001"),
    ridge_row("λ, where the diagonal starts; λ/n is the weight decay for n examples", "0.00001"),
    kHidden,
    kStep,
    count_row("train_steps", "steps of a training, each on all examples", "100", {1.0, kMany}),
    count_row("train_until", "it trains after each of that many first observations", "0",
              {0.0, kMany}),
    count_row("train_every", "and then after every so many", "100", {1.0, kMany}),
    count_row("memory", "examples kept, the newest", "10000", {1.0, kMany}),
    count_row("draws",
              "1: plays the best of one draw, whose chance is unknown; more: the chances are the "
              "shares of so many draws",
              "1", {1.0, kMany}),
};

NeuralConfig config_of(const PolicyFrame& frame, NeuralChoice choice) {
  const ParameterValues& own = frame.values;
  const bool draws = choice == NeuralChoice::kDraw;
  return {.choice = choice,
          .draws = draws ? own.count("draws") : 1,
          .nu = own.number("nu"),
          .ridge = own.number("ridge"),
          .training = {.kind = draws ? NeuralSteps::kWhole : NeuralSteps::kSingles,
                       .steps = own.count("train_steps"),
                       .until = own.count("train_until"),
                       .every = own.count("train_every"),
                       .memory = own.count("memory")},
          .hidden = own.count("hidden"),
          .step = own.number("step"),
          .precision = precision_in(frame.values),
          .isa = frame.isa,
          .seed = frame.seed};
}

template <NeuralChoice kChoice>
std::unique_ptr<Policy> make_from(const PolicyFrame& frame) {
  return make_neural(config_of(frame, kChoice), frame.layout);
}

template <NeuralChoice kChoice>
Status check_from(const PolicyFrame& frame) {
  return check(network_of(config_of(frame, kChoice)), frame.layout);
}

}  // namespace

MlpConfig network_of(const NeuralConfig& config) {
  return {.widths = {config.hidden},
          .own_layer = OwnLayer::kFirst,
          .loss = Loss::kSquare,
          .optimizer = Optimizer::kSgd,
          .learning_rate = config.step,
          .precision = config.precision,
          .isa = config.isa,
          .seed = config.seed,
          .initialisation = Initialisation::kUniform,
          .diagonal = config.ridge};
}

std::unique_ptr<Policy> make_neural(const NeuralConfig& config, const FeatureLayout& layout) {
  HANDRAIL_ASSERT(check(network_of(config), layout).ok());
  return std::make_unique<Neural>(config, layout);
}

constinit const PolicyEntry kNeuralUcbPolicy = {
    .name = "neural-ucb",
    .meaning = "NeuralUCB with a diagonal matrix, without a gate",
    .one_arm = true,
    .parameters = kUcbParameters,
    .make = make_from<NeuralChoice::kBound>,
    .check = check_from<NeuralChoice::kBound>,
};

constinit const PolicyEntry kNeuralTsPolicy = {
    .name = "neural-ts",
    .meaning = "NeuralTS with a diagonal matrix, without a gate",
    .draws = true,
    .parameters = kTsParameters,
    .make = make_from<NeuralChoice::kDraw>,
    .check = check_from<NeuralChoice::kDraw>,
    .chance_error = chance_error_of_draws,
};

}  // namespace handrail
