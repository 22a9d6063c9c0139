#pragma once
// What each call means for the counters. Ordinary functions on ordinary records: wrappers call them, and so do tests.

#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "modules/_template/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::template_module {

using capture::Span;
using Handle = std::int64_t;  // what the library gives the program for an open file

// A file's record, and what must be remembered between calls. Lies in the crash map; only `record` goes to the log. New ones
// are all zeros and are not constructed. On cache lines of its own: threads use different files.
struct alignas(64) TemplateFile {
  Record<kSchema> record;
  capture::Spin lock;
  double read_end = 0, write_end = 0, meta_end = 0;  // of the calls before: time that overlaps counts once
};

// The file behind a path, null if it is not watched; its record, null if the module is off or there is no memory.
[[nodiscard]] capture::File* file_at(const char* path) noexcept;
[[nodiscard]] TemplateFile* record_of(capture::File* file) noexcept;

// Which file a handle stands for, from opening to closing.
void keep(Handle handle, capture::File* file) noexcept;
[[nodiscard]] capture::File* file_of(Handle handle) noexcept;
[[nodiscard]] capture::File* take(Handle handle) noexcept;  // and it no longer does

void opened(TemplateFile& file, Span when) noexcept;
void has_read(TemplateFile& file, Span when, std::int64_t bytes) noexcept;
void has_written(TemplateFile& file, Span when, std::int64_t bytes) noexcept;
void closed(TemplateFile& file, Span when) noexcept;

// In a forked child: free every lock. Records are found to be the parent's when they are next asked for.
void after_fork() noexcept;

// What the functions above tell listeners (capture/events/event.hpp): numbers of its own, in the order of their words.
enum class TemplateOperation : std::uint8_t { kOpen, kRead, kWrite, kClose };
inline constexpr std::string_view kOperationWords[] = {"open", "read", "write", "close"};

inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = capture::own_operations(kSchema, kOperationWords),
    .details = capture::details_of<TemplateFile, kSchema, capture::kTemplateSlot>};

}  // namespace trikal::modules::template_module
