#include "handrail/eval/trace_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "handrail/agent/settings_check.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

// More than any environment has; a gate may keep accounts for each.
constexpr std::uint64_t kMostArms = std::uint64_t{1} << 26;

// What an error shows of a value. A list or an object may be of any length and depth: its kind says
// enough, and writing it out may not even end well.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return shortened(value.dump(-1, ' ', /*ensure_ascii=*/true));
}

// Takes fields out of one JSON object; remembers the first that is missing or of another kind.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  double number(const char* name) {
    const Json* found = find(name);
    if (found != nullptr && found->is_number()) return found->get<double>();
    return refuse<double>(name, found, "a number");
  }
  std::uint64_t count(const char* name) {
    const Json* found = find(name);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    return refuse<std::uint64_t>(name, found, "a number that counts");
  }
  std::string text(const char* name) {
    const Json* found = find(name);
    if (found != nullptr && found->is_string()) return found->get<std::string>();
    return refuse<std::string>(name, found, "a text");
  }
  std::optional<double> number_or_null(const char* name) {
    return is_null(name) ? std::nullopt : std::optional(number(name));
  }
  std::optional<std::uint64_t> count_or_null(const char* name) {
    return is_null(name) ? std::nullopt : std::optional(count(name));
  }
  std::vector<double> numbers(const char* name) {
    const Json* found = find(name);
    std::vector<double> values;
    if (found == nullptr || !found->is_array()) {
      return refuse<std::vector<double>>(name, found, "a list of numbers");
    }
    for (const Json& each : *found) {
      if (!each.is_number()) return refuse<std::vector<double>>(name, found, "a list of numbers");
      values.push_back(each.get<double>());
    }
    return values;
  }
  // A list of pairs [arm, number], or of numbers; of pairs, `arms` gets the arms.
  std::vector<double> numbers_by_arm(const char* name, std::vector<ArmIndex>& arms) {
    const Json* found = find(name);
    const bool has_pairs =
        found != nullptr && found->is_array() && !found->empty() && found->front().is_array();
    if (!has_pairs) return numbers(name);
    std::vector<double> values;
    for (const Json& each : *found) {
      const bool is_pair = each.is_array() && each.size() == 2 && each[0].is_number_unsigned() &&
                           each[1].is_number();
      if (!is_pair || each[0].get<std::uint64_t>() > std::numeric_limits<ArmIndex>::max()) {
        return refuse<std::vector<double>>(name, found, "a list of pairs of an arm and a number");
      }
      arms.push_back(each[0].get<ArmIndex>());
      values.push_back(each[1].get<double>());
    }
    return values;
  }
  const Json& object(const char* name) {
    static const Json kNothing = Json::object();
    const Json* found = find(name);
    if (found != nullptr && found->is_object()) return *found;
    refuse<int>(name, found, "an object");
    return kNothing;
  }
  bool has(const char* name) const { return object_.contains(name); }
  bool is_null(const char* name) const {
    const auto found = object_.find(name);
    return found != object_.end() && found->is_null();
  }
  const std::string& complaint() const { return complaint_; }
  void complain(std::string_view what) {
    if (complaint_.empty()) complaint_ = what;
  }

 private:
  const Json* find(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  template <typename T>
  T refuse(const char* name, const Json* found, std::string_view expected) {
    const std::string is = found == nullptr ? " is missing" : " is " + shown(*found);
    complain("field " + std::string(name) + is + "; " + std::string(expected) + " was expected");
    return T{};
  }

  const Json& object_;
  std::string complaint_;
};

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
  header.margin_scale = fields.number("margin_scale");
  header.margin_rounds = fields.text("margin_rounds");
  header.floor = fields.number("floor");
  header.seed = fields.count("seed");
  header.environment = fields.text("environment");
  header.arms = fields.count("arms");
  if (fields.has("first_round")) header.first_round = fields.count("first_round");
  for (const auto& [key, value] : fields.object("config").items()) {
    header.config[key] = value.is_string()            ? value.get<std::string>()
                         : value.is_number_unsigned() ? std::to_string(value.get<std::uint64_t>())
                         : value.is_number()          ? to_text(value.get<double>())
                                                      : shown(value);
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

// The lists that speak of arms. They must speak of the same.
void read_proposal(Fields& fields, TraceRound& round) {
  std::vector<ArmIndex> distributed;
  round.predicted_costs = fields.numbers_by_arm("predicted_costs", round.support);
  round.gamma = fields.number_or_null("gamma");
  if (!fields.is_null("distribution")) {
    round.distribution = fields.numbers_by_arm("distribution", distributed);
  }
  const bool compared = !round.predicted_costs.empty() && !round.distribution.empty();
  if (compared && distributed != round.support) {
    fields.complain("distribution speaks of other arms than predicted_costs");
  }
  if (round.predicted_costs.empty()) round.support = std::move(distributed);
  if (std::ranges::adjacent_find(round.support, std::greater_equal<>()) != round.support.end()) {
    fields.complain("the arms of predicted_costs do not ascend");
  }
  if (!round.support.empty()) round.propensity_error = fields.number_or_null("propensity_error");
}

TraceRound round_of_fields(Fields& fields) {
  TraceRound round;
  round.t = fields.count("t");
  read_proposal(fields, round);
  round.candidate = fields.count("candidate");
  round.exposure = fields.number("exposure");
  round.margin = fields.number("margin");
  round.allowance = fields.number("allowance");
  const std::string choice = fields.text("choice");
  if (choice != "explore" && choice != "baseline") {
    fields.complain("choice is " + shown(choice) + "; explore or baseline was expected");
  }
  round.choice = choice == "explore" ? Choice::kExplore : Choice::kBaseline;
  round.arm = fields.count("arm");
  round.propensity = fields.number_or_null("propensity");
  round.centre = fields.number("centre");
  round.regret_bound = fields.number_or_null("regret_bound");
  round.slack = fields.number_or_null("slack");
  Fields baseline(fields.object("baseline"));
  round.baseline_arm = baseline.count("arm");
  round.baseline_cost = baseline.number("cost");
  if (!baseline.complaint().empty()) fields.complain("baseline: " + baseline.complaint());
  round.cost = fields.number_or_null("cost");
  round.arrives = fields.count_or_null("arrives");
  round.expected_cost = fields.number("expected_cost");
  round.best_cost = fields.number("best_cost");
  return round;
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
  TraceRound round = round_of_fields(fields);
  if (!fields.complaint().empty()) return Error{place() + ": " + fields.complaint()};
  return std::optional(std::move(round));
}

}  // namespace handrail
