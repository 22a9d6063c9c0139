#include "capture/session/unseen.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/program_kind.hpp"
#include "base/text.hpp"
#include "capture/guard/inside.hpp"
#include "capture/rare.hpp"
#include "capture/session/child_environment.hpp"
#include "capture/session/environment.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::UnseenSlot;

constexpr std::uint32_t kMostPrograms = 16;  // different ones a process; what comes later is not named
constexpr int kMostScripts = 4;              // interpreters that are scripts themselves

constinit Spin lock;
constinit log::crash::Chunk* chunk = nullptr;

// Under the lock.
void keep(Unseen why, std::string_view path) noexcept {
  if (chunk == nullptr) {
    chunk = session.arena.add_chunk({.kind = log::crash::ChunkKind::kUnseen,
                                     .stride = sizeof(UnseenSlot),
                                     .record_bytes = sizeof(UnseenSlot),
                                     .slots = kMostPrograms},
                                    Arena::Use::kNormal);
    if (chunk == nullptr) return;
  }
  if (path.size() > UnseenSlot::kPathBytes) path.remove_prefix(path.size() - UnseenSlot::kPathBytes);
  auto* slots = reinterpret_cast<UnseenSlot*>(slots_of(chunk));
  const std::uint32_t count = chunk->count.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (slots[i].why == static_cast<std::uint32_t>(why) && std::string_view(slots[i].path, slots[i].path_bytes) == path)
      return void(slots[i].count.fetch_add(1, std::memory_order_relaxed));
  }
  if (count == kMostPrograms) return;
  auto* slot = new (slots + count) UnseenSlot;
  slot->why = static_cast<std::uint32_t>(why);
  slot->path_bytes = static_cast<std::uint32_t>(path.size());
  std::memcpy(slot->path, path.data(), path.size());
  slot->count.store(1, std::memory_order_relaxed);
  chunk->count.store(count + 1, std::memory_order_release);
}

// A signal handler may have interrupted this very function and call exec itself: it must not wait.
void note(Unseen why, std::string_view path) noexcept {
  if (!lock.try_lock()) return;
  keep(why, path);
  lock.unlock();
}

bool gains_privileges(const struct stat& status) noexcept {
  const bool user = (status.st_mode & S_ISUID) != 0 && status.st_uid != static_cast<uid_t>(raw_syscall(__NR_geteuid));
  const bool group = (status.st_mode & S_ISGID) != 0 && status.st_gid != static_cast<gid_t>(raw_syscall(__NR_getegid));
  return user || group;
}

// Too large for the stacks of some threads.
struct Buffers {
  char name[UnseenSlot::kPathBytes];
  char path[1024];
  std::byte head[kProgramHead];
};
constinit Spin buffers_lock;
TRIKAL_RARE constinit Buffers shared_buffers{};

// The program that would run; of a script, its interpreter. False if there is none.
bool look(int directory, const char* path, Unseen& why, Buffers& buffers) noexcept {
  for (int scripts = 0; scripts < kMostScripts; ++scripts) {
    const long file = raw_syscall(__NR_openat, directory, raw_pointer(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    struct stat status{};
    (void)raw_syscall(__NR_fstat, file, raw_pointer(&status));
    const long got = S_ISREG(status.st_mode) && (status.st_mode & 0111) != 0
                         ? raw_syscall(__NR_pread64, file, raw_pointer(buffers.head), sizeof buffers.head, 0)
                         : -1;
    (void)raw_syscall(__NR_close, file);
    if (got < 0) return false;
    const ProgramKind kind = look_at_program({buffers.head, static_cast<std::size_t>(got)});
    why = kind.why;
    if (kind.interpreter.empty()) {
      if (why == Unseen::kNothing && gains_privileges(status)) why = Unseen::kPrivileged;
      return true;
    }
    if (kind.interpreter.size() >= sizeof buffers.name) return false;
    std::memcpy(buffers.name, kind.interpreter.data(), kind.interpreter.size());
    buffers.name[kind.interpreter.size()] = '\0';
    directory = AT_FDCWD, path = buffers.name;
  }
  return false;
}

enum class Found : std::uint8_t { kNothing, kUnseen, kObserved };

Found consider(int directory, const char* path, std::string_view name, Unseen environment, Buffers* buffers) noexcept {
  Unseen why = Unseen::kNothing;
  if (buffers == nullptr || !look(directory, path, why, *buffers)) return Found::kNothing;
  if (why == Unseen::kNothing) why = environment;
  if (why == Unseen::kNothing) return Found::kObserved;
  note(why, name);
  return Found::kUnseen;
}

// The one that is there already, or another if somebody else has it.
class TakenBuffers {
 public:
  TakenBuffers() noexcept : is_shared_(buffers_lock.try_lock()) {}
  ~TakenBuffers() {
    if (is_shared_) buffers_lock.unlock();
    else if (own_ != nullptr) (void)raw_syscall(__NR_munmap, raw_pointer(own_), sizeof(Buffers));
  }
  TakenBuffers(const TakenBuffers&) = delete;
  TakenBuffers& operator=(const TakenBuffers&) = delete;

  // Null: there is no memory.
  [[nodiscard]] Buffers* get() noexcept {
    if (is_shared_) return &shared_buffers;
    if (own_ == nullptr) own_ = static_cast<Buffers*>(private_pages(sizeof(Buffers)));
    return own_;
  }

 private:
  bool is_shared_;
  Buffers* own_ = nullptr;
};

}  // namespace

bool note_if_unseen(int directory, const char* path, Unseen environment) noexcept {
  if (path == nullptr) return false;
  if (path[0] == '\0' && directory >= 0)
    return note_if_unseen(directory, environment);  // what the descriptor stands for
  TakenBuffers buffers;
  return consider(directory, path, path, environment, buffers.get()) == Found::kObserved;
}

bool note_if_unseen(int descriptor, Unseen environment) noexcept {
  char link[32], name[UnseenSlot::kPathBytes];
  FixedText text(link, sizeof link);
  text.put("/proc/self/fd/").put(static_cast<std::uint64_t>(descriptor < 0 ? 0 : descriptor));
  const long got = raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer(link), raw_pointer(name), sizeof name);
  if (got <= 0) return false;
  TakenBuffers buffers;
  const std::string_view target(name, static_cast<std::size_t>(got));
  return consider(AT_FDCWD, link, target, environment, buffers.get()) == Found::kObserved;
}

void note_if_shell_is_unseen() noexcept {
  if (!session.running()) return;
  const InsideOrVforked inside;
  if (!inside.entered()) return;
  const Unseen why = ChildEnvironment(environ).why_left_alone();
  if (why != Unseen::kNothing) note(why, "/bin/sh");
}

bool note_if_unseen_in_path(const char* file, Unseen environment) noexcept {
  if (file == nullptr) return false;
  if (std::strchr(file, '/') != nullptr) return note_if_unseen(AT_FDCWD, file, environment);
  TakenBuffers taken;
  Buffers* buffers = taken.get();
  if (buffers == nullptr) return false;
  const char* path = variable("PATH");
  for (std::string_view rest = path != nullptr ? path : "/bin:/usr/bin"; !rest.empty();) {
    const std::string_view directory = text_until(rest, rest.find(':'));
    FixedText text(buffers->path, sizeof buffers->path);
    text.put(directory.empty() ? "." : directory).put("/").put(file);
    if (text.whole()) {
      const Found found = consider(AT_FDCWD, buffers->path, buffers->path, environment, buffers);
      if (found != Found::kNothing) return found == Found::kObserved;
    }
    rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
  }
  return false;
}

void note_unseen_part(Unseen why, const char* path) noexcept {
  if (is_inside() || !session.running()) return;
  const Inside inside;
  note(why, path != nullptr ? path : "");
}

void note_ring() noexcept { note(Unseen::kIoUring, ""); }

void note_if_ring(int descriptor) noexcept {
  static constexpr std::string_view kRing = "anon_inode:[io_uring]";
  char link[32], name[kRing.size()];
  FixedText text(link, sizeof link);
  text.put("/proc/self/fd/").put(static_cast<std::uint64_t>(descriptor < 0 ? 0 : descriptor));
  const long got = raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer(link), raw_pointer(name), sizeof name);
  if (got == static_cast<long>(kRing.size()) && std::string_view(name, kRing.size()) == kRing)
    note_unseen_part(Unseen::kIoUring, nullptr);
}

void forget_unseen() noexcept {
  lock.reset();
  buffers_lock.reset();
  if (chunk != nullptr) chunk = nullptr;
}

}  // namespace trikal::capture
