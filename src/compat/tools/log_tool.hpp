#pragma once
// What Darshan's tools that print have in common: flags, one log, text on standard output.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "compat/tools/arguments.hpp"
#include "log/read/reader.hpp"
#include "report/sink.hpp"
#include "report/text/notices.hpp"

namespace trikal::compat {

class LogTool {
 public:
  LogTool(std::string_view name, std::string_view summary, std::span<const Flag> flags)
      : name_(name), summary_(summary), flags_(flags) {}

  // Reads the command line. False: nothing more to do, end with `exit_code`.
  [[nodiscard]] bool read_arguments(int argc, char** argv, int& exit_code);

  // Opens the log, has `write` put its text out and complains of what went wrong; the exit code.
  using Write = std::function<Status(report::Sink& out, log::Reader& reader, report::Notices& notices)>;
  [[nodiscard]] int run(const Write& write) const;

 private:
  [[nodiscard]] int complain(std::string_view about, const Error& error) const;

  std::string_view name_, summary_;
  std::span<const Flag> flags_;
  std::string path_;
};

// "darshan-convert: FILE: what is wrong" on stderr; the exit code.
int complain(std::string_view tool, std::string_view about, const Error& error);
void warn(std::string_view tool, std::string_view about, std::string_view what);
// The page of a log; `named` is what the page calls it. Complains itself; the exit code.
int write_page(std::string_view tool, const std::string& log, const std::string& page, const std::string& named);
// One line for each thing that is wrong with a log.
void tell_damage(std::string_view tool, std::string_view file, std::span<const log::Damage> damage);

}  // namespace trikal::compat
