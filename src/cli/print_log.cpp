#include "cli/print_log.hpp"

#include <unistd.h>

#include "cli/verbs.hpp"

namespace trikal::cli {

int print_log(const LogInput& input, const LogPrinter& print, report::Audience audience) {
  int code = kOk;
  TerminalProgress progress(!input.no_progress, TerminalProgress::Output::kStandard);
  const auto reader = input.open(code, progress);
  if (!reader) return code;
  report::DescriptorSink out(STDOUT_FILENO, audience);
  FileNotices notices(input.path);
  const Status printed = print(out, *reader, notices);
  const Status written = out.flush();
  if (!printed) return complain(input.path, printed.error());
  if (!written) return complain("standard output", written.error());
  return report_damage(input.path, reader->damage());
}

}  // namespace trikal::cli
