#include "capture/session/session.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "capture/session/command_line.hpp"
#include "capture/session/ending.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/identity.hpp"
#include "capture/session/map_name.hpp"
#include "capture/session/own_stack.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::capture {

alignas(4096) constinit Session session;

void count_missed_call() noexcept { session.missed(); }

namespace {

// Of the header's text; the rest is for the mounts.
constexpr std::size_t kMostArguments = 2048, kMostProgram = 512;
static_assert(kMostArguments + kMostProgram < log::crash::kTextBytes);

// Secrets are taken out on the way: the map is a file others may get to see.
std::uint32_t describe_arguments(char* text, const RedactRules& rules) noexcept {
  char arguments[kMostArguments];
  std::size_t length = command_line.copy(arguments, sizeof arguments);
  length = redact_arguments(arguments, length, sizeof arguments, rules);
  std::memcpy(text, arguments, length);
  return static_cast<std::uint32_t>(length);
}

// The node's name, as gethostname gives it.
void describe_host(char (&host)[log::crash::kHostBytes]) noexcept {
  utsname names{};
  if (raw_syscall(__NR_uname, raw_pointer(&names)) != 0) return;
  std::memcpy(host, names.nodename, strnlen(names.nodename, sizeof host - 1));
}

std::uint32_t describe_program(char* text) noexcept {
  const long length =
      raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer("/proc/self/exe"), raw_pointer(text), kMostProgram);
  return length > 0 ? static_cast<std::uint32_t>(length) : 0;
}

// The same for all that one launcher started: their logs are of one job.
std::int64_t job_id_of(std::uint64_t key, std::int64_t pid) noexcept {
  constexpr std::uint64_t kMost = 0x7fffffff;
  return key == 0 ? pid : static_cast<std::int64_t>(key % kMost + 1);
}

timespec real_time() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

}  // namespace

// Of the kernel's clock: it is known before ours is.
std::int64_t Session::nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

void Session::add_own_time(std::int64_t since) noexcept {
  arena.header()->self.session.fetch_add(static_cast<std::uint64_t>(nanoseconds() - since), std::memory_order_relaxed);
}

// `trikal run` counts every process by its map. Of an earlier program of this process the log is to be written, too.
bool Session::needs_map_at_once(const log::crash::Identity& identity) const noexcept {
  return config.run_directory != nullptr || identity.generation > 0;
}

Arena::Location Session::map_location(log::crash::Identity& identity, bool is_known) noexcept {
  static constinit MapName name;
  return {.path = name.first(config, identity, is_known),
          .cap = config.memory,
          .elsewhere = [](void* names) noexcept { return static_cast<MapName*>(names)->next(); },
          .context = &name};
}

// A new map under a name of its own; in plain memory where none can be made, and until there is anything to keep in it.
bool Session::begin_map(log::crash::Header* parents) noexcept {
  log::crash::Identity told;
  const bool is_told = parents == nullptr && parse_identity(config.environment().find(kProcessVariable), told);
  log::crash::Identity identity = parents != nullptr ? known_identity(&parents->identity, Relation::kParent)
                                                     : known_identity(is_told ? &told : nullptr, Relation::kTold);
  if (!needs_map_at_once(identity)) {
    if (!arena.begin_without_file(config.memory, make_map_late)) return false;
    arena.header()->identity = identity;
    describe_job();
    arena.header()->magic = log::crash::kMagic;
    return true;
  }
  const bool is_known = parents != nullptr || identity.generation > 0;
  if (parents != nullptr) identity.start_ticks = start_ticks_since_fork();
  complete_identity(identity);
  Arena::Location location = map_location(identity, is_known);
  if (parents != nullptr) location.first = Arena::kHeaderOnly;
  if (!arena.begin(location)) return false;
  arena.header()->identity = identity;
  describe_job();
  describe_machine(parents);
  arena.header()->magic = log::crash::kMagic;
  const bool is_lost = config.run_directory != nullptr && !arena.file_backed();
  if (is_lost && !static_cast<MapName*>(location.context)->leave_mark() && parents != nullptr)
    parents->self.unobserved.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// With the first record, in whatever thread. Where the session ends meanwhile, the records go to the log without a map.
void Session::make_map_late() noexcept {
  const auto work = [](void*) {
    log::crash::Identity& identity = session.arena.header()->identity;  // its generation is known when the name is
    complete_identity(identity);
    session.describe_machine(nullptr);
    (void)session.arena.move_to_file(session.map_location(identity, false));
  };
  (void)try_on_own_stack(work, nullptr);
}

void Session::describe_job() noexcept {
  log::crash::Header& header = *arena.header();
  const timespec now = real_time();
  header.job.uid = raw_syscall(__NR_getuid);
  header.job.parent_pid = raw_syscall(__NR_getppid);
  header.job.rank = config.task.rank;
  header.job.launched = config.task.ranks;
  header.job.mpi_job = config.job_key;
  header.job.job_id = config.job_id != 0 ? config.job_id : job_id_of(config.job_key, header.identity.pid);
  header.job.start_sec = now.tv_sec;
  header.job.start_nsec = now.tv_nsec;
  header.remote = config.is_remote ? log::crash::kRemote : log::crash::kNear;
  header.arguments_bytes = describe_arguments(header.text, config.redact);
}

// What the kernel has to be asked for; a forked child has it from its parent.
void Session::describe_machine(const log::crash::Header* parents) noexcept {
  log::crash::Header& header = *arena.header();
  char* at = header.text + header.arguments_bytes;
  if (parents == nullptr || parents->program_bytes == 0) {
    describe_host(header.host);
    header.program_bytes = describe_program(at);
    return;
  }
  std::memcpy(header.host, parents->host, sizeof header.host);
  header.program_bytes = parents->program_bytes;
  std::memcpy(at, parents->text + parents->arguments_bytes, parents->program_bytes);
}

void Session::describe_mounts() noexcept {
  log::crash::Header& header = *arena.header();
  if (config.is_remote &&
      __atomic_exchange_n(&header.remote, log::crash::kAnnounced, __ATOMIC_RELAXED) != log::crash::kAnnounced)
    announce(*this);
  if (config.run_directory != nullptr || header.mounts_bytes != 0) return;
  const std::size_t at = header.arguments_bytes + header.program_bytes;
  header.mounts_bytes = static_cast<std::uint32_t>(mounts.describe(header.text + at, log::crash::kTextBytes - at));
}

// A process made by clone itself has our memory and is not who the map is about.
bool Session::is_owner() const noexcept {
  return arena.header() != nullptr && arena.header()->identity.pid == raw_syscall(__NR_getpid);
}

void Session::note_exit_status(int status) noexcept {
  if (is_owner()) arena.header()->exit_status = status;
}

void Session::mark_ended(int exit_status) noexcept {
  if (!is_owner()) return;
  log::crash::Header& header = *arena.header();
  const timespec now = real_time();
  header.job.end_sec = now.tv_sec;
  header.job.end_nsec = now.tv_nsec;
  header.exit_status = exit_status;
  header.state.store(log::crash::State::kEnded, std::memory_order_release);
}

void Session::stop(int exit_status) noexcept {
  if (phase_.load(std::memory_order_acquire) != Phase::kRunning || !is_owner()) return;
  stopping_ = read_counter();
  const std::int64_t began = nanoseconds();
  const Inside inside;
  const int saved = errno;
  for (const ModuleHooks& module : module_hooks()) {
    if (module.before_stop != nullptr) module.before_stop();
  }
  mark_ended(exit_status);
  if (config.leaves_map()) add_own_time(began);  // else whoever writes the log knows better
  // `trikal run` reads the map when the process is gone: what destructors behind ours do is noted, too.
  Phase running = Phase::kRunning;
  if (!config.leaves_map() && phase_.compare_exchange_strong(running, Phase::kOff)) {
    descriptors.end();
    on_own_stack([this] { finish_session(*this); });
  }
  errno = saved;
}

void Session::leave_mpi() noexcept {
  if (phase_.load(std::memory_order_acquire) != Phase::kRunning || !is_owner() || config.run_directory != nullptr)
    return;
  stopping_ = read_counter();
  const int saved = errno;
  for (const ModuleHooks& module : module_hooks()) {
    if (module.before_stop != nullptr) module.before_stop();
  }
  describe_mounts();
  Phase running = Phase::kRunning;
  if (finish_job(*this) && phase_.compare_exchange_strong(running, Phase::kOff)) {
    mark_ended(0);
    descriptors.end();
    on_own_stack([this] { finish_after_job(*this); });
  }
  errno = saved;
}

void Session::before_exec() noexcept {
  if (phase_.load(std::memory_order_acquire) != Phase::kRunning || !is_owner()) return;
  log::crash::Header& header = *arena.header();
  const timespec now = real_time();
  header.job.end_sec = now.tv_sec;
  header.job.end_nsec = now.tv_nsec;
  header.state.store(log::crash::State::kExec, std::memory_order_release);
  // Processes that only start others are many: nobody misses what they did not do. A job's process table does.
  if (config.leaves_map()) return;
  const auto map = log::crash::MapView::open(arena.bytes());
  set_aside_ = map && (config.is_remote ? brought_home(*this, *map) : !log::crash::has_records(*map));
  if (set_aside_) arena.set_aside();
}

void Session::exec_failed() noexcept {
  if (phase_.load(std::memory_order_acquire) != Phase::kRunning || !is_owner()) return;
  if (set_aside_) arena.put_back();
  set_aside_ = false;
  arena.header()->state.store(log::crash::State::kRunning, std::memory_order_release);
}

void Session::remember_stderr() noexcept {
  struct stat status{};
  if (raw_syscall(__NR_fstat, 2, raw_pointer(&status)) != 0) return;
  stderr_device_ = status.st_dev;
  stderr_inode_ = status.st_ino;
}

void Session::say(const char* what, const char* why) noexcept {
  struct stat status{};
  if (raw_syscall(__NR_fstat, 2, raw_pointer(&status)) != 0) return;
  if (status.st_dev != stderr_device_ || status.st_ino != stderr_inode_) return;  // a file of the program's by now
  // In one call: the processes of a job say it at the same time, and lines would mix.
  std::array<iovec, 5> parts{};
  std::size_t count = 0;
  for (const char* part : {"trikal: ", what, ": ", why, "\n"})
    parts[count++] = {const_cast<char*>(part), std::strlen(part)};
  (void)raw_syscall(__NR_writev, 2, raw_pointer(parts.data()), static_cast<long>(count));
}

void Session::give_up(const char* why) noexcept {
  if (phase_.exchange(Phase::kOff) == Phase::kOff) return;
  descriptors.end();
  say("this process is not observed", why);
}

}  // namespace trikal::capture
