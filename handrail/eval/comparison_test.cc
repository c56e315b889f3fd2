#include "handrail/eval/comparison.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/run_fixture.h"

namespace handrail {
namespace {

// While runs are being played.
class ThrowingObserver final : public ComparisonObserver {
 public:
  void look(std::uint64_t rounds_played) override {
    if (rounds_played > 0) throw std::runtime_error("enough");
  }
};

// More rounds than any machine plays between two looks.
TEST(Comparison, AnExceptionStopsEveryThread) {
  const ComparisonPlan plan =
      plan_comparison(
          settings_from(
              {{"world", "armed"}, {"agent", "uniform"}, {"runs", "4"}, {"rounds", "100000000"}}))
          .value();
  EnvironmentShelf shelf{CatalogConfig{}};
  const std::vector<EnvironmentFacts> facts = inspect(plan, shelf).value();
  const std::string folder = temporary_path("comparison");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Journal journal = std::move(Journal::open(folder, identity_of(plan, facts))).value();
  RunMonitor monitor;
  ThrowingObserver observer;
  const PlayOptions options = {
      .threads = 2, .monitor = monitor, .observer = observer, .facts = facts};
  EXPECT_THROW(static_cast<void>(play_all(plan, shelf, journal, options)), std::runtime_error);
  EXPECT_TRUE(monitor.stop.load());
  EXPECT_LT(monitor.rounds_played.load(), plan.rounds);
}

}  // namespace
}  // namespace handrail
