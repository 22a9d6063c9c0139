#pragma once
// Records as C programs hold them. Most lie there as in the log; three do not: those of LUSTRE and HEATMAP have
// pointers to what follows, and a trace's segments are of the size the caller knows (see caller.hpp).

#include <vector>

#include "base/bytes.hpp"
#include "schema/module.hpp"

namespace trikal::compat {

// Bytes that `record` (newest form, tail included) takes in the caller's memory.
[[nodiscard]] std::size_t bytes_in_memory(ModuleId module, Bytes record, std::size_t segment_bytes);
// Writes it there. `out` has that many bytes and is aligned for pointers.
void to_memory(ModuleId module, Bytes record, std::size_t segment_bytes, std::byte* out);

// The other way round: a record of a caller, as our tools hold it (segments with their thread).
[[nodiscard]] std::vector<std::byte> from_memory(ModuleId module, const void* record, std::size_t segment_bytes);

}  // namespace trikal::compat
