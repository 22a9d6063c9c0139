#pragma once
// What a record tells of reading, writing and everything else: which of its slots are calls, bytes and seconds of each. For
// whoever follows a run while it goes on, without knowing a module.

#include <array>
#include <string_view>
#include <vector>

#include "schema/module.hpp"

namespace trikal {

enum class Operation : std::uint8_t { kRead, kWrite, kMetadata };
inline constexpr std::size_t kOperations = 3;

[[nodiscard]] std::string_view operation_name(Operation operation);  // "read", "write", "metadata"

struct OperationSlots {
  std::vector<std::size_t> calls;  // their sum is how many there were
  std::size_t bytes = kNoSlot, seconds = kNoSlot;
};

// Calls are what the schema says they are; of a module that does not say, counters that are named as such.
[[nodiscard]] std::array<OperationSlots, kOperations> operation_slots(const ModuleSchema& schema);

// Whether no other module counts the same accesses again: what went through MPI-IO, HDF5 or PnetCDF is in POSIX as well, so
// totals over interfaces are sums over these alone.
[[nodiscard]] bool is_lowest_interface(std::string_view module);

}  // namespace trikal
