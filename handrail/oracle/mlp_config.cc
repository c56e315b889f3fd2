#include "handrail/oracle/mlp_config.h"

#include <cmath>
#include <string>
#include <string_view>

#include "handrail/base/text.h"

namespace handrail {
namespace {

constexpr std::size_t kMaxLayers = 64;
constexpr std::size_t kMaxWidth = 1 << 20;
constexpr std::size_t kMaxCopies = 4096;
constexpr std::uint64_t kMaxParameters = std::uint64_t{1} << 31;  // signs are drawn by 32-bit index
constexpr std::size_t kMaxExamples = std::size_t{1} << 31;
constexpr std::uint64_t kMaxSigns = std::uint64_t{1} << 33;  // of the perturbed copies

Error wrong(std::string_view name, const std::string& value, std::string_view expected) {
  return Error{std::string(name) + " is " + value + "; " + std::string(expected) + " was expected"};
}

Status check_count(std::string_view name, std::size_t value, std::size_t least, std::size_t most) {
  if (value >= least && value <= most) return {};
  return wrong(name, std::to_string(value),
               "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

Status check_positive(std::string_view name, double value) {
  if (std::isfinite(value) && value > 0.0) return {};
  return wrong(name, to_text(value), "a finite number above 0");
}

Status check_not_negative(std::string_view name, double value) {
  if (std::isfinite(value) && value >= 0.0) return {};
  return wrong(name, to_text(value), "a finite number, 0 or above,");
}

Status check_positive_or_infinite(std::string_view name, double value) {
  if (value > 0.0) return {};
  return wrong(name, to_text(value), "a number above 0, or inf,");
}

Status check_share(std::string_view name, double value) {
  if (value >= 0.0 && value <= 1.0) return {};
  return wrong(name, to_text(value), "a number in [0, 1]");
}

Status check_widths(const MlpConfig& config) {
  if (Status s = check_count("the number of widths", config.widths.size(), 1, kMaxLayers);
      !s.ok()) {
    return s;
  }
  for (const std::size_t width : config.widths) {
    if (Status s = check_count("width", width, 1, kMaxWidth); !s.ok()) return s;
  }
  return {};
}

Status check_numbers(const MlpConfig& config) {
  const Status results[] = {
      check_widths(config),
      check_positive("sigma_1", config.sigma_1),
      check_not_negative("output_init", config.output_init),
      check_count("period", config.period, 1, kMaxExamples),
      check_count("buffer_limit", config.buffer_limit, 1, kMaxExamples),
      check_count("batch", config.batch, 1, kMaxExamples),
      check_count("batches", config.batches, 1, kMaxExamples),
      check_share("newest_share", config.newest_share),
      check_positive("learning_rate", config.learning_rate),
      check_positive_or_infinite("clip", config.clip),
      check_not_negative("pull", config.pull),
      check_positive_or_infinite("rho", config.rho),
      check_positive_or_infinite("rho_1", config.rho_1),
      check_count("ensemble", config.ensemble, 0, kMaxCopies),
      check_not_negative("perturbation", config.perturbation),
      check_not_negative("diagonal", config.diagonal),
  };
  for (const Status& result : results) {
    if (!result.ok()) return result;
  }
  return {};
}

// Total, gaps included. Saturates instead of overflowing.
std::uint64_t parameter_total(const MlpConfig& config, const FeatureLayout& layout) {
  double total = 0.0;
  double inputs = static_cast<double>(layout.feature_count);
  const auto arms = static_cast<double>(layout.block_count);
  const bool own_first = config.own_layer == OwnLayer::kFirst;
  double blocks = own_first ? arms : 1.0;
  const auto rounded = [](double size) { return size + static_cast<double>(kSegmentAlignment); };
  for (const std::size_t width : config.widths) {
    const auto units = static_cast<double>(width);
    total += blocks * rounded(inputs * units) + rounded(units);
    inputs = units;
    blocks = 1.0;
  }
  if (config.skip) inputs += static_cast<double>(layout.feature_count);
  total += (own_first ? 1.0 : arms) * rounded(inputs);
  const auto most = static_cast<double>(kMaxParameters + 1);
  return static_cast<std::uint64_t>(total < most ? total : most);
}

}  // namespace

Status check(const MlpConfig& config) {
  if (Status numbers = check_numbers(config); !numbers.ok()) return numbers;
  const bool descends = config.optimizer == Optimizer::kSgd;
  if (config.step_scaling == StepScaling::kOn && !descends) {
    return Error{"step_scaling is on; it needs optimizer=sgd, the others scale their own steps"};
  }
  if (config.ensemble > 0 && !(descends && config.pull == 0.0)) {
    return Error{"ensemble is " + std::to_string(config.ensemble) +
                 "; it needs optimizer=sgd and pull=0"};
  }
  return {};
}

Status check(const MlpConfig& config, const FeatureLayout& layout) {
  if (Status alone = check(config); !alone.ok()) return alone;
  if (layout.feature_count == 0 || layout.block_count == 0) {
    return Error{"the features are " + describe(layout) + "; at least one was expected"};
  }
  const std::uint64_t parameters = parameter_total(config, layout);
  if (parameters > kMaxParameters) {
    return Error{"a network of these widths for " + describe(layout) + " has more than " +
                 std::to_string(kMaxParameters) + " parameters, the most that is supported"};
  }
  if (config.ensemble > 0 && parameters > kMaxSigns / config.ensemble) {
    return Error{"ensemble is " + std::to_string(config.ensemble) + " for about " +
                 std::to_string(parameters) + " parameters; at most " + std::to_string(kMaxSigns) +
                 " signs are supported"};
  }
  return {};
}

bool scales_steps(const MlpConfig& config) {
  if (config.step_scaling != StepScaling::kAuto) return config.step_scaling == StepScaling::kOn;
  return config.parametrisation == Parametrisation::kNtk && config.optimizer == Optimizer::kSgd;
}

NetworkShape network_shape(const MlpConfig& config) {
  return {.widths = config.widths,
          .activation = config.activation,
          .parametrisation = config.parametrisation,
          .sigma_1 = config.sigma_1,
          .own_layer = config.own_layer,
          .output_init = config.output_init,
          .skip = config.skip,
          .initialisation = config.initialisation};
}

}  // namespace handrail
