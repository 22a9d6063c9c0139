#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/assumed_rate.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSlowFileSystemLimits[] = {
    {"bytes", 64.0 * 1024 * 1024, "on it, at least"},
};

bool is_fast(const log::Mount& mount) {
  constexpr std::string_view kFast[] = {"lustre", "gpfs", "beegfs", "wekafs", "panfs", "daos", "pvfs2", "ceph"};
  return std::ranges::find(kFast, mount.type) != std::end(kFast);
}

bool is_home(const log::Mount& mount) {
  constexpr std::string_view kHome[] = {"nfs", "nfs4", "cifs", "smb3", "afs", "dvs"};
  return std::ranges::find(kHome, mount.type) != std::end(kHome);
}

std::string basis_words(const Rate& rate) {
  return rate.basis == Rate::Basis::kAssumed
             ? fmt::format("{}/s a rank, assumed because nothing large went to the parallel file system",
                           sized(rate.bytes_per_second))
             : "the best rate of this run on the parallel file system";
}

void look_for_slow_file_system(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto fast = std::ranges::find_if(run.job->mounts, is_fast);
  if (fast == run.job->mounts.end()) return;
  // Where everything goes to the home, the home's own rate says nothing of what is possible.
  Baseline baseline = make_baseline(run, [&run](const FileUse& file) {
    const log::Mount* mount = run.job->mount_of(file.name);
    return mount != nullptr && is_fast(*mount);
  });
  for (Rate* rate : {&baseline.read, &baseline.write}) {
    if (rate->basis == Rate::Basis::kAssumed) rate->bytes_per_second = assumed_rate(fast->type, run.concurrency);
  }
  Offenders offenders(run);
  double bytes = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const log::Mount* mount = run.job->mount_of(file.name);
      if (mount == nullptr || !is_home(*mount)) return;
      bytes += real_of(use.bytes());
      offenders.add(file, use, use.read.seconds + use.write.seconds - baseline.seconds_for(use),
                    fmt::format("{} on {} ({})", sized(real_of(use.bytes())), mount->path, mount->type));
    });
  }
  if (bytes < scene[at(kSlowFileSystemLimits, "bytes")]) return;
  Finding finding;
  finding.title = fmt::format("{} on a network home while {} ({}) is there: {}", sized(bytes), fast->path, fast->type,
                              offenders.names());
  finding.formula =
      fmt::format("time of reading and writing there, less what the bytes take at {}", basis_words(baseline.write));
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kSlowFileSystem = {
    "slow-file-system",
    "bulk data on a network home while a parallel file system is mounted",
    "One server behind NFS serves all users; the parallel file system was bought for this.",
    "Put input and checkpoints on the scratch file system and copy results home at the end.",
    "time of reading and writing there, less what the bytes take at the best rate of this run on the parallel file "
    "system, or at what such a file system gives a rank where nothing large went there",
    look_for_slow_file_system,
    kSlowFileSystemLimits};

}  // namespace trikal::analyze
