#include <cmath>
#include <optional>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/gradient.h"
#include "handrail/oracle/projection.h"
#include "handrail/oracle/trainer.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

NetworkWeights initial_parameters(const Network& network, std::uint64_t seed) {
  std::vector<double> initial = network.initial_parameters(seed);
  std::vector<double> values = initial;
  return {.values = std::move(values), .initial = std::move(initial)};
}

std::optional<Ensemble> make_ensemble(const MlpConfig& config, const Network& network) {
  if (config.ensemble == 0) return std::nullopt;
  return Ensemble(SignTable::draw(config.seed, config.ensemble, network.parameter_count()),
                  perturbation_scale(config), network.segments());
}

// All that changes from step to step, and so all that is saved.
struct State {
  State(const MlpConfig& config, const Network& network)
      : parameters(initial_parameters(network, config.seed)),
        optimizer(config.optimizer, config.learning_rate, network.segments()),
        projection(radii_of(config), network.segments()),
        ensemble(make_ensemble(config, network)),
        diagonal(config.diagonal > 0.0 ? network.parameter_count() : 0, config.diagonal) {}

  NetworkWeights parameters;
  OptimizerState optimizer;
  Projection projection;
  std::optional<Ensemble> ensemble;
  std::vector<double> diagonal;
};

class ReferenceTrainer final : public Trainer {
 public:
  ReferenceTrainer(const MlpConfig& config, const FeatureLayout& layout)
      : config_(config),
        network_(network_shape(config), layout),
        state_(config, network_),
        gradient_(network_, std::max<std::size_t>(config.ensemble, 1)) {}

  void outputs(const ArmFeatures& features, std::span<double> outputs,
               Scratch& scratch) const override;
  std::span<const double> shifts() const override;
  void step(std::span<const Example> batch) override;
  double descend(std::span<const Example> batch, const Descent& descent) override;
  void settle() override {}
  void measure(const ArmFeatures& features, const ArmMeasures& measures,
               Scratch& scratch) const override;
  void meet(const ArmView& arm) override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  void differentiate(std::span<const Example> batch);
  double descend_once(std::span<const Example> batch, double decay);
  double output_gradient(const ArmView& arm, Scratch& scratch) const;

  MlpConfig config_;
  Network network_;
  State state_;

  // Scratch of step(), meaningless between calls.
  BatchGradient gradient_;
  std::vector<ArmView> arms_;   // of the batch
  std::vector<double> traces_;  // one after the other
  std::vector<double> slopes_;
  Scratch scratch_;  // of meet()
};

std::span<const double> ReferenceTrainer::shifts() const {
  if (state_.ensemble.has_value()) return state_.ensemble->shifts();
  return no_shift();
}

void ReferenceTrainer::outputs(const ArmFeatures& features, std::span<double> outputs,
                               Scratch& scratch) const {
  HANDRAIL_ASSERT(features.layout() == network_.layout() && outputs.size() == features.arm_count());
  scratch.first.resize(network_.trace_size());
  for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
    // Block features are the same for all arms.
    const bool known =
        arm > 0 && network_.shares_hidden_layers() && features.shape() == FeatureShape::kBlock;
    const ArmView view = features.arm(arm);
    if (!known) network_.run_hidden(state_.parameters.values, {&view, 1}, scratch.first);
    outputs[arm] = network_.output(state_.parameters.values, view, scratch.first);
  }
}

void ReferenceTrainer::step(std::span<const Example> batch) {
  differentiate(batch);
  if (scales_steps(config_) && gradient_.squared_output_gradient == 0.0) return;
  const GradientView gradient = gradient_.view();
  const auto factor = [&](double squared_norm) {
    return step_factor(config_, {squared_norm, gradient_.squared_output_gradient});
  };
  NetworkWeights& parameters = state_.parameters;
  if (state_.ensemble.has_value()) {
    Ensemble& ensemble = *state_.ensemble;
    const double length = factor(ensemble.measure(gradient, parameters));
    ensemble.step(config_.learning_rate * length, gradient, parameters);
    ensemble.project(state_.projection.radii(), parameters);
    return;
  }
  const double length = factor(gradient_.squared_norm());
  for (const std::size_t index : gradient.touched) {
    state_.optimizer.step(index, length, gradient.values, parameters.values);
  }
  state_.projection.apply(gradient.touched, parameters);
}

double ReferenceTrainer::descend(std::span<const Example> batch, const Descent& descent) {
  HANDRAIL_ASSERT(descends_plainly(config_) && !batch.empty() && descent.steps > 0);
  double loss = 0.0;
  for (std::size_t i = 0; i < descent.steps; ++i) loss = descend_once(batch, descent.decay);
  return loss;
}

double ReferenceTrainer::descend_once(std::span<const Example> batch, double decay) {
  differentiate(batch);
  double loss_sum = 0.0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::span<const double> trace =
        std::span(traces_).subspan(b * network_.trace_size(), network_.trace_size());
    const double output = network_.output(state_.parameters.values, arms_[b], trace);
    loss_sum += loss_at(config_.loss, output, batch[b].cost);
  }
  const double kept = 1.0 - config_.learning_rate * decay;
  for (double& value : state_.parameters.values) value *= kept;
  const GradientView gradient = gradient_.view();
  for (const std::size_t index : gradient.touched) {
    state_.optimizer.step(index, 1.0, gradient.values, state_.parameters.values);
  }
  return loss_sum / static_cast<double>(batch.size());
}

// Fills scratch.second with ∇f and returns f.
double ReferenceTrainer::output_gradient(const ArmView& arm, Scratch& scratch) const {
  const std::span<const double> values = state_.parameters.values;
  scratch.first.resize(network_.trace_size());
  scratch.second.assign(network_.parameter_count(), 0.0);
  const double output = network_.forward(values, arm, scratch.first);
  network_.backward(values, {&arm, 1}, scratch.first);
  static constexpr double kOne = 1.0;
  network_.add_gradient({&kOne, 1}, {&arm, 1}, scratch.first, scratch.second);
  return output;
}

void ReferenceTrainer::measure(const ArmFeatures& features, const ArmMeasures& measures,
                               Scratch& scratch) const {
  HANDRAIL_ASSERT(!state_.diagonal.empty());
  for (ArmIndex arm = 0; arm < features.arm_count(); ++arm) {
    measures.outputs[arm] = output_gradient(features.arm(arm), scratch);
    double sum = 0.0;
    for (std::size_t p = 0; p < state_.diagonal.size(); ++p) {
      sum += scratch.second[p] * scratch.second[p] / state_.diagonal[p];
    }
    measures.squared_norms[arm] = sum;
  }
}

void ReferenceTrainer::meet(const ArmView& arm) {
  HANDRAIL_ASSERT(!state_.diagonal.empty());
  output_gradient(arm, scratch_);
  for (std::size_t p = 0; p < state_.diagonal.size(); ++p) {
    state_.diagonal[p] += scratch_.second[p] * scratch_.second[p];
  }
}

void ReferenceTrainer::differentiate(std::span<const Example> batch) {
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
    const double output = network_.output(values, arms_[b], trace);
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

void ReferenceTrainer::save(ByteWriter& out) const {
  for (const Segment& segment : network_.segments()) {
    out.doubles(part(std::span(state_.parameters.values), segment));
  }
  state_.optimizer.save(out);
  if (state_.ensemble.has_value()) state_.ensemble->save(out);
  if (!state_.diagonal.empty()) out.doubles(state_.diagonal);
}

void ReferenceTrainer::load(ByteReader& in) {
  for (const Segment& segment : network_.segments()) {
    in.doubles(part(std::span(state_.parameters.values), segment));
  }
  state_.optimizer.load(in);
  if (state_.ensemble.has_value()) state_.ensemble->load(in);
  if (!state_.diagonal.empty()) in.doubles(state_.diagonal);
  for (const double sum : state_.diagonal) {
    if (sum < config_.diagonal) in.fail("holds a diagonal below where it starts");
  }
  state_.projection.measure(state_.parameters);
}

}  // namespace

double step_factor(const MlpConfig& config, const GradientNorms& norms) {
  double clipped = 1.0;
  if (std::isfinite(config.clip)) {  // else nobody has to wait for the norm
    const double norm = std::sqrt(norms.squared_norm);
    if (norm > config.clip) clipped = config.clip / norm;
  }
  return scales_steps(config) ? clipped / norms.squared_output_gradient : clipped;
}

bool descends_plainly(const MlpConfig& config) {
  const bool bounded =
      std::isfinite(config.clip) || std::isfinite(config.rho) || std::isfinite(config.rho_1);
  return config.optimizer == Optimizer::kSgd && !scales_steps(config) && !bounded &&
         config.pull == 0.0 && config.ensemble == 0;
}

std::span<const double> no_shift() {
  static constexpr double kNoShift = 0.0;
  return {&kNoShift, 1};
}

double perturbation_scale(const MlpConfig& config) {
  return config.perturbation * std::pow(static_cast<double>(config.widths.back()), -0.25);
}

std::vector<double> radii_of(const MlpConfig& config) {
  std::vector<double> radii(config.widths.size(), config.rho);
  radii.push_back(config.rho_1);
  return radii;
}

std::unique_ptr<Trainer> make_reference_trainer(const MlpConfig& config,
                                                const FeatureLayout& layout) {
  return std::make_unique<ReferenceTrainer>(config, layout);
}

}  // namespace handrail
