#include "handrail/env/world_rows.h"

#include "handrail/base/text.h"
#include "handrail/config/setting.h"
#include "handrail/env/noise.h"

namespace handrail {

void resolve_rank(ParameterValues& values, std::size_t count) {
  if (values.optional_number(kRankRow).has_value()) return;
  values.settle(kRankRow, std::to_string((count + 2) / 3));
}

Status check_rank(const ParameterValues& values, std::size_t most) {
  if (values.count(kRankRow) <= most) return {};
  return expected({.key = std::string(kRankRow.name), .value = values.printed(kRankRow.name)},
                  "auto or a whole number in [1, " + std::to_string(most) + "]");
}

void resolve_rank_of_arms(ParameterValues& values) {
  resolve_rank(values, values.count(kArmsRow));
}

Status check_rank_of_arms(const ParameterValues& values) {
  return check_rank(values, values.count(kArmsRow));
}

Status check_world_noise(std::string_view text) {
  const Result<Noise> noise = parse_noise(text);
  if (!noise.ok()) return noise.error();
  if (noise.value().kind != NoiseKind::kFlip) return {};
  return Error{"noise is " + quoted(text) + "; flip needs labels, which a world has not: " +
               std::string(kNoiseRow.form) + " was expected"};
}

}  // namespace handrail
