#pragma once
// What a record of POSIX counts, and in which order while the process runs.

#include "schema/families.hpp"
#include "schema/live_order.hpp"

namespace trikal::modules::posix {

inline constexpr auto kCounters = table(
    rows({
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
        {"POSIX_RENAMED_FROM",
         Unit::kId,
         Fold::kKeep,
         "record id of the first file renamed to this path; 0 for none",
         {},
         Kind::kUint},
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
    }),
    longest_size_rows<"POSIX">(), size_class_rows<"POSIX">(),
    rows({
        {"POSIX_STRIDE#_STRIDE", Unit::kBytes, Fold::kTopValues, "the most common gaps between accesses", kTopFour},
        {"POSIX_STRIDE#_COUNT", Unit::kCalls, Fold::kTopCounts, "how often each of those gaps occurred", kTopFour},
    }),
    top_access_rows<"POSIX">(), extreme_rank_rows<"POSIX">(), io_time_rows<"POSIX">(), extreme_time_rows<"POSIX">(),
    variance_rows<"POSIX">());

// Those that are part of another (opens count duplicates, renames are among the extra counters) are left out.
inline constexpr auto kCallSlots = slots_of(kCounters, {"POSIX_OPENS", "POSIX_READS", "POSIX_WRITES", "POSIX_SEEKS",
                                                        "POSIX_STATS", "POSIX_MMAPS", "POSIX_FSYNCS", "POSIX_FDSYNCS"});

// In lines of 64 bytes, behind the record's id and rank. A comment begins each line.
inline constexpr auto kLiveSlots = live_slots<slots_in(kCounters)>(
    kCounters,
    {// Opening, closing and asking: all of a brief record, ten words.
     "POSIX_OPENS", "POSIX_MODE", "POSIX_MEM_ALIGNMENT", "POSIX_F_OPEN_START_TIMESTAMP", "POSIX_F_OPEN_END_TIMESTAMP",
     "POSIX_F_CLOSE_START_TIMESTAMP",
     // With what is rare.
     "POSIX_F_CLOSE_END_TIMESTAMP", "POSIX_F_META_TIME", "POSIX_STATS", "POSIX_FILE_ALIGNMENT", "POSIX_SEEKS",
     "POSIX_RW_SWITCHES", "POSIX_DUPS", "POSIX_MMAPS",
     // What every read writes.
     "POSIX_READS", "POSIX_BYTES_READ", "POSIX_MAX_BYTE_READ", "POSIX_CONSEC_READS", "POSIX_SEQ_READS",
     "POSIX_F_READ_TIME", "POSIX_FSYNCS", "POSIX_FDSYNCS",
     // What every access writes.
     "POSIX_ACCESS#_COUNT", "POSIX_F_READ_END_TIMESTAMP", "POSIX_F_WRITE_END_TIMESTAMP", "POSIX_FILE_NOT_ALIGNED",
     "POSIX_MEM_NOT_ALIGNED",
     // What an access looks at and seldom changes.
     "POSIX_ACCESS#_ACCESS", "POSIX_F_READ_START_TIMESTAMP", "POSIX_F_MAX_READ_TIME", "POSIX_MAX_READ_TIME_SIZE",
     "POSIX_F_WRITE_START_TIMESTAMP",
     // Ten words, then what every write writes.
     "POSIX_SIZE_READ_#", "POSIX_F_MAX_WRITE_TIME", "POSIX_MAX_WRITE_TIME_SIZE", "POSIX_WRITES", "POSIX_BYTES_WRITTEN",
     "POSIX_MAX_BYTE_WRITTEN", "POSIX_CONSEC_WRITES",
     // With the smaller ones of its ten sizes.
     "POSIX_SEQ_WRITES", "POSIX_F_WRITE_TIME", "POSIX_SIZE_WRITE_#"});
inline constexpr std::uint32_t kBriefBytes = 16 + 10 * 8;

}  // namespace trikal::modules::posix
