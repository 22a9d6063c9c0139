// trikal info: what a log says of its job, and what is in it. Reads nothing but the header and the job.

#include <unistd.h>

#include "cli/complain.hpp"
#include "cli/log_input.hpp"
#include "cli/verbs.hpp"
#include "report/text/log_header.hpp"

namespace trikal::cli {
namespace {

int run(const LogInput& input) {
  int code = kOk;
  TerminalProgress progress(!input.no_progress, TerminalProgress::Output::kStandard);
  const auto reader = input.open(code, progress);
  if (!reader) return code;
  report::DescriptorSink out(STDOUT_FILENO);
  report::write_log_header(out, *reader);
  report::write_trailer_sections(out, *reader);
  const Status written = out.flush();
  if (!written) return complain("standard output", written.error());
  return report_damage(input.path, reader->damage());
}

void attach(CLI::App& app, Action& action) {
  auto input = std::make_shared<LogInput>();
  input->declare(app);
  action = [input] { return run(*input); };
}

constexpr Example kExamples[] = {
    {"trikal info job.darshan", "job, times, command, modules and file systems of a log"},
    {"trikal info - < job.darshan", "the same from standard input"},
};

}  // namespace

const Verb kInfo = {
    "info",
    "show a log's header: job, modules, file systems",
    "Prints the job a log belongs to, its run time, the size and version of every module's data, and the mounted "
    "file systems, and what tables the trailer holds (trikal export shows them). Takes a few milliseconds whatever the "
    "size of the log.",
    kExamples,
    attach,
    kReadingSection};

}  // namespace trikal::cli
