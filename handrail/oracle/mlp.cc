#include "handrail/oracle/mlp.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/gradient.h"
#include "handrail/oracle/projection.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {
namespace {

// A network without perturbed copies is one copy that nothing shifts.
constexpr double kNoShift = 0.0;

std::size_t memory_limit(const MlpConfig& config) {
  return config.update == Update::kPeriodic ? config.period : config.buffer_limit;
}

std::vector<double> radii(const MlpConfig& config) {
  std::vector<double> result(config.widths.size(), config.rho);
  result.push_back(config.rho_1);
  return result;
}

Parameters initial_parameters(const Network& network, std::uint64_t seed) {
  std::vector<double> initial = network.initial_parameters(seed);
  std::vector<double> values = initial;
  return {.values = std::move(values), .initial = std::move(initial)};
}

std::optional<Ensemble> make_ensemble(const MlpConfig& config, const Network& network) {
  if (config.ensemble == 0) return std::nullopt;
  const double kappa =
      config.perturbation * std::pow(static_cast<double>(config.widths.back()), -0.25);
  return Ensemble(SignTable::draw(config.seed, config.ensemble, network.parameter_count()), kappa,
                  network.segments());
}

// All that changes from update to update, and so all that is saved.
struct MlpState {
  MlpState(const MlpConfig& config, const Network& network)
      : parameters(initial_parameters(network, config.seed)),
        optimizer(config.optimizer, config.learning_rate, network.segments()),
        projection(radii(config), network.segments()),
        ensemble(make_ensemble(config, network)),
        buffer(memory_limit(config), network.layout()) {}

  Parameters parameters;
  OptimizerState optimizer;
  Projection projection;
  std::optional<Ensemble> ensemble;
  ReplayBuffer buffer;  // kPeriodic: the newest `period`; kOnline: empty
  std::uint64_t update_count = 0;
};

class Mlp final : public Oracle {
 public:
  Mlp(const MlpConfig& config, const FeatureLayout& layout);

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& scratch) const override;
  void update(const ArmView& arm, double cost) override;
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  std::span<const double> shifts() const;
  void update_from_replay();
  void update_from_period();
  void draw_batch(RandomStream& stream);
  void step(std::span<const Example> batch);
  void differentiate(std::span<const Example> batch);
  double step_factor(double squared_norm) const;

  MlpConfig config_;
  Network network_;
  MlpState state_;

  // Scratch of update(), meaningless between calls.
  BatchGradient gradient_;
  std::vector<Example> batch_;
  std::vector<ArmView> arms_;   // of the batch
  std::vector<double> traces_;  // one after the other
  std::vector<double> slopes_;
};

Mlp::Mlp(const MlpConfig& config, const FeatureLayout& layout)
    : config_(config),
      network_(network_shape(config), layout),
      state_(config, network_),
      gradient_(network_, std::max<std::size_t>(config.ensemble, 1)) {}

std::span<const double> Mlp::shifts() const {
  if (state_.ensemble.has_value()) return state_.ensemble->shifts();
  return {&kNoShift, 1};
}

void Mlp::predict(const ArmFeatures& features, std::span<double> costs, Scratch& scratch) const {
  HANDRAIL_ASSERT(features.layout() == network_.layout() && costs.size() == features.arm_count());
  scratch.first.resize(network_.trace_size());
  for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
    // Block features are the same for all arms.
    const bool known =
        arm > 0 && network_.shares_hidden_layers() && features.shape() == FeatureShape::kBlock;
    const ArmView view = features.arm(arm);
    if (!known) network_.run_hidden(state_.parameters.values, {&view, 1}, scratch.first);
    const double output = network_.output(state_.parameters.values, view.block, scratch.first);
    costs[arm] = predicted_cost(config_.loss, output, shifts());
  }
}

void Mlp::update(const ArmView& arm, double cost) {
  HANDRAIL_ASSERT(cost >= 0.0 && cost <= 1.0);
  const Example newest{.arm = arm, .cost = cost};
  ++state_.update_count;
  if (config_.update == Update::kOnline) return step({&newest, 1});
  state_.buffer.push(newest);
  if (config_.update == Update::kReplay) return update_from_replay();
  if (state_.update_count % config_.period == 0) update_from_period();
}

void Mlp::update_from_replay() {
  RandomStream stream(config_.seed, Purpose::kReplay, state_.update_count);
  for (std::size_t i = 0; i < config_.batches; ++i) {
    draw_batch(stream);
    step(batch_);
  }
}

void Mlp::draw_batch(RandomStream& stream) {
  const ReplayBuffer& buffer = state_.buffer;
  batch_.clear();
  if (buffer.size() < config_.batch) {
    for (std::size_t i = 0; i < buffer.size(); ++i) batch_.push_back(buffer.slot(i));
    return;
  }
  for (std::size_t i = 0; i < config_.batch; ++i) {
    batch_.push_back(buffer.slot(stream.below(buffer.size())));
  }
}

void Mlp::update_from_period() {
  const ReplayBuffer& buffer = state_.buffer;
  batch_.clear();
  for (std::size_t i = 0; i < buffer.size(); ++i) batch_.push_back(buffer.by_age(i));
  const std::span<const Example> newest(batch_);
  switch (config_.reading) {
    case PeriodicReading::kSteps:
      for (const Example& example : newest) step({&example, 1});
      return;
    case PeriodicReading::kMean:
      return step(newest);
    case PeriodicReading::kNewest:
      return step(newest.last(1));
  }
}

// One step on the mean loss of the batch, then the projection.
void Mlp::step(std::span<const Example> batch) {
  differentiate(batch);
  if (scales_steps(config_) && gradient_.squared_output_gradient == 0.0) return;
  const GradientView gradient = gradient_.view();
  Parameters& parameters = state_.parameters;
  if (state_.ensemble.has_value()) {
    Ensemble& ensemble = *state_.ensemble;
    const double factor = step_factor(ensemble.measure(gradient, parameters));
    ensemble.step(config_.learning_rate * factor, gradient, parameters);
    ensemble.project(state_.projection.radii(), parameters);
    return;
  }
  const double factor = step_factor(gradient_.squared_norm());
  for (const std::size_t index : gradient.touched) {
    state_.optimizer.step(index, factor, gradient.values, parameters.values);
  }
  state_.projection.apply(gradient.touched, parameters);
}

void Mlp::differentiate(std::span<const Example> batch) {
  const double weight = 1.0 / static_cast<double>(batch.size());
  const std::span<const double> values = state_.parameters.values;
  const bool scaled = scales_steps(config_);
  const std::size_t trace_size = network_.trace_size();
  arms_.clear();
  for (const Example& example : batch) arms_.push_back(example.arm);
  traces_.resize(batch.size() * trace_size);
  slopes_.resize(batch.size());
  gradient_.begin();
  network_.run_hidden(values, arms_, traces_);
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::span<const double> trace = std::span(traces_).subspan(b * trace_size, trace_size);
    const double output = network_.output(values, arms_[b].block, trace);
    const Target target{.output = output, .cost = batch[b].cost, .weight = weight};
    slopes_[b] = add_slopes(config_.loss, target, shifts(), gradient_.slopes);
  }
  network_.backward(values, arms_, traces_);
  gradient_.add(slopes_, arms_, traces_);
  for (std::size_t b = 0; scaled && b < batch.size(); ++b) {
    const std::span<const double> trace = std::span(traces_).subspan(b * trace_size, trace_size);
    gradient_.squared_output_gradient += weight * network_.squared_gradient(arms_[b], trace);
  }
  if (config_.pull > 0.0) gradient_.add_pull(config_.pull, state_.parameters);
}

// What the gradient is multiplied with: clipping first, then the scaling of the step.
double Mlp::step_factor(double squared_norm) const {
  const double norm = std::sqrt(squared_norm);
  const double clipped = norm > config_.clip ? config_.clip / norm : 1.0;
  return scales_steps(config_) ? clipped / gradient_.squared_output_gradient : clipped;
}

void Mlp::save(ByteWriter& out) const {
  out.u64(state_.update_count);
  for (const Segment& segment : network_.segments()) {
    out.doubles(part(std::span(state_.parameters.values), segment));
  }
  state_.optimizer.save(out);
  if (state_.ensemble.has_value()) state_.ensemble->save(out);
  state_.buffer.save(out);
}

Status Mlp::load(ByteReader& in) {
  MlpState loaded = state_;
  loaded.update_count = in.u64();
  for (const Segment& segment : network_.segments()) {
    in.doubles(part(std::span(loaded.parameters.values), segment));
  }
  loaded.optimizer.load(in);
  if (loaded.ensemble.has_value()) loaded.ensemble->load(in);
  loaded.buffer.load(in);
  const std::uint64_t expected = config_.update == Update::kOnline ? 0 : loaded.update_count;
  if (loaded.buffer.pushed() != expected) in.fail("holds another number of examples than updates");
  if (Status status = in.status(); !status.ok()) return status;
  loaded.projection.measure(loaded.parameters);
  state_ = std::move(loaded);
  return {};
}

}  // namespace

std::unique_ptr<Oracle> make_mlp(const MlpConfig& config, const FeatureLayout& layout) {
  HANDRAIL_ASSERT(check(config, layout).ok());
  return std::make_unique<Mlp>(config, layout);
}

}  // namespace handrail
