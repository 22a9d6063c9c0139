#pragma once
// What each call on a dataset of HDF5's means for the counters.

#include "capture/hdf5/library.hpp"
#include "capture/records/common_shapes.hpp"
#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/handle_table.hpp"
#include "modules/h5d/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::h5d {

using capture::Hdf5Id;
using capture::Span;

enum class Direction : std::uint8_t { kNone, kRead, kWrite };

struct alignas(64) Hdf5Dataset {
  Record<kSchema> record;
  capture::Spin lock;
  Direction last_direction = Direction::kNone;
  double read_end = 0, write_end = 0, meta_end = 0;
  capture::CommonShapes shapes;
};

// What is known of a handle. Its own element size: once memory is full, one record stands for many datasets.
struct Opened {
  Hdf5Dataset* dataset = nullptr;  // null: not watched
  std::int64_t element_bytes = 0;
};
extern constinit capture::HandleTable<Opened> datasets;

// The record of an open dataset. Null if its file is not watched.
[[nodiscard]] Hdf5Dataset* record_of(Hdf5Id dataset) noexcept;
// What is known of the handle; of one that came by a way we do not watch, what HDF5 says.
[[nodiscard]] Opened known(Hdf5Id dataset) noexcept;

// Under the record's lock.
void describe(Hdf5Dataset& dataset, const capture::Hdf5Shape& shape) noexcept;
void opened(Hdf5Dataset& dataset, Span when, const capture::Hdf5Shape& shape, bool deprecated) noexcept;
void flushed(Hdf5Dataset& dataset, Span when) noexcept;
void closed(Hdf5Dataset& dataset, Span when) noexcept;

struct Transfer {
  Direction direction;
  std::int64_t bytes;
  bool collective;
};
void moved(Hdf5Dataset& dataset, Span when, const Transfer& transfer, const capture::Hdf5Selection& selection) noexcept;

void after_fork() noexcept;
inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = {log::crash::Operation::kHdf5DatasetOpen, log::crash::Operation::kHdf5DatasetFlush},
    .details = capture::details_of<Hdf5Dataset, kSchema, capture::kH5dSlot>};

}  // namespace trikal::modules::h5d
