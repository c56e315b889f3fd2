// What users set of EE-Net.
#include <array>
#include <string>

#include "handrail/policy/ee_net.h"

namespace handrail {
namespace {

constexpr double kMany = 1e9;
constexpr double kMostUnits = 1e4;
constexpr std::array<std::string_view, 2> kDeciderWords = {"linear", "network"};

constexpr std::array kParameters = {
    ParameterSpec{.name = "decider",
                  .meaning = "linear: f1 + w(f2 − 1) decides; network: a third network does, for t "
                             "> decider_from",
                  .fallback = "linear",
                  .words = kDeciderWords},
    ParameterSpec{.name = "decider_from",
                  .meaning = "costs known before the third network decides",
                  .fallback = "500",
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "early_weight",
                  .meaning = "weight w of the second network for t ≤ early_rounds",
                  .fallback = "0.1",
                  .high = 1e3},
    ParameterSpec{
        .name = "late_weight", .meaning = "weight w from then on", .fallback = "0.01", .high = 1e3},
    ParameterSpec{.name = "early_rounds",
                  .meaning = "costs after which weight and training change, and other arms are no "
                             "longer taught",
                  .fallback = "1000",
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "train_every",
                  .meaning = "costs between trainings for t < early_rounds",
                  .fallback = "10",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "late_train_every",
                  .meaning = "costs between trainings from then on",
                  .fallback = "100",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "train_steps",
                  .meaning = "most steps of a training of the first two networks; the third makes "
                             "half as many",
                  .fallback = "2000",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "units",
                  .meaning = "hidden units of the first two networks",
                  .fallback = "100",
                  .low = 1.0,
                  .high = kMostUnits,
                  .whole = true},
    ParameterSpec{.name = "pool",
                  .meaning = "neighbours in the first network's gradient that one mean is taken of",
                  .fallback = "50",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
    ParameterSpec{.name = "lr_1",
                  .meaning = "step of the first network",
                  .fallback = "0.01",
                  .high = 1e3,
                  .low_is_open = true},
    ParameterSpec{.name = "lr_2",
                  .meaning = "step of the second",
                  .fallback = "0.001",
                  .high = 1e3,
                  .low_is_open = true},
    ParameterSpec{.name = "lr_3",
                  .meaning = "step of the third",
                  .fallback = "0.001",
                  .high = 1e3,
                  .low_is_open = true},
    ParameterSpec{.name = "kept",
                  .meaning = "newest examples that each network keeps",
                  .fallback = "40000",
                  .low = 1.0,
                  .high = kMany,
                  .whole = true},
};

EeNetConfig config_of(const PolicyFrame& frame) {
  const ParameterValues& own = frame.own;
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
    config.decider =
        DeciderConfig{.learning_rate = own.number("lr_3"), .kept = kept, .seed = frame.seed};
    config.decider->fit.step_limit = (steps + 1) / 2;
  }
  return config;
}

// The examples of the second network are the largest thing that grows.
Status check_frame(const PolicyFrame& frame) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 29;  // 4 GiB
  const std::size_t units = frame.own.count("units");
  MlpConfig network = {.widths = {units}, .own_layer = OwnLayer::kFirst};
  if (Status fits = check(network, frame.layout); !fits.ok()) return fits;
  const std::size_t kept = frame.own.count("kept");
  const std::size_t size = Explorer::example_size(frame.layout, units);
  if (kept <= kMostNumbers / size) return {};
  return Error{"kept is " + std::to_string(kept) + "; examples of " + std::to_string(size) +
               " numbers each may be at most " + std::to_string(kMostNumbers / size)};
}

}  // namespace

constinit const PolicyEntry kEeNetPolicy = {
    .name = "ee-net",
    .meaning = "EE-Net: a network for costs, and one on its gradient for where it errs",
    .one_arm = true,
    .parameters = kParameters,
    .make = [](const PolicyFrame& frame) { return make_ee_net(config_of(frame), frame.layout); },
    .check = check_frame,
};

}  // namespace handrail
