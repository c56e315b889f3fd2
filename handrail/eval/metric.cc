#include "handrail/eval/metric.h"

namespace handrail {

void write_value(JsonWriter& json, MetricKind kind, const MetricValue& value) {
  if (!counts(kind) || !value.has_value()) return json.value(value);
  json.value(static_cast<std::uint64_t>(*value));
}

}  // namespace handrail
