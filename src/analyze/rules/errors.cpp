#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kErrorsLimits[] = {
    {"calls", 100, "failed calls of the run, at least"},
};

void look_for_errors(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto many = scene.count(at(kErrorsLimits, "calls"));
  std::int64_t sum = 0, grave = 0;
  std::vector<ErrorCount> kinds;
  for (const ErrorCount& error : run.errors) {
    sum += error.count;
    if (error.what == "EIO" || error.what == "ENOSPC" || error.what == "EDQUOT") grave += error.count;
    const auto known = std::ranges::find(kinds, error.what, &ErrorCount::what);
    if (known != kinds.end()) known->count += error.count;
    else kinds.push_back(error);
  }
  if (kinds.empty() || (sum < many && grave == 0)) return;
  std::ranges::sort(kinds, std::greater<>(), &ErrorCount::count);
  Finding finding;
  finding.title = fmt::format("{} calls failed, most with {}", grouped(sum), kinds.front().what);
  for (const ErrorCount& kind : kinds) finding.evidence.push_back(fmt::format("{} {}", grouped(kind.count), kind.what));
  for (const FileUse& file : single_files(run)) {
    if (run.extra(file).errors > 0)
      finding.files.push_back({std::string(file.name), 0, grouped(run.extra(file).errors) + " failed calls"});
  }
  finding.formula = "not estimated";
  finding.severity = grave > 0 ? Severity::kHigh : Severity::kLow;
  mention(std::move(finding), out);
}

}  // namespace

const Rule kErrors = {"errors",
                      "calls that failed",
                      "A failed call costs as much as one that works, and searching for files that are not there is a "
                      "question to the metadata server each time.",
                      "Look at the files and reasons below: shorten search paths (PYTHONPATH, include and library "
                      "paths), check before the loop, handle ENOSPC and EIO.",
                      "none: what a failed call took is not recorded",
                      look_for_errors,
                      kErrorsLimits};

}  // namespace trikal::analyze
