#include "handrail/report/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPauseMilliseconds = 20;

// A folder that nobody else can read, removed with all that is in it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make() {
    std::error_code code;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
    if (code) return Error{"no folder for temporary files: " + code.message()};
    std::string path = (parent / "handrail-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) return system_error(path, "cannot create");
    return TemporaryFolder(std::move(path));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

std::string file_address(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string address = "file://";
  for (const char c : path) {
    const auto code = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      address.push_back(c);
    } else {
      address.append({'%', kHex[code >> 4], kHex[code & 15]});
    }
  }
  return address;
}

std::vector<std::string> browser_names() {
  const char* const chosen = std::getenv("HANDRAIL_BROWSER");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"chromium", "chromium-browser", "google-chrome"};
}

std::vector<std::string> browser_words(const TemporaryFolder& folder, const std::string& address) {
  std::vector<std::string> words = {"--headless",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-dev-shm-usage",
                                    "--disable-extensions",
                                    "--disable-gpu",
                                    "--disable-quic",
                                    "--disable-sync",
                                    "--no-first-run",
                                    "--user-data-dir=" + folder.file("profile")};
  // Chromium's sandbox does not work for root, and it says so and ends. The page is our own.
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.emplace_back("--dump-dom");
  words.push_back(address);
  return words;
}

// What a process is started with, freed on every way out.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    // A group of its own, so that all of a browser's processes can be ended at once.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void redirect(int descriptor, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&files_, descriptor, path.c_str(), flags, 0600);
  }
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// Starts `name`, looked for on the PATH, without a shell. The answer and the messages go to files,
// which cannot fill up like a pipe.
Result<pid_t> start(const std::string& name, std::vector<std::string> words,
                    const TemporaryFolder& folder) {
  words.insert(words.begin(), name);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  SpawnSettings settings;
  settings.redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  settings.redirect(STDOUT_FILENO, folder.file("document"), kNew);
  settings.redirect(STDERR_FILENO, folder.file("messages"), kNew);
  pid_t process = 0;
  const int code = ::posix_spawnp(&process, name.c_str(), settings.files(), settings.attributes(),
                                  arguments.data(), environ);
  if (code != 0) return Error{name + ": cannot start: " + std::strerror(code)};
  return process;
}

// The exit status, or none if the time was up; then all processes of the group are gone too.
std::optional<int> wait_for(pid_t process, Clock::time_point deadline) {
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      ::kill(-process, SIGKILL);
      ::waitpid(process, &status, 0);
      return std::nullopt;
    }
    ::poll(nullptr, 0, kPauseMilliseconds);
  }
  return status;
}

std::string last_line(const std::string& path) {
  const Result<std::string> messages = read_file(path);
  if (!messages.ok()) return {};
  std::string_view text = messages.value();
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t start = text.rfind('\n');
  return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

Status run(const std::string& name, pid_t process, std::chrono::milliseconds longest,
           const TemporaryFolder& folder) {
  const std::optional<int> status = wait_for(process, Clock::now() + longest);
  if (!status.has_value()) {
    return Error{name + ": gave no answer within " +
                 to_text(std::chrono::duration<double>(longest).count()) +
                 " seconds and was ended"};
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return {};
  const std::string ending = WIFEXITED(*status)
                                 ? "exit code " + std::to_string(WEXITSTATUS(*status))
                                 : "signal " + std::to_string(WTERMSIG(*status));
  const std::string why = last_line(folder.file("messages"));
  return Error{name + ": ended with " + ending + (why.empty() ? "" : ": " + why)};
}

}  // namespace

Result<std::string> browse(std::string_view html, std::string_view fragment,
                           std::chrono::milliseconds longest) {
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder.ok()) return folder.error();
  const std::string page = folder.value().file("page.html");
  const Status written = write_file(page, html);
  if (!written.ok()) return written.error();
  const std::vector<std::string> words =
      browser_words(folder.value(), file_address(page) + std::string(fragment));
  std::string refusals;
  for (const std::string& name : browser_names()) {
    const Result<pid_t> process = start(name, words, folder.value());
    if (!process.ok()) {
      refusals += (refusals.empty() ? "" : "; ") + process.error().message;
      continue;
    }
    const Status ended = run(name, process.value(), longest, folder.value());
    if (!ended.ok()) return ended.error();
    return read_file(folder.value().file("document"));
  }
  return Error{"a browser draws the figures, and there is none (" + refusals +
               "); install Debian's chromium, or name one in HANDRAIL_BROWSER"};
}

}  // namespace handrail
