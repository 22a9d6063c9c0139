#include "cli/complain.hpp"

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/progress.hpp"
#include "cli/verb.hpp"
#include "report/text/complaint.hpp"

namespace trikal::cli {
namespace {

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNone: return kOk;
    case ErrorCode::kSystem: return kSystem;
    case ErrorCode::kUsage:
    case ErrorCode::kMissing: return kUsage;
    case ErrorCode::kLimit: return kLimit;
    case ErrorCode::kNotALog:
    case ErrorCode::kUnsupported:
    case ErrorCode::kDamaged:
    case ErrorCode::kTruncated: return kDamaged;
  }
  return kDamaged;
}

std::string describe(const Error& error) {
  return report::describe(error) + (error.code == ErrorCode::kLimit ? " (raise it with --limit)" : "");
}

}  // namespace

std::string sentence(std::string_view file, const Error& error) {
  return fmt::format("trikal: {}: {}", file, describe(error));
}

int complain(std::string_view file, const Error& error) {
  const TerminalProgress::Pause pause;
  fmt::print(stderr, "{}\n", printable(sentence(file, error)));
  return exit_code(error.code);
}

void warn(std::string_view file, std::string_view what) {
  const TerminalProgress::Pause pause;
  fmt::print(stderr, "trikal: {}: {}\n", printable(file), printable(what));
}

int report_damage(std::string_view file, const std::vector<log::Damage>& damage) {
  int code = kOk;
  for (const log::Damage& d : damage) {
    const bool loss = d.severity == log::Damage::Severity::kLoss;
    if (loss) code = kDamaged;
    warn(file,
         fmt::format(
             "{}: {}{}", d.where, describe(d.error),
             loss ? fmt::format(" ({} {} before it)", d.salvaged, d.where == "names" ? "names" : "records") : ""));
  }
  return code;
}

}  // namespace trikal::cli
