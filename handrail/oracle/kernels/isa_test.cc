#include "handrail/oracle/kernels/isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace handrail {
namespace {

// Sets HANDRAIL_ISA for one test and puts back what was there.
class Pin {
 public:
  explicit Pin(const char* name) {
    const char* const before = std::getenv("HANDRAIL_ISA");
    had_ = before != nullptr;
    if (had_) before_ = before;
    setenv("HANDRAIL_ISA", name, 1);
  }
  ~Pin() {
    if (had_) {
      setenv("HANDRAIL_ISA", before_.c_str(), 1);
    } else {
      unsetenv("HANDRAIL_ISA");
    }
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

 private:
  bool had_ = false;
  std::string before_;
};

TEST(Isa, EveryProcessorRunsThePortableSet) {
  EXPECT_EQ(supported_isas().front(), Isa::kPortable);
}

TEST(Isa, NamesGoThereAndBack) {
  for (const Isa isa : supported_isas()) {
    const Result<Isa> named = isa_named(to_text(isa));
    ASSERT_TRUE(named.ok());
    EXPECT_EQ(named.value(), isa);
  }
}

TEST(Isa, RefusesAnUnknownName) {
  const Result<Isa> isa = isa_named("mmx");
  ASSERT_FALSE(isa.ok());
  EXPECT_THAT(isa.error().message, testing::HasSubstr("'mmx'; one of portable"));
}

TEST(Isa, PinnedByTheEnvironment) {
  const Pin pin("portable");
  ASSERT_TRUE(chosen_isa().ok());
  EXPECT_EQ(chosen_isa().value(), Isa::kPortable);
}

TEST(Isa, RefusesToBePinnedToSomethingElse) {
  const Pin pin("AVX2");
  ASSERT_FALSE(chosen_isa().ok());
  EXPECT_THAT(chosen_isa().error().message, testing::HasSubstr("HANDRAIL_ISA: "));
}

TEST(Isa, WidestWhereNothingIsPinned) {
  const Pin pin("");
  EXPECT_EQ(chosen_isa().value(), supported_isas().back());
}

}  // namespace
}  // namespace handrail
