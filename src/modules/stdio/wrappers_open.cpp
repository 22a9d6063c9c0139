// Opening, closing, positioning and flushing streams.

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/interpose/interposed.hpp"
#include "modules/stdio/wrappers.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

bool appends(const char* mode) noexcept { return mode != nullptr && mode[0] == 'a'; }

// The descriptor under a stream is watched too: C++ streams and mixed programs read and write it directly.
void watch_descriptor(FILE* stream, const File* file, bool append) noexcept {
  session.descriptors.open(stream->_fileno, {.append = append}, nullptr, file);
}

void forget(FILE* stream) noexcept {
  if (Stream* entry = streams.find(stream)) streams.forget(*entry);
}

void note_open(Span when, FILE* stream, const char* path, const char* mode) noexcept {
  if (stream == nullptr) return failed_at(path);
  if (stream->_fileno < 0) return;
  File* file = session.file_at(AT_FDCWD, path);
  StdioFile* record = record_of(file);
  if (record == nullptr) return forget(stream), session.descriptors.clear(stream->_fileno);
  watch_descriptor(stream, file, appends(mode));
  streams.set(stream, record, file);
  opened(*record, when, false);
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER FILE* open_stream(const char* path, const char* mode) noexcept {
  return Interposed<Name, FILE*(const char*, const char*)>::call(
      [](Span when, FILE* stream, const char* p, const char* m) noexcept { note_open(when, stream, p, m); }, path,
      mode);
}

// Without a path the same file is opened again in another mode.
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER FILE* reopen_stream(const char* path, const char* mode, FILE* old) noexcept {
  const File* same = nullptr;
  Closed descriptor;
  if (session.running() && !is_inside()) {
    const Inside inside;
    if (Stream* found = streams.find(old)) {
      settle(*found);
      (void)record_of(*found);  // makes the name this process's own
      if (path == nullptr) same = found->name;
    }
    descriptor = session.descriptors.begin_close(old->_fileno);
    forget(old);
  }
  return Interposed<Name, FILE*(const char*, const char*, FILE*)>::call(
      [same, descriptor](Span when, FILE* stream, const char* p, const char* m, FILE*) noexcept {
        session.descriptors.end_close(descriptor);
        if (p != nullptr) return note_open(when, stream, p, m);
        auto* file = const_cast<File*>(same);
        StdioFile* record = stream == nullptr ? nullptr : record_of(file);
        if (record == nullptr) return;
        watch_descriptor(stream, file, appends(m));
        streams.set(stream, record, file);
        opened(*record, when, false);
      },
      path, mode, old);
}

void settle_before(Stream& stream) noexcept {
  if (is_inside()) return;
  const Inside inside;
  settle(stream);
}

// Where a seek ended, without asking the kernel again where libc already knows.
template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int seek(FILE* stream, A... args) noexcept {
  Stream* found = streams.find(stream);
  if (found == nullptr) return Wrapper::real()(args...);
  settle_before(*found);
  return Wrapper::call_running(
      [found, stream](Span when, int result, A...) noexcept {
        if (result < 0) return not_moved(*found);
        const off64_t at = Interposed<"ftello64", off64_t(FILE*)>::real()(stream);
        sought(*found, when, at > 0 ? at : 0);
      },
      args...);
}

// A flush of every stream that is written to.
template <class Wrapper>
TRIKAL_INTO_WRAPPER int flush_all() noexcept {
  return Wrapper::call(
      [](Span when, int result, FILE*) noexcept {
        if (result < 0) return;
        streams.for_each([when](Stream& stream) noexcept {
          if (stream.writes) flushed(stream, when);
        });
      },
      nullptr);
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int flush(FILE* stream) noexcept {
  using Wrapper = Interposed<Name, int(FILE*)>;
  if (stream == nullptr) return flush_all<Wrapper>();
  Stream* found = streams.find(stream);
  if (found == nullptr) return Wrapper::real()(stream);
  settle_before(*found);
  return Wrapper::call_running(
      [found](Span when, int result, FILE*) noexcept { result >= 0 ? flushed(*found, when) : not_moved(*found); },
      stream);
}

}  // namespace

TRIKAL_WRAPPER FILE* fopen(const char* path, const char* mode) { return open_stream<"fopen">(path, mode); }
TRIKAL_WRAPPER FILE* fopen64(const char* path, const char* mode) { return open_stream<"fopen64">(path, mode); }
TRIKAL_WRAPPER FILE* freopen(const char* path, const char* mode, FILE* old) {
  return reopen_stream<"freopen">(path, mode, old);
}
TRIKAL_WRAPPER FILE* freopen64(const char* path, const char* mode, FILE* old) {
  return reopen_stream<"freopen64">(path, mode, old);
}

TRIKAL_WRAPPER FILE* fdopen(int fd, const char* mode) {
  return Interposed<"fdopen", FILE*(int, const char*)>::call(
      [](Span when, FILE* stream, int f, const char*) noexcept {
        const Held known = session.descriptors.hold(f);
        if (stream == nullptr || !known) return;
        const auto* name = static_cast<const File*>(known.slot->file.load(std::memory_order_relaxed));
        File* file = session.files.find_or_add(name->text());
        StdioFile* record = record_of(file);
        if (record == nullptr) return;
        Stream* entry = streams.set(stream, record, file);
        if (entry != nullptr) entry->offset = known.open->offset.load(std::memory_order_relaxed);
        opened(*record, when, true);
      },
      fd, mode);
}

TRIKAL_WRAPPER int fclose(FILE* stream) {
  return close_stream<Interposed<"fclose", int(FILE*)>, Under::kWatched>(stream);
}

TRIKAL_WRAPPER int fflush(FILE* stream) { return flush<"fflush">(stream); }
TRIKAL_WRAPPER int fflush_unlocked(FILE* stream) { return flush<"fflush_unlocked">(stream); }
TRIKAL_WRAPPER int fseek(FILE* stream, long offset, int whence) {
  return seek<Interposed<"fseek", int(FILE*, long, int)>>(stream, stream, offset, whence);
}
TRIKAL_WRAPPER int fseeko(FILE* stream, off_t offset, int whence) {
  return seek<Interposed<"fseeko", int(FILE*, off_t, int)>>(stream, stream, offset, whence);
}
TRIKAL_WRAPPER int fseeko64(FILE* stream, off64_t offset, int whence) {
  return seek<Interposed<"fseeko64", int(FILE*, off64_t, int)>>(stream, stream, offset, whence);
}
TRIKAL_WRAPPER int fsetpos(FILE* stream, const fpos_t* at) {
  return seek<Interposed<"fsetpos", int(FILE*, const fpos_t*)>>(stream, stream, at);
}
TRIKAL_WRAPPER int fsetpos64(FILE* stream, const fpos64_t* at) {
  return seek<Interposed<"fsetpos64", int(FILE*, const fpos64_t*)>>(stream, stream, at);
}
TRIKAL_WRAPPER void rewind(FILE* stream) {
  using Wrapper = Interposed<"rewind", void(FILE*)>;
  Stream* found = streams.find(stream);
  if (found == nullptr || is_inside()) return Wrapper::real()(stream);
  settle_before(*found);
  const Ticks begin = read_counter();
  Wrapper::real()(stream);
  const Ticks end = read_counter();
  const Inside inside;
  keep_caller();
  sought(*found, session.span(begin, end), 0);
}
