#include "handrail/policy/neural_linear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "handrail/oracle/dense.h"
#include "handrail/oracle/mlp_config.h"
#include "handrail/policy/own_draws.h"

namespace handrail {
namespace {

// Of an arm whose regression is not sound: beyond any cost.
constexpr double kUnsound = std::numeric_limits<double>::max();

// All that changes, and so all that is saved.
struct State {
  State(const NeuralLinearConfig& config, const FeatureLayout& layout)
      : features(config.features, layout),
        regressions(layout.block_count,
                    BayesianRegression(config.features.unit_count, config.prior)),
        examples(config.kept, layout) {}

  LearnedFeatures features;
  std::vector<BayesianRegression> regressions;  // one a block
  ReplayBuffer examples;
};

class NeuralLinear final : public Policy {
 public:
  NeuralLinear(const NeuralLinearConfig& config, const FeatureLayout& layout)
      : config_(config),
        layout_(layout),
        state_(std::make_unique<State>(config, layout)),
        trace_(state_->features.trace_size()) {}

  void propose(const Round& round, const History& history, const RandomStream& stream,
               Proposal& out) const override;
  void learn(const Observation& observation) override;
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  void fill_rows(const Round& round, Scratch& scratch) const;
  void fill_means(const Round& round, Proposal& out) const;
  void draw_costs(const Round& round, RandomStream& stream, Proposal& out) const;
  void train();

  NeuralLinearConfig config_;
  FeatureLayout layout_;
  std::unique_ptr<State> state_;
  std::vector<double> trace_;  // scratch of learn()
};

// The last hidden layer at each arm, into scratch.first, arm after arm. Block features are the same
// for all arms.
void NeuralLinear::fill_rows(const Round& round, Scratch& scratch) const {
  const LearnedFeatures& features = state_->features;
  const std::size_t size = features.size();
  scratch.first.resize(round.arm_count() * size);
  scratch.second.resize(features.trace_size());
  const std::span<double> rows(scratch.first);
  for (ArmIndex arm = 0; arm < round.arm_count(); ++arm) {
    const std::span<double> row = rows.subspan(arm * size, size);
    if (arm > 0 && layout_.shape == FeatureShape::kBlock) {
      std::ranges::copy(rows.first(size), row.begin());
    } else {
      std::ranges::copy(features.of(round.features().arm(arm), scratch.second), row.begin());
    }
  }
}

// Predicted costs are zᵀμ. A network that diverged looks expensive and not attractive.
void NeuralLinear::fill_means(const Round& round, Proposal& out) const {
  const std::size_t size = state_->features.size();
  out.costs.resize(round.arm_count());
  for (ArmIndex arm = 0; arm < round.arm_count(); ++arm) {
    const BayesianRegression& regression = state_->regressions[round.features().arm(arm).block];
    const auto row = std::span<const double>(out.scratch.first).subspan(arm * size, size);
    const double cost = regression.sound() ? dot(row, regression.mean()) : kUnsound;
    out.costs[arm] = std::isfinite(cost) ? std::clamp(cost, 0.0, 1.0) : 1.0;
  }
}

// One draw: the cost of every arm under weights from their posterior, into `indices`. Arms of one
// block share a draw.
void NeuralLinear::draw_costs(const Round& round, RandomStream& stream, Proposal& out) const {
  const std::size_t size = state_->features.size();
  out.scratch.second.resize(size);
  for (ArmIndex arm = 0; arm < round.arm_count(); ++arm) {
    const std::size_t block = round.features().arm(arm).block;
    const BayesianRegression& regression = state_->regressions[block];
    if (!regression.sound()) {
      out.indices[arm] = kUnsound;
      continue;
    }
    const bool drawn = arm > 0 && round.features().arm(arm - 1).block == block;
    if (!drawn) regression.draw(stream, out.scratch.second);
    const auto row = std::span<const double>(out.scratch.first).subspan(arm * size, size);
    const double cost = dot(row, out.scratch.second);
    out.indices[arm] = std::isfinite(cost) ? cost : kUnsound;
  }
}

void NeuralLinear::propose(const Round& round, const History& history, const RandomStream& stream,
                           Proposal& out) const {
  const std::uint64_t arm_count = round.arm_count();
  fill_rows(round, out.scratch);
  fill_means(round, out);
  out.gamma.reset();
  // Rounds that counted: draws that were admitted, whose costs may be late, or costs that were
  // learned, where a gate refuses draws. Of either alone a policy could be stuck with one arm.
  const std::uint64_t turn = std::max(history.explored, state_->examples.pushed());
  if (turn / arm_count < config_.initial_pulls) {
    out.distribution = Distribution::certain(arm_count, static_cast<ArmIndex>(turn % arm_count),
                                             std::move(out.distribution));
    return;
  }
  RandomStream draws = stream;
  propose_winners(config_.draws, arm_count, out, [&] { draw_costs(round, draws, out); });
}

void NeuralLinear::learn(const Observation& observation) {
  State& state = *state_;
  const ArmView& arm = observation.features;
  state.examples.push({.arm = arm, .cost = observation.cost});
  if (state.examples.pushed() % config_.train_every == 0) return train();
  BayesianRegression& regression = state.regressions[arm.block];
  regression.add(state.features.of(arm, trace_), observation.cost);
  regression.settle();
}

void NeuralLinear::train() {
  State& state = *state_;
  state.features.train(state.examples, config_.train_epochs,
                       RandomStream(config_.seed, Purpose::kReplay, state.examples.pushed()));
  for (BayesianRegression& regression : state.regressions) regression.clear();
  for (std::size_t i = 0; i < state.examples.size(); ++i) {
    const Example example = state.examples.slot(i);
    state.regressions[example.arm.block].add(state.features.of(example.arm, trace_), example.cost);
  }
  for (BayesianRegression& regression : state.regressions) regression.settle();
}

void NeuralLinear::save(ByteWriter& out) const {
  state_->features.save(out);
  for (const BayesianRegression& regression : state_->regressions) regression.save(out);
  state_->examples.save(out);
}

Status NeuralLinear::load(ByteReader& in) {
  // Nothing of this changes before all of it was read.
  auto loaded = std::make_unique<State>(config_, layout_);
  loaded->features.load(in);
  for (BayesianRegression& regression : loaded->regressions) regression.load(in);
  loaded->examples.load(in);
  if (Status status = in.status(); !status.ok()) return status;
  state_ = std::move(loaded);
  return {};
}

constexpr double kMany = 1e9;
constexpr double kMostUnits = 1e4;
constexpr double kMostDraws = 1e6;

constexpr std::array kParameters = {
    count_row("draws",
              "draws a round; with more than 1 the distribution is the share that each arm won",
              "1", {1.0, kMostDraws}),
    count_row("train_every", "costs between trainings of the network", "50", {1.0, kMany}),
    count_row("train_epochs", "minibatches a training", "100", {1.0, kMany}),
    count_row("train_batch", "examples in a minibatch", "512", {1.0, 1e6}),
    count_row("initial_pulls", "times that each arm is played at first", "2", {0.0, kMany}),
    count_row("units", "hidden units, which are the regressions' features", "50",
              {1.0, kMostUnits}),
    positive_row("init_scale", "initial weights are uniform in ±init_scale", "0.3", 1e3),
    positive_row("first_rate", "RMSProp's rate at the start of a training", "0.1", 1e3),
    ParameterSpec{.name = "rate_decay",
                  .meaning = "at its step s the rate is first_rate / (1 + rate_decay · s)",
                  .fallback = "0.5",
                  .high = 1e3},
    ParameterSpec{.name = "rate_resets",
                  .meaning = "whether s counts from 0 in every training, or from the first one on",
                  .fallback = "no",
                  .words = kYesWords},
    positive_row("gradient_norm", "longest gradient", "5", kMany),
    ParameterSpec{.name = "prior_precision",
                  .meaning = "of the regressions' weights",
                  .fallback = "0.25",
                  .low = 1e-6,
                  .high = kMany},
    positive_row("a_0", "shape of the noise's inverse gamma prior", "6", kMany),
    positive_row("b_0", "scale of the noise's inverse gamma prior", "6", kMany),
    count_row("kept", "newest examples that are kept", "40000", {1.0, kMany}),
};

NeuralLinearConfig config_of(const PolicyFrame& frame) {
  const ParameterValues& own = frame.values;
  return {.features = {.unit_count = own.count("units"),
                       .init_scale = own.number("init_scale"),
                       .learning_rate = own.number("first_rate"),
                       .rate_decay = own.number("rate_decay"),
                       .rate_resets = own.word("rate_resets") == 1,
                       .longest_gradient = own.number("gradient_norm"),
                       .batch = own.count("train_batch"),
                       .seed = frame.seed},
          .prior = {.lambda = own.number("prior_precision"),
                    .shape = own.number("a_0"),
                    .scale = own.number("b_0")},
          .train_every = own.count("train_every"),
          .train_epochs = own.count("train_epochs"),
          .initial_pulls = own.count("initial_pulls"),
          .draws = own.count("draws"),
          .kept = own.count("kept"),
          .seed = frame.seed};
}

// The regressions keep two square matrices a block; the examples grow to `kept` rows.
Status check_frame(const PolicyFrame& frame) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 28;  // 2 GiB, twice for the matrices
  const std::size_t units = frame.values.count("units");
  const MlpConfig network = {.widths = {units}, .own_layer = OwnLayer::kOutput};
  if (Status fits = check(network, frame.layout); !fits.ok()) return fits;
  if (units * units > kMostNumbers / frame.layout.block_count) {
    return Error{"units is " + std::to_string(units) + "; a square matrix for each of " +
                 std::to_string(frame.layout.block_count) +
                 " blocks may have at most 2^28 numbers together"};
  }
  const std::size_t kept = frame.values.count("kept");
  const std::size_t most = 2 * kMostNumbers / frame.layout.feature_count;
  if (kept <= most) return {};
  return Error{"kept is " + std::to_string(kept) + "; examples of " +
               std::to_string(frame.layout.feature_count) + " numbers each may be at most " +
               std::to_string(most)};
}

}  // namespace

std::unique_ptr<Policy> make_neural_linear(const NeuralLinearConfig& config,
                                           const FeatureLayout& layout) {
  return std::make_unique<NeuralLinear>(config, layout);
}

constinit const PolicyEntry kNeuralLinearPolicy = {
    .name = "neural-linear",
    .meaning = "Thompson sampling: Bayesian regression on a network's last hidden layer",
    .draws = true,
    .parameters = kParameters,
    .make =
        [](const PolicyFrame& frame) { return make_neural_linear(config_of(frame), frame.layout); },
    .check = check_frame,
    .chance_error = chance_error_of_draws,
};

}  // namespace handrail
