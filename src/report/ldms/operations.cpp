#include "report/ldms/operations.hpp"

#include <cstdlib>
#include <map>

namespace trikal::report::ldms {
namespace {

using log::crash::Operation;

// By the counters that Darshan adds their time to: stat and seek are metadata, a sync is part of writing.
constexpr OperationRole kRoles[] = {
    {Module::kPosix, Action::kOpen, Timer::kMeta},   // open
    {Module::kPosix, Action::kClose, Timer::kMeta},  // close
    {Module::kPosix, Action::kRead, Timer::kRead},   // read
    {Module::kPosix, Action::kWrite, Timer::kWrite},  // write
    {Module::kPosix, Action::kNone, Timer::kMeta},   // seek
    {Module::kPosix, Action::kNone, Timer::kMeta},   // stat
    {Module::kPosix, Action::kNone, Timer::kWrite},  // fsync
    {Module::kPosix, Action::kNone, Timer::kWrite},  // fdatasync
    {Module::kPosix, Action::kNone, Timer::kNone},   // truncate
    {Module::kPosix, Action::kNone, Timer::kNone},   // mmap
    {Module::kPosix, Action::kNone, Timer::kNone},   // remove
    {Module::kPosix, Action::kNone, Timer::kMeta},   // rename
    {Module::kPosix, Action::kNone, Timer::kMeta},   // dup
    {Module::kPosix, Action::kNone, Timer::kNone},   // other
    {Module::kStdio, Action::kOpen, Timer::kMeta},   // fopen
    {Module::kStdio, Action::kClose, Timer::kMeta},  // fclose
    {Module::kStdio, Action::kRead, Timer::kRead},   // stream read
    {Module::kStdio, Action::kWrite, Timer::kWrite},  // stream write
    {Module::kStdio, Action::kNone, Timer::kMeta},   // stream seek
    {Module::kStdio, Action::kNone, Timer::kWrite},  // flush
    {Module::kMpiio, Action::kOpen, Timer::kMeta},   // MPI open
    {Module::kMpiio, Action::kOpen, Timer::kMeta},   // MPI collective open
    {Module::kMpiio, Action::kClose, Timer::kMeta},  // MPI close
    {Module::kMpiio, Action::kRead, Timer::kRead},   // MPI read
    {Module::kMpiio, Action::kWrite, Timer::kWrite},  // MPI write
    {Module::kMpiio, Action::kRead, Timer::kRead},   // MPI collective read
    {Module::kMpiio, Action::kWrite, Timer::kWrite},  // MPI collective write
    {Module::kMpiio, Action::kRead, Timer::kRead},   // MPI split read
    {Module::kMpiio, Action::kWrite, Timer::kWrite},  // MPI split write
    {Module::kMpiio, Action::kRead, Timer::kRead},   // MPI nonblocking read
    {Module::kMpiio, Action::kWrite, Timer::kWrite},  // MPI nonblocking write
    {Module::kMpiio, Action::kNone, Timer::kWrite},  // MPI sync
    {Module::kMpiio, Action::kNone, Timer::kMeta},   // MPI set view
    {Module::kH5f, Action::kOpen, Timer::kMeta},     // HDF5 open
    {Module::kH5f, Action::kClose, Timer::kMeta},    // HDF5 close
    {Module::kH5f, Action::kNone, Timer::kMeta},     // HDF5 flush
    {Module::kH5d, Action::kOpen, Timer::kMeta},     // HDF5 dataset open
    {Module::kH5d, Action::kClose, Timer::kMeta},    // HDF5 dataset close
    {Module::kH5d, Action::kRead, Timer::kRead},     // HDF5 read
    {Module::kH5d, Action::kWrite, Timer::kWrite},   // HDF5 write
    {Module::kH5d, Action::kNone, Timer::kMeta},     // HDF5 dataset flush
};
static_assert(std::size(kRoles) == log::crash::kOperations);

std::map<std::string_view, Operation> operations_by_name() {
  std::map<std::string_view, Operation> named;
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i) {
    named.emplace(log::crash::word_of(Operation{i}), Operation{i});
  }
  return named;
}

}  // namespace

std::optional<OperationRole> role_of(Operation operation) {
  const auto number = static_cast<std::size_t>(operation);
  if (number >= std::size(kRoles)) return {};
  const OperationRole& role = kRoles[number];
  if (role.action == Action::kNone && role.timer == Timer::kNone) return {};
  return role;
}

std::optional<Operation> operation_named(std::string_view word) {
  static const auto kNamed = operations_by_name();
  const auto found = kNamed.find(word);
  if (found == kNamed.end()) return {};
  return found->second;
}

std::string_view name_of(Module module) {
  constexpr std::string_view kNames[] = {"POSIX", "STDIO", "MPIIO", "H5F", "H5D"};
  return kNames[static_cast<std::size_t>(module)];
}

std::string_view name_of(Action action) {
  constexpr std::string_view kNames[] = {"", "open", "read", "write", "close"};
  return kNames[static_cast<std::size_t>(action)];
}

std::optional<ModuleSet> ModuleSet::of_names(const std::vector<std::string>& names) {
  unsigned bits = 0;
  for (const std::string& name : names) {
    std::string plain;
    for (const char c : name) {
      if (c != '-' && c != '_') plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    unsigned found = plain == "HDF5" ? bit(Module::kH5f) | bit(Module::kH5d) : 0;
    for (const Module module : {Module::kPosix, Module::kStdio, Module::kMpiio, Module::kH5f, Module::kH5d}) {
      if (plain == name_of(module)) found = bit(module);
    }
    if (found == 0) return {};
    bits |= found;
  }
  return ModuleSet(bits);
}

ModuleSet ModuleSet::of_environment() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  unsigned bits = 0;
  if (is_set("DARSHAN_LDMS_ENABLE_ALL")) bits = kAll;
  if (is_set("DARSHAN_LDMS_ENABLE_POSIX")) bits |= bit(Module::kPosix);
  if (is_set("DARSHAN_LDMS_ENABLE_STDIO")) bits |= bit(Module::kStdio);
  if (is_set("DARSHAN_LDMS_ENABLE_MPIIO")) bits |= bit(Module::kMpiio);
  if (is_set("DARSHAN_LDMS_ENABLE_HDF5")) bits |= bit(Module::kH5f) | bit(Module::kH5d);
  return bits == 0 ? all() : ModuleSet(bits);
}

}  // namespace trikal::report::ldms
