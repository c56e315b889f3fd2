#include "handrail/safety/certified_gate.h"

#include <array>

namespace handrail {
namespace {

// In the order of MembersWord.
constexpr std::array<std::string_view, 3> kMembersWords = {"auto", "risky", "open"};
enum class MembersWord : std::uint8_t { kAuto, kRisky, kOpen };

}  // namespace

constinit const ParameterSpec kMembersRow = grouped(
    "gate", word_row("members",
                     "certified, safeset, checkpoint: which rounds the bound covers; auto: risky "
                     "where the baseline cost is known per round, open where it is a mean",
                     "auto", kMembersWords));

Members members_in(const PartFrame& frame) {
  const auto word = frame.values.choice<MembersWord>(kMembersRow);
  const bool open = word == MembersWord::kAuto ? frame.baseline_known == BaselineKnown::kMean
                                               : word == MembersWord::kOpen;
  return open ? Members::kOpen : Members::kRisky;
}

bool is_member(Members members, const Decision& decision) {
  if (members == Members::kRisky) return decision.arm != decision.baseline.arm;
  return decision.choice == Choice::kExplore;
}

Exposure certified_exposure(double cost_bound, double observed) {
  return {.value = cost_bound + kCostCap, .margin = cost_bound - observed};
}

CertifiedGate certified_gate_in(const PartFrame& frame) {
  return {frame.delta, bound_in(frame.values), members_in(frame)};
}

namespace {

constexpr std::array kCommon = {&kMembersRow, &kBoundRow};

}  // namespace

constinit const GateEntry kCertifiedGate = {
    .name = "certified",
    .meaning = "valid without trusting any model",
    .traits = {.certifies = true, .chooses_members = true},
    .paper_form = "paper",
    .common = kCommon,
    .make = [](const PartFrame& frame) -> std::unique_ptr<Gate> {
      return std::make_unique<CertifiedGate>(certified_gate_in(frame));
    },
};

}  // namespace handrail
