#pragma once
// What modules tell whoever listens: data moved. A module does not know its listeners; modules/capture_list.cpp does.

#include <cstdint>

#include "capture/session/session.hpp"

namespace trikal::capture {

// The interface that saw it.
enum ModuleSlot : std::uint8_t { kPosixSlot, kStdioSlot, kModuleCount };

struct Moved {
  ModuleSlot by;
  bool read;
  std::uint64_t id;  // of the file
  Span when;
  std::int64_t offset;
  std::int64_t bytes;
};

// Under the guard, no lock held.
void raise(const Moved& fact) noexcept;

// A small number for this thread, for tables that threads share without getting in each other's way.
[[nodiscard]] std::uint32_t thread_number() noexcept;

}  // namespace trikal::capture
