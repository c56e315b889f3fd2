#include "handrail/oracle/mlp_entry.h"

#include <array>
#include <limits>

#include "handrail/base/assert.h"
#include "handrail/oracle/learning_parameters.h"
#include "handrail/oracle/mlp.h"

namespace handrail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e9;

// Each in the order of its enumeration.
constexpr std::array<std::string_view, 4> kActivationWords = {"relu", "softplus", "tanh", "gelu"};
constexpr std::array<std::string_view, 2> kParametrisationWords = {"standard", "ntk"};
constexpr std::array<std::string_view, 2> kOwnLayerWords = {"first", "output"};
constexpr std::array<std::string_view, 3> kUpdateWords = {"replay", "online", "periodic"};
constexpr std::array<std::string_view, 3> kReadingWords = {"steps", "mean", "newest"};
constexpr std::array<std::string_view, 3> kOptimizerWords = {"sgd", "adagrad", "adam"};
constexpr std::array<std::string_view, 2> kPrecisionWords = {"float", "double"};
constexpr std::array<std::string_view, 3> kScalingWords = {"auto", "on", "off"};

constexpr NumberRange kCounts = {.low = 1.0, .high = kLargest};
constexpr NumberRange kFromZero = {.low = 0.0, .high = kLargest};

constexpr ParameterSpec kRows[] = {
    {.name = "width",
     .meaning = "units of the hidden layers: 100, or 100x50 for two",
     .fallback = "256",
     .low = 1.0,
     .high = 1e6,
     .list = true},
    word_row("activation", "activation of the hidden layers", "relu", kActivationWords),
    word_row("parametrisation",
             "standard: N(0, 2/fan_in) with biases; ntk: the paper's 1/√width layers without",
             "standard", kParametrisationWords),
    positive_row("sigma_1", "ntk: the paper's σ_1, scale of the initial weights", "1", kLargest),
    number_row("output_init", "factor of the output layer's initial weights; standard only", "1",
               kFromZero),
    word_row("skip", "whether the output layer sees the features beside the hidden units", "no",
             kYesWords),
    word_row("own_layer",
             "the layer that each arm has for itself with block features: output, all arms share "
             "the hidden layers; first, the paper's",
             "output", kOwnLayerWords),
    word_row("update",
             "replay: minibatches from a buffer; online: one step an example; periodic: the "
             "paper's every 10th round",
             "replay", kUpdateWords),
    count_row("period", "periodic: examples between updates", "10", kCounts),
    word_row("reading",
             "periodic: single steps on each newest example, one on their mean, or one on the "
             "newest",
             "steps", kReadingWords),
    word_row("optimizer", "step rule", "adagrad", kOptimizerWords),
    count_row("batch", "replay: examples in a minibatch", "32", kCounts),
    count_row("batches", "replay: minibatches an update", "1", {.low = 1.0, .high = 1e6}),
    number_row("newest", "replay: share of a minibatch that are the newest examples, and not drawn",
               "0.125", {.low = 0.0, .high = 1.0}),
    count_row("buffer", "replay: examples kept, the newest", "10000", kCounts),
    positive_row("clip", "longest gradient norm; inf: no limit", "inf", kInfinity),
    number_row("pull", "pull to the initial weights: adds pull·|θ−θ₀|² to the loss", "0",
               kFromZero),
    positive_row("rho", "radius of the ball around each hidden layer's initial weights", "inf",
                 kInfinity),
    positive_row("rho_1", "the same for the output layer", "inf", kInfinity),
    word_row("step_scaling", "divide steps by |∇f|²; auto: under ntk only", "auto", kScalingWords),
    count_row("ensemble", "copies S of the paper's perturbed ensemble; 0: none", "0",
              {.low = 0.0, .high = 4096.0}),
    number_row("c_p", "ensemble: the paper's c_p, scale of the perturbation", "0.03", kFromZero),
    word_row("precision", "float: kernels for this processor; double: plain loops, the reference",
             "float", kPrecisionWords),
};

constexpr auto kGroupedRows = [] {
  std::array<ParameterSpec, std::size(kRows)> rows;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = grouped("mlp", kRows[i]);
  return rows;
}();

// With those that it shares.
constexpr auto kCommon = [] {
  std::array<const ParameterSpec*, kGroupedRows.size() + 2> pointers = {&kLossRow, &kStepRow};
  for (std::size_t i = 0; i < kGroupedRows.size(); ++i) pointers[i + 2] = &kGroupedRows[i];
  return pointers;
}();

}  // namespace

MlpConfig network_in(const PartFrame& frame) {
  const ParameterValues& values = frame.values;
  return {.widths = values.counts("width"),
          .activation = values.choice<Activation>("activation"),
          .parametrisation = values.choice<Parametrisation>("parametrisation"),
          .sigma_1 = values.number("sigma_1"),
          .own_layer = values.choice<OwnLayer>("own_layer"),
          .output_init = values.number("output_init"),
          .skip = values.word("skip") == 1,
          .loss = loss_in(values),
          .update = values.choice<Update>("update"),
          .period = values.count("period"),
          .reading = values.choice<PeriodicReading>("reading"),
          .buffer_limit = values.count("buffer"),
          .batch = values.count("batch"),
          .batches = values.count("batches"),
          .newest_share = values.number("newest"),
          .optimizer = values.choice<Optimizer>("optimizer"),
          .learning_rate = step_in(values),
          .step_scaling = values.choice<StepScaling>("step_scaling"),
          .clip = values.number("clip"),
          .pull = values.number("pull"),
          .rho = values.number("rho"),
          .rho_1 = values.number("rho_1"),
          .ensemble = values.count("ensemble"),
          .perturbation = values.number("c_p"),
          .precision = precision_in(values),
          .isa = frame.isa,
          .seed = frame.seed};
}

Precision precision_in(const ParameterValues& values) {
  return values.choice<Precision>("precision");
}

// docs/defaults.md has the measurements.
double step_of_network(const ParameterValues& values) {
  switch (values.choice<Optimizer>("optimizer")) {
    case Optimizer::kAdaGrad:
      return loss_in(values) == Loss::kLog ? 0.15 : 0.1;
    case Optimizer::kAdam:
      return 0.001;
    case Optimizer::kSgd:
      return 0.01;
  }
  HANDRAIL_ASSERT(false);
}

constinit const OracleEntry kMlpOracle = {
    .name = "mlp",
    .meaning = "a network that is trained online",
    .step = step_of_network,
    .gamma_scale = 100.0,  // docs/defaults.md has the measurements
    .common = kCommon,
    .make = [](const PartFrame& frame) { return make_mlp(network_in(frame), frame.layout); },
    .check = [](const PartFrame& frame) { return check(network_in(frame), frame.layout); },
};

}  // namespace handrail
