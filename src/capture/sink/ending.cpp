#include "capture/session/ending.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdint>

#include "capture/session/map_name.hpp"
#include "capture/session/session.hpp"
#include "capture/sink/own_log.hpp"
#include "capture/sink/send_map.hpp"
#include "capture/sink/size_signal.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::capture {
namespace {

// A map that an earlier program of this process left when it called exec, mapped for reading.
class EarlierMap {
 public:
  explicit EarlierMap(const char* path) noexcept {
    const long file = raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    if (raw_syscall(__NR_fstat, file, raw_pointer(&status)) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      const long base = raw_syscall(__NR_mmap, 0, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
      if (base > 0 || base < -4095)
        bytes_ = {reinterpret_cast<const std::byte*>(base), static_cast<std::size_t>(status.st_size)};
    }
    (void)raw_syscall(__NR_close, file);
  }
  ~EarlierMap() {
    if (!bytes_.empty()) (void)raw_syscall(__NR_munmap, raw_pointer(bytes_.data()), static_cast<long>(bytes_.size()));
  }
  EarlierMap(const EarlierMap&) = delete;
  EarlierMap& operator=(const EarlierMap&) = delete;

  [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

// Their logs, too: nobody else comes by for them, and maps would pile up where shells start programs all day.
void finish_earlier_programs(Session& owner) noexcept {
  MapName name;
  log::crash::Identity identity = owner.arena.header()->identity;
  if (!owner.arena.file_backed()) return;
  while (identity.generation-- > 0) {
    const char* path = name.beside(owner.arena.path(), identity);
    if (path == nullptr) return;
    const EarlierMap earlier(path);
    const auto map = log::crash::MapView::open(earlier.bytes());
    if (!map || map->header().state.load() != log::crash::State::kExec) continue;
    const bool kept = owner.config.is_remote ? brought_home(owner, *map)
                                             : write_own_log(*map, owner.config, []() noexcept { return 0.0; }).ok();
    if (kept) (void)raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(path), 0);
  }
}

// This program's own. On failure the map stays: `trikal recover` can still make the log.
void finish_own_map(Session& owner) noexcept {
  const Bytes bytes = owner.arena.bytes();
  if (bytes.empty()) return owner.say("no log was written", "there is no memory to read the map in one piece");
  const auto map = log::crash::MapView::open(bytes);
  if (map && owner.config.is_remote) {
    if (brought_home(owner, *map)) owner.arena.remove();
    return;
  }
  if (!map || !log::crash::has_records(*map)) return owner.arena.remove();
  owner.describe_mounts();
  const Status written = write_own_log(
      *map, owner.config, []() noexcept { return session.span(session.stopping(), read_counter()).length(); });
  if (written) owner.arena.remove();
  else owner.say("no log was written", written.error().what);
}

}  // namespace

void announce(Session& owner) noexcept { announce_map(*owner.arena.header(), owner.config); }

bool brought_home(Session& owner, const log::crash::MapView& map) noexcept {
  if (!is_worth_sending(map) || is_run_over(map.header(), owner.config) || send_map(map.bytes(), owner.config))
    return true;
  owner.say("what this process did is not in the log of trikal run",
            owner.arena.file_backed() ? "its directory is out of reach; trikal recover on this node makes a log of it"
                                      : "its directory is out of reach");
  return false;
}

// The map is not cut to its length: threads that are still running may be using its end.
void finish_session(Session& owner) noexcept {
  const WithoutSizeSignal held_back;
  if (owner.config.is_remote) owner.describe_mounts();
  finish_earlier_programs(owner);
  finish_own_map(owner);
}

void finish_after_job(Session& owner) noexcept {
  const WithoutSizeSignal held_back;
  finish_earlier_programs(owner);
  owner.arena.remove();
}

}  // namespace trikal::capture
