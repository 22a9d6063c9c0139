#include "modules/h5d/capture.hpp"

#include <algorithm>

#include "capture/events/event.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/session/file_parts.hpp"
#include "modules/h5f/capture.hpp"
#include "schema/labels.hpp"

namespace trikal::modules::h5d {

constinit capture::HandleTable<Opened> datasets;

namespace {

using capture::added_time;
using capture::earlier;
using capture::Hdf5Selection;
using capture::later;
using capture::Locked;
using capture::Operation;
using capture::session;
using capture::tell;

constinit capture::RecordPool<Hdf5Dataset, kSchema> pool;

constexpr std::size_t kFileWord = 2;  // of a record
static_assert(kFields[0].offset == 8 * kFileWord);

template <FixedString Start, FixedString End>
void mark(Hdf5Dataset& dataset, Span when) noexcept {
  dataset.record.set_real<Start>(earlier(dataset.record.real<Start>(), when.begin));
  dataset.record.set_real<End>(later(dataset.record.real<End>(), when.end));
}

void add_meta(Hdf5Dataset& dataset, Span when) noexcept {
  dataset.record.set_real<"H5D_F_META_TIME">(dataset.record.real<"H5D_F_META_TIME">() +
                                             added_time(when, dataset.meta_end));
}

// The slots of one direction: reading and writing are counted by the same rules.
struct DirectionSlots {
  std::size_t calls, bytes, classes, longest_size;  // integers
  std::size_t start, end, time, longest;            // reals
};
consteval std::size_t slot(std::string_view name) { return slot_of(kCounters, name); }

constexpr DirectionSlots kReading = {slot("H5D_READS"),
                                     slot("H5D_BYTES_READ"),
                                     slot("H5D_SIZE_READ_AGG_#"),
                                     slot("H5D_MAX_READ_TIME_SIZE"),
                                     slot("H5D_F_READ_START_TIMESTAMP"),
                                     slot("H5D_F_READ_END_TIMESTAMP"),
                                     slot("H5D_F_READ_TIME"),
                                     slot("H5D_F_MAX_READ_TIME")};
constexpr DirectionSlots kWriting = {slot("H5D_WRITES"),
                                     slot("H5D_BYTES_WRITTEN"),
                                     slot("H5D_SIZE_WRITE_AGG_#"),
                                     slot("H5D_MAX_WRITE_TIME_SIZE"),
                                     slot("H5D_F_WRITE_START_TIMESTAMP"),
                                     slot("H5D_F_WRITE_END_TIMESTAMP"),
                                     slot("H5D_F_WRITE_TIME"),
                                     slot("H5D_F_MAX_WRITE_TIME")};

void note_times(Hdf5Dataset& dataset, const DirectionSlots& slots, Span when, const Transfer& transfer) noexcept {
  auto& record = dataset.record;
  record.set_real_slot(slots.start, earlier(record.real_slot(slots.start), when.begin));
  record.set_real_slot(slots.end, later(record.real_slot(slots.end), when.end));
  if (record.real_slot(slots.longest) < when.length()) {
    record.set_real_slot(slots.longest, when.length());
    record.slot(slots.longest_size) = transfer.bytes;
  }
  double& last = transfer.direction == Direction::kRead ? dataset.read_end : dataset.write_end;
  record.set_real_slot(slots.time, record.real_slot(slots.time) + added_time(when, last));
}

void note_selection(Hdf5Dataset& dataset, std::int64_t bytes, const Hdf5Selection& selection) noexcept {
  auto& record = dataset.record;
  if (selection.kind == Hdf5Selection::Kind::kRegular) record.at<"H5D_REGULAR_HYPERSLAB_SELECTS">() += 1;
  if (selection.kind == Hdf5Selection::Kind::kIrregular) record.at<"H5D_IRREGULAR_HYPERSLAB_SELECTS">() += 1;
  if (selection.kind == Hdf5Selection::Kind::kPoints) record.at<"H5D_POINT_SELECTS">() += 1;
  capture::ShapeWords shape = {bytes};
  std::ranges::copy(selection.length, shape.begin() + 1);
  std::ranges::copy(selection.stride, shape.begin() + 1 + capture::kHdf5Dimensions);
  dataset.shapes.count(shape, {&record.at<"H5D_ACCESS#">(), &record.at<"H5D_ACCESS#_COUNT">(), kShapeWords},
                       {record.base().id, kSchema.id, slot("H5D_ACCESS#")});
}

}  // namespace

Hdf5Dataset* record_of(Hdf5Id dataset) noexcept {
  const capture::File* file = h5f::file_of(dataset);  // not of where it was opened: a link may lead to another file
  if (file == nullptr || session.config.is_off(kSchema.id)) return nullptr;
  char name[1024];
  const std::size_t length = capture::hdf5.name_in_file(dataset, name, sizeof name);
  capture::File* whole = capture::part_of(*file, {name, length});
  if (whole == nullptr) return nullptr;
  auto* known = whole->records[capture::kH5dSlot].as<Hdf5Dataset>();
  if (known == nullptr) known = pool.make(*whole, capture::kH5dSlot);
  if (known != nullptr) known->record.words[kFileWord] = static_cast<std::int64_t>(file->id);
  return known;
}

Opened known(Hdf5Id dataset) noexcept {
  Opened found;
  if (datasets.find(dataset, found)) return found;
  found.dataset = record_of(dataset);
  if (found.dataset != nullptr) {
    const capture::Hdf5Shape shape = capture::hdf5.shape_of(dataset);
    found.element_bytes = shape.element_bytes;
    const Locked locked(found.dataset->lock);
    if (locked) describe(*found.dataset, shape);
  }
  datasets.set(dataset, found);
  return found;
}

void describe(Hdf5Dataset& dataset, const capture::Hdf5Shape& shape) noexcept {
  auto& record = dataset.record;
  record.at<"H5D_DATASPACE_NDIMS">() = shape.dimensions;
  record.at<"H5D_DATASPACE_NPOINTS">() = shape.elements;
  record.at<"H5D_DATATYPE_SIZE">() = shape.element_bytes;
  for (std::size_t i = 0; i < capture::kHdf5Dimensions; ++i) record.at<"H5D_CHUNK_SIZE_D#">(i) = shape.chunk[i];
}

void opened(Hdf5Dataset& dataset, Span when, const capture::Hdf5Shape& shape, bool deprecated) noexcept {
  tell(Operation::kHdf5DatasetOpen, dataset.record.base().id, when);
  const Locked locked(dataset.lock);
  if (!locked) return;
  dataset.record.at<"H5D_OPENS">() += 1;
  dataset.record.at<"H5D_USE_DEPRECATED">() = deprecated ? 1 : 0;
  describe(dataset, shape);
  mark<"H5D_F_OPEN_START_TIMESTAMP", "H5D_F_OPEN_END_TIMESTAMP">(dataset, when);
  add_meta(dataset, when);
}

void flushed(Hdf5Dataset& dataset, Span when) noexcept {
  {
    const Locked locked(dataset.lock);
    if (!locked) return;
    dataset.record.at<"H5D_FLUSHES">() += 1;
    add_meta(dataset, when);
  }
  tell(Operation::kHdf5DatasetFlush, dataset.record.base().id, when);
}

void closed(Hdf5Dataset& dataset, Span when) noexcept {
  tell(Operation::kHdf5DatasetClose, dataset.record.base().id, when);
  const Locked locked(dataset.lock);
  if (!locked) return;
  mark<"H5D_F_CLOSE_START_TIMESTAMP", "H5D_F_CLOSE_END_TIMESTAMP">(dataset, when);
  add_meta(dataset, when);
}

namespace {

// With the record's lock held.
void count_transfer(Hdf5Dataset& dataset, Span when, const Transfer& transfer,
                    const Hdf5Selection& selection) noexcept {
  const DirectionSlots& slots = transfer.direction == Direction::kRead ? kReading : kWriting;
  auto& record = dataset.record;
  record.slot(slots.calls) += 1;
  record.slot(slots.bytes) += transfer.bytes;
  record.slot(slots.classes, size_class(transfer.bytes)) += 1;
  if (transfer.collective) record.at<"H5D_USE_MPIIO_COLLECTIVE">() = 1;
  if (dataset.last_direction != transfer.direction) {
    if (dataset.last_direction != Direction::kNone) record.at<"H5D_RW_SWITCHES">() += 1;
    dataset.last_direction = transfer.direction;
  }
  note_selection(dataset, transfer.bytes, selection);
  note_times(dataset, slots, when, transfer);
}

// For listeners. With the record's lock held.
capture::Hdf5Transfer described(Hdf5Dataset& dataset, const Hdf5Selection& selection) noexcept {
  auto& record = dataset.record;
  return {.kind = capture::Hdf5Transfer::Kind{static_cast<std::uint8_t>(selection.kind)},
          .elements = selection.elements,
          .dimensions = record.at<"H5D_DATASPACE_NDIMS">(),
          .dataset_elements = record.at<"H5D_DATASPACE_NPOINTS">(),
          .file = static_cast<std::uint64_t>(record.words[kFileWord]),
          .point_selects = record.at<"H5D_POINT_SELECTS">(),
          .regular_selects = record.at<"H5D_REGULAR_HYPERSLAB_SELECTS">(),
          .irregular_selects = record.at<"H5D_IRREGULAR_HYPERSLAB_SELECTS">()};
}
static_assert(static_cast<int>(capture::Hdf5Transfer::Kind::kIrregular) ==
                  static_cast<int>(Hdf5Selection::Kind::kIrregular) &&
              static_cast<int>(capture::Hdf5Transfer::Kind::kPoints) == static_cast<int>(Hdf5Selection::Kind::kPoints));

}  // namespace

void moved(Hdf5Dataset& dataset, Span when, const Transfer& transfer, const Hdf5Selection& selection) noexcept {
  capture::Hdf5Transfer about;
  {
    const Locked locked(dataset.lock);
    if (!locked) return;
    count_transfer(dataset, when, transfer, selection);
    if (capture::every_event_is_heard) about = described(dataset, selection);
  }
  tell(transfer.direction == Direction::kRead ? Operation::kHdf5Read : Operation::kHdf5Write, dataset.record.base().id,
       when, capture::Event::kNoOffset, transfer.bytes, &about);
}

void after_fork() noexcept {
  pool.after_fork();
  datasets.after_fork();
  capture::free_part_names();
}

}  // namespace trikal::modules::h5d
