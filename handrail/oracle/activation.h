// What a hidden unit does to its sum. The paper's theory wants φ smooth, its experiments use ReLU.
#pragma once

#include <cstdint>
#include <span>

namespace handrail {

enum class Activation : std::uint8_t { kRelu = 0, kSoftplus = 1, kTanh = 2, kGelu = 3 };

// 1 / (1 + exp(-z)), without overflow at either end.
double sigmoid(double z);

// log(1 + exp(z)), likewise.
double softplus(double z);

// φ(z) and φ'(z).
double activate(Activation activation, double z);
double activation_slope(Activation activation, double z);

// units[j] = φ(sums[j]). A sum that is not a number stays one.
void activation_forward(Activation activation, std::span<const double> sums,
                        std::span<double> units);

// slopes[j] *= φ'(sums[j]): turns slopes with respect to the units into slopes with respect to the
// sums. At the kink of a ReLU the slope is that of the flat side, 0.
void activation_backward(Activation activation, std::span<const double> sums,
                         std::span<double> slopes);

}  // namespace handrail
