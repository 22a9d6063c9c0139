#pragma once
// What each call on a file of HDF5's means for the counters.

#include "capture/hdf5/library.hpp"
#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/handle_table.hpp"
#include "modules/h5f/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::h5f {

using capture::Hdf5Id;
using capture::Span;

struct alignas(64) Hdf5File {
  Record<kSchema> record;
  capture::Spin lock;
  double meta_end = 0;
};

// A file that was opened: null if it is not watched. A forked child has the handle, too, and records of its own.
struct OpenFile {
  capture::File* file = nullptr;
  const log::crash::Header* owner = nullptr;
};
void keep(Hdf5Id handle, capture::File* file) noexcept;
// Null if it is not watched or not known; then it no longer is.
[[nodiscard]] capture::File* take(Hdf5Id handle) noexcept;

// The file that HDF5 was given that name for, null if it is not watched. `parallel`: MPI opens it.
[[nodiscard]] capture::File* file_at(const char* path, bool parallel) noexcept;
// The file that an object lies in, which may be the file itself.
[[nodiscard]] capture::File* file_of(Hdf5Id object) noexcept;
// Its record, made if it has none; null if the module is off or there is no memory.
[[nodiscard]] Hdf5File* record_of(capture::File* file) noexcept;

void opened(Hdf5File& file, Span when, bool parallel) noexcept;
void flushed(Hdf5File& file, Span when) noexcept;
void closed(Hdf5File& file, Span when) noexcept;

void after_fork() noexcept;
inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = {log::crash::Operation::kHdf5Open, log::crash::Operation::kHdf5Flush},
    .details = capture::details_of<Hdf5File, kSchema, capture::kH5fSlot>};

}  // namespace trikal::modules::h5f
