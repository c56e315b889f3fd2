// What verbs that take long share: a line of progress, and a wish to stop.
#pragma once

#include <chrono>
#include <cstdint>

namespace handrail {

// From now on Ctrl-C and SIGTERM only set interrupted().
void watch_for_interrupts();
bool interrupted();

// A line on stderr that is drawn over itself, and wiped in the end.
class Progress {
 public:
  // `done` of `total` rounds lie behind already, and took no time of this process.
  Progress(std::uint64_t total, std::uint64_t done, bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws again, unless it did so a moment ago.
  void show(std::uint64_t done);

 private:
  std::uint64_t total_;
  std::uint64_t before_;
  bool shown_;
  bool drawn_ = false;
  double last_ = 0.0;
  std::chrono::steady_clock::time_point start_;
};

// Whether somebody watches stderr.
bool watched(bool quiet);

}  // namespace handrail
