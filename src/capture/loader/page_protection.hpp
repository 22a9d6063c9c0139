#pragma once
// How the process may use a page of its memory, as the kernel has it.

#include <cstdint>

namespace trikal::capture {

inline constexpr int kUnknownProtection = -1;

// PROT_ flags; kUnknownProtection: nothing is mapped there, or it cannot be asked. One caller at a time.
[[nodiscard]] int protection_of(std::uintptr_t address) noexcept;

}  // namespace trikal::capture
