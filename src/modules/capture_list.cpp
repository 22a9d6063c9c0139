// The modules that observe calls inside the application, and those that listen to them.

#include <algorithm>
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
#include "modules/posix/wrappers_uring.hpp"
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
  static constexpr std::array kRingGroups = {modules::posix::ring_wrappers};
  static constexpr std::array kLists = {
      ImportList{.witness = "MPI_Init", .prefix = "MPI_", .groups = kMpiGroups, .found = find_mpi},
      ImportList{.witness = "H5open",
                 .prefix = "H5",
                 .groups = kHdf5Groups,
                 .found = modules::h5f::find_hdf5,
                 .has_copies = true},
      ImportList{.witness = "io_uring_queue_init",
                 .prefix = "io_uring_",
                 .groups = kRingGroups,
                 .found = modules::posix::find_rings},
  };
  return kLists;
}

namespace {

// Who hears of every event, where it is asked for.
struct Listener {
  bool (*is_wanted)(const Config& config) noexcept;
  void (*hear)(const Event& event) noexcept;
};
constexpr Listener kListeners[] = {
    {[](const Config& config) noexcept { return config.call_sites; },
     [](const Event& event) noexcept { call_sites.hear(event); }},
};

}  // namespace

bool is_every_event_wanted(const Config& config) noexcept {
  return std::ranges::any_of(kListeners, [&](const Listener& listener) { return listener.is_wanted(config); });
}

void tell_listeners(const Event& event) noexcept {
  for (const Listener& listener : kListeners) {
    if (listener.is_wanted(session.config)) listener.hear(event);
  }
}

// The heat map hears of all data, and asks for no more than sums.
void tell_moved(Operation operation, std::uint64_t file, Span when, std::int64_t offset, std::int64_t length) noexcept {
  const Event event{operation, file, when, offset, length};
  modules::heatmap::hear(event);
  tell(event);
}

}  // namespace trikal::capture
