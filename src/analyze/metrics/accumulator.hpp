#pragma once
// Many records become one: the totals, and the job-wide numbers derived from them.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/keyed_hash.hpp"
#include "schema/fold.hpp"
#include "schema/module.hpp"

namespace trikal::analyze {

enum class FileClass : std::uint8_t { kAll, kReadOnly, kWriteOnly, kReadWrite, kUnique, kShared, kPartShared };
inline constexpr std::size_t kFileClasses = 7;

// Over the distinct files of one class.
struct FileCounts {
  std::int64_t count = 0;
  std::int64_t total_read = 0, total_written = 0;
  std::int64_t max_read = 0, max_written = 0;
  std::int64_t total_max_offset = 0;  // -1: the module does not know offsets
  std::int64_t max_offset = 0;
  std::int64_t nprocs = 0;  // -1: all processes of the job
};

struct Derived {
  std::int64_t total_bytes = 0;
  double unique_io_time = 0, unique_rw_time = 0, unique_meta_time = 0;  // of the slowest rank
  std::int64_t slowest_rank = 0;
  double shared_time_by_slowest = 0;
  double agg_time = 0;  // seconds, by the slowest rank
  double agg_perf = 0;  // MiB/s
  std::array<FileCounts, kFileClasses> files{};
};

class Accumulator {
 public:
  enum class Files : bool { kSkip, kCount };  // telling files apart costs memory and time

  // Only for modules whose schema has totals; nprocs is the job's.
  Accumulator(const ModuleSchema& schema, std::int64_t nprocs, Files files);

  void add(const std::byte* record);

  // Memory it takes, roughly. It grows with different ranks and files, which a log may have as many of as it
  // likes: whoever feeds it compares this with the reader's limit.
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] Derived derived() const;
  [[nodiscard]] Bytes total() const { return std::as_bytes(std::span{total_}); }
  [[nodiscard]] const ModuleSchema& schema() const { return plan_.schema(); }

 private:
  struct RankTimes {
    double io = 0, rw = 0, meta = 0;
  };
  struct FileSums {
    std::int64_t read = 0, written = 0, max_offset = 0, nprocs = 0;
  };

  void add_times(const std::byte* record, std::int64_t rank);
  void add_file(const std::byte* record, BaseRecord base);
  void count_file(const FileSums& file, std::array<FileCounts, kFileClasses>& counts) const;
  RankTimes& times_of(std::int64_t rank);

  FoldPlan plan_;
  std::int64_t nprocs_;
  Files files_wanted_;
  std::vector<std::uint64_t> total_;
  bool empty_ = true;
  std::int64_t bytes_ = 0;
  double shared_time_ = 0;
  std::unordered_map<std::int64_t, RankTimes, KeyedHash> ranks_;
  std::int64_t last_rank_ = -1;
  RankTimes* last_times_ = nullptr;  // records of one rank come in runs; nodes of the map do not move
  std::unordered_map<std::uint64_t, FileSums, KeyedHash> files_;
};

}  // namespace trikal::analyze
