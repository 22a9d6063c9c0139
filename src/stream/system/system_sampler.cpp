#include "stream/system/system_sampler.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

namespace trikal::stream {
namespace {

constexpr std::size_t kLongestText = 1 << 20;

// Empty: there is none, or nobody may read it.
std::string text_of(const std::string& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char piece[16384];
  for (ssize_t got = 0; text.size() < kLongestText && (got = ::read(file, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

// Neither a partition nor one in memory: those would be counted twice, or are no disks.
bool is_disk(std::string_view name) {
  for (const std::string_view other : {"loop", "ram", "zram", "sr"}) {
    if (name.starts_with(other)) return false;
  }
  std::error_code none;
  const std::string folder = "/sys/class/block/" + std::string(name);
  return !std::filesystem::exists(folder + "/partition", none);
}

}  // namespace

void SystemSampler::read_lustre_mounts(const std::string& folder, SystemReadings& into) const {
  std::error_code none;
  for (const auto& mount : std::filesystem::directory_iterator(root_ + folder, none))
    read_lustre(text_of(mount.path().string() + "/stats"), mount.path().filename().string(), into);
}

SystemReadings SystemSampler::read() const {
  SystemReadings readings;
  const long ticks = ::sysconf(_SC_CLK_TCK);
  read_cpu(text_of(root_ + "/proc/stat"), static_cast<double>(ticks), readings);
  read_memory(text_of(root_ + "/proc/meminfo"), readings);
  for (const char* what : {"cpu", "memory", "io"})
    read_pressure(text_of(root_ + "/proc/pressure/" + what), what, readings);
  read_disks(text_of(root_ + "/proc/diskstats"), is_disk, readings);
  read_network(text_of(root_ + "/proc/net/dev"), readings);
  read_nfs(text_of(root_ + "/proc/self/mountstats"), readings);
  for (const char* folder : {"/proc/fs/lustre/llite", "/sys/kernel/debug/lustre/llite"})
    read_lustre_mounts(folder, readings);
  return readings;
}

void SystemSampler::sample(Nanoseconds now, std::vector<SystemValue>& into) {
  const double seconds = static_cast<double>(now - last_time_) / static_cast<double>(kSecond);
  for (SystemReading& reading : read()) {
    if (!reading.counter) {
      into.push_back({now, std::move(reading.metric), std::move(reading.device), reading.value});
      continue;
    }
    const auto [last, is_new] = last_.try_emplace({reading.metric, reading.device}, reading.value);
    const double grown = reading.value - last->second;
    last->second = reading.value;
    if (is_new || !(seconds > 0) || grown < 0) continue;
    into.push_back({now, std::move(reading.metric), std::move(reading.device), grown / seconds});
  }
  last_time_ = now;
}

}  // namespace trikal::stream
