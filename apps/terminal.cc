#include "apps/terminal.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>

namespace handrail {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

void note_interrupt(int /*signal*/) {
  interrupt_seen = 1;
}

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long long>(std::max(0.0, seconds));
  if (whole < 100) return std::to_string(whole) + " s";
  if (whole < 6000) return std::to_string((whole + 30) / 60) + " min";
  return std::to_string((whole + 1800) / 3600) + " h";
}

std::string bar(double share) {
  constexpr int kWidth = 24;
  const int full = static_cast<int>(share * kWidth);
  return std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kWidth - full), '.');
}

}  // namespace

void watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return interrupt_seen != 0;
}

Progress::Progress(std::uint64_t total, std::uint64_t done, bool shown)
    : total_(total), before_(done), shown_(shown), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
}

void Progress::show(std::uint64_t done) {
  constexpr double kSecondsBetween = 0.1;
  if (!shown_) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  const double seconds = since.count();
  if (seconds - last_ < kSecondsBetween) return;
  last_ = seconds;
  drawn_ = true;
  const double rate = static_cast<double>(done - before_) / seconds;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const double left = static_cast<double>(total_ - done) / rate;
  std::fprintf(stderr, "\r\033[K[%s] %3.0f %%  %.0f rounds a second, %s left", bar(share).c_str(),
               100.0 * share, rate, rate > 0.0 ? duration(left).c_str() : "?");
}

bool watched(bool quiet) {
  return !quiet && ::isatty(STDERR_FILENO) != 0;
}

}  // namespace handrail
