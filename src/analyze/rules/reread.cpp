#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_reread(const Scene& scene, std::vector<Finding>& out) { look_for_repeats(scene, kReads, out); }

}  // namespace

const Rule kReread = {
    "reread",
    "the same bytes read again",
    "What was read once could have stayed in memory; with many ranks each reads what one could broadcast.",
    "Keep what was read, or a copy on node-local storage where every epoch of a training reads it again; with MPI let "
    "one "
    "rank read and MPI_Bcast, or read collectively.",
    "time of reading, for the share of bytes beyond the file's length",
    look_for_reread,
    kRepeatLimits};

}  // namespace trikal::analyze
