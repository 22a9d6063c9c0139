#pragma once
// Which process this is, beyond its pid.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "log/crash/layout.hpp"

namespace trikal::capture {

// What is known before anything is read, all of it or only the pid. `relative` is the process that forked this one
// (Relation::kParent), or the one that the environment tells of (kTold): the parent, or this very process before it became
// another program. A process sees its parent only where it is itself.
enum class Relation : bool { kParent, kTold };
[[nodiscard]] log::crash::Identity known_identity(const log::crash::Identity* relative, Relation relation) noexcept;
// What is not known yet is read from /proc, which takes as long as making a map.
void complete_identity(log::crash::Identity& identity) noexcept;

// In a process that is about to fork.
void note_fork() noexcept;
// In the child: when it began, as /proc tells it. 0: not known, /proc is to be asked.
[[nodiscard]] std::uint64_t start_ticks_since_fork() noexcept;

inline constexpr std::string_view kProcessVariable = "TRIKAL_PROCESS";
// As one value of the environment, with the node's name: launchers pass environments on to other nodes, where the same
// numbers are those of other processes.
inline constexpr std::size_t kIdentityText = 160;
std::size_t write_identity(const log::crash::Identity& identity, char (&text)[kIdentityText]) noexcept;
// False: it is none, or that of another node.
[[nodiscard]] bool parse_identity(const char* text, log::crash::Identity& identity) noexcept;

}  // namespace trikal::capture
