#include "capture/sink/log_name.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/sink/local_time.hpp"
#include "capture/sink/log_directory.hpp"

namespace trikal::capture {
namespace {

constexpr std::string_view kPartial = "_partial";  // behind the name while a log is being written

// The last part of the first word of the command line.
std::string_view program_of(const log::crash::Header& header) noexcept {
  std::string_view command(header.text, header.arguments_bytes);
  if (const std::size_t end = command.find('\0'); end < command.size()) command.remove_suffix(command.size() - end);
  if (const std::size_t slash = command.rfind('/'); slash < command.size()) command.remove_prefix(slash + 1);
  return command.empty() ? "unknown" : command;
}

bool exists(const char* path) noexcept { return raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), F_OK) == 0; }

// Different for every program of every process, on whatever node.
std::uint64_t number_of(const log::crash::Header& header) noexcept {
  const auto* key = reinterpret_cast<const std::byte*>(&header.identity);
  return record_id(Bytes{key, sizeof header.identity}, static_cast<std::uint64_t>(header.job.start_nsec));
}

}  // namespace

// The name the user gave goes to the first process that ends; others put their process id into it.
bool LogName::name_given(const char* given) noexcept {
  static constexpr std::string_view kExtension = ".darshan";
  const log::crash::Identity& identity = header_->identity;
  FixedText text(path_, kBytes);
  std::string_view stem(given);
  if (attempts_++ == 0) return text.put(stem).whole();
  if (stem.ends_with(kExtension)) stem.remove_suffix(kExtension.size());
  text.put(stem).put("-").put(static_cast<std::uint64_t>(identity.pid));
  if (identity.generation > 0) text.put("-").put(identity.generation);
  if (attempts_ > 2) text.put("-").put(number_of(*header_));  // the same number on another node
  return text.put(kExtension).whole() && attempts_ <= 3;
}

const char* LogName::another(void* self) noexcept {
  auto& name = *static_cast<LogName*>(self);
  return name.given_ != nullptr && name.name_given(name.given_) ? name.path_ : nullptr;
}

bool LogName::choose(const Config& config, const log::crash::Header& header) noexcept {
  given_ = config.log_file, header_ = &header, attempts_ = 0;
  FixedText text(path_, kBytes), temporary(temporary_, kBytes);
  if (given_ != nullptr) {
    if (!name_given(given_)) return false;
    make_directories(path_);
    while (exists(path_)) {
      if (!name_given(given_)) return false;
    }
    temporary.put(given_).put("-").put(number_of(header)).put(kPartial);
    return temporary.whole();
  }
  const CalendarTime local = local_time(header.job.start_sec, config.environment());
  const auto part = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  put_log_directory(text, config, local);
  const char* user = config.environment().find("LOGNAME");
  if (user != nullptr && std::strchr(user, '/') == nullptr) text.put(user);
  else text.put(static_cast<std::uint64_t>(raw_syscall(__NR_geteuid)));
  text.put("_").put(program_of(header)).put("_id").put(static_cast<std::uint64_t>(header.job.job_id)).put("-");
  text.put(static_cast<std::uint64_t>(header.identity.pid)).put("_").put(part(local.month)).put("-");
  text.put(part(local.day)).put("-").put(part(local.second)).put("-").put(number_of(header)).put("_").put(part(1));
  text.put(".darshan");
  temporary.put(path_).put(kPartial);
  return text.whole() && temporary.whole();
}

}  // namespace trikal::capture
