#include "handrail/policy/ee_net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "handrail/explore/weighting.h"
#include "handrail/oracle/mlp_config.h"

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

  SavingNetwork exploiter;
  PromiseNetwork explorer;
  std::optional<CombiningNetwork> decider;
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
  SavingEstimate values_of(const ArmView& arm, const Desk& desk) const;
  double saving_of(const SavingEstimate& values, const Desk& desk) const;
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
SavingEstimate EeNet::values_of(const ArmView& arm, const Desk& desk) const {
  const double saving = state_->exploiter.saving(arm, desk.exploiter);
  const GradientFactors gradient = state_->explorer.factors_of(arm, desk.exploiter);
  return {.saving = saving, .promise = state_->explorer.promise(gradient, desk.explorer)};
}

double EeNet::saving_of(const SavingEstimate& values, const Desk& desk) const {
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
    const SavingEstimate values = values_of(round.features().arm(arm), desk);
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
  const SavingEstimate values = values_of(arm, desk);
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

constexpr double kMany = 1e9;
constexpr double kMostUnits = 1e4;
constexpr std::array<std::string_view, 2> kDeciderWords = {"linear", "network"};

constexpr std::array kParameters = {
    ParameterSpec{.name = "decider",
                  .meaning = "linear: f1 + w(f2 − 1) decides; network: a third network does, for t "
                             "> decider_from",
                  .fallback = "linear",
                  .words = kDeciderWords},
    count_row("decider_from", "costs known before the third network decides", "500", {0.0, kMany}),
    ParameterSpec{.name = "early_weight",
                  .meaning = "weight w of the second network for t ≤ early_rounds",
                  .fallback = "0.1",
                  .high = 1e3},
    ParameterSpec{
        .name = "late_weight", .meaning = "weight w from then on", .fallback = "0.01", .high = 1e3},
    count_row("early_rounds",
              "costs after which weight and training change, and other arms are no longer taught",
              "1000", {0.0, kMany}),
    count_row("train_every", "costs between trainings for t < early_rounds", "10", {1.0, kMany}),
    count_row("late_train_every", "costs between trainings from then on", "100", {1.0, kMany}),
    count_row("train_steps",
              "most steps of a training of the first two networks; the third makes half as many",
              "2000", {1.0, kMany}),
    count_row("units", "hidden units of the first two networks", "100", {1.0, kMostUnits}),
    count_row("pool", "neighbours in the first network's gradient that one mean is taken of", "50",
              {1.0, kMany}),
    positive_row("lr_1", "step of the first network", "0.01", 1e3),
    positive_row("lr_2", "step of the second", "0.001", 1e3),
    positive_row("lr_3", "step of the third", "0.001", 1e3),
    count_row("kept", "newest examples that each network keeps", "40000", {1.0, kMany}),
};

EeNetConfig config_of(const PolicyFrame& frame) {
  const ParameterValues& own = frame.values;
  const std::size_t units = own.count("units");
  const std::size_t kept = own.count("kept");
  const std::size_t steps = own.count("train_steps");
  EeNetConfig config = {.early_weight = own.number("early_weight"),
                        .late_weight = own.number("late_weight"),
                        .early_rounds = own.count("early_rounds"),
                        .early_period = own.count("train_every"),
                        .late_period = own.count("late_train_every"),
                        .exploiter = {.unit_count = units,
                                      .learning_rate = own.number("lr_1"),
                                      .kept = kept,
                                      .seed = frame.seed},
                        .explorer = {.pool = own.count("pool"),
                                     .unit_count = units,
                                     .learning_rate = own.number("lr_2"),
                                     .kept = kept,
                                     .seed = frame.seed},
                        .decider_from = own.count("decider_from"),
                        .seed = frame.seed};
  config.exploiter.fit.step_limit = steps;
  config.explorer.fit.step_limit = steps;
  if (own.word("decider") == 1) {
    config.decider = CombiningNetworkConfig{
        .learning_rate = own.number("lr_3"), .kept = kept, .seed = frame.seed};
    config.decider->fit.step_limit = (steps + 1) / 2;
  }
  return config;
}

// The examples of the second network are the largest thing that grows.
Status check_frame(const PolicyFrame& frame) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 29;  // 4 GiB
  const std::size_t units = frame.values.count("units");
  MlpConfig network = {.widths = {units}, .own_layer = OwnLayer::kFirst};
  if (Status fits = check(network, frame.layout); !fits.ok()) return fits;
  const std::size_t kept = frame.values.count("kept");
  const std::size_t size = PromiseNetwork::example_size(frame.layout, units);
  if (kept <= kMostNumbers / size) return {};
  return Error{"kept is " + std::to_string(kept) + "; examples of " + std::to_string(size) +
               " numbers each may be at most " + std::to_string(kMostNumbers / size)};
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

constinit const PolicyEntry kEeNetPolicy = {
    .name = "ee-net",
    .meaning = "EE-Net: a network for costs, and one on its gradient for where it errs",
    .one_arm = true,
    .parameters = kParameters,
    .make = [](const PolicyFrame& frame) { return make_ee_net(config_of(frame), frame.layout); },
    .check = check_frame,
};

}  // namespace handrail
