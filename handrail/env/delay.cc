#include "handrail/env/delay.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/env/round_stream.h"

namespace handrail {
namespace {

// Far beyond any run, and far from where t + N would overflow.
constexpr std::uint64_t kMostRounds = 1'000'000'000;

Error refusal(std::string_view text, std::string_view expected) {
  return Error{"delay is \"" + std::string(text) + "\"; " + std::string(expected)};
}

}  // namespace

std::uint64_t Delay::arrives(std::uint64_t seed, std::uint64_t t, ArmIndex arm, double cost) const {
  HANDRAIL_ASSERT(t < kRoundLimit);
  switch (kind_) {
    case Kind::kNone:
      return t;
    case Kind::kFixed:
      return t + rounds_;
    case Kind::kUniform:
      return t + round_stream(seed, Purpose::kDelay, t, arm).below(rounds_ + 1);
    case Kind::kOutcome:
      return t + (cost < 0.5 ? rounds_ : rounds_if_costly_);
  }
  HANDRAIL_ASSERT(false);
}

Result<Delay> parse_delay(std::string_view text) {
  if (text == "none") return Delay();
  std::vector<std::string_view> pieces = split(text, ':');
  const bool uniform = pieces[0] == "uniform";
  const bool outcome = pieces[0] == "outcome";
  if (uniform || outcome) pieces.erase(pieces.begin());

  std::vector<std::uint64_t> counts;
  for (const std::string_view piece : pieces) {
    const std::optional<std::uint64_t> count = to_count(piece);
    if (count.has_value()) counts.push_back(*count);
  }
  if (counts.size() != pieces.size() || counts.size() != (outcome ? 2u : 1u)) {
    return refusal(text, std::string(kDelayRow.form) + " was expected, N and M whole numbers");
  }
  if (std::ranges::max(counts) > kMostRounds) {
    return refusal(text, "at most " + std::to_string(kMostRounds) + " rounds were expected");
  }
  if (outcome) return Delay(Delay::Kind::kOutcome, counts[0], counts[1]);
  return Delay(uniform ? Delay::Kind::kUniform : Delay::Kind::kFixed, counts[0], 0);
}

std::string to_text(const Delay& delay) {
  const std::string rounds = std::to_string(delay.rounds_);
  switch (delay.kind_) {
    case Delay::Kind::kNone:
      return "none";
    case Delay::Kind::kFixed:
      return rounds;
    case Delay::Kind::kUniform:
      return "uniform:" + rounds;
    case Delay::Kind::kOutcome:
      return "outcome:" + rounds + ":" + std::to_string(delay.rounds_if_costly_);
  }
  HANDRAIL_ASSERT(false);
}

Status check_delay(std::string_view text) {
  const Result<Delay> delay = parse_delay(text);
  return delay.ok() ? Status() : Status(delay.error());
}

std::string spelling_of_delay(std::string_view text) {
  return to_text(parse_delay(text).value());
}

}  // namespace handrail
