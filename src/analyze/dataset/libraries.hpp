#pragma once
// Libraries that I/O goes through: HDF5, PnetCDF, DAOS, and MPI as a whole. What they take is time of the program's,
// whether POSIX sees any of it or not.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace trikal::analyze {

// Reads and writes of one kind.
struct AccessCalls {
  std::int64_t reads = 0, writes = 0;
};

// A module as a whole, all ranks together.
struct LibrarySum {
  std::string_view name;  // "H5D"
  std::int64_t records = 0, bytes_read = 0, bytes_written = 0;
  double read_seconds = 0, write_seconds = 0, meta_seconds = 0;
  AccessCalls independent, collective, nonblocking;  // of PnetCDF's variables
  double slowest_seconds = 0;  // of the slowest rank: of its own records, and of the slowest on each shared one
  [[nodiscard]] double seconds() const { return read_seconds + write_seconds + meta_seconds; }
};

// Time in calls of MPI, by rank. Only logs with APMPI have it.
struct MessageTime {
  std::int64_t ranks = 0, slowest_rank = -1;
  double all = 0, slowest = 0;
};

struct Libraries {
  std::vector<LibrarySum> sums;
  MessageTime messages;
};

// Time in a layer itself, in all files.
struct LayerTime {
  std::string_view name;  // "HDF5", "MPI-IO", "POSIX", "STDIO"
  double all = 0;         // of all ranks, without what it calls below
  double slowest = 0;     // of the slowest rank on each file, with what it calls below
};

// Time of one file by layer, each with what it calls below. Only files that some layer above POSIX opened.
struct NestedTime {
  struct Sums {
    double slowest = 0, all = 0;  // of the slowest rank, of all together
  };
  std::uint64_t file = 0;
  Sums library, mpiio, posix;
  // Time of all ranks in a layer itself.
  [[nodiscard]] double in_library() const { return above(library.all, std::max(mpiio.all, posix.all)); }
  [[nodiscard]] double in_mpiio() const { return above(mpiio.all, posix.all); }

 private:
  static double above(double outer, double inner) { return outer > inner ? outer - inner : 0; }
};

}  // namespace trikal::analyze
