// darshan-job-summary: the summary of a job as a page for a browser, where Darshan's writes a PDF.

#include <fmt/format.h>

#include "compat/tools/log_tool.hpp"
#include "compat/tools/personality.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-job-summary";

// job.darshan becomes job.html, here.
std::string default_page(const std::string& log) {
  std::string name = log.substr(log.rfind('/') + 1);
  if (name.ends_with(".darshan")) name.resize(name.size() - std::string_view(".darshan").size());
  return name + ".html";
}

}  // namespace

int run_job_summary(int argc, char** argv) {
  std::string output;
  bool verbose = false;
  const Flag flags[] = {{"verbose", &verbose, "name the page that was written"}};
  const Setting settings[] = {{"output", "FILE", &output, "the page (default: the log's name with .html, here)"}};
  const CommandLine line{.name = kName,
                         .operands = "LOG",
                         .summary = "Writes the summary of a job as one page that any browser opens.",
                         .flags = flags,
                         .settings = settings,
                         .misused = kFailed};
  std::vector<std::string> operands;
  int exit_code = 0;
  if (!read_command_line(line, argc, argv, operands, exit_code)) return exit_code;
  const std::string& log = operands.front();
  if (output.empty()) output = default_page(log);
  if (const int code = write_page(kName, log, output, log); code != 0) return code;
  if (verbose) fmt::print("{}\n", output);
  return 0;
}

}  // namespace trikal::compat
