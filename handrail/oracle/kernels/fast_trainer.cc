#include "handrail/oracle/kernels/fast_trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/fast_diagonal.h"
#include "handrail/oracle/kernels/fast_ensemble.h"
#include "handrail/oracle/kernels/fast_network.h"
#include "handrail/oracle/kernels/plain_network.h"
#include "handrail/oracle/kernels/plain_signs.h"
#include "handrail/oracle/kernels/step_kind.h"
#include "handrail/oracle/training_loss.h"

namespace handrail {
namespace {

// Zeros behind an optimizer's numbers in a file, which had room for a vector there from the start.
constexpr std::size_t kFileRoom = 16;

// What untouched blocks are owed is settled before it comes near the smallest number.
constexpr double kLeastKept = 1e-30;

class FastTrainer final : public Trainer {
 public:
  FastTrainer(const MlpConfig& config, const FeatureLayout& layout);

  void outputs(const ArmFeatures& features, std::span<double> outputs,
               Scratch& scratch) const override;
  std::span<const double> shifts() const override;
  void step(std::span<const Example> batch) override;
  double descend(std::span<const Example> batch, const Descent& descent) override;
  void settle() override;
  void measure(const ArmFeatures& features, const ArmMeasures& measures,
               Scratch& scratch) const override;
  void meet(const ArmView& arm) override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  void touch(std::span<const Example> batch);
  void reserve(std::size_t batch_size);
  void read(std::span<const Example> batch);
  void differentiate(std::span<const Example> batch);
  double mean_squared_gradient();
  void step_plainly(const Example& example);
  void step_directly();
  void step_fused();
  void fill_gradient();
  void step_buffered();
  void step_one_copied(const Example& example);
  void step_segment(std::size_t index, double factor);
  void project();

  void bring_up_to_date();
  void decay_segment(std::size_t index);
  void settle_decay();

  std::span<const Segment> segments() const { return fast_.layout().segments(); }
  void save_numbers(ByteWriter& out, const AlignedFloats& floats) const;
  void load_numbers(ByteReader& in, AlignedFloats& floats) const;
  float* values() { return parameters_.values.data(); }

  MlpConfig config_;
  Network network_;
  FastNetwork fast_;
  std::optional<PlainNetwork> plain_;  // if it is one
  const ProductKernels& products_;
  const StepKernels& kernels_;
  std::vector<double> radii_;
  std::optional<PlainSigns> plain_signs_;  // if copies step on one example directly
  bool descends_plainly_;                  // one example's step knows all it needs on its way back

  // Changes from step to step; this is what is saved.
  FastParameters parameters_;
  AlignedFloats first_;                     // Adam: mean of gradients
  AlignedFloats second_;                    // AdaGrad: sum of squares; Adam: their mean
  std::vector<std::uint64_t> step_counts_;  // Adam: by segment
  std::optional<FastEnsemble> ensemble_;
  std::optional<FastDiagonal> diagonal_;
  // What descend() still owes a segment's weights: they are its numbers times kept_ / given_.
  double kept_ = 1.0;
  std::vector<double> given_;

  // Scratch of step(), meaningless between calls.
  AlignedBytes plain_memory_;  // of steps on one example
  AlignedBytes memory_;
  FastBatch batch_;  // in that memory
  AlignedFloats gradient_;
  std::vector<std::size_t> touched_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<double> slopes_;           // by copy
  std::vector<float> coefficients_;      // of each example's f in the loss
  std::vector<float> top_coefficients_;  // times the output's scale
  std::vector<float> ones_;
  double squared_output_gradient_ = 0.0;  // mean of |∇f|², where steps are scaled by it
};

FastTrainer::FastTrainer(const MlpConfig& config, const FeatureLayout& layout)
    : config_(config),
      network_(network_shape(config), layout),
      fast_(network_, config.activation, config.isa),
      products_(product_kernels(config.isa)),
      kernels_(step_kernels(config.isa)),
      radii_(radii_of(config)),
      descends_plainly_(fast_.is_plain() && descends_plainly(config)),
      given_(segments().size(), 1.0),
      is_touched_(segments().size(), 0),
      slopes_(std::max<std::size_t>(config.ensemble, 1), 0.0) {
  if (fast_.is_plain()) plain_.emplace(fast_, config.isa);
  parameters_.values = fast_.layout().spread(network_.initial_parameters(config.seed));
  const std::size_t size = parameters_.values.size();
  if (config.ensemble > 0 || config.pull > 0.0 || is_bounded(config))
    parameters_.initial = parameters_.values;
  if (config.optimizer != Optimizer::kSgd) second_.assign(size, 0.0F);
  if (config.optimizer == Optimizer::kAdam) {
    first_.assign(size, 0.0F);
    step_counts_.assign(segments().size(), 0);
  }
  const StepKind kind = step_kind(config, fast_, std::numeric_limits<std::size_t>::max());
  if (kind == StepKind::kBuffered || kind == StepKind::kCopies) gradient_.assign(size, 0.0F);
  touched_.reserve(is_touched_.size());  // which batch touches the most blocks may come late
  if (config.diagonal > 0.0) diagonal_.emplace(fast_, config.diagonal);
  if (config.ensemble > 0) {
    const auto signs = SignTable::draw(config.seed, config.ensemble, network_.parameter_count());
    const Measures measures = is_bounded(config)           ? Measures::kDistances
                              : std::isfinite(config.clip) ? Measures::kNorms
                                                           : Measures::kSigns;
    ensemble_.emplace(signs, perturbation_scale(config), fast_, measures, config.isa);
    if (steps_copies_directly(config, fast_)) plain_signs_.emplace(signs, network_, config.isa);
  }
}

std::span<const double> FastTrainer::shifts() const {
  if (ensemble_.has_value()) return ensemble_->shifts();
  return no_shift();
}

void FastTrainer::outputs(const ArmFeatures& features, std::span<double> outputs,
                          Scratch& scratch) const {
  HANDRAIL_ASSERT(features.layout() == network_.layout() && outputs.size() == features.arm_count());
  const float* const weights = parameters_.values.data();
  if (features.shape() == FeatureShape::kBlock) {
    return fast_.block_outputs(weights, features, scratch.bytes, outputs);
  }
  fast_.batch_outputs(weights, features, scratch.bytes, outputs);
}

// The dense segments and the blocks of the batch.
void FastTrainer::touch(std::span<const Example> batch) {
  for (const std::size_t index : touched_) is_touched_[index] = 0;
  touched_.clear();
  const std::size_t first = network_.first_block();
  const auto add = [&](std::size_t index) {
    if (is_touched_[index] != 0) return;
    is_touched_[index] = 1;
    touched_.push_back(index);
  };
  for (std::size_t i = 0; i < first; ++i) add(i);
  for (std::size_t i = first + network_.block_count(); i < is_touched_.size(); ++i) add(i);
  for (const Example& example : batch) add(first + example.arm.block);
}

void FastTrainer::reserve(std::size_t batch_size) {
  if (batch_.count == batch_size) return;
  batch_ = fast_.batch(batch_size, memory_);
  coefficients_.resize(batch_size);
  top_coefficients_.resize(batch_size);
  ones_.assign(batch_size, 1.0F);
}

void FastTrainer::read(std::span<const Example> batch) {
  reserve(batch.size());
  for (std::size_t b = 0; b < batch.size(); ++b) fast_.read(b, batch[b].arm, batch_);
}

// Forwards and backwards, of a batch that was read. Fills the coefficients and the copies' slopes.
void FastTrainer::differentiate(std::span<const Example> batch) {
  fast_.run_hidden(values(), batch_);
  const double weight = 1.0 / static_cast<double>(batch.size());
  const auto scale = static_cast<float>(network_.output_scale());
  std::ranges::fill(slopes_, 0.0);
  for (std::size_t b = 0; b < batch.size(); ++b) {
    fast_.run_output(values(), b, batch_);
    const Target target{
        .output = static_cast<double>(batch_.outputs[b]), .cost = batch[b].cost, .weight = weight};
    coefficients_[b] = static_cast<float>(add_slopes(config_.loss, target, shifts(), slopes_));
    top_coefficients_[b] = scale * coefficients_[b];
    fast_.begin_backward(values(), b, coefficients_[b], batch_);
  }
  squared_output_gradient_ = 0.0;
  if (!scales_steps(config_)) return fast_.finish_backward(values(), batch_);
  squared_output_gradient_ = mean_squared_gradient();
  fast_.backward(values(), coefficients_, batch_);
}

double FastTrainer::mean_squared_gradient() {
  fast_.backward(values(), ones_, batch_);
  double sum = 0.0;
  for (std::size_t b = 0; b < batch_.count; ++b) sum += fast_.squared_gradient(batch_, b);
  return sum / static_cast<double>(batch_.count);
}

void FastTrainer::step(std::span<const Example> batch) {
  if (descends_plainly_ && batch.size() == 1) return step_plainly(batch[0]);
  const StepKind kind = step_kind(config_, fast_, batch.size());
  if (kind == StepKind::kOneCopied) return step_one_copied(batch[0]);
  read(batch);
  if (kind == StepKind::kBuffered || kind == StepKind::kCopies) touch(batch);
  if (kind == StepKind::kCopies) ensemble_->refresh(touched_, parameters_);
  differentiate(batch);
  if (scales_steps(config_) && squared_output_gradient_ == 0.0) return;
  switch (kind) {
    case StepKind::kDirect:
      return step_directly();
    case StepKind::kFused:
      return step_fused();
    case StepKind::kBuffered:
    case StepKind::kCopies:
      fill_gradient();
      return step_buffered();
    case StepKind::kOneCopied:
      HANDRAIL_ASSERT(false);
  }
}

void FastTrainer::step_plainly(const Example& example) {
  PlainPass pass = plain_->list(example.arm, plain_memory_);
  plain_->run(values(), nullptr, pass);
  const double slope = loss_slope(config_.loss, pass.output, example.cost);
  products_.descend(plain_->example(pass, static_cast<float>(slope)),
                    static_cast<float>(config_.learning_rate), plain_->arm(values(), pass.block));
}

void FastTrainer::step_directly() {
  // The norm of one example's gradient is that of f times its coefficient.
  double squared_norm = 0.0;
  if (std::isfinite(config_.clip)) {
    const auto slope = static_cast<double>(coefficients_[0]);
    squared_norm = slope * slope * mean_squared_gradient();
    fast_.backward(values(), coefficients_, batch_);
  }
  const double factor = step_factor(config_, {squared_norm, squared_output_gradient_});
  const auto rate = static_cast<float>(-config_.learning_rate * factor);
  fast_.for_each_product(batch_, top_coefficients_,
                         [&](std::size_t offset, const Products& products) {
                           products_.add(products, rate, values() + offset);
                         });
}

void FastTrainer::step_fused() {
  const auto rate = static_cast<float>(config_.learning_rate);
  fast_.for_each_product(
      batch_, top_coefficients_, [&](std::size_t offset, const Products& products) {
        products_.adagrad(products, rate, second_.data() + offset, values() + offset);
      });
}

// Of the touched segments.
void FastTrainer::fill_gradient() {
  for (const std::size_t index : touched_) {
    const Segment& segment = segments()[index];
    std::fill_n(gradient_.begin() + static_cast<std::ptrdiff_t>(segment.offset), segment.size,
                0.0F);
  }
  fast_.for_each_product(batch_, top_coefficients_,
                         [&](std::size_t offset, const Products& products) {
                           products_.add(products, 1.0F, gradient_.data() + offset);
                         });
}

// A plain step with the mean slope of the copies, between looking their signs up and telling them.
void FastTrainer::step_one_copied(const Example& example) {
  ensemble_->level(parameters_);
  const PlainArm arm = plain_->arm(values(), example.arm.block);
  PlainPass pass = plain_->list(example.arm, plain_memory_);
  plain_signs_->look_up(pass.block, pass.row, ensemble_->due(), arm.biases);
  plain_->run(values(), plain_signs_->start(), pass);
  // Of ∇f, so that nothing here waits for the output.
  const std::span<const float> along_signs =
      plain_signs_->along_signs(plain_->example(pass, 1.0F), arm.outputs);
  std::ranges::fill(slopes_, 0.0);
  const Target target{.output = pass.output, .cost = example.cost};
  const double slope = add_slopes(config_.loss, target, shifts(), slopes_);
  GradientNorms norms;
  if (scales_steps(config_) || std::isfinite(config_.clip)) {
    norms.squared_output_gradient = plain_->squared_gradient(values(), pass);
    if (scales_steps(config_) && norms.squared_output_gradient == 0.0) return;
  }
  const PlainExample back = plain_->example(pass, static_cast<float>(slope));
  ensemble_->set_measured(slope, norms.squared_output_gradient, along_signs);
  norms.squared_norm = ensemble_->finish(slopes_);
  const double rate = config_.learning_rate * step_factor(config_, norms);
  products_.descend(back, static_cast<float>(rate), arm);
  plain_signs_->add_to_outputs(ensemble_->advance(rate, slopes_), arm.outputs);  // the last segment
}

void FastTrainer::step_buffered() {
  if (ensemble_.has_value()) {
    ensemble_->begin();
    ensemble_->measure(touched_, gradient_.data(), parameters_);
    const double squared = ensemble_->finish(slopes_);
    const double factor = step_factor(config_, {squared, squared_output_gradient_});
    ensemble_->step(config_.learning_rate * factor, touched_, slopes_, gradient_.data(),
                    parameters_);
    return ensemble_->project(radii_, parameters_);
  }
  double squared = 0.0;
  for (const std::size_t index : touched_) {
    const Segment& segment = segments()[index];
    float* const gradient = gradient_.data() + segment.offset;
    if (config_.pull > 0.0) {
      kernels_.add_displacement(static_cast<float>(2.0 * config_.pull), values() + segment.offset,
                                parameters_.initial.data() + segment.offset, gradient,
                                segment.size);
    }
    squared += kernels_.squared_norm(gradient, segment.size);
  }
  const double factor = step_factor(config_, {squared, squared_output_gradient_});
  for (const std::size_t index : touched_) step_segment(index, factor);
  project();
}

void FastTrainer::step_segment(std::size_t index, double factor) {
  const Segment& segment = segments()[index];
  const auto rate = static_cast<float>(config_.learning_rate);
  const float* const gradient = gradient_.data() + segment.offset;
  float* const target = values() + segment.offset;
  switch (config_.optimizer) {
    case Optimizer::kSgd:
      return kernels_.add_scaled(static_cast<float>(-config_.learning_rate * factor), gradient,
                                 target, segment.size);
    case Optimizer::kAdaGrad:
      return kernels_.adagrad({.rate = rate, .factor = static_cast<float>(factor)}, gradient,
                              second_.data() + segment.offset, target, segment.size);
    case Optimizer::kAdam:
      const auto count = static_cast<double>(++step_counts_[index]);
      const AdamNumbers numbers{
          .rate = rate,
          .factor = static_cast<float>(factor),
          .first_correction = static_cast<float>(1.0 / (1.0 - std::pow(kAdamFirstDecay, count))),
          .second_correction = static_cast<float>(1.0 / (1.0 - std::pow(kAdamSecondDecay, count)))};
      return kernels_.adam(numbers, gradient, first_.data() + segment.offset,
                           second_.data() + segment.offset, target, segment.size);
  }
}

// Layer by layer onto the balls around the start.
void FastTrainer::project() {
  for (std::size_t l = 0; l < radii_.size(); ++l) {
    if (!std::isfinite(radii_[l])) continue;
    double squared = 0.0;
    for (const Segment& segment : segments()) {
      if (segment.layer != l) continue;
      squared += kernels_.squared_distance(
          values() + segment.offset, parameters_.initial.data() + segment.offset, segment.size);
    }
    if (!(squared > radii_[l] * radii_[l])) continue;
    const auto factor = static_cast<float>(radii_[l] / std::sqrt(squared));
    for (const Segment& segment : segments()) {
      if (segment.layer != l) continue;
      kernels_.shrink(factor, parameters_.initial.data() + segment.offset,
                      values() + segment.offset, segment.size);
    }
  }
}

// A decay moves every weight of every block at every step. Blocks that the batch does not touch are
// told later, all steps at once: when one is touched, or the update ends.
double FastTrainer::descend(std::span<const Example> batch, const Descent& descent) {
  HANDRAIL_ASSERT(descends_plainly(config_) && !batch.empty() && descent.steps > 0);
  touch(batch);
  bring_up_to_date();
  read(batch);
  for (std::size_t i = 0; i < descent.steps; ++i) {
    differentiate(batch);
    kept_ *= 1.0 - config_.learning_rate * descent.decay;
    bring_up_to_date();
    step_directly();
    if (kept_ < kLeastKept) settle_decay();
  }
  double loss_sum = 0.0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    loss_sum += loss_at(config_.loss, static_cast<double>(batch_.outputs[b]), batch[b].cost);
  }
  return loss_sum / static_cast<double>(batch.size());
}

// The touched segments get what they are owed.
void FastTrainer::bring_up_to_date() {
  for (const std::size_t index : touched_) decay_segment(index);
}

void FastTrainer::decay_segment(std::size_t index) {
  if (given_[index] == kept_) return;  // both may be 0
  const auto factor = static_cast<float>(kept_ / given_[index]);
  if (factor == 1.0F) return;  // less than a weight can show: it stays owed
  const Segment& segment = segments()[index];
  kernels_.scale(factor, values() + segment.offset, segment.size);
  given_[index] = kept_;
}

void FastTrainer::settle_decay() {
  for (std::size_t index = 0; index < given_.size(); ++index) decay_segment(index);
  kept_ = 1.0;
  std::ranges::fill(given_, 1.0);
}

void FastTrainer::settle() {
  if (ensemble_.has_value()) ensemble_->settle(parameters_);
  if (kept_ != 1.0) settle_decay();
}

void FastTrainer::measure(const ArmFeatures& features, const ArmMeasures& measures,
                          Scratch& scratch) const {
  HANDRAIL_ASSERT(diagonal_.has_value() && features.layout() == network_.layout());
  diagonal_->measure(parameters_.values.data(), features, scratch.bytes, measures);
}

void FastTrainer::meet(const ArmView& arm) {
  HANDRAIL_ASSERT(diagonal_.has_value());
  diagonal_->meet(values(), arm);
}

// None, or one a parameter. In files zeros follow them.
void FastTrainer::save_numbers(ByteWriter& out, const AlignedFloats& floats) const {
  std::vector<double> numbers(floats.empty() ? 0 : network_.parameter_count() + kFileRoom, 0.0);
  if (!floats.empty()) fast_.layout().gather(floats.data(), numbers);
  out.doubles(numbers);
}

void FastTrainer::save(ByteWriter& out) const {
  std::vector<double> numbers(network_.parameter_count(), 0.0);
  fast_.layout().gather(parameters_.values.data(), numbers);
  for (const Segment& segment : network_.segments()) out.doubles(part(std::span(numbers), segment));
  save_numbers(out, first_);
  save_numbers(out, second_);
  for (const std::uint64_t count : step_counts_) out.u64(count);
  if (ensemble_.has_value()) ensemble_->save(out);
  if (diagonal_.has_value()) diagonal_->save(out);
}

void FastTrainer::load_numbers(ByteReader& in, AlignedFloats& floats) const {
  std::vector<double> numbers(floats.empty() ? 0 : network_.parameter_count() + kFileRoom);
  in.doubles(numbers);
  if (!floats.empty()) fast_.layout().spread(numbers, floats.data());
}

void FastTrainer::load(ByteReader& in) {
  std::vector<double> numbers(network_.parameter_count(), 0.0);
  for (const Segment& segment : network_.segments()) in.doubles(part(std::span(numbers), segment));
  fast_.layout().spread(numbers, parameters_.values.data());
  load_numbers(in, first_);
  load_numbers(in, second_);
  for (std::uint64_t& count : step_counts_) count = in.u64();
  if (ensemble_.has_value()) ensemble_->load(in);
  if (diagonal_.has_value()) diagonal_->load(in);
}

}  // namespace

std::unique_ptr<Trainer> make_fast_trainer(const MlpConfig& config, const FeatureLayout& layout) {
  return std::make_unique<FastTrainer>(config, layout);
}

}  // namespace handrail
