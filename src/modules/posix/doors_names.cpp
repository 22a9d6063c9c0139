// Names that change, and statx.

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "capture/events/moved.hpp"
#include "capture/interpose/interposed.hpp"
#include "modules/posix/capture.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of doors
using namespace trikal::modules::posix;  // NOLINT

// Only files this process has used: moving things about is no I/O on them.
void note_rename(Span when, int from_directory, const char* from, int to_directory, const char* to) noexcept {
  File* source = session.known_file_at(from_directory, from);
  if (source == nullptr || source->records[kPosixSlot] == nullptr) return;
  renamed(*record_of(source), when);
  PosixFile* target = record_of(session.file_at(to_directory, to));
  if (target != nullptr) renamed_from(*target, source->id);
}

bool regular(const struct statx* status) noexcept {
  return (status->stx_mask & STATX_TYPE) != 0 && S_ISREG(status->stx_mode);
}

}  // namespace

TRIKAL_DOOR int rename(const char* from, const char* to) noexcept {
  return Interposed<"rename", int(const char*, const char*)>::call(
      [](Span when, int result, const char* f, const char* t) noexcept {
        if (result == 0) note_rename(when, AT_FDCWD, f, AT_FDCWD, t);
      },
      from, to);
}
TRIKAL_DOOR int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  return Interposed<"renameat", int(int, const char*, int, const char*)>::call(
      [](Span when, int result, int fd, const char* f, int td, const char* t) noexcept {
        if (result == 0) note_rename(when, fd, f, td, t);
      },
      from_directory, from, to_directory, to);
}
TRIKAL_DOOR int renameat2(int from_directory, const char* from, int to_directory, const char* to,
                          unsigned flags) noexcept {
  return Interposed<"renameat2", int(int, const char*, int, const char*, unsigned)>::call(
      [](Span when, int result, int fd, const char* f, int td, const char* t, unsigned) noexcept {
        if (result == 0) note_rename(when, fd, f, td, t);
      },
      from_directory, from, to_directory, to, flags);
}

TRIKAL_DOOR int statx(int directory, const char* path, int flags, unsigned mask, struct statx* status) noexcept {
  return Interposed<"statx", int(int, const char*, int, unsigned, struct statx*)>::call(
      [](Span when, int result, int d, const char* p, int, unsigned, struct statx* s) noexcept {
        if (result != 0 || !regular(s)) return;
        PosixFile* file = nullptr;
        if (p[0] != '\0') file = record_of(session.file_at(d, p));
        else if (Descriptor* found = session.descriptors.find(d)) file = record_of(*found);  // AT_EMPTY_PATH
        if (file != nullptr) stated(*file, when);
      },
      directory, path, flags, mask, status);
}
