#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_random_writes(const Scene& scene, std::vector<Finding>& out) { look_for_random(scene, kWrites, out); }

}  // namespace

const Rule kRandomWrites = {
    "random-writes",
    "writes that jump back and forth",
    "Blocks are written in parts and read back to be completed; on a parallel file system locks change hands.",
    "Sort what is to be written by offset, or write it in order of arrival to a log and rearrange it once at the end.",
    "time of the writes beyond what their bytes take at the best rate of this run, for the share of calls that jump",
    look_for_random_writes,
    kRandomLimits};

}  // namespace trikal::analyze
