#include "handrail/oracle/registry.h"

#include <array>

#include "handrail/oracle/linear.h"
#include "handrail/oracle/mlp_entry.h"
#include "handrail/oracle/ridge.h"

namespace handrail {
namespace {

constexpr std::array kOracles = {
    &kLinearOracle,  //
    &kRidgeOracle,   //
    &kMlpOracle,     //
};

constexpr Trait<OracleEntry> kTraits[] = {
    {"promises_regret", &OracleEntry::promises_regret},
    {"has_matrices", &OracleEntry::has_matrices},
};

}  // namespace

std::span<const OracleEntry* const> oracles() {
  return kOracles;
}

std::span<const Trait<OracleEntry>> oracle_traits() {
  return kTraits;
}

}  // namespace handrail
