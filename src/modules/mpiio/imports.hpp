#pragma once
// MPI: files, and what the process is within its job.

#include "capture/mpi/job.hpp"
#include "modules/mpiio/wrappers.hpp"

namespace trikal::modules::mpiio {

inline constexpr capture::ImportGroup kImportGroups[] = {capture::job_wrappers, file_wrappers, blocking_wrappers,
                                                         begun_wrappers, request_wrappers};
inline constexpr capture::ImportList kImports = {
    .witness = "MPI_Init", .prefix = "MPI_", .groups = kImportGroups, .found = capture::find_mpi};

}  // namespace trikal::modules::mpiio
