#include "capture/sink/log_name.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/sink/local_time.hpp"

namespace trikal::capture {
namespace {

constexpr std::string_view kPartial = "_partial";  // behind the name while a log is being written

// All directories of `path` but its last part; those that exist are left alone.
void make_directories(const char* path) noexcept {
  char text[4096];
  const std::size_t length = std::strlen(path);
  if (length >= sizeof text) return;
  for (std::size_t i = 1; i < length; ++i) {
    if (path[i] != '/') continue;
    std::memcpy(text, path, i);
    text[i] = '\0';
    (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(text), 0755);
  }
}

// The last part of the first word of the command line.
std::string_view program_of(const log::crash::Header& header) noexcept {
  std::string_view command(header.text, header.arguments_bytes);
  if (const std::size_t end = command.find('\0'); end < command.size()) command.remove_suffix(command.size() - end);
  if (const std::size_t slash = command.rfind('/'); slash < command.size()) command.remove_prefix(slash + 1);
  return command.empty() ? "unknown" : command;
}

void put_base(FixedText& text, const Config& config) noexcept {
  if (config.log_path != nullptr) {
    text.put(config.log_path);
    return;
  }
  const char* state = config.environment().find("XDG_STATE_HOME");
  const char* home = config.environment().find("HOME");
  if (state != nullptr && state[0] == '/') text.put(state).put("/trikal");
  else if (home != nullptr && home[0] == '/') text.put(home).put("/.local/state/trikal");
  else text.put("/tmp");
}

bool exists(const char* path) noexcept { return raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), F_OK) == 0; }

// The name the user gave goes to the first process that asks; others put their number into it.
void put_given(FixedText& text, const char* given, const log::crash::Identity& identity) noexcept {
  char partial[4096];
  FixedText temporary(partial, sizeof partial);
  temporary.put(given).put(kPartial);
  if (!exists(given) && !exists(partial)) return void(text.put(given));
  static constexpr std::string_view kExtension = ".darshan";
  std::string_view stem(given);
  if (stem.ends_with(kExtension)) stem.remove_suffix(kExtension.size());
  text.put(stem).put("-").put(static_cast<std::uint64_t>(identity.pid));
  if (identity.generation > 0) text.put("-").put(identity.generation);
  text.put(kExtension);
}

}  // namespace

bool LogName::choose(const Config& config, const log::crash::Header& header) noexcept {
  FixedText text(path_, kBytes);
  if (config.log_file != nullptr) {
    put_given(text, config.log_file, header.identity);
  } else {
    const CalendarTime local = local_time(header.job.start_sec, config.environment());
    const auto part = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    put_base(text, config);
    text.put("/");
    if (config.dated_path)
      text.put(part(local.year)).put("/").put(part(local.month)).put("/").put(part(local.day)).put("/");
    const char* user = config.environment().find("LOGNAME");
    if (user != nullptr && std::strchr(user, '/') == nullptr) text.put(user);
    else text.put(static_cast<std::uint64_t>(raw_syscall(__NR_geteuid)));
    text.put("_").put(program_of(header)).put("_id").put(static_cast<std::uint64_t>(header.job.job_id)).put("-");
    text.put(static_cast<std::uint64_t>(header.identity.pid))
        .put("_")
        .put(part(local.month))
        .put("-")
        .put(part(local.day))
        .put("-");
    text.put(part(local.second)).put("-");
    const auto* key = reinterpret_cast<const std::byte*>(&header.identity);
    text.put(record_id(Bytes{key, sizeof header.identity}, static_cast<std::uint64_t>(header.job.start_nsec)));
    text.put("_").put(part(1)).put(".darshan");
  }
  FixedText temporary(temporary_, kBytes);
  temporary.put(path_).put(kPartial);
  if (!text.whole() || !temporary.whole()) return false;
  make_directories(path_);
  return true;
}

}  // namespace trikal::capture
