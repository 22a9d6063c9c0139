// The modules that observe calls inside the application, and those that listen to them.

#include <array>

#include "capture/interpose/imports.hpp"
#include "capture/mpi/job.hpp"
#include "capture/records/call_sites.hpp"
#include "capture/session/hooks.hpp"
#include "modules/h5d/capture.hpp"
#include "modules/h5d/wrappers.hpp"
#include "modules/h5f/capture.hpp"
#include "modules/h5f/wrappers.hpp"
#include "modules/heatmap/capture.hpp"
#include "modules/heatmap/rebin.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/mpiio/capture.hpp"
#include "modules/mpiio/wrappers.hpp"
#include "modules/posix/capture.hpp"
#include "modules/stdio/capture.hpp"

namespace trikal::capture {

std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr Timeline kHeatmapTimeline = {modules::heatmap::survey, modules::heatmap::rebin_into};
  static constexpr std::array kHooks = {
      ModuleHooks{.schema = &modules::posix::kSchema,
                  .after_fork = modules::posix::after_fork,
                  .rehearse = modules::posix::rehearse},
      ModuleHooks{.schema = &modules::mpiio::kSchema, .after_fork = modules::mpiio::after_fork},
      ModuleHooks{.schema = &modules::h5f::kSchema, .after_fork = modules::h5f::after_fork},
      ModuleHooks{.schema = &modules::h5d::kSchema, .after_fork = modules::h5d::after_fork},
      ModuleHooks{.schema = &modules::stdio::kSchema,
                  .after_fork = modules::stdio::after_fork,
                  .before_stop = modules::stdio::before_stop,
                  .rehearse = modules::stdio::rehearse},
      ModuleHooks{.schema = &modules::heatmap::kSchema,
                  .after_fork = modules::heatmap::after_fork,
                  .timeline = &kHeatmapTimeline},
  };
  return kHooks;
}

std::span<const ImportList> import_lists() noexcept {
  static constexpr std::array kMpiGroups = {job_wrappers, modules::mpiio::file_wrappers,
                                            modules::mpiio::blocking_wrappers, modules::mpiio::begun_wrappers,
                                            modules::mpiio::request_wrappers};
  static constexpr std::array kHdf5Groups = {modules::h5f::wrappers, modules::h5d::wrappers};
  static constexpr std::array kLists = {
      ImportList{.witness = "MPI_Init", .prefix = "MPI_", .groups = kMpiGroups, .found = find_mpi},
      ImportList{.witness = "H5open",
                 .prefix = "H5",
                 .groups = kHdf5Groups,
                 .found = modules::h5f::find_hdf5,
                 .has_copies = true},
  };
  return kLists;
}

void raise_slowly(ModuleSlot by, bool read, std::uint64_t id, Span when, std::int64_t offset,
                  std::int64_t bytes) noexcept {
  modules::heatmap::hear({by, read, id, when, offset, bytes});
  if (by == kPosixSlot) called(read ? SiteOperation::kRead : SiteOperation::kWrite, id, when, bytes);
  if (by == kStdioSlot) called(read ? SiteOperation::kStreamRead : SiteOperation::kStreamWrite, id, when, bytes);
}

}  // namespace trikal::capture
