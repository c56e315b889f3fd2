#include "handrail/oracle/kernels/fast_ensemble.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

constexpr std::size_t words_for(std::size_t copy_count) {
  return (copy_count + kCopiesPerWord - 1) / kCopiesPerWord;
}

std::vector<AlignedVector<SignWord>> words_of(const SignTable& signs, const FastLayout& layout,
                                              const SignKernels& kernels) {
  const std::span<const Segment> segments = layout.segments();
  const std::size_t size = segments.back().offset + sign_padded(segments.back().size);
  std::vector<AlignedVector<SignWord>> words(words_for(signs.copy_count()),
                                             AlignedVector<SignWord>(size, 0));
  for (std::size_t s = 0; s < signs.copy_count(); ++s) {
    AlignedVector<SignWord>& some = words[s / kCopiesPerWord];
    layout.for_each_parameter([&](std::size_t number, std::size_t place) {
      const unsigned bit = signs.sign(s, number) > 0.0 ? 1U : 0U;
      some[place] = static_cast<SignWord>(some[place] | (bit << (s % kCopiesPerWord)));
    });
  }
  for (AlignedVector<SignWord>& some : words) {
    for (const Segment& segment : segments) {
      kernels.arrange(some.data() + segment.offset, sign_padded(segment.size));
    }
  }
  return words;
}

// To a whole number, as std::rint() does for numbers this small, without a call.
double rounded(double number) {
  constexpr double kNoFractions = 0x1.8p52;
  return (number + kNoFractions) - kNoFractions;
}

std::size_t longest(std::span<const Segment> segments) {
  return std::ranges::max(segments, {}, &Segment::size).size;
}

// Only a projection has to know layers apart.
std::vector<Segment> measured_segments(std::span<const Segment> segments, Measures measures) {
  std::vector<Segment> result(segments.begin(), segments.end());
  if (measures == Measures::kDistances) return result;
  for (Segment& segment : result) segment.layer = 0;
  return result;
}

}  // namespace

FastEnsemble::FastEnsemble(const SignTable& signs, double kappa, const FastNetwork& network,
                           Measures measures, Isa isa)
    : layout_(network.layout()),
      signs_(sign_kernels(isa)),
      kernels_(step_kernels(isa)),
      measures_(measures),
      segments_(measured_segments(layout_.segments(), measures)),
      account_(signs, kappa, measured_segments(network.network().segments(), measures), measures),
      words_(words_of(signs, layout_, signs_)),
      due_(signs.copy_count(), 0.0),
      given_(segments_.size() * signs.copy_count(), 0.0),
      steps_{.due = due_, .given = due_, .tables = std::vector<SignTables>(words_.size())},
      wanted_(signs.copy_count(), 0.0),
      coefficients_(signs.copy_count(), 0.0),
      displacement_(sign_padded(longest(segments_)), 0.0F),
      measured_(signs.copy_count(), 0.0) {
  HANDRAIL_ASSERT(segments_.size() > 1);
  runs_.reserve(segments_.size());
  join_runs();
  for (std::size_t k = 0; k < steps_.tables.size(); ++k) {
    steps_.tables[k].copy_count = std::min(kCopiesPerWord, due_.size() - k * kCopiesPerWord);
  }
}

// The longest runs there are, of accounts that are right.
void FastEnsemble::join_runs() {
  for (std::size_t index = 0; index + 1 < segments_.size(); ++index) {
    if (!runs_.empty() && have_got_same(runs_.back().first, index)) {
      ++runs_.back().end;
    } else {
      runs_.push_back({index, index + 1});
    }
  }
}

// Before a segment is looked at alone: makes every account right.
void FastEnsemble::part_runs() {
  if (runs_.empty()) return;
  spread_accounts(given_);
  double* const last = given_of(segments_.size() - 1);
  for (std::size_t s = 0; s < due_.size(); ++s) last[s] += due_[s];
  runs_.clear();
}

void FastEnsemble::spread_accounts(std::span<double> given) const {
  const auto account = [&](std::size_t index) {
    return given.subspan(index * due_.size(), due_.size());
  };
  for (const SegmentRun& run : runs_) {
    for (std::size_t index = run.first + 1; index < run.end; ++index) {
      std::ranges::copy(account(run.first), account(index).begin());
    }
  }
}

bool FastEnsemble::have_got_same(std::size_t one, std::size_t other) {
  return std::memcmp(given_of(one), given_of(other), due_.size() * sizeof(double)) == 0;
}

// Makes the steps those of `wanted_`. What is too little for a float stays due; what is no number
// makes the parameters none either.
void FastEnsemble::prepare_steps() {
  steps_.due = wanted_;
  double size = 0.0;
  for (const double due : wanted_) size += std::abs(due);
  // Rounding adds up to half a step for each copy.
  const double room = SignTables::kMostSteps - static_cast<int>(kCopiesPerWord);
  steps_.unit = static_cast<float>(size / room);
  const bool is_number = std::isfinite(steps_.unit);
  const bool is_enough = steps_.unit >= std::numeric_limits<float>::min();
  if (is_number && !is_enough) steps_.unit = 0.0F;
  const auto unit = static_cast<double>(steps_.unit);
  const double inverse = is_number && is_enough ? 1.0 / unit : 0.0;
  for (std::size_t k = 0; k < steps_.tables.size(); ++k) {
    const std::size_t first = k * kCopiesPerWord;
    const std::size_t count = std::min(kCopiesPerWord, wanted_.size() - first);
    float whole[kCopiesPerWord] = {};
    for (std::size_t s = 0; s < count; ++s) {
      const double steps = inverse > 0.0 ? rounded(wanted_[first + s] * inverse) : 0.0;
      whole[s] = static_cast<float>(steps);
      steps_.given[first + s] = unit * steps;
    }
    signs_.fill_tables(whole, steps_.tables[k]);
  }
}

// Gives segments what they are due. They have got the same, as the account of the first says.
void FastEnsemble::add_due(const SegmentRun& run, FastParameters& parameters) {
  const double* const given = given_of(run.first);
  bool is_owed = false;
  for (std::size_t s = 0; s < due_.size(); ++s) {
    wanted_[s] = due_[s] - given[s];
    is_owed |= wanted_[s] != 0.0;
  }
  if (!is_owed) return;
  if (wanted_ != steps_.due) prepare_steps();
  if (steps_.unit == 0.0F) return;
  const Segment& first = segments_[run.first];
  const Segment& last = segments_[run.end - 1];
  const std::size_t count = last.offset + sign_padded(last.size) - first.offset;
  for (std::size_t k = 0; k < steps_.tables.size(); ++k) {
    signs_.add_steps(steps_.tables[k], steps_.unit, words_[k].data() + first.offset,
                     parameters.values.data() + first.offset, count);
  }
  for (std::size_t s = 0; s < due_.size(); ++s) given_of(run.first)[s] += steps_.given[s];
}

void FastEnsemble::refresh(std::span<const std::size_t> touched, FastParameters& parameters) {
  if (!is_due_) return;
  part_runs();
  for (const std::size_t index : touched) add_due({index, index + 1}, parameters);
}

void FastEnsemble::level(FastParameters& parameters) {
  // Between two settles steps are of one kind as a rule, so this pass over everything is rare.
  if (runs_.empty()) settle(parameters);
}

void FastEnsemble::add_dots(const float* values, const Segment& segment, double* sums) const {
  for (std::size_t k = 0; k < words_.size(); ++k) {
    const std::size_t first = k * kCopiesPerWord;
    signs_.dots(values, words_[k].data() + segment.offset, sign_padded(segment.size),
                std::min(kCopiesPerWord, due_.size() - first), sums + first);
  }
}

void FastEnsemble::measure(std::span<const std::size_t> touched, const float* gradient,
                           const FastParameters& parameters) {
  for (const std::size_t index : touched) {
    const Segment& segment = segments_[index];
    const float* const g = gradient + segment.offset;
    if (measures_ == Measures::kDistances) {
      account_.along_displacement(segment.layer) +=
          kernels_.along_displacement(parameters.values.data() + segment.offset,
                                      parameters.initial.data() + segment.offset, g, segment.size);
    }
    if (measures_ != Measures::kSigns) {
      account_.squared_norm(segment.layer) += kernels_.squared_norm(g, segment.size);
    }
    add_dots(g, segment, account_.along_signs(segment.layer).data());
  }
}

void FastEnsemble::set_measured(double slope, double squared_norm,
                                std::span<const float> along_signs) {
  HANDRAIL_ASSERT(measures_ != Measures::kDistances && along_signs.size() == due_.size());
  if (measures_ == Measures::kNorms) account_.squared_norm(0) = slope * slope * squared_norm;
  const std::span<double> sums = account_.along_signs(0);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    sums[s] = slope * static_cast<double>(along_signs[s]);
  }
}

void FastEnsemble::step(double rate, std::span<const std::size_t> touched,
                        std::span<const double> slopes, const float* gradient,
                        FastParameters& parameters) {
  for (const std::size_t index : touched) {
    const Segment& segment = segments_[index];
    kernels_.add_scaled(static_cast<float>(-rate), gradient + segment.offset,
                        parameters.values.data() + segment.offset, segment.size);
  }
  part_runs();
  owe(rate, slopes);
}

std::span<const double> FastEnsemble::advance(double rate, std::span<const double> slopes) {
  HANDRAIL_ASSERT(!runs_.empty());
  owe(rate, slopes);
  return coefficients_;
}

void FastEnsemble::owe(double rate, std::span<const double> slopes) {
  account_.step(rate);
  account_.dense_coefficients(rate, slopes, coefficients_);
  for (std::size_t s = 0; s < due_.size(); ++s) due_[s] += coefficients_[s];
  is_due_ = true;
}

void FastEnsemble::project(std::span<const double> radii, FastParameters& parameters) {
  if (measures_ != Measures::kDistances) return;
  for (std::size_t l = 0; l < radii.size(); ++l) {
    const double factor = account_.project(l, radii[l]);
    if (factor == 1.0) continue;
    for (std::size_t index = 0; index < segments_.size(); ++index) {
      const Segment& segment = segments_[index];
      if (segment.layer != l) continue;
      add_due({index, index + 1}, parameters);
      kernels_.shrink(static_cast<float>(factor), parameters.initial.data() + segment.offset,
                      parameters.values.data() + segment.offset, segment.size);
    }
  }
}

void FastEnsemble::settle(FastParameters& parameters) {
  if (!is_due_) return;
  if (runs_.empty()) {
    settle_run({segments_.size() - 1, segments_.size()}, parameters);
    join_runs();
  }
  // Most segments were never looked at one by one, so this is one pass over the parameters.
  for (const SegmentRun& run : runs_) settle_run(run, parameters);
  std::ranges::fill(due_, 0.0);
  is_due_ = false;
  if (++settled_ % kRemeasurePeriod == 0) remeasure(parameters);
}

void FastEnsemble::settle_run(const SegmentRun& run, FastParameters& parameters) {
  add_due(run, parameters);
  double* const given = given_of(run.first);
  for (std::size_t s = 0; s < due_.size(); ++s) given[s] -= due_[s];
}

void FastEnsemble::remeasure(const FastParameters& parameters) {
  for (std::size_t l = 0; l < account_.layer_count(); ++l) {
    double squared = 0.0;
    std::ranges::fill(measured_, 0.0);
    for (std::size_t index = 0; index < segments_.size(); ++index) {
      const Segment& segment = segments_[index];
      if (segment.layer != l) continue;
      const float* const now = parameters.values.data() + segment.offset;
      const float* const start = parameters.initial.data() + segment.offset;
      float* const displacement = displacement_.data();
      std::copy(now, now + segment.size, displacement);
      std::fill(displacement + segment.size, displacement + sign_padded(segment.size), 0.0F);
      kernels_.add_scaled(-1.0F, start, displacement, segment.size);
      layout_.clear_fillings(index, displacement);  // they got steps like all others
      squared += kernels_.squared_norm(displacement, segment.size);
      add_dots(displacement, segment, measured_.data());
    }
    account_.remeasure(l, squared, measured_);
  }
}

void FastEnsemble::save(ByteWriter& out) const {
  HANDRAIL_ASSERT(!is_due_);
  out.u64(settled_);
  account_.save(out);
  std::vector<double> given = given_;
  spread_accounts(given);
  out.doubles(given);
}

void FastEnsemble::load(ByteReader& in) {
  settled_ = in.u64();
  account_.load(in);
  in.doubles(given_);
  runs_.clear();
  join_runs();
}

}  // namespace handrail
