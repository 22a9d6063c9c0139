#include "cli/many_logs.hpp"

#include <algorithm>

#include "cli/complain.hpp"
#include "cli/verb.hpp"

namespace trikal::cli {

int for_each_log(const LogInput& input, std::span<const std::string> logs, const TakeRun& take) {
  int worst = kOk;
  for (const std::string& path : logs) {
    int code = kOk;
    TerminalProgress progress(!input.no_progress, TerminalProgress::Output::kNone);
    if (const auto reader = input.open(path, code, progress)) {
      if (const auto run = analyze::read_run(*reader)) take(path, *reader, *run);
      else code = complain(path, run.error());
      progress.end();
      code = std::max(code, report_damage(path, reader->damage()));
    }
    worst = std::max(worst, code);
  }
  return worst;
}

}  // namespace trikal::cli
