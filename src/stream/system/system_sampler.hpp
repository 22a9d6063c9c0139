#pragma once
// The machine beside the program: processors, memory, pressure, disks, network, NFS and Lustre, on the time axis of the rest.

#include <map>
#include <string>

#include "stream/system/system_text.hpp"
#include "stream/wire/batch.hpp"

namespace trikal::stream {

class SystemSampler {
 public:
  // `root`: where /proc and /sys are; for tests.
  explicit SystemSampler(std::string root = "") : root_(std::move(root)) {}

  // What there is now: gauges, and of counters what they grew by a second since the last time. What the machine does not have,
  // what went back and what is seen for the first time is left out.
  void sample(Nanoseconds now, std::vector<SystemValue>& into);

 private:
  [[nodiscard]] SystemReadings read() const;
  void read_lustre_mounts(const std::string& folder, SystemReadings& into) const;

  std::string root_;
  std::map<std::pair<std::string, std::string>, double> last_;  // of counters, by metric and device
  Nanoseconds last_time_ = 0;
};

}  // namespace trikal::stream
