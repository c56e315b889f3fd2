// What users set of neural-linear.
#include <array>
#include <string>

#include "handrail/policy/neural_linear.h"
#include "handrail/policy/own_draws.h"

namespace handrail {
namespace {

constexpr double kMany = 1e9;
constexpr double kMostUnits = 1e4;
constexpr double kMostDraws = 1e6;

constexpr std::array<std::string_view, 2> kYesWords = {"no", "yes"};

constexpr std::array kParameters = {
    ParameterSpec{.name = "draws",
                  .meaning = "draws a round; with more than 1 the distribution is the share that "
                             "each arm won",
                  .fallback = "1",
                  .low = 1.0,
                  .high = kMostDraws,
                  .whole = true},
    ParameterSpec{.name = "train_every",
                  .meaning = "costs between trainings of the network",
                  .fallback = "50",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "train_epochs",
                  .meaning = "minibatches a training",
                  .fallback = "100",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "train_batch",
                  .meaning = "examples in a minibatch",
                  .fallback = "512",
                  .low = 1.0,
                  .high = 1e6,
                  .whole = true},
    ParameterSpec{.name = "initial_pulls",
                  .meaning = "times that each arm is played at first",
                  .fallback = "2",
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "units",
                  .meaning = "hidden units, which are the regressions' features",
                  .fallback = "50",
                  .low = 1.0,
                  .high = kMostUnits,
                  .whole = true},
    ParameterSpec{.name = "init_scale",
                  .meaning = "initial weights are uniform in ±init_scale",
                  .fallback = "0.3",
                  .high = 1e3,
                  .low_is_open = true},
    ParameterSpec{.name = "first_rate",
                  .meaning = "RMSProp's rate at the start of a training",
                  .fallback = "0.1",
                  .high = 1e3,
                  .low_is_open = true},
    ParameterSpec{.name = "rate_decay",
                  .meaning = "at its step s the rate is first_rate / (1 + rate_decay · s)",
                  .fallback = "0.5",
                  .high = 1e3},
    ParameterSpec{.name = "rate_resets",
                  .meaning = "whether s counts from 0 in every training, or from the first one on",
                  .fallback = "no",
                  .words = kYesWords},
    ParameterSpec{.name = "gradient_norm",
                  .meaning = "longest gradient",
                  .fallback = "5",
                  .high = kMany,
                  .low_is_open = true},
    ParameterSpec{.name = "prior_precision",
                  .meaning = "of the regressions' weights",
                  .fallback = "0.25",
                  .low = 1e-6,
                  .high = kMany},
    ParameterSpec{.name = "a_0",
                  .meaning = "shape of the noise's inverse gamma prior",
                  .fallback = "6",
                  .high = kMany,
                  .low_is_open = true},
    ParameterSpec{.name = "b_0",
                  .meaning = "scale of the noise's inverse gamma prior",
                  .fallback = "6",
                  .high = kMany,
                  .low_is_open = true},
    ParameterSpec{.name = "kept",
                  .meaning = "newest examples that are kept",
                  .fallback = "40000",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
};

NeuralLinearConfig config_of(const PolicyFrame& frame) {
  const ParameterValues& own = frame.own;
  return {.features = {.unit_count = own.count("units"),
                       .init_scale = own.number("init_scale"),
                       .learning_rate = own.number("first_rate"),
                       .rate_decay = own.number("rate_decay"),
                       .rate_resets = own.word("rate_resets") == 1,
                       .longest_gradient = own.number("gradient_norm"),
                       .batch = own.count("train_batch"),
                       .seed = frame.seed},
          .prior = {.lambda = own.number("prior_precision"),
                    .shape = own.number("a_0"),
                    .scale = own.number("b_0")},
          .train_every = own.count("train_every"),
          .train_epochs = own.count("train_epochs"),
          .initial_pulls = own.count("initial_pulls"),
          .draws = own.count("draws"),
          .kept = own.count("kept"),
          .seed = frame.seed};
}

// The regressions keep two square matrices a block; the examples grow to `kept` rows.
Status check_frame(const PolicyFrame& frame) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 28;  // 2 GiB, twice for the matrices
  const std::size_t units = frame.own.count("units");
  const MlpConfig network = {.widths = {units}, .own_layer = OwnLayer::kOutput};
  if (Status fits = check(network, frame.layout); !fits.ok()) return fits;
  if (units * units > kMostNumbers / frame.layout.block_count) {
    return Error{"units is " + std::to_string(units) + "; a square matrix for each of " +
                 std::to_string(frame.layout.block_count) +
                 " blocks may have at most 2^28 numbers "
                 "together"};
  }
  const std::size_t kept = frame.own.count("kept");
  const std::size_t most = 2 * kMostNumbers / frame.layout.feature_count;
  if (kept <= most) return {};
  return Error{"kept is " + std::to_string(kept) + "; examples of " +
               std::to_string(frame.layout.feature_count) + " numbers each may be at most " +
               std::to_string(most)};
}

}  // namespace

constinit const PolicyEntry kNeuralLinearPolicy = {
    .name = "neural-linear",
    .meaning = "Thompson sampling: Bayesian regression on a network's last hidden layer",
    .draws = true,
    .parameters = kParameters,
    .make =
        [](const PolicyFrame& frame) { return make_neural_linear(config_of(frame), frame.layout); },
    .check = check_frame,
    .chance_error = chance_error_of_draws,
};

}  // namespace handrail
