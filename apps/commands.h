// The verbs of the command line. Each prints what it has to say and returns the exit code: 0, 1 if
// the result says no, 2 for usage or input that makes no sense, 130 if interrupted.
#pragma once

#include <string>
#include <vector>

#include "handrail/agent/toml_settings.h"
#include "handrail/data/catalog.h"

namespace handrail {

inline constexpr int kExitYes = 0;
inline constexpr int kExitNo = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitInterrupted = 130;

struct RunCommand {
  std::vector<Setting> flags;  // override those of the file
  std::string config_path;
  std::string trace_path;
  std::string log_path;
  std::string save_path;
  std::string resume_path;
  CatalogConfig catalog = catalog_config_from_environment();
  bool trace_features = false;
  bool json = false;
  bool quiet = false;
};
int run_command(const RunCommand& command);

struct CompareCommand {
  std::vector<Setting> flags;  // replace those of the file
  std::string config_path;
  std::string directory;  // empty: nothing is kept
  CatalogConfig catalog = catalog_config_from_environment();
  std::size_t threads = 0;  // 0: one a core
  std::string words;        // the command as it was typed
  bool json = false;
  bool quiet = false;
};
int compare_command(const CompareCommand& command);

struct AuditCommand {
  std::vector<std::string> paths;  // parts of one run, in order
  bool json = false;
};
int audit_command(const AuditCommand& command);

struct DataCommand {
  std::string name;  // `describe` takes a whole SPEC
  std::string class_column;
  std::string format;
  CatalogConfig catalog = catalog_config_from_environment();
  bool json = false;
  bool quiet = false;
};
int data_list_command(const DataCommand& command);
int data_describe_command(const DataCommand& command);
int data_fetch_command(const DataCommand& command);

int agents_command(bool json);
int inspect_command(const std::string& path, bool json);

struct ReportCommand {
  std::string folder;      // with the files of a comparison
  std::string out_folder;  // where to write; the same folder if empty
  bool svg = false;
  bool png = false;
};
int report_command(const ReportCommand& command);

// The settings of a TOML file, if one is named, and then those of the flags.
Result<std::vector<Setting>> all_settings(const std::string& config_path,
                                          const std::vector<Setting>& flags);

// Prints "handrail: message" to stderr and gives kExitBadInput.
int complain(const std::string& message);

}  // namespace handrail
