#include "modules/_template/capture.hpp"

#include <fcntl.h>

#include "capture/events/event.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/tables/handle_table.hpp"

namespace trikal::modules::template_module {
namespace {

using capture::earlier;
using capture::later;
using capture::Locked;
using capture::session;

// A forked child has the handle, too, and records of its own.
struct OpenFile {
  capture::File* file = nullptr;
  const log::crash::Header* owner = nullptr;
};

constinit capture::RecordPool<TemplateFile, kSchema> pool;
constinit capture::HandleTable<OpenFile> handles;

// What a process that forked has opened is known to its child by name.
capture::File* own(const OpenFile& open) noexcept {
  const bool inherited = open.file != nullptr && open.owner != session.arena.header();
  return inherited ? session.files.find_or_add(open.file->text()) : open.file;
}

void add_meta(TemplateFile& file, Span when) noexcept {
  auto& record = file.record;
  record.set_real<"TEMPLATE_F_META_TIME">(record.real<"TEMPLATE_F_META_TIME">() +
                                          capture::added_time(when, file.meta_end));
}

// Once the call is counted and no lock is held: a listener may ask the record.
void tell(TemplateOperation operation, TemplateFile& file, Span when, std::int64_t bytes = 0) noexcept {
  capture::tell(log::crash::operation_of_module(kSchema.id, static_cast<std::uint32_t>(operation)),
                file.record.base().id, when, capture::Event::kNoOffset, bytes);
}

}  // namespace

capture::File* file_at(const char* path) noexcept {
  return path == nullptr ? nullptr : session.file_at(AT_FDCWD, path);
}

TemplateFile* record_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kTemplateSlot].as<TemplateFile>();
  return known != nullptr ? known : pool.make(*file, capture::kTemplateSlot);
}

void keep(Handle handle, capture::File* file) noexcept { handles.set(handle, {file, session.arena.header()}); }

capture::File* file_of(Handle handle) noexcept {
  OpenFile open;
  return handles.find(handle, open) ? own(open) : nullptr;
}

capture::File* take(Handle handle) noexcept {
  OpenFile open;
  return handles.take(handle, open) ? own(open) : nullptr;
}

void opened(TemplateFile& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;  // a signal handler, while the thread is in here already: counted as missed
    auto& record = file.record;
    record.at<"TEMPLATE_OPENS">() += 1;
    record.set_real<"TEMPLATE_F_OPEN_START_TIMESTAMP">(
        earlier(record.real<"TEMPLATE_F_OPEN_START_TIMESTAMP">(), when.begin));
    add_meta(file, when);
  }
  tell(TemplateOperation::kOpen, file, when);
}

void has_read(TemplateFile& file, Span when, std::int64_t bytes) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    auto& record = file.record;
    record.at<"TEMPLATE_READS">() += 1;
    record.at<"TEMPLATE_BYTES_READ">() += bytes;
    record.at<"TEMPLATE_SIZE_READ_#">(size_class(bytes)) += 1;
    record.set_real<"TEMPLATE_F_READ_TIME">(record.real<"TEMPLATE_F_READ_TIME">() +
                                            capture::added_time(when, file.read_end));
  }
  tell(TemplateOperation::kRead, file, when, bytes);
}

void has_written(TemplateFile& file, Span when, std::int64_t bytes) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    auto& record = file.record;
    record.at<"TEMPLATE_WRITES">() += 1;
    record.at<"TEMPLATE_BYTES_WRITTEN">() += bytes;
    record.at<"TEMPLATE_SIZE_WRITE_#">(size_class(bytes)) += 1;
    record.set_real<"TEMPLATE_F_WRITE_TIME">(record.real<"TEMPLATE_F_WRITE_TIME">() +
                                             capture::added_time(when, file.write_end));
  }
  tell(TemplateOperation::kWrite, file, when, bytes);
}

void closed(TemplateFile& file, Span when) noexcept {
  {
    const Locked locked(file.lock);
    if (!locked) return;
    auto& record = file.record;
    record.set_real<"TEMPLATE_F_CLOSE_END_TIMESTAMP">(later(record.real<"TEMPLATE_F_CLOSE_END_TIMESTAMP">(), when.end));
    add_meta(file, when);
  }
  tell(TemplateOperation::kClose, file, when);
}

void after_fork() noexcept {
  pool.after_fork();
  handles.free_lock();
}

}  // namespace trikal::modules::template_module
