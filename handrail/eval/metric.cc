#include "handrail/eval/metric.h"

#include "handrail/base/assert.h"

namespace handrail {

void write_value(JsonWriter& json, MetricKind kind, const MetricValue& value) {
  if (!counts(kind) || !value.has_value()) return json.value(value);
  json.value(static_cast<std::uint64_t>(*value));
}

std::size_t size_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::kFlag:
      return 1;
    case MetricKind::kNumberOrNone:
      return 9;
    default:
      return 8;
  }
}

void write_value(ByteWriter& out, MetricKind kind, const MetricValue& value) {
  switch (kind) {
    case MetricKind::kNumber:
      return out.f64(value.value());
    case MetricKind::kFlag:
      return out.u8(value.value() != 0.0 ? 1 : 0);
    case MetricKind::kNumberOrNone:
      out.u8(value.has_value() ? 1 : 0);
      return out.f64(value.value_or(0.0));
    case MetricKind::kCount:
    case MetricKind::kRoundOrNone:
      return out.u64(static_cast<std::uint64_t>(value.value_or(0.0)));
  }
}

MetricValue read_value(ByteReader& in, MetricKind kind) {
  switch (kind) {
    case MetricKind::kNumber:
      return in.f64();
    case MetricKind::kFlag:
      return in.u8() != 0 ? 1.0 : 0.0;
    case MetricKind::kCount:
      return static_cast<double>(in.u64());
    case MetricKind::kNumberOrNone: {
      const bool is_there = in.u8() != 0;
      const double number = in.f64();
      return is_there ? MetricValue(number) : std::nullopt;
    }
    case MetricKind::kRoundOrNone: {
      const std::uint64_t round = in.u64();
      return round > 0 ? MetricValue(static_cast<double>(round)) : std::nullopt;
    }
  }
  HANDRAIL_ASSERT(false);
}

}  // namespace handrail
