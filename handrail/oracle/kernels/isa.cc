#include "handrail/oracle/kernels/isa.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "handrail/base/text.h"

namespace handrail {
namespace {

struct Known {
  Isa isa;
  std::string_view name;
  std::int64_t target;  // Highway's bit
};

constexpr Known kKnown[] = {
    {Isa::kPortable, "portable", HWY_SCALAR},
    {Isa::kSse4, "sse4", HWY_SSE4},
    {Isa::kAvx2, "avx2", HWY_AVX2},
    {Isa::kAvx512, "avx512", HWY_AVX3},
};

bool is_supported(const Known& known) {
  return known.isa == Isa::kPortable || (hwy::SupportedTargets() & known.target) != 0;
}

std::string names_of(const std::vector<Isa>& isas) {
  std::vector<std::string_view> names;
  for (const Isa isa : isas) names.push_back(to_text(isa));
  return join(names, ", ");
}

}  // namespace

std::string_view to_text(Isa isa) {
  return std::ranges::find(kKnown, isa, &Known::isa)->name;
}

std::vector<Isa> supported_isas() {
  std::vector<Isa> isas;
  for (const Known& known : kKnown) {
    if (is_supported(known)) isas.push_back(known.isa);
  }
  return isas;
}

Result<Isa> isa_named(std::string_view name) {
  const auto* const known = std::ranges::find(kKnown, name, &Known::name);
  if (known == std::end(kKnown) || !is_supported(*known)) {
    return Error{"the instruction set is '" + std::string(name) + "'; one of " +
                 names_of(supported_isas()) + " was expected, since this processor has those"};
  }
  return known->isa;
}

Result<Isa> chosen_isa() {
  const char* const pinned = std::getenv("HANDRAIL_ISA");
  if (pinned == nullptr || *pinned == '\0') return supported_isas().back();
  const Result<Isa> isa = isa_named(pinned);
  if (!isa.ok()) return Error{"HANDRAIL_ISA: " + isa.error().message};
  return isa;
}

}  // namespace handrail
