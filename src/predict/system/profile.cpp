#include "predict/system/profile.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "predict/score/json.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;
using analyze::Costs;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string part;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    if (line.starts_with("model name")) return line.substr(colon + 2);
    if (part.empty() && line.starts_with("CPU part")) part = "CPU part " + line.substr(colon + 2);
  }
  return part.empty() ? "unknown processor" : part;
}

double memory_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}
unsigned core_count() { return static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))); }

std::vector<std::pair<std::string, double>> cache_sizes() {
  std::vector<std::pair<std::string, double>> all;
  for (int i = 0; i < 8; ++i) {
    const fs::path folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}", i);
    const std::string level = first_line(folder / "level"), size = first_line(folder / "size");
    if (level.empty() || size.empty()) continue;
    const double scale = size.ends_with('K') ? 1024 : size.ends_with('M') ? 1 << 20 : 1;
    std::string kind = first_line(folder / "type");
    std::ranges::transform(kind, kind.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    all.emplace_back("L" + level + " " + kind, std::strtod(size.c_str(), nullptr) * scale);
  }
  return all;
}

// Path and type of the mount that a folder is on.
std::pair<std::string, std::string> mounted_at(const std::string& folder) {
  std::error_code error;
  const std::string where = fs::weakly_canonical(folder, error).string();
  std::pair<std::string, std::string> best{"/", "unknown"};
  std::ifstream file("/proc/self/mounts");
  for (std::string device, path, type, rest; file >> device >> path >> type && std::getline(file, rest);) {
    const bool holds = path == "/" || where == path || where.starts_with(path + "/");
    if (holds && path.size() >= best.first.size()) best = {path, type};
  }
  return best;
}

std::string device_kind(const std::string& folder, const std::string& type) {
  for (const char* far : {"nfs", "nfs4", "lustre", "gpfs", "ceph", "cifs", "beegfs", "fuse.sshfs", "9p"})
    if (type == far) return "network";
  if (type == "tmpfs" || type == "ramfs") return "memory";
  struct stat told{};
  if (::stat(folder.c_str(), &told) != 0) return "unknown";
  const fs::path block = fmt::format("/sys/dev/block/{}:{}", major(told.st_dev), minor(told.st_dev));
  std::error_code error;
  if (fs::read_symlink(block, error).string().find("virtio") != std::string::npos) return "virtual disk";
  std::string rotational = first_line(block / "queue/rotational");
  if (rotational.empty()) rotational = first_line(block / "../queue/rotational");
  return rotational == "1" ? "rotating disk" : rotational == "0" ? "solid state" : "disk";
}

std::string prices_json(const MountProfile& mount) {
  std::string out;
  for (std::size_t i = 0; i < mount.prices.size(); ++i)
    out +=
        fmt::format("{}\n      {}: [{:.4g}, {:.4g}]", i == 0 ? "" : ",",
                    json_text(name_of(static_cast<analyze::Operation>(i))), mount.prices[i].each, mount.prices[i].byte);
  return out;
}

MountProfile read_mount(const Json& from) {
  MountProfile mount;
  mount.path = from["path"].text, mount.type = from["type"].text, mount.device = from["device"].text;
  mount.write_bandwidth = from["write_bandwidth"].number, mount.read_bandwidth = from["read_bandwidth"].number;
  mount.latency = from["latency"].number, mount.concurrency = std::max(1.0, from["concurrency"].number);
  mount.measured_by = from["measured_by"].text, mount.formatted = from["formatted"].number;
  mount.page = from["page"].number, mount.synced = from["synced"].number, mount.replaced = from["replaced"].number;
  const Json& prices = from["prices"];
  if (prices.kind != Json::Kind::kObject) return mount;
  for (std::size_t i = 0; i < kOperations; ++i) {
    const Json& one = prices[std::string(name_of(static_cast<analyze::Operation>(i)))];
    mount.prices.push_back(one.items.size() == 2 ? Costs::Price{one.items[0].number, one.items[1].number}
                                                 : Costs::Price{});
  }
  analyze::guess_hdf5_prices(mount.prices);  // a profile may be older than they are
  return mount;
}

}  // namespace

std::string this_machine() {
  return fmt::format("{}, {} cores, {:.0f} GiB", cpu_model(), core_count(), std::ceil(memory_bytes() / (1 << 30)));
}

const MountProfile* SystemProfile::mount_of(const std::string& path) const {
  const MountProfile* best = nullptr;
  for (const MountProfile& one : mounts) {
    const bool holds = one.path == "/" || path == one.path || path.starts_with(one.path + "/");
    if (holds && (best == nullptr || one.path.size() > best->path.size())) best = &one;
  }
  return best;
}

std::vector<double> work_on(const SystemProfile& profile, const MountProfile& mount) {
  std::vector<double> work = profile.work;
  const auto set = [&](analyze::Work kind, double seconds) { work[static_cast<std::size_t>(kind)] = seconds; };
  set(analyze::Work::kStreamText, mount.formatted);
  set(analyze::Work::kFortranText, mount.formatted);
  set(analyze::Work::kFilePages, mount.page);
  set(analyze::Work::kSyncedBytes, mount.synced);
  set(analyze::Work::kReplacedBytes, mount.replaced);
  return work;
}

SystemProfile measure_system(const std::vector<std::string>& folders, bool quick) {
  SystemProfile profile;
  profile.machine = this_machine(), profile.cpu = cpu_model(), profile.cores = core_count();
  profile.caches = cache_sizes(), profile.memory = memory_bytes();
  profile.work = measure_work(quick);
  profile.instructions = 1 / profile.work[static_cast<std::size_t>(analyze::Work::kArithmetic)];
  for (const std::string& folder : folders) {
    const auto [path, type] = mounted_at(folder);
    if (std::ranges::find(profile.mounts, path, &MountProfile::path) != profile.mounts.end()) continue;
    MountProfile mount;
    mount.path = path, mount.type = type, mount.device = device_kind(folder, type);
    measure_mount(mount, folder, quick);
    if (!mount.prices.empty()) profile.mounts.push_back(std::move(mount));
  }
  return profile;
}

std::string profile_json(const SystemProfile& profile) {
  std::string out = fmt::format(
      "{{\n\"schema\": \"trikal-system 1\",\n\"machine\": {},\n\"cpu\": {},\n\"cores\": {},\n\"memory\": {:.0f},\n"
      "\"instructions_per_second\": {:.4g},\n\"caches\": {{",
      json_text(profile.machine), json_text(profile.cpu), profile.cores, profile.memory, profile.instructions);
  for (std::size_t i = 0; i < profile.caches.size(); ++i)
    out +=
        fmt::format("{}{}: {:.0f}", i == 0 ? "" : ", ", json_text(profile.caches[i].first), profile.caches[i].second);
  out += "},\n\"work\": {";
  for (std::size_t i = 0; i < profile.work.size(); ++i)
    out += fmt::format("{}{}: {:.4g}", i == 0 ? "" : ", ", json_text(name_of(static_cast<analyze::Work>(i))),
                       profile.work[i]);
  out += "},\n\"mounts\": [";
  for (std::size_t i = 0; i < profile.mounts.size(); ++i) {
    const MountProfile& mount = profile.mounts[i];
    out += fmt::format(
        "{}\n  {{\"path\": {}, \"type\": {}, \"device\": {},\n    \"write_bandwidth\": {:.4g}, \"read_bandwidth\": "
        "{:.4g}, "
        "\"latency\": {:.4g}, \"concurrency\": {}, \"measured_by\": {},\n    \"formatted\": {:.4g}, \"page\": {:.4g}, "
        "\"synced\": {:.4g}, \"replaced\": {:.4g}, \"prices\": {{{}}}}}",
        i == 0 ? "" : ",", json_text(mount.path), json_text(mount.type), json_text(mount.device), mount.write_bandwidth,
        mount.read_bandwidth, mount.latency, mount.concurrency, json_text(mount.measured_by), mount.formatted,
        mount.page, mount.synced, mount.replaced, prices_json(mount));
  }
  return out + "\n]\n}\n";
}

std::string profile_text(const SystemProfile& profile) {
  using analyze::Operation;
  std::string out = fmt::format("{}, {} cores, {:.1f} GiB, {:.2f} thousand million plain instructions a second\n",
                                profile.cpu, profile.cores, profile.memory / (1 << 30), profile.instructions / 1e9);
  for (const MountProfile& mount : profile.mounts) {
    out += fmt::format(
        "\n{} ({}, {}): writes {:.0f} MiB/s, reads {:.0f} MiB/s, {:.0f} us a small read, {:.0f} at once (by {})\n",
        mount.path, mount.type, mount.device, mount.write_bandwidth / (1 << 20), mount.read_bandwidth / (1 << 20),
        mount.latency * 1e6, mount.concurrency, mount.measured_by);
    for (std::size_t i = 0; i < mount.prices.size(); ++i)
      out += fmt::format("  {:<24} {:>12.3f} us {:>12.3f} ns a byte\n", name_of(static_cast<Operation>(i)),
                         mount.prices[i].each * 1e6, mount.prices[i].byte * 1e9);
  }
  return out;
}

std::optional<SystemProfile> read_profile(const std::string& path) {
  const std::optional<Json> file = read_json(path);
  if (!file || (*file)["schema"].text != "trikal-system 1") return std::nullopt;
  SystemProfile profile;
  profile.machine = (*file)["machine"].text, profile.cpu = (*file)["cpu"].text;
  profile.cores = static_cast<unsigned>(std::clamp((*file)["cores"].number, 0.0, 1e6));
  profile.memory = (*file)["memory"].number, profile.instructions = (*file)["instructions_per_second"].number;
  for (const auto& [name, size] : (*file)["caches"].fields) profile.caches.emplace_back(name, size.number);
  for (std::size_t i = 0; i < analyze::kWorkKinds; ++i)
    profile.work.push_back((*file)["work"][std::string(name_of(static_cast<analyze::Work>(i)))].number);
  for (const Json& mount : (*file)["mounts"].items) profile.mounts.push_back(read_mount(mount));
  return profile;
}

std::string calibration_folder() {
  if (const char* told = std::getenv("TRIKAL_CALIBRATION")) return told;
  if (const char* base = std::getenv("XDG_CONFIG_HOME")) return std::string(base) + "/trikal";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "/tmp") + "/.config/trikal";
}

std::string shared_folder() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = (binary.parent_path() / "../share/trikal").lexically_normal();
  return fs::is_directory(folder, error) ? folder.string() : std::string{};
}

}  // namespace trikal::predict
