#include "capture/session/ending.hpp"

#include <cstring>

#include "capture/session/session.hpp"
#include "capture/sink/own_log.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::capture {
namespace {

// The one line a user may see of us.
void say_lost(const char* why) noexcept {
  static constexpr std::string_view kStart = "trikal: no log was written: ";
  (void)raw_syscall(__NR_write, 2, raw_pointer(kStart.data()), static_cast<long>(kStart.size()));
  (void)raw_syscall(__NR_write, 2, raw_pointer(why), static_cast<long>(std::strlen(why)));
  (void)raw_syscall(__NR_write, 2, raw_pointer("\n"), 1);
}

}  // namespace

void finish_session(Session& owner) noexcept {
  owner.arena.trim();
  if (owner.config.run_directory != nullptr) return;  // `trikal run` makes the log of all processes
  const auto map = log::crash::MapView::open(owner.arena.bytes());
  if (!map || !log::crash::has_records(*map)) return owner.arena.remove();
  const Status written = write_own_log(*map, owner.config);
  // On failure the map stays: `trikal recover` can still make the log.
  if (written) owner.arena.remove();
  else say_lost(written.error().what);
}

}  // namespace trikal::capture
