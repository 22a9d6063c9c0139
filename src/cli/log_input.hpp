#pragma once
// The options every verb that reads logs has, and opening a log with them.

#include "cli/command_line.hpp"

#include <memory>
#include <string>

#include "cli/progress.hpp"
#include "log/read/reader.hpp"

namespace trikal::cli {

struct LogInput {
  std::string path;
  bool salvage = false;
  bool no_progress = false;
  std::string limit = "1G";

  // LOG, and what declare_reading declares
  void declare(CommandLine& app, const std::string& what = "the log; - reads standard input");
  void declare_reading(CommandLine& app);  // --salvage, --limit, --no-progress
  // Complains itself; null if the log cannot be opened, then `exit_code` says how to end. `progress` must outlive it.
  [[nodiscard]] std::unique_ptr<log::Reader> open(int& exit_code, TerminalProgress& progress) const;
  [[nodiscard]] std::unique_ptr<log::Reader> open(const std::string& file, int& exit_code,
                                                  TerminalProgress& progress) const;
};

// "64M" and the like in bytes; false if it is no size.
[[nodiscard]] bool parse_size(std::string_view text, std::uint64_t& bytes);

}  // namespace trikal::cli
