#include "compat/tools/log_tool.hpp"

#include <fmt/format.h>
#include <getopt.h>
#include <unistd.h>

#include <vector>

#include "compat/tools/personality.hpp"
#include "report/text/complaint.hpp"

namespace trikal::compat {
namespace {

constexpr int kHelp = 1000, kVersion = 1001;

class FileNotices final : public report::Notices {
 public:
  FileNotices(std::string_view tool, std::string_view file) : tool_(tool), file_(file) {}
  void notice(std::string_view sentence) override { fmt::print(stderr, "{}: {}: {}\n", tool_, file_, sentence); }

 private:
  std::string_view tool_, file_;
};

}  // namespace

std::string LogTool::usage() const {
  std::string text = fmt::format("Usage: {} [options] LOG\n{}\n\n", name_, summary_);
  for (const Flag& flag : flags_) text += fmt::format("  --{:<17} {}\n", flag.name, flag.help);
  text += fmt::format("  --{:<17} {}\n", "help", "this text");
  return text + fmt::format("  --{:<17} {}\n", "version", "whose program this is");
}

bool LogTool::read_arguments(int argc, char** argv, int& exit_code) {
  std::vector<option> options;
  for (std::size_t i = 0; i < flags_.size(); ++i)
    options.push_back({flags_[i].name, no_argument, nullptr, static_cast<int>(i)});
  options.push_back({"help", no_argument, nullptr, kHelp});
  options.push_back({"version", no_argument, nullptr, kVersion});
  options.push_back({});
  exit_code = kFailed;
  optind = 0;  // start over: tests call this more than once
  for (int chosen = 0; (chosen = getopt_long(argc, argv, "", options.data(), nullptr)) != -1;) {
    if (chosen == kHelp) {
      fmt::print("{}", usage());
      exit_code = 0;
      return false;
    }
    if (chosen == kVersion) {
      fmt::print("{} of trikal {}, reads logs of Darshan 3.0.0 to 3.5.0\n", name_, TRIKAL_VERSION);
      exit_code = 0;
      return false;
    }
    if (chosen == '?') {  // getopt_long said what it did not like
      fmt::print(stderr, "{}", usage());
      return false;
    }
    *flags_[static_cast<std::size_t>(chosen)].given = true;
  }
  if (argc - optind != 1) {
    fmt::print(stderr, "{}: {}\n{}", name_, argc == optind ? "which log?" : "one log at a time", usage());
    return false;
  }
  path_ = argv[optind];
  return true;
}

int LogTool::complain(std::string_view about, const Error& error) const {
  fmt::print(stderr, "{}: {}: {}\n", name_, about, report::describe(error));
  return kFailed;
}

int LogTool::run(const Write& write) const {
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
  for (const log::Damage& damage : (*reader)->damage()) {
    notices.notice(fmt::format("{}: {}", damage.where, report::describe(damage.error)));
  }
  return 0;
}

}  // namespace trikal::compat
