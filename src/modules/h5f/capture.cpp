#include "modules/h5f/capture.hpp"

#include <fcntl.h>

#include "capture/events/event.hpp"
#include "capture/records/record_pool.hpp"

namespace trikal::modules::h5f {

namespace {

using capture::earlier;
using capture::later;
using capture::Locked;
using capture::Operation;
using capture::tell;

constinit capture::RecordPool<Hdf5File, kSchema> pool;
constinit capture::HandleTable<OpenFile> files;

// What a process that forked has opened is known to its child by name: the working directory may be another by now.
capture::File* own(const OpenFile& open) noexcept {
  const bool inherited = open.file != nullptr && open.owner != capture::session.arena.header();
  return inherited ? capture::session.files.find_or_add(open.file->text()) : open.file;
}

template <FixedString Start, FixedString End>
void mark(Hdf5File& file, Span when) noexcept {
  file.record.set_real<Start>(earlier(file.record.real<Start>(), when.begin));
  file.record.set_real<End>(later(file.record.real<End>(), when.end));
}

void add_meta(Hdf5File& file, Span when) noexcept {
  file.record.set_real<"H5F_F_META_TIME">(file.record.real<"H5F_F_META_TIME">() +
                                          capture::added_time(when, file.meta_end));
}

}  // namespace

capture::File* file_at(const char* path, bool parallel) noexcept {
  if (path == nullptr) return nullptr;
  return capture::session.file_at(AT_FDCWD, parallel ? capture::file_named_to_mpi(path) : path);
}

void keep(Hdf5Id handle, capture::File* file) noexcept { files.set(handle, {file, capture::session.arena.header()}); }

capture::File* take(Hdf5Id handle) noexcept {
  OpenFile open;
  return files.take(handle, open) ? own(open) : nullptr;
}

capture::File* file_of(Hdf5Id object) noexcept {
  OpenFile open;
  if (files.find(object, open) || files.find(capture::hdf5.file_of(object), open)) return own(open);
  char path[4096];
  return capture::hdf5.path_of_file(object, path, sizeof path) == 0 ? nullptr : file_at(path, false);
}

Hdf5File* record_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kH5fSlot].as<Hdf5File>();
  return known != nullptr ? known : pool.make(*file, capture::kH5fSlot);
}

void opened(Hdf5File& file, Span when, bool parallel) noexcept {
  tell(Operation::kHdf5Open, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"H5F_OPENS">() += 1;
  file.record.at<"H5F_USE_MPIIO">() = parallel ? 1 : 0;
  mark<"H5F_F_OPEN_START_TIMESTAMP", "H5F_F_OPEN_END_TIMESTAMP">(file, when);
  add_meta(file, when);
}

void flushed(Hdf5File& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    file.record.at<"H5F_FLUSHES">() += 1;
    add_meta(file, when);
  }
  tell(Operation::kHdf5Flush, file.record.base().id, when);
}

void closed(Hdf5File& file, Span when) noexcept {
  tell(Operation::kHdf5Close, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  mark<"H5F_F_CLOSE_START_TIMESTAMP", "H5F_F_CLOSE_END_TIMESTAMP">(file, when);
  add_meta(file, when);
}

void after_fork() noexcept {
  pool.after_fork();
  files.free_lock();
}

}  // namespace trikal::modules::h5f
