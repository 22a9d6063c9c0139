#include "gather/maps.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "gather/programs.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

constexpr std::uint64_t kLargestMap = std::uint64_t{1} << 32;

Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

using Descriptor = std::unique_ptr<const int, void (*)(const int*)>;

Result<std::vector<std::byte>> read_own_file(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return system_error("cannot open");
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    return Error{.code = ErrorCode::kUsage, .what = "not a file of this user"};
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > kLargestMap) return Error{.code = ErrorCode::kLimit, .what = "too large for a crash map"};
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno != EINTR) return system_error("cannot read");
    if (got == 0) break;
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

bool names_files(Bytes names) {
  bool found = false;
  log::crash::for_each_name(names, [&](std::uint64_t, std::string_view name) { found |= name.starts_with('/'); });
  return found;
}

MapFacts facts_of(const log::crash::MapView& map) {
  const log::crash::Header& header = map.header();
  MapFacts facts{.identity = header.identity,
                 .job = header.job,
                 .state = header.state.load(),
                 .has_records = log::crash::has_records(map),
                 .tells_mounts = !map.mounts().empty(),
                 .starts_ranks = starts_mpi_programs(map.program()),
                 .is_remote = header.remote != log::crash::kNear,
                 .contents = {0, 0}};
  for (std::size_t i = 0; i < kDataPrefixCount; ++i) facts.excluded[i] = header.self.excluded[i].load();
  map.for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
    if (slots.empty()) return;
    if (chunk.kind == log::crash::ChunkKind::kNames) facts.names_files |= names_files(slots);
    facts.contents.kinds |= std::uint64_t{1} << (static_cast<std::uint32_t>(chunk.kind) & 63);
    if (log::crash::holds_records(chunk)) facts.contents.modules |= std::uint64_t{1} << (chunk.module & 63);
  });
  return facts;
}

// What it begins with; negative: it is no file, or nobody may read it. A pipe must not stop us.
ssize_t read_front(const std::string& path, MutableBytes into) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno == ENOENT ? 0 : -1;
  const ssize_t got = ::pread(descriptor, into.data(), into.size(), 0);
  ::close(descriptor);
  return got;
}

bool is_writer(const EndedProcess& process, const log::crash::Identity& identity, const std::string& path) {
  return process.start_ticks != 0 && identity.pid == process.pid && identity.start_ticks == process.start_ticks &&
         identity.pid_namespace != 0 && identity.pid_namespace == own_identity().pid_namespace &&
         is_of_this_boot(identity.boot, path);
}

// Before its map is read: what a process wrote that ended in between must not be taken for all it wrote.
Life life_of_writer(int descriptor, const std::string& path, const EndedProcess& ended) {
  std::byte front[offsetof(log::crash::Header, job)] = {};
  [[maybe_unused]] const ssize_t got = ::pread(descriptor, front, sizeof front, 0);
  if (load<std::uint64_t>(front) != log::crash::kMagic) return Life::kLives;
  const auto identity = load<log::crash::Identity>(front + offsetof(log::crash::Header, identity));
  return is_writer(ended, identity, path) ? Life::kGone : life_of(identity, path);
}

}  // namespace

MapFile::MapFile(std::string path, std::vector<std::byte> bytes, const log::crash::MapView& view, Life life)
    : path_(std::move(path)), bytes_(std::move(bytes)), view_(view), facts_(facts_of(view)), life_(life) {}

MapFile::MapFile(std::shared_ptr<FinishedFile> file, std::size_t entry)
    : file_(std::move(file)), entry_(entry), facts_(facts_of(file_->fetch(entry))), life_(Life::kGone) {}

Status MapFile::damage() const {
  const log::crash::MapPin map = fetch();
  if (Status damage = map->damage(); !damage.ok()) return damage;
  Status unknown;
  map->for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
    if (!unknown.ok() || slots.empty() || !log::crash::holds_records(chunk)) return;
    if (chunk.module < kModuleSlots && find_module(static_cast<ModuleId>(chunk.module)) != nullptr) return;
    const auto at = static_cast<std::uint64_t>(slots.data() - map->bytes().data()) - log::crash::kChunkHeader;
    unknown = Error{.code = ErrorCode::kUnsupported,
                    .offset = at,
                    .what = "records of a module that this version does not know are left out"};
  });
  return unknown;
}

log::crash::MapPin MapFile::fetch() const { return view_ ? log::crash::MapPin(&*view_) : file_->fetch(entry_); }

log::crash::MapRef MapFile::ref() const {
  if (view_) return &*view_;
  return {[](const void* self) { return static_cast<const MapFile*>(self)->fetch(); }, this, facts_.contents};
}

Result<MapFile> MapFile::open(const std::string& path, const EndedProcess& ended) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error("cannot open");
  const Descriptor closer(&descriptor, [](const int* d) { ::close(*d); });
  const Life life = life_of_writer(descriptor, path, ended);
  auto bytes = read_own_file(descriptor);
  if (!bytes) return bytes.error();
  auto view = log::crash::MapView::open(*bytes);
  if (!view) return view.error();
  return MapFile(path, std::move(*bytes), *view, life);  // moving a vector does not move its bytes
}

Result<MapFile> MapFile::from_memory(std::string path, std::vector<std::byte> bytes) {
  auto view = log::crash::MapView::open(bytes);
  if (!view) return view.error();
  const Life life = life_of(view->header().identity, path);
  return MapFile(std::move(path), std::move(bytes), *view, life);
}

bool has_begun(const std::string& path) {
  // What is no file at all has begun: who opens it will say so.
  std::byte magic[sizeof(std::uint64_t)] = {};
  return read_front(path, magic) < 0 || load<std::uint64_t>(magic) != 0;
}

std::string MapFile::command() const {
  return std::string(log::crash::CommandText(view().arguments(), log::crash::CommandText::Form::kQuoted).text());
}

std::vector<std::string> list_maps(const std::string& directory) { return list_files(directory, ".map"); }

std::vector<std::string> list_files(const std::string& directory, std::string_view ending) {
  std::vector<std::string> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(directory.c_str()), ::closedir);
  if (!open) return files;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(ending)) files.push_back(fmt::format("{}/{}", directory, name));
  }
  return files;
}

void remove_map(const std::string& path) { ::unlink(path.c_str()); }

std::vector<std::string> map_directories() {
  std::vector<std::string> directories;
  // Where the user says; else where the runtime goes by itself.
  const auto add = [&](const std::string& parent) {
    directories.push_back(fmt::format("{}/trikal-{}", parent, ::geteuid()));
  };
  for (const char* name : {"TRIKAL_MAP_DIRECTORY", "DARSHAN_MMAP_LOGPATH"}) {
    if (const char* value = std::getenv(name)) return add(value), directories;
  }
  add("/dev/shm");
  add("/tmp");
  return directories;
}

}  // namespace trikal::gather
