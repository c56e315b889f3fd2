#include "handrail/oracle/mlp.h"

#include <cmath>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"
#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/kernels/fast_trainer.h"
#include "handrail/oracle/replay_buffer.h"
#include "handrail/oracle/trainer.h"

namespace handrail {
namespace {

std::size_t memory_limit(const MlpConfig& config) {
  return config.update == Update::kPeriodic ? config.period : config.buffer_limit;
}

std::unique_ptr<Trainer> make_trainer(const MlpConfig& config, const FeatureLayout& layout) {
  return config.precision == Precision::kDouble ? make_reference_trainer(config, layout)
                                                : make_fast_trainer(config, layout);
}

class Mlp final : public Oracle {
 public:
  Mlp(const MlpConfig& config, const FeatureLayout& layout)
      : config_(config),
        layout_(layout),
        trainer_(make_trainer(config, layout)),
        buffer_(memory_limit(config), layout) {}

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& scratch) const override;
  void update(const ArmView& arm, double cost) override;
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& out) const override;
  Status load(ByteReader& in) override;

 private:
  void learn(const Example& newest);
  void update_from_replay();
  void update_from_period();
  void draw_batch(RandomStream& stream);

  MlpConfig config_;
  FeatureLayout layout_;
  std::unique_ptr<Trainer> trainer_;
  ReplayBuffer buffer_;  // kPeriodic: the newest `period`; kOnline: empty
  std::uint64_t update_count_ = 0;
  std::vector<Example> batch_;  // scratch of update()
};

void Mlp::predict(const ArmFeatures& features, std::span<double> costs, Scratch& scratch) const {
  HANDRAIL_ASSERT(features.layout() == layout_ && costs.size() == features.arm_count());
  trainer_->outputs(features, costs, scratch);
  predict_costs(config_.loss, trainer_->shifts(), costs);
}

void Mlp::update(const ArmView& arm, double cost) {
  HANDRAIL_ASSERT(cost >= 0.0 && cost <= 1.0);
  ++update_count_;
  learn({.arm = arm, .cost = cost});
  trainer_->settle();
}

void Mlp::learn(const Example& newest) {
  if (config_.update == Update::kOnline) return trainer_->step({&newest, 1});
  buffer_.push(newest);
  if (config_.update == Update::kReplay) return update_from_replay();
  if (update_count_ % config_.period == 0) update_from_period();
}

void Mlp::update_from_replay() {
  RandomStream stream(config_.seed, Purpose::kReplay, update_count_);
  for (std::size_t i = 0; i < config_.batches; ++i) {
    draw_batch(stream);
    trainer_->step(batch_);
  }
}

void Mlp::draw_batch(RandomStream& stream) {
  batch_.clear();
  if (buffer_.size() < config_.batch) {
    for (std::size_t i = 0; i < buffer_.size(); ++i) batch_.push_back(buffer_.slot(i));
    return;
  }
  // So what was just seen is learned from at once, and several times while it is new.
  const double newest = std::round(config_.newest_share * static_cast<double>(config_.batch));
  for (std::size_t i = 1; i <= static_cast<std::size_t>(newest); ++i) {
    batch_.push_back(buffer_.by_age(buffer_.size() - i));
  }
  while (batch_.size() < config_.batch) {
    const std::size_t index = stream.below(buffer_.size());
    buffer_.prefetch(index);
    batch_.push_back(buffer_.slot(index));
  }
}

void Mlp::update_from_period() {
  batch_.clear();
  for (std::size_t i = 0; i < buffer_.size(); ++i) batch_.push_back(buffer_.by_age(i));
  const std::span<const Example> newest(batch_);
  switch (config_.reading) {
    case PeriodicReading::kSteps:
      for (const Example& example : newest) trainer_->step({&example, 1});
      return;
    case PeriodicReading::kMean:
      return trainer_->step(newest);
    case PeriodicReading::kNewest:
      return trainer_->step(newest.last(1));
  }
}

void Mlp::save(ByteWriter& out) const {
  out.u64(update_count_);
  trainer_->save(out);
  buffer_.save(out);
}

Status Mlp::load(ByteReader& in) {
  // Nothing of this changes before all of it was read.
  const std::uint64_t update_count = in.u64();
  std::unique_ptr<Trainer> trainer = make_trainer(config_, layout_);
  trainer->load(in);
  ReplayBuffer buffer(memory_limit(config_), layout_);
  buffer.load(in);
  const std::uint64_t expected = config_.update == Update::kOnline ? 0 : update_count;
  if (buffer.pushed() != expected) in.fail("holds another number of examples than updates");
  if (Status status = in.status(); !status.ok()) return status;
  update_count_ = update_count;
  trainer_ = std::move(trainer);
  buffer_ = std::move(buffer);
  return {};
}

}  // namespace

std::unique_ptr<Oracle> make_mlp(const MlpConfig& config, const FeatureLayout& layout) {
  HANDRAIL_ASSERT(check(config, layout).ok());
  return std::make_unique<Mlp>(config, layout);
}

}  // namespace handrail
