#pragma once
// Where the directory of a `trikal run` is: which machine, and which of the file systems there. A process that does not find
// it knows by this whether it looks at another machine or file system, or the run is over.

#include <cstdint>

#include "base/hash.hpp"

namespace trikal {

// `boot`: the kernel's boot id; `device`: of the file system.
[[nodiscard]] inline std::uint64_t run_location(const std::uint64_t (&boot)[2], std::uint64_t device) noexcept {
  const std::uint64_t words[] = {boot[0], boot[1], device};
  return record_id(Bytes{reinterpret_cast<const std::byte*>(words), sizeof words});
}

}  // namespace trikal
