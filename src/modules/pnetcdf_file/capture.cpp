#include "modules/pnetcdf_file/capture.hpp"

#include <fcntl.h>

#include "capture/events/event.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/tables/handle_table.hpp"

namespace trikal::modules::pnetcdf_file {
namespace {

using capture::earlier;
using capture::later;
using capture::Locked;
using capture::session;

// A forked child has the number, too, and records of its own.
struct OpenFile {
  capture::File* file = nullptr;
  const log::crash::Header* owner = nullptr;
};

constinit capture::RecordPool<PnetcdfFile, kSchema> pool;
constinit capture::HandleTable<OpenFile> files;

std::int64_t handle_of(int number) noexcept { return std::int64_t{number} + 1; }  // the first one is 0

capture::File* own(const OpenFile& open) noexcept {
  const bool inherited = open.file != nullptr && open.owner != session.arena.header();
  return inherited ? session.files.find_or_add(open.file->text()) : open.file;
}

template <FixedString Start, FixedString End>
void mark(PnetcdfFile& file, Span when) noexcept {
  file.record.set_real<Start>(earlier(file.record.real<Start>(), when.begin));
  file.record.set_real<End>(later(file.record.real<End>(), when.end));
}

template <FixedString Time>
void add_time(PnetcdfFile& file, Span when, double& last) noexcept {
  file.record.set_real<Time>(file.record.real<Time>() + capture::added_time(when, last));
}

void add_meta(PnetcdfFile& file, Span when) noexcept {
  add_time<"PNETCDF_FILE_F_META_TIME">(file, when, file.meta_end);
}

// Once unknown, a sum stays unknown.
void add_bytes(std::int64_t& sum, std::int64_t bytes) noexcept { sum = sum < 0 || bytes < 0 ? -1 : sum + bytes; }

void tell(FileOperation operation, PnetcdfFile& file, Span when) noexcept {
  capture::tell(log::crash::operation_of_module(kSchema.id, static_cast<std::uint32_t>(operation)),
                file.record.base().id, when);
}

}  // namespace

capture::File* file_at(const char* path) noexcept {
  return path == nullptr ? nullptr : session.file_at(AT_FDCWD, capture::file_named_to_mpi(path));
}

PnetcdfFile* record_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kPnetcdfFileSlot].as<PnetcdfFile>();
  return known != nullptr ? known : pool.make(*file, capture::kPnetcdfFileSlot);
}

void keep(int number, capture::File* file) noexcept { files.set(handle_of(number), {file, session.arena.header()}); }

capture::File* file_of(int number) noexcept {
  OpenFile open;
  return files.find(handle_of(number), open) ? own(open) : nullptr;
}

capture::File* take(int number) noexcept {
  OpenFile open;
  return files.take(handle_of(number), open) ? own(open) : nullptr;
}

void opened(PnetcdfFile& file, Span when, bool created) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    if (created) file.record.at<"PNETCDF_FILE_CREATES">() += 1;
    else file.record.at<"PNETCDF_FILE_OPENS">() += 1;
    mark<"PNETCDF_FILE_F_OPEN_START_TIMESTAMP", "PNETCDF_FILE_F_OPEN_END_TIMESTAMP">(file, when);
    add_meta(file, when);
  }
  tell(created ? FileOperation::kCreate : FileOperation::kOpen, file, when);
}

void defined(PnetcdfFile& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    add_meta(file, when);
  }
  tell(FileOperation::kDefine, file, when);
}

void redefining(PnetcdfFile& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    file.record.at<"PNETCDF_FILE_REDEFS">() += 1;
    add_meta(file, when);
  }
  tell(FileOperation::kRedefine, file, when);
}

void synced(PnetcdfFile& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    file.record.at<"PNETCDF_FILE_SYNCS">() += 1;
    add_meta(file, when);
  }
  tell(FileOperation::kSync, file, when);
}

void waited(PnetcdfFile& file, Span when, bool collective, bool succeeded) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    auto& record = file.record;
    if (!succeeded) record.at<"PNETCDF_FILE_WAIT_FAILURES">() += 1;
    else if (collective) record.at<"PNETCDF_FILE_COLL_WAITS">() += 1;
    else record.at<"PNETCDF_FILE_INDEP_WAITS">() += 1;
    mark<"PNETCDF_FILE_F_WAIT_START_TIMESTAMP", "PNETCDF_FILE_F_WAIT_END_TIMESTAMP">(file, when);
    add_time<"PNETCDF_FILE_F_WAIT_TIME">(file, when, file.wait_end);
  }
  if (succeeded) tell(collective ? FileOperation::kCollectiveWait : FileOperation::kWait, file, when);
}

void closed(PnetcdfFile& file, Span when, const Moved& moved) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    add_bytes(file.record.at<"PNETCDF_FILE_BYTES_READ">(), moved.read);
    add_bytes(file.record.at<"PNETCDF_FILE_BYTES_WRITTEN">(), moved.written);
    mark<"PNETCDF_FILE_F_CLOSE_START_TIMESTAMP", "PNETCDF_FILE_F_CLOSE_END_TIMESTAMP">(file, when);
    add_meta(file, when);
  }
  tell(FileOperation::kClose, file, when);
}

void after_fork() noexcept {
  pool.after_fork();
  files.free_lock();
}

}  // namespace trikal::modules::pnetcdf_file
