#pragma once
// What a POSIX record has no slot for: names and directories, space, mappings, copies, calls that did less than asked.
// One row a file (and process) in the trailer's section "posix_extra"; only files that have any.

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::posix {

inline constexpr auto kExtraCounters = table(rows({
    {"POSIX_UNLINKS", Unit::kCalls, Fold::kSum, "times this name was removed (unlink, unlinkat, remove)"},
    {"POSIX_MKDIRS", Unit::kCalls, Fold::kSum, "times it was made as a directory"},
    {"POSIX_RMDIRS", Unit::kCalls, Fold::kSum, "times it was removed as a directory"},
    {"POSIX_OPENDIRS", Unit::kCalls, Fold::kSum, "times it was opened with opendir or fdopendir"},
    {"POSIX_READDIRS", Unit::kCalls, Fold::kSum, "directory entries (readdir) and blocks of them (getdents64) read"},
    {"POSIX_RENAMES", Unit::kCalls, Fold::kSum, "times this name was given up for another, files not opened included"},
    {"POSIX_LINKS", Unit::kCalls, Fold::kSum, "hard and symbolic links made under this name"},
    {"POSIX_READLINKS", Unit::kCalls, Fold::kSum, "times it was read as a symbolic link"},
    {"POSIX_ACCESSES", Unit::kCalls, Fold::kSum, "successful access and faccessat calls"},
    {"POSIX_ATTRIBUTES", Unit::kCalls, Fold::kSum, "changes of mode, owner or times"},
    {"POSIX_OTHER_STATS", Unit::kCalls, Fold::kSum, "successful stat calls on what is no regular file"},
    {"POSIX_LOCKS", Unit::kCalls, Fold::kSum, "locks asked for (fcntl, flock, lockf)"},
    {"POSIX_ADVISES", Unit::kCalls, Fold::kSum, "posix_fadvise and readahead calls"},
    {"POSIX_TRUNCATES", Unit::kCalls, Fold::kSum, "truncate and ftruncate calls"},
    {"POSIX_ALLOCATES", Unit::kCalls, Fold::kSum, "fallocate and posix_fallocate calls"},
    {"POSIX_BYTES_ALLOCATED", Unit::kBytes, Fold::kSum, "bytes those asked for"},
    {"POSIX_RANGE_SYNCS", Unit::kCalls, Fold::kSum, "sync_file_range and syncfs calls"},
    {"POSIX_BYTES_MAPPED", Unit::kBytes, Fold::kSum, "bytes mapped by mmap"},
    {"POSIX_UNMAPS", Unit::kCalls, Fold::kSum, "munmap calls on mappings of this file"},
    {"POSIX_MSYNCS", Unit::kCalls, Fold::kSum, "msync calls on mappings of this file"},
    {"POSIX_BYTES_MSYNCED", Unit::kBytes, Fold::kSum, "bytes those covered"},
    {"POSIX_COPIES_FROM", Unit::kCalls, Fold::kSum,
     "times the kernel copied out of this file (copy_file_range, "
     "sendfile, splice)"},
    {"POSIX_BYTES_COPIED_FROM", Unit::kBytes, Fold::kSum, "bytes of those, counted in POSIX_BYTES_READ too"},
    {"POSIX_COPIES_TO", Unit::kCalls, Fold::kSum, "times the kernel copied into this file"},
    {"POSIX_BYTES_COPIED_TO", Unit::kBytes, Fold::kSum, "bytes of those, counted in POSIX_BYTES_WRITTEN too"},
    {"POSIX_SHORT_READS", Unit::kCalls, Fold::kSum, "reads that got less than asked for, but something"},
    {"POSIX_EMPTY_READS", Unit::kCalls, Fold::kSum, "reads at the end of the file"},
    {"POSIX_SHORT_WRITES", Unit::kCalls, Fold::kSum, "writes that wrote less than asked for"},
    {"POSIX_LINKED", Unit::kCalls, Fold::kSum, "times it was given a further name (link, linkat)"},
    real("POSIX_F_EXTRA_TIME", Unit::kSeconds, Fold::kSum,
         "seconds in calls on names, directories, space and mappings"),
    real("POSIX_F_SYNC_TIME", Unit::kSeconds, Fold::kSum,
         "seconds in fsync and fdatasync, counted in POSIX_F_WRITE_TIME too"),
}));

inline constexpr auto kExtraCallSlots =
    slots_of(kExtraCounters, {"POSIX_UNLINKS", "POSIX_MKDIRS", "POSIX_RMDIRS", "POSIX_OPENDIRS", "POSIX_READDIRS",
                              "POSIX_RENAMES", "POSIX_LINKS", "POSIX_READLINKS", "POSIX_ACCESSES", "POSIX_ATTRIBUTES",
                              "POSIX_OTHER_STATS", "POSIX_LOCKS", "POSIX_ADVISES", "POSIX_TRUNCATES", "POSIX_ALLOCATES",
                              "POSIX_RANGE_SYNCS", "POSIX_UNMAPS", "POSIX_MSYNCS"});

inline constexpr ModuleSchema kExtraSchema = {
    .id = 1,
    .name = "posix_extra",
    .prefix = "POSIX",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 16 + 8 * static_cast<std::uint32_t>(slots_in(kExtraCounters)),
    .counters_at = 16,
    .counters = kExtraCounters,
    .fields = {},
    .totals = false,
    .roles = {},
    .help = "POSIX calls that records have no counter for",
    .calls = kExtraCallSlots,
};

}  // namespace trikal::modules::posix
