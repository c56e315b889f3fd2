#include "handrail/eval/trace_reader.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "handrail/agent/settings_check.h"
#include "handrail/base/text.h"
#include "handrail/eval/json_fields.h"
#include "handrail/safety/registry.h"

namespace handrail {
namespace {

using Json = nlohmann::json;
using Fields = JsonFields;

// More than any environment has; a gate may keep accounts for each.
constexpr std::uint64_t kMostArms = std::uint64_t{1} << 26;

Result<Json> parse_object(const std::string& line, const std::string& place) {
  Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return Error{place + ": not a whole JSON object; was the line cut?"};
  }
  if (!object.is_object()) return Error{place + ": a JSON object was expected"};
  return object;
}

BaselineKnown baseline_known_of(Fields& fields) {
  if (!fields.has("baseline_known")) return BaselineKnown::kPerRound;
  const std::string word = fields.text("baseline_known");
  const std::optional<BaselineKnown> known = to_baseline_known(word);
  if (known.has_value()) return *known;
  fields.complain("baseline_known is " + handrail::quoted(word) + "; one of " +
                  join(kBaselineKnownWords, ", ") + " was expected");
  return BaselineKnown::kPerRound;
}

TraceHeader header_of(Fields& fields) {
  TraceHeader header;
  header.agent = fields.text("agent");
  header.policy = fields.text("policy");
  header.weighting = fields.is_null("weighting") ? std::string() : fields.text("weighting");
  header.gate = fields.text("gate");
  header.alpha = fields.number("alpha");
  header.delta = fields.number("delta");
  header.reserve = fields.number("reserve");
  header.baseline_known = baseline_known_of(fields);
  header.members = fields.text("members");
  header.floor = fields.number("floor");
  header.seed = fields.count("seed");
  header.environment = fields.text("environment");
  header.arms = fields.count("arms");
  if (fields.has("first_round")) header.first_round = fields.count("first_round");
  for (const auto& [key, value] : fields.object("config").items()) {
    header.config[key] = spec_text_of(value);
  }
  for (const GateEntry* gate : gates()) {
    for (const ParameterSpec* row : gate->header) {
      const std::string name(row->name);
      const std::string text = fields.spec_text(name, expected(*row));
      // The copy in config does not count, but nonsense is refused all the same.
      const auto stated = header.config.try_emplace(name, text).first;
      const Result<ParameterValue> copy = parse_value(*row, stated->second);
      if (!copy.ok()) fields.complain("config: " + copy.error().message);
      stated->second = text;
    }
  }
  const Status terms =
      check_terms({.alpha = header.alpha, .delta = header.delta, .reserve = header.reserve});
  if (!terms.ok()) fields.complain(terms.error().message);
  if (!(header.floor >= 0.0 && header.floor <= 1.0)) fields.complain("floor is not in [0, 1]");
  if (header.arms == 0 || header.arms > kMostArms) {
    fields.complain("arms is not in [1, " + std::to_string(kMostArms) + "]");
  }
  return header;
}

}  // namespace

Result<bool> TraceReader::read_line() {
  if (!std::getline(in_, line_)) {
    if (in_.bad()) return Error{place_ + ": cannot read"};
    return false;
  }
  ++line_number_;
  if (in_.eof()) return Error{place() + ": the last line has no end; was it cut?"};
  return true;
}

Result<TraceHeader> TraceReader::header() {
  const Result<bool> read = read_line();
  if (!read.ok()) return read.error();
  if (!read.value()) return Error{place_ + ": empty; a trace begins with a header line"};
  const Result<Json> object = parse_object(line_, place());
  if (!object.ok()) return object.error();
  Fields fields(object.value());
  if (!fields.has("handrail_trace")) return Error{place() + ": not the header of a trace"};
  const std::uint64_t version = fields.count("handrail_trace");
  if (fields.complaint().empty() && version != 1) {
    return Error{place() + ": trace format " + std::to_string(version) +
                 "; this program reads format 1"};
  }
  TraceHeader header = header_of(fields);
  if (!fields.complaint().empty()) return Error{place() + ": " + fields.complaint()};
  return header;
}

Result<std::optional<TraceRound>> TraceReader::next() {
  const Result<bool> read = read_line();
  if (!read.ok()) return read.error();
  if (!read.value()) return std::optional<TraceRound>();
  const Result<Json> object = parse_object(line_, place());
  if (!object.ok()) return object.error();
  Fields fields(object.value());
  TraceRound round = read_round(fields);
  if (!fields.complaint().empty()) return Error{place() + ": " + fields.complaint()};
  return std::optional(std::move(round));
}

}  // namespace handrail
