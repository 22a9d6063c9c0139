// Files mapped into memory. What a program does to the memory cannot be seen; how much it mapped, synced and gave
// back can. Which mapping is whose is remembered while it lasts.

#include <sys/mman.h>

#include "capture/rare.hpp"
#include "capture/session/unseen.hpp"
#include "modules/posix/capture_extra.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

struct Mapping {
  std::uintptr_t begin = 0, end = 0;  // equal: a free slot
  const File* file = nullptr;
  std::int64_t pid = 0;  // whose File it is: a fork copies this table
};

class Mappings {
 public:
  void add(const Mapping& mapping) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    cut(mapping.begin, mapping.end);  // MAP_FIXED over an old one
    for (Mapping& slot : table_) {
      if (slot.begin != slot.end) continue;
      // A fork may come between any two steps: what has a range has a file.
      slot.file = mapping.file, slot.pid = mapping.pid;
      std::atomic_signal_fence(std::memory_order_release);
      slot.begin = slot.end = mapping.begin;
      slot.end = mapping.end;
      used_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    session.missed();  // its msync and munmap will not be known
  }
  void after_fork() noexcept { lock_.reset(); }
  [[nodiscard]] bool empty() const noexcept { return used_.load(std::memory_order_relaxed) == 0; }

  // The file mapped at an address, as this process knows it.
  File* file_at(std::uintptr_t at) noexcept {
    const Locked locked(lock_);
    if (!locked) return nullptr;
    for (Mapping& mapping : table_) {
      if (at < mapping.begin || at >= mapping.end) continue;
      const std::int64_t own = session.arena.header()->identity.pid;
      if (mapping.pid != own) {
        const File* known = session.files.find_or_add(mapping.file->text());
        if (known == nullptr) return nullptr;
        mapping.file = known, mapping.pid = own;
      }
      return const_cast<File*>(mapping.file);
    }
    return nullptr;
  }

  void remove(std::uintptr_t begin, std::uintptr_t end) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    cut(begin, end);
  }
  // The one that begins there is not known any more; nothing if there is none.
  [[nodiscard]] Mapping take(std::uintptr_t begin) noexcept {
    const Locked locked(lock_);
    if (!locked) return {};
    for (Mapping& mapping : table_) {
      if (mapping.begin != begin || mapping.begin == mapping.end) continue;
      const Mapping taken = mapping;
      mapping.end = mapping.begin;
      used_.fetch_sub(1, std::memory_order_relaxed);
      return taken;
    }
    return {};
  }

 private:
  // A hole in the middle of a mapping leaves only its front: enough for counting.
  void cut(std::uintptr_t begin, std::uintptr_t end) noexcept {
    for (Mapping& mapping : table_) {
      if (mapping.begin == mapping.end || begin >= mapping.end || end <= mapping.begin) continue;
      if (begin > mapping.begin) mapping.end = begin;
      else mapping.begin = end < mapping.end ? end : mapping.end;
      if (mapping.begin == mapping.end) used_.fetch_sub(1, std::memory_order_relaxed);
    }
  }

  Spin lock_;
  std::atomic<std::uint32_t> used_{0};
  Mapping table_[512];
};
TRIKAL_RARE constinit Mappings mappings;

std::uintptr_t address(const void* at) noexcept { return reinterpret_cast<std::uintptr_t>(at); }

void note_map(Span when, void* result, size_t length, const Held& held) noexcept {
  if (result == MAP_FAILED) return failed(held);
  PosixFile* record = record_of(held);
  File* file = file_of(held);
  if (record == nullptr || file == nullptr) return;
  mapped(*record, when);
  add_extra<"POSIX_BYTES_MAPPED">(file, static_cast<std::int64_t>(length));
  add_extra_time(file, when);
  mappings.add({address(result), address(result) + length, file, session.arena.header()->identity.pid});
}

// Where the entries of a ring of io_uring are mapped from; files are mapped from there now and then.
constexpr off64_t kSubmissions = 0x10000000;

template <trikal::FixedString Name, class Offset>
TRIKAL_INTO_WRAPPER void* map(void* at, size_t length, int protection, int flags, int fd, Offset offset) noexcept {
  using Wrapper = Interposed<Name, void*(void*, size_t, int, int, int, Offset)>;
  const Held held = (flags & MAP_ANONYMOUS) != 0 ? Held{} : session.descriptors.hold(fd);
  if (!held) {
    if (offset == kSubmissions && (flags & MAP_ANONYMOUS) == 0) [[unlikely]]
      note_if_ring(fd);
    return Wrapper::real()(at, length, protection, flags, fd, offset);
  }
  return Wrapper::call_running([&held](Span when, void* result, void*, size_t n, int, int, int,
                                       Offset) noexcept { note_map(when, result, n, held); },
                               at, length, protection, flags, fd, offset);
}

}  // namespace

namespace trikal::modules::posix {

void free_mappings() noexcept { mappings.after_fork(); }

}  // namespace trikal::modules::posix

TRIKAL_WRAPPER void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) noexcept {
  return map<"mmap">(at, n, protection, flags, fd, offset);
}
TRIKAL_WRAPPER void* mmap64(void* at, size_t n, int protection, int flags, int fd, off64_t offset) noexcept {
  return map<"mmap64">(at, n, protection, flags, fd, offset);
}
TRIKAL_WRAPPER int munmap(void* at, size_t length) noexcept {
  using Wrapper = Interposed<"munmap", int(void*, size_t)>;
  if (mappings.empty() || is_inside() || !session.running()) return Wrapper::real()(at, length);
  File* file = nullptr;
  {
    // Before the call: another thread may get the addresses right after it.
    const Inside inside;
    file = mappings.file_at(address(at));
    if (file != nullptr) mappings.remove(address(at), address(at) + length);
  }
  if (file == nullptr) return Wrapper::real()(at, length);
  return Wrapper::call_running(
      [file](Span when, int result, void*, size_t) noexcept {
        if (result != 0) return failed(file);
        add_extra<"POSIX_UNMAPS">(file);
        add_extra_time(file, when);
      },
      at, length);
}
TRIKAL_WRAPPER int msync(void* at, size_t length, int flags) {
  using Wrapper = Interposed<"msync", int(void*, size_t, int)>;
  if (mappings.empty()) return Wrapper::real()(at, length, flags);
  return Wrapper::call(
      [](Span when, int result, void* a, size_t n, int) noexcept {
        File* file = mappings.file_at(address(a));
        if (file == nullptr) return;
        if (result != 0) return failed(file);
        add_extra<"POSIX_MSYNCS">(file);
        add_extra<"POSIX_BYTES_MSYNCED">(file, static_cast<std::int64_t>(n));
        add_extra_time(file, when);
      },
      at, length, flags);
}
// The optional last argument is always passed on: the kernel looks at it only where the flags say so.
TRIKAL_WRAPPER void* remap(void* at, size_t old_length, size_t length, int flags, void* to) __asm__("mremap");
TRIKAL_WRAPPER void* remap(void* at, size_t old_length, size_t length, int flags, void* to) {
  using Wrapper = Interposed<"mremap", void*(void*, size_t, size_t, int, void*)>;
  if (mappings.empty() || is_inside() || !session.running()) return Wrapper::real()(at, old_length, length, flags, to);
  // Before the call: another thread may get the addresses right after it.
  Mapping moved;
  {
    const Inside inside;
    moved = mappings.take(address(at));
  }
  if (moved.file == nullptr) return Wrapper::real()(at, old_length, length, flags, to);
  return Wrapper::call_running(
      [&moved](Span, void* result, void*, size_t, size_t n, int, void*) noexcept {
        if (result != MAP_FAILED) moved.begin = address(result), moved.end = moved.begin + n;
        mappings.add(moved);
      },
      at, old_length, length, flags, to);
}
