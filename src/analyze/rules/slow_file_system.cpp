#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kLimits[] = {
    {"bytes", 64.0 * 1024 * 1024, "on it, at least"},
};

void look(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  constexpr std::string_view kHome[] = {"nfs", "nfs4", "cifs", "smb3", "afs", "dvs"};
  constexpr std::string_view kFast[] = {"lustre", "gpfs", "beegfs", "wekafs", "panfs", "daos", "pvfs2", "ceph"};
  const log::Mount* fast = nullptr;
  for (const log::Mount& mount : run.job->mounts) {
    if (fast == nullptr && std::ranges::find(kFast, mount.type) != std::end(kFast)) fast = &mount;
  }
  if (fast == nullptr) return;
  Culprits culprits(run);
  double bytes = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const log::Mount* mount = run.job->mount_of(file.name);
      if (mount == nullptr || std::ranges::find(kHome, mount->type) == std::end(kHome)) return;
      bytes += real_of(use.bytes());
      culprits.add(file, use, use.read.seconds + use.write.seconds - scene.yardstick.seconds_for(use),
                   fmt::format("{} on {} ({})", sized(real_of(use.bytes())), mount->path, mount->type));
    });
  }
  if (bytes < scene[at(kLimits, "bytes")]) return;
  Finding finding;
  finding.title = fmt::format("{} on a network home while {} ({}) is there: {}", sized(bytes), fast->path, fast->type,
                              culprits.names());
  finding.formula = "time of reading and writing there, less what the bytes take at the best rate of this run";
  conclude(culprits, std::move(finding), out);
}

}  // namespace

const Rule kSlowFileSystem = {
    "slow-file-system",
    "bulk data on a network home while a parallel file system is mounted",
    "One server behind NFS serves all users; the parallel file system was bought for this.",
    "Put input and checkpoints on the scratch file system and copy results home at the end.",
    "time of reading and writing there, less what the bytes take at the best rate of this run",
    look,
    kLimits};

}  // namespace trikal::analyze
