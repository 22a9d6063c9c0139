#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_random_reads(const Scene& scene, std::vector<Finding>& out) { look_for_random(scene, kReads, out); }

}  // namespace

const Rule kRandomReads = {
    "random-reads",
    "reads that jump back and forth",
    "Readahead guesses wrong, disks seek, and a cache is used once.",
    "Sort the requests by offset before reading, read the region once and pick from memory, or say so with "
    "posix_fadvise(POSIX_FADV_RANDOM).",
    "time of the reads beyond what their bytes take at the best rate of this run, for the share of calls that jump",
    look_for_random_reads,
    kRandomLimits};

}  // namespace trikal::analyze
