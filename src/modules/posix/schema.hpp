#pragma once
// POSIX: calls on file descriptors. One record a file (and rank).

#include "schema/labels.hpp"
#include "schema/module.hpp"

namespace trikal::modules::posix {

inline constexpr Counter kCounters[] = {
    {"POSIX_OPENS", Unit::kCalls, Fold::kSumClamped, "successful opens, duplicates and fileno calls included"},
    {"POSIX_FILENOS", Unit::kCalls, Fold::kSumClamped, "fileno calls on a stream of this file"},
    {"POSIX_DUPS", Unit::kCalls, Fold::kSumClamped, "descriptors duplicated (dup, dup2, dup3, fcntl)"},
    {"POSIX_READS", Unit::kCalls, Fold::kSumClamped, "successful reads of every kind, empty ones included"},
    {"POSIX_WRITES", Unit::kCalls, Fold::kSumClamped, "successful writes of every kind"},
    {"POSIX_SEEKS", Unit::kCalls, Fold::kSumClamped, "successful lseek calls"},
    {"POSIX_STATS", Unit::kCalls, Fold::kSumClamped, "successful stat calls on a regular file"},
    {"POSIX_MMAPS", Unit::kCalls, Fold::kSumClamped, "file-backed mmap calls; -1 where they were not observed"},
    {"POSIX_FSYNCS", Unit::kCalls, Fold::kSumClamped, "successful fsync calls"},
    {"POSIX_FDSYNCS", Unit::kCalls, Fold::kSumClamped, "successful fdatasync calls"},
    {"POSIX_RENAME_SOURCES", Unit::kCalls, Fold::kSumClamped, "times this path was the old name of a rename"},
    {"POSIX_RENAME_TARGETS", Unit::kCalls, Fold::kSumClamped, "times this path was the new name of a rename"},
    {"POSIX_RENAMED_FROM", Unit::kId, Fold::kKeep, "record id of the first file renamed to this path; 0 for none",
     {}, Kind::kUint},
    {"POSIX_MODE", Unit::kMode, Fold::kKeep, "the last creation mode given that was not zero"},
    {"POSIX_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
    {"POSIX_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
    {"POSIX_MAX_BYTE_READ", Unit::kOffset, Fold::kMax, "highest offset read, counted from 0"},
    {"POSIX_MAX_BYTE_WRITTEN", Unit::kOffset, Fold::kMax, "highest offset written, counted from 0"},
    {"POSIX_CONSEC_READS", Unit::kCalls, Fold::kSum, "reads that began right behind the read before"},
    {"POSIX_CONSEC_WRITES", Unit::kCalls, Fold::kSum, "writes that began right behind the write before"},
    {"POSIX_SEQ_READS", Unit::kCalls, Fold::kSum, "reads that began anywhere behind the read before"},
    {"POSIX_SEQ_WRITES", Unit::kCalls, Fold::kSum, "writes that began anywhere behind the write before"},
    {"POSIX_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
    {"POSIX_MEM_NOT_ALIGNED", Unit::kCalls, Fold::kSum, "accesses whose buffer is not aligned in memory"},
    {"POSIX_MEM_ALIGNMENT", Unit::kBytes, Fold::kKeep, "the memory alignment that was tested for"},
    {"POSIX_FILE_NOT_ALIGNED", Unit::kCalls, Fold::kSum, "accesses whose offset is not aligned in the file"},
    {"POSIX_FILE_ALIGNMENT", Unit::kBytes, Fold::kKeep, "the file system's block size; -1 if unknown"},
    {"POSIX_MAX_READ_TIME_SIZE", Unit::kBytes, Fold::kWithMaxRead, "size of the read that took longest"},
    {"POSIX_MAX_WRITE_TIME_SIZE", Unit::kBytes, Fold::kWithMaxWrite, "size of the write that took longest"},
    {"POSIX_SIZE_READ_#", Unit::kCalls, Fold::kSum, "reads of a size in this class", kSizeClasses},
    {"POSIX_SIZE_WRITE_#", Unit::kCalls, Fold::kSum, "writes of a size in this class", kSizeClasses},
    {"POSIX_STRIDE#_STRIDE", Unit::kBytes, Fold::kTopValues, "the most common gaps between accesses", kTopFour},
    {"POSIX_STRIDE#_COUNT", Unit::kCalls, Fold::kTopCounts, "how often each of those gaps occurred", kTopFour},
    {"POSIX_ACCESS#_ACCESS", Unit::kBytes, Fold::kTopValues, "the most common access sizes", kTopFour},
    {"POSIX_ACCESS#_COUNT", Unit::kCalls, Fold::kTopCounts, "how often each of those sizes occurred", kTopFour},
    {"POSIX_FASTEST_RANK", Unit::kRank, Fold::kFastestRank, "the rank that spent least time on this file"},
    {"POSIX_FASTEST_RANK_BYTES", Unit::kBytes, Fold::kFastestBytes, "bytes that rank moved"},
    {"POSIX_SLOWEST_RANK", Unit::kRank, Fold::kSlowestRank, "the rank that spent most time on this file"},
    {"POSIX_SLOWEST_RANK_BYTES", Unit::kBytes, Fold::kSlowestBytes, "bytes that rank moved"},
    real("POSIX_F_OPEN_START_TIMESTAMP", Unit::kTimestamp, Fold::kMinNonZero, "when the first open began"),
    real("POSIX_F_READ_START_TIMESTAMP", Unit::kTimestamp, Fold::kMinNonZero, "when the first read began"),
    real("POSIX_F_WRITE_START_TIMESTAMP", Unit::kTimestamp, Fold::kMinNonZero, "when the first write began"),
    real("POSIX_F_CLOSE_START_TIMESTAMP", Unit::kTimestamp, Fold::kMinNonZero, "when the first close began"),
    real("POSIX_F_OPEN_END_TIMESTAMP", Unit::kTimestamp, Fold::kMax, "when the last open ended"),
    real("POSIX_F_READ_END_TIMESTAMP", Unit::kTimestamp, Fold::kMax, "when the last read ended"),
    real("POSIX_F_WRITE_END_TIMESTAMP", Unit::kTimestamp, Fold::kMax, "when the last write ended"),
    real("POSIX_F_CLOSE_END_TIMESTAMP", Unit::kTimestamp, Fold::kMax, "when the last close ended"),
    real("POSIX_F_READ_TIME", Unit::kSeconds, Fold::kSum, "time spent reading"),
    real("POSIX_F_WRITE_TIME", Unit::kSeconds, Fold::kSum, "time spent writing and syncing"),
    real("POSIX_F_META_TIME", Unit::kSeconds, Fold::kSum, "time spent in open, close, seek, stat and the like"),
    real("POSIX_F_MAX_READ_TIME", Unit::kSeconds, Fold::kMax, "the longest single read"),
    real("POSIX_F_MAX_WRITE_TIME", Unit::kSeconds, Fold::kMax, "the longest single write"),
    real("POSIX_F_FASTEST_RANK_TIME", Unit::kSeconds, Fold::kFastestTime, "I/O time of the fastest rank"),
    real("POSIX_F_SLOWEST_RANK_TIME", Unit::kSeconds, Fold::kSlowestTime, "I/O time of the slowest rank"),
    real("POSIX_F_VARIANCE_RANK_TIME", Unit::kNone, Fold::kVarianceTime, "variance over ranks of I/O time"),
    real("POSIX_F_VARIANCE_RANK_BYTES", Unit::kNone, Fold::kVarianceBytes, "variance over ranks of bytes moved"),
};

inline constexpr ModuleSchema kSchema = {
    .id = 1,
    .name = "POSIX",
    .prefix = "POSIX",
    .version = 4,
    .shape = Shape::kFixed,
    .head_bytes = 704,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = true,
    .roles = roles_of("POSIX", kCounters),
    .help = "calls on file descriptors: open, read, write, seek, stat, sync",
};
static_assert(slots_in(kCounters, false) == 69 && slots_in(kCounters, true) == 17);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::posix
