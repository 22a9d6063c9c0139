#include "modules/posix/wrappers_notes.hpp"

#include <cstring>

#include "capture/events/event.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/tables/private_memory.hpp"
#include "modules/posix/capture_brief.hpp"

namespace trikal::modules::posix {
namespace {

using capture::File;
using capture::Held;
using capture::session;

bool takes_mode(int flags) noexcept { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

// Where appends to a file begin that was there before.
std::int64_t size_of(int fd) noexcept {
  struct stat status{};
  return capture::raw_syscall(__NR_fstat, fd, capture::raw_pointer(&status)) == 0 ? status.st_size : 0;
}

// A file without a name is known by the directory it lies in.
File* nameless_file_at(int directory, const char* path) noexcept {
  static constexpr char kName[] = "/<tmpfile>";
  constexpr std::size_t kMostPath = 4096;
  const capture::Scratch scratch(kMostPath + sizeof kName);
  char* text = scratch.as<char>();
  if (text == nullptr) return nullptr;
  const std::size_t length = strnlen(path, kMostPath);
  std::memcpy(text, path, length);
  std::memcpy(text + length, kName, sizeof kName);
  return session.file_at(directory, text);
}

// What a call is called that only an extra counter counts.
capture::Operation operation_of(std::size_t slot) noexcept {
  if (slot == extra("POSIX_UNLINKS") || slot == extra("POSIX_RMDIRS")) return capture::Operation::kRemove;
  return slot == extra("POSIX_TRUNCATES") ? capture::Operation::kTruncate : capture::Operation::kOther;
}

void count_extra(File* file, std::size_t slot, Span when) noexcept {
  add_extra(file, slot, 1);
  add_extra_time(file, when);
  if (file != nullptr) capture::tell(operation_of(slot), file->id, when);
}

// The position of one side: the caller's, which the kernel has moved by now, or the descriptor's own.
std::int64_t position(const CopySide& side, PosixFile& file, Direction direction, ssize_t moved) noexcept {
  if (side.at != nullptr) return *side.at - moved;
  return side.held.is_current() ? advance(*side.held.open, moved) : behind_last(file, direction);
}

void cut_known(File* file, off_t length) noexcept {
  auto* record = file != nullptr ? file->records[capture::kPosixSlot].as<PosixFile>() : nullptr;
  if (record != nullptr) cut_to(*record, length);
}

std::int64_t offset_of(int fd) noexcept {
  const long at = capture::raw_syscall(__NR_lseek, fd, 0, SEEK_CUR);
  return at > 0 ? at : 0;
}

}  // namespace

void note_open(Span when, int fd, int directory, const char* path, int flags, mode_t mode) noexcept {
  capture::redirect_new_imports();
  if (fd < 0) return failed_at(directory, path);
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  File* file = nameless ? nameless_file_at(directory, path) : session.file_at(directory, path);
  const bool append = (flags & O_APPEND) != 0;
  const mode_t made_with = takes_mode(flags) ? mode : 0;
  if (file != nullptr && !append && opened_briefly(*file, when, made_with))
    return session.descriptors.open(fd, {.brief = true}, nullptr, file);
  PosixFile* record = record_of(file);
  if (record == nullptr) return session.descriptors.clear(fd);  // the number may have been another file's
  if (append) appends_from(*record, size_of(fd));
  else if ((flags & O_TRUNC) != 0) cut_to(*record, 0);
  session.descriptors.open(fd, {.append = append}, record, file);
  opened(*record, when, made_with);
}

void note_close(Span when, capture::Closed held) noexcept {
  if (!held || (held.has(capture::kUnresolved) && !held.has(capture::kBrief))) return;
  if (held.has(capture::kBrief) && closed_briefly(*held.as<File>(), when)) return;
  PosixFile* record = held.has(capture::kBrief) ? record_of(held.as<File>()) : held.as<PosixFile>();
  if (record != nullptr) closed(*record, when);
}

void note_duplicate(Span when, const Held& source, int fd, int duplicate) noexcept {
  if (!source) {
    // The target's old file is gone, and what is there now is not watched.
    if (duplicate >= 0) session.descriptors.clear(duplicate);
    return;
  }
  if (duplicate < 0) return failed(source);
  PosixFile* file = record_of(source);
  if (file == nullptr) return;
  // Onto itself nothing changes, but it was asked for.
  if (duplicate != fd) session.descriptors.share(duplicate, source, file, offset_of);
  duplicated(*file, when);
}

void note_seek(Span when, const Held& held, off_t at) noexcept {
  if (!held) return;
  if (at < 0) return failed(held);
  PosixFile* file = record_of(held);
  if (file == nullptr) return;
  if (held.is_current()) {
    held.open->offset.store(at, std::memory_order_relaxed);
    if (held.open->append.load(std::memory_order_relaxed) != 0)
      held.open->append.store(capture::kAppendsElsewhere, std::memory_order_relaxed);
  }
  sought(*file, when);
}

void note_sync(Span when, capture::HeldTarget held, int result, bool data_only) noexcept {
  if (!held) return;
  if (result < 0) return failed(held);
  PosixFile* file = record_of(held);
  if (file == nullptr) return;
  synced(*file, when, data_only);
  add_extra_time<"POSIX_F_SYNC_TIME">(file_of(held), when);
}

// A record's own rename counters are kept only for files this process has used: moving things about is no I/O on
// them. The trailer's counter has all.
void note_rename(Span when, int result, int from_directory, const char* from, int to_directory,
                 const char* to) noexcept {
  if (result != 0) return failed_at(from_directory, from);
  File* source = session.file_at(from_directory, from);
  if (source == nullptr) return;
  add_extra<"POSIX_RENAMES">(source);
  if (!source->records[capture::kPosixSlot].is_set() && !source->records[capture::kPosixBriefSlot].is_set()) {
    capture::tell(capture::Operation::kRename, source->id, when);
    return add_extra_time(source, when);
  }
  if (PosixFile* record = record_of(source)) renamed(*record, when);
  PosixFile* target = record_of(session.file_at(to_directory, to));
  if (target != nullptr) renamed_from(*target, source->id);
}

// Counted under both names, its time under the new one.
void note_link(Span when, int result, int from_directory, const char* from, int to_directory, const char* to) noexcept {
  note_on_path(when, result, to_directory, to, extra("POSIX_LINKS"));
  if (result == 0) add_extra<"POSIX_LINKED">(session.file_at(from_directory, from));
}

void note_copy(TickInterval when, ssize_t moved, const CopySide& in, const CopySide& out) noexcept {
  const Held &from = in.held, &to = out.held;
  if (moved < 0) return from || to ? failed(to ? to : from) : void();
  if (from) {
    const TickInterval read_time = to ? TickInterval{when.begin, when.begin} : when;
    if (PosixFile* file = record_of(from))
      has_read(*file, read_time, {position(in, *file, Direction::kRead, moved), moved, false});
    add_extra<"POSIX_COPIES_FROM">(file_of(from));
    add_extra<"POSIX_BYTES_COPIED_FROM">(file_of(from), moved);
  }
  if (to) {
    if (PosixFile* file = record_of(to))
      has_written(*file, when, {position(out, *file, Direction::kWrite, moved), moved, false});
    add_extra<"POSIX_COPIES_TO">(file_of(to));
    add_extra<"POSIX_BYTES_COPIED_TO">(file_of(to), moved);
  }
}

// Only regular files count in the record, as they do in every Darshan log.
void note_stat(Span when, int result, int directory, const char* path, mode_t mode) noexcept {
  if (path == nullptr || path[0] == '\0')
    return note_descriptor_stat(when, result, session.descriptors.hold(directory), mode);
  if (result != 0) return failed_at(directory, path);
  File* file = session.file_at(directory, path);
  if (!S_ISREG(mode)) return add_extra<"POSIX_OTHER_STATS">(file), add_extra_time(file, when);
  if (file != nullptr && stated_briefly(*file, when)) return;
  if (PosixFile* record = record_of(file)) stated(*record, when);
}

void note_descriptor_stat(Span when, int result, capture::HeldTarget held, mode_t mode) noexcept {
  if (!held) return;
  if (result != 0) return failed(held);
  if (!S_ISREG(mode)) return note_on_descriptor(when, result, held, extra("POSIX_OTHER_STATS"));
  if (PosixFile* record = record_of(held)) stated(*record, when);
}

void note_on_path(Span when, int result, int directory, const char* path, std::size_t slot) noexcept {
  if (result < 0) return failed_at(directory, path);
  count_extra(session.file_at(directory, path), slot, when);
}

void note_on_descriptor(Span when, int result, capture::HeldTarget held, std::size_t slot) noexcept {
  if (!held) return;
  if (result < 0) return failed(held);
  count_extra(file_of(held), slot, when);
}

void note_cut(Span when, int result, int directory, const char* path, off_t length) noexcept {
  note_on_path(when, result, directory, path, extra("POSIX_TRUNCATES"));
  if (result == 0) cut_known(session.file_at(directory, path), length);
}

void note_cut(Span when, int result, capture::HeldTarget held, off_t length) noexcept {
  note_on_descriptor(when, result, held, extra("POSIX_TRUNCATES"));
  if (held && result == 0) cut_known(file_of(held), length);
}

}  // namespace trikal::modules::posix
