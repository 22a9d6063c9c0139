#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_small_writes(const Scene& scene, std::vector<Finding>& out) { look_for_small(scene, kWrites, out); }

}  // namespace

const Rule kSmallWrites = {
    "small-writes",
    "many writes of less than 100 KiB",
    "Every call costs the same whether it carries 16 bytes or a megabyte; on a parallel file system each may cost a "
    "round trip to a server.",
    "Collect the data in a buffer of a megabyte and write that (setvbuf for streams, "
    "std::ofstream::rdbuf()->pubsetbuf, a large BufferedWriter in Python); with MPI write collectively "
    "(MPI_File_write_at_all).",
    "time of the writes, less what the same bytes take in writes of 1 MiB at the best rate of this run",
    look_for_small_writes,
    kSmallLimits};

}  // namespace trikal::analyze
