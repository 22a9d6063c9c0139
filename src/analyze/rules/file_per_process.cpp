#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kFilePerProcessLimits[] = {
    {"ranks", 64, "of the job, at least"},
    {"files", 1, "of its own for every rank, at least"},
};

void look_for_file_per_process(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  if (!run.is_parallel_job() || run.job->nprocs < scene.count(at(kFilePerProcessLimits, "ranks"))) return;
  Offenders offenders(run);
  std::map<std::string_view, std::int64_t> folders;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      if (use.ranks != 1 || use.write.bytes == 0) return;
      offenders.add(file, use, use.meta_seconds, fmt::format("rank {}", use.slowest_rank));
      folders[file.name.substr(0, file.name.rfind('/'))] += 1;
    });
  }
  if (real_of(static_cast<std::int64_t>(offenders.count())) <
      scene[at(kFilePerProcessLimits, "files")] * real_of(run.job->nprocs))
    return;
  if (folders.empty()) return;  // a site may want to hear of no files at all
  const auto hottest = std::ranges::max_element(folders, {}, [](const auto& folder) { return folder.second; });
  Finding finding;
  finding.title = fmt::format("{} files written by one rank each, in a job of {}",
                              grouped(static_cast<std::int64_t>(offenders.count())), grouped(run.job->nprocs));
  finding.evidence = {fmt::format("{} of them in {}", grouped(hottest->second), hottest->first)};
  finding.formula = "time of opening and closing these files, of the rank that needs most of it";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kFilePerProcess = {"file-per-process",
                              "a file of its own for every rank",
                              "Creating thousands of files in one directory makes the metadata server the bottleneck, "
                              "and somebody must read them all again.",
                              "Write one shared file (MPI-IO, parallel HDF5, ADIOS) or one for each node; spread files "
                              "over directories if they must be many.",
                              "time of opening and closing these files, of the rank that needs most of it",
                              look_for_file_per_process,
                              kFilePerProcessLimits};

}  // namespace trikal::analyze
