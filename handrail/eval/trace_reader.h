// Reads a trace back, line by line, as values whose fields are all there and of the right kind.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>

#include "handrail/base/result.h"
#include "handrail/core/round.h"
#include "handrail/eval/trace_round.h"

namespace handrail {

struct TraceHeader {
  std::string agent;
  std::string policy;
  std::string weighting;  // empty for a policy without one
  std::string gate;
  double alpha = 0.0;
  double delta = 0.0;
  double reserve = 0.0;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;  // also of a trace that lacks it
  std::string members;
  double floor = 0.0;
  std::uint64_t seed = 0;
  std::string environment;
  std::uint64_t arms = 0;
  std::uint64_t first_round = 1;
  // Every value as text; for what the header itself repeats (GateEntry::header) that counts.
  std::map<std::string, std::string> config;

  friend bool operator==(const TraceHeader&, const TraceHeader&) = default;
};

class TraceReader {
 public:
  // `place` names the trace in errors. The stream must outlive the reader.
  TraceReader(std::istream& in, std::string place) : in_(in), place_(std::move(place)) {}

  Result<TraceHeader> header();
  // None at the end of the trace.
  Result<std::optional<TraceRound>> next();

  // "trace.jsonl:17".
  std::string place() const { return place_ + ":" + std::to_string(line_number_); }

 private:
  Result<bool> read_line();  // whether there was another; a last line without an end is an error

  std::istream& in_;
  std::string place_;
  std::string line_;
  std::uint64_t line_number_ = 0;
};

}  // namespace handrail
