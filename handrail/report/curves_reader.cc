#include "handrail/report/curves_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "handrail/base/text.h"
#include "handrail/report/result_files.h"

namespace handrail {
namespace {

enum Column : std::size_t { kData, kAgent, kAlpha, kRound, kQuantity, kFirstStatistic };
static_assert(kFirstStatistic == kCurveKeys.size());
constexpr std::size_t kColumnCount = kCurveKeys.size() + kCurveStatistics.size();

std::string_view column_name(std::size_t column) {
  return column < kCurveKeys.size() ? kCurveKeys[column]
                                    : kCurveStatistics[column - kFirstStatistic].name;
}

std::string_view name_of_quantity(std::size_t quantity) {
  return kMetrics[kCurveMetrics[quantity]].name;
}

// Some quantities only agents with a certified gate have.
bool every_cell_has(std::size_t quantity) {
  return kMetrics[kCurveMetrics[quantity]].kind != MetricKind::kNumberOrNone;
}

using Fields = std::array<std::string, kColumnCount>;

// Reads records of comma-separated text, quoted as in RFC 4180.
class RecordReader {
 public:
  RecordReader(std::string_view text, std::string place) : text_(text), place_(std::move(place)) {}

  std::string place() const { return place_ + ":" + std::to_string(line_); }

  // False at the end of the text.
  Result<bool> next(Fields& fields) {
    if (position_ == text_.size()) return false;
    line_ = next_line_;
    for (std::size_t column = 0;; ++column) {
      if (column == kColumnCount)
        return Error{place() + ": more than " + std::to_string(kColumnCount) + " fields"};
      const Status read = read_field(fields[column]);
      if (!read.ok()) return read.error();
      if (position_ == text_.size()) return Error{place() + ": has no end; was the file cut?"};
      const char end = text_[position_++];
      if (end == ',') continue;
      ++next_line_;
      if (column + 1 == kColumnCount) return true;
      return Error{place() + ": " + std::to_string(column + 1) + " fields; " +
                   std::to_string(kColumnCount) + " were expected"};
    }
  }

 private:
  // Leaves the position at the comma or the end of line behind the field.
  Status read_field(std::string& field) {
    field.clear();
    if (position_ < text_.size() && text_[position_] == '"') return read_quoted(field);
    const std::size_t end = std::min(text_.find_first_of(",\n", position_), text_.size());
    field = text_.substr(position_, end - position_);
    position_ = end;
    if (end < text_.size() && text_[end] == '\n' && field.ends_with('\r')) field.pop_back();
    return {};
  }
  Status read_quoted(std::string& field) {
    for (++position_; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '\n') ++next_line_;
      if (c != '"') {
        field.push_back(c);
        continue;
      }
      const bool doubled = position_ + 1 < text_.size() && text_[position_ + 1] == '"';
      if (!doubled) break;
      field.push_back('"');
      ++position_;
    }
    if (position_ == text_.size())
      return Error{place() + ": a quote has no end; was the file cut?"};
    ++position_;
    if (text_.substr(position_, 2) == "\r\n") ++position_;
    if (position_ < text_.size() && text_[position_] != ',' && text_[position_] != '\n') {
      return Error{place() + ": text follows a closing quote"};
    }
    return {};
  }

  std::string_view text_;
  std::string place_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
};

// A number, or NaN for one that is not known: an empty field, or "nan".
std::optional<double> value_of(const std::string& field) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  return to_number(field);
}

class CurveTable {
 public:
  explicit CurveTable(const ComparisonResults& results)
      : results_(results),
        curve_at_(results.environments.size() * results.agents.size() * results.alphas.size() *
                  kCurveMetrics.size()),
        has_cell_(curve_at_.size() / kCurveMetrics.size()) {
    for (const EnvironmentRecord& each : results.environments)
      data_.emplace(each.data, data_.size());
    for (const AgentRecord& each : results.agents) agents_.emplace(each.agent, agents_.size());
    for (const CellRecord& cell : results.cells) has_cell_[place_of(cell.place)] = true;
  }

  Status add(const Fields& fields) {
    const auto data = data_.find(fields[kData]);
    if (data == data_.end()) return refuse(fields, kData, "a data set of the results");
    const auto agent = agents_.find(fields[kAgent]);
    if (agent == agents_.end()) return refuse(fields, kAgent, "an agent of the results");
    const std::optional<double> alpha = to_number(fields[kAlpha]);
    const auto found = std::find(results_.alphas.begin(), results_.alphas.end(), alpha);
    if (found == results_.alphas.end()) return refuse(fields, kAlpha, "an alpha of the results");
    const Cell cell = {.environment = data->second,
                       .agent = agent->second,
                       .alpha = static_cast<std::size_t>(found - results_.alphas.begin())};
    if (!has_cell_[place_of(cell)]) {
      return Error{"data, agent and alpha are those of no result"};
    }
    std::size_t quantity = 0;
    while (quantity < kCurveMetrics.size() && name_of_quantity(quantity) != fields[kQuantity]) {
      ++quantity;
    }
    if (quantity == kCurveMetrics.size()) return refuse(fields, kQuantity, "a known quantity");
    return append(curve(cell, quantity), fields);
  }

  // The first cell without its curves, or curve that ends before the others.
  Status check_complete() const {
    std::uint64_t last = 0;
    for (const Curve& curve : curves_) last = std::max(last, curve.rounds.back());
    for (const CellRecord& cell : results_.cells) {
      for (std::size_t quantity = 0; quantity < kCurveMetrics.size(); ++quantity) {
        if (!every_cell_has(quantity)) continue;
        if (curve_at_[place_of(cell.place) * kCurveMetrics.size() + quantity] == 0) {
          return Error{"no rows for " + std::string(name_of_quantity(quantity)) + " of " +
                       name(cell.place)};
        }
      }
    }
    for (const Curve& curve : curves_) {
      if (curve.rounds.back() == last) continue;
      return Error{std::string(name_of_quantity(curve.quantity)) + " of " + name(curve.cell) +
                   " ends at round " + std::to_string(curve.rounds.back()) + " and others at " +
                   std::to_string(last) + "; was the file cut?"};
    }
    return {};
  }

  std::vector<Curve> take() && { return std::move(curves_); }

 private:
  static Error refuse(const Fields& fields, std::size_t column, std::string_view expected) {
    return Error{"column " + std::string(column_name(column)) + " is \"" + fields[column] + "\"; " +
                 std::string(expected) + " was expected"};
  }
  std::size_t place_of(const Cell& cell) const {
    return (cell.environment * results_.agents.size() + cell.agent) * results_.alphas.size() +
           cell.alpha;
  }
  std::string name(const Cell& cell) const {
    return "agent " + results_.agents[cell.agent].agent + " on " +
           results_.environments[cell.environment].data + " at alpha " +
           to_text(results_.alphas[cell.alpha]);
  }
  // Made when it is first asked for. curve_at_ counts from one; zero is none.
  Curve& curve(const Cell& cell, std::size_t quantity) {
    std::size_t& place = curve_at_[place_of(cell) * kCurveMetrics.size() + quantity];
    if (place == 0) {
      curves_.push_back({.cell = cell, .quantity = quantity, .rounds = {}, .values = {}});
      place = curves_.size();
    }
    return curves_[place - 1];
  }
  static Status append(Curve& curve, const Fields& fields) {
    const std::optional<std::uint64_t> round = to_count(fields[kRound]);
    if (!round.has_value()) return refuse(fields, kRound, "a round");
    if (!curve.rounds.empty() && *round <= curve.rounds.back()) {
      return refuse(fields, kRound, "a round after " + std::to_string(curve.rounds.back()));
    }
    CurveSummary summary;
    for (std::size_t i = 0; i < kCurveStatistics.size(); ++i) {
      const std::optional<double> value = value_of(fields[kFirstStatistic + i]);
      if (!value.has_value()) return refuse(fields, kFirstStatistic + i, "a number");
      summary.*kCurveStatistics[i].number = *value;
    }
    curve.rounds.push_back(*round);
    curve.values.push_back(summary);
    return {};
  }

  const ComparisonResults& results_;
  std::unordered_map<std::string, std::size_t> data_;
  std::unordered_map<std::string, std::size_t> agents_;
  std::vector<Curve> curves_;
  std::vector<std::size_t> curve_at_;
  std::vector<bool> has_cell_;
};

}  // namespace

Result<std::vector<Curve>> read_curves(const NamedText& curves, const ComparisonResults& results) {
  RecordReader reader(curves.text, curves.place);
  Fields fields;
  const Result<bool> header = reader.next(fields);
  if (!header.ok()) return header.error();
  bool named = true;
  for (std::size_t column = 0; column < kColumnCount; ++column) {
    named = named && fields[column] == column_name(column);
  }
  if (!header.value() || !named) {
    return Error{curves.place + ":1: the header of curves, data,agent,alpha,t,..., was expected"};
  }
  CurveTable table(results);
  for (;;) {
    const Result<bool> read = reader.next(fields);
    if (!read.ok()) return read.error();
    if (!read.value()) break;
    const Status added = table.add(fields);
    if (!added.ok()) return Error{reader.place() + ": " + added.error().message};
  }
  const Status complete = table.check_complete();
  if (!complete.ok()) return Error{curves.place + ": " + complete.error().message};
  return std::move(table).take();
}

}  // namespace handrail
