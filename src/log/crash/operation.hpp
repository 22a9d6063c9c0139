#pragma once
// What an observed call does, and how operations of modules that only their own folder knows are numbered and named.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "log/crash/view.hpp"

namespace trikal::log::crash {

// What was called; predictions use the same words. Modules that are not named here have numbers of their own, behind these.
enum class Operation : std::uint32_t {
  kOpen,
  kClose,
  kRead,
  kWrite,
  kSeek,
  kStat,
  kSync,
  kDataSync,
  kTruncate,
  kMap,
  kRemove,
  kRename,
  kDuplicate,
  kOther,
  kStreamOpen,
  kStreamClose,
  kStreamRead,
  kStreamWrite,
  kStreamSeek,
  kFlush,
  kMpiOpen,
  kMpiCollectiveOpen,
  kMpiClose,
  kMpiRead,
  kMpiWrite,
  kMpiCollectiveRead,
  kMpiCollectiveWrite,
  kMpiSplitRead,
  kMpiSplitWrite,
  kMpiNonblockingRead,
  kMpiNonblockingWrite,
  kMpiSync,
  kMpiSetView,
  kHdf5Open,
  kHdf5Close,
  kHdf5Flush,
  kHdf5DatasetOpen,
  kHdf5DatasetClose,
  kHdf5Read,
  kHdf5Write,
  kHdf5DatasetFlush,
  kCount,
};
inline constexpr std::size_t kOperations = static_cast<std::size_t>(Operation::kCount);
// Of those above; a module's own are named in the map.
[[nodiscard]] std::string_view word_of(Operation operation) noexcept;
[[nodiscard]] std::string_view interface_of(Operation operation) noexcept;  // "POSIX"

// Operation `number` of the module with that id: no list outside of the module's folder has it.
inline constexpr std::uint32_t kFirstOfModules = 1024, kMostOfModule = 16, kMostModules = 64;
[[nodiscard]] constexpr Operation operation_of_module(std::uint32_t module, std::uint32_t number) noexcept {
  return Operation{kFirstOfModules + module * kMostOfModule + number};
}
[[nodiscard]] constexpr bool is_of_module(Operation operation) noexcept {
  const auto number = static_cast<std::uint32_t>(operation);
  return number >= kFirstOfModules && number < kFirstOfModules + kMostModules * kMostOfModule;
}
[[nodiscard]] constexpr bool is_operation(std::uint32_t number) noexcept {
  return number < kOperations || is_of_module(Operation{number});
}

// What such an operation is called: in the map of every process that noted one, so that readers need not know the module.
struct OperationSlot {
  static constexpr std::size_t kInterfaceBytes = 24, kWordBytes = 32;
  std::uint32_t operation = 0;
  std::uint16_t interface_bytes = 0, word_bytes = 0;
  char interface[kInterfaceBytes] = {};
  char word[kWordBytes] = {};
};
static_assert(sizeof(OperationSlot) == 64);

struct OperationName {
  std::string_view interface, word;
};
// Views of the map, or of constants. An operation that the map does not name is "unknown".
[[nodiscard]] OperationName operation_name(const MapView& map, Operation operation) noexcept;

}  // namespace trikal::log::crash
