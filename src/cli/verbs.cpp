#include "cli/verbs.hpp"

#include <algorithm>
#include <array>

namespace trikal::cli {

std::span<const Verb* const> all_verbs() {
  static constexpr std::array kVerbs = {
      &kRun,     &kWatch,   &kServe,   &kPredict, &kCalibrate, &kCc,      &kCxx,  &kFc,       &kSnapshot,
      &kRecover, &kDoctor,  &kSummary, &kFiles,   &kInsights,  &kReport,  &kInfo, &kParse,    &kDxt,
      &kDiff,    &kConvert, &kMerge,   &kExport,  &kSql,       &kExplain, &kHelp, &kGenerate,
  };
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  const auto found = std::ranges::find(all_verbs(), name, [](const Verb* verb) { return verb->name; });
  return found == all_verbs().end() ? nullptr : *found;
}

std::span<const ExitCode> exit_codes() {
  static constexpr ExitCode kCodes[] = {
      {kOk, "done"},
      {kDiffers, "the answer is no: the logs differ, or something is wrong"},
      {kUsage, "the command line makes no sense, or names something that is not there"},
      {kSystem, "a file could not be read or written"},
      {kDamaged, "not a log, or a damaged one; with --salvage: something was lost"},
      {kLimit, "a limit was reached; --limit raises it"},
  };
  return kCodes;
}

}  // namespace trikal::cli
