#include "handrail/report/curves_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "handrail/base/text.h"

namespace handrail {
namespace {

constexpr std::size_t kColumnCount = 12;
enum Column : std::size_t {
  kData,
  kAgent,
  kAlpha,
  kRound,
  kQuantity,
  kMean,
  kStderr,
  kQ05,
  kQ95 = 11
};
constexpr std::array<std::string_view, kColumnCount> kColumnNames = {
    "data", "agent", "alpha", "t", "quantity", "mean", "stderr", "q05", "q25", "q50", "q75", "q95"};
// Slack is the last: only a certified gate has it.
constexpr std::array<std::string_view, 5> kQuantities = {"regret", "cost_ratio", "explored_share",
                                                         "violated_share", "slack"};

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
      if (column == kColumnCount) return Error{place() + ": more than 12 fields"};
      const Status read = read_field(fields[column]);
      if (!read.ok()) return read.error();
      if (position_ == text_.size()) return Error{place() + ": has no end; was the file cut?"};
      const char end = text_[position_++];
      if (end == ',') continue;
      ++next_line_;
      if (column + 1 == kColumnCount) return true;
      return Error{place() + ": " + std::to_string(column + 1) + " fields; 12 were expected"};
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
        curve_at_(results.data.size() * results.agents.size() * results.alphas.size() *
                  kQuantities.size()),
        has_cell_(curve_at_.size() / kQuantities.size()) {
    for (std::size_t i = 0; i < results.data.size(); ++i) data_.emplace(results.data[i], i);
    for (std::size_t i = 0; i < results.agents.size(); ++i) agents_.emplace(results.agents[i], i);
    for (const ComparisonCell& cell : results.cells) has_cell_[place_of(cell)] = true;
  }

  Status add(const Fields& fields) {
    const auto data = data_.find(fields[kData]);
    if (data == data_.end()) return refuse(fields, kData, "a data set of the results");
    const auto agent = agents_.find(fields[kAgent]);
    if (agent == agents_.end()) return refuse(fields, kAgent, "an agent of the results");
    const std::optional<double> alpha = to_number(fields[kAlpha]);
    const auto found = std::find(results_.alphas.begin(), results_.alphas.end(), alpha);
    if (found == results_.alphas.end()) return refuse(fields, kAlpha, "an alpha of the results");
    const ComparisonCell cell = {data->second, agent->second,
                                 static_cast<std::size_t>(found - results_.alphas.begin())};
    if (!has_cell_[place_of(cell)]) {
      return Error{"data, agent and alpha are those of no result"};
    }
    const auto quantity = std::find(kQuantities.begin(), kQuantities.end(), fields[kQuantity]);
    if (quantity == kQuantities.end()) return refuse(fields, kQuantity, "a known quantity");
    return append(curve(cell, static_cast<std::size_t>(quantity - kQuantities.begin())), fields);
  }

  // The first cell without its curves, or curve that ends before the others.
  Status check_complete() const {
    double last = 0.0;
    for (const Curve& curve : curves_) last = std::max(last, curve.rounds.back());
    for (const ComparisonCell& cell : results_.cells) {
      for (std::size_t quantity = 0; quantity + 1 < kQuantities.size(); ++quantity) {
        if (curve_at_[place_of(cell) * kQuantities.size() + quantity] == 0) {
          return Error{"no rows for " + std::string(kQuantities[quantity]) + " of " + name(cell)};
        }
      }
    }
    for (const Curve& curve : curves_) {
      if (curve.rounds.back() == last) continue;
      return Error{std::string(curve.quantity) + " of " + name(curve.cell) + " ends at round " +
                   to_text(curve.rounds.back()) + " and others at " + to_text(last) +
                   "; was the file cut?"};
    }
    return {};
  }

  std::vector<Curve> take() && { return std::move(curves_); }

 private:
  static Error refuse(const Fields& fields, Column column, std::string_view expected) {
    return Error{"column " + std::string(kColumnNames[column]) + " is \"" + fields[column] +
                 "\"; " + std::string(expected) + " was expected"};
  }
  std::size_t place_of(const ComparisonCell& cell) const {
    return (cell.data_index * results_.agents.size() + cell.agent_index) * results_.alphas.size() +
           cell.alpha_index;
  }
  std::string name(const ComparisonCell& cell) const {
    return "agent " + results_.agents[cell.agent_index] + " on " + results_.data[cell.data_index] +
           " at alpha " + to_text(results_.alphas[cell.alpha_index]);
  }
  // Made when it is first asked for. curve_at_ counts from one; zero is none.
  Curve& curve(const ComparisonCell& cell, std::size_t quantity) {
    std::size_t& place = curve_at_[place_of(cell) * kQuantities.size() + quantity];
    if (place == 0) {
      Curve made;
      made.cell = cell;
      made.quantity = kQuantities[quantity];
      curves_.push_back(std::move(made));
      place = curves_.size();
    }
    return curves_[place - 1];
  }
  static Status append(Curve& curve, const Fields& fields) {
    const std::optional<std::uint64_t> round = to_count(fields[kRound]);
    if (!round.has_value()) return refuse(fields, kRound, "a round");
    const auto t = static_cast<double>(*round);
    if (!curve.rounds.empty() && t <= curve.rounds.back()) {
      return refuse(fields, kRound, "a round after " + to_text(curve.rounds.back()));
    }
    for (std::size_t column = kMean; column < kColumnCount; ++column) {
      if (!value_of(fields[column]).has_value()) {
        return refuse(fields, static_cast<Column>(column), "a number");
      }
    }
    curve.rounds.push_back(t);
    curve.mean.push_back(*value_of(fields[kMean]));
    curve.stderr_of_mean.push_back(*value_of(fields[kStderr]));
    curve.q05.push_back(*value_of(fields[kQ05]));
    curve.q95.push_back(*value_of(fields[kQ95]));
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
  const bool named = std::equal(fields.begin(), fields.end(), kColumnNames.begin());
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
