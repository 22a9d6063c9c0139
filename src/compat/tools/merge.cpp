// darshan-merge.

#include "log/merge.hpp"

#include <limits>

#include "compat/tools/log_tool.hpp"
#include "compat/tools/output_log.hpp"
#include "compat/tools/personality.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-merge";

log::MergeInput input_of(const std::string& path) {
  return {path, [path]() -> Result<std::unique_ptr<log::Reader>> {
            auto source = log::open_file(path);
            if (!source) return source.error();
            return log::Reader::open(std::move(*source));
          }};
}

int merge(const std::vector<std::string>& logs, const std::string& output, const log::MergeOptions& options) {
  std::vector<log::MergeInput> inputs;
  inputs.reserve(logs.size());
  for (const std::string& path : logs) inputs.push_back(input_of(path));
  auto tool = create_log(output, log::Codec::kZlib);
  if (!tool) return complain(kName, output, tool.error());
  log::MergeReport report;
  const Status done = log::merge_logs(inputs, (*tool)->writer(), options, report);
  for (const std::string& warning : report.warnings) warn(kName, output, warning);
  for (const auto& [input, damage] : report.damage) tell_damage(kName, input, {&damage, 1});
  if (done) return 0;
  if (!report.detail.empty()) warn(kName, report.input, report.detail);
  const bool reading = (*tool)->writer().health() && !report.input.empty();
  return complain(kName, reading ? report.input : output, done.error());
}

}  // namespace

int run_merge(int argc, char** argv) {
  log::MergeOptions options{.rebase = false};  // times stay those of each log, as there
  std::string output, end_time;
  const Flag flags[] = {
      {"shared-redux", &options.fold_shared, "make one record of a file that all ranks used"},
  };
  const Setting settings[] = {
      {"output", "PATH", &output, "the merged log; required"},
      {"job-end-time", "SECONDS", &end_time, "when the job ended, in seconds since 1970"},
  };
  const CommandLine line{.name = kName,
                         .operands = "LOG...",
                         .summary = "Joins several logs of one job into one.",
                         .flags = flags,
                         .settings = settings,
                         .most = std::numeric_limits<std::size_t>::max(),
                         .misused = kMisused};
  std::vector<std::string> logs;
  int exit_code = 0;
  if (!read_command_line(line, argc, argv, logs, exit_code)) return exit_code;
  if (output.empty()) return misuse(line, "--output is missing");
  std::int64_t seconds = 0;
  if (!end_time.empty() && !parse_number(end_time, seconds)) return misuse(line, "--job-end-time takes a number");
  if (seconds > 0) options.job_end_time = seconds;
  return merge(logs, output, options);
}

}  // namespace trikal::compat
