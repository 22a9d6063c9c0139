#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_small_reads(const Scene& scene, std::vector<Finding>& out) { look_for_small(scene, kReads, out); }

}  // namespace

const Rule kSmallReads = {
    "small-reads",
    "many reads of less than 100 KiB",
    "Every call costs the same whether it brings 16 bytes or a megabyte; on a parallel file system each may cost a "
    "round trip to a server.",
    "Read larger pieces into memory and take them apart there (fread with setvbuf, mmap, readahead); with MPI read "
    "collectively (MPI_File_read_at_all).",
    "time of the reads, less what the same bytes take in reads of 1 MiB at the best rate of this run",
    look_for_small_reads,
    kSmallLimits};

}  // namespace trikal::analyze
