// Parameters that several worlds share, one row each. Those of one world alone are in its source.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "handrail/config/parameter.h"
#include "handrail/config/parameter_values.h"
#include "handrail/env/delay.h"

namespace handrail {

inline constexpr ParameterSpec kArmsRow =
    count_row("arms", "number of arms", "10", {.low = 1.0, .high = 65'536.0});

inline constexpr ParameterSpec kDimRow = count_row(
    "dim", "dimension of the context x, uniform on the unit sphere; an arm shows (x, 1)/sqrt(2)",
    "10", {.low = 1.0, .high = 4'096.0});

inline constexpr ParameterSpec kRankRow = or_words(
    count_row("rank",
              "the baseline's rank by expected cost in each round, 1 the cheapest, among the arms "
              "that tell the truth and before any jump; auto: ceil(arms/3)",
              "auto", {.low = 1.0, .high = 65'536.0}),
    kAutoWord);
// Rank auto is a third of the way among `count`.
void resolve_rank(ParameterValues& values, std::size_t count);
Status check_rank(const ParameterValues& values, std::size_t most);
// The same of worlds in which every arm has a rank.
void resolve_rank_of_arms(ParameterValues& values);
Status check_rank_of_arms(const ParameterValues& values);

Status check_world_noise(std::string_view text);
inline constexpr ParameterSpec kNoiseRow = {
    .name = "noise",
    .meaning = "none (observed cost = h) or bernoulli (1 with probability h, else 0)",
    .fallback = "bernoulli",
    .check = check_world_noise,
    .form = "none or bernoulli",
};

}  // namespace handrail
