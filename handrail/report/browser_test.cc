#include "handrail/report/browser.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "handrail/base/bytes.h"

namespace handrail {
namespace {

// Shell scripts in place of a browser, and a folder of the test's own for temporary files.
class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "browser-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/temporary");
    ASSERT_EQ(::setenv("TMPDIR", (folder_ + "/temporary").c_str(), 1), 0);
  }
  void TearDown() override {
    ::unsetenv("HANDRAIL_BROWSER");
    ::unsetenv("TMPDIR");
    EXPECT_TRUE(std::filesystem::is_empty(folder_ + "/temporary")) << "files were left behind";
    std::filesystem::remove_all(folder_);
  }
  void use(const std::string& script) {
    const std::string path = folder_ + "/browser";
    ASSERT_TRUE(write_file(path, "#!/bin/sh\n" + script + "\n").ok());
    ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
    ASSERT_EQ(::setenv("HANDRAIL_BROWSER", path.c_str(), 1), 0);
  }

  std::string folder_;
};

TEST_F(Browser, GetsThePageAndTheFragment) {
  use(R"(for word; do last=$word; done
path=${last#file://}; path=${path%%#*}
cat "$path"; echo "${last##*#}"; case "$*" in *--dump-dom*) echo asked;; esac)");
  EXPECT_EQ(browse("<p>", "#figures=svg").value(), "<p>figures=svg\nasked\n");
}

TEST_F(Browser, IsQuotedByItsLastWordsIfItFails) {
  use("echo first >&2; echo 'no display' >&2; exit 21");
  const std::string message = browse("<p>", "").error().message;
  EXPECT_NE(message.find("ended with exit code 21: no display"), std::string::npos) << message;
  use("kill -9 $$");
  EXPECT_NE(browse("<p>", "").error().message.find("signal 9"), std::string::npos);
}

TEST_F(Browser, IsEndedWithItsChildrenIfItHangs) {
  use("sleep 1000 & echo $! > " + folder_ + "/child; wait");
  const std::string message = browse("<p>", "", std::chrono::milliseconds(500)).error().message;
  EXPECT_NE(message.find("gave no answer within 0.5 seconds"), std::string::npos) << message;
  const Result<std::string> child = read_file(folder_ + "/child");
  if (!child.ok()) return;  // a busy machine did not come that far in half a second
  const std::string process = "/proc/" + child.value().substr(0, child.value().find('\n'));
  const auto lives = [&] {
    const Result<std::string> state = read_file(process + "/stat");
    return state.ok() && state.value().find(") Z ") == std::string::npos;  // a zombie is dead
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (lives() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(lives()) << process;
}

TEST_F(Browser, IsMissedWithASentence) {
  ::setenv("HANDRAIL_BROWSER", "/nowhere/browser", 1);
  const std::string message = browse("<p>", "").error().message;
  EXPECT_NE(message.find("/nowhere/browser: cannot start"), std::string::npos) << message;
  EXPECT_NE(message.find("HANDRAIL_BROWSER"), std::string::npos) << message;
}

}  // namespace
}  // namespace handrail
