#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kDataSievingLimits[] = {
    {"times", 1.5, "the bytes asked for, at least"},
    {"bytes", 1024.0 * 1024, "moved beyond them, at least"},
};

void look_for_data_sieving(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  double asked = 0, moved = 0;
  for_each_use(run, Layer::kMpiio, [&](const FileUse& file, const Use& mpi) {
    const auto posix = run.use(file, Layer::kPosix);
    if (!posix) return;
    double lost = 0, file_asked = 0, file_moved = 0;
    for (const auto direction : {&Use::read, &Use::write}) {
      const double wanted = real_of((mpi.*direction).bytes), done = real_of(((*posix).*direction).bytes);
      if (done < scene[at(kDataSievingLimits, "times")] * wanted ||
          done - wanted < scene[at(kDataSievingLimits, "bytes")])
        continue;
      lost += ((*posix).*direction).seconds * (1 - wanted / done);
      file_asked += wanted, file_moved += done;
    }
    offenders.add(file, *posix, lost, fmt::format("{} moved for {} asked for", sized(file_moved), sized(file_asked)));
    asked += file_asked, moved += file_moved;
  });
  Finding finding;
  finding.title = fmt::format("MPI-IO moves {} for {} asked for: {}", sized(moved), sized(asked), offenders.names());
  finding.formula = "POSIX time of the direction, times 1 - bytes of MPI-IO / bytes of POSIX, by file and rank";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kDataSieving = {"data-sieving",
                           "MPI-IO that reads or writes more bytes than asked for",
                           "Data sieving reads whole blocks around small pieces, and for writing reads, changes and "
                           "writes them back under a lock.",
                           "Write collectively, so that pieces are joined instead; or set the hints romio_ds_read and "
                           "romio_ds_write to disable; use a file view with large contiguous pieces.",
                           "POSIX time of the direction, times 1 - bytes of MPI-IO / bytes of POSIX",
                           look_for_data_sieving,
                           kDataSievingLimits};

}  // namespace trikal::analyze
