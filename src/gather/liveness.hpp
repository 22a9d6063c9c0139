#pragma once
// Whether the process that wrote a crash map still exists. Process ids mean something on one machine, in one pid
// namespace, and only together with the time the process started.

#include <string>

#include "log/crash/layout.hpp"

namespace trikal::gather {

enum class Life : std::uint8_t {
  kLives,
  kGone,
  kUnknown,  // another machine, another boot, or a pid namespace we cannot see into
};

// `path`: of the map. Where ids say nothing, the kernel is asked whether any process still has it mapped.
[[nodiscard]] Life life_of(const log::crash::Identity& identity, const std::string& path);

// Whether a file is mapped by anybody on this machine, in whatever namespace.
enum class Mapped : std::uint8_t { kByNobody, kBySomebody, kUnknown };
[[nodiscard]] Mapped who_maps(const std::string& path);

// Who we are.
[[nodiscard]] const log::crash::Identity& own_identity();
// Whether that was written while this kernel runs. A file in memory that does not say when cannot be older.
[[nodiscard]] bool is_of_this_boot(const std::uint64_t (&boot)[2], const std::string& path);
// When it started, in clock ticks since boot; 0: there is no such process, or it only waits to be collected.
[[nodiscard]] std::uint64_t start_ticks_of(std::int64_t pid);

}  // namespace trikal::gather
