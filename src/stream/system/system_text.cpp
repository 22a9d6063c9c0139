#include "stream/system/system_text.hpp"

#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace trikal::stream {
namespace {

constexpr double kSector = 512, kKibibyte = 1024, kMillisecond = 1e-3, kMicrosecond = 1e-6;

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  while (!line.empty()) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value >= 0)) return {};
  return value;
}

// The word at `index`, if it is there and a number.
void put(const Words& words, std::size_t index, double unit, SystemReading reading, SystemReadings& into) {
  const auto value = index < words.size() ? number(words[index]) : std::nullopt;
  if (!value) return;
  reading.value = *value * unit;
  into.push_back(std::move(reading));
}

SystemReading counter(std::string metric, std::string_view device = {}) {
  return {std::move(metric), std::string(device), 0, true};
}
SystemReading gauge(std::string metric, std::string_view device = {}) {
  return {std::move(metric), std::string(device), 0, false};
}

}  // namespace

void read_cpu(std::string_view proc_stat, double ticks, SystemReadings& into) {
  static constexpr const char* kNames[] = {"cpu.user",   "cpu.nice", "cpu.system",  "cpu.idle",
                                           "cpu.iowait", "cpu.irq",  "cpu.softirq", "cpu.steal"};
  for_each_line(proc_stat, [&](std::string_view line) {
    if (!line.starts_with("cpu ") || !(ticks > 0)) return;
    const Words words = words_of(line);
    for (std::size_t i = 0; i < std::size(kNames); ++i) put(words, i + 1, 1 / ticks, counter(kNames[i]), into);
  });
}

void read_memory(std::string_view meminfo, SystemReadings& into) {
  static constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"MemTotal:", "memory.total"}, {"MemFree:", "memory.free"},       {"MemAvailable:", "memory.available"},
      {"Cached:", "memory.cached"},  {"Dirty:", "memory.dirty"},        {"Writeback:", "memory.writeback"},
      {"Shmem:", "memory.shared"},   {"SwapFree:", "memory.swap_free"},
  };
  for_each_line(meminfo, [&](std::string_view line) {
    const Words words = words_of(line);
    for (const auto& [label, name] : kNames) {
      if (words.size() > 2 && words[0] == label && words[2] == "kB") put(words, 1, kKibibyte, gauge(name), into);
    }
  });
}

void read_pressure(std::string_view text, std::string_view what, SystemReadings& into) {
  for_each_line(text, [&](std::string_view line) {
    const Words words = words_of(line);
    if (words.empty() || (words[0] != "some" && words[0] != "full")) return;
    for (const std::string_view word : words) {
      if (!word.starts_with("total=")) continue;
      put({word.substr(6)}, 0, kMicrosecond, counter("pressure." + std::string(what) + "." + std::string(words[0])),
          into);
    }
  });
}

void read_disks(std::string_view diskstats, bool (*is_disk)(std::string_view name), SystemReadings& into) {
  for_each_line(diskstats, [&](std::string_view line) {
    const Words words = words_of(line);
    if (words.size() < 13 || !is_disk(words[2])) return;
    const std::string_view name = words[2];
    put(words, 3, 1, counter("disk.reads", name), into);
    put(words, 5, kSector, counter("disk.read_bytes", name), into);
    put(words, 6, kMillisecond, counter("disk.read_seconds", name), into);
    put(words, 7, 1, counter("disk.writes", name), into);
    put(words, 9, kSector, counter("disk.write_bytes", name), into);
    put(words, 10, kMillisecond, counter("disk.write_seconds", name), into);
    put(words, 12, kMillisecond, counter("disk.busy_seconds", name), into);
  });
}

void read_network(std::string_view net_dev, SystemReadings& into) {
  for_each_line(net_dev, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const Words name = words_of(line.substr(0, colon)), words = words_of(line.substr(colon + 1));
    if (name.size() != 1 || words.size() < 16) return;
    put(words, 0, 1, counter("network.received_bytes", name[0]), into);
    put(words, 1, 1, counter("network.received_packets", name[0]), into);
    put(words, 8, 1, counter("network.sent_bytes", name[0]), into);
    put(words, 9, 1, counter("network.sent_packets", name[0]), into);
  });
}

// "device SERVER:/PATH mounted on /MOUNT with fstype nfs4 statvers=1.1", then lines of it.
void read_nfs(std::string_view mountstats, SystemReadings& into) {
  std::string mount;
  for_each_line(mountstats, [&](std::string_view line) {
    const Words words = words_of(line);
    if (words.size() >= 8 && words[0] == "device")
      mount = words[7].starts_with("nfs") ? std::string(words[4]) : std::string();
    if (mount.empty() || words.empty()) return;
    if (words[0] == "bytes:" && words.size() >= 7) {
      put(words, 5, 1, counter("nfs.read_bytes", mount), into);
      put(words, 6, 1, counter("nfs.write_bytes", mount), into);
    }
    // Operations, transmissions, timeouts, bytes out and in, then milliseconds in the queue, on the way and altogether.
    const bool reads = words[0] == "READ:", writes = words[0] == "WRITE:";
    if ((!reads && !writes) || words.size() < 9) return;
    put(words, 1, 1, counter(reads ? "nfs.reads" : "nfs.writes", mount), into);
    put(words, 8, kMillisecond, counter(reads ? "nfs.read_seconds" : "nfs.write_seconds", mount), into);
  });
}

// "read_bytes 12 samples [bytes] MIN MAX SUM"
void read_lustre(std::string_view stats, std::string_view mount, SystemReadings& into) {
  for_each_line(stats, [&](std::string_view line) {
    const Words words = words_of(line);
    if (words.size() < 7 || words[2] != "samples") return;
    if (words[0] == "read_bytes") {
      put(words, 1, 1, counter("lustre.reads", mount), into);
      put(words, 6, 1, counter("lustre.read_bytes", mount), into);
    }
    if (words[0] == "write_bytes") {
      put(words, 1, 1, counter("lustre.writes", mount), into);
      put(words, 6, 1, counter("lustre.write_bytes", mount), into);
    }
  });
}

}  // namespace trikal::stream
