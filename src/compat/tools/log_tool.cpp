#include "compat/tools/log_tool.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "analyze/rules/policy.hpp"
#include "base/utf8.hpp"
#include "compat/tools/personality.hpp"
#include "log/read/extension_modules.hpp"
#include "report/html/run_page.hpp"
#include "report/text/complaint.hpp"

namespace trikal::compat {
namespace {

class FileNotices final : public report::Notices {
 public:
  FileNotices(std::string_view tool, std::string_view file) : tool_(tool), file_(file) {}
  void notice(std::string_view sentence) override { warn(tool_, file_, sentence); }

 private:
  std::string_view tool_, file_;
};

}  // namespace

int complain(std::string_view tool, std::string_view about, const Error& error) {
  warn(tool, about, report::describe(error));
  return kFailed;
}

void warn(std::string_view tool, std::string_view about, std::string_view what) {
  fmt::print(stderr, "{}: {}: {}\n", tool, printable(about), printable(what));
}

void tell_damage(std::string_view tool, std::string_view file, std::span<const log::Damage> damage) {
  for (const log::Damage& found : damage) {
    warn(tool, file, fmt::format("{}: {}", found.where, report::describe(found.error)));
  }
}

int write_page(std::string_view tool, const std::string& log, const std::string& page, const std::string& named) {
  auto source = log::open_file(log);
  if (!source) return complain(tool, named, source.error());
  auto reader = log::Reader::open(std::move(*source));
  if (!reader) return complain(tool, named, reader.error());
  const auto run = analyze::read_run(**reader);
  if (!run) return complain(tool, named, run.error());
  const report::LogFacts facts{named, (*reader)->file_size(), TRIKAL_VERSION};
  const Status written =
      report::write_run_page(page, report::Replace::kYes, *run, analyze::find_all(*run, analyze::Policy()), facts);
  if (!written) return complain(tool, page, written.error());
  tell_damage(tool, named, (*reader)->damage());
  return 0;
}

bool LogTool::read_arguments(int argc, char** argv, int& exit_code) {
  const CommandLine line{.name = name_, .operands = "LOG", .summary = summary_, .flags = flags_, .misused = kFailed};
  std::vector<std::string> operands;
  if (!read_command_line(line, argc, argv, operands, exit_code)) return false;
  path_ = operands.front();
  return true;
}

int LogTool::complain(std::string_view about, const Error& error) const {
  return compat::complain(name_, about, error);
}

int LogTool::run(const Write& write) const {
  log::hide_extension_modules();
  auto source = log::open_file(path_);
  if (!source) return complain(path_, source.error());
  auto reader = log::Reader::open(std::move(*source));
  if (!reader) return complain(path_, reader.error());
  report::DescriptorSink out(STDOUT_FILENO);
  FileNotices notices(name_, path_);
  const Status listed = write(out, **reader, notices);
  const Status written = out.flush();
  if (!listed) return complain(path_, listed.error());
  if (!written) return complain("standard output", written.error());
  // What the original passes over in silence (bytes behind the last whole record) does not fail here either.
  tell_damage(name_, path_, (*reader)->damage());
  return 0;
}

}  // namespace trikal::compat
