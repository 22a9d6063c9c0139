#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kNoNonblockingLimits[] = {
    {"share", 0.05, "of the run in MPI-IO, at least"},
    {"calls", 100, "reads or writes through MPI-IO, at least"},
};

void look_for_no_nonblocking(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const Use& total = run.layer(Layer::kMpiio).total;
  if (run.seconds <= 0 || !run.is_parallel_job()) return;
  for (const Direction* direction : {&kReads, &kWrites}) {
    const Flow& flow = total.*direction->flow;
    const double seconds = flow.seconds / run.concurrency, rest = std::max(0.0, run.seconds - seconds);
    if (flow.calls < scene.count(at(kNoNonblockingLimits, "calls")) || flow.nonblocking + flow.split > 0) continue;
    if (seconds < scene[at(kNoNonblockingLimits, "share")] * run.seconds) continue;
    Finding finding;
    finding.title = fmt::format("{} MPI-IO {}, none of them nonblocking", grouped(flow.calls), direction->calls);
    finding.evidence = {
        fmt::format("a rank waits {} for them on average; at most {} of that could pass behind the "
                    "rest of the run",
                    timed(seconds), timed(std::min(seconds, rest)))};
    finding.formula = "not estimated: it depends on what the program could do meanwhile";
    mention(std::move(finding), out);
  }
}

}  // namespace

const Rule kNoNonblocking = {
    "no-nonblocking",
    "MPI-IO that always waits",
    "A blocking call keeps the processor idle while bytes move.",
    "Begin with MPI_File_iwrite_at_all or MPI_File_iread_at_all, compute, then MPI_Wait; HDF5 has its asynchronous VOL "
    "connector.",
    "none: it depends on what the program could do meanwhile; the evidence says how much at most",
    look_for_no_nonblocking,
    kNoNonblockingLimits};

}  // namespace trikal::analyze
