// darshan-summary-per-file: for each file of a log, a page about that file alone.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/utf8.hpp"
#include "compat/tools/log_tool.hpp"
#include "compat/tools/output_log.hpp"
#include "compat/tools/personality.hpp"
#include "log/copy.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-summary-per-file";

class PagesOfFiles {
 public:
  PagesOfFiles(std::string log, std::string directory) : log_(std::move(log)), directory_(std::move(directory)) {}

  int write() {
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    if (error) return warn(kName, directory_, "cannot be made: " + error.message()), kFailed;
    auto reader = open(log_);
    if (!reader) return complain(kName, log_, reader.error());
    const auto names = (*reader)->names();
    if (!names) return complain(kName, log_, names.error());
    std::vector<std::pair<std::uint64_t, std::string>> files;
    for (const log::NameTable::Entry& entry : (*names)->entries()) files.emplace_back(entry.id, (*names)->text(entry));
    for (const auto& [id, name] : files) {
      if (const int code = write_one(id, name); code != 0) return code;
    }
    tell_damage(kName, log_, (*reader)->damage());
    return 0;
  }

 private:
  static Result<std::unique_ptr<log::Reader>> open(const std::string& path) {
    auto source = log::open_file(path);
    if (!source) return source.error();
    return log::Reader::open(std::move(*source));
  }

  // The last part of a file's name; what another has already gets the record's number.
  std::string page_of(std::uint64_t id, const std::string& name) {
    std::string page = printable(name.substr(name.rfind('/') + 1));
    if (page.empty() || page.size() > 200 || taken_.contains(page)) page = fmt::format("{}", id);
    taken_.insert(page);
    return directory_ + "/" + page + ".html";
  }

  int write_one(std::uint64_t id, const std::string& name) {
    const std::string part = fmt::format("{}/.part-{}.darshan", directory_, ::getpid());
    log::CopyReport report;
    {
      auto reader = open(log_);
      if (!reader) return complain(kName, log_, reader.error());
      auto tool = create_log(part, log::Codec::kZlib);
      if (!tool) return complain(kName, part, tool.error());
      const Status done =
          log::copy_log(**reader, (*tool)->writer(), {.record = id, .record_may_be_missing = true}, report);
      if (!done) return complain(kName, log_, done.error());
    }
    const int code = report.records == 0 ? 0 : write_page(kName, part, page_of(id, name), log_);
    ::unlink(part.c_str());
    return code;
  }

  std::string log_, directory_;
  std::set<std::string> taken_;
};

}  // namespace

int run_summary_per_file(int argc, char** argv) {
  const CommandLine line{.name = kName,
                         .operands = "LOG DIRECTORY",
                         .summary = "Writes one page for each file of a log into a directory.",
                         .flags = {},
                         .settings = {},
                         .fewest = 2,
                         .most = 2,
                         .misused = kFailed};
  std::vector<std::string> operands;
  int exit_code = 0;
  if (!read_command_line(line, argc, argv, operands, exit_code)) return exit_code;
  return PagesOfFiles(operands[0], operands[1]).write();
}

}  // namespace trikal::compat
