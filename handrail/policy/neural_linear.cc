#include "handrail/policy/neural_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "handrail/oracle/dense.h"
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

}  // namespace

std::unique_ptr<Policy> make_neural_linear(const NeuralLinearConfig& config,
                                           const FeatureLayout& layout) {
  return std::make_unique<NeuralLinear>(config, layout);
}

}  // namespace handrail
