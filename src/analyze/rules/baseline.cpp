#include "analyze/rules/baseline.hpp"

#include <algorithm>
#include <map>

#include "analyze/rules/assumed_rate.hpp"

namespace trikal::analyze {
namespace {

constexpr double kMiB = 1024.0 * 1024;

// What a rank reaches in large accesses on a healthy file system of the type, and what all ranks share of it; 0: each has
// its own. Nobody measured it: it is a floor to reckon with, and findings say so.
struct Floor {
  std::string_view type;
  double rank, all;
};
constexpr Floor kFloors[] = {
    {"lustre", 500 * kMiB, 51200 * kMiB}, {"gpfs", 500 * kMiB, 51200 * kMiB},   {"beegfs", 500 * kMiB, 20480 * kMiB},
    {"wekafs", 500 * kMiB, 51200 * kMiB}, {"panfs", 300 * kMiB, 20480 * kMiB},  {"pvfs2", 300 * kMiB, 20480 * kMiB},
    {"ceph", 300 * kMiB, 10240 * kMiB},   {"nfs", 100 * kMiB, 1024 * kMiB},     {"nfs4", 100 * kMiB, 1024 * kMiB},
    {"cifs", 100 * kMiB, 1024 * kMiB},    {"smb3", 100 * kMiB, 1024 * kMiB},    {"afs", 50 * kMiB, 512 * kMiB},
    {"dvs", 100 * kMiB, 10240 * kMiB},    {"fuse.sshfs", 50 * kMiB, 50 * kMiB}, {"tmpfs", 2048 * kMiB, 0},
};
constexpr double kPageCache = 1024 * kMiB;  // what page caches and fast disks reach

// Accesses that some rule blames: synced one by one, or mostly small.
bool is_blamed(const Use& use, const Flow& flow) {
  return 10 * use.syncs > flow.calls || 2 * flow.calls_below_100k() > flow.calls;
}

// 0: nothing in this direction was large.
double best_rate(const Run& run, Flow Use::* direction, const FileFilter& counts, double floor) {
  constexpr double kLargeAccess = 256.0 * 1024, kEnoughBytes = 8.0 * 1024 * 1024;
  // Memory is not faster than this: such a number is a clock's resolution.
  constexpr double kFastest = 32.0 * 1024 * 1024 * 1024;
  double best = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio, Layer::kMpiio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const Flow& flow = use.*direction;
      if (flow.mean_bytes() < kLargeAccess || static_cast<double>(flow.bytes) < kEnoughBytes) return;
      if (is_blamed(use, flow)) return;
      // Time in MPI-IO is waiting for other ranks, too; calls of less than 1 MiB may be what is wrong with the run.
      if (layer == Layer::kMpiio && run.use(file, Layer::kPosix)) return;
      const double rate = flow.seconds > 0 ? static_cast<double>(flow.bytes) / flow.seconds : 0;
      if (flow.mean_bytes() < kMiB && rate < floor) return;
      if (rate > best && counts(file)) best = rate;
    });
  }
  return std::min(best, kFastest);
}

// Where most bytes of the run went.
std::string_view file_system_of(const Run& run) {
  if (run.job == nullptr || run.job->mounts.empty()) return {};
  std::map<std::string_view, double> bytes;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (const log::Mount* mount = run.job->mount_of(file.name))
        bytes[mount->type] += static_cast<double>(use.bytes());
    });
  }
  const auto most = std::ranges::max_element(bytes, {}, [](const auto& type) { return type.second; });
  return most == bytes.end() || most->second <= 0 ? std::string_view() : most->first;
}

Baseline scaled(const Baseline& baseline, bool up) {
  Baseline other = baseline;
  for (Rate* rate : {&other.read, &other.write})
    rate->bytes_per_second *= up ? rate->uncertainty() : 1 / rate->uncertainty();
  return other;
}

}  // namespace

double assumed_rate(std::string_view type, double ranks) {
  const auto known = std::ranges::find(kFloors, type, &Floor::type);
  if (known == std::end(kFloors)) return kPageCache;
  return known->all > 0 ? std::min(known->rank, known->all / std::max(1.0, ranks)) : known->rank;
}

Baseline slower(const Baseline& baseline) { return scaled(baseline, false); }
Baseline faster(const Baseline& baseline) { return scaled(baseline, true); }

Baseline make_baseline(const Run& run, const FileFilter& counts) {
  const std::string_view type = file_system_of(run);
  const double assumed = assumed_rate(type, run.concurrency);
  const double read = best_rate(run, &Use::read, counts, assumed), write = best_rate(run, &Use::write, counts, assumed);
  const auto rate = [&](double own, double other) -> Rate {
    if (own > 0) return {own, Rate::Basis::kMeasured};
    if (other > 0) return {other, Rate::Basis::kOtherDirection};
    return {assumed, Rate::Basis::kAssumed, type};
  };
  return {rate(read, write), rate(write, read)};
}

}  // namespace trikal::analyze
