// The runs of a comparison as they were finished, in a file that only grows: what lets an
// interrupted comparison go on, and keeps memory free of them. A record that was being written when
// the program died is cut off; its run is played again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/eval/comparison_plan.h"
#include "handrail/eval/played_run.h"

namespace handrail {

struct RunKey {
  Cell cell;
  // Which of the agent's candidates, and whether the run is one that chooses among them.
  std::uint64_t candidate = 0;
  bool tuning = false;
  std::uint64_t run = 0;

  friend bool operator<(const RunKey& a, const RunKey& b) {
    return std::tie(a.cell, a.candidate, a.tuning, a.run) <
           std::tie(b.cell, b.candidate, b.tuning, b.run);
  }
};

class Journal {
 public:
  // Opens the journal in `directory`, which is made if need be, or begins one. `identity` says in
  // lines what the comparison is; a journal of another one is refused with the first line that
  // differs, and so is a directory that another process is writing to.
  static Result<Journal> open(const std::string& directory, std::string_view identity);
  // One that vanishes with the program.
  static Result<Journal> temporary();

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  bool has(const RunKey& key) const { return offsets_.contains(key); }
  template <typename Wanted>
  std::uint64_t count_if(Wanted wanted) const {
    std::uint64_t count = 0;
    for (const auto& [key, offset] : offsets_) count += wanted(key) ? 1U : 0U;
    return count;
  }
  // Not for two threads at once. On an error nothing was added.
  Status add(const RunKey& key, const PlayedRun& run);

  // Of a run that is there: all but the curve, and one point of the curve.
  Result<PlayedRun> summary(const RunKey& key) const;
  Result<CurvePoint> curve_point(const RunKey& key, std::size_t index) const;

 private:
  Journal(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  Status append(std::string_view payload);
  Status read_records(std::string_view identity);
  bool begins_record(std::string_view identity, std::uint64_t length) const;
  Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

  int descriptor_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::map<RunKey, std::uint64_t> offsets_;  // where a run's summary begins
};

}  // namespace handrail
