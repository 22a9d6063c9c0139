#include "capture/sink/send_map.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "base/run_location.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostPath = 512;  // of a directory for maps, on the application's stack

bool is_empty(Bytes page) noexcept {
  return std::ranges::all_of(page, [](std::byte byte) { return byte == std::byte{0}; });
}

bool write_all(long file, Bytes bytes, std::size_t at) noexcept {
  while (!bytes.empty()) {
    const long done = raw_syscall(__NR_pwrite64, file, raw_pointer(bytes.data()), static_cast<long>(bytes.size()),
                                  static_cast<long>(at));
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::size_t>(done);
  }
  return true;
}

// Much of a map was never used: pages of zeros are left out.
bool write_map(long file, Bytes map) noexcept {
  if (raw_syscall(__NR_ftruncate, file, static_cast<long>(map.size())) != 0) return false;
  for (std::size_t begin = 0; begin < map.size();) {
    const auto page = [&](std::size_t at) { return map.subspan(at, std::min(kPage, map.size() - at)); };
    std::size_t end = begin;
    while (end < map.size() && !is_empty(page(end))) end += page(end).size();
    if (end > begin && !write_all(file, map.subspan(begin, end - begin), begin)) return false;
    begin = end;
    while (begin < map.size() && is_empty(page(begin))) begin += page(begin).size();
  }
  return true;
}

// Names in the directory, so that no path has to fit on the application's stack.
class MapNames {
 public:
  // "<node>-<process id>-<hash of who it is>.map"
  explicit MapNames(const log::crash::Header& header) noexcept {
    FixedText text(whole_, sizeof whole_);
    for (const char c : std::string_view(header.host, strnlen(header.host, sizeof header.host)))
      text.put(std::string_view(c == '/' ? "_" : &c, 1));
    const auto* key = reinterpret_cast<const std::byte*>(&header.identity);
    text.put("-").put(static_cast<std::uint64_t>(header.identity.pid)).put("-");
    text.put(record_id(Bytes{key, sizeof header.identity})).put(".map");
    FixedText(partial_, sizeof partial_).put(text.text()).put("_partial");
  }

  [[nodiscard]] const char* whole() const noexcept { return whole_; }
  [[nodiscard]] const char* partial() const noexcept { return partial_; }

 private:
  static constexpr std::size_t kMost = sizeof log::crash::Header::host + 64;
  char whole_[kMost], partial_[kMost];
};

// The directory is made with the first file in it, and not again when the run is over.
void make_directory(const Config& config) noexcept {
  (void)raw_syscall(__NR_mkdirat, AT_FDCWD, raw_pointer(config.remote_directory), 0700);
}

// Where what is sent goes.
class Home {
 public:
  explicit Home(const Config& config) noexcept
      : directory_(raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(config.remote_directory),
                               O_PATH | O_DIRECTORY | O_CLOEXEC, 0)) {}
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home() {
    if (directory_ >= 0) (void)raw_syscall(__NR_close, directory_);
  }

  [[nodiscard]] long create(const char* name) const noexcept {
    if (directory_ < 0) return directory_;
    return raw_syscall(__NR_openat, directory_, raw_pointer(name),
                       O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  }
  [[nodiscard]] bool rename(const char* from, const char* to) const noexcept {
    return raw_syscall(__NR_renameat2, directory_, raw_pointer(from), directory_, raw_pointer(to), 0) == 0;
  }

 private:
  long directory_;
};

bool look_at(const char* path, struct stat& status) noexcept {
  return raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer(path), raw_pointer(&status), 0) == 0;
}

}  // namespace

bool is_worth_sending(const log::crash::MapView& map) noexcept {
  return map.header().job.rank >= 0 || log::crash::has_records(map);
}

bool is_run_over(const log::crash::Header& header, const Config& config) noexcept {
  if (config.remote_directory == nullptr) return false;
  struct stat status{};
  const std::string_view directory(config.run_directory), told(config.remote_directory);
  char path[kMostPath];
  FixedText parent(path, sizeof path);
  if (!parent.put(text_until(directory, directory.rfind('/'))).whole() || look_at(config.run_directory, status) ||
      !look_at(path, status))
    return false;
  FixedText location(path, sizeof path);
  location.put(run_location(header.identity.boot, status.st_dev));
  return text_after(told, told.rfind('.') + 1) == location.text();
}

void announce_map(const log::crash::Header& header, const Config& config) noexcept {
  if (config.remote_directory == nullptr || is_run_over(header, config)) return;
  make_directory(config);
  const MapNames names(header);
  if (const long file = Home(config).create(names.partial()); file >= 0) (void)raw_syscall(__NR_close, file);
}

bool send_map(Bytes map, const Config& config) noexcept {
  if (config.remote_directory == nullptr || map.size() < sizeof(log::crash::Header)) return false;
  const auto& header = *reinterpret_cast<const log::crash::Header*>(map.data());
  map = map.first(std::min<std::size_t>(map.size(), header.used.load(std::memory_order_acquire)));
  if (header.remote != log::crash::kAnnounced) make_directory(config);
  const Home home(config);
  const MapNames names(header);
  const long file = home.create(names.partial());
  if (file < 0) return false;
  const bool written = write_map(file, map);
  const bool closed = raw_syscall(__NR_close, file) == 0;
  return written && closed && home.rename(names.partial(), names.whole());
}

}  // namespace trikal::capture
