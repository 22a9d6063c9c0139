#pragma once
// What the kernel says of the machine in /proc and /sys, from its text. A line that is not understood is not there: no number
// is made up.

#include <string>
#include <string_view>
#include <vector>

namespace trikal::stream {

// A counter only ever grows; of a gauge the value itself is what matters.
struct SystemReading {
  std::string metric, device;
  double value = 0;
  bool counter = false;
};
using SystemReadings = std::vector<SystemReading>;

// Seconds of all processors together; `ticks`: of the kernel, in a second.
void read_cpu(std::string_view proc_stat, double ticks, SystemReadings& into);
void read_memory(std::string_view meminfo, SystemReadings& into);
// `what`: cpu, memory or io. Seconds in which some, or all, tasks waited for it.
void read_pressure(std::string_view text, std::string_view what, SystemReadings& into);
// Whole disks only: `is_disk` answers by name.
void read_disks(std::string_view diskstats, bool (*is_disk)(std::string_view name), SystemReadings& into);
void read_network(std::string_view net_dev, SystemReadings& into);
// NFS mounts of /proc/self/mountstats.
void read_nfs(std::string_view mountstats, SystemReadings& into);
// `stats` of a Lustre client, of one mount.
void read_lustre(std::string_view stats, std::string_view mount, SystemReadings& into);

}  // namespace trikal::stream
