#include "gather/unseen_parts.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "modules/list.hpp"

namespace trikal::gather {
namespace {

constexpr std::size_t kMostPrograms = 32;  // that are looked into
constexpr off_t kLargestProgram = off_t{1} << 30;

// A message that is part of every HDF5 library, so also of a program that it was linked into; symbols may be stripped.
bool has_hdf5_in_it(const std::string& path) {
  static constexpr std::string_view kMessage = "***HDF5 library version mismatched error***";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat status{};
  const bool fit =
      ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size <= kLargestProgram;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* text = fit ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  ::close(file);
  if (text == MAP_FAILED) return false;
  const bool found = ::memmem(text, bytes, kMessage.data(), kMessage.size()) != nullptr;
  ::munmap(text, bytes);
  return found;
}

bool used_hdf5(const MapFile& map) {
  return std::ranges::any_of(all_modules(), [&](const ModuleFormat* module) {
    return module->schema->name.starts_with("H5") && map.facts().contents.has_module(module->schema->id);
  });
}

}  // namespace

UnseenParts::UnseenParts(std::span<const MapFile* const> maps, std::uint64_t lost) {
  if (lost > 0) rows_.push_back({Unseen::kNoSpace, lost, {}});
  add_excluded(maps);
  add_linked_in(maps);
}

// Every program uses files below /usr: they are named only where nothing else is in the log.
void UnseenParts::add_excluded(std::span<const MapFile* const> maps) {
  const bool saw_files = std::ranges::any_of(maps, [](const MapFile* map) { return map->facts().names_files; });
  for (std::size_t i = 0; i < kDataPrefixCount; ++i) {
    std::uint64_t uses = 0;
    for (const MapFile* map : maps) uses += map->facts().excluded[i];
    if (uses > 0 && !(saw_files && kDataPrefixes[i].view() == "/usr/"))
      rows_.push_back({Unseen::kExcluded, uses, kDataPrefixes[i]});
  }
}

void UnseenParts::add_linked_in(std::span<const MapFile* const> maps) {
  std::map<std::string, std::uint64_t> programs;
  for (const MapFile* map : maps) {
    if (!map->facts().names_files || used_hdf5(*map)) continue;
    std::string program(map->view().program());
    if (programs.size() < kMostPrograms || programs.contains(program)) programs[std::move(program)] += 1;
  }
  for (const auto& [program, count] : programs) {
    if (has_hdf5_in_it(program)) rows_.push_back({Unseen::kLinkedIn, count, texts_.emplace_back(program)});
  }
}

}  // namespace trikal::gather
