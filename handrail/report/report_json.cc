#include "handrail/report/report_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "handrail/base/text.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;
// Results are four levels deep. Text that is nested without end would exhaust the stack when it is
// written out again.
constexpr int kDeepest = 16;

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

Result<Json> parse_object(const NamedText& source) {
  bool is_too_deep = false;
  const auto limit = [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
    is_too_deep = is_too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  try {
    Json parsed = Json::parse(source.text, limit);
    if (is_too_deep) {
      return Error{source.place + ": nested more than " + std::to_string(kDeepest) +
                   " levels deep"};
    }
    if (!parsed.is_object()) return Error{source.place + ": a JSON object was expected"};
    return parsed;
  } catch (const Json::parse_error& error) {
    return Error{source.place + ":" + line_and_column(source.text, error.byte) +
                 ": not a whole JSON object; was it cut?"};
  } catch (const Json::out_of_range&) {
    return Error{source.place + ": a number is too large for any double"};
  }
}

// What an error shows of a value: its kind says enough of a list or an object.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return shortened(value.dump(-1, ' ', /*ensure_ascii=*/true));
}

std::string for_html(const Json& value) {
  const std::string plain = value.dump(-1, ' ', /*ensure_ascii=*/true);
  std::string escaped;
  escaped.reserve(plain.size());
  // Only a string can hold it, and there \u003c is the same sign.
  for (const char c : plain) {
    if (c == '<') {
      escaped.append("\\u003c");
    } else {
      escaped.push_back(c);
    }
  }
  return escaped;
}

// Walks through an object and remembers the first thing that is not as it should be, with its place
// ("results[3].alpha").
class Checker {
 public:
  explicit Checker(std::string place) : place_(std::move(place)) {}

  Status status() const {
    return complaint_.empty() ? Status() : Error{place_ + ": " + complaint_};
  }
  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  }

  const Json& at(const Json& object, const std::string& path, const char* name) {
    static const Json kNull;
    const auto found = object.find(name);
    if (found != object.end()) return *found;
    complain(path + name + " is missing");
    return kNull;
  }
  std::string text(const Json& object, const std::string& path, const char* name) {
    const Json& value = at(object, path, name);
    if (value.is_string()) return value.get<std::string>();
    refuse(path + name, value, "a text");
    return {};
  }
  double number(const Json& object, const std::string& path, const char* name) {
    const Json& value = at(object, path, name);
    if (value.is_number()) return value.get<double>();
    refuse(path + name, value, "a number");
    return 0.0;
  }
  void number_or_null(const Json& object, const std::string& path, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null() || found->is_number()) return;
    refuse(path + name, *found, "a number or null");
  }
  // An estimate such as a mean with its error: an object of numbers, or null.
  void numbers_or_null(const Json& object, const std::string& path, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return;
    if (!found->is_object()) return refuse(path + name, *found, "an object or null");
    for (const auto& [key, value] : found->items()) {
      number_or_null(*found, path + name + ".", key.c_str());
    }
  }
  // Calls check(object, "name[3].") for each object of a list.
  template <typename Check>
  void each(const Json& object, const char* name, const Check& check) {
    const Json& list = at(object, "", name);
    if (!list.is_array()) return refuse(name, list, "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = std::string(name) + "[" + std::to_string(i) + "]";
      if (!list[i].is_object()) return refuse(path, list[i], "an object");
      check(list[i], path + ".");
    }
  }
  void refuse(const std::string& path, const Json& value, const std::string& expected) {
    complain(path + " is " + shown(value) + "; " + expected + " was expected");
  }
  // The place of `value` in `known`.
  template <typename T>
  std::size_t index_of(const std::vector<T>& known, const T& value, const std::string& path) {
    const auto found = std::find(known.begin(), known.end(), value);
    if (found == known.end()) complain(path + " is " + shown(value) + ", which is not listed");
    return static_cast<std::size_t>(found - known.begin());
  }

 private:
  std::string place_;
  std::string complaint_;
};

Status check_version(const Json& object, const char* name, const std::string& place) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) {
    return Error{place + ": no number " + name + ", so this is another kind of file"};
  }
  if (*found != kFormat) {
    return Error{place + ": format " + shown(*found) + "; this program reads format " +
                 std::to_string(kFormat)};
  }
  return {};
}

std::vector<std::string> read_names(Checker& checker, const Json& object, const char* list,
                                    const char* name) {
  std::vector<std::string> names;
  checker.each(object, list, [&](const Json& item, const std::string& path) {
    std::string text = checker.text(item, path, name);
    if (std::find(names.begin(), names.end(), text) != names.end()) {
      checker.complain(path + name + " is " + shown(text) + " for the second time");
    }
    names.push_back(std::move(text));
  });
  if (names.empty()) checker.complain(std::string(list) + " is empty");
  return names;
}

std::vector<double> read_alphas(Checker& checker, const Json& object) {
  const Json& list = checker.at(object, "", "alphas");
  std::vector<double> alphas;
  if (!list.is_array() || list.empty()) {
    checker.refuse("alphas", list, "a list of numbers");
    return alphas;
  }
  for (const Json& alpha : list) {
    if (!alpha.is_number()) checker.refuse("alphas", alpha, "a number");
    alphas.push_back(alpha.is_number() ? alpha.get<double>() : 0.0);
  }
  return alphas;
}

constexpr std::array kCellNumbers = {"runs",
                                     "rounds",
                                     "cost_ratio",
                                     "explored_share",
                                     "violating_runs",
                                     "first_violation",
                                     "violated_rounds_share",
                                     "violating_runs_share",
                                     "largest_excess",
                                     "min_slack",
                                     "baseline_rounds"};

void read_cells(Checker& checker, const Json& object, ComparisonResults& results) {
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> seen;
  checker.each(object, "results", [&](const Json& item, const std::string& path) {
    const ComparisonCell cell = {
        checker.index_of(results.data, checker.text(item, path, "data"), path + "data"),
        checker.index_of(results.agents, checker.text(item, path, "agent"), path + "agent"),
        checker.index_of(results.alphas, checker.number(item, path, "alpha"), path + "alpha")};
    if (!seen.insert({cell.data_index, cell.agent_index, cell.alpha_index}).second) {
      checker.complain(path + "data, agent and alpha are those of a result before it");
    }
    for (const char* name : kCellNumbers) checker.number_or_null(item, path, name);
    checker.numbers_or_null(item, path, "regret");
    checker.numbers_or_null(item, path, "hindsight");
    results.cells.push_back(cell);
  });
  if (results.cells.empty()) checker.complain("results is empty");
}

void check_comparisons(Checker& checker, const Json& object) {
  checker.each(object, "differences", [&](const Json& item, const std::string& path) {
    for (const char* name : {"data", "agent", "against"}) checker.text(item, path, name);
    checker.number(item, path, "alpha");
    checker.numbers_or_null(item, path, "regret");
  });
  checker.each(object, "tuning", [&](const Json& item, const std::string& path) {
    for (const char* name : {"data", "agent"}) checker.text(item, path, name);
    checker.number(item, path, "alpha");
  });
}

}  // namespace

Result<ComparisonResults> read_results(const NamedText& results) {
  const Result<Json> parsed = parse_object(results);
  if (!parsed.ok()) return parsed.error();
  const Json& object = parsed.value();
  const Status version = check_version(object, "handrail_results", results.place);
  if (!version.ok()) return version.error();
  Checker checker(results.place);
  ComparisonResults found;
  for (const char* name : {"version", "command"}) checker.text(object, "", name);
  for (const char* name : {"runs", "rounds", "seed", "delta", "reserve"}) {
    checker.number_or_null(object, "", name);
  }
  found.data = read_names(checker, object, "environments", "data");
  found.agents = read_names(checker, object, "agents", "agent");
  found.alphas = read_alphas(checker, object);
  read_cells(checker, object, found);
  check_comparisons(checker, object);
  if (!checker.status().ok()) return checker.status().error();
  found.json = for_html(object);
  return found;
}

Result<std::string> read_timing(const NamedText& timing) {
  const Result<Json> parsed = parse_object(timing);
  if (!parsed.ok()) return parsed.error();
  const Status version = check_version(parsed.value(), "handrail_timing", timing.place);
  if (!version.ok()) return version.error();
  Checker checker(timing.place);
  for (const char* name : {"threads", "seconds"}) checker.number_or_null(parsed.value(), "", name);
  checker.each(parsed.value(), "cells", [&](const Json& item, const std::string& path) {
    for (const char* name : {"data", "agent"}) checker.text(item, path, name);
    checker.number(item, path, "alpha");
    checker.number_or_null(item, path, "rounds_per_second");
  });
  if (!checker.status().ok()) return checker.status().error();
  return for_html(parsed.value());
}

Result<std::vector<DrawnFigure>> read_figures(const NamedText& answer) {
  const Result<Json> parsed = parse_object(answer);
  if (!parsed.ok()) return parsed.error();
  if (parsed.value().contains("error")) {
    return Error{answer.place + ": " + shown(parsed.value().at("error"))};
  }
  Checker checker(answer.place);
  std::vector<DrawnFigure> figures;
  checker.each(parsed.value(), "figures", [&](const Json& item, const std::string& path) {
    figures.push_back({checker.text(item, path, "name"), checker.text(item, path, "content")});
  });
  if (!checker.status().ok()) return checker.status().error();
  return figures;
}

}  // namespace handrail
