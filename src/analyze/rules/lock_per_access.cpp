#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kLockPerAccessLimits[] = {
    {"locks", 1000, "of a file, at least"},
    {"share", 0.5, "locks for each access, at least"},
};

void look_for_lock_per_access(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  std::int64_t locks = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (run.extra(file).locks < scene.count(at(kLockPerAccessLimits, "locks"))) return;
    if (real_of(run.extra(file).locks) < scene[at(kLockPerAccessLimits, "share")] * real_of(use.calls())) return;
    offenders.add(file, use, run.extra(file).seconds,
                  fmt::format("{} locks for {} accesses", grouped(run.extra(file).locks), grouped(use.calls())));
    locks += run.extra(file).locks;
  });
  Finding finding;
  finding.title = fmt::format("{} locks taken and given back: {}", grouped(locks), offenders.names());
  finding.formula = "time in calls on space, names and locks of these files";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // no layer counts this time
}

}  // namespace

const Rule kLockPerAccess = {"lock-per-access",
                             "a file locked for every access",
                             "A lock on a network file system is a message to a server, which must call others back.",
                             "Lock once for a batch of changes; let one process own the file; use a database that "
                             "groups its commits (SQLite: one transaction for many rows, WAL).",
                             "time of calls on locks, names and space of the file",
                             look_for_lock_per_access,
                             kLockPerAccessLimits};

}  // namespace trikal::analyze
