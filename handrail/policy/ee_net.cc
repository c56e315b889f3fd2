#include "handrail/policy/ee_net.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "handrail/explore/weighting.h"

namespace handrail {
namespace {

// What the other arms of a round promise when the played one cost all it could.
constexpr double kOtherArmsTarget = 1.2;
constexpr double kFullCost = 1.0;

// Each network draws the order of its examples from a stream of its own.
enum class Shuffle : std::uint64_t { kExploiter = 0, kExplorer = 1, kDecider = 2 };

// All that changes, and so all that is saved. Adam's memory does not outlive a training.
struct State {
  State(const EeNetConfig& config, const FeatureLayout& layout)
      : exploiter(config.exploiter, layout), explorer(config.explorer, exploiter.network()) {
    if (config.decider) decider.emplace(*config.decider);
  }

  Exploiter exploiter;
  Explorer explorer;
  std::optional<Decider> decider;
  std::uint64_t cost_count = 0;  // t
};

// Where the networks work, of the caller's memory.
struct Desk {
  std::span<double> exploiter;
  std::span<double> explorer;
  std::span<double> decider;
};

class EeNet final : public Policy {
 public:
  EeNet(const EeNetConfig& config, const FeatureLayout& layout)
      : config_(config), layout_(layout), state_(std::make_unique<State>(config, layout)) {}

  void propose(const Round& round, const History& history, const RandomStream& stream,
               Proposal& out) const override;
  void learn(const Observation& observation) override;
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  Desk desk_of(std::vector<double>& memory) const;
  EeValues values_of(const ArmView& arm, const Desk& desk) const;
  double saving_of(const EeValues& values, const Desk& desk) const;
  void teach_other_arms(const ArmView& played, const Desk& desk);
  void train();

  EeNetConfig config_;
  FeatureLayout layout_;
  std::unique_ptr<State> state_;
  std::vector<double> memory_;  // scratch of learn()
};

Desk EeNet::desk_of(std::vector<double>& memory) const {
  const std::size_t first = state_->exploiter.network().trace_size();
  const std::size_t second = state_->explorer.scratch_size();
  const std::size_t third = state_->decider ? state_->decider->trace_size() : 0;
  memory.resize(first + second + third);
  const std::span<double> all(memory);
  return {.exploiter = all.first(first),
          .explorer = all.subspan(first, second),
          .decider = all.last(third)};
}

// The desk then holds f1's gradient.
EeValues EeNet::values_of(const ArmView& arm, const Desk& desk) const {
  const double saving = state_->exploiter.saving(arm, desk.exploiter);
  const GradientFactors gradient = state_->explorer.factors_of(arm, desk.exploiter);
  return {.saving = saving, .promise = state_->explorer.promise(gradient, desk.explorer)};
}

double EeNet::saving_of(const EeValues& values, const Desk& desk) const {
  const std::uint64_t t = state_->cost_count;
  if (state_->decider && t > config_.decider_from) {
    return state_->decider->saving(values, desk.decider);
  }
  return values.saving + exploration_weight(config_, t) * (values.promise - 1.0);
}

// A network that diverged looks expensive and not attractive.
void EeNet::propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
                    Proposal& out) const {
  const std::size_t arm_count = round.arm_count();
  const Desk desk = desk_of(out.scratch.first);
  out.costs.resize(arm_count);
  out.indices.resize(arm_count);
  for (ArmIndex arm = 0; arm < arm_count; ++arm) {
    const EeValues values = values_of(round.features().arm(arm), desk);
    const double cost = 1.0 - values.saving;
    const double index = 1.0 - saving_of(values, desk);
    out.costs[arm] = std::isfinite(cost) ? std::clamp(cost, 0.0, 1.0) : 1.0;
    out.indices[arm] = std::isfinite(index) ? index : std::numeric_limits<double>::max();
  }
  out.distribution =
      Distribution::certain(arm_count, greedy_arm(out.indices), std::move(out.distribution));
  out.gamma.reset();
}

void EeNet::learn(const Observation& observation) {
  State& state = *state_;
  const ArmView& arm = observation.features;
  const Desk desk = desk_of(memory_);
  const EeValues values = values_of(arm, desk);
  state.exploiter.add(arm, observation.cost);
  state.explorer.add(state.explorer.factors_of(arm, desk.exploiter),
                     (1.0 - observation.cost) - values.saving + 1.0);
  if (state.decider) state.decider->add(values, observation.cost);
  const bool early = state.cost_count < config_.early_rounds;
  if (early && observation.cost == kFullCost) teach_other_arms(arm, desk);
  if (trains_after(config_, state.cost_count)) train();
  ++state.cost_count;
}

void EeNet::teach_other_arms(const ArmView& played, const Desk& desk) {
  for (std::size_t block = 0; block < layout_.block_count; ++block) {
    if (block == played.block) continue;
    const ArmView arm = {.features = played.features, .block = block};
    state_->exploiter.saving(arm, desk.exploiter);
    state_->explorer.add(state_->explorer.factors_of(arm, desk.exploiter), kOtherArmsTarget);
  }
}

void EeNet::train() {
  constexpr std::uint64_t kStreams = 4;  // a training
  const auto stream = [&](Shuffle which) {
    return RandomStream(config_.seed, Purpose::kReplay,
                        state_->cost_count * kStreams + static_cast<std::uint64_t>(which));
  };
  state_->exploiter.train(stream(Shuffle::kExploiter));
  state_->explorer.train(stream(Shuffle::kExplorer));
  if (state_->decider) state_->decider->train(stream(Shuffle::kDecider));
}

void EeNet::save(ByteWriter& out) const {
  out.u64(state_->cost_count);
  state_->exploiter.save(out);
  state_->explorer.save(out);
  if (state_->decider) state_->decider->save(out);
}

Status EeNet::load(ByteReader& in) {
  // Nothing of this changes before all of it was read.
  auto loaded = std::make_unique<State>(config_, layout_);
  loaded->cost_count = in.u64();
  loaded->exploiter.load(in);
  loaded->explorer.load(in);
  if (loaded->decider) loaded->decider->load(in);
  if (Status status = in.status(); !status.ok()) return status;
  state_ = std::move(loaded);
  return {};
}

}  // namespace

double exploration_weight(const EeNetConfig& config, std::uint64_t t) {
  return t > config.early_rounds ? config.late_weight : config.early_weight;
}

bool trains_after(const EeNetConfig& config, std::uint64_t t) {
  return t % (t < config.early_rounds ? config.early_period : config.late_period) == 0;
}

std::unique_ptr<Policy> make_ee_net(const EeNetConfig& config, const FeatureLayout& layout) {
  return std::make_unique<EeNet>(config, layout);
}

}  // namespace handrail
