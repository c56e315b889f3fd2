#include "handrail/oracle/kernels/fast_ensemble.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

std::vector<std::vector<SignCode>> codes_of(const SignTable& signs, std::size_t plane_count,
                                            std::span<const Segment> segments) {
  const std::size_t size = segments.back().offset + segments.back().size;
  std::vector<std::vector<SignCode>> codes(plane_count, std::vector<SignCode>(size, 0));
  for (std::size_t s = 0; s < signs.copy_count(); ++s) {
    std::vector<SignCode>& plane = codes[s / kCopiesPerCode];
    for (const Segment& segment : segments) {
      for (std::size_t i = segment.offset; i < segment.offset + segment.size; ++i) {
        const unsigned bit = signs.sign(s, i) > 0.0 ? 1U : 0U;
        plane[i] = static_cast<SignCode>(plane[i] | (bit << (s % kCopiesPerCode)));
      }
    }
  }
  return codes;
}

std::size_t longest(std::span<const Segment> segments) {
  return std::ranges::max(segments, {}, &Segment::size).size;
}

}  // namespace

FastEnsemble::FastEnsemble(const SignTable& signs, double kappa, std::span<const Segment> segments,
                           Isa isa)
    : kernels_(step_kernels(isa)),
      segments_(segments.begin(), segments.end()),
      account_(signs, kappa, segments),
      plane_count_((signs.copy_count() + kCopiesPerCode - 1) / kCopiesPerCode),
      codes_(codes_of(signs, plane_count_, segments)),
      due_(signs.copy_count(), 0.0),
      given_(segments.size() * signs.copy_count(), 0.0),
      coefficients_(signs.copy_count(), 0.0),
      plane_(kCopiesPerCode, 0.0F),
      displacement_(longest(segments), 0.0F),
      measured_(plane_count_ * kCopiesPerCode, 0.0) {}

// Gives a segment what it is due.
void FastEnsemble::add_due(std::size_t index, FastParameters& parameters) {
  const std::size_t copy_count = account_.copy_count();
  const Segment& segment = segments_[index];
  double* const given = given_.data() + index * copy_count;
  if (std::equal(due_.begin(), due_.end(), given)) return;
  for (std::size_t plane = 0; plane < plane_count_; ++plane) {
    for (std::size_t k = 0; k < kCopiesPerCode; ++k) {
      const std::size_t s = plane * kCopiesPerCode + k;
      plane_[k] = s < copy_count ? static_cast<float>(due_[s] - given[s]) : 0.0F;
    }
    kernels_.add_signs(plane_.data(), codes_[plane].data() + segment.offset,
                       parameters.values.data() + segment.offset, segment.size);
  }
  std::ranges::copy(due_, given);
}

void FastEnsemble::refresh(std::span<const std::size_t> touched, FastParameters& parameters) {
  if (!is_due_) return;
  for (const std::size_t index : touched) add_due(index, parameters);
}

double FastEnsemble::measure(std::span<const std::size_t> touched, std::span<const double> slopes,
                             const float* gradient, const FastParameters& parameters) {
  const std::size_t copy_count = account_.copy_count();
  account_.begin();
  for (const std::size_t index : touched) {
    const Segment& segment = segments_[index];
    const float* const g = gradient + segment.offset;
    account_.along_displacement(segment.layer) +=
        kernels_.along_displacement(parameters.values.data() + segment.offset,
                                    parameters.initial.data() + segment.offset, g, segment.size);
    account_.squared_norm(segment.layer) += kernels_.squared_norm(g, segment.size);
    double* const sums = account_.along_signs(segment.layer).data();
    for (std::size_t plane = 0; plane < plane_count_; ++plane) {
      const std::size_t first = plane * kCopiesPerCode;
      kernels_.sign_dots(g, codes_[plane].data() + segment.offset, segment.size,
                         std::min(kCopiesPerCode, copy_count - first), sums + first);
    }
  }
  return account_.finish(slopes);
}

void FastEnsemble::step(double rate, std::span<const std::size_t> touched,
                        std::span<const double> slopes, const float* gradient,
                        FastParameters& parameters) {
  account_.step(rate);
  for (const std::size_t index : touched) {
    const Segment& segment = segments_[index];
    kernels_.add_scaled(static_cast<float>(-rate), gradient + segment.offset,
                        parameters.values.data() + segment.offset, segment.size);
  }
  account_.dense_coefficients(rate, slopes, coefficients_);
  for (std::size_t s = 0; s < due_.size(); ++s) due_[s] += coefficients_[s];
  is_due_ = true;
}

void FastEnsemble::project(std::span<const double> radii, FastParameters& parameters) {
  for (std::size_t l = 0; l < radii.size(); ++l) {
    const double factor = account_.project(l, radii[l]);
    if (factor == 1.0) continue;
    for (std::size_t index = 0; index < segments_.size(); ++index) {
      const Segment& segment = segments_[index];
      if (segment.layer != l) continue;
      add_due(index, parameters);
      kernels_.shrink(static_cast<float>(factor), parameters.initial.data() + segment.offset,
                      parameters.values.data() + segment.offset, segment.size);
    }
  }
}

void FastEnsemble::settle(FastParameters& parameters) {
  if (!is_due_) return;
  for (std::size_t index = 0; index < segments_.size(); ++index) add_due(index, parameters);
  std::ranges::fill(due_, 0.0);
  std::ranges::fill(given_, 0.0);
  is_due_ = false;
  if (++settled_ % kRemeasurePeriod == 0) remeasure(parameters);
}

void FastEnsemble::remeasure(const FastParameters& parameters) {
  const std::size_t copy_count = account_.copy_count();
  std::vector<double>& sums = measured_;
  for (std::size_t l = 0; l < account_.layer_count(); ++l) {
    double squared = 0.0;
    std::ranges::fill(sums, 0.0);
    for (const Segment& segment : segments_) {
      if (segment.layer != l) continue;
      const float* const now = parameters.values.data() + segment.offset;
      const float* const start = parameters.initial.data() + segment.offset;
      float* const displacement = displacement_.data();
      std::copy(now, now + segment.size, displacement);
      kernels_.add_scaled(-1.0F, start, displacement, segment.size);
      squared += kernels_.squared_norm(displacement, segment.size);
      for (std::size_t plane = 0; plane < plane_count_; ++plane) {
        const std::size_t first = plane * kCopiesPerCode;
        kernels_.sign_dots(displacement, codes_[plane].data() + segment.offset, segment.size,
                           std::min(kCopiesPerCode, copy_count - first), sums.data() + first);
      }
    }
    account_.remeasure(l, squared, std::span(sums).first(copy_count));
  }
}

void FastEnsemble::save(ByteWriter& out) const {
  HANDRAIL_ASSERT(!is_due_);
  out.u64(settled_);
  account_.save(out);
}

void FastEnsemble::load(ByteReader& in) {
  settled_ = in.u64();
  account_.load(in);
}

}  // namespace handrail
