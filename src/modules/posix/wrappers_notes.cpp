#include "modules/posix/wrappers_notes.hpp"

#include <cstring>

#include "capture/events/moved.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/records/call_sites.hpp"
#include "capture/tables/private_memory.hpp"
#include "modules/posix/capture_brief.hpp"

namespace trikal::modules::posix {
namespace {

using capture::Descriptor;
using capture::File;
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
capture::SiteOperation operation_of(std::size_t slot) noexcept {
  if (slot == extra("POSIX_UNLINKS") || slot == extra("POSIX_RMDIRS")) return capture::SiteOperation::kRemove;
  return slot == extra("POSIX_TRUNCATES") ? capture::SiteOperation::kTruncate : capture::SiteOperation::kOther;
}

void count_extra(File* file, std::size_t slot, std::int64_t amount, Span when) noexcept {
  add_extra(file, slot, amount);
  add_extra_time(file, when);
  if (file != nullptr) capture::called(operation_of(slot), file->id, when);
}

// The position of one side: the caller's, which the kernel has moved by now, or the descriptor's own.
std::int64_t position(Descriptor& descriptor, const off64_t* at, ssize_t moved) noexcept {
  return at != nullptr ? *at - moved : descriptor.open->offset.fetch_add(moved, std::memory_order_relaxed);
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
  if (append) reaches(*record, size_of(fd));
  session.descriptors.open(fd, {.append = append}, record, file);
  opened(*record, when, made_with);
}

Closing closing(Descriptor& descriptor) noexcept {
  Closing what{.record = static_cast<PosixFile*>(descriptor.record)};
  if (what.record != nullptr || descriptor.open->brief == 0) return what;
  auto* file = const_cast<File*>(static_cast<const File*>(descriptor.file));
  const bool own = session.descriptors.is_own(descriptor) || session.files.find(file->id) == file;
  if (own) what.file = file;
  return what;
}

void note_close(Span when, const Closing& what) noexcept {
  if (what.file != nullptr && closed_briefly(*what.file, when)) return;
  PosixFile* record = what.record != nullptr ? what.record : record_of(what.file);
  if (record != nullptr) closed(*record, when);
}

void note_duplicate(Span when, int fd, int duplicate) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) {
    // The target's old file is gone, and what is there now is not watched.
    if (duplicate >= 0) session.descriptors.clear(duplicate);
    return;
  }
  if (duplicate < 0) return failed(*found);
  PosixFile* file = record_of(*found);
  if (file == nullptr) return;
  // Onto itself nothing changes, but it was asked for.
  if (duplicate != fd) session.descriptors.share(duplicate, found->open, file, found->file);
  duplicated(*file, when);
}

void note_seek(Span when, int fd, off_t at) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return;
  if (at < 0) return failed(*found);
  PosixFile* file = record_of(*found);
  if (file == nullptr) return;
  found->open->offset.store(at, std::memory_order_relaxed);
  if (found->open->append != 0) found->open->append = capture::kAppendsElsewhere;
  sought(*file, when);
}

void note_sync(Span when, int fd, int result, bool data_only) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return;
  if (result < 0) return failed(*found);
  if (PosixFile* file = record_of(*found)) synced(*file, when, data_only);
}

// A record's own rename counters are kept only for files this process has used: moving things about is no I/O on
// them. The trailer's counter has all.
void note_rename(Span when, int result, int from_directory, const char* from, int to_directory,
                 const char* to) noexcept {
  if (result != 0) return failed_at(from_directory, from);
  File* source = session.file_at(from_directory, from);
  if (source == nullptr) return;
  add_extra<"POSIX_RENAMES">(source);
  if (source->records[capture::kPosixSlot] == nullptr && source->records[capture::kPosixBriefSlot] == nullptr) {
    capture::called(capture::SiteOperation::kRename, source->id, when);
    return add_extra_time(source, when);
  }
  renamed(*record_of(source), when);
  PosixFile* target = record_of(session.file_at(to_directory, to));
  if (target != nullptr) renamed_from(*target, source->id);
}

void note_copy(TickInterval when, ssize_t moved, int in, const off64_t* in_at, int out,
               const off64_t* out_at) noexcept {
  Descriptor* from = session.descriptors.find(in);
  Descriptor* to = session.descriptors.find(out);
  if (moved < 0) return from != nullptr || to != nullptr ? failed(to != nullptr ? *to : *from) : void();
  if (from != nullptr) {
    const TickInterval read_time = to == nullptr ? when : TickInterval{when.begin, when.begin};
    if (PosixFile* file = record_of(*from)) has_read(*file, read_time, {position(*from, in_at, moved), moved, false});
    add_extra<"POSIX_COPIES_FROM">(file_of(*from));
    add_extra<"POSIX_BYTES_COPIED_FROM">(file_of(*from), moved);
  }
  if (to != nullptr) {
    if (PosixFile* file = record_of(*to)) has_written(*file, when, {position(*to, out_at, moved), moved, false});
    add_extra<"POSIX_COPIES_TO">(file_of(*to));
    add_extra<"POSIX_BYTES_COPIED_TO">(file_of(*to), moved);
  }
}

// Only regular files count in the record, as they do in every Darshan log.
void note_stat(Span when, int result, int directory, const char* path, mode_t mode) noexcept {
  if (path == nullptr || path[0] == '\0') return note_descriptor_stat(when, result, directory, mode);
  if (result != 0) return failed_at(directory, path);
  File* file = session.file_at(directory, path);
  if (!S_ISREG(mode)) return add_extra<"POSIX_OTHER_STATS">(file), add_extra_time(file, when);
  if (file != nullptr && stated_briefly(*file, when)) return;
  if (PosixFile* record = record_of(file)) stated(*record, when);
}

void note_descriptor_stat(Span when, int result, int fd, mode_t mode) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return;
  if (result != 0) return failed(*found);
  if (!S_ISREG(mode)) return note_on_descriptor(when, result, fd, extra("POSIX_OTHER_STATS"));
  if (PosixFile* record = record_of(*found)) stated(*record, when);
}

void note_on_path(Span when, int result, int directory, const char* path, std::size_t slot) noexcept {
  if (result < 0) return failed_at(directory, path);
  count_extra(session.file_at(directory, path), slot, 1, when);
}

void note_on_descriptor(Span when, int result, int fd, std::size_t slot, std::int64_t amount) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return;
  if (result < 0) return failed(*found);
  count_extra(file_of(*found), slot, amount, when);
}

}  // namespace trikal::modules::posix
