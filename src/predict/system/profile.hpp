#pragma once
// The machine that predictions are for: what it is, and what its operations and instructions take. Measured once
// (trikal predict --system) and kept as a file.

#include <optional>
#include <string>
#include <vector>

#include "analyze/dataset/prediction.hpp"

namespace trikal::predict {

inline constexpr std::size_t kOperations = analyze::kOperationKinds;

struct MountProfile {
  std::string path;    // where it is mounted
  std::string type;    // ext4, nfs, tmpfs ...
  std::string device;  // disk, rotating disk, memory, network
  double write_bandwidth = 0, read_bandwidth = 0;  // bytes a second, of the device where it can be asked directly
  double latency = 0;        // seconds, of one small read from there
  double concurrency = 1;    // of those that are worth having at once
  std::string measured_by;   // fio or probe
  std::vector<analyze::Costs::Price> prices;  // by operation, through the page cache; empty: not measured
  double formatted = 0;      // a number printed or scanned, beyond its bytes
  double page = 0;           // made in the page cache by a small write
  double synced = 0;         // a byte that a sync brings to the device
  double replaced = 0;       // a byte of a file that is made empty by opening it, and written anew
};

struct SystemProfile {
  std::string machine;  // who it is; costs are of no other
  std::string cpu;
  unsigned cores = 0;
  std::vector<std::pair<std::string, double>> caches;  // "L2 unified", bytes
  double memory = 0;
  std::vector<MountProfile> mounts;
  std::vector<double> work;  // seconds of each kind
  double instructions = 0;   // plain ones a second

  // Of the mount that holds a path.
  [[nodiscard]] const MountProfile* mount_of(const std::string& path) const;
};

// What kinds of work take for a program whose files are on this mount.
[[nodiscard]] std::vector<double> work_on(const SystemProfile& profile, const MountProfile& mount);

// What tells this machine from others: model and number of its processors, memory.
[[nodiscard]] std::string this_machine();

// Measures this machine, and the file systems of these folders; takes a few seconds. `quick`: less, and less sure.
[[nodiscard]] SystemProfile measure_system(const std::vector<std::string>& folders, bool quick);

[[nodiscard]] std::string profile_json(const SystemProfile& profile);
[[nodiscard]] std::string profile_text(const SystemProfile& profile);  // for people
[[nodiscard]] std::optional<SystemProfile> read_profile(const std::string& path);

// $TRIKAL_CALIBRATION, or a folder in the user's configuration.
[[nodiscard]] std::string calibration_folder();
// Data that came with the program (share/trikal); empty: not found.
[[nodiscard]] std::string shared_folder();

// Parts of the measurement.
void measure_mount(MountProfile& mount, const std::string& folder, bool quick);
[[nodiscard]] std::vector<double> measure_work(bool quick);

}  // namespace trikal::predict
