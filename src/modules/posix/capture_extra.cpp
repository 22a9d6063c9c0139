// Counters of the trailer. Sums that threads add to without a lock: none depends on another.

#include "modules/posix/capture_extra.hpp"

#include <errno.h>

#include <atomic>

#include "capture/records/errors.hpp"
#include "capture/records/record_pool.hpp"
#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {
namespace {

struct ExtraSlot {
  Record<kExtraSchema> record;
};

constinit capture::RecordPool<ExtraSlot, kExtraSchema, log::crash::ChunkKind::kExtras> pool;

ExtraSlot* extra_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kPosixExtraSlot].as<ExtraSlot>();
  return known != nullptr ? known : pool.make(*file, capture::kPosixExtraSlot);
}

}  // namespace

void add_extra(capture::File* file, std::size_t slot, std::int64_t amount) noexcept {
  ExtraSlot* extra = extra_of(file);
  if (extra == nullptr) return;
  std::atomic_ref(extra->record.slot(slot)).fetch_add(amount, std::memory_order_relaxed);
}

void add_extra_time(capture::File* file, std::size_t slot, Span when) noexcept {
  ExtraSlot* extra = extra_of(file);
  if (extra == nullptr) return;
  const std::atomic_ref time(extra->record.slot(slot));
  std::int64_t held = time.load(std::memory_order_relaxed);
  while (!time.compare_exchange_weak(held, std::bit_cast<std::int64_t>(std::bit_cast<double>(held) + when.length()),
                                     std::memory_order_relaxed)) {
  }
}

void failed(capture::File* file) noexcept { capture::errors.count(kSchema.id, file, errno); }
void failed(capture::HeldTarget held) noexcept { failed(file_of(held)); }
void failed(const PosixFile& file) noexcept { failed(capture::session.files.find(file.record.base().id)); }

void failed_at(int directory, const char* path) noexcept {
  capture::errors.count_at(kSchema.id, directory, path, errno);
}

void fell_short(const PosixFile& record, Direction direction, std::int64_t moved) noexcept {
  capture::File* file = capture::session.files.find(record.record.base().id);
  if (direction == Direction::kWrite) return add_extra<"POSIX_SHORT_WRITES">(file);
  moved == 0 ? add_extra<"POSIX_EMPTY_READS">(file) : add_extra<"POSIX_SHORT_READS">(file);
}

void forget_extras() noexcept { pool.after_fork(); }

}  // namespace trikal::modules::posix
