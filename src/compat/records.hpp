#pragma once
// Records from and to the caller; what the functions of the interface and the table of modules share.

#include <cstddef>

#include "schema/module.hpp"
#include "trikal/compat/darshan-logutils.h"

namespace trikal::compat {

int get_record(darshan_fd fd, int module, void** buf, const char* function);
int put_record(darshan_fd fd, int module, const void* record, const char* function);

// Bytes of a segment in the caller's records of this module; 0 where it has none.
[[nodiscard]] std::size_t segment_bytes_for(ModuleId module);

}  // namespace trikal::compat
