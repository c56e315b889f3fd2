// A file of lines that grows while a run is played.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

// Lines go beside the file and take its name once the run is whole: one that was cut never
// looks like one that was not. A device or a pipe takes them as they come; a file renamed into its
// place would be the end of it.
class LineFile {
 public:
  LineFile(std::string path, std::string_view what) : path_(std::move(path)), what_(what) {
    std::error_code unknown;
    const bool exists = std::filesystem::exists(path_, unknown);
    const bool is_file = std::filesystem::is_regular_file(path_, unknown);
    place_ = to_stdout() || (exists && !is_file) ? path_ : path_ + ".partial";
    if (!to_stdout()) file_.open(place_, std::ios::trunc | std::ios::binary);
  }

  bool to_stdout() const { return path_ == "-"; }
  // Where the lines are, as long as the run is not whole.
  const std::string& place() const { return place_; }

  Status write(const std::string& line) {
    std::ostream& out = to_stdout() ? std::cout : file_;
    out << line << '\n';
    return check(out);
  }
  Status finish() {
    const Status closed = close();
    if (!closed.ok() || place_ == path_) return closed;
    if (std::rename(place_.c_str(), path_.c_str()) != 0) {
      return Error{path_ + ": cannot rename " + place_ + " into place"};
    }
    return {};
  }
  // Leaves whole lines behind, under the other name.
  Status abandon() { return close(); }

 private:
  Status close() {
    std::ostream& out = to_stdout() ? std::cout : file_;
    out.flush();
    if (!to_stdout()) file_.close();
    return check(out);
  }
  Status check(std::ostream& out) {
    if (out.good()) return {};
    return Error{(to_stdout() ? "stdout" : place_) + ": cannot write the " + what_};
  }

  std::string path_;
  std::string what_;
  std::string place_;
  std::ofstream file_;
};

}  // namespace handrail
