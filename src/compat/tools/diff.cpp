// darshan-diff.

#include <fmt/format.h>
#include <unistd.h>

#include "analyze/compare/compare.hpp"
#include "compat/tools/log_tool.hpp"
#include "compat/tools/personality.hpp"
#include "log/read/extension_modules.hpp"
#include "report/text/line_differences.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-diff";

class ToolNotices final : public report::Notices {
 public:
  void notice(std::string_view sentence) override { fmt::print(stderr, "{}: {}\n", kName, sentence); }
};

Result<std::unique_ptr<log::Reader>> open(const char* path) {
  auto source = log::open_file(path);
  if (!source) return source.error();
  log::hide_extension_modules();
  return log::Reader::open(std::move(*source));
}

int compare_logs(const char* path_a, const char* path_b) {
  auto a = open(path_a);
  if (!a) return complain(kName, path_a, a.error());
  auto b = open(path_b);
  if (!b) return complain(kName, path_b, b.error());
  ToolNotices notices;
  const analyze::CompareOptions options{.traces = false, .same_versions_only = true};
  report::LineDifferences lines(**a, **b, options.memory, notices);
  const analyze::CompareResult result = analyze::compare(**a, **b, options, lines);
  if (!result.status) return complain(kName, result.side == analyze::Side::kA ? path_a : path_b, result.status.error());
  report::DescriptorSink out(STDOUT_FILENO);
  const Status made = lines.write(out);
  const Status written = out.flush();
  if (!made) return complain(kName, path_a, made.error());
  return written ? 0 : complain(kName, "standard output", written.error());
}

}  // namespace

int run_diff(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("{} of trikal {}, reads logs of Darshan 3.0.0 to 3.5.0\n", kName, TRIKAL_VERSION);
    return 0;
  }
  if (argc != 3) {
    fmt::print(stderr, "Usage: {} LOG LOG | --version\nPrints the lines in which two logs differ.\n", kName);
    return kFailed;
  }
  return compare_logs(argv[1], argv[2]);
}

}  // namespace trikal::compat
