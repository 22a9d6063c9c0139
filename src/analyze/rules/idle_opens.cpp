#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kIdleOpensLimits[] = {
    {"opens", 100, "of files that are then not used, at least"},
};

// A directory is opened so that names in it can be looked up from there (openat): that is its use.
std::unordered_set<std::string_view> directories_of(const Run& run) {
  std::unordered_set<std::string_view> directories;
  for (const FileUse& file : single_files(run)) {
    const std::size_t slash = file.name.rfind('/');
    if (slash != std::string_view::npos && slash > 0) directories.insert(file.name.substr(0, slash));
  }
  return directories;
}

void look_for_idle_opens(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  std::optional<std::unordered_set<std::string_view>> directories;  // only where something is opened for nothing
  Offenders offenders(run);
  std::int64_t opens = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.opens == 0 || use.calls() + use.maps + use.seeks + use.syncs > 0 || run.extra(file).readdirs > 0) return;
      // A file that is opened through one layer may be used through the other.
      const auto other = run.use(file, layer == Layer::kPosix ? Layer::kStdio : Layer::kPosix);
      if (run.extra(file).locks + run.extra(file).mapped_bytes > 0 || (other && other->calls() > 0)) return;
      if (!directories) directories = directories_of(run);
      if (directories->contains(file.name)) return;
      offenders.add(file, use, use.meta_seconds, fmt::format("{} opens", grouped(use.opens)));
      opens += use.opens;
    });
  }
  if (opens < scene.count(at(kIdleOpensLimits, "opens")) * std::max<std::int64_t>(1, run.job->nprocs)) return;
  Finding finding;
  finding.title =
      fmt::format("{} opens of files that are then neither read nor written: {}", grouped(opens), offenders.names());
  finding.formula = "metadata time of these files, by rank";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kIdleOpens = {
    "idle-opens",
    "files opened and closed without being used",
    "Each costs a round trip to the metadata server for nothing.",
    "Test for a file with access or stat, once; open it where it is read; create empty marker files seldom.",
    "metadata time of files that were opened, but neither read, written nor mapped",
    look_for_idle_opens,
    kIdleOpensLimits};

}  // namespace trikal::analyze
