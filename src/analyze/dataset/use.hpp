#pragma once
// What was done with a file through one layer.

#include <array>
#include <cstdint>

#include "schema/labels.hpp"

namespace trikal::analyze {

// The ways to a file that rules look at. MPI-IO works through POSIX: its bytes are POSIX bytes, too.
enum class Layer : std::uint8_t { kPosix, kStdio, kMpiio };
inline constexpr std::size_t kLayers = 3;
inline constexpr std::size_t kSizeClassCount = kSizeClasses.size();

// One direction.
struct Flow {
  std::int64_t calls = 0, bytes = 0;
  std::int64_t sequential = 0, consecutive = 0;  // of the calls
  std::int64_t independent = 0, collective = 0, split = 0, nonblocking = 0;  // MPI-IO's kinds; split are not in calls
  std::int64_t end = 0;  // the highest offset reached, plus one
  double longest_seconds = 0;  // of a single call, and its size
  std::int64_t longest_bytes = 0;
  double seconds = 0;  // of all ranks together
  double first = 0, last = 0;  // when the first began and the last ended; 0: never
  std::array<std::int64_t, kSizeClassCount> sizes{};

  [[nodiscard]] double mean_bytes() const {
    return calls > 0 ? static_cast<double>(bytes) / static_cast<double>(calls) : 0;
  }
  [[nodiscard]] std::int64_t calls_below_100k() const;
};

// What a rank, or all of them, did through one layer with one file.
struct Use {
  std::int64_t opens = 0, seeks = 0, stats = 0, syncs = 0, switches = 0, maps = 0;
  std::int64_t misaligned_file = 0, misaligned_memory = 0, alignment = 0, memory_alignment = 0;
  Flow read, write;
  double meta_seconds = 0;
  std::int64_t ranks = 0;  // that used it
  double slowest_seconds = 0, fastest_seconds = 0;
  std::int64_t slowest_rank = -1, slowest_bytes = 0, fastest_bytes = 0;
  double squared_bytes = 0;  // each rank's bytes squared, summed
  std::array<std::int64_t, kTopSlots> common_sizes{}, common_counts{};

  [[nodiscard]] double seconds() const { return read.seconds + write.seconds + meta_seconds; }
  [[nodiscard]] std::int64_t bytes() const { return read.bytes + write.bytes; }
  [[nodiscard]] std::int64_t calls() const { return read.calls + write.calls; }
  [[nodiscard]] std::int64_t collective() const { return read.collective + write.collective; }
  // How many ranks moving equal shares would have these bytes and this variance: all of them where work is spread
  // evenly, the number of aggregators with collective buffering, 1 where one does everything.
  [[nodiscard]] double active_ranks() const;
};

}  // namespace trikal::analyze
