#include "gather/map_readers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "gather/liveness.hpp"

namespace trikal::gather {
namespace {

constexpr std::string_view kSuffix = ".reader";

// When its last round began that has ended; 0: none has.
std::uint64_t last_round(const std::string& path) {
  std::uint64_t moment = 0;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return 0;
  if (::pread(file, &moment, sizeof moment, 0) != sizeof moment) moment = 0;
  ::close(file);
  return moment;
}

}  // namespace

std::uint64_t monotonic_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// The lock first, under another name: whoever sees the reader finds it held.
MapReader::MapReader(const std::string& run_directory) {
  const auto& own = own_identity();
  path_ = fmt::format("{}/{}-{}{}", run_directory, own.pid, own.start_ticks, kSuffix);
  const std::string draft = path_ + ".new";
  const int file = ::open(draft.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  const std::uint64_t none = 0;
  const bool written = ::pwrite(file, &none, sizeof none, 0) == sizeof none;
  ::close(file);
  if (written) lock_ = FileLock(draft, FileLock::Kind::kAlone);
  if (!lock_ || ::rename(draft.c_str(), path_.c_str()) != 0) ::unlink(draft.c_str());
}

MapReader::~MapReader() {
  if (lock_) ::unlink(path_.c_str());
}

void MapReader::end_round() const {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(file, &began_, sizeof began_, 0);
  ::close(file);
}

void MapReaders::note(std::string_view name) {
  if (name.ends_with(kSuffix) && std::ranges::find(names_, name) == names_.end()) names_.emplace_back(name);
}

bool MapReaders::have_looked_since(std::uint64_t moment) {
  bool all = true;
  std::erase_if(names_, [&](const std::string& name) {
    const std::string path = directory_ + "/" + name;
    if (!FileLock(path, FileLock::Kind::kShared).is_taken()) return ::unlink(path.c_str()), true;  // its reader is gone
    all = all && last_round(path) > moment;
    return false;
  });
  return all;
}

}  // namespace trikal::gather
